// clatter export: a simulated scene for other programs, as glTF or as a table.
#include "app/app.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/scene_options.h"
#include "app/trace.h"
#include "collision/error.h"
#include "render/export/gltf.h"
#include "render/files/atomic_file.h"

#include <string.h>

typedef struct Export {
    ctScene *scene;
    const char *path;
    ctGltf *gltf; // one of these two
    ctAtomicFile file;
} Export;

static bool hasEnding(const char *path, const char *ending)
{
    size_t length = strlen(path), n = strlen(ending);
    return length > n && strcmp(path + length - n, ending) == 0;
}

static bool begin(Export *e, ctError *error)
{
    if (hasEnding(e->path, ".glb")) {
        e->gltf = ctGltf_Create(e->scene, error);
        return e->gltf != NULL;
    }
    if (!ctAtomicFile_Open(&e->file, e->path, error)) {
        return false;
    }
    fputs(CT_TRACE_HEADER "\n", e->file.stream);
    return true;
}

static bool addFrame(Export *e, ctError *error)
{
    if (e->gltf != NULL) {
        return ctGltf_AddKey(e->gltf, e->scene, error);
    }
    ctTrace_Write(e->file.stream, e->scene->world);
    return true;
}

static bool finish(Export *e, ctError *error)
{
    return e->gltf != NULL ? ctGltf_Write(e->gltf, e->path, error) : ctAtomicFile_Commit(&e->file, error);
}

static bool export(Export *e, int frames, ctError *error)
{
    ctProgress progress = ctProgress_Begin("frames", frames);
    ctInterrupt_Watch();
    bool good = begin(e, error) && addFrame(e, error);
    for (int k = 1; good && k <= frames; k++) {
        good = ctWorld_Step(e->scene->world, error) && addFrame(e, error) && ctInterrupt_Check(error);
        ctProgress_Update(&progress, k);
    }
    ctProgress_End(&progress);
    good = good && finish(e, error);
    ctAtomicFile_Abort(&e->file);
    ctGltf_Destroy(e->gltf);
    return good;
}

int ctCommandExport(int argc, char **argv)
{
    static ctSceneArguments arguments;
    const char *scene = NULL, *out = NULL;
    double seconds = 0.0;
    ctSceneArguments_UseAllCores(&arguments);
    const ctOption options[] = {
        CT_TEXT("out", &out, "FILE",
                "scene.glb (glTF 2.0 with one animation), scene.csv (the trace), or - (the trace on standard output)"),
        CT_NUMBER("seconds", &seconds, NULL, "S", 1e-3, 1e6, "simulated time (as long as the scene says)"),
        CT_SCENE_OPTIONS(&arguments),
        CT_THREADS_OPTION(&arguments),
        {.name = NULL},
    };
    const ctOptionSet set = {.command = "export",
                             .usage = "clatter export SCENE --out FILE.glb|FILE.csv [options]\n",
                             .options = options,
                             .words = &scene,
                             .maxWords = 1};
    int status;
    if (!ctParseOptions(&set, argc, argv, NULL, &status)) {
        return status;
    }
    if (scene == NULL || out == NULL || (!hasEnding(out, ".glb") && !hasEnding(out, ".csv") && strcmp(out, "-") != 0)) {
        fprintf(stderr, "clatter: export: %s\n",
                scene == NULL ? "which scene? clatter list shows the demos"
                              : "--out FILE.glb or --out FILE.csv says what to write");
        return CT_EXIT_USAGE;
    }
    Export e = {.scene = ctLoadSceneOrComplain(scene, &arguments), .path = out};
    if (e.scene == NULL) {
        return CT_EXIT_USAGE;
    }
    double length = seconds > 0.0 ? seconds : e.scene->seconds;
    double frame = ctWorld_GetSettings(e.scene->world).frameTime;
    int frames = (int)(length / frame + 0.5);
    ctError error = {ct_ok, ""};
    bool good = export(&e, frames, &error);
    if (good) {
        fprintf(strcmp(out, "-") == 0 ? stderr : stdout, "%s: %d bodies, %d frames, %.3g s\n", out,
                ctWorld_GetBodyCount(e.scene->world), frames + 1, length);
    } else {
        fprintf(stderr, "clatter: %s\n", error.message);
    }
    ctScene_Destroy(e.scene);
    return good ? CT_EXIT_OK : error.status == ct_badArgument ? CT_EXIT_USAGE : CT_EXIT_FAILED;
}
