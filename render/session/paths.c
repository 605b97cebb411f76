#include "render/session/paths.h"

#include "collision/memory.h"
#include "collision/vec3.h"

static bool isNull(ctBodyId id)
{
    return id.index1 == 0;
}

static bool same(ctBodyId a, ctBodyId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

// Whether the log records this body.
static bool concerns(const ctPathLog *log, ctBodyId body)
{
    if (!isNull(log->only)) {
        return same(log->only, body);
    }
    for (int i = 0; i < log->markCount; i++) {
        if (same(log->marks[i], body)) {
            return true;
        }
    }
    return log->markCount == 0;
}

static void add(ctPathLog *log, ctKnot knot)
{
    if (!ctReserve((void **)&log->knots, &log->capacity, log->count + 1, sizeof(ctKnot))) {
        log->failed = true;
        return;
    }
    log->knots[log->count++] = knot;
}

static void onImpact(void *context, const ctWorld *world, const ctImpact *impact)
{
    ctPathLog *log = context;
    const ctBodyId bodies[2] = {impact->body1, impact->body2};
    for (int i = 0; log->on && impact->kind == ct_eventImpact && i < 2; i++) {
        if (ctBody_GetMotionType(world, bodies[i]) == ct_motionDynamic && concerns(log, bodies[i])) {
            add(log, (ctKnot){bodies[i], impact->time, ctBody_GetCenter(world, bodies[i]),
                              ctBody_GetVelocity(world, bodies[i])});
        }
    }
}

void ctPathLog_Watch(ctPathLog *log, ctWorld *world)
{
    ctWorld_OnImpact(world, onImpact, log);
}

void ctPathLog_AddState(ctPathLog *log, const ctSimState *state)
{
    for (int i = 0; log->on && i < state->count; i++) {
        const ctBodyState *body = &state->bodies[i];
        bool moves = ctLengthSquared(body->velocity) > 0.0 || ctLengthSquared(body->spin) > 0.0;
        if ((moves || !isNull(log->only)) && concerns(log, body->id)) {
            add(log, (ctKnot){body->id, state->time, body->center, body->velocity});
        }
    }
}

void ctPathLog_Free(ctPathLog *log)
{
    ctFree(log->knots);
    ctFree(log->marks);
    *log = (ctPathLog){0};
}

ctVec3 ctPath_Between(const ctKnot *a, const ctKnot *b, double share)
{
    // p(s) = a + v T s + (b - a - v T) s^2: the constant acceleration that leads from a to b.
    ctVec3 straight = ctScale(b->time - a->time, a->velocity);
    ctVec3 bend = ctSub(ctSub(b->place, a->place), straight);
    return ctMulAdd(ctMulAdd(a->place, share, straight), share * share, bend);
}
