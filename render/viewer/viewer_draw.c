// One picture: the scene, the overlays, and the panels.
#include "render/viewer/viewer_internal.h"

#include "render/draw/gl_util.h"

#include <SDL.h>
#include <math.h>
#include <string.h>

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
        v->coverCount = 0;
        if (v->show.panels) {
            panels(v);
        }
        ctGui_DropFrame();
    }
}

static float areaOf(ctRect r)
{
    return fmaxf(r.w, 0.0f) * fmaxf(r.h, 0.0f);
}

// The largest of the four parts beside a panel; the whole when the part would be less than a quarter of it.
static ctRect beside(ctRect whole, ctRect panel)
{
    float right = whole.x + whole.w, bottom = whole.y + whole.h, end = panel.x + panel.w, foot = panel.y + panel.h;
    if (panel.x >= right || panel.y >= bottom || end <= whole.x || foot <= whole.y) {
        return whole;
    }
    const ctRect parts[4] = {{end, whole.y, right - end, whole.h},
                             {whole.x, whole.y, panel.x - whole.x, whole.h},
                             {whole.x, foot, whole.w, bottom - foot},
                             {whole.x, whole.y, whole.w, panel.y - whole.y}};
    ctRect best = parts[0];
    for (int i = 1; i < 4; i++) {
        best = areaOf(parts[i]) > areaOf(best) ? parts[i] : best;
    }
    return areaOf(best) > 0.25f * areaOf(whole) ? best : whole;
}

// Finds the part of the window that panels leave free. The part does not change while a mouse button is down.
static void findFreePart(ctViewer *v)
{
    float width = (float)v->width, height = (float)v->height;
    if (v->buttons != 0) {
        return;
    }
    ctRect part = {0.0f, 0.0f, width, height};
    if (v->show.panels) {
        part.y = ctViewer_BarHeight(v);
        part.h = height - part.y - ctViewer_TimelineHeight(v);
    }
    for (int i = 0; i < v->coverCount && v->show.panels; i++) {
        part = beside(part, v->covers[i]);
    }
    const float wanted[4] = {part.x, part.y, width - part.x - part.w, height - part.y - part.h};
    memcpy(v->wantedInsets, wanted, sizeof wanted);
}

// Fits the picture of the camera into the part of the window that panels leave free.
static void setView(ctViewer *v)
{
    findFreePart(v);
    float blend = v->frames < 2 ? 1.0f : 1.0f - (float)exp(-12.0 * v->elapsed); // panels have places from frame 2 on
    for (int i = 0; i < 4; i++) {
        v->insets[i] += (v->wantedInsets[i] - v->insets[i]) * blend;
    }
    double width = v->width, height = v->height;
    ctFreePart part = {v->insets[0], v->insets[1], width - v->insets[0] - v->insets[2],
                       height - v->insets[1] - v->insets[3]};
    v->view = ctView_Fit(ctCamera_GetView(&v->camera), width, height, part);
}

bool ctViewer_Draw(ctViewer *v, ctError *error)
{
    int width, height;
    ctWindow_GetSize(&v->window, &width, &height);
    if (width < 1 || height < 1) {
        return true; // minimised
    }
    // All pictures of a recording have one size: a new size of the window ends the recording.
    if (v->recorder != NULL && (width != v->width || height != v->height)) {
        ctViewer_StopRecording(v);
    }
    if (!ctRenderer_SetSize(v->renderer, width, height, 4, error)) {
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
    v->coverCount = 0;
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
