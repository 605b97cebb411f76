// The sandbox: a script ends within its limits and can change nothing but its own scene.
//
// A hook counts instructions, HOOK_STEP at a time. The same hook also runs at every call, and checks the processor
// time: one instruction can be a call of a slow C function. The memory of the Lua state comes from an allocator with
// a budget. Endless recursion meets Lua's own stack limits. pcall and xpcall pass on the errors of limits, so that a
// script cannot catch them and continue.
#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"
#include "scenes/script.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOOK_STEP = 100,
    MAX_REFUSALS = 20, // after each, Lua collects all garbage and tries again: a heap at its limit is slow
};

static void *allocate(void *context, void *memory, size_t oldSize, size_t size)
{
    ctLoader *loader = context;
    size_t old = memory != NULL ? oldSize : 0;
    if (size == 0) {
        free(memory);
        loader->memory -= old;
        ctBudget_GiveBack(old);
        return NULL;
    }
    if (size > old) {
        double after = (double)(loader->memory - old) + (double)size;
        bool full = after > loader->megabytes * 1048576.0 || loader->refusals > MAX_REFUSALS;
        if (full || !ctBudget_Take(size - old)) {
            loader->refusals++;
            loader->refusedLine = loader->L != NULL ? ctCurrentLine(loader->L) : 0;
            return NULL;
        }
    }
    void *grown = realloc(memory, size);
    ctBudget_GiveBack(size < old ? old - size : grown == NULL ? size - old : 0);
    if (grown == NULL) {
        return size <= old ? memory : NULL; // Lua requires that shrinking never fails
    }
    loader->memory = loader->memory - old + size;
    return grown;
}

static void hook(lua_State *L, lua_Debug *ar)
{
    if (ctLoaderOf(L)->limit != ct_scriptUnlimited) { // the script has ended: its __close functions must not run
        lua_pushliteral(L, "");
        lua_error(L);
    }
    ctSandbox_Spend(L, ar->event == LUA_HOOKCOUNT ? HOOK_STEP : 0);
}

static bool isOverflow(lua_State *L, int status)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    return status == LUA_ERRERR || strstr(text, "stack overflow") != NULL;
}

// Stores which limit an error came from, if any.
static void noteLimit(lua_State *L, int status)
{
    ctLoader *loader = ctLoaderOf(L);
    if (loader->limit == ct_scriptUnlimited && loader->whole.outOfTime) {
        loader->limit = ct_scriptTime;
    } else if (loader->limit == ct_scriptUnlimited && (status == LUA_ERRMEM || loader->whole.outOfMemory)) {
        loader->limit = ct_scriptMemory;
    } else if (loader->limit == ct_scriptUnlimited && isOverflow(L, status)) {
        loader->limit = ct_scriptRecursion;
    }
}

static int guardedPcall(lua_State *L)
{
    luaL_checkany(L, 1);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    if (status != LUA_OK) {
        noteLimit(L, status);
        if (ctLoaderOf(L)->limit != ct_scriptUnlimited) {
            return lua_error(L);
        }
    }
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

// xpcall(f, handler, ...): the handler runs after the stack has been unwound.
static int guardedXpcall(lua_State *L)
{
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_remove(L, 2);
    lua_insert(L, 1); // handler, f, arguments
    int status = lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0);
    if (status == LUA_OK) {
        lua_pushboolean(L, true);
        lua_replace(L, 1);
        return lua_gettop(L);
    }
    noteLimit(L, status);
    if (ctLoaderOf(L)->limit != ct_scriptUnlimited) {
        return lua_error(L);
    }
    lua_pushvalue(L, 1);
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    lua_pushboolean(L, false);
    lua_insert(L, -2);
    return 2;
}

// Finalizers (__gc) are refused: the collector would run them at unpredictable times, without the hook.
static int guardedSetmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnoneornil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL) {
            return ctRaise(L, "setmetatable: a scene may not use __gc");
        }
        lua_pop(L, 1);
    }
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) {
        return ctRaise(L, "setmetatable: the metatable is protected");
    }
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

// Reading a global that does not exist raises: it is nearly always a typing error, such as spher { radius = 1 }.
static int unknownGlobal(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) {
        return 0;
    }
    const char *word = lua_tostring(L, 2), *nearest = ctNearestKey(L, 1, word);
    static const char *const removed[] = {"io",        "os",       "require", "load",    "loadstring",
                                          "dofile",    "loadfile", "debug",   "package", "collectgarbage",
                                          "coroutine", "utf8",     "warn",    NULL};
    for (int i = 0; removed[i] != NULL; i++) {
        if (strcmp(removed[i], word) == 0) {
            return ctRaise(L, "a scene has no '%s': scripts run in a sandbox", word);
        }
    }
    if (nearest != NULL) {
        return ctRaise(L, "unknown name '%.40s'; did you mean '%s'?", word, nearest);
    }
    return ctRaise(L, "unknown name '%.40s'", word);
}

static void openLibraries(lua_State *L)
{
    luaL_requiref(L, LUA_GNAME, luaopen_base, 1);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 1);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 1);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 1);
    lua_settop(L, 0);
    static const char *const unsafe[] = {"load", "dofile", "loadfile", "collectgarbage", "warn", NULL};
    for (int i = 0; unsafe[i] != NULL; i++) {
        lua_pushnil(L);
        lua_setglobal(L, unsafe[i]);
    }
    lua_register(L, "pcall", guardedPcall);
    lua_register(L, "xpcall", guardedXpcall);
    lua_register(L, "setmetatable", guardedSetmetatable);
    ctSandbox_OpenText(L);
    ctSandbox_OpenSort(L);
    ctSandbox_OrderPairs(L);
    ctSandbox_GuardLibraries(L);
    ctOpenRandom(L);
    ctOpenPlaces(L);
    ctOpenAnnotations(L);
    ctOpenShapes(L);
    ctOpenMaterials(L);
    ctOpenBodies(L);
    ctOpenParams(L);
    ctOpenMeasures(L);
    ctOpenScript(L);
    lua_pushglobaltable(L);
    lua_createtable(L, 0, 2);
    lua_pushcfunction(L, unknownGlobal);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "the names of the scene language");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

typedef struct Script {
    const char *text;
    size_t length;
    bool compiled;
    char *code; // result of ctSandbox_Compile
    size_t codeLength;
    int codeCapacity;
} Script;

static int runProtected(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    const Script *script = lua_touserdata(L, 1);
    openLibraries(L);
    if (luaL_loadbufferx(L, script->text, script->length, "=" CT_SCRIPT_CHUNK, script->compiled ? "b" : "t") !=
        LUA_OK) {
        return lua_error(L);
    }
    lua_sethook(L, hook, LUA_MASKCOUNT | LUA_MASKCALL, HOOK_STEP);
    lua_call(L, 0, 0);
    lua_sethook(L, NULL, 0, 0);
    ctParams_Finish(L);
    ctLoader_World(loader);
    ctMaterials_Override(L);
    return 0;
}

// The message handler: an error without a line (error "x" at level 0, a value that is no string) gets one.
static int addLine(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TSTRING) {
        lua_pushfstring(L, "error value is %s", ctTypeName(L, 1));
        lua_replace(L, 1);
    }
    if (strncmp(lua_tostring(L, 1), CT_SCRIPT_CHUNK ":", strlen(CT_SCRIPT_CHUNK ":")) != 0) {
        lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: %s", ctCurrentLine(L), lua_tostring(L, 1));
    }
    return 1;
}

// Turns Lua's message, which begins "(scene):12: ", into the program's message, which begins with the path.
static void describe(ctLoader *loader, int status, ctError *error)
{
    lua_State *L = loader->L;
    noteLimit(L, status);
    const char *text = status == LUA_ERRMEM || lua_type(L, -1) != LUA_TSTRING ? "" : lua_tostring(L, -1);
    const char *path = loader->scene->path;
    size_t longest = 300, length = strlen(path);
    const char *dots = length > longest ? "..." : "";
    path = length > longest ? path + length - longest : path;
    int line = 0, read = 0;
    if (sscanf(text, CT_SCRIPT_CHUNK ":%d: %n", &line, &read) >= 1 && read > 0) {
        text += read;
    }
    char limitText[120];
    bool hasText = loader->limitText[0] != '\0';
    if (loader->limit == ct_scriptMemory || (loader->limit == ct_scriptTime && !hasText)) {
        line = line > 0 ? line : loader->refusedLine;
        ctLoader_LimitMessage(loader, loader->limit, limitText, sizeof limitText);
        text = limitText;
    } else if (loader->limit != ct_scriptUnlimited && hasText) {
        text = loader->limitText;
        line = loader->limitLine;
    } else if (loader->limit == ct_scriptRecursion) {
        text = "the script recurses too deeply (a function that calls itself without end?)";
    }
    // Lua's own messages may run over several lines; the first says what is wrong.
    int firstLine = (int)strcspn(text, "\n");
    if (line > 0) {
        ctFail(error, ct_badArgument, "%s%s:%d: %.*s", dots, path, line, firstLine, text);
    } else {
        ctFail(error, ct_badArgument, "%s%s: %.*s", dots, path, firstLine, text);
    }
}

// Calls function with the argument under the message handler, within the budget.
static bool callProtected(ctLoader *loader, lua_CFunction function, void *argument, ctError *error)
{
    lua_State *L = loader->L;
    loader->limit = ct_scriptUnlimited;
    loader->limitText[0] = '\0';
    loader->instructions = 0;
    loader->refusals = 0;
    loader->budget = ctScriptMode_Instructions(loader, loader->mode);
    ctBudget_Begin(&loader->whole, (size_t)(ctScriptMode_Megabytes(loader, loader->mode) * 1048576.0),
                   loader->seconds * CT_SCRIPT_SLOWNESS);
    lua_settop(L, 0);
    lua_pushcfunction(L, addLine);
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, argument);
    int status = lua_pcall(L, 1, 0, 1);
    lua_sethook(L, NULL, 0, 0);
    ctBudget_End();
    if (status != LUA_OK) {
        describe(loader, status, error);
        lua_settop(L, 0);
        lua_gc(L, LUA_GCCOLLECT); // garbage of a failed call must not use up the memory of the next call
    }
    lua_settop(L, 0);
    return status == LUA_OK;
}

static bool openState(ctLoader *loader, ctError *error)
{
    loader->L = lua_newstate(allocate, loader);
    if (loader->L == NULL) {
        return ctFailMemory(error, "a scene's script");
    }
    *(ctLoader **)lua_getextraspace(loader->L) = loader;
    return true;
}

bool ctSandbox_Run(ctLoader *loader, const char *text, size_t length, bool compiled, ctError *error)
{
    Script script = {.text = text, .length = length, .compiled = compiled};
    return openState(loader, error) && callProtected(loader, runProtected, &script, error);
}

static int appendCode(lua_State *L, const void *bytes, size_t size, void *context)
{
    (void)L;
    Script *script = context;
    if (!ctReserve((void **)&script->code, &script->codeCapacity, (int)(script->codeLength + size), 1)) {
        return 1;
    }
    memcpy(script->code + script->codeLength, bytes, size);
    script->codeLength += size;
    return 0;
}

static int compileProtected(lua_State *L)
{
    Script *script = lua_touserdata(L, 1);
    if (luaL_loadbufferx(L, script->text, script->length, "=" CT_SCRIPT_CHUNK, "t") != LUA_OK) {
        return lua_error(L);
    }
    return lua_dump(L, appendCode, script, false) == 0 ? 0 : luaL_error(L, "out of memory for the compiled script");
}

bool ctSandbox_Compile(const char *path, const char *text, size_t length, char **code, size_t *codeLength,
                       ctError *error)
{
    ctScene scene = {.path = (char *)path}; // for the messages
    ctLoader loader = {.scene = &scene, .seconds = CT_SCRIPT_SECONDS, .megabytes = CT_SCRIPT_MEGABYTES};
    Script script = {.text = text, .length = length};
    bool good = openState(&loader, error) && callProtected(&loader, compileProtected, &script, error);
    if (loader.L != NULL) {
        lua_close(loader.L);
    }
    if (!good) {
        ctFree(script.code);
        script.code = NULL;
    }
    *code = script.code;
    *codeLength = script.codeLength;
    return good;
}

bool ctSandbox_Call(ctLoader *loader, ctScriptMode mode, lua_CFunction function, void *context, ctError *error)
{
    loader->mode = mode;
    lua_sethook(loader->L, hook, LUA_MASKCOUNT | LUA_MASKCALL, HOOK_STEP);
    return callProtected(loader, function, context, error);
}

void ctLoader_Free(ctLoader *loader)
{
    if (loader == NULL) {
        return;
    }
    if (loader->L != NULL) {
        lua_close(loader->L);
    }
    for (int i = 0; i < loader->sampleCount; i++) {
        ctFree(loader->sampleNames[i]);
    }
    ctScript_Free(loader->script);
    ctFree(loader->waiting);
    ctFree(loader);
}
