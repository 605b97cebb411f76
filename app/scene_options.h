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
    {.name = "set",                                                                                                    \
     .kind = ct_optionCustom,                                                                                          \
     .target = (a),                                                                                                    \
     .argument = "NAME=VALUE",                                                                                         \
     .help = "a parameter of the scene; may be repeated",                                                              \
     .parse = ctParseSetting},                                                                                         \
        {.name = "mu",                                                                                                 \
         .kind = ct_optionNumber,                                                                                      \
         .target = &(a)->scene.friction,                                                                               \
         .argument = "X",                                                                                              \
         .help = "friction of every pair of materials",                                                                \
         .given = &(a)->scene.hasFriction,                                                                             \
         .min = 0.0,                                                                                                   \
         .max = 1e6},                                                                                                  \
        {.name = "e",                                                                                                  \
         .kind = ct_optionNumber,                                                                                      \
         .target = &(a)->scene.restitution,                                                                            \
         .argument = "X",                                                                                              \
         .help = "restitution of every pair of materials, 0 to 1",                                                     \
         .given = &(a)->scene.hasRestitution,                                                                          \
         .min = 0.0,                                                                                                   \
         .max = 1.0},                                                                                                  \
        {.name = "law",                                                                                                \
         .kind = ct_optionCustom,                                                                                      \
         .target = (a),                                                                                                \
         .argument = "NAME",                                                                                           \
         .help = "law of impact: stronge, poisson, algebraic, composite, compliant",                                   \
         .parse = ctParseLaw},                                                                                         \
        {.name = "contact",                                                                                            \
         .kind = ct_optionCustom,                                                                                      \
         .target = (a),                                                                                                \
         .argument = "MODE",                                                                                           \
         .help = "sustained contact: island, microcollision",                                                          \
         .parse = ctParseContact},                                                                                     \
        {.name = "script-seconds",                                                                                     \
         .kind = ct_optionNumber,                                                                                      \
         .target = &(a)->scene.scriptSeconds,                                                                          \
         .argument = "S",                                                                                              \
         .help = "computing time that making the scene may take (2)",                                                  \
         .min = 0.01,                                                                                                  \
         .max = 1e5},                                                                                                  \
        {.name = "script-memory",                                                                                      \
         .kind = ct_optionNumber,                                                                                      \
         .target = &(a)->scene.scriptMegabytes,                                                                        \
         .argument = "MB",                                                                                             \
         .help = "memory that making the scene may take (1024)",                                                       \
         .min = 1.0,                                                                                                   \
         .max = 1e6},                                                                                                  \
    {                                                                                                                  \
        .name = "fps", .kind = ct_optionNumber, .target = &(a)->scene.fps, .argument = "N",                            \
        .help = "frames per second (60)", .given = &(a)->scene.hasFps, .min = 1.0, .max = 100000.0                     \
    }

// For commands that step one world for long: they call ctSceneArguments_UseAllCores before the options are read.
#define CT_THREADS_OPTION(a)                                                                                           \
    {                                                                                                                  \
        .name = "threads", .kind = ct_optionInteger, .target = &(a)->scene.threads, .argument = "N",                   \
        .help = "threads that step the world (0: all cores); results are the same", .min = 0.0, .max = 64.0            \
    }

// For commands that can repeat a run of a sweep.
#define CT_ROW_OPTION(a)                                                                                               \
    {                                                                                                                  \
        .name = "row", .kind = ct_optionText, .target = &(a)->row, .argument = "FILE.csv:N",                           \
        .help = "the values of run N in the table of a sweep"                                                          \
    }
// Sets the values of --row that the command line does not give.
bool ctApplyRow(ctSceneArguments *arguments, const char *sceneName, ctError *error);

// Loads the scene. The output of its script goes to standard error. NULL on failure, after the message "clatter:
// FILE:LINE: what is wrong" on standard error: exit with CT_EXIT_USAGE.
ctScene *ctLoadSceneOrComplain(const char *nameOrPath, ctSceneArguments *arguments);

#endif
