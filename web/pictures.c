// Screenshots and recordings on a page: the browser takes them from the canvas (web/page/clatter.js). This stands in
// for render/viewer/viewer_pictures.c and render/gui/pictures.c.
#include "render/gui/pictures.h"
#include "render/viewer/viewer_internal.h"

#include <emscripten/emscripten.h>

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
        return; // the page sees the finished picture alone
    }
    if (v->screenshot != 0) {
        v->screenshot = 0;
        ctWeb_PageScreenshot(v->scene->name);
    }
    if (v->record != recording) {
        setRecording(v, v->record);
    }
}

// The list of demos has no pictures here: the page shows them itself.
unsigned ctPictures_OfDemo(const char *name)
{
    (void)name;
    return 0;
}

void ctPictures_Clear(void)
{
}
