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
    if (v->show.curves) {
        ctPanel_Curves(v);
    }
    if (v->show.scenes) {
        ctPanel_Scenes(v);
    }
    if (v->show.help) {
        ctPanel_Help(v);
    }
}

void ctViewer_RunPanels(ctViewer *v)
{
    if (v->width > 0 && v->frames > 0) {
        ctGui_BeginFrame(v->width, v->height);
        if (v->show.panels) {
            panels(v);
        }
        ctGui_DropFrame();
    }
}

// The picture of the camera goes into the part of the window that panels leave free.
static void setView(ctViewer *v)
{
    bool panels_ = v->show.panels;
    const float wanted[4] = {panels_ && v->show.tweak ? 302.0f * v->scale : 0.0f, panels_ ? 40.0f * v->scale : 0.0f,
                             panels_ && v->show.inspector ? 476.0f * v->scale : 0.0f,
                             panels_ ? 48.0f * v->scale : 0.0f};
    float blend = v->frames == 0 ? 1.0f : 1.0f - (float)exp(-12.0 * v->elapsed);
    for (int i = 0; i < 4; i++) {
        v->insets[i] += (wanted[i] - v->insets[i]) * blend;
    }
    double width = v->width, height = v->height;
    ctFreePart part = {v->insets[0], v->insets[1], width - v->insets[0] - v->insets[2],
                       height - v->insets[1] - v->insets[3]};
    if (part.width < 0.25 * width) { // panels cover nearly everything
        part.left = 0.0;
        part.width = width;
    }
    if (part.height < 0.25 * height) {
        part.top = 0.0;
        part.height = height;
    }
    v->view = ctView_Fit(ctCamera_GetView(&v->camera), width, height, part);
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
    setView(v);
    if (v->shown.count == v->stage.count) {
        ctStage_Draw(&v->stage, &v->view, v->poses, v->states);
        ctStage_AddGhosts(&v->stage, &v->ghost, v->pictureTime);
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
