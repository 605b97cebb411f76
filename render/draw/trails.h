// The recent paths of bodies.
#ifndef CT_DRAW_TRAILS_H
#define CT_DRAW_TRAILS_H

#include "render/draw/renderer.h"
#include "render/session/paths.h"

#define CT_TRAIL_KNOTS 900 // 15 s of frames without an impact
#define CT_TRAIL_BODIES 64 // in worlds with more moving bodies only the selected one leaves a trail

typedef struct ctTrail {
    ctBodyId body;
    int first, count; // a ring
    ctKnot knots[CT_TRAIL_KNOTS];
} ctTrail;

typedef struct ctTrails {
    ctTrail *trails;
    int count, capacity;
} ctTrails;

void ctTrails_Clear(ctTrails *trails);
void ctTrails_Free(ctTrails *trails);
// Restricts a log to the bodies that the scene marks, if it marks any. False without memory.
bool ctTrails_Mark(ctPathLog *log, const ctScene *scene);
// Moves the knots of a log into the trails. The log is then empty.
void ctTrails_Take(ctTrails *trails, ctPathLog *log);
// until: simulated time up to which trails are drawn. The straight pieces deviate from the exact curves by at most a
// third of a pixel of the view, at the distance of its target.
void ctTrails_Draw(const ctTrails *trails, ctRenderer *renderer, const ctView *view, double until);

#endif
