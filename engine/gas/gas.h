// The gas: balls in free flight find their impacts among themselves by cells, without pairs (gas/gas.c).
#ifndef CT_GAS_H
#define CT_GAS_H

#include "engine/gas/tunables.h"
#include "engine/pairs/pairs.h"

// Makes a ball a member if it may be one. It leaves when something happens that only pairs can handle. True when it has
// become a member.
bool ctGas_Enter(ctWorld *world, int body);
// ctWorld_CourseChanged for any body: a member of the gas finds its next event, or leaves.
void ctGas_CourseChanged(ctWorld *world, int body);
// Handles the event of a member: it leaves its cell, or hits another.
void ctGas_Event(ctWorld *world, int body);
// Prefetches the memory that the next events need.
void ctGas_PrefetchNext(const ctWorld *world);
// Time jumps without motion.
void ctGas_Delay(ctWorld *world, double seconds);
// After a snapshot is read: checks the members' cells, and makes the table from them.
bool ctGas_Rebuild(ctWorld *world, ctError *error);

#endif
