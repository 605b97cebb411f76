// Bodies of every kind slide and roll over seams: of a flat mesh, beside a wall so that it is no plane to them, of
// boxes side by side, and of compounds of boxes and of hulls. They go where they would on a plane, and do not hop.
#include "collision/quat.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

#include <math.h>

static const ctVec3 down = {0.0, 0.0, -9.81};

typedef struct Mover {
    const char *name;
    ctVec3 spin; // in units of the speed over 0.05 m
    double turn; // rad: about x, where it lies on its side
} Mover;

static const Mover movers[] = {
    {"box", {0, 0, 0}, 0.0},
    {"box at an angle", {0, 0, 0}, 0.0},
    {"cylinder on its end", {0, 0, 0}, 0.0},
    {"cylinder that rolls", {0, 1, 0}, 0.5 * CT_PI},
    {"capsule that rolls", {0, 1, 0}, 0.5 * CT_PI},
    {"ellipsoid that rolls", {0, 1, 0}, 0.0},
    {"coin", {0, 0, 0}, 0.0},
    {"cone", {0, 0, 0}, 0.0},
    {"prism", {0, 0, 0}, 0.0},
};
enum { MOVERS = sizeof movers / sizeof movers[0] };

static ctShapeId shapeOf(ctWorld *world, int kind)
{
    ctVec3 prism[12];
    for (int i = 0; i < 12; i++) {
        prism[i] = ctV3(0.1 * cos(i / 2 * CT_PI / 3.0), 0.1 * sin(i / 2 * CT_PI / 3.0), i % 2 ? 0.05 : -0.05);
    }
    switch (kind) {
    case 2:
        return ctWorld_CreateCylinder(world, 0.08, 0.1, NULL);
    case 3:
        return ctWorld_CreateCylinder(world, 0.05, 0.15, NULL);
    case 4:
        return ctWorld_CreateCapsule(world, 0.05, 0.15, NULL);
    case 5:
        return ctWorld_CreateEllipsoid(world, ctV3(0.05, 0.08, 0.05), NULL);
    case 6:
        return ctWorld_CreateCylinder(world, 0.05, 0.01, NULL);
    case 7:
        return ctWorld_CreateCone(world, 0.08, 0.1, NULL);
    case 8:
        return ctWorld_CreateHull(world, prism, 12, NULL);
    default:
        return ctWorld_CreateBox(world, ctV3(0.2, 0.16, 0.1), NULL);
    }
}

static double wall(double x, double y)
{
    (void)x;
    return y > 0.3 ? 2.0 * (y - 0.3) : 0.0;
}

typedef enum Floor { aPlane, aMesh, boxes, aCompound, hulls, FLOORS } Floor;

static void layFloor(ctWorld *world, Floor floor)
{
    if (floor == aPlane) {
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    } else if (floor == aMesh) {
        ctTestGround(world, ctTestField(world, 101, 8.0, wall, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    }
    if (floor == aCompound || floor == hulls) {
        ctPart parts[32];
        for (int i = 0; i < 32; i++) { // of two heights, or they would be joined
            double height = i % 2 == 0 ? 0.2 : 0.3;
            parts[i] = (ctPart){ctTestBlock(world, floor == hulls ? ct_testHull : ct_testBox, ctV3(0.25, 1.0, height)),
                                {ctV3(-4.0 + 0.25 * i, 0.0, -0.5 * height), ctQuatIdentity()}};
        }
        ctBodyDef def = ctDefaultBodyDef();
        def.motion = ct_motionFixed;
        def.shape = ctWorld_CreateCompound(world, parts, 32, NULL);
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    }
    for (int i = 0; i < 32 && floor == boxes; i++) {
        ctTestBox(world, ct_motionFixed, ctV3(0.25, 1.0, 0.2), ctV3(-4.0 + 0.25 * i, 0.0, -0.1));
    }
}

typedef struct Ride {
    ctVec3 end;
    double up, down; // m: how far from its height it has been
} Ride;

static Ride rideOf(int kind, Floor floor, double speed)
{
    ctWorld *world = ctTestWorld(down, 0.3, 0.5);
    layFloor(world, floor);
    ctBodyDef def = ctDefaultBodyDef();
    double turn = kind == 1 ? 0.3 : 0.5 * movers[kind].turn;
    def.shape = shapeOf(world, kind);
    def.density = 1000.0;
    def.position = ctV3(-2.2, 0.0137, kind == 6 ? 0.005 : 0.05);
    def.orientation = kind == 1 ? (ctQuat){.w = cos(turn), .z = sin(turn)} : (ctQuat){.w = cos(turn), .x = sin(turn)};
    def.velocity = ctV3(speed, 0, 0);
    def.spin = ctScale(speed / 0.05, movers[kind].spin);
    ctError error = {ct_ok, ""};
    ctBodyId body = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(body.index1 != 0, "%s", error.message);
    double start = ctBody_GetCenter(world, body).z;
    Ride ride = {.up = 0.0};
    for (int i = 0; i < 75; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ride.end = ctBody_GetCenter(world, body);
        ride.up = fmax(ride.up, ride.end.z - start);
        ride.down = fmax(ride.down, start - ride.end.z);
    }
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
    return ride;
}

START_TEST(seams_are_not_felt)
{
    static const double speeds[] = {0.6, 3.0};
    static const char *const names[FLOORS] = {"a plane", "a mesh", "boxes", "a compound", "hulls"};
    for (int i = 0; i < 2; i++) {
        Ride plane = rideOf(_i, aPlane, speeds[i]);
        for (Floor floor = aMesh; floor < FLOORS; floor++) {
            Ride ride = rideOf(_i, floor, speeds[i]);
            // Where a line of contact passes over triangles, points come and go.
            double off = ctDistance(plane.end, ride.end), most = floor == aMesh ? 1e-6 : 1e-7;
            ctRequire(ride.up < most && ride.down < 1e-5 && off < 1e-4,
                      "%s over %s at %g m/s: %g m up, %g m down, %g m off", movers[_i].name, names[floor], speeds[i],
                      ride.up, ride.down, off);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("seams");
    TCase *tc = tcase_create("seams");
    tcase_set_timeout(tc, 60.0);
    tcase_add_loop_test(tc, seams_are_not_felt, 0, MOVERS);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
