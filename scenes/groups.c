// Groups of bodies by name, for filters: group and collides_with of body{ ... }.
//
// Each group has one bit, in the order in which the script first names the groups. "default" has the first bit: it is
// the group of bodies without a group field.
#include "scenes/lua_values.h"

#include <string.h>

#define GROUPS "clatter.groups"
#define COUNT "clatter.group count"

enum { MAX_GROUPS = 64 };

// Pops the name at the top of the stack and returns its bit.
static uint64_t bitOf(const ctFields *f, const char *field)
{
    lua_State *L = f->L;
    if (lua_type(L, -1) != LUA_TSTRING || lua_rawlen(L, -1) == 0) {
        ctRaiseField(f, field, "must be the name of a group, or a list of names, not %s", ctTypeName(L, -1));
    }
    if (strcmp(lua_tostring(L, -1), "default") == 0) {
        lua_pop(L, 1);
        return 1;
    }
    luaL_getsubtable(L, LUA_REGISTRYINDEX, GROUPS);
    lua_pushvalue(L, -2);
    if (lua_rawget(L, -2) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_getfield(L, LUA_REGISTRYINDEX, COUNT);
        lua_Integer next = lua_tointeger(L, -1) + 1;
        lua_pop(L, 1);
        if (next >= MAX_GROUPS) {
            ctRaiseField(f, field, "names too many groups; a scene may have %d", MAX_GROUPS - 1);
        }
        lua_pushinteger(L, next);
        lua_setfield(L, LUA_REGISTRYINDEX, COUNT);
        lua_pushvalue(L, -2);
        lua_pushinteger(L, next);
        lua_rawset(L, -3);
        lua_pushinteger(L, next);
    }
    uint64_t bit = 1ULL << lua_tointeger(L, -1);
    lua_pop(L, 3);
    return bit;
}

static bool readGroups(const ctFields *f, const char *field, uint64_t *bits)
{
    lua_State *L = f->L;
    lua_pushstring(L, field);
    int type = lua_rawget(L, f->index);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (type != LUA_TTABLE) {
        *bits = bitOf(f, field);
        return true;
    }
    *bits = 0;
    int count = (int)lua_rawlen(L, -1);
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        *bits |= bitOf(f, field);
    }
    lua_pop(L, 1);
    return true;
}

ctFilter ctReadFilter(const ctFields *f)
{
    ctFilter filter = {1, UINT64_MAX};
    if (readGroups(f, "group", &filter.category) && filter.category == 0) {
        ctRaiseField(f, "group", "must name at least one group");
    }
    readGroups(f, "collides_with", &filter.mask);
    return filter;
}
