// Solved impacts from a file: inputs, and the impulse computed in high precision.
#ifndef CT_TEST_IMPACT_VECTORS_H
#define CT_TEST_IMPACT_VECTORS_H

#include "engine/impact/impact.h"

typedef struct ctImpactVector {
    ctImpactInput in;
    ctVec3 p;
    char category[24];
} ctImpactVector;

// Reads name below tests/data; *count vectors, to be freed. Aborts the test when the file is unreadable.
ctImpactVector *ctReadImpactVectors(const char *name, int *count);

// |a - b| / |b|
double ctRelativeError(ctVec3 a, ctVec3 b);

#endif
