// Loading a scene: find the script, run it in the sandbox, and keep the script when its functions are called later.
#include "scenes/scene.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/journal.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"
#include "scenes/script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ctScene_Destroy(ctScene *scene)
{
    if (scene == NULL) {
        return;
    }
    ctFree(scene->ghost);
    for (int i = 0; i < scene->cameraCount; i++) {
        ctFree(scene->cameras[i].name);
    }
    for (int i = 0; i < scene->paramCount; i++) {
        ctFree(scene->params[i].name);
        ctFree(scene->params[i].label);
    }
    for (int i = 0; i < scene->measureCount; i++) {
        ctFree(scene->measures[i].name);
        ctFree(scene->measures[i].label);
    }
    if (scene->journal != NULL) {
        ctJournal_Free(scene->journal);
    }
    ctFree(scene->journal);
    ctLoader_Free(scene->loader);
    ctFree(scene->measures);
    ctFree(scene->cameras);
    ctFree(scene->params);
    ctFree(scene->looks);
    ctAnnotations_Free(&scene->annotations);
    ctFree(scene->name);
    ctFree(scene->path);
    ctFree(scene->title);
    ctFree(scene->tab);
    ctFree(scene->description);
    ctWorld_Destroy(scene->world);
    ctFree(scene);
}

static bool endsIn(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n > m && strcmp(text + n - m, ending) == 0;
}

static bool isPath(const char *nameOrPath)
{
    return strchr(nameOrPath, '/') != NULL || endsIn(nameOrPath, ".lua");
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
    loader->seconds = o->scriptSeconds > 0.0 ? o->scriptSeconds : CT_SCRIPT_SECONDS;
    loader->megabytes = o->scriptMegabytes > 0.0 ? o->scriptMegabytes : CT_SCRIPT_MEGABYTES;
    loader->printLine = o->print;
    loader->printContext = o->printContext;
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
    loader->def.threads = o->hasThreads ? o->threads : loader->def.threads;
    return true;
}

struct ctSceneSource {
    char *path, *text;
    size_t length;
    char *code; // the compiled text, or NULL
    size_t codeLength;
};

bool ctScene_MakeJournal(ctScene *scene)
{
    scene->journal = ctAllocate(1, sizeof *scene->journal);
    if (scene->journal == NULL) {
        return false;
    }
    ctJournal_Begin(scene->journal);
    scene->journal->series = ctAllocate(CT_SCRIPT_SAMPLES, sizeof *scene->journal->series);
    return scene->journal->series != NULL;
}

// Called when the script has run. Keeps the script when its measures, callbacks or labels need it.
static bool finish(ctLoader *loader, const ctSceneSource *source, ctError *error)
{
    ctScene *scene = loader->scene;
    const ctSceneOptions *o = loader->options;
    loader->options = NULL;
    if (o->jitter != 0.0 && !ctScene_Jitter(scene, o->jitter, o->jitterSeed, error)) {
        return false;
    }
    if (!ctScene_MakeJournal(scene)) {
        return ctFailMemory(error, "a scene");
    }
    scene->journal->seriesCount = loader->sampleCount;
    if (scene->measureCount > 0 || loader->script != NULL || loader->hasLiveLabels) {
        scene->loader = loader;
    }
    return loader->script == NULL || ctScript_Begin(loader, source->text, source->length, error);
}

// ---- sources ----------------------------------------------------------------------------------

static bool readSource(ctSceneSource *source, const char *nameOrPath, ctError *error)
{
    if (nameOrPath == NULL) {
        return ctFail(error, ct_badArgument, "no scene is named");
    }
    source->path = scriptPath(nameOrPath, error);
    if (source->path != NULL) {
        source->text = ctReadFile(source->path, CT_SCRIPT_FILE_SIZE, &source->length, error);
    }
    return source->text != NULL;
}

static void freeSource(ctSceneSource *source)
{
    ctFree(source->path);
    ctFree(source->text);
    ctFree(source->code);
}

static bool runSource(ctLoader *loader, const ctSceneSource *source, ctError *error)
{
    bool compiled = source->code != NULL;
    loader->scene->path = ctCopyText(source->path, strlen(source->path));
    if (loader->scene->path == NULL) {
        return ctFailMemory(error, "a path");
    }
    return begin(loader, source->text, error) &&
           ctSandbox_Run(loader, compiled ? source->code : source->text, compiled ? source->codeLength : source->length,
                         compiled, error) &&
           finish(loader, source, error);
}

ctScene *ctSceneSource_Load(const ctSceneSource *source, const ctSceneOptions *options, ctError *error)
{
    static const ctSceneOptions noOptions;
    ctScene *scene = ctAllocate(1, sizeof *scene);
    ctLoader *loader = ctAllocate(1, sizeof *loader);
    bool good = scene != NULL && loader != NULL;
    if (!good) {
        ctFailMemory(error, "a scene");
    } else {
        loader->options = options != NULL ? options : &noOptions;
        loader->scene = scene;
        good = checkOptions(loader->options, error) && runSource(loader, source, error);
    }
    if (scene == NULL || scene->loader == NULL) {
        ctLoader_Free(loader);
    }
    if (!good) {
        ctScene_Destroy(scene);
        return NULL;
    }
    return scene;
}

ctSceneSource *ctSceneSource_Open(const char *nameOrPath, ctError *error)
{
    ctSceneSource *source = ctAllocate(1, sizeof *source);
    if (source == NULL) {
        ctFailMemory(error, "a scene");
        return NULL;
    }
    if (!readSource(source, nameOrPath, error) ||
        !ctSandbox_Compile(source->path, source->text, source->length, &source->code, &source->codeLength, error)) {
        ctSceneSource_Close(source);
        return NULL;
    }
    return source;
}

void ctSceneSource_Close(ctSceneSource *source)
{
    if (source != NULL) {
        freeSource(source);
        ctFree(source);
    }
}

// Refuses options that contradict the saved world: parameters, friction, restitution and the start are fixed.
static bool suitsSnapshot(const ctScene *scene, const ctSceneOptions *o, const char *path, ctError *error)
{
    for (int i = 0; i < o->settingCount; i++) {
        const ctSetting *asked = &o->settings[i];
        bool same = false;
        for (int k = 0; k < scene->paramCount; k++) {
            same = same || (strcmp(scene->params[k].name, asked->name) == 0 && scene->params[k].value == asked->value);
        }
        if (!same) {
            return ctFail(error, ct_badArgument,
                          "%.200s: parameters of a saved world are what they were: '%.40s' cannot be set", path,
                          asked->name);
        }
    }
    if (o->hasFriction || o->hasRestitution || o->jitter != 0.0) {
        return ctFail(error, ct_badArgument, "%.200s: a saved world has its own friction, restitution and start", path);
    }
    return checkOptions(o, error);
}

static bool adjust(ctWorld *world, const ctSceneOptions *o, ctError *error)
{
    ctWorldDef now = ctWorld_GetSettings(world); // equal settings are not set again: the run continues bit for bit
    bool sameTime = !o->hasFps || 1.0 / o->fps == now.frameTime, sameLaw = !o->hasLaw || o->law == now.law;
    bool sameMode = !o->hasContact || o->contact == now.contact;
    bool done = (sameTime || ctWorld_SetFrameTime(world, 1.0 / o->fps, error)) &&
                (sameLaw || ctWorld_SetLaw(world, o->law, error)) &&
                (sameMode || ctWorld_SetContactMode(world, o->contact, error)) &&
                (!o->hasThreads || ctWorld_SetThreads(world, o->threads, NULL, error));
    if (done && o->audit) {
        ctWorld_SetAudit(world, true);
    }
    return done;
}

static ctScene *loadSnapshot(const char *path, const ctSceneOptions *options, ctError *error)
{
    ctScene *scene = ctScene_FromSnapshot(path, error);
    if (scene != NULL && options != NULL &&
        !(suitsSnapshot(scene, options, path, error) && adjust(scene->world, options, error))) {
        ctScene_Destroy(scene);
        return NULL;
    }
    return scene;
}

ctScene *ctScene_Load(const char *nameOrPath, const ctSceneOptions *options, ctError *error)
{
    if (nameOrPath != NULL && endsIn(nameOrPath, ".snap")) {
        return loadSnapshot(nameOrPath, options, error);
    }
    ctSceneSource source = {0};
    ctScene *scene = NULL;
    if ((options == NULL || checkOptions(options, error)) && readSource(&source, nameOrPath, error)) {
        scene = ctSceneSource_Load(&source, options, error);
    }
    freeSource(&source);
    return scene;
}

ctScene *ctScene_LoadText(const char *text, size_t length, const char *name, const ctSceneOptions *options,
                          ctError *error)
{
    if (text == NULL || name == NULL || length > CT_SCRIPT_FILE_SIZE) {
        ctFail(error, ct_badArgument, "a scene needs a name and a text of at most %zu bytes", CT_SCRIPT_FILE_SIZE);
        return NULL;
    }
    ctSceneSource source = {.path = ctCopyText(name, strlen(name)), .text = ctCopyText(text, length), .length = length};
    ctScene *scene = NULL;
    if (source.path == NULL || source.text == NULL) {
        ctFailMemory(error, "a scene");
    } else {
        scene = ctSceneSource_Load(&source, options, error);
    }
    freeSource(&source);
    return scene;
}
