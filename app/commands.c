#include "app/app.h"

const ctCommand ctCommands[] = {
    {"list", "the demo scenes: name, tab, title", ctCommandList},
    {"record", "frames or a video of a scene, without a window", ctCommandRecord},
    {"export", "glTF or a table of a simulated scene, for other programs", ctCommandExport},
    {NULL, NULL, NULL},
};
