// state{}: the table that callbacks keep. The notes of the world contain the table and everything else that decides how
// the script continues: the counts of the timers, the random state, and the script itself with its parameters.
//
// The table is made anew from the notes before every call. Its hidden properties (the border of a list with holes, the
// order of keys) then depend on the notes alone, so that a loaded world continues exactly as the saved one.
#include "collision/memory.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"
#include "scenes/script.h"

#include <math.h>
#include <string.h>

#define MAGIC "CTSCRIPT"
enum { NOTES_VERSION = 1, MAX_DEPTH = 16 };
#define DECLARED "clatter.declared" // registry: the names of state{}

typedef enum Tag { tagNil, tagFalse, tagTrue, tagInteger, tagNumber, tagString, tagTable } Tag;

static void putTag(ctArchive *ar, Tag tag)
{
    uint8_t byte = (uint8_t)tag;
    ctArchive_U8(ar, &byte);
}

// ---- values -----------------------------------------------------------------------------------

static void refuse(lua_State *L, const char *name, int index)
{
    ctRaise(L, "state: '%.60s' is %s; state holds numbers, strings, booleans and plain tables of these", name,
            ctTypeName(L, index));
}

static void putString(lua_State *L, ctArchive *ar, int index)
{
    size_t size;
    const char *text = lua_tolstring(L, index, &size);
    int length = (int)size;
    putTag(ar, tagString);
    ctArchive_Count(ar, &length, 1);
    ctArchive_Bytes(ar, (void *)text, size);
}

static void putNumber(lua_State *L, ctArchive *ar, int index)
{
    union {
        double number;
        uint64_t bits;
        int64_t integer;
    } u;
    bool isInteger = lua_isinteger(L, index);
    putTag(ar, isInteger ? tagInteger : tagNumber);
    if (isInteger) {
        u.integer = lua_tointeger(L, index);
    } else {
        u.number = lua_tonumber(L, index);
        u.number = u.number != u.number ? (double)NAN : u.number; // the sign of a NaN differs between processors
    }
    ctArchive_U64(ar, &u.bits);
}

static void putValue(lua_State *L, ctArchive *ar, int index, const char *name, int depth);

// Writes the entries in the order of their keys: equal tables give equal bytes, whatever their history.
static void putTable(lua_State *L, ctArchive *ar, int index, const char *name, int depth)
{
    if (lua_getmetatable(L, index)) {
        ctRaise(L, "state: '%.60s' has a metatable; state holds plain tables", name);
    }
    if (depth >= MAX_DEPTH) {
        ctRaise(L, "state: '%.60s' is nested too deeply (a table inside of itself?)", name);
    }
    luaL_checkstack(L, 8, "state");
    ctSandbox_PushSortedKeys(L, index);
    int keys = lua_gettop(L), count = (int)lua_rawlen(L, keys);
    putTag(ar, tagTable);
    ctArchive_Count(ar, &count, 2);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        putValue(L, ar, lua_gettop(L), name, depth + 1);
        lua_rawget(L, index);
        putValue(L, ar, lua_gettop(L), name, depth + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void putValue(lua_State *L, ctArchive *ar, int index, const char *name, int depth)
{
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        putTag(ar, lua_toboolean(L, index) ? tagTrue : tagFalse);
        break;
    case LUA_TNUMBER:
        putNumber(L, ar, index);
        break;
    case LUA_TSTRING:
        putString(L, ar, index);
        break;
    case LUA_TTABLE:
        putTable(L, ar, index, name, depth);
        break;
    default:
        refuse(L, name, index);
    }
    if (ar->length > CT_SCRIPT_STATE) {
        ctRaise(L, "state: '%.60s' is too large; state may have %d bytes in all", name, CT_SCRIPT_STATE);
    }
}

// Pushes a value; false, with nothing pushed, when the bytes are not a value.
static bool pushValue(lua_State *L, ctArchive *ar, int depth)
{
    union {
        double number;
        uint64_t bits;
        int64_t integer;
    } u = {0.0};
    uint8_t tag = 0;
    int count = 0;
    luaL_Buffer buffer;
    ctArchive_U8(ar, &tag);
    if (!ctArchive_Check(ar, tag != tagNil && tag <= tagTable && depth <= MAX_DEPTH + 1, "the state of the script")) {
        return false;
    }
    luaL_checkstack(L, 8, "state");
    switch ((Tag)tag) {
    case tagInteger:
        ctArchive_U64(ar, &u.bits);
        lua_pushinteger(L, u.integer);
        break;
    case tagNumber:
        ctArchive_U64(ar, &u.bits);
        lua_pushnumber(L, u.number);
        break;
    case tagString:
        ctArchive_Count(ar, &count, 1);
        ctArchive_Bytes(ar, luaL_buffinitsize(L, &buffer, (size_t)count), (size_t)count);
        luaL_pushresultsize(&buffer, (size_t)count);
        break;
    case tagTable:
        ctArchive_Count(ar, &count, 2);
        lua_newtable(L);
        for (int i = 0; i < count; i++) {
            if (!pushValue(L, ar, depth + 1)) {
                lua_pop(L, 1);
                return false;
            }
            bool isKey = lua_type(L, -1) != LUA_TTABLE && lua_tonumber(L, -1) == lua_tonumber(L, -1);
            if (!ctArchive_Check(ar, isKey, "the state of the script") || !pushValue(L, ar, depth + 1)) {
                lua_pop(L, 2);
                return false;
            }
            lua_rawset(L, -3);
        }
        break;
    default:
        lua_pushboolean(L, tag == tagTrue);
    }
    return !ar->failed;
}

// ---- the table --------------------------------------------------------------------------------

static int unknownName(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : ctTypeName(L, 2);
    const char *names[CT_SCRIPT_STATE_NAMES + 1];
    int count = 0;
    lua_getfield(L, LUA_REGISTRYINDEX, DECLARED);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        names[count++] = lua_tostring(L, -1);
    }
    names[count] = NULL;
    const char *nearest = ctNearestName(name, names);
    if (nearest != NULL) {
        return ctRaise(L, "state has no '%.40s'; did you mean '%.40s'?", name, nearest);
    }
    return ctRaise(L, "state has no '%.40s'; every name is declared in state { }", name);
}

// Stores the names of state{} as keys of a table in the registry.
static void declare(lua_State *L)
{
    int count = 0;
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING || strlen(lua_tostring(L, -1)) > CT_SCRIPT_NAME) {
            ctRaise(L, "state: names must be strings of at most %d bytes, not %s", CT_SCRIPT_NAME, ctTypeName(L, -1));
        }
        if (++count > CT_SCRIPT_STATE_NAMES) {
            ctRaise(L, "state: too many names; there may be %d (a list counts as one)", CT_SCRIPT_STATE_NAMES);
        }
        lua_pushvalue(L, -1);
        lua_pushboolean(L, true);
        lua_rawset(L, -4);
    }
    lua_setfield(L, LUA_REGISTRYINDEX, DECLARED);
}

// Writes the entries of the table at index. Raises for names that state{} did not declare.
static void putState(lua_State *L, ctArchive *ar, int index)
{
    lua_getfield(L, LUA_REGISTRYINDEX, DECLARED);
    int declared = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, declared) == LUA_TNIL) {
            ctRaise(L, "state has no '%.40s'; every name is declared in state { }", ctTypeName(L, -2));
        }
        lua_pop(L, 1);
    }
    ctSandbox_PushSortedKeys(L, declared);
    int keys = lua_gettop(L), count = (int)lua_rawlen(L, keys);
    ctArchive_Count(ar, &count, 2);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        const char *name = lua_tostring(L, -1);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, index) == LUA_TNIL) {
            ctRaise(L, "state: '%.60s' is nil; use false for what is not there", name);
        }
        putValue(L, ar, lua_gettop(L), name, 0);
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
}

// state{ name = value, ... }: returns the table
static int state(lua_State *L)
{
    ctScript *script = ctScript_Of(L);
    if (script->state != 0) {
        return ctRaise(L, "state is declared already; a scene has one");
    }
    if (!lua_istable(L, 1)) {
        return ctRaise(L, "state takes a table of names and values, not %s", ctTypeName(L, 1));
    }
    if (lua_getmetatable(L, 1)) {
        return ctRaise(L, "state takes a plain table");
    }
    lua_settop(L, 1);
    declare(L);
    lua_createtable(L, 0, 3);
    lua_pushcfunction(L, unknownName);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, unknownName);
    lua_setfield(L, -2, "__newindex");
    lua_pushliteral(L, "the state of the script");
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, 1);
    lua_pushvalue(L, 1);
    script->state = luaL_ref(L, LUA_REGISTRYINDEX);
    ctScriptState_Write(L); // raises at once for values that cannot be stored
    return 1;
}

void ctScriptState_Open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"state", state}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}

// ---- the notes --------------------------------------------------------------------------------

void ctScriptNotes_Head(ctArchive *ar)
{
    char magic[8];
    memcpy(magic, MAGIC, sizeof magic);
    int32_t version = NOTES_VERSION;
    ctArchive_Bytes(ar, magic, sizeof magic);
    ctArchive_I32(ar, &version);
    ctArchive_Check(ar, memcmp(magic, MAGIC, sizeof magic) == 0 && version == NOTES_VERSION, "the script");
}

// Writes the script, or reads it and checks that it is the running one.
static void archiveSource(const ctArchive *source, ctArchive *ar)
{
    int length = source->length;
    ctArchive_Count(ar, &length, 1);
    if (ar->writing) {
        ctArchive_Bytes(ar, source->data, (size_t)length);
    } else if (ctArchive_Check(ar,
                               !ar->failed && length == source->length &&
                                   (length == 0 || memcmp(ar->source + ar->at, source->data, (size_t)length) == 0),
                               "the script")) {
        ar->at += (size_t)length;
    }
}

// Counts of the timers and the random state. The same code writes and reads (engine/core/archive.h).
static void archiveCounts(ctLoader *loader, ctArchive *ar)
{
    ctScript *script = loader->script;
    int32_t timers = script->timerCount;
    ctScriptNotes_Head(ar);
    archiveSource(&script->source, ar);
    ctArchive_I32(ar, &timers);
    ctArchive_Check(ar, timers == script->timerCount, "the script");
    for (int i = 0; i < script->timerCount; i++) {
        ctArchive_I64(ar, &script->timers[i].calls);
        ctArchive_Check(ar, script->timers[i].calls >= 0, "a timer");
    }
    for (int i = 0; i < 4; i++) {
        ctArchive_U64(ar, &loader->random[i]);
    }
}

static ctArchive openNotes(const ctWorld *world)
{
    size_t size;
    const void *data = ctWorld_GetNotes(world, &size);
    return ctArchive_Reader(data, size);
}

bool ctScriptState_ReadCounts(ctLoader *loader)
{
    ctArchive ar = openNotes(loader->scene->world);
    archiveCounts(loader, &ar);
    return !ar.failed;
}

void ctScriptState_Read(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    ctArchive ar = openNotes(loader->scene->world);
    archiveCounts(loader, &ar);
    int count = 0, top = lua_gettop(L);
    ctArchive_Count(&ar, &count, 1);
    if (count > 0 && loader->script->state != 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, loader->script->state);
        lua_getfield(L, LUA_REGISTRYINDEX, DECLARED);
        ctSandbox_PushSortedKeys(L, -1);
        for (int i = 1; i <= count && !ar.failed; i++) {
            bool named = ctArchive_Check(&ar, lua_rawgeti(L, top + 3, i) == LUA_TSTRING, "the state of the script");
            if (named && pushValue(L, &ar, 0)) {
                lua_rawset(L, top + 1);
            }
        }
    }
    lua_settop(L, top);
    if (ar.failed) {
        ctRaise(L, "the world's notes do not belong to this script");
    }
}

void ctScriptState_Write(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    ctScript *script = loader->script;
    ctArchive_Free(&script->notes);
    script->notes = ctArchive_Writer();
    archiveCounts(loader, &script->notes);
    int none = 0, top = lua_gettop(L);
    if (script->state != 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, script->state);
        putState(L, &script->notes, top + 1);
    } else {
        ctArchive_Count(&script->notes, &none, 2);
    }
    lua_settop(L, top);
    if (script->notes.failed) {
        ctRaise(L, "out of memory for state");
    }
}

void ctScriptState_CheckSame(lua_State *L, const char *who)
{
    const ctLoader *loader = ctLoaderOf(L);
    size_t size;
    const void *notes = ctWorld_GetNotes(loader->scene->world, &size);
    ctScriptState_Write(L);
    const ctArchive *now = &loader->script->notes;
    if (size != (size_t)now->length || memcmp(notes, now->data, size) != 0) {
        lua_pushfstring(L, "%s has changed state: it may only look", who);
        lua_error(L);
    }
}
