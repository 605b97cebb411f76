#include "render/session/sim_state.h"

#include "collision/memory.h"
#include "collision/quat.h"

#include <string.h>

static bool copyArray(void **data, int *capacity, int *count, const void *from, int n, size_t size)
{
    *count = 0;
    if (!ctReserve(data, capacity, n, size)) {
        return false;
    }
    if (n > 0) {
        memcpy(*data, from, (size_t)n * size);
    }
    *count = n;
    return true;
}

static bool captureInside(ctSimState *s, const ctWorld *world, ctCaptureWhat what)
{
    const ctContact *contacts = NULL;
    const ctPending *pending = NULL;
    int contactCount = what.contacts ? ctWorld_GetContacts(world, &contacts) : 0;
    int pendingCount = what.pending ? ctWorld_GetPending(world, &pending) : 0;
    bool room =
        copyArray((void **)&s->contacts, &s->contactCapacity, &s->contactCount, contacts, contactCount,
                  sizeof *contacts) &&
        copyArray((void **)&s->pending, &s->pendingCapacity, &s->pendingCount, pending, pendingCount, sizeof *pending);
    s->boxCount = 0;
    if (what.boxes && room) {
        room = ctReserve((void **)&s->boxes, &s->boxCapacity, s->count, sizeof(ctSweptBox));
        for (int i = 0; room && i < s->count; i++) {
            ctSweptBox box;
            if (ctBody_GetMotionType(world, s->bodies[i].id) == ct_motionDynamic &&
                ctBody_GetSweptBox(world, s->bodies[i].id, &box.lo, &box.hi)) {
                s->boxes[s->boxCount++] = box;
            }
        }
    }
    return room;
}

bool ctSimState_Capture(ctSimState *s, const ctWorld *world, ctCaptureWhat what)
{
    int count = ctWorld_GetBodyCount(world);
    s->time = ctWorld_GetTime(world);
    s->count = 0;
    if (!ctReserve((void **)&s->bodies, &s->capacity, count, sizeof(ctBodyState))) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        s->bodies[i] = (ctBodyState){id,
                                     ctBody_GetTransform(world, id),
                                     ctBody_GetCenter(world, id),
                                     ctBody_GetVelocity(world, id),
                                     ctBody_GetSpin(world, id),
                                     ctBody_IsAsleep(world, id)};
    }
    s->count = count;
    s->stats = ctWorld_GetStats(world);
    return captureInside(s, world, what);
}

bool ctSimState_Copy(ctSimState *to, const ctSimState *from)
{
    to->time = from->time;
    to->stats = from->stats;
    return copyArray((void **)&to->bodies, &to->capacity, &to->count, from->bodies, from->count, sizeof(ctBodyState)) &&
           copyArray((void **)&to->contacts, &to->contactCapacity, &to->contactCount, from->contacts,
                     from->contactCount, sizeof(ctContact)) &&
           copyArray((void **)&to->pending, &to->pendingCapacity, &to->pendingCount, from->pending, from->pendingCount,
                     sizeof(ctPending)) &&
           copyArray((void **)&to->boxes, &to->boxCapacity, &to->boxCount, from->boxes, from->boxCount,
                     sizeof(ctSweptBox));
}

void ctSimState_Free(ctSimState *s)
{
    ctFree(s->bodies);
    ctFree(s->contacts);
    ctFree(s->pending);
    ctFree(s->boxes);
    *s = (ctSimState){0};
}

// m/s^2: larger accelerations mean that an impact has happened.
#define GRAVITY_MAX 100.0

static ctVec3 interpolateCenter(const ctBodyState *a, const ctBodyState *b, double dt, double s)
{
    ctVec3 travel = ctSub(b->center, a->center), mean = ctScale(0.5 * dt, ctAdd(a->velocity, b->velocity));
    double bend = ctLength(ctSub(travel, mean)), change = ctDistance(a->velocity, b->velocity);
    // In free flight the mean velocity times dt is exactly the travel, and the velocity changes by gravity times dt. A
    // body that collided in between is moved on a straight line.
    if (bend > 1e-3 * (ctLength(travel) + ctLength(mean)) || change > GRAVITY_MAX * dt) {
        return ctLerp(a->center, b->center, s);
    }
    double s2 = s * s, s3 = s2 * s;
    ctVec3 p = ctScale(2.0 * s3 - 3.0 * s2 + 1.0, a->center);
    p = ctMulAdd(p, (s3 - 2.0 * s2 + s) * dt, a->velocity);
    p = ctMulAdd(p, 3.0 * s2 - 2.0 * s3, b->center);
    return ctMulAdd(p, (s3 - s2) * dt, b->velocity);
}

// The rotation continues from a with the mean spin. The remaining rotation to b is distributed evenly over the time.
// This is right also for bodies that turn more than once.
static ctQuat interpolateTurn(const ctBodyState *a, const ctBodyState *b, double dt, double s)
{
    ctVec3 spin = ctScale(0.5, ctAdd(a->spin, b->spin));
    ctQuat arrived = ctMulQ(ctQuatExp(ctScale(dt, spin)), a->pose.q);
    ctQuat missing = ctMulQ(b->pose.q, ctConjugate(arrived));
    if (missing.w < 0.0) {
        missing = ctQuatOf(-missing.w, -missing.x, -missing.y, -missing.z);
    }
    ctQuat q = ctMulQ(ctQuatExp(ctScale(s * dt, spin)), a->pose.q);
    return ctNormalizeQ(ctMulQ(ctQuatExp(ctScale(s, ctQuatLog(missing))), q));
}

ctTransform ctInterpolate(const ctBodyState *a, double timeA, const ctBodyState *b, double timeB, double time)
{
    double dt = timeB - timeA;
    bool same = a->id.index1 == b->id.index1 && a->id.generation == b->id.generation;
    if (!same || !(dt > 0.0) || time >= timeB) {
        return b->pose;
    }
    if (time <= timeA) {
        return a->pose;
    }
    double s = (time - timeA) / dt;
    ctQuat q = interpolateTurn(a, b, dt, s);
    // The shape's origin keeps its place relative to the centre of mass.
    ctVec3 offset = ctInvRotate(b->pose.q, ctSub(b->pose.p, b->center));
    return ctTransformOf(ctAdd(interpolateCenter(a, b, dt, s), ctRotate(q, offset)), q);
}
