// Bodies that wait to be launched by a callback.
#ifndef CT_WAITING_H
#define CT_WAITING_H

#include "engine/clatter.h"
#include "scenes/lua_values.h"

// Whether a body waits: it is fixed and touches nothing.
bool ctBody_Waits(const ctWorld *world, ctBodyId body);
// Makes a dynamic body wait from now on: the body must have been made with a filter that touches nothing. `filter` is
// its filter once it is launched. Raises.
void ctWaiting_Read(const ctFields *fields, ctWorld *world, ctBodyId body, const ctBodyDef *def, ctFilter filter);
// Adds launch and retire to the table of methods at the top of the stack.
void ctWaiting_Open(lua_State *L);
// The world, for methods that change it; raises outside of callbacks (scenes/world_changes.c).
ctWorld *ctWorldToChange(lua_State *L, const char *method);

#endif
