// Lower bounds of the time of impact of two moving shapes.
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

// A time (s, from now) before which the two cannot touch, at most horizon. exact is set when the result is the time of
// impact itself, or horizon because there is none before (spheres about their centres of mass, against each other and
// against fixed planes); it may be NULL.
//
// When they touch now (or overlap), the time before which they cannot overlap more deeply: zero when they approach, and
// later when they separate, so that a pair that has just bounced needs no look.
double ctTimeOfImpactBound(const ctToiInput *in, bool *exact);

// The first time at which the gap g + u t + a t^2 / 2 falls to zero, or infinity. For a gap that is zero or negative
// and grows, the time at which it has come back.
double ctFallTime(double gap, double speed, double acceleration);
// The first time at which two balls touch whose centres are at x from each other, moving by v t + a t^2 / 2,
// with r the sum of the radii; infinity when not before horizon. Same rule for balls that touch now.
double ctBallsTime(ctVec3 x, ctVec3 v, ctVec3 a, double r, double horizon);

#endif
