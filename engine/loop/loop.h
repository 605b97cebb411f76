// The seam of the loop: it handles events in order of time.
#ifndef CT_LOOP_H
#define CT_LOOP_H

#include "engine/state/state.h"

// Where a run of the loop ends.
typedef struct ctRunLimits {
    double until;  // s, at most world->frameEnd
    bool toImpact; // stop when the list of impacts has grown
    bool toNews;   // stop when that or the list of sensor events has grown
} ctRunLimits;

// Handles every event up to the limits. world->now is the time at which it stopped.
bool ctWorld_RunEvents(ctWorld *world, const ctRunLimits *limits, ctError *error);

#endif
