// The elastic gas: cost per simulated second against the number of spheres, events per second, drift.
// Fast spheres against a thin plate.  bench_world [SPHERES [PHI [SECONDS]]] | plates SHOTS
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpuSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void require(bool ok, const ctError *error)
{
    if (!ok) {
        fprintf(stderr, "bench_world: %s\n", error->message);
        exit(1);
    }
}

// At a share of 0.1 of the volume, ten thousand spheres of this radius (m) at 1 m/s have 54,000 impacts a second.
#define RADIUS 0.055

// n frictionless elastic spheres fill the share phi of a cube of six planes, with v_rms = 1 m/s. The
// radius is the same for every n, so that the rate of collisions per sphere is as well.
static ctWorld *makeGas(int n, double phi, double radius)
{
    ctError error;
    ctWorldDef def = ctDefaultWorldDef();
    def.gravity = ctZero3();
    ctWorld *world = ctWorld_Create(&def, &error);
    require(world != NULL, &error);
    require(ctWorld_SetMaterial(world, (ctMaterialId){0}, (ctCoefficients){.restitution = 1.0}, &error), &error);
    double side = radius * cbrt(n * 4.0 / 3.0 * CT_PI / phi);
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 == 0 ? 1.0 : -1.0;
        ctVec3 normal = ctV3(k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0, k / 2 == 2 ? sign : 0.0);
        ctBodyDef wall = ctDefaultBodyDef();
        wall.motion = ct_motionFixed;
        wall.shape = ctWorld_CreatePlane(world, normal, sign > 0.0 ? 0.0 : -side, &error);
        require(ctWorld_CreateBody(world, &wall, &error).index1 != 0, &error);
    }
    int perSide = (int)ceil(cbrt(n));
    double cell = side / perSide;
    ctRandom r = ctRandomSeed(5);
    ctShapeId sphere = ctWorld_CreateSphere(world, radius, &error);
    for (int i = 0; i < n; i++) {
        ctBodyDef ball = ctDefaultBodyDef();
        ball.shape = sphere;
        ctVec3 jitter = ctRandomVec3(&r, radius - 0.5 * cell, 0.5 * cell - radius);
        ctVec3 corner = ctV3(i % perSide + 0.5, i / perSide % perSide + 0.5, i / perSide / perSide + 0.5);
        ball.position = ctMulAdd(ctScale(0.99, jitter), cell, corner);
        // One at a time: the order of calls inside one expression is the compiler's choice.
        double vx = ctRandomNormal(&r), vy = ctRandomNormal(&r), vz = ctRandomNormal(&r);
        ball.velocity = ctScale(1.0 / sqrt(3.0), ctV3(vx, vy, vz));
        require(ctWorld_CreateBody(world, &ball, &error).index1 != 0, &error);
    }
    return world;
}

static void benchGas(int n, double phi, double seconds)
{
    ctError error;
    double built = cpuSeconds();
    ctWorld *world = makeGas(n, phi, RADIUS);
    built = cpuSeconds() - built;
    for (int i = 0; i < 30; i++) {
        require(ctWorld_Step(world, &error), &error);
    }
    ctStats before = ctWorld_GetStats(world);
    double start = cpuSeconds();
    for (int i = 0; i < (int)(60.0 * seconds); i++) {
        require(ctWorld_Step(world, &error), &error);
    }
    double cpu = cpuSeconds() - start;
    ctStats after = ctWorld_GetStats(world);
    double events = (double)(after.impacts - before.impacts);
    printf("%7d %5.2f %9.3f %10.4f %12.0f %14.0f %9.0f %10.1e\n", n, phi, built, cpu / seconds, events / seconds,
           events / cpu, 1e9 * cpu / events, fabs(after.kineticEnergy / before.kineticEnergy - 1.0));
    ctWorld_Destroy(world);
}

// One 10 mm sphere at 300 m/s against a 1 mm plate: true when it comes back, at the right speed.
static bool shoot(ctWorld *world, ctShapeId sphere, ctRandom *r)
{
    ctError error;
    ctVec3 direction = ctRandomUnit(r);
    direction.z = copysign(fmax(fabs(direction.z), 0.1), direction.z);
    direction = ctNormalize(direction);
    double side = direction.z < 0.0 ? 1.0 : -1.0, height = ctRandomUniform(r, 0.006, 0.4);
    ctVec3 target = ctV3(ctRandomUniform(r, -4, 4), ctRandomUniform(r, -4, 4), side * 0.0055);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = sphere;
    def.velocity = ctScale(300.0, direction);
    def.position = ctMulAdd(target, -height / fabs(direction.z), direction);
    ctBodyId ball = ctWorld_CreateBody(world, &def, &error);
    require(ball.index1 != 0, &error);
    for (int i = 0; i < 3; i++) {
        require(ctWorld_Step(world, &error), &error);
    }
    ctVec3 x = ctBody_GetCenter(world, ball), v = ctBody_GetVelocity(world, ball);
    ctVec3 expected = ctV3(def.velocity.x, def.velocity.y, -def.velocity.z);
    require(ctWorld_DestroyBody(world, ball, &error), &error);
    return side * x.z > 0.0055 && ctDistance(v, expected) < 1e-9 * 300.0;
}

static void benchPlates(int shots)
{
    ctError error;
    ctWorldDef def = ctDefaultWorldDef();
    def.gravity = ctZero3();
    ctWorld *world = ctWorld_Create(&def, &error);
    require(world != NULL, &error);
    require(ctWorld_SetMaterial(world, (ctMaterialId){0}, (ctCoefficients){.restitution = 1.0}, &error), &error);
    ctBodyDef plate = ctDefaultBodyDef();
    plate.motion = ct_motionFixed;
    plate.shape = ctWorld_CreateBox(world, ctV3(10, 10, 1e-3), &error);
    require(ctWorld_CreateBody(world, &plate, &error).index1 != 0, &error);
    ctShapeId sphere = ctWorld_CreateSphere(world, 0.005, &error);
    ctRandom r = ctRandomSeed(99);
    int wrong = 0;
    double start = cpuSeconds();
    for (int i = 0; i < shots; i++) {
        wrong += !shoot(world, sphere, &r);
    }
    printf("10 mm spheres at 300 m/s against a 1 mm plate: %d of %d passed or rebounded wrongly, %.2f us each\n", wrong,
           shots, 1e6 * (cpuSeconds() - start) / shots);
    ctWorld_Destroy(world);
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "plates") == 0) {
        benchPlates(atoi(argv[2]));
        return 0;
    }
    printf("%7s %5s %9s %10s %12s %14s %9s %10s\n", "spheres", "phi", "build s", "cpu s/s", "impacts/s",
           "impacts/cpu s", "ns each", "drift");
    if (argc > 1) {
        benchGas(atoi(argv[1]), argc > 2 ? atof(argv[2]) : 0.1, argc > 3 ? atof(argv[3]) : 1.0);
        return 0;
    }
    const int sizes[] = {100, 1000, 3000, 10000, 30000, 100000};
    for (int i = 0; i < 6; i++) {
        benchGas(sizes[i], 0.1, fmin(20.0, fmax(30000.0 / sizes[i], 1.0)));
    }
    benchGas(10000, 0.3, 1.0);
    benchGas(10000, 0.45, 0.5);
    benchPlates(100000);
    return 0;
}
