#include "render/record/recorder.h"

#include "collision/clock.h"
#include "collision/error.h"
#include "render/record/frame_writer.h"
#include "render/record/video_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Number of pictures that are being read back while the next ones are drawn.
enum { READS_UNDER_WAY = 2 };

struct ctRecorder {
    ctRenderer *renderer;
    ctFrameWriter *frames; // one of these two
    ctVideoWriter *video;
    uint8_t *buffer; // for the video
    int started, taken, firstFrame;
    bool failed;
    double readSeconds, feedSeconds;
};

bool ctMakeFolder(const char *path, ctError *error)
{
    char *copy = strdup(path);
    if (copy == NULL) {
        return ctFailMemory(error, "a path");
    }
    bool good = path[0] != '\0' || ctFail(error, ct_badArgument, "a folder needs a name");
    for (char *c = copy + 1; good && *copy != '\0'; c++) {
        if (*c != '/' && *c != '\0') {
            continue;
        }
        char kept = *c;
        *c = '\0';
        struct stat info;
        if (mkdir(copy, 0777) != 0 && (errno != EEXIST || stat(copy, &info) != 0 || !S_ISDIR(info.st_mode))) {
            int cause = errno == EEXIST ? ENOTDIR : errno;
            good = ctFail(error, ct_io, "%s: cannot make the folder: %s", copy, strerror(cause));
        }
        *c = kept;
        if (kept == '\0') {
            break;
        }
    }
    free(copy);
    return good;
}

ctRecorder *ctRecorder_Create(const ctRecorderDef *def, ctRenderer *renderer, ctError *error)
{
    ctRecorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL) {
        ctFailMemory(error, "a recorder");
        return NULL;
    }
    int width, height;
    ctRenderer_GetSize(renderer, &width, &height);
    recorder->renderer = renderer;
    recorder->firstFrame = def->firstFrame;
    bool good;
    if (ctVideo_IsVideoPath(def->path)) {
        recorder->buffer = malloc((size_t)width * (size_t)height * 3);
        good = recorder->buffer != NULL || ctFailMemory(error, "a frame");
        recorder->video =
            good ? ctVideoWriter_Create(def->path, width, height, def->fps, def->isCancelled, error) : NULL;
        good = recorder->video != NULL;
    } else {
        good = ctMakeFolder(def->path, error);
        recorder->frames = good ? ctFrameWriter_Create(def->path, width, height, 0, error) : NULL;
        good = recorder->frames != NULL;
    }
    if (!good) {
        free(recorder->buffer);
        free(recorder);
        return NULL;
    }
    return recorder;
}

// Reads the oldest pending picture and passes it to the writer.
static bool take(ctRecorder *recorder)
{
    double begin = ctClock_Wall();
    uint8_t *rgb = recorder->frames != NULL ? ctFrameWriter_Acquire(recorder->frames) : recorder->buffer;
    double acquired = ctClock_Wall();
    if (rgb == NULL || !ctRenderer_FinishRead(recorder->renderer, rgb)) {
        return false;
    }
    double read = ctClock_Wall();
    bool good = true;
    if (recorder->frames != NULL) {
        ctFrameWriter_Submit(recorder->frames, rgb, recorder->firstFrame + recorder->taken);
    } else {
        good = ctVideoWriter_Write(recorder->video, rgb, NULL);
    }
    recorder->taken += good ? 1 : 0;
    recorder->readSeconds += read - acquired;
    recorder->feedSeconds += acquired - begin + ctClock_Wall() - read;
    return good;
}

bool ctRecorder_Capture(ctRecorder *recorder)
{
    if (recorder->failed) {
        return false;
    }
    double begin = ctClock_Wall();
    ctRenderer_StartRead(recorder->renderer);
    recorder->started++;
    recorder->readSeconds += ctClock_Wall() - begin;
    if (recorder->started - recorder->taken > READS_UNDER_WAY && !take(recorder)) {
        recorder->failed = true;
    }
    return !recorder->failed;
}

// Reads all pending pictures. After a failure they are discarded, so that none stays in the renderer's queue.
static void drain(ctRecorder *recorder)
{
    while (recorder->taken < recorder->started && !recorder->failed) {
        recorder->failed = !take(recorder);
    }
    if (recorder->failed) {
        int width, height;
        ctRenderer_GetSize(recorder->renderer, &width, &height);
        uint8_t *scratch = malloc((size_t)width * (size_t)height * 3);
        while (scratch != NULL && ctRenderer_FinishRead(recorder->renderer, scratch)) {
        }
        free(scratch);
    }
}

bool ctRecorder_Finish(ctRecorder *recorder, ctRecorderStats *stats, ctError *error)
{
    drain(recorder);
    bool good;
    double encode = recorder->feedSeconds;
    if (recorder->frames != NULL) {
        good = ctFrameWriter_Finish(recorder->frames, &encode, error);
    } else {
        // After a failed write this returns the encoder's error, which caused the failure.
        good = ctVideoWriter_Finish(recorder->video, error);
    }
    if (good && recorder->failed) {
        good = ctFail(error, ct_io, "a picture could not be read back");
    }
    if (stats != NULL) {
        *stats = (ctRecorderStats){recorder->taken, recorder->readSeconds, encode};
    }
    free(recorder->buffer);
    free(recorder);
    return good;
}

void ctRecorder_Abort(ctRecorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    if (recorder->video != NULL) {
        recorder->failed = true;
        drain(recorder);
        ctVideoWriter_Abort(recorder->video);
        free(recorder->buffer);
        free(recorder);
    } else {
        ctRecorder_Finish(recorder, NULL, NULL);
    }
}
