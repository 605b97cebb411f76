#include "render/viewer/viewer.h"

#include "collision/memory.h"
#include "render/gui/pictures.h"
#include "render/viewer/viewer_internal.h"
#include "render/viewer/viewer_report.h"

#include <SDL.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static double secondsNow(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

// The panels' scale: the one of the options, or from the density of the display.
static float scaleOf(const ctViewer *v)
{
    if (v->options.scale > 0.0) {
        return (float)v->options.scale;
    }
    int w, h, pw, ph;
    SDL_GetWindowSize(v->window.window, &w, &h);
    ctWindow_GetSize(&v->window, &pw, &ph);
    return w > 0 && pw > w ? (float)pw / (float)w : 1.0f;
}

static bool open(ctViewer *v, bool *badInput, ctError *error)
{
    const ctViewerOptions *o = &v->options;
    int width = o->width > 0 ? o->width : 1280, height = o->height > 0 ? o->height : 800;
    ctError noDemos = {ct_ok, ""}; // a scene of the user's own needs none
    bool hasDemos = ctDemos_List(&v->demos, &v->demoCount, &noDemos);
    if (o->scene == NULL && v->demoCount == 0) {
        *badInput = true;
        return ctFail(error, ct_badArgument, "%.300s; name a scene of your own: clatter run FILE.lua",
                      hasDemos ? "there are no demos" : noDemos.message);
    }
    // Loaded before a window opens, so that the error of a scene is printed on the terminal.
    const char *scene = o->scene != NULL ? o->scene : v->demos[0].name;
    v->preloaded = ctScene_Load(scene, &v->sceneOptions, error);
    if (v->preloaded == NULL) {
        *badInput = true;
        return false;
    }
    if (!ctViewer_LoadGhost(v, v->preloaded, error)) {
        *badInput = true;
        return false;
    }
    if (!ctWindow_Open(&v->window, "Clatter", width, height, false, o->debug, error)) {
        return false;
    }
    v->scale = scaleOf(v);
    // In a small window the panel starts closed, so that the scene is visible.
    v->show.tweak = (float)width > 700.0f * v->scale;
    ctRecentFiles_Load(&v->recent);
    v->speaker = ctSpeaker_Open();
    ctFolder_Open(&v->folder, ".");
    v->renderer = ctRenderer_Create(error);
    if (v->renderer == NULL || !ctGui_Open(v->window.window, v->window.context, v->scale, error)) {
        return false;
    }
    ctSim_Start(&v->sim, true);
    return ctViewer_Load(v, scene, false, false, error);
}

bool ctViewer_RestoreGraphics(ctViewer *v, ctError *error)
{
    ctStage_Free(&v->stage);
    v->stage = (ctStage){0};
    ctGui_Close();
    ctRenderer_Destroy(v->renderer);
    v->renderer = ctRenderer_Create(error);
    return v->renderer != NULL && ctGui_Open(v->window.window, v->window.context, v->scale, error) &&
           ctStage_Set(&v->stage, v->renderer, v->scene, error) && ctViewer_SyncBodies(v, error);
}

void ctViewer_Close(ctViewer *v)
{
    if (v == NULL) {
        return;
    }
    ctViewer_StopRecording(v);
    ctSim_Stop(&v->sim);
    ctTimeline_Free(&v->timeline);
    ctHistory_Free(&v->history);
    ctTrails_Free(&v->trails);
    ctSpeaker_Close(v->speaker);
    ctFolder_Free(&v->folder);
    ctCurves_Free(&v->curves);
    ctSettings_Free(&v->settings);
    ctSimState_Free(&v->shown);
    ctFree(v->poses);
    ctFree(v->states);
    ctGhost_Free(&v->ghost);
    ctStage_Free(&v->stage);
    if (v->renderer != NULL) {
        ctPictures_Clear();
        ctGui_Close();
        ctRenderer_Destroy(v->renderer);
    }
    ctScene_Destroy(v->scene);
    ctScene_Destroy(v->preloaded);
    ctDemos_Free(v->demos, v->demoCount);
    if (v->window.window != NULL) {
        ctWindow_Close(&v->window);
    }
    ctFree(v);
}

// Reads the clock. Returns the time since the last picture; while recording, a constant frame time.
static double tick(ctViewer *v)
{
    v->clock = secondsNow();
    double elapsed = v->clock - v->lastClock;
    v->lastClock = v->clock;
    v->elapsed = elapsed;
    double blend = 1.0 - exp(-elapsed / 0.5);
    v->frameRate += blend * (1.0 / fmax(elapsed, 1e-4) - v->frameRate);
    return v->record ? 1.0 / CT_RECORD_FPS : elapsed;
}

// Waits before the next picture to save processor time: at most about 60 pictures a second when the display does not
// limit the rate, and about ten when nothing moves.
static void rest(const ctViewer *v)
{
    bool still = !v->playing && !v->busy && v->wanted == ct_advanceNone && v->clock > v->lastInput + 0.5 &&
                 v->clock > v->messageUntil;
    double spent = secondsNow() - v->clock;
    if (still && !v->record) {
        SDL_WaitEventTimeout(NULL, 100);
    } else if (spent < 0.015 && !v->record) {
        SDL_Delay((uint32_t)((0.0163 - spent) * 1e3));
    }
}

static void setTitle(const ctViewer *v)
{
    char title[160];
    snprintf(title, sizeof title, "Clatter – %.120s", v->scene->title);
    if (strcmp(SDL_GetWindowTitle(v->window.window), title) != 0) {
        SDL_SetWindowTitle(v->window.window, title);
    }
}

bool ctViewer_Frame(ctViewer *v, bool *more, ctError *error)
{
    double elapsed = tick(v);
    SDL_PumpEvents();
    if (SDL_HasEvents(SDL_FIRSTEVENT, SDL_LASTEVENT)) {
        v->lastInput = v->clock;
    }
    ctViewer_Input(v);
    ctViewer_Advance(v, elapsed);
    ctViewer_WatchScene(v);
    setTitle(v);
    if (!ctViewer_Draw(v, error)) {
        return false;
    }
    if (v->options.printState) {
        ctReport_State(v);
    }
    *more = !v->quit;
    return true;
}

ctViewer *ctViewer_Open(const ctViewerOptions *options, bool *badInput, ctError *error)
{
    ctViewer *v = ctAllocate(1, sizeof(ctViewer));
    if (v == NULL) {
        ctFailMemory(error, "viewer");
        return NULL;
    }
    *badInput = false;
    v->options = *options;
    v->sceneOptions = options->given != NULL ? *options->given : (ctSceneOptions){0};
    v->sceneOptions.print = ctViewer_OnPrint;
    v->sceneOptions.printContext = v;
    v->speed = 1.0;
    v->playing = !options->paused;
    v->seek = -1.0;
    v->wantedDemo = v->inspected = -1;
    v->show = (ctShow){.shadows = true, .tweak = true, .panels = !options->noPanels, .sound = true};
    if (options->printState) {
        ctReport_Widgets();
    }
    if (!open(v, badInput, error)) {
        ctViewer_Close(v);
        return NULL;
    }
    v->lastInput = v->lastClock = secondsNow();
    return v;
}

bool ctRunViewer(const ctViewerOptions *options, bool *badInput, ctError *error)
{
    ctViewer *v = ctViewer_Open(options, badInput, error);
    bool more = v != NULL, done = more;
    while (done && more) {
        done = ctViewer_Frame(v, &more, error);
        rest(v);
    }
    ctViewer_Close(v);
    return done;
}
