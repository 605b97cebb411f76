// A small seeded generator, so that every property test is the same on every run.
#ifndef CT_TEST_RANDOM_H
#define CT_TEST_RANDOM_H

#include "collision/quat.h"

typedef struct ctRandom {
    uint64_t state;
} ctRandom;

ctRandom ctRandomSeed(uint64_t seed);
uint64_t ctRandomBits(ctRandom *r);
double ctRandomUniform(ctRandom *r, double lo, double hi);
double ctRandomNormal(ctRandom *r);
// Uniform in the logarithm: scales that span decades.
double ctRandomLog(ctRandom *r, double lo, double hi);
int ctRandomInt(ctRandom *r, int lo, int hi); // both ends included
ctVec3 ctRandomVec3(ctRandom *r, double lo, double hi);
ctVec3 ctRandomUnit(ctRandom *r);
ctQuat ctRandomQuat(ctRandom *r);

// How many cases a property test runs: n, or a tenth under sanitizers, which are that much slower.
int ctTestCases(int n);

#endif
