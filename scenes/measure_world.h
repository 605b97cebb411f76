// The object that a script's measures, samples and callbacks get: they look at the world through it, and callbacks
// change it.
#ifndef CT_MEASURE_WORLD_H
#define CT_MEASURE_WORLD_H

#include "engine/clatter.h"

#include <lua.h>

// Pushes a new one.
void ctMeasureWorld_Push(lua_State *L);

// For its methods. Raises unless the method is called with a colon.
void ctMeasureWorld_CheckSelf(lua_State *L, const char *method);
// The body whose name is the argument; a list of three numbers. Both raise.
ctBodyId ctMeasureWorld_Body(lua_State *L, int index, const char *method);
ctVec3 ctMeasureWorld_Vector(lua_State *L, int index, const char *function);

#endif
