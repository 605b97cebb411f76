// Calls of the functions that the script gave to measure(), sample() and label{}, after the scene has been made.
#include "scenes/measure.h"

#include "scenes/journal.h"
#include "scenes/lua_values.h"
#include "scenes/script.h"

#include <math.h>

// One call of a function of the script.
typedef struct Call {
    const char *what; // "measure"
    const char *name;
    int function, line;
    double value; // the result; NAN for nil
} Call;

// Calls the function with the world object. The stack then holds the results only.
static void look(lua_State *L, int function, int line)
{
    lua_settop(L, 0);
    ctLoaderOf(L)->callLine = line;
    if (ctLoaderOf(L)->script != NULL) {
        ctScriptState_Read(L);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, ctLoaderOf(L)->worldObject);
    lua_call(L, 1, LUA_MULTRET);
}

// Raises when a measure has changed anything that callbacks use: a run must not depend on how often it is measured.
static void checkUnchanged(lua_State *L, const Call *call)
{
    if (ctLoaderOf(L)->script != NULL) {
        const char *who = lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: %s '%s'", call->line, call->what, call->name);
        ctKept_Check(L, who);
        ctScriptState_CheckSame(L, who);
    }
}

static int callFunction(lua_State *L)
{
    Call *call = lua_touserdata(L, 1);
    look(L, call->function, call->line);
    const char *wrong = NULL;
    if (lua_gettop(L) == 0) {
        wrong = "nothing (is there a return?)";
    } else if (lua_isnil(L, 1)) {
        call->value = NAN;
    } else if (lua_isboolean(L, 1)) {
        call->value = lua_toboolean(L, 1) ? 1.0 : 0.0;
    } else if (lua_type(L, 1) != LUA_TNUMBER) {
        wrong = ctTypeName(L, 1);
    } else if (!isfinite(call->value = lua_tonumber(L, 1))) {
        wrong = isnan(call->value) ? "a number that is not one (0/0?)" : "an infinite number";
    }
    if (wrong != NULL) {
        lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: %s '%s' returns %s; it must be a finite number, a boolean, or nil",
                        call->line, call->what, call->name, wrong);
        return lua_error(L);
    }
    checkUnchanged(L, call);
    return 0;
}

// The text of a label, cut where it is too long.
static int writeLabel(lua_State *L)
{
    const ctSceneLabel *label = lua_touserdata(L, 1);
    const Call call = {"label", "text", label->function, label->line, NAN};
    look(L, label->function, label->line);
    int type = lua_type(L, 1);
    if (type != LUA_TSTRING && type != LUA_TNUMBER) {
        lua_pushfstring(L, CT_SCRIPT_CHUNK ":%d: label: the function must return a text, not %s", label->line,
                        lua_gettop(L) == 0 ? "nothing" : ctTypeName(L, 1));
        return lua_error(L);
    }
    size_t full;
    ctSandbox_PushText(L, 1);
    const char *text = lua_tolstring(L, -1, &full);
    size_t length = full < CT_LABEL_TEXT ? full : CT_LABEL_TEXT;
    while (length < full && length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length--; // do not cut inside a UTF-8 character
    }
    ctEscape(label->text, CT_LABEL_TEXT + 1, text, length);
    checkUnchanged(L, &call);
    return 0;
}

bool ctScene_UpdateLabels(ctScene *scene, ctError *error)
{
    ctLoader *loader = scene->loader;
    for (int i = 0; loader != NULL && loader->hasLiveLabels && i < scene->annotations.labelCount; i++) {
        ctSceneLabel *label = &scene->annotations.labels[i];
        if (label->function != 0 && !ctSandbox_Call(loader, ct_scriptSamples, writeLabel, label, error)) {
            return false;
        }
    }
    return true;
}

bool ctScene_Measure(ctScene *scene, int index, double *value, ctError *error)
{
    ctLoader *loader = scene->loader;
    if (loader == NULL || index < 0 || index >= scene->measureCount) {
        return ctFail(error, ct_badArgument, "the scene has no such measure");
    }
    Call call = {"measure", scene->measures[index].name, loader->measures[index], loader->measureLines[index], NAN};
    bool good = ctSandbox_Call(loader, ct_scriptMeasures, callFunction, &call, error);
    *value = good ? call.value : NAN;
    return good;
}

bool ctScene_Observe(ctScene *scene, bool frameEnd, ctError *error)
{
    ctJournal *journal = scene->journal;
    if (!ctJournal_Observe(journal, scene->world, frameEnd)) {
        return ctFailMemory(error, "a journal of impacts");
    }
    ctLoader *loader = scene->loader;
    for (int i = 0; frameEnd && loader != NULL && i < loader->sampleCount; i++) {
        Call call = {"sample", loader->sampleNames[i], loader->samples[i], loader->sampleLines[i], NAN};
        if (!ctSandbox_Call(loader, ct_scriptSamples, callFunction, &call, error)) {
            return false;
        }
        if (!ctSeries_Add(&journal->series[i], journal->time, call.value)) {
            return ctFailMemory(error, "samples");
        }
    }
    return true;
}

bool ctScene_WentBack(ctScene *scene, ctError *error)
{
    return ctJournal_GoBack(scene->journal, ctWorld_GetTime(scene->world)) || ctFailMemory(error, "a journal");
}

bool ctScene_Step(ctScene *scene, ctError *error)
{
    return ctWorld_Step(scene->world, error) && ctScene_Observe(scene, true, error);
}

bool ctScene_IsAtRest(const ctScene *scene)
{
    return isfinite(scene->journal->restTime);
}
