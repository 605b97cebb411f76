// Paths of kinematic bodies.
#include "collision/memory.h"
#include "engine/api/api_internal.h"

#include <string.h>

enum { MOST_POINTS = 10000 };
#define SHORTEST 1e-6 // [limit] s: between two points

static bool checkPoint(const ctPathPoint *points, int i, ctError *error)
{
    const ctPathPoint *p = &points[i];
    if (!isfinite(p->time) || fabs(p->time) > 1e9 || (i > 0 && !(p->time - p[-1].time >= SHORTEST))) {
        return ctFail(error, ct_badArgument,
                      "times of a path must be finite and ascend by at least %g s; point %d does not", SHORTEST, i + 1);
    }
    if (!ctBody_CheckPose(p->pose, error)) {
        return false;
    }
    if (p->hasVelocity && (!ctIsFinite3(p->velocity) || !ctIsFinite3(p->spin) || ctLength(p->velocity) > 1e9 ||
                           ctLength(p->spin) > CT_MAX_SPIN)) {
        return ctFail(error, ct_badArgument, "velocity and spin of point %d of a path must be finite and not too large",
                      i + 1);
    }
    return true;
}

static bool closes(const ctPathPoint *points, int count)
{
    const ctTransform *a = &points[0].pose, *b = &points[count - 1].pose;
    ctQuat p = ctNormalizeQ(a->q), q = ctNormalizeQ(b->q);
    double same = fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
    return ctDistance(a->p, b->p) <= 1e-9 * (1.0 + ctLength(a->p)) && same > 1.0 - 1e-12;
}

static ctPath *makePath(const ctPathPoint *points, int count, bool loop)
{
    ctPath *path = ctAllocate(1, sizeof *path);
    bool *given = ctAllocate((size_t)count, sizeof *given);
    ctPathKnot *knots = ctAllocate((size_t)count, sizeof *knots);
    if (path == NULL || given == NULL || knots == NULL) {
        ctFree(path);
        ctFree(given);
        ctFree(knots);
        return NULL;
    }
    *path = (ctPath){count, loop, knots};
    for (int i = 0; i < count; i++) {
        const ctPathPoint *p = &points[i];
        given[i] = p->hasVelocity;
        knots[i] = (ctPathKnot){.time = p->time, .p = p->pose.p, .q = ctNormalizeQ(p->pose.q)};
        if (given[i]) {
            knots[i].v = p->velocity;
            knots[i].w = p->spin;
        }
    }
    ctPath_Smooth(path, given);
    ctFree(given);
    return path;
}

void ctPath_Free(ctPath *path)
{
    if (path != NULL) {
        ctFree(path->knots);
        ctFree(path);
    }
}

static bool endPath(ctWorld *world, int index, ctError *error)
{
    ctPath *old = world->infos[index].route;
    if (old == NULL) {
        return true;
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBody body = ctBody_AsNow(world, index);
    ctBodyInfo info = world->infos[index];
    info.route = NULL;
    info.stray = 0.0;
    body.a = ctZero3();
    body.driven = false;
    ctForces_Derive(&body, &info, ctBody_Shape(world, index));
    if (!ctWorld_Readmit(world, index, &body, &info, error)) {
        return false;
    }
    ctPath_Free(old);
    return true;
}

bool ctBody_SetPath(ctWorld *world, ctBodyId id, const ctPathPoint *points, int count, bool loop, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    if (world->infos[index].motion != ct_motionKinematic) {
        return ctFail(error, ct_badArgument, "a path needs a kinematic body");
    }
    if (count == 0) {
        return endPath(world, index, error);
    }
    if (points == NULL || count < 2 || count > MOST_POINTS) {
        return ctFail(error, ct_badArgument, "a path must have 2 to %d points, not %d", MOST_POINTS, count);
    }
    for (int i = 0; i < count; i++) {
        if (!checkPoint(points, i, error)) {
            return false;
        }
    }
    if (loop && !closes(points, count)) {
        return ctFail(error, ct_badArgument, "a path that loops must end in the pose that it begins with");
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctPath *path = makePath(points, count, loop), *old = world->infos[index].route;
    if (path == NULL) {
        return ctFailMemory(error, "a path");
    }
    ctBody body = ctBody_AsNow(world, index);
    ctBodyInfo info = world->infos[index];
    info.route = path;
    body.driven = true;
    body.ball = false;
    ctPathState s = ctPath_At(path, info.center, world->now);
    body.x = s.x;
    body.v = s.v;
    body.a = s.a;
    body.q = s.q;
    body.w = s.w;
    body.alpha = s.alpha;
    if (!ctWorld_Readmit(world, index, &body, &info, error)) {
        ctPath_Free(path);
        return false;
    }
    ctPath_Free(old);
    return true;
}

bool ctBody_HasPath(const ctWorld *world, ctBodyId id)
{
    int index = ctBody_Resolve(world, id);
    return index >= 0 && world->infos[index].route != NULL;
}
