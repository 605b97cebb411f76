// Lower bounds on the time of impact of two moving shapes.
#ifndef CT_TOI_H
#define CT_TOI_H

#include "collision/gjk.h"
#include "collision/motion.h"

// Both motions are given at the same instant; closest is their closest-points result then (a and b
// convex leaves, or one plane, at poses fixed in the bodies: leafA and leafB are the leaves' poses in
// the shapes' frames).
typedef struct ctToiInput {
    const ctShape *shapeA, *shapeB;
    ctTransform leafA, leafB;
    const ctMotion *motionA, *motionB;
    const ctClosest *closest;
    double horizon; // s: nothing later is of interest
} ctToiInput;

// A time (s, from now) before which the two cannot touch, at most horizon. Zero when they touch now and
// approach. exact is set when the answer is the time of impact itself (sphere against sphere or plane).
double ctTimeOfImpactBound(const ctToiInput *in, bool *exact);

#endif
