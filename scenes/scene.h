// A scene: a Lua script run once, and what it made: a world, how its bodies look, cameras, parameters.
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
    ct_patternHalves,  // two halves: spin of a ball is seen at once
    ct_patternChecker, // squares in the shape's own coordinates: floors, boxes
    ct_patternRings,   // rings about z: targets, coins
    ct_patternBoards,  // planks along x: a bowling lane
    ct_patternPin,     // white with two red bands at a bowling pin's neck
    ct_patternDots,
    ct_patternBall,   // a pool ball with its number
    ct_patternDomino, // points: the tens and the ones of its number
} ctPattern;

// How a body looks. By ordinal of creation: ctBody_GetUserData gives the index into ctScene.looks.
typedef struct ctLook {
    ctVec3 color; // linear 0 ... 1
    ctPattern pattern;
    bool hidden; // not drawn, such as the front wall of a box to look into
    int number;  // for the patterns that show one
    bool trail;  // it leaves a trail; without any such body all that move do
} ctLook;

const char *ctPattern_Name(ctPattern pattern); // as scenes say it

typedef struct ctSceneCamera {
    char *name; // "default" for the first
    ctVec3 eye, target;
    double fov; // vertical, degrees
    int follow; // ordinal of the body that it moves with; -1: none
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
    double seconds;    // how long it is meant to run
    ctWorld *world;    // owned by the scene
    int cameraCount, paramCount, lookCount, measureCount;
    ctSceneCamera *cameras; // at least one
    bool hasCamera;         // the script made one; otherwise the only one stands for "wherever everything is seen"
    ctSceneParam *params;
    ctLook *looks;
    ctAnnotations annotations;
    ctSceneMeasure *measures;
    struct ctLoader *loader;   // the script, kept for its measures; NULL when it has none
    struct ctJournal *journal; // what the run has left for them
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
    int threads;                           // that step the world; 0: all cores
    double scriptSeconds, scriptMegabytes; // what the making of the scene may use; 0: 2 s and 1,024 MB
    // --jitter: every moving body starts faster by a normal deviate of this (relative), in a direction turned about
    // gravity by another (radians); its spin turns and grows with it. 0: as the script says.
    double jitter;
    uint64_t jitterSeed;
    // Receives what the script prints, a line at a time, without the newline. NULL: it is dropped.
    void (*print)(void *context, const char *line);
    void *printContext;
} ctSceneOptions;

// nameOrPath: a demo's name, or a path to a .lua file. options may be NULL. NULL on failure, with a message
// "FILE:LINE: what is wrong".
ctScene *ctScene_Load(const char *nameOrPath, const ctSceneOptions *options, ctError *error);
// The same from the text of a script. name is what messages call it ("my.lua"); meshes are looked for beside it.
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

// Where the program's data are: $CLATTER_DATA, beside the executable's PREFIX, or the source tree. relative is such as
// "assets/body.vert". The result is freed with free(); NULL when there is no such file.
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
