// Bodies that wait to be launched by a callback.
#ifndef CT_WAITING_H
#define CT_WAITING_H

#include "engine/clatter.h"
#include "scenes/lua_values.h"

// Whether a body waits: it is fixed and touches nothing.
bool ctBody_Waits(const ctWorld *world, ctBodyId body);
// A body that was made dynamic, and with a filter that touches nothing, waits from now on. filter: when it is launched.
// Raises.
void ctWaiting_Read(const ctFields *fields, ctWorld *world, ctBodyId body, const ctBodyDef *def, ctFilter filter);
// Adds launch and retire to the methods in the table at the top of the stack.
void ctWaiting_Open(lua_State *L);
// The world, for methods that change it; raises outside of callbacks (scenes/world_changes.c).
ctWorld *ctWorldToChange(lua_State *L, const char *method);

#endif
