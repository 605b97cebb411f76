// Impacts at several places at once, and the single impact that they are made of.
#ifndef CT_SEQUENCE_H
#define CT_SEQUENCE_H

#include "engine/world_internal.h"

// Solves the impact of a touch with the bodies' present velocities and applies it. The restitution of
// the pair is taken times restitutionShare. False when the numbers admit no solution: nothing changed.
bool ctTouch_Resolve(ctWorld *world, const ctTouch *touch, double restitutionShare);

void ctSequence_Free(ctSequence *sequence);

#endif
