#include "app/app.h"

const ctCommand ctCommands[] = {
    {NULL, NULL, NULL},
};
