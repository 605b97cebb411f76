// Each demo runs to its end without violations and shows its phenomenon as a number.
#include "collision/quat.h"
#include "scenes/measure.h"
#include "tests/support/compliant_oracle.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The demo with up to a few parameters set: "speed", 2.0, ..., NULL; under audit.
typedef struct Settings {
    int count;
    ctSetting list[4];
} Settings;

static double lowest; // J: the least energy of the run so far, without the work of kinematic bodies

static ctScene *loadDemo(const char *name, const Settings *settings)
{
    ctSceneOptions options = {.audit = true};
    if (settings != NULL) {
        options.settings = settings->list;
        options.settingCount = settings->count;
    }
    ctError error = {ct_ok, ""};
    ctScene *scene = ctScene_Load(name, &options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    lowest = INFINITY;
    return scene;
}

// Energy never rises: no frame ends above the lowest so far by more than 1e-5 of all energy there is and was lost, the
// work of pushing overlaps out included (a disk that falls flat is lifted by 20 micrometres).
static void checkEnergyFalls(const ctScene *scene)
{
    ctStats s = ctWorld_GetStats(scene->world);
    double energy = s.kineticEnergy + s.potentialEnergy - s.kinematicWork;
    double limit = 1e-5 * (ctTestTurnover(&s) + fabs(s.potentialEnergy));
    ck_assert_msg(energy <= lowest + limit, "%s gains %g J at %g s", scene->name, energy - lowest,
                  ctWorld_GetTime(scene->world));
    lowest = fmin(lowest, energy);
}

static void stepTo(ctScene *scene, double time)
{
    double half = 0.5 * ctWorld_GetSettings(scene->world).frameTime;
    while (ctWorld_GetTime(scene->world) < time - half) {
        ctError error = {ct_ok, ""};
        ck_assert_msg(ctWorld_Step(scene->world, &error), "%s: %s", scene->name, error.message);
        checkEnergyFalls(scene);
    }
}

// By how much of what friction, impacts and contact take and kinematic bodies give, the steps of contact are wrong.
static void checkStepError(const ctScene *scene)
{
    static const struct {
        const char *name;
        double limit;
    } demos[] = {{"superball", 0.0},  {"gas", 0.0},        {"tumble", 0.0},      {"marbles", 1e-11}, {"platter", 1e-11},
                 {"ramp", 1e-4},      {"bowling", 1e-4},   {"coins", 5e-4},      {"dominoes", 1e-3}, {"tower", 1e-3},
                 {"billiards", 1e-4}, {"galton", 2e-4},    {"rattleback", 1e-3}, {"disk", 1e-3},     {"sorter", 1e-4},
                 {"pinball", 1e-4},   {"marble_run", 3e-3}};
    ctStats s = ctWorld_GetStats(scene->world);
    double error = fabs(s.stepError) / ctTestTurnover(&s);
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        if (strcmp(demos[i].name, scene->name) == 0) {
            ck_assert_msg(error <= demos[i].limit, "%s: step error %g", scene->name, error);
            return;
        }
    }
    ck_abort_msg("%s has no limit", scene->name);
}

// No impulse outside its region, no event skipped, no overlap above the limit (m), every body is somewhere, and energy
// is accounted for to rounding.
static void checkSound(const ctScene *scene, double overlap)
{
    const ctWorld *world = scene->world;
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_msg(stats.auditViolations == 0, "%s: %ld violations", scene->name, (long)stats.auditViolations);
    ck_assert_msg(stats.eventLimitHits == 0, "%s: events were skipped", scene->name);
    ck_assert_msg(stats.maxPenetration <= overlap, "%s: overlap %g m", scene->name, stats.maxPenetration);
    ctTestEnergy(world);
    checkStepError(scene);
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        ck_assert(ctIsFinite3(ctBody_GetCenter(world, id)) && ctIsFinite3(ctBody_GetSpin(world, id)));
    }
}

static ctVec3 centerOf(const ctScene *scene, const char *name)
{
    return ctBody_GetCenter(scene->world, ctMustFind(scene, name));
}

static ctVec3 velocityOf(const ctScene *scene, const char *name)
{
    return ctBody_GetVelocity(scene->world, ctMustFind(scene, name));
}

// ---- flight and impacts -----------------------------------------------------------------------

// One bounce with the floor below: u = v + w R at the contact; the algebraic law reverses it by e_t, and a tangential
// impulse of (1 + e_t) u / 3.5 per unit of mass does that for a solid ball.
// The velocity of a ball's centre after its first impact on the floor, from small steps of the law.
static double reboundOf(double eta2, double along, double down)
{
    ctImpactInput in = {.K = ctMat3Diagonal(3.5, 3.5, 1.0), // of 1 kg
                        .u = ctV3(along, 0.0, -down),
                        .mu = 1.0,
                        .e = 0.9,
                        .law = ct_lawCompliant,
                        .eta2 = eta2};
    return along + ctCompliantOracle(&in, 2000).x;
}

START_TEST(superball)
{
    ctScene *s = loadDemo("superball", NULL);
    ctVec3 v0 = velocityOf(s, "superball");
    double start = centerOf(s, "superball").x, hop = velocityOf(s, "hopper").x;
    double down = sqrt(v0.z * v0.z + 2.0 * 9.81 * (centerOf(s, "superball").z - 0.03));
    stepTo(s, 0.2);
    ctAssertClose(velocityOf(s, "superball").x, reboundOf(0.3, v0.x, down), 1e-9);
    ctAssertClose(velocityOf(s, "marble").x, v0.x * 5.0 / 7.0, 1e-9);
    stepTo(s, 1.0);
    ck_assert(velocityOf(s, "superball").x < -1.0 && centerOf(s, "superball").x < start);
    ck_assert(velocityOf(s, "marble").x > 0.0 && centerOf(s, "marble").x > start + 1.0);
    stepTo(s, s->seconds);
    ck_assert(centerOf(s, "marble").x > start + 1.0);
    checkSound(s, 1e-9);
    ctScene_Destroy(s);
    // To and fro: three bounces turn the way, and keep most of the speed.
    int turns = 0;
    ctScene *again = loadDemo("superball", NULL);
    for (double t = 0.02, last = hop; t < 1.3; t += 0.02) {
        stepTo(again, t);
        double v = velocityOf(again, "hopper").x;
        turns += v * last < 0.0;
        last = v;
    }
    ck_assert_int_eq(turns, 3);
    ck_assert(fabs(velocityOf(again, "hopper").x) > 0.8 * hop);
    ctScene_Destroy(again);
}
END_TEST

static int bySize(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// The share of Maxwell's speeds below v, where the mean of v^2 is 3 s^2.
static double maxwell(double v, double s)
{
    double x = v / (s * sqrt(2.0));
    return erf(x) - 2.0 / sqrt(CT_PI) * x * exp(-x * x);
}

START_TEST(gas)
{
    ctScene *s = loadDemo("gas", NULL);
    double start = ctWorld_GetStats(s->world).kineticEnergy;
    int count = ctWorld_GetStats(s->world).dynamicBodies;
    ck_assert_int_eq(count, 343);
    // At the start all speeds are equal. Then, from 4 s on, speeds every second make one sample.
    enum { SAMPLES = 12 };
    double *speeds = malloc(SAMPLES * 343 * sizeof *speeds);
    int n = 0;
    for (int k = 0; k < SAMPLES; k++) {
        stepTo(s, 4.0 + k);
        for (int i = 0; i < ctWorld_GetBodyCount(s->world); i++) {
            ctBodyId id = ctWorld_GetBody(s->world, i);
            if (ctBody_GetMotionType(s->world, id) == ct_motionDynamic) {
                speeds[n++] = ctLength(ctBody_GetVelocity(s->world, id));
            }
        }
    }
    ck_assert_int_eq(n, SAMPLES * 343);
    double v2 = 0.0, v4 = 0.0;
    for (int i = 0; i < n; i++) {
        v2 += speeds[i] * speeds[i] / n;
        v4 += pow(speeds[i], 4.0) / n;
    }
    qsort(speeds, (size_t)n, sizeof *speeds, bySize);
    double distance = 0.0;
    for (int i = 0; i < n; i++) {
        distance = fmax(distance, fabs((i + 0.5) / n - maxwell(speeds[i], sqrt(v2 / 3.0))));
    }
    free(speeds);
    // Mean of v^4: 1 for equal speeds, 5/3 for Maxwell's; its standard error here is about 0.02. Kolmogorov's distance
    // between 4000 such draws and the law is below 0.026 in 99 of 100 cases; equal speeds are at 0.6.
    ctAssertClose(v4 / (v2 * v2), 5.0 / 3.0, 0.08);
    ck_assert_msg(distance < 0.026, "distance to Maxwell's distribution %g", distance);
    ctAssertClose(ctWorld_GetStats(s->world).kineticEnergy / start, 1.0, 1e-12);
    ck_assert_int_gt(ctWorld_GetStats(s->world).impacts, 20000);
    checkSound(s, 1e-12);
    ctScene_Destroy(s);
}
END_TEST

// The complete elliptic integral K(k) by the arithmetic-geometric mean.
static double ellipticK(double k2)
{
    double a = 1.0, b = sqrt(1.0 - k2);
    while (fabs(a - b) > 1e-15 * a) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return CT_PI / (2.0 * a);
}

// Half the period of the spin about the middle axis (Euler's equations; Landau & Lifshitz, Mechanics, section 37): from
// one flip to the next. i: principal moments, ascending; w: the spin about them.
static double flipTime(ctVec3 i, ctVec3 w)
{
    double e2 = i.x * w.x * w.x + i.y * w.y * w.y + i.z * w.z * w.z;
    double l2 = i.x * i.x * w.x * w.x + i.y * i.y * w.y * w.y + i.z * i.z * w.z * w.z;
    double a = i.x, c = i.z;
    if (l2 < e2 * i.y) { // closer to the smallest moment: the same with the ends exchanged
        a = i.z;
        c = i.x;
    }
    double rate = sqrt((c - i.y) * (l2 - e2 * a) / (a * i.y * c));
    double k2 = (i.y - a) * (e2 * c - l2) / ((c - i.y) * (l2 - e2 * a));
    return 2.0 * ellipticK(k2) / rate;
}

static void checkTumble(const char *name)
{
    ctScene *s = loadDemo("tumble", NULL);
    const ctWorld *world = s->world;
    ctBodyId id = ctMustFind(s, name);
    ctVec3 moments;
    ctMat3 axes;
    ctEigenSymmetric(ctBody_GetInertia(world, id), &moments, &axes);
    ck_assert(moments.y > 1.05 * moments.x && moments.z > 1.05 * moments.y);
    double expected = 0.0, energy = ctBody_GetKineticEnergy(world, id), last = 0.0, lastTime = 0.0, before = 0.0;
    int flips = 0;
    while (ctWorld_GetTime(world) < s->seconds) {
        ctVec3 w = ctMulTMV(axes, ctInvRotate(ctBody_GetTransform(world, id).q, ctBody_GetSpin(world, id)));
        double now = ctWorld_GetTime(world);
        if (now == 0.0) {
            expected = flipTime(moments, w);
        } else if (last * w.y < 0.0) {
            double crossing = before + (now - before) * last / (last - w.y);
            if (flips > 0) {
                ctAssertClose((crossing - lastTime) / expected, 1.0, 2e-4);
            }
            lastTime = crossing;
            flips++;
        }
        last = w.y;
        before = now;
        ck_assert(ctWorld_Step(s->world, NULL));
        ctAssertClose(ctBody_GetKineticEnergy(world, id) / energy, 1.0, 1e-12);
    }
    ck_assert_msg(flips >= 4, "%s flips %d times", name, flips);
    checkSound(s, 0.0);
    ctScene_Destroy(s);
}

START_TEST(tumble)
{
    checkTumble("wing nut");
    checkTumble("T handle");
    checkTumble("book");
}
END_TEST

// ---- rolling and sliding ----------------------------------------------------------------------

START_TEST(marbles)
{
    ctScene *s = loadDemo("marbles", NULL);
    double speed = velocityOf(s, "marble 1").x, spin = ctBody_GetSpin(s->world, ctMustFind(s, "marble 1")).y;
    double places[5];
    char name[20];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "marble %d", i + 1);
        places[i] = centerOf(s, name).x;
    }
    stepTo(s, 3.0);
    for (int i = 1; i < 4; i++) {
        snprintf(name, sizeof name, "marble %d", i + 1);
        ctAssertClose(velocityOf(s, name).x, 0.0, 1e-9);
        ctAssertClose(centerOf(s, name).x, places[i], 1e-9);
    }
    ctAssertClose(velocityOf(s, "marble 1").x, 0.0, 1e-9);
    ctAssertClose(centerOf(s, "marble 1").x, places[1] - 0.016, 1e-9);
    ctAssertClose(ctBody_GetSpin(s->world, ctMustFind(s, "marble 1")).y, spin, 1e-9 * spin);
    // It rolls: sliding has left it 5/7 of the speed that the impacts gave it.
    ctAssertClose(velocityOf(s, "marble 5").x, 5.0 / 7.0 * speed, 1e-9);
    ctAssertClose(ctBody_GetSpin(s->world, ctMustFind(s, "marble 5")).y * 0.008, 5.0 / 7.0 * speed, 1e-9);
    stepTo(s, s->seconds);
    checkSound(s, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

// With gaps and e < 1 every impact passes on (1 + e) / 2 of the speed.
START_TEST(marbles_that_lose_energy)
{
    Settings settings = {2, {{"restitution", 0.9}, {"gap", 1.0}}};
    ctScene *s = loadDemo("marbles", &settings);
    double speed = velocityOf(s, "marble 1").x;
    stepTo(s, 0.8);                                                                       // before slower ones catch up
    ctAssertClose(velocityOf(s, "marble 5").x, 5.0 / 7.0 * speed * pow(0.95, 4.0), 1e-9); // it rolls by then
    ctAssertClose(velocityOf(s, "marble 4").x, speed * pow(0.95, 3.0) * 0.05, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

// The angle of a ball about the centre of its circle against share times the platter's rate, and the radius.
static void checkCircle(const ctScene *s, const char *name, ctVec3 center, double radius, double angle)
{
    ctVec3 r = ctSub(centerOf(s, name), center);
    ctAssertClose(sqrt(r.x * r.x + r.y * r.y) / radius, 1.0, 1e-5);
    double turned = atan2(r.y, r.x), error = remainder(turned - angle, 2.0 * CT_PI);
    ck_assert_msg(fabs(error) <= 1e-6 * fabs(angle), "%s is off by %g rad of %g", name, error, angle);
}

START_TEST(platter)
{
    ctScene *s = loadDemo("platter", NULL);
    stepTo(s, s->seconds);
    double t = ctWorld_GetTime(s->world), omega = 3.0;
    checkCircle(s, "ball", ctV3(0.20, 0.0, 0.05), 0.25, 2.0 / 7.0 * omega * t);
    checkCircle(s, "small ball", ctV3(-0.45, 0.25, 0.03), 0.18, 2.0 / 7.0 * omega * t + 0.5 * CT_PI);
    checkCircle(s, "hollow ball", ctV3(-0.15, -0.55, 0.05), 0.15, 2.0 / 5.0 * omega * t);
    checkSound(s, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(ramp)
{
    ctScene *s = loadDemo("ramp", NULL);
    const double a = CT_PI / 9.0, g = 9.81;
    ctVec3 start[5];
    char name[20];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "block %d", i + 1);
        start[i] = centerOf(s, name);
    }
    stepTo(s, 1.0);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "block %d", i + 1);
        double mu = 0.36 + (i - 2) * 0.06, expected = 0.5 * g * (sin(a) - mu * cos(a));
        ctAssertClose(ctDistance(centerOf(s, name), start[i]) / expected, 1.0, 1e-6);
    }
    stepTo(s, s->seconds);
    for (int i = 3; i < 5; i++) {
        snprintf(name, sizeof name, "block %d", i + 1);
        ctAssertClose(ctDistance(centerOf(s, name), start[i]), 0.0, 1e-12);
    }
    ck_assert(centerOf(s, "block 1").z < 0.0 && centerOf(s, "block 2").z < 0.0); // down on the floor
    checkSound(s, 1e-4);
    ctScene_Destroy(s);
}
END_TEST

// While it slides on the oil the ball's path is a parabola: friction has the constant direction of the contact point's
// motion.
START_TEST(bowling)
{
    ctScene *s = loadDemo("bowling", NULL);
    const double r = 0.10795, mu = 0.04, g = 9.81, t = 1.5;
    ctVec3 x = centerOf(s, "ball"), v = velocityOf(s, "ball"), w = ctBody_GetSpin(s->world, ctMustFind(s, "ball"));
    ctVec3 u = ctAdd(v, ctCross(w, ctV3(0.0, 0.0, -r)));
    ctVec3 a = ctScale(-mu * g / ctLength(u), u);
    stepTo(s, t);
    ctVec3 expected = ctMulAdd(ctMulAdd(x, t, v), 0.5 * t * t, a);
    ctAssertClose(ctDistance(centerOf(s, "ball"), expected), 0.0, 1e-6);
    stepTo(s, 2.25);
    v = velocityOf(s, "ball");
    double entry = atan2(v.y, v.x) * 180.0 / CT_PI;
    ck_assert_msg(entry > 4.0 && entry < 6.5, "the ball enters at %g degrees", entry);
    stepTo(s, s->seconds);
    int down = 0;
    for (int i = 1; i <= 10; i++) {
        char name[20];
        snprintf(name, sizeof name, "pin %d", i);
        ctTransform pose = ctBody_GetTransform(s->world, ctMustFind(s, name));
        down += ctRotate(pose.q, ctV3(0, 0, 1)).z < 0.9 || pose.p.z < -0.05;
    }
    ck_assert_int_eq(down, 10);
    checkSound(s, 2e-4);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(coins)
{
    ctScene *s = loadDemo("coins", NULL);
    int moving = 0, flat = 0, fallen = 0, count = ctWorld_GetBodyCount(s->world);
    ck_assert_int_eq(count, 13);
    ck_assert(s->seconds == 5.0);
    double before = ctWorld_GetStats(s->world).kineticEnergy + ctWorld_GetStats(s->world).potentialEnergy;
    stepTo(s, s->seconds);
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(s->world, i);
        if (ctBody_GetMotionType(s->world, id) == ct_motionDynamic) {
            moving++;
            double up = ctRotate(ctBody_GetTransform(s->world, id).q, ctV3(0, 0, 1)).z;
            flat += fabs(up) > 0.9999 && ctLength(ctBody_GetSpin(s->world, id)) < 1e-6;
            fallen += ctBody_GetCenter(s->world, id).z < -0.05;
        }
    }
    ck_assert_int_eq(moving, 8);
    ck_assert_msg(flat >= 3, "only %d coins lie still", flat);
    ck_assert_msg(fallen >= 1 && fallen <= 7, "%d coins rolled off", fallen);
    double after = ctWorld_GetStats(s->world).kineticEnergy + ctWorld_GetStats(s->world).potentialEnergy;
    ck_assert(after < before);
    checkSound(s, 3.2e-5);
    ctScene_Destroy(s);
}
END_TEST

// What is left of the balance of torques when the disk goes round steadily at a tilt t, as a share of gravity's. Its
// axis n points along (sin t, 0, cos t), the contact is (x, 0, -z) from the centre, which is at (X, 0) from the axis of
// the motion; L turns with the rate: rate (I3 w3 - I1 rate cos t) sin t = m (rate^2 X z - g x).
static double diskBalance(const ctWorld *world, ctBodyId id, double rate)
{
    const double a = 0.0375, h = 0.0127, g = 9.81, i1 = (3.0 * a * a + h * h) / 12.0, i3 = 0.5 * a * a;
    ctVec3 n = ctRotate(ctBody_GetTransform(world, id).q, ctV3(0, 0, 1));
    ctVec3 ahead = ctNormalize(ctCross(ctV3(0, 0, 1), n));
    double c = n.z, s = sqrt(1.0 - c * c), x = a * c - 0.5 * h * s, z = a * s + 0.5 * h * c;
    double w3 = ctDot(ctBody_GetSpin(world, id), n), arm = ctDot(ctBody_GetVelocity(world, id), ahead) / rate;
    return (rate * (i3 * w3 - i1 * rate * c) * s - (rate * rate * arm * z - g * x)) / (g * x);
}

// The rate at which the axis goes round, over a fifth of a second, while the disk sinks and nods a little.
START_TEST(disk)
{
    ctScene *s = loadDemo("disk", NULL);
    ctBodyId id = ctMustFind(s, "disk");
    double first = 0.0, last = 0.0;
    for (int k = 1; k <= 13; k += 2) {
        enum { FRAMES = 12 };
        stepTo(s, k);
        double turned = 0.0, balance = 0.0;
        for (int i = 0; i < FRAMES; i++) {
            ctVec3 n0 = ctRotate(ctBody_GetTransform(s->world, id).q, ctV3(0, 0, 1));
            ck_assert(ctWorld_Step(s->world, NULL));
            checkEnergyFalls(s);
            ctVec3 n1 = ctRotate(ctBody_GetTransform(s->world, id).q, ctV3(0, 0, 1));
            double angle = atan2(n0.x * n1.y - n0.y * n1.x, n0.x * n1.x + n0.y * n1.y);
            turned += angle;
            balance += diskBalance(s->world, id, 60.0 * angle) / FRAMES;
        }
        ck_assert_msg(fabs(balance) < 0.02, "after %d s, %g of the torque is missing", k, balance);
        first = k == 1 ? turned : first;
        last = turned;
    }
    ck_assert_msg(last > 1.3 * first, "from %g to %g rad/s", 5.0 * first, 5.0 * last);
    stepTo(s, s->seconds);
    ck_assert(ctBody_IsAsleep(s->world, id));
    ctAssertClose(centerOf(s, "disk").z, 0.00635, 1e-5);
    checkSound(s, 1e-5);
    ctScene_Destroy(s);
}
END_TEST

static double spinAt(ctScene *s, double time)
{
    stepTo(s, time);
    return ctBody_GetSpin(s->world, ctMustFind(s, "celt")).z;
}

START_TEST(rattleback)
{
    // The wrong way: it turns back, and keeps most of its spin.
    ctScene *s = loadDemo("rattleback", NULL);
    ck_assert(spinAt(s, 0.0) == -6.0 && spinAt(s, 0.5) < -5.0);
    double back = spinAt(s, 5.0);
    // Its rocking at the start holds 7.5 uJ beside the 1627 uJ of its spin: good for 6.014 rad/s, and no more.
    ck_assert_msg(back > 4.0 && back < 6.014, "spins back at %g rad/s", back);
    stepTo(s, s->seconds);
    checkSound(s, 1e-4);
    ctScene_Destroy(s);
    // The right way: it just spins.
    Settings right = {1, {{"spin", 6.0}}};
    s = loadDemo("rattleback", &right);
    ctAssertClose(spinAt(s, 5.0), 6.0, 0.1);
    ctScene_Destroy(s);
    // Without skew there is no preference.
    for (int side = -1; side <= 1; side += 2) {
        Settings even = {2, {{"spin", 6.0 * side}, {"skew", 0.0}}};
        s = loadDemo("rattleback", &even);
        ctAssertClose(spinAt(s, 5.0), 6.0 * side, 0.1);
        ctScene_Destroy(s);
    }
}
END_TEST

// ---- many bodies ------------------------------------------------------------------------------

START_TEST(dominoes)
{
    Settings short_row = {1, {{"count", 16.0}}};
    ctScene *s = loadDemo("dominoes", &short_row);
    double passed[17] = {0.0};
    while (ctWorld_GetTime(s->world) < 3.0) {
        ck_assert(ctWorld_Step(s->world, NULL));
        checkEnergyFalls(s);
        for (int i = 1; i <= 16; i++) {
            char name[20];
            snprintf(name, sizeof name, "domino %d", i);
            double up = ctRotate(ctBody_GetTransform(s->world, ctMustFind(s, name)).q, ctV3(0, 0, 1)).z;
            if (passed[i] == 0.0 && up < 0.95) {
                passed[i] = ctWorld_GetTime(s->world);
            }
        }
    }
    for (int i = 2; i <= 16; i++) {
        ck_assert_msg(passed[i] > 0.0, "domino %d stands", i);
        ck_assert_msg(passed[i] >= passed[i - 1], "domino %d fell before its neighbour", i);
    }
    // A wave speed of the order of sqrt(g h), 0.7 m/s, once it is under way.
    double speed = 8.0 * 0.020 / (passed[16] - passed[8]);
    ck_assert_msg(speed > 0.4 && speed < 1.6, "the wave runs at %g m/s", speed);
    checkSound(s, 1e-4);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(tower)
{
    ctScene *s = loadDemo("tower", NULL);
    ctVec3 start[64];
    int count = ctWorld_GetBodyCount(s->world);
    ck_assert_int_le(count, 64);
    for (int i = 0; i < count; i++) {
        start[i] = ctBody_GetCenter(s->world, ctWorld_GetBody(s->world, i));
    }
    stepTo(s, 1.9); // the ball arrives at 2 s
    for (int i = 0; i < count - 1; i++) {
        ctBodyId id = ctWorld_GetBody(s->world, i);
        ctAssertClose(ctDistance(ctBody_GetCenter(s->world, id), start[i]), 0.0, 1e-6);
    }
    ctScene_Destroy(s);
    Settings small = {2, {{"levels", 5.0}, {"base", 3.0}}};
    s = loadDemo("tower", &small);
    double top = centerOf(s, "stack 5").z;
    stepTo(s, 5.0);
    ck_assert(centerOf(s, "stack 5").z < top - 0.3);
    ck_assert(ctDistance(centerOf(s, "brick 2"), ctV3(1.5, 0.0, 0.1)) > 0.1);
    checkSound(s, 5e-4);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(billiards)
{
    ctScene *s = loadDemo("billiards", NULL);
    int count = ctWorld_GetBodyCount(s->world), spread = 0, balls = 0;
    ctVec3 start[64];
    ck_assert_int_le(count, 64);
    for (int i = 0; i < count; i++) {
        start[i] = ctBody_GetCenter(s->world, ctWorld_GetBody(s->world, i));
    }
    // The cue ball slides: it slows down at mu g, and gets to the head ball with that speed.
    double v0 = velocityOf(s, "cue ball").x;
    stepTo(s, 0.1);
    ctAssertClose(velocityOf(s, "cue ball").x, v0 - 0.2 * 9.81 * 0.1, 1e-9);
    stepTo(s, s->seconds);
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(s->world, i);
        if (ctBody_GetMotionType(s->world, id) == ct_motionDynamic) {
            ctVec3 x = ctBody_GetCenter(s->world, id);
            balls++;
            spread += ctDistance(x, start[i]) > 0.3;
            // On the table or in a pocket, not on the floor.
            ck_assert(fabs(x.x) < 1.46 && fabs(x.y) < 0.83 && x.z > -0.13);
        }
    }
    ck_assert_int_eq(balls, 16);
    ck_assert_msg(spread >= 11, "only %d balls have left their place", spread);
    checkSound(s, 1e-4);
    ctScene_Destroy(s);
}
END_TEST

// Bins of the marbles of one run: sums of the first and second powers.
static void runGalton(double seed, double first, double *sum, double *sum2)
{
    Settings few = {3, {{"marbles", 40.0}, {"seed", seed}, {"first", first}}};
    ctScene *s = loadDemo("galton", &few);
    stepTo(s, 7.0);
    const double pitch = 0.017;
    for (int i = 1; i <= 40; i++) {
        char name[20];
        snprintf(name, sizeof name, "marble %d", i);
        ctVec3 x = centerOf(s, name);
        ck_assert_msg(x.z > 0.0 && x.z < 0.20, "%s is not in a bin: %g", name, x.z);
        double bin = round(x.x / pitch);
        *sum += bin;
        *sum2 += bin * bin;
    }
    checkSound(s, 5e-5);
    ctScene_Destroy(s);
}

// Mean and spread of the bins: sqrt(rows) / 2 pitches for coin tosses; marbles keep some of their drift. The side that
// the first marble comes from is always ahead, and pushes the marbles of the other one over: both are tried.
START_TEST(galton)
{
    double sum = 0.0, sum2 = 0.0, count = 0.0;
    for (int seed = 1; seed <= ctTestCases(2); seed++) {
        runGalton((double)seed, 1.0, &sum, &sum2);
        runGalton((double)seed, -1.0, &sum, &sum2);
        count += 80.0;
    }
    double mean = sum / count, spread = sqrt(sum2 / count - mean * mean), binomial = sqrt(10.0) / 2.0;
    // Three standard errors of the mean; the spread within a third of the coin tosses'.
    ck_assert_msg(count > 0.0 && fabs(mean) < 3.0 * binomial / sqrt(count), "mean %g bins", mean);
    ck_assert_msg(spread > binomial / 1.5 && spread < binomial * 1.5, "spread %g bins, not %g", spread, binomial);
}
END_TEST

// Each parcel passes the gate at d/v + v/(2 mu g), whatever its size; the arm sends every second one aside.
START_TEST(sorter)
{
    ctScene *s = loadDemo("sorter", NULL);
    double v = 0.8, slip = v / (2.0 * 0.5 * 9.81);
    int passed = 0;
    for (int frame = 0; frame < 12 * 60; frame++) {
        ck_assert(ctWorld_Step(s->world, NULL));
        const ctSensorEvent *events;
        int count = ctWorld_GetSensorEvents(s->world, &events);
        for (int i = 0; i < count; i++) {
            if (events[i].begin && events[i].sensor.index1 == ctWorld_FindBody(s->world, "gate").index1) {
                double due = slip + (0.6 + 0.7 * passed++) / v;
                ck_assert_msg(fabs(events[i].time - due) < 1e-3, "parcel %d after %g s, not %g", passed, events[i].time,
                              due);
            }
        }
    }
    ck_assert_int_eq(passed, 6);
    for (int i = 1; i <= 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "parcel %d", i);
        ctBodyId parcel = ctWorld_FindBody(s->world, name), end = ctWorld_FindBody(s->world, "end");
        ctBodyId bin = ctWorld_FindBody(s->world, "bin");
        ck_assert_int_eq((int)ctWorld_GetPairTally(s->world, end, parcel).impacts, i % 2);
        ck_assert_int_eq(ctWorld_GetPairTally(s->world, bin, parcel).impacts > 0, i % 2 == 0);
    }
    checkSound(s, 2e-4);
    ctScene_Destroy(s);
}
END_TEST

static int64_t talliesOf(const ctScene *s, const char *const *names, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += ctWorld_GetPairTally(s->world, ctMustFind(s, "ball"), ctMustFind(s, names[i])).impacts;
    }
    return sum;
}

static double measured(ctScene *s, const char *name)
{
    ctMeasureRef m;
    double x = NAN;
    ck_assert(ctMeasure_Find(s, name, &m, NULL) && ctMeasure_Value(s, &m, &x, NULL));
    return x;
}

// A bumper gives the ball its own speed along the normal at the moment of the impact; what the script has counted is
// what the engine has. The shot, up to the top of the arch, is the same at another frame rate.
START_TEST(pinball)
{
    static const char *const bumpers[] = {"bumper 1", "bumper 2", "bumper 3"};
    static const char *const slings[] = {"left sling", "right sling"}, *const lanes[] = {"lane 1", "lane 2", "lane 3"};
    ctScene *s = loadDemo("pinball", NULL), *fine = loadDemo("pinball", NULL);
    ctBodyId ball = ctMustFind(s, "ball");
    int kicks = 0;
    ck_assert(ctWorld_SetFrameTime(fine->world, 1.0 / 660.0, NULL));
    for (int i = 0; i < 1056; i++) {
        ck_assert(ctWorld_Step(fine->world, NULL) && (i % 11 != 0 || ctWorld_Step(s->world, NULL)));
    }
    ctAssertClose(ctDistance(centerOf(s, "ball"), centerOf(fine, "ball")), 0.0, 5e-5);
    while (ctWorld_GetTime(s->world) < 2.0 * s->seconds - 1e-9) {
        bool hit;
        const ctImpact *m;
        ck_assert(ctWorld_StepToImpact(s->world, &hit, NULL));
        int count = ctWorld_GetImpacts(s->world, &m);
        ctVec3 x = ctBody_GetCenter(s->world, ball), v = ctBody_GetVelocity(s->world, ball);
        ck_assert_msg(fabs(x.x) < 0.25 && x.y > 0.0 && x.y < 1.0 && x.z > 0.0 && x.z < 0.045, "the ball is lost");
        for (int i = 0; i < count; i++) {
            bool first = m[i].body1.index1 == ball.index1;
            if (strncmp(ctBody_GetName(s->world, first ? m[i].body2 : m[i].body1), "bumper", 6) == 0) {
                double away = (first ? 1.0 : -1.0) * (v.x * m[i].normal.x + v.y * m[i].normal.y);
                ck_assert_msg(away > 1.2 - 1e-6, "thrown off at %g m/s", away);
                kicks += fabs(away - 1.2) < 1e-6;
            }
        }
    }
    ck_assert_int_ge(kicks, 5);
    ck_assert(measured(s, "flips") >= 5.0);
    ctAssertClose(measured(s, "score"),
                  100.0 * (double)talliesOf(s, bumpers, 3) + 10.0 * (double)talliesOf(s, slings, 2) +
                      50.0 * (double)talliesOf(s, lanes, 3),
                  0.0);
    checkSound(s, 5e-5);
    ctScene_Destroy(fine);
    ctScene_Destroy(s);
}
END_TEST

// On a straight a marble gains speed as on a plane with rolling resistance; on the belt it rides at the belt's speed.
// None is lost, and all go round.
START_TEST(marble_run)
{
    ctScene *s = loadDemo("marble_run", NULL);
    double alpha = atan(0.03), gain = 5.0 / 7.0 * 9.81 * (sin(alpha) - cos(alpha) * 4e-4 / 0.018), v = 0.0;
    int riding = 0;
    for (int frame = 1; frame <= 25 * 60; frame++) {
        ctError error = {ct_ok, ""};
        ck_assert_msg(ctWorld_Step(s->world, &error), "%s", error.message);
        if (frame == 30) {
            v = ctLength(velocityOf(s, "marble 10"));
        } else if (frame == 75) {
            ctAssertClose((ctLength(velocityOf(s, "marble 10")) - v) / 0.75, gain, 0.01 * gain);
        }
        for (int i = 1; i <= 10 && frame % 30 == 0; i++) {
            char name[32];
            snprintf(name, sizeof name, "marble %d", i);
            ctVec3 x = centerOf(s, name);
            ck_assert_msg(x.z > 0.03 && x.z < 0.35, "%s is lost at %g s", name, ctWorld_GetTime(s->world));
            if (x.x > 0.67 && x.y > 0.0 && x.y < 0.2 && i == 1) {
                ctAssertClose(ctLength(velocityOf(s, name)), 0.3, 1e-9);
                riding++;
            }
        }
    }
    ck_assert_int_ge(riding, 1);
    ck_assert_msg(measured(s, "lifted") >= 8.0, "%g lifted", measured(s, "lifted"));
    checkSound(s, 2e-4);
    ctScene_Destroy(s);
}
END_TEST

// Whatever the friction and restitution: no impulse outside its region, and no overlap above one per cent of the
// smaller body's radius.
START_TEST(any_coefficients)
{
    static const ctSetting row = {"count", 60.0};
    static const struct {
        const char *name;
        ctSceneOptions options;
        double time;
    } runs[] = {
        {"coins", {.audit = true, .hasFriction = true, .friction = 0.0}, 3.0},
        {"bowling", {.audit = true, .hasRestitution = true, .restitution = 0.9}, 4.0},
        {"dominoes", {.audit = true, .hasFriction = true, .friction = 0.1}, 3.0},
        {"tower", {.audit = true, .hasFriction = true, .friction = 0.1}, 4.0},
        {"galton", {.audit = true, .hasFriction = true, .friction = 0.0}, 8.0},
        {"dominoes",
         {.audit = true, .hasRestitution = true, .restitution = 0.9, .settings = &row, .settingCount = 1},
         3.0},
    };
    int count = ctTestCases(20) < 20 ? 3 : (int)(sizeof runs / sizeof runs[0]); // sanitised: three
    for (int i = 0; i < count; i++) {
        ctError error = {ct_ok, ""};
        ctScene *s = ctScene_Load(runs[i].name, &runs[i].options, &error);
        ctRequire(s != NULL, "%s", error.message);
        while (ctWorld_GetTime(s->world) < runs[i].time) {
            ctRequire(ctWorld_Step(s->world, &error), "%s", error.message);
        }
        ctStats stats = ctWorld_GetStats(s->world);
        ck_assert_msg(stats.impacts > 0 && stats.auditViolations == 0, "run %d, %s: %ld violations, overlap %g m", i,
                      s->name, (long)stats.auditViolations, stats.maxPenetration);
        ck_assert_msg(stats.eventLimitHits == 0, "run %d, %s: events were skipped", i, s->name);
        ctScene_Destroy(s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("demos");
    TCase *flight = tcase_create("flight and impacts");
    tcase_set_timeout(flight, 20);
    tcase_add_test(flight, superball);
    tcase_add_test(flight, gas);
    tcase_add_test(flight, tumble);
    suite_add_tcase(suite, flight);
    TCase *rolling = tcase_create("rolling and sliding");
    tcase_set_timeout(rolling, 30);
    tcase_add_test(rolling, marbles);
    tcase_add_test(rolling, marbles_that_lose_energy);
    tcase_add_test(rolling, platter);
    tcase_add_test(rolling, ramp);
    tcase_add_test(rolling, bowling);
    tcase_add_test(rolling, coins);
    tcase_add_test(rolling, disk);
    tcase_add_test(rolling, rattleback);
    suite_add_tcase(suite, rolling);
    TCase *many = tcase_create("many bodies");
    tcase_set_timeout(many, 30);
    tcase_add_test(many, dominoes);
    tcase_add_test(many, tower);
    tcase_add_test(many, billiards);
    tcase_add_test(many, galton);
    tcase_add_test(many, sorter);
    tcase_add_test(many, pinball);
    tcase_add_test(many, marble_run);
    tcase_add_test(many, any_coefficients);
    suite_add_tcase(suite, many);
    return ctRunSuite(suite);
}
