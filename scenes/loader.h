// The state of one script while it runs, shared by the files that make up the scene language.
#ifndef CT_LOADER_H
#define CT_LOADER_H

#include "collision/budget.h"
#include "scenes/scene.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// What a script may use up. Each limit has an error of its own.
// Time and memory are those of the script and of what the engine does on its behalf.
#define CT_SCRIPT_SECONDS 2.0          // of processor time, unless options say otherwise
#define CT_SCRIPT_MEGABYTES 1024.0     // in use at once, unless options say otherwise
#define CT_SCRIPT_INSTRUCTION_RATE 1e7 // instructions of the Lua machine, per second of the time
#if defined(__SANITIZE_ADDRESS__) || defined(__EMSCRIPTEN__)
#define CT_SCRIPT_SLOWNESS 3.0 // everything takes several times as long there; in a browser the clock is the wall's
#else
#define CT_SCRIPT_SLOWNESS 1.0
#endif
#define CT_SCRIPT_PATTERN_STEPS 1e7            // bound on the steps of one pattern match
#define CT_SCRIPT_FILE_SIZE ((size_t)1 << 20)  // bytes of the script
#define CT_SCRIPT_MESH_SIZE ((size_t)64 << 20) // bytes of one mesh file
#define CT_SCRIPT_BODIES 20000
#define CT_SCRIPT_SHAPES 20000
#define CT_SCRIPT_POINTS 10000     // of one hull or lathe, parts of one compound
#define CT_SCRIPT_TRIANGLES 500000 // of one trimesh, and vertices; heights of one heightfield
#define CT_SCRIPT_MATERIALS 200
#define CT_SCRIPT_PARAMS 64
#define CT_SCRIPT_CAMERAS 32
#define CT_SCRIPT_MEASURES 64
#define CT_SCRIPT_SAMPLES 16
#define CT_SCRIPT_TIMERS 64       // every()
#define CT_SCRIPT_HANDLERS 256    // on_impact()
#define CT_SCRIPT_STATE_NAMES 200 // of state{}
#define CT_SCRIPT_STATE (1 << 20) // bytes that state may take in a snapshot, with the script
#define CT_SCRIPT_KEPT 200000     // values that callbacks can reach
#define CT_SCRIPT_PRINTS 1000     // lines
#define CT_SCRIPT_NAME 100        // bytes of a name
#define CT_SCRIPT_LINE 2000       // bytes of a printed line
#define CT_SCENE_SECONDS 1e6      // that a scene may be meant to run
#define CT_SCRIPT_LIST 1000000    // entries of a table that a function of the library works through

// The chunk's name inside Lua; messages carry it where the path of the script belongs.
#define CT_SCRIPT_CHUNK "(scene)"

typedef enum ctScriptLimit {
    ct_scriptUnlimited,
    ct_scriptInstructions,
    ct_scriptTime,
    ct_scriptMemory,
    ct_scriptRecursion,
} ctScriptLimit;

// What runs of the script, and what it may therefore do. Each has limits of its own (loader.c).
typedef enum ctScriptMode {
    ct_scriptMakes,    // the script itself: it makes the scene
    ct_scriptMeasures, // a measure: it may look at the world
    ct_scriptSamples,  // a sample: the same
    ct_scriptActs,     // a callback: it may change what is there
} ctScriptMode;

typedef struct ctLoader {
    lua_State *L;
    ctScene *scene;
    const ctSceneOptions *options; // while the script runs; never NULL then
    // What the script prints goes here, also later, when its measures are computed.
    void (*printLine)(void *context, const char *line);
    void *printContext;
    bool hasScene;  // scene{} was called
    ctWorldDef def; // what the world is made with, at the first shape, material or body
    int cameraCapacity, paramCapacity, lookCapacity, measureCapacity;
    int shapeCount;
    int prints;
    uint64_t random[4];
    // Functions that are called when the scene is made, by registry references, and the lines that gave them.
    ctScriptMode mode;
    int callLine; // of the script, that gave the measure or callback which was called last; 0: none was
    int measures[CT_SCRIPT_MEASURES], measureLines[CT_SCRIPT_MEASURES];
    int samples[CT_SCRIPT_SAMPLES], sampleLines[CT_SCRIPT_SAMPLES];
    char *sampleNames[CT_SCRIPT_SAMPLES];
    int sampleCount;
    bool hasLiveLabels;        // labels whose text a function gives
    int worldObject;           // what they get
    struct ctWaiting *waiting; // bodies that wait to be launched (waiting.c)
    int waitingCount, waitingCapacity;
    struct ctScript *script; // every, on_impact and state (script.h); NULL: the scene has none of them
    // The sandbox.
    ctScriptLimit limit; // the limit that was passed; once set, nothing catches the error
    char limitText[120]; // what its error said, and where
    int limitLine;
    double seconds, megabytes; // what the script may use
    ctBudget whole;            // of the script and the engine, while it runs
    size_t memory;             // bytes of Lua's heap
    int refusals;              // allocations that did not fit
    int refusedLine;           // of the script, at the last of them
    int64_t instructions, budget;
} ctLoader;

static inline ctLoader *ctLoaderOf(lua_State *L)
{
    return *(ctLoader **)lua_getextraspace(L);
}

// The world, made now when it does not exist yet. Raises a Lua error on failure.
ctWorld *ctLoader_World(ctLoader *loader);

// Compiles the text of a script; *code is freed with ctFree. False with "FILE:LINE: what is wrong".
bool ctSandbox_Compile(const char *path, const char *text, size_t length, char **code, size_t *codeLength,
                       ctError *error);
// Runs a script: its text, or what ctSandbox_Compile made of it. False with "FILE:LINE: what is wrong".
bool ctSandbox_Run(ctLoader *loader, const char *text, size_t length, bool compiled, ctError *error);
// Calls function(L) with context as its light userdata argument, later, within the limits of the mode.
bool ctSandbox_Call(ctLoader *loader, ctScriptMode mode, lua_CFunction function, void *context, ctError *error);
// The instructions that one call may take, and how messages name it: "a measure".
int64_t ctScriptMode_Instructions(const ctLoader *loader, ctScriptMode mode);
const char *ctScriptMode_Name(ctScriptMode mode);
double ctScriptMode_Megabytes(const ctLoader *loader, ctScriptMode mode);
// Ends the script: closes its Lua state and frees the loader. NULL is allowed.
void ctLoader_Free(ctLoader *loader);
// Raises when a measure or a callback calls what makes a scene.
void ctSandbox_OnlyWhileMaking(lua_State *L, const char *function);
// Replaces the parts of the standard libraries that a sandbox cannot let a script have.
void ctSandbox_GuardLibraries(lua_State *L);
void ctSandbox_OrderPairs(lua_State *L);
// Pushes a list of the keys of the table at index, in order.
void ctSandbox_PushSortedKeys(lua_State *L, int index);
void ctSandbox_OpenSort(lua_State *L);
void ctSandbox_OpenText(lua_State *L); // tostring, print, string.format
// Counts instructions of the Lua machine, or steps of C functions like them, and looks at the clock now and then.
// Raises the error of the limit that is passed.
void ctSandbox_Spend(lua_State *L, int64_t instructions);
// What to say of a limit on memory or time.
void ctLoader_LimitMessage(const ctLoader *loader, ctScriptLimit limit, char *text, size_t size);
// Pushes the value at index as tostring shows it.
void ctSandbox_PushText(lua_State *L, int index);
// Sorts the list at index. less compares the two values on the top of the stack and leaves them there.
typedef bool ctLessFn(lua_State *L);
void ctSandbox_Sort(lua_State *L, int index, ctLessFn *less);
// Raises the error of a limit, which no pcall of the script can catch.
int ctSandbox_Exceed(lua_State *L, ctScriptLimit limit, const char *message);

// Each adds its functions to the table of globals.
void ctOpenShapes(lua_State *L);
void ctOpenBodies(lua_State *L);
void ctOpenMaterials(lua_State *L);
void ctOpenParams(lua_State *L); // scene, camera, param, ghost
void ctOpenRandom(lua_State *L);
void ctOpenPlaces(lua_State *L);      // row, grid, ring, on_top_of
void ctOpenAnnotations(lua_State *L); // label, curve, histogram
void ctOpenMeasures(lua_State *L);    // measure, sample
void ctOpenScript(lua_State *L);      // every, on_impact, state

// The path of a file that a script names, which ends in `ending` (".obj"): below the script's own folder, so that a
// scene reads nothing else. Raises; what ("mesh: file") begins the message, kind says what such a file is.
void ctScriptPath(lua_State *L, const char *what, const char *kind, const char *ending, const char *file, char *path,
                  size_t size);

// Registers functions that make the scene; measures cannot call them.
void ctOpenFunctions(lua_State *L, const luaL_Reg *functions);

// After the script: every --set must have met its param, --mu and --e hold for every pair. May raise.
void ctParams_Finish(lua_State *L);
void ctMaterials_Override(lua_State *L);

// A colour that nobody asked for: grey for what does not move, else one of a few that go together.
ctVec3 ctDefaultColor(ctMotionType motion, int ordinal);
// The journal of a scene, empty. False without memory.
bool ctScene_MakeJournal(ctScene *scene);
// A scene around the world of a snapshot file.
ctScene *ctScene_FromSnapshot(const char *path, ctError *error);

// A shape made by sphere{} and the like; raises unless the value at index is one.
typedef struct ctShapeValue {
    ctShapeId id;
    const char *kind; // "sphere"
} ctShapeValue;
#define CT_SHAPE_TYPE "clatter.shape"             // of the userdata inside Lua
ctShapeValue *ctToShape(lua_State *L, int index); // NULL when it is none

// The material of that name; raises a message that begins with what and suggests the nearest name.
ctMaterialId ctFindMaterial(lua_State *L, const char *name, const char *what);

// Perturbs the start (ctSceneOptions.jitter).
bool ctScene_Jitter(ctScene *scene, double amount, uint64_t seed, ctError *error);

// A whole file, ended by a zero that is not counted; freed with ctFree. Only regular files.
char *ctReadFile(const char *path, size_t maxSize, size_t *length, ctError *error);
// The comment at the top of a script, without its dashes; freed with ctFree. NULL only without memory.
char *ctTopComment(const char *text);
char *ctCopyText(const char *text, size_t length); // freed with ctFree; NULL without memory

#endif
