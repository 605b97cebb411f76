// Bodies that wait and are launched by callbacks: when, how, again and again, and across snapshots.
#include "collision/error.h"
#include "scenes/measure.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One ball a second, thrown up at 5 m/s under g = 10; a fixed plate covers where they wait.
#define BALLS                                                                                                          \
    "scene { gravity = {0, 0, -10} }\n"                                                                                \
    "body { name = 'plate', motion = 'fixed', shape = box { size = {1, 1, 0.2} } }\n"                                  \
    "for i = 1, 3 do body { name = 'ball ' .. i, shape = sphere { radius = 0.1 }, mass = 0.25 * i, waiting = true,\n"  \
    "  velocity = {0, 0, 5}, spin = {i, 0, 0}, drag = i == 3 and 0.5 or 0 } end\n"

#define LAUNCHES                                                                                                       \
    BALLS "every(1, function(world, n) if n <= 3 then world:launch('ball ' .. n, {2 * n, 0, 1}) end end)\n"            \
          "measure('waiting', function(world) local k = 0\n"                                                           \
          "  for i = 1, 3 do if world:body('ball ' .. i).waiting then k = k + 1 end end return k end)\n"

START_TEST(bodies_wait_and_are_launched_at_their_time)
{
    for (int i = 0; i < 3; i++) {
        ctSceneOptions options = {.hasFps = true, .fps = i == 0 ? 30.0 : i == 1 ? 60.0 : 77.0};
        ctScene *scene = ctMustLoadText(LAUNCHES, &options);
        ctWorld *world = scene->world;
        ctBodyId balls[3] = {ctMustFind(scene, "ball 1"), ctMustFind(scene, "ball 2"), ctMustFind(scene, "ball 3")};
        ctAssertClose(ctMeasureNow(scene, "waiting"), 3.0, 0.0);
        ctRunScene(scene, 0.9);
        ctAssertClose(ctBody_GetCenter(world, balls[0]).z, 0.0, 0.0);
        ctRunScene(scene, 3.5);
        double now = ctWorld_GetTime(world);
        ctAssertClose(ctMeasureNow(scene, "waiting"), 0.0, 0.0);
        for (int k = 0; k < 3; k++) {
            double t = now - (k + 1), c = 0.5;
            // With drag c: v' = -g - c v.
            double height =
                k < 2 ? 1.0 + 5.0 * t - 5.0 * t * t : 1.0 + (5.0 + 10.0 / c) * (1.0 - exp(-c * t)) / c - 10.0 * t / c;
            ctAssertClose(ctBody_GetCenter(world, balls[k]).z, height, 1e-9);
            ctAssertClose(ctBody_GetCenter(world, balls[k]).x, 2.0 * (k + 1), 1e-12);
            ctAssertClose(ctBody_GetMass(world, balls[k]), 0.25 * (k + 1), 1e-15);
            ctAssertClose(ctBody_GetSpin(world, balls[k]).x, k < 2 ? k + 1.0 : 3.0 * exp(-c * t), 1e-9);
        }
        ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
        ctScene_Destroy(scene);
    }
}
END_TEST

// What has been launched takes part; taken back, it does not, and can be launched again.
START_TEST(bodies_are_used_again)
{
    ctScene *scene = ctMustLoadText(BALLS "local s = state { rounds = 0 }\n"
                                          "every(1, function(world) world:launch('ball 1', {0, 0, 1}, {0, 0, 0}) end)\n"
                                          "on_impact('ball 1', 'plate', function(world)\n"
                                          "  s.rounds = s.rounds + 1\n"
                                          "  world:retire('ball 1')\n"
                                          "end)\n"
                                          "measure('rounds', function() return s.rounds end)\n",
                                    NULL);
    ctRunScene(scene, 5.5);
    ctAssertClose(ctMeasureNow(scene, "rounds"), 5.0, 0.0);
    ck_assert_int_eq(ctWorld_GetStats(scene->world).impacts, 5);
    ctAssertClose(ctBody_GetCenter(scene->world, ctMustFind(scene, "ball 1")).z, 0.0, 0.0);
    ck_assert_int_eq(ctWorld_GetStats(scene->world).auditViolations, 0);
    ctScene_Destroy(scene);
}
END_TEST

// A launch into another body is refused, and the body waits where it did.
START_TEST(a_launch_that_overlaps_changes_nothing)
{
    ctScene *scene = ctMustLoadText(BALLS "local s = state { good = true }\n"
                                          "every(1, function(world)\n"
                                          "  local done, why = pcall(world.launch, world, 'ball 1', {0.2, 0, 0})\n"
                                          "  s.good = s.good and not done and why:find('overlaps') ~= nil and\n"
                                          "    world:body('ball 1').waiting and world:body('ball 1').position[1] == 0\n"
                                          "end)\n"
                                          "measure('good', function() return s.good end)\n",
                                    NULL);
    ctRunScene(scene, 3.5);
    ctAssertClose(ctMeasureNow(scene, "good"), 1.0, 0.0);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(saved_worlds_launch_what_waits)
{
    ctScene *scene = ctMustLoadText(LAUNCHES, NULL), *twin = ctMustLoadText(LAUNCHES, NULL);
    ctRunScene(twin, 4.0);
    for (int i = 0; i < 4; i++) {
        void *data;
        size_t size;
        ctRunScene(scene, 0.5 + i);
        ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
        ctRunScene(scene, 2.5 + i);
        ck_assert(ctWorld_Restore(scene->world, data, size, NULL) && ctScene_WentBack(scene, NULL));
        ctFreeSnapshot(data);
    }
    ctRunScene(scene, 4.0);
    ck_assert_uint_eq(ctWorld_Hash(scene->world), ctWorld_Hash(twin->world));
    ctScene_Destroy(scene);
    ctScene_Destroy(twin);
}
END_TEST

START_TEST(mistakes_are_named)
{
    static const char *const wrong[][2] = {
        {"body { shape = sphere { radius = 1 }, motion = 'kinematic', waiting = true }",
         "needs a body that is 'dynamic'"},
        {"body { shape = sphere { radius = 1 }, waiting = 1 }", "waiting"},
        {"every(1, function(world) world:launch('plate') end)", "body 'plate' was not made with waiting = true"},
        {"every(1, function(world) world:launch('ball') end)", "there is no body 'ball'"},
        {"every(1, function(world) world:launch('ball 1', {5, 0, 0}) world:launch('ball 1') end)", "does not wait"},
        {"every(1, function(world) world:apply_impulse('ball 1', {0, 0, 1}) end)", "body 'ball 1' waits; world:launch"},
        {"every(1, function(world) world:set_velocity('ball 1', {0, 0, 1}) end)", "body 'ball 1' waits; world:launch"},
        {"every(1, function(world) world:launch('ball 1', {0, 0, 0/0}) end)", "world:launch"},
        {"every(1, function(world) world:launch('ball 1', {9, 0, 0}, {1, 2}) end)", "world:launch takes a list"},
        {"every(1, function(world) world:retire('plate') end)", "body 'plate' was not made with waiting = true"},
        {"measure('m', function(world) world:launch('ball 1') end)", "only a callback"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1200];
        ctError error = {ct_ok, ""};
        snprintf(text, sizeof text, "%s%s", BALLS, wrong[i][0]);
        ctScene *scene = ctLoadText(text, NULL, &error);
        double value;
        for (int k = 0; k < 90 && scene != NULL && error.status == ct_ok && scene->measureCount == 0; k++) {
            (void)ctScene_Step(scene, &error);
        }
        if (scene != NULL && scene->measureCount > 0) {
            (void)ctScene_Measure(scene, 0, &value, &error);
        }
        ck_assert_msg(strstr(error.message, wrong[i][1]) != NULL, "%s\n  gives: %s", wrong[i][0], error.message);
        ctScene_Destroy(scene);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("waiting");
    TCase *tc = tcase_create("waiting");
    tcase_add_test(tc, bodies_wait_and_are_launched_at_their_time);
    tcase_add_test(tc, bodies_are_used_again);
    tcase_add_test(tc, a_launch_that_overlaps_changes_nothing);
    tcase_add_test(tc, saved_worlds_launch_what_waits);
    tcase_add_test(tc, mistakes_are_named);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
