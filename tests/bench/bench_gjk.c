// What one closest-point query and one manifold cost, beside Bullet's GJK and libccd on the same pairs.
//
// Each pair drifts and turns a little between queries, as bodies in contact do from step to step. "cold"
// forgets everything between queries. libccd has no distance query: its time is for the question whether
// the cores meet, which is less. Times are the best of several runs, in microseconds.
#include "collision/manifold.h"
#include "tests/peers/peers.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PAIRS 64
#define STEPS 200
#define RUNS 9

typedef struct BenchPair {
    ctShape *a, *b;
    ctBulletShape *ba, *bb;
    ctTransform ta[STEPS], tb[STEPS];
    ctPose pa[STEPS], pb[STEPS];
    ctGjkCache cache;
    ctVec3 axis;
} BenchPair;

static BenchPair pairs[PAIRS];
static double sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ctShape *sphereHull(ctRandom *r, int count)
{
    ctVec3 *p = malloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; i++) {
        p[i] = ctScale(0.5, ctRandomUnit(r));
    }
    ctShape *s = ctShape_Hull(p, count, NULL);
    free(p);
    return s;
}

typedef ctShape *Make(ctRandom *r);

static ctShape *makeBox(ctRandom *r)
{
    return ctShape_Box(ctRandomVec3(r, 0.5, 1.0), NULL);
}

static ctShape *makeHull(ctRandom *r)
{
    return sphereHull(r, 250);
}

static ctShape *makeBigHull(ctRandom *r)
{
    return sphereHull(r, 2500);
}

static ctShape *makeCoin(ctRandom *r)
{
    return ctShape_Cylinder(0.5, ctRandomUniform(r, 0.05, 0.1), NULL);
}

static ctShape *makeSphere(ctRandom *r)
{
    return ctShape_Sphere(ctRandomUniform(r, 0.3, 0.5), NULL);
}

static ctShape *makeCapsule(ctRandom *r)
{
    return ctShape_Capsule(ctRandomUniform(r, 0.1, 0.2), ctRandomUniform(r, 0.3, 0.8), NULL);
}

static ctShape *makeEllipsoid(ctRandom *r)
{
    return ctShape_Ellipsoid(ctRandomVec3(r, 0.2, 0.5), NULL);
}

// Pairs with this gap, m.
static void setUp(Make *makeA, Make *makeB, double gap)
{
    ctRandom r = ctRandomSeed(11);
    for (int i = 0; i < PAIRS; i++) {
        BenchPair *p = &pairs[i];
        p->a = makeA(&r);
        p->b = makeB(&r);
        p->ba = ctBullet_Create(p->a);
        p->bb = ctBullet_Create(p->b);
        ctTransform ta = ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)), tb = ta;
        tb.q = ctRandomQuat(&r);
        ctVec3 away = ctRandomUnit(&r);
        ctClosest c;
        // Placed by bisection on the distance of the centres.
        double lo = 0.0, hi = 3.0;
        for (int j = 0; j < 40; j++) {
            tb.p = ctMulAdd(ta.p, 0.5 * (lo + hi), away);
            ctPose pa = ctPoseOf(ta), pb = ctPoseOf(tb);
            ctClosestPoints(p->a, &pa, p->b, &pb, NULL, &c);
            *(c.distance < gap ? &lo : &hi) = 0.5 * (lo + hi);
        }
        ctVec3 drift = ctRandomVec3(&r, -1e-4, 1e-4), spin = ctRandomVec3(&r, -1e-3, 1e-3);
        for (int k = 0; k < STEPS; k++) {
            p->ta[k] = ta;
            p->tb[k] = tb;
            p->pa[k] = ctPoseOf(ta);
            p->pb[k] = ctPoseOf(tb);
            // The gap is kept; all else drifts.
            tb.p = ctAdd(tb.p, drift);
            tb.q = ctNormalizeQ(ctMulQ(ctQuatExp(spin), tb.q));
            ctPose pa = ctPoseOf(ta), pb = ctPoseOf(tb);
            ctClosestPoints(p->a, &pa, p->b, &pb, NULL, &c);
            tb.p = ctMulAdd(tb.p, c.distance - gap, c.normal);
        }
    }
}

static void tearDown(void)
{
    for (int i = 0; i < PAIRS; i++) {
        ctShape_Release(pairs[i].a);
        ctShape_Release(pairs[i].b);
        ctBullet_Destroy(pairs[i].ba);
        ctBullet_Destroy(pairs[i].bb);
    }
}

typedef void Query(BenchPair *p, int step);

static void queryWarm(BenchPair *p, int k)
{
    ctClosest c;
    ctClosestPoints(p->a, &p->pa[k], p->b, &p->pb[k], &p->cache, &c);
    sink += c.distance;
}

static void queryCold(BenchPair *p, int k)
{
    ctClosest c;
    ctClosestPoints(p->a, &p->pa[k], p->b, &p->pb[k], NULL, &c);
    sink += c.distance;
}

static void queryManifold(BenchPair *p, int k)
{
    ctManifold m;
    ctCollide(p->a, &p->pa[k], p->b, &p->pb[k], 0.05, &p->cache, NULL, &m);
    sink += m.count;
}

static void queryBullet(BenchPair *p, int k)
{
    sink += ctBullet_Distance(p->ba, &p->pa[k], p->bb, &p->pb[k], &p->axis);
}

static void queryCcd(BenchPair *p, int k)
{
    sink += ctCcd_Meet(p->a, &p->ta[k], p->b, &p->tb[k]);
}

// Microseconds per query, the best of several runs.
static double measure(Query *query)
{
    double best = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double start = now();
        for (int i = 0; i < PAIRS; i++) {
            pairs[i].cache.count = 0;
            pairs[i].cache.axis = pairs[i].axis = ctZero3();
            for (int k = 0; k < STEPS; k++) {
                query(&pairs[i], k);
            }
        }
        best = fmin(best, now() - start);
    }
    return 1e6 * best / (PAIRS * STEPS);
}

static void row(const char *name, Make *a, Make *b, double gap, bool peers)
{
    setUp(a, b, gap);
    double warm = measure(queryWarm), cold = measure(queryCold), manifold = measure(queryManifold);
    printf("%-22s %8.3f %8.3f %9.3f", name, warm, cold, manifold);
    if (peers) {
        double bullet = measure(queryBullet), ccd = measure(queryCcd);
        printf(" %8.3f %6.1f %8.3f %6.1f", bullet, bullet / warm, ccd, ccd / warm);
    }
    printf("\n");
    tearDown();
}

int main(void)
{
    printf("%-22s %8s %8s %9s %8s %6s %8s %6s\n", "us per query", "warm", "cold", "manifold", "Bullet", "ratio",
           "libccd", "ratio");
    row("box-box", makeBox, makeBox, 0.02, true);
    row("hull250-hull250", makeHull, makeHull, 0.02, true);
    row("hull2500-hull2500", makeBigHull, makeBigHull, 0.02, true);
    row("box-hull250", makeBox, makeHull, 0.02, true);
    row("capsule-box", makeCapsule, makeBox, 0.02, true);
    row("sphere-sphere", makeSphere, makeSphere, 0.02, true);
    row("sphere-box", makeSphere, makeBox, 0.02, true);
    row("coin-coin", makeCoin, makeCoin, 0.02, false);
    row("coin-box", makeCoin, makeBox, 0.02, false);
    row("ellipsoid-ellipsoid", makeEllipsoid, makeEllipsoid, 0.02, false);
    row("box-box overlapping", makeBox, makeBox, -0.01, false);
    row("hull250 overlapping", makeHull, makeHull, -0.01, false);
    row("coin-coin overlapping", makeCoin, makeCoin, -0.005, false);
    return isfinite(sink) ? 0 : 1;
}
