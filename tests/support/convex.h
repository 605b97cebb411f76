// Convex shapes seen by slow and simple code of its own: support heights over all pieces, distances of a
// point by closed forms, random shapes. What the closest-point query is checked against.
#ifndef CT_TEST_CONVEX_H
#define CT_TEST_CONVEX_H

#include "collision/shape.h"
#include "tests/support/random.h"

// How far the surface reaches along the unit direction d, in the shape's frame.
double ctTestReach(const ctShape *shape, ctVec3 d);

// The distance of p from the surface; negative inside, where it is a bound only.
double ctTestPointDistance(const ctShape *shape, ctVec3 p);

// A shape of the given type of about this size. Lathes are coins, rods, cones and frusta with an aspect
// of up to 1:1000.
ctShape *ctTestShape(ctRandom *r, ctShapeType type, double size);

#endif
