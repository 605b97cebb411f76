// A scene: the result of running a Lua script once. It has a world, the looks of its bodies, cameras and parameters.
// docs/scenes.md describes the language.
#ifndef CT_SCENE_H
#define CT_SCENE_H

#include "engine/clatter.h"
#include "scenes/annotations.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ctPattern {
    ct_patternPlain,
    ct_patternSpokes,  // radial stripes about z: platters, wheels
    ct_patternStripe,  // one band around the equator: pool balls
    ct_patternHalves,  // two halves: they show the spin of a ball
    ct_patternChecker, // squares in the shape's own coordinates: floors, boxes
    ct_patternRings,   // rings about z: targets, coins
    ct_patternBoards,  // planks along x: a bowling lane
    ct_patternPin,     // white with two red bands at a bowling pin's neck
    ct_patternDots,
    ct_patternBall,   // a pool ball with its number
    ct_patternDomino, // pips: the tens and the ones of its number
} ctPattern;

// How a body is drawn. ctBody_GetUserData gives the index into ctScene.looks, in the order of creation.
typedef struct ctLook {
    ctVec3 color; // linear 0 ... 1
    ctPattern pattern;
    bool hidden; // not drawn, such as the front wall of a box
    int number;  // for the patterns that show a number
    bool trail;  // the body leaves a trail; in a scene without such bodies, all moving bodies do
} ctLook;

const char *ctPattern_Name(ctPattern pattern); // the name in the language

typedef struct ctSceneCamera {
    char *name; // "default" for the first
    ctVec3 eye, target;
    double fov; // vertical, degrees
    int follow; // ordinal of the body that the camera moves with; -1: none
} ctSceneCamera;

typedef struct ctSceneParam {
    char *name, *label;
    double value, initial, min, max;
} ctSceneParam;

// A number that a script computes from the world (scenes/measure.h).
typedef struct ctSceneMeasure {
    char *name, *label;
} ctSceneMeasure;

typedef struct ctScene {
    char *name;        // "bowling"
    char *path;        // of the script
    char *title;       // for people
    char *tab;         // group in the menu
    char *description; // the comment at the top of the script
    char *ghost;       // path of a trace to show beside the scene, or NULL
    double seconds;    // duration of a run
    ctWorld *world;    // owned by the scene
    int cameraCount, paramCount, lookCount, measureCount;
    ctSceneCamera *cameras; // at least one
    bool hasCamera;         // the script made a camera; if not, a view of all bodies replaces cameras[0]
    ctSceneParam *params;
    ctLook *looks;
    ctAnnotations annotations;
    ctSceneMeasure *measures;
    struct ctLoader *loader;   // the script, kept for its functions (measures, callbacks); NULL when it has none
    struct ctJournal *journal; // of the run, for the measures
} ctScene;

typedef struct ctSetting {
    const char *name;
    double value;
} ctSetting;

// Everything that the command line or the viewer may change about a scene.
typedef struct ctSceneOptions {
    const ctSetting *settings; // --set NAME=VALUE
    int settingCount;
    bool hasFriction, hasRestitution, hasLaw, hasContact, hasFps, hasThreads;
    double friction, restitution; // --mu, --e: every pair
    ctLaw law;
    ctContactMode contact;
    double fps; // frames per second; the world's frame time is 1 / fps
    bool audit;
    int threads;                           // number of threads that step the world; 0: all cores
    double scriptSeconds, scriptMegabytes; // limits of making the scene; 0: 2 s and 1,024 MB
    // --jitter: the standard deviation of a relative change of the speed of every moving body, and of an angle
    // (radians) by which its velocity is turned about gravity. The spin changes with the velocity. 0: no change.
    double jitter;
    uint64_t jitterSeed;
    // Receives each line that the script prints, without the newline. NULL: the lines are dropped.
    void (*print)(void *context, const char *line);
    void *printContext;
} ctSceneOptions;

// nameOrPath: a demo's name, or a path to a .lua file. options may be NULL. NULL on failure, with a message
// "FILE:LINE: what is wrong".
ctScene *ctScene_Load(const char *nameOrPath, const ctSceneOptions *options, ctError *error);
// The same from the text of a script. `name` ("my.lua") is the path of the script in messages, and files that the
// script names are looked for beside that path.
ctScene *ctScene_LoadText(const char *text, size_t length, const char *name, const ctSceneOptions *options,
                          ctError *error);
void ctScene_Destroy(ctScene *scene); // NULL is allowed

// A script that is read and compiled once, and loaded many times. NULL on failure.
typedef struct ctSceneSource ctSceneSource;
ctSceneSource *ctSceneSource_Open(const char *nameOrPath, ctError *error);
ctScene *ctSceneSource_Load(const ctSceneSource *source, const ctSceneOptions *options, ctError *error);
void ctSceneSource_Close(ctSceneSource *source); // NULL is allowed

// The demos, in the order of the menu. Reads only the head of each script.
typedef struct ctDemo {
    char *name, *path, *tab, *title, *description;
} ctDemo;
bool ctDemos_List(ctDemo **demos, int *count, ctError *error);
void ctDemos_Free(ctDemo *demos, int count);

// The path of a data file: in $CLATTER_DATA, in PREFIX/share/clatter of the executable, or in the source tree. relative
// is a path such as "assets/gallery/bowling.png". The result is freed with free(); NULL when there is no such file.
char *ctData_Find(const char *relative);

// The names of the language, for menus and messages.
const char *ctContactMode_Name(ctContactMode mode); // "island"
const char *ctShape_TypeName(int type);             // a ctShapeType: "sphere"
bool ctLaw_Parse(const char *name, ctLaw *law, ctError *error);
bool ctContactMode_Parse(const char *name, ctContactMode *mode, ctError *error);

#ifdef __cplusplus
}
#endif

#endif
