// table.sort of the sandbox: a stable merge sort with the same result on every run. Lua's own sort takes pivots from
// the clock where partitions are unbalanced, so that the order of equal keys changes from run to run.
#include "scenes/lua_values.h"

// Merges src[lo, middle) and src[middle, hi) into dst; lists are tables at those indices of the stack, from 1.
static void merge(lua_State *L, int src, int dst, lua_Integer lo, lua_Integer middle, lua_Integer hi, ctLessFn *less)
{
    lua_Integer i = lo, j = middle;
    for (lua_Integer k = lo; k < hi; k++) {
        bool second = i >= middle;
        if (!second && j < hi) {
            lua_rawgeti(L, src, j);
            lua_rawgeti(L, src, i);
            second = less(L);
            lua_pop(L, 2);
        }
        lua_rawgeti(L, src, second ? j++ : i++);
        lua_rawseti(L, dst, k);
    }
    ctSandbox_Spend(L, hi - lo);
}

void ctSandbox_Sort(lua_State *L, int index, ctLessFn *less)
{
    index = lua_absindex(L, index);
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    luaL_checkstack(L, 10, "table.sort");
    lua_createtable(L, (int)count, 0);
    lua_createtable(L, (int)count, 0);
    int src = lua_gettop(L) - 1, dst = src + 1;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i);
        lua_rawseti(L, src, i);
    }
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer lo = 1; lo <= count; lo += 2 * width) {
            lua_Integer middle = lo + width < count + 1 ? lo + width : count + 1;
            lua_Integer hi = middle + width < count + 1 ? middle + width : count + 1;
            merge(L, src, dst, lo, middle, hi, less);
        }
        int other = src;
        src = dst;
        dst = other;
    }
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, src, i);
        lua_rawseti(L, index, i);
    }
    lua_pop(L, 2);
}

static bool lessByValue(lua_State *L)
{
    return lua_compare(L, -2, -1, LUA_OPLT);
}

// Compares by the script's function, the second argument of table.sort.
static bool lessByFunction(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -3);
    lua_pushvalue(L, -3);
    lua_call(L, 2, 1);
    bool less = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return less;
}

static int tableSort(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    if (lua_rawlen(L, 1) > CT_SCRIPT_LIST) {
        return ctRaise(L, "a table is too long; a scene's may have a million entries");
    }
    bool given = !lua_isnil(L, 2);
    if (given) {
        luaL_checktype(L, 2, LUA_TFUNCTION);
    }
    ctSandbox_Sort(L, 1, given ? lessByFunction : lessByValue);
    return 0;
}

void ctSandbox_OpenSort(lua_State *L)
{
    lua_getglobal(L, "table");
    lua_pushcfunction(L, tableSort);
    lua_setfield(L, -2, "sort");
    lua_pop(L, 1);
}
