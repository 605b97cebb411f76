// How long a plane certainly separates two bodies.
#ifndef CT_SEPARATION_H
#define CT_SEPARATION_H

#include "collision/motion.h"
#include "collision/shape.h"

// A body, or some of its convex parts, and its motion.
typedef struct ctPlaneSide {
    const ctShape *shape;
    const ctMotion *motion;
    double radius;    // m: no point is farther from the centre of mass
    int first, count; // which of its convex parts
    ctShapeType met;  // the type of the shape that meets them (ctShape_For); a plane meets them without rounding
} ctPlaneSide;

// A time (s, from now, at most horizon) before which two bodies cannot touch, because the plane across n (unit, from b
// to a), which does not turn, separates them; zero when it does not now. b may be fixed, and a plane with the normal n.
// *gap: the separation, a lower bound of their distance (m).
double ctSeparationTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double *gap);

// The same for two that may touch now, or overlap by at most depth (m): a time before which they overlap by no more
// than now; zero when they are deeper along n. The plane turns with one of them, if that is better.
double ctTouchingTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double depth, double *gap);

// Whether two convex shapes are certainly farther apart than a distance (m): by the balls that hold them, or by the
// planes across n and m (unit, from b to a, or zero). False for planes.
bool ctAreApart(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctVec3 n, ctVec3 m,
                double distance);
// How far apart two convex shapes are along n (unit, from b to a), m: no more than their distance; negative: they
// overlap by no more than that. Neither is a plane.
double ctGapAlong(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctVec3 n);
// How far a shape reaches along n (unit, world frame) from the world's origin, as another one meets it, m; a plane has
// the normal n.
double ctReachAlong(const ctShape *shape, const ctShape *other, const ctPose *pose, ctVec3 n);

#endif
