// Places for many bodies: row, grid, ring; and on_top_of, the place where a shape rests on a body.
#include "collision/elementary.h"
#include "collision/quat.h"
#include "collision/shape.h"
#include "scenes/lua_values.h"

#include <stdio.h>

enum { MOST_PLACES = 100000 };

static void pushPlace(lua_State *L, ctVec3 at)
{
    lua_createtable(L, 3, 0);
    const double c[3] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, c[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

// The list of three numbers at index. A missing argument is zero, unless it is needed.
static ctVec3 vectorArgument(lua_State *L, int index, const char *function, const char *name, bool needed)
{
    ctVec3 v = ctZero3();
    if (lua_isnoneornil(L, index) && !needed) {
        return v;
    }
    ctFields f = {.L = L, .index = index, .kind = function};
    snprintf(f.what, sizeof f.what, "%s", function);
    double c[3];
    ctReadNumbers(&f, index, name, 3, c);
    return ctV3(c[0], c[1], c[2]);
}

static int countArgument(lua_State *L, int index, const char *function, const char *name)
{
    double n = ctNumberArgument(L, index, function, name);
    if (n != floor(n) || n < 1.0 || n > MOST_PLACES) {
        ctRaise(L, "%s: %s must be a whole number from 1 to %d, not %g", function, name, MOST_PLACES, n);
    }
    return (int)n;
}

// row(count, step, start = {0, 0, 0}): start, start + step, ...
static int row(lua_State *L)
{
    int count = countArgument(L, 1, "row", "the count");
    ctVec3 step = vectorArgument(L, 2, "row", "step", true), start = vectorArgument(L, 3, "row", "start", false);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        pushPlace(L, ctMulAdd(start, i, step));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// grid({nx, ny, nz}, {dx, dy, dz}, center = {0, 0, 0}): x first, then y, then z
static int grid(lua_State *L)
{
    ctVec3 counts = vectorArgument(L, 1, "grid", "the counts", true);
    ctVec3 step = vectorArgument(L, 2, "grid", "the spacing", true),
           center = vectorArgument(L, 3, "grid", "center", false);
    const double n[3] = {counts.x, counts.y, counts.z};
    for (int i = 0; i < 3; i++) {
        if (n[i] != floor(n[i]) || n[i] < 1.0 || n[i] > MOST_PLACES) {
            ctRaise(L, "grid: the counts must be whole numbers from 1 to %d, not %g", MOST_PLACES, n[i]);
        }
    }
    if (n[0] * n[1] * n[2] > MOST_PLACES) {
        ctRaise(L, "grid: at most %d places", MOST_PLACES);
    }
    ctVec3 first = ctSub(center, ctMul(ctScale(0.5, step), ctSub(counts, ctV3(1, 1, 1))));
    lua_newtable(L);
    int at = 0;
    for (int k = 0; k < (int)n[2]; k++) {
        for (int j = 0; j < (int)n[1]; j++) {
            for (int i = 0; i < (int)n[0]; i++) {
                pushPlace(L, ctAdd(first, ctMul(step, ctV3(i, j, k))));
                lua_rawseti(L, -2, ++at);
            }
        }
    }
    return 1;
}

// ring(count, radius, center = {0, 0, 0}): places on a level circle, and the angles in degrees
static int ring(lua_State *L)
{
    int count = countArgument(L, 1, "ring", "the count");
    double radius = ctNumberArgument(L, 2, "ring", "the radius");
    ctVec3 center = vectorArgument(L, 3, "ring", "center", false);
    lua_createtable(L, count, 0);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        double turn = (double)i / count, a = 2.0 * CT_PI * turn;
        pushPlace(L, ctAdd(center, ctV3(radius * ctCos(a), radius * ctSin(a), 0.0)));
        lua_rawseti(L, -3, i + 1);
        lua_pushnumber(L, 360.0 * turn);
        lua_rawseti(L, -2, i + 1);
    }
    return 2;
}

// The height of the highest point of a body; of a plane: its height at the place.
static double topOf(const ctWorld *world, ctBodyId body, ctVec3 at)
{
    const ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body));
    ctTransform t = ctBody_GetTransform(world, body);
    if (shape->type == ct_shapePlane) {
        ctVec3 n = ctRotate(t.q, shape->u.plane.normal);
        double offset = shape->u.plane.offset + ctDot(n, t.p);
        return n.z > 0.0 ? (offset - n.x * at.x - n.y * at.y) / n.z : NAN;
    }
    ctPose pose = {t.p, ctMat3FromQuat(t.q)};
    ctVec3 lo, hi;
    ctShape_Bounds(shape, &pose, &lo, &hi);
    return hi.z;
}

// How far a terrain may reach below its centre. 0 for other shapes: a cast meets them above their centre.
static double terrainHeight(const ctWorld *world, ctBodyId body)
{
    const ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body));
    return shape->type == ct_shapeTerrain ? shape->boundRadius : 0.0;
}

// on_top_of(body, shape, {x, y, 0} = {0, 0, 0}): where the shape touches when it is lowered at this offset from the
// body's origin
static int onTopOf(lua_State *L)
{
    const char *name = ctTextArgument(L, 1, "on_top_of", "the name of a body");
    const ctShapeValue *value = ctToShape(L, 2);
    ctVec3 aside = vectorArgument(L, 3, "on_top_of", "the place", false);
    ctWorld *world = ctLoader_World(ctLoaderOf(L));
    ctBodyId body = ctWorld_FindBody(world, name);
    if (body.index1 == 0) {
        return ctRaise(L, "on_top_of: there is no body '%.40s'", name);
    }
    const ctShape *shape = value != NULL ? ctWorld_GetShape(world, value->id) : NULL;
    if (shape == NULL || shape->type == ct_shapePlane || shape->type == ct_shapeTerrain) {
        return ctRaise(L, "on_top_of needs a shape, such as sphere { radius = 1 }, not %s", ctTypeName(L, 2));
    }
    ctVec3 at = ctAdd(ctBody_GetTransform(world, body).p, ctV3(aside.x, aside.y, 0.0));
    double top = topOf(world, body, at), room = shape->size;
    at.z = top + room - shape->lo.z;
    ctRayHit hit;
    double way = 2.0 * room + ctFmax(shape->hi.z - shape->lo.z, 0.0) + (top - ctBody_GetCenter(world, body).z);
    way += terrainHeight(world, body);
    if (!isfinite(at.z) ||
        !ctWorld_ShapeCast(world, value->id, ctTransformOf(at, ctQuatIdentity()), ctV3(0, 0, -fabs(way)), NULL, &hit)) {
        return ctRaise(L, "on_top_of: there is nothing of body '%.40s' under that place", name);
    }
    at.z -= hit.t * fabs(way);
    pushPlace(L, at);
    return 1;
}

void ctOpenPlaces(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"row", row}, {"grid", grid}, {"ring", ring}, {"on_top_of", onTopOf}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}
