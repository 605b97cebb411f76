// Changing a world while it runs: what the change concerns is woken and rescheduled at once.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

// A ball in flight whose gravity changes twice flies three pieces of parabolas and lands when they say.
START_TEST(gravity_changes_in_flight)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -10), 0.0, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 10.1), ctZero3());
    ctTestRun(world, 0.5);
    double t = ctWorld_GetTime(world), z = 10.0 - 5.0 * t * t, v = -10.0 * t;
    ck_assert(ctWorld_SetGravity(world, ctV3(1, 0, 4), NULL));
    ctTestRun(world, 0.5);
    double s = ctWorld_GetTime(world) - t;
    z += v * s + 2.0 * s * s;
    v += 4.0 * s;
    ctAssertClose(ctBody_GetCenter(world, ball).z, z + 0.1, 1e-12);
    ctAssertClose(ctBody_GetCenter(world, ball).x, 0.5 * s * s, 1e-12);
    ck_assert(ctWorld_SetGravity(world, ctV3(0, 0, -10), NULL));
    double from = ctWorld_GetTime(world), fall = (v + sqrt(v * v + 20.0 * z)) / 10.0;
    bool hit = false;
    while (!hit) {
        ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
    }
    ctAssertClose(ctWorld_GetTime(world), from + fall, 1e-12);
    ctWorld_Destroy(world);
}
END_TEST

// A body at rest that is driven into what it lies on bounces as one that arrives there: with its restitution, not as a
// contact that gives way. By a velocity, by an impulse, and by the table that is set in motion under it; awake and
// asleep.
static ctWorld *driven(int shape, int how, double rest, ctBodyId *body)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.8);
    ctBodyId table = ctTestBox(world, ct_motionKinematic, ctV3(1, 1, 0.1), ctV3(0, 0, -0.05));
    *body = shape == 0 ? ctTestBall(world, 0.05, ctV3(0, 0, 0.05), ctZero3())
                       : ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0, 0, 0.05));
    ctTestRun(world, rest);
    ctVec3 v = ctV3(1, 0, -2);
    if (how == 0) {
        ck_assert(ctBody_SetVelocity(world, *body, v, ctZero3(), NULL));
    } else if (how == 1) {
        ctVec3 impulse = ctScale(ctBody_GetMass(world, *body), v);
        ck_assert(ctBody_ApplyImpulse(world, *body, impulse, ctBody_GetCenter(world, *body), NULL));
    } else {
        ck_assert(ctBody_SetVelocity(world, table, ctNeg(v), ctZero3(), NULL));
    }
    ctTestRun(world, 0.1);
    return world;
}

START_TEST(what_is_driven_down_bounces)
{
    for (int k = 0; k < 12; k++) {
        int shape = k % 2, how = k / 2 % 3;
        ctBodyId body, arrived;
        ctWorld *world = driven(shape, how, k < 6 ? 0.25 : 2.0, &body), *fresh = driven(shape, how, 0.0, &arrived);
        ck_assert_int_eq((int)ctWorld_GetStats(world).impacts, 1);
        ctAssertClose(ctDistance(ctBody_GetVelocity(world, body), ctBody_GetVelocity(fresh, arrived)), 0.0, 1e-9);
        ctAssertClose(ctDistance(ctBody_GetSpin(world, body), ctBody_GetSpin(fresh, arrived)), 0.0, 1e-7);
        ctAssertClose(ctDistance(ctBody_GetCenter(world, body), ctBody_GetCenter(fresh, arrived)), 0.0, 1e-7);
        double speed = how == 2 ? 2.0 + 1.6 : 1.6;
        ctAssertClose(ctBody_GetVelocity(world, body).z, speed - 9.81 * 0.1, 1e-9);
        ctWorld_Destroy(world);
        ctWorld_Destroy(fresh);
    }
}
END_TEST

// A sleeping pile wakes for gravity, for friction, for an impulse, and when its support goes.
static ctWorld *sleepers(ctBodyId *table, ctBodyId *ball)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.2);
    *table = ctTestBox(world, ct_motionFixed, ctV3(2, 2, 0.1), ctV3(0, 0, -0.05));
    *ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctZero3());
    ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0.5, 0, 0.1));
    ctTestRun(world, 2.0);
    ck_assert_int_eq(ctWorld_GetStats(world).asleep, 2);
    return world;
}

START_TEST(sleepers_wake)
{
    for (int k = 0; k < 6; k++) {
        ctBodyId table, ball;
        ctWorld *world = sleepers(&table, &ball);
        ctVec3 before = ctBody_GetCenter(world, ball);
        switch (k) {
        case 0:
            ck_assert(ctWorld_SetGravity(world, ctV3(0, 0, 9.81), NULL));
            break;
        case 1:
            ck_assert(ctBody_ApplyImpulse(world, ball, ctV3(0, 2, 0), before, NULL));
            break;
        case 2:
            ck_assert(ctWorld_DestroyBody(world, table, NULL));
            break;
        case 3:
            ck_assert(ctBody_SetVelocity(world, ball, ctV3(0, 1, 0), ctZero3(), NULL));
            break;
        case 4:
            ck_assert(ctWorld_SetGravity(world, ctV3(5, 0, -9.81), NULL));
            break;
        default:
            ctTestBall(world, 0.05, ctV3(0, 0.3, 0.1), ctV3(0, -3, 0));
            break;
        }
        ctTestRun(world, 0.3);
        ck_assert(!ctBody_IsAsleep(world, ball));
        double moved = ctDistance(ctBody_GetCenter(world, ball), before);
        ck_assert_msg(moved > 0.01, "case %d: moved by %g", k, moved);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A box that stands still: it bears its weight in every frame, asleep or not, and what changes takes effect at
// once.
START_TEST(what_stands_still_answers)
{
    static const double slope = 2.0, pull = 9.81; // m/s^2: of gravity along the table and against it
    for (int k = 0; k < 5; k++) {
        ctWorld *world = ctTestWorld(ctV3(slope, 0, -pull), 0.3, 0.0);
        ctBodyId table =
            ctTestBox(world, k == 3 ? ct_motionKinematic : ct_motionFixed, ctV3(4, 4, 1), ctV3(0, 0, -0.5));
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.4, 0.4, 0.1), ctV3(0, 0, 0.05));
        for (int i = 0; i < 20; i++) {
            ctTestRun(world, 1.0 / 60.0);
            const ctContact *contacts;
            ctVec3 force = ctZero3();
            for (int n = ctWorld_GetContacts(world, &contacts); n > 0; n--) {
                force = ctAdd(force, contacts[n - 1].force);
            }
            ctAssertClose(ctLength(force), ctBody_GetMass(world, box) * sqrt(slope * slope + pull * pull), 1e-7);
        }
        ck_assert(ctLength(ctBody_GetVelocity(world, box)) < 1e-9);
        double expected = 0.0; // m/s^2, along the table
        switch (k) {
        case 0:
            ck_assert(ctWorld_SetGravity(world, ctV3(2.0 * slope, 0, -pull), NULL));
            expected = 2.0 * slope - 0.3 * pull;
            break;
        case 1: {
            ctCoefficients pair = {.friction = 0.1};
            ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
            expected = slope - 0.1 * pull;
            break;
        }
        case 2:
            ck_assert(ctWorld_DestroyBody(world, table, NULL));
            expected = slope;
            break;
        case 3:
            ck_assert(ctBody_SetVelocity(world, table, ctV3(-1, 0, 0), ctZero3(), NULL));
            expected = slope - 0.3 * pull;
            break;
        default:
            ck_assert(ctWorld_SetGravity(world, ctV3(-2.0 * slope, 0, -pull), NULL));
            expected = -2.0 * slope + 0.3 * pull;
            break;
        }
        ctTestRun(world, 0.1);
        ctAssertClose(ctBody_GetVelocity(world, box).x, 0.1 * expected, 1e-6);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- as if made anew --------------------------------------------------------------------------

enum { ROUND = 3 };

// Friction, restitution, gravity, or the velocity of one of the bodies.
static void changeSomething(ctWorld *world, ctRandom *r, const ctBodyId *bodies, int count, ctCoefficients *pair,
                            ctVec3 *gravity)
{
    int how = ctRandomInt(r, 0, 3);
    pair->friction = how == 0 ? ctRandomUniform(r, 0.0, 1.0) : pair->friction;
    pair->restitution = how == 1 ? ctRandomUniform(r, 0.0, 0.9) : pair->restitution;
    if (how < 2) {
        ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, *pair, NULL));
    } else if (how == 2) {
        *gravity = ctV3(ctRandomUniform(r, -3, 3), ctRandomUniform(r, -3, 3), -ctRandomUniform(r, 2, 20));
        ck_assert(ctWorld_SetGravity(world, *gravity, NULL));
    } else {
        ck_assert(ctBody_SetVelocity(world, bodies[ctRandomInt(r, 0, count - 1)], ctRandomVec3(r, -1, 1),
                                     ctRandomVec3(r, -3, 3), NULL));
    }
}

// How far bodies that are changed while they touch go from those of a world that is made anew with what they are then,
// in three frames, m; negative when there is no such world. No boxes: what each corner of a face bears is not
// determined, and boxes that slide go on as they did.
static double partingOf(int seed)
{
    ctRandom r = ctRandomSeed((uint64_t)seed);
    ctCoefficients pair = {.friction = ctRandomUniform(&r, 0.0, 1.0), .restitution = ctRandomUniform(&r, 0.0, 0.8)};
    ctVec3 gravity = ctV3(0, 0, -9.81);
    ctWorld *worlds[2] = {ctTestWorld(gravity, pair.friction, pair.restitution), NULL};
    ctTestPlane(worlds[0], ctV3(0, 0, 1), 0.0);
    const int kinds[5] = {0, 2, 3, 4, 5};
    int count = ctRandomInt(&r, 1, ROUND), kind[ROUND];
    ctBodyId ids[2][ROUND];
    for (int i = 0; i < count; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        kind[i] = kinds[ctRandomInt(&r, 0, 4)];
        def.shape = ctTestSolid(worlds[0], kind[i]);
        def.position = ctV3(ctRandomUniform(&r, -0.08, 0.08), ctRandomUniform(&r, -0.08, 0.08), 0.2 + 0.3 * i);
        def.orientation = ctRandomQuat(&r);
        def.velocity = ctRandomVec3(&r, -0.5, 0.5);
        def.spin = ctRandomVec3(&r, -3, 3);
        ids[0][i] = ctWorld_CreateBody(worlds[0], &def, NULL);
    }
    ctTestRun(worlds[0], ctRandomUniform(&r, 0.4, 1.6));
    bool same = ctWorld_GetStats(worlds[0]).contacts > 0;
    changeSomething(worlds[0], &r, ids[0], count, &pair, &gravity);
    worlds[1] = ctTestWorld(gravity, pair.friction, pair.restitution);
    ctTestPlane(worlds[1], ctV3(0, 0, 1), 0.0);
    for (int i = 0; i < count; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        ctTransform t = ctBody_GetTransform(worlds[0], ids[0][i]);
        def.shape = ctTestSolid(worlds[1], kind[i]);
        def.position = t.p;
        def.orientation = t.q;
        def.velocity = ctBody_GetVelocity(worlds[0], ids[0][i]);
        def.spin = ctBody_GetSpin(worlds[0], ids[0][i]);
        ids[1][i] = ctWorld_CreateBody(worlds[1], &def, NULL);
        same = same && ids[1][i].index1 != 0; // refused where the two overlap
    }
    double parting = same ? 0.0 : -1.0;
    for (int f = 0; f < 3 && same; f++) {
        for (int k = 0; k < 2; k++) {
            ck_assert(ctWorld_Step(worlds[k], NULL));
        }
        for (int i = 0; i < count; i++) {
            parting = fmax(parting,
                           ctDistance(ctBody_GetCenter(worlds[0], ids[0][i]), ctBody_GetCenter(worlds[1], ids[1][i])));
        }
    }
    ctWorld_Destroy(worlds[0]);
    ctWorld_Destroy(worlds[1]);
    return parting;
}

START_TEST(what_is_changed_goes_on_as_if_made_anew)
{
    int made = 0, off = 0;
    for (int seed = 1; seed <= ctTestCases(400); seed++) {
        double parting = partingOf(seed);
        made += parting >= 0.0;
        off += parting > 1e-6;
        ctRequire(parting < 5e-4, "world %d: %g m", seed, parting);
    }
    ctRequire(made > ctTestCases(150) && off * 10 <= made + 20, "%d of %d", off, made);
}
END_TEST

// ---- and more ---------------------------------------------------------------------------------

// Restitution and law hold from the next impact on; a body's own material too.
START_TEST(materials_change_between_bounces)
{
    const double e[4] = {0.9, 0.3, 0.7, 1.0};
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.0, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 1.1), ctZero3());
    double speed = sqrt(2.0 * 9.81);
    for (int i = 0; i < 4; i++) {
        ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, (ctCoefficients){.restitution = e[i]}, NULL));
        ck_assert(ctWorld_SetLaw(world, i % 2 == 0 ? ct_lawPoisson : ct_lawAlgebraic, NULL));
        bool hit = false;
        while (!hit) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        speed *= e[i];
        ctAssertClose(ctBody_GetVelocity(world, ball).z, speed, 1e-12);
    }
    ctWorld_Destroy(world);
}
END_TEST

// Bodies come and go while others fly: those that remain do what they would have done alone.
START_TEST(bodies_come_and_go)
{
    ctRandom r = ctRandomSeed(6);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.6), *alone = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.6);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctTestPlane(alone, ctV3(0, 0, 1), 0.0);
    ctBodyId one = ctTestBall(world, 0.1, ctV3(0, 0, 2), ctV3(0.5, 0, 0));
    ctBodyId same = ctTestBall(alone, 0.1, ctV3(0, 0, 2), ctV3(0.5, 0, 0));
    for (int i = 0; i < 60; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, i % 7);
        def.position = ctAdd(ctV3(3, 5, 1), ctRandomVec3(&r, -0.4, 0.4));
        def.spin = ctRandomVec3(&r, -9, 9);
        ctBodyId guest = ctWorld_CreateBody(world, &def, NULL); // refused now and then: it overlaps
        ctTestRun(world, 1.0 / 60.0);
        ctTestRun(alone, 1.0 / 60.0);
        if (i % 3 != 0 && guest.index1 != 0) {
            ck_assert(ctWorld_DestroyBody(world, guest, NULL));
        }
        ck_assert(ctDistance(ctBody_GetCenter(world, one), ctBody_GetCenter(alone, same)) == 0.0);
    }
    ctWorld_Destroy(world);
    ctWorld_Destroy(alone);
}
END_TEST

START_TEST(overlapping_starts_are_refused)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.6);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctTestBox(world, ct_motionDynamic, ctV3(1, 1, 1), ctV3(0, 0, 0.5)); // touches the plane exactly
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(world, 0.1, NULL);
    ctError error = {0};
    def.position = ctV3(0, 0, 1.0999);
    ck_assert_int_eq(ctWorld_CreateBody(world, &def, &error).index1, 0);
    ck_assert_int_eq(error.status, ct_badArgument);
    def.position = ctV3(2, 0, 0.0999);
    ck_assert_int_eq(ctWorld_CreateBody(world, &def, &error).index1, 0);
    def.position = ctV3(0, 0, 1.1);
    ck_assert_int_ne(ctWorld_CreateBody(world, &def, &error).index1, 0);
    ctWorld_Destroy(world);
}
END_TEST

// Rays find the nearest body, at its present place.
START_TEST(rays_hit_the_nearest_body)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ctBodyId plane = ctTestPlane(world, ctV3(0, 0, 1), -5.0);
    ctBodyId ball = ctTestBall(world, 0.5, ctV3(0, 0, 0), ctV3(2, 0, 0));
    ctRayHit hit;
    ck_assert(ctWorld_RayCast(world, ctV3(0, 0, 4), ctV3(0, 0, -2), 100.0, &hit));
    ck_assert_int_eq(hit.body.index1, ball.index1);
    ctAssertClose(hit.t, 1.75, 1e-12);
    ctAssertClose(ctDistance(hit.normal, ctV3(0, 0, 1)), 0.0, 1e-12);
    ctTestRun(world, 1.0);
    ck_assert(ctWorld_RayCast(world, ctV3(0, 0, 4), ctV3(0, 0, -2), 100.0, &hit));
    ck_assert_int_eq(hit.body.index1, plane.index1);
    ctAssertClose(hit.point.z, -5.0, 1e-12);
    ck_assert(ctWorld_RayCast(world, ctV3(2, 0, 4), ctV3(0, 0, -1), 3.6, &hit));
    ck_assert(!ctWorld_RayCast(world, ctV3(2, 0, 4), ctV3(0, 0, -1), 3.4, &hit));
    ck_assert(!ctWorld_RayCast(world, ctV3(0, 0, 4), ctZero3(), 3.4, &hit));
    ctWorld_Destroy(world);
}
END_TEST

// Sums by pair and by body, and the phases of the loop.
START_TEST(statistics_add_up)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ctBodyId a = ctTestPlane(world, ctV3(1, 0, 0), 0.0), b = ctTestPlane(world, ctV3(-1, 0, 0), -1.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0.5, 0, 0), ctV3(8, 0, 0));
    ctWorld_SetProfiling(world, true);
    ctTestRun(world, 1.0); // a wall every 0.1 s, the first after 0.05 s
    ctTally ta = ctWorld_GetPairTally(world, ball, a), tb = ctWorld_GetPairTally(world, b, ball);
    ctTally sum = ctBody_GetTally(world, ball);
    ck_assert_int_eq((int)ta.impacts, 5);
    ck_assert_int_eq((int)tb.impacts, 5);
    ck_assert_int_eq((int)sum.impacts, 10);
    ctAssertClose(sum.impulse, 10.0 * 2.0 * 8.0 * ctBody_GetMass(world, ball), 1e-9);
    ctAssertClose(ta.impulse + tb.impulse, sum.impulse, 1e-9);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert(stats.impacts == 10 && stats.cpuImpact > 0.0 && stats.cpuBroadphase > 0.0 && stats.frames == 60);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("live");
    TCase *tc = tcase_create("live");
    tcase_set_timeout(tc, 30.0);
    tcase_add_test(tc, gravity_changes_in_flight);
    tcase_add_test(tc, what_is_driven_down_bounces);
    tcase_add_test(tc, sleepers_wake);
    tcase_add_test(tc, what_stands_still_answers);
    tcase_add_test(tc, what_is_changed_goes_on_as_if_made_anew);
    tcase_add_test(tc, materials_change_between_bounces);
    tcase_add_test(tc, bodies_come_and_go);
    tcase_add_test(tc, overlapping_starts_are_refused);
    tcase_add_test(tc, rays_hit_the_nearest_body);
    tcase_add_test(tc, statistics_add_up);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
