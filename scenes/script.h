// What a scene's script does while the scene runs: every(), on_impact(), and the state{} that they keep.
//
// The functions get their turns inside the world's steps (ctWorld_SetSteering). What they keep from one call to the
// next is the table of state{} alone, which lives in the world's notes: it is read from there before each call and
// written there after it, so that whoever saves, loads or restores the world has it. What else a call changes inside
// Lua (upvalues, globals, tables made earlier) is found and refused (kept.c).
#ifndef CT_SCRIPT_H
#define CT_SCRIPT_H

#include "engine/core/archive.h"
#include "scenes/loader.h"

// every(interval, function)
typedef struct ctTimer {
    double interval;    // s
    int function, line; // registry reference; of the script
    int64_t calls;      // so far; the next is due at (calls + 1) interval
} ctTimer;

// Bodies by index1 of their ids, ascending; count 0: all bodies.
typedef struct ctBodyList {
    int names; // registry reference: a string or a table of strings, until the script has run
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
    ctImpact impact; // of an entry: time, sensor as body1, visitor as body2
    bool entry;
} ctHappening;

typedef struct ctScript {
    ctTimer timers[CT_SCRIPT_TIMERS];
    ctImpactHandler handlers[CT_SCRIPT_HANDLERS];
    int timerCount, handlerCount;
    int state;              // registry reference of the table; 0: there is none
    int kept;               // of what callbacks may not change; 0: not listed yet
    ctArchive source;       // the script and its parameters, as they go into the notes
    ctArchive notes;        // the last that were written, or are being written
    ctHappening *happening; // of one turn
    int happeningCapacity;
    double windowStart; // s: calls are counted from here
    int windowCalls;
    bool failed; // and does not go on before the world has been put back to an earlier time
    double failTime;
    ctError failure;
} ctScript;

// The script's record, made when it is first needed. Raises without memory.
ctScript *ctScript_Of(lua_State *L);
void ctScript_Free(ctScript *script); // NULL is allowed

// The script has run: names become bodies, the state goes into the world's notes, and the world calls from now on.
bool ctScript_Begin(ctLoader *loader, const char *text, size_t length, ctError *error);

// state.c. Inside a call of the sandbox: fills the table of state{}, and what belongs to it, from the world's notes;
// writes them into script->notes. Both raise.
void ctScriptState_Read(lua_State *L);
void ctScriptState_Write(lua_State *L);
// Raises when a function that may only look has changed the table.
void ctScriptState_CheckSame(lua_State *L, const char *who);
void ctScriptState_Open(lua_State *L);
// What every such notes begin with.
void ctScriptNotes_Head(ctArchive *ar);
// The calls of each timer and the state of the random numbers, from the notes. False when they are none of this script.
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

// kept.c. Lists everything that the functions of the script can reach and change. Raises.
void ctKept_List(lua_State *L);
// Raises, with the name of what it was, when something of it has changed. who begins the message.
void ctKept_Check(lua_State *L, const char *who);
// Puts everything back.
void ctKept_Restore(lua_State *L);

// world_changes.c: methods of the world for callbacks, into the table on the top of the stack.
void ctWorldChanges_Open(lua_State *L);

#endif
