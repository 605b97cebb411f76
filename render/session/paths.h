// The exact paths of bodies between two states: a knot at every impact and at every frame's end. Between two knots a
// body in free flight moves on the parabola through both, with its velocity at the first knot.
#ifndef CT_SESSION_PATHS_H
#define CT_SESSION_PATHS_H

#include "render/session/sim_state.h"

typedef struct ctKnot {
    ctBodyId body;
    double time;     // s
    ctVec3 place;    // of the centre of mass, m
    ctVec3 velocity; // m/s; at an impact: after it
} ctKnot;

typedef struct ctPathLog {
    bool on;
    ctBodyId only;   // the only body to record; null: those of marks, or all moving bodies when there are no marks
    ctBodyId *marks; // owned
    int markCount, markCapacity;
    ctKnot *knots; // in order of time; the reader takes them and sets the count to 0
    int count, capacity;
    bool failed; // memory ran short: some knots are missing
} ctPathLog;

// Makes the world report its impacts to the log. A world has one listener at a time.
void ctPathLog_Watch(ctPathLog *log, ctWorld *world);
void ctPathLog_AddState(ctPathLog *log, const ctSimState *state);
void ctPathLog_Free(ctPathLog *log);

// The place between two knots of one body, share 0 ... 1 of the time between them.
ctVec3 ctPath_Between(const ctKnot *a, const ctKnot *b, double share);

#endif
