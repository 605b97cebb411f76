#include "app/app.h"

const ctCommand ctCommands[] = {
    {"run", "the viewer: watch a scene, tweak it, look inside its impacts", ctCommandRun},
    {"list", "the demo scenes: name, tab, title", ctCommandList},
    {"info", "what a scene is made of: parameters, cameras, materials, bodies", ctCommandInfo},
    {"record", "frames or a video of a scene, without a window", ctCommandRecord},
    {"export", "glTF or a table of a simulated scene, for other programs", ctCommandExport},
    {"impact", "solve single impacts: one in words and a picture, or a table of them", ctCommandImpact},
    {"sim", "a scene without graphics: trace, events, statistics", ctCommandSim},
    {"sweep", "a scene over ranges of its parameters: tables and maps", ctCommandSweep},
    {"help", "this list, or what a command takes", ctCommandHelp},
    {NULL, NULL, NULL},
};
