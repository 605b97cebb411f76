#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

ctRandom ctRandomSeed(uint64_t seed)
{
    ctRandom r = {seed + 0x9e3779b97f4a7c15u};
    return r;
}

// splitmix64
uint64_t ctRandomBits(ctRandom *r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double ctRandomUniform(ctRandom *r, double lo, double hi)
{
    double u = (double)(ctRandomBits(r) >> 11) * 0x1.0p-53;
    return lo + (hi - lo) * u;
}

double ctRandomNormal(ctRandom *r)
{
    double u = 1.0 - ctRandomUniform(r, 0.0, 1.0);
    return sqrt(-2.0 * log(u)) * cos(2.0 * CT_PI * ctRandomUniform(r, 0.0, 1.0));
}

double ctRandomLog(ctRandom *r, double lo, double hi)
{
    return exp(ctRandomUniform(r, log(lo), log(hi)));
}

int ctRandomInt(ctRandom *r, int lo, int hi)
{
    return lo + (int)(ctRandomBits(r) % (uint64_t)(hi - lo + 1));
}

ctVec3 ctRandomVec3(ctRandom *r, double lo, double hi)
{
    double x = ctRandomUniform(r, lo, hi), y = ctRandomUniform(r, lo, hi), z = ctRandomUniform(r, lo, hi);
    return ctV3(x, y, z);
}

ctVec3 ctRandomUnit(ctRandom *r)
{
    double x = ctRandomNormal(r), y = ctRandomNormal(r), z = ctRandomNormal(r);
    return ctNormalize(ctV3(x, y, z));
}

ctQuat ctRandomQuat(ctRandom *r)
{
    double w = ctRandomNormal(r), x = ctRandomNormal(r), y = ctRandomNormal(r), z = ctRandomNormal(r);
    return ctNormalizeQ(ctQuatOf(w, x, y, z));
}

int ctTestCases(int n)
{
    const char *config = getenv("CT_TEST_CONFIG");
    return config != NULL && strcmp(config, "asan") == 0 ? (n + 9) / 10 : n;
}
