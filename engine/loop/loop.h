// The seam of the loop: events in order.
#ifndef CT_LOOP_H
#define CT_LOOP_H

#include "engine/state/state.h"

// Handles every event up to world->frameEnd, or (impact not NULL) up to the first impact.
bool ctWorld_RunEvents(ctWorld *world, bool *impact, ctError *error);

#endif
