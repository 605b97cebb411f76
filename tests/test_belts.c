// Surfaces that move (conveyors, tyres, tables), and what they drive, against closed forms and against each other.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/energy.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;
static const ctVec3 DOWN = {0, 0, -9.81};

// A block put on a conveyor: it slips and accelerates by mu g, for v / (mu g), over v^2 / (2 mu g); then it rides.
START_TEST(a_conveyor_picks_a_block_up)
{
    for (int kind = 0; kind < 2; kind++) {
        double mu = 0.3, v = 1.5, t = v / (mu * G);
        ctWorld *world = ctTestWorld(DOWN, mu, 0.0);
        ctBodyId belt = kind == 0 ? ctTestBox(world, ct_motionFixed, ctV3(20, 2, 1), ctV3(0, 0, -0.5))
                                  : ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.4, 0.4, 0.02), ctV3(0, 0, 0.01));
        ctTestRun(world, 1.0);
        ck_assert(ctBody_IsAsleep(world, box));
        ck_assert(ctBody_SetSurfaceVelocity(world, belt, ctV3(v, 0, 0), ctZero3(), NULL));
        double start = ctWorld_GetTime(world);
        while (ctWorld_GetTime(world) - start < 0.8 * t) {
            ck_assert(ctWorld_Step(world, NULL));
            double s = ctWorld_GetTime(world) - start;
            ctAssertClose(ctBody_GetVelocity(world, box).x, mu * G * s, 1e-9);
            ctAssertClose(ctBody_GetCenter(world, box).x, 0.5 * mu * G * s * s, 1e-9);
        }
        ctTestRun(world, 1.0);
        double s = ctWorld_GetTime(world) - start;
        ctAssertClose(ctBody_GetVelocity(world, box).x, v, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, box).x, v * s - 0.5 * v * t, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, belt).x, 0.0, 0.0);
        ck_assert(!ctBody_IsAsleep(world, box));
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-6);
        // Half of the belt's work went into the block, half into heat: m v^2.
        ctAssertClose(ctWorld_GetStats(world).kinematicWork, ctBody_GetMass(world, box) * v * v, 1e-6);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A ball dropped on a conveyor: the impulse of friction is that of a surface that moves; its normal part is not.
START_TEST(a_conveyor_strikes_across_the_normal_only)
{
    double v = 2.0, h = 0.5, r = 0.1;
    ctWorld *world = ctTestWorld(DOWN, 10.0, 0.5);
    ctBodyId belt = ctTestBox(world, ct_motionFixed, ctV3(4, 4, 1), ctV3(0, 0, -0.5));
    ctBodyId ball = ctTestBall(world, r, ctV3(0, 0, h + r), ctZero3());
    // A part of the belt's velocity that points out of it does nothing.
    ck_assert(ctBody_SetSurfaceVelocity(world, belt, ctV3(v, 0, 3.0), ctZero3(), NULL));
    bool impact = false;
    while (!impact) {
        ck_assert(ctWorld_StepToImpact(world, &impact, NULL));
    }
    ctVec3 after = ctBody_GetVelocity(world, ball), spin = ctBody_GetSpin(world, ball);
    ctAssertClose(after.z, 0.5 * sqrt(2.0 * G * h), 1e-9);
    ctAssertClose(after.x, 2.0 / 7.0 * v, 1e-9); // sticks: 2/7 of the slip
    ctAssertClose(after.x - spin.y * r, v, 1e-9);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// A ball, a box and a can on a conveyor whose surface also moves into it, or out of it, go as on one without that.
START_TEST(a_conveyor_carries_across_the_normal_only)
{
    double ways[3][3] = {{0}}, heat[3][3] = {{0}};
    for (int k = 0; k < 9; k++) {
        ctWorld *world = ctTestWorld(DOWN, 0.3, 0.0);
        ctBodyId belt = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, k % 3);
        def.position = ctV3(0, 0, k % 3 == 0 ? 0.1 : k % 3 == 1 ? 0.05 : 0.04);
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        ctTestRun(world, 0.2);
        ck_assert(ctBody_SetSurfaceVelocity(world, belt, ctV3(1, 0, (k / 3 - 1) * 0.4), ctZero3(), NULL));
        ctTestRun(world, 0.5);
        ways[k / 3][k % 3] = ctBody_GetCenter(world, body).x;
        heat[k / 3][k % 3] = ctWorld_GetStats(world).frictionLoss;
        ctAssertClose(ctBody_GetCenter(world, body).z, def.position.z, 1e-12);
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-9);
        ctTestFinish(world);
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_double_gt(ways[1][i], 0.05);
        for (int k = 0; k < 3; k += 2) {
            ctAssertClose(ways[k][i], ways[1][i], 1e-12);
            ctAssertClose(heat[k][i], heat[1][i], 1e-9);
        }
    }
}
END_TEST

// A world that is four times as large, with times twice as long, moves the same bit for bit: balls that fall on a plate
// on a path, a box under a torque and drag that passes a sensor, and boxes on each other with rolling resistance.
static ctWorld *drivenWorld(double s, ctBodyId bodies[5])
{
    double t = sqrt(s);
    ctWorld *world = ctTestWorld(DOWN, 0.4, 0.3);
    ctCoefficients pair = {.friction = 0.4, .restitution = 0.3, .rolling = 1e-3 * s, .spinning = 1e-3 * s};
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
    ck_assert(ctWorld_SetFrameTime(world, t / 60.0, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionKinematic;
    def.shape = ctWorld_CreateBox(world, ctV3(s, s, 0.1 * s), NULL);
    def.position = ctV3(2 * s, 0, 0.5 * s);
    ctBodyId plate = ctWorld_CreateBody(world, &def, NULL);
    ctPathPoint points[3];
    memset(points, 0, sizeof points);
    for (int i = 0; i < 3; i++) {
        points[i].time = 0.4 * t * i;
        points[i].pose = ctTransformOf(ctV3(2 * s, 0, (0.5 + 0.1 * (i % 2)) * s), ctQuatExp(ctV3(0, 0, 0.3 * (i % 2))));
    }
    ck_assert(ctBody_SetPath(world, plate, points, 3, true, NULL));
    bodies[0] = ctTestBall(world, 0.06 * s, ctV3(2.1 * s, 0.1 * s, 0.8 * s), ctZero3());
    bodies[1] = ctTestBox(world, ct_motionDynamic, ctV3(0.2 * s, 0.15 * s, 0.1 * s), ctV3(-s, 0, s));
    double mass = ctBody_GetMass(world, bodies[1]);
    ck_assert(ctBody_SetTorque(world, bodies[1], ctScale(mass * s, ctV3(0.1, 0.2, 0.05)), NULL));
    ck_assert(ctBody_SetDrag(world, bodies[1], 0.5 / t, 0.3 / t, NULL));
    def.motion = ct_motionFixed;
    def.sensor = true;
    def.position = ctV3(-s, 0, 0.5 * s);
    ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    for (int i = 0; i < 3; i++) {
        ctVec3 size = ctScale(s, ctV3(0.1, 0.1, 0.06)), place = ctV3(0.013 * i * i, 0.01 * i, 0.03 + 0.06 * i);
        bodies[2 + i] = ctTestBox(world, ct_motionDynamic, size, ctScale(s, place));
    }
    ck_assert(ctBody_SetVelocity(world, bodies[3], ctScale(t, ctV3(0.3, 0.1, 0)), ctZero3(), NULL));
    return world;
}

START_TEST(driven_bodies_move_the_same_at_every_size)
{
    ctBodyId small[5], large[5];
    ctWorld *a = drivenWorld(1.0, small), *b = drivenWorld(4.0, large);
    for (int frame = 0; frame < 90; frame++) {
        ck_assert(ctWorld_Step(a, NULL) && ctWorld_Step(b, NULL));
        for (int i = 0; i < 5; i++) {
            ctVec3 x = ctScale(4.0, ctBody_GetCenter(a, small[i])), w = ctScale(0.5, ctBody_GetSpin(a, small[i]));
            bool same = ctDistance(x, ctBody_GetCenter(b, large[i])) == 0.0;
            same = same && ctDistance(w, ctBody_GetSpin(b, large[i])) == 0.0;
            ck_assert_msg(same, "body %d in frame %d", i, frame);
        }
    }
    ctWorld_Destroy(a);
    ctWorld_Destroy(b);
}
END_TEST

// A turning tyre: a plank on a drum whose surface turns is carried along at omega r; a block before a belt's end face
// is not pushed by the belt.
START_TEST(a_tyre_carries_a_plank)
{
    ctWorld *world = ctTestWorld(DOWN, 0.6, 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreateCylinder(world, 0.5, 1.0, NULL);
    def.orientation = ctQuatExp(ctV3(-acos(0.0), 0, 0)); // its axis z along y
    for (int i = 0; i < 2; i++) {
        def.position = ctV3(1.2 * i - 0.6, 0, -0.5);
        ctBodyId drum = ctWorld_CreateBody(world, &def, NULL);
        ck_assert(ctBody_SetSurfaceVelocity(world, drum, ctZero3(), ctV3(0, 0, 1.0), NULL));
    }
    ctBodyId plank = ctTestBox(world, ct_motionDynamic, ctV3(3.2, 0.3, 0.05), ctV3(0, 0, 0.025));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetVelocity(world, plank).x, 0.5, 1e-3);
    ctAssertClose(ctBody_GetCenter(world, plank).z, 0.025, 1e-4);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-5);
    ctError error = {0};
    ck_assert(!ctBody_SetSurfaceVelocity(world, plank, ctV3(1, 0, 0), ctZero3(), &error));
    ck_assert(!ctBody_SetSurfaceVelocity(world, ctWorld_GetBody(world, 0), ctV3(NAN, 0, 0), ctZero3(), &error));
    ctVec3 linear, angular;
    ctBody_GetSurfaceVelocity(world, ctWorld_GetBody(world, 0), &linear, &angular);
    ck_assert(linear.x == 0.0 && angular.z == 1.0);
    ctWorld_Destroy(world);
}
END_TEST

// One or two bodies on a table that moves, or that stands and has a surface which moves, or (turns only) both. frames:
// per second.
static ctVec3 carried(int kind, int way, double frames, double seconds)
{
    ctWorldDef settings = ctDefaultWorldDef();
    settings.frameTime = 1.0 / frames;
    ctWorld *world = ctWorld_Create(&settings, NULL);
    bool turns = way >= 2, moves = way % 2 == 0 || way == 5;
    double share = way == 5 ? 0.75 : moves ? 1.0 : 0.0;
    ctVec3 v = turns ? ctZero3() : ctV3(0.7, 0.2, 0.0), w = turns ? ctV3(0, 0, 1.3) : ctZero3();
    ctBodyId table = ctTestBox(world, moves ? ct_motionKinematic : ct_motionFixed, ctV3(40, 40, 1), ctV3(0, 0, -0.5));
    ck_assert(!moves || ctBody_SetVelocity(world, table, ctScale(share, v), ctScale(share, w), NULL));
    ck_assert(ctBody_SetSurfaceVelocity(world, table, ctScale(1.0 - share, v), ctScale(1.0 - share, w), NULL));
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = kind == 1   ? ctWorld_CreateCylinder(world, 0.2, 0.2, NULL)
                : kind == 2 ? ctWorld_CreateCapsule(world, 0.1, 0.4, NULL)
                : kind == 3 ? ctWorld_CreateEllipsoid(world, ctV3(0.2, 0.15, 0.1), NULL)
                            : ctWorld_CreateBox(world, ctV3(0.4, 0.3, 0.2), NULL);
    def.orientation = kind == 2 ? ctQuatExp(ctV3(acos(0.0), 0, 0)) : def.orientation;
    def.position = ctV3(0, 0, 0.1);
    def.velocity = ctV3(0, -0.3, 0);
    def.spin = ctV3(0, 0, 3);
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    if (kind == 4) {
        def.position = ctV3(0, 0, 0.3);
        def.spin = ctV3(0, 0, -2);
        body = ctWorld_CreateBody(world, &def, NULL);
    }
    ck_assert_uint_ne(body.index1, 0);
    ctTestRun(world, seconds);
    ctVec3 at = ctBody_GetCenter(world, body);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-6);
    ctWorld_Destroy(world);
    return at;
}

// Whether a table moves, or only its surface, is the same to what lies on it: a box, a can, a capsule that lies, an
// ellipsoid that rolls, and two boxes on each other slide and spin likewise, at every frame rate.
START_TEST(a_belt_carries_as_a_table_that_moves)
{
    double rates[] = {30.0, 60.0, 1000.0};
    for (int kind = 0; kind < 5; kind++) {
        ctVec3 straight = carried(kind, 0, 60.0, 0.5), turned = carried(kind, 2, 60.0, 0.5);
        for (int i = 0; i < 3; i++) {
            double tolerance = kind == 4 ? 1e-6 : 1e-10;
            ctAssertClose(ctDistance(carried(kind, 1, rates[i], 0.5), straight), 0.0, tolerance);
            ctAssertClose(ctDistance(carried(kind, 3, rates[i], 0.5), turned), 0.0, tolerance);
            ctAssertClose(ctDistance(carried(kind, 5, rates[i], 0.5), turned), 0.0, tolerance);
        }
    }
}
END_TEST

// A heap on a belt, stepped as a large island, takes its speed.
START_TEST(a_conveyor_carries_a_heap)
{
    ctWorld *world = ctTestWorld(DOWN, 0.6, 0.0);
    ctBodyId belt = ctTestBox(world, ct_motionFixed, ctV3(40, 8, 1), ctV3(0, 0, -0.5));
    for (int i = 0; i < 120; i++) {
        ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.1),
                  ctV3(0.21 * (i % 6) + 0.02 * (i / 36), 0.21 * (i / 6 % 6), 0.05 + 0.1 * (i / 36)));
    }
    ck_assert(ctBody_SetSurfaceVelocity(world, belt, ctV3(1, 0, 0), ctZero3(), NULL));
    ctTestRun(world, 1.5);
    for (int i = 1; i <= 120; i++) {
        ctVec3 v = ctBody_GetVelocity(world, ctWorld_GetBody(world, i));
        ctRequire(fabs(v.x - 1.0) < 0.02 && fabs(v.z) < 0.02, "box %d: %g %g", i, v.x, v.z);
    }
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-3);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("belts");
    TCase *tc = tcase_create("belts");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_conveyor_picks_a_block_up);
    tcase_add_test(tc, a_conveyor_strikes_across_the_normal_only);
    tcase_add_test(tc, a_conveyor_carries_across_the_normal_only);
    tcase_add_test(tc, driven_bodies_move_the_same_at_every_size);
    tcase_add_test(tc, a_tyre_carries_a_plank);
    tcase_add_test(tc, a_belt_carries_as_a_table_that_moves);
    tcase_add_test(tc, a_conveyor_carries_a_heap);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
