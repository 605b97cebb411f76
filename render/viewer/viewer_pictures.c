// Screenshots and recording from the window.
#include "render/viewer/viewer_internal.h"

#include "render/files/png_write.h"
#include "render/record/video_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool writePicture(ctViewer *v, const char *path, int level, ctError *error)
{
    uint8_t *rgb = malloc((size_t)v->width * (size_t)v->height * 3);
    if (rgb == NULL) {
        return ctFailMemory(error, "picture");
    }
    ctRenderer_Read(v->renderer, rgb);
    bool done = ctPng_Write(path, v->width, v->height, rgb, true, level, error);
    free(rgb);
    return done;
}

// The first free name of the form clatter-SCENE-001suffix in the working folder.
static void freeName(const ctViewer *v, const char *suffix, char *path, size_t size)
{
    for (int i = 1; i < 1000; i++) {
        snprintf(path, size, "clatter-%.80s-%03d%s", v->scene->name, i, suffix);
        if (access(path, F_OK) != 0) {
            return;
        }
    }
}

static void takeScreenshot(ctViewer *v)
{
    char path[256];
    ctError error = {0};
    freeName(v, ".png", path, sizeof path);
    v->screenshot = 0;
    if (writePicture(v, path, 6, &error)) {
        ctViewer_Say(v, "saved %s", path);
    } else {
        ctViewer_Say(v, "no picture: %s", error.message);
    }
}

// Starts the sound of a recording, a file beside the video until its end. Impacts after the time of the picture, which
// the world has simulated already, are included.
static bool startSound(ctViewer *v, ctError *error)
{
    snprintf(v->clipPath, sizeof v->clipPath, "%s.tmp-%ld.wav", v->recordPath, (long)getpid());
    while (!ctSim_Wait(&v->sim, 1.0)) {
    }
    if (!ctClip_Begin(&v->clip, v->scene->world, v->clipPath, v->pictureTime, CT_RECORD_FPS, error)) {
        return false;
    }
    int first = v->history.impactCount;
    while (!v->rewound && first > 0 && v->history.impacts[first - 1].time > v->pictureTime) {
        first--;
    }
    ctClip_Take(&v->clip, v->scene->world, v->history.impacts + first, v->history.impactCount - first, v->speed,
                v->frameTime);
    return true;
}

static bool stopSound(ctViewer *v, bool whole, ctError *error)
{
    if (v->clip.writer == NULL) {
        return true;
    }
    bool good = ctClip_Finish(&v->clip, whole, error);
    good = good && (!whole || ctVideo_AddSound(v->recordPath, v->clipPath, error));
    unlink(v->clipPath);
    return good;
}

static void stopRecording(ctViewer *v)
{
    ctError error = {0};
    ctRecorderStats stats;
    bool whole = ctRecorder_Finish(v->recorder, &stats, &error);
    if (stopSound(v, whole, &error) && whole) {
        ctViewer_Say(v, "recorded %d frames: %s", stats.frames, v->recordPath);
    } else {
        ctViewer_Say(v, whole ? "recorded without sound: %s" : "recording failed: %s", error.message);
    }
    v->recorder = NULL;
}

// Records a video when ffmpeg is installed, else a folder of frames.
static void startRecording(ctViewer *v)
{
    ctError error = {0};
    freeName(v, ".mp4", v->recordPath, sizeof v->recordPath);
    ctRecorderDef def = {.path = v->recordPath, .fps = CT_RECORD_FPS};
    v->recorder = ctRecorder_Create(&def, v->renderer, &error);
    if (v->recorder == NULL) {
        freeName(v, "-frames", v->recordPath, sizeof v->recordPath);
        v->recorder = ctRecorder_Create(&def, v->renderer, &error);
    }
    if (v->recorder == NULL) {
        ctViewer_Say(v, "cannot record: %s", error.message);
    } else if (v->show.sound && ctVideo_IsVideoPath(v->recordPath) && !startSound(v, &error)) {
        ctViewer_Say(v, "recording without sound: %s", error.message);
    }
}

void ctViewer_StopRecording(ctViewer *v)
{
    if (v->recorder != NULL) {
        stopRecording(v);
    }
    v->record = false;
}

void ctViewer_TakePictures(ctViewer *v, bool withPanels)
{
    if (v->screenshot == (withPanels ? 2 : 1)) {
        takeScreenshot(v);
    }
    if (withPanels) {
        return;
    }
    if (v->record && v->recorder == NULL) {
        startRecording(v);
        v->record = v->recorder != NULL;
        v->recordedFrames = 0;
    }
    if (v->recorder != NULL && (!v->record || !ctRecorder_Capture(v->recorder))) {
        ctViewer_StopRecording(v);
    } else if (v->recorder != NULL) {
        v->recordedFrames++;
        ctClip_Picture(&v->clip, v->pictureTime);
    }
}
