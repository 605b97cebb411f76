// The points that span a contact: up to four, with ids that stay the same while the contact lasts.
#ifndef CT_MANIFOLD_H
#define CT_MANIFOLD_H

#include "collision/gjk.h"

#define CT_MANIFOLD_POINTS 4

typedef struct ctManifoldPoint {
    ctVec3 pointA, pointB; // on each surface, world frame
    double gap;            // (pointA - pointB).normal, m; negative when they overlap
    uint32_t id;           // made from the two features that meet here
} ctManifoldPoint;

typedef struct ctManifold {
    ctVec3 normal; // unit, from B to A, world frame
    int count;
    double apart; // without points: a lower bound of their distance, m; 0: not known
    ctManifoldPoint points[CT_MANIFOLD_POINTS];
} ctManifold;

// [storage] Points of a whole manifold.
#define CT_WHOLE_POINTS 96

// All points of a contact: more than a manifold holds, and perhaps those that are farther apart than its margin.
typedef struct ctWholeManifold {
    int count;
    ctManifoldPoint points[CT_WHOLE_POINTS];
} ctWholeManifold;

// Points that carry load, by their ids: where there are more than a manifold holds they are chosen again.
typedef struct ctManifoldKeep {
    int count;
    uint32_t ids[CT_MANIFOLD_POINTS];
    ctWholeManifold *whole; // NULL, or where all points go, if there is one within the margin
    bool within;            // only those within the margin, and only if they are more than a manifold holds
} ctManifoldKeep;

// All points of contact with a gap of at most margin (m), chosen to span the contact area.
// count is 0 when the shapes are farther apart than margin. keep may be NULL.
void ctCollide(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
               ctGjkCache *cache, const ctManifoldKeep *keep, ctManifold *manifold);

#endif
