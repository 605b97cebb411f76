#include "tests/support/terrains.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdlib.h>

double ctTestHill(double x, double y)
{
    return 0.15 * sin(5.0 * x) * cos(4.0 * y) + 0.1 * x;
}

double ctTestFlat(double x, double y)
{
    (void)x, (void)y;
    return 0.0;
}

static double *heightsOf(int n, double size, double (*f)(double, double))
{
    double *h = calloc((size_t)(n * n), sizeof *h);
    for (int i = 0; i < n * n; i++) {
        h[i] = f(size * ((double)(i % n) / (n - 1) - 0.5), size * ((double)(i / n) / (n - 1) - 0.5));
    }
    return h;
}

ctShapeId ctTestField(ctWorld *world, int n, double size, double (*f)(double, double), const ctTerrainDef *def)
{
    double *h = heightsOf(n, size, f);
    ctError error = {ct_ok, ""};
    ctShapeId shape = ctWorld_CreateHeightfield(world, size, size, n, n, h, def, &error);
    ck_assert_msg(shape.index1 != 0, "%s", error.message);
    free(h);
    return shape;
}

ctBodyId ctTestGround(ctWorld *world, ctShapeId shape, ctVec3 position, ctQuat orientation)
{
    ctBodyDef def = ctDefaultBodyDef();
    ctError error = {ct_ok, ""};
    def.motion = ct_motionFixed;
    def.shape = shape;
    def.position = position;
    def.orientation = orientation;
    ctBodyId body = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(body.index1 != 0, "%s", error.message);
    return body;
}

ctBodyId ctTestSolidAt(ctWorld *world, ctShapeId shape, ctVec3 position, ctVec3 velocity, ctVec3 spin)
{
    ctBodyDef def = ctDefaultBodyDef();
    ctError error = {ct_ok, ""};
    def.shape = shape;
    def.density = 1000.0;
    def.position = position;
    def.velocity = velocity;
    def.spin = spin;
    ctBodyId body = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(body.index1 != 0, "%s", error.message);
    return body;
}
