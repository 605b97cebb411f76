// Time-of-impact bounds: how many checks an approach takes, what one costs, and whether the promise holds.
#include "tests/support/trajectories.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static ctShape *shapes[CT_MOVER_SHAPES];

#define MOST_STEPS 1000

typedef struct {
    long runs, arrivals, steps[MOST_STEPS + 1];
} Tally;

// Bound, move, measure, until 1e-9 m remain or the horizon is reached. Returns the number of bounds taken.
static int approach(ctMover a, ctMover b, double horizon, double *end, double *gap)
{
    ctGjkCache cache = {0};
    ctClosest c;
    double t = 0.0;
    int steps = 0;
    ctMoverPair_Closest(&a, &b, &cache, &c);
    while (c.distance > 1e-9 && t < horizon && steps < MOST_STEPS) {
        double step = ctMoverPair_Bound(&a, &b, &c, horizon - t, NULL);
        a = ctMover_At(&a, step);
        b = ctMover_At(&b, step);
        t += step;
        steps++;
        ctMoverPair_Closest(&a, &b, &cache, &c);
    }
    *end = t;
    *gap = c.distance;
    return steps;
}

static int percentile(const Tally *t, double part)
{
    long sum = 0;
    for (int i = 0; i <= MOST_STEPS; i++) {
        sum += t->steps[i];
        if ((double)sum >= part * (double)t->runs) {
            return i;
        }
    }
    return MOST_STEPS;
}

static void advancement(int perShape)
{
    printf("conservative advancement to 1e-9 m of contact, size 1 m: bounds taken, over %d random pairs per row\n",
           perShape);
    printf("%-12s %9s %6s %5s %5s %5s %6s %5s\n", "shape", "arrive %", "mean", "50 %", "90 %", "99 %", "99.9 %",
           "most");
    Tally all = {0};
    for (int k = 0; k < CT_MOVER_SHAPES - 1; k++) {
        ctRandom r = ctRandomSeed((uint64_t)(100 + k));
        Tally tally = {0};
        double sum = 0.0;
        for (int i = 0; i < perShape; i++) {
            ctMover a, b;
            double horizon, t, gap;
            ctMoverPair_Random(&r, shapes[k], shapes[ctRandomInt(&r, 0, CT_MOVER_SHAPES - 1)], &a, &b, &horizon);
            int steps = approach(a, b, horizon, &t, &gap);
            tally.runs++;
            tally.arrivals += gap <= 1e-9;
            tally.steps[steps]++;
            all.runs++;
            all.steps[steps]++;
            sum += steps;
        }
        printf("%-12s %9.1f %6.2f %5d %5d %5d %6d %5d\n", ctMoverShapeNames[k],
               100.0 * (double)tally.arrivals / perShape, sum / perShape, percentile(&tally, 0.5),
               percentile(&tally, 0.9), percentile(&tally, 0.99), percentile(&tally, 0.999), percentile(&tally, 1.0));
    }
    printf("%-12s %9s %6s %5d %5d %5d %6d %5d\n\n", "all", "", "", percentile(&all, 0.5), percentile(&all, 0.9),
           percentile(&all, 0.99), percentile(&all, 0.999), percentile(&all, 1.0));
}

// Twenty times before each bound, the distance must not be negative.
static void promise(int pairs)
{
    ctRandom r = ctRandomSeed(9);
    long broken = 0, samples = 0;
    double deepest = 0.0;
    for (int i = 0; i < pairs; i++) {
        ctMover a, b;
        double horizon;
        int ka = ctRandomInt(&r, 0, CT_MOVER_SHAPES - 2), kb = ctRandomInt(&r, 0, CT_MOVER_SHAPES - 1);
        ctMoverPair_Random(&r, shapes[ka], shapes[kb], &a, &b, &horizon);
        ctGjkCache cache = {0};
        ctClosest c;
        ctMoverPair_Closest(&a, &b, &cache, &c);
        double t = ctMoverPair_Bound(&a, &b, &c, horizon, NULL), low = 0.0;
        for (int k = 1; k <= 20; k++) {
            double s = k <= 15 ? t * k / 16.0 : t * (1.0 - pow(10.0, 15.0 - k));
            s = k == 20 ? t : s;
            ctMover p = ctMover_At(&a, s), q = ctMover_At(&b, s);
            ctMoverPair_Closest(&p, &q, &cache, &c);
            low = c.distance < low ? c.distance : low;
            samples++;
        }
        broken += low < -1e-10;
        deepest = low < deepest ? low : deepest;
    }
    printf(
        "promise: %d pairs, %ld samples before the bound: %ld touches (deepest overlap %.1e m, distances are good to "
        "1e-10)\n\n",
        pairs, samples, broken, -deepest);
}

static void cost(void)
{
    printf("cost of one bound near contact (gap 1e-3 of the size, flying, CPU)\n");
    const int rows[][2] = {{0, 0}, {0, 13}, {1, 13}, {5, 13}, {1, 1}, {5, 1}, {8, 8}, {5, 5}, {12, 12}, {10, 4}};
    for (int k = 0; k < 10; k++) {
        ctRandom r = ctRandomSeed(5);
        double total = 0.0;
        int count = 0;
        for (int i = 0; i < 200; i++) {
            ctMover a, b;
            double horizon;
            ctMoverPair_Random(&r, shapes[rows[k][0]], shapes[rows[k][1]], &a, &b, &horizon);
            ctClosest c;
            ctMoverPair_Closest(&a, &b, NULL, &c);
            ctMotion ma = ctMover_Motion(&a, horizon), mb = ctMover_Motion(&b, horizon);
            ctToiInput in = {a.shape, b.shape, a.leaf, b.leaf, &ma, &mb, &c, horizon};
            double t0 = now(), sum = 0.0;
            for (int j = 0; j < 50; j++) {
                sum += ctTimeOfImpactBound(&in, NULL);
            }
            total += sum >= 0.0 ? now() - t0 : 0.0;
            count += 50;
        }
        printf("  %-10s %-10s %6.0f ns\n", ctMoverShapeNames[rows[k][0]], ctMoverShapeNames[rows[k][1]],
               total / count * 1e9);
    }
    printf("\n");
}

// A coin (radius 12 mm, 1.8 mm thick) over a plate. Checks come at the bound, and once a frame at least.
static void coin(const char *what, ctMover a, const ctShape *plate, double seconds)
{
    ctRandom r = ctRandomSeed(1);
    ctMover b = ctMover_Random(&r, plate);
    b.leaf = ctTransformIdentity();
    b.center = ctZero3();
    b.q = ctQuatIdentity();
    b.x = plate->type == ct_shapePlane ? ctZero3() : ctV3(0, 0, -0.005);
    ctGjkCache cache = {0};
    ctClosest c;
    double t = 0.0, least = INFINITY;
    int checks = 0;
    ctMoverPair_Closest(&a, &b, &cache, &c);
    while (t < seconds && c.distance > 1e-9 && checks < 1000000) {
        double left = seconds - t, frame = 1.0 / 60;
        double step = ctMoverPair_Bound(&a, &b, &c, left < frame ? left : frame, NULL);
        a = ctMover_At(&a, step);
        t += step;
        checks++;
        ctMoverPair_Closest(&a, &b, &cache, &c);
        least = c.distance < least ? c.distance : least;
    }
    printf("  %-44s %-6s %8.4f s, least gap %8.1e m: %6d checks, %8.0f per second\n", what,
           plate->type == ct_shapePlane ? "plane" : "plate", t, least, checks, checks / t);
}

static void coins(void)
{
    ctShape *disc = ctShape_Cylinder(0.012, 0.0018, NULL), *slab = ctShape_Box(ctV3(0.3, 0.3, 0.01), NULL);
    const ctShape *plates[2] = {shapes[CT_MOVER_SHAPES - 1], slab};
    printf("a coin of 24 mm over a plate\n");
    for (int k = 0; k < 2; k++) {
        ctRandom r = ctRandomSeed(2);
        ctMover a = ctMover_Random(&r, disc);
        a.leaf = ctTransformIdentity();
        a.center = ctZero3();
        a.inertia = ctInertia_FromTensor(ctShape_Mass(disc, 8000.0).inertia);
        a.kind = ct_moverFlying;
        a.a = ctV3(0, 0, -9.81);
        a.x = ctV3(0.01, 0.02, 0.03);
        a.v = ctV3(0.1, 0, 2.0);
        a.w = ctV3(40, 20, 10);
        coin("tossed at 2 m/s, tumbling at 45 rad/s", a, plates[k], 2.0);
        a.w = ctScale(6.0, a.w);
        coin("tossed at 2 m/s, tumbling at 270 rad/s", a, plates[k], 2.0);
        // Hovering: no gravity, the lowest point of the rim stays where it is while it runs round.
        double tilt = 0.1, gaps[3] = {1e-3, 1e-4, 1e-5};
        for (int g = 0; g < 3; g++) {
            a.a = a.v = ctZero3();
            a.q = ctQuatExp(ctV3(tilt, 0, 0));
            ctVec3 axis = ctRotate(a.q, ctV3(0, 0, 1));
            double ratio = a.inertia.along / a.inertia.across, precession = 100.0;
            // w = W + c axis with W vertical: c = (1 - ratio) w.axis gives w.axis = W.axis / ratio.
            double along = precession * axis.z / ratio;
            a.w = ctMulAdd(ctV3(0, 0, precession), (1.0 - ratio) * along, axis);
            a.x = ctV3(0, 0, 0.012 * sin(tilt) + 0.0009 * cos(tilt) + gaps[g]);
            char what[64];
            snprintf(what, sizeof what, "wobbling at 100 rad/s, %.0e m above", gaps[g]);
            coin(what, a, plates[k], 1.0);
            // Standing on its rim and spinning about the vertical: the rim's lowest point does not move.
            a.q = ctQuatExp(ctV3(0.5 * CT_PI - 0.02, 0, 0));
            a.w = ctV3(0, 0, 40);
            a.x.z = 0.012 * cos(0.02) + 0.0009 * sin(0.02) + gaps[g];
            a.a = ctZero3();
            snprintf(what, sizeof what, "spinning on edge at 40 rad/s, %.0e m above", gaps[g]);
            coin(what, a, plates[k], 1.0);
        }
    }
    ctShape_Release(disc);
    ctShape_Release(slab);
    printf("\n");
}

// With an argument: the number of pairs of the promise.
int main(int argc, char **argv)
{
    ctMoverShapes_Create(shapes);
    coins();
    cost();
    advancement(5000);
    promise(argc > 1 ? atoi(argv[1]) : 1000000);
    ctMoverShapes_Release(shapes);
    return 0;
}
