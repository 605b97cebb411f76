// Bodies in sustained contact against closed forms that any student can check, at several frame rates.
#include "collision/quat.h"
#include "collision/shape.h"
#include "tests/support/energy.h"
#include "tests/support/planar.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

static const double rates[] = {30.0, 60.0, 144.0, 960.0};
enum { RATES = 4 };

static ctWorld *newWorld(double fps, double friction)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), friction, 0.0);
    ck_assert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    return world;
}

static ctBodyId add(ctWorld *world, const ctBodyDef *def)
{
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

static void run(ctWorld *world, double fps, double seconds)
{
    for (int i = 0; i < (int)(seconds * fps + 0.5); i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
}

static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

// A box that slides and spins to a stop, its corner loads linear in place: 1.5313 rad (tests/test_motion.c solves
// that).
START_TEST(a_box_slides_and_spins_to_a_stop)
{
    for (int i = 0; i < RATES; i++) {
        ctWorld *world = newWorld(rates[i], 0.3);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.14, 0.1), NULL);
        def.mass = 1.0;
        def.position = ctV3(0, 0, 0.05);
        def.velocity = ctV3(1.2, 0, 0);
        def.spin = ctV3(0, 0, 9);
        ctBodyId box = add(world, &def);
        run(world, rates[i], 1.0);
        ctMat3 r = ctMat3FromQuat(ctBody_GetTransform(world, box).q);
        ctVec3 x = ctBody_GetCenter(world, box);
        double round = ctWorld_GetShape(world, def.shape)->round, want[6] = {0, 0, 0, 1.2, 0, 9};
        ctPlanarBox corners = {0.1 - round, 0.07 - round, 0.05, 0.3, (0.1 * 0.1 + 0.07 * 0.07) / 3.0};
        ctPlanarBox_Stop(&corners, want);
        ctAssertClose(atan2(r.cx.y, r.cx.x), want[2], 1e-6);
        ctAssertClose(hypot(x.x - want[0], x.y - want[1]), 0.0, 1e-7);
        ctAssertClose(ctLength(ctBody_GetVelocity(world, box)), 0.0, 1e-9);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A capsule as a smooth ladder against a smooth wall: its centre, above where that is when it lies, leaves the wall at
// two thirds of its height, with v_x = 2/3 h sqrt(2 G h).
START_TEST(a_ladder_leaves_the_wall)
{
    for (int i = 0; i < RATES; i++) {
        double angle = 75.0 * 3.14159265358979323846 / 180.0, r = 0.01, l = 0.5, h = l * sin(angle);
        ctWorld *world = newWorld(rates[i], 0.0);
        ctTestPlane(world, ctV3(1, 0, 0), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateCapsule(world, r, 2.0 * l, NULL);
        def.mass = 1.0;
        def.hasInertia = true;
        def.inertia = ctMat3Diagonal(1.0 / 12.0, 1.0 / 12.0, 1e-4);
        def.position = ctV3(r + l * cos(angle), 0, r + h);
        def.orientation = ctQuatExp(ctV3(0, angle - 1.57079632679489661923, 0)); // its upper end is at the wall
        ctBodyId rod = add(world, &def);
        double start = energyOf(world);
        while (ctBody_GetCenter(world, rod).z > r + 0.6 * h) {
            run(world, rates[i], 1.0 / rates[i]);
            ctAssertClose(energyOf(world), start, 1e-6 * start);
        }
        ctVec3 v = ctBody_GetVelocity(world, rod);
        ctAssertClose(v.x, 2.0 / 3.0 * h * sqrt(2.0 * G * h), 2e-6);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Rods that lie on the floor and spin about two axes.
START_TEST(rods_that_spin_on_a_floor)
{
    static const double slender[] = {3.0, 10.0, 20.0, 100.0};
    for (int i = 0; i < 16; i++) {
        double r = 0.05 / slender[i % 4], mu = i < 8 ? 0.0 : 0.3;
        ctWorld *world = newWorld(60.0, mu);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = i / 4 % 2 == 0 ? ctWorld_CreateCapsule(world, r, 0.1 - 2.0 * r, NULL)
                                   : ctWorld_CreateCylinder(world, r, 0.1, NULL);
        def.mass = 0.1;
        def.position = ctV3(0, 0, r);
        def.orientation = ctQuatExp(ctV3(0, 1.57079632679489661923, 0));
        def.spin = ctV3(100, 0, 15);
        add(world, &def);
        double start = energyOf(world), last = start;
        for (int f = 0; f < 120; f++) {
            ck_assert(ctWorld_Step(world, NULL));
            double energy = energyOf(world);
            ctRequire(energy - last <= 1e-6 * start, "rod %d rises by %g of %g J", i, energy - last, start);
            last = energy;
        }
        ctRequire(mu > 0.0 || fabs(last - start) < 1e-5 * start, "rod %d: %g of %g J", i, last - start, start);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Housner's block falls back on its base: the time of its landing, and the same motion at every frame rate until then.
START_TEST(a_rocking_block_lands)
{
    double hx = 0.05, hz = 0.2, th = 0.1;
    ctVec3 first = ctZero3(), spin = ctZero3();
    for (int i = 0; i < RATES; i++) {
        ctWorld *world = newWorld(rates[i], 1.5);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(2.0 * hx, 2.0 * hx, 2.0 * hz), NULL);
        double round = ctWorld_GetShape(world, def.shape)->round;
        ctVec3 corner = ctRotate(ctQuatExp(ctV3(0, th, 0)), ctV3(hx - round, 0, -(hz - round)));
        def.mass = 1.0;
        def.position = ctV3(0, 0, round - corner.z);
        def.orientation = ctQuatExp(ctV3(0, th, 0));
        ctBodyId box = add(world, &def);
        double start = energyOf(world);
        run(world, rates[i], 1.0 / 6.0);
        ctVec3 x = ctBody_GetCenter(world, box), w = ctBody_GetSpin(world, box);
        first = i == 0 ? x : first;
        spin = i == 0 ? w : spin;
        ctAssertClose(ctDistance(x, first), 0.0, 1e-7);
        ctAssertClose(ctDistance(w, spin), 0.0, 1e-6);
        ctAssertClose(energyOf(world), start, 1e-7);
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("references");
    TCase *contact = tcase_create("contact");
    tcase_add_test(contact, a_box_slides_and_spins_to_a_stop);
    tcase_add_test(contact, a_ladder_leaves_the_wall);
    tcase_add_test(contact, rods_that_spin_on_a_floor);
    tcase_add_test(contact, a_rocking_block_lands);
    suite_add_tcase(suite, contact);
    return ctRunSuite(suite);
}
