// Callbacks of a script while the scene runs: every(), on_impact(), and their state{}.
//
// The world calls back inside its steps (ctWorld_SetSteering). From one call to the next, callbacks keep only the table
// of state{}. The table lives in the world's notes: it is read from the notes before each call and written to them
// after it, so that saving, loading and restoring the world include it. A call that changes anything else inside Lua
// (upvalues, globals, tables made earlier) is refused with an error (script_kept.c).
#ifndef CT_SCRIPT_H
#define CT_SCRIPT_H

#include "engine/core/archive.h"
#include "scenes/loader.h"

// every(interval, function)
typedef struct ctTimer {
    double interval;    // s
    int function, line; // registry reference; of the script
    int64_t calls;      // number of calls so far; the next is due at (calls + 1) interval
} ctTimer;

// Bodies by index1 of their ids, ascending; count 0: all bodies.
typedef struct ctBodyList {
    int names; // registry reference of a string or a table of strings; used until the script has run
    int32_t *ids;
    int count;
} ctBodyList;

// on_impact(a, b, function)
typedef struct ctImpactHandler {
    ctBodyList a, b;
    int function, line;
} ctImpactHandler;

// An impact, or the entry of a body into a sensor.
typedef struct ctHappening {
    ctImpact impact; // an entry has only: time, the sensor as body1, the visitor as body2
    bool entry;
} ctHappening;

typedef struct ctScript {
    ctTimer timers[CT_SCRIPT_TIMERS];
    ctImpactHandler handlers[CT_SCRIPT_HANDLERS];
    int timerCount, handlerCount;
    int state;              // registry reference of the table of state{}; 0: there is none
    int kept;               // registry reference of the lists of script_kept.c; 0: not listed yet
    ctArchive source;       // the script and its parameters, as the notes contain them
    ctArchive notes;        // the notes written last, or being written
    ctHappening *happening; // the happenings of one turn
    int happeningCapacity;
    double windowStart; // s: windowCalls counts the calls since this time
    int windowCalls;
    bool failed; // every turn fails with `failure` until the world is restored to a time before failTime
    double failTime;
    ctError failure;
} ctScript;

// The callbacks of the script. The first call makes the struct. Raises without memory.
ctScript *ctScript_Of(lua_State *L);
void ctScript_Free(ctScript *script); // NULL is allowed

// Called when the script has run: finds the bodies of the handlers, writes the state into the world's notes, and lets
// the world call the callbacks from now on.
bool ctScript_Begin(ctLoader *loader, const char *text, size_t length, ctError *error);

// script_state.c. Both are called inside ctSandbox_Call, and raise. The first reads the table of state{}, the counts of
// the timers and the random state from the world's notes. The second writes them into script->notes.
void ctScriptState_Read(lua_State *L);
void ctScriptState_Write(lua_State *L);
// Raises when a measure or a sample, which may only read, has changed the table.
void ctScriptState_CheckSame(lua_State *L, const char *who);
void ctScriptState_Open(lua_State *L);
// The head of the notes of every script.
void ctScriptNotes_Head(ctArchive *ar);
// Reads the counts of the timers and the random state from the notes. False when the notes belong to another script.
bool ctScriptState_ReadCounts(ctLoader *loader);
// The script in the notes of a snapshot; freed by ctScriptSource_Free. False when there is none.
typedef struct ctScriptSource {
    char *name, *text; // "pinball.lua"
    size_t length;
    int settingCount;
    ctSetting settings[CT_SCRIPT_PARAMS];
    char *names[CT_SCRIPT_PARAMS];
} ctScriptSource;
bool ctScriptSource_Read(const ctWorld *world, ctScriptSource *source);
void ctScriptSource_Free(ctScriptSource *source);
bool ctScriptSource_Write(ctLoader *loader, const char *text, size_t length);

// script_kept.c. Lists everything that the functions of the script can reach and change. Raises.
void ctKept_List(lua_State *L);
// Raises when a listed object has changed. `who` begins the message.
void ctKept_Check(lua_State *L, const char *who);
// Restores all listed objects.
void ctKept_Restore(lua_State *L);

// world_changes.c: adds the methods of the world for callbacks to the table at the top of the stack.
void ctWorldChanges_Open(lua_State *L);

#endif
