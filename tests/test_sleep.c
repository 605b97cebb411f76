// Sleep is equilibrium: what the equations of motion would accelerate does not sleep, however slowly it begins.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

static const double rates[3] = {60.0, 144.0, 1000.0};

// A body on a slope; returns how far it has gone after two seconds.
static double slideDown(ctWorld *world, double fps, double angle, ctShapeId shape, double height)
{
    ctVec3 normal = ctV3(sin(angle), 0.0, cos(angle));
    ck_assert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
    ctTestPlane(world, normal, 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape;
    def.orientation = ctQuatExp(ctV3(0, angle, 0));
    def.position = ctScale(height, normal);
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    for (int i = 0; i < (int)(2.0 * fps); i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    ck_assert(!ctBody_IsAsleep(world, body));
    return ctDistance(ctBody_GetCenter(world, body), def.position);
}

START_TEST(a_block_just_beyond_its_friction_angle_slides)
{
    for (int i = 0; i < 6; i++) {
        double mu = 0.4, angle = atan(mu * (i % 2 == 0 ? 1.003 : 1.0001));
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), mu, 0.0);
        ctShapeId box = ctWorld_CreateBox(world, ctV3(0.2, 0.16, 0.1), NULL);
        double way = slideDown(world, rates[i / 2], angle, box, 0.05);
        ctAssertClose(way, 2.0 * G * (sin(angle) - mu * cos(angle)), 1e-9);
        ctWorld_Destroy(world);
    }
}
END_TEST

START_TEST(a_ball_on_hardly_any_slope_rolls)
{
    for (int i = 0; i < 6; i++) {
        double angle = i % 2 == 0 ? 2e-4 : 1e-6;
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.4, 0.0);
        double way = slideDown(world, rates[i / 2], angle, ctWorld_CreateSphere(world, 0.05, NULL), 0.05);
        ctAssertClose(way, 2.0 * G * sin(angle) / 1.4, 1e-11);
        ctWorld_Destroy(world);
    }
}
END_TEST

START_TEST(what_is_in_equilibrium_sleeps)
{
    double mu = 0.4, angle = atan(0.997 * mu);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), mu, 0.0);
    ctVec3 normal = ctV3(sin(angle), 0.0, cos(angle));
    ctTestPlane(world, normal, 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.16, 0.1), NULL);
    def.orientation = ctQuatExp(ctV3(0, angle, 0));
    def.position = ctScale(0.05, normal);
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    ctTestRun(world, 2.0 / 60.0);
    ck_assert(ctBody_IsAsleep(world, body));
    ctWorld_Destroy(world);
}
END_TEST

// A box that a ball strikes slides and turns as far whenever it is struck: at once, or after it has slept for a while.
START_TEST(what_is_struck_does_not_show_how_long_it_has_slept)
{
    ctVec3 first = ctZero3();
    for (int k = 0; k < 4; k++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.2);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.1), ctV3(0, 0, 0.05));
        ctTestRun(world, k < 2 ? k / 60.0 : k == 2 ? 0.1 : 2.0);
        ck_assert_int_eq(ctBody_IsAsleep(world, box), k > 0);
        ctTestBall(world, 0.05, ctV3(-0.35, 0.04, 0.05), ctV3(4, 0, 0));
        ctTestRun(world, 0.5);
        ctVec3 at = ctBody_GetCenter(world, box);
        first = k == 0 ? at : first;
        ctAssertClose(ctDistance(at, first), 0.0, 1e-9);
        ck_assert_double_gt(at.x, 1e-3);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A pebble on a slope that a ball strikes in its sleep moves the same, bit for bit, whether others have moved far away
// since it fell asleep or not, and in a world that was saved and loaded before.
static ctWorld *strikePebble(int seed, bool company, bool loaded, ctBodyId *pebble)
{
    ctRandom r = ctRandomSeed((uint64_t)seed);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.3);
    ctTestPlane(world, ctNormalize(ctV3(0.2, 0.1, 1)), 0.0);
    ctVec3 corners[12];
    for (int i = 0; i < 12; i++) {
        corners[i] = ctMul(ctRandomUnit(&r), ctV3(0.1, 0.1, 0.05));
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateHull(world, corners, 12, NULL);
    def.position = ctV3(0, 0, 0.12);
    *pebble = ctWorld_CreateBody(world, &def, NULL);
    ctTestRun(world, 3.0);
    ck_assert(ctBody_IsAsleep(world, *pebble));
    if (loaded) {
        ctWorld *copy = ctTestCopy(world);
        ctWorld_Destroy(world);
        world = copy;
    }
    ctTestBall(world, 0.05, ctAdd(ctBody_GetCenter(world, *pebble), ctV3(-0.2, 0.02, 0.12)), ctV3(2, 0, 0));
    for (int i = 0; i < 5 && company; i++) {
        ctTestBall(world, 0.05, ctV3(40.0 + i, 0.0, -8.0 - 0.2 * i + 0.055), ctV3(0, 1, 0));
    }
    ctTestRun(world, 0.3);
    return world;
}

START_TEST(what_is_struck_does_not_show_what_else_has_happened)
{
    for (int seed = 0; seed < ctTestCases(20); seed++) {
        ctBodyId pebbles[3];
        ctWorld *worlds[3];
        for (int k = 0; k < 3; k++) {
            worlds[k] = strikePebble(seed, k == 1, k == 2, &pebbles[k]);
            ctVec3 x = ctBody_GetCenter(worlds[k], pebbles[k]), w = ctBody_GetSpin(worlds[k], pebbles[k]);
            ck_assert(ctDistance(x, ctBody_GetCenter(worlds[0], pebbles[0])) == 0.0);
            ck_assert(ctDistance(w, ctBody_GetSpin(worlds[0], pebbles[0])) == 0.0);
        }
        for (int k = 0; k < 3; k++) {
            ctTestFinish(worlds[k]);
        }
    }
}
END_TEST

// Bricks that touch each other and the floor begin as contacts, not with impacts at the speeds of rounding.
START_TEST(a_wall_that_is_put_up_at_rest_begins_without_impacts)
{
    for (int rows = 3; rows <= 9; rows += 6) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.3);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        for (int i = 0; i < 6 * rows; i++) {
            ctVec3 place = ctV3(0.2 * (i % 6) + 0.1 * (i / 6 % 2), 0, 0.03 + 0.06 * (i / 6));
            ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.1, 0.06), place);
        }
        ctTestRun(world, 0.5);
        ck_assert_int_eq((int)ctWorld_GetStats(world).impacts, 0);
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sleep");
    TCase *tests = tcase_create("sleep");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, a_block_just_beyond_its_friction_angle_slides);
    tcase_add_test(tests, a_ball_on_hardly_any_slope_rolls);
    tcase_add_test(tests, what_is_in_equilibrium_sleeps);
    tcase_add_test(tests, what_is_struck_does_not_show_how_long_it_has_slept);
    tcase_add_test(tests, what_is_struck_does_not_show_what_else_has_happened);
    tcase_add_test(tests, a_wall_that_is_put_up_at_rest_begins_without_impacts);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
