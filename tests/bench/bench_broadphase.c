// The broadphase over the number of bodies: building, a frame in which everything moves, and single bodies that
// change course inside a frame.
#include "collision/broadphase.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long begun, ended;

static int onBegin(void *context, int a, int b)
{
    (void)context, (void)a, (void)b;
    return (int)(++begun & 0xffffff);
}

static void onEnd(void *context, int a, int b, int tag)
{
    (void)context, (void)a, (void)b, (void)tag;
    ended++;
}

typedef struct {
    ctVec3 x, v;
    double radius;
} Ball;

static ctBox boxOf(const Ball *b, double duration)
{
    ctMotion m = {.x = b->x, .v = b->v};
    return ctSweptBox(&m, b->radius, duration);
}

static void bounce(double *x, double *v, double side)
{
    if ((*x < 0.0 && *v < 0.0) || (*x > side && *v > 0.0)) {
        *v = -*v;
    }
}

static void move(Ball *b, double side, double dt)
{
    b->x = ctMulAdd(b->x, dt, b->v);
    bounce(&b->x.x, &b->v.x, side);
    bounce(&b->x.y, &b->v.y, side);
    bounce(&b->x.z, &b->v.z, side);
}

static const ctPairSink sink = {onBegin, onEnd, NULL, NULL};

typedef enum { equalSizes, mixedSizes, extremeSizes } Sizes;

static const char *const sizeNames[] = {"equal", "mixed", "x1000"};

// Mixed: the number falls with the cube of the size, so that every size fills as much space. Extreme: with its
// square, up to a thousand times the smallest, and one of these in any case.
static double randomRadius(ctRandom *r, Sizes sizes, int i)
{
    double mean = 0.0288, least = 0.5 * mean, u = ctRandomUniform(r, 0, 1) * (1.0 - 1e-9) + 1e-9;
    if (sizes == equalSizes) {
        return mean;
    }
    double ratio = sizes == mixedSizes ? 1.0 / cbrt(u) : i == 0 ? 1000.0 : 1.0 / sqrt(u);
    return least * (ratio < 1000.0 ? ratio : 1000.0);
}

// Balls at a volume fraction of 0.1, 1 m/s.
static void run(int n, Sizes sizes)
{
    ctRandom r = ctRandomSeed(1);
    Ball *balls = calloc((size_t)n, sizeof *balls);
    if (balls == NULL) {
        return;
    }
    double volume = 0.0, frame = 1.0 / 60;
    for (int i = 0; i < n; i++) {
        balls[i].radius = randomRadius(&r, sizes, i);
        volume += 4.0 / 3.0 * CT_PI * pow(balls[i].radius, 3.0);
    }
    double side = cbrt(volume / 0.1);
    ctBroadphase *bp = ctBroadphase_Create(NULL);
    for (int i = 0; i < n; i++) {
        balls[i].x = ctRandomVec3(&r, 0, side);
        balls[i].v = ctScale(1.0 / sqrt(3.0), ctV3(ctRandomNormal(&r), ctRandomNormal(&r), ctRandomNormal(&r)));
    }
    begun = ended = 0;
    double t0 = now();
    for (int i = 0; i < n; i++) {
        (void)ctBroadphase_Add(bp, i, boxOf(&balls[i], frame), 0, &sink, NULL);
    }
    double build = now() - t0;

    int frames = n > 20000 ? 6 : 20;
    double moving = 0.0;
    for (int f = 0; f < frames; f++) {
        for (int i = 0; i < n; i++) {
            move(&balls[i], side, frame);
        }
        t0 = now();
        for (int i = 0; i < n; i++) {
            (void)ctBroadphase_Move(bp, i, boxOf(&balls[i], frame), 0, &sink, NULL);
        }
        moving += now() - t0;
    }

    // Event by event: each body renews its box (half a radius of travel and some room) when it is used up or when
    // its course changes, eleven times a second, and the broadphase answers at once.
    double *until = calloc((size_t)n, sizeof *until);
    long renewals = 0;
    double single = 0.0, tick = frame / 8.0;
    int ticks = n > 20000 ? 8 : 40;
    for (int k = 0; until != NULL && k < ticks; k++) {
        for (int i = 0; i < n; i++) {
            move(&balls[i], side, tick);
            if (ctRandomUniform(&r, 0, 1) < 11.0 * tick) {
                balls[i].v = ctScale(ctLength(balls[i].v), ctRandomUnit(&r));
                until[i] = 0.0;
            }
        }
        t0 = now();
        for (int i = 0; i < n; i++) {
            if (until[i] <= (k + 1) * tick) {
                double life = 0.5 * balls[i].radius / (ctLength(balls[i].v) + 1e-9);
                life = life < frame ? frame : life > 16.0 * frame ? 16.0 * frame : life;
                until[i] = k * tick + life;
                Ball wide = balls[i];
                wide.radius *= 1.2;
                (void)ctBroadphase_Move(bp, i, boxOf(&wide, life), 0, &sink, NULL);
                renewals++;
            }
        }
        single += now() - t0;
    }
    free(until);
    printf("%-6s %7d %9d %8.2f %12.0f %12.0f %12.0f\n", sizeNames[sizes], n, ctBroadphase_PairCount(bp),
           (double)ctBroadphase_PairCount(bp) / n, build / n * 1e9, moving / frames / n * 1e9,
           single / (double)renewals * 1e9);
    ctBroadphase_Destroy(bp);
    free(balls);
}

// With an argument: equal balls of that number only.
int main(int argc, char **argv)
{
    if (argc > 1) {
        run(atoi(argv[1]), equalSizes);
        return 0;
    }
    printf(
        "balls at a volume fraction of 0.1, moving by 0.58 radii a frame; ns of CPU per box: all added, all moved in\n"
        "a frame, one at a time with an answer each\n");
    printf("%-6s %7s %9s %8s %12s %12s %12s\n", "sizes", "n", "pairs", "per body", "build", "frame", "one");
    for (int sizes = equalSizes; sizes <= extremeSizes; sizes++) {
        for (int n = 100; n <= 100000; n *= 10) {
            run(n, (Sizes)sizes);
        }
    }
    return 0;
}
