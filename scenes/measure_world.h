// The world object: the argument of a script's measures, samples and callbacks. They read the world through it.
// Callbacks also change the world through it.
#ifndef CT_MEASURE_WORLD_H
#define CT_MEASURE_WORLD_H

#include "engine/clatter.h"

#include <lua.h>

// Pushes a new world object.
void ctMeasureWorld_Push(lua_State *L);

// For methods of the world object. Raises unless the method is called with a colon.
void ctMeasureWorld_CheckSelf(lua_State *L, const char *method);
// Read an argument: the name of a body, or a list of three numbers. Both raise.
ctBodyId ctMeasureWorld_Body(lua_State *L, int index, const char *method);
ctVec3 ctMeasureWorld_Vector(lua_State *L, int index, const char *function);

#endif
