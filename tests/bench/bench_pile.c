// Boxes that fall into a bin: CPU time per simulated second, deepest overlap, what sleeps in the end.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <time.h>

static double cpuSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void addWall(ctWorld *world, ctVec3 normal, double offset)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, normal, offset, NULL);
    ctWorld_CreateBody(world, &def, NULL);
}

static ctWorld *makeBin(int count)
{
    ctWorldDef worldDef = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&worldDef, NULL);
    ctPair pair = {.friction = 0.5, .restitution = 0.2};
    ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL);
    addWall(world, ctV3(0, 0, 1), 0.0);
    addWall(world, ctV3(1, 0, 0), -1.0);
    addWall(world, ctV3(-1, 0, 0), -1.0);
    addWall(world, ctV3(0, 1, 0), -1.0);
    addWall(world, ctV3(0, -1, 0), -1.0);
    ctRandom r = ctRandomSeed(1);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.15, 0.15, 0.15), NULL);
    for (int i = 0; i < count; i++) {
        ctVec3 cell = ctV3(-0.82 + 0.272 * (i % 7), -0.82 + 0.272 * (i / 7 % 7), 0.2 + 0.272 * (i / 49));
        def.position = ctAdd(cell, ctV3(ctRandomUniform(&r, 0, 0.01), ctRandomUniform(&r, 0, 0.01), 0));
        def.orientation = ctRandomQuat(&r);
        def.spin = ctRandomVec3(&r, -0.5, 0.5);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

int main(void)
{
    const int counts[] = {100, 300, 1000};
    const double seconds = 6.0;
    printf("%6s %10s %10s %12s %10s %8s %8s\n", "boxes", "cpu s/s", "worst s/s", "overlap/side", "impacts", "steps",
           "asleep");
    for (int k = 0; k < 3; k++) {
        ctWorld *world = makeBin(counts[k]);
        double start = cpuSeconds(), worst = 0.0, second = start;
        for (int frame = 1; frame <= (int)(60.0 * seconds); frame++) {
            ctWorld_Step(world, NULL);
            if (frame % 60 == 0) {
                double now = cpuSeconds();
                worst = now - second > worst ? now - second : worst;
                second = now;
            }
        }
        ctStats stats = ctWorld_GetStats(world);
        printf("%6d %10.3f %10.3f %12.4f %10lld %8lld %8d\n", counts[k], (cpuSeconds() - start) / seconds, worst,
               stats.maxPenetration / 0.15, (long long)stats.impacts, (long long)stats.contactSteps, stats.asleep);
        ctWorld_Destroy(world);
    }
    return 0;
}
