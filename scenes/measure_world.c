#include "scenes/measure_world.h"
#include "scenes/waiting.h"

#include "collision/quat.h"
#include "scenes/journal.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"
#include "scenes/script.h"

#include <math.h>
#include <string.h>

static const ctWorld *worldOf(lua_State *L)
{
    return ctLoaderOf(L)->scene->world;
}

void ctMeasureWorld_CheckSelf(lua_State *L, const char *method)
{
    if (lua_type(L, 1) != LUA_TUSERDATA) {
        ctRaise(L, "world:%s is called with a colon, not with a dot", method);
    }
}

// As a list of three numbers.
static void pushVector(lua_State *L, ctVec3 v)
{
    const double c[3] = {v.x, v.y, v.z};
    lua_createtable(L, 3, 0);
    for (int i = 0; i < 3; i++) {
        lua_pushnumber(L, c[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

void ctSetNumber(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

void ctSetVector(lua_State *L, const char *key, ctVec3 v)
{
    pushVector(L, v);
    lua_setfield(L, -2, key);
}

ctVec3 ctMeasureWorld_Vector(lua_State *L, int index, const char *function)
{
    double c[3];
    if (!lua_istable(L, index) || lua_rawlen(L, index) != 3) {
        ctRaise(L, "%s takes a list of three numbers, not %s", function, ctTypeName(L, index));
    }
    for (int i = 0; i < 3; i++) {
        lua_rawgeti(L, index, i + 1);
        c[i] = ctNumberArgument(L, -1, function, "the vector");
        lua_pop(L, 1);
    }
    return (ctVec3){c[0], c[1], c[2]};
}

ctBodyId ctMeasureWorld_Body(lua_State *L, int index, const char *method)
{
    const ctWorld *world = worldOf(L);
    const char *name = ctTextArgument(L, index, method, "the name of a body");
    ctBodyId body = ctWorld_FindBody(world, name);
    if (body.index1 == 0) {
        const char *nearest = ctNearestBody(name, world);
        if (nearest != NULL) {
            ctRaise(L, "world:%s: there is no body '%.60s'; did you mean '%.60s'?", method, name, nearest);
        }
        ctRaise(L, "world:%s: there is no body '%.60s'", method, name);
    }
    return body;
}

// ---- bodies -----------------------------------------------------------------------------------

// The pose of the body whose table is the first argument.
static ctTransform poseOf(lua_State *L, const char *method)
{
    if (!lua_istable(L, 1) || (lua_pushliteral(L, "name"), lua_rawget(L, 1)) != LUA_TSTRING) {
        ctRaise(L, "body:%s is called with a colon, not with a dot", method);
    }
    return ctBody_GetTransform(worldOf(L), ctWorld_FindBody(worldOf(L), lua_tostring(L, -1)));
}

// body:direction{x, y, z}: from the shape's frame to the world's.
static int direction(lua_State *L)
{
    ctTransform pose = poseOf(L, "direction");
    pushVector(L, ctRotate(pose.q, ctMeasureWorld_Vector(L, 2, "body:direction")));
    return 1;
}

// body:point{x, y, z}: from the shape's frame to the world's.
static int point(lua_State *L)
{
    ctTransform pose = poseOf(L, "point");
    pushVector(L, ctTransformPoint(pose, ctMeasureWorld_Vector(L, 2, "body:point")));
    return 1;
}

static void pushBody(lua_State *L, ctBodyId body)
{
    static const char *const motions[] = {"dynamic", "fixed", "kinematic"};
    const ctWorld *world = worldOf(L);
    ctTransform pose = ctBody_GetTransform(world, body);
    lua_createtable(L, 0, 11);
    lua_pushstring(L, ctBody_GetName(world, body));
    lua_setfield(L, -2, "name");
    lua_pushstring(L, motions[ctBody_GetMotionType(world, body)]);
    lua_setfield(L, -2, "motion");
    ctSetVector(L, "position", pose.p);
    ctSetVector(L, "center", ctBody_GetCenter(world, body));
    const double q[4] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    lua_createtable(L, 4, 0);
    for (int i = 0; i < 4; i++) {
        lua_pushnumber(L, q[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "orientation");
    ctSetVector(L, "velocity", ctBody_GetVelocity(world, body));
    ctSetVector(L, "spin", ctBody_GetSpin(world, body));
    ctSetNumber(L, "mass", ctBody_GetMass(world, body));
    ctSetNumber(L, "energy", ctBody_GetKineticEnergy(world, body));
    lua_pushboolean(L, ctBody_IsAsleep(world, body));
    lua_setfield(L, -2, "asleep");
    lua_pushboolean(L, ctBody_Waits(world, body));
    lua_setfield(L, -2, "waiting");
    luaL_setmetatable(L, "clatter body");
}

static int body(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "body");
    pushBody(L, ctMeasureWorld_Body(L, 2, "body"));
    return 1;
}

static int bodies(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "bodies");
    int count = ctWorld_GetBodyCount(worldOf(L));
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        pushBody(L, ctWorld_GetBody(worldOf(L), i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// ---- the run ----------------------------------------------------------------------------------

static int currentTime(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "time");
    lua_pushnumber(L, ctWorld_GetTime(worldOf(L)));
    return 1;
}

// world:impacts(), world:impacts(a), world:impacts(a, b)
static int impacts(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "impacts");
    const ctWorld *world = worldOf(L);
    int64_t count;
    if (lua_isnoneornil(L, 2)) {
        count = ctWorld_GetStats(world).impacts;
    } else if (lua_isnoneornil(L, 3)) {
        count = ctBody_GetTally(world, ctMeasureWorld_Body(L, 2, "impacts")).impacts;
    } else {
        count = ctWorld_GetPairTally(world, ctMeasureWorld_Body(L, 2, "impacts"), ctMeasureWorld_Body(L, 3, "impacts"))
                    .impacts;
    }
    lua_pushinteger(L, count);
    return 1;
}

// Callbacks may not read the journal: a snapshot does not contain it, and it is updated only once per frame.
static void notInCallbacks(lua_State *L, const char *method)
{
    if (ctLoaderOf(L)->mode == ct_scriptActs) {
        ctRaise(L, "world:%s is for measures; a callback keeps what it needs in state { }", method);
    }
}

// world:inside(sensor): the names of the bodies inside the sensor
static int inside(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "inside");
    const ctWorld *world = worldOf(L);
    ctBodyId sensor = ctMeasureWorld_Body(L, 2, "inside");
    if (!ctBody_IsSensor(world, sensor)) {
        return ctRaise(L, "world:inside: body '%.60s' is no sensor", lua_tostring(L, 2));
    }
    int count = ctBody_GetVisitors(world, sensor, NULL, 0);
    ctBodyId *visitors = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *visitors, 0);
    ctBody_GetVisitors(world, sensor, visitors, count);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, ctBody_GetName(world, visitors[i]));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// world:first_impact(a, b), world:first_impact(a): the time and the point, or nil
static int firstImpact(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "first_impact");
    notInCallbacks(L, "first_impact");
    ctBodyId a = ctMeasureWorld_Body(L, 2, "first_impact"), b = {0};
    if (!lua_isnoneornil(L, 3)) {
        b = ctMeasureWorld_Body(L, 3, "first_impact");
    }
    const ctFirstImpact *first = ctJournal_First(ctLoaderOf(L)->scene->journal, a.index1, b.index1);
    if (first == NULL) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, first->time);
    pushVector(L, first->point);
    return 2;
}

// world:energy(): kinetic, potential
static int energy(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "energy");
    ctStats stats = ctWorld_GetStats(worldOf(L));
    lua_pushnumber(L, stats.kineticEnergy);
    lua_pushnumber(L, stats.potentialEnergy);
    return 2;
}

// world:rest_time(): the time since which all bodies that can move sleep, or nil
static int restTime(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "rest_time");
    notInCallbacks(L, "rest_time");
    double time = ctLoaderOf(L)->scene->journal->restTime;
    if (isfinite(time)) {
        lua_pushnumber(L, time);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

static const ctSeries *seriesArgument(lua_State *L, int index)
{
    const ctLoader *loader = ctLoaderOf(L);
    const char *name = ctTextArgument(L, index, "samples", "the name");
    const char *names[CT_SCRIPT_SAMPLES + 1];
    for (int i = 0; i < loader->sampleCount; i++) {
        names[i] = loader->sampleNames[i];
        if (strcmp(names[i], name) == 0) {
            return &loader->scene->journal->series[i];
        }
    }
    names[loader->sampleCount] = NULL;
    const char *nearest = ctNearestName(name, names);
    if (nearest != NULL) {
        ctRaise(L, "world:samples: there is no sample '%.40s'; did you mean '%s'?", name, nearest);
    }
    ctRaise(L, "world:samples: there is no sample '%.40s'", name);
    return NULL;
}

static void pushList(lua_State *L, const double *values, int count)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

// world:samples(name): the values of that sample
static int samples(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "samples");
    notInCallbacks(L, "samples");
    const ctSeries *series = seriesArgument(L, 2);
    pushList(L, series->values, series->count);
    return 1;
}

// world:sample_times(): the times of the values, the same for all samples
static int sampleTimes(lua_State *L)
{
    ctMeasureWorld_CheckSelf(L, "sample_times");
    notInCallbacks(L, "sample_times");
    const ctJournal *journal = ctLoaderOf(L)->scene->journal;
    const ctSeries none = {0}, *series = journal->seriesCount > 0 ? &journal->series[0] : &none;
    pushList(L, series->times, series->count);
    return 1;
}

static const char *const bodyFields[] = {"name", "motion", "position", "center",  "orientation", "velocity", "spin",
                                         "mass", "energy", "asleep",   "waiting", "direction",   "point",    NULL};

// Reading what neither the world nor a body has raises: nil would pass for a value that is missing.
static int unknownField(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING) {
        return 0;
    }
    const char *word = lua_tostring(L, 2), *what = lua_tostring(L, lua_upvalueindex(1));
    const char *nearest =
        lua_toboolean(L, lua_upvalueindex(2)) ? ctNearestName(word, bodyFields) : ctNearestKey(L, 1, word);
    return nearest != NULL ? ctRaise(L, "%s has no '%.40s'; did you mean '%s'?", what, word, nearest)
                           : ctRaise(L, "%s has no '%.40s'", what, word);
}

// Gives the metatable on top of the stack the methods, and leaves the table of them above it.
static void protect(lua_State *L, const luaL_Reg *methods, const char *what, bool isBody)
{
    lua_pushstring(L, what);
    lua_setfield(L, -2, "__metatable");
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, what);
    lua_pushboolean(L, isBody);
    lua_pushcclosure(L, unknownField, 2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushliteral(L, "__index");
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);
}

void ctMeasureWorld_Push(lua_State *L)
{
    static const luaL_Reg worldMethods[] = {{"body", body},        {"bodies", bodies},
                                            {"time", currentTime}, {"impacts", impacts},
                                            {"inside", inside},    {"first_impact", firstImpact},
                                            {"energy", energy},    {"rest_time", restTime},
                                            {"samples", samples},  {"sample_times", sampleTimes},
                                            {NULL, NULL}};
    static const luaL_Reg bodyMethods[] = {{"direction", direction}, {"point", point}, {NULL, NULL}};
    if (luaL_newmetatable(L, "clatter body")) {
        protect(L, bodyMethods, "a body of the world", true);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    lua_newuserdatauv(L, 1, 0);
    if (luaL_newmetatable(L, "clatter world")) {
        protect(L, worldMethods, "the world", false);
        ctWorldChanges_Open(L);
        lua_pop(L, 1);
    }
    lua_setmetatable(L, -2);
}
