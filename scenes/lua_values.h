// Reading tables of the scene language. Values are checked for type, finiteness and range. Errors name the line of the
// call, the object, and the field.
#ifndef CT_LUA_VALUES_H
#define CT_LUA_VALUES_H

#include "collision/error.h"
#include "scenes/loader.h"

// A table being read. Messages call it by `what`: "body 'ball'".
typedef struct ctFields {
    lua_State *L;
    int index;
    const char *kind; // "body"
    char what[80];
} ctFields;

// The line of the innermost function of the script. When no function of the script is running: the line that declared
// the function called last, or 0.
int ctCurrentLine(lua_State *L);
// Raises "FILE:LINE: message" with the line of the script that is being run.
int ctRaise(lua_State *L, const char *format, ...) CT_PRINTF(2, 3);
// The same for a field of a table: "body 'ball': mass must be positive, not -1".
int ctRaiseField(const ctFields *f, const char *field, const char *format, ...) CT_PRINTF(3, 4);

// The table at index, which may hold the given keys only (ended by NULL).
ctFields ctOpenFields(lua_State *L, int index, const char *kind, const char *const *keys);
// Adds a name to f->what. An empty or missing name changes nothing.
void ctNameFields(ctFields *f, const char *name);

// Pushes the field without metamethods; false, with nothing pushed, when it is nil.
bool ctField_Push(const ctFields *f, const char *key);
// Each of these is false, with *value unchanged, when the field is missing.
bool ctField_Number(const ctFields *f, const char *key, double *value);
bool ctField_Positive(const ctFields *f, const char *key, double *value);
bool ctField_Range(const ctFields *f, const char *key, double min, double max, double *value);
bool ctField_Bool(const ctFields *f, const char *key, bool *value);
bool ctField_Vec3(const ctFields *f, const char *key, ctVec3 *value);
// The field must be a list of exactly count numbers.
bool ctField_Numbers(const ctFields *f, const char *key, int count, double *values);
// The text lives as long as the table does.
bool ctField_Text(const ctFields *f, const char *key, const char **value);
// One of names (ended by NULL).
bool ctField_Choice(const ctFields *f, const char *key, const char *const *names, int *choice);
// {red, green, blue} in linear light, "#rrggbb", or a name.
bool ctField_Color(const ctFields *f, const char *key, ctVec3 *color);
// force, torque, drag, path and surface_velocity of a body that has just been made.
void ctReadForces(const ctFields *f, ctWorld *world, ctBodyId body, ctMotionType motion);
// The path at the top of the stack, { {time = 0, ...}, {time = 1, ...}, ..., loop = true }, for a kinematic body; times
// count from `from`, s.
void ctReadPath(const ctFields *f, ctWorld *world, ctBodyId body, double from);
// group = ... and collides_with = ... of a body.
ctFilter ctReadFilter(const ctFields *f);
// rotate = {axis = .., degrees = ..}, or a list of these, the first one first; or orientation = {w, x, y, z}.
bool ctField_Rotation(const ctFields *f, ctQuat *rotation);
// Pushes the field, which must be a list; returns its length.
int ctField_List(const ctFields *f, const char *key, int max);
// The overlays of scene { show = ... }.
void ctReadShow(const ctFields *f);
// Why a name cannot be written into tables, as "must ...", or NULL for a valid name.
const char *ctNameFault(const char *name);
// Raises unless present is true.
void ctField_Require(const ctFields *f, const char *key, bool present);

// ctOpenShape opens the table of a shape, with these keys. ctPushShape pushes the finished shape, or raises the
// engine's error.
ctFields ctOpenShape(lua_State *L, const char *kind, const char *const *keys);
int ctPushShape(const ctFields *f, ctShapeId id, const ctError *error);
// The list of points of `width` numbers each in the field `key`. Lua frees the memory.
double *ctReadPoints(const ctFields *f, const char *key, int width, int least, int most, int *count);
// trimesh{} and heightfield{}.
void ctOpenTerrains(lua_State *L);

// The list of exactly count finite numbers at index; name is for messages.
void ctReadNumbers(const ctFields *f, int index, const char *name, int count, double *values);
// A number argument of a plain function, finite.
double ctNumberArgument(lua_State *L, int index, const char *function, const char *name);
const char *ctTextArgument(lua_State *L, int index, const char *function, const char *name);
// The string key of the table at index (positive) that is closest to a mistyped word, or NULL when none is close.
const char *ctNearestKey(lua_State *L, int index, const char *word);
// Fields of the table on top of the stack.
void ctSetNumber(lua_State *L, const char *key, double x);
void ctSetVector(lua_State *L, const char *key, ctVec3 v);
// A value in words: "a string", "nil", "-1".
const char *ctTypeName(lua_State *L, int index);

#endif
