// Time-of-impact bounds: exact roots, pairs that touch, and how soon an approach arrives. That nothing touches before
// the bound is tests/test_toi_promise.c.
#include "collision/separation.h"
#include "tests/support/suite.h"
#include "tests/support/trajectories.h"

#include <stdio.h>
#include <stdlib.h>

// Distances are good to this part of the size, which is 1.
#define DISTANCE_ERROR 1e-10

// Steps to 1e-9 m of contact: no pair of a scenario takes more, nor does the average pair.
static const int mostSteps[CT_SCENARIOS] = {20, 20, 50, 30, 100, 30, 20, 40, 20};
static const double mostOnAverage[CT_SCENARIOS] = {1.55, 1.45, 2.3, 1.6, 1.65, 1.6, 1.15, 1.65, 1.55};

static ctShape *shapes[CT_MOVER_SHAPES];

static void createShapes(void)
{
    ctMoverShapes_Create(shapes);
}

static void releaseShapes(void)
{
    ctMoverShapes_Release(shapes);
}

START_TEST(falls_are_exact)
{
    // A ball thrown up comes back: g = h + v t - g t^2 / 2.
    ctAssertClose(ctFallTime(1.0, 0.0, -9.81), sqrt(2.0 / 9.81), 1e-16);
    ctAssertClose(ctFallTime(0.0, 3.0, -9.81), 6.0 / 9.81, 1e-16);
    ctAssertClose(ctFallTime(-1e-16, 3.0, -9.81), 6.0 / 9.81, 1e-15);
    ctAssertClose(ctFallTime(1e-16, 3.0, -9.81), 6.0 / 9.81, 1e-15);
    ctAssertClose(ctFallTime(2.0, -1.0, 0.0), 2.0, 0.0);
    ck_assert(ctFallTime(0.0, -1.0, -9.81) == 0.0);
    ck_assert(ctFallTime(-1e-16, -1e-9, 5.0) == 0.0);
    ck_assert(ctFallTime(0.0, 0.0, -1.0) == 0.0);
    ck_assert(ctFallTime(0.0, 0.0, 0.0) == INFINITY); // at rest for ever
    ck_assert(ctFallTime(0.0, 1.0, 0.0) == INFINITY);
    ck_assert(ctFallTime(1.0, -1.0, 0.6) == INFINITY); // turns back in time
    ctRandom r = ctRandomSeed(1);
    for (int i = 0; i < ctTestCases(200000); i++) {
        double g = ctRandomLog(&r, 1e-12, 10), u = ctRandomUniform(&r, -5, 5), a = ctRandomUniform(&r, -20, 20);
        double t = ctFallTime(g, u, a);
        if (t < INFINITY) {
            double scale = g + fabs(u) * t + 0.5 * fabs(a) * t * t;
            ctRequire(fabs(g + u * t + 0.5 * a * t * t) <= 4e-16 * scale, "residual of %g %g %g", g, u, a);
            ctRequire(u + a * t <= 0.0, "not falling");
        }
    }
}
END_TEST

START_TEST(balls_meet_when_they_touch)
{
    ctRandom r = ctRandomSeed(2);
    int hits = 0, misses = 0;
    for (int i = 0; i < ctTestCases(100000); i++) {
        double radius = ctRandomLog(&r, 0.01, 1.0), far = radius * (1.0 + ctRandomLog(&r, 1e-12, 10.0));
        ctVec3 x = ctScale(far, ctRandomUnit(&r));
        ctVec3 v = ctSub(ctScale(ctRandomUniform(&r, 0, 3), ctRandomUnit(&r)), ctNormalize(x));
        ctVec3 a = i % 2 ? ctScale(ctRandomLog(&r, 1e-6, 10.0), ctRandomUnit(&r)) : ctZero3();
        double horizon = 4.0, t = ctBallsTime(x, v, a, radius, horizon);
        double end = t < horizon ? t : horizon;
        for (int k = 1; k < 20; k++) {
            double s = end * k / 20.0;
            ctVec3 p = ctAdd(x, ctScale(s, ctMulAdd(v, 0.5 * s, a)));
            ctRequire(ctLength(p) >= radius * (1.0 - 1e-14), "touch at %g before %g", s, t);
        }
        if (t < horizon) {
            ctVec3 p = ctAdd(x, ctScale(t, ctMulAdd(v, 0.5 * t, a)));
            ctVec3 u = ctMulAdd(v, t, a);
            // Near grazing the gap is flat: what counts is that it is zero.
            ctRequire(fabs(ctLength(p) - radius) <= 1e-14 * (1.0 + ctLength(p)), "off by %g", ctLength(p) - radius);
            ctRequire(ctDot(u, p) <= 1e-6, "not approaching");
            hits++;
        } else {
            misses++;
        }
    }
    ck_assert_int_gt(hits, ctTestCases(100000) / 10);
    ck_assert_int_gt(misses, ctTestCases(100000) / 10);
    // Touching: the way they go decides, with and without acceleration.
    ctVec3 x = ctV3(1, 0, 0), zero = ctZero3();
    ck_assert(ctBallsTime(x, ctV3(-1, 0, 0), zero, 1.0, 9.0) == 0.0);
    ck_assert(ctBallsTime(x, ctV3(1, 0, 0), zero, 1.0, 9.0) == INFINITY);
    ck_assert(ctBallsTime(x, zero, ctV3(-1, 0, 0), 1.0, 9.0) == 0.0);
    ctAssertClose(ctBallsTime(x, ctV3(1, 0, 0), ctV3(-1, 0, 0), 1.0, 9.0), 2.0, 1e-15);
    ctAssertClose(ctBallsTime(ctV3(1 - 1e-16, 0, 0), ctV3(1, 0, 0), ctV3(-1, 0, 0), 1.0, 9.0), 2.0, 1e-15);
}
END_TEST

// Bounces of a ball on a plane, each found as the bound's exact time: heights h e^(2n).
START_TEST(bounce_heights_are_exact)
{
    ctShape *ball = ctShape_Sphere(0.05, NULL), *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    ctRandom r = ctRandomSeed(3);
    ctMover a = ctMover_Random(&r, ball), b = ctMover_Random(&r, ground);
    a.kind = ct_moverFlying;
    a.a = ctV3(0, 0, -9.81);
    a.x = ctV3(3, -2, 1.05);
    double height = 1.0;
    for (int n = 0; n < 10; n++) {
        ctClosest c;
        ctMoverPair_Closest(&a, &b, NULL, &c);
        bool exact = false;
        double t = ctMoverPair_Bound(&a, &b, &c, 10.0, &exact);
        ck_assert(exact);
        a = ctMover_At(&a, t);
        ctAssertClose(a.x.z, 0.05, 1e-15);
        a.v.z = -0.8 * a.v.z;
        height *= 0.64;
        ctAssertClose(a.v.z * a.v.z / (2.0 * 9.81), height, 1e-14);
    }
    ctShape_Release(ball);
    ctShape_Release(ground);
}
END_TEST

// Distance after t.
static double gapAt(const ctMover *a, const ctMover *b, double t, ctGjkCache *cache)
{
    ctMover p = ctMover_At(a, t), q = ctMover_At(b, t);
    ctClosest c;
    ctMoverPair_Closest(&p, &q, cache, &c);
    return c.distance;
}

// Right after an impact the gap is zero to rounding, of either sign, and opens: the pair must not be found again
// at once, and not later than it comes back.
START_TEST(bounced_pairs_are_left_alone)
{
    ctRandom r = ctRandomSeed(6);
    int points = 0, found = 0;
    for (int i = 0; i < ctTestCases(40000); i++) {
        ctMoverPair pair;
        ctMoverPair_Random(&r, (ctScenario)(i % CT_SCENARIOS), shapes, &pair);
        if (pair.a.kind == ct_moverFixed || pair.scenario == ct_scenarioFar) {
            continue; // 10 km away rounding errors are no longer those of a touch
        }
        ctMover a = pair.a, b = pair.b;
        ctClosest c = pair.closest;
        // Together until they touch, give or take a rounding error, and away at the contact with 0.5 m/s.
        a.x = ctMulAdd(a.x, ctRandomUniform(&r, -1e-15, 1e-15) - c.distance, c.normal);
        ctMoverPair_Closest(&a, &b, NULL, &c);
        a.v = b.v = a.a = b.a = ctZero3();
        ctVec3 arm = ctSub(c.pointA, a.x), armB = ctSub(c.pointB, b.x);
        ctVec3 u = ctSub(ctCross(a.w, arm), ctCross(b.w, armB));
        a.v = ctScale(0.5 - ctDot(u, c.normal), c.normal);
        if (c.state != ct_touching && !(c.distance > 0.0 && c.distance < 1e-12)) {
            continue; // slid to another place: no touch
        }
        double t = ctMoverPair_Bound(&a, &b, &c, pair.horizon, NULL);
        // Where whole edges or faces touch, some part of them may well approach.
        bool point = c.featureA != ct_featureEdge && c.featureA != ct_featureFace && c.featureB != ct_featureEdge;
        if (point && (c.featureA == ct_featureVertex || c.featureB == ct_featureVertex)) {
            points++;
            found += !(t > 0.0);
        }
        ctGjkCache cache = {0};
        for (int k = 1; k <= 8; k++) {
            double gap = gapAt(&a, &b, t * k / 8.0, &cache);
            ctRequire(gap >= -DISTANCE_ERROR, "case %d, %s: gap %g at %d/8 of %g", i, ctScenarioNames[pair.scenario],
                      gap, k, t);
        }
    }
    ck_assert_int_gt(points, ctTestCases(40000) / 50);
    ck_assert_int_eq(found, 0);
    // A cube that leaves the ground with one corner: up at 0.3 m/s, falling at g, back after 2 u / g at the latest.
    ctMover a = ctMover_Random(&r, shapes[1]), b = ctMover_Random(&r, shapes[CT_MOVER_SHAPES - 1]);
    a.kind = ct_moverFlying;
    a.q = ctQuatExp(ctV3(0.5, 0.4, 0));
    a.v = ctV3(0, 0, 0.3);
    a.a = ctV3(0, 0, -9.81);
    a.x = ctV3(0, 0, 3);
    ctClosest c;
    ctMoverPair_Closest(&a, &b, NULL, &c);
    a.x.z -= c.distance;
    ctMoverPair_Closest(&a, &b, NULL, &c);
    double t = ctMoverPair_Bound(&a, &b, &c, 1.0, NULL);
    ctAssertClose(t, 2.0 * 0.3 / 9.81, 1e-12);
}
END_TEST

// Conservative advancement: bound, move, measure, until 1e-9 m remain or the horizon is reached.
static int advance(ctMoverPair *pair)
{
    int steps = 0;
    // Far from the origin the last bits of the positions end it earlier.
    double near = pair->scenario == ct_scenarioFar ? 1e-9 + DISTANCE_ERROR : 1e-9;
    while (pair->closest.distance > near && pair->horizon > 0.0) {
        double step = ctMoverPair_Bound(&pair->a, &pair->b, &pair->closest, pair->horizon, NULL);
        ctRequire(step > 0.0, "%s: no progress at gap %g", ctScenarioNames[pair->scenario], pair->closest.distance);
        ctMoverPair_Advance(pair, step);
        ctRequire(pair->closest.distance > -DISTANCE_ERROR, "overlap %g", pair->closest.distance);
        steps++;
        ctRequire(steps <= mostSteps[pair->scenario], "%s, types %d and %d: %d steps, gap %g, %g s left",
                  ctScenarioNames[pair->scenario], (int)pair->a.shape->type, (int)pair->b.shape->type, steps,
                  pair->closest.distance, pair->horizon);
    }
    return steps;
}

START_TEST(advancement_arrives)
{
    ctScenario scenario = (ctScenario)_i;
    ctRandom r = ctRandomSeed((uint64_t)(50 + scenario));
    int arrivals = 0, most = 0, cases = ctTestCases(20000);
    double total = 0.0;
    for (int i = 0; i < cases; i++) {
        ctMoverPair pair;
        ctMoverPair_Random(&r, scenario, shapes, &pair);
        int steps = advance(&pair);
        total += steps;
        most = steps > most ? steps : most;
        arrivals += pair.horizon > 0.0;
    }
    if (getenv("CT_TEST_VERBOSE") != NULL) {
        printf("%-10s %.3f steps on average, %d at most\n", ctScenarioNames[scenario], total / cases, most);
    }
    ck_assert_int_gt(arrivals, cases / 4);
    ck_assert_msg(total / cases <= mostOnAverage[scenario], "%s: %g steps on average", ctScenarioNames[scenario],
                  total / cases);
}
END_TEST

// A plane near the one that separates best, for a mover's leaf as the only part of a compound. turning: it may turn
// with one of the two, and cut into them by up to DISTANCE_ERROR.
static double planeTime(const ctMoverPair *pair, ctVec3 n, double horizon, bool turning, double *gap)
{
    ctLeaf leafA = {pair->a.shape, pair->a.leaf}, leafB = {pair->b.shape, pair->b.leaf};
    bool plane = pair->b.shape->type == ct_shapePlane;
    ctShape *a = ctShape_Compound(&leafA, 1, NULL), *b = plane ? NULL : ctShape_Compound(&leafB, 1, NULL);
    ctMotion motionA = ctMover_Motion(&pair->a, horizon), motionB = ctMover_Motion(&pair->b, horizon);
    ctShapeType byB = turning ? pair->b.shape->type : ct_shapePlane,
                byA = turning ? pair->a.shape->type : ct_shapePlane;
    ctPlaneSide sideA = {a, &motionA, pair->a.rho, 0, 1, byB};
    ctPlaneSide sideB = {plane ? pair->b.shape : b, &motionB, plane ? 0.0 : pair->b.rho, 0, 1, byA};
    double t = turning ? ctTouchingTime(&sideA, &sideB, n, horizon, DISTANCE_ERROR, gap)
                       : ctSeparationTime(&sideA, &sideB, n, horizon, gap);
    ctShape_Release(a);
    ctShape_Release(b);
    return t;
}

// Nothing touches while the plane is said to be between the two, and it is no farther from them than they are apart.
START_TEST(planes_stay_between)
{
    ctRandom r = ctRandomSeed(8);
    int early = 0, late = 0, cases = ctTestCases(45000);
    for (int i = 0; i < cases; i++) {
        ctMoverPair pair;
        ctMoverPair_Random(&r, (ctScenario)(i % CT_SCENARIOS), shapes, &pair);
        double tilt = pair.b.shape->type == ct_shapePlane ? 0.0 : ctRandomLog(&r, 1e-6, 0.3);
        ctVec3 n = ctNormalize(ctMulAdd(pair.closest.normal, tilt, ctRandomUnit(&r)));
        double horizon = pair.horizon * ctRandomLog(&r, 1e-3, 1.0), gap, t = planeTime(&pair, n, horizon, false, &gap);
        ctRequire(gap <= pair.closest.distance + DISTANCE_ERROR, "gap %g of %g", gap, pair.closest.distance);
        ctRequire(t >= 0.0 && t <= horizon && (t == 0.0 || gap > 0.0), "time %g of %g, gap %g", t, horizon, gap);
        ctGjkCache cache = {0};
        for (int k = 1; k <= 8 && t > 0.0; k++) {
            double left = gapAt(&pair.a, &pair.b, t * k / 8.0, &cache);
            ctRequire(left >= -DISTANCE_ERROR, "case %d, %s: gap %g at %d/8 of %g", i, ctScenarioNames[pair.scenario],
                      left, k, t);
        }
        early += t > 0.0 && t < horizon;
        late += t == horizon;
    }
    ck_assert_int_gt(early, cases / 10);
    ck_assert_int_gt(late, cases / 10);
}
END_TEST

static ctPose leafPose(const ctMover *m)
{
    ctPose pose = ctPoseOf((ctTransform){ctSub(m->x, ctRotate(m->q, m->center)), m->q});
    ctLeaf leaf = {m->shape, m->leaf};
    return ctLeaf_Pose(&leaf, &pose);
}

// What is said to be apart is, also when it overlaps; and where n is right it is said of all that are.
START_TEST(what_is_apart_is_known)
{
    ctRandom r = ctRandomSeed(18);
    int told = 0, overlapping = 0, cases = ctTestCases(45000);
    for (int i = 0; i < cases; i++) {
        ctMoverPair pair;
        ctMoverPair_Random(&r, (ctScenario)(i % CT_SCENARIOS), shapes, &pair);
        if (pair.b.shape->type == ct_shapePlane || pair.scenario == ct_scenarioFar) {
            continue;
        }
        double depth = i % 2 == 0 ? 0.0 : 1e-3 * pair.a.shape->size;
        pair.a.x = ctMulAdd(pair.a.x, -depth - pair.closest.distance * (depth > 0.0), pair.closest.normal);
        ctMoverPair_Closest(&pair.a, &pair.b, NULL, &pair.closest);
        ctVec3 n = pair.closest.normal, other = ctNormalize(ctMulAdd(n, ctRandomLog(&r, 1e-3, 1.0), ctRandomUnit(&r)));
        double distance = pair.closest.distance, slack = DISTANCE_ERROR + 1e-9 * pair.a.shape->size;
        ctPose pa = leafPose(&pair.a), pb = leafPose(&pair.b);
        double asked = distance + slack - ctRandomLog(&r, 1e-6, 1.0) * pair.a.shape->size * (i % 3);
        bool apart = ctAreApart(pair.a.shape, &pa, pair.b.shape, &pb, other, ctZero3(), asked);
        ctRequire(!apart || distance > asked - 2.0 * slack, "case %d: %g of %g", i, asked, distance);
        double least = ctGapAlong(pair.a.shape, &pa, pair.b.shape, &pb, other);
        ctRequire(least <= distance + slack, "case %d: %g along a normal, apart %g", i, least, distance);
        if (pair.closest.state != ct_overlapping) {
            double gap = ctGapAlong(pair.a.shape, &pa, pair.b.shape, &pb, n);
            ck_assert(ctAreApart(pair.a.shape, &pa, pair.b.shape, &pb, other, n, distance - slack));
            ctRequire(fabs(gap - distance) <= slack, "case %d: %g along its normal, apart %g", i, gap, distance);
        }
        told += apart;
        overlapping += distance < 0.0;
    }
    ck_assert_int_gt(told, cases / 10);
    ck_assert_int_gt(overlapping, cases / 10);
}
END_TEST

// The same for planes that turn, half of the time from where the two touch: there fixed ones tell little.
START_TEST(turning_planes_stay_between)
{
    ctRandom r = ctRandomSeed(10);
    int early = 0, late = 0, better = 0, cases = ctTestCases(30000);
    for (int i = 0; i < cases; i++) {
        ctMoverPair pair;
        ctMoverPair_Random(&r, (ctScenario)(i % CT_SCENARIOS), shapes, &pair);
        if (i % 2 == 0 && pair.a.kind != ct_moverFixed) { // they touch, and part
            double approach = ctRandomLog(&r, 1e-3, 1.0), whole = pair.horizon;
            advance(&pair);
            ctVec3 arm = ctSub(pair.closest.pointA, pair.a.x), armB = ctSub(pair.closest.pointB, pair.b.x);
            ctVec3 u = ctSub(ctAdd(pair.a.v, ctCross(pair.a.w, arm)), ctAdd(pair.b.v, ctCross(pair.b.w, armB)));
            pair.a.v = ctMulAdd(pair.a.v, approach - ctDot(u, pair.closest.normal), pair.closest.normal);
            pair.horizon = whole;
        }
        double horizon = pair.horizon * ctRandomLog(&r, 1e-4, 1.0), gap, fixedGap;
        ctVec3 n = pair.closest.normal;
        double t = planeTime(&pair, n, horizon, true, &gap), fixed = planeTime(&pair, n, horizon, false, &fixedGap);
        ctRequire(t >= 0.0 && t <= horizon, "time %g of %g", t, horizon);
        double least = fmin(gap, 0.0) - 2.0 * DISTANCE_ERROR;
        ctGjkCache cache = {0};
        for (int k = 1; k <= 8 && t > 0.0; k++) {
            double left = gapAt(&pair.a, &pair.b, t * k / 8.0, &cache);
            ctRequire(left >= least, "case %d, %s: gap %g at %d/8 of %g", i, ctScenarioNames[pair.scenario], left, k,
                      t);
        }
        early += t > 0.0 && t < horizon;
        late += t == horizon;
        better += t > 2.0 * fixed;
    }
    ck_assert_int_gt(early, cases / 10);
    ck_assert_int_gt(late, cases / 10);
    ck_assert_int_gt(better, cases / 10);
}
END_TEST

// A cylinder that turns about its own axis over a plane: nearly as if it did not turn.
START_TEST(planes_do_not_mind_rolling)
{
    ctRandom r = ctRandomSeed(9);
    ctMoverPair pair = {.a = ctMover_Random(&r, shapes[7]), .b = ctMover_Random(&r, shapes[CT_MOVER_SHAPES - 1])};
    pair.a.kind = ct_moverKinematic;
    pair.a.x = ctV3(0, 0, 0.4);
    pair.a.q = ctQuatExp(ctV3(0.5 * CT_PI, 0, 0)); // its axis along y
    pair.a.w = ctV3(0, 20, 0);
    pair.a.v = ctV3(6, 0, -0.5);
    double gap, t = planeTime(&pair, ctV3(0, 0, 1), 1.0 / 480.0, false, &gap);
    ctAssertClose(gap, 0.1, 1e-12);
    ck_assert(t == 1.0 / 480.0);
    pair.a.x.z = 0.3 + 1.0 / 480.0; // the centre needs 2 / 480 s, and the fastest points are 12 times as fast
    t = planeTime(&pair, ctV3(0, 0, 1), 1.0 / 480.0, false, &gap);
    ck_assert(t == 1.0 / 480.0);
    t = planeTime(&pair, ctV3(0, 0, 1), 3.0 / 480.0, false, &gap);
    ck_assert(t > 0.0 && t < 2.0 / 480.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("toi");
    TCase *roots = tcase_create("roots");
    tcase_add_test(roots, falls_are_exact);
    tcase_add_test(roots, balls_meet_when_they_touch);
    tcase_add_test(roots, bounce_heights_are_exact);
    suite_add_tcase(suite, roots);
    TCase *bounds = tcase_create("bounds");
    tcase_add_checked_fixture(bounds, createShapes, releaseShapes);
    tcase_add_test(bounds, bounced_pairs_are_left_alone);
    tcase_add_test(bounds, planes_stay_between);
    tcase_add_test(bounds, what_is_apart_is_known);
    tcase_add_test(bounds, turning_planes_stay_between);
    tcase_add_test(bounds, planes_do_not_mind_rolling);
    tcase_add_loop_test(bounds, advancement_arrives, 0, CT_SCENARIOS);
    suite_add_tcase(suite, bounds);
    return ctRunSuite(suite);
}
