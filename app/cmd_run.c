// clatter run: the viewer.
#include "app/app.h"
#include "app/options.h"
#include "app/scene_options.h"
#include "render/viewer/viewer.h"

#include <stdlib.h>

static bool parseSize(const char *word, void *target, ctError *error)
{
    ctViewerOptions *options = target;
    return ctParseSize(word, 64, &options->width, &options->height, error);
}

static void printLine(void *context, const char *line)
{
    fprintf(context, "%s\n", line);
}

static int fail(const ctError *error, bool badInput, const char *scene)
{
    fprintf(stderr, "clatter: %s\n", error->message);
    if (badInput) {
        return CT_EXIT_USAGE;
    }
    fprintf(stderr,
            "clatter: the viewer needs a display with OpenGL 3.3. Without one, make a video instead:\n"
            "    clatter record %s --out clip.mp4\nor run without pictures: clatter sim %s\n",
            scene != NULL ? scene : "bowling", scene != NULL ? scene : "bowling");
    return CT_EXIT_FAILED;
}

int ctCommandRun(int argc, char **argv)
{
    static ctSceneArguments arguments;
    ctViewerOptions viewer = {0};
    const char *words[1] = {NULL};
    ctSceneArguments_UseAllCores(&arguments);
    const ctOption options[] = {
        CT_SCENE_OPTIONS(&arguments),
        CT_THREADS_OPTION(&arguments),
        CT_ROW_OPTION(&arguments),
        CT_CUSTOM("size", &viewer, NULL, "WxH", parseSize, "size of the window (1280x800)"),
        CT_NUMBER("scale", &viewer.scale, NULL, "X", 0.5, 4.0, "size of the panels' text (1, or as the display asks)"),
        CT_TEXT("ghost", &viewer.ghost, "FILE.csv", "show a trace (of sim --trace, or measured) as translucent bodies"),
        CT_FLAG("paused", &viewer.paused, "do not start playing"),
        CT_FLAG("print-state", &viewer.printState, "print what happens on standard output, for tests"),
        CT_FLAG("gl-debug", &viewer.debug, "report every misuse of OpenGL"),
        {.name = NULL},
    };
    const ctOptionSet set = {
        .command = "run",
        .usage = "clatter run [SCENE] [options]\n",
        .notes = "SCENE is a demo's name (clatter list) or a path to a .lua file. H in the window shows all keys.\n",
        .options = options,
        .words = words,
        .maxWords = 1};
    int count = 0;
    int status;
    if (!ctParseOptions(&set, argc, argv, &count, &status)) {
        return status;
    }
    viewer.scene = count > 0 ? words[0] : NULL;
    arguments.scene.print = printLine;
    arguments.scene.printContext = stderr;
    viewer.given = &arguments.scene;
    bool badInput = false;
    ctError error = {ct_ok, ""};
    if (arguments.row != NULL && viewer.scene == NULL) {
        fputs("clatter: run: --row needs the scene of the sweep\n", stderr);
        return CT_EXIT_USAGE;
    }
    if (!ctApplyRow(&arguments, viewer.scene, &error)) {
        return fail(&error, true, viewer.scene);
    }
    return ctRunViewer(&viewer, &badInput, &error) ? CT_EXIT_OK : fail(&error, badInput, viewer.scene);
}
