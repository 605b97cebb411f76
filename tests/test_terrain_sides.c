// Terrains with one side: from the front they are solid, from behind they are not there; with two, both are solid.
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

static const ctVec3 down = {0.0, 0.0, -9.81};
static const ctQuat upright = {1.0, 0.0, 0.0, 0.0};

static double flat(double x, double y)
{
    (void)x, (void)y;
    return 0.0;
}

static double hills(double x, double y)
{
    return 0.1 * sin(5.0 * x) * cos(4.0 * y);
}

static double (*const surfaces[])(double, double) = {flat, hills};

// What is left of energy in flight and in collisions is what the ledger says; nothing has been found wrong.
static void assertSound(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    ctRequire(stats.auditViolations == 0, "%lld violations", (long long)stats.auditViolations);
    ctRequire(stats.maxPenetration < 1e-4, "overlap of %g m", stats.maxPenetration);
}

// Every kind of body is thrown up from below, turning: through the surface it flies as if that were not there, and
// when it falls it lands on the front.
START_TEST(from_below_it_passes_and_lands_on_the_front)
{
    for (int kind = 0; kind < 7; kind++) {
        ctWorld *world = ctTestWorld(down, 0.5, 0.2);
        ctTestGround(world, ctTestField(world, 65, 8.0, surfaces[_i], NULL), ctZero3(), upright);
        double v = 6.0, z = -0.6;
        ctBodyId body = ctTestSolidAt(world, ctTestSolid(world, kind), ctV3(0.013, 0.021, z), ctV3(0.2, 0.1, v),
                                      ctV3(2.0, 1.0, 0.5));
        double energy = ctBody_GetKineticEnergy(world, body);
        z = ctBody_GetCenter(world, body).z;
        while (ctBody_GetVelocity(world, body).z > 0.1) {
            ck_assert(ctWorld_Step(world, NULL));
            double t = ctWorld_GetTime(world), height = ctBody_GetCenter(world, body).z;
            ctAssertClose(height, z + v * t - 0.5 * 9.81 * t * t, 1e-12);
            ctAssertClose(ctBody_GetKineticEnergy(world, body) + 9.81 * ctBody_GetMass(world, body) * (height - z),
                          energy, 1e-11 * energy);
        }
        ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
        ctTestRun(world, 3.0);
        ctVec3 c = ctBody_GetCenter(world, body);
        ctRequire(c.z > surfaces[_i](c.x, c.y), "kind %d at %g %g %g", kind, c.x, c.y, c.z);
        ck_assert_int_gt(ctWorld_GetStats(world).impacts, 0);
        if (_i == 0) {
            assertSound(world);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// With two sides it bounces off the back.
START_TEST(two_sides_hold_on_both)
{
    for (int kind = 0; kind < 7; kind++) {
        ctWorld *world = ctTestWorld(ctNeg(down), 0.5, 0.2);
        ctTerrainDef def = ctDefaultTerrainDef();
        def.twoSided = true;
        ctTestGround(world, ctTestField(world, 33, 3.0, surfaces[_i], &def), ctZero3(), upright);
        ctBodyId body = ctTestSolidAt(world, ctTestSolid(world, kind), ctV3(0.013, 0.021, -0.6), ctZero3(), ctZero3());
        ctTestRun(world, 1.5);
        ctVec3 c = ctBody_GetCenter(world, body);
        ctRequire(c.z < surfaces[_i](c.x, c.y), "kind %d at %g %g %g", kind, c.x, c.y, c.z);
        assertSound(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

// How far it comes out decides: a ball that turns back before it is out falls back through the surface, and one that
// is out lands.
START_TEST(what_comes_back_before_it_is_out_falls_through)
{
    const double r = 0.1, tops[] = {-0.05, 0.05, 0.099, 0.0999, 0.1001, 0.101, 0.15};
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        for (int box = 0; box < 2; box++) {
            ctWorld *world = ctTestWorld(down, 0.5, 0.0);
            ctTestGround(world, ctTestField(world, 21, 3.0, flat, NULL), ctZero3(), upright);
            ctShapeId shape =
                box ? ctWorld_CreateBox(world, ctV3(0.3, 0.2, 0.2), NULL) : ctWorld_CreateSphere(world, r, NULL);
            double z = -0.5, v = sqrt(2.0 * 9.81 * (tops[i] - z));
            ctBodyId body = ctTestSolidAt(world, shape, ctV3(0.013, 0.021, z), ctV3(0, 0, v), ctZero3());
            ctTestRun(world, 1.0);
            double t = ctWorld_GetTime(world), free = z + v * t - 0.5 * 9.81 * t * t;
            ctAssertClose(ctBody_GetCenter(world, body).z, tops[i] > r ? r : free, tops[i] > r ? 1e-6 : 1e-12);
            assertSound(world);
            ctWorld_Destroy(world);
        }
    }
}
END_TEST

// Thrown up from below through hills, a body is examined as often however fast it turns about an axis about which its
// shape is round or thin, and a box that turns in any way while it is completely below.
static int64_t looksOnTheWayUp(int kind, double spin)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.2);
    ctTestGround(world, ctTestField(world, 65, 8.0, hills, NULL), ctZero3(), upright);
    ctShapeId shape = kind == 0   ? ctWorld_CreateSphere(world, 0.1, NULL)
                      : kind == 1 ? ctWorld_CreateCapsule(world, 1e-4, 0.2, NULL)
                      : kind == 2 ? ctWorld_CreateCylinder(world, 0.1, 0.01, NULL)
                      : kind == 3 ? ctWorld_CreateBox(world, ctV3(1e-4, 2e-4, 0.2), NULL)
                                  : ctWorld_CreateBox(world, ctV3(0.1, 0.15, 0.2), NULL);
    ctVec3 w = kind < 4 ? ctV3(0.0, 0.0, spin) : ctV3(0.5 * spin, 0.3 * spin, 0.8 * spin);
    ctBodyId body = ctTestSolidAt(world, shape, ctV3(0.013, 0.021, -0.9), ctV3(0.2, 0.1, 6.0), w);
    while (kind < 4 ? ctBody_GetVelocity(world, body).z > 0.1 : ctBody_GetCenter(world, body).z < -0.3) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.impacts, 0);
    ctWorld_Destroy(world);
    return stats.distanceChecks;
}

START_TEST(turning_adds_no_looks_on_the_way_through)
{
    for (int kind = 0; kind < 5; kind++) {
        int64_t still = looksOnTheWayUp(kind, 0.0), turning = looksOnTheWayUp(kind, 1e4);
        ctRequire(still > 0 && turning <= 4 * still, "kind %d: %d looks, %d without turning", kind, (int)turning,
                  (int)still);
    }
}
END_TEST

// The corner of a room as one mesh: a floor up to x = 0, and a wall there that faces +x.
static ctShapeId cornerOf(ctWorld *world)
{
    const ctVec3 v[6] = {{0, -1, 0}, {2, -1, 0}, {2, 1, 0}, {0, 1, 0}, {0, -1, 1}, {0, 1, 1}};
    const int triangles[] = {0, 1, 2, 0, 2, 3, 0, 3, 5, 0, 5, 4};
    ctError error = {ct_ok, ""};
    ctShapeId shape = ctWorld_CreateTrimesh(world, v, 6, triangles, 4, NULL, &error);
    ck_assert_msg(shape.index1 != 0, "%s", error.message);
    return shape;
}

// What rolls or slides on a plane passes the wall from behind as if it were not there, and is stopped by its front.
START_TEST(a_wall_has_a_front)
{
    for (int kind = 0; kind < 2; kind++) {
        for (int way = -1; way <= 1; way += 2) {
            ctWorld *world = ctTestWorld(down, kind == 0 ? 0.5 : 0.0, 0.5);
            ctTestPlane(world, ctV3(0, 0, 1), 0.0);
            ctTestGround(world, cornerOf(world), ctV3(0, 0, -0.05), upright);
            ctShapeId shape = kind == 0 ? ctWorld_CreateSphere(world, 0.1, NULL)
                                        : ctWorld_CreateBox(world, ctV3(0.2, 0.3, 0.2), NULL);
            double v = -way * 1.0;
            ctBodyId body = ctTestSolidAt(world, shape, ctV3(way * 0.7, 0.03, 0.1), ctV3(v, 0, 0),
                                          ctV3(0, kind == 0 ? v / 0.1 : 0.0, 0));
            ctTestRun(world, 1.2);
            double x = ctBody_GetCenter(world, body).x;
            if (way < 0) {
                ctAssertClose(x, -0.7 + 1.2, 1e-9);
                ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
            } else {
                ctRequire(x > 0.1, "kind %d passed the front: %g", kind, x);
            }
            assertSound(world);
            ctWorld_Destroy(world);
        }
    }
}
END_TEST

// A body that is half through the wall meets the floor, which joins on to it and which it is in front of.
START_TEST(a_floor_holds_beside_a_wall_that_is_passed)
{
    for (int kind = 0; kind < 2; kind++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
        ctTestGround(world, cornerOf(world), ctZero3(), upright);
        ctShapeId shape =
            kind == 0 ? ctWorld_CreateSphere(world, 0.1, NULL) : ctWorld_CreateBox(world, ctV3(0.2, 0.3, 0.2), NULL);
        ctBodyId body = ctTestSolidAt(world, shape, ctV3(-0.48, 0.03, 0.2), ctV3(1, 0, -0.2), ctZero3());
        ctTestRun(world, 0.55); // it touches the floor at 0.5 s, where x = 0.02
        ctVec3 v = ctBody_GetVelocity(world, body);
        ctRequire(kind == 1 || ctDistance(v, ctV3(1, 0, 0.2)) < 1e-9, "%g %g %g", v.x, v.y, v.z);
        ctAssertClose(v.x, 1.0, 1e-9);
        ck_assert(v.z > 0.0);
        ctTestRun(world, 0.5);
        ck_assert(ctBody_GetCenter(world, body).z > 0.1);
        assertSound(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Bodies of all kinds in all attitudes that come from behind hills at an angle: none is touched before it is out.
START_TEST(nothing_is_felt_on_the_way_through)
{
    ctRandom r = ctRandomSeed(11);
    for (int k = 0; k < ctTestCases(60); k++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
        ctTestGround(world, ctTestField(world, 33, 3.0, hills, NULL), ctZero3(), upright);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, k % 7);
        def.position = ctV3(ctRandomUniform(&r, -0.3, 0.3), ctRandomUniform(&r, -0.3, 0.3), -0.5);
        def.orientation = ctRandomQuat(&r);
        def.velocity = ctV3(ctRandomUniform(&r, -1, 1), ctRandomUniform(&r, -1, 1), ctRandomUniform(&r, 0.7, 3));
        def.spin = ctRandomVec3(&r, -5, 5);
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        double energy = ctBody_GetKineticEnergy(world, body);
        ctVec3 from = ctBody_GetCenter(world, body);
        ctTestRun(world, 1.0 / def.velocity.z);
        ctVec3 to = ctMulAdd(from, ctWorld_GetTime(world), def.velocity);
        ctRequire(ctDistance(ctBody_GetCenter(world, body), to) < 1e-11, "case %d: %g m off", k,
                  ctDistance(ctBody_GetCenter(world, body), to));
        ctAssertClose(ctBody_GetKineticEnergy(world, body), energy, 1e-10 * energy);
        ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
        ctWorld_Destroy(world);
    }
}
END_TEST

// In the middle of the way through, a world is saved and goes on as it would have.
START_TEST(snapshots_know_what_is_passed)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.2);
    ctTestGround(world, ctTestField(world, 33, 3.0, hills, NULL), ctZero3(), upright);
    for (int kind = 0; kind < 7; kind++) {
        ctTestSolidAt(world, ctTestSolid(world, kind), ctV3(0.4 * (kind % 3) - 0.4, 0.4 * (kind / 3) - 0.4, -0.5),
                      ctV3(0, 0, 4.0), ctV3(1, 2, 3));
    }
    for (int i = 0; i < 60; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        if (i % 4 != 3) {
            continue;
        }
        ctWorld *twin = ctTestCopy(world);
        for (int k = 0; k < 4 && i + k < 60; k++) {
            ck_assert_uint_eq(ctWorld_Hash(twin), ctWorld_Hash(world));
            ck_assert(ctWorld_Step(twin, NULL) && (k == 3 || ctWorld_Step(world, NULL)));
            i += k < 3;
        }
        ctWorld_Destroy(twin);
    }
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terrain_sides");
    TCase *tc = tcase_create("terrain_sides");
    tcase_set_timeout(tc, 60.0);
    tcase_add_loop_test(tc, from_below_it_passes_and_lands_on_the_front, 0, 2);
    tcase_add_loop_test(tc, two_sides_hold_on_both, 0, 2);
    tcase_add_test(tc, what_comes_back_before_it_is_out_falls_through);
    tcase_add_test(tc, turning_adds_no_looks_on_the_way_through);
    tcase_add_test(tc, a_wall_has_a_front);
    tcase_add_test(tc, a_floor_holds_beside_a_wall_that_is_passed);
    tcase_add_test(tc, nothing_is_felt_on_the_way_through);
    tcase_add_test(tc, snapshots_know_what_is_passed);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
