// Screenshots and recording from the window.
#include "render/viewer_internal.h"

#include "render/png_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

void ctViewer_ToggleRecording(ctViewer *v)
{
    if (v->recording) {
        v->recording = false;
        ctViewer_Say(v, "%d frames in %s; video: ffmpeg -framerate 60 -i %s/frame_%%06d.png clip.mp4", v->recordFrames,
                     v->recordFolder, v->recordFolder);
        return;
    }
    freeName(v, "-frames", v->recordFolder, sizeof v->recordFolder);
    if (mkdir(v->recordFolder, 0777) != 0) {
        ctViewer_Say(v, "cannot record: %s: %s", v->recordFolder, strerror(errno));
        return;
    }
    v->recording = true;
    v->recordFrames = 0;
}

static void recordFrame(ctViewer *v)
{
    char path[sizeof v->recordFolder + 32];
    ctError error = {0};
    snprintf(path, sizeof path, "%s/frame_%06d.png", v->recordFolder, v->recordFrames);
    if (writePicture(v, path, 1, &error)) {
        v->recordFrames++;
    } else {
        v->recording = false;
        ctViewer_Say(v, "recording stopped: %s", error.message);
    }
}

void ctViewer_TakePictures(ctViewer *v, bool withPanels)
{
    if (v->screenshot == (withPanels ? 2 : 1)) {
        takeScreenshot(v);
    }
    if (v->recording && !withPanels) {
        recordFrame(v);
    }
}
