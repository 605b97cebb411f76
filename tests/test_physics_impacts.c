// Impacts inside a world against closed forms: spin, rods, thin plates at high speed.
#include "collision/gjk.h"
#include "engine/clatter.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

static void stepToImpact(ctWorld *world)
{
    bool hit = false;
    for (int i = 0; i < 1000 && !hit; i++) {
        ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
    }
    ck_assert(hit);
}

// A ball with spin on a plane: it slides through the whole impact when mu (1 + e) |u_n| is less than what
// stops the contact point, else it leaves with the contact point at rest.
START_TEST(oblique_bounces_with_spin)
{
    const double r = 0.1;
    ctRandom rng = ctRandomSeed(3);
    int slid = 0;
    for (int i = 0; i < 80; i++) {
        double mu = 0.1 * (i % 8), e = 0.25 * (i / 8 % 5);
        ctWorld *world = ctTestWorld(ctZero3(), mu, e);
        ctVec3 n = ctRandomUnit(&rng);
        ctTestPlane(world, n, 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        bool hollow = i % 2 == 1;
        double k = hollow ? 2.0 / 3.0 : 2.0 / 5.0; // I = k m r^2
        def.shape = hollow ? ctWorld_CreateHollowSphere(world, r, NULL) : ctWorld_CreateSphere(world, r, NULL);
        def.mass = 0.7;
        def.position = ctScale(0.3, n);
        ctVec3 tangent = ctNormalize(ctCross(n, ctRandomUnit(&rng)));
        def.velocity = ctAdd(ctScale(-ctRandomUniform(&rng, 1, 5), n), ctScale(ctRandomUniform(&rng, 0, 5), tangent));
        def.spin = ctRandomVec3(&rng, -30, 30);
        ctBodyId ball = ctWorld_CreateBody(world, &def, NULL);
        stepToImpact(world);
        ctVec3 arm = ctScale(-r, n);
        ctVec3 u = ctAdd(def.velocity, ctCross(def.spin, arm));
        double un = ctDot(u, n);
        ctVec3 ut = ctSub(u, ctScale(un, n));
        double pn = -(1.0 + e) * un, stop = ctLength(ut) / (1.0 + 1.0 / k); // per unit mass
        bool slides = stop > mu * pn;
        slid += slides;
        ctVec3 p = ctAdd(ctScale(pn, n), ctScale(-(slides ? mu * pn : stop), ctNormalize(ut)));
        ctVec3 v = ctAdd(def.velocity, p), w = ctAdd(def.spin, ctScale(1.0 / (k * r * r), ctCross(arm, p)));
        ctAssertClose(ctDistance(ctBody_GetVelocity(world, ball), v), 0.0, 1e-12 * ctLength(def.velocity));
        ctAssertClose(ctDistance(ctBody_GetSpin(world, ball), w), 0.0, 1e-12 * (ctLength(w) + ctLength(v) / r));
        ck_assert_int_eq((int)ctWorld_GetStats(world).auditViolations, 0);
        ctWorld_Destroy(world);
    }
    ck_assert(slid > 10 && slid < 70);
}
END_TEST

// A rod dropped at 45 degrees: with the contact point at rest before, it sticks where mu |K_zz'| allows it and
// else slides from the start, so that the impulse is along one ray and p_n = (1 + e) |u_n| / k.
static void checkRod(double mu, double e, bool sticks)
{
    const double length = 1.0, radius = 0.01, mass = 2.0, height = 1.2;
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), mu, e);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateCapsule(world, radius, length, NULL);
    def.mass = mass;
    def.position = ctV3(0, 0, height);
    def.orientation = ctQuatExp(ctV3(0, CT_PI / 4, 0));
    ctBodyId rod = ctWorld_CreateBody(world, &def, NULL);
    stepToImpact(world);
    // The end that is lower: body axis is (sin 45, 0, cos 45), so the lower end is at -x.
    double s = 0.5 * length * sqrt(0.5), fall = height - s - radius;
    double rx = -s, rz = -s - radius, v = sqrt(2.0 * 9.81 * fall);
    double inertia = ctBody_GetInertia(world, rod).cy.y;
    double kxx = 1.0 / mass + rz * rz / inertia, kzz = 1.0 / mass + rx * rx / inertia, kxz = -rx * rz / inertia;
    ck_assert(sticks == (fabs(kxz / kxx) <= mu));
    // Tangential impulse per normal impulse.
    double ratio = sticks ? -kxz / kxx : -copysign(mu, kxz);
    double pz = (1.0 + e) * v / (kzz + ratio * kxz), px = ratio * pz;
    ctVec3 velocity = ctBody_GetVelocity(world, rod), spin = ctBody_GetSpin(world, rod);
    ctAssertClose(velocity.x, px / mass, 1e-12);
    ctAssertClose(velocity.y, 0.0, 1e-12);
    ctAssertClose(velocity.z, -v + pz / mass, 1e-12 * v);
    ctAssertClose(spin.y, (rz * px - rx * pz) / inertia, 1e-12 * (v / length) * 10.0);
    ctAssertClose(fabs(spin.x) + fabs(spin.z), 0.0, 1e-12);
    ctAssertClose(ctWorld_GetTime(world), v / 9.81, 1e-12);
    ctWorld_Destroy(world);
}

START_TEST(rods_strike_the_floor)
{
    const double restitutions[3] = {0.0, 0.5, 1.0};
    for (int i = 0; i < 3; i++) {
        checkRod(0.4, restitutions[i], false);
        checkRod(0.8, restitutions[i], true);
    }
}
END_TEST

// A 10 mm sphere at 300 m/s against a 1 mm plate never passes, and rebounds as it must.
START_TEST(thin_plates_at_high_speed)
{
    ctRandom rng = ctRandomSeed(8);
    for (int i = 0; i < ctTestCases(2000); i++) {
        double e = ctRandomUniform(&rng, 0.2, 1.0);
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.0, e);
        ctQuat q = ctRandomQuat(&rng);
        ctVec3 n = ctRotate(q, ctV3(0, 0, 1)), x = ctRotate(q, ctV3(1, 0, 0)), y = ctRotate(q, ctV3(0, 1, 0));
        ctBodyDef plate = ctDefaultBodyDef();
        plate.motion = ct_motionFixed;
        plate.shape = ctWorld_CreateBox(world, ctV3(1, 1, 1e-3), NULL);
        plate.orientation = q;
        ck_assert(ctWorld_CreateBody(world, &plate, NULL).index1 != 0);
        // Aim at a point well inside the plate.
        ctVec3 direction = ctRandomUnit(&rng);
        if (fabs(ctDot(direction, n)) < 0.2) {
            direction = n;
        }
        ctVec3 target =
            ctAdd(ctScale(ctRandomUniform(&rng, -0.4, 0.4), x), ctScale(ctRandomUniform(&rng, -0.4, 0.4), y));
        ctVec3 start = ctMulAdd(target, -ctRandomUniform(&rng, 0.05, 6.0), direction);
        if (fabs(ctDot(start, n)) < 0.006) {
            start = ctMulAdd(start, -0.05, direction);
        }
        ctBodyId ball = ctTestBall(world, 0.005, start, ctScale(300.0, direction));
        double side = ctDot(start, n) > 0.0 ? 1.0 : -1.0;
        bool hit = false;
        for (int k = 0; k < 10 && !hit; k++) {
            ctVec3 before = ctBody_GetVelocity(world, ball);
            double from = ctWorld_GetTime(world);
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
            if (hit) {
                before = ctMulAdd(before, ctWorld_GetTime(world) - from, ctV3(0, 0, -9.81));
                ctVec3 expected = ctMulAdd(before, -(1.0 + e) * ctDot(before, n), n);
                ctAssertClose(ctDistance(ctBody_GetVelocity(world, ball), expected), 0.0, 1e-10 * 300.0);
            }
            ctAssertClose(fmin(side * ctDot(ctBody_GetCenter(world, ball), n) - 0.0055, 0.0), 0.0, 1e-12);
        }
        ck_assert(hit);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Solids of all sorts, fast and spinning, in a closed box: after every frame none overlaps another, and none has
// left. Distances are taken anew, from the transforms alone.
static double deepest(const ctWorld *world)
{
    double depth = 0.0;
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        for (int j = 0; j < i; j++) {
            ctBodyId a = ctWorld_GetBody(world, i), b = ctWorld_GetBody(world, j);
            if (ctBody_GetMass(world, a) == 0.0 && ctBody_GetMass(world, b) == 0.0) {
                continue;
            }
            ctPose pa = ctPoseOf(ctBody_GetTransform(world, a)), pb = ctPoseOf(ctBody_GetTransform(world, b));
            ctClosest closest;
            ctClosestPoints(ctWorld_GetShape(world, ctBody_GetShape(world, a)), &pa,
                            ctWorld_GetShape(world, ctBody_GetShape(world, b)), &pb, NULL, &closest);
            depth = fmax(depth, -closest.distance);
        }
    }
    return depth;
}

START_TEST(no_collision_is_missed)
{
    ctRandom rng = ctRandomSeed(21);
    for (int round = 0; round < ctTestCases(40); round++) {
        ctWorld *world = ctTestWorld(ctZero3(), ctRandomUniform(&rng, 0, 1), 1.0);
        for (int k = 0; k < 6; k++) {
            double sign = k % 2 == 0 ? 1.0 : -1.0;
            ctVec3 normal = ctV3(k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0, k / 2 == 2 ? sign : 0.0);
            ctTestPlane(world, normal, -1.0);
        }
        double speed = ctRandomLog(&rng, 1.0, 100.0);
        for (int i = 0; i < 27; i++) {
            ctBodyDef def = ctDefaultBodyDef();
            def.shape = ctTestSolid(world, i % 7);
            def.mass = ctRandomLog(&rng, 0.1, 10.0);
            def.position = ctScale(0.6, ctV3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
            def.orientation = ctRandomQuat(&rng);
            def.velocity = ctScale(speed, ctRandomUnit(&rng));
            def.spin = ctScale(5.0 * speed, ctRandomVec3(&rng, -1, 1));
            ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        }
        for (int i = 0; i < 30; i++) {
            ctTestRun(world, 0.01);
            ctAssertClose(deepest(world), 0.0, 1e-9);
        }
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_eq((int)stats.eventLimitHits, 0);
        ck_assert_int_eq((int)stats.auditViolations, 0);
        ck_assert_int_gt((int)stats.impacts, 20);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physics_impacts");
    TCase *tc = tcase_create("impacts");
    tcase_set_timeout(tc, 30.0);
    tcase_add_test(tc, oblique_bounces_with_spin);
    tcase_add_test(tc, rods_strike_the_floor);
    tcase_add_test(tc, thin_plates_at_high_speed);
    tcase_add_test(tc, no_collision_is_missed);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
