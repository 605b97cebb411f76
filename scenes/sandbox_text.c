// tostring, print and string.format of the sandbox: their output is the same everywhere. Lua's own functions show
// addresses ("table: 0x5581..."), which differ from run to run, and the sign of NaN, which differs between processors.
#include "scenes/lua_values.h"

#include <math.h>
#include <string.h>

void ctSandbox_PushText(lua_State *L, int index)
{
    index = lua_absindex(L, index);
    if (luaL_callmeta(L, index, "__tostring")) {
        if (!lua_isstring(L, -1)) {
            ctRaise(L, "'__tostring' must return a string");
        }
        return;
    }
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        if (lua_tonumber(L, index) != lua_tonumber(L, index)) {
            lua_pushliteral(L, "nan");
            return;
        }
        luaL_tolstring(L, index, NULL);
        return;
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TSTRING:
        luaL_tolstring(L, index, NULL);
        return;
    default:
        lua_pushstring(L, ctToShape(L, index) != NULL ? "shape" : luaL_typename(L, index));
    }
}

static int toString(lua_State *L)
{
    luaL_checkany(L, 1);
    ctSandbox_PushText(L, 1);
    return 1;
}

// Each printed line counts. Lines beyond the limit are dropped.
static void sendLines(ctLoader *loader, const char *text, size_t length)
{
    const char *end = text + length;
    while (loader->printLine != NULL && loader->prints < CT_SCRIPT_PRINTS) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline != NULL ? newline : end;
        char line[CT_SCRIPT_LINE];
        ctEscape(line, sizeof line, text, (size_t)(stop - text));
        loader->printLine(loader->printContext, line);
        loader->prints++;
        if (newline == NULL) {
            return;
        }
        text = newline + 1;
    }
}

static int print(lua_State *L)
{
    luaL_Buffer line;
    int count = lua_gettop(L);
    luaL_buffinit(L, &line);
    for (int i = 1; i <= count; i++) {
        ctSandbox_PushText(L, i);
        luaL_addvalue(&line);
        if (i < count) {
            luaL_addchar(&line, '\t');
        }
    }
    luaL_pushresult(&line);
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    sendLines(ctLoaderOf(L), text, length);
    return 0;
}

// string.format: %p is refused, because it shows addresses; %s shows values as tostring does.
static int format(lua_State *L)
{
    const char *text = luaL_checkstring(L, 1);
    for (const char *p = strchr(text, '%'); p != NULL; p = strchr(p, '%')) {
        p++;
        p += strspn(p, "-+ #0123456789.");
        if (*p == 'p') {
            return ctRaise(L, "string.format: a scene has no %%p: addresses differ from run to run");
        }
        p += *p != '\0';
    }
    int count = lua_gettop(L);
    for (int i = 2; i <= count; i++) {
        int type = lua_type(L, i);
        bool isNan = type == LUA_TNUMBER && lua_tonumber(L, i) != lua_tonumber(L, i);
        if (isNan) {
            lua_pushnumber(L, copysign((double)NAN, 1.0));
            lua_replace(L, i);
        } else if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA) {
            ctSandbox_PushText(L, i);
            lua_replace(L, i);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, LUA_MULTRET);
    return lua_gettop(L);
}

void ctSandbox_OpenText(lua_State *L)
{
    lua_register(L, "tostring", toString);
    lua_register(L, "print", print);
    lua_getglobal(L, "string");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
    lua_pop(L, 1);
}
