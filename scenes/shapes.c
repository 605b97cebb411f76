// sphere{}, box{} and the other shapes of the language. Each returns a value that body{} and compound{}
// take; one shape may serve many bodies.
#include "collision/memory.h"
#include "collision/quat.h"
#include "scenes/lua_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int ctPushShape(const ctFields *f, ctShapeId id, const ctError *error)
{
    if (id.index1 == 0) {
        return ctRaise(f->L, "%s: %s", f->what, error->message);
    }
    ctLoaderOf(f->L)->shapeCount++;
    ctShapeValue *shape = lua_newuserdatauv(f->L, sizeof *shape, 0);
    shape->id = id;
    shape->kind = f->kind;
    luaL_setmetatable(f->L, CT_SHAPE_TYPE);
    return 1;
}

ctFields ctOpenShape(lua_State *L, const char *kind, const char *const *keys)
{
    ctFields f = ctOpenFields(L, 1, kind, keys);
    if (lua_gettop(L) > 1) {
        ctRaise(L, "%s takes one table, %s { ... }", kind, kind);
    }
    if (ctLoaderOf(L)->shapeCount >= CT_SCRIPT_SHAPES) {
        ctRaise(L, "too many shapes; a scene may have %d (one shape may serve many bodies)", CT_SCRIPT_SHAPES);
    }
    return f;
}

static double positive(const ctFields *f, const char *key)
{
    double value = 0.0;
    ctField_Require(f, key, ctField_Positive(f, key, &value));
    return value;
}

static ctVec3 positiveVec3(const ctFields *f, const char *key)
{
    ctVec3 v = {0.0, 0.0, 0.0};
    ctField_Require(f, key, ctField_Vec3(f, key, &v));
    const double e[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        if (!(e[i] > 0.0)) {
            char element[32];
            snprintf(element, sizeof element, "%s[%d]", key, i + 1);
            ctRaiseField(f, element, "must be positive, not %g", e[i]);
        }
    }
    return v;
}

static int sphere(lua_State *L)
{
    static const char *const keys[] = {"radius", "hollow", NULL};
    ctFields f = ctOpenShape(L, "sphere", keys);
    double radius = positive(&f, "radius");
    bool hollow = false;
    ctField_Bool(&f, "hollow", &hollow);
    ctWorld *world = ctLoader_World(ctLoaderOf(L));
    ctError error = {0};
    ctShapeId id =
        hollow ? ctWorld_CreateHollowSphere(world, radius, &error) : ctWorld_CreateSphere(world, radius, &error);
    return ctPushShape(&f, id, &error);
}

static int box(lua_State *L)
{
    static const char *const keys[] = {"size", NULL};
    ctFields f = ctOpenShape(L, "box", keys);
    ctVec3 size = positiveVec3(&f, "size");
    ctError error = {0};
    return ctPushShape(&f, ctWorld_CreateBox(ctLoader_World(ctLoaderOf(L)), size, &error), &error);
}

static int ellipsoid(lua_State *L)
{
    static const char *const keys[] = {"radii", NULL};
    ctFields f = ctOpenShape(L, "ellipsoid", keys);
    ctVec3 radii = positiveVec3(&f, "radii");
    ctError error = {0};
    return ctPushShape(&f, ctWorld_CreateEllipsoid(ctLoader_World(ctLoaderOf(L)), radii, &error), &error);
}

typedef ctShapeId RoundFn(ctWorld *world, double radius, double height, ctError *error);

static int roundShape(lua_State *L, const char *kind, RoundFn *create)
{
    static const char *const keys[] = {"radius", "height", NULL};
    ctFields f = ctOpenShape(L, kind, keys);
    double radius = positive(&f, "radius"), height = positive(&f, "height");
    ctError error = {0};
    return ctPushShape(&f, create(ctLoader_World(ctLoaderOf(L)), radius, height, &error), &error);
}

static int cylinder(lua_State *L)
{
    return roundShape(L, "cylinder", ctWorld_CreateCylinder);
}

static int capsule(lua_State *L)
{
    return roundShape(L, "capsule", ctWorld_CreateCapsule);
}

static int cone(lua_State *L)
{
    return roundShape(L, "cone", ctWorld_CreateCone);
}

static int plane(lua_State *L)
{
    static const char *const keys[] = {"normal", "offset", NULL};
    ctFields f = ctOpenShape(L, "plane", keys);
    ctVec3 normal = ctV3(0.0, 0.0, 1.0);
    double offset = 0.0;
    ctField_Vec3(&f, "normal", &normal);
    ctField_Number(&f, "offset", &offset);
    if (!(ctLength(normal) > 0.0) || !isfinite(ctLength(normal))) {
        return ctRaiseField(&f, "normal", "must have a direction, not be zero");
    }
    ctError error = {0};
    return ctPushShape(&f, ctWorld_CreatePlane(ctLoader_World(ctLoaderOf(L)), ctNormalize(normal), offset, &error),
                       &error);
}

double *ctReadPoints(const ctFields *f, const char *key, int width, int least, int most, int *count)
{
    *count = ctField_List(f, key, most);
    if (*count < least) {
        ctRaiseField(f, key, "must have at least %d points, not %d", least, *count);
    }
    double *points = lua_newuserdatauv(f->L, (size_t)*count * (size_t)width * sizeof *points, 0);
    lua_insert(f->L, -2);
    for (int i = 0; i < *count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s[%d]", key, i + 1);
        lua_rawgeti(f->L, -1, i + 1);
        ctReadNumbers(f, -1, name, width, points + (size_t)i * (size_t)width);
        lua_pop(f->L, 1);
    }
    lua_pop(f->L, 1);
    return points;
}

static int hull(lua_State *L)
{
    static const char *const keys[] = {"points", NULL};
    ctFields f = ctOpenShape(L, "hull", keys);
    int count;
    const double *p = ctReadPoints(&f, "points", 3, 4, CT_SCRIPT_POINTS, &count);
    ctVec3 *points = lua_newuserdatauv(L, (size_t)count * sizeof *points, 0);
    for (int i = 0; i < count; i++) {
        points[i] = ctV3(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    }
    ctError error = {0};
    return ctPushShape(&f, ctWorld_CreateHull(ctLoader_World(ctLoaderOf(L)), points, count, &error), &error);
}

static int lathe(lua_State *L)
{
    static const char *const keys[] = {"profile", NULL};
    ctFields f = ctOpenShape(L, "lathe", keys);
    int count;
    const double *p = ctReadPoints(&f, "profile", 2, 2, CT_SCRIPT_POINTS, &count);
    double *r = lua_newuserdatauv(L, 2 * (size_t)count * sizeof *r, 0), *z = r + count;
    for (int i = 0; i < count; i++) {
        r[i] = p[2 * i];
        z[i] = p[2 * i + 1];
        if (r[i] < 0.0) {
            char element[32];
            snprintf(element, sizeof element, "profile[%d]", i + 1);
            return ctRaiseField(&f, element, "has a negative radius, %g", r[i]);
        }
    }
    ctError error = {0};
    return ctPushShape(&f, ctWorld_CreateLathe(ctLoader_World(ctLoaderOf(L)), r, z, count, &error), &error);
}

// Whether the file lies below the folder when all links are followed.
static bool isBelow(const char *path, const char *folder)
{
    char *file = realpath(path, NULL), *top = realpath(folder, NULL);
    size_t length = top != NULL ? strlen(top) : 0;
    bool root = length == 1;
    bool below = file != NULL && top != NULL && strncmp(file, top, length) == 0 && (root || file[length] == '/');
    bool missing = file == NULL; // the reader reports the reason
    free(file);
    free(top);
    return below || missing;
}

void ctScriptPath(lua_State *L, const char *what, const char *kind, const char *ending, const char *file, char *path,
                  size_t size)
{
    size_t length = strlen(file), end = strlen(ending);
    bool climbs = strstr(file, "..") != NULL || file[0] == '/' || file[0] == '\0';
    if (climbs) {
        ctRaise(L, "%s must be a path below the scene's folder, without '..', not '%.80s'", what, file);
    }
    if (length <= end || strcasecmp(file + length - end, ending) != 0) {
        ctRaise(L, "%s must be %s and end in '%s', not '%.80s'", what, kind, ending, file);
    }
    const char *script = ctLoaderOf(L)->scene->path;
    const char *slash = strrchr(script, '/');
    int folder = slash != NULL ? (int)(slash - script) + 1 : 0;
    char top[4096];
    if (snprintf(path, size, "%.*s%s", folder, script, file) >= (int)size ||
        snprintf(top, sizeof top, "%.*s.", folder, script) >= (int)sizeof top) {
        ctRaise(L, "%s is too long a path", what);
    }
    if (!isBelow(path, top)) {
        ctRaise(L, "%s is a link that leaves the scene's folder: '%.80s'", what, file);
    }
}

static int mesh(lua_State *L)
{
    static const char *const keys[] = {"file", "decompose", NULL};
    ctFields f = ctOpenShape(L, "mesh", keys);
    const char *file = NULL;
    bool decompose = false;
    char path[4096];
    ctField_Require(&f, "file", ctField_Text(&f, "file", &file));
    ctField_Bool(&f, "decompose", &decompose);
    ctScriptPath(L, "mesh: file", "a Wavefront OBJ file", ".obj", file, path, sizeof path);
    ctWorld *world = ctLoader_World(ctLoaderOf(L));
    ctError error = {0};
    size_t length;
    char *text = ctReadFile(path, CT_SCRIPT_MESH_SIZE, &length, &error);
    if (text == NULL) {
        return ctRaise(L, "mesh: %s", error.message);
    }
    ctShapeId id = ctWorld_CreateMesh(world, text, length, file, decompose, &error);
    ctFree(text);
    return ctPushShape(&f, id, &error);
}

static int compound(lua_State *L)
{
    static const char *const keys[] = {"shape", "position", "orientation", "rotate", NULL};
    ctFields f = {.L = L, .index = 1, .kind = "compound", .what = "compound"};
    if (lua_gettop(L) != 1 || !lua_istable(L, 1)) {
        return ctRaise(L, "compound takes a list of parts, compound { { shape = ... }, ... }, not %s",
                       ctTypeName(L, 1));
    }
    lua_Unsigned count = lua_rawlen(L, 1);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        if (!lua_isinteger(L, -1)) {
            return ctRaise(L, "compound takes a list of parts, compound { { shape = ... }, ... }, without keys");
        }
    }
    if (count == 0 || count > CT_SCRIPT_POINTS) {
        return ctRaise(L, "compound: needs 1 to %d parts, not %d", CT_SCRIPT_POINTS, (int)count);
    }
    if (ctLoaderOf(L)->shapeCount >= CT_SCRIPT_SHAPES) {
        return ctRaise(L, "too many shapes; a scene may have %d", CT_SCRIPT_SHAPES);
    }
    ctPart *parts = lua_newuserdatauv(L, (size_t)count * sizeof *parts, 0);
    for (int i = 0; i < (int)count; i++) {
        lua_rawgeti(L, 1, i + 1);
        ctFields part = ctOpenFields(L, -1, "compound part", keys);
        snprintf(part.what, sizeof part.what, "compound part %d", i + 1);
        parts[i].pose = ctTransformIdentity();
        ctField_Vec3(&part, "position", &parts[i].pose.p);
        ctField_Rotation(&part, &parts[i].pose.q);
        ctField_Require(&part, "shape", ctField_Push(&part, "shape"));
        const ctShapeValue *shape = ctToShape(L, -1);
        if (shape == NULL) {
            ctRaiseField(&part, "shape", "must be a shape, such as sphere { radius = 1 }, not %s", ctTypeName(L, -1));
        }
        parts[i].shape = shape->id;
        lua_pop(L, 2);
    }
    ctError error = {0};
    return ctPushShape(&f, ctWorld_CreateCompound(ctLoader_World(ctLoaderOf(L)), parts, (int)count, &error), &error);
}

void ctOpenShapes(lua_State *L)
{
    luaL_newmetatable(L, CT_SHAPE_TYPE);
    lua_pushliteral(L, "shape");
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    static const luaL_Reg functions[] = {
        {"sphere", sphere}, {"box", box},     {"cylinder", cylinder},   {"capsule", capsule},
        {"cone", cone},     {"plane", plane}, {"ellipsoid", ellipsoid}, {"hull", hull},
        {"lathe", lathe},   {"mesh", mesh},   {"compound", compound},   {NULL, NULL},
    };
    ctOpenFunctions(L, functions);
    ctOpenTerrains(L);
}
