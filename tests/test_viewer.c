// The viewer as a person uses it: a real window on a virtual display, real keys and clicks, and what it says about
// itself on standard output (--print-state).
#include "collision/error.h"
#include "tests/support/session.h"

#include <fcntl.h>
#include <math.h>
#include <png.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A ball that slides without friction, seen from the side; the camera's pixels are easy to reckon.
static const char *const slidingBall =
    "-- A ball on ice.\n"
    "scene { title = \"Ice\", seconds = 60,\n"
    "        camera = { eye = {0, -8, 1}, target = {0, 0, 0.5}, fov = 40 } }\n"
    "material(\"ice\", { friction = 0, restitution = 0 })\n"
    "body { name = \"floor\", motion = \"fixed\", shape = plane { normal = {0, 0, 1}, offset = 0 },\n"
    "       material = \"ice\" }\n"
    "body { name = \"ball\", shape = sphere { radius = 0.2 }, position = {-2, 0, 0.2},\n"
    "       velocity = {0.1, 0, 0}, mass = 1, material = \"ice\" }\n";

// The ball's velocity along x, from two states half a simulated second apart.
static double speedOfBall(ctSession *s)
{
    double world[2][3], window[2], at[2];
    for (int i = 0; i < 2; i++) {
        ctSession_Place(s, "ball", world[i], window);
        at[i] = ctSession_Number(s, "now");
        if (i == 0) {
            ctSession_WaitFor(s, ctSession_Number(s, "now") > at[0] + 0.5);
        }
    }
    return (world[1][0] - world[0][0]) / (at[1] - at[0]);
}

START_TEST(friction_acts_at_once_when_its_slider_moves)
{
    ctSession *s = ctSession_Begin("ice.lua", slidingBall, NULL);
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 0.2 && ctSession_HasWidget(s, "Ice|##mu ice"));
    ctSession_Pin();
    ctAssertClose(speedOfBall(s), 0.1, 1e-3);
    ctAssertClose(ctSession_Number(s, "mu"), 0.0, 0.0);
    ctSession_Slide(s, "Ice|##mu ice", 0.7);
    ctSession_WaitFor(s, ctSession_Number(s, "mu") > 0.5);
    double from = ctSession_Number(s, "now");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > from + 0.3);
    // Friction has made it roll: a sphere keeps 5/7 of its speed.
    ctAssertClose(speedOfBall(s), 0.1 * 5.0 / 7.0, 1e-3);
    ctSession_End(s);
}
END_TEST

// Slow motion by the keyboard, and a picture of the scene.
static void slowDownAndTakeAPicture(ctSession *s)
{
    ctSession_Do("key bracketleft key bracketleft");
    ctSession_WaitFor(s, fabs(ctSession_Number(s, "speed") - 0.25) < 1e-9);
    // A picture of the scene.
    ctSession_Do("key F12");
    char picture[160];
    snprintf(picture, sizeof picture, "%s/clatter-bounce-001.png", s->folder);
    double until = ctSession_Now() + 20.0;
    while (access(picture, R_OK) != 0 && ctSession_Now() < until) {
        ctSession_Listen(s, 0.1);
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    ck_assert(png_image_begin_read_from_file(&image, picture));
    ck_assert_uint_eq(image.width, 900);
    ck_assert_uint_eq(image.height, 640);
    png_image_free(&image);
}

// Back along the timeline, to the frame nearest to a fifth of a second, and on again.
static void goBackAndOn(ctSession *s)
{
    double world[3], window[2];
    double line[4], seconds = ctSession_Number(s, "length");
    ctSession_RectOf(s, "timeline|line", line);
    double x = line[0] + line[2] * 0.2 / seconds, y = line[1] + 0.5 * line[3];
    ctSession_Do("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mouseup 1", x, y);
    ctSession_WaitFor(s, ctSession_Number(s, "now") < 0.4);
    double back = ctSession_Number(s, "now");
    ctAssertClose(back, 0.2, 1.0 / 60.0 + 2.0 * seconds / line[2]);
    ctAssertClose(back * 60.0, round(back * 60.0), 1e-3);
    ctSession_Place(s, "ball", world, window);
    ctAssertClose(world[2], 1.2 - 0.5 * 9.81 * back * back, 1e-4);
    ck_assert(ctSession_Number(s, "end") > 0.6);
    ctSession_Do("mousemove 600 330 key n");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > back);
    ctAssertClose(ctSession_Number(s, "now"), sqrt(2.0 / 9.81), 1e-5);
}

static double heightOfBall(const ctSession *s)
{
    double world[3], window[2];
    ctSession_Place(s, "ball", world, window);
    return world[2];
}

START_TEST(time_stops_steps_and_runs_again)
{
    static const char *const bouncingBall =

        "-- A ball that bounces.\n"
        "scene { title = \"Bounce\", camera = { eye = {0, -8, 1}, target = {0, 0, 0.5}, fov = 40 } }\n"
        "material(\"rubber\", { friction = 0.5, restitution = 0.8 })\n"
        "body { name = \"floor\", motion = \"fixed\", shape = plane { normal = {0, 0, 1}, offset = 0 },\n"
        "       material = \"rubber\" }\n"
        "local h = param(\"height\", 1.2, 0.5, 3, \"height of the ball (m)\")\n"
        "body { name = \"ball\", shape = sphere { radius = 0.2 }, position = {0, 0, h}, material = \"rubber\" }\n";
    ctSession *s = ctSession_Begin("bounce.lua", bouncingBall, "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, "playing=0") && ctSession_HasWidget(s, "bar|Impact ▶|"));
    ctSession_Pin();
    ctAssertClose(ctSession_Number(s, "now"), 0.0, 0.0);
    ctSession_Do("key Right");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 0.0);
    ctAssertClose(ctSession_Number(s, "now"), 1.0 / 60.0, 1e-6);
    // The next impact: a fall of one metre.
    ctSession_Press(s, "bar|Impact ▶|");
    ctSession_WaitFor(s, ctSession_Number(s, "impacts") > 0.0);
    double world[3], window[2];
    ctSession_Place(s, "ball", world, window);
    ctAssertClose(ctSession_Number(s, "now"), sqrt(2.0 / 9.81), 1e-5);
    ctAssertClose(world[2], 0.2, 1e-4);
    // The inspector opens on it.
    ctSession_Do("mousemove 600 330 key i");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Impact inspector|Work of the normal force"));
    ck_assert(ctSession_Number(s, "inspected") == 0.0);
    // Play, pause, and nothing moves any more.
    ctSession_Do("key i key space");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 0.6);
    ctSession_Do("key space");
    ctSession_WaitFor(s, ctSession_Says(s, "playing=0"));
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.1);
    double stopped = ctSession_Number(s, "now");
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.1);
    ctAssertClose(ctSession_Number(s, "now"), stopped, 0.0);
    slowDownAndTakeAPicture(s);
    goBackAndOn(s);
    // From the beginning.
    ctSession_Do("key r");
    ctSession_WaitFor(s, ctSession_Number(s, "now") < 1e-9);
    // A parameter needs the script to run again: the ball starts from another height.
    ctSession_Do("key Right");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 0.0);
    ctSession_Slide(s, "Bounce|##height", 0.9);
    ctSession_WaitFor(s, ctSession_Number(s, "now") < 1e-9);
    ctSession_Place(s, "ball", world, window);
    ck_assert_msg(world[2] > 2.4 && world[2] < 3.0, "%s", s->state);
    // And a number that is typed.
    double r[4];
    ctSession_RectOf(s, "Bounce|##height number", r);
    ctSession_Do("mousemove %.0f %.0f sleep 0.3 click 1 sleep 0.6 key --delay 60 ctrl+a 1 "
                 "period 7 5 Return",
                 r[0] + 0.5 * r[2], r[1] + 0.5 * r[3]);
    ctSession_WaitFor(s, strstr(s->state, " ball@") != NULL && fabs(heightOfBall(s) - 1.75) < 1e-6);
    ctSession_End(s);
}
END_TEST

START_TEST(bodies_are_picked_pulled_and_thrown_and_the_window_resized)
{
    ctSession *s = ctSession_Begin("pick.lua", slidingBall, "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, "playing=0") && ctSession_Says(s, " ball@"));
    ctSession_Pin();
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    double world[3], window[2];
    ctSession_Place(s, "ball", world, window);
    ctSession_Do("mousemove %.0f %.0f sleep 0.2 click 1", window[0], window[1]);
    ctSession_WaitFor(s, ctSession_Says(s, "selected=ball"));
    // Pull it up and hold it there.
    ctSession_Do(
        "mousemove 600 500 key space mousemove %.0f %.0f sleep 0.1 mousedown 1 sleep 0.1 mousemove_relative 0 -20 "
        "sleep 0.1 "
        "mousemove_relative 0 -80",
        window[0], window[1]);
    ctSession_WaitFor(s, (ctSession_Place(s, "ball", world, window), world[2] > 0.5));
    ctSession_Do("mouseup 1");
    ctSession_WaitFor(s, (ctSession_Place(s, "ball", world, window), world[2] < 0.3));
    // One more body from the camera.
    ctSession_Do("mousemove 600 330 key b");
    ctSession_WaitFor(s, ctSession_Number(s, "bodies") == 3.0);
    // Back to the beginning it was never there.
    double line[4];
    ctSession_RectOf(s, "timeline|line", line);
    ctSession_Do("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mouseup 1", line[0] + 1.0,
                 line[1] + 0.5 * line[3]);
    ctSession_WaitFor(s, ctSession_Number(s, "bodies") == 2.0);
    ck_assert(ctSession_Number(s, "now") < 2.0 * ctSession_Number(s, "length") / line[2]);
    ctSession_Do("mousemove 600 330");
    // Away with the selection by a click into the sky; the view turns when it is dragged.
    ctSession_Do("key Escape");
    ctSession_WaitFor(s, ctSession_Says(s, "selected=-"));
    char eye[64];
    snprintf(eye, sizeof eye, "%.40s", strstr(s->state, " eye="));
    ctSession_Do("mousemove 600 120 sleep 0.1 mousedown 1 sleep 0.1 mousemove 680 140 sleep 0.1 mouseup 1");
    ctSession_WaitFor(s, strncmp(strstr(s->state, " eye="), eye, strlen(eye)) != 0);
    ctSession_Do("search --name Clatter windowsize 760 560 >/dev/null");
    ctSession_WaitFor(s, ctSession_Says(s, "size=760x560"));
    ctSession_End(s);
}
END_TEST

START_TEST(a_broken_scene_is_reported_and_the_old_one_stays)
{
    char broken[1024];
    ctSession *s = ctSession_Begin("edit.lua", slidingBall, NULL);
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 0.05);
    snprintf(broken, sizeof broken, "%sbody { name = \"second\", shape = sphere { radius = -1 } }\n", slidingBall);
    ctSession_WriteScene(s, "edit.lua", broken);
    ctSession_WaitFor(s, !ctSession_Says(s, "error=-"));
    ck_assert_msg(ctSession_Says(s, "edit.lua:9:"), "%s", s->state);
    ck_assert(ctSession_Number(s, "bodies") == 2.0);
    double from = ctSession_Number(s, "now");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > from + 0.05);
    snprintf(broken, sizeof broken,
             "%sbody { name = \"second\", shape = sphere { radius = 0.1 }, position = {0, 0, 3} }\n", slidingBall);
    ctSession_WriteScene(s, "edit.lua", broken);
    ctSession_WaitFor(s, ctSession_Says(s, "error=-") && ctSession_Number(s, "bodies") == 3.0);
    ctSession_End(s);
}
END_TEST

// A callback that fails stops the run and says where; going back and changing the scene are still possible.
START_TEST(a_failing_callback_stops_the_run)
{
    char text[1024];
    ctSession *s = ctSession_Begin("edit.lua", slidingBall, NULL);
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 0.05);
    snprintf(text, sizeof text, "%severy(0.5, function(world)\n  error('enough') end)\n", slidingBall);
    ctSession_WriteScene(s, "edit.lua", text);
    ctSession_WaitFor(s, !ctSession_Says(s, "error=-"));
    ck_assert_msg(ctSession_Says(s, "edit.lua:10: enough") && ctSession_Says(s, "playing=0"), "%s", s->state);
    ctSession_WriteScene(s, "edit.lua", slidingBall);
    ctSession_WaitFor(s, ctSession_Says(s, "error=-"));
    ctSession_End(s);
}
END_TEST

// ---- without a window -------------------------------------------------------------------------

// Runs a command line of clatter; its standard error goes into text. Returns the exit status.
static int run(const char *prefix, const char *arguments, char *text, size_t size)
{
    const char *given = getenv("CLATTER");
    char command[700];
    snprintf(command, sizeof command, "%s %s %s 2>&1 >/dev/null", prefix, given != NULL ? given : "build/clatter",
             arguments);
    FILE *pipe_ = popen(command, "r");
    ck_assert_ptr_nonnull(pipe_);
    size_t n = fread(text, 1, size - 1, pipe_);
    text[n] = '\0';
    int status = pclose(pipe_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

START_TEST(without_a_display_it_says_what_to_do_instead)
{
    char text[2000];
    ck_assert_int_eq(run("env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER", "run bowling", text, sizeof text), 1);
    ck_assert_msg(strstr(text, "display") != NULL && strstr(text, "clatter record bowling") != NULL, "%s", text);
}
END_TEST

START_TEST(bad_usage_is_refused)
{
    char text[2000];
    ck_assert_int_eq(run("", "run --size 12", text, sizeof text), 2);
    ck_assert_ptr_nonnull(strstr(text, "12"));
    ck_assert_int_eq(run("", "run --sise 800x600", text, sizeof text), 2);
    ck_assert_int_eq(run("", "run one two", text, sizeof text), 2);
    // A scene that is not there: said before a window is tried for.
    ck_assert_int_eq(run("env -u DISPLAY -u WAYLAND_DISPLAY", "run bowlin", text, sizeof text), 2);
    ck_assert_msg(strstr(text, "bowlin") != NULL, "%s", text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("viewer");
    TCase *window = tcase_create("window");
    tcase_set_timeout(window, 60);
    tcase_add_test(window, friction_acts_at_once_when_its_slider_moves);
    tcase_add_test(window, time_stops_steps_and_runs_again);
    tcase_add_test(window, bodies_are_picked_pulled_and_thrown_and_the_window_resized);
    tcase_add_test(window, a_broken_scene_is_reported_and_the_old_one_stays);
    tcase_add_test(window, a_failing_callback_stops_the_run);
    suite_add_tcase(suite, window);
    TCase *faults = tcase_create("faults");
    tcase_set_timeout(faults, 30);
    tcase_add_test(faults, without_a_display_it_says_what_to_do_instead);
    tcase_add_test(faults, bad_usage_is_refused);
    suite_add_tcase(suite, faults);
    return ctRunSuite(suite);
}
