// The event loop: impacts at the right times and places, in the right order, none missed.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

// A ball dropped from a height h bounces to h e^2n: on a plane, and on a box.
static void checkBounces(bool onBox)
{
    const double h = 1.0, r = 0.05, e = 0.8, g = 9.81;
    ctWorld *world = ctTestWorld(ctV3(0, 0, -g), 0.0, e);
    if (onBox) {
        ctTestBox(world, ct_motionFixed, ctV3(2, 2, 0.5), ctV3(0, 0, -0.25));
    } else {
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    }
    ctBodyId ball = ctTestBall(world, r, ctV3(0.1, 0.2, h + r), ctZero3());
    // The time of the n-th impact is that of the first fall plus the flights between.
    double fall = sqrt(2.0 * h / g), impactTime = fall, peak = h;
    for (int n = 1; n <= 5; n++) {
        bool hit = false;
        while (!hit) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        ctAssertClose(ctWorld_GetTime(world), impactTime, 1e-12);
        peak *= e * e;
        double v = ctBody_GetVelocity(world, ball).z, z = ctBody_GetCenter(world, ball).z - r;
        ctAssertClose((z + v * v / (2.0 * g)) / peak, 1.0, 1e-9);
        impactTime += 2.0 * sqrt(2.0 * peak / g);
    }
    ck_assert_int_eq((int)ctWorld_GetStats(world).impacts, 5);
    ctWorld_Destroy(world);
}

START_TEST(bounce_heights_on_a_plane)
{
    checkBounces(false);
}
END_TEST

START_TEST(bounce_heights_on_a_box)
{
    checkBounces(true);
}
END_TEST

// One ball against a line of four. With e = 1 the last one leaves with the speed. With e < 1 the
// two-body impacts are carried out by hand, always the one with the greatest approach (gap 0), or the
// first in time (gap > 0), until none approaches.
static void chainOracle(double gap, double e, double r, double *v)
{
    double x[5];
    for (int i = 0; i < 5; i++) {
        x[i] = i == 0 ? -0.3 : i * (2.0 * r + gap);
        v[i] = i == 0 ? 1.0 : 0.0;
    }
    for (int guard = 0; guard < 100000; guard++) {
        int best = -1;
        double bestTime = INFINITY, bestSpeed = 0.0;
        for (int i = 0; i < 4; i++) {
            double u = v[i] - v[i + 1], d = x[i + 1] - x[i] - 2.0 * r;
            if (u <= 1e-13) {
                continue;
            }
            double t = d > 1e-12 ? d / u : 0.0;
            if (t < bestTime - 1e-13 || (t < bestTime + 1e-13 && u > bestSpeed)) {
                best = i;
                bestTime = t;
                bestSpeed = u;
            }
        }
        if (best < 0) {
            return;
        }
        for (int i = 0; i < 5; i++) {
            x[i] += bestTime * v[i];
        }
        double mean = 0.5 * (v[best] + v[best + 1]), u = 0.5 * e * (v[best] - v[best + 1]);
        v[best] = mean - u;
        v[best + 1] = mean + u;
    }
}

static void checkChain(double gap, double e, ctVec3 gravity)
{
    const double r = 0.01;
    ctWorld *world = ctTestWorld(gravity, 0.0, e);
    ctBodyId balls[5];
    if (ctLength(gravity) > 0.0) {
        ctTestPlane(world, ctV3(0, 0, 1), -r);
    }
    for (int i = 0; i < 5; i++) {
        balls[i] =
            ctTestBall(world, r, ctV3(i == 0 ? -0.3 : i * (2.0 * r + gap), 0, 0), ctV3(i == 0 ? 1.0 : 0.0, 0, 0));
    }
    double expected[5];
    chainOracle(gap, e, r, expected);
    for (int i = 0; i < 600; i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    for (int i = 0; i < 5; i++) {
        ctAssertClose(ctBody_GetVelocity(world, balls[i]).x, expected[i], 1e-9);
    }
    if (e == 1.0) {
        ctAssertClose(expected[4], 1.0, 1e-15);
    }
    ctWorld_Destroy(world);
}

START_TEST(marble_chains)
{
    for (int k = 0; k < 2; k++) {
        ctVec3 gravity = ctV3(0, 0, k == 0 ? 0.0 : -9.81);
        checkChain(0.0, 1.0, gravity);
        checkChain(0.0, 0.95, gravity);
        checkChain(1e-4, 1.0, gravity);
        checkChain(1e-4, 0.95, gravity);
    }
}
END_TEST

// Isolated collisions of all sorts of bodies conserve momentum and angular momentum.
START_TEST(collisions_conserve_momentum)
{
    ctRandom r = ctRandomSeed(11);
    int hits = 0;
    for (int i = 0; i < ctTestCases(600); i++) {
        ctWorld *world = ctTestWorld(ctZero3(), ctRandomUniform(&r, 0, 1), ctRandomUniform(&r, 0, 1));
        ctVec3 x = ctScale(0.5, ctRandomUnit(&r));
        ctBodyDef def = ctDefaultBodyDef();
        for (int k = 0; k < 2; k++) {
            def.shape = ctTestSolid(world, ctRandomInt(&r, 0, 6));
            def.mass = ctRandomLog(&r, 0.1, 10.0);
            def.position = ctScale(k == 0 ? 1.0 : -1.0, x);
            def.orientation = ctRandomQuat(&r);
            def.velocity = ctAdd(ctScale(-2.0, def.position), ctRandomVec3(&r, -0.1, 0.1));
            def.spin = ctRandomVec3(&r, -10, 10);
            ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        }
        ctStats before = ctWorld_GetStats(world);
        bool hit = false;
        for (int k = 0; k < 60 && !hit; k++) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        ctStats after = ctWorld_GetStats(world);
        ctAssertClose(ctDistance(after.momentum, before.momentum), 0.0, 1e-12 * 20.0);
        ctAssertClose(ctDistance(after.angularMomentum, before.angularMomentum), 0.0, 1e-12 * 20.0);
        double lost = after.frictionLoss + after.restitutionLoss;
        ctAssertClose(before.kineticEnergy - after.kineticEnergy, lost, 1e-11 * before.kineticEnergy);
        hits += hit;
        ctWorld_Destroy(world);
    }
    ck_assert_int_gt(hits, ctTestCases(600) / 2);
}
END_TEST

// A block tips over its edge and lands: it has been in contact all the time. The world stops at the landing, whose spin
// is what Housner leaves, and not at the end of the frame.
START_TEST(the_world_stops_at_a_landing)
{
    const double b = 0.1, h = 0.2, g = 9.81, tilt = 0.2, kept = 1.0 - 1.5 * b * b / (b * b + h * h);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -g), 2.0, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId block = ctTestBox(world, ct_motionDynamic, ctV3(b, b, h), ctV3(0, 0, 1));
    ctQuat q = ctQuatExp(ctV3(0, tilt, 0));
    ctVec3 arm = ctNeg(ctRotate(q, ctV3(0.5 * b, 0, -0.5 * h)));
    ck_assert(ctBody_SetTransform(world, block, (ctTransform){arm, q}, NULL));
    bool hit = false;
    for (int i = 0; i < 60 && !hit; i++) {
        ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
    }
    ck_assert(hit);
    // Energy falls to that of the block that stands; its inertia about the edge is (b^2 + h^2) / 3.
    double fall = g * (arm.z - 0.5 * h), spin = kept * sqrt(6.0 * fall / (b * b + h * h));
    ctAssertClose(ctBody_GetSpin(world, block).y, -spin, 1e-6);
    ctAssertClose(ctBody_GetCenter(world, block).z, 0.5 * h, 1e-9);
    const ctImpact *impacts;
    ck_assert_int_gt(ctWorld_GetImpacts(world, &impacts), 0);
    ctAssertClose(ctWorld_GetTime(world), impacts[0].time, 0.0);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tc = tcase_create("events");
    tcase_add_test(tc, bounce_heights_on_a_plane);
    tcase_add_test(tc, bounce_heights_on_a_box);
    tcase_add_test(tc, marble_chains);
    tcase_add_test(tc, collisions_conserve_momentum);
    tcase_add_test(tc, the_world_stops_at_a_landing);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
