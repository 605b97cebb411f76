// Free motion inside a world: tumbling bodies, gases, and the order of events against an exhaustive oracle.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <stdlib.h>

// Energy and angular momentum of a tumbling body after a minute, with and without gravity.
static void checkTumbling(ctVec3 moments, ctVec3 gravity)
{
    ctWorld *world = ctTestWorld(gravity, 0.5, 0.5);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.3, 0.2, 0.1), NULL);
    def.mass = 1.0;
    def.hasInertia = true;
    def.inertia = ctMat3Diagonal(0.01 * moments.x, 0.01 * moments.y, 0.01 * moments.z);
    def.spin = ctV3(0.1, 5.0, -0.2); // near the unstable axis when the moments differ
    def.velocity = ctV3(1, 2, 30);
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    ctVec3 spinBefore = ctMulMV(def.inertia, def.spin);
    double energy = 0.5 * ctDot(def.spin, spinBefore);
    for (int i = 0; i < 60; i++) {
        ctTestRun(world, 1.0);
        ctQuat q = ctBody_GetTransform(world, body).q;
        ctVec3 w = ctBody_GetSpin(world, body);
        ctVec3 momentum = ctRotate(q, ctMulMV(def.inertia, ctInvRotate(q, w)));
        ctAssertClose(0.5 * ctDot(w, momentum) / energy, 1.0, 1e-12);
        ctAssertClose(ctDistance(momentum, spinBefore) / ctLength(spinBefore), 0.0, 1e-12);
        double t = ctWorld_GetTime(world);
        ctVec3 x = ctMulAdd(ctScale(t, def.velocity), 0.5 * t * t, gravity);
        ctAssertClose(ctDistance(ctBody_GetCenter(world, body), x) / (1.0 + ctLength(x)), 0.0, 1e-12);
    }
    ctWorld_Destroy(world);
}

START_TEST(tumbling_keeps_energy_and_momentum)
{
    const ctVec3 moments[3] = {{1, 1, 1}, {1, 1, 1.8}, {1, 2, 3}};
    for (int i = 0; i < 3; i++) {
        checkTumbling(moments[i], ctZero3());
        checkTumbling(moments[i], ctV3(0, 0, -9.81));
    }
}
END_TEST

// ---- an oracle: every pair, every time --------------------------------------------------------

enum { BALLS = 24 };

typedef struct Gas {
    ctVec3 x[BALLS], v[BALLS];
    double r[BALLS], m[BALLS];
    ctVec3 g;
    double t;
} Gas;

static double ballsTime(const Gas *gas, int i, int j)
{
    ctVec3 d = ctSub(gas->x[i], gas->x[j]), u = ctSub(gas->v[i], gas->v[j]);
    double r = gas->r[i] + gas->r[j], b = ctDot(d, u), c = ctDot(d, d) - r * r, a = ctDot(u, u);
    double disc = b * b - a * c;
    return b < 0.0 && disc > 0.0 ? fmax(c, 0.0) / (sqrt(disc) - b) : (double)INFINITY;
}

static double *component(ctVec3 *v, int k)
{
    return k == 0 ? &v->x : k == 1 ? &v->y : &v->z;
}

static double value(ctVec3 v, int k)
{
    return *component(&v, k);
}

// Walls at +-1 in each coordinate; k = 0 ... 5.
static double wallTime(const Gas *gas, int i, int k)
{
    double sign = k % 2 == 0 ? 1.0 : -1.0;
    double x = value(gas->x[i], k / 2), v = value(gas->v[i], k / 2), g = value(gas->g, k / 2);
    double gap = fmax(sign * x + 1.0 - gas->r[i], 0.0), u = sign * v, a = sign * g;
    if (a < 0.0) {
        return u < 0.0 ? 2.0 * gap / (-u + sqrt(u * u - 2.0 * a * gap)) : (u + sqrt(u * u - 2.0 * a * gap)) / -a;
    }
    double disc = u * u - 2.0 * a * gap;
    return u < 0.0 && disc >= 0.0 ? 2.0 * gap / (-u + sqrt(disc)) : (double)INFINITY;
}

// Advances to the next impact and resolves it; *a is the first body, *b the second or -1 - wall.
static void nextImpact(Gas *gas, int *a, int *b, double e)
{
    double best = INFINITY;
    for (int i = 0; i < BALLS; i++) {
        for (int j = -6; j < i; j++) {
            double t = j < 0 ? wallTime(gas, i, -1 - j) : ballsTime(gas, i, j);
            if (t < best) {
                best = t;
                *a = i;
                *b = j;
            }
        }
    }
    for (int i = 0; i < BALLS; i++) {
        gas->x[i] = ctMulAdd(ctMulAdd(gas->x[i], best, gas->v[i]), 0.5 * best * best, gas->g);
        gas->v[i] = ctMulAdd(gas->v[i], best, gas->g);
    }
    gas->t += best;
    if (*b < 0) {
        *component(&gas->v[*a], (-1 - *b) / 2) *= -e;
        return;
    }
    ctVec3 n = ctNormalize(ctSub(gas->x[*a], gas->x[*b]));
    double u = ctDot(n, ctSub(gas->v[*a], gas->v[*b])), m = 1.0 / (1.0 / gas->m[*a] + 1.0 / gas->m[*b]);
    gas->v[*a] = ctMulAdd(gas->v[*a], -(1.0 + e) * u * m / gas->m[*a], n);
    gas->v[*b] = ctMulAdd(gas->v[*b], (1.0 + e) * u * m / gas->m[*b], n);
}

static ctWorld *makeGas(Gas *gas, ctRandom *r, double e, ctBodyId *walls, ctBodyId *balls)
{
    ctWorld *world = ctTestWorld(gas->g, 0.0, e);
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 == 0 ? 1.0 : -1.0;
        ctVec3 normal = ctV3(k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0, k / 2 == 2 ? sign : 0.0);
        walls[k] = ctTestPlane(world, normal, -1.0);
    }
    for (int i = 0; i < BALLS; i++) {
        gas->r[i] = ctRandomUniform(r, 0.05, 0.25);
        gas->x[i] = ctScale(0.55, ctV3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        gas->v[i] = ctRandomVec3(r, -3, 3);
        balls[i] = ctTestBall(world, gas->r[i], gas->x[i], gas->v[i]);
        gas->m[i] = ctBody_GetMass(world, balls[i]);
    }
    return world;
}

// The world has the oracle's impacts, in its order, at its times. Errors grow by a factor of a few with each
// generation of impacts, so the tolerance does too.
START_TEST(events_agree_with_an_exhaustive_search)
{
    ctRandom r = ctRandomSeed(31);
    for (int round = 0; round < ctTestCases(100); round++) {
        Gas gas = {.g = round % 2 == 0 ? ctZero3() : ctV3(0.3, -0.2, -9.81)};
        ctBodyId walls[6], balls[BALLS];
        double e = round % 3 == 0 ? 1.0 : 0.9, tolerance = 1e-13;
        ctWorld *world = makeGas(&gas, &r, e, walls, balls);
        for (int n = 0; n < 60; n++) {
            int a = 0, b = 0;
            nextImpact(&gas, &a, &b, e);
            bool hit = false;
            for (int k = 0; k < 1000 && !hit; k++) {
                ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
            }
            const ctImpact *impacts;
            ck_assert_int_eq(ctWorld_GetImpacts(world, &impacts), 1);
            ctBodyId first = balls[a], second = b < 0 ? walls[-1 - b] : balls[b];
            bool same = (impacts[0].body1.index1 == first.index1 && impacts[0].body2.index1 == second.index1) ||
                        (impacts[0].body2.index1 == first.index1 && impacts[0].body1.index1 == second.index1);
            ck_assert_msg(same, "round %d impact %d: %d %d, not %d %d", round, n, impacts[0].body1.index1,
                          impacts[0].body2.index1, first.index1, second.index1);
            ctAssertClose(impacts[0].time, gas.t, tolerance);
            ctAssertClose(ctDistance(ctBody_GetVelocity(world, first), gas.v[a]), 0.0, 1e3 * tolerance);
            tolerance *= 1.25;
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// What the walls have done to the gas: the sums of their impulses and of the moments of these about the origin, with
// the low parts of the sums beside them (Neumaier), so that a million summands cost no digits.
typedef struct Walls {
    double sum[6], low[6];
} Walls;

static void addImpulse(void *context, const ctWorld *world, const ctImpact *impact)
{
    Walls *walls = context;
    if (ctBody_GetMass(world, impact->body2) > 0.0) {
        return;
    }
    ctVec3 moment = ctCross(impact->point, impact->impulse);
    const double parts[6] = {impact->impulse.x, impact->impulse.y, impact->impulse.z, moment.x, moment.y, moment.z};
    for (int i = 0; i < 6; i++) {
        double sum = walls->sum[i] + parts[i];
        walls->low[i] +=
            fabs(walls->sum[i]) >= fabs(parts[i]) ? (walls->sum[i] - sum) + parts[i] : (parts[i] - sum) + walls->sum[i];
        walls->sum[i] = sum;
    }
}

// What is left of momentum, and of angular momentum, when what the walls did is taken off.
static ctVec3 without(ctVec3 total, const Walls *walls, int first)
{
    ctVec3 sum = ctV3(walls->sum[first], walls->sum[first + 1], walls->sum[first + 2]);
    ctVec3 low = ctV3(walls->low[first], walls->low[first + 1], walls->low[first + 2]);
    return ctSub(ctSub(total, sum), low);
}

// A long run of an elastic gas: energy and both momenta do not drift, and nobody leaves. The hash after 100,000
// impacts, where there are as many.
static uint64_t runGas(int impacts)
{
    ctRandom r = ctRandomSeed(77);
    Gas gas = {.g = ctZero3()};
    ctBodyId planes[6], balls[BALLS];
    ctWorld *world = makeGas(&gas, &r, 1.0, planes, balls);
    Walls walls = {{0}, {0}};
    ctWorld_OnImpact(world, addImpulse, &walls);
    ctStats start = ctWorld_GetStats(world), stats = start;
    double momentum = 0.0; // of all balls, without directions
    for (int i = 0; i < BALLS; i++) {
        momentum += gas.m[i] * ctLength(gas.v[i]);
    }
    uint64_t hash = 0;
    while (stats.impacts < impacts) {
        ctTestRun(world, 1.0);
        stats = ctWorld_GetStats(world);
        hash = hash == 0 && stats.impacts >= ctTestCases(100000) ? ctWorld_Hash(world) : hash;
    }
    ck_assert(stats.auditViolations == 0 && stats.eventLimitHits == 0);
    ctAssertClose(stats.kineticEnergy / start.kineticEnergy, 1.0, 1e-12);
    ctAssertClose(ctDistance(without(stats.momentum, &walls, 0), start.momentum) / momentum, 0.0, 1e-14);
    ctAssertClose(ctDistance(without(stats.angularMomentum, &walls, 3), start.angularMomentum) / momentum, 0.0, 1e-14);
    // Times are absolute: one unit in the last place of the time, at the fastest approach, is an overlap.
    ctAssertClose(stats.maxPenetration, 0.0, 1e-14 + 2.3e-16 * ctWorld_GetTime(world) * 20.0);
    for (int i = 0; i < BALLS; i++) {
        ctVec3 x = ctAbs(ctBody_GetCenter(world, balls[i]));
        ck_assert(ctMaxElement(x) <= 1.0 - gas.r[i] + 1e-12);
    }
    ctWorld_Destroy(world);
    return hash;
}

START_TEST(a_million_impacts_do_not_drift)
{
    uint64_t hash = runGas(ctTestCases(1000000));
    ck_assert(hash != 0 && runGas(ctTestCases(100000)) == hash);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physics_flight");
    TCase *tc = tcase_create("flight");
    tcase_set_timeout(tc, 30.0);
    tcase_add_test(tc, tumbling_keeps_energy_and_momentum);
    tcase_add_test(tc, events_agree_with_an_exhaustive_search);
    tcase_add_test(tc, a_million_impacts_do_not_drift);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
