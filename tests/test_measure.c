// Measures: what a script computes from a run, against closed forms; what is refused; the journal behind them.
#include "collision/error.h"
#include "scenes/measure.h"
#include "tests/support/command.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A ball of restitution 1/2 falls 1 m onto a floor.
#define DROP                                                                                                           \
    "scene { title = 'Drop', gravity = {0, 0, -10} }\n"                                                                \
    "material('m', { friction = 0, restitution = 0.5 })\n"                                                             \
    "body { name = 'floor', shape = plane{}, material = 'm' }\n"                                                       \
    "body { name = 'ball', shape = sphere{radius = 0.1}, mass = 2, position = {0.25, -0.5, 1.1}, spin = {0, 0, 3},\n"  \
    "       velocity = {0.5, 0, 0}, material = 'm' }\n"

START_TEST(a_falling_ball)
{
    // It lands after sqrt(2 h / g), bounces with half its speed, sqrt(2 g h) / 2, and lands again after that / g * 2.
    ctScene *scene = ctMustLoadText(
        DROP "measure('time', function(w) return w:first_impact('ball', 'floor') end, 'time (s)')\n"
             "measure('place', function(w) local t, p = w:first_impact('floor', 'ball'); return t and p[1] end)\n"
             "measure('count', function(w) return w:impacts('ball', 'floor') end)\n"
             "measure('bounced', function(w) return w:body('ball').velocity[3] > 0 end)\n"
             "measure('clock', function(w) return w:time() end)\n"
             "measure('height', function(w) return w:body('ball').center[3] - 0.1 end)\n"
             "measure('energy of the ball', function(w) return w:body('ball').energy end)\n"
             "measure('both', function(w) local k, p = w:energy(); return k + p end)\n"
             "measure('bodies', function(w) return #w:bodies() end)\n",
        NULL);
    double t1 = sqrt(0.2), v = sqrt(20.0);
    ctRunScene(scene, 0.25);
    ck_assert(isnan(ctMeasureNow(scene, "time")) && isnan(ctMeasureNow(scene, "place")));
    ctAssertClose(ctMeasureNow(scene, "height"), 1.0 - 5.0 * 0.0625, 1e-12);
    ctAssertClose(ctMeasureNow(scene, "energy of the ball"), 0.5 * 2.0 * (6.25 + 0.25) + 0.5 * 0.4 * 2.0 * 0.01 * 9.0,
                  1e-12);
    ctAssertClose(ctMeasureNow(scene, "both"), ctMeasureNow(scene, "energy"), 1e-12);
    ctRunScene(scene, 0.5);
    double x = t1 * 0.5 + 0.25, dt = 0.5 - t1;
    ctAssertClose(ctMeasureNow(scene, "time"), t1, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "place"), x, 1e-9);
    ck_assert_double_eq(ctMeasureNow(scene, "count"), 1.0);
    ck_assert_double_eq(ctMeasureNow(scene, "bounced"), 1.0);
    ctAssertClose(ctMeasureNow(scene, "clock"), 0.5, 1e-12);
    ck_assert_double_eq(ctMeasureNow(scene, "bodies"), 2.0);
    // The built-in measures say the same.
    ctAssertClose(ctMeasureNow(scene, "first_impact(ball, floor)"), t1, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "first_impact( floor ,ball )"), t1, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "first_impact(ball)"), t1, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "first_impact_x(ball, floor)"), x, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "first_impact_y(ball, floor)"), -0.5, 1e-12);
    ctAssertClose(ctMeasureNow(scene, "first_impact_z(ball, floor)"), 0.0, 1e-4);
    ctAssertClose(ctMeasureNow(scene, "z(ball)"), 0.1 + 0.5 * v * dt - 5.0 * dt * dt, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "x(ball)"), 0.5, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "y(ball)"), -0.5, 1e-12);
    ctAssertClose(ctMeasureNow(scene, "speed(ball)"), hypot(0.5, 0.5 * v - 10.0 * dt), 1e-9);
    ctAssertClose(ctMeasureNow(scene, "spin(ball)"), 3.0, 1e-12);
    ctAssertClose(ctMeasureNow(scene, "energy_lost"), 0.75 * 0.5 * 2.0 * 20.0, 1e-9);
    ck_assert_double_eq(ctMeasureNow(scene, "impacts"), 1.0);
    ck_assert_double_eq(ctMeasureNow(scene, "impacts(ball)"), 1.0);
    ck_assert(isnan(ctMeasureNow(scene, "rest_time")));
    ctAssertClose(ctMeasureNow(scene, "kinetic_energy") + ctMeasureNow(scene, "potential_energy"),
                  ctMeasureNow(scene, "energy"), 1e-12);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(directions_and_points_of_a_body)
{
    ctScene *scene = ctMustLoadText(
        "scene { gravity = {0, 0, 0} }\n"
        "body { name = 'b', shape = box{size = {1, 2, 3}}, position = {1, 2, 3}, spin = {0, 0, math.pi / 2} }\n"
        "measure('x', function(w) return w:body('b'):direction{1, 0, 0}[1] end)\n"
        "measure('y', function(w) return w:body('b'):direction{1, 0, 0}[2] end)\n"
        "measure('p', function(w) return w:body('b'):point{1, 0, 0}[2] end)\n"
        "measure('q', function(w) return w:body('b').orientation[1] end)\n",
        NULL);
    ctRunScene(scene, 1.0); // a quarter of a turn
    ctAssertClose(ctMeasureNow(scene, "x"), 0.0, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "y"), 1.0, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "p"), 3.0, 1e-9);
    ctAssertClose(ctMeasureNow(scene, "q"), sqrt(0.5), 1e-9);
    ctScene_Destroy(scene);
}
END_TEST

// The height of a ball thrown up at 2 m/s, frame by frame: the largest sample is v^2 / 2 g to half a frame.
START_TEST(samples_of_every_frame)
{
    ctScene *scene =
        ctMustLoadText("scene { gravity = {0, 0, -10} }\n"
                       "body { name = 'ball', shape = sphere{radius = 0.1}, velocity = {0, 0, 2} }\n"
                       "sample('height', function(w) return w:body('ball').position[3] end)\n"
                       "measure('top', function(w) return math.max(table.unpack(w:samples('height'))) end)\n"
                       "measure('when', function(w) local v, t = w:samples('height'), w:sample_times()\n"
                       "  for i = 2, #v do if v[i] < v[i - 1] then return t[i - 1] end end return nil end)\n"
                       "measure('count', function(w) return #w:samples('height') end)\n",
                       NULL);
    ctRunScene(scene, 0.5);
    ck_assert_double_eq(ctMeasureNow(scene, "count"), 30.0);
    ctAssertClose(ctMeasureNow(scene, "top"), 0.2, 1e-12); // 0.2 s is a whole number of frames
    ctAssertClose(ctMeasureNow(scene, "when"), 0.2, 1e-12);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(the_journal_goes_back_in_time)
{
    ctScene *scene = ctMustLoadText(DROP "sample('z', function(w) return w:body('ball').position[3] end)\n"
                                         "measure('count', function(w) return #w:samples('z') end)\n",
                                    NULL);
    ctError error = {ct_ok, ""};
    void *early;
    size_t size;
    ctRunScene(scene, 0.2);
    ck_assert(ctWorld_Save(scene->world, &early, &size, &error));
    ctRunScene(scene, 0.6);
    double time = ctMeasureNow(scene, "first_impact(ball, floor)");
    ck_assert_double_eq(ctMeasureNow(scene, "count"), 36.0);
    ck_assert(ctWorld_Restore(scene->world, early, size, &error));
    ck_assert(ctScene_WentBack(scene, &error));
    ck_assert(isnan(ctMeasureNow(scene, "first_impact(ball, floor)")));
    ck_assert_double_eq(ctMeasureNow(scene, "count"), 12.0);
    ctRunScene(scene, 0.6);
    ck_assert_double_eq(ctMeasureNow(scene, "first_impact(ball, floor)"), time);
    ck_assert_double_eq(ctMeasureNow(scene, "count"), 36.0);
    // A caller that forgets to say so is found out by the clock.
    ck_assert(ctWorld_Restore(scene->world, early, size, &error));
    ctRunScene(scene, 0.3);
    ck_assert(isnan(ctMeasureNow(scene, "first_impact(ball, floor)")));
    ck_assert_double_eq(ctMeasureNow(scene, "count"), 18.0);
    ctFreeSnapshot(early);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(time_of_rest)
{
    ctScene *scene = ctMustLoadText("material('m', { friction = 0.5, restitution = 0 })\n"
                                    "body { name = 'floor', shape = plane{}, material = 'm' }\n"
                                    "body { name = 'block', shape = box{size = {0.2, 0.2, 0.1}}, material = 'm',\n"
                                    "       position = {0, 0, 0.05}, velocity = {1, 0, 0} }\n"
                                    "measure('rest', function(w) return w:rest_time() end)\n",
                                    NULL);
    ctRunScene(scene, 0.1);
    ck_assert(!ctScene_IsAtRest(scene) && isnan(ctMeasureNow(scene, "rest")));
    ctRunScene(scene, 3.0);
    ck_assert(ctScene_IsAtRest(scene));
    // It slides for v / (mu g) = 0.204 s, and sleeps some time after that.
    ck_assert(ctMeasureNow(scene, "rest") > 0.2 && ctMeasureNow(scene, "rest") < 2.0);
    ck_assert_double_eq(ctMeasureNow(scene, "rest"), ctMeasureNow(scene, "rest_time"));
    ctScene_Destroy(scene);
}
END_TEST

// ---- what is refused --------------------------------------------------------------------------

static const struct Wrong {
    const char *function, *message;
} wrong[] = {
    {"function(w) end", ":6: measure 'm' returns nothing (is there a return?)"},
    {"function(w) return 'ten' end", ":6: measure 'm' returns a string"},
    {"function(w) return {} end", ":6: measure 'm' returns a table"},
    {"function(w) return 0/0 end", ":6: measure 'm' returns a number that is not one"},
    {"function(w) return 1/0 end", ":6: measure 'm' returns an infinite number"},
    {"function(w)\n return w:body('bell').energy end", ":7: world:body: there is no body 'bell'; did you mean 'ball'?"},
    {"function(w) return w.time() end", ":6: world:time is called with a colon, not with a dot"},
    {"function(w) return w:samples('x') end", ":6: world:samples: there is no sample 'x'"},
    {"function(w) return w:body('ball').energi.x end",
     ":6: a body of the world has no 'energi'; did you mean 'energy'?"},
    {"function(w) return w:body('ball').speed end", ":6: a body of the world has no 'speed'"},
    {"function(w) return w:first_impct('ball') end",
     ":6: the world has no 'first_impct'; did you mean 'first_impact'?"},
    {"function(w) while true do end end", ":6: a measure runs too long; it may take 2000000 instructions"},
    {"function(w) return pcall(function() while true do end end) end", ":6: a measure runs too long"},
    {"function(w) return #string.rep('x', 1 << 30) end", ":6: "},
    {"function(w) local function f() return 1 + f() end return f() end", ":6: the script "},
    {"function(w) body { shape = sphere { radius = 1 } } end", ":6: sphere: a measure may only look at the world"},
    {"function(w) return param('p', 1, 0, 2) end", ":6: param: a measure may only look at the world"},
    {"function(w) return random() end", ":6: random: a measure may only look at the world"},
    {"function(w) return math.random(6) end", ":6: random: a measure may only look at the world"},
    {"function(w) return seed(6) end", ":6: seed: a measure may only look at the world"},
    {"function(w) return w:body('ball'):direction{1, 2}[1] end", "body:direction takes a list of three numbers"},
};
enum { WRONG = sizeof wrong / sizeof wrong[0] };

START_TEST(functions_that_fail)
{
    char text[2000];
    snprintf(text, sizeof text, DROP "measure('m', %s)\nmeasure('good', function() return 1 end)\n",
             wrong[_i].function);
    ctScene *scene = ctMustLoadText(text, NULL);
    ctError error = {ct_ok, ""};
    double x = 0.0;
    for (int i = 0; i < 2; i++) { // the second time as the first
        ck_assert(!ctScene_Measure(scene, 0, &x, &error));
        ck_assert_msg(strstr(error.message, wrong[_i].message) != NULL, "%s", error.message);
        ck_assert(isnan(x));
    }
    ck_assert_double_eq(ctMeasureNow(scene, "good"), 1.0); // the others do not suffer
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(a_sample_that_fails_stops_the_run)
{
    ctScene *scene = ctMustLoadText(DROP "sample('s', function(w) return w:time() < 0.1 and 1 or 'late' end)\n"
                                         "measure('m', function() return 1 end)\n",
                                    NULL);
    ctError error = {ct_ok, ""};
    int steps = 0;
    while (ctScene_Step(scene, &error)) {
        steps++;
    }
    ck_assert_int_eq(steps, 5);
    ck_assert_msg(strstr(error.message, ":6: sample 's' returns a string") != NULL, "%s", error.message);
    ctScene_Destroy(scene);
}
END_TEST

static const struct Bad {
    const char *line, *message;
} bad[] = {
    {"measure('m')", ":6: measure 'm' takes a function of the world, not nil"},
    {"measure(function() end)", ":6: measure: the name must be a string"},
    {"measure('a,b', function() end)", ":6: measure: the name must not hold commas"},
    {"measure('', function() end)", ":6: measure: the name must have 1 to 100 characters"},
    {"measure('m', print) measure('m', print)", ":6: measure 'm' exists already"},
    {"param('m', 1, 0, 2) measure('m', print)", ":6: measure 'm' has the name of a parameter"},
    {"measure('m', print) param('m', 1, 0, 2)", ":6: param 'm' has the name of a measure"},
    {"measure('law', print)", ":6: measure 'law' has the name of another column of a sweep's table"},
    {"sample('m', print) sample('m', print)", ":6: sample 'm' exists already"},
    {"sample('m', 3)", ":6: sample 'm' takes a function of the world, not a number"},
    {"for i = 1, 65 do measure('m' .. i, print) end", ":6: too many measures; a scene may have 64"},
    {"for i = 1, 17 do sample('m' .. i, print) end", ":6: too many samples; a scene may have 16"},
};
enum { BAD = sizeof bad / sizeof bad[0] };

START_TEST(scripts_that_are_refused)
{
    char text[1000];
    snprintf(text, sizeof text, DROP "%s\n", bad[_i].line);
    ctError error = {ct_ok, ""};
    ck_assert_ptr_null(ctLoadText(text, NULL, &error));
    ck_assert_msg(strstr(error.message, bad[_i].message) != NULL, "%s", error.message);
}
END_TEST

static const struct Bad names[] = {
    {"pins dwon", "unknown measure 'pins dwon'; did you mean 'pins down'?"},
    {"strikes", "has 'pins down'"},
    {"speed", "speed takes the name of one body"},
    {"speed(bell)", "there is no body 'bell'; did you mean 'ball'?"},
    {"first_impact(ball, flor)", "there is no body 'flor'; did you mean 'floor'?"},
    {"energy(ball)", "energy takes no body"},
    {"first_impct(ball, floor)", "unknown measure 'first_impct(ball, floor)'"},
};
enum { NAMES = sizeof names / sizeof names[0] };

START_TEST(names_that_are_unknown)
{
    ctScene *scene = ctMustLoadText(DROP "measure('pins down', function() return 1 end)\n", NULL);
    ctError error = {ct_ok, ""};
    ctMeasureRef m;
    ck_assert(!ctMeasure_Find(scene, names[_i].line, &m, &error));
    ck_assert_msg(strstr(error.message, names[_i].message) != NULL, "%s", error.message);
    ctScene_Destroy(scene);
}
END_TEST

// ---- demos and the command line ---------------------------------------------------------------

START_TEST(every_demo_measures_what_it_is_about)
{
    ctDemo *demos;
    int count;
    ck_assert(ctDemos_List(&demos, &count, NULL));
    for (int i = 0; i < count; i++) {
        ctError error = {ct_ok, ""};
        ctScene *scene = ctScene_Load(demos[i].name, NULL, &error);
        ck_assert_msg(scene != NULL, "%s", error.message);
        ck_assert_msg(scene->measureCount > 0, "%s has no measure", demos[i].name);
        for (int k = 0; k < 6; k++) {
            ck_assert_msg(ctScene_Step(scene, &error), "%s", error.message);
        }
        for (int k = 0; k < scene->measureCount; k++) {
            double x;
            ck_assert_msg(ctScene_Measure(scene, k, &x, &error), "%s", error.message);
        }
        ctScene_Destroy(scene);
    }
    ctDemos_Free(demos, count);
}
END_TEST

static void expect(ctCommandOutput out, int status, const char *words)
{
    ck_assert_msg(out.status == status, "status %d, not %d:\n%s", out.status, status, out.text);
    ck_assert_msg(strstr(out.text, words) != NULL, "no '%s' in:\n%s", words, out.text);
}

START_TEST(sim_reports_them)
{
    ctTestFolder();
    expect(ctRunCommand("$CLATTER sim marbles --stats $T/s.json && cat $T/s.json"), 0,
           "\"measures\": {\n    \"last marble\": 0.536");
    expect(ctRunCommand("$CLATTER sim marbles --seconds 0.1 --stats $T/s.json && cat $T/s.json"), 0,
           "\"last marble\": null,\n    \"passed on\": 0\n  },");
    expect(ctRunCommand("printf 'body { shape = sphere { radius = 1 } }\\nmeasure(\"m\", function() return {} end)\\n' "
                        "> $T/m.lua; $CLATTER sim $T/m.lua --seconds 0.1 --stats $T/m.json; "
                        "s=$?; test ! -e $T/m.json && exit $s"),
           2, "m.lua:2: measure 'm' returns a table; it must be a finite number, a boolean, or nil");
    ctRemoveTestFolder();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("measure");
    TCase *tests = tcase_create("measure");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, a_falling_ball);
    tcase_add_test(tests, directions_and_points_of_a_body);
    tcase_add_test(tests, samples_of_every_frame);
    tcase_add_test(tests, the_journal_goes_back_in_time);
    tcase_add_test(tests, time_of_rest);
    tcase_add_loop_test(tests, functions_that_fail, 0, WRONG);
    tcase_add_test(tests, a_sample_that_fails_stops_the_run);
    tcase_add_loop_test(tests, scripts_that_are_refused, 0, BAD);
    tcase_add_loop_test(tests, names_that_are_unknown, 0, NAMES);
    tcase_add_test(tests, every_demo_measures_what_it_is_about);
    tcase_add_test(tests, sim_reports_them);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
