// The scene's random numbers: xoshiro256** (Blackman & Vigna 2018), seeded through splitmix64, so that a
// scene is the same on every run and every machine.
#include "scenes/random.h"
#include "collision/elementary.h"

#include "scenes/lua_values.h"

#include <math.h>

#define TWO_PI 6.283185307179586

static uint64_t rotateLeft(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static uint64_t draw(uint64_t *s)
{
    uint64_t result = rotateLeft(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotateLeft(s[3], 45);
    return result;
}

void ctRandom_Seed(uint64_t *s, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        uint64_t z = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        s[i] = z ^ (z >> 31);
    }
}

double ctRandom_Uniform(uint64_t *s)
{
    return (double)(draw(s) >> 11) * 0x1p-53;
}

double ctRandom_Normal(uint64_t *s)
{
    double u = 1.0 - ctRandom_Uniform(s), v = ctRandom_Uniform(s);
    return sqrt(-2.0 * ctLog(u)) * ctCos(TWO_PI * v);
}

static uint64_t *stateOf(lua_State *L)
{
    if (ctLoaderOf(L)->mode != ct_scriptActs) { // callbacks may draw: the world's notes hold the state;
        ctSandbox_OnlyWhileMaking(L, "random"); // measures may not: a run must not depend on how often it is measured
    }
    return ctLoaderOf(L)->random;
}

// In [0, 1).
static double uniform(lua_State *L)
{
    return ctRandom_Uniform(stateOf(L));
}

// A whole number from lo to hi, all equally probable.
static lua_Integer whole(lua_State *L, lua_Integer lo, lua_Integer hi)
{
    uint64_t range = (uint64_t)hi - (uint64_t)lo + 1; // 0: all 2^64 numbers
    uint64_t bits = draw(stateOf(L));
    if (range != 0) {
        uint64_t limit = UINT64_MAX - UINT64_MAX % range;
        while (bits >= limit) {
            bits = draw(stateOf(L));
        }
        bits %= range;
    }
    return (lua_Integer)((uint64_t)lo + bits);
}

// seed(n)
static int seed(lua_State *L)
{
    double n = ctNumberArgument(L, 1, "seed", "the seed");
    if (ctLoaderOf(L)->mode != ct_scriptActs) {
        ctSandbox_OnlyWhileMaking(L, "seed");
    }
    union {
        double number;
        uint64_t bits;
    } u = {n == 0.0 ? 0.0 : n};
    ctRandom_Seed(ctLoaderOf(L)->random, u.bits);
    return 0;
}

// random(): [0, 1); random(a, b): between a and b
static int randomReal(lua_State *L)
{
    if (lua_gettop(L) == 0) {
        lua_pushnumber(L, uniform(L));
        return 1;
    }
    double a = ctNumberArgument(L, 1, "random", "the lower end");
    double b = ctNumberArgument(L, 2, "random", "the upper end");
    lua_pushnumber(L, a + (b - a) * uniform(L));
    return 1;
}

static int wholeBetween(lua_State *L, const char *function, int low, int high)
{
    lua_Integer a = 1, b = 0;
    int isWhole = 1;
    if (low > 0) {
        ctNumberArgument(L, low, function, "the lower end");
        a = lua_tointegerx(L, low, &isWhole);
    }
    ctNumberArgument(L, high, function, "the upper end");
    int highIsWhole;
    b = lua_tointegerx(L, high, &highIsWhole);
    if (!isWhole || !highIsWhole) {
        return ctRaise(L, "%s: both ends must be whole numbers", function);
    }
    if (a > b) {
        return ctRaise(L, "%s: the lower end is above the upper end", function);
    }
    lua_pushinteger(L, whole(L, a, b));
    return 1;
}

// random_int(a, b): a whole number from a to b, both included
static int randomInt(lua_State *L)
{
    return wholeBetween(L, "random_int", 1, 2);
}

// random_normal(mean = 0, deviation = 1), by Box and Muller
static int randomNormal(lua_State *L)
{
    double mean = lua_isnoneornil(L, 1) ? 0.0 : ctNumberArgument(L, 1, "random_normal", "the mean");
    double deviation = lua_isnoneornil(L, 2) ? 1.0 : ctNumberArgument(L, 2, "random_normal", "the deviation");
    lua_pushnumber(L, mean + deviation * ctRandom_Normal(stateOf(L)));
    return 1;
}

// math.random, as Lua has it
static int mathRandom(lua_State *L)
{
    switch (lua_gettop(L)) {
    case 0:
        lua_pushnumber(L, uniform(L));
        return 1;
    case 1:
        return wholeBetween(L, "math.random", 0, 1);
    default:
        return wholeBetween(L, "math.random", 1, 2);
    }
}

void ctOpenRandom(lua_State *L)
{
    ctRandom_Seed(ctLoaderOf(L)->random, 0);
    lua_register(L, "seed", seed);
    lua_register(L, "random", randomReal);
    lua_register(L, "random_int", randomInt);
    lua_register(L, "random_normal", randomNormal);
    lua_getglobal(L, "math");
    lua_pushcfunction(L, mathRandom);
    lua_setfield(L, -2, "random");
    lua_pushcfunction(L, seed);
    lua_setfield(L, -2, "randomseed");
    lua_pop(L, 1);
}
