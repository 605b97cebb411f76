// What a picture costs on the processor (Mesa's llvmpipe), without the simulation and without writing it:
//     LP_NUM_THREADS=0 bench_draw [SCENE [WIDTH HEIGHT SAMPLES SECONDS]]
// The best of many pictures of one state, which other work on the machine disturbs least.
#include "render/draw/gl_util.h"
#include "render/draw/stage.h"
#include "render/window/window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PICTURES = 40 };

static double cpuSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "bowling";
    int width = argc > 2 ? atoi(argv[2]) : 1280, height = argc > 3 ? atoi(argv[3]) : 720;
    int samples = argc > 4 ? atoi(argv[4]) : 4;
    double seconds = argc > 5 ? atof(argv[5]) : 2.3;
    setenv("LP_NUM_THREADS", "0", 0);
    ctError error = {0};
    ctWindow window;
    ctStage stage = {0};
    ctView view;
    ctScene *scene = ctScene_Load(name, NULL, &error);
    if (scene == NULL || !ctWindow_Open(&window, "bench", width, height, true, false, &error)) {
        fprintf(stderr, "bench_draw: %s\n", error.message);
        return 1;
    }
    ctRenderer *renderer = ctRenderer_Create(&error);
    while (ctWorld_GetTime(scene->world) < seconds && ctWorld_Step(scene->world, &error)) {
    }
    if (renderer == NULL || !ctRenderer_SetSize(renderer, width, height, samples, &error) ||
        !ctStage_Set(&stage, renderer, scene, &error) || !ctStage_FindView(scene, NULL, &view)) {
        fprintf(stderr, "bench_draw: %s\n", error.message);
        return 1;
    }
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    double best = HUGE_VAL, read = HUGE_VAL;
    for (int i = 0; i < PICTURES && rgb != NULL; i++) {
        double begin = cpuSeconds();
        ctStage_DrawNow(&stage, &view, NULL, &error);
        glFinish();
        double drawn = cpuSeconds();
        ctRenderer_Read(renderer, rgb);
        best = fmin(best, drawn - begin);
        read = fmin(read, cpuSeconds() - drawn);
    }
    printf("%s %dx%d, %d samples: %.1f ms of CPU time to draw a picture, %.1f to read it\n", name, width, height,
           samples, 1e3 * best, 1e3 * read);
    free(rgb);
    ctStage_Free(&stage);
    ctRenderer_Destroy(renderer);
    ctWindow_Close(&window);
    ctScene_Destroy(scene);
    return 0;
}
