// How much faster than real time each demo runs: whole run, and its slowest frame. bench_demos NAME... runs some only.
#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double cpuSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool isChosen(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return argc < 2;
}

static bool bench(const char *name)
{
    ctError error = {ct_ok, ""};
    double start = cpuSeconds();
    ctScene *scene = ctScene_Load(name, NULL, &error);
    if (scene == NULL) {
        printf("%-12s %s\n", name, error.message);
        return false;
    }
    double loaded = cpuSeconds(), before = loaded, slowest = 0.0;
    double frame = ctWorld_GetSettings(scene->world).frameTime;
    while (ctWorld_GetTime(scene->world) < scene->seconds - 0.5 * frame) {
        if (!ctWorld_Step(scene->world, &error)) {
            printf("%-12s %s\n", name, error.message);
            ctScene_Destroy(scene);
            return false;
        }
        double now = cpuSeconds();
        slowest = fmax(slowest, now - before);
        before = now;
    }
    double spent = before - loaded;
    ctStats stats = ctWorld_GetStats(scene->world);
    printf("%-12s %6d %8.2f %9.1f %9.2f %10.2f %10.2f %9ld %10ld %10.2g\n", name, stats.bodies, 1e3 * (loaded - start),
           scene->seconds, 1e3 * spent / scene->seconds, scene->seconds / fmax(spent, 1e-9),
           frame / fmax(slowest, 1e-9), (long)stats.impacts, (long)stats.contactSteps, stats.maxPenetration);
    ctScene_Destroy(scene);
    return true;
}

int main(int argc, char **argv)
{
    ctDemo *demos;
    int count;
    ctError error = {ct_ok, ""};
    if (!ctDemos_List(&demos, &count, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    bool ok = true;
    printf("%-12s %6s %8s %9s %9s %10s %10s %9s %10s %10s\n", "demo", "bodies", "load ms", "seconds", "ms/s",
           "x realtime", "worst x", "impacts", "steps", "overlap m");
    for (int i = 0; i < count; i++) {
        if (isChosen(demos[i].name, argc, argv)) {
            ok = bench(demos[i].name) && ok;
        }
    }
    ctDemos_Free(demos, count);
    return ok ? 0 : 1;
}
