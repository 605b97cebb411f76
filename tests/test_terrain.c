// Bodies on terrains: on flat terrain they move as on a plane, over seams as if there were none, and worlds with
// terrains survive snapshots. What a terrain is by itself: tests/test_terrain_surface.c.
#include "collision/gjk.h"
#include "collision/quat.h"
#include "collision/terrain.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ctVec3 down = {0.0, 0.0, -9.81};

// ---- bodies on it -----------------------------------------------------------------------------

// Every kind of body dropped on hills: it comes to rest on them, and none gets through.
START_TEST(bodies_come_to_rest_on_hills)
{
    ctWorld *world = ctTestWorld(down, 0.8, 0.3);
    ctBodyId ground =
        ctTestGround(world, ctTestField(world, 25, 3.0, ctTestHill, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId bodies[14];
    ctRandom r = ctRandomSeed(_i);
    for (int i = 0; i < 14; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, i % 7);
        def.density = 500.0;
        def.position = ctV3(-0.75 + 0.5 * (i % 4), -0.75 + 0.5 * (i / 4), 0.6);
        def.orientation = ctRandomQuat(&r);
        def.spin = ctRandomVec3(&r, -3, 3);
        bodies[i] = ctWorld_CreateBody(world, &def, NULL);
        ck_assert(bodies[i].index1 != 0);
    }
    ctTestRun(world, 2.0);
    for (int i = 0; i < 14; i++) {
        ctVec3 c = ctBody_GetCenter(world, bodies[i]);
        ctNearest nearest;
        ctAssert(ctWorld_Closest(world, bodies[i], ground, &nearest));
        bool off = fabs(c.x) > 1.5 || fabs(c.y) > 1.5; // rolled over the rim
        ctRequire(off || (c.z > ctTestHill(c.x, c.y) && nearest.distance > -1e-4), "body %d at %g %g %g, distance %g",
                  i, c.x, c.y, c.z, nearest.distance);
    }
    double deep = ctWorld_GetStats(world).maxPenetration;
    ctRequire(deep < 1e-3, "overlap of %g m", deep);
    ctWorld_Destroy(world);
}
END_TEST

// A flat terrain is a plane to what is on it, away from its rim.
START_TEST(flat_terrain_is_a_plane)
{
    for (int kind = 0; kind < 3; kind++) {
        ctVec3 ends[2][2];
        int64_t impacts[2];
        for (int i = 0; i < 2; i++) {
            ctWorld *world = ctTestWorld(down, 0.4, 0.5);
            if (i == 0) {
                ctTestPlane(world, ctV3(0, 0, 1), 0.0);
            } else {
                ctTestGround(world, ctTestField(world, 101, 10.0, ctTestFlat, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
            }
            ctShapeId shape = kind == 2 ? ctWorld_CreateSphere(world, 0.1, NULL)
                                        : ctWorld_CreateBox(world, ctV3(0.2, 0.3, 0.1), NULL);
            // A box slides from rest on its face; a box falls on its face; a ball falls with spin.
            ctVec3 p = ctV3(-3.0, 0.013, kind == 0 ? 0.05 : 0.7);
            ctBodyId body =
                ctTestSolidAt(world, shape, p, ctV3(kind == 0 ? 4 : 1, 0.3, 0), ctV3(0, kind == 2 ? 30 : 0, 0));
            ctTestRun(world, 2.0);
            ends[i][0] = ctBody_GetCenter(world, body);
            ends[i][1] = ctBody_GetVelocity(world, body);
            impacts[i] = ctWorld_GetStats(world).impacts;
            ctWorld_Destroy(world);
        }
        ctRequire(ctDistance(ends[0][0], ends[1][0]) < 1e-9 && ctDistance(ends[0][1], ends[1][1]) < 1e-9,
                  "kind %d: %g m, %g m/s apart", kind, ctDistance(ends[0][0], ends[1][0]),
                  ctDistance(ends[0][1], ends[1][1]));
        ck_assert_int_eq(impacts[0], impacts[1]);
    }
}
END_TEST

// ---- seams ------------------------------------------------------------------------------------

static double energyOf(const ctWorld *world, ctBodyId body)
{
    return ctBody_GetKineticEnergy(world, body) + 9.81 * ctBody_GetMass(world, body) * ctBody_GetCenter(world, body).z;
}

// A valley that runs along y, cut into strips along x; a slope; a flat floor beside a wall, which is near enough that
// the ball sees triangles and no plane.
static double valley(double x, double y)
{
    (void)y;
    return 2.0 - sqrt(4.0 - x * x);
}

static double slope(double x, double y)
{
    return 0.05 * x + 0.02 * y;
}

static double wall(double x, double y)
{
    (void)x;
    return y > 0.3 ? 2.0 * (y - 0.3) : 0.0;
}

// A ball that rolls keeps its energy: 1e-9 of it at each seam, of which it passes a thousand or so. It neither hops nor
// collides.
START_TEST(a_ball_keeps_its_energy_over_seams)
{
    static double (*const surfaces[])(double, double) = {ctTestFlat, slope, wall, valley};
    ctWorld *world = ctTestWorld(down, 1.0, 0.5);
    int n = 201;
    ctTerrainDef def = ctDefaultTerrainDef();
    ctTestGround(world, ctTestField(world, n, 3.0, surfaces[_i], &def), ctZero3(), (ctQuat){1, 0, 0, 0});
    double r = 0.04, x = _i == 3 ? 0.9 : -1.2, v = _i == 3 ? 0.0 : 1.1;
    double tall = _i == 1 ? sqrt(1.0 + 0.05 * 0.05 + 0.02 * 0.02) : 1.0;
    ctVec3 p = ctV3(x, 0.0137, surfaces[_i](x, 0.0137) + r * tall);
    ctVec3 along = _i == 1 ? ctNormalize(ctV3(1, 0, 0.05)) : ctV3(1, 0, 0);
    ctVec3 up = _i == 1 ? ctNormalize(ctV3(-0.05, -0.02, 1)) : ctV3(0, 0, 1);
    if (_i == 3) { // on the side of the valley it starts from rest, a little above
        p = ctAdd(ctV3(x, 0.0137, surfaces[_i](x, 0.0)),
                  ctScale(r * 1.003, ctV3(-x / 2.0, 0, sqrt(1.0 - x * x / 4.0))));
    }
    ctBodyId ball = ctTestSolidAt(world, ctWorld_CreateSphere(world, r, NULL), p, ctScale(v, along),
                                  ctScale(v / r, ctCross(up, along)));
    ctTestRun(world, _i == 3 ? 1.0 : 0.1);
    double start = energyOf(world, ball), speed = 0.0;
    int64_t impacts = ctWorld_GetStats(world).impacts, steps = ctWorld_GetStats(world).contactSteps;
    double seconds = _i == 3 ? 9.0 : 1.5, way = 0.0;
    for (int k = 0; k < (int)(60.0 * seconds); k++) {
        ck_assert(ctWorld_Step(world, NULL));
        speed = fmax(speed, ctLength(ctBody_GetVelocity(world, ball)));
        way += fabs(ctBody_GetVelocity(world, ball).x) / 60.0;
        ctRequire(fabs(energyOf(world, ball) - start) < 1e-9 * start, "step %d: %g J of %g J", k,
                  energyOf(world, ball) - start, start);
    }
    ck_assert_int_eq(ctWorld_GetStats(world).impacts, impacts);
    ck_assert(speed > 1.0);
    // One step for each frame and each seam: two of these to a strip of 15 mm, one of them flat.
    steps = ctWorld_GetStats(world).contactSteps - steps;
    double most = 60.0 * seconds + way / 0.015;
    ctRequire(_i != 3 || (double)steps < 1.1 * most, "%d steps for %g", (int)steps, most);
    ctWorld_Destroy(world);
}
END_TEST

// A box that slides over seams beside a wall moves as on a plane, and does not hop.
START_TEST(a_box_does_not_hop)
{
    double ends[2];
    for (int i = 0; i < 2; i++) {
        ctWorld *world = ctTestWorld(down, 0.3, 0.3);
        if (i == 0) {
            ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        } else {
            ctTestGround(world, ctTestField(world, 101, 8.0, wall, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
        }
        ctBodyId box = ctTestSolidAt(world, ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.1), NULL), ctV3(-3.5, 0.1, 0.05),
                                     ctV3(4, 0, 0), ctZero3());
        for (int k = 0; k < 120; k++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctAssertClose(ctBody_GetCenter(world, box).z, 0.05, 1e-9);
        }
        ends[i] = ctBody_GetCenter(world, box).x;
        ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
        ctWorld_Destroy(world);
    }
    ctAssertClose(ends[0], ends[1], 1e-9);
    ctAssertClose(ends[0], -3.5 + 16.0 / (2.0 * 0.3 * 9.81), 1e-6);
}
END_TEST

// Resistance to rolling, c N, stops a ball, a cylinder and a capsule after v^2 r (1 + k) / (2 c g), with k = I / (m
// r^2): over the seams of a flat mesh beside a wall as on a plane, and at the same height.
START_TEST(resistance_stops_what_rolls_over_seams)
{
    double r = 0.05, v = 0.8, c = 1e-3;
    ctWorld *world = ctTestWorld(down, 0.8, 0.3);
    ctCoefficients material = {.friction = 0.8, .restitution = 0.3, .rolling = c};
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, material, NULL));
    ctTestGround(world, ctTestField(world, 201, 10.0, wall, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = _i == 0   ? ctWorld_CreateSphere(world, r, NULL)
                : _i == 1 ? ctWorld_CreateCylinder(world, r, 0.1, NULL)
                          : ctWorld_CreateCapsule(world, r, 0.1, NULL);
    def.density = 1000.0;
    def.position = ctV3(-3.0, 0.16, r);
    def.orientation = ctQuatExp(ctV3(_i == 0 ? 0.0 : CT_PI / 2.0, 0, 0));
    def.velocity = ctV3(v, 0, 0);
    def.spin = ctV3(0, v / r, 0);
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(body.index1 != 0);
    double k = ctBody_GetMassData(world, body).inertia.cz.z / (ctBody_GetMass(world, body) * r * r);
    for (int i = 0; i < 480; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctAssertClose(ctBody_GetCenter(world, body).z, r, 1e-12);
    }
    double way = v * v * r * (1.0 + k) / (2.0 * c * 9.81);
    ctAssertClose(ctBody_GetCenter(world, body).x + 3.0, way, 2e-6 * way);
    ctWorld_Destroy(world);
}
END_TEST

// Small oscillations of a ball that rolls in a bowl: T = 2 pi sqrt(7 (R - r) / (5 g)). A bowl of triangles has chords
// for arcs; the error goes with the square of their length.
static double bowl(double x, double y)
{
    return 2.0 - sqrt(4.0 - x * x - y * y);
}

static double periodIn(int n)
{
    double r = 0.05, angle = 0.1, last = 1.0, crossings[3];
    int count = 0;
    ctWorld *world = ctTestWorld(down, 1.0, 0.0);
    ctTestGround(world, ctTestField(world, n, 1.0, bowl, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctVec3 p = ctV3((2.0 - r) * sin(angle), 1e-4, 2.0 - (2.0 - r) * cos(angle) + 3e-4);
    ctBodyId ball = ctTestSolidAt(world, ctWorld_CreateSphere(world, r, NULL), p, ctZero3(), ctZero3());
    while (count < 3) {
        ck_assert(ctWorld_Step(world, NULL));
        double x = ctBody_GetCenter(world, ball).x, t = ctWorld_GetTime(world);
        if (x * last < 0.0) {
            crossings[count++] = t - x / ctBody_GetVelocity(world, ball).x;
        }
        ck_assert(t < 10.0);
        last = x;
    }
    ctWorld_Destroy(world);
    return crossings[2] - crossings[0];
}

START_TEST(a_ball_in_a_bowl_has_its_period)
{
    double exact = 2.0 * CT_PI * sqrt(7.0 * 1.95 / (5.0 * 9.81)) * (1.0 + 0.1 * 0.1 / 16.0);
    double coarse = fabs(periodIn(41) / exact - 1.0), fine = fabs(periodIn(161) / exact - 1.0);
    ctRequire(coarse < 0.02 && fine < 2e-3 && fine < 0.4 * coarse, "%g and %g off", coarse, fine);
}
END_TEST

// Over the top of a ctTestHill with the radius of curvature R a ball stays on it if v^2 / R < g, or takes off.
static double ridge(double x, double y)
{
    (void)y;
    return sqrt(4.0 - x * x) - 2.0;
}

START_TEST(a_fast_ball_takes_off_from_a_crest)
{
    for (int fast = 0; fast < 2; fast++) {
        ctWorld *world = ctTestWorld(down, 1.0, 0.0);
        ctTestGround(world, ctTestField(world, 101, 2.0, ridge, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
        double r = 0.05, v = sqrt(9.81 * 2.05) * (fast == 1 ? 1.5 : 0.5), away = 0.0;
        ctBodyId ball = ctTestSolidAt(world, ctWorld_CreateSphere(world, r, NULL), ctV3(0.001, 0.003, r + 1e-4),
                                      ctV3(v, 0, 0), ctV3(0, v / r, 0));
        while (ctBody_GetCenter(world, ball).x < 0.6) {
            ck_assert(ctWorld_Step(world, NULL));
            ctVec3 c = ctBody_GetCenter(world, ball);
            away = fmax(away, sqrt(c.x * c.x + (c.z + 2.0) * (c.z + 2.0)) - 2.0 - r);
        }
        ctRequire(fast == 1 ? away > 0.01 : away < 3e-4, "%s: %g m above the ground", fast ? "fast" : "slow", away);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Boxes side by side: a ball that rolls over them keeps its energy and its height; one that slides from oil on to dry
// boards gets the other friction just there.
START_TEST(a_ball_passes_from_box_to_box)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    double r = 0.03, v = 1.0;
    for (int i = 0; i < 20; i++) {
        ctTestBox(world, ct_motionFixed, ctV3(0.25, 1.0, 0.2), ctV3(0.25 * i, 0.0, -0.1));
    }
    ctBodyId ball =
        ctTestSolidAt(world, ctWorld_CreateSphere(world, r, NULL), ctV3(0.0, 0.1, r), ctV3(v, 0, 0), ctV3(0, v / r, 0));
    double start = energyOf(world, ball);
    for (int k = 0; k < 240; k++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctAssertClose(ctBody_GetCenter(world, ball).z, r, 1e-11);
        ctAssertClose(energyOf(world, ball), start, 1e-9 * start);
    }
    ctAssertClose(ctBody_GetCenter(world, ball).x, 4.0, 1e-9);
    ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(friction_changes_at_the_seam)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    ctMaterialId oil, dry;
    ctMaterialDef material = ctDefaultMaterialDef();
    material.name = "oil";
    material.self.friction = 0.04;
    ck_assert(ctWorld_CreateMaterial(world, &material, &oil, NULL));
    material.name = "dry";
    material.self.friction = 0.2;
    ck_assert(ctWorld_CreateMaterial(world, &material, &dry, NULL));
    ctBodyId first = ctTestBox(world, ct_motionFixed, ctV3(4.0, 1.0, 0.2), ctV3(0.0, 0.0, -0.1));
    ctBodyId second = ctTestBox(world, ct_motionFixed, ctV3(4.0, 1.0, 0.2), ctV3(4.0, 0.0, -0.1));
    ck_assert(ctBody_SetMaterial(world, first, oil, NULL) && ctBody_SetMaterial(world, second, dry, NULL));
    ctBodyId ball =
        ctTestSolidAt(world, ctWorld_CreateSphere(world, 0.1, NULL), ctV3(0.0, 0.0, 0.1), ctV3(5, 0, 0), ctZero3());
    ctTestRun(world, 0.6);
    // Friction sqrt(f1 f2) with the default material; the ball slides all the time.
    double a1 = -sqrt(0.5 * 0.04) * 9.81, a2 = -sqrt(0.5 * 0.2) * 9.81, t1 = (-5.0 + sqrt(25.0 + 2.0 * a1 * 2.0)) / a1;
    double v1 = 5.0 + a1 * t1, t2 = 0.6 - t1;
    // The gap at which the ball touches the edge of the second box leaves the seam uncertain by 1e-6 of its radius.
    ctAssertClose(ctBody_GetVelocity(world, ball).x, v1 + a2 * t2, 1e-7);
    ctAssertClose(ctBody_GetCenter(world, ball).x, 2.0 + v1 * t2 + 0.5 * a2 * t2 * t2, 1e-7);
    ctWorld_Destroy(world);
}
END_TEST

// A large mesh is made in no time, and each body looks at what is near.
START_TEST(a_hundred_thousand_triangles)
{
    ctWorld *world = ctTestWorld(down, 1.0, 0.5);
    ctTestGround(world, ctTestField(world, 225, 20.0, ctTestHill, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId ball =
        ctTestSolidAt(world, ctWorld_CreateSphere(world, 0.1, NULL), ctV3(1, 1, 3), ctV3(1, 0, 0), ctZero3());
    ctTestRun(world, 1.0);
    ck_assert(ctBody_GetCenter(world, ball).z > -1.0);
    ck_assert_int_lt(ctWorld_GetStats(world).distanceChecks, 5000);
    ctWorld_Destroy(world);
}
END_TEST

// ---- the world around it ----------------------------------------------------------------------

static ctWorld *hilly(void)
{
    ctWorld *world = ctTestWorld(down, 0.8, 0.3);
    ctTestGround(world, ctTestField(world, 25, 3.0, ctTestHill, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    for (int i = 0; i < 7; i++) {
        ctVec3 p = ctV3(-0.75 + 0.5 * (i % 4), -0.5 + 0.5 * (i / 4), 0.4);
        ctTestSolidAt(world, ctTestSolid(world, i), p, ctV3(0.3, 0, 0), ctV3(1, 2, 3));
    }
    return world;
}

// A ball that rolls through the seams of a bowl.
static ctWorld *bowled(void)
{
    ctWorld *world = ctTestWorld(down, 1.0, 0.2);
    ctTestGround(world, ctTestField(world, 81, 1.0, bowl, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctTestSolidAt(world, ctWorld_CreateSphere(world, 0.05, NULL), ctV3(0.3, 0.05, 0.08), ctV3(0, 0.3, 0), ctZero3());
    return world;
}

START_TEST(snapshots_go_on_exactly)
{
    ctWorld *world = _i == 0 ? hilly() : bowled();
    for (int i = 0; i < 90; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        if (i % 15 != 14) {
            continue;
        }
        void *data;
        size_t size;
        ctError error = {ct_ok, ""};
        ck_assert(ctWorld_Save(world, &data, &size, NULL));
        ctWorld *twin = ctWorld_Load(data, size, &error), *other = ctWorld_Load(data, size, &error);
        ck_assert_msg(twin != NULL && other != NULL, "%s", error.message);
        ck_assert_uint_eq(ctWorld_Hash(twin), ctWorld_Hash(world));
        for (int k = 0; k < 20; k++) {
            ck_assert(ctWorld_Step(twin, NULL) && ctWorld_Step(other, NULL));
        }
        ck_assert(ctWorld_Restore(other, data, size, &error));
        ctFreeSnapshot(data);
        for (int k = 0; k < 20; k++) {
            ck_assert(ctWorld_Step(other, NULL));
        }
        ck_assert_uint_eq(ctWorld_Hash(twin), ctWorld_Hash(other));
        ctWorld_Destroy(twin);
        ctWorld_Destroy(other);
    }
    ctWorld *again = _i == 0 ? hilly() : bowled();
    for (int i = 0; i < 90; i++) {
        ck_assert(ctWorld_Step(again, NULL));
    }
    ck_assert_uint_eq(ctWorld_Hash(again), ctWorld_Hash(world));
    ctWorld_Destroy(again);
    ctWorld_Destroy(world);
}
END_TEST

// Bytes that are not those of a snapshot are refused, or make a world that can be stepped.
START_TEST(damaged_snapshots_are_harmless)
{
    ctWorld *world = hilly();
    ctTestRun(world, 0.5);
    void *data;
    size_t size;
    ck_assert(ctWorld_Save(world, &data, &size, NULL));
    ctRandom r = ctRandomSeed(9);
    char *copy = malloc(size);
    for (int k = 0; k < ctTestCases(300); k++) {
        memcpy(copy, data, size);
        copy[ctRandomInt(&r, 0, (int)size - 1)] ^= (char)(1 << ctRandomInt(&r, 0, 7));
        ctWorld *other = ctWorld_Load(copy, size, NULL);
        ctWorld_Destroy(other);
    }
    free(copy);
    ctFreeSnapshot(data);
    ctWorld_Destroy(world);
}
END_TEST

// Terrains and bodies come and go; what the program sees is bodies, never what stands between.
START_TEST(bodies_and_terrains_come_and_go)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.0);
    ctShapeId field = ctTestField(world, 11, 4.0, ctTestFlat, NULL), ball = ctWorld_CreateSphere(world, 0.1, NULL);
    for (int round = 0; round < 5; round++) {
        ctBodyId first = ctTestGround(world, field, ctZero3(), (ctQuat){1, 0, 0, 0});
        ctBodyId second = ctTestGround(world, field, ctV3(0, 0, -1), (ctQuat){1, 0, 0, 0}), balls[4];
        for (int i = 0; i < 4; i++) {
            balls[i] = ctTestSolidAt(world, ball, ctV3(-0.6 + 0.4 * i, 0.02, 0.1 + 0.1 * i), ctZero3(), ctZero3());
        }
        ck_assert_int_eq(ctWorld_GetBodyCount(world), 6);
        ctTestRun(world, 0.5);
        const ctContact *contacts;
        int count = ctWorld_GetContacts(world, &contacts);
        for (int i = 0; i < count; i++) {
            ck_assert(ctBody_IsValid(world, contacts[i].body1) && contacts[i].body2.index1 == first.index1);
        }
        ck_assert_int_eq(count, 4);
        ck_assert(ctBody_GetTally(world, first).impacts >= 3);
        ck_assert(ctWorld_GetPairTally(world, balls[3], first).impacts >= 1);
        ck_assert(ctWorld_DestroyBody(world, balls[0], NULL) && ctWorld_DestroyBody(world, first, NULL));
        ctTestRun(world, 1.0);
        for (int i = 1; i < 4; i++) {
            ctAssertClose(ctBody_GetCenter(world, balls[i]).z, -0.9, 1e-5);
            ck_assert(ctWorld_DestroyBody(world, balls[i], NULL));
        }
        ck_assert(ctBody_SetTransform(world, second, (ctTransform){{0, 0, 2}, {1, 0, 0, 0}}, NULL));
        ck_assert(ctWorld_DestroyBody(world, second, NULL));
    }
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terrain");
    TCase *tc = tcase_create("terrain");
    tcase_set_timeout(tc, 60.0);
    tcase_add_loop_test(tc, bodies_come_to_rest_on_hills, 0, 3);
    tcase_add_test(tc, flat_terrain_is_a_plane);
    tcase_add_loop_test(tc, a_ball_keeps_its_energy_over_seams, 0, 4);
    tcase_add_test(tc, a_box_does_not_hop);
    tcase_add_loop_test(tc, resistance_stops_what_rolls_over_seams, 0, 3);
    tcase_add_test(tc, a_ball_in_a_bowl_has_its_period);
    tcase_add_test(tc, a_fast_ball_takes_off_from_a_crest);
    tcase_add_test(tc, a_ball_passes_from_box_to_box);
    tcase_add_test(tc, friction_changes_at_the_seam);
    tcase_add_test(tc, a_hundred_thousand_triangles);
    tcase_add_loop_test(tc, snapshots_go_on_exactly, 0, 2);
    tcase_add_test(tc, damaged_snapshots_are_harmless);
    tcase_add_test(tc, bodies_and_terrains_come_and_go);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
