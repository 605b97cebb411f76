// FILE.snap: a world as it was saved, without the script that made it.
#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/loader.h"

#include <string.h>

#define SNAPSHOT_SIZE ((size_t)1 << 30) // bytes

// The names and the one camera, which stands for a view of everything.
static bool describe(ctScene *scene, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t length = strlen(base) - strlen(".snap");
    scene->seconds = 10.0;
    scene->path = ctCopyText(path, strlen(path));
    scene->name = ctCopyText(base, length);
    scene->title = ctCopyText(base, length);
    scene->tab = ctCopyText("", 0);
    scene->description = ctCopyText("A world as it was saved.", 24);
    scene->cameras = ctAllocate(1, sizeof *scene->cameras);
    if (scene->cameras != NULL) {
        scene->cameras[0] = (ctSceneCamera){NULL, {3.0, -4.0, 2.5}, {0.0, 0.0, 0.3}, 40.0, -1};
        scene->cameras[0].name = ctCopyText("default", 7);
        scene->cameraCount = 1;
    }
    return scene->path != NULL && scene->name != NULL && scene->title != NULL && scene->tab != NULL &&
           scene->description != NULL && scene->cameras != NULL && scene->cameras[0].name != NULL;
}

// Looks are not saved: bodies have the colours of bodies without one.
static bool dress(ctScene *scene)
{
    int count = ctWorld_GetBodyCount(scene->world);
    scene->looks = ctAllocate((size_t)count + 1, sizeof *scene->looks);
    for (int i = 0; scene->looks != NULL && i < count; i++) {
        ctBodyId body = ctWorld_GetBody(scene->world, i);
        scene->looks[i] = (ctLook){.color = ctDefaultColor(ctBody_GetMotionType(scene->world, body), i)};
        ctBody_SetUserData(scene->world, body, (uint64_t)i);
        scene->lookCount = i + 1;
    }
    return scene->looks != NULL;
}

ctScene *ctScene_FromSnapshot(const char *path, ctError *error)
{
    size_t size = 0;
    char *data = ctReadFile(path, SNAPSHOT_SIZE, &size, error);
    ctScene *scene = data != NULL ? ctAllocate(1, sizeof *scene) : NULL;
    if (scene == NULL) {
        if (data != NULL) {
            ctFailMemory(error, "a scene");
        }
        ctFree(data);
        return NULL;
    }
    ctError why = {0};
    scene->world = ctWorld_Load(data, size, &why);
    ctFree(data);
    bool good = scene->world != NULL || ctFail(error, ct_badArgument, "%.200s: %.200s", path, why.message);
    good = good &&
           ((describe(scene, path) && dress(scene) && ctScene_MakeJournal(scene)) || ctFailMemory(error, "a scene"));
    if (!good) {
        ctScene_Destroy(scene);
        return NULL;
    }
    return scene;
}
