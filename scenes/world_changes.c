// Methods of the world that change it, for callbacks: world:set_velocity("ball", {0, 0, 3}) and the like.
#include "collision/quat.h"
#include "scenes/lua_values.h"
#include "scenes/measure_world.h"
#include "scenes/script.h"
#include "scenes/waiting.h"

#include <stdio.h>

// The world of a callback. Raises in measures and samples, which may not change the world.
ctWorld *ctWorldToChange(lua_State *L, const char *method)
{
    ctMeasureWorld_CheckSelf(L, method);
    if (ctLoaderOf(L)->mode != ct_scriptActs) {
        ctRaise(L, "world:%s: only a callback of every or on_impact may change the world", method);
    }
    return ctLoaderOf(L)->scene->world;
}

static int finish(lua_State *L, const char *method, const char *name, bool good, const ctError *error)
{
    return good ? 0 : ctRaise(L, "world:%s: body '%.60s': %s", method, name, error->message);
}

// The body named by the second argument, which may not wait: nothing moves or pushes it then.
static ctBodyId bodyInPlay(lua_State *L, const char *method)
{
    ctBodyId body = ctMeasureWorld_Body(L, 2, method);
    if (ctBody_Waits(ctLoaderOf(L)->scene->world, body)) {
        ctRaise(L, "world:%s: body '%.60s' waits; world:launch lets it go", method, lua_tostring(L, 2));
    }
    return body;
}

static ctVec3 vectorOr(lua_State *L, int index, const char *method, ctVec3 otherwise)
{
    return lua_isnoneornil(L, index) ? otherwise : ctMeasureWorld_Vector(L, index, method);
}

// world:set_velocity(name, velocity, spin): without a spin the present spin stays
static int setVelocity(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_velocity");
    ctBodyId body = bodyInPlay(L, "set_velocity");
    ctVec3 v = ctMeasureWorld_Vector(L, 3, "world:set_velocity");
    ctVec3 w = vectorOr(L, 4, "world:set_velocity", ctBody_GetSpin(world, body));
    ctError error = {ct_ok, ""};
    return finish(L, "set_velocity", lua_tostring(L, 2), ctBody_SetVelocity(world, body, v, w, &error), &error);
}

// world:set_spin(name, spin)
static int setSpin(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_spin");
    ctBodyId body = bodyInPlay(L, "set_spin");
    ctVec3 v = ctBody_GetVelocity(world, body), w = ctMeasureWorld_Vector(L, 3, "world:set_spin");
    ctError error = {ct_ok, ""};
    return finish(L, "set_spin", lua_tostring(L, 2), ctBody_SetVelocity(world, body, v, w, &error), &error);
}

// world:set_position(name, position, orientation): at once; velocity and spin stay
static int setPosition(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_position");
    ctBodyId body = ctMeasureWorld_Body(L, 2, "set_position");
    ctTransform pose = ctBody_GetTransform(world, body);
    pose.p = ctMeasureWorld_Vector(L, 3, "world:set_position");
    if (!lua_isnoneornil(L, 4)) {
        ctFields f = {L, 4, "set_position", "world:set_position"};
        double q[4];
        if (!lua_istable(L, 4)) {
            return ctRaise(L, "world:set_position: the orientation is a list of four numbers, not %s",
                           ctTypeName(L, 4));
        }
        ctReadNumbers(&f, 4, "orientation", 4, q);
        pose.q = (ctQuat){.w = q[0], .x = q[1], .y = q[2], .z = q[3]};
    }
    ctError error = {ct_ok, ""};
    return finish(L, "set_position", lua_tostring(L, 2), ctBody_SetTransform(world, body, pose, &error), &error);
}

// world:apply_impulse(name, impulse, point): N s; without a point at the centre of mass
static int applyImpulse(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "apply_impulse");
    ctBodyId body = bodyInPlay(L, "apply_impulse");
    ctVec3 impulse = ctMeasureWorld_Vector(L, 3, "world:apply_impulse");
    ctVec3 point = vectorOr(L, 4, "world:apply_impulse", ctBody_GetCenter(world, body));
    ctError error = {ct_ok, ""};
    bool good = ctBody_ApplyImpulse(world, body, impulse, point, &error);
    return finish(L, "apply_impulse", lua_tostring(L, 2), good, &error);
}

// world:set_force(name, force), world:set_torque(name, torque): until changed
static int setForce(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_force");
    ctBodyId body = bodyInPlay(L, "set_force");
    ctError error = {ct_ok, ""};
    bool good = ctBody_SetForce(world, body, ctMeasureWorld_Vector(L, 3, "world:set_force"), &error);
    return finish(L, "set_force", lua_tostring(L, 2), good, &error);
}

static int setTorque(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_torque");
    ctBodyId body = bodyInPlay(L, "set_torque");
    ctError error = {ct_ok, ""};
    bool good = ctBody_SetTorque(world, body, ctMeasureWorld_Vector(L, 3, "world:set_torque"), &error);
    return finish(L, "set_torque", lua_tostring(L, 2), good, &error);
}

// world:set_drag(name, linear, angular): 1/s; without the second it equals the first
static int setDrag(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_drag");
    ctBodyId body = bodyInPlay(L, "set_drag");
    double linear = ctNumberArgument(L, 3, "world:set_drag", "the rate");
    double angular = lua_isnoneornil(L, 4) ? linear : ctNumberArgument(L, 4, "world:set_drag", "the second rate");
    ctError error = {ct_ok, ""};
    bool good = ctBody_SetDrag(world, body, linear, angular, &error);
    return finish(L, "set_drag", lua_tostring(L, 2), good, &error);
}

// world:set_surface_velocity(name, linear, angular)
static int setSurface(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_surface_velocity");
    ctBodyId body = ctMeasureWorld_Body(L, 2, "set_surface_velocity");
    ctVec3 linear = ctMeasureWorld_Vector(L, 3, "world:set_surface_velocity");
    ctVec3 angular = vectorOr(L, 4, "world:set_surface_velocity", ctZero3());
    ctError error = {ct_ok, ""};
    bool good = ctBody_SetSurfaceVelocity(world, body, linear, angular, &error);
    return finish(L, "set_surface_velocity", lua_tostring(L, 2), good, &error);
}

// world:set_path(name, { {time = 0, position = ...}, ... }): times count from now; nil ends the path
static int setPath(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_path");
    ctBodyId body = ctMeasureWorld_Body(L, 2, "set_path");
    ctError error = {ct_ok, ""};
    if (lua_isnoneornil(L, 3)) {
        return finish(L, "set_path", lua_tostring(L, 2), ctBody_SetPath(world, body, NULL, 0, false, &error), &error);
    }
    ctFields f = {L, 3, "path", ""};
    snprintf(f.what, sizeof f.what, "world:set_path: body '%.30s'", lua_tostring(L, 2));
    lua_settop(L, 3);
    ctReadPath(&f, world, body, ctWorld_GetTime(world));
    return 0;
}

// world:set_gravity(gravity)
static int setGravity(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "set_gravity");
    ctError error = {ct_ok, ""};
    if (!ctWorld_SetGravity(world, ctMeasureWorld_Vector(L, 2, "world:set_gravity"), &error)) {
        return ctRaise(L, "world:set_gravity: %s", error.message);
    }
    return 0;
}

void ctWorldChanges_Open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"set_velocity", setVelocity},
                                       {"set_spin", setSpin},
                                       {"set_position", setPosition},
                                       {"apply_impulse", applyImpulse},
                                       {"set_force", setForce},
                                       {"set_torque", setTorque},
                                       {"set_drag", setDrag},
                                       {"set_surface_velocity", setSurface},
                                       {"set_path", setPath},
                                       {"set_gravity", setGravity},
                                       {NULL, NULL}};
    luaL_setfuncs(L, methods, 0);
    ctWaiting_Open(L);
}
