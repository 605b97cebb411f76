// What one closest-point query and one manifold cost, beside Bullet's GJK and libccd on the same pairs.
//
// Each pair drifts and turns a little between queries, as bodies in contact do from step to step. "cold"
// forgets everything between queries. Of pairs apart, Bullet finds the distance, starting from the last direction;
// libccd has no distances, and its time is for the question whether the two meet, which is less. Of pairs that overlap,
// all three find the depth. Times are the best of several runs, in microseconds. In the end a million random pairs are
// compared with all pairs of features.
#include "collision/manifold.h"
#include "tests/peers/peers.h"
#include "tests/support/features.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PAIRS 64
#define STEPS 200
#define RUNS 9
// Seconds for one column of one row: slow code is measured on fewer of the pairs.
#define BUDGET 0.25
#define COMPARED 1000000

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

// CPU time of this thread: others on the machine matter less.
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
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

static void queryBulletDepth(BenchPair *p, int k)
{
    sink += ctBullet_Depth(p->ba, &p->pa[k], p->bb, &p->pb[k]);
}

static void queryCcd(BenchPair *p, int k)
{
    sink += ctCcd_SurfacesMeet(p->a, &p->ta[k], p->b, &p->tb[k]);
}

static void queryCcdDepth(BenchPair *p, int k)
{
    sink += ctCcd_Depth(p->a, &p->ta[k], p->b, &p->tb[k]);
}

// Microseconds per query, the best of several runs within the budget.
static double measure(Query *query)
{
    double best = INFINITY, first = now();
    for (int run = 0; run < RUNS && now() - first < BUDGET; run++) {
        double start = now();
        int done = 0;
        while (done < PAIRS && (done == 0 || now() - first < BUDGET)) {
            BenchPair *p = &pairs[done++];
            p->cache.count = 0;
            p->cache.axis = p->axis = ctZero3();
            for (int k = 0; k < STEPS; k++) {
                query(p, k);
            }
        }
        if (run == 0 || done == PAIRS) {
            best = fmin(best, (now() - start) / (done * STEPS));
        }
    }
    return 1e6 * best;
}

static void row(const char *name, Make *a, Make *b, double gap)
{
    setUp(a, b, gap);
    double warm = measure(queryWarm), cold = measure(queryCold), manifold = measure(queryManifold);
    printf("%-22s %8.3f %8.3f %9.3f", name, warm, cold, manifold);
    if (pairs[0].ba && pairs[0].bb) {
        double bullet = measure(gap > 0.0 ? queryBullet : queryBulletDepth);
        double ccd = measure(gap > 0.0 ? queryCcd : queryCcdDepth);
        printf(" %8.3f %6.1f %8.3f %6.1f", bullet, bullet / warm, ccd, ccd / warm);
    }
    printf("\n");
    tearDown();
}

// Boxes, tetrahedra and prisms of all proportions, apart or touching, anyhow: the greatest difference from the distance
// by all pairs of features, as a part of the size. Prints it, and is false when it is too large.
static bool compareWithFeatures(void)
{
    ctRandom r = ctRandomSeed(12);
    ctShape *shapes[90];
    for (int i = 0; i < 90; i++) {
        ctVec3 size = ctV3(1.0, ctRandomLog(&r, 1e-3, 1.0), ctRandomLog(&r, 0.1, 1.0)), p[6];
        int corners = i % 3 == 1 ? 4 : 6;
        for (int k = 0; k < corners; k++) {
            p[k] = ctMul(size, corners == 4 ? ctRandomUnit(&r)
                                            : ctV3(cos(k % 3 * 2.1), sin(k % 3 * 2.1), k < 3 ? -1.0 : 1.0));
        }
        shapes[i] = i % 3 == 0 ? ctShape_Box(size, NULL) : ctShape_Hull(p, corners, NULL);
    }
    double worst = 0.0;
    int compared = 0;
    for (int i = 0; compared < COMPARED; i++) {
        const ctShape *a = shapes[ctRandomInt(&r, 0, 89)], *b = shapes[ctRandomInt(&r, 0, 89)];
        ctPose pa = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
        ctPose pb = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
        ctClosest c;
        ctClosestPoints(a, &pa, b, &pb, NULL, &c);
        if (c.state == ct_apart && i % 4 == 0) { // down to contact
            pb.p = ctMulAdd(pb.p, c.distance, c.normal);
            ctClosestPoints(a, &pa, b, &pb, NULL, &c);
        }
        if (c.state != ct_overlapping) {
            double off = fabs(c.distance - ctTestFeatureDistance(a, &pa, b, &pb)) / fmin(a->size, b->size);
            worst = off <= worst ? worst : off;
            compared++;
        }
    }
    for (int i = 0; i < 90; i++) {
        ctShape_Release(shapes[i]);
    }
    printf("%d random pairs of boxes, tetrahedra and prisms: distances differ from all pairs of features by\n"
           "no more than %.1e of the size\n",
           COMPARED, worst);
    return worst <= 1e-10;
}

int main(void)
{
    printf("%-22s %8s %8s %9s %8s %6s %8s %6s\n", "us per query", "warm", "cold", "manifold", "Bullet", "ratio",
           "libccd", "ratio");
    row("box-box", makeBox, makeBox, 0.02);
    row("hull250-hull250", makeHull, makeHull, 0.02);
    row("hull2500-hull2500", makeBigHull, makeBigHull, 0.02);
    row("box-hull250", makeBox, makeHull, 0.02);
    row("capsule-box", makeCapsule, makeBox, 0.02);
    row("sphere-sphere", makeSphere, makeSphere, 0.02);
    row("sphere-box", makeSphere, makeBox, 0.02);
    row("coin-coin", makeCoin, makeCoin, 0.02);
    row("coin-box", makeCoin, makeBox, 0.02);
    row("ellipsoid-ellipsoid", makeEllipsoid, makeEllipsoid, 0.02);
    row("box-box overlapping", makeBox, makeBox, -0.01);
    row("hull250 overlapping", makeHull, makeHull, -0.01);
    row("coin-coin overlapping", makeCoin, makeCoin, -0.005);
    return compareWithFeatures() && isfinite(sink) ? 0 : 1;
}
