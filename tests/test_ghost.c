// Ghosts: traces that are shown beside the simulation.
#include "collision/quat.h"
#include "render/session/ghost.h"
#include "scenes/scene.h"
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *folder;

static void begin(void)
{
    folder = ctTestFolder();
    ctRunCommand("printf '%%s\\n' "
                 "\"material('m', { friction = 0.3, restitution = param('e', 0.7, 0, 1) })\" "
                 "\"body { name = 'floor', motion = 'fixed', shape = plane { }, material = 'm' }\" "
                 "\"body { name = 'ball', shape = sphere { radius = 0.1 }, position = {0, 0, 1}, material = 'm' }\" "
                 "\"body { name = 'odd', shape = box { size = {0.1, 0.2, 0.3} }, center = {0.01, 0.02, 0.03}, "
                 "position = {1, 0, 0.6}, spin = {3, 2, 1}, material = 'm' }\" > $T/two.lua");
}

static void end(void)
{
    ctRemoveTestFolder();
}

static ctScene *loadScene(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/two.lua", folder);
    ctError error = {ct_ok, ""};
    ctScene *scene = ctScene_Load(path, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    return scene;
}

static void write(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    fclose(out);
}

static bool load(ctGhost *ghost, const char *name, const ctScene *scene, ctError *error)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ctGhost_Load(ghost, path, scene->world, error);
}

// A trace of the same scene follows it, at frames and between them; in flight exactly.
START_TEST(a_trace_of_the_scene_is_where_its_bodies_are)
{
    ctCommandOutput out = ctRunCommand("$CLATTER sim $T/two.lua --seconds 1 --fps 30 --trace $T/trace.csv");
    ck_assert_msg(out.status == 0, "%s", out.text);
    ctScene *scene = loadScene();
    ctGhost ghost;
    ctError error = {ct_ok, ""};
    ck_assert_msg(load(&ghost, "trace.csv", scene, &error), "%s", error.message);
    ck_assert_int_eq(ghost.count, 2); // the floor has none
    ck_assert_int_eq(ghost.bodies[0].count, 31);
    ctWorld *world = scene->world;
    double worst = 0.0;
    for (int frame = 1; frame <= 60; frame++) { // at 60 fps: every other frame is between two samples
        ck_assert(ctWorld_Step(world, NULL));
        double time = ctWorld_GetTime(world);
        for (int i = 1; i < 3; i++) {
            ctBodyId body = ctWorld_GetBody(world, i);
            double distance, angle;
            ck_assert(ctGhost_Difference(&ghost, body, time, ctBody_GetCenter(world, body),
                                         ctBody_GetTransform(world, body).q, &distance, &angle));
            bool sample = frame % 2 == 0;
            // The box falls for more than a quarter of a second, the ball for longer.
            ck_assert_msg(distance <= (sample ? 1e-6 : time < 0.25 ? 1e-9 : 0.05), "%g at %g s", distance, time);
            ck_assert_msg(angle <= (sample ? 1e-5 : 0.3), "%g rad at %g s", angle, time);
            worst = fmax(worst, distance);
        }
    }
    ck_assert(worst > 0.0);
    ctTransform pose;
    ck_assert(!ctGhost_At(&ghost, ctWorld_GetBody(world, 0), 0.1, &pose, NULL));
    ctGhost_Free(&ghost);
    ctScene_Destroy(scene);
}
END_TEST

// A measured table: no names, no velocities; the first body that moves follows it evenly, and stands before and after.
START_TEST(a_measured_table_moves_evenly)
{
    ctScene *scene = loadScene();
    write("m.csv", "# measured\nqw,qx,qy,qz,time,x,y,z,remark\n"
                   "1,0,0,0,1,0,0,1,a\n0.70710678,0,0,-0.70710678,2,2,0,1,b\n\n0,0,0,1,4,2,4,1,c\n");
    ctGhost ghost;
    ctError error = {ct_ok, ""};
    ck_assert_msg(load(&ghost, "m.csv", scene, &error), "%s", error.message);
    ctBodyId ball = ctWorld_FindBody(scene->world, "ball");
    static const struct {
        double time, x, y, degrees;
    } at[] = {{0, 0, 0, 0},    {1, 0, 0, 0},   {1.25, 0.5, 0, -22.5}, {2, 2, 0, -90},
              {3, 2, 2, -135}, {4, 2, 4, 180}, {9, 2, 4, 180}};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        ctTransform pose;
        ctVec3 center;
        ck_assert(ctGhost_At(&ghost, ball, at[i].time, &pose, &center));
        ctAssertClose(ctDistance(center, ctV3(at[i].x, at[i].y, 1)), 0.0, 1e-7);
        double half = 0.5 * at[i].degrees * CT_PI / 180.0, same = pose.q.w * cos(half) + pose.q.z * sin(half);
        ctAssertClose(fabs(same), 1.0, 1e-7);
    }
    ctGhost_Free(&ghost);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(bad_tables_are_refused_with_line_and_column)
{
#define HEAD "time,body,x,y,z,qw,qx,qy,qz\n"
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", ":1: the file is empty"},
        {HEAD, ":1: no row of a body that moves"},
        {"time,body,x,y,z,qw,qx,qy\n", ":1: a trace has columns time,body,x,y,z,qw,qx,qy,qz; there is no 'qz'"},
        {"time,time,x,y,z,qw,qx,qy,qz\n", ":1: two columns are called 'time'"},
        {HEAD "0,ball,0,0,1,1,0,0\n", ":2: 8 fields where the header has 9 columns"},
        {HEAD "0,ball,0,0,1,1,0,0,0\n0.1,bell,0,0,1,1,0,0,0\n", ":3: body: the scene has no body 'bell'"},
        {HEAD "0,ball,0,0,1,1,0,0,0\n0.1,ball,0,0,nan,1,0,0,0\n", ":3: z: not a finite number: 'nan'"},
        {HEAD "0,ball,0,x,1,1,0,0,0\n", ":2: y: not a finite number: 'x'"},
        {HEAD "0,ball,0,,1,1,0,0,0\n", ":2: y: not a finite number: ''"},
        {HEAD "0.2,ball,0,0,1,1,0,0,0\n0.1,ball,0,0,1,1,0,0,0\n", ":3: time: is not after the body's last one: '0.1'"},
        {HEAD "0.2,ball,0,0,1,1,0,0,0\n0.2,ball,0,0,1,1,0,0,0\n", ":3: time: is not after the body's last one: '0.2'"},
        {HEAD "0,ball,0,0,1,0,0,0,0\n", ":2: qw: the rotation is no unit quaternion"},
        {HEAD "inf,ball,0,0,1,1,0,0,0\n", ":2: time: not a finite number: 'inf'"},
    };
    ctScene *scene = loadScene();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write("bad.csv", bad[i].text);
        ctGhost ghost;
        ctError error = {ct_ok, ""};
        ck_assert_msg(!load(&ghost, "bad.csv", scene, &error), "case %zu is taken", i);
        ck_assert_msg(error.status == ct_badArgument && strstr(error.message, bad[i].message) != NULL &&
                          strstr(error.message, "bad.csv:") != NULL,
                      "case %zu: %s", i, error.message);
        ck_assert(ghost.count == 0 && ghost.samples == NULL);
    }
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(commands_refuse_bad_ghosts)
{
    write("bad.csv", "time,body,x,y,z,qw,qx,qy,qz\n0,nobody,0,0,1,1,0,0,0\n");
    ctCommandOutput out = ctRunCommand("$CLATTER record $T/two.lua --ghost $T/bad.csv --out $T/frames; s=$?; "
                                       "test ! -e $T/frames && exit $s");
    ck_assert_msg(out.status == 2 && strstr(out.text, "bad.csv:2: body: the scene has no body 'nobody'") != NULL,
                  "%d %s", out.status, out.text);
    out = ctRunCommand("$CLATTER record $T/two.lua --ghost $T/nothing.csv --out $T/frames");
    ck_assert_msg(out.status == 2 && strstr(out.text, "nothing.csv: No such file") != NULL, "%d %s", out.status,
                  out.text);
    out = ctRunCommand("$CLATTER run $T/two.lua --ghost $T/bad.csv");
    ck_assert_msg(out.status == 2 && strstr(out.text, "bad.csv:2: body") != NULL, "%d %s", out.status, out.text);
}
END_TEST

// A picture with a ghost that is elsewhere differs; recording.json makes it again.
START_TEST(a_recording_shows_the_ghost)
{
    ctRunCommand("$CLATTER sim $T/two.lua --set e=0.1 --seconds 1 --trace $T/other.csv");
    static const char *const extra[] = {"", "--ghost $T/other.csv"};
    for (int i = 0; i < 2; i++) {
        ctCommandOutput out =
            ctRunCommand("SDL_VIDEODRIVER=offscreen $CLATTER record $T/two.lua --size 160x100 --fps 4 "
                         "--seconds 1 %s --out $T/f%d",
                         extra[i], i);
        ck_assert_msg(out.status == 0, "%s", out.text);
    }
    ck_assert_int_eq(ctRunCommand("cmp $T/f0/frame_000000.png $T/f1/frame_000000.png").status, 0); // in one place
    ck_assert_int_ne(ctRunCommand("cmp $T/f0/frame_000003.png $T/f1/frame_000003.png").status, 0);
    ctCommandOutput out =
        ctRunCommand("SDL_VIDEODRIVER=offscreen $CLATTER record --from $T/f1/recording.json --out $T/f2 && "
                     "cmp $T/f1/frame_000003.png $T/f2/frame_000003.png");
    ck_assert_msg(out.status == 0, "%s", out.text);
}
END_TEST

// The demo: the measured poses of every toss load, and begin where the simulation begins.
START_TEST(the_demo_starts_where_it_was_measured)
{
    for (int i = 1; i <= 8; i++) {
        ctSetting toss = {"toss", i};
        ctSceneOptions options = {.settings = &toss, .settingCount = 1};
        ctError error = {ct_ok, ""};
        ctScene *scene = ctScene_Load("toss", &options, &error);
        ck_assert_msg(scene != NULL && scene->ghost != NULL, "%s", error.message);
        ctGhost ghost;
        ck_assert_msg(ctGhost_Load(&ghost, scene->ghost, scene->world, &error), "%s", error.message);
        ctBodyId cube = ctWorld_FindBody(scene->world, "cube");
        double distance, angle;
        ck_assert(ctGhost_Difference(&ghost, cube, 0.0, ctBody_GetCenter(scene->world, cube),
                                     ctBody_GetTransform(scene->world, cube).q, &distance, &angle));
        ck_assert_msg(distance < 0.006 && angle < 1e-3, "toss %d: %g m, %g rad", i, distance, angle);
        while (ctWorld_GetTime(scene->world) < 0.5) {
            ck_assert(ctWorld_Step(scene->world, &error));
        }
        ck_assert(ctGhost_Difference(&ghost, cube, ctWorld_GetTime(scene->world), ctBody_GetCenter(scene->world, cube),
                                     ctBody_GetTransform(scene->world, cube).q, &distance, &angle));
        ck_assert_msg(distance < (i <= 3 ? 0.02 : 0.12), "toss %d: %g m apart", i, distance);
        ctGhost_Free(&ghost);
        ctScene_Destroy(scene);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ghost");
    TCase *core = tcase_create("ghost");
    tcase_set_timeout(core, 60);
    tcase_add_checked_fixture(core, begin, end);
    tcase_add_test(core, a_trace_of_the_scene_is_where_its_bodies_are);
    tcase_add_test(core, a_measured_table_moves_evenly);
    tcase_add_test(core, bad_tables_are_refused_with_line_and_column);
    tcase_add_test(core, commands_refuse_bad_ghosts);
    tcase_add_test(core, a_recording_shows_the_ghost);
    tcase_add_test(core, the_demo_starts_where_it_was_measured);
    suite_add_tcase(suite, core);
    return ctRunSuite(suite);
}
