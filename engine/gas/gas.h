// Balls in free flight, among themselves: cells instead of boxes (gas/gas.c).
#ifndef CT_GAS_H
#define CT_GAS_H

#include "engine/gas/tunables.h"
#include "engine/pairs/pairs.h"

// Makes a ball a member if it may be one, and it stays one until something happens that only pairs can deal with. True
// when it has become one.
bool ctGas_Enter(ctWorld *world, int body);
// The same as ctWorld_CourseChanged, for any body: members of the gas find their next event, or leave it.
void ctGas_CourseChanged(ctWorld *world, int body);
// What a member has been waiting for: to leave its cell, or a hit.
void ctGas_Event(ctWorld *world, int body);
// Asks for the memory of what is next.
void ctGas_PrefetchNext(const ctWorld *world);
// Time jumps without motion.
void ctGas_Delay(ctWorld *world, double seconds);
// After a snapshot: the table from the members' cells, which are checked.
bool ctGas_Rebuild(ctWorld *world, ctError *error);

#endif
