#include "app/record_run.h"

#include "app/app.h"
#include "app/aside.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/record_sound.h"
#include "collision/error.h"
#include "collision/vec3.h"
#include "render/draw/stage.h"
#include "render/record/frame_writer.h"
#include "render/record/record_overlay.h"
#include "render/record/recorder.h"
#include "render/record/video_writer.h"
#include "render/window/window.h"
#include "scenes/measure.h"
#include "scenes/nearest.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_FRAMES 1e7

typedef struct Studio {
    ctRecording *recording;
    ctScene *scene;
    ctWindow window;
    ctRenderer *renderer;
    ctStage stage;
    ctGhost ghost;
    ctRecordOverlay *overlay; // NULL: none
    ctRecordSound sound;
    ctView view;
    ctBodyId followed;
    ctVec3 followedAt; // where the followed body was when the camera was set up
    int startFrames;   // frames simulated before the first picture
    int frames;        // total number of pictures
    int frame;         // the picture that is being made; negative before the first one
    bool video;
    double simulateSeconds, drawSeconds;
    ctRecorderStats stats;
} Studio;

static double wallSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- setting up -------------------------------------------------------------------------------

// A camera of the scene by name, or "ex,ey,ez/tx,ty,tz/fov".
static bool chooseView(const ctScene *scene, const char *text, ctView *view, ctError *error)
{
    if (ctStage_FindView(scene, text, view)) {
        return true;
    }
    ctView v = {0};
    char rest;
    int n = sscanf(text, "%lf,%lf,%lf/%lf,%lf,%lf/%lf%c", &v.eye.x, &v.eye.y, &v.eye.z, &v.target.x, &v.target.y,
                   &v.target.z, &v.fov, &rest);
    if (n != 7 || !ctIsFinite3(v.eye) || !ctIsFinite3(v.target) || !(v.fov > 0.0 && v.fov < 170.0) ||
        !(ctDistance(v.eye, v.target) > 0.0)) {
        char names[160] = "";
        for (int i = 0; i < scene->cameraCount; i++) {
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", i > 0 ? ", " : "", scene->cameras[i].name);
        }
        return ctFail(error, ct_badArgument,
                      "--camera '%.40s' is neither a camera of the scene (%.120s) nor ex,ey,ez/tx,ty,tz/fov", text,
                      names);
    }
    *view = v;
    return true;
}

// The scene's camera of that name (name NULL: the first camera); NULL when no camera has the name.
static const ctSceneCamera *cameraOf(const ctScene *scene, const char *name)
{
    for (int i = 0; i < scene->cameraCount; i++) {
        if (name == NULL || strcmp(scene->cameras[i].name, name) == 0) {
            return &scene->cameras[i];
        }
    }
    return NULL;
}

static bool chooseFollowed(Studio *s, ctError *error)
{
    const char *name = s->recording->follow;
    if (name == NULL) {
        const ctSceneCamera *camera = cameraOf(s->scene, s->recording->camera);
        if (camera != NULL && camera->follow >= 0) {
            s->followed = ctWorld_GetBody(s->scene->world, camera->follow);
            s->followedAt = ctBody_GetCenter(s->scene->world, s->followed);
        }
        return true;
    }
    s->followed = ctWorld_FindBody(s->scene->world, name);
    if (!ctBody_IsValid(s->scene->world, s->followed)) {
        const char *nearest = ctNearestBody(name, s->scene->world);
        return nearest != NULL
                   ? ctFail(error, ct_badArgument,
                            "--follow: the scene has no body named '%.60s'; did you mean '%.60s'?", name, nearest)
                   : ctFail(error, ct_badArgument, "--follow: the scene has no body named '%.60s'", name);
    }
    s->followedAt = ctBody_GetCenter(s->scene->world, s->followed);
    return true;
}

static bool openStudio(Studio *s, ctError *error)
{
    ctRecording *r = s->recording;
    if (!chooseView(s->scene, r->camera, &s->view, error) || !chooseFollowed(s, error) ||
        (r->overlay != NULL && !ctRecordOverlay_Check(r->overlay, error))) {
        return false;
    }
    const char *ghost = r->ghost != NULL ? r->ghost : s->scene->ghost;
    if (ghost != NULL && !ctGhost_Load(&s->ghost, ghost, s->scene->world, error)) {
        return false;
    }
    if (!ctWindow_Open(&s->window, "Clatter", r->width, r->height, true, false, error)) {
        return false;
    }
    s->renderer = ctRenderer_Create(error);
    if (s->renderer == NULL || !ctRenderer_SetSize(s->renderer, r->width, r->height, r->samples, error) ||
        !ctStage_Set(&s->stage, s->renderer, s->scene, error)) {
        return false;
    }
    if (ctRecordOverlay_IsNeeded(r->overlay, s->scene)) {
        s->overlay = ctRecordOverlay_Create(r->overlay, s->scene, r->height, error);
        return s->overlay != NULL;
    }
    return true;
}

static void closeStudio(Studio *s)
{
    if (s->window.window != NULL) {
        ctRecordOverlay_Destroy(s->overlay);
        ctStage_Free(&s->stage);
        ctRenderer_Destroy(s->renderer);
        ctWindow_Close(&s->window);
    }
    ctGhost_Free(&s->ghost);
    ctScene_Destroy(s->scene);
}

// The number of complete frames of an earlier run: from frame_000000.png on, without a gap.
static int countFrames(const char *folder)
{
    char path[4096];
    int n = 0;
    while (ctFramePath(path, sizeof path, folder, n) && access(path, R_OK) == 0) {
        n++;
    }
    return n;
}

// ---- frame by frame ---------------------------------------------------------------------------

static bool simulateFrame(void *studio, ctError *error)
{
    Studio *s = studio;
    int frame = s->frame;
    double begin = wallSeconds();
    bool good = ctScene_Step(s->scene, error);
    if (good && s->overlay != NULL) {
        ctRecordOverlay_Follow(s->overlay, s->scene);
    }
    if (good && frame >= 0) {
        double fps = s->recording->arguments.scene.fps;
        good = ctRecordSound_Frame(&s->sound, s->scene->world, s->recording->speed / fps, (frame + 1) / fps, error);
    }
    s->simulateSeconds += wallSeconds() - begin;
    return good;
}

// Copies everything that the picture shows from the world.
static bool composeFrame(Studio *s, ctError *error)
{
    double begin = wallSeconds();
    ctView view = s->view;
    if (ctBody_IsValid(s->scene->world, s->followed)) {
        ctVec3 moved = ctSub(ctBody_GetCenter(s->scene->world, s->followed), s->followedAt);
        view.eye = ctAdd(view.eye, moved);
        view.target = ctAdd(view.target, moved);
    }
    view = ctView_Fit(view, s->recording->width, s->recording->height,
                      (ctFreePart){0.0, 0.0, s->recording->width, s->recording->height});
    if (s->overlay != NULL && !ctScene_UpdateLabels(s->scene, error)) {
        return false;
    }
    bool good = s->overlay != NULL ? ctRecordOverlay_Compose(s->overlay, &s->stage, &view, &s->ghost, error)
                                   : ctStage_Compose(&s->stage, &view, &s->ghost, error);
    s->drawSeconds += wallSeconds() - begin;
    return good;
}

static bool paintFrame(Studio *s, ctError *error)
{
    double begin = wallSeconds();
    bool good = s->overlay != NULL ? ctRecordOverlay_Paint(&s->stage, error) : ctRenderer_End(s->stage.renderer, error);
    s->drawSeconds += wallSeconds() - begin;
    return good;
}

// One picture. The next frame is simulated while this picture is painted and encoded.
static bool recordFrame(Studio *s, ctRecorder *recorder, bool *captured, ctError *error)
{
    ctAside simulation;
    if (!composeFrame(s, error)) {
        return false;
    }
    // A frame is simulated also after the last picture: the hash is that of the state after it.
    ctAside_Start(&simulation, simulateFrame, s);
    bool painted = paintFrame(s, error);
    *captured = painted && ctRecorder_Capture(recorder);
    ctError failure = {ct_ok, ""};
    bool simulated = ctAside_Finish(&simulation, &failure);
    if (painted && !simulated) {
        *error = failure;
    }
    return painted && simulated;
}

static bool isInterrupted(void)
{
    return ctInterrupt_Signal() != 0;
}

// Simulates up to picture `first` and records from there to the end, or until a signal is received.
static bool recordFrames(Studio *s, int first, int *done, ctError *error)
{
    const ctRecorderDef def = {s->recording->out, s->recording->arguments.scene.fps, first, isInterrupted};
    ctRecorder *recorder = ctRecorder_Create(&def, s->renderer, error);
    if (recorder == NULL) {
        return false;
    }
    if (!ctRecordSound_Begin(&s->sound, s->recording, s->video, error)) {
        ctRecorder_Abort(recorder);
        return false;
    }
    ctProgress progress = ctProgress_Begin("frames", s->frames);
    bool good = true, captured = true;
    for (s->frame = -s->startFrames; good && captured && ctInterrupt_Signal() == 0 && s->frame < s->frames;
         s->frame++) {
        if (s->frame == 0) {
            ctRecordSound_Start(&s->sound, s->scene->world, s->recording->speed);
        }
        if (s->frame >= first) {
            good = recordFrame(s, recorder, &captured, error);
            ctProgress_Update(&progress, s->frame + 1);
        } else {
            good = simulateFrame(s, error);
        }
    }
    ctProgress_End(&progress);
    if (!good || (ctInterrupt_Signal() != 0 && s->video)) {
        ctRecorder_Abort(recorder);
    } else {
        good = ctRecorder_Finish(recorder, &s->stats, error);
    }
    good = ctRecordSound_Finish(&s->sound, s->recording->out, good && ctInterrupt_Signal() == 0, error) && good;
    *done = s->video ? s->frame : countFrames(s->recording->out);
    return good;
}

static void printSummary(const Studio *s, double seconds)
{
    const ctRecording *r = s->recording;
    int made = s->stats.frames;
    if (made == 0) {
        printf("nothing was left to record: %d frames of %dx%d in %s, hash %s\n", r->frames, r->width, r->height,
               r->out, r->hash);
        return;
    }
    printf("%d frames of %dx%d in %s: %.3g s of the scene at %g fps, hash %s\n", made, r->width, r->height, r->out,
           r->frames * r->speed / r->arguments.scene.fps, r->arguments.scene.fps, r->hash);
    printf("%.3g frames/s; per frame: simulation %.2f ms, drawing %.2f ms, read-back %.2f ms, encoding %.2f ms%s\n",
           made / seconds, 1e3 * s->simulateSeconds / made, 1e3 * s->drawSeconds / made,
           1e3 * s->stats.readSeconds / made, 1e3 * s->stats.encodeSeconds / made, s->video ? "" : " (on workers)");
}

// Tells the user what to do after a recording that stopped early.
static void advise(const Studio *s, int done)
{
    if (s->video) {
        fprintf(stderr, "clatter: no video was written; a folder as --out keeps finished frames and can --resume\n");
    } else {
        fprintf(stderr,
                "clatter: %d of %d frames are complete in %s; continue with: clatter record --resume --out %s\n", done,
                s->frames, s->recording->out, s->recording->out);
    }
}

static int record(Studio *s, int first, const char *description)
{
    ctRecording *r = s->recording;
    ctError error = {ct_ok, ""};
    double begin = wallSeconds();
    int done = first;
    bool good = recordFrames(s, first, &done, &error);
    if (good && ctInterrupt_Signal() == 0) {
        r->frames = s->frames;
        r->complete = true;
        snprintf(r->hash, sizeof r->hash, "%016" PRIx64, ctWorld_Hash(s->scene->world));
        good = ctRecording_Save(r, s->scene->title, description, &error);
    }
    if (good && ctInterrupt_Signal() == 0) {
        printSummary(s, wallSeconds() - begin);
        return CT_EXIT_OK;
    }
    if (!good) {
        fprintf(stderr, "clatter: %s\n", error.message);
    } else {
        fprintf(stderr, "clatter: interrupted by signal %d\n", ctInterrupt_Signal());
    }
    advise(s, done);
    return !good && error.status == ct_badArgument ? CT_EXIT_USAGE : CT_EXIT_FAILED;
}

// Makes the folder and writes a description into it at once, so that a recording can be resumed after any interruption.
static bool prepareFolder(Studio *s, const char *description, ctError *error)
{
    ctRecording *r = s->recording;
    if (s->video) {
        return true;
    }
    if (!ctMakeFolder(r->out, error)) {
        return false;
    }
    r->complete = false;
    r->frames = 0;
    return ctRecording_Save(r, s->scene->title, description, error);
}

static bool countPictures(Studio *s, double seconds, ctError *error)
{
    const ctRecording *r = s->recording;
    double rate = r->arguments.scene.fps / r->speed, before = r->start * rate, frames = seconds * rate;
    if (!(before + frames < MOST_FRAMES)) {
        return ctFail(error, ct_badArgument, "record: that would be %.3g frames; at most %g are recorded",
                      before + frames, MOST_FRAMES);
    }
    s->startFrames = (int)(before + 0.5);
    s->frames = frames > 0.5 ? (int)(frames + 0.5) : 1;
    return true;
}

// A recording only adds frames to a folder. Frames of another recording are neither removed nor mixed with its own.
static bool checkFrames(const Studio *s, int there, bool resume, ctError *error)
{
    const char *out = s->recording->out;
    if (there > 0 && !resume) {
        return ctFail(error, ct_badArgument,
                      "record: %s has %d frames already; --resume continues them, and another folder takes others", out,
                      there);
    }
    if (there > s->frames) {
        return ctFail(error, ct_badArgument, "record: %s has %d frames, more than the %d of this recording", out, there,
                      s->frames);
    }
    return true;
}

// The scene's first state is that of the frames that are there, if its description says so.
static bool checkScene(Studio *s, bool resume, ctError *error)
{
    ctRecording *r = s->recording;
    char hash[sizeof r->origin];
    snprintf(hash, sizeof hash, "%016" PRIx64, ctWorld_Hash(s->scene->world));
    if (resume && r->origin[0] != '\0' && strcmp(r->origin, hash) != 0) {
        return ctFail(
            error, ct_badArgument,
            "record: --resume: the scene %s has changed since the frames in %s were begun; choose another folder",
            r->scene, r->out);
    }
    memcpy(r->origin, hash, sizeof hash);
    return true;
}

int ctRecord_Run(ctRecording *r, bool resume)
{
    Studio s = {.recording = r, .video = ctVideo_IsVideoPath(r->out)};
    ctError error = {ct_ok, ""};
    if (resume && s.video) {
        fprintf(stderr, "clatter: record: --resume continues frames in a folder; a video is made in one go\n");
        return CT_EXIT_USAGE;
    }
    // The world's frame is the simulated time between two pictures.
    double fps = r->arguments.scene.fps;
    r->arguments.scene.hasFps = true;
    r->arguments.scene.fps = fps / r->speed;
    s.scene = ctLoadSceneOrComplain(r->scene, &r->arguments);
    r->arguments.scene.fps = fps;
    if (s.scene == NULL) {
        return CT_EXIT_USAGE;
    }
    double seconds = r->seconds > 0.0 ? r->seconds : s.scene->seconds;
    int first = s.video ? 0 : countFrames(r->out), status = CT_EXIT_FAILED;
    if (!countPictures(&s, seconds, &error) || !checkFrames(&s, first, resume, &error) ||
        !checkScene(&s, resume, &error)) {
        fprintf(stderr, "clatter: %s\n", error.message);
        closeStudio(&s);
        return CT_EXIT_USAGE;
    }
    r->seconds = seconds;
    char *description = ctRecording_PathFor(r->out);
    ctInterrupt_Watch();
    if (description == NULL) {
        ctFailMemory(&error, "a path");
    } else if (openStudio(&s, &error) && prepareFolder(&s, description, &error)) {
        status = record(&s, first, description);
    }
    if (error.status != ct_ok) {
        fprintf(stderr, "clatter: %s\n", error.message);
        status = error.status == ct_badArgument ? CT_EXIT_USAGE : CT_EXIT_FAILED;
    }
    free(description);
    closeStudio(&s);
    return status;
}
