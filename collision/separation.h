// How long a plane is certain to stay between two bodies.
#ifndef CT_SEPARATION_H
#define CT_SEPARATION_H

#include "collision/motion.h"
#include "collision/shape.h"

// A body, or some of its convex parts, and how it moves.
typedef struct ctPlaneSide {
    const ctShape *shape;
    const ctMotion *motion;
    double radius;    // m: no point is farther from the centre of mass
    int first, count; // which of its convex parts are meant
    ctShapeType met;  // what they are met by (ctShape_For); a plane meets them without rounding, as large as they are
} ctPlaneSide;

// A time (s, from now, at most horizon) before which two bodies cannot touch, because the plane across n (unit, from b
// to a), which does not turn, is between them; zero when it is not between them now. b may be fixed, and a plane, whose
// normal n is then. *gap: by how much it is, a lower
// bound of their distance (m).
double ctSeparationTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double *gap);

// The same for two that may touch now, or overlap by no more than depth (m): a time before which they overlap by no
// more than they do; zero when they are deeper along n. The plane turns with one of them, where that serves better.
double ctTouchingTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double depth, double *gap);

// Whether two convex shapes are farther apart than a distance (m) for certain: by the balls that hold them, or by the
// planes across n and m (unit, from b to a, or zero). Nothing is told of planes.
bool ctAreApart(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctVec3 n, ctVec3 m,
                double distance);
// How far a shape reaches along n (unit, world frame) from the world's origin, as another one meets it, m; a plane,
// whose normal n is then.
double ctReachAlong(const ctShape *shape, const ctShape *other, const ctPose *pose, ctVec3 n);

#endif
