// One picture: the scene, what is drawn over it, and the panels.
#include "render/viewer/viewer_internal.h"

#include "render/draw/gl_util.h"

#include <SDL.h>
#include <math.h>

static void panels(ctViewer *v)
{
    ctPanel_Bar(v);
    ctPanel_Timeline(v);
    if (v->show.tweak) {
        ctPanel_Tweak(v);
    }
    if (v->show.plots) {
        ctPanel_Plots(v);
    }
    if (v->show.inspector) {
        ctPanel_Inspector(v);
    } else if (v->show.body) {
        ctPanel_Body(v);
    }
    if (v->show.scenes) {
        ctPanel_Scenes(v);
    }
    if (v->show.help) {
        ctPanel_Help(v);
    }
}

bool ctViewer_Draw(ctViewer *v, ctError *error)
{
    int width, height;
    ctWindow_GetSize(&v->window, &width, &height);
    if (width < 1 || height < 1) {
        return true; // minimised
    }
    // A recording has one size: a new size of the window ends it.
    if (v->recorder != NULL && (width != v->width || height != v->height)) {
        ctViewer_StopRecording(v);
    }
    // A software renderer draws what moves without antialiasing, and what stands still with it.
    bool moving = v->playing || v->busy || v->clock < v->lastInput + 0.3;
    int samples = v->window.software && moving && !v->record && v->recorder == NULL && v->screenshot == 0 ? 1 : 4;
    if (!ctRenderer_SetSize(v->renderer, width, height, samples, error)) {
        return false;
    }
    v->width = width;
    v->height = height;
    // The target stays in the middle of what the panels leave free.
    float left = v->show.panels && v->show.tweak ? 302.0f : 0.0f,
          right = v->show.panels && v->show.inspector ? 476.0f : 0.0f;
    double shift = (double)((left - right) * v->scale) / width;
    v->camera.shift += (shift - v->camera.shift) * (v->frames == 0 ? 1.0 : 1.0 - exp(-12.0 * v->elapsed));
    ctView view = ctCamera_GetView(&v->camera);
    if (v->shown.count == v->stage.count) {
        ctStage_Draw(&v->stage, &view, v->poses, v->states);
        ctOverlay_Draw(v);
        if (!ctRenderer_End(v->renderer, error)) {
            return false;
        }
    }
    ctViewer_TakePictures(v, false);
    ctRenderer_BindTarget(v->renderer);
    ctGui_BeginFrame(width, height);
    ctOverlay_Labels(v);
    if (v->show.panels) {
        panels(v);
    }
    ctPanel_Notes(v);
    ctGui_EndFrame();
    ctViewer_TakePictures(v, true);
    ctRenderer_Show(v->renderer, width, height);
    SDL_GL_SwapWindow(v->window.window);
    v->frames++;
    return true;
}
