// The seams between the files of the gas: gas/gas.c (who is a member, and its box), gas/events.c (what happens to
// members), gas/gas_look.c (whom they will meet).
#ifndef CT_GAS_INTERNAL_H
#define CT_GAS_INTERNAL_H

#include "engine/contact/contact.h"
#include "engine/gas/gas.h"
#include "engine/pairs/balls.h"

#include <stdlib.h>

// The centre of a member now. Members share their acceleration.
static inline ctCentre ctGas_CentreNow(const ctWorld *world, int ball)
{
    return ctBody_CentreUnder(&world->bodies[ball], world->def.gravity, world->now);
}

// What a member has to be, but for its size and speed.
static inline bool ctGas_IsEligible(const ctWorld *world, const ctBody *body)
{
    ctVec3 g = world->def.gravity;
    return body->ball && body->mode == ct_modeFlying && body->contactPairs == 0 && body->invInertia > 0.0 &&
           !body->choosy && !world->filtered && body->a.x == g.x && body->a.y == g.y && body->a.z == g.z &&
           world->def.contact == ct_contactIsland &&
           (world->terrainCount == 0 || !ctTiles_IsPassing(world, (int)(body - world->bodies)));
}

// Neither so fast that cells are a burden, nor so far away that they are not known well.
static inline bool ctGas_IsSlow(const ctWorld *world, ctVec3 x, ctVec3 v)
{
    double most = CT_GAS_CROSSINGS * world->gas.side, frame = world->boxTime;
    return (ctLengthSquared(v) * frame * frame <= most * most) &
           (ctMaxElement(ctAbs(x)) * world->gas.inverse < CT_GAS_FARTHEST);
}

// Balls that bounce little may stick together in crowds, which is contact.
static inline bool ctGas_Bounces(const ctCoefficients *coefficients)
{
    return coefficients->restitution > CT_CROWD_RESTITUTION;
}

// ---- gas/gas.c ------------------------------------------------------------------------------------

// A new box around the cell of a member, or a crossing to nowhere at once, which tries again.
void ctGas_HoldBox(ctWorld *world, int ball);

// ---- gas/events.c -----------------------------------------------------------------------------

// The next event of a member with a new course, or a new cell, whose centre is this.
void ctGas_SetCourse(ctWorld *world, int ball, const ctCentre *centre);
// The next event of a member, in the agenda.
void ctGas_Schedule(ctWorld *world, int ball);

// ---- gas/gas_look.c -------------------------------------------------------------------------------

// Cells that are looked at together, at most, and balls: one from each, and as many that share a cell with another.
enum { CT_GAS_BLOCK = 4 * 4 * CT_GAS_ROW, CT_GAS_CROWD = 2 * CT_GAS_BLOCK };

// The balls that a member looks at. They are gathered some time before, which asks for their memory.
typedef struct ctGasCrowd {
    const ctBody *bodies[CT_GAS_CROWD + 3]; // room to fill up the last four
    int count;
    int more[CT_GAS_BLOCK]; // balls of the same cells that there was no room for: these, and all after them
    int moreCount;
} ctGasCrowd;

// The next hit of a member whose centre is this, with all that is around.
void ctGas_LookAround(ctWorld *world, int ball, const ctCentre *centre);
// The same for two that touch, which are mostly surrounded by the same others; when they look they are at now. False,
// and no crowd, when their cells are not neighbours, to rounding.
bool ctGas_GatherBoth(const ctWorld *world, int one, int two, ctGasCrowd *crowd);
void ctGas_LookBoth(ctWorld *world, int one, int two, ctGasCrowd *crowd);
// A member is about to leave its cell: who is in the nine cells that become neighbours; and a hit with one of these, if
// it is earlier than that which it has.
void ctGas_GatherAhead(const ctWorld *world, int ball, int axis, int way, ctGasCrowd *crowd);
void ctGas_LookAhead(ctWorld *world, int ball, const ctCentre *centre, ctGasCrowd *crowd);

#endif
