// Closest points of two convex cores in extended precision: what normals at contact are checked against.
//
// Let P_A and P_B map a point to the nearest one of each core. Points a = P_A(b), b = P_B(a) are closest points,
// since the cores are convex: b is a fixed point of T = P_B P_A, found by Newton's method. Nothing is shared with
// the code under test: no support points, no simplex, no directions.
#ifndef CT_TEST_NEAREST_H
#define CT_TEST_NEAREST_H

#include "collision/shape.h"

typedef struct ctTestNearest {
    ctVec3 normal;   // from B to A, world frame
    double distance; // between the surfaces
    double gain;     // how much an error of T is magnified in b: large where the closest points are not unique
} ctTestNearest;

// start: a point near B's closest one, world frame. False where the iteration does not converge: where the points
// are not unique.
bool ctTestFindNearest(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb, ctVec3 start,
                       ctTestNearest *out);

#endif
