// The viewer's panels as a person uses them: small windows, quick hands, curves.
#include "scenes/scene.h"
#include "tests/support/command.h"
#include "tests/support/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A pebble of a millimetre, without a camera.
static const char *const pebble =
    "-- A pebble, very small.\n--\n-- It rests.\n"
    "body { name = \"ground\", shape = plane { normal = {0, 0, 1}, offset = 0 } }\n"
    "body { name = \"pebble\", shape = sphere { radius = 1e-3 }, position = {5, 0, 1e-3} }\n";

static const char *const bounce =
    "scene { camera = { eye = {0, -3, 1}, target = {0, 0, 0.5} } }\n"
    "material(\"steel\", { friction = 0.2, restitution = 1 })\n"
    "body { name = \"floor\", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = \"steel\" }\n"
    "body { name = \"ball\", shape = sphere { radius = 0.1 }, position = {0, 0, 0.2}, material = \"steel\" }\n";

static bool inside(const ctSession *s, const char *widget, double width, double height)
{
    double r[4];
    ctSession_RectOf(s, widget, r);
    return r[0] >= 0.0 && r[1] >= 0.0 && r[0] + r[2] <= width && r[1] + r[3] <= height;
}

// Half the distance from the eye to a pebble at (5, 0, 0.001), in pebbles.
static double awayFromPebble(const ctSession *s)
{
    double e[3] = {0.0, 0.0, 0.0};
    const char *eye = strstr(s->state, " eye=");
    ck_assert_int_eq(sscanf(eye, " eye=%lf,%lf,%lf", &e[0], &e[1], &e[2]), 3);
    return sqrt((e[0] - 5.0) * (e[0] - 5.0) + e[1] * e[1] + (e[2] - 1e-3) * (e[2] - 1e-3)) / 2e-3;
}

START_TEST(a_small_window_keeps_every_button_in_its_menu)
{
    static const char *const options[] = {"--size=400x300", "--scale=1.6"};
    for (int i = 0; i < 2; i++) {
        double width = i == 0 ? 400.0 : 900.0, height = i == 0 ? 300.0 : 640.0;
        ctSession *s = ctSession_Begin("pebble.lua", pebble, options[i]);
        ctSession_WaitFor(s, ctSession_HasWidget(s, "bar|≡"));
        ctSession_Pin();
        ck_assert(inside(s, "bar|≡", width, height));
        ck_assert(inside(s, "bar|Scenes ▾", width, height));
        ctSession_Press(s, "bar|≡");
        ctSession_WaitFor(s, ctSession_HasWidget(s, "menu|Help"));
        // The menu takes its place when it knows its size, some pictures later.
        double pictures = ctSession_Number(s, "frames");
        ctSession_WaitFor(s, ctSession_Number(s, "frames") > pictures + 5.0);
        ck_assert(inside(s, "menu|Help", width, height));
        ck_assert(!ctSession_HasWidget(s, "bar|Help"));
        ctSession_Press(s, "menu|Help");
        ctSession_WaitFor(s, ctSession_Says(s, "help=1"));
        ctSession_Do("mousemove %.0f %.0f key Escape key o", 0.5 * width, 0.5 * height);
        // Two pictures of demos stand side by side.
        ctSession_WaitFor(s, ctSession_HasWidget(s, "Scenes|Bowling") && ctSession_HasWidget(s, "Scenes|Dominoes"));
        double first[4], second[4];
        ctSession_RectOf(s, "Scenes|Bowling", first);
        ctSession_RectOf(s, "Scenes|Dominoes", second);
        ck_assert(first[0] + first[2] <= second[0] && fabs(first[1] - second[1]) < 1.0);
        ck_assert(inside(s, "Scenes|Bowling", width, height) && inside(s, "Scenes|Dominoes", width, height));
        ctSession_End(s);
    }
}
END_TEST

// It starts in the picture however small it is; after a move the button brings it back.
START_TEST(everything_is_brought_into_the_picture)
{
    ctSession *s = ctSession_Begin("pebble.lua", pebble, "--paused");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "bar|Fit") && ctSession_Number(s, "frames") > 2.0);
    ctSession_Pin();
    double at = awayFromPebble(s), world[3], window[2];
    ck_assert_msg(at > 0.5 && at < 10.0, "%g from the pebble", at);
    ctSession_Place(s, "pebble", world, window);
    // In the middle of what the panel on the left, the bar and the timeline leave free.
    ctAssertClose(window[0], 302.0 + 0.5 * (900.0 - 302.0), 20.0);
    ctAssertClose(window[1], 0.5 * (40.0 + 640.0 - 48.0), 40.0);
    // Ten notches of the wheel between two pictures: each counts.
    ctSession_Do("mousemove 600 330 click --repeat 10 --delay 0 5");
    ctSession_WaitFor(s, awayFromPebble(s) > 0.99 * exp(1.2) * at); // nine are 0.89 of it
    ctSession_Nap(1.0);
    ctSession_Listen(s, 0.2);
    ctSession_Press(s, "bar|Fit");
    ctSession_WaitFor(s, awayFromPebble(s) < 1.2 * at);
    ctSession_End(s);
}
END_TEST

// Three keys and a click that is over before the next picture: none is lost, and the click counts where it was made.
START_TEST(quick_hands_lose_nothing)
{
    ctSession *s = ctSession_Begin("pebble.lua", pebble, "--paused");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "bar|▶ Play"));
    ctSession_Pin();
    ctSession_Do("key --delay 0 Right Right Right Right Right");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 4.5 / 60.0);
    ctAssertClose(ctSession_Number(s, "now"), 5.0 / 60.0, 1e-6);
    ctSession_Do("key --delay 0 Left Left Left");
    ctSession_WaitFor(s, ctSession_Number(s, "now") < 4.5 / 60.0);
    ctAssertClose(ctSession_Number(s, "now"), 2.0 / 60.0, 1e-6);
    double r[4];
    ctSession_RectOf(s, "bar|▶ Play", r);
    ctSession_Do("mousemove %.0f %.0f click --delay 0 1 mousemove 600 330", r[0] + 10.0, r[1] + 10.0);
    ctSession_WaitFor(s, ctSession_Says(s, "playing=1"));
    ctSession_End(s);
}
END_TEST

// Every bounce is heard while the sound is on, none while it is off.
START_TEST(impacts_are_heard_until_a_key_turns_them_off)
{
    ctSession *s = ctSession_Begin("bounce.lua", bounce, NULL);
    ctSession_WaitFor(s, ctSession_Number(s, "strikes") > 2.0);
    ck_assert(ctSession_Number(s, "strikes") <= ctSession_Number(s, "impacts"));
    ctSession_Pin();
    ctSession_Do("key s");
    ctSession_Nap(0.5);
    double end = ctSession_Now() + 1.0;
    while (ctSession_Now() < end) {
        ctSession_Listen(s, 0.1);
    }
    double heard = ctSession_Number(s, "strikes"), happened = ctSession_Number(s, "impacts");
    ctSession_WaitFor(s, ctSession_Number(s, "impacts") > happened + 2.0);
    ck_assert(ctSession_Number(s, "strikes") == heard);
    ctSession_End(s);
}
END_TEST

static void record(ctSession *s, double frames)
{
    ctSession_Do("key F9");
    ctSession_WaitFor(s, ctSession_Says(s, "recording=1") && ctSession_Number(s, "recorded") > frames);
    ctSession_Do("key F9");
    ctSession_WaitFor(s, ctSession_Says(s, "recording=0"));
}

static ctCommandOutput tracksOf(const ctSession *s, const char *name)
{
    return ctRunCommand("ffprobe -v error -show_entries stream=codec_type,duration -of csv=p=0 %s/%s", s->folder, name);
}

// A recording has what was heard as a track as long as its pictures, and none while the sound is off.
START_TEST(a_recording_has_a_sound_track_unless_sound_is_off)
{
    ctSession *s = ctSession_Begin("bounce.lua", bounce, NULL);
    ctSession_WaitFor(s, ctSession_Says(s, "playing=1"));
    ctSession_Pin();
    record(s, 60.0);
    ctSession_Do("key s");
    ctSession_Nap(0.3);
    record(s, 10.0);
    double video = 0.0, audio = 0.0;
    ctCommandOutput out = tracksOf(s, "clatter-bounce-001.mp4");
    ck_assert_msg(sscanf(out.text, "video,%lf audio,%lf", &video, &audio) == 2, "%s", out.text);
    ck_assert_msg(video > 0.5 && fabs(video - audio) < 0.05, "%g s of pictures, %g s of sound", video, audio);
    out = tracksOf(s, "clatter-bounce-002.mp4");
    ck_assert_msg(strstr(out.text, "video") != NULL && strstr(out.text, "audio") == NULL, "%s", out.text);
    // The ball strikes more than once in that time: it is heard.
    out = ctRunCommand("ffmpeg -hide_banner -nostdin -i %s/clatter-bounce-001.mp4 -af volumedetect -f null - 2>&1",
                       s->folder);
    const char *loudest = strstr(out.text, "max_volume: ");
    ck_assert_msg(loudest != NULL && strtod(loudest + 12, NULL) > -40.0, "%s", out.text);
    ck_assert_str_eq(ctRunCommand("ls %s | grep tmp", s->folder).text, "");
    ctSession_End(s);
}
END_TEST

// A ball at rest is given a velocity by dragging a number, saved, taken away; the file opens as a scene.
START_TEST(hands_change_save_and_delete)
{
    ctSession *s = ctSession_Begin("ice.lua",
                                   "scene { gravity = {0, 0, 0}, camera = { eye = {0, -8, 1}, target = {0, 0, 0} } }\n"
                                   "body { name = \"ball\", shape = sphere { radius = 0.5 } }\n"
                                   "body { name = \"other\", shape = sphere { radius = 0.5 }, position = {0, 0, 2} }\n",
                                   "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, " ball@") && ctSession_Number(s, "frames") > 3.0);
    ctSession_Pin();
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    double world[3], window[2], r[4];
    ctSession_Place(s, "ball", world, window);
    ctSession_Do("mousemove %.0f %.0f sleep 0.2 click 1", window[0], window[1]);
    ctSession_WaitFor(s, ctSession_HasWidget(s, "ball|Change"));
    ctSession_Press(s, "ball|Change");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "ball|velocity"));
    double pictures = ctSession_Number(s, "frames");
    ctSession_WaitFor(s, ctSession_Number(s, "frames") > pictures + 3.0);
    // The first of the three numbers is its x component.
    ctSession_RectOf(s, "ball|velocity", r);
    ctSession_Do("mousemove %.0f %.0f sleep 0.3 mousedown 1 sleep 0.3 mousemove_relative 30 0 sleep 0.3 "
                 "mousemove_relative 30 0 sleep 0.3 mouseup 1",
                 r[0] + 20.0, r[1] + 0.5 * r[3]);
    ctSession_Do("mousemove 600 330 key Right key Right key Right");
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 2.5 / 60.0);
    ctSession_Place(s, "ball", world, window);
    ck_assert_msg(world[0] > 0.001, "%s", s->state);
    ctSession_Press(s, "ice|Copy as command");
    ctSession_WaitFor(s, ctSession_Number(s, "copied") > 10.0);
    ck_assert_msg(ctSession_Number(s, "copied") < 120.0, "%s", s->state);
    ctSession_Press(s, "ice|Copy as scene");
    ctSession_WaitFor(s, ctSession_Number(s, "copied") > 500.0);
    ctSession_Do("mousemove 600 330 key ctrl+s");
    char path[160];
    snprintf(path, sizeof path, "%s/clatter-ice-001.snap", s->folder);
    double until = ctSession_Now() + 20.0;
    while (access(path, R_OK) != 0 && ctSession_Now() < until) {
        ctSession_Listen(s, 0.1);
    }
    ctError error = {0};
    ctScene *saved = ctScene_Load(path, NULL, &error);
    ck_assert_msg(saved != NULL, "%s", error.message);
    ctBodyId ball = ctWorld_FindBody(saved->world, "ball");
    ctAssertClose(ctBody_GetCenter(saved->world, ball).x, world[0], 1e-3);
    ck_assert(ctBody_GetVelocity(saved->world, ball).x > 0.05);
    ctScene_Destroy(saved);
    ctSession_Do("key Delete");
    ctSession_WaitFor(s, ctSession_Number(s, "bodies") == 1.0);
    ctSession_End(s);
    // What is no snapshot is refused.
    FILE *f = fopen("build/test_no.snap", "w");
    fputs("nothing", f);
    fclose(f);
    ck_assert(ctScene_Load("build/test_no.snap", NULL, &error) == NULL);
    ck_assert_ptr_nonnull(strstr(error.message, "test_no.snap"));
    remove("build/test_no.snap");
}
END_TEST

// The height of a falling ball as a curve: the parabola, to a file; a click in the plot goes back in time.
START_TEST(curves_of_a_body_are_drawn_saved_and_lead_back)
{
    ctSession *s = ctSession_Begin("fall.lua",
                                   "scene { camera = { eye = {0, -60, 0}, target = {0, 0, 0}, fov = 50 } }\n"
                                   "body { name = \"ball\", shape = sphere { radius = 2 }, position = {0, 0, 10} }\n"
                                   "measure(\"drop\", function(w) return 10 - w:body(\"ball\").position[3] end)\n",
                                   "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, " ball@") && ctSession_Number(s, "frames") > 3.0);
    ctSession_Pin();
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    double world[3], window[2], r[4];
    for (int i = 0; i < 5; i++) { // a past from before the curves
        ctSession_Do("mousemove 400 120 key Right");
    }
    ctSession_WaitFor(s, ctSession_Number(s, "now") > 4.9 / 60.0);
    ctSession_Place(s, "ball", world, window);
    ctSession_Do("mousemove %.0f %.0f sleep 0.2 click 1", window[0], window[1]);
    ctSession_WaitFor(s, ctSession_Says(s, "selected=ball"));
    ctSession_Do("mousemove 400 120 key k");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Curves|##quantity"));
    double pictures = ctSession_Number(s, "frames");
    ctSession_WaitFor(s, ctSession_Number(s, "frames") > pictures + 3.0);
    ctSession_Press(s, "Curves|##quantity");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Curves|height"));
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    ctSession_Press(s, "Curves|height");
    ctSession_Nap(0.5);
    ctSession_Press(s, "Curves|Add");
    ctSession_WaitFor(s, ctSession_Number(s, "samples") >= 6.0); // frames 0 to 5
    ctSession_Press(s, "Curves|##quantity");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Curves|drop"));
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    ctSession_Press(s, "Curves|drop");
    ctSession_Nap(0.5);
    ctSession_Press(s, "Curves|Add");
    ctSession_Nap(0.5);
    for (int i = 0; i < 25; i++) {
        ctSession_Do("mousemove 400 120 key Right");
    }
    ctSession_WaitFor(s, ctSession_Number(s, "samples") >= 31.0);
    pictures = ctSession_Number(s, "frames");
    ctSession_WaitFor(s, ctSession_Number(s, "frames") > pictures + 3.0);
    ctSession_Press(s, "Curves|Save CSV");
    char path[160], line[256];
    snprintf(path, sizeof path, "%s/clatter-fall-001.csv", s->folder);
    double until = ctSession_Now() + 20.0;
    while (access(path, R_OK) != 0 && ctSession_Now() < until) {
        ctSession_Listen(s, 0.1);
    }
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, f));
    ck_assert_str_eq(line, "time,height of ball (m),drop\n");
    int rows = 0, drops = 0;
    for (double t, z, drop; fgets(line, sizeof line, f) != NULL; rows++) {
        int n = sscanf(line, "%lf,%lf,%lf", &t, &z, &drop);
        ck_assert_int_ge(n, 2);
        ctAssertClose(z, 10.0 - 0.5 * 9.81 * t * t, 1e-9);
        if (n > 2 && !isnan(drop)) {
            ctAssertClose(drop, 10.0 - z, 1e-9);
            drops++;
        }
    }
    fclose(f);
    ck_assert_int_eq(rows, 31);
    ck_assert_int_eq(drops, 25);
    // Half way along the plot is half way back.
    ctSession_RectOf(s, "Curves|Curves", r);
    ctSession_Do("mousemove %.0f %.0f sleep 0.3 mousedown 1 sleep 0.3 mouseup 1", r[0] + 0.55 * r[2],
                 r[1] + 0.5 * r[3]);
    ctSession_WaitFor(s, ctSession_Number(s, "now") < 0.4);
    ck_assert(ctSession_Number(s, "now") > 0.1);
    ctSession_End(s);
}
END_TEST

// Chooses a quantity and adds its curve.
static void addCurve(ctSession *s, const char *quantity)
{
    char widget[64];
    snprintf(widget, sizeof widget, "Curves|%s", quantity);
    double pictures = ctSession_Number(s, "frames");
    ctSession_WaitFor(s, ctSession_Number(s, "frames") > pictures + 3.0);
    ctSession_Press(s, "Curves|##quantity");
    ctSession_WaitFor(s, ctSession_HasWidget(s, widget));
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    ctSession_Press(s, widget);
    ctSession_Nap(0.5);
    ctSession_Press(s, "Curves|Add");
    ctSession_Nap(0.5);
}

// Presses the button and reads the picture of this number when it is there.
static void savePicture(ctSession *s, int number, char *text, size_t size)
{
    char path[160];
    snprintf(path, sizeof path, "%s/clatter-fall-%03d.svg", s->folder, number);
    double pictures = ctSession_Number(s, "frames");
    ctSession_WaitFor(s, ctSession_Number(s, "frames") > pictures + 3.0);
    ctSession_Press(s, "Curves|Save SVG");
    double until = ctSession_Now() + 20.0;
    while (access(path, R_OK) != 0 && ctSession_Now() < until) {
        ctSession_Listen(s, 0.1);
    }
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "no %s", path);
    size_t n = fread(text, 1, size - 1, f);
    text[n] = '\0';
    fclose(f);
    ck_assert_msg(strncmp(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39) == 0, "%s", text);
    ck_assert_msg(n > 7 && strcmp(text + n - 7, "</svg>\n") == 0, "%s", text);
}

static int countOf(const char *text, const char *what)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, what)) != NULL; p++) {
        n++;
    }
    return n;
}

// Two curves of a falling ball as a picture: over time, then the one over the other: a straight line, for the measure
// is what the height has lost. Its name needs care in a picture.
START_TEST(curves_are_saved_as_a_picture_over_time_and_over_each_other)
{
    ctSession *s = ctSession_Begin("fall.lua",
                                   "scene { camera = { eye = {0, -60, 0}, target = {0, 0, 0}, fov = 50 } }\n"
                                   "body { name = \"ball\", shape = sphere { radius = 2 }, position = {0, 0, 10} }\n"
                                   "measure(\"a<b & c\", function(w) return 10 - w:body(\"ball\").position[3] end)\n",
                                   "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, " ball@") && ctSession_Number(s, "frames") > 3.0);
    ctSession_Pin();
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    double world[3], window[2];
    char text[16384];
    ctSession_Place(s, "ball", world, window);
    ctSession_Do("mousemove %.0f %.0f sleep 0.2 click 1", window[0], window[1]);
    ctSession_WaitFor(s, ctSession_Says(s, "selected=ball"));
    ctSession_Do("mousemove 400 120 key k");
    ctSession_WaitFor(s, ctSession_HasWidget(s, "Curves|##quantity"));
    addCurve(s, "height");
    addCurve(s, "a<b & c");
    for (int i = 0; i < 12; i++) {
        ctSession_Do("mousemove 400 120 key Right");
    }
    ctSession_WaitFor(s, ctSession_Number(s, "samples") >= 13.0);
    savePicture(s, 1, text, sizeof text);
    ck_assert_ptr_nonnull(strstr(text, ">time (s)</text>"));
    ck_assert_ptr_nonnull(strstr(text, ">height of ball (m)</text>"));
    ck_assert_ptr_nonnull(strstr(text, ">a&lt;b &amp; c</text>"));
    ck_assert_int_eq(countOf(text, "<polyline"), 2);
    ctSession_Press(s, "Curves|phase");
    ctSession_Nap(0.5);
    savePicture(s, 2, text, sizeof text);
    ck_assert_ptr_null(strstr(text, "time (s)"));
    const char *below = strstr(text, "text-anchor=\"middle\">height of ball (m)</text>");
    ck_assert_msg(below != NULL && strstr(text, ">a&lt;b &amp; c</text>") != NULL, "%s", text);
    ck_assert_int_eq(countOf(text, "<polyline"), 1);
    // As it falls the point goes to the left and up, on one straight line to the corner. Heights from before the
    // measure was added have no point, and no part in the range: the first point is at the right border.
    const char *points = strstr(text, "points=\"");
    double firstX = 0.0, firstY = 0.0, lastX = INFINITY;
    int n = 0, used = 0;
    points += strlen("points=\"");
    for (double x, y; sscanf(points, "%lf,%lf %n", &x, &y, &used) == 2; points += used, n++, lastX = x) {
        firstX = n == 0 ? x : firstX;
        firstY = n == 0 ? y : firstY;
        ck_assert_msg(x < lastX, "%s", text);
        ctAssertClose((x - 60.0) * (firstY - 60.0), (y - 60.0) * (firstX - 60.0), 10.0);
    }
    ck_assert_int_eq(n, 12);
    ctAssertClose(firstX, 740.0, 0.02);
    ctAssertClose(lastX, 60.0, 0.02);
    ctSession_End(s);
}
END_TEST

// Three points of a wall a metre apart, seen from the front: clicked, their distance and the right angle between them.
START_TEST(distances_and_angles_are_measured_by_clicks)
{
    ctSession *s =
        ctSession_Begin("wall.lua",
                        "scene { gravity = {0, 0, 0}, camera = { eye = {0, -6, 0}, target = {0, 0, 0}, fov = 40 } }\n"
                        "body { name = \"wall\", motion = \"fixed\", shape = box { size = {8, 0.2, 8} },\n"
                        "       position = {0, 0.1, 0} }\n"
                        "for i, p in ipairs({ {0, 1}, {0, 0}, {1, 0} }) do\n"
                        "  body { name = \"mark\" .. i, motion = \"fixed\", shape = sphere { radius = 0.01 },\n"
                        "         position = {p[1], -0.01, p[2]} }\nend\n",
                        "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, " mark3@") && ctSession_Number(s, "frames") > 3.0);
    ctSession_Pin();
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    ctSession_Do("mousemove 600 330 key d");
    for (int i = 1; i <= 3; i++) {
        char name[16];
        double world[3], window[2];
        snprintf(name, sizeof name, "mark%d", i);
        ctSession_Place(s, name, world, window);
        ctSession_Do("mousemove %.0f %.0f sleep 0.2 click 1 sleep 0.2", window[0], window[1]);
        if (i == 2) {
            ctSession_WaitFor(s, ctSession_Number(s, "distance") > 0.0);
        }
    }
    ctSession_WaitFor(s, ctSession_Number(s, "angle") > 0.0);
    // To a pixel: some six millimetres here.
    ctAssertClose(ctSession_Number(s, "distance"), 1.0, 0.03);
    ctAssertClose(ctSession_Number(s, "angle"), 90.0, 1.5);
    ctSession_End(s);
}
END_TEST

// The panel of a body stays in the window when its numbers are long.
START_TEST(the_panel_of_a_fast_body_stays_in_the_window)
{
    ctSession *s = ctSession_Begin("fast.lua",
                                   "scene { gravity = {0, 0, 0}, camera = { eye = {0, -8, 1}, target = {0, 0, 0} } }\n"
                                   "body { name = \"ball\", shape = sphere { radius = 0.5 },\n"
                                   "       velocity = {-1.23456e-7, -1.23456e-7, 1.23456e-7},\n"
                                   "       spin = {-123456.7, -98765.4, -1.23456e-7} }\n",
                                   "--paused");
    ctSession_WaitFor(s, ctSession_Says(s, " ball@") && ctSession_Number(s, "frames") > 3.0);
    ctSession_Pin();
    ctSession_Nap(0.5);
    ctSession_Listen(s, 0.2);
    double world[3], window[2];
    ctSession_Place(s, "ball", world, window);
    ctSession_Do("mousemove %.0f %.0f sleep 0.2 click 1", window[0], window[1]);
    ctSession_WaitFor(s, ctSession_HasWidget(s, "ball|Its impacts"));
    ck_assert(inside(s, "ball|Its impacts", 900.0, 640.0));
    ctSession_End(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("viewer_panels");
    TCase *window = tcase_create("window");
    tcase_set_timeout(window, 60);
    tcase_add_test(window, a_small_window_keeps_every_button_in_its_menu);
    tcase_add_test(window, everything_is_brought_into_the_picture);
    tcase_add_test(window, quick_hands_lose_nothing);
    tcase_add_test(window, impacts_are_heard_until_a_key_turns_them_off);
    tcase_add_test(window, a_recording_has_a_sound_track_unless_sound_is_off);
    tcase_add_test(window, hands_change_save_and_delete);
    tcase_add_test(window, curves_of_a_body_are_drawn_saved_and_lead_back);
    tcase_add_test(window, curves_are_saved_as_a_picture_over_time_and_over_each_other);
    tcase_add_test(window, distances_and_angles_are_measured_by_clicks);
    tcase_add_test(window, the_panel_of_a_fast_body_stays_in_the_window);
    suite_add_tcase(suite, window);
    return ctRunSuite(suite);
}
