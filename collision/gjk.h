// Closest points of two convex shapes, or of a convex shape and a plane.
#ifndef CT_GJK_H
#define CT_GJK_H

#include "collision/shape.h"

typedef enum ctContactState {
    ct_apart,       // distance > 0
    ct_touching,    // distance <= 0, cores apart: normal and points are fully accurate
    ct_overlapping, // cores intersect: distance is minus the depth along normal
} ctContactState;

typedef enum ctFeature { ct_featureVertex, ct_featureEdge, ct_featureFace, ct_featureSmooth } ctFeature;

// The data of a pair kept between queries. Zero-initialise; valid for one pair of shapes in one order.
typedef struct ctGjkCache {
    int count;      // simplex size, 0 when cold or when the simplex has four corners
    int a[3], b[3]; // hull vertices (or corner codes) of the simplex
    ctVec3 axis;    // last separating direction in A's frame, from B to A; zero when cold
} ctGjkCache;

typedef struct ctClosest {
    ctContactState state;
    double distance;       // between the surfaces, m; negative: they overlap by that much
    ctVec3 normal;         // unit, from B to A, world frame
    ctVec3 pointA, pointB; // on the surfaces, world frame: pointA - pointB = distance * normal
    ctFeature featureA, featureB;
    int iterations;
} ctClosest;

// cache may be NULL. Works for every pair of convex leaves, and for one plane (either side).
void ctClosestPoints(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctGjkCache *cache,
                     ctClosest *result);

#endif
