// The same scenes in Clatter, Bullet and ODE, in one run: what a simulated second costs, and how right it is.
//
//     compare [COMMIT DATE] [NAME ...]
//
// Clatter runs at 60 frames a second. The others run at 60 steps a second, and again at the most steps with which they
// are still ten times faster than real time (1, 2, 4 ... in a frame). Of each run: CPU time per simulated second; the
// deepest overlap of two bodies at the end of any eighth frame, and the mean of those at the end, as shares of the
// size; and by how much the energy has risen above what it had been, as a share of what can be turned over. Nothing
// may rise there; a gas must keep what it has, so that its change counts.
#include "collision/gjk.h"
#include "collision/memory.h"
#include "collision/quat.h"
#include "tests/support/random.h"
#include "tests/validate/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FPS 60
#define SIZE 0.2
#define GRAVITY 9.81
#define FASTER 10.0 // than real time
enum { MOST_BODIES = 1024, MOST_WALLS = 6, MOST_STEPS = 64, SAMPLE = 8 };

typedef struct Scene {
    const ctPeer *peer;
    ctPeerWorld *world;
    int count;
    int ids[MOST_BODIES];
    ctPeerBody start[MOST_BODIES];
    ctShape *shapes[MOST_BODIES]; // overlaps are found with them
    int wallCount;
    ctShape *walls[MOST_WALLS];
    double gravity;
} Scene;

typedef struct Work {
    const char *name, *what;
    double seconds, friction, restitution, gravity;
    void (*build)(Scene *s);
} Work;

// ---- scenes -----------------------------------------------------------------------------------

static void addWall(Scene *s, ctVec3 normal, double offset)
{
    s->walls[s->wallCount++] = ctShape_Plane(normal, offset, NULL);
    s->peer->wall(s->world, normal, offset);
}

static void addBox(Scene *s, ctVec3 size, ctPeerBody body)
{
    double m = 1000.0 * size.x * size.y * size.z, k = m / 12.0;
    body.mass = m;
    body.inertia = ctV3(k * (size.y * size.y + size.z * size.z), k * (size.x * size.x + size.z * size.z),
                        k * (size.x * size.x + size.y * size.y));
    s->start[s->count] = body;
    s->shapes[s->count] = ctShape_Box(size, NULL);
    s->ids[s->count++] = s->peer->box(s->world, size, &body);
}

static void addBall(Scene *s, double radius, ctPeerBody body)
{
    body.mass = 1000.0 * 4.0 / 3.0 * CT_PI * radius * radius * radius;
    double i = 0.4 * body.mass * radius * radius;
    body.inertia = ctV3(i, i, i);
    s->start[s->count] = body;
    s->shapes[s->count] = ctShape_Sphere(radius, NULL);
    s->ids[s->count++] = s->peer->ball(s->world, radius, &body);
}

static ctPeerBody at(double x, double y, double z)
{
    return (ctPeerBody){.position = ctV3(x, y, z), .orientation = {1, 0, 0, 0}};
}

static void buildStacks(Scene *s)
{
    addWall(s, ctV3(0, 0, 1), 0.0);
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 5; k++) {
            addBox(s, ctV3(SIZE, SIZE, SIZE),
                   at(3.0 * SIZE * (i % 10), 3.0 * SIZE * (i / 10), (k + 0.5) * SIZE + 1e-3 * (k + 1)));
        }
    }
}

static void buildRain(Scene *s)
{
    addWall(s, ctV3(0, 0, 1), 0.0);
    ctRandom r = ctRandomSeed(3);
    for (int i = 0; i < 400; i++) {
        ctPeerBody body = at(3.0 * SIZE * (i % 20), 3.0 * SIZE * (i / 20), ctRandomUniform(&r, 0.5, 3.0));
        body.orientation = ctRandomQuat(&r);
        body.spin = ctRandomVec3(&r, -1.0, 1.0);
        addBox(s, ctV3(SIZE, SIZE, SIZE), body);
    }
}

static void buildPile(Scene *s)
{
    enum { SIDE = 4 };
    double half = 0.9 * SIZE * SIDE;
    addWall(s, ctV3(0, 0, 1), 0.0);
    addWall(s, ctV3(1, 0, 0), -half);
    addWall(s, ctV3(-1, 0, 0), -half);
    addWall(s, ctV3(0, 1, 0), -half);
    addWall(s, ctV3(0, -1, 0), -half);
    ctRandom r = ctRandomSeed(1);
    for (int i = 0; i < 240; i++) {
        double cell = 1.8 * SIZE;
        ctPeerBody body = at(-half + cell * (i % SIDE + 0.5), -half + cell * (i / SIDE % SIDE + 0.5),
                             0.2 + cell * (i / SIDE / SIDE + 0.5));
        body.orientation = ctRandomQuat(&r);
        addBox(s, ctV3(SIZE, SIZE, SIZE), body);
    }
}

static void buildGas(Scene *s)
{
    enum { SIDE = 8 };
    double cell = SIZE * 1.7, half = 0.5 * cell * SIDE;
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 == 0 ? 1.0 : -1.0;
        addWall(s, ctV3(k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0, k / 2 == 2 ? sign : 0.0), -half);
    }
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        ctPeerBody body = at(-half + cell * (i % SIDE + 0.5), -half + cell * (i / SIDE % SIDE + 0.5),
                             -half + cell * (i / SIDE / SIDE + 0.5));
        body.velocity = ctScale(2.0, ctRandomVec3(&r, -1.0, 1.0));
        addBall(s, 0.5 * SIZE, body);
    }
}

static void buildDominoes(Scene *s)
{
    addWall(s, ctV3(0, 0, 1), 0.0);
    for (int i = 0; i < 60; i++) {
        ctPeerBody body = at(0.12 * i, 0.0, 0.5 * 2.0 * SIZE);
        if (i == 0) {
            body.spin = ctV3(0.0, 3.0, 0.0);
            body.velocity = ctV3(3.0 * SIZE, 0.0, 0.0);
        }
        addBox(s, ctV3(0.25 * SIZE, SIZE, 2.0 * SIZE), body);
    }
}

static void buildTower(Scene *s)
{
    addWall(s, ctV3(0, 0, 1), 0.0);
    for (int k = 0; k < 20; k++) {
        addBox(s, ctV3(SIZE, SIZE, SIZE), at(0.02 * SIZE * (k % 3), 0.0, (k + 0.5) * SIZE));
    }
}

static const Work works[] = {
    {"stacks", "100 stacks of five boxes land", 2.0, 0.5, 0.2, GRAVITY, buildStacks},
    {"rain", "400 boxes fall on the floor, apart", 3.0, 0.5, 0.2, GRAVITY, buildRain},
    {"tower", "20 boxes on each other", 2.0, 0.5, 0.2, GRAVITY, buildTower},
    {"dominoes", "60 dominoes fall in a row", 4.0, 0.3, 0.2, GRAVITY, buildDominoes},
    {"pile", "240 boxes fall into a bin", 4.0, 0.5, 0.2, GRAVITY, buildPile},
    {"gas", "512 elastic balls between walls", 5.0, 0.0, 1.0, 0.0, buildGas},
};

// ---- measuring --------------------------------------------------------------------------------

static double cpuSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double energyOf(const Scene *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->count; i++) {
        ctPeerBody b = s->peer->state(s->world, s->ids[i]);
        ctVec3 w = ctRotate(ctConjugate(b.orientation), b.spin), inertia = s->start[i].inertia;
        sum += s->start[i].mass * (0.5 * ctLengthSquared(b.velocity) + s->gravity * b.position.z) +
               0.5 * (inertia.x * w.x * w.x + inertia.y * w.y * w.y + inertia.z * w.z * w.z);
    }
    return sum;
}

typedef struct Overlaps {
    double deepest, mean; // of SIZE
} Overlaps;

static void note(Overlaps *o, double distance, int *touching)
{
    if (distance < 1e-3 * SIZE) {
        double depth = fmax(0.0, -distance) / SIZE;
        o->deepest = fmax(o->deepest, depth);
        o->mean += depth;
        (*touching)++;
    }
}

// Overlaps as they are, from poses and shapes.
static Overlaps overlapsOf(const Scene *s)
{
    static ctPose poses[MOST_BODIES];
    const ctPose still = {ctZero3(), ctMat3Identity()};
    Overlaps o = {0.0, 0.0};
    int touching = 0;
    for (int i = 0; i < s->count; i++) {
        ctPeerBody b = s->peer->state(s->world, s->ids[i]);
        poses[i] = (ctPose){b.position, ctMat3FromQuat(b.orientation)};
        for (int k = 0; k < s->wallCount; k++) {
            ctClosest closest;
            ctClosestPoints(s->shapes[i], &poses[i], s->walls[k], &still, NULL, &closest);
            note(&o, closest.distance, &touching);
        }
        for (int k = 0; k < i; k++) {
            if (ctDistance(poses[i].p, poses[k].p) <= s->shapes[i]->boundRadius + s->shapes[k]->boundRadius) {
                ctClosest closest;
                ctClosestPoints(s->shapes[i], &poses[i], s->shapes[k], &poses[k], NULL, &closest);
                note(&o, closest.distance, &touching);
            }
        }
    }
    o.mean /= touching > 0 ? touching : 1;
    return o;
}

typedef struct Result {
    double cpu, worst; // s: per simulated second; of the worst frame
    Overlaps overlaps;
    double energy;
} Result;

static Result run(const ctPeer *peer, const Work *work, int steps, double limit)
{
    static Scene s;
    s = (Scene){.peer = peer, .gravity = work->gravity};
    s.world = peer->create(ctV3(0, 0, -work->gravity), work->friction, work->restitution, 1.0 / (FPS * (double)steps));
    work->build(&s);
    Result r = {0};
    int frames = (int)(FPS * work->seconds);
    double start = energyOf(&s), lowest = start, end = start;
    for (int i = 1; i <= frames && r.cpu <= limit * work->seconds; i++) {
        double before = cpuSeconds();
        for (int k = 0; k < steps; k++) {
            peer->step(s.world);
        }
        double spent = cpuSeconds() - before;
        r.cpu += spent;
        r.worst = fmax(r.worst, spent);
        end = energyOf(&s);
        r.energy = fmax(r.energy, end - lowest);
        lowest = fmin(lowest, end);
        if (i % SAMPLE == 0 || i == frames) {
            Overlaps o = overlapsOf(&s);
            r.overlaps = (Overlaps){fmax(r.overlaps.deepest, o.deepest), o.mean};
        }
    }
    r.cpu /= work->seconds;
    // What a fall can turn over; of a gas, what it has.
    r.energy = (work->gravity > 0.0 ? r.energy : fabs(end - start)) / fabs(start);
    peer->destroy(s.world);
    for (int i = 0; i < s.count; i++) {
        ctShape_Release(s.shapes[i]);
    }
    for (int i = 0; i < s.wallCount; i++) {
        ctShape_Release(s.walls[i]);
    }
    return r;
}

// One or two digits, and no powers of ten where a person can do without.
static const char *shortly(double value, char text[16])
{
    snprintf(text, 16, value >= 10.0 ? "%.0f" : "%.1g", value);
    return text;
}

static void print(const Work *work, const char *engine, int steps, Result r, double ours)
{
    char deepest[16], mean[16], energy[16];
    printf("| %s | %s, %d Hz | %.1f | %.1f | %.2f | %s %% | %s %% | %s |\n", work->name, engine, FPS * steps,
           1e3 * r.cpu, 1e3 * r.worst, r.cpu / ours, shortly(100.0 * r.overlaps.deepest, deepest),
           shortly(100.0 * r.overlaps.mean, mean), shortly(r.energy, energy));
    fflush(stdout);
}

static void compare(const Work *work)
{
    Result own = run(&ctPeerClatter, work, 1, INFINITY);
    print(work, "Clatter", 1, own, own.cpu);
    const ctPeer *peers[] = {&ctPeerBullet, &ctPeerOde};
    for (int i = 0; i < 2; i++) {
        Result coarse = run(peers[i], work, 1, INFINITY), finest = coarse;
        int steps = 1;
        print(work, peers[i]->name, 1, coarse, own.cpu);
        while (finest.cpu < 1.0 / FASTER && steps < MOST_STEPS) {
            Result next = run(peers[i], work, 2 * steps, 1.0 / FASTER);
            if (!(next.cpu < 1.0 / FASTER)) {
                break;
            }
            finest = next;
            steps *= 2;
        }
        if (steps > 1) {
            print(work, peers[i]->name, steps, finest, own.cpu);
        }
    }
}

static bool isChosen(const Work *work, int count, char **names)
{
    bool chosen = count == 0;
    for (int i = 0; i < count; i++) {
        chosen = chosen || strcmp(names[i], work->name) == 0;
    }
    return chosen;
}

int main(int argc, char **argv)
{
    enum { COUNT = sizeof works / sizeof works[0], NAMES = 3 };
    int names = argc > NAMES ? argc - NAMES : 0, chosen = 0;
    for (int i = 0; i < COUNT; i++) {
        chosen += isChosen(&works[i], names, argv + NAMES);
    }
    if (chosen == 0 || chosen < names) {
        fprintf(stderr, "compare: the benchmarks are");
        for (int i = 0; i < COUNT; i++) {
            fprintf(stderr, " %s", works[i].name);
        }
        fprintf(stderr, "\n");
        return 2;
    }
    ctPeerOde_SetQuick(true);
    fprintf(stderr, "%d of %d scenes in three engines: about %d s\n", chosen, (int)COUNT, 8 * chosen);
    if (argc >= NAMES) {
        printf("Commit %s, %s.\n\n", argv[1], argv[2]);
    }
    for (int i = 0; i < COUNT; i++) {
        if (isChosen(&works[i], names, argv + NAMES)) {
            printf("- %s: %s, %g s\n", works[i].name, works[i].what, works[i].seconds);
        }
    }
    printf("\n| work | engine | CPU ms per s | worst frame, ms | times Clatter | deepest overlap | mean at the end | "
           "energy |\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < COUNT; i++) {
        if (isChosen(&works[i], names, argv + NAMES)) {
            compare(&works[i]);
        }
    }
    return 0;
}
