// The state of one script while it runs, shared by the files that make up the scene language.
#ifndef CT_LOADER_H
#define CT_LOADER_H

#include "collision/budget.h"
#include "scenes/scene.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

// Limits of a script. Each limit has an error of its own.
// Time and memory include what the engine uses while the script calls it.
#define CT_SCRIPT_SECONDS 2.0          // of processor time, unless options say otherwise
#define CT_SCRIPT_MEGABYTES 1024.0     // in use at once, unless options say otherwise
#define CT_SCRIPT_INSTRUCTION_RATE 1e7 // instructions of the Lua machine, per second of the time
#if defined(__SANITIZE_ADDRESS__) || defined(__EMSCRIPTEN__)
#define CT_SCRIPT_SLOWNESS 3.0 // such builds run several times slower; a browser has only a wall clock
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
#define CT_SCENE_SECONDS 1e6      // largest `seconds` of scene{}
#define CT_SCRIPT_LIST 1000000    // entries of a table that a library function iterates over

// The chunk's name inside Lua. It stands for the path of the script in Lua's messages.
#define CT_SCRIPT_CHUNK "(scene)"

typedef enum ctScriptLimit {
    ct_scriptUnlimited,
    ct_scriptInstructions,
    ct_scriptTime,
    ct_scriptMemory,
    ct_scriptRecursion,
} ctScriptLimit;

// Which part of the script runs; it decides which functions may be called. Each mode has its own limits (loader.c).
typedef enum ctScriptMode {
    ct_scriptMakes,    // the script itself: it makes the scene
    ct_scriptMeasures, // a measure: it may read the world
    ct_scriptSamples,  // a sample: it may read the world
    ct_scriptActs,     // a callback: it may change bodies, and makes none
} ctScriptMode;

typedef struct ctLoader {
    lua_State *L;
    ctScene *scene;
    const ctSceneOptions *options; // while the script runs; never NULL then
    // Receives each line that the script prints, also when its measures and callbacks run.
    void (*printLine)(void *context, const char *line);
    void *printContext;
    bool hasScene;  // scene{} was called
    ctWorldDef def; // of the world, which is made at the first shape, material or body
    int cameraCapacity, paramCapacity, lookCapacity, measureCapacity;
    int shapeCount;
    int prints;
    uint64_t random[4];
    // Functions that are called after the scene has been made: registry references, and their lines in the script.
    ctScriptMode mode;
    int callLine; // line of the script that declared the function called last; 0: none was called
    int measures[CT_SCRIPT_MEASURES], measureLines[CT_SCRIPT_MEASURES];
    int samples[CT_SCRIPT_SAMPLES], sampleLines[CT_SCRIPT_SAMPLES];
    char *sampleNames[CT_SCRIPT_SAMPLES];
    int sampleCount;
    bool hasLiveLabels;        // labels whose text a function gives
    int worldObject;           // registry reference of the argument of all these functions
    struct ctWaiting *waiting; // bodies that wait to be launched (waiting.c)
    int waitingCount, waitingCapacity;
    struct ctScript *script; // every, on_impact and state (script.h); NULL: the scene has none of them
    // The sandbox.
    ctScriptLimit limit; // the limit that was exceeded; once it is set, the script cannot catch the error
    char limitText[120]; // message of that error; limitLine is its line
    int limitLine;
    double seconds, megabytes; // limits of the script
    ctBudget whole;            // of the script and the engine, while the script runs
    size_t memory;             // bytes of Lua's heap
    int refusals;              // number of allocations refused
    int refusedLine;           // line of the script at the last refusal
    int64_t instructions, budget;
} ctLoader;

static inline ctLoader *ctLoaderOf(lua_State *L)
{
    return *(ctLoader **)lua_getextraspace(L);
}

// The world of the scene. The first call makes it. Raises a Lua error on failure.
ctWorld *ctLoader_World(ctLoader *loader);

// Compiles the text of a script; *code is freed with ctFree. False with "FILE:LINE: what is wrong".
bool ctSandbox_Compile(const char *path, const char *text, size_t length, char **code, size_t *codeLength,
                       ctError *error);
// Runs a script: its text, or the code of ctSandbox_Compile. False with "FILE:LINE: what is wrong".
bool ctSandbox_Run(ctLoader *loader, const char *text, size_t length, bool compiled, ctError *error);
// Calls function(L), with context as its light userdata argument, within the limits of the mode. For calls after the
// script has run.
bool ctSandbox_Call(ctLoader *loader, ctScriptMode mode, lua_CFunction function, void *context, ctError *error);
// The instructions and the megabytes that one call may take.
int64_t ctScriptMode_Instructions(const ctLoader *loader, ctScriptMode mode);
double ctScriptMode_Megabytes(const ctLoader *loader, ctScriptMode mode);
// Ends the script: closes its Lua state and frees the loader. NULL is allowed.
void ctLoader_Free(ctLoader *loader);
// Raises when a measure or a callback calls a function that makes a part of the scene.
void ctSandbox_OnlyWhileMaking(lua_State *L, const char *function);
// Replaces or removes the functions of the standard libraries that are unsafe in a sandbox.
void ctSandbox_GuardLibraries(lua_State *L);
void ctSandbox_OrderPairs(lua_State *L);
// Pushes a list of the keys of the table at index, in order.
void ctSandbox_PushSortedKeys(lua_State *L, int index);
void ctSandbox_OpenSort(lua_State *L);
void ctSandbox_OpenText(lua_State *L); // tostring, print, string.format
// Counts instructions of the Lua machine, or equivalent steps of C functions, and checks the processor time.
// Raises the error of the limit that is exceeded.
void ctSandbox_Spend(lua_State *L, int64_t instructions);
// Writes the message for a limit on memory or time.
void ctLoader_LimitMessage(const ctLoader *loader, ctScriptLimit limit, char *text, size_t size);
// Pushes the value at index as tostring shows it.
void ctSandbox_PushText(lua_State *L, int index);
// Sorts the list at index. less compares the two values on the top of the stack and leaves them there.
typedef bool ctLessFn(lua_State *L);
void ctSandbox_Sort(lua_State *L, int index, ctLessFn *less);
// Raises the error of a limit, which no pcall of the script can catch.
int ctSandbox_Exceed(lua_State *L, ctScriptLimit limit, const char *message);

// Each of these adds its functions to the table of globals.
void ctOpenShapes(lua_State *L);
void ctOpenBodies(lua_State *L);
void ctOpenMaterials(lua_State *L);
void ctOpenParams(lua_State *L); // scene, camera, param, ghost
void ctOpenRandom(lua_State *L);
void ctOpenPlaces(lua_State *L);      // row, grid, ring, on_top_of
void ctOpenAnnotations(lua_State *L); // label, curve, histogram
void ctOpenMeasures(lua_State *L);    // measure, sample
void ctOpenScript(lua_State *L);      // every, on_impact, state

// The path of a file that a script names. The name ends in `ending` (".obj"), and the file must be below the script's
// folder: a scene reads no other files. Raises; `what` ("mesh: file") begins the message, `kind` says what the file is.
void ctScriptPath(lua_State *L, const char *what, const char *kind, const char *ending, const char *file, char *path,
                  size_t size);

// Registers functions that make the scene; measures cannot call them.
void ctOpenFunctions(lua_State *L, const luaL_Reg *functions);

// Called after the script. The first raises when a --set names no param; the second applies --mu and --e to every
// pair of materials.
void ctParams_Finish(lua_State *L);
void ctMaterials_Override(lua_State *L);

// The colour of a body without a colour field: grey for a body that does not move, else an entry of a palette.
ctVec3 ctDefaultColor(ctMotionType motion, int ordinal);
// The journal of a scene, empty. False without memory.
bool ctScene_MakeJournal(ctScene *scene);
// A scene around the world of a snapshot file.
ctScene *ctScene_FromSnapshot(const char *path, ctError *error);

// The Lua value of a shape, as sphere{} and the like return it.
typedef struct ctShapeValue {
    ctShapeId id;
    const char *kind; // "sphere"
} ctShapeValue;
#define CT_SHAPE_TYPE "clatter.shape"             // of the userdata inside Lua
ctShapeValue *ctToShape(lua_State *L, int index); // NULL when the value is no shape

// The material of that name. Raises a message that begins with `what` and suggests the nearest name.
ctMaterialId ctFindMaterial(lua_State *L, const char *name, const char *what);

// Perturbs the start (ctSceneOptions.jitter).
bool ctScene_Jitter(ctScene *scene, double amount, uint64_t seed, ctError *error);

// A whole file, ended by a zero that is not counted; freed with ctFree. Only regular files. A byte-order mark is left
// out.
char *ctReadFile(const char *path, size_t maxSize, size_t *length, ctError *error);
// Fails, and says where demos were looked for.
bool ctData_FailWithoutDemos(ctError *error);
// The comment at the top of a script, without its dashes; freed with ctFree. NULL only without memory.
char *ctTopComment(const char *text);
char *ctCopyText(const char *text, size_t length); // freed with ctFree; NULL without memory

#endif
