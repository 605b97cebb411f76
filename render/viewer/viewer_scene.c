// Loading scenes, loading them again when their file changes, and starting over.
#include "render/viewer/viewer_internal.h"

#include "collision/memory.h"
#include "render/draw/framing.h"
#include "render/draw/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void ctViewer_OnPrint(void *context, const char *line)
{
    ctViewer *v = context;
    size_t used = strlen(v->printed);
    snprintf(v->printed + used, sizeof v->printed - used, "%s%s", used > 0 ? "\n" : "", line);
    if (v->options.given != NULL && v->options.given->print != NULL) {
        v->options.given->print(v->options.given->printContext, line);
    }
}

static int64_t stampOf(const char *path)
{
    struct stat s;
    if (stat(path, &s) != 0) {
        return 0;
    }
    return (int64_t)s.st_mtim.tv_sec * 1000000000 + s.st_mtim.tv_nsec + (int64_t)s.st_size;
}

// The options to load with: those of the command line. With keepSettings, the parameters are those of the panel.
static bool optionsOf(ctViewer *v, bool keepSettings, ctSceneOptions *options, ctSetting **settings, ctError *error)
{
    *options = v->sceneOptions;
    *settings = NULL;
    if (keepSettings && v->settings.paramCount > 0) {
        *settings = ctAllocate((size_t)v->settings.paramCount, sizeof(ctSetting));
        if (*settings == NULL) {
            return ctFailMemory(error, "settings");
        }
        ctSettings_GetParams(&v->settings, *settings);
        options->settings = *settings;
        options->settingCount = v->settings.paramCount;
    }
    return true;
}

// Clears all state of the viewer that belongs to the last scene.
static void forget(ctViewer *v)
{
    ctTimeline_Clear(&v->timeline);
    ctHistory_Clear(&v->history);
    ctTrails_Clear(&v->trails);
    v->inspected = -1;
    v->selected = (ctBodyId){0};
    v->drag = ct_dragNone;
    v->wanted = ct_advanceNone;
    v->wantedCount = v->stepsBack = v->throwBalls = 0;
    v->need = 0.0;
    v->measureCount = 0;
    v->seek = -1.0;
    v->stopped[0] = '\0';
    v->rewound = false;
    v->shownTime = 0.0;
}

static void recordStart(ctViewer *v)
{
    void *snapshot = NULL;
    size_t size = 0;
    if (ctWorld_Save(v->scene->world, &snapshot, &size, NULL)) {
        ctTimeline_Add(&v->timeline, ctWorld_GetTime(v->scene->world), snapshot, size, NULL);
    }
    const ctStats *stats = &v->sim.now.stats;
    ctHistory_AddSample(&v->history, (ctSample){v->sim.now.time, stats->kineticEnergy, stats->potentialEnergy, 0.0,
                                                stats->impacts, stats->asleep, stats->contacts});
}

// Takes ownership of a loaded scene and destroys the old one.
static bool adopt(ctViewer *v, ctScene *scene, bool keepSettings, ctError *error)
{
    ctSettings settings = {0};
    bool done = ctSettings_Read(&settings, scene, error);
    if (done && keepSettings) {
        ctSettings_Inherit(&settings, &v->settings);
        done = ctSettings_Apply(&settings, scene->world, error);
    }
    ctStage stage = {0};
    done = done && ctStage_Set(&stage, v->renderer, scene, error) && ctSim_SetScene(&v->sim, scene, error);
    if (!done) {
        // The renderer has freed the old shapes: add them again.
        ctStage_Free(&stage);
        ctSettings_Free(&settings);
        if (v->scene != NULL) {
            ctStage_Set(&v->stage, v->renderer, v->scene, NULL);
            ctSim_SetScene(&v->sim, v->scene, NULL);
        }
        return false;
    }
    ctStage_Free(&v->stage);
    ctSettings_Free(&v->settings);
    ctScene_Destroy(v->scene);
    v->scene = scene;
    v->stage = stage;
    v->settings = settings;
    v->settings.changed = false;
    return true;
}

// The overlays that the scene opens with.
static void openOverlays(ctViewer *v)
{
    unsigned show = v->scene->annotations.show;
    v->show.trails = (show & ct_showTrails) != 0;
    v->show.contacts = (show & ct_showContacts) != 0;
    v->show.boxes = (show & ct_showBoxes) != 0;
    v->show.pending = (show & ct_showPending) != 0;
    v->show.sleeping = (show & ct_showSleeping) != 0;
}

bool ctViewer_Load(ctViewer *v, const char *nameOrPath, bool keepView, bool keepSettings, ctError *error)
{
    ctSceneOptions options;
    ctSetting *settings;
    if (!optionsOf(v, keepSettings, &options, &settings, error)) {
        return false;
    }
    if (v->preloaded == NULL) {
        v->printed[0] = '\0';
    }
    ctScene *scene = v->preloaded != NULL ? v->preloaded : ctScene_Load(nameOrPath, &options, error);
    v->preloaded = NULL;
    ctFree(settings);
    if (scene == NULL) {
        return false;
    }
    char selected[64] = "";
    if (keepView && v->selected.index1 != 0) {
        snprintf(selected, sizeof selected, "%s", ctBody_GetName(v->scene->world, v->selected));
    }
    if (!adopt(v, scene, keepSettings, error)) {
        ctScene_Destroy(scene);
        return false;
    }
    forget(v);
    recordStart(v);
    snprintf(v->scenePath, sizeof v->scenePath, "%s", scene->path);
    v->sceneStamp = stampOf(scene->path);
    if (ctViewer_CurrentDemo(v) < 0) {
        ctRecentFiles_Add(&v->recent, scene->path);
    }
    v->sceneError[0] = '\0';
    ctError ghostError = {0};
    if (!ctViewer_LoadGhost(v, scene, &ghostError)) {
        snprintf(v->sceneError, sizeof v->sceneError, "%s", ghostError.message);
    }
    v->measures.scene = NULL;
    v->sceneCamera = v->sceneCamera < scene->cameraCount ? v->sceneCamera : 0;
    v->frameTime = ctWorld_GetSettings(scene->world).frameTime;
    v->typicalMass = ctTypicalMass(scene->world);
    for (int i = 0; i < scene->cameraCount && i < CT_DESK_CAMERAS; i++) {
        int body = scene->cameras[i].follow;
        v->cameraStarts[i] =
            body >= 0 ? ctBody_GetTransform(scene->world, ctWorld_GetBody(scene->world, body)).p : ctV3(0.0, 0.0, 0.0);
    }
    ctTrails_Mark(&v->sim.paths, scene);
    ctCurves_Restart(&v->curves, scene);
    ctSpeaker_SetScene(v->speaker, scene->world);
    ctClip_Jump(&v->clip, scene->world);
    if (!keepView) {
        openOverlays(v);
        ctViewer_ResetView(v);
    } else if (selected[0] != '\0') {
        v->selected = ctWorld_FindBody(scene->world, selected);
    }
    return ctViewer_SyncBodies(v, error);
}

bool ctViewer_Show(ctViewer *v, const char *scene, const ctSceneOptions *given, ctError *error)
{
    ctSceneOptions options = *given;
    options.print = ctViewer_OnPrint;
    options.printContext = v;
    v->sceneOptions = options;
    bool shown = ctViewer_Load(v, scene, false, false, error);
    v->sceneOptions.settings = NULL; // the caller owns them
    v->sceneOptions.settingCount = 0;
    return shown;
}

void ctViewer_Restart(ctViewer *v)
{
    ctError error = {0};
    char path[sizeof v->scenePath];
    memcpy(path, v->scenePath, sizeof path);
    if (!ctViewer_Load(v, path, true, true, &error)) {
        snprintf(v->sceneError, sizeof v->sceneError, "%s", error.message);
    }
}

void ctViewer_WatchScene(ctViewer *v)
{
    if (v->clock < v->nextLook || v->busy) {
        return;
    }
    v->nextLook = v->clock + 0.25;
    int64_t stamp = stampOf(v->scenePath);
    if (stamp == v->sceneStamp || stamp == 0) {
        return;
    }
    v->sceneStamp = stamp;
    ctError error = {0};
    char path[sizeof v->scenePath];
    memcpy(path, v->scenePath, sizeof path);
    // The file's parameters may have changed: the panel's value of a parameter is kept when its name still exists.
    if (ctViewer_Load(v, path, true, true, &error) || ctViewer_Load(v, path, true, false, &error)) {
        ctViewer_Say(v, "loaded %s again", path);
    } else {
        snprintf(v->sceneError, sizeof v->sceneError, "%s", error.message);
    }
}

void ctViewer_LoadDemo(ctViewer *v, int index)
{
    ctError error = {0};
    v->sceneOptions.settings = NULL; // those of the command line were for another scene
    v->sceneOptions.settingCount = 0;
    if (!ctViewer_Load(v, v->demos[index].name, false, false, &error)) {
        snprintf(v->sceneError, sizeof v->sceneError, "%s", error.message);
    }
}

void ctViewer_LoadFile(ctViewer *v, const char *path)
{
    ctError error = {0};
    v->sceneOptions.settings = NULL;
    v->sceneOptions.settingCount = 0;
    if (ctViewer_Load(v, path, false, false, &error)) {
        ctViewer_Say(v, "opened %s", path);
    } else {
        snprintf(v->sceneError, sizeof v->sceneError, "%s", error.message);
    }
}
