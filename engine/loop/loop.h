// The seam of the loop: events in order.
#ifndef CT_LOOP_H
#define CT_LOOP_H

#include "engine/state/state.h"

// Where a run of the loop ends.
typedef struct ctRunLimits {
    double until;  // s, at most world->frameEnd
    bool toImpact; // at the first impact or microcollision: world->hadImpact is true then
    bool toNews;   // where the lists of impacts or of sensors' events have grown
} ctRunLimits;

// Handles every event up to the limits. world->now is where it ended.
bool ctWorld_RunEvents(ctWorld *world, const ctRunLimits *limits, ctError *error);

#endif
