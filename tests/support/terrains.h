// Terrains for tests, and bodies on them; what fails, fails the test.
#ifndef CT_TEST_TERRAINS_H
#define CT_TEST_TERRAINS_H

#include "engine/clatter.h"

// Heights: hills over a square of 2 m; none.
double ctTestHill(double x, double y);
double ctTestFlat(double x, double y);
// n x n heights f(x, y) over a square about the origin. def may be NULL.
ctShapeId ctTestField(ctWorld *world, int n, double size, double (*f)(double, double), const ctTerrainDef *def);
ctBodyId ctTestGround(ctWorld *world, ctShapeId shape, ctVec3 position, ctQuat orientation);
// A body of 1000 kg/m^3.
ctBodyId ctTestSolidAt(ctWorld *world, ctShapeId shape, ctVec3 position, ctVec3 velocity, ctVec3 spin);

#endif
