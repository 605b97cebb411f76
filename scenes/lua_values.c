#include "scenes/lua_values.h"

#include "collision/quat.h"
#include "scenes/nearest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 900 };

int ctCurrentLine(lua_State *L)
{
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        if (lua_getinfo(L, "l", &ar) && ar.currentline > 0) {
            return ar.currentline;
        }
    }
    return ctLoaderOf(L)->callLine;
}

static int raiseText(lua_State *L, const char *text)
{
    lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: %s", ctCurrentLine(L), text);
    return lua_error(L);
}

// snprintf and not Lua's own formatting: messages show numbers by %g.
int ctRaise(lua_State *L, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return raiseText(L, text);
}

int ctRaiseField(const ctFields *f, const char *field, const char *format, ...)
{
    char what[TEXT_SIZE / 2], text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(text, sizeof text, "%s: %s %s", f->what, field, what);
    return raiseText(f->L, text);
}

ctShapeValue *ctToShape(lua_State *L, int index)
{
    return luaL_testudata(L, index, CT_SHAPE_TYPE);
}

const char *ctTypeName(lua_State *L, int index)
{
    if (ctToShape(L, index) != NULL) {
        return "a shape";
    }
    switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL:
        return "nil";
    case LUA_TBOOLEAN:
        return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER:
        return "a number";
    case LUA_TSTRING:
        return "a string";
    case LUA_TTABLE:
        return "a table";
    case LUA_TFUNCTION:
        return "a function";
    default:
        return "something else";
    }
}

static int unknownKey(const ctFields *f, const char *key, const char *const *keys)
{
    const char *nearest = ctNearestName(key, keys);
    if (nearest != NULL) {
        return ctRaise(f->L, "unknown key '%.40s' in %s; did you mean '%s'?", key, f->kind, nearest);
    }
    char list[TEXT_SIZE / 2] = "";
    size_t used = 0;
    for (int i = 0; keys[i] != NULL && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", keys[i]);
    }
    return ctRaise(f->L, "unknown key '%.40s' in %s; it takes %s", key, f->kind, list);
}

static bool isAmong(const char *word, const char *const *names)
{
    while (*names != NULL && strcmp(*names, word) != 0) {
        names++;
    }
    return *names != NULL;
}

ctFields ctOpenFields(lua_State *L, int index, const char *kind, const char *const *keys)
{
    ctFields f = {.L = L, .index = lua_absindex(L, index), .kind = kind};
    snprintf(f.what, sizeof f.what, "%s", kind);
    if (!lua_istable(L, index)) {
        ctRaise(L, "%s takes a table, %s { ... }, not %s", kind, kind, ctTypeName(L, index));
    }
    // The message names the alphabetically first unknown key: the order of a Lua table changes from run to run.
    const char *unknown = NULL;
    lua_pushnil(L);
    while (lua_next(L, f.index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING) {
            ctRaise(L, "%s has a value without a key; every value needs one, as in %s { %s = ... }", kind, kind,
                    keys[0]);
        }
        const char *key = lua_tostring(L, -1);
        if (!isAmong(key, keys) && (unknown == NULL || strcmp(key, unknown) < 0)) {
            unknown = key;
        }
    }
    if (unknown != NULL) {
        unknownKey(&f, unknown, keys);
    }
    return f;
}

void ctNameFields(ctFields *f, const char *name)
{
    if (name != NULL && name[0] != '\0') {
        snprintf(f->what, sizeof f->what, "%s '%.40s'", f->kind, name);
    }
}

bool ctField_Push(const ctFields *f, const char *key)
{
    lua_pushstring(f->L, key);
    if (lua_rawget(f->L, f->index) == LUA_TNIL) {
        lua_pop(f->L, 1);
        return false;
    }
    return true;
}

// The number on the top of the stack.
static double takeNumber(const ctFields *f, const char *name)
{
    if (lua_type(f->L, -1) != LUA_TNUMBER) {
        ctRaiseField(f, name, "must be a number, not %s", ctTypeName(f->L, -1));
    }
    double x = lua_tonumber(f->L, -1);
    if (!isfinite(x)) {
        ctRaiseField(f, name, "must be finite, not %s", isnan(x) ? "nan" : "infinite");
    }
    lua_pop(f->L, 1);
    return x;
}

bool ctField_Number(const ctFields *f, const char *key, double *value)
{
    if (!ctField_Push(f, key)) {
        return false;
    }
    *value = takeNumber(f, key);
    return true;
}

bool ctField_Positive(const ctFields *f, const char *key, double *value)
{
    if (!ctField_Number(f, key, value)) {
        return false;
    }
    if (!(*value > 0.0)) {
        ctRaiseField(f, key, "must be positive, not %g", *value);
    }
    return true;
}

bool ctField_Range(const ctFields *f, const char *key, double min, double max, double *value)
{
    if (!ctField_Number(f, key, value)) {
        return false;
    }
    if (isinf(max) && *value < min) {
        ctRaiseField(f, key, "must be at least %g, not %g", min, *value);
    }
    if (!(*value >= min && *value <= max)) {
        ctRaiseField(f, key, "must be from %g to %g, not %g", min, max, *value);
    }
    return true;
}

bool ctField_Bool(const ctFields *f, const char *key, bool *value)
{
    if (!ctField_Push(f, key)) {
        return false;
    }
    if (!lua_isboolean(f->L, -1)) {
        ctRaiseField(f, key, "must be true or false, not %s", ctTypeName(f->L, -1));
    }
    *value = lua_toboolean(f->L, -1);
    lua_pop(f->L, 1);
    return true;
}

void ctReadNumbers(const ctFields *f, int index, const char *name, int count, double *values)
{
    lua_State *L = f->L;
    index = lua_absindex(L, index);
    if (!lua_istable(L, index)) {
        ctRaiseField(f, name, "must be a list of %d numbers, not %s", count, ctTypeName(L, index));
    }
    int entries = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (!lua_isinteger(L, -1)) {
            ctRaiseField(f, name, "must be a list of %d numbers without keys", count);
        }
        entries++;
    }
    if (entries != count) {
        ctRaiseField(f, name, "must be a list of %d numbers, not of %d", count, entries);
    }
    for (int i = 0; i < count; i++) {
        char element[64];
        snprintf(element, sizeof element, "%s[%d]", name, i + 1);
        lua_rawgeti(L, index, i + 1);
        values[i] = takeNumber(f, element);
    }
}

bool ctField_Numbers(const ctFields *f, const char *key, int count, double *values)
{
    if (!ctField_Push(f, key)) {
        return false;
    }
    ctReadNumbers(f, -1, key, count, values);
    lua_pop(f->L, 1);
    return true;
}

bool ctField_Vec3(const ctFields *f, const char *key, ctVec3 *value)
{
    double v[3];
    if (!ctField_Numbers(f, key, 3, v)) {
        return false;
    }
    *value = ctV3(v[0], v[1], v[2]);
    return true;
}

// Whether a terminal, a file and a window can show the text unchanged. many: several lines are allowed.
static bool isLines(const char *text, bool many)
{
    for (;;) {
        size_t length = many ? strcspn(text, "\n") : strlen(text);
        if (!ctIsPlainText(text, length) || memchr(text, '\t', length) != NULL) {
            return false;
        }
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

// Whether a text begins as a formula in spreadsheets, also with the wide signs of East Asian keyboards.
static bool isFormula(const char *text)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strncmp(text, signs[i], strlen(signs[i])) == 0) {
            return true;
        }
    }
    return false;
}

const char *ctNameFault(const char *name)
{
    if (name[0] == '\0' || strlen(name) > CT_SCRIPT_NAME) {
        return "must have 1 to 100 characters";
    }
    if (strpbrk(name, ",\"\n\r") != NULL) {
        return "must not hold commas, quotes or line breaks";
    }
    if (isFormula(name)) {
        return "must not begin with = + - or @: spreadsheets take that for a formula";
    }
    return NULL;
}

bool ctField_Text(const ctFields *f, const char *key, const char **value)
{
    if (!ctField_Push(f, key)) {
        return false;
    }
    if (lua_type(f->L, -1) != LUA_TSTRING) {
        ctRaiseField(f, key, "must be a string, not %s", ctTypeName(f->L, -1));
    }
    size_t length;
    *value = lua_tolstring(f->L, -1, &length);
    if (strlen(*value) != length) {
        ctRaiseField(f, key, "must not hold a zero byte");
    }
    if (!isLines(*value, strcmp(key, "description") == 0)) {
        ctRaiseField(f, key, "must be UTF-8 without control characters");
    }
    lua_pop(f->L, 1); // the table keeps it alive
    return true;
}

bool ctField_Choice(const ctFields *f, const char *key, const char *const *names, int *choice)
{
    const char *text;
    if (!ctField_Text(f, key, &text)) {
        return false;
    }
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], text) == 0) {
            *choice = i;
            return true;
        }
    }
    const char *nearest = ctNearestName(text, names);
    if (nearest != NULL) {
        ctRaiseField(f, key, "'%.40s' is unknown; did you mean '%s'?", text, nearest);
    }
    char list[TEXT_SIZE / 2] = "";
    size_t used = 0;
    for (int i = 0; names[i] != NULL && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    ctRaiseField(f, key, "'%.40s' is unknown; it is one of %s", text, list);
    return false;
}

// The table {axis = .., degrees = ..} at index.
static ctQuat readTurn(const ctFields *f, int index)
{
    static const char *const keys[] = {"axis", "degrees", NULL};
    ctFields turn = ctOpenFields(f->L, index, "rotate", keys);
    snprintf(turn.what, sizeof turn.what, "%s", f->what);
    ctVec3 axis = ctV3(0.0, 0.0, 1.0);
    double degrees = 0.0;
    ctField_Require(&turn, "axis", ctField_Vec3(&turn, "axis", &axis));
    ctField_Require(&turn, "degrees", ctField_Number(&turn, "degrees", &degrees));
    if (!(ctLength(axis) > 0.0) || !isfinite(ctLength(axis))) {
        ctRaiseField(&turn, "axis", "of rotate must have a direction, not be zero");
    }
    return ctQuatExp(ctScale(fmod(degrees, 360.0) * CT_PI / 180.0, ctNormalize(axis)));
}

bool ctField_Rotation(const ctFields *f, ctQuat *rotation)
{
    double q[4];
    bool given = ctField_Numbers(f, "orientation", 4, q);
    if (given) {
        double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(norm > 1e-100) || !isfinite(norm)) {
            ctRaiseField(f, "orientation", "must be a quaternion {w, x, y, z} that is not zero");
        }
        *rotation = ctNormalizeQ(ctQuatOf(q[0], q[1], q[2], q[3]));
    }
    if (!ctField_Push(f, "rotate")) {
        return given;
    }
    if (given) {
        ctRaiseField(f, "rotate", "and orientation are both given; one is enough");
    }
    if (!lua_istable(f->L, -1)) {
        ctRaiseField(f, "rotate", "must be { axis = {x, y, z}, degrees = d }, not %s", ctTypeName(f->L, -1));
    }
    ctQuat turns = ctQuatIdentity();
    if (lua_rawgeti(f->L, -1, 1) == LUA_TTABLE) {
        lua_pop(f->L, 1);
        int count = (int)lua_rawlen(f->L, -1);
        for (int i = 1; i <= count; i++) {
            lua_rawgeti(f->L, -1, i);
            turns = ctMulQ(readTurn(f, -1), turns);
            lua_pop(f->L, 1);
        }
    } else {
        lua_pop(f->L, 1);
        turns = readTurn(f, -1);
    }
    lua_pop(f->L, 1);
    *rotation = ctNormalizeQ(turns);
    return true;
}

int ctField_List(const ctFields *f, const char *key, int max)
{
    ctField_Require(f, key, ctField_Push(f, key));
    if (!lua_istable(f->L, -1)) {
        ctRaiseField(f, key, "must be a list, not %s", ctTypeName(f->L, -1));
    }
    lua_Unsigned length = lua_rawlen(f->L, -1);
    if (length > (lua_Unsigned)max) {
        ctRaiseField(f, key, "has more than %d entries", max);
    }
    return (int)length;
}

void ctField_Require(const ctFields *f, const char *key, bool present)
{
    if (!present) {
        ctRaise(f->L, "%s: %s is missing", f->what, key);
    }
}

double ctNumberArgument(lua_State *L, int index, const char *function, const char *name)
{
    if (lua_type(L, index) != LUA_TNUMBER) {
        ctRaise(L, "%s: %s must be a number, not %s", function, name, ctTypeName(L, index));
    }
    double x = lua_tonumber(L, index);
    if (!isfinite(x)) {
        ctRaise(L, "%s: %s must be finite, not %s", function, name, isnan(x) ? "nan" : "infinite");
    }
    return x;
}

const char *ctTextArgument(lua_State *L, int index, const char *function, const char *name)
{
    if (lua_type(L, index) != LUA_TSTRING) {
        ctRaise(L, "%s: %s must be a string, not %s", function, name, ctTypeName(L, index));
    }
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    if (strlen(text) != length) {
        ctRaise(L, "%s: %s must not hold a zero byte", function, name);
    }
    if (!isLines(text, false)) {
        ctRaise(L, "%s: %s must be UTF-8 without control characters", function, name);
    }
    return text;
}

const char *ctNearestKey(lua_State *L, int index, const char *word)
{
    const char *nearest = NULL;
    int best = ctTypingTolerance(word) + 1;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING) {
            const char *name = lua_tostring(L, -1);
            int distance = ctTypingDistance(word, name);
            // The alphabet breaks ties: the order of a Lua table changes from run to run.
            bool better = distance < best || (distance == best && nearest != NULL && strcmp(name, nearest) < 0);
            if (better && distance < (int)strlen(name)) {
                best = distance;
                nearest = name;
            }
        }
    }
    return nearest;
}
