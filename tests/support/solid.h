// Slow, independent answers about solids, for the tests of shapes: insideness, surfaces as triangles,
// and integrals over them.
#ifndef CT_TEST_SOLID_H
#define CT_TEST_SOLID_H

#include "collision/shape.h"

// How far a point of the shape's frame is inside the true, sharp solid: positive inside, negative
// outside, zero on the surface. Not a distance for ellipsoids, but zero in the same places.
double ctSolidDepth(const ctShape *shape, ctVec3 x);

// The height of the true solid's (convex leaf's) highest point along d, and of its rounded core.
double ctSolidHeight(const ctShape *leaf, ctVec3 d);
double ctRoundedHeight(const ctShape *leaf, ctVec3 d);

// Mass properties at unit density by the divergence theorem over a surface of triangles.
typedef struct ctSurfaceSum {
    double volume;
    double x, y, z;
    double xx, yy, zz, xy, yz, zx;
} ctSurfaceSum;

void ctSurfaceSum_Add(ctSurfaceSum *sum, ctVec3 a, ctVec3 b, ctVec3 c);
ctMassProperties ctSurfaceSum_Mass(const ctSurfaceSum *sum);

// A solid of revolution about z, from (r, z) upwards, as n flat sides; then scaled axis by axis.
ctMassProperties ctRevolutionMass(const double *r, const double *z, int count, int sides, ctVec3 scale);

// An allocator that fails once, at a chosen call, and counts what is alive.
typedef struct ctFailingMemory {
    long calls, failAt; // the call that fails is counted from 1; 0 for none
    long alive;
} ctFailingMemory;

void *ctFailingRealloc(void *memory, size_t size, void *context);

#endif
