// Many islands that have nothing to do with each other: what a frame costs against their number.
//
//     bench_islands [stacks|rain [COUNT [SECONDS]]]
//
// stacks: so many stacks of five boxes on a plane, a millimetre between the boxes, so that all of them land at once.
// rain: so many boxes in random attitudes that fall on a plane from different heights, each on a place of its own.
// Without arguments a table of both, with the exponent of the cost from each number to the next.
#include "engine/clatter.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIDE 0.2
#define FPS 60
#define STACK 5

static double cpuSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ctWorld *makeFloor(void)
{
    ctWorldDef worldDef = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&worldDef, NULL);
    ctWorld_SetMaterial(world, (ctMaterialId){0}, (ctCoefficients){.friction = 0.5, .restitution = 0.2}, NULL);
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, ctV3(0, 0, 1), 0.0, NULL);
    ctWorld_CreateBody(world, &def, NULL);
    return world;
}

static ctWorld *makeStacks(int count)
{
    ctWorld *world = makeFloor();
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL);
    int row = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < STACK; k++) {
            def.position = ctV3(3.0 * SIDE * (i % row), 3.0 * SIDE * (i / row), (k + 0.5) * SIDE + 1e-3 * (k + 1));
            ctWorld_CreateBody(world, &def, NULL);
        }
    }
    return world;
}

static ctWorld *makeRain(int count)
{
    ctWorld *world = makeFloor();
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL);
    int row = (int)ceil(sqrt(count));
    ctRandom r = ctRandomSeed(3);
    for (int i = 0; i < count; i++) {
        def.position = ctV3(3.0 * SIDE * (i % row), 3.0 * SIDE * (i / row), ctRandomUniform(&r, 0.5, 3.0));
        def.orientation = ctRandomQuat(&r);
        def.spin = ctRandomVec3(&r, -1.0, 1.0);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

typedef struct Cost {
    double first, worst, all; // s: the first frame, the worst of the others, all
} Cost;

static Cost run(bool rain, int count, double seconds)
{
    ctWorld *world = rain ? makeRain(count) : makeStacks(count);
    Cost cost = {0};
    for (int i = 0; i < (int)(FPS * seconds); i++) {
        double start = cpuSeconds();
        ctWorld_Step(world, NULL);
        double spent = cpuSeconds() - start;
        cost.all += spent;
        cost.first = i == 0 ? spent : cost.first;
        cost.worst = i == 0 ? 0.0 : fmax(cost.worst, spent);
    }
    ctStats stats = ctWorld_GetStats(world);
    printf("%-6s %6d %10.2f %10.2f %9.3f %9lld %9lld %7d  %016llx", rain ? "rain" : "stacks", count, 1e3 * cost.first,
           1e3 * cost.worst, cost.all / seconds, (long long)stats.impacts, (long long)stats.contactSteps, stats.asleep,
           (unsigned long long)ctWorld_Hash(world));
    ctWorld_Destroy(world);
    return cost;
}

static void header(void)
{
    printf("%-6s %6s %10s %10s %9s %9s %9s %7s  %16s %8s\n", "scene", "count", "first ms", "worst ms", "cpu s/s",
           "impacts", "steps", "asleep", "hash", "exponent");
}

int main(int argc, char **argv)
{
    header();
    if (argc > 1) {
        bool rain = strcmp(argv[1], "rain") == 0;
        run(rain, argc > 2 ? atoi(argv[2]) : 1000, argc > 3 ? atof(argv[3]) : 2.0);
        printf("\n");
        return 0;
    }
    const int counts[] = {100, 300, 1000, 3000};
    for (int rain = 0; rain < 2; rain++) {
        double last = 0.0;
        for (int i = 0; i < 4; i++) {
            Cost cost = run(rain == 1, counts[i], 2.0);
            if (i > 0) {
                printf(" %8.2f", log(cost.all / last) / log((double)counts[i] / counts[i - 1]));
            }
            last = cost.all;
            printf("\n");
            fflush(stdout);
        }
    }
    return 0;
}
