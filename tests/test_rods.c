// Rods that lie on a floor and spin, about the vertical and about their axis: energy never rises, and without friction
// it is kept.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

typedef struct Rod {
    bool capsule;
    double radius, height; // m
    double along, upright; // rad/s: about the axis, about the vertical
} Rod;

static const Rod rods[] = {
    {true, 0.005, 0.1, 100, 15}, {true, 0.02, 0.06, 40, 8},  {false, 0.002, 0.1, 100, 15}, {false, 0.02, 0.06, 60, 20},
    {false, 0.005, 0.1, 30, 25}, {false, 0.01, 0.2, 200, 5}, {true, 0.001, 0.1, 50, 10},   {false, 0.001, 0.1, 20, 12},
};

static ctWorld *lying(const Rod *rod, double friction, double fps)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), friction, 0.0);
    ck_assert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = rod->capsule ? ctWorld_CreateCapsule(world, rod->radius, rod->height, NULL)
                             : ctWorld_CreateCylinder(world, rod->radius, rod->height, NULL);
    def.orientation = ctQuatExp(ctV3(0, CT_PI / 2.0, 0));
    def.position = ctV3(0, 0, rod->radius);
    def.spin = ctV3(rod->along, 0, rod->upright);
    ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    return world;
}

static double energy(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

// The energy after two seconds, as a share of the first; asserts that it never rises above that, and that no error of
// a step comes back by more than 5e-6.
static double spin(const Rod *rod, double friction, double fps)
{
    ctWorld *world = lying(rod, friction, fps);
    double start = energy(world), least = start;
    for (int i = 0; i < (int)(2.0 * fps); i++) {
        ck_assert(ctWorld_Step(world, NULL));
        double now = energy(world);
        ctRequire(now < start + 1e-6 * start && now < least + 5e-6 * start, "radius %g m, friction %g: gained %g",
                  rod->radius, friction, (now - least) / start);
        least = fmin(least, now);
    }
    ctWorld_Destroy(world);
    return least / start;
}

START_TEST(rods_on_ice_keep_their_energy)
{
    for (size_t i = 0; i < sizeof rods / sizeof rods[0]; i++) {
        ctAssertClose(spin(&rods[i], 0.0, 60.0), 1.0, 1e-3);
        ctAssertClose(spin(&rods[i], 0.0, 1000.0), 1.0, 1e-5);
    }
}
END_TEST

START_TEST(rods_on_a_floor_never_gain_energy)
{
    for (size_t i = 0; i < sizeof rods / sizeof rods[0]; i++) {
        ck_assert_double_lt(spin(&rods[i], 0.3, 60.0), 0.95);
        ck_assert_double_lt(spin(&rods[i], 0.02, 144.0), 1.0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rods");
    TCase *tests = tcase_create("rods");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, rods_on_ice_keep_their_energy);
    tcase_add_test(tests, rods_on_a_floor_never_gain_energy);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
