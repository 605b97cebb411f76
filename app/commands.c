#include "app/app.h"

const ctCommand ctCommands[] = {
    {"list", "the demo scenes: name, tab, title", ctCommandList},
    {NULL, NULL, NULL},
};
