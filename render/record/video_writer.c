#include "render/record/video_writer.h"

#include "render/files/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PATIENCE = 200 }; // ms between two checks whether the recording is cancelled

struct ctVideoWriter {
    char *path, *temporary;
    pid_t encoder;
    int input; // write end of the encoder's standard input
    FILE *log; // the encoder's messages
    size_t frameSize;
    ctCancelFn *isCancelled;
};

// How each container is encoded. Frames arrive upside down; sizes are padded to even where 4:2:0 needs it.
typedef struct Format {
    const char *extension, *container, *filter;
    const char *options[12];
} Format;

static const Format formats[] = {
    {".mp4",
     "mp4",
     "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2",
     {"-c:v", "libx264", "-preset", "veryfast", "-crf", "17", "-pix_fmt", "yuv420p", "-movflags", "+faststart", NULL}},
    {".webm",
     "webm",
     "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2",
     {"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-row-mt", "1", "-pix_fmt", "yuv420p", NULL}},
    {".gif", "gif", "vflip,split[a][b];[a]palettegen[p];[b][p]paletteuse", {"-loop", "0", NULL}},
};

static const Format *formatOf(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t n = strlen(formats[i].extension);
        if (length > n && strcmp(path + length - n, formats[i].extension) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

bool ctVideo_IsVideoPath(const char *path)
{
    return formatOf(path) != NULL;
}

static void discard(ctVideoWriter *writer)
{
    if (writer->input >= 0) {
        close(writer->input);
    }
    if (writer->log != NULL) {
        fclose(writer->log);
    }
    free(writer->path);
    free(writer->temporary);
    free(writer);
}

// The last line of the encoder's messages.
static void lastWords(ctVideoWriter *writer, char *text, size_t size)
{
    snprintf(text, size, "it said nothing");
    char line[160];
    rewind(writer->log);
    while (fgets(line, sizeof line, writer->log) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0') {
            snprintf(text, size, "%s", line);
        }
    }
}

static bool isUnwanted(const ctVideoWriter *writer)
{
    return writer->isCancelled != NULL && writer->isCancelled();
}

// Waits for the encoder to end. False with an error when it failed.
static bool reap(ctVideoWriter *writer, ctError *error)
{
    int status = 0;
    for (pid_t ended = 0; ended == 0;) {
        ended = waitpid(writer->encoder, &status, WNOHANG);
        if (ended < 0 && errno != EINTR) {
            return ctFail(error, ct_io, "%s: lost ffmpeg: %s", writer->path, strerror(errno));
        }
        if (ended <= 0 && isUnwanted(writer)) {
            kill(writer->encoder, SIGKILL);
        }
        ended = ended < 0 ? 0 : ended;
        if (ended == 0) {
            poll(NULL, 0, 10);
        }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return true;
    }
    char words[160];
    lastWords(writer, words, sizeof words);
    if (WIFSIGNALED(status)) {
        return ctFail(error, ct_io, "%s: ffmpeg was killed by signal %d; nothing was written", writer->path,
                      WTERMSIG(status));
    }
    return ctFail(error, ct_io, "%s: ffmpeg failed (status %d): %s", writer->path, WEXITSTATUS(status), words);
}

// Starts ffmpeg with its input on a pipe and its messages in the log.
static bool start(ctVideoWriter *writer, const char *const *arguments, ctError *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return ctFail(error, ct_io, "cannot make a pipe: %s", strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(writer->log), STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // A process group of its own: Ctrl-C reaches only this program, which then ends the encoder.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    int cause = posix_spawnp(&writer->encoder, "ffmpeg", &actions, &attributes, (char *const *)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (cause != 0) {
        close(ends[1]);
        return cause == ENOENT ? ctFail(error, ct_io,
                                        "video needs the ffmpeg program (Debian: apt-get install ffmpeg); "
                                        "or give a folder to --out to record frames as PNG files")
                               : ctFail(error, ct_io, "cannot start ffmpeg: %s", strerror(cause));
    }
    writer->input = ends[1];
    fcntl(writer->input, F_SETFL, O_NONBLOCK);
    return true;
}

static bool encode(ctVideoWriter *writer, const Format *format, int width, int height, double fps, ctError *error)
{
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.9g", fps);
    const char *head[] = {"ffmpeg",   "-nostdin",  "-hide_banner", "-loglevel", "error", "-y",
                          "-f",       "rawvideo",  "-pix_fmt",     "rgb24",     "-s",    size,
                          "-r",       rate,        "-i",           "pipe:0",    "-vf",   format->filter,
                          "-flags:v", "+bitexact", "-fflags",      "+bitexact"};
    const char *arguments[64];
    size_t n = 0;
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
        arguments[n++] = head[i];
    }
    for (const char *const *o = format->options; *o != NULL; o++) {
        arguments[n++] = *o;
    }
    arguments[n++] = "-f";
    arguments[n++] = format->container;
    arguments[n++] = writer->temporary;
    arguments[n] = NULL;
    return start(writer, arguments, error);
}

ctVideoWriter *ctVideoWriter_Create(const char *path, int width, int height, double fps, ctCancelFn *isCancelled,
                                    ctError *error)
{
    const Format *format = formatOf(path);
    if (format == NULL) {
        ctFail(error, ct_badArgument, "%s: not a video; .mp4, .webm and .gif are", path);
        return NULL;
    }
    ctVideoWriter *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        ctFailMemory(error, "a video writer");
        return NULL;
    }
    writer->input = -1;
    writer->frameSize = (size_t)width * (size_t)height * 3;
    writer->path = ctFollowPath(path);
    writer->isCancelled = isCancelled;
    size_t length = strlen(writer->path != NULL ? writer->path : path) + 40;
    writer->temporary = malloc(length);
    writer->log = tmpfile();
    if (writer->path == NULL || writer->temporary == NULL || writer->log == NULL) {
        discard(writer);
        ctFailMemory(error, "a video writer");
        return NULL;
    }
    snprintf(writer->temporary, length, "%s.tmp-%ld", writer->path, (long)getpid());
    // Tried here, because ffmpeg opens the file only at the first frame.
    int probe = open(writer->temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (probe < 0) {
        ctFail(error, ct_io, "%s: cannot write: %s", path, strerror(errno));
        discard(writer);
        return NULL;
    }
    close(probe);
    ctKeepMode(writer->temporary, writer->path);
    if (!encode(writer, format, width, height, fps, error)) {
        unlink(writer->temporary);
        discard(writer);
        return NULL;
    }
    return writer;
}

bool ctVideoWriter_Write(ctVideoWriter *writer, const uint8_t *rgb, ctError *error)
{
    size_t done = 0;
    while (done < writer->frameSize) {
        // A suspended encoder reads nothing: the wait must end when the recording is cancelled.
        struct pollfd ready = {writer->input, POLLOUT, 0};
        poll(&ready, 1, PATIENCE);
        if (isUnwanted(writer)) {
            return ctFail(error, ct_io, "%s: interrupted", writer->path);
        }
        ssize_t n = write(writer->input, rgb + done, writer->frameSize - done);
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
            continue;
        }
        if (n < 0) {
            return ctFail(error, ct_io, "%s: ffmpeg stopped taking frames: %s", writer->path, strerror(errno));
        }
        done += (size_t)n;
    }
    return true;
}

bool ctVideoWriter_Finish(ctVideoWriter *writer, ctError *error)
{
    close(writer->input);
    writer->input = -1;
    bool good = reap(writer, error);
    if (good && rename(writer->temporary, writer->path) != 0) {
        good = ctFail(error, ct_io, "%s: cannot write: %s", writer->path, strerror(errno));
    }
    if (!good) {
        unlink(writer->temporary);
    }
    discard(writer);
    return good;
}

void ctVideoWriter_Abort(ctVideoWriter *writer)
{
    if (writer == NULL) {
        return;
    }
    kill(writer->encoder, SIGKILL);
    while (waitpid(writer->encoder, NULL, 0) < 0 && errno == EINTR) {
    }
    unlink(writer->temporary);
    discard(writer);
}

bool ctVideo_AddSound(const char *path, const char *sound, ctError *error)
{
    const Format *format = formatOf(path);
    size_t length = strlen(path) + 40;
    ctVideoWriter *writer = calloc(1, sizeof *writer);
    if (writer == NULL || (writer->path = strdup(path)) == NULL || (writer->temporary = malloc(length)) == NULL ||
        (writer->log = tmpfile()) == NULL || format == NULL) {
        if (writer != NULL) {
            writer->input = -1;
            discard(writer);
        }
        return ctFailMemory(error, "a sound track");
    }
    snprintf(writer->temporary, length, "%s.tmp-%ld", path, (long)getpid());
    const char *codec = strcmp(format->container, "webm") == 0 ? "libopus" : "aac";
    const char *arguments[] = {"ffmpeg",
                               "-nostdin",
                               "-hide_banner",
                               "-loglevel",
                               "error",
                               "-y",
                               "-i",
                               path,
                               "-i",
                               sound,
                               "-map",
                               "0:v",
                               "-map",
                               "1:a",
                               "-c:v",
                               "copy",
                               "-c:a",
                               codec,
                               "-b:a",
                               "160k",
                               "-movflags",
                               "+faststart",
                               "-flags:a",
                               "+bitexact",
                               "-fflags",
                               "+bitexact",
                               "-f",
                               format->container,
                               writer->temporary,
                               NULL};
    bool good = start(writer, arguments, error) && reap(writer, error);
    if (good && rename(writer->temporary, writer->path) != 0) {
        good = ctFail(error, ct_io, "%s: cannot write: %s", path, strerror(errno));
    }
    if (!good) {
        unlink(writer->temporary);
    }
    discard(writer);
    return good;
}
