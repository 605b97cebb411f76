// Each demo runs to its end without violations and shows its phenomenon as a number.
#include "collision/quat.h"
#include "tests/support/compliant_oracle.h"
#include "tests/support/demos.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    ctScene *s = ctDemo_Load("superball", NULL);
    ctVec3 v0 = ctDemo_VelocityOf(s, "superball");
    double start = ctDemo_CenterOf(s, "superball").x, hop = ctDemo_VelocityOf(s, "hopper").x;
    double down = sqrt(v0.z * v0.z + 2.0 * 9.81 * (ctDemo_CenterOf(s, "superball").z - 0.03));
    ctDemo_StepTo(s, 0.2);
    ctAssertClose(ctDemo_VelocityOf(s, "superball").x, reboundOf(0.3, v0.x, down), 1e-9);
    ctAssertClose(ctDemo_VelocityOf(s, "marble").x, v0.x * 5.0 / 7.0, 1e-9);
    ctDemo_StepTo(s, 1.0);
    ck_assert(ctDemo_VelocityOf(s, "superball").x < -1.0 && ctDemo_CenterOf(s, "superball").x < start);
    ck_assert(ctDemo_VelocityOf(s, "marble").x > 0.0 && ctDemo_CenterOf(s, "marble").x > start + 1.0);
    ctDemo_StepTo(s, s->seconds);
    ck_assert(ctDemo_CenterOf(s, "marble").x > start + 1.0);
    ctDemo_CheckSound(s, 1e-9);
    ctScene_Destroy(s);
    // To and fro: three bounces turn the way, and keep most of the speed.
    int turns = 0;
    ctScene *again = ctDemo_Load("superball", NULL);
    for (double t = 0.02, last = hop; t < 1.3; t += 0.02) {
        ctDemo_StepTo(again, t);
        double v = ctDemo_VelocityOf(again, "hopper").x;
        turns += v * last < 0.0;
        last = v;
    }
    ck_assert_int_eq(turns, 3);
    ck_assert(fabs(ctDemo_VelocityOf(again, "hopper").x) > 0.8 * hop);
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
    ctScene *s = ctDemo_Load("gas", NULL);
    double start = ctWorld_GetStats(s->world).kineticEnergy;
    int count = ctWorld_GetStats(s->world).dynamicBodies;
    ck_assert_int_eq(count, 343);
    // At the start all speeds are equal. Then, from 4 s on, speeds every second make one sample.
    enum { SAMPLES = 12 };
    double *speeds = malloc(SAMPLES * 343 * sizeof *speeds);
    int n = 0;
    for (int k = 0; k < SAMPLES; k++) {
        ctDemo_StepTo(s, 4.0 + k);
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
    ctDemo_CheckSound(s, 1e-12);
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
    ctScene *s = ctDemo_Load("tumble", NULL);
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
    ctDemo_CheckSound(s, 0.0);
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
    ctScene *s = ctDemo_Load("marbles", NULL);
    double speed = ctDemo_VelocityOf(s, "marble 1").x, spin = ctBody_GetSpin(s->world, ctMustFind(s, "marble 1")).y;
    double places[5];
    char name[20];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "marble %d", i + 1);
        places[i] = ctDemo_CenterOf(s, name).x;
    }
    ctDemo_StepTo(s, 3.0);
    for (int i = 1; i < 4; i++) {
        snprintf(name, sizeof name, "marble %d", i + 1);
        ctAssertClose(ctDemo_VelocityOf(s, name).x, 0.0, 1e-9);
        ctAssertClose(ctDemo_CenterOf(s, name).x, places[i], 1e-9);
    }
    ctAssertClose(ctDemo_VelocityOf(s, "marble 1").x, 0.0, 1e-9);
    ctAssertClose(ctDemo_CenterOf(s, "marble 1").x, places[1] - 0.016, 1e-9);
    ctAssertClose(ctBody_GetSpin(s->world, ctMustFind(s, "marble 1")).y, spin, 1e-9 * spin);
    // It rolls: sliding has left it 5/7 of the speed that the impacts gave it.
    ctAssertClose(ctDemo_VelocityOf(s, "marble 5").x, 5.0 / 7.0 * speed, 1e-9);
    ctAssertClose(ctBody_GetSpin(s->world, ctMustFind(s, "marble 5")).y * 0.008, 5.0 / 7.0 * speed, 1e-9);
    ctDemo_StepTo(s, s->seconds);
    ctDemo_CheckSound(s, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

// With gaps and e < 1 every impact passes on (1 + e) / 2 of the speed.
START_TEST(marbles_that_lose_energy)
{
    ctDemoSettings settings = {2, {{"restitution", 0.9}, {"gap", 1.0}}};
    ctScene *s = ctDemo_Load("marbles", &settings);
    double speed = ctDemo_VelocityOf(s, "marble 1").x;
    ctDemo_StepTo(s, 0.8); // before slower ones catch up
    ctAssertClose(ctDemo_VelocityOf(s, "marble 5").x, 5.0 / 7.0 * speed * pow(0.95, 4.0), 1e-9); // it rolls by then
    ctAssertClose(ctDemo_VelocityOf(s, "marble 4").x, speed * pow(0.95, 3.0) * 0.05, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

// The angle of a ball about the centre of its circle against share times the platter's rate, and the radius.
static void checkCircle(const ctScene *s, const char *name, ctVec3 center, double radius, double angle)
{
    ctVec3 r = ctSub(ctDemo_CenterOf(s, name), center);
    ctAssertClose(sqrt(r.x * r.x + r.y * r.y) / radius, 1.0, 1e-10);
    double turned = atan2(r.y, r.x), error = remainder(turned - angle, 2.0 * CT_PI);
    ck_assert_msg(fabs(error) <= 1e-10 * fabs(angle), "%s is off by %g rad of %g", name, error, angle);
}

START_TEST(platter)
{
    ctScene *s = ctDemo_Load("platter", NULL);
    ctDemo_StepTo(s, s->seconds);
    double t = ctWorld_GetTime(s->world), omega = 3.0;
    checkCircle(s, "ball", ctV3(0.20, 0.0, 0.05), 0.25, 2.0 / 7.0 * omega * t);
    checkCircle(s, "small ball", ctV3(-0.45, 0.25, 0.03), 0.18, 2.0 / 7.0 * omega * t + 0.5 * CT_PI);
    checkCircle(s, "hollow ball", ctV3(-0.15, -0.55, 0.05), 0.15, 2.0 / 5.0 * omega * t);
    ctDemo_CheckSound(s, 1e-9);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(ramp)
{
    ctScene *s = ctDemo_Load("ramp", NULL);
    const double a = CT_PI / 9.0, g = 9.81;
    ctVec3 start[5];
    char name[20];
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "block %d", i + 1);
        start[i] = ctDemo_CenterOf(s, name);
    }
    ctDemo_StepTo(s, 1.0);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "block %d", i + 1);
        double mu = 0.36 + (i - 2) * 0.06, expected = 0.5 * g * (sin(a) - mu * cos(a));
        ctAssertClose(ctDistance(ctDemo_CenterOf(s, name), start[i]) / expected, 1.0, 1e-6);
    }
    ctDemo_StepTo(s, s->seconds);
    for (int i = 3; i < 5; i++) {
        snprintf(name, sizeof name, "block %d", i + 1);
        ctAssertClose(ctDistance(ctDemo_CenterOf(s, name), start[i]), 0.0, 1e-12);
    }
    ck_assert(ctDemo_CenterOf(s, "block 1").z < 0.0 && ctDemo_CenterOf(s, "block 2").z < 0.0); // down on the floor
    ctDemo_CheckSound(s, 1e-4);
    ctScene_Destroy(s);
}
END_TEST

// While it slides on the oil the ball's path is a parabola: friction has the constant direction of the contact point's
// motion.
START_TEST(bowling)
{
    ctScene *s = ctDemo_Load("bowling", NULL);
    const double r = 0.10795, mu = 0.04, g = 9.81, t = 1.5;
    ctVec3 x = ctDemo_CenterOf(s, "ball"), v = ctDemo_VelocityOf(s, "ball"),
           w = ctBody_GetSpin(s->world, ctMustFind(s, "ball"));
    ctVec3 u = ctAdd(v, ctCross(w, ctV3(0.0, 0.0, -r)));
    ctVec3 a = ctScale(-mu * g / ctLength(u), u);
    ctDemo_StepTo(s, t);
    ctVec3 expected = ctMulAdd(ctMulAdd(x, t, v), 0.5 * t * t, a);
    ctAssertClose(ctDistance(ctDemo_CenterOf(s, "ball"), expected), 0.0, 1e-6);
    ctDemo_StepTo(s, 2.25);
    v = ctDemo_VelocityOf(s, "ball");
    double entry = atan2(v.y, v.x) * 180.0 / CT_PI;
    ck_assert_msg(entry > 4.0 && entry < 6.5, "the ball enters at %g degrees", entry);
    ctDemo_StepTo(s, s->seconds);
    int down = 0;
    for (int i = 1; i <= 10; i++) {
        char name[20];
        snprintf(name, sizeof name, "pin %d", i);
        ctTransform pose = ctBody_GetTransform(s->world, ctMustFind(s, name));
        down += ctRotate(pose.q, ctV3(0, 0, 1)).z < 0.9 || pose.p.z < -0.05;
    }
    ck_assert_int_eq(down, 10);
    ctDemo_CheckSound(s, 2e-4);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(coins)
{
    ctScene *s = ctDemo_Load("coins", NULL);
    int moving = 0, flat = 0, fallen = 0, count = ctWorld_GetBodyCount(s->world);
    ck_assert_int_eq(count, 13);
    ck_assert(s->seconds == 5.0);
    double before = ctWorld_GetStats(s->world).kineticEnergy + ctWorld_GetStats(s->world).potentialEnergy;
    ctDemo_StepTo(s, s->seconds);
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
    ctDemo_CheckSound(s, 3.2e-5);
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
    ctScene *s = ctDemo_Load("disk", NULL);
    ctBodyId id = ctMustFind(s, "disk");
    double first = 0.0, last = 0.0;
    for (int k = 1; k <= 13; k += 2) {
        enum { FRAMES = 12 };
        ctDemo_StepTo(s, k);
        double turned = 0.0, balance = 0.0;
        for (int i = 0; i < FRAMES; i++) {
            ctVec3 n0 = ctRotate(ctBody_GetTransform(s->world, id).q, ctV3(0, 0, 1));
            ck_assert(ctWorld_Step(s->world, NULL));
            ctDemo_CheckEnergyFalls(s);
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
    ctDemo_StepTo(s, s->seconds);
    ck_assert(ctBody_IsAsleep(s->world, id));
    ctAssertClose(ctDemo_CenterOf(s, "disk").z, 0.00635, 1e-5);
    ctDemo_CheckSound(s, 1e-5);
    ctScene_Destroy(s);
}
END_TEST

static double spinAt(ctScene *s, double time)
{
    ctDemo_StepTo(s, time);
    return ctBody_GetSpin(s->world, ctMustFind(s, "celt")).z;
}

START_TEST(rattleback)
{
    // The wrong way: it turns back, and keeps most of its spin.
    ctScene *s = ctDemo_Load("rattleback", NULL);
    ck_assert(spinAt(s, 0.0) == -6.0 && spinAt(s, 0.5) < -5.0);
    double back = spinAt(s, 5.0);
    // Its rocking at the start holds 7.5 uJ beside the 1627 uJ of its spin: good for 6.014 rad/s, and no more.
    ck_assert_msg(back > 4.0 && back < 6.014, "spins back at %g rad/s", back);
    ctDemo_StepTo(s, s->seconds);
    ctDemo_CheckSound(s, 1e-4);
    ctScene_Destroy(s);
    // The right way: it just spins.
    ctDemoSettings right = {1, {{"spin", 6.0}}};
    s = ctDemo_Load("rattleback", &right);
    ctAssertClose(spinAt(s, 5.0), 6.0, 0.1);
    ctScene_Destroy(s);
    // Without skew there is no preference.
    for (int side = -1; side <= 1; side += 2) {
        ctDemoSettings even = {2, {{"spin", 6.0 * side}, {"skew", 0.0}}};
        s = ctDemo_Load("rattleback", &even);
        ctAssertClose(spinAt(s, 5.0), 6.0 * side, 0.1);
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
    return ctRunSuite(suite);
}
