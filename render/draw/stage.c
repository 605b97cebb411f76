#include "render/draw/stage.h"

#include "collision/memory.h"
#include "collision/shape.h"
#include "render/draw/framing.h"
#include "render/draw/stage_shades.h"

#include <string.h>

static ctLook lookOf(const ctScene *scene, ctBodyId id)
{
    static const ctLook thrown = {.color = {0.85, 0.33, 0.05}, .pattern = ct_patternHalves};
    uint64_t index = ctBody_GetUserData(scene->world, id);
    return index < (uint64_t)scene->lookCount ? scene->looks[index] : thrown;
}

static bool takeBody(ctStage *stage, int ordinal, ctError *error)
{
    const ctWorld *world = stage->scene->world;
    ctStageBody *body = &stage->bodies[ordinal];
    *body = (ctStageBody){.id = ctWorld_GetBody(world, ordinal)};
    const ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body->id));
    if (shape == NULL) {
        return ctFail(error, ct_badArgument, "body %d has no shape", ordinal);
    }
    body->geometry = shape;
    body->look = lookOf(stage->scene, body->id);
    body->motion = ctBody_GetMotionType(world, body->id);
    body->plane = shape->type == ct_shapePlane;
    if (body->plane) {
        body->planeNormal = shape->u.plane.normal;
        body->planeOffset = shape->u.plane.offset;
        return true;
    }
    body->radius = ctLength(ctMax(ctAbs(shape->lo), ctAbs(shape->hi)));
    return ctRenderer_AddShape(stage->renderer, shape, &body->shape, error);
}

bool ctStage_Sync(ctStage *stage, ctError *error)
{
    const ctWorld *world = stage->scene->world;
    int count = ctWorld_GetBodyCount(world);
    if (!ctReserve((void **)&stage->bodies, &stage->capacity, count, sizeof(ctStageBody))) {
        return ctFailMemory(error, "scene");
    }
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        bool same = i < stage->count && stage->bodies[i].id.index1 == id.index1 &&
                    stage->bodies[i].id.generation == id.generation;
        if (!same && !takeBody(stage, i, error)) {
            stage->count = i;
            return false;
        }
    }
    stage->count = count;
    return true;
}

void ctStage_Free(ctStage *stage)
{
    ctFree(stage->bodies);
    *stage = (ctStage){0};
}

bool ctStage_Set(ctStage *stage, ctRenderer *renderer, const ctScene *scene, ctError *error)
{
    ctRenderer_ForgetShapes(renderer);
    stage->renderer = renderer;
    stage->scene = scene;
    stage->count = 0;
    if (scene == NULL) {
        return true;
    }
    stage->floorCell = ctFraming_FloorCell(scene);
    return ctStage_Sync(stage, error);
}

void ctStage_Capture(const ctStage *stage, ctTransform *poses, uint8_t *states)
{
    for (int i = 0; i < stage->count; i++) {
        poses[i] = ctBody_GetTransform(stage->scene->world, stage->bodies[i].id);
        if (states != NULL) {
            states[i] = ctBody_IsAsleep(stage->scene->world, stage->bodies[i].id) ? ct_stateAsleep : 0;
        }
    }
}

// The distance from the target within which the bodies lie. Bodies that have flown far away do not count.
static double extentOf(const ctStage *stage, const ctView *view, const ctTransform *poses)
{
    double limit = 20.0 * ctDistance(view->eye, view->target), extent = 0.1 * limit / 20.0;
    for (int i = 0; i < stage->count; i++) {
        double reach = stage->bodies[i].plane ? 0.0 : ctDistance(poses[i].p, view->target) + stage->bodies[i].radius;
        if (reach < limit) {
            extent = fmax(extent, reach);
        }
    }
    return extent;
}

void ctStage_Draw(const ctStage *stage, const ctView *view, const ctTransform *poses, const uint8_t *states)
{
    ctRenderer *r = stage->renderer;
    ctRenderer_Begin(r, view, stage->floorCell, extentOf(stage, view, poses));
    for (int i = 0; i < stage->count; i++) {
        const ctStageBody *body = &stage->bodies[i];
        if (body->look.hidden) {
            continue;
        }
        if (body->plane) {
            ctVec3 n = ctRotate(poses[i].q, body->planeNormal);
            ctRenderer_AddGround(r, n, body->planeOffset + ctDot(n, poses[i].p), body->look);
        } else {
            int fixed = body->motion == ct_motionFixed ? ct_stateFixed : 0;
            ctRenderer_AddBody(r, body->shape, poses[i], body->look, fixed | (states != NULL ? states[i] : 0));
        }
    }
    ctStage_AddShades(stage, poses);
}

void ctStage_AddGhosts(const ctStage *stage, const ctGhost *ghost, double time)
{
    for (int i = 0; i < stage->count && ghost->count > 0; i++) {
        const ctStageBody *body = &stage->bodies[i];
        ctTransform pose;
        if (!body->look.hidden && !body->plane && ctGhost_At(ghost, body->id, time, &pose, NULL)) {
            ctRenderer_AddGhost(stage->renderer, body->shape, pose, body->look);
        }
    }
}

bool ctStage_Compose(ctStage *stage, const ctView *view, const ctGhost *ghost, ctError *error)
{
    if (!ctStage_Sync(stage, error)) {
        return false;
    }
    ctTransform *poses = ctAllocate((size_t)stage->count + 1, sizeof(ctTransform));
    if (poses == NULL) {
        return ctFailMemory(error, "frame");
    }
    ctStage_Capture(stage, poses, NULL);
    ctStage_Draw(stage, view, poses, NULL);
    ctFree(poses);
    if (ghost != NULL) {
        ctStage_AddGhosts(stage, ghost, ctWorld_GetTime(stage->scene->world));
    }
    return true;
}

bool ctStage_DrawNow(ctStage *stage, const ctView *view, const ctGhost *ghost, ctError *error)
{
    return ctStage_Compose(stage, view, ghost, error) && ctRenderer_End(stage->renderer, error);
}

bool ctStage_FindView(const ctScene *scene, const char *name, ctView *view)
{
    for (int i = 0; i < scene->cameraCount; i++) {
        if (name == NULL || strcmp(scene->cameras[i].name, name) == 0) {
            const ctSceneCamera *c = &scene->cameras[i];
            *view = scene->hasCamera ? (ctView){c->eye, c->target, c->fov, 0.0, 0.0} : ctFraming_View(scene);
            return true;
        }
    }
    return false;
}
