// Can a plane structure of rigid bodies stand? Limit analysis as a linear program: forces inside the friction cones of
// the points of contact that balance the weights. It knows nothing of the engine.
#ifndef CT_TEST_STATICS_H
#define CT_TEST_STATICS_H

#include <stdbool.h>

typedef struct ctStaticBody {
    double x, z, weight; // centre of mass, m; N
} ctStaticBody;

typedef struct ctStaticPoint {
    int upper, lower;    // bodies; -1: the ground. They press each other along the normal
    double x, z, nx, nz; // m; unit normal from lower to upper
} ctStaticPoint;

enum { CT_STATIC_BODIES = 32, CT_STATIC_POINTS = 96 };

bool ctStatics_CanStand(const ctStaticBody *bodies, int bodyCount, const ctStaticPoint *points, int pointCount,
                        double friction);

#endif
