// Fields of body{ ... } that act continuously: force, torque, drag, surface_velocity, and path.
#include "collision/quat.h"
#include "scenes/lua_values.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PATH = 10000 };

static bool isGiven(const ctFields *f, const char *key)
{
    lua_pushstring(f->L, key);
    bool given = lua_rawget(f->L, f->index) != LUA_TNIL;
    lua_pop(f->L, 1);
    return given;
}

static void check(const ctFields *f, bool good, const ctError *error)
{
    if (!good) {
        ctRaise(f->L, "%s: %s", f->what, error->message);
    }
}

// A number for both rates, or { linear = ..., angular = ... }.
static void readDrag(const ctFields *f, double *linear, double *angular)
{
    lua_pushstring(f->L, "drag");
    if (lua_rawget(f->L, f->index) != LUA_TTABLE) {
        lua_pop(f->L, 1);
        ctField_Range(f, "drag", 0.0, 1e6, linear);
        *angular = *linear;
        return;
    }
    static const char *const keys[] = {"linear", "angular", NULL};
    ctFields rates = ctOpenFields(f->L, lua_gettop(f->L), "drag", keys);
    ctField_Range(&rates, "linear", 0.0, 1e6, linear);
    ctField_Range(&rates, "angular", 0.0, 1e6, angular);
    lua_pop(f->L, 1);
}

// {x, y, z}, or { linear = {x, y, z}, angular = {x, y, z} }.
static void readSurface(const ctFields *f, ctVec3 *linear, ctVec3 *angular)
{
    lua_pushstring(f->L, "surface_velocity");
    bool list = lua_rawget(f->L, f->index) != LUA_TTABLE || lua_rawlen(f->L, -1) > 0;
    if (list) {
        lua_pop(f->L, 1);
        ctField_Vec3(f, "surface_velocity", linear);
        return;
    }
    static const char *const keys[] = {"linear", "angular", NULL};
    ctFields parts = ctOpenFields(f->L, lua_gettop(f->L), "surface_velocity", keys);
    ctField_Vec3(&parts, "linear", linear);
    ctField_Vec3(&parts, "angular", angular);
    lua_pop(f->L, 1);
}

// One point of a path: { time = ..., position = ..., rotate = ..., velocity = ..., spin = ... }, at the top of the
// stack.
static ctPathPoint readPoint(const ctFields *f, int number)
{
    static const char *const keys[] = {"time", "position", "orientation", "rotate", "velocity", "spin", NULL};
    ctFields p = ctOpenFields(f->L, lua_gettop(f->L), "path", keys);
    char what[sizeof p.what];
    snprintf(what, sizeof what, "%.50s: path[%d]", f->what, number);
    memcpy(p.what, what, sizeof p.what);
    ctPathPoint point = {.pose = ctTransformIdentity()};
    ctField_Require(&p, "time", ctField_Number(&p, "time", &point.time));
    ctField_Vec3(&p, "position", &point.pose.p);
    ctField_Rotation(&p, &point.pose.q);
    bool moves = ctField_Vec3(&p, "velocity", &point.velocity), turns = ctField_Vec3(&p, "spin", &point.spin);
    point.hasVelocity = moves || turns;
    return point;
}

void ctReadPath(const ctFields *f, ctWorld *world, ctBodyId body, double from)
{
    lua_State *L = f->L;
    int list = lua_gettop(L), count = lua_istable(L, list) ? (int)lua_rawlen(L, list) : 0;
    if (count < 2 || count > MAX_PATH) {
        ctRaiseField(f, "path", "must be a list of 2 to %d points", MAX_PATH);
    }
    ctPathPoint *points = lua_newuserdatauv(L, (size_t)count * sizeof *points, 0);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        points[i] = readPoint(f, i + 1);
        points[i].time += from;
        lua_pop(L, 1);
    }
    lua_pushliteral(L, "loop");
    lua_rawget(L, list);
    bool loop = lua_toboolean(L, -1);
    ctError error = {ct_ok, ""};
    check(f, ctBody_SetPath(world, body, points, count, loop, &error), &error);
    lua_settop(L, list);
}

void ctReadForces(const ctFields *f, ctWorld *world, ctBodyId body, ctMotionType motion)
{
    static const char *const forDynamic[] = {"force", "torque", "drag"};
    for (int i = 0; i < 3 && motion != ct_motionDynamic; i++) {
        if (isGiven(f, forDynamic[i])) {
            ctRaiseField(f, forDynamic[i], "is given, but the body is not dynamic");
        }
    }
    if (motion == ct_motionDynamic && isGiven(f, "surface_velocity")) {
        ctRaiseField(f, "surface_velocity", "needs a body that is 'fixed' or 'kinematic'");
    }
    ctError error = {ct_ok, ""};
    ctVec3 force, torque, linear = ctZero3(), angular = ctZero3();
    if (ctField_Vec3(f, "force", &force)) {
        check(f, ctBody_SetForce(world, body, force, &error), &error);
    }
    if (ctField_Vec3(f, "torque", &torque)) {
        check(f, ctBody_SetTorque(world, body, torque, &error), &error);
    }
    if (isGiven(f, "drag")) {
        double slow = 0.0, turn = 0.0;
        readDrag(f, &slow, &turn);
        check(f, ctBody_SetDrag(world, body, slow, turn, &error), &error);
    }
    if (isGiven(f, "path")) {
        if (motion != ct_motionKinematic) {
            ctRaiseField(f, "path", "needs a body that is 'kinematic'");
        }
        lua_pushliteral(f->L, "path");
        lua_rawget(f->L, f->index);
        ctReadPath(f, world, body, 0.0);
        lua_pop(f->L, 1);
    }
    if (isGiven(f, "surface_velocity")) {
        readSurface(f, &linear, &angular);
        check(f, ctBody_SetSurfaceVelocity(world, body, linear, angular, &error), &error);
    }
}
