// Bodies that fall into a bin: CPU time per simulated second, overlaps, and when everything sleeps.
//
//     bench_pile [boxes|balls|mixed [COUNT [SECONDS [SEED [THREADS]]]]]
//
// Without arguments two tables: what a body costs against the number of boxes, all piles being equally deep, while they
// fall and settle; and the bin of a thousand over ten seconds, for most of which it sleeps. With arguments one pile,
// second by second.
#include "collision/gjk.h"
#include "collision/memory.h"
#include "engine/clatter.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIDE 0.15
#define FPS 60
#define LAYERS 20.0

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpuSeconds(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void addWall(ctWorld *world, ctVec3 normal, double offset)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, normal, offset, NULL);
    ctWorld_CreateBody(world, &def, NULL);
}

// Columns of bodies in random attitudes above a bin, about twenty in each whatever the number: its floor grows with
// them, so that piles of all sizes are equally deep. For a thousand there are seven by seven. What is round needs some
// resistance to rolling, or it never rests.
static ctWorld *makeBin(const char *kind, int count, int seed)
{
    ctWorldDef worldDef = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&worldDef, NULL);
    double rolling = strcmp(kind, "boxes") == 0 ? 0.0 : 1e-3;
    ctCoefficients pair = {.friction = 0.5, .restitution = 0.2, .rolling = rolling, .spinning = rolling};
    ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL);
    int columns = (int)fmax(1.0, sqrt(count / LAYERS) + 0.5);
    double half = 0.136 * columns + 0.048;
    addWall(world, ctV3(0, 0, 1), 0.0);
    addWall(world, ctV3(1, 0, 0), -half);
    addWall(world, ctV3(-1, 0, 0), -half);
    addWall(world, ctV3(0, 1, 0), -half);
    addWall(world, ctV3(0, -1, 0), -half);
    ctShapeId shapes[4] = {ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL),
                           ctWorld_CreateSphere(world, 0.5 * SIDE, NULL),
                           ctWorld_CreateCylinder(world, 0.4 * SIDE, SIDE, NULL),
                           ctWorld_CreateCapsule(world, 0.35 * SIDE, 0.6 * SIDE, NULL)};
    ctRandom r = ctRandomSeed((uint64_t)seed);
    ctBodyDef def = ctDefaultBodyDef();
    for (int i = 0; i < count; i++) {
        int x = i % columns, y = i / columns % columns, z = i / (columns * columns);
        ctVec3 cell = ctV3(0.18 - half + 0.272 * x, 0.18 - half + 0.272 * y, 0.2 + 0.272 * z);
        def.shape = shapes[strcmp(kind, "mixed") == 0 ? i % 4 : strcmp(kind, "balls") == 0];
        def.position = ctAdd(cell, ctV3(ctRandomUniform(&r, 0, 0.01), ctRandomUniform(&r, 0, 0.01), 0));
        def.orientation = ctRandomQuat(&r);
        def.spin = ctRandomVec3(&r, -0.5, 0.5);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

// Overlaps as they are, found anew from the shapes.
typedef struct Overlaps {
    int touching; // pairs nearer than 1e-3 of the side
    double mean;  // over those, m
    double deepest;
    int outside; // bodies whose centre has left the bin
} Overlaps;

static Overlaps measure(const ctWorld *world)
{
    int count = ctWorld_GetBodyCount(world);
    ctPose *poses = ctAllocate((size_t)count, sizeof *poses);
    const ctShape **shapes = ctAllocate((size_t)count, sizeof *shapes);
    Overlaps o = {0};
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        ctTransform t = ctBody_GetTransform(world, id);
        poses[i] = (ctPose){t.p, ctMat3FromQuat(t.q)};
        shapes[i] = ctWorld_GetShape(world, ctBody_GetShape(world, id));
        for (int j = 0; j < i; j++) {
            bool plane = shapes[j]->type == ct_shapePlane;
            if (shapes[i]->type == ct_shapePlane ||
                (!plane && ctDistance(poses[i].p, poses[j].p) > shapes[i]->boundRadius + shapes[j]->boundRadius)) {
                continue;
            }
            ctClosest closest;
            ctClosestPoints(shapes[i], &poses[i], shapes[j], &poses[j], NULL, &closest);
            if (closest.distance < 1e-3 * SIDE) {
                o.touching++;
                o.mean += fmax(0.0, -closest.distance);
                o.deepest = fmax(o.deepest, -closest.distance);
            }
            o.outside += plane && closest.distance < -0.5 * SIDE;
        }
    }
    o.mean /= o.touching > 0 ? o.touching : 1;
    ctFree(poses);
    ctFree(shapes);
    return o;
}

typedef struct Result {
    double cpu, worst; // s: of the whole run, of its worst second
    double wall;       // s: that passed meanwhile
    double asleepAt;   // s: when everything slept first; infinite
    double rise;       // J: the largest rise of the energy in one frame, without what pushing overlaps apart lifts
    Overlaps end;
    double deepest; // m: at the end of any second
} Result;

static double energyOf(const ctStats *stats)
{
    return stats->kineticEnergy + stats->potentialEnergy - stats->pushWork;
}

static Result run(ctWorld *world, int length, bool verbose)
{
    Result r = {.asleepAt = INFINITY};
    ctStats stats = ctWorld_GetStats(world);
    double energy = energyOf(&stats);
    ctWorld_SetProfiling(world, verbose);
    for (int s = 1; s <= length; s++) {
        double start, spent = 0.0, wall = seconds(CLOCK_MONOTONIC);
        ctStats before = ctWorld_GetStats(world);
        for (int frame = 0; frame < FPS; frame++) {
            start = cpuSeconds();
            ctWorld_Step(world, NULL);
            spent += cpuSeconds() - start;
            stats = ctWorld_GetStats(world);
            double now = energyOf(&stats);
            r.rise = fmax(r.rise, now - energy);
            energy = now;
            if (stats.asleep == stats.dynamicBodies && !(r.asleepAt < (double)INFINITY)) {
                r.asleepAt = ctWorld_GetTime(world);
            }
        }
        r.wall += seconds(CLOCK_MONOTONIC) - wall;
        r.cpu += spent;
        r.worst = fmax(r.worst, spent);
        r.end = measure(world);
        r.deepest = fmax(r.deepest, r.end.deepest);
        if (verbose) {
            printf("%3d s: cpu %.3f (contact %.3f impact %.3f distance %.3f boxes %.3f) impacts %lld steps %lld "
                   "asleep %d islands %d kinetic %.2e J, overlap deepest %.4f mean %.2e of %d, outside %d\n",
                   s, spent, stats.cpuContact - before.cpuContact, stats.cpuImpact - before.cpuImpact,
                   stats.cpuDistance - before.cpuDistance, stats.cpuBroadphase - before.cpuBroadphase,
                   (long long)(stats.impacts - before.impacts), (long long)(stats.contactSteps - before.contactSteps),
                   stats.asleep, stats.islands, stats.kineticEnergy, r.end.deepest / SIDE, r.end.mean / SIDE,
                   r.end.touching, r.end.outside);
            fflush(stdout);
        }
    }
    return r;
}

static void header(void)
{
    printf("%-6s %6s %9s %9s %9s %9s %9s %9s %9s %7s %7s\n", "shape", "count", "cpu s/s", "worst s", "us/s/body",
           "deep ever", "deep", "mean end", "rise J", "outside", "asleep");
}

static void line(const char *kind, int count, int length)
{
    ctWorld *world = makeBin(kind, count, 1);
    Result r = run(world, length, false);
    ctStats stats = ctWorld_GetStats(world);
    printf("%-6s %6d %9.3f %9.3f %9.1f %9.4f %9.4f %9.1e %9.1e %7d %7.1f\n", kind, count, r.cpu / length, r.worst,
           1e6 * r.cpu / length / count, stats.maxPenetration / SIDE, r.deepest / SIDE, r.end.mean / SIDE, r.rise,
           r.end.outside, r.asleepAt);
    fflush(stdout);
    ctWorld_Destroy(world);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        int count = argc > 2 ? atoi(argv[2]) : 1000, length = argc > 3 ? atoi(argv[3]) : 10;
        ctWorld *world = makeBin(argv[1], count, argc > 4 ? atoi(argv[4]) : 1);
        ctWorld_SetThreads(world, argc > 5 ? atoi(argv[5]) : 1, NULL, NULL);
        Result r = run(world, length, true);
        ctStats stats = ctWorld_GetStats(world);
        printf("%.3f cpu s/s, %.3f s pass, deepest ever %.4f, largest rise of energy %.2e J, all asleep at %.2f s, "
               "hash %016llx\n",
               r.cpu / length, r.wall / length, stats.maxPenetration / SIDE, r.rise, r.asleepAt,
               (unsigned long long)ctWorld_Hash(world));
        ctWorld_Destroy(world);
        return 0;
    }
    printf("Cost against number: %.0f layers at every number, the first 3 s\n", LAYERS);
    header();
    const int counts[] = {100, 300, 1000, 3000, 10000};
    for (int k = 0; k < 5; k++) {
        line("boxes", counts[k], 3);
    }
    printf("\nThe bin of a thousand, 10 s\n");
    header();
    line("boxes", 1000, 10);
    line("balls", 1000, 10);
    line("mixed", 1000, 10);
    return 0;
}
