// measure() and sample(): they register functions of the script that are called after the scene has been made.
#include "collision/memory.h"
#include "scenes/lua_values.h"
#include "scenes/measure_world.h"

#include <string.h>

// The name is checked because it becomes the head of a column and a key of JSON.
static const char *readName(lua_State *L, const char *function)
{
    const char *name = ctTextArgument(L, 1, function, "the name");
    if (ctNameFault(name) != NULL) {
        ctRaise(L, "%s: the name %s", function, ctNameFault(name));
    }
    for (const char *p = name; *p != '\0'; p++) {
        if (strchr(",\"\\(){}[]", *p) != NULL || (unsigned char)*p < ' ') {
            ctRaise(L, "%s '%.40s': the name must not hold commas, quotes, brackets or line breaks", function, name);
        }
    }
    if (lua_type(L, 2) != LUA_TFUNCTION) {
        ctRaise(L, "%s '%.40s' takes a function of the world, not %s", function, name, ctTypeName(L, 2));
    }
    return name;
}

// Names that a measure may not have: the other columns of a sweep's table.
static const char *const reserved[] = {"run",    "mu",         "e",           "law",        "contact", "fps",  "jitter",
                                       "repeat", "start_seed", "simulated_s", "state_hash", "cpu_s",   "error"};

static void checkFree(lua_State *L, const char *name)
{
    const ctScene *s = ctLoaderOf(L)->scene;
    for (int i = 0; i < s->measureCount; i++) {
        if (strcmp(s->measures[i].name, name) == 0) {
            ctRaise(L, "measure '%s' exists already", name);
        }
    }
    for (int i = 0; i < s->paramCount; i++) {
        if (strcmp(s->params[i].name, name) == 0) {
            ctRaise(L, "measure '%s' has the name of a parameter", name);
        }
    }
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (strcmp(reserved[i], name) == 0) {
            ctRaise(L, "measure '%s' has the name of another column of a sweep's table", name);
        }
    }
}

static char *copyText(lua_State *L, const char *text)
{
    char *copy = ctCopyText(text, strlen(text));
    if (copy == NULL) {
        ctRaise(L, "out of memory for measures");
    }
    return copy;
}

static int keepFunction(lua_State *L)
{
    lua_pushvalue(L, 2);
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

// measure(name, function(world) ... end, label)
static int measure(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    ctScene *s = loader->scene;
    const char *name = readName(L, "measure");
    const char *label = lua_isnoneornil(L, 3) ? name : ctTextArgument(L, 3, "measure", "the label");
    checkFree(L, name);
    if (s->measureCount >= CT_SCRIPT_MEASURES) {
        return ctRaise(L, "too many measures; a scene may have %d", CT_SCRIPT_MEASURES);
    }
    if (!ctReserve((void **)&s->measures, &loader->measureCapacity, s->measureCount + 1, sizeof *s->measures)) {
        return ctRaise(L, "out of memory for measures");
    }
    int i = s->measureCount;
    s->measures[i] = (ctSceneMeasure){NULL, NULL};
    loader->measures[i] = keepFunction(L);
    loader->measureLines[i] = ctCurrentLine(L);
    s->measures[s->measureCount++].name = copyText(L, name);
    s->measures[i].label = copyText(L, label);
    return 0;
}

// sample(name, function(world) ... end): a number at the end of every frame
static int sample(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    const char *name = readName(L, "sample");
    for (int i = 0; i < loader->sampleCount; i++) {
        if (strcmp(loader->sampleNames[i], name) == 0) {
            return ctRaise(L, "sample '%s' exists already", name);
        }
    }
    if (loader->sampleCount >= CT_SCRIPT_SAMPLES) {
        return ctRaise(L, "too many samples; a scene may have %d", CT_SCRIPT_SAMPLES);
    }
    int i = loader->sampleCount;
    loader->samples[i] = keepFunction(L);
    loader->sampleLines[i] = ctCurrentLine(L);
    loader->sampleNames[i] = copyText(L, name);
    loader->sampleCount++;
    return 0;
}

void ctOpenMeasures(lua_State *L)
{
    static const luaL_Reg functions[] = {{"measure", measure}, {"sample", sample}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
    ctMeasureWorld_Push(L);
    ctLoaderOf(L)->worldObject = luaL_ref(L, LUA_REGISTRYINDEX);
}
