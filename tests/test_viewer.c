// The viewer as a person uses it: a real window on a virtual display, real keys and clicks, and what it says about
// itself on standard output (--print-state).
#include "collision/error.h"
#include "tests/support/suite.h"

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

typedef struct session {
    pid_t server, viewer;
    int out;              // the viewer's standard output
    char buffer[1 << 16]; // what was read of it and not yet cut into lines
    size_t used;
    char state[2048];       // the last line of state
    char widgets[256][128]; // "PANEL|LABEL X Y W H"
    int widgetCount;
    char folder[64];
    char errors[128]; // the file with its standard error
} session;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void nap(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

// ---- the display ------------------------------------------------------------------------------

static void startServer(session *s)
{
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    s->server = fork();
    if (s->server == 0) {
        char fd[16];
        close(pipes[0]);
        snprintf(fd, sizeof fd, "%d", pipes[1]);
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        execlp("Xvfb", "Xvfb", "-displayfd", fd, "-screen", "0", "1000x720x24", "-nolisten", "tcp", (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    char number[16] = "", display[20];
    // To the end of the line: it must not find the pipe closed while it writes.
    for (size_t n = 0; n + 1 < sizeof number && strchr(number, '\n') == NULL; n++) {
        ck_assert_msg(read(pipes[0], number + n, 1) == 1, "Xvfb does not start");
    }
    close(pipes[0]);
    snprintf(display, sizeof display, ":%d", atoi(number));
    setenv("DISPLAY", display, 1);
    double until = now() + 20.0;
    while (system("xdotool getdisplaygeometry >/dev/null 2>&1") != 0) {
        ck_assert_msg(now() < until, "the virtual display %s does not answer", display);
        nap(0.1);
    }
}

static void startViewer(session *s, const char *scene, const char *option)
{
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    snprintf(s->errors, sizeof s->errors, "%s/errors.txt", s->folder);
    char program[512];
    const char *given = getenv("CLATTER");
    ck_assert_ptr_nonnull(realpath(given != NULL ? given : "build/clatter", program));
    s->viewer = fork();
    if (s->viewer == 0) {
        int errors = open(s->errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(pipes[1], 1);
        dup2(errors, 2);
        close(pipes[0]);
        char data[512];
        if (getcwd(data, sizeof data) != NULL) {
            char options[600];
            setenv("CLATTER_DATA", data, 1);
            snprintf(options, sizeof options, "suppressions=%s/tests/lsan.supp:print_suppressions=0", data);
            setenv("LSAN_OPTIONS", options, 1);
        }
        unsetenv("SDL_VIDEODRIVER");
        unsetenv("WAYLAND_DISPLAY");
        if (chdir(s->folder) != 0) {
            _exit(126);
        }
        execl(program, program, "run", scene, "--print-state", "--gl-debug", "--size", "900x640", option, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    s->out = pipes[0];
}

// Writes a scene into the session's folder, whole or not at all.
static void writeScene(const session *s, const char *name, const char *text)
{
    char path[160], temporary[168];
    snprintf(path, sizeof path, "%s/%s", s->folder, name);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *f = fopen(temporary, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_int_eq(rename(temporary, path), 0);
}

// Opens a scene of its own in a window of its own.
static session *begin(const char *name, const char *text, const char *option)
{
    session *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    strcpy(s->folder, "build/test_viewer_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(s->folder));
    writeScene(s, name, text);
    startServer(s);
    startViewer(s, name, option);
    return s;
}

// ---- what it says -----------------------------------------------------------------------------

static void takeLine(session *s, const char *line)
{
    if (strncmp(line, "state ", 6) == 0) {
        snprintf(s->state, sizeof s->state, "%.*s", (int)sizeof s->state - 1, line);
    } else if (strncmp(line, "widget ", 7) == 0) {
        // The rectangle is what stands behind the last four spaces.
        size_t name = strlen(line);
        for (int spaces = 0; name > 7 && spaces < 4; name--) {
            spaces += line[name - 1] == ' ' ? 1 : 0;
        }
        int i = 0;
        while (i < s->widgetCount && strncmp(s->widgets[i], line + 7, name - 7) != 0) {
            i++;
        }
        ck_assert_int_lt(i, 256);
        snprintf(s->widgets[i], sizeof s->widgets[i], "%.*s", (int)sizeof s->widgets[i] - 1, line + 7);
        s->widgetCount = i == s->widgetCount ? i + 1 : s->widgetCount;
    }
}

// Reads what there is, waiting at most so long for more. False when the viewer has closed its output.
static bool listen_(session *s, double seconds)
{
    struct pollfd p = {s->out, POLLIN, 0};
    if (poll(&p, 1, (int)(1e3 * seconds)) <= 0) {
        return true;
    }
    ssize_t n = read(s->out, s->buffer + s->used, sizeof s->buffer - s->used - 1);
    if (n <= 0) {
        return false;
    }
    s->used += (size_t)n;
    s->buffer[s->used] = '\0';
    char *line = s->buffer, *end;
    while ((end = strchr(line, '\n')) != NULL) {
        *end = '\0';
        takeLine(s, line);
        line = end + 1;
    }
    s->used = strlen(line);
    memmove(s->buffer, line, s->used + 1);
    return true;
}

static double number(const session *s, const char *key)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=", key);
    const char *found = strstr(s->state, pattern);
    return found != NULL ? atof(found + strlen(pattern)) : NAN;
}

static bool says(const session *s, const char *text)
{
    return strstr(s->state, text) != NULL;
}

// The place of a body, in the world and in the window.
static void place(const session *s, const char *body, double world[3], double window[2])
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s@", body);
    const char *bodies = strstr(s->state, " bodies:"), *found = bodies != NULL ? strstr(bodies, pattern) : NULL;
    if (found == NULL) {
        ck_abort_msg("no %s in: %s", body, s->state);
    }
    ck_assert_int_eq(
        sscanf(found + strlen(pattern), "%lf,%lf,%lf@%lf,%lf", &world[0], &world[1], &world[2], &window[0], &window[1]),
        5);
}

#define waitFor(s, condition)                                                                                          \
    do {                                                                                                               \
        double until_ = now() + 40.0;                                                                                  \
        while (!(condition)) {                                                                                         \
            ck_assert_msg(now() < until_ && listen_(s, 0.2), "waited in vain for %s; last: %s", #condition,            \
                          (s)->state);                                                                                 \
        }                                                                                                              \
    } while (0)

// ---- hands ------------------------------------------------------------------------------------

static void xdo(const char *format, ...) CT_PRINTF(1, 2);
static void xdo(const char *format, ...)
{
    char command[512] = "xdotool ";
    va_list args;
    va_start(args, format);
    vsnprintf(command + 8, sizeof command - 8, format, args);
    va_end(args);
    ck_assert_msg(system(command) == 0, "%s", command);
}

static void rectOf(const session *s, const char *name, double r[4])
{
    size_t length = strlen(name);
    for (int i = 0; i < s->widgetCount; i++) {
        if (strncmp(s->widgets[i], name, length) == 0 && s->widgets[i][length] == ' ') {
            ck_assert_int_eq(sscanf(s->widgets[i] + length, "%lf %lf %lf %lf", &r[0], &r[1], &r[2], &r[3]), 4);
            return;
        }
    }
    ck_abort_msg("there is no widget %s", name);
}

static bool hasWidget(const session *s, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < s->widgetCount; i++) {
        if (strncmp(s->widgets[i], name, length) == 0 && s->widgets[i][length] == ' ') {
            return true;
        }
    }
    return false;
}

// The window stands in the middle of the display; without a window manager nothing else moves it.
static void pin(void)
{
    xdo("search --sync --onlyvisible --name Clatter windowmove 0 0 >/dev/null");
    xdo("mousemove 600 330");
}

static void press(const session *s, const char *name)
{
    double r[4];
    rectOf(s, name, r);
    xdo("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mouseup 1", r[0] + 0.5 * r[2], r[1] + 0.5 * r[3]);
}

// Drags a slider's knob to a share of its length.
static void slide(const session *s, const char *name, double share)
{
    double r[4];
    rectOf(s, name, r);
    double y = r[1] + 0.5 * r[3];
    xdo("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mousemove %.0f %.0f sleep 0.3 mouseup 1", r[0] + 8.0, y,
        r[0] + share * r[2], y);
}

// Quits by the keyboard, and checks that it left cleanly and said nothing.
static void end(session *s)
{
    xdo("mousemove 600 330 key ctrl+q");
    double until = now() + 40.0;
    int status = -1;
    pid_t got = 0;
    while (got == 0 && now() < until) {
        listen_(s, 0.05);
        got = waitpid(s->viewer, &status, WNOHANG);
    }
    ck_assert_int_eq(got, s->viewer);
    char text[2000] = "", command[128];
    FILE *errors = fopen(s->errors, "r");
    size_t n = fread(text, 1, sizeof text - 1, errors);
    text[n] = '\0';
    fclose(errors);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d: %s", status, text);
    ck_assert_str_eq(text, "");
    close(s->out);
    kill(s->server, SIGTERM);
    waitpid(s->server, NULL, 0);
    snprintf(command, sizeof command, "rm -r %s", s->folder);
    ck_assert_int_eq(system(command), 0);
    free(s);
}

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
static double speedOfBall(session *s)
{
    double world[2][3], window[2], at[2];
    for (int i = 0; i < 2; i++) {
        place(s, "ball", world[i], window);
        at[i] = number(s, "now");
        if (i == 0) {
            waitFor(s, number(s, "now") > at[0] + 0.5);
        }
    }
    return (world[1][0] - world[0][0]) / (at[1] - at[0]);
}

START_TEST(friction_acts_at_once_when_its_slider_moves)
{
    session *s = begin("ice.lua", slidingBall, NULL);
    waitFor(s, number(s, "now") > 0.2 && hasWidget(s, "Ice|##mu ice"));
    pin();
    ctAssertClose(speedOfBall(s), 0.1, 1e-3);
    ctAssertClose(number(s, "mu"), 0.0, 0.0);
    slide(s, "Ice|##mu ice", 0.7);
    waitFor(s, number(s, "mu") > 0.5);
    double from = number(s, "now");
    waitFor(s, number(s, "now") > from + 0.3);
    // Friction has made it roll: a sphere keeps 5/7 of its speed.
    ctAssertClose(speedOfBall(s), 0.1 * 5.0 / 7.0, 1e-3);
    end(s);
}
END_TEST

// Slow motion by the keyboard, and a picture of the scene.
static void slowDownAndTakeAPicture(session *s)
{
    xdo("key bracketleft key bracketleft");
    waitFor(s, fabs(number(s, "speed") - 0.25) < 1e-9);
    // A picture of the scene.
    xdo("key F12");
    char picture[160];
    snprintf(picture, sizeof picture, "%s/clatter-bounce-001.png", s->folder);
    double until = now() + 20.0;
    while (access(picture, R_OK) != 0 && now() < until) {
        listen_(s, 0.1);
    }
    png_image image = {.version = PNG_IMAGE_VERSION};
    ck_assert(png_image_begin_read_from_file(&image, picture));
    ck_assert_uint_eq(image.width, 900);
    ck_assert_uint_eq(image.height, 640);
    png_image_free(&image);
}

// Back along the timeline, to the frame nearest to a fifth of a second, and on again.
static void goBackAndOn(session *s)
{
    double world[3], window[2];
    double line[4], seconds = number(s, "length");
    rectOf(s, "timeline|line", line);
    double x = line[0] + line[2] * 0.2 / seconds, y = line[1] + 0.5 * line[3];
    xdo("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mouseup 1", x, y);
    waitFor(s, number(s, "now") < 0.4);
    double back = number(s, "now");
    ctAssertClose(back, 0.2, 1.0 / 60.0 + 2.0 * seconds / line[2]);
    ctAssertClose(back * 60.0, round(back * 60.0), 1e-3);
    place(s, "ball", world, window);
    ctAssertClose(world[2], 1.2 - 0.5 * 9.81 * back * back, 1e-4);
    ck_assert(number(s, "end") > 0.6);
    xdo("mousemove 600 330 key n");
    waitFor(s, number(s, "now") > back);
    ctAssertClose(number(s, "now"), sqrt(2.0 / 9.81), 1e-5);
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
    session *s = begin("bounce.lua", bouncingBall, "--paused");
    waitFor(s, says(s, "playing=0") && hasWidget(s, "bar|Impact ▶|"));
    pin();
    ctAssertClose(number(s, "now"), 0.0, 0.0);
    xdo("key Right");
    waitFor(s, number(s, "now") > 0.0);
    ctAssertClose(number(s, "now"), 1.0 / 60.0, 1e-6);
    // The next impact: a fall of one metre.
    press(s, "bar|Impact ▶|");
    waitFor(s, number(s, "impacts") > 0.0);
    double world[3], window[2];
    place(s, "ball", world, window);
    ctAssertClose(number(s, "now"), sqrt(2.0 / 9.81), 1e-5);
    ctAssertClose(world[2], 0.2, 1e-4);
    // The inspector opens on it.
    xdo("mousemove 600 330 key i");
    waitFor(s, hasWidget(s, "Impact inspector|Work of the normal force"));
    ck_assert(number(s, "inspected") == 0.0);
    // Play, pause, and nothing moves any more.
    xdo("key i key space");
    waitFor(s, number(s, "now") > 0.6);
    xdo("key space");
    waitFor(s, says(s, "playing=0"));
    nap(0.5);
    listen_(s, 0.1);
    double stopped = number(s, "now");
    nap(0.5);
    listen_(s, 0.1);
    ctAssertClose(number(s, "now"), stopped, 0.0);
    slowDownAndTakeAPicture(s);
    goBackAndOn(s);
    // From the beginning.
    xdo("key r");
    waitFor(s, number(s, "now") < 1e-9);
    // A parameter needs the script to run again: the ball starts from another height.
    xdo("key Right");
    waitFor(s, number(s, "now") > 0.0);
    slide(s, "Bounce|##height", 0.9);
    waitFor(s, number(s, "now") < 1e-9);
    place(s, "ball", world, window);
    ck_assert_msg(world[2] > 2.4 && world[2] < 3.0, "%s", s->state);
    end(s);
}
END_TEST

START_TEST(bodies_are_picked_pulled_and_thrown_and_the_window_resized)
{
    session *s = begin("pick.lua", slidingBall, "--paused");
    waitFor(s, says(s, "playing=0") && says(s, " ball@"));
    pin();
    nap(0.5);
    listen_(s, 0.2);
    double world[3], window[2];
    place(s, "ball", world, window);
    xdo("mousemove %.0f %.0f sleep 0.2 click 1", window[0], window[1]);
    waitFor(s, says(s, "selected=ball"));
    // Pull it up and hold it there.
    xdo("mousemove 600 500 key space mousemove %.0f %.0f sleep 0.1 mousedown 1 sleep 0.1 mousemove_relative 0 -20 "
        "sleep 0.1 "
        "mousemove_relative 0 -80",
        window[0], window[1]);
    waitFor(s, (place(s, "ball", world, window), world[2] > 0.5));
    xdo("mouseup 1");
    waitFor(s, (place(s, "ball", world, window), world[2] < 0.3));
    // One more body from the camera.
    xdo("mousemove 600 330 key b");
    waitFor(s, number(s, "bodies") == 3.0);
    // Back to the beginning it was never there.
    double line[4];
    rectOf(s, "timeline|line", line);
    xdo("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mouseup 1", line[0] + 1.0, line[1] + 0.5 * line[3]);
    waitFor(s, number(s, "bodies") == 2.0);
    ck_assert(number(s, "now") < 2.0 * number(s, "length") / line[2]);
    xdo("mousemove 600 330");
    // Away with the selection by a click into the sky; the view turns when it is dragged.
    xdo("key Escape");
    waitFor(s, says(s, "selected=-"));
    char eye[64];
    snprintf(eye, sizeof eye, "%.40s", strstr(s->state, " eye="));
    xdo("mousemove 600 120 sleep 0.1 mousedown 1 sleep 0.1 mousemove 680 140 sleep 0.1 mouseup 1");
    waitFor(s, strncmp(strstr(s->state, " eye="), eye, strlen(eye)) != 0);
    xdo("search --name Clatter windowsize 760 560 >/dev/null");
    waitFor(s, says(s, "size=760x560"));
    end(s);
}
END_TEST

START_TEST(a_broken_scene_is_reported_and_the_old_one_stays)
{
    char broken[1024];
    session *s = begin("edit.lua", slidingBall, NULL);
    waitFor(s, number(s, "now") > 0.05);
    snprintf(broken, sizeof broken, "%sbody { name = \"second\", shape = sphere { radius = -1 } }\n", slidingBall);
    writeScene(s, "edit.lua", broken);
    waitFor(s, !says(s, "error=-"));
    ck_assert_msg(says(s, "edit.lua:9:"), "%s", s->state);
    ck_assert(number(s, "bodies") == 2.0);
    double from = number(s, "now");
    waitFor(s, number(s, "now") > from + 0.05);
    snprintf(broken, sizeof broken,
             "%sbody { name = \"second\", shape = sphere { radius = 0.1 }, position = {0, 0, 3} }\n", slidingBall);
    writeScene(s, "edit.lua", broken);
    waitFor(s, says(s, "error=-") && number(s, "bodies") == 3.0);
    end(s);
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
    suite_add_tcase(suite, window);
    TCase *faults = tcase_create("faults");
    tcase_set_timeout(faults, 30);
    tcase_add_test(faults, without_a_display_it_says_what_to_do_instead);
    tcase_add_test(faults, bad_usage_is_refused);
    suite_add_tcase(suite, faults);
    return ctRunSuite(suite);
}
