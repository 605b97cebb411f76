// The options that every command with a scene takes: --set --mu --e --law --contact --fps.
#ifndef CT_SCENE_OPTIONS_H
#define CT_SCENE_OPTIONS_H

#include "app/options.h"
#include "scenes/scene.h"

enum { CT_MAX_SETTINGS = 64, CT_SETTING_NAME = 64 };

// Zero-initialise. `scene` is the argument of ctScene_Load. The struct points into itself: do not copy it.
typedef struct ctSceneArguments {
    ctSceneOptions scene;
    ctSetting settings[CT_MAX_SETTINGS];
    char names[CT_MAX_SETTINGS][CT_SETTING_NAME];
    const char *row;   // --row FILE.csv:N, or NULL
    double rowSeconds; // simulated time of that run; 0: not known
} ctSceneArguments;

// The world is stepped by as many threads as there are cores. Without this call one thread steps it.
void ctSceneArguments_UseAllCores(ctSceneArguments *arguments);

bool ctParseSetting(const char *word, void *arguments, ctError *error); // NAME=VALUE
bool ctParseLaw(const char *word, void *arguments, ctError *error);
bool ctParseContact(const char *word, void *arguments, ctError *error);

// Rows of a command's option table; `a` points to a ctSceneArguments.
#define CT_SCENE_OPTIONS(a)                                                                                            \
    CT_CUSTOM("set", (a), NULL, "NAME=VALUE", ctParseSetting, "a parameter of the scene; may be repeated"),            \
        CT_NUMBER("mu", &(a)->scene.friction, &(a)->scene.hasFriction, "X", 0.0, 1e6,                                  \
                  "friction of every pair of materials"),                                                              \
        CT_NUMBER("e", &(a)->scene.restitution, &(a)->scene.hasRestitution, "X", 0.0, 1.0,                             \
                  "restitution of every pair of materials, 0 to 1"),                                                   \
        CT_CUSTOM("law", (a), NULL, "NAME", ctParseLaw,                                                                \
                  "law of impact: stronge, poisson, algebraic, composite, compliant"),                                 \
        CT_CUSTOM("contact", (a), NULL, "MODE", ctParseContact, "sustained contact: island, microcollision"),          \
        CT_NUMBER("script-seconds", &(a)->scene.scriptSeconds, NULL, "S", 0.01, 1e5,                                   \
                  "computing time that making the scene may take (2)"),                                                \
        CT_NUMBER("script-memory", &(a)->scene.scriptMegabytes, NULL, "MB", 1.0, 1e6,                                  \
                  "memory that making the scene may take (1024)"),                                                     \
        CT_NUMBER("fps", &(a)->scene.fps, &(a)->scene.hasFps, "N", 1.0, 100000.0, "frames per second (60)")

// For commands that step one world for long: they call ctSceneArguments_UseAllCores before the options are read.
#define CT_THREADS_OPTION(a)                                                                                           \
    CT_INTEGER("threads", &(a)->scene.threads, NULL, "N", 0.0, 64.0,                                                   \
               "threads that step the world (0: all cores); results are the same")

// For commands that can repeat a run of a sweep.
#define CT_ROW_OPTION(a) CT_TEXT("row", &(a)->row, "FILE.csv:N", "the values of run N in the table of a sweep")
// Sets the values of --row that the command line does not give.
bool ctApplyRow(ctSceneArguments *arguments, const char *sceneName, ctError *error);

// Loads the scene. The output of its script goes to standard error. NULL on failure, after the message "clatter:
// FILE:LINE: what is wrong" on standard error: exit with CT_EXIT_USAGE.
ctScene *ctLoadSceneOrComplain(const char *nameOrPath, ctSceneArguments *arguments);

#endif
