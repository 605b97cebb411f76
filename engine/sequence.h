// Impacts at several places at once, and the single impact that they are made of.
#ifndef CT_SEQUENCE_H
#define CT_SEQUENCE_H

#include "engine/impact.h"
#include "engine/world_internal.h"

// Solves the impact of a touch with the bodies' present velocities and applies it. The restitution of
// the pair is taken times restitutionShare. False when the numbers admit no solution: nothing changed.
bool ctTouch_Resolve(ctWorld *world, const ctTouch *touch, double restitutionShare);

// The same for two balls of the gas, at now; the normal is from b to a.
bool ctBalls_Collide(ctWorld *world, int a, int b, ctVec3 normal);

void ctSequence_Free(ctSequence *sequence);

// ---- microcollision.c ------------------------------------------------------------------------

// The slowest rebound of a microcollision of this pair, m/s; zero where nothing presses the two together.
double ctMicro_LeastRebound(const ctWorld *world, const ctBodyPair *pair);
// The least time between two of them, s.
double ctMicro_Pause(const ctWorld *world, const ctBodyPair *pair);
// The impulse that reverses the velocity. False when it is not in the friction cone.
bool ctMicro_Solve(const ctImpactInput *in, double leastRebound, ctImpactResult *out);
// The restitution with which the full collision rebounds fast enough, as far as that is possible; and what it lacks.
double ctMicro_Restitution(const ctImpactInput *in, double leastRebound);
void ctMicro_Lift(const ctImpactInput *in, double leastRebound, ctImpactResult *out);

#endif
