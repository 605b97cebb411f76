#include "render/viewer/viewer_internal.h"

#include <stdio.h>
#include <string.h>

bool ctViewer_LoadGhost(ctViewer *v, const ctScene *scene, ctError *error)
{
    ctGhost_Free(&v->ghost);
    if (v->options.ghost != NULL && v->ghostScene[0] == '\0') {
        snprintf(v->ghostScene, sizeof v->ghostScene, "%s", scene->path); // the first scene
    }
    bool given = v->options.ghost != NULL && strcmp(v->ghostScene, scene->path) == 0;
    const char *path = given ? v->options.ghost : scene->ghost;
    return path == NULL || ctGhost_Load(&v->ghost, path, scene->world, error);
}
