// The paths that bodies have taken lately.
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
// Makes a log keep to the bodies that the scene marks, if it marks any. False without memory.
bool ctTrails_Mark(ctPathLog *log, const ctScene *scene);
// Takes the knots of a log, which is then empty.
void ctTrails_Take(ctTrails *trails, ctPathLog *log);
// until: simulated time to which they are drawn. Curves are cut so finely that they stray by a third of a pixel at
// most, seen by the view in a picture of that height.
void ctTrails_Draw(const ctTrails *trails, ctRenderer *renderer, const ctView *view, double until);

#endif
