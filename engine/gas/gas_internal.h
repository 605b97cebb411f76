// The interface between the files of the gas: gas/gas.c (membership and boxes), gas/events.c (the events of members),
// gas/gas_look.c (whom they will meet).
#ifndef CT_GAS_INTERNAL_H
#define CT_GAS_INTERNAL_H

#include "engine/contact/contact.h"
#include "engine/gas/gas.h"
#include "engine/pairs/balls.h"

#include <stdlib.h>

// The centre of a member at world->now. All members have the same acceleration.
static inline ctCentre ctGas_CentreNow(const ctWorld *world, int ball)
{
    return ctBody_CentreUnder(&world->bodies[ball], world->def.gravity, world->now);
}

// Whether a ball may be a member, but for its size and speed.
static inline bool ctGas_IsEligible(const ctWorld *world, const ctBody *body)
{
    ctVec3 g = world->def.gravity;
    return body->ball && ctBody_IsFlying(body) && body->contactPairs == 0 && body->invInertia > 0.0 && !body->choosy &&
           !world->filtered && body->a.x == g.x && body->a.y == g.y && body->a.z == g.z &&
           world->def.contact == ct_contactIsland &&
           (world->terrainCount == 0 || !ctTiles_IsPassing(world, (int)(body - world->bodies)));
}

// Whether a ball is slow enough that cells are worth their cost, and near enough to the origin that cells are exact.
static inline bool ctGas_IsSlow(const ctWorld *world, ctVec3 x, ctVec3 v)
{
    // |v| times the least life of a box of a ball as large as a cell, squared
    double share = CT_BOX_STEPS * CT_FALL_PER_STEP / CT_GAS_CROSSINGS;
    return (ctLengthSquared(v) * share * share <= world->gas.side * world->gravity) &
           (ctMaxElement(ctAbs(x)) * world->gas.inverse < CT_GAS_FARTHEST);
}

// Balls that bounce little may stick together in crowds, which is contact: they are no members.
static inline bool ctGas_Bounces(const ctCoefficients *coefficients)
{
    return coefficients->restitution > CT_CROWD_RESTITUTION;
}

// ---- gas/gas.c ------------------------------------------------------------------------------------

// Gives a member a new box around its cell. If that fails, its next event is a crossing in place, now, which tries
// again.
void ctGas_HoldBox(ctWorld *world, int ball);

// ---- gas/events.c -----------------------------------------------------------------------------

// Finds the next event of a member with a new course or a new cell; centre: at world->now.
void ctGas_SetCourse(ctWorld *world, int ball, const ctCentre *centre);
// Puts the next event of a member into the agenda.
void ctGas_Schedule(ctWorld *world, int ball);

// ---- gas/gas_look.c -------------------------------------------------------------------------------

// The most cells and balls that are looked at together: one ball from each cell, and as many that share a cell.
enum { CT_GAS_BLOCK = 4 * 4 * CT_GAS_ROW, CT_GAS_CROWD = 2 * CT_GAS_BLOCK };

// The balls that a member looks at. They are gathered early, and prefetched.
typedef struct ctGasCrowd {
    const ctBody *bodies[CT_GAS_CROWD + 3]; // with room to fill up the last group of four
    int count;
    int more[CT_GAS_BLOCK]; // balls of the same cells beyond the room: each of these, and all after it in its list
    int moreCount;
} ctGasCrowd;

// Finds the next hit of a member among all cells around its centre.
void ctGas_LookAround(ctWorld *world, int ball);
// The same for two members that touch, and are mostly surrounded by the same others; their courses begin now. False,
// with no crowd, when their cells are not neighbours, to rounding.
bool ctGas_GatherBoth(const ctWorld *world, int one, int two, ctGasCrowd *crowd);
void ctGas_LookBoth(ctWorld *world, int one, int two, ctGasCrowd *crowd);
// A member is about to leave its cell. Gathers the balls in the nine cells that become neighbours; then takes a hit
// with one of these if it is earlier than the present one.
void ctGas_GatherAhead(const ctWorld *world, int ball, int axis, int way, ctGasCrowd *crowd);
void ctGas_LookAhead(ctWorld *world, int ball, ctGasCrowd *crowd);

#endif
