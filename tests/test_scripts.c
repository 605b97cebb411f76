// Scripts that act while the scene runs: every(), on_impact(), state{}.
#include "collision/error.h"
#include "collision/memory.h"
#include "collision/quat.h"
#include "scenes/measure.h"
#include "tests/support/command.h"
#include "tests/support/random.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A ball over a floor, without friction; g = 10.
#define BALL                                                                                                           \
    "scene { gravity = {0, 0, -10} }\n"                                                                                \
    "material('m', { friction = 0, restitution = 0.5 })\n"                                                             \
    "body { name = 'floor', shape = plane{}, material = 'm' }\n"                                                       \
    "body { name = 'ball', shape = sphere{radius = 0.1}, mass = 2, position = {0, 0, 0.55}, material = 'm' }\n"

// Everything at once: random kicks, a juggled ball, a sensor that counts, a list.
#define LIVELY                                                                                                         \
    BALL "local reach = param('reach', 1, 0.5, 2)\n"                                                                   \
         "body { name = 'box', shape = box { size = {0.2, 0.2, 0.2} }, position = {1, 0, 0.1} }\n"                     \
         "body { name = 'gate', motion = 'fixed', sensor = true, shape = box { size = {1, 1, 0.1} }, "                 \
         "position = {0, 0, 1} }\n"                                                                                    \
         "local s = state { bounces = 0, seen = 0, hits = {}, word = 'a', on = false }\n"                              \
         "every(0.13, function(world, n)\n"                                                                            \
         "  world:set_velocity('box', {random(-reach, reach), random_normal(), 1 + n % 3})\n"                          \
         "  s.on = not s.on\n"                                                                                         \
         "end)\n"                                                                                                      \
         "on_impact('floor', 'ball', function(world, impact)\n"                                                        \
         "  s.bounces = s.bounces + 1\n"                                                                               \
         "  s.hits[#s.hits + 1] = { time = impact.time, p = impact.impulse }\n"                                        \
         "  world:set_velocity('ball', {random(-0.1, 0.1), 0, 5})\n"                                                   \
         "end)\n"                                                                                                      \
         "on_impact('ball', {'gate', 'box'}, function(world, impact) s.seen = s.seen + 1; s.word = s.word .. "         \
         "impact.b end)"                                                                                               \
         "\n"                                                                                                          \
         "measure('bounces', function() return s.bounces end)\n"                                                       \
         "measure('seen', function() return s.seen end)\n"                                                             \
         "measure('letters', function() return #s.word end)\n"                                                         \
         "measure('last', function() return s.hits[#s.hits] and s.hits[#s.hits].time end)\n"

// ---- what they do -----------------------------------------------------------------------------

// A ball that is thrown up at 4 m/s whenever it lands, at times by closed form, at any frame rate: it falls 0.45 m in
// 0.3 s and comes down every 0.8 s.
START_TEST(impacts_are_answered_at_their_time)
{
    static const double rates[] = {25.0, 60.0, 77.0, 1000.0};
    for (int i = 0; i < 4; i++) {
        ctSceneOptions options = {.hasFps = true, .fps = rates[i]};
        ctScene *scene = ctMustLoadText(
            BALL
            "local s = state { count = 0, last = 0, sum = 0, at = {}, v = 0, p = 0, n = 0, e = 0, names = '' }\n"
            "on_impact('ball', 'floor', function(world, m)\n"
            "  s.count, s.last, s.v, s.p, s.n, s.e = s.count + 1, m.time, m.velocity[3], m.impulse[3], m.normal[3],"
            " m.energy\n"
            "  assert(m.time == world:time() and m.point[3] < 1e-9)\n"
            "  s.names = m.a .. ' ' .. m.b\n"
            "  world:set_velocity('ball', {0, 0, 4})\n"
            "end)\n"
            "on_impact('floor', function(world, m) assert(m.a == 'floor' and m.b == 'ball'); s.sum = s.sum + "
            "m.impulse[3] end)\n"
            "measure('count', function() return s.count end)\n"
            "measure('last', function() return s.last end)\n"
            "measure('v', function() return s.v end)\n"
            "measure('p', function() return s.p end)\n"
            "measure('n', function() return s.n end)\n"
            "measure('loss', function() return s.e end)\n"
            "measure('sum', function() return s.sum end)\n"
            "measure('named', function() return s.names == 'ball floor' end)\n",
            &options);
        ctRunScene(scene, 3.0);
        ck_assert_int_eq((int)ctMeasureNow(scene, "count"), 4);
        ctAssertClose(ctMeasureNow(scene, "last"), 2.7, 1e-9);
        ctAssertClose(ctMeasureNow(scene, "v"), -4.0, 1e-9);
        ctAssertClose(ctMeasureNow(scene, "p"), 2.0 * 1.5 * 4.0, 1e-9);
        ctAssertClose(ctMeasureNow(scene, "n"), 1.0, 0.0);
        ctAssertClose(ctMeasureNow(scene, "loss"), 0.75 * 16.0, 1e-9);
        ctAssertClose(ctMeasureNow(scene, "sum"), -2.0 * 1.5 * (3.0 + 3.0 * 4.0), 1e-9);
        ctAssertClose(ctMeasureNow(scene, "named"), 1.0, 0.0);
        ctScene_Destroy(scene);
    }
}
END_TEST

// Timers come at whole multiples of their intervals, in order, whatever the frame rate; at one time in the order of the
// script.
START_TEST(timers_come_at_their_times)
{
    for (int i = 0; i < 3; i++) {
        ctSceneOptions options = {.hasFps = true, .fps = i == 0 ? 16.0 : i == 1 ? 60.0 : 333.0};
        ctScene *scene = ctMustLoadText(BALL "local s = state { order = '' }\n"
                                             "for i, dt in ipairs { 0.25, 0.1, 0.5 } do\n"
                                             "  every(dt, function(world, n)\n"
                                             "    assert(world:time() == n * dt)\n"
                                             "    s.order = s.order .. i\n"
                                             "  end)\n"
                                             "end\n"
                                             "measure('right', function() return s.order == '22122123' end)\n"
                                             "measure('length', function() return #s.order end)\n",
                                        &options);
        ctRunScene(scene, 0.55); // 6 * 0.1 is later than 0.6, by rounding
        ctAssertClose(ctMeasureNow(scene, "length"), 8.0, 0.0);
        ctAssertClose(ctMeasureNow(scene, "right"), 1.0, 0.0);
        ctScene_Destroy(scene);
    }
}
END_TEST

// Each method that changes the world, against what it says.
START_TEST(methods_do_what_they_say)
{
    ctScene *scene = ctMustLoadText(
        "scene { gravity = {0, 0, 0} }\n"
        "local ball = sphere { radius = 0.1 }\n"
        "for i = 1, 8 do body { name = 'b' .. i, shape = ball, mass = 2, position = {0, i, 0}, spin = {0, 0, 1} } end\n"
        "body { name = 'door', motion = 'kinematic', shape = box { size = {1, 1, 1} }, position = {9, 0, 0} }\n"
        "body { name = 'lift', motion = 'kinematic', shape = box { size = {1, 1, 1} }, position = {19, 0, 0}, "
        "path = { { time = 0, position = {19, 0, 0} }, { time = 9, position = {19, 0, 9} } } }\n"
        "body { name = 'belt', motion = 'fixed', shape = box { size = {1, 1, 1} }, position = {-9, 0, 0} }\n"
        "body { name = 'zone', motion = 'fixed', sensor = true, shape = box { size = {9, 0.5, 1} }, "
        "position = {0, 8, 0} }\n"
        "local s = state { inside = '' }\n"
        "every(1, function(world, n)\n"
        "  if n > 1 then return end\n"
        "  s.inside = table.concat(world:inside('zone'), ' ')\n"
        "  world:set_velocity('b1', {1, 0, 0})\n"
        "  world:set_velocity('b2', {0, 0, 2}, {3, 0, 0})\n"
        "  world:set_spin('b3', {0, 4, 0})\n"
        "  world:set_position('b4', {5, 4, 0}, {0, 2, 0, 0})\n"
        "  world:apply_impulse('b5', {4, 0, 0})\n"
        "  world:apply_impulse('b6', {0, 0, 1}, {0, 6.1, 0})\n"
        "  world:set_force('b7', {2, 0, 0})\n"
        "  world:set_torque('b8', {0, 0, 0.008})\n"
        "  world:set_path('door', { { time = 0, position = {9, 0, 0} }, { time = 0.5, position = {9, 0, 3} } })\n"
        "  world:set_path('lift', nil)\n"
        "  world:set_surface_velocity('belt', {1, 2, 3})\n"
        "end)\n"
        "measure('inside', function(world) return s.inside == 'b8' end)\n",
        NULL);
    ctRunScene(scene, 2.0);
    const ctWorld *w = scene->world;
    ctBodyId b[9];
    for (int i = 1; i <= 8; i++) {
        char name[16];
        snprintf(name, sizeof name, "b%d", i);
        b[i] = ctMustFind(scene, name);
    }
    double inertia = 0.4 * 2.0 * 0.01;
    ctAssertClose(ctBody_GetCenter(w, b[1]).x, 1.0, 1e-12);
    ctAssertClose(ctBody_GetSpin(w, b[1]).z, 1.0, 1e-12);
    ctAssertClose(ctBody_GetCenter(w, b[2]).z, 2.0, 1e-12);
    ctAssertClose(ctBody_GetSpin(w, b[2]).x, 3.0, 1e-12);
    ctAssertClose(ctBody_GetSpin(w, b[3]).y, 4.0, 1e-12);
    ctAssertClose(ctBody_GetCenter(w, b[4]).x, 5.0, 1e-12);
    ctAssertClose(ctBody_GetCenter(w, b[5]).x, 2.0, 1e-12);
    ctAssertClose(ctBody_GetCenter(w, b[6]).z, 0.5, 1e-12);
    ctAssertClose(ctBody_GetSpin(w, b[6]).x, 0.1 / inertia, 1e-9);
    ctAssertClose(ctBody_GetCenter(w, b[7]).x, 0.5, 1e-12);
    ctAssertClose(ctBody_GetSpin(w, b[8]).z, 1.0 + 0.008 / inertia, 1e-9);
    ctAssertClose(ctBody_GetCenter(w, ctMustFind(scene, "door")).z, 3.0, 1e-12);
    ck_assert(!ctBody_HasPath(w, ctMustFind(scene, "lift")));
    ctVec3 linear;
    ctBody_GetSurfaceVelocity(w, ctMustFind(scene, "belt"), &linear, NULL);
    ck_assert(linear.x == 1.0 && linear.y == 2.0 && linear.z == 3.0);
    ctAssertClose(ctMeasureNow(scene, "inside"), 1.0, 0.0);
    ctScene_Destroy(scene);
}
END_TEST

// ---- snapshots --------------------------------------------------------------------------------

static const char *const measures[] = {"bounces", "seen", "letters", "last"};

static void compare(ctScene *a, ctScene *b, const char *what)
{
    ck_assert_msg(ctWorld_Hash(a->world) == ctWorld_Hash(b->world), "%s: another state", what);
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        double x = ctMeasureNow(a, measures[i]), y = ctMeasureNow(b, measures[i]);
        ck_assert_msg(memcmp(&x, &y, sizeof x) == 0, "%s: %s is %g, not %g", what, measures[i], y, x);
    }
}

// A world goes on from a file with its script, its parameters and its state, bit for bit; from any moment.
START_TEST(a_saved_world_goes_on_with_its_script)
{
    ctTestFolder();
    static const ctSetting reach = {"reach", 1.5};
    ctSceneOptions options = {.settings = &reach, .settingCount = 1};
    for (int i = 0; i < 5; i++) {
        ctScene *scene = ctMustLoadText(LIVELY, &options);
        ctRunScene(scene, 0.37 * i);
        bool hit;
        ck_assert(i % 2 == 0 || ctWorld_StepToImpact(scene->world, &hit, NULL));
        void *data;
        size_t size;
        char path[300];
        ctError error = {ct_ok, ""};
        ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
        snprintf(path, sizeof path, "%s/a.snap", getenv("T"));
        FILE *file = fopen(path, "wb");
        ck_assert(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
        ctFreeSnapshot(data);
        ctScene *loaded = ctScene_Load(path, NULL, &error);
        ck_assert_msg(loaded != NULL, "%s", error.message);
        ctAssertClose(loaded->params[0].value, 1.5, 0.0);
        ctRunScene(scene, 4.0);
        ctRunScene(loaded, 4.0);
        ck_assert(ctMeasureNow(scene, "bounces") >= 3.0 && ctMeasureNow(scene, "letters") > 10.0);
        compare(scene, loaded, "a.snap");
        ctScene_Destroy(loaded);
        ctScene_Destroy(scene);
    }
    ctRemoveTestFolder();
}
END_TEST

// Back in time and on again, as on the viewer's timeline: the same once more.
START_TEST(going_back_repeats_the_run)
{
    ctScene *scene = ctMustLoadText(LIVELY, NULL), *twin = ctMustLoadText(LIVELY, NULL);
    ctRunScene(twin, 4.0);
    void *data;
    size_t size;
    ctRunScene(scene, 1.0);
    ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
    double seen = ctMeasureNow(scene, "seen"), letters = ctMeasureNow(scene, "letters");
    for (int i = 0; i < 3; i++) {
        ctRunScene(scene, 2.0 + i);
        ck_assert(ctWorld_Restore(scene->world, data, size, NULL) && ctScene_WentBack(scene, NULL));
        ck_assert(ctMeasureNow(scene, "seen") == seen && ctMeasureNow(scene, "letters") == letters);
    }
    ctRunScene(scene, 4.0);
    compare(twin, scene, "after going back");
    ctFreeSnapshot(data);
    ctScene_Destroy(scene);
    ctScene_Destroy(twin);
}
END_TEST

// Notes that are damaged, or none, or another script's, are refused; nothing breaks.
START_TEST(damaged_notes_are_refused)
{
    ctScene *scene = ctMustLoadText(LIVELY, NULL), *other = ctMustLoadText(BALL "state { n = 0 }", NULL);
    ctRunScene(scene, 1.0);
    size_t size, otherSize;
    const void *notes = ctWorld_GetNotes(scene->world, &size);
    const void *others = ctWorld_GetNotes(other->world, &otherSize);
    uint8_t *bytes = malloc(size);
    void *data;
    size_t length;
    memcpy(bytes, notes, size);
    ck_assert(ctWorld_Save(scene->world, &data, &length, NULL));
    ctRandom random = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(2000); i++) {
        size_t at = size - 1 - (size_t)ctRandomInt(&random, 0, i % 2 == 0 ? 300 : (int)size - 1);
        uint8_t old = bytes[at];
        bytes[at] = (uint8_t)ctRandomInt(&random, 0, 255);
        size_t cut = i % 10 == 0 ? (size_t)ctRandomInt(&random, 0, (int)size) : size;
        ck_assert(ctWorld_SetNotes(scene->world, bytes, cut, NULL));
        ctError error = {ct_ok, ""};
        for (int k = 0; k < 20 && ctScene_Step(scene, &error); k++) {
        }
        ck_assert(error.status == ct_ok || error.status == ct_badArgument);
        bytes[at] = old;
        ck_assert(ctWorld_Restore(scene->world, data, length, NULL));
    }
    ctError error = {ct_ok, ""};
    ck_assert(ctWorld_SetNotes(scene->world, others, otherSize, NULL) && !ctScene_Step(scene, &error));
    ck_assert_msg(strstr(error.message, "do not belong to this script") != NULL, "%s", error.message);
    free(bytes);
    ctFreeSnapshot(data);
    ctScene_Destroy(scene);
    ctScene_Destroy(other);
}
END_TEST

// ---- what is refused --------------------------------------------------------------------------

typedef struct Wrong {
    const char *text, *message; // what the error says, after the file; the callbacks begin in line 5
} Wrong;

static const Wrong wrongAtOnce[] = {
    {"every(0, function() end)", ":5: every: the interval must be"},
    {"every(-1, function() end)", ":5: every: the interval must be"},
    {"every(0/0, function() end)", ":5: every"},
    {"every(1)", ":5: every takes an interval and a function of the world, not nil"},
    {"every('x', function() end)", ":5: every"},
    {"on_impact('ball', 'flor', function() end)", ":5: on_impact: there is no body 'flor'; did you mean 'floor'?"},
    {"on_impact({'ball', 3}, 'floor', function() end)", ":5: on_impact takes the name of a body, or a list of names"},
    {"on_impact({}, 'floor', function() end)", ":5: on_impact takes the name of a body"},
    {"on_impact('ball', 'floor')", ":5: on_impact takes one or two bodies and a function, not nil"},
    {"state(3)", ":5: state takes a table of names and values, not"},
    {"state { 1, 2 }", ":5: state: names must be strings"},
    {"state { f = print }", ":5: state: 'f' is a function; state holds numbers"},
    {"state { a = {}, b = { c = { sphere { radius = 1 } } } }", ":5: state: 'b' is"},
    {"state { a = setmetatable({}, {}) }", ":5: state: 'a' has a metatable"},
    {"local t = {} t.t = t state { a = t }", ":5: state: 'a' is nested too deeply"},
    {"state { a = string.rep('x', 2000000) }", ":5: state: 'a' is too large"},
    {"state { a = 1 } state { b = 1 }", ":5: state is declared already"},
    {"local s = state { score = 1 } s.scroe = 2", ":5: state has no 'scroe'; did you mean 'score'?"},
    {"local s = state { score = 1 } print(s.scroe)", ":5: state has no 'scroe'"},
    {"local it = ('a b'):gmatch('%a') every(1, function() it() end)", "an iterator that was made outside"},
    {"local big = {} for i = 1, 300000 do big[i] = i end every(1, function() return big end)",
     "callbacks can reach more than 200000 values"},
};

START_TEST(mistakes_are_named)
{
    const Wrong *w = &wrongAtOnce[_i];
    char text[1000];
    ctError error = {ct_ok, ""};
    snprintf(text, sizeof text, "%s%s", BALL, w->text);
    ctScene *scene = ctLoadText(text, NULL, &error);
    ck_assert_msg(scene == NULL && strstr(error.message, w->message) != NULL, "%s\n  gives: %s", w->text,
                  scene == NULL ? error.message : "no error");
}
END_TEST

static const Wrong wrongLater[] = {
    {"every(0.1, function(world)\n world:bdy() end)", ":6: "},
    {"every(0.1, function(world)\n error('stop') end)", ":6: stop"},
    {"every(0.1, function(world) world.body('ball') end)", ":5: world:body is called with a colon"},
    {"every(0.1, function(world) world:set_velocity('bal', {0, 0, 0}) end)",
     ":5: world:set_velocity: there is no body 'bal'; did you mean 'ball'?"},
    {"every(0.1, function(world) world:set_velocity('ball', {0, 0}) end)", ":5: world:set_velocity takes a list of"},
    {"every(0.1, function(world) world:set_velocity('ball', {0, 0, 0/0}) end)", ":5: world:set_velocity"},
    {"every(0.1, function(world) world:set_velocity('floor', {0, 0, 1}) end)", ":5: world:set_velocity: body 'floor'"},
    {"every(0.1, function(world) world:set_position('ball', {0, 0, 0}) end)", ":5: world:set_position: body 'ball'"},
    {"every(0.1, function(world) world:set_path('ball', {{time = 0}, {time = 1}}) end)", ":5: world:set_path: body"},
    {"every(0.1, function(world) world:set_path('ball', {{time = 0}}) end)", ":5: world:set_path: body"},
    {"every(0.1, function(world) world:inside('ball') end)", ":5: world:inside: body 'ball' is no sensor"},
    {"every(0.1, function(world) world:first_impact('ball') end)", ":5: world:first_impact is for measures"},
    {"every(0.1, function(world) world:rest_time() end)", ":5: world:rest_time is for measures"},
    {"every(0.1, function(world) body { shape = sphere { radius = 1 } } end)", ": a callback may change what is there"},
    {"every(0.1, function(world) param('x', 0, 0, 1) end)", ":5: param: a callback may change what is there"},
    {"every(0.1, function(world) every(1, function() end) end)", ":5: every: a callback may change"},
    {"every(0.1, function(world) while true do end end)", ":5: a callback runs too long; it may take 1000000"},
    {"every(0.1, function(world) pcall(function() while true do end end) end)", ":5: a callback runs too long"},
    {"every(0.1, function(world) local t = {} for i = 1, 40 do t[i] = ('x'):rep(3e6) .. i end end)",
     ":5: a callback needs too much memory; it may use 64 MB"},
    {"local function f() return f() + 1 end every(0.1, function(world) f() end)", "a callback runs too long"},
    {"local s = state { n = 0 } every(0.1, function(world) s.n = nil end)", ":5: state: 'n' is nil"},
    {"local s = state { n = 0 } every(0.1, function(world) s.m = 1 end)", ":5: state has no 'm'"},
    {"local s = state { n = 0 } every(0.1, function(world) rawset(s, 'm', 1) end)", ":5: state has no"},
    {"local s = state { n = 0 } every(0.1, function(world) s.n = world end)", ":5: state: 'n' is"},
    // What callbacks may not keep.
    {"local n = 0\nevery(0.1, function(world) n = n + 1 end)", ":6: every has changed 'n': nothing is kept but"},
    {"local n = 1\nevery(0.1, function(world) n = 1.0 end)", ":6: every has changed 'n'"},
    {"local n = 0.0\nevery(0.1, function(world) n = -0.0 end)", ":6: every has changed 'n'"},
    {"every(0.1, function(world) total = 1 end)", ":5: every has changed the global 'total'"},
    {"every(0.1, function(world) _G.total = 1 end)", ":5: every has changed the global 'total'"},
    {"every(0.1, function(world) print = nil end)", ":5: every has changed the global 'print'"},
    {"local t = { count = 0 } every(0.1, function(world) t.count = t.count + 1 end)",
     ":5: every has changed the entry 'count' of a table"},
    {"local t = { {}, {} } every(0.1, function(world) table.insert(t[2], 3) end)", "the entry '1' of a table"},
    {"local t = { 1, 2 } every(0.1, function(world) t[2] = nil end)", "every has changed the entry '2' of a table"},
    {"local t = {} every(0.1, function(world) setmetatable(t, {}) end)", "every has changed a metatable"},
    {"every(0.1, function(world) math.pi = 3 end)", "every has changed the entry 'pi' of a table"},
    {"local f do local n = 0 function f() n = n + 1 return n end end every(0.1, function(world) f() end)",
     "every has changed 'n'"},
    {"local t, n = {}, 0 t.next = function() n = n + 1 end every(0.1, function(world) t.next() end)",
     "every has changed 'n'"},
    {"local p, t = pairs({1, 2, 3}) every(0.1, function(world) p(t) end)", "every has changed 'an iterator'"},
    {"local h = {} local s = state { h = h } every(0.1, function(world) h[1] = 1 end)", "the entry '1' of a table"},
    {"local s, n = state { h = {} } every(0.1, function(world) n = s.h end)", "every has changed 'n'"},
    {"on_impact('ball', function(world) getmetatable('').__len = print end)", ":5: on_impact has changed the entry"},
    // Impacts that come of each other without end.
    {"on_impact('ball', 'floor', function(world) world:set_velocity('ball', {0, 0, -1}) end)",
     ":5: on_impact is called too often: 10000 times within 0.001 s"},
};

// Each fails at its time with its line, again when the run is continued; put back in time, the script is as it was.
START_TEST(failing_callbacks_end_the_run)
{
    const Wrong *w = &wrongLater[_i];
    char text[1000];
    ctError error = {ct_ok, ""}, again = {ct_ok, ""};
    snprintf(text, sizeof text, "%s%s", BALL, w->text);
    ctScene *scene = ctMustLoadText(text, NULL);
    void *data;
    size_t size;
    ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
    for (int round = 0; round < 2; round++) {
        error = (ctError){ct_ok, ""};
        for (int i = 0; i < 60 && ctScene_Step(scene, &error); i++) {
        }
        ck_assert_msg(error.status == ct_badArgument && strstr(error.message, w->message) != NULL, "%s\n  gives: %s",
                      w->text, error.message);
        ck_assert(!ctScene_Step(scene, &again) && strcmp(error.message, again.message) == 0);
        ck_assert(ctWorld_Restore(scene->world, data, size, NULL));
    }
    ctFreeSnapshot(data);
    ctScene_Destroy(scene);
}
END_TEST

// Locals of the call itself, tables that it makes, closures over these: all of that is free.
START_TEST(what_a_call_makes_is_its_own)
{
    ctScene *scene = ctMustLoadText(BALL "local s = state { n = 0, list = { 1, nil, 3 } }\n"
                                         "local half = function(x) return x / 2 end\n"
                                         "local names = { 'ball', 'floor' }\n"
                                         "every(0.1, function(world, n)\n"
                                         "  local t, k = {}, 0\n"
                                         "  local function add(x) k = k + x; t[#t + 1] = x end\n"
                                         "  for i, name in ipairs(names) do add(half(i)) end\n"
                                         "  for word in ('a b c'):gmatch('%a') do t[word] = 1 end\n"
                                         "  table.sort(t)\n"
                                         "  local ok = pcall(error, 'x')\n"
                                         "  s.n = s.n + k\n"
                                         "  assert(not ok and k == 1.5 and s.list[3] == 3 and s.list[2] == nil)\n"
                                         "end)\n"
                                         "measure('n', function() return s.n end)\n",
                                    NULL);
    ctRunScene(scene, 1.05);
    ctAssertClose(ctMeasureNow(scene, "n"), 15.0, 1e-12);
    ctScene_Destroy(scene);
}
END_TEST

// Measures look, at the state too, and change neither it nor what callbacks can reach.
START_TEST(measures_only_look)
{
    static const Wrong wrong[] = {
        {"local s = state { n = 0 } measure('a', function() s.n = 1 return 0 end)", "measure 'a' has changed state"},
        {"local n = 0 every(1, function() return n end) measure('a', function() n = n + 1 return n end)",
         "measure 'a' has changed 'n'"},
        {"state { n = 0 } measure('a', function(world) world:set_velocity('ball', {0, 0, 0}) return 0 end)",
         "world:set_velocity: only a callback of every or on_impact may change the world"},
        {"state { n = 0 } measure('a', function(world) return random() end)", "random: a measure may only look"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1000];
        double x;
        ctError error = {ct_ok, ""};
        snprintf(text, sizeof text, "%s%s", BALL, wrong[i].text);
        ctScene *scene = ctMustLoadText(text, NULL);
        ck_assert_msg(!ctScene_Measure(scene, 0, &x, &error) && strstr(error.message, wrong[i].message) != NULL,
                      "%s\n  gives: %s", wrong[i].text, error.message);
        ctScene_Destroy(scene);
    }
}
END_TEST

// Labels show what their functions return, now, and name what is wrong.
START_TEST(labels_are_live)
{
    ctScene *scene = ctMustLoadText(BALL "local s = state { n = 0 }\n"
                                         "every(0.1, function(world, n) s.n = n end)\n"
                                         "label { at = {0, 0, 1}, text = 'stays' }\n"
                                         "label { at = {0, 0, 1}, text = function() return 'n = ' .. s.n end }\n"
                                         "label { at = {0, 0, 1}, text = function(world) return world:time() end }\n"
                                         "label { at = {0, 0, 1}, text = function() return ('\\u{e9}'):rep(150) end }",
                                    NULL);
    const ctSceneLabel *labels = scene->annotations.labels;
    ck_assert(ctScene_UpdateLabels(scene, NULL));
    ck_assert_str_eq(labels[1].text, "n = 0");
    ctRunScene(scene, 0.5);
    ck_assert(ctScene_UpdateLabels(scene, NULL));
    ck_assert_str_eq(labels[0].text, "stays");
    ck_assert_str_eq(labels[1].text, "n = 5");
    ck_assert_str_eq(labels[2].text, "0.5");
    ck_assert_int_eq((int)strlen(labels[3].text), 200);
    ctScene_Destroy(scene);
    static const Wrong wrong[] = {
        {"label { at = {0, 0, 0}, text = function() end }", ":5: label: the function must return a text, not nothing"},
        {"label { at = {0, 0, 0}, text = function() return {} end }", ":5: label: the function must return a text"},
        {"label { at = {0, 0, 0}, text = function(world)\n world:bdy() end }", ":6: "},
        {"local s = state { n = 0 } label { at = {0, 0, 0}, text = function() s.n = 1 return 'x' end }",
         ":5: label 'text' has changed state"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char text[1000];
        ctError error = {ct_ok, ""};
        snprintf(text, sizeof text, "%s%s", BALL, wrong[i].text);
        ctScene *bad = ctMustLoadText(text, NULL);
        ck_assert_msg(!ctScene_UpdateLabels(bad, &error) && strstr(error.message, wrong[i].message) != NULL,
                      "%s\n  gives: %s", wrong[i].text, error.message);
        ctScene_Destroy(bad);
    }
}
END_TEST

// ---- the program ------------------------------------------------------------------------------

START_TEST(commands_run_scripts)
{
    ctTestFolder();
    char path[300];
    snprintf(path, sizeof path, "%s/s.lua", getenv("T"));
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL &&
              fputs(LIVELY "measure('hash', function(w) return w:body('box').center[1] end)", file) >= 0);
    fclose(file);
    ctCommandOutput out = ctRunCommand("$CLATTER sim $T/s.lua --seconds 4 --stats $T/a.json --events $T/e.csv && "
                                       "$CLATTER sim $T/s.lua --seconds 4 --stats $T/b.json && cat $T/a.json");
    ck_assert_msg(out.status == 0 && strstr(out.text, "\"bounces\": 4") != NULL, "%s", out.text);
    ck_assert(strstr(out.text, "unaccounted") != NULL);
    out = ctRunCommand("grep state_hash $T/a.json > $T/a; grep state_hash $T/b.json > $T/b; cmp $T/a $T/b");
    ck_assert_msg(out.status == 0, "%s", out.text);
    out = ctRunCommand("$CLATTER sweep $T/s.lua --vary reach=0.5:2:4 --seconds 2 --measure letters --measure hash "
                       "--threads 1 --out $T/1.csv && $CLATTER sweep $T/s.lua --vary reach=0.5:2:4 --seconds 2 "
                       "--measure letters --measure hash --threads 4 --out $T/4.csv && cmp $T/1.csv $T/4.csv");
    ck_assert_msg(out.status == 0, "%s", out.text);
    out = ctRunCommand("echo 'every(0.5, function(world)\n error(\"enough\") end)' > $T/f.lua; "
                       "$CLATTER sim $T/f.lua --stats $T/f.json; s=$?; ls $T/f.json; exit $s");
    ck_assert_msg(out.status == 2 && strstr(out.text, "f.lua:2: enough") != NULL && strstr(out.text, "f.json'") != NULL,
                  "%d %s", out.status, out.text);
    ctRemoveTestFolder();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scripts");
    TCase *tc = tcase_create("scripts");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, impacts_are_answered_at_their_time);
    tcase_add_test(tc, timers_come_at_their_times);
    tcase_add_test(tc, methods_do_what_they_say);
    tcase_add_test(tc, a_saved_world_goes_on_with_its_script);
    tcase_add_test(tc, going_back_repeats_the_run);
    tcase_add_test(tc, damaged_notes_are_refused);
    tcase_add_loop_test(tc, mistakes_are_named, 0, (int)(sizeof wrongAtOnce / sizeof wrongAtOnce[0]));
    tcase_add_loop_test(tc, failing_callbacks_end_the_run, 0, (int)(sizeof wrongLater / sizeof wrongLater[0]));
    tcase_add_test(tc, what_a_call_makes_is_its_own);
    tcase_add_test(tc, measures_only_look);
    tcase_add_test(tc, labels_are_live);
    tcase_add_test(tc, commands_run_scripts);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
