#include "render/desk/desk.h"

#include "render/draw/framing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ctViewer_Say(ctViewer *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(v->message, sizeof v->message, format, args);
    va_end(args);
    v->messageUntil = v->clock + 4.0;
}

const ctBodyState *ctViewer_FindBody(const ctViewer *v, ctBodyId id)
{
    for (int i = 0; id.index1 != 0 && i < v->shown.count; i++) {
        if (v->shown.bodies[i].id.index1 == id.index1 && v->shown.bodies[i].id.generation == id.generation) {
            return &v->shown.bodies[i];
        }
    }
    return NULL;
}

void ctViewer_BodyName(const ctViewer *v, ctBodyId id, char *text, size_t size)
{
    const char *name = ctBody_GetName(v->scene->world, id);
    if (name[0] != '\0') {
        snprintf(text, size, "%s", name);
    } else {
        snprintf(text, size, "body %d", id.index1);
    }
}

double ctViewer_MeasuredAngle(const ctViewer *v)
{
    ctVec3 a = ctSub(v->measurePoints[0], v->measurePoints[1]), b = ctSub(v->measurePoints[2], v->measurePoints[1]);
    return atan2(ctLength(ctCross(a, b)), ctDot(a, b)) * 180.0 / CT_PI;
}

// ---- the scene --------------------------------------------------------------------------------

int ctViewer_CurrentDemo(const ctViewer *v)
{
    for (int i = 0; i < v->demoCount; i++) {
        if (strcmp(v->demos[i].path, v->scenePath) == 0) {
            return i;
        }
    }
    return -1;
}

const char *ctViewer_SceneWord(const ctViewer *v)
{
    int demo = ctViewer_CurrentDemo(v);
    return demo >= 0 ? v->demos[demo].name : v->scenePath;
}

void ctViewer_StepDemo(ctViewer *v, int direction)
{
    if (v->demoCount > 0) {
        v->wantedDemo = (ctViewer_CurrentDemo(v) + direction + v->demoCount) % v->demoCount;
    }
}

void ctViewer_ToggleScenes(ctViewer *v)
{
    v->show.scenes = !v->show.scenes;
    if (v->show.scenes) {
        ctFolder_Open(&v->folder, v->folder.path);
    }
}

void ctViewer_OpenFile(ctViewer *v, const char *path)
{
    snprintf(v->wantedPath, sizeof v->wantedPath, "%s", path);
    ctSim_Cancel(&v->sim);
}

// ---- the view ---------------------------------------------------------------------------------

static void useCamera(ctViewer *v, int index)
{
    ctView view;
    ctStage_FindView(v->scene, v->scene->cameras[index].name, &view);
    ctCamera_LookAt(&v->camera, view.eye, view.target, view.fov);
    v->sceneCamera = index;
    v->follow = false;
    v->cameraBody = (ctBodyId){0};
    int body = v->scene->cameras[index].follow;
    if (body >= 0 && index < CT_DESK_CAMERAS && body < v->stage.count) {
        v->cameraBody = v->stage.bodies[body].id;
        v->cameraFrom = ctSub(view.target, v->cameraStarts[index]);
    }
}

void ctViewer_ResetView(ctViewer *v)
{
    useCamera(v, 0);
}

void ctViewer_FitView(ctViewer *v)
{
    ctVec3 lo, hi, target;
    if (v->shown.count != v->stage.count || !ctFraming_OfStage(&v->stage, v->poses, &lo, &hi)) {
        return;
    }
    ctView view = ctCamera_GetView(&v->camera);
    ctVec3 direction = ctNormalize(ctSub(view.eye, view.target));
    double distance = ctView_FrameBox(lo, hi, direction, view.fov, CT_VIEW_ASPECT, &target);
    v->camera.target = target;
    v->camera.distance = fmax(1.1 * distance, 1e-3);
    v->follow = false;
    v->cameraBody = (ctBodyId){0};
}

void ctViewer_NextCamera(ctViewer *v)
{
    ctView view = ctCamera_GetView(&v->camera), camera;
    ctStage_FindView(v->scene, v->scene->cameras[v->sceneCamera].name, &camera);
    bool moved =
        ctDistance(ctSub(view.eye, view.target), ctSub(camera.eye, camera.target)) > 1e-6 * v->camera.distance ||
        (v->cameraBody.index1 == 0 && ctDistance(view.target, camera.target) > 1e-6 * v->camera.distance);
    useCamera(v, moved ? v->sceneCamera : (v->sceneCamera + 1) % v->scene->cameraCount);
    if (v->scene->cameraCount > 1) {
        ctViewer_Say(v, "camera: %s", v->scene->cameras[v->sceneCamera].name);
    }
}

// ---- time -------------------------------------------------------------------------------------

void ctViewer_Play(ctViewer *v, bool playing)
{
    v->playing = playing;
    v->wanted = ct_advanceNone;
    v->wantedCount = 0;
    ctSim_Cancel(&v->sim); // ends, for example, a long search for an impact
}

void ctViewer_SetSpeed(ctViewer *v, double speed)
{
    v->speed = fmin(1.0, fmax(0.001, speed));
}

void ctViewer_Ask(ctViewer *v, ctAdvanceKind kind)
{
    v->playing = false;
    v->wantedCount = v->wanted == kind ? v->wantedCount + 1 : 1;
    v->wanted = kind;
}

void ctViewer_Seek(ctViewer *v, double time)
{
    v->playing = false;
    v->seek = time;
    ctSim_Cancel(&v->sim);
}

void ctViewer_StepBack(ctViewer *v)
{
    v->playing = false;
    v->stepsBack++;
    ctSim_Cancel(&v->sim);
}

ctSlowness ctViewer_Slowness(const ctViewer *v)
{
    if (!v->playing || v->factor >= 0.9 * v->speed) {
        return ct_slowNot;
    }
    if (v->need * v->speed > 0.8) { // share of processor time that the simulation's thread needs
        return ct_slowPhysics;
    }
    // When pictures come often enough, drawing is not the cause: the simulation waits for a processor.
    return v->frameRate * CT_DESK_STALL > 1.5 ? ct_slowMachine : ct_slowDrawing;
}

const char *ctSlowness_Cause(ctSlowness slowness)
{
    static const char *const causes[] = {[ct_slowNot] = "",
                                         [ct_slowPhysics] = " (physics)",
                                         [ct_slowDrawing] = " (drawing)",
                                         [ct_slowMachine] = " (busy computer)"};
    return causes[slowness];
}

double ctViewer_TimelineLength(const ctViewer *v)
{
    double last = v->timeline.count > 0 ? v->timeline.moments[v->timeline.count - 1].time : 0.0;
    return fmax(fmax(last, v->pictureTime), fmax(1e-9, v->scene->seconds));
}

float ctViewer_BarHeight(const ctViewer *v)
{
    return 40.0f * v->scale;
}

float ctViewer_TimelineHeight(const ctViewer *v)
{
    return ((float)v->height < 420.0f * v->scale ? 32.0f : 48.0f) * v->scale;
}

void ctViewer_Cover(ctViewer *v, ctRect panel)
{
    if (v->coverCount < CT_DESK_COVERS) {
        v->covers[v->coverCount++] = panel;
    }
}
