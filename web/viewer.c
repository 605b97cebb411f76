// The viewer on a page. The page's scripts (web/page/engine.js) call the functions exported here. Options are passed as
// the words of a command line, one per line, and are checked by the same code.
#include "app/scene_options.h"
#include "collision/clock.h"
#include "collision/error.h"
#include "render/viewer/viewer_internal.h"

#include <SDL.h>
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT EMSCRIPTEN_KEEPALIVE
#define MAX_WORDS 160

typedef struct Page {
    ctViewer *viewer;
    ctSceneArguments arguments;
    ctError error;
    bool noPanels, paused;
    bool lost; // the graphics context is lost: nothing can be drawn
    double scale;
    char text[8192]; // result of the last call
    char copied[4096];
    ctScene *checked; // the scene that ctWeb_HashStep simulates
} Page;

static Page page;

EM_JS(void, ctWeb_PageCopy, (const char *text), { Module.onCopy(UTF8ToString(text)); });
EM_JS(bool, ctWeb_PageContextLost, (void), { return GLctx.isContextLost(); });
EM_JS(void, ctWeb_PageLink, (void), { Module.onLink(); });
EM_JS(void, ctWeb_PageStopped, (const char *text), { Module.onStopped(UTF8ToString(text)); });

// Reads "SCENE\n--set\naim=-3", the arguments of `clatter run`. False: the message is on standard error.
static bool readWords(const char *lines, const char **scene)
{
    static char text[65536];
    static char command[] = "run";
    static char *words[MAX_WORDS] = {command};
    int count = 1;
    snprintf(text, sizeof text, "%s", lines);
    char *rest = NULL;
    for (char *word = strtok_r(text, "\n", &rest); word != NULL && count < MAX_WORDS - 1;
         word = strtok_r(NULL, "\n", &rest)) {
        words[count++] = word;
    }
    memset(&page.arguments, 0, sizeof page.arguments);
    page.noPanels = page.paused = false;
    page.scale = 0.0;
    const ctOption options[] = {
        CT_SCENE_OPTIONS(&page.arguments),
        {.name = "scale",
         .kind = ct_optionNumber,
         .target = &page.scale,
         .argument = "X",
         .help = "size of the panels' text",
         .min = 0.5,
         .max = 4.0},
        {.name = "paused", .kind = ct_optionFlag, .target = &page.paused, .help = "do not start playing"},
        {.name = "no-panels", .kind = ct_optionFlag, .target = &page.noPanels, .help = "the picture alone"},
        {.name = NULL},
    };
    const char *names[1] = {NULL};
    const ctOptionSet set = {.command = "run",
                             .usage = "#scene=NAME&PARAMETER=VALUE&mu=X&e=X&law=NAME\n",
                             .notes = "",
                             .options = options,
                             .words = names,
                             .maxWords = 1};
    int given = 0, status = 0;
    bool good = ctParseOptions(&set, count, words, &given, &status);
    *scene = given > 0 ? names[0] : NULL;
    return good;
}

// Copies the text that panels have put on SDL's clipboard to the page's clipboard.
static void passClipboard(void)
{
    char *text = SDL_HasClipboardText() ? SDL_GetClipboardText() : NULL;
    if (text != NULL && strncmp(text, page.copied, sizeof page.copied - 1) != 0) {
        snprintf(page.copied, sizeof page.copied, "%s", text);
        ctWeb_PageCopy(page.copied);
    }
    SDL_free(text);
}

static void frame(void)
{
    bool more = true;
    if (page.lost || ctWeb_PageContextLost()) {
        return; // the page's event comes a little later
    }
    if (!ctViewer_Frame(page.viewer, &more, &page.error)) {
        emscripten_cancel_main_loop();
        ctWeb_PageStopped(page.error.message);
        return;
    }
    page.viewer->quit = false; // the viewer cannot close the page
    passClipboard();
}

// Opens the viewer in the canvas #canvas. 0: done; 1: failed (no WebGL2); 2: the error is in the scene or the options.
// The message is on standard error.
EXPORT int ctWeb_Start(const char *lines, int width, int height)
{
    setenv("CLATTER_DATA", "/", 1);
    SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, "#canvas");
    const char *scene;
    if (!readWords(lines, &scene)) {
        return 2;
    }
    ctViewerOptions options = {.scene = scene,
                               .given = &page.arguments.scene,
                               .width = width,
                               .height = height,
                               .scale = page.scale,
                               .paused = page.paused,
                               .noPanels = page.noPanels,
                               .copyLink = ctWeb_PageLink};
    bool badInput = false;
    page.viewer = ctViewer_Open(&options, &badInput, &page.error);
    if (page.viewer == NULL) {
        fprintf(stderr, "%s\n", page.error.message);
        return badInput ? 2 : 1;
    }
    page.viewer->sceneOptions.settings = NULL; // the scene has them already, and page.arguments changes
    page.viewer->sceneOptions.settingCount = 0;
    emscripten_set_main_loop(frame, 0, false);
    return 0;
}

// Shows another scene or other settings in the running viewer. Returns as ctWeb_Start.
EXPORT int ctWeb_Show(const char *lines)
{
    const char *scene;
    page.error = (ctError){0};
    if (!readWords(lines, &scene)) {
        return 2;
    }
    scene = scene != NULL ? scene : page.viewer->demos[0].name;
    if (!ctViewer_Show(page.viewer, scene, &page.arguments.scene, &page.error)) {
        fprintf(stderr, "%s\n", page.error.message);
        return 2;
    }
    ctViewer_Play(page.viewer, !page.paused);
    page.viewer->show.panels = !page.noPanels;
    return 0;
}

// The set-up as a command line. The page makes its link from it.
EXPORT const char *ctWeb_Command(void)
{
    const ctViewer *v = page.viewer;
    ctSettings_CommandLine(&v->settings, &v->sceneOptions, ctViewer_SceneWord(v), page.text, sizeof page.text);
    return page.text;
}

EXPORT const char *ctWeb_SceneError(void)
{
    return page.viewer->sceneError;
}

EXPORT const char *ctWeb_Printed(void)
{
    return page.viewer->printed;
}

EXPORT const char *ctWeb_ScenePath(void)
{
    return page.viewer->scenePath;
}

// Eye and target, m.
EXPORT const double *ctWeb_Camera(void)
{
    static double numbers[6];
    ctView view = ctCamera_GetView(&page.viewer->camera);
    const double list[6] = {view.eye.x, view.eye.y, view.eye.z, view.target.x, view.target.y, view.target.z};
    memcpy(numbers, list, sizeof list);
    return numbers;
}

EXPORT void ctWeb_SetCamera(double ex, double ey, double ez, double tx, double ty, double tz)
{
    ctCamera *camera = &page.viewer->camera;
    ctCamera_LookAt(camera, (ctVec3){ex, ey, ez}, (ctVec3){tx, ty, tz}, camera->fov);
}

// Simulated time (s), whether it plays, pictures a second, friction of the first pair, bodies, pictures drawn.
EXPORT const double *ctWeb_State(void)
{
    static double numbers[6];
    const ctViewer *v = page.viewer;
    const double list[6] = {v->pictureTime, v->playing,
                            v->frameRate,   v->settings.pairCount > 0 ? v->settings.pairs[0].value.friction : 0.0,
                            v->shown.count, v->frames};
    memcpy(numbers, list, sizeof list);
    return numbers;
}

EXPORT void ctWeb_Play(bool playing)
{
    ctViewer_Play(page.viewer, playing);
}

// To be called when the tab returns from the background: the time in the background does not count.
EXPORT void ctWeb_Resume(void)
{
    page.viewer->lastClock = ctClock_Wall();
}

EXPORT void ctWeb_Resize(int width, int height)
{
    SDL_SetWindowSize(page.viewer->window.window, width, height);
}

EXPORT void ctWeb_ContextLost(void)
{
    page.lost = true;
}

EXPORT int ctWeb_ContextRestored(void)
{
    page.error = (ctError){0};
    if (!ctViewer_RestoreGraphics(page.viewer, &page.error)) {
        fprintf(stderr, "%s\n", page.error.message);
        return 1;
    }
    page.lost = false;
    return 0;
}

// The hash of a scene's final state, computed in short slices while the viewer runs: begin, then step until the result
// is not empty.
EXPORT bool ctWeb_HashBegin(const char *scene)
{
    ctScene_Destroy(page.checked);
    page.error = (ctError){0};
    page.checked = ctScene_Load(scene, NULL, &page.error);
    if (page.checked == NULL) {
        fprintf(stderr, "%s\n", page.error.message);
    }
    return page.checked != NULL;
}

EXPORT const char *ctWeb_HashStep(double milliseconds)
{
    ctScene *scene = page.checked;
    page.text[0] = '\0';
    double end = ctClock_Wall() + 1e-3 * milliseconds;
    while (scene != NULL && ctClock_Wall() < end) {
        if (ctWorld_GetTime(scene->world) >= scene->seconds - 1e-9) {
            snprintf(page.text, sizeof page.text, "%016" PRIx64, ctWorld_Hash(scene->world));
            break;
        }
        if (!ctWorld_Step(scene->world, &page.error)) {
            snprintf(page.text, sizeof page.text, "failed: %s", page.error.message);
            break;
        }
    }
    if (page.text[0] != '\0') {
        ctScene_Destroy(scene);
        page.checked = NULL;
    }
    return page.text;
}

int main(void)
{
    return 0; // the page calls ctWeb_Start when it is ready
}
