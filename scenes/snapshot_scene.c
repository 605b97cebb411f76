// FILE.snap: a saved world. It contains the script only when the script has callbacks.
#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/script.h"

#include <stdio.h>
#include <string.h>

#define SNAPSHOT_SIZE ((size_t)1 << 30) // bytes

// Sets the names and the default camera.
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

// A snapshot has no looks: bodies get their default colours.
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

// A scene without a script. It takes ownership of the world.
static ctScene *wrap(ctWorld *world, const char *path, ctError *error)
{
    ctScene *scene = ctAllocate(1, sizeof *scene);
    if (scene == NULL) {
        ctWorld_Destroy(world);
        ctFailMemory(error, "a scene");
        return NULL;
    }
    scene->world = world;
    if (!describe(scene, path) || !dress(scene) || !ctScene_MakeJournal(scene)) {
        ctScene_Destroy(scene);
        ctFailMemory(error, "a scene");
        return NULL;
    }
    return scene;
}

// Runs the script in the snapshot, and then restores the saved state of its world.
static ctScene *resume(const ctScriptSource *source, const void *data, size_t size, const char *path, ctError *error)
{
    ctSceneOptions options = {.settings = source->settings, .settingCount = source->settingCount};
    ctError why = {0};
    const char *slash = strrchr(path, '/');
    char beside[4096];
    snprintf(beside, sizeof beside, "%.*s%s", slash != NULL ? (int)(slash + 1 - path) : 0, path, source->name);
    ctScene *scene = ctScene_LoadText(source->text, source->length, beside, &options, &why);
    if (scene == NULL) {
        ctFail(error, ct_badArgument, "%.100s: its script does not load: %.300s", path, why.message);
        return NULL;
    }
    char *own = ctCopyText(path, strlen(path));
    if (own == NULL || !ctWorld_Restore(scene->world, data, size, error)) {
        if (own == NULL) {
            ctFailMemory(error, "a path");
        }
        ctFree(own);
        ctScene_Destroy(scene);
        return NULL;
    }
    ctFree(scene->path); // the path is that of the snapshot, so that a reload loads the snapshot
    scene->path = own;
    return scene;
}

ctScene *ctScene_FromSnapshot(const char *path, ctError *error)
{
    size_t size = 0;
    char *data = ctReadFile(path, SNAPSHOT_SIZE, &size, error);
    if (data == NULL) {
        return NULL;
    }
    ctError why = {0};
    ctWorld *world = ctWorld_Load(data, size, &why);
    ctScene *scene = NULL;
    ctScriptSource source = {0};
    if (world == NULL) {
        ctFail(error, ct_badArgument, "%.200s: %.200s", path, why.message);
    } else if (ctScriptSource_Read(world, &source)) {
        ctWorld_Destroy(world);
        scene = resume(&source, data, size, path, error);
    } else {
        scene = wrap(world, path, error);
    }
    ctScriptSource_Free(&source);
    ctFree(data);
    return scene;
}
