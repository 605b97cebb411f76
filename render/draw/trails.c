#include "render/draw/trails.h"

#include "collision/memory.h"
#include "collision/vec3.h"

void ctTrails_Clear(ctTrails *t)
{
    t->count = 0;
}

void ctTrails_Free(ctTrails *t)
{
    ctFree(t->trails);
    *t = (ctTrails){0};
}

static bool same(ctBodyId a, ctBodyId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

static ctTrail *trailOf(ctTrails *t, ctBodyId body)
{
    for (int i = 0; i < t->count; i++) {
        if (same(t->trails[i].body, body)) {
            return &t->trails[i];
        }
    }
    if (t->count >= CT_TRAIL_BODIES || !ctReserve((void **)&t->trails, &t->capacity, t->count + 1, sizeof(ctTrail))) {
        return NULL;
    }
    ctTrail *trail = &t->trails[t->count++];
    trail->body = body;
    trail->first = trail->count = 0;
    return trail;
}

static void addPoint(ctTrail *trail, ctVec3 p)
{
    int last = (trail->first + trail->count - 1) % CT_TRAIL_POINTS;
    if (trail->count > 0 && ctDistance(trail->points[last], p) <= 0.0) {
        return;
    }
    if (trail->count == CT_TRAIL_POINTS) {
        trail->first = (trail->first + 1) % CT_TRAIL_POINTS;
        trail->count--;
    }
    trail->points[(trail->first + trail->count++) % CT_TRAIL_POINTS] = p;
}

bool ctTrails_Add(ctTrails *t, const ctSimState *state, ctBodyId only)
{
    bool all = only.index1 == 0 && state->stats.dynamicBodies <= CT_TRAIL_BODIES;
    for (int i = 0; i < state->count; i++) {
        const ctBodyState *body = &state->bodies[i];
        bool moves = ctLengthSquared(body->velocity) > 0.0 || ctLengthSquared(body->spin) > 0.0;
        if ((all && moves) || same(body->id, only)) {
            ctTrail *trail = trailOf(t, body->id);
            if (trail != NULL) {
                addPoint(trail, body->center);
            }
        }
    }
    return true;
}

void ctTrails_Draw(const ctTrails *t, ctRenderer *renderer)
{
    static const float hues[6][3] = {{1.0f, 0.55f, 0.1f}, {0.2f, 0.75f, 1.0f}, {0.5f, 0.9f, 0.3f},
                                     {1.0f, 0.4f, 0.6f},  {0.8f, 0.6f, 1.0f},  {1.0f, 0.85f, 0.3f}};
    for (int i = 0; i < t->count; i++) {
        const ctTrail *trail = &t->trails[i];
        const float *c = hues[i % 6];
        for (int k = 0; k + 1 < trail->count; k++) {
            float age = (float)(k + 1) / (float)trail->count;
            ctColor color = {c[0], c[1], c[2], 0.15f + 0.8f * age};
            ctRenderer_AddLine(renderer, trail->points[(trail->first + k) % CT_TRAIL_POINTS],
                               trail->points[(trail->first + k + 1) % CT_TRAIL_POINTS], 2.2f, 2.2f, color);
        }
    }
}
