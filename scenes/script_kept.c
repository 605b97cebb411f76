// Checks that a callback changes nothing inside Lua but the table of state{}.
//
// A snapshot contains no upvalues, globals or tables. If callbacks could change them, a run that continues from a
// snapshot would differ. When the script has run, all tables and functions that its callbacks can reach are listed,
// with copies of their entries and upvalues. After each call the objects are compared with the copies. As long as none
// of them has changed, callbacks can reach no other object, so the comparison is complete. Strings and shapes cannot
// change, and the world is part of a snapshot.
#include "scenes/lua_values.h"
#include "scenes/script.h"

#include <string.h>

// The lists, each a Lua table: the objects; and for each object a copy of its entries, their number, and its metatable.
typedef struct Lists {
    lua_State *L;
    int objects, copies, sizes, metatables, seen; // places on the stack
    int count, entries;
} Lists;

// ---- listing ----------------------------------------------------------------------------------

// Pops the value at the top of the stack, and lists it when it is a new table or function.
static void add(Lists *k)
{
    lua_State *L = k->L;
    int type = lua_type(L, -1);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION) {
        lua_pushvalue(L, -1);
        bool isNew = lua_rawget(L, k->seen) == LUA_TNIL;
        lua_pop(L, 1);
        if (isNew) {
            lua_pushvalue(L, -1);
            lua_pushboolean(L, true);
            lua_rawset(L, k->seen);
            lua_pushvalue(L, -1);
            lua_rawseti(L, k->objects, ++k->count);
        }
    }
    lua_pop(L, 1);
}

static void countEntry(Lists *k)
{
    if (++k->entries > CT_SCRIPT_KEPT) {
        ctRaise(k->L, "callbacks can reach more than %d values; make large tables in a function of their own",
                CT_SCRIPT_KEPT);
    }
}

static int copyTable(Lists *k, int object, int copy)
{
    lua_State *L = k->L;
    int size = 0;
    lua_pushnil(L);
    while (lua_next(L, object)) {
        countEntry(k);
        size++;
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, copy);
        add(k);
        lua_pushvalue(L, -1);
        add(k);
    }
    return size;
}

static int copyUpvalues(Lists *k, int object, int copy)
{
    lua_State *L = k->L;
    int i = 1;
    for (; lua_getupvalue(L, object, i) != NULL; i++) {
        countEntry(k);
        // An iterator of string.gmatch has a hidden state, which cannot be compared.
        if (lua_iscfunction(L, object) && lua_type(L, -1) == LUA_TUSERDATA && ctToShape(L, -1) == NULL) {
            ctRaise(L, "a callback can reach an iterator that was made outside of it; make it where it is used");
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, copy, i);
        add(k);
    }
    return i - 1;
}

static Lists openLists(lua_State *L)
{
    const ctScript *script = ctLoaderOf(L)->script;
    luaL_checkstack(L, 30, "callbacks");
    lua_rawgeti(L, LUA_REGISTRYINDEX, script->kept);
    int table = lua_gettop(L);
    for (int i = 1; i <= 5; i++) {
        lua_rawgeti(L, table, i);
    }
    return (Lists){L, table + 1, table + 2, table + 3, table + 4, table + 5, (int)lua_rawlen(L, table + 1), 0};
}

// Lists the callbacks and the methods of strings, from which all others are reached.
static void addRoots(Lists *k)
{
    lua_State *L = k->L;
    const ctScript *script = ctLoaderOf(L)->script;
    if (script->state != 0) { // the table of state{} may change: it is marked as seen, and not listed
        lua_rawgeti(L, LUA_REGISTRYINDEX, script->state);
        lua_pushboolean(L, true);
        lua_rawset(L, k->seen);
    }
    for (int i = 0; i < script->timerCount; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, script->timers[i].function);
        add(k);
    }
    for (int i = 0; i < script->handlerCount; i++) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, script->handlers[i].function);
        add(k);
    }
    lua_pushliteral(L, "");
    if (lua_getmetatable(L, -1)) {
        add(k);
    }
    lua_pop(L, 1);
}

void ctKept_List(lua_State *L)
{
    ctScript *script = ctLoaderOf(L)->script;
    lua_createtable(L, 5, 0);
    for (int i = 1; i <= 5; i++) {
        lua_newtable(L);
        lua_rawseti(L, -2, i);
    }
    script->kept = luaL_ref(L, LUA_REGISTRYINDEX);
    int top = lua_gettop(L);
    Lists k = openLists(L);
    addRoots(&k);
    for (int i = 1; i <= k.count; i++) {
        bool isTable = lua_rawgeti(L, k.objects, i) == LUA_TTABLE;
        int object = lua_gettop(L);
        lua_newtable(L);
        lua_pushinteger(L, isTable ? copyTable(&k, object, object + 1) : copyUpvalues(&k, object, object + 1));
        lua_rawseti(L, k.sizes, i);
        lua_rawseti(L, k.copies, i);
        if (isTable && lua_getmetatable(L, object)) {
            lua_pushvalue(L, -1);
            lua_rawseti(L, k.metatables, i);
            add(&k);
        }
        lua_settop(L, object - 1);
    }
    lua_settop(L, top);
}

// ---- comparing --------------------------------------------------------------------------------

// Whether a script cannot tell two values apart.
static bool isSame(lua_State *L, int a, int b)
{
    if (lua_type(L, a) != LUA_TNUMBER || lua_type(L, b) != LUA_TNUMBER) {
        return lua_rawequal(L, a, b);
    }
    if (lua_isinteger(L, a) || lua_isinteger(L, b)) {
        return lua_isinteger(L, a) && lua_isinteger(L, b) && lua_rawequal(L, a, b);
    }
    double x = lua_tonumber(L, a), y = lua_tonumber(L, b);
    return memcmp(&x, &y, sizeof x) == 0;
}

static void raise(lua_State *L, const char *who, const char *what)
{
    lua_pushfstring(L, "%s has changed %s: nothing is kept but what state { } declares", who, what);
    lua_error(L);
}

static void raiseEntry(lua_State *L, int object, int key, const char *who)
{
    lua_pushglobaltable(L);
    bool isGlobal = lua_rawequal(L, -1, object);
    ctSandbox_PushText(L, key);
    lua_pushfstring(L, isGlobal ? "the global '%s'" : "the entry '%s' of a table", lua_tostring(L, -1));
    raise(L, who, lua_tostring(L, -1));
}

static void checkTable(lua_State *L, int object, int copy, int size, const char *who)
{
    int found = 0;
    lua_pushnil(L);
    while (lua_next(L, object)) {
        lua_pushvalue(L, -2);
        lua_rawget(L, copy);
        if (!isSame(L, -1, -2)) {
            raiseEntry(L, object, lua_gettop(L) - 2, who);
        }
        lua_pop(L, 2);
        found++;
    }
    if (found == size) {
        return;
    }
    lua_pushnil(L); // an entry is missing: find which one
    while (lua_next(L, copy)) {
        lua_pushvalue(L, -2);
        if (lua_rawget(L, object) == LUA_TNIL) {
            raiseEntry(L, object, lua_gettop(L) - 2, who);
        }
        lua_pop(L, 2);
    }
}

static void checkUpvalues(lua_State *L, int object, int copy, const char *who)
{
    const char *name;
    for (int i = 1; (name = lua_getupvalue(L, object, i)) != NULL; i++) {
        lua_rawgeti(L, copy, i);
        if (!isSame(L, -1, -2)) {
            lua_pushfstring(L, "'%s'", name[0] != '\0' ? name : "an iterator");
            raise(L, who, lua_tostring(L, -1));
        }
        lua_pop(L, 2);
    }
}

void ctKept_Check(lua_State *L, const char *who)
{
    int top = lua_gettop(L);
    Lists k = openLists(L);
    for (int i = 1; i <= k.count; i++) {
        bool isTable = lua_rawgeti(L, k.objects, i) == LUA_TTABLE;
        int object = lua_gettop(L);
        lua_rawgeti(L, k.copies, i);
        lua_rawgeti(L, k.sizes, i);
        if (!isTable) {
            checkUpvalues(L, object, object + 1, who);
        } else {
            checkTable(L, object, object + 1, (int)lua_tointeger(L, -1), who);
            lua_rawgeti(L, k.metatables, i);
            if (!lua_getmetatable(L, object)) {
                lua_pushnil(L);
            }
            if (!lua_rawequal(L, -1, -2)) {
                raise(L, who, "a metatable");
            }
        }
        lua_settop(L, object - 1);
    }
    lua_settop(L, top);
}

// ---- putting back -----------------------------------------------------------------------------

static void restoreTable(lua_State *L, int object, int copy)
{
    lua_pushnil(L);
    while (lua_next(L, object)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, object);
    }
    lua_pushnil(L);
    while (lua_next(L, copy)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, object);
    }
}

void ctKept_Restore(lua_State *L)
{
    int top = lua_gettop(L);
    Lists k = openLists(L);
    for (int i = 1; i <= k.count; i++) {
        bool isTable = lua_rawgeti(L, k.objects, i) == LUA_TTABLE;
        int object = lua_gettop(L);
        lua_rawgeti(L, k.copies, i);
        if (isTable) {
            restoreTable(L, object, object + 1);
            lua_rawgeti(L, k.metatables, i);
            lua_setmetatable(L, object);
        } else {
            lua_rawgeti(L, k.sizes, i);
            int size = (int)lua_tointeger(L, -1);
            for (int u = 1; u <= size; u++) {
                lua_rawgeti(L, object + 1, u);
                lua_setupvalue(L, object, u);
            }
        }
        lua_settop(L, object - 1);
    }
    lua_settop(L, top);
}
