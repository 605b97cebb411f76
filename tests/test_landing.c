// Faces and edges that strike: what a block does at a wall, on a floor, and in a row, against closed forms. All at
// several frame rates and in several forms, which must not matter: box, hull, compounds.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

static const double rates[3] = {60.0, 144.0, 1000.0};
static ctWorld *world;
static double frame; // s

static void makeWorld(double fps, double friction, double restitution)
{
    frame = 1.0 / fps;
    world = ctTestWorld(ctV3(0, 0, -G), friction, restitution);
    ck_assert(ctWorld_SetFrameTime(world, frame, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
}

static void run(double seconds)
{
    for (int i = 0; i < (int)(seconds / frame + 0.5); i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
}

static int form; // of the block, in the test that runs

static ctBodyId addBlock(ctVec3 size, ctVec3 position, ctVec3 velocity)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctTestBlock(world, form, size);
    def.position = position;
    def.velocity = velocity;
    ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(id.index1 != 0);
    return id;
}

static double energy(void)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

// ---- square hits ------------------------------------------------------------------------------

// Sliding leaves tilts of 1e-9 rad, and its corners arrive one after the other.
START_TEST(a_block_that_slides_into_a_wall_returns_square)
{
    form = _i;
    for (int i = 0; i < 6; i++) {
        makeWorld(rates[i / 2], 0.0, 0.5);
        if (i % 2 == 0) {
            ctTestPlane(world, ctV3(-1, 0, 0), -0.5);
        } else {
            ctTestBox(world, ct_motionFixed, ctV3(0.2, 2, 2), ctV3(0.6, 0, 1));
        }
        ctBodyId block = addBlock(ctV3(0.2, 0.16, 0.1), ctV3(0, 0, 0.05), ctV3(1.037, 0, 0));
        run(0.8);
        ctAssertClose(ctBody_GetVelocity(world, block).x, -0.5 * 1.037, 1e-9);
        ctAssertClose(ctLength(ctBody_GetSpin(world, block)), 0.0, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, block).z, 0.05, 1e-9);
        ctAssertClose((double)ctWorld_GetStats(world).impacts, 1.0, 0.0);
        ctTestFinish(world);
    }
}
END_TEST

// Equal blocks without loss hand their velocity on.
START_TEST(a_row_of_five_blocks_hands_the_velocity_on)
{
    form = _i;
    for (int i = 0; i < 3; i++) {
        makeWorld(rates[i], 0.0, 1.0);
        ctBodyId blocks[5];
        for (int k = 0; k < 5; k++) {
            blocks[k] = addBlock(ctV3(0.1, 0.1, 0.1), ctV3(k > 0 ? 0.3 + 0.101 * k : 0.0, 0, 0.05), ctV3(k == 0, 0, 0));
        }
        run(0.6);
        for (int k = 0; k < 5; k++) {
            ctAssertClose(ctBody_GetVelocity(world, blocks[k]).x, k == 4 ? 1.0 : 0.0, 1e-9);
            ctAssertClose(ctLength(ctBody_GetSpin(world, blocks[k])), 0.0, 1e-9);
        }
        ctTestFinish(world);
    }
}
END_TEST

// A box that falls with its face tilted by less than what counts lands on all four corners at once.
START_TEST(a_box_that_falls_nearly_flat_bounces_flat)
{
    form = _i;
    for (int i = 0; i < 3; i++) {
        makeWorld(rates[i], 0.3, 0.5);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestBlock(world, form, ctV3(0.2, 0.16, 0.1));
        def.position = ctV3(0, 0, 0.25);
        def.orientation = ctQuatExp(ctV3(1e-7, 2e-7, 0.4));
        ctBodyId box = ctWorld_CreateBody(world, &def, NULL);
        double fall = sqrt(2.0 * 0.2 / G), top = 0.5 * fall; // up again for half as long
        int steps = (int)((fall + top) / frame);
        for (int k = 0; k < steps; k++) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        double t = steps * frame - fall;
        ctAssertClose(ctBody_GetCenter(world, box).z, 0.05 + 0.5 * G * fall * t - 0.5 * G * t * t, 1e-6);
        ctAssertClose(ctLength(ctBody_GetSpin(world, box)), 0.0, 1e-5);
        ctTestFinish(world);
    }
}
END_TEST

// ---- edges ------------------------------------------------------------------------------------

// A block that stands on an edge falls over and strikes the floor with the next one. Angular momentum about the edge
// that strikes is kept: for a cube a quarter of the spin is left, a sixteenth of the energy.
START_TEST(a_cube_that_slaps_down_keeps_a_sixteenth)
{
    form = _i;
    const double s = 0.1, tilt = CT_PI / 4.0 + 0.02;
    for (int i = 0; i < 3; i++) {
        makeWorld(rates[i], 1.5, 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestBlock(world, form, ctV3(s, s, s));
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        ctVec3 arm = ctNeg(ctRotate(def.orientation, ctV3(s / 2, 0, -s / 2)));
        def.position = arm;
        def.spin = ctV3(0, 3, 0);
        def.velocity = ctCross(def.spin, arm);
        ctBodyId cube = ctWorld_CreateBody(world, &def, NULL);
        double rest = ctBody_GetMass(world, cube) * G * s / 2, before = energy() - rest, after = before;
        for (int k = 0; k < 600 && after > 0.5 * before; k++) {
            ck_assert(ctWorld_Step(world, NULL));
            after = energy() - rest;
        }
        ctAssertClose(after / before, 1.0 / 16.0, 1e-3);
        ctTestFinish(world);
    }
}
END_TEST

// Housner (1963): a rocking block keeps (1 - 3/2 sin^2 a)^2 of its energy at each landing, tan a its width over its
// height.
START_TEST(a_rocking_block_keeps_what_housner_says)
{
    form = _i;
    const double sizes[3][2] = {{0.05, 0.1}, {0.06, 0.3}, {0.3, 1.2}};
    for (int i = 0; i < 9; i++) {
        double b = sizes[i % 3][0], h = sizes[i % 3][1], angle = atan(b / h), tilt = 0.5 * angle;
        makeWorld(rates[i / 3], 1.0, 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestBlock(world, form, ctV3(b, 2.0 * b, h));
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        def.position = ctNeg(ctRotate(def.orientation, ctV3(b / 2, 0, -h / 2)));
        ctBodyId block = ctWorld_CreateBody(world, &def, NULL);
        double rest = ctBody_GetMass(world, block) * G * h / 2, last = energy() - rest;
        double kept = 1.0 - 1.5 * sin(angle) * sin(angle), side = 1.0;
        int landings = 0;
        for (int k = 0; k < (int)(2.0 / frame) && landings < 3; k++) {
            ck_assert(ctWorld_Step(world, NULL));
            double y = ctBody_GetTransform(world, block).q.y;
            if (y * side < -0.01 * tilt) {
                ctAssertClose((energy() - rest) / last, kept * kept, 2e-3);
                last = energy() - rest;
                side = -side;
                landings++;
            }
        }
        ck_assert_int_eq(landings, 3);
        ctTestFinish(world);
    }
}
END_TEST

// A block falls against another, and the two lean on each other without friction, each about the front edge of its
// base: no energy is lost between the hit and the next landing.
START_TEST(two_blocks_that_lean_on_each_other_keep_their_energy)
{
    const double thick = 0.075, tall = 0.5, spin = 1.5;
    form = _i;
    for (int i = 0; i < 3; i++) {
        makeWorld(rates[i], 0.0, 0.0);
        ctMaterialDef rough = ctDefaultMaterialDef();
        rough.name = "rough";
        ctMaterialId floor;
        ck_assert(ctWorld_CreateMaterial(world, &rough, &floor, NULL));
        ck_assert(ctWorld_SetPair(world, (ctMaterialId){0}, floor, (ctCoefficients){.friction = 10.0}, NULL));
        ck_assert(ctBody_SetMaterial(world, ctWorld_GetBody(world, 0), floor, NULL));
        ctBodyId first = addBlock(ctV3(thick, 0.25, tall), ctV3(0, 0, 0.5 * tall), ctZero3());
        addBlock(ctV3(thick, 0.25, tall), ctV3(0.15, 0, 0.5 * tall), ctZero3());
        ctVec3 v = ctV3(0.5 * spin * tall, 0, 0.5 * spin * thick);
        ck_assert(ctBody_SetVelocity(world, first, v, ctV3(0, spin, 0), NULL));
        run(0.125);
        double before = energy();
        ck_assert_int_gt(ctWorld_GetStats(world).impacts, 0);
        run(0.25);
        ctAssertClose(energy() / before, 1.0, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// A cube flies flat at a fixed block, and meets it along a strip at its edge: 0.3 um to 0.3 mm of 0.2 m. Its edge stops
// and sticks. Its angular momentum about the edge, m v s / 2, and its inertia there, 2 m s^2 / 3, give the spin
// 3 v / (4 s). The block is 0.24 mm to one side, and turned by 1 urad: its corners can hardly be told from the cube's.
START_TEST(a_cube_meets_a_block_along_a_strip)
{
    form = _i;
    const double side = 0.2, speed = 2.0;
    for (int i = 0; i < 24; i++) {
        double width = 3e-7 * pow(10.0, (double)(i % 4)), turn = 1e-6 * (double)(i / 4 % 3 - 1);
        world = ctTestWorld(ctZero3(), 0.8, 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.motion = ct_motionFixed;
        def.shape = ctTestBlock(world, i < 12 ? form : 0, ctV3(0.3, side, 0.2));
        def.position = ctV3(0.15, 2.4e-4, -0.1);
        def.orientation = ctQuatExp(ctV3(0, 0, turn));
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        ctVec3 start = ctV3(width - 0.5 * side, 0, 0.5 * side + 0.01);
        ctBodyId cube = addBlock(ctV3(side, side, side), start, ctV3(0, 0, -speed));
        ctTestRun(world, 1.0 / 60.0);
        ctVec3 w = ctBody_GetSpin(world, cube);
        ctAssertClose(w.y, -0.75 * speed / side, 7.5e-6 + 7.5 * width / side);
        ctRequire(fabs(w.x) + fabs(w.z) < 2e-5, "%g m, turned by %g: spin %g, %g", width, turn, w.x, w.z);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- landings too slow for an impact ----------------------------------------------------------

static const double falls[4] = {1e-5, 1e-4, 4e-4, 9.9e-4}; // speeds of landings, in roots of (g size); impacts: 1e-3

// The error of the energy's account.
static double energyError(void)
{
    return fabs(ctWorld_GetStats(world).stepError);
}

static ctMaterialId addMaterial(double friction)
{
    ctMaterialDef def = ctDefaultMaterialDef();
    def.name = "floor";
    ctMaterialId id;
    ck_assert(ctWorld_CreateMaterial(world, &def, &id, NULL));
    ck_assert(ctWorld_SetPair(world, (ctMaterialId){0}, id, (ctCoefficients){.friction = friction}, NULL));
    return id;
}

// What stops a block, and what bears it afterwards, adds up to m g T: friction takes mu times as much.
START_TEST(a_block_that_drops_flat_while_it_slides_loses_mu_g_t)
{
    form = _i;
    const ctVec3 size = {0.2, 0.16, 0.1};
    const double radius = 0.5 * ctLength(size);
    for (int i = 0; i < 24; i++) {
        double mu = i % 2 == 0 ? 0.3 : 1.0, fall = falls[i / 2 % 4];
        makeWorld(rates[i / 8], mu, 0.3);
        ctBodyId block = addBlock(size, ctV3(0, 0, 0.05 + 0.5 * fall * fall * radius), ctV3(1.6, 1.2, 0));
        double before = energy();
        run(0.05);
        double left = 2.0 - mu * G * ctWorld_GetTime(world);
        ctAssertClose(ctDistance(ctBody_GetVelocity(world, block), ctV3(0.8 * left, 0.6 * left, 0)), 0.0, 1e-9);
        ctAssertClose(ctLength(ctBody_GetSpin(world, block)), 0.0, 1e-8);
        ctAssertClose(energyError() / before, 0.0, 1e-10);
        ctTestFinish(world);
    }
}
END_TEST

// A block and a can that spin: friction has the arm of the corners, and of the rim.
START_TEST(what_drops_flat_while_it_spins_loses_as_much)
{
    const double arms[2] = {hypot(0.1, 0.08), 0.1}, inertias[2] = {(0.04 + 0.0256) / 12.0, 0.005}; // per mass
    for (int i = 0; i < 8; i++) {
        double mu = 0.4, fall = falls[i / 2];
        makeWorld(60.0, mu, 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = i % 2 == 0 ? ctWorld_CreateBox(world, ctV3(0.2, 0.16, 0.1), NULL)
                               : ctWorld_CreateCylinder(world, 0.1, 0.1, NULL);
        def.position = ctV3(0, 0, 0.05 + 0.5 * fall * fall * 0.11);
        def.spin = ctV3(0, 0, 30);
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        run(0.05);
        double left = 30.0 - mu * G * ctWorld_GetTime(world) * arms[i % 2] / inertias[i % 2];
        ctAssertClose(ctDistance(ctBody_GetSpin(world, body), ctV3(0, 0, left)), 0.0, 1e-7);
        ctAssertClose(energyError(), 0.0, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// Slip that friction can stop ends in the landing, and not before: the block stays where it lands.
START_TEST(a_landing_ends_slow_slip)
{
    form = _i;
    const ctVec3 size = {0.2, 0.16, 0.1};
    const double radius = 0.5 * ctLength(size), mu = 0.6;
    for (int i = 0; i < 8; i++) {
        double fall = falls[i / 2], speed = fall * sqrt(G * radius), slip = (i % 2 == 0 ? 0.3 : 0.99) * mu * speed;
        makeWorld(60.0, mu, 0.0);
        ctBodyId block = addBlock(size, ctV3(0, 0, 0.05 + 0.5 * fall * fall * radius), ctV3(slip, 0, 0));
        run(0.05);
        ctAssertClose(ctBody_GetCenter(world, block).x, slip * speed / G, 1e-11);
        ctAssertClose(ctLength(ctBody_GetVelocity(world, block)), 0.0, 1e-11);
        ctAssertClose(ctLength(ctBody_GetSpin(world, block)), 0.0, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// A block lands on another one, which lies on ice: the landing goes through that to the ice, which stops both.
START_TEST(a_block_that_lands_on_another_drags_it_along)
{
    form = _i;
    const ctVec3 size = {0.2, 0.16, 0.1}, wide = {0.8, 0.6, 0.1};
    const double radius = 0.5 * ctLength(size), mu = 0.4, share = 0.2 * 0.16 / (0.8 * 0.6);
    for (int i = 0; i < 6; i++) {
        double fall = i < 4 ? falls[i] : i < 5 ? 1.01e-3 : 5e-3; // the last ones are impacts of the two
        makeWorld(60.0, mu, 0.0);
        ck_assert(ctBody_SetMaterial(world, ctWorld_GetBody(world, 0), addMaterial(0.0), NULL));
        ctBodyId under = addBlock(wide, ctV3(0, 0, 0.05), ctZero3());
        ctBodyId block = addBlock(size, ctV3(0, 0, 0.15 + 0.5 * fall * fall * radius), ctV3(2, 0, 0));
        run(0.05);
        double lost = mu * G * ctWorld_GetTime(world);
        ctAssertClose(ctBody_GetVelocity(world, block).x, 2.0 - lost, 1e-8);
        ctAssertClose(ctBody_GetVelocity(world, under).x, share * lost, 1e-8);
        ctTestFinish(world);
    }
}
END_TEST

// A block lands on one edge, with a slip: an impulse p (-mu, 1) at it stops the edge. Just faster it is an impact.
START_TEST(a_slow_landing_on_an_edge_has_friction)
{
    form = _i;
    const ctVec3 size = {0.2, 0.16, 0.1};
    const double radius = 0.5 * ctLength(size), mu = 0.5, inertia = (0.04 + 0.01) / 12.0; // per mass
    for (int i = 0; i < 10; i++) {
        double fall = i < 8 ? falls[i / 2] : 1.01e-3, speed = fall * sqrt(G * radius), time = speed / G;
        ctQuat tilt = ctQuatExp(ctV3(0, i % 2 == 0 ? 0.3 : -0.9, 0));
        ctVec3 arm = ctRotate(tilt, ctV3(i % 2 == 0 ? 0.1 : -0.1, 0, -0.05)), v[2], w[2];
        double lever = -mu * arm.z - arm.x, p = speed / (1.0 - arm.x * lever / inertia);
        for (int twin = 0; twin < 2; twin++) { // the second one begins where the first lands
            makeWorld(60.0, mu, 0.0);
            ck_assert(ctWorld_SetFrameTime(world, 0.02 - (twin == 0 ? 0.0 : time), NULL));
            ctVec3 place = ctV3(twin == 0 ? 0.0 : 0.6 * time, 0, -arm.z + (twin == 0 ? 0.5 * speed * time : 0.0));
            ctBodyId block = addBlock(size, place, ctZero3());
            ctTransform pose = {.p = place, .q = tilt};
            ck_assert(ctBody_SetTransform(world, block, pose, NULL));
            ctVec3 start = twin == 0 ? ctV3(0.6, 0, 0) : ctV3(0.6 - mu * p, 0, p - speed);
            ck_assert(ctBody_SetVelocity(world, block, start, ctV3(0, twin == 0 ? 0.0 : p * lever / inertia, 0), NULL));
            ck_assert(ctWorld_Step(world, NULL));
            v[twin] = ctBody_GetVelocity(world, block);
            w[twin] = ctBody_GetSpin(world, block);
            ctTestFinish(world);
        }
        ctAssertClose(ctDistance(v[0], v[1]), 0.0, 1e-10);
        ctAssertClose(ctDistance(w[0], w[1]), 0.0, 1e-9);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("landing");
    TCase *tests = tcase_create("landing");
    tcase_set_timeout(tests, 60.0);
    tcase_add_loop_test(tests, a_block_that_slides_into_a_wall_returns_square, 0, ct_testForms);
    tcase_add_loop_test(tests, a_row_of_five_blocks_hands_the_velocity_on, 0, ct_testForms);
    tcase_add_loop_test(tests, a_box_that_falls_nearly_flat_bounces_flat, 0, ct_testForms);
    tcase_add_loop_test(tests, a_cube_that_slaps_down_keeps_a_sixteenth, 0, ct_testForms);
    tcase_add_loop_test(tests, a_rocking_block_keeps_what_housner_says, 0, ct_testForms);
    tcase_add_loop_test(tests, two_blocks_that_lean_on_each_other_keep_their_energy, 0, ct_testPinwheel);
    tcase_add_loop_test(tests, a_cube_meets_a_block_along_a_strip, 0, ct_testForms);
    tcase_add_loop_test(tests, a_block_that_drops_flat_while_it_slides_loses_mu_g_t, 0, ct_testForms);
    tcase_add_test(tests, what_drops_flat_while_it_spins_loses_as_much);
    tcase_add_loop_test(tests, a_landing_ends_slow_slip, 0, ct_testForms);
    tcase_add_loop_test(tests, a_block_that_lands_on_another_drags_it_along, 0, ct_testForms);
    tcase_add_loop_test(tests, a_slow_landing_on_an_edge_has_friction, 0, ct_testForms);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
