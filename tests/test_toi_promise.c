// The promise of the time-of-impact bounds over a million pairs of trajectories: nothing touches before the bound.
//
// Sampling alone proves nothing about the time between two samples, so each sample comes with how far it reaches. Let d
// be the gap along the normal n, v and a the relative velocity and acceleration of the centres of mass, r the points of
// a core from its centre of mass (rho the farthest, w its turning; the rounding is the same in all directions and does
// not turn). By Taylor's theorem
//     n.r(tau) >= n.r + tau n.(w x r) - beta tau^2 / 2 = (n + tau n x w).r - beta tau^2 / 2,
// beta no less than any point's acceleration. The least of the first term over all points is a concave function of tau:
// on [0, T] it lies above its chord, which two support points give. So the plane across n separates the two until the
// root of a quadratic, forwards and, with all velocities reversed, backwards in time. Samples follow each other such
// that the reach of each meets that of the next: no overlap deeper than the slack can hide between them.
#include "collision/support.h"
#include "tests/support/suite.h"
#include "tests/support/trajectories.h"

#include <stdio.h>
#include <stdlib.h>

// A million pairs: fewer of those that keep close together for long, which take up to forty samples each and not one or
// two.
static const int pairsOf[CT_SCENARIOS] = {
    [ct_scenarioMixed] = 130000,   [ct_scenarioFast] = 160000,     [ct_scenarioSpinning] = 60000,
    [ct_scenarioThin] = 130000,    [ct_scenarioGrazing] = 10000,   [ct_scenarioKinematic] = 130000,
    [ct_scenarioResting] = 130000, [ct_scenarioCompound] = 130000, [ct_scenarioFar] = 120000,
};
// Trajectories that start from the same place.
#define LAUNCHES 20
// Distances are good to this, for sizes of 1 m.
#define DISTANCE_ERROR 1e-10
// m: how deep an overlap between two samples may be to go unseen.
#define SLACK 1e-7
// The next sample is taken this much farther than the last one reaches: it reaches back.
#define STRIDE 1.6
// Samples after which the slack is doubled: some graze for long.
#define PATIENCE 100
// One pair in so many is followed beyond the bound until it overlaps.
#define FOLLOWED 16

static ctShape *shapes[CT_MOVER_SHAPES];

static void createShapes(void)
{
    ctMoverShapes_Create(shapes);
}

static void releaseShapes(void)
{
    ctMoverShapes_Release(shapes);
}

// How a core turns.
typedef struct Sweep {
    const ctShape *shape; // as the other one meets it
    bool turns, steady;   // steady: about a fixed axis at a constant rate
    double rho;           // m: of the core, about the centre of mass
    double wMax;          // rad/s
    double alpha;         // rad/s^2: no less than |dw/dt|
} Sweep;

static Sweep sweepOf(const ctMover *m, const ctShape *other, double horizon)
{
    Sweep s = {.shape = ctShape_Against(m->shape, other), .wMax = ctLength(m->w)};
    s.rho = m->rho - s.shape->round;
    s.steady = m->kind == ct_moverKinematic || (m->kind == ct_moverFlying && m->inertia.kind == ct_inertiaSpherical);
    s.turns = m->kind != ct_moverFixed && s.wMax > 0.0 && s.rho > 0.0;
    if (m->kind == ct_moverContact) {
        s.alpha = ctLength(m->alpha);
        s.wMax += s.alpha * horizon;
    } else if (m->kind == ct_moverFlying && !s.steady) {
        // |L| and T are constant: |w| <= |L| / I_min and |w|^2 <= 2T / I_min. Euler's equations: |dw/dt| <= |w|^2.
        double least = fmin(m->inertia.principal.x, fmin(m->inertia.principal.y, m->inertia.principal.z));
        double byMomentum = ctLength(ctInertia_Momentum(&m->inertia, m->q, m->w)) / least;
        s.wMax = fmin(byMomentum, sqrt(2.0 * ctInertia_Energy(&m->inertia, m->q, m->w) / least));
        s.alpha = s.wMax * s.wMax;
    }
    return s;
}

// The least n.r of the core's points, n not unit.
static double lowest(const Sweep *s, const ctMover *m, const ctPose *pose, ctVec3 n)
{
    int code = 0;
    ctVec3 p = ctCoreSupport(s->shape, ctNeg(ctMulTMV(pose->r, n)), &code);
    return ctDot(n, ctSub(ctPosePoint(pose, p), m->x));
}

typedef struct Sample {
    double t;
    ctMover a, b;
    ctPose poseA, poseB; // of the leaves
    ctClosest closest;
} Sample;

// m/s^2: no point accelerates more than this along n. For a fixed axis the centripetal part is w x (n x w).r.
static double bendOf(const Sweep *s, const ctMover *m, ctVec3 n)
{
    if (!s->turns) {
        return 0.0;
    }
    return s->rho * (s->steady ? s->wMax * ctLength(ctCross(n, m->w)) : s->wMax * s->wMax + s->alpha);
}

// The time in which gap is lost at the speed u and the acceleration a (both positive towards each other).
static double lossTime(double gap, double u, double a)
{
    double disc = u * u + 2.0 * a * gap;
    if (disc < 0.0 || (u <= 0.0 && a <= 0.0)) {
        return INFINITY;
    }
    return u >= 0.0 ? 2.0 * gap / (u + sqrt(disc)) : (sqrt(disc) - u) / a;
}

// How much of the way to `until` the plane of a sample separates the two; sign -1: backwards.
static double reachOf(const Sample *s, const Sweep *a, const Sweep *b, double sign, double until, double slack)
{
    const ctMover *ma = &s->a, *mb = &s->b;
    const ctClosest *c = &s->closest;
    ctVec3 n = c->normal;
    double gap = (c->distance > 0.0 ? c->distance : 0.0) + slack;
    double u = -sign * ctDot(n, ctSub(ma->v, mb->v)), pull = -ctDot(n, ctSub(ma->a, mb->a));
    pull += bendOf(a, ma, n) + bendOf(b, mb, n);
    // The closest points' own approach tells where to end the chord.
    ctVec3 ua = ctCross(ma->w, ctSub(c->pointA, ma->x)), ub = ctCross(mb->w, ctSub(c->pointB, mb->x));
    double own = u - sign * ctDot(n, ctSub(ua, ub)), end = fmin(until, lossTime(gap, own, pull));
    if (a->turns) {
        ctVec3 tilted = ctMulAdd(n, sign * end, ctCross(n, ma->w));
        u -= (lowest(a, ma, &s->poseA, tilted) - lowest(a, ma, &s->poseA, n)) / end;
    }
    if (b->turns) {
        ctVec3 tilted = ctMulAdd(n, sign * end, ctCross(n, mb->w));
        u -= (lowest(b, mb, &s->poseB, ctNeg(tilted)) - lowest(b, mb, &s->poseB, ctNeg(n))) / end;
    }
    return fmin(end, lossTime(gap, u, pull));
}

typedef struct Count {
    int pairs, before, followed, hits, exact; // before: bound before the horizon
    long samples;
    int most, loose;
    double worstSlack;
    double boundOfHits; // sum of bound / time of overlap
} Count;

static void takeSample(const ctMoverPair *start, double t, ctGjkCache *cache, Sample *s)
{
    s->t = t;
    s->a = ctMover_At(&start->a, t);
    s->b = ctMover_At(&start->b, t);
    s->poseA = ctMover_Pose(&s->a);
    s->poseB = ctMover_Pose(&s->b);
    if (t > 0.0) {
        ctClosestPoints(s->a.shape, &s->poseA, s->b.shape, &s->poseB, cache, &s->closest);
    } else {
        s->closest = start->closest;
    }
    ctRequire(s->closest.distance >= -DISTANCE_ERROR, "%s: types %d and %d, gap %g at %g (first %g)",
              ctScenarioNames[start->scenario], (int)start->a.shape->type, (int)start->b.shape->type,
              s->closest.distance, t, start->closest.distance);
}

// Samples [0, bound] such that nothing deeper than the slack happens between the samples.
static void certify(const ctMoverPair *start, double bound, Count *count)
{
    Sweep a = sweepOf(&start->a, start->b.shape, start->horizon),
          b = sweepOf(&start->b, start->a.shape, start->horizon);
    ctGjkCache cache = start->cache;
    Sample store[2], *at = &store[0], *next = &store[1];
    takeSample(start, 0.0, &cache, at);
    double slack = SLACK;
    int samples = 0;
    while (at->t < bound) {
        slack = samples > 0 && samples % PATIENCE == 0 ? 2.0 * slack : slack;
        double reach = reachOf(at, &a, &b, 1.0, bound - at->t, slack), to = at->t + STRIDE * reach;
        takeSample(start, to < bound ? to : bound, &cache, next);
        samples++;
        double rest = next->t - at->t - reach;
        if (rest > 0.0 && reachOf(next, &a, &b, -1.0, rest, slack) < rest) {
            takeSample(start, at->t + reach, &cache, next);
            samples++;
        }
        Sample *last = at;
        at = next;
        next = last;
    }
    count->samples += samples;
    count->most = samples > count->most ? samples : count->most;
    count->worstSlack = fmax(count->worstSlack, slack);
    count->loose += slack > SLACK;
}

// Looks for an overlap between the bound and the horizon.
static void follow(const ctMoverPair *start, double bound, Count *count)
{
    static const double parts[8] = {1e-6, 1e-4, 1e-2, 0.1, 0.25, 0.5, 0.75, 1.0};
    count->followed++;
    for (int i = 0; i < 8; i++) {
        ctMoverPair pair = *start;
        double t = bound + parts[i] * (start->horizon - bound);
        ctMoverPair_Advance(&pair, t);
        if (pair.closest.distance < 0.0) {
            count->hits++;
            count->boundOfHits += bound / t;
            return;
        }
    }
}

static void checkScenario(ctScenario scenario, Count *count)
{
    ctRandom r = ctRandomSeed((uint64_t)scenario + 1);
    int pairs = ctTestCases(pairsOf[scenario]);
    ctMoverPair placed, pair;
    for (int i = 0; i < pairs; i++) {
        if (i % LAUNCHES == 0) {
            int a, b;
            ctScenario_Shapes(&r, scenario, &a, &b);
            ctMoverPair_Place(&r, scenario, shapes[a], shapes[b], &placed);
        }
        ctMoverPair_Launch(&r, &placed, &pair);
        bool exact;
        double t = ctMoverPair_Bound(&pair.a, &pair.b, &pair.closest, pair.horizon, &exact);
        ctRequire(t > 0.0 || pair.closest.distance < 1e-15, "no progress from %g", pair.closest.distance);
        certify(&pair, t, count);
        count->pairs++;
        count->exact += exact;
        count->before += t < pair.horizon;
        if (t < pair.horizon && i % FOLLOWED == 0) {
            follow(&pair, t, count);
        }
    }
}

START_TEST(nothing_touches_before_the_bound)
{
    Count count = {0};
    ctScenario scenario = (ctScenario)_i;
    checkScenario(scenario, &count);
    // Most of what is followed beyond its bound does touch, and not much later: the bounds say something. Grazing pairs
    // miss each other as often as not.
    bool grazing = scenario == ct_scenarioGrazing;
    ck_assert_int_gt(count.before, count.pairs / 3);
    ck_assert_int_gt(count.hits, count.followed * (grazing ? 4 : 7) / 10);
    ck_assert_msg(count.boundOfHits >= 0.55 * count.hits, "bounds are at %g of the time of impact",
                  count.boundOfHits / count.hits);
    ck_assert_msg(count.loose <= count.pairs / (grazing ? 5 : 100), "%d of %d pairs proven to less than %g",
                  count.loose, count.pairs, SLACK);
    if (getenv("CT_TEST_VERBOSE") != NULL) {
        printf("%-10s %6d pairs, %6ld samples, at most %4d, slack %.0e on %d; %6d bounds before the horizon, %4d "
               "exact; of "
               "%4d followed %4d overlap, bound / overlap %.2f\n",
               ctScenarioNames[scenario], count.pairs, count.samples, count.most, count.worstSlack, count.loose,
               count.before, count.exact, count.followed, count.hits, count.boundOfHits / count.hits);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("toi_promise");
    TCase *promise = tcase_create("promise");
    tcase_set_timeout(promise, 60.0);
    tcase_add_checked_fixture(promise, createShapes, releaseShapes);
    tcase_add_loop_test(promise, nothing_touches_before_the_bound, 0, CT_SCENARIOS);
    suite_add_tcase(suite, promise);
    return ctRunSuite(suite);
}
