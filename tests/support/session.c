#include "tests/support/session.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
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

double ctSession_Now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void ctSession_Nap(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

// ---- the display ------------------------------------------------------------------------------

static void startServer(ctSession *s)
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
    double until = ctSession_Now() + 20.0;
    while (system("xdotool getdisplaygeometry >/dev/null 2>&1") != 0) {
        ck_assert_msg(ctSession_Now() < until, "the virtual display %s does not answer", display);
        ctSession_Nap(0.1);
    }
}

static void startViewer(ctSession *s, const char *scene, const char *option)
{
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    snprintf(s->errors, sizeof s->errors, "%s/errors.txt", s->folder);
    char program[PATH_MAX];
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
            snprintf(options, sizeof options, "%s/%s", data, s->folder);
            setenv("XDG_STATE_HOME", options, 1);
        }
        unsetenv("SDL_VIDEODRIVER");
        setenv("SDL_AUDIODRIVER", "dummy", 1);
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
void ctSession_WriteScene(const ctSession *s, const char *name, const char *text)
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
ctSession *ctSession_Begin(const char *name, const char *text, const char *option)
{
    ctSession *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    strcpy(s->folder, "build/test_viewer_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(s->folder));
    ctSession_WriteScene(s, name, text);
    startServer(s);
    startViewer(s, name, option);
    return s;
}

// ---- what it says -----------------------------------------------------------------------------

static void takeLine(ctSession *s, const char *line)
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
        ck_assert_int_lt(i, 512);
        snprintf(s->widgets[i], sizeof s->widgets[i], "%.*s", (int)sizeof s->widgets[i] - 1, line + 7);
        s->widgetCount = i == s->widgetCount ? i + 1 : s->widgetCount;
    }
}

// Reads what there is, waiting at most so long for more. False when the viewer has closed its output.
bool ctSession_Listen(ctSession *s, double seconds)
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

double ctSession_Number(const ctSession *s, const char *key)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=", key);
    const char *found = strstr(s->state, pattern);
    return found != NULL ? atof(found + strlen(pattern)) : NAN;
}

bool ctSession_Says(const ctSession *s, const char *text)
{
    return strstr(s->state, text) != NULL;
}

// The place of a body, in the world and in the window.
void ctSession_Place(const ctSession *s, const char *body, double world[3], double window[2])
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

// ---- hands ------------------------------------------------------------------------------------

void ctSession_Do(const char *format, ...)
{
    char command[512] = "xdotool ";
    va_list args;
    va_start(args, format);
    vsnprintf(command + 8, sizeof command - 8, format, args);
    va_end(args);
    ck_assert_msg(system(command) == 0, "%s", command);
}

void ctSession_RectOf(const ctSession *s, const char *name, double r[4])
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

bool ctSession_HasWidget(const ctSession *s, const char *name)
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
void ctSession_Pin(void)
{
    ctSession_Do("search --sync --onlyvisible --name Clatter windowmove 0 0 >/dev/null");
    ctSession_Do("mousemove 600 330");
}

void ctSession_Press(const ctSession *s, const char *name)
{
    double r[4];
    ctSession_RectOf(s, name, r);
    ctSession_Do("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mouseup 1", r[0] + 0.5 * r[2],
                 r[1] + 0.5 * r[3]);
}

// Drags a slider's knob to a share of its length.
void ctSession_Slide(const ctSession *s, const char *name, double share)
{
    double r[4];
    ctSession_RectOf(s, name, r);
    double y = r[1] + 0.5 * r[3];
    ctSession_Do("mousemove %.0f %.0f sleep 0.25 mousedown 1 sleep 0.25 mousemove %.0f %.0f sleep 0.3 mouseup 1",
                 r[0] + 8.0, y, r[0] + share * r[2], y);
}

// Quits by the keyboard, and checks that it left cleanly and said nothing.
void ctSession_End(ctSession *s)
{
    ctSession_Do("mousemove 600 330 key ctrl+q");
    double until = ctSession_Now() + 40.0;
    int status = -1;
    pid_t got = 0;
    while (got == 0 && ctSession_Now() < until) {
        ctSession_Listen(s, 0.05);
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
