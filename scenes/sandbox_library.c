// Guards of standard functions that can loop in C for very long, out of reach of the sandbox's hook. A guard checks the
// arguments, and then calls the original function, which is an upvalue.
#include "scenes/lua_values.h"

#include <math.h>
#include <string.h>

static int callOriginal(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

// string.rep: the guard also counts empty strings, which take time but no memory.
static int guardRep(lua_State *L)
{
    size_t length, separator = 0;
    luaL_checklstring(L, 1, &length);
    double n = (double)luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &separator);
    if (n * (double)(length + separator + 1) > ctLoaderOf(L)->megabytes * 1048576.0) {
        return ctSandbox_Exceed(L, ct_scriptMemory, "string.rep: the result is too long");
    }
    return callOriginal(L);
}

// A bound on the steps of Lua's backtracking matcher. The matcher may try every length of a repeated item and two of an
// optional item, from every place where a match may start.
static double matchSteps(const char *pattern, size_t patternLength, double subject)
{
    double steps = pattern[0] == '^' ? 1.0 : subject + 1.0;
    steps *= 1.0 + 0.1 * (double)patternLength;
    for (size_t i = 0; i < patternLength && steps < 1e300; i++) {
        switch (pattern[i]) {
        case '%':
            i++;
            if (i < patternLength && (pattern[i] == 'b' || (pattern[i] >= '0' && pattern[i] <= '9'))) {
                steps *= subject + 1.0;
            }
            break;
        case '*':
        case '+':
        case '-':
            steps *= subject + 1.0;
            break;
        case '?':
            steps *= 2.0;
            break;
        default:
            break;
        }
    }
    return steps;
}

// string.find, match, gmatch, gsub.
static int guardPattern(lua_State *L)
{
    size_t subject, length;
    luaL_checklstring(L, 1, &subject);
    const char *pattern = luaL_checklstring(L, 2, &length);
    bool special = strpbrk(pattern, "^$*+?.([%-") != NULL || strlen(pattern) != length;
    double steps = special ? matchSteps(pattern, length, (double)subject) : (double)subject * (double)length;
    if (steps > CT_SCRIPT_PATTERN_STEPS) {
        return ctSandbox_Exceed(L, ct_scriptTime,
                                "a pattern match could take too long: shorten the pattern or the string");
    }
    return callOriginal(L);
}

// table.insert, remove, concat, unpack: tables with __len are refused, because __len may return any length.
static int guardLength(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
        return ctRaise(L, "functions of the table library take no tables with __len");
    }
    if (lua_istable(L, 1) && lua_rawlen(L, 1) > CT_SCRIPT_LIST) {
        return ctRaise(L, "a table is too long; a scene's may have a million entries");
    }
    return callOriginal(L);
}

// table.move(a, from, to, at): the arguments give the number of steps.
static int guardMove(lua_State *L)
{
    double from = (double)luaL_checkinteger(L, 2), to = (double)luaL_checkinteger(L, 3);
    if (to - from > CT_SCRIPT_LIST) {
        return ctRaise(L, "table.move: too many entries; a scene's table may have a million");
    }
    return callOriginal(L);
}

static void guard(lua_State *L, const char *library, const char *name, lua_CFunction function)
{
    lua_getglobal(L, library);
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

void ctSandbox_GuardLibraries(lua_State *L)
{
    guard(L, "string", "rep", guardRep);
    static const char *const patterns[] = {"find", "match", "gmatch", "gsub", NULL};
    for (int i = 0; patterns[i] != NULL; i++) {
        guard(L, "string", patterns[i], guardPattern);
    }
    static const char *const lengths[] = {"insert", "remove", "concat", "unpack", NULL};
    for (int i = 0; lengths[i] != NULL; i++) {
        guard(L, "table", lengths[i], guardLength);
    }
    guard(L, "table", "move", guardMove);
    lua_getglobal(L, "string");
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    lua_pop(L, 1);
    // Deprecated functions, which only some builds of Lua have.
    static const char *const old[] = {"cosh", "sinh", "tanh", "pow", "frexp", "ldexp", "log10", NULL};
    lua_getglobal(L, "math");
    for (int i = 0; old[i] != NULL; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, old[i]);
    }
    lua_pop(L, 1);
}
