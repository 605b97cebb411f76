// pairs and next in an order that is the same on every run. Lua's own order of string keys depends on addresses, and
// the order in which bodies are made changes the simulation.
#include "scenes/lua_values.h"

#include <string.h>

typedef struct Key {
    int rank; // numbers, then strings, then booleans
    double number;
    const char *text;
    size_t length;
} Key;

static Key keyAt(lua_State *L, int index)
{
    Key key = {0, 0.0, "", 0};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        key.number = lua_tonumber(L, index);
        break;
    case LUA_TSTRING:
        key.rank = 1;
        key.text = lua_tolstring(L, index, &key.length);
        break;
    case LUA_TBOOLEAN:
        key.rank = 2;
        key.number = lua_toboolean(L, index);
        break;
    default:
        ctRaise(L, "pairs: keys must be numbers, strings or booleans, not %s", ctTypeName(L, index));
    }
    return key;
}

static bool keyLess(lua_State *L)
{
    Key a = keyAt(L, -2), b = keyAt(L, -1);
    if (a.rank != b.rank) {
        return a.rank < b.rank;
    }
    if (a.rank == 1) {
        size_t shorter = a.length < b.length ? a.length : b.length;
        int order = memcmp(a.text, b.text, shorter);
        return order < 0 || (order == 0 && a.length < b.length);
    }
    return a.number < b.number;
}

void ctSandbox_PushSortedKeys(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    lua_newtable(L);
    lua_Integer count = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, ++count);
    }
    if (count == 1) { // a single key is never compared, so its type is checked here
        lua_rawgeti(L, -1, 1);
        keyAt(L, -1);
        lua_pop(L, 1);
    }
    ctSandbox_Sort(L, -1, keyLess);
}

// The iterator of pairs. Upvalues: the sorted keys, and how many of them are done.
static int nextPair(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
    for (;;) {
        i++;
        if (lua_rawgeti(L, lua_upvalueindex(1), i) == LUA_TNIL) {
            return 1;
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) { // skip keys that the loop has removed
            lua_pushinteger(L, i);
            lua_copy(L, -1, lua_upvalueindex(2));
            lua_pop(L, 1);
            return 2;
        }
        lua_pop(L, 2);
    }
}

static int orderedPairs(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    ctSandbox_PushSortedKeys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, nextPair, 2);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static int orderedNext(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    ctSandbox_PushSortedKeys(L, 1);
    lua_Integer i = 0;
    if (!lua_isnil(L, 2)) {
        do {
            if (lua_rawgeti(L, 3, ++i) == LUA_TNIL) {
                return ctRaise(L, "next: the table has no such key");
            }
        } while (!lua_rawequal(L, -1, 2));
    }
    lua_settop(L, 3);
    if (lua_rawgeti(L, 3, i + 1) == LUA_TNIL) {
        return 1;
    }
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

void ctSandbox_OrderPairs(lua_State *L)
{
    lua_register(L, "pairs", orderedPairs);
    lua_register(L, "next", orderedNext);
}
