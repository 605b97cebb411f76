// Each demo runs to its end without violations and shows its phenomenon as a number.
#include "collision/quat.h"
#include "scenes/scene.h"
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
    return scene;
}

static void stepTo(ctScene *scene, double time)
{
    double half = 0.5 * ctWorld_GetSettings(scene->world).frameTime;
    while (ctWorld_GetTime(scene->world) < time - half) {
        ctError error = {ct_ok, ""};
        ck_assert_msg(ctWorld_Step(scene->world, &error), "%s: %s", scene->name, error.message);
    }
}

// No impulse outside its region, no event skipped, no overlap above the limit (m), and every body is somewhere.
static void checkSound(const ctScene *scene, double overlap)
{
    const ctWorld *world = scene->world;
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_msg(stats.auditViolations == 0, "%s: %ld violations", scene->name, (long)stats.auditViolations);
    ck_assert_msg(stats.eventLimitHits == 0, "%s: events were skipped", scene->name);
    ck_assert_msg(stats.maxPenetration <= overlap, "%s: overlap %g m", scene->name, stats.maxPenetration);
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
START_TEST(superball)
{
    ctScene *s = loadDemo("superball", NULL);
    double v0 = velocityOf(s, "superball").x, start = centerOf(s, "superball").x;
    stepTo(s, 0.2);
    ctAssertClose(velocityOf(s, "superball").x, v0 * (1.0 - 1.75 / 3.5), 1e-12);
    ctAssertClose(velocityOf(s, "marble").x, v0 * 5.0 / 7.0, 1e-9);
    stepTo(s, 1.0);
    ck_assert(velocityOf(s, "superball").x < -1.0 && centerOf(s, "superball").x < start);
    ck_assert(velocityOf(s, "marble").x > 0.0 && centerOf(s, "marble").x > start + 1.0);
    stepTo(s, s->seconds);
    ck_assert(centerOf(s, "marble").x > start + 1.0);
    checkSound(s, 1e-9);
    ctScene_Destroy(s);
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

int main(void)
{
    Suite *suite = suite_create("demos");
    TCase *flight = tcase_create("flight and impacts");
    tcase_set_timeout(flight, 20);
    tcase_add_test(flight, superball);
    tcase_add_test(flight, gas);
    tcase_add_test(flight, tumble);
    suite_add_tcase(suite, flight);
    return ctRunSuite(suite);
}
