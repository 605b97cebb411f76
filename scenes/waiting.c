// Bodies that wait to be launched: body { waiting = true }, world:launch, world:retire.
//
// A scene makes all its bodies at the start, so that every body that a callback can launch has a name and a look. A
// waiting body is fixed and touches nothing, so that it costs nothing. Its filter tells that it waits. Its mass, filter
// and motion after the launch are kept with the script, which makes them again when a saved world continues.
#include "scenes/waiting.h"

#include "collision/memory.h"
#include "scenes/lua_values.h"
#include "scenes/measure_world.h"

typedef struct ctWaiting {
    int ordinal; // of the body
    ctMassData mass;
    ctFilter filter;
    ctVec3 velocity, spin, force, torque;
    double drag, angularDrag;
    ctTransform place;
} ctWaiting;

static const ctFilter nobody = {0, 0};

bool ctBody_Waits(const ctWorld *world, ctBodyId body)
{
    ctFilter filter = ctBody_GetFilter(world, body);
    return filter.category == 0 && filter.mask == 0;
}

void ctWaiting_Read(const ctFields *f, ctWorld *world, ctBodyId body, const ctBodyDef *def, ctFilter filter)
{
    ctLoader *loader = ctLoaderOf(f->L);
    if (!ctReserve((void **)&loader->waiting, &loader->waitingCapacity, loader->waitingCount + 1, sizeof(ctWaiting))) {
        ctRaise(f->L, "out of memory for bodies");
    }
    ctWaiting *w = &loader->waiting[loader->waitingCount];
    *w = (ctWaiting){.ordinal = ctBody_GetOrdinal(world, body),
                     .mass = ctBody_GetMassData(world, body),
                     .filter = filter,
                     .velocity = def->velocity,
                     .spin = def->spin,
                     .force = ctBody_GetForce(world, body),
                     .torque = ctBody_GetTorque(world, body),
                     .place = ctBody_GetTransform(world, body)};
    ctBody_GetDrag(world, body, &w->drag, &w->angularDrag);
    ctError error = {ct_ok, ""};
    if (!ctBody_SetMotionType(world, body, ct_motionFixed, &error)) {
        ctRaise(f->L, "%s: %s", f->what, error.message);
    }
    loader->waitingCount++;
}

// The data for the launch of a body. Raises unless the scene has made the body with waiting = true.
static const ctWaiting *waitingOf(lua_State *L, const ctWorld *world, ctBodyId body, const char *method)
{
    const ctLoader *loader = ctLoaderOf(L);
    int ordinal = ctBody_GetOrdinal(world, body);
    for (int i = 0; i < loader->waitingCount; i++) {
        if (loader->waiting[i].ordinal == ordinal) {
            return &loader->waiting[i];
        }
    }
    ctRaise(L, "world:%s: body '%.60s' was not made with waiting = true", method, lua_tostring(L, 2));
    return NULL;
}

static bool putBack(ctWorld *world, ctBodyId body, ctTransform place, ctError *error)
{
    return ctBody_SetFilter(world, body, nobody, error) && ctBody_SetMotionType(world, body, ct_motionFixed, error) &&
           ctBody_SetTransform(world, body, place, error);
}

static bool letGo(ctWorld *world, ctBodyId body, const ctWaiting *w, ctTransform place, ctVec3 v, ctVec3 spin,
                  ctError *error)
{
    return ctBody_SetTransform(world, body, place, error) &&
           ctBody_SetMotionType(world, body, ct_motionDynamic, error) && ctBody_SetMass(world, body, &w->mass, error) &&
           ctBody_SetForce(world, body, w->force, error) && ctBody_SetTorque(world, body, w->torque, error) &&
           ctBody_SetDrag(world, body, w->drag, w->angularDrag, error) &&
           ctBody_SetVelocity(world, body, v, spin, error) && ctBody_SetFilter(world, body, w->filter, error);
}

// world:launch(name, position, velocity, spin): missing arguments are those of body{}
static int launch(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "launch");
    ctBodyId body = ctMeasureWorld_Body(L, 2, "launch");
    const ctWaiting *w = waitingOf(L, world, body, "launch");
    if (!ctBody_Waits(world, body)) {
        return ctRaise(L, "world:launch: body '%.60s' does not wait; world:retire takes it back", lua_tostring(L, 2));
    }
    ctTransform from = ctBody_GetTransform(world, body), place = from;
    ctVec3 v = w->velocity, spin = w->spin;
    place.p = lua_isnoneornil(L, 3) ? from.p : ctMeasureWorld_Vector(L, 3, "world:launch");
    v = lua_isnoneornil(L, 4) ? v : ctMeasureWorld_Vector(L, 4, "world:launch");
    spin = lua_isnoneornil(L, 5) ? spin : ctMeasureWorld_Vector(L, 5, "world:launch");
    ctError error = {ct_ok, ""};
    if (letGo(world, body, w, place, v, spin, &error)) {
        return 0;
    }
    ctError second;
    putBack(world, body, from, &second);
    return ctRaise(L, "world:launch: body '%.60s': %s", lua_tostring(L, 2), error.message);
}

// world:retire(name, position): the body waits again, without a position at its place in body{}
static int retire(lua_State *L)
{
    ctWorld *world = ctWorldToChange(L, "retire");
    ctBodyId body = ctMeasureWorld_Body(L, 2, "retire");
    ctTransform place = waitingOf(L, world, body, "retire")->place;
    place.p = lua_isnoneornil(L, 3) ? place.p : ctMeasureWorld_Vector(L, 3, "world:retire");
    ctError error = {ct_ok, ""};
    if (!putBack(world, body, place, &error)) {
        return ctRaise(L, "world:retire: body '%.60s': %s", lua_tostring(L, 2), error.message);
    }
    return 0;
}

void ctWaiting_Open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"launch", launch}, {"retire", retire}, {NULL, NULL}};
    luaL_setfuncs(L, methods, 0);
}
