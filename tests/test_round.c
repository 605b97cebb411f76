// Round bodies on round bodies, and bodies that rock on them: the sides of cylinders. Closed forms, and what does not
// change.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81
#define PI 3.14159265358979323846

static const double rates[4] = {30.0, 60.0, 144.0, 1000.0};
static ctWorld *world;

static void makeWorld(double frame, double friction)
{
    world = ctTestWorld(ctV3(0, 0, -G), friction, 0.0);
    ck_assert(ctWorld_SetFrameTime(world, frame, NULL));
}

static ctBodyId add(ctMotionType motion, ctShapeId shape, ctVec3 position, ctVec3 turn)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = motion;
    def.shape = shape;
    def.position = position;
    def.orientation = ctQuatExp(turn);
    return ctWorld_CreateBody(world, &def, NULL);
}

static const ctVec3 alongY = {0.5 * PI, 0, 0};

static double energyNow(void)
{
    ctStats s = ctWorld_GetStats(world);
    return s.kineticEnergy + s.potentialEnergy;
}

// A smooth ball slides off a fixed cylinder: it leaves at two thirds of its first height.
START_TEST(a_ball_slides_off_a_cylinder)
{
    const double apart = 0.5, angle = 0.3, leaves = 2.0 / 3.0 * cos(angle), along = 0.2;
    for (int i = 0; i < 4; i++) {
        makeWorld(1.0 / rates[i], 0.0);
        add(ct_motionFixed, ctWorld_CreateCylinder(world, 0.4, 2, NULL), ctZero3(), alongY);
        ctVec3 start = ctScale(apart, ctV3(sin(angle), 0, cos(angle)));
        ctBodyId ball = ctTestBall(world, 0.1, start, ctV3(0, along, 0));
        ctTestRun(world, 0.5);
        ctVec3 v = ctBody_GetVelocity(world, ball);
        ctAssertClose(v.x, sqrt(G * apart * leaves) * leaves, 1e-9);
        ctAssertClose(v.y, along, 1e-12);
        ctAssertClose(ctLength(ctBody_GetSpin(world, ball)), 0.0, 1e-12);
        ctTestFinish(world);
    }
}
END_TEST

// A ball rolls off a cylinder that rolls away under it: nothing is lost. On ice the momentum is kept, too.
START_TEST(a_ball_on_a_cylinder_that_gives_way)
{
    const double angle = 0.15, r = 0.1, under = 0.3;
    for (int i = 0; i < 8; i++) {
        bool ice = i >= 4;
        makeWorld(1.0 / rates[i % 4], ice ? 0.0 : 0.9);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyId cylinder = add(ct_motionDynamic, ctWorld_CreateCylinder(world, under, 0.5, NULL), ctV3(0, 0, under),
                                alongY);
        ctVec3 start = ctMulAdd(ctV3(0, 0, under), r + under, ctV3(sin(angle), 0, cos(angle)));
        ctBodyId ball = ctTestBall(world, r, start, ctZero3());
        double before = energyNow();
        ctTestRun(world, 0.4);
        ctVec3 v = ctBody_GetVelocity(world, ball), u = ctBody_GetVelocity(world, cylinder);
        ck_assert(v.x > 0.5 && u.x < 0.0);
        ctAssertClose(energyNow(), before, 1e-8 * before);
        if (ice) {
            ctAssertClose(ctBody_GetMass(world, ball) * v.x + ctBody_GetMass(world, cylinder) * u.x, 0.0, 1e-9);
        }
        ctTestFinish(world);
    }
}
END_TEST

// A plank of thickness h rocks on a fixed cylinder of radius R without slipping. At the angle q its centre is at
// (R + h/2) n - R q t, n the normal and t along the plank, and so at the height z = (R + h/2) cos q + R q sin q. Its
// speed is q' sqrt(h^2/4 + R^2 q^2).
#define R 0.5
#define H 0.1
#define LONG 1.5

static double heightAt(double q)
{
    return (R + 0.5 * H) * cos(q) + R * q * sin(q);
}

// A quarter of the period from rest at the angle a: of dq / q', with q = a sin u, by the midpoint rule, which is exact
// to rounding for a function with this period.
static double quarterOfPeriod(double a)
{
    const int n = 200;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double u = 0.5 * PI * (i + 0.5) / n, q = a * sin(u);
        double inertia = (LONG * LONG + H * H) / 12.0 + 0.25 * H * H + R * R * q * q;
        sum += a * cos(u) * sqrt(inertia / (2.0 * G * (heightAt(a) - heightAt(q))));
    }
    return 0.5 * PI * sum / n;
}

START_TEST(a_plank_rocks_on_a_cylinder)
{
    const double a = 0.2, half = 2.0 * quarterOfPeriod(a), frames[3] = {20, 77, 600};
    for (int i = 0; i < 3; i++) {
        makeWorld(half / frames[i], 5.0);
        add(ct_motionFixed, ctWorld_CreateCylinder(world, R, 1, NULL), ctV3(0, 0, -R), alongY);
        ctVec3 n = ctV3(sin(a), 0, cos(a)), t = ctV3(cos(a), 0, -sin(a));
        ctVec3 start = ctMulAdd(ctMulAdd(ctV3(0, 0, -R), R + 0.5 * H, n), -R * a, t);
        ctBodyId plank = add(ct_motionDynamic, ctWorld_CreateBox(world, ctV3(LONG, 0.3, H), NULL), start,
                             ctV3(0, a, 0));
        ctTestRun(world, 3.0 * half);
        ctVec3 x = ctBody_GetCenter(world, plank);
        ctAssertClose(x.x, -start.x, 1e-7);
        ctAssertClose(x.y, 0.0, 1e-12);
        ctAssertClose(x.z, start.z, 1e-7);
        ctAssertClose(ctLength(ctBody_GetSpin(world, plank)), 0.0, 1e-6);
        ctTestFinish(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("round");
    TCase *tests = tcase_create("round");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, a_ball_slides_off_a_cylinder);
    tcase_add_test(tests, a_ball_on_a_cylinder_that_gives_way);
    tcase_add_test(tests, a_plank_rocks_on_a_cylinder);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
