#include "render/draw/framing.h"

#include "collision/quat.h"
#include "collision/shape.h"

// Fixed bodies are framed when their size is at most this many times the size of the box around the moving bodies.
#define FIXED_SIZE 4.0
// Planes are framed when their distance is at most this many times the size of the bodies' box.
#define PLANE_REACH 30.0
// Ratio of the distance of the eye to that at which the box fills the picture.
#define MARGIN 1.12
#define FRAMING_FOV 40.0 // degrees

typedef struct framed {
    const ctShape *shape;
    ctTransform pose;
    bool moves, hidden;
} framed;

typedef framed bodyFn(const void *context, int ordinal);

typedef struct bounds {
    ctVec3 lo, hi;
    bool any;
} bounds;

static void addPoint(bounds *b, ctVec3 p)
{
    b->lo = b->any ? ctMin(b->lo, p) : p;
    b->hi = b->any ? ctMax(b->hi, p) : p;
    b->any = true;
}

static bounds boundsOf(const framed *body)
{
    bounds b = {.any = false};
    ctVec3 lo = body->shape->lo, hi = body->shape->hi;
    for (int i = 0; i < 8; i++) {
        ctVec3 corner = ctV3((i & 1) != 0 ? hi.x : lo.x, (i & 2) != 0 ? hi.y : lo.y, (i & 4) != 0 ? hi.z : lo.z);
        addPoint(&b, ctTransformPoint(body->pose, corner));
    }
    return b;
}

static double sizeOf(const bounds *b)
{
    return ctDistance(b->lo, b->hi);
}

static void merge(bounds *b, const bounds *other)
{
    addPoint(b, other->lo);
    addPoint(b, other->hi);
}

static void addPlane(bounds *b, const framed *body)
{
    ctVec3 middle = ctLerp(b->lo, b->hi, 0.5), normal = ctRotate(body->pose.q, body->shape->u.plane.normal);
    double offset = body->shape->u.plane.offset + ctDot(normal, body->pose.p);
    double height = ctDot(normal, middle) - offset;
    if (height > 0.0 && height < PLANE_REACH * sizeOf(b)) {
        addPoint(b, ctMulAdd(middle, -height, normal));
    }
}

static bool frame(const void *context, int count, bodyFn *get, ctVec3 *lo, ctVec3 *hi)
{
    bounds moving = {.any = false}, all = {.any = false};
    for (int i = 0; i < count; i++) {
        framed body = get(context, i);
        if (body.shape->type != ct_shapePlane && !body.hidden && ctIsFinite3(body.pose.p)) {
            bounds b = boundsOf(&body);
            merge(&all, &b);
            if (body.moves) {
                merge(&moving, &b);
            }
        }
    }
    bounds result = moving.any ? moving : all;
    double limit = FIXED_SIZE * sizeOf(&moving);
    for (int i = 0; i < count && moving.any; i++) {
        framed body = get(context, i);
        if (body.shape->type == ct_shapePlane) {
            addPlane(&result, &body);
        } else if (!body.moves && !body.hidden) {
            bounds b = boundsOf(&body), both = moving;
            merge(&both, &b);
            if (sizeOf(&both) < limit) {
                merge(&result, &b);
            }
        }
    }
    *lo = result.any ? result.lo : ctV3(-0.5, -0.5, -0.5);
    *hi = result.any ? result.hi : ctV3(0.5, 0.5, 0.5);
    return result.any;
}

typedef struct staged {
    const ctStage *stage;
    const ctTransform *poses;
} staged;

static framed bodyOfStage(const void *context, int ordinal)
{
    const staged *s = context;
    const ctStageBody *body = &s->stage->bodies[ordinal];
    return (framed){body->geometry, s->poses[ordinal], body->motion == ct_motionDynamic, body->look.hidden};
}

bool ctFraming_OfStage(const ctStage *stage, const ctTransform *poses, ctVec3 *lo, ctVec3 *hi)
{
    staged s = {stage, poses};
    return frame(&s, stage->count, bodyOfStage, lo, hi);
}

static framed bodyOfScene(const void *context, int ordinal)
{
    const ctScene *scene = context;
    ctBodyId id = ctWorld_GetBody(scene->world, ordinal);
    uint64_t look = ctBody_GetUserData(scene->world, id);
    return (framed){ctWorld_GetShape(scene->world, ctBody_GetShape(scene->world, id)),
                    ctBody_GetTransform(scene->world, id), ctBody_GetMotionType(scene->world, id) == ct_motionDynamic,
                    look < (uint64_t)scene->lookCount && scene->looks[look].hidden};
}

bool ctFraming_OfScene(const ctScene *scene, ctVec3 *lo, ctVec3 *hi)
{
    int count = scene->world != NULL ? ctWorld_GetBodyCount(scene->world) : 0;
    return frame(scene, count, bodyOfScene, lo, hi);
}

ctView ctFraming_View(const ctScene *scene)
{
    static const ctVec3 direction = {0.5, -0.75, 0.4330127018922193};
    ctVec3 lo, hi, target;
    ctFraming_OfScene(scene, &lo, &hi);
    double distance = MARGIN * ctView_FrameBox(lo, hi, direction, FRAMING_FOV, CT_VIEW_ASPECT, &target);
    return (ctView){ctMulAdd(target, distance, direction), target, FRAMING_FOV, 0.0, 0.0};
}

double ctFraming_FloorCell(const ctScene *scene)
{
    const ctView view = scene->hasCamera ? (ctView){scene->cameras[0].eye, scene->cameras[0].target, 0.0, 0.0, 0.0}
                                         : ctFraming_View(scene);
    double x = ctDistance(view.eye, view.target) / 8.0, decade = pow(10.0, floor(log10(fmax(x, 1e-9))));
    double m = x / decade;
    return decade * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}
