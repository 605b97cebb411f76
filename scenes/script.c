// every() and on_impact(): functions of the script that are called while the world runs.
//
// The order of the calls depends on the world alone. Impacts and entries into sensors come first, by their time; each
// calls its handlers in the order of their declaration. Then come the timers that are due, the earliest first.
#include "scenes/script.h"

#include "collision/memory.h"
#include "collision/vec3.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_CALLS = 10000 };
#define WINDOW 1e-3            // s: more than WINDOW_CALLS calls within this time are an endless loop
#define SHORTEST_INTERVAL 1e-4 // s

// ---- declaring --------------------------------------------------------------------------------

ctScript *ctScript_Of(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    if (loader->script == NULL) {
        loader->script = ctAllocate(1, sizeof *loader->script);
        if (loader->script == NULL) {
            ctRaise(L, "out of memory for callbacks");
        }
    }
    return loader->script;
}

void ctScript_Free(ctScript *script)
{
    if (script == NULL) {
        return;
    }
    for (int i = 0; i < script->handlerCount; i++) {
        ctFree(script->handlers[i].a.ids);
        ctFree(script->handlers[i].b.ids);
    }
    ctArchive_Free(&script->source);
    ctArchive_Free(&script->notes);
    ctFree(script->happening);
    ctFree(script);
}

static int keep(lua_State *L, int index)
{
    lua_pushvalue(L, index);
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

// every(seconds, function(world, n) ... end)
static int every(lua_State *L)
{
    ctScript *script = ctScript_Of(L);
    double interval = ctNumberArgument(L, 1, "every", "the interval");
    if (!(interval >= SHORTEST_INTERVAL && interval <= CT_SCENE_SECONDS)) {
        return ctRaise(L, "every: the interval must be from %g s to %g s, not %g", SHORTEST_INTERVAL, CT_SCENE_SECONDS,
                       interval);
    }
    if (lua_type(L, 2) != LUA_TFUNCTION) {
        return ctRaise(L, "every takes an interval and a function of the world, not %s", ctTypeName(L, 2));
    }
    if (script->timerCount >= CT_SCRIPT_TIMERS) {
        return ctRaise(L, "too many every; a scene may have %d", CT_SCRIPT_TIMERS);
    }
    int function = keep(L, 2);
    script->timers[script->timerCount++] = (ctTimer){interval, function, ctCurrentLine(L), 0};
    return 0;
}

// A name, or a list of names.
static ctBodyList bodiesArgument(lua_State *L, int index)
{
    int count = lua_istable(L, index) ? (int)lua_rawlen(L, index) : 0;
    bool good = lua_type(L, index) == LUA_TSTRING || (count > 0 && count <= CT_SCRIPT_BODIES);
    for (int i = 1; i <= count && good; i++) {
        good = lua_rawgeti(L, index, i) == LUA_TSTRING;
        lua_pop(L, 1);
    }
    if (!good) {
        ctRaise(L, "on_impact takes the name of a body, or a list of names, not %s", ctTypeName(L, index));
    }
    return (ctBodyList){keep(L, index), NULL, 0};
}

// on_impact(a, b, function(world, impact) ... end); without b: a with any body
static int onImpact(lua_State *L)
{
    ctScript *script = ctScript_Of(L);
    int last = lua_type(L, 2) == LUA_TFUNCTION ? 2 : 3;
    if (lua_type(L, last) != LUA_TFUNCTION) {
        return ctRaise(L, "on_impact takes one or two bodies and a function, not %s", ctTypeName(L, last));
    }
    if (script->handlerCount >= CT_SCRIPT_HANDLERS) {
        return ctRaise(L, "too many on_impact; a scene may have %d (a list of names counts once)", CT_SCRIPT_HANDLERS);
    }
    ctImpactHandler handler = {.line = ctCurrentLine(L)};
    handler.a = bodiesArgument(L, 1);
    if (last == 3) {
        handler.b = bodiesArgument(L, 2);
    }
    handler.function = keep(L, last);
    script->handlers[script->handlerCount++] = handler;
    return 0;
}

void ctOpenScript(lua_State *L)
{
    static const luaL_Reg functions[] = {{"every", every}, {"on_impact", onImpact}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
    ctScriptState_Open(L);
}

// ---- when the script has run ------------------------------------------------------------------

static int compareIds(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int32_t findBody(lua_State *L, const char *name, int line)
{
    const ctWorld *world = ctLoaderOf(L)->scene->world;
    ctBodyId body = ctWorld_FindBody(world, name);
    if (body.index1 == 0) {
        const char *nearest = ctNearestBody(name, world);
        lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: on_impact: there is no body '%s'%s%s%s", line, name,
                        nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                        nearest != NULL ? "'?" : "");
        lua_error(L);
    }
    return body.index1;
}

static void findBodies(lua_State *L, ctBodyList *list, int line)
{
    if (list->names == 0) {
        return;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, list->names);
    bool one = lua_type(L, -1) == LUA_TSTRING;
    int count = one ? 1 : (int)lua_rawlen(L, -1);
    list->ids = ctAllocate((size_t)count, sizeof *list->ids);
    if (list->ids == NULL) {
        ctRaise(L, "out of memory for callbacks");
    }
    for (int i = 0; i < count; i++) {
        if (!one) {
            lua_rawgeti(L, -1, i + 1);
        }
        list->ids[i] = findBody(L, lua_tostring(L, -1), line);
        lua_pop(L, one ? 0 : 1);
    }
    list->count = count;
    qsort(list->ids, (size_t)count, sizeof *list->ids, compareIds);
    lua_pop(L, 1);
    luaL_unref(L, LUA_REGISTRYINDEX, list->names);
    list->names = 0;
}

static int beginProtected(lua_State *L)
{
    ctScript *script = ctLoaderOf(L)->script;
    lua_settop(L, 0);
    for (int i = 0; i < script->handlerCount; i++) {
        findBodies(L, &script->handlers[i].a, script->handlers[i].line);
        findBodies(L, &script->handlers[i].b, script->handlers[i].line);
    }
    ctKept_List(L);
    ctScriptState_Write(L);
    return 0;
}

static ctSteerFn steer;

bool ctScript_Begin(ctLoader *loader, const char *text, size_t length, ctError *error)
{
    ctScript *script = loader->script;
    ctWorld *world = loader->scene->world;
    if (!ctScriptSource_Write(loader, text, length)) {
        return ctFailMemory(error, "a script");
    }
    return ctSandbox_Call(loader, ct_scriptMeasures, beginProtected, NULL, error) &&
           ctWorld_SetNotes(world, script->notes.data, (size_t)script->notes.length, error) &&
           ctWorld_SetSteering(world, steer, loader, script->handlerCount > 0, error);
}

// ---- a call -----------------------------------------------------------------------------------

typedef struct Call {
    const char *kind; // "every"
    int function, line;
    ctTimer *timer;               // every
    const ctHappening *happening; // on_impact
    bool swapped;                 // the second body of the impact is the first of the handler
} Call;

// Pushes { time, a, b, point, normal, velocity, impulse, energy }, or { time, a, b } for an entry into a sensor.
static void pushHappening(lua_State *L, const Call *call)
{
    const ctWorld *world = ctLoaderOf(L)->scene->world;
    const ctImpact *m = &call->happening->impact;
    double sign = call->swapped ? -1.0 : 1.0;
    lua_createtable(L, 0, 8);
    ctSetNumber(L, "time", m->time);
    lua_pushstring(L, ctBody_GetName(world, call->swapped ? m->body2 : m->body1));
    lua_setfield(L, -2, "a");
    lua_pushstring(L, ctBody_GetName(world, call->swapped ? m->body1 : m->body2));
    lua_setfield(L, -2, "b");
    if (!call->happening->entry) {
        ctSetVector(L, "point", m->point);
        ctSetVector(L, "normal", ctScale(sign, m->normal));
        ctSetVector(L, "velocity", ctScale(sign, m->velocity));
        ctSetVector(L, "impulse", ctScale(sign, m->impulse));
        ctSetNumber(L, "energy", m->energyLost);
    }
}

static int callProtected(lua_State *L)
{
    const Call *call = lua_touserdata(L, 1);
    lua_settop(L, 0);
    ctLoaderOf(L)->callLine = call->line;
    ctScriptState_Read(L);
    if (call->timer != NULL) {
        call->timer->calls++;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, call->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, ctLoaderOf(L)->worldObject);
    if (call->happening != NULL) {
        pushHappening(L, call);
    } else {
        lua_pushinteger(L, call->timer->calls);
    }
    lua_call(L, 2, 0);
    ctKept_Check(L, lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: %s", call->line, call->kind));
    ctScriptState_Write(L);
    return 0;
}

// Whether callbacks trigger each other without end.
static bool isTooOften(ctScript *script, double now)
{
    if (!(now >= script->windowStart && now < script->windowStart + WINDOW)) {
        script->windowStart = now;
        script->windowCalls = 0;
    }
    return ++script->windowCalls > WINDOW_CALLS;
}

static int restoreProtected(lua_State *L)
{
    ctKept_Restore(L);
    return 0;
}

static bool callBack(ctLoader *loader, const Call *call, ctError *error)
{
    ctScript *script = loader->script;
    ctWorld *world = loader->scene->world;
    if (isTooOften(script, ctWorld_GetTime(world))) {
        return ctFail(error, ct_badArgument, "%.300s:%d: %s is called too often: %d times within %g s",
                      loader->scene->path, call->line, call->kind, WINDOW_CALLS, WINDOW);
    }
    bool good = ctSandbox_Call(loader, ct_scriptActs, callProtected, (void *)call, error) &&
                ctWorld_SetNotes(world, script->notes.data, (size_t)script->notes.length, error);
    if (!good) {
        ctSandbox_Call(loader, ct_scriptMeasures, restoreProtected, NULL, NULL);
    }
    return good;
}

// ---- a turn -----------------------------------------------------------------------------------

static bool contains(const ctBodyList *list, ctBodyId body)
{
    return list->count == 0 || bsearch(&body.index1, list->ids, (size_t)list->count, sizeof *list->ids, compareIds);
}

static bool tell(ctLoader *loader, const ctHappening *h, ctError *error)
{
    const ctScript *script = loader->script;
    for (int i = 0; i < script->handlerCount; i++) {
        const ctImpactHandler *handler = &script->handlers[i];
        ctBodyId first = h->impact.body1, second = h->impact.body2;
        bool straight = contains(&handler->a, first) && contains(&handler->b, second);
        bool swapped = !straight && contains(&handler->a, second) && contains(&handler->b, first);
        Call call = {"on_impact", handler->function, handler->line, NULL, h, swapped};
        if ((straight || swapped) && !callBack(loader, &call, error)) {
            return false;
        }
    }
    return true;
}

// Copies impacts and entries in order of time. Copies are needed: callbacks change the world, and with it its lists.
static int collect(ctScript *script, const ctTurn *turn)
{
    int i = 0, k = 0, count = 0;
    if (!ctReserve((void **)&script->happening, &script->happeningCapacity,
                   turn->impactCount + turn->sensorEventCount + 1, sizeof *script->happening)) {
        return -1;
    }
    while (i < turn->impactCount || k < turn->sensorEventCount) {
        const ctSensorEvent *visit = k < turn->sensorEventCount ? &turn->sensorEvents[k] : NULL;
        if (i < turn->impactCount && (visit == NULL || turn->impacts[i].time <= visit->time)) {
            if (turn->impacts[i].kind == ct_eventImpact) {
                script->happening[count++] = (ctHappening){turn->impacts[i], false};
            }
            i++;
        } else {
            if (visit->begin) {
                ctImpact entry = {.time = visit->time, .body1 = visit->sensor, .body2 = visit->visitor};
                script->happening[count++] = (ctHappening){entry, true};
            }
            k++;
        }
    }
    return count;
}

static double dueTime(const ctTimer *timer)
{
    return (double)(timer->calls + 1) * timer->interval;
}

static ctTimer *nextTimer(ctScript *script)
{
    ctTimer *next = NULL;
    for (int i = 0; i < script->timerCount; i++) {
        if (next == NULL || dueTime(&script->timers[i]) < dueTime(next)) {
            next = &script->timers[i];
        }
    }
    return next;
}

static bool takeTurn(ctLoader *loader, const ctTurn *turn, double *next, ctError *error)
{
    ctScript *script = loader->script;
    if (!ctScriptState_ReadCounts(loader)) {
        return ctFail(error, ct_badArgument, "%.300s: the world's notes do not belong to this script",
                      loader->scene->path);
    }
    int count = collect(script, turn);
    if (count < 0) {
        return ctFailMemory(error, "callbacks");
    }
    for (int i = 0; i < count; i++) {
        if (!tell(loader, &script->happening[i], error)) {
            return false;
        }
    }
    ctTimer *timer = nextTimer(script);
    while (timer != NULL && dueTime(timer) <= ctWorld_GetTime(loader->scene->world)) {
        Call call = {"every", timer->function, timer->line, timer, NULL, false};
        if (!callBack(loader, &call, error)) {
            return false;
        }
        timer = nextTimer(script);
    }
    *next = timer != NULL ? dueTime(timer) : INFINITY;
    return true;
}

static bool steer(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    ctLoader *loader = context;
    ctScript *script = loader->script;
    if (script->failed && ctWorld_GetTime(world) >= script->failTime) {
        *error = script->failure;
        return false;
    }
    script->failed = !takeTurn(loader, turn, next, error);
    if (script->failed) {
        script->failure = *error;
        script->failTime = ctWorld_GetTime(world);
    }
    return !script->failed;
}
