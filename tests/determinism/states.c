// Prints the state of every demo after some seconds: tools/check-determinism compares what different builds print.
// states [SECONDS [THREADS]]: of each demo's own time by default; by one thread.
#include "scenes/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double limit = argc > 1 ? atof(argv[1]) : INFINITY;
    const ctSceneOptions options = {.hasThreads = argc > 2, .threads = argc > 2 ? atoi(argv[2]) : 1};
    setenv("CLATTER_DATA", ".", 0); // a WebAssembly module sees neither its place nor the environment
    ctError error = {ct_ok, ""};
    ctDemo *demos;
    int count;
    if (!ctDemos_List(&demos, &count, &error)) {
        fprintf(stderr, "states: %s\n", error.message);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        ctScene *scene = ctScene_Load(demos[i].name, &options, &error);
        bool ok = scene != NULL;
        while (ok && ctWorld_GetTime(scene->world) < fmin(scene->seconds, limit) - 1e-9) {
            ok = ctWorld_Step(scene->world, &error);
        }
        if (!ok) {
            fprintf(stderr, "states: %s: %s\n", demos[i].name, error.message);
            return 1;
        }
        printf("%s %016" PRIx64 "\n", demos[i].name, ctWorld_Hash(scene->world));
        ctScene_Destroy(scene);
    }
    ctDemos_Free(demos, count);
    return 0;
}
