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

void ctLoader_LimitMessage(const ctLoader *loader, ctScriptLimit limit, char *text, size_t size)
{
    if (limit == ct_scriptMemory) {
        snprintf(text, size, "the script needs too much memory; a scene may use %g MB (--script-memory)",
                 loader->megabytes);
    } else {
        snprintf(text, size, "%s takes too long; it may use %g s of computing%s",
                 loader->looking ? "a measure" : "making the scene", loader->seconds,
                 loader->looking ? "" : " (--script-seconds)");
    }
}

static int exceedTime(lua_State *L)
{
    char text[120];
    ctLoader_LimitMessage(ctLoaderOf(L), ct_scriptTime, text, sizeof text);
    return ctSandbox_Exceed(L, ct_scriptTime, text);
}

static int exceedInstructions(lua_State *L)
{
    const ctLoader *loader = ctLoaderOf(L);
    char text[120];
    if (!loader->looking) {
        snprintf(text, sizeof text,
                 "the script runs too long; a scene may take %g million instructions (an endless loop?)",
                 1e-6 * (double)loader->budget);
        return ctSandbox_Exceed(L, ct_scriptInstructions, text);
    }
    snprintf(text, sizeof text, "%s runs too long; it may take %d instructions (an endless loop?)",
             loader->budget == CT_SAMPLE_INSTRUCTIONS ? "a sample" : "a measure", (int)loader->budget);
    return ctSandbox_Exceed(L, ct_scriptInstructions, text);
}

void ctSandbox_Spend(lua_State *L, int64_t instructions)
{
    ctLoader *loader = ctLoaderOf(L);
    loader->instructions += instructions;
    if (loader->instructions > loader->budget) {
        exceedInstructions(L);
    }
    if (ctBudget_IsLate()) {
        exceedTime(L);
    }
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
