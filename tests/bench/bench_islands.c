// Many islands that have nothing to do with each other: what a frame costs against their number.
//
//     bench_islands [stacks|rain|towers|rows|floor [COUNT [SECONDS [THREADS]]]]
//
// stacks: so many stacks of five boxes on a plane, a millimetre between the boxes, so that all of them land at once.
// rain: so many boxes in random attitudes that fall on a plane from different heights, each on a place of its own.
// towers: so many towers of eight boxes whose tops have been pushed, so that they sway.
// rows: so many rows of twenty dominoes, all of them pushed over at the same moment.
// floor: so many boxes that lie on a plane, each apart from the others: what the first frame costs.
// Without arguments a table of the first two, with the exponent of the cost from each number to the next. THREADS:
// those of the world (0: all); costs are CPU times, and in the last column time as it passes.
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
#define DOMINOES 20
#define TOWER 8

static double secondsOf(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpuSeconds(void)
{
    return secondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

static double wallSeconds(void)
{
    return secondsOf(CLOCK_MONOTONIC);
}

static ctWorld *makeFloor(int threads)
{
    ctWorldDef worldDef = ctDefaultWorldDef();
    worldDef.threads = threads;
    ctWorld *world = ctWorld_Create(&worldDef, NULL);
    ctWorld_SetMaterial(world, (ctMaterialId){0}, (ctCoefficients){.friction = 0.5, .restitution = 0.2}, NULL);
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, ctV3(0, 0, 1), 0.0, NULL);
    ctWorld_CreateBody(world, &def, NULL);
    return world;
}

static ctWorld *makeStacks(int count, int threads)
{
    ctWorld *world = makeFloor(threads);
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

static ctWorld *makeRain(int count, int threads)
{
    ctWorld *world = makeFloor(threads);
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

static ctWorld *makeTowers(int count, int threads)
{
    ctWorld *world = makeFloor(threads);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    int row = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < TOWER; k++) {
            def.position = ctV3(0.5 * (i % row), 0.5 * (i / row), 0.05 + 0.1 * k);
            def.velocity = ctV3(k == TOWER - 1 ? 0.1 + 0.001 * i : 0.0, 0.0, 0.0);
            ctWorld_CreateBody(world, &def, NULL);
        }
    }
    return world;
}

static ctWorld *makeRows(int count, int threads)
{
    ctWorld *world = makeFloor(threads);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.008, 0.024, 0.048), NULL);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < DOMINOES; k++) {
            def.position = ctV3(0.024 * k, 0.1 * i, 0.024);
            def.spin = k == 0 ? ctV3(0.0, 3.0 + 0.01 * i, 0.0) : ctV3(0.0, 0.0, 0.0);
            def.velocity = k == 0 ? ctV3(0.072, 0.0, 0.0) : ctV3(0.0, 0.0, 0.0);
            ctWorld_CreateBody(world, &def, NULL);
        }
    }
    return world;
}

static ctWorld *makeLying(int count, int threads)
{
    ctWorld *world = makeFloor(threads);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL);
    int row = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        def.position = ctV3(3.0 * SIDE * (i % row), 3.0 * SIDE * (i / row), 0.5 * SIDE);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

typedef struct Cost {
    double first, worst, all; // s: the first frame, the worst of the others, all
} Cost;

typedef ctWorld *MakeFn(int count, int threads);
typedef struct Scene {
    const char *name;
    MakeFn *make;
} Scene;
static const Scene scenes[] = {
    {"stacks", makeStacks}, {"rain", makeRain}, {"towers", makeTowers}, {"rows", makeRows}, {"floor", makeLying}};

static Cost run(const Scene *scene, int count, double seconds, int threads)
{
    ctWorld *world = scene->make(count, threads);
    Cost cost = {0};
    double began = wallSeconds();
    for (int i = 0; i < (int)(FPS * seconds); i++) {
        double start = cpuSeconds();
        ctWorld_Step(world, NULL);
        double spent = cpuSeconds() - start;
        cost.all += spent;
        cost.first = i == 0 ? spent : cost.first;
        cost.worst = i == 0 ? 0.0 : fmax(cost.worst, spent);
    }
    double passed = wallSeconds() - began;
    ctStats stats = ctWorld_GetStats(world);
    printf("%-6s %6d %10.2f %10.2f %9.3f %9lld %9lld %7d  %016llx %9.3f", scene->name, count, 1e3 * cost.first,
           1e3 * cost.worst, cost.all / seconds, (long long)stats.impacts, (long long)stats.contactSteps, stats.asleep,
           (unsigned long long)ctWorld_Hash(world), passed / seconds);
    ctWorld_Destroy(world);
    return cost;
}

static void header(void)
{
    printf("%-6s %6s %10s %10s %9s %9s %9s %7s  %16s %9s %8s\n", "scene", "count", "first ms", "worst ms", "cpu s/s",
           "impacts", "steps", "asleep", "hash", "passed", "exponent");
}

int main(int argc, char **argv)
{
    header();
    if (argc > 1) {
        for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
            if (strcmp(argv[1], scenes[i].name) == 0) {
                run(&scenes[i], argc > 2 ? atoi(argv[2]) : 1000, argc > 3 ? atof(argv[3]) : 2.0,
                    argc > 4 ? atoi(argv[4]) : 1);
                printf("\n");
                return 0;
            }
        }
        fprintf(stderr, "bench_islands: stacks, rain, towers, rows or floor\n");
        return 2;
    }
    const int counts[] = {100, 300, 1000, 3000};
    for (int rain = 0; rain < 2; rain++) {
        double last = 0.0;
        for (int i = 0; i < 4; i++) {
            Cost cost = run(&scenes[rain], counts[i], 2.0, 1);
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
