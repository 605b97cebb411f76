// The paths that bodies have taken lately.
#ifndef CT_DRAW_TRAILS_H
#define CT_DRAW_TRAILS_H

#include "render/draw/renderer.h"
#include "render/session/sim_state.h"

#define CT_TRAIL_POINTS 600
#define CT_TRAIL_BODIES 64 // in worlds with more moving bodies only the selected one leaves a trail

typedef struct ctTrail {
    ctBodyId body;
    int first, count; // a ring
    ctVec3 points[CT_TRAIL_POINTS];
} ctTrail;

typedef struct ctTrails {
    ctTrail *trails;
    int count, capacity;
} ctTrails;

void ctTrails_Clear(ctTrails *trails);
void ctTrails_Free(ctTrails *trails);
// Notes where bodies are. only: null for all dynamic bodies.
bool ctTrails_Add(ctTrails *trails, const ctSimState *state, ctBodyId only);
void ctTrails_Draw(const ctTrails *trails, ctRenderer *renderer);

#endif
