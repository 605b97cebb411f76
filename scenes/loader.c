// What every part of the scene language needs of the script that runs.
#include "scenes/loader.h"

#include "scenes/lua_values.h"

#include <stdio.h>

ctWorld *ctLoader_World(ctLoader *loader)
{
    if (loader->scene->world == NULL) {
        ctError error = {0};
        loader->scene->world = ctWorld_Create(&loader->def, &error);
        if (loader->scene->world == NULL) {
            ctRaise(loader->L, "%s", error.message);
        }
    }
    return loader->scene->world;
}

int ctSandbox_Exceed(lua_State *L, ctScriptLimit limit, const char *message)
{
    ctLoader *loader = ctLoaderOf(L);
    loader->limit = limit;
    loader->limitLine = ctCurrentLine(L);
    snprintf(loader->limitText, sizeof loader->limitText, "%s", message);
    return ctRaise(L, "%s", message);
}

// Calls the function in the first upvalue; the second is its name.
static int making(lua_State *L)
{
    ctSandbox_OnlyWhileMaking(L, lua_tostring(L, lua_upvalueindex(2)));
    int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
    ctSandbox_Spend(L, 0);
    return results;
}

void ctSandbox_OnlyWhileMaking(lua_State *L, const char *function)
{
    if (ctLoaderOf(L)->looking) {
        ctRaise(L, "%s: a measure may only look at the world", function);
    }
}

void ctOpenFunctions(lua_State *L, const luaL_Reg *functions)
{
    for (; functions->name != NULL; functions++) {
        lua_pushcfunction(L, functions->func);
        lua_pushstring(L, functions->name);
        lua_pushcclosure(L, making, 2);
        lua_setglobal(L, functions->name);
    }
}
