// Functions on the running script that all parts of the scene language share.
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

// Limits of one call: instructions (0: from the time limit), and megabytes beyond those in use (0: the scene's limit).
static const struct {
    const char *name;
    int64_t instructions;
    double megabytes;
} modes[] = {
    [ct_scriptMakes] = {"making the scene", 0, 0.0},
    [ct_scriptMeasures] = {"a measure", 2000000, 0.0},
    [ct_scriptSamples] = {"a sample", 100000, 0.0},
    [ct_scriptActs] = {"a callback", 1000000, 64.0},
};

int64_t ctScriptMode_Instructions(const ctLoader *loader, ctScriptMode mode)
{
    return mode == ct_scriptMakes ? (int64_t)(CT_SCRIPT_INSTRUCTION_RATE * loader->seconds) : modes[mode].instructions;
}

double ctScriptMode_Megabytes(const ctLoader *loader, ctScriptMode mode)
{
    double own = modes[mode].megabytes;
    return own > 0.0 && own < loader->megabytes ? own : loader->megabytes;
}

void ctLoader_LimitMessage(const ctLoader *loader, ctScriptLimit limit, char *text, size_t size)
{
    bool makes = loader->mode == ct_scriptMakes;
    if (limit == ct_scriptMemory && modes[loader->mode].megabytes > 0.0) {
        snprintf(text, size, "%s needs too much memory; it may use %g MB", modes[loader->mode].name,
                 ctScriptMode_Megabytes(loader, loader->mode));
    } else if (limit == ct_scriptMemory) {
        snprintf(text, size, "the script needs too much memory; a scene may use %g MB (--script-memory)",
                 loader->megabytes);
    } else {
        snprintf(text, size, "%s takes too long; it may use %g s of computing%s", modes[loader->mode].name,
                 loader->seconds, makes ? " (--script-seconds)" : "");
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
    if (loader->mode == ct_scriptMakes) {
        snprintf(text, sizeof text,
                 "the script runs too long; a scene may take %g million instructions (an endless loop?)",
                 1e-6 * (double)loader->budget);
        return ctSandbox_Exceed(L, ct_scriptInstructions, text);
    }
    snprintf(text, sizeof text, "%s runs too long; it may take %d instructions (an endless loop?)",
             modes[loader->mode].name, (int)loader->budget);
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

// Calls the function in the first upvalue while the scene is made. The second upvalue is the name of the function.
static int making(lua_State *L)
{
    ctSandbox_OnlyWhileMaking(L, lua_tostring(L, lua_upvalueindex(2)));
    int results = lua_tocfunction(L, lua_upvalueindex(1))(L);
    ctSandbox_Spend(L, 0);
    return results;
}

void ctSandbox_OnlyWhileMaking(lua_State *L, const char *function)
{
    ctScriptMode mode = ctLoaderOf(L)->mode;
    if (mode == ct_scriptActs) {
        ctRaise(L, "%s: a callback may change what is there, and makes nothing new", function);
    }
    if (mode != ct_scriptMakes) {
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
