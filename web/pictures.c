// Pictures on a page: the browser takes screenshots and recordings from the canvas (web/page/page.js), and reads the
// PNG files of the panels. This file replaces render/viewer/viewer_pictures.c and render/gui/pictures.c.
#include "render/gui/pictures.h"
#include "render/viewer/viewer_internal.h"

#include <emscripten/emscripten.h>
#include <glad/gl.h>
#include <stdio.h>
#include <string.h>

EM_JS(void, ctWeb_PageScreenshot, (const char *name), { Module.onScreenshot(UTF8ToString(name)); });
EM_JS(int, ctWeb_PageRecord, (const char *name, int on), { return Module.onRecord(UTF8ToString(name), Boolean(on)); });

static bool recording;

static void setRecording(ctViewer *v, bool on)
{
    recording = ctWeb_PageRecord(v->scene->name, on) != 0;
    if (on && !recording) {
        ctViewer_Say(v, "this browser cannot record");
    }
    v->record = recording;
}

void ctViewer_StopRecording(ctViewer *v)
{
    if (recording) {
        setRecording(v, false);
    }
}

void ctViewer_TakePictures(ctViewer *v, bool withPanels)
{
    if (!withPanels) {
        return; // the page can only take the finished picture, with panels
    }
    if (v->screenshot != 0) {
        v->screenshot = 0;
        ctWeb_PageScreenshot(v->scene->name);
    }
    if (v->record != recording) {
        setRecording(v, v->record);
    }
}

// ---- small pictures of the demos ----------------------------------------------------------------

enum { MAX_PICTURES = 64 };

static struct {
    char name[64];
    GLuint texture;
} pictures[MAX_PICTURES];
static int pictureCount;

// Fills a texture when the file has been loaded. Until then the texture is one grey pixel.
EM_JS(void, ctWeb_PageTexture, (const char *file, unsigned texture), {
    const image = new Image();
    image.onload = function()
    {
        const to = GL.textures[texture];
        if (to) {
            GLctx.bindTexture(GLctx.TEXTURE_2D, to);
            GLctx.texImage2D(GLctx.TEXTURE_2D, 0, GLctx.RGBA8, GLctx.RGBA, GLctx.UNSIGNED_BYTE, image);
        }
    };
    image.src = UTF8ToString(file);
});

static GLuint load(const char *name)
{
    char file[128];
    GLuint texture;
    snprintf(file, sizeof file, "gallery/%s.png", name);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const uint8_t grey[4] = {70, 76, 88, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, grey);
    ctWeb_PageTexture(file, texture);
    return texture;
}

unsigned ctPictures_OfDemo(const char *name)
{
    for (int i = 0; i < pictureCount; i++) {
        if (strcmp(pictures[i].name, name) == 0) {
            return pictures[i].texture;
        }
    }
    if (pictureCount == MAX_PICTURES || strlen(name) >= sizeof pictures[0].name) {
        return 0;
    }
    snprintf(pictures[pictureCount].name, sizeof pictures[0].name, "%s", name);
    pictures[pictureCount].texture = load(name);
    return pictures[pictureCount++].texture;
}

void ctPictures_Clear(void)
{
    for (int i = 0; i < pictureCount; i++) {
        glDeleteTextures(1, &pictures[i].texture);
    }
    pictureCount = 0;
}
