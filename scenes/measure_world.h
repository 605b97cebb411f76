// The object that a script's measures and samples get: they look at the world through it.
#ifndef CT_MEASURE_WORLD_H
#define CT_MEASURE_WORLD_H

#include <lua.h>

// Pushes a new one.
void ctMeasureWorld_Push(lua_State *L);

#endif
