// trimesh{} and heightfield{}: surfaces of triangles for fixed bodies.
#include "collision/memory.h"
#include "collision/quat.h"
#include "scenes/lua_values.h"

#include <stdio.h>

// two_sided = true, smooth = degrees.
static ctTerrainDef readDef(const ctFields *f)
{
    ctTerrainDef def = ctDefaultTerrainDef();
    double degrees = 0.0;
    ctField_Bool(f, "two_sided", &def.twoSided);
    if (ctField_Range(f, "smooth", 0.0, 90.0, &degrees)) {
        def.smooth = degrees * (CT_PI / 180.0);
    }
    return def;
}

static int fromFile(const ctFields *f, const char *file, const ctTerrainDef *def)
{
    char path[4096];
    ctScriptPath(f->L, "trimesh: file", "a Wavefront OBJ file", ".obj", file, path, sizeof path);
    ctWorld *world = ctLoader_World(ctLoaderOf(f->L));
    ctError error = {0};
    size_t length;
    char *text = ctReadFile(path, CT_SCRIPT_MESH_SIZE, &length, &error);
    if (text == NULL) {
        return ctRaise(f->L, "trimesh: %s", error.message);
    }
    ctShapeId id = ctWorld_CreateTrimeshFromObj(world, text, length, file, def, &error);
    ctFree(text);
    return ctPushShape(f, id, &error);
}

// Reads the vertex numbers, which count from 1 in the language and from 0 in the result.
static int *readTriangles(const ctFields *f, int vertexCount, int *count)
{
    const double *p = ctReadPoints(f, "triangles", 3, 1, CT_SCRIPT_TRIANGLES, count);
    int *triangles = lua_newuserdatauv(f->L, 3 * (size_t)*count * sizeof *triangles, 0);
    for (int i = 0; i < 3 * *count; i++) {
        if (!(p[i] >= 1.0 && p[i] <= vertexCount && p[i] == floor(p[i]))) {
            char element[48];
            snprintf(element, sizeof element, "triangles[%d][%d]", i / 3 + 1, i % 3 + 1);
            ctRaiseField(f, element, "must be the number of a vertex, from 1 to %d, not %g", vertexCount, p[i]);
        }
        triangles[i] = (int)p[i] - 1;
    }
    return triangles;
}

static int trimesh(lua_State *L)
{
    static const char *const keys[] = {"file", "vertices", "triangles", "two_sided", "smooth", NULL};
    ctFields f = ctOpenShape(L, "trimesh", keys);
    ctTerrainDef def = readDef(&f);
    const char *file = NULL;
    if (ctField_Text(&f, "file", &file)) {
        if (ctField_Push(&f, "vertices") || ctField_Push(&f, "triangles")) {
            return ctRaise(L, "trimesh takes a file, or vertices and triangles, not both");
        }
        return fromFile(&f, file, &def);
    }
    int vertexCount, count;
    const double *p = ctReadPoints(&f, "vertices", 3, 3, CT_SCRIPT_TRIANGLES, &vertexCount);
    ctVec3 *vertices = lua_newuserdatauv(L, (size_t)vertexCount * sizeof *vertices, 0);
    for (int i = 0; i < vertexCount; i++) {
        vertices[i] = ctV3(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    }
    const int *triangles = readTriangles(&f, vertexCount, &count);
    ctError error = {0};
    ctShapeId id =
        ctWorld_CreateTrimesh(ctLoader_World(ctLoaderOf(L)), vertices, vertexCount, triangles, count, &def, &error);
    return ctPushShape(&f, id, &error);
}

// The rows of heights, all of the same length. Lua frees the memory.
static double *readHeights(const ctFields *f, int *columns, int *rows)
{
    lua_State *L = f->L;
    *rows = ctField_List(f, "heights", CT_SCRIPT_POINTS);
    if (*rows < 2) {
        ctRaiseField(f, "heights", "must have at least 2 rows, not %d", *rows);
    }
    lua_rawgeti(L, -1, 1);
    lua_Unsigned length = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    lua_pop(L, 1);
    if (length < 2 || length > CT_SCRIPT_POINTS || length * (lua_Unsigned)*rows > CT_SCRIPT_TRIANGLES) {
        ctRaiseField(f, "heights", "must have rows of at least 2 numbers, and at most %d numbers in all",
                     CT_SCRIPT_TRIANGLES);
    }
    *columns = (int)length;
    double *heights = lua_newuserdatauv(L, (size_t)length * (size_t)*rows * sizeof *heights, 0);
    lua_insert(L, -2);
    for (int i = 0; i < *rows; i++) {
        char name[32];
        snprintf(name, sizeof name, "heights[%d]", i + 1);
        lua_rawgeti(L, -1, i + 1);
        ctReadNumbers(f, -1, name, *columns, heights + (size_t)i * (size_t)length);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return heights;
}

static int heightfield(lua_State *L)
{
    static const char *const keys[] = {"size", "heights", "two_sided", "smooth", NULL};
    ctFields f = ctOpenShape(L, "heightfield", keys);
    ctTerrainDef def = readDef(&f);
    double size[2] = {0.0, 0.0};
    ctField_Require(&f, "size", ctField_Numbers(&f, "size", 2, size));
    for (int i = 0; i < 2; i++) {
        if (!(size[i] > 0.0)) {
            return ctRaiseField(&f, i == 0 ? "size[1]" : "size[2]", "must be positive, not %g", size[i]);
        }
    }
    int columns, rows;
    const double *heights = readHeights(&f, &columns, &rows);
    ctError error = {0};
    ctShapeId id = ctWorld_CreateHeightfield(ctLoader_World(ctLoaderOf(L)), size[0], size[1], columns, rows, heights,
                                             &def, &error);
    return ctPushShape(&f, id, &error);
}

void ctOpenTerrains(lua_State *L)
{
    static const luaL_Reg functions[] = {{"trimesh", trimesh}, {"heightfield", heightfield}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}
