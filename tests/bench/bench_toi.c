// Time-of-impact bounds: how many checks an approach takes, and what one costs; and what the state in flight costs.
#include "tests/support/trajectories.h"

#include <stdio.h>
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
    long runs, arrivals, sum, steps[MOST_STEPS + 1];
} Tally;

// Bound, move, measure, until 1e-9 m remain or the horizon is reached. Returns the number of bounds taken.
static int approach(ctMoverPair *pair)
{
    int steps = 0;
    while (pair->closest.distance > 1e-9 && pair->horizon > 0.0 && steps < MOST_STEPS) {
        ctMoverPair_Advance(pair, ctMoverPair_Bound(&pair->a, &pair->b, &pair->closest, pair->horizon, NULL));
        steps++;
    }
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

static void addTo(Tally *tally, int steps, bool arrived)
{
    tally->runs++;
    tally->arrivals += arrived;
    tally->sum += steps;
    tally->steps[steps]++;
}

static void printTally(const char *name, const Tally *t)
{
    printf("%-12s %9.1f %6.2f %5d %5d %5d %6d %5d\n", name, 100.0 * (double)t->arrivals / (double)t->runs,
           (double)t->sum / (double)t->runs, percentile(t, 0.5), percentile(t, 0.9), percentile(t, 0.99),
           percentile(t, 0.999), percentile(t, 1.0));
}

// One table by what the trajectories are like, one by shape.
static void advancement(int pairs)
{
    static Tally byShape[CT_MOVER_SHAPES], all, rows[CT_SCENARIOS];
    for (int k = 0; k < CT_SCENARIOS; k++) {
        ctRandom r = ctRandomSeed((uint64_t)(100 + k));
        for (int i = 0; i < pairs; i++) {
            int a, b;
            ctMoverPair placed, pair;
            ctScenario_Shapes(&r, (ctScenario)k, &a, &b);
            ctMoverPair_Place(&r, (ctScenario)k, shapes[a], shapes[b], &placed);
            ctMoverPair_Launch(&r, &placed, &pair);
            int steps = approach(&pair);
            bool arrived = pair.closest.distance <= 1e-9;
            addTo(&rows[k], steps, arrived);
            addTo(&all, steps, arrived);
            addTo(&byShape[a], steps, arrived);
            if (a != b) {
                addTo(&byShape[b], steps, arrived);
            }
        }
    }
    printf("conservative advancement to 1e-9 m of contact, size 1 m: bounds taken, over %d random pairs per scenario\n",
           pairs);
    printf("%-12s %9s %6s %5s %5s %5s %6s %5s\n", "", "arrive %", "mean", "50 %", "90 %", "99 %", "99.9 %", "most");
    for (int k = 0; k < CT_SCENARIOS; k++) {
        printTally(ctScenarioNames[k], &rows[k]);
    }
    printTally("all", &all);
    printf("\nthe same by shape, of either body\n");
    for (int k = 0; k < CT_MOVER_SHAPES; k++) {
        printTally(ctMoverShapeNames[k], &byShape[k]);
    }
    printf("\n");
}

static void cost(void)
{
    printf("cost of one bound (CPU)\n");
    const int rows[][2] = {{0, 0}, {0, 14}, {1, 14}, {5, 14}, {1, 1}, {5, 1}, {8, 8}, {5, 5}, {12, 12}, {10, 4}};
    for (int k = 0; k < 10; k++) {
        ctRandom r = ctRandomSeed(5);
        double total = 0.0;
        int count = 0;
        for (int i = 0; i < 200; i++) {
            ctMoverPair placed, pair;
            ctMoverPair_Place(&r, ct_scenarioMixed, shapes[rows[k][0]], shapes[rows[k][1]], &placed);
            ctMoverPair_Launch(&r, &placed, &pair);
            const ctMover *a = &pair.a, *b = &pair.b;
            ctMotion ma = ctMover_Motion(a, pair.horizon), mb = ctMover_Motion(b, pair.horizon);
            ctToiInput in = {a->shape, b->shape, a->leaf, b->leaf, &ma, &mb, &pair.closest, pair.horizon};
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

// One evaluation of the state after a turn by this angle, for each kind of inertia; boxes of random sides.
static void flight(void)
{
    static const double turns[5] = {0.01, 0.1, 0.3, 1.0, 10.0};
    static const char *const names[3] = {"spherical", "axisymmetric", "general"};
    printf("one evaluation of the state in flight, by the angle turned (CPU, ns)\n%-14s", "inertia");
    for (int j = 0; j < 5; j++) {
        printf(" %5g rad", turns[j]);
    }
    printf("\n");
    for (int k = 0; k < 3; k++) {
        printf("%-14s", names[k]);
        for (int j = 0; j < 5; j++) {
            ctRandom r = ctRandomSeed(8);
            double total = 0.0, sum = 0.0;
            int count = 0;
            for (int i = 0; i < 200; i++) {
                ctVec3 e = ctRandomVec3(&r, 0.2, 1.0), d = ctMul(e, e), w = ctRandomUnit(&r);
                ctVec3 m = k == 0   ? ctV3(1, 1, 1)
                           : k == 1 ? ctV3(1, 1, 1.9 * d.x)
                                    : ctV3(d.y + d.z, d.z + d.x, d.x + d.y);
                ctInertia in = ctInertia_FromTensor(ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(&r)), m));
                ctVec3 x = ctZero3(), v = ctZero3();
                ctQuat q = ctRandomQuat(&r);
                double t0 = now();
                for (int n = 0; n < 200; n++) {
                    ctFly(&in, &x, &v, &q, &w, ctV3(0, 0, -9.81), turns[j]);
                }
                total += now() - t0;
                sum += q.w;
                count += 200;
            }
            printf(" %9.0f", sum < 1e9 ? total / count * 1e9 : 0.0);
        }
        printf("\n");
    }
    printf("\n");
}

// A coin (radius 12 mm, 1.8 mm thick) over a plate. Checks come at the bound, and once a frame at least.
static void coin(const char *what, ctMover a, const ctShape *plate, double seconds)
{
    ctRandom r = ctRandomSeed(1);
    ctMover b = ctMover_Random(&r, plate);
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

int main(void)
{
    ctMoverShapes_Create(shapes);
    flight();
    coins();
    cost();
    advancement(20000);
    ctMoverShapes_Release(shapes);
    return 0;
}
