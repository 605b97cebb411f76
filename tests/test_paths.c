// Kinematic bodies on paths: what they are at a time, what they do to others, bounds that hold.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;
static const ctVec3 DOWN = {0, 0, -9.81};
enum { KNOTS = 65 };

static ctBodyId plate(ctWorld *world, ctVec3 size, ctVec3 at)
{
    return ctTestBox(world, ct_motionKinematic, size, at);
}

// One period of x = amplitude (1 - cos(omega t)) along an axis, with its velocities: the cubics are right to 1e-7.
static void oscillation(ctPathPoint *points, ctVec3 at, ctVec3 way, double amplitude, double omega)
{
    for (int i = 0; i < KNOTS; i++) {
        double phase = 4.0 * acos(0.0) * i / (KNOTS - 1);
        points[i] = (ctPathPoint){.time = phase / omega,
                                  .pose = {ctMulAdd(at, amplitude * (1.0 - cos(phase)), way), {1, 0, 0, 0}},
                                  .hasVelocity = true,
                                  .velocity = ctScale(amplitude * omega * sin(phase), way)};
    }
    points[KNOTS - 1].pose = points[0].pose;
}

// Positions and orientations are met at the points; velocity and spin are their derivatives in between; a path that
// nobody gave velocities begins and ends at rest, and one that loops comes round smoothly.
START_TEST(a_path_is_smooth)
{
    for (int loop = 0; loop < 2; loop++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
        ctBodyDef def = ctDefaultBodyDef();
        def.motion = ct_motionKinematic;
        def.shape = ctWorld_CreateCone(world, 0.2, 0.4, NULL); // its centre is not its origin
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        ctPathPoint points[5];
        memset(points, 0, sizeof points);
        for (int i = 0; i < 5; i++) {
            points[i].time = 0.5 + 0.4 * i + 0.1 * (i % 2);
            points[i].pose.p = ctV3(sin(i), cos(2.0 * i), 0.3 * i);
            points[i].pose.q = ctQuatExp(ctV3(0.7 * i, 0.5 * sin(i), -0.9 * i));
        }
        if (loop == 1) {
            points[4].pose = points[0].pose;
        }
        ck_assert(ctBody_SetPath(world, body, points, 5, loop == 1, NULL) && ctBody_HasPath(world, body));
        ck_assert(ctWorld_SetFrameTime(world, 1e-3, NULL));
        ctTransform before = ctBody_GetTransform(world, body);
        ctVec3 center = ctBody_GetCenter(world, body), lastV = ctZero3(), lastW = ctZero3();
        for (int frame = 1; frame <= 5000; frame++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctTransform now = ctBody_GetTransform(world, body);
            ctVec3 x = ctBody_GetCenter(world, body), v = ctBody_GetVelocity(world, body);
            ctVec3 w = ctBody_GetSpin(world, body), turn = ctQuatLog(ctMulQ(now.q, ctConjugate(before.q)));
            // The mean over a frame is that of the ends, to the second order. A path that loops sets out at full speed.
            bool jump = loop == 1 && (frame == 500 || frame == 501);
            ctRequire(ctDistance(ctScale(1e3, ctSub(x, center)), ctLerp(v, lastV, 0.5)) < 2e-4 || jump, "v at %d",
                      frame);
            ctRequire(ctDistance(ctScale(1e3, turn), ctLerp(w, lastW, 0.5)) < 2e-4 || jump, "w at %d", frame);
            for (int i = 0; i < 5 && frame <= 2100; i++) {
                if (fabs(points[i].time - ctWorld_GetTime(world)) < 1e-9) {
                    ctAssert(ctDistance(now.p, points[i].pose.p) < 1e-9);
                }
            }
            before = now;
            center = x;
            lastV = v;
            lastW = w;
        }
        ck_assert((ctLength(lastV) > 0.0) == (loop == 1));
        ctWorld_Destroy(world);
    }
}
END_TEST

// A ball falls onto a plate that moves up and down: time of the impact and velocity after it, e = 1.
START_TEST(an_impact_sees_the_true_velocity)
{
    double amplitude = 0.1, omega = 7.0, lo = 0.0, hi = 0.6;
    ctWorld *world = ctTestWorld(DOWN, 0.0, 1.0);
    ctBodyId body = plate(world, ctV3(1, 1, 0.1), ctV3(0, 0, -0.05));
    ctPathPoint points[KNOTS];
    oscillation(points, ctV3(0, 0, -0.05), ctV3(0, 0, 1), amplitude, omega);
    ck_assert(ctBody_SetPath(world, body, points, KNOTS, true, NULL));
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 1.1), ctZero3());
    for (int i = 0; i < 100; i++) {
        double t = 0.5 * (lo + hi);
        *(1.0 - 0.5 * G * t * t > amplitude * (1.0 - cos(omega * t)) ? &lo : &hi) = t;
    }
    bool impact = false;
    while (!impact) {
        ck_assert(ctWorld_StepToImpact(world, &impact, NULL));
        ck_assert(ctWorld_GetTime(world) < 1.0);
    }
    ctAssertClose(ctWorld_GetTime(world), lo, 1e-7);
    double surface = amplitude * omega * sin(omega * lo);
    ctAssertClose(ctBody_GetVelocity(world, ball).z, 2.0 * surface + G * lo, 1e-5);
    ctWorld_Destroy(world);
}
END_TEST

// A block on a plate that shakes sideways stays on it while A omega^2 < mu g, and slips beyond.
START_TEST(a_shaken_plate_holds_a_block_up_to_mu_g)
{
    for (int k = 0; k < 2; k++) {
        double mu = 0.4, omega = 10.0, amplitude = (k == 0 ? 0.93 : 1.3) * mu * G / (omega * omega);
        ctWorld *world = ctTestWorld(DOWN, mu, 0.0);
        ctBodyId body = plate(world, ctV3(2, 2, 0.1), ctV3(0, 0, -0.05));
        ctPathPoint points[KNOTS];
        oscillation(points, ctV3(0, 0, -0.05), ctV3(1, 0, 0), amplitude, omega);
        ck_assert(ctBody_SetPath(world, body, points, KNOTS, true, NULL));
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.3, 0.05), ctV3(0, 0, 0.025));
        double off = 0.0, high = 0.0;
        for (int frame = 0; frame < 180; frame++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctVec3 d = ctSub(ctBody_GetCenter(world, box), ctBody_GetCenter(world, body));
            off = fmax(off, fabs(d.x));
            high = fmax(high, fabs(d.z - 0.075));
        }
        ctRequire(k == 0 ? off < 1e-7 : off > 0.05 * amplitude, "case %d: the block has moved by %g m", k, off);
        ctRequire(high < 1e-9, "case %d: the block is %g m off the plate", k, high);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A table gains speed by a for 0.3 s and loses it in the next 0.3 s. Below mu g a block, a can and two blocks on each
// other ride along, and friction takes nothing; above, block and can slide at mu g until the table is as slow, and on.
// A ball and a capsule roll, with the share I / (I + m r^2) of the table's way.
START_TEST(an_accelerated_table_carries)
{
    const double rates[] = {30.0, 60.0, 144.0, 1000.0}, mu = 0.5, half = 0.3;
    for (int k = 0; k < 40; k++) {
        int kind = k % 5;
        double a = k / 5 % 2 == 1 ? 7.0 : 4.0, way = a * half * half, lost = 0.0;
        if (kind == 2 && a > mu * G) {
            continue; // the upper block is held by just as much as it needs
        }
        ctWorld *world = ctTestWorld(DOWN, mu, 0.0);
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / rates[k / 10], NULL));
        ctBodyId table = plate(world, ctV3(40, 40, 1), ctV3(0, 0, -0.5));
        ctPathPoint points[3];
        for (int i = 0; i < 3; i++) {
            points[i] = (ctPathPoint){.time = half * i,
                                      .pose = {ctV3(0.5 * way * i, 0, -0.5), {1, 0, 0, 0}},
                                      .hasVelocity = true,
                                      .velocity = ctV3(i == 1 ? a * half : 0.0, 0, 0)};
        }
        ck_assert(ctBody_SetPath(world, table, points, 3, false, NULL));
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = kind == 1   ? ctWorld_CreateCylinder(world, 0.2, 0.2, NULL)
                    : kind == 3 ? ctWorld_CreateSphere(world, 0.1, NULL)
                    : kind == 4 ? ctWorld_CreateCapsule(world, 0.1, 0.4, NULL)
                                : ctWorld_CreateBox(world, ctV3(0.4, 0.3, 0.2), NULL);
        def.orientation = kind == 4 ? ctQuatExp(ctV3(acos(0.0), 0, 0)) : def.orientation;
        def.position = ctV3(0, 0, 0.1);
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        double mass = ctBody_GetMass(world, body), inertia = ctBody_GetInertia(world, body).cz.z;
        if (kind == 2) {
            def.position.z = 0.3;
            body = ctWorld_CreateBody(world, &def, NULL);
        } else if (kind >= 3) {
            way *= inertia / (inertia + mass * 0.01);
        } else if (a > mu * G) {
            double even = 2.0 * a * half / (a + mu * G),
                   table1 = way - 0.5 * a * (2.0 * half - even) * (2.0 * half - even);
            double all = mu * G * even * even;
            lost = mass * mu * G * (table1 - 0.5 * all + 0.5 * all - (way - table1));
            way = all;
        }
        ctTestRun(world, 1.0);
        ctAssertClose(ctBody_GetCenter(world, body).x, way, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, body).z, def.position.z, 1e-9);
        // A can begins to slip in a general step, which does not know where in it.
        ctAssertClose(ctWorld_GetStats(world).frictionLoss, lost, 1e-8 * mass + (kind == 1 ? 1e-3 * lost : 0.0));
        ctWorld_Destroy(world);
    }
}
END_TEST

// A paddle that swings round strikes a ball: the impact's velocity is that of the paddle at the point, and the ball is
// never inside it.
START_TEST(a_flipper_strikes)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ctBodyId paddle = plate(world, ctV3(2, 0.1, 0.3), ctZero3());
    ctPathPoint points[3];
    memset(points, 0, sizeof points);
    for (int i = 0; i < 3; i++) {
        points[i].time = 0.2 + 0.08 * i;
        points[i].pose.q = ctQuatExp(ctV3(0, 0, 0.6 * i));
    }
    ck_assert(ctBody_SetPath(world, paddle, points, 3, false, NULL));
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0.8, 0.4, 0), ctZero3());
    bool impact = false;
    while (!impact) {
        ck_assert(ctWorld_StepToImpact(world, &impact, NULL));
        ck_assert(ctWorld_GetTime(world) < 1.0);
    }
    const ctImpact *m;
    ck_assert_int_eq(ctWorld_GetImpacts(world, &m), 1);
    ctVec3 surface = ctCross(ctBody_GetSpin(world, paddle), m->point);
    ck_assert(ctLength(surface) > 3.0);
    ctAssertClose(ctDistance(m->velocity, ctNeg(surface)), 0.0, 1e-6);
    ctVec3 v = ctBody_GetVelocity(world, ball); // twice the normal part of the surface's velocity
    ctAssertClose(ctDistance(v, ctScale(2.0 * ctDot(surface, m->normal), m->normal)), 0.0, 1e-6);
    ctTestRun(world, 0.5);
    ck_assert(ctWorld_GetStats(world).maxPenetration < 1e-6);
    ctWorld_Destroy(world);
}
END_TEST

// Balls in a box whose wall thrashes about: none gets out, none gets in.
START_TEST(nothing_gets_through_a_thrashing_wall)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.2, 0.6);
    ctBodyId wall = plate(world, ctV3(4, 4, 0.002), ctZero3());
    const ctVec3 sides[5] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int i = 0; i < 5; i++) {
        ctTestPlane(world, sides[i], i < 4 ? -1.0 : -2.0);
    }
    for (int i = 0; i < 18; i++) {
        ctTestBall(world, 0.08, ctV3(0.5 * (i % 3 - 1), 0.5 * (i / 3 % 3 - 1), 0.9 + 0.3 * (i / 9)), ctV3(0, 0, -2));
    }
    ctPathPoint points[KNOTS];
    oscillation(points, ctZero3(), ctV3(0, 0, 1), 0.2, 60.0); // 12 m/s, 720 m/s^2
    ck_assert(ctBody_SetPath(world, wall, points, KNOTS, true, NULL));
    for (int frame = 0; frame < 120; frame++) {
        ck_assert(ctWorld_Step(world, NULL));
        double height = ctBody_GetCenter(world, wall).z;
        for (int i = 6; i < 24; i++) {
            ctAssert(ctBody_GetCenter(world, ctWorld_GetBody(world, i)).z > height);
        }
    }
    ck_assert(ctWorld_GetStats(world).maxPenetration < 1e-3);
    ctWorld_Destroy(world);
}
END_TEST

// A lift that waits: what has gone to sleep on it is carried up.
START_TEST(a_lift_wakes_what_sleeps_on_it)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
    ctBodyId lift = plate(world, ctV3(1, 1, 0.1), ctV3(0, 0, -0.05));
    ctPathPoint points[2];
    memset(points, 0, sizeof points);
    points[0] = (ctPathPoint){.time = 3.0, .pose = {{0, 0, -0.05}, {1, 0, 0, 0}}};
    points[1] = (ctPathPoint){.time = 5.0, .pose = {{0, 0, 0.95}, {1, 0, 0, 0}}};
    ck_assert(ctBody_SetPath(world, lift, points, 2, false, NULL));
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.1));
    ctTestRun(world, 2.0);
    ck_assert(ctBody_IsAsleep(world, box));
    ctTestRun(world, 2.0);
    ctAssertClose(ctBody_GetCenter(world, box).z - ctBody_GetCenter(world, lift).z, 0.15, 1e-4);
    ctTestRun(world, 4.0);
    ctAssertClose(ctBody_GetCenter(world, box).z, 1.1, 1e-5);
    ck_assert(ctBody_IsAsleep(world, box));
    ctWorld_Destroy(world);
}
END_TEST

// A body that others touch, and overlap by what contact leaves, gets a path, loses it, and changes its mass and filter
// all the same; what rests on it stays there. Deeper than it is it cannot be put.
START_TEST(a_body_in_contact_can_be_changed)
{
    for (int late = 0; late < 3; late++) {
        ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
        ctBodyId lift = plate(world, ctV3(1, 1, 0.1), ctV3(0, 0, -0.05));
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.3));
        ctBodyId hull = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0.05, 0.02, 0.6));
        ctTestRun(world, 0.4 + 0.3 * late);
        double now = ctWorld_GetTime(world);
        ctPathPoint points[2];
        memset(points, 0, sizeof points);
        points[0] = (ctPathPoint){.time = now, .pose = {{0, 0, -0.05}, {1, 0, 0, 0}}};
        points[1] = (ctPathPoint){.time = now + 1.0, .pose = {{0, 0, 0.45}, {1, 0, 0, 0}}};
        ctError error = {ct_ok, ""};
        ck_assert_msg(ctBody_SetPath(world, lift, points, 2, false, &error), "%s", error.message);
        ctTestRun(world, 0.5);
        ctMassData mass = ctBody_GetMassData(world, box);
        mass.mass *= 2.0;
        ck_assert_msg(ctBody_SetMass(world, box, &mass, &error), "%s", error.message);
        ck_assert_msg(ctBody_SetFilter(world, hull, (ctFilter){2, UINT64_MAX}, &error), "%s", error.message);
        ck_assert_msg(ctBody_SetTransform(world, hull, ctBody_GetTransform(world, hull), &error), "%s", error.message);
        ctTestRun(world, 1.0);
        ck_assert_msg(ctBody_SetPath(world, lift, NULL, 0, false, &error), "%s", error.message);
        ctTransform deeper = ctBody_GetTransform(world, box);
        deeper.p.z -= 1e-4;
        ck_assert(!ctBody_SetTransform(world, box, deeper, &error));
        ctTestRun(world, 1.0);
        ctAssertClose(ctBody_GetCenter(world, box).z, 0.6, 1e-4);
        ctAssertClose(ctBody_GetCenter(world, hull).z, 0.8, 1e-4);
        ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
        ctWorld_Destroy(world);
    }
}
END_TEST

START_TEST(bad_paths_are_refused)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.0);
    ctBodyId body = plate(world, ctV3(1, 1, 0.1), ctZero3());
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 3), ctZero3());
    ctPathPoint good[2];
    memset(good, 0, sizeof good);
    good[0].pose.q.w = good[1].pose.q.w = 1.0;
    good[1].time = 1.0;
    good[1].pose.p.x = 1.0;
    ctError error = {0};
    ck_assert(!ctBody_SetPath(world, ball, good, 2, false, &error));
    ck_assert(!ctBody_SetPath(world, body, good, 1, false, &error));
    ck_assert(!ctBody_SetPath(world, body, NULL, 2, false, &error));
    ck_assert(!ctBody_SetPath(world, body, good, 2, true, &error) && strstr(error.message, "loop") != NULL);
    ctPathPoint bad[2] = {good[0], good[0]};
    ck_assert(!ctBody_SetPath(world, body, bad, 2, false, &error) && strstr(error.message, "point 2") != NULL);
    bad[1].time = NAN;
    ck_assert(!ctBody_SetPath(world, body, bad, 2, false, &error));
    bad[1] = good[1];
    bad[1].pose.q.w = 0.0;
    ck_assert(!ctBody_SetPath(world, body, bad, 2, false, &error));
    bad[0].pose.p.z = 3.0; // where the ball is
    bad[1] = good[1];
    ck_assert(!ctBody_SetPath(world, body, bad, 2, false, &error) && strstr(error.message, "overlap") != NULL);
    ck_assert(!ctBody_HasPath(world, body));
    ck_assert(ctBody_SetPath(world, body, good, 2, false, &error));
    ck_assert(!ctBody_SetVelocity(world, body, ctZero3(), ctZero3(), &error));
    ck_assert(!ctBody_SetTransform(world, body, good[0].pose, &error));
    ck_assert(!ctBody_SetMotionType(world, body, ct_motionFixed, &error));
    ctTestRun(world, 0.5);
    ck_assert(ctBody_SetPath(world, body, NULL, 0, false, &error)); // it goes on as it was
    double x = ctBody_GetCenter(world, body).x, v = ctBody_GetVelocity(world, body).x;
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, body).x, x + v, 1e-9);
    ck_assert(ctWorld_DestroyBody(world, body, NULL));
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(snapshots_keep_paths)
{
    ctWorld *world = ctTestWorld(DOWN, 0.4, 0.3);
    ctBodyId body = plate(world, ctV3(2, 2, 0.1), ctV3(0, 0, -0.05));
    ctPathPoint points[KNOTS];
    oscillation(points, ctV3(0, 0, -0.05), ctNormalize(ctV3(1, 0, 1)), 0.05, 9.0);
    ck_assert(ctBody_SetPath(world, body, points, KNOTS, true, NULL));
    for (int i = 0; i < 5; i++) {
        ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0.3 * i - 0.6, 0, 0.2));
    }
    ctTestRun(world, 0.7);
    ctWorld *other = ctTestCopy(world);
    for (int i = 0; i < 90; i++) {
        ck_assert(ctWorld_Step(world, NULL) && ctWorld_Step(other, NULL));
        ctAssert(ctWorld_Hash(world) == ctWorld_Hash(other));
    }
    ctWorld_Destroy(other);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("paths");
    TCase *tc = tcase_create("paths");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_path_is_smooth);
    tcase_add_test(tc, an_impact_sees_the_true_velocity);
    tcase_add_test(tc, a_shaken_plate_holds_a_block_up_to_mu_g);
    tcase_add_test(tc, an_accelerated_table_carries);
    tcase_add_test(tc, a_flipper_strikes);
    tcase_add_test(tc, nothing_gets_through_a_thrashing_wall);
    tcase_add_test(tc, a_lift_wakes_what_sleeps_on_it);
    tcase_add_test(tc, a_body_in_contact_can_be_changed);
    tcase_add_test(tc, bad_paths_are_refused);
    tcase_add_test(tc, snapshots_keep_paths);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
