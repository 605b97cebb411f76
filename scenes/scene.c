// Loading a scene: find the script, run it in the sandbox, hand over what it made.
#include "scenes/scene.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ctWorld *ctLoader_World(ctLoader *loader)
{
    if (loader->scene->world == NULL) {
        ctError error = {0};
        loader->scene->world = ctWorld_Create(&loader->def, &error);
        if (loader->scene->world == NULL) {
            ctRaise(loader->L, "%s", error.message);
        }
    }
    return loader->scene->world;
}

void ctScene_Destroy(ctScene *scene)
{
    if (scene == NULL) {
        return;
    }
    for (int i = 0; i < scene->cameraCount; i++) {
        ctFree(scene->cameras[i].name);
    }
    for (int i = 0; i < scene->paramCount; i++) {
        ctFree(scene->params[i].name);
        ctFree(scene->params[i].label);
    }
    ctFree(scene->cameras);
    ctFree(scene->params);
    ctFree(scene->looks);
    ctFree(scene->name);
    ctFree(scene->path);
    ctFree(scene->title);
    ctFree(scene->tab);
    ctFree(scene->description);
    ctWorld_Destroy(scene->world);
    ctFree(scene);
}

static bool isPath(const char *nameOrPath)
{
    size_t length = strlen(nameOrPath);
    return strchr(nameOrPath, '/') != NULL || (length > 4 && strcmp(nameOrPath + length - 4, ".lua") == 0);
}

static bool failUnknownDemo(const char *name, ctError *error)
{
    ctDemo *demos;
    int count;
    if (!ctDemos_List(&demos, &count, error)) {
        return false;
    }
    const char *nearest = NULL;
    int best = ctTypingTolerance(name) + 1;
    for (int i = 0; i < count; i++) {
        int distance = ctTypingDistance(name, demos[i].name);
        if (distance < best) {
            best = distance;
            nearest = demos[i].name;
        }
    }
    if (nearest != NULL) {
        ctFail(error, ct_badArgument, "there is no demo '%.80s'; did you mean '%s'?", name, nearest);
    } else {
        ctFail(error, ct_badArgument,
               "there is no demo '%.80s'; clatter list names them, and a path to a script ends in .lua", name);
    }
    ctDemos_Free(demos, count);
    return false;
}

// The path of the script; freed with ctFree.
static char *scriptPath(const char *nameOrPath, ctError *error)
{
    if (isPath(nameOrPath)) {
        char *copy = ctCopyText(nameOrPath, strlen(nameOrPath));
        if (copy == NULL) {
            ctFailMemory(error, "a path");
        }
        return copy;
    }
    char relative[256];
    snprintf(relative, sizeof relative, "scenes/%.200s.lua", nameOrPath);
    char *found = nameOrPath[0] != '\0' && nameOrPath[0] != '.' ? ctData_Find(relative) : NULL;
    if (found == NULL) {
        failUnknownDemo(nameOrPath, error);
        return NULL;
    }
    char *copy = ctCopyText(found, strlen(found));
    free(found);
    if (copy == NULL) {
        ctFailMemory(error, "a path");
    }
    return copy;
}

// "scenes/bowling.lua" -> "bowling"
static char *nameOfPath(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return ctCopyText(base, dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base));
}

static bool checkOptions(const ctSceneOptions *o, ctError *error)
{
    if (o->hasFriction && !(o->friction >= 0.0 && isfinite(o->friction))) {
        return ctFail(error, ct_badArgument, "friction must be at least 0, not %g", o->friction);
    }
    if (o->hasRestitution && !(o->restitution >= 0.0 && o->restitution <= 1.0)) {
        return ctFail(error, ct_badArgument, "restitution must be from 0 to 1, not %g", o->restitution);
    }
    if (o->hasFps && !(o->fps > 0.0 && isfinite(o->fps))) {
        return ctFail(error, ct_badArgument, "frames per second must be positive, not %g", o->fps);
    }
    return true;
}

static bool begin(ctLoader *loader, const char *text, ctError *error)
{
    ctScene *scene = loader->scene;
    const ctSceneOptions *o = loader->options;
    scene->seconds = 10.0;
    scene->name = nameOfPath(scene->path);
    scene->title = nameOfPath(scene->path);
    scene->tab = ctCopyText("", 0);
    scene->description = ctTopComment(text);
    if (scene->name == NULL || scene->title == NULL || scene->tab == NULL || scene->description == NULL) {
        return ctFailMemory(error, "a scene");
    }
    loader->def = ctDefaultWorldDef();
    loader->def.frameTime = o->hasFps ? 1.0 / o->fps : loader->def.frameTime;
    loader->def.law = o->hasLaw ? o->law : loader->def.law;
    loader->def.contact = o->hasContact ? o->contact : loader->def.contact;
    loader->def.audit = o->audit;
    return true;
}

ctScene *ctScene_Load(const char *nameOrPath, const ctSceneOptions *options, ctError *error)
{
    static const ctSceneOptions noOptions;
    if (nameOrPath == NULL) {
        ctFail(error, ct_badArgument, "no scene is named");
        return NULL;
    }
    ctLoader loader = {.options = options != NULL ? options : &noOptions};
    char *text = NULL;
    size_t length = 0;
    bool loaded = false;
    ctScene *scene = ctAllocate(1, sizeof *scene);
    if (scene == NULL) {
        ctFailMemory(error, "a scene");
        return NULL;
    }
    loader.scene = scene;
    if (checkOptions(loader.options, error)) {
        scene->path = scriptPath(nameOrPath, error);
    }
    if (scene->path != NULL) {
        text = ctReadFile(scene->path, CT_SCRIPT_FILE_SIZE, &length, error);
    }
    if (text != NULL && begin(&loader, text, error)) {
        loaded = ctSandbox_Run(&loader, text, length, error);
    }
    ctFree(text);
    if (!loaded) {
        ctScene_Destroy(scene);
        return NULL;
    }
    return scene;
}
