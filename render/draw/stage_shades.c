#include "render/draw/stage_shades.h"

#include "collision/shape.h"
#include "collision/support.h"

#include <math.h>

#define ENDLESS 1e6     // half size of a plane, m
#define SURFACES_MAX 64 // number of surfaces that are shaded
#define UPRIGHT 0.5     // least vertical component of a surface's normal
#define PARTS_MAX 32    // number of parts of a compound that cast shade

typedef struct surfaceOf {
    ctShadeSurface surface;
    int body;
} surfaceOf;

static bool planeSurface(const ctStageBody *body, ctTransform pose, ctShadeSurface *s)
{
    ctVec3 normal = ctRotate(pose.q, body->planeNormal);
    *s = (ctShadeSurface){.halfX = ENDLESS, .halfY = ENDLESS};
    s->center = ctScale(body->planeOffset + ctDot(normal, pose.p), normal);
    ctFrameFromNormal(normal, &s->x, &s->y);
    return normal.z > UPRIGHT;
}

// The face of a box that faces up.
static bool boxSurface(const ctShape *shape, ctTransform pose, ctShadeSurface *s)
{
    ctVec3 half = ctAdd(shape->u.half, ctV3(shape->round, shape->round, shape->round));
    const ctVec3 axes[3] = {ctRotate(pose.q, ctV3(1, 0, 0)), ctRotate(pose.q, ctV3(0, 1, 0)),
                            ctRotate(pose.q, ctV3(0, 0, 1))};
    const double sizes[3] = {half.x, half.y, half.z};
    for (int i = 0; i < 3; i++) {
        if (fabs(axes[i].z) > UPRIGHT) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            double sign = axes[i].z > 0.0 ? 1.0 : -1.0;
            *s = (ctShadeSurface){
                ctMulAdd(pose.p, sign * sizes[i], axes[i]), axes[j], ctScale(sign, axes[k]), sizes[j], sizes[k], false};
            return true;
        }
    }
    return false;
}

// The flat end of a cylinder that faces up.
static bool endSurface(const ctShape *shape, ctTransform pose, ctShadeSurface *s)
{
    const ctLathe *lathe = &shape->u.lathe;
    ctVec3 axis = ctRotate(pose.q, ctV3(0, 0, 1));
    bool up = axis.z > 0.0;
    int end = up ? lathe->outlineCount - 1 : 0;
    if (lathe->outlineCount < 2 || fabs(axis.z) < UPRIGHT || !(lathe->outlineR[end] > 0.0)) {
        return false;
    }
    ctVec3 x = ctRotate(pose.q, ctV3(1, 0, 0)), y = ctRotate(pose.q, ctV3(0, up ? 1 : -1, 0));
    *s = (ctShadeSurface){
        ctMulAdd(pose.p, lathe->outlineZ[end], axis), x, y, lathe->outlineR[end], lathe->outlineR[end], true};
    return true;
}

static int findSurfaces(const ctStage *stage, const ctTransform *poses, surfaceOf *found)
{
    int count = 0;
    for (int i = 0; i < stage->count && count < SURFACES_MAX; i++) {
        const ctStageBody *body = &stage->bodies[i];
        ctShadeSurface s;
        if (body->look.hidden || body->motion == ct_motionDynamic) {
            continue;
        }
        const ctShape *shape = body->geometry;
        bool flat = body->plane                    ? planeSurface(body, poses[i], &s)
                    : shape->type == ct_shapeBox   ? boxSurface(shape, poses[i], &s)
                    : shape->type == ct_shapeLathe ? endSurface(shape, poses[i], &s)
                                                   : false;
        if (flat) {
            found[count++] = (surfaceOf){s, i};
        }
    }
    return count;
}

static void shade(const ctStage *stage, const ctShape *shape, ctTransform pose, const surfaceOf *on)
{
    ctVec3 half = ctScale(0.5, ctSub(shape->hi, shape->lo)), middle = ctScale(0.5, ctAdd(shape->hi, shape->lo));
    ctVec3 normal = ctCross(on->surface.x, on->surface.y), down = ctInvRotate(pose.q, ctNeg(normal));
    ctShadeCaster caster = {.center = ctTransformPoint(pose, middle)};
    caster.axes[0] = ctRotate(pose.q, ctV3(half.x, 0, 0));
    caster.axes[1] = ctRotate(pose.q, ctV3(0, half.y, 0));
    caster.axes[2] = ctRotate(pose.q, ctV3(0, 0, half.z));
    caster.below = ctCoreReach(shape, down) + shape->round - ctDot(down, middle);
    ctRenderer_AddShade(stage->renderer, &caster, &on->surface);
}

void ctStage_AddShades(const ctStage *stage, const ctTransform *poses)
{
    surfaceOf surfaces[SURFACES_MAX];
    int count = findSurfaces(stage, poses, surfaces);
    for (int i = 0; i < stage->count; i++) {
        const ctStageBody *body = &stage->bodies[i];
        const ctShape *shape = body->geometry;
        // Only dynamic bodies cast shade: fixed bodies may be large, and need no sign that they touch the ground.
        if (body->look.hidden || body->motion != ct_motionDynamic) {
            continue;
        }
        int parts = shape->type == ct_shapeCompound ? shape->leafCount : 1;
        for (int k = 0; k < count; k++) {
            double away = ctDot(ctSub(poses[i].p, surfaces[k].surface.center),
                                ctCross(surfaces[k].surface.x, surfaces[k].surface.y));
            if (surfaces[k].body == i || fabs(away) > 4.0 * body->radius) {
                continue;
            }
            for (int p = 0; p < parts && p < PARTS_MAX; p++) {
                bool whole = shape->type != ct_shapeCompound;
                shade(stage, whole ? shape : shape->leaves[p].shape,
                      whole ? poses[i] : ctMulT(poses[i], shape->leaves[p].pose), &surfaces[k]);
            }
        }
    }
}
