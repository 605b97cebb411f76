// The public interface of a world: definitions, ids, settings, and flight without collisions.
#include "engine/clatter.h"

#include "collision/quat.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <string.h>

static ctWorld *makeWorld(void)
{
    ctWorldDef def = ctDefaultWorldDef();
    ctError error = {0};
    ctWorld *world = ctWorld_Create(&def, &error);
    ck_assert_msg(world != NULL, "%s", error.message);
    return world;
}

static ctBodyId addBall(ctWorld *world, double radius, ctVec3 position, ctVec3 velocity)
{
    ctError error = {0};
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(world, radius, &error);
    def.position = position;
    def.velocity = velocity;
    ctBodyId id = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

static void refuses(ctWorld *world, const ctBodyDef *def, const char *word)
{
    ctError error = {0};
    int before = ctWorld_GetBodyCount(world);
    uint64_t hash = ctWorld_Hash(world);
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_int_eq(id.index1, 0);
    ck_assert_int_ne(error.status, ct_ok);
    ck_assert_msg(strstr(error.message, word) != NULL, "'%s' does not say '%s'", error.message, word);
    ck_assert_int_eq(ctWorld_GetBodyCount(world), before);
    ck_assert(ctWorld_Hash(world) == hash);
}

START_TEST(worlds_refuse_bad_settings)
{
    ctError error = {0};
    ctWorldDef def;
    memset(&def, 0, sizeof def);
    ck_assert_ptr_null(ctWorld_Create(&def, &error));
    ck_assert_ptr_null(ctWorld_Create(NULL, NULL));
    def = ctDefaultWorldDef();
    def.gravity.x = NAN;
    ck_assert_ptr_null(ctWorld_Create(&def, &error));
    def = ctDefaultWorldDef();
    def.frameTime = 0.0;
    ck_assert_ptr_null(ctWorld_Create(&def, &error));
    def = ctDefaultWorldDef();
    def.law = ct_lawSmith;
    ck_assert_ptr_null(ctWorld_Create(&def, &error));
    ctWorld *world = makeWorld();
    ck_assert(!ctWorld_SetGravity(world, ctV3(0, 0, INFINITY), &error));
    ck_assert(!ctWorld_SetFrameTime(world, -1.0, &error));
    ck_assert(!ctWorld_SetLaw(world, ct_lawBilinear, &error));
    ck_assert(ctWorld_GetSettings(world).gravity.z == -9.81);
    ctWorld_Destroy(world);
    ctWorld_Destroy(NULL);
}
END_TEST

START_TEST(bodies_refuse_bad_definitions)
{
    ctWorld *world = makeWorld();
    addBall(world, 0.1, ctV3(0, 0, 1), ctZero3());
    ctBodyDef good = ctDefaultBodyDef();
    good.shape = ctWorld_CreateSphere(world, 0.1, NULL);
    good.position = ctV3(5, 5, 5);
    ctBodyDef def;
    memset(&def, 0, sizeof def);
    refuses(world, &def, "ctDefaultBodyDef");
    def = good, def.shape.index1 = 0, refuses(world, &def, "shape");
    def = good, def.mass = -1.0, refuses(world, &def, "mass");
    def = good, def.mass = NAN, refuses(world, &def, "mass");
    def = good, def.density = INFINITY, refuses(world, &def, "density");
    def = good, def.mass = 1.0, def.density = 1.0, refuses(world, &def, "not both");
    def = good, def.position.y = NAN, refuses(world, &def, "position");
    def = good, def.velocity.y = INFINITY, refuses(world, &def, "velocity");
    def = good, def.spin.y = NAN, refuses(world, &def, "spin");
    def = good, def.orientation = (ctQuat){0, 0, 0, 0}, refuses(world, &def, "orientation");
    def = good, def.material.index = 7, refuses(world, &def, "material");
    def = good, def.motion = ct_motionFixed, def.velocity.x = 1.0, refuses(world, &def, "fixed");
    def = good, def.hasInertia = true, def.inertia = ctMat3Diagonal(1, 1, 3), refuses(world, &def, "inertia");
    def = good, def.shape = ctWorld_CreatePlane(world, ctV3(0, 0, 1), -9, NULL), refuses(world, &def, "plane");
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(ids_go_stale)
{
    ctWorld *world = makeWorld();
    ctBodyId a = addBall(world, 0.1, ctV3(0, 0, 1), ctZero3());
    ctBodyId b = addBall(world, 0.1, ctV3(1, 0, 1), ctZero3());
    ctBodyId c = addBall(world, 0.1, ctV3(2, 0, 1), ctZero3());
    ck_assert(ctWorld_DestroyBody(world, b, NULL));
    ck_assert(!ctWorld_DestroyBody(world, b, NULL));
    ck_assert(!ctBody_IsValid(world, b));
    ck_assert_int_eq(ctWorld_GetBodyCount(world), 2);
    ck_assert_int_eq(ctWorld_GetBody(world, 1).index1, c.index1);
    ctBodyId d = addBall(world, 0.1, ctV3(3, 0, 1), ctZero3());
    ck_assert_int_eq(d.index1, b.index1);
    ck_assert(d.generation != b.generation);
    ck_assert(!ctBody_IsValid(world, b) && ctBody_IsValid(world, d) && ctBody_IsValid(world, a));
    ck_assert_int_eq(ctWorld_GetBody(world, 2).index1, d.index1);
    ck_assert(ctBody_GetMass(world, b) == 0.0);
    ck_assert(!ctBody_SetVelocity(world, b, ctZero3(), ctZero3(), NULL));
    ck_assert(!ctBody_IsValid(world, (ctBodyId){0}));
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(materials_mix)
{
    ctWorld *world = makeWorld();
    ctMaterialDef def = ctDefaultMaterialDef();
    def.name = "ice";
    def.self.friction = 0.04;
    def.self.restitution = 0.2;
    def.self.rolling = 1e-3;
    ctMaterialId ice, rubber;
    ck_assert(ctWorld_CreateMaterial(world, &def, &ice, NULL));
    def.name = "rubber";
    def.self = (ctCoefficients){.friction = 1.0, .restitution = 0.8};
    ck_assert(ctWorld_CreateMaterial(world, &def, &rubber, NULL));
    ck_assert_int_eq(ctWorld_GetMaterialCount(world), 3);
    ck_assert_str_eq(ctWorld_GetMaterialName(world, ice), "ice");
    ctCoefficients pair = ctWorld_GetPair(world, rubber, ice);
    ctAssertClose(pair.friction, 0.2, 1e-15);
    ck_assert(pair.restitution == 0.8 && pair.rolling == 1e-3);
    // Pairs follow their materials until they are set.
    ck_assert(ctWorld_SetMaterial(world, ice, (ctCoefficients){.friction = 0.09, .restitution = 0.9}, NULL));
    ctAssertClose(ctWorld_GetPair(world, ice, rubber).friction, 0.3, 1e-15);
    ck_assert(ctWorld_SetPair(world, ice, rubber, (ctCoefficients){.friction = 0.5}, NULL));
    ck_assert(ctWorld_SetMaterial(world, ice, (ctCoefficients){.friction = 0.01}, NULL));
    ck_assert(ctWorld_GetPair(world, rubber, ice).friction == 0.5);
    ck_assert(ctWorld_GetPair(world, ice, ice).friction == 0.01);
    ck_assert(!ctWorld_SetPair(world, ice, rubber, (ctCoefficients){.friction = -1}, NULL));
    ck_assert(!ctWorld_SetPair(world, ice, rubber, (ctCoefficients){.restitution = 1.1}, NULL));
    ck_assert(!ctWorld_SetMaterial(world, (ctMaterialId){9}, (ctCoefficients){0}, NULL));
    ctWorld_Destroy(world);
}
END_TEST

// A thrown ball is on the parabola at every frame, whatever the frame time.
START_TEST(flight_is_a_parabola)
{
    for (int fps = 24; fps <= 240; fps *= 10) {
        ctWorld *world = makeWorld();
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
        ctBodyId ball = addBall(world, 0.1, ctV3(1, 2, 3), ctV3(4, -5, 6));
        for (int i = 0; i < 10 * fps; i++) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        double t = ctWorld_GetTime(world);
        ctAssertClose(t, 10.0, 1e-14);
        ctVec3 x = ctBody_GetCenter(world, ball), v = ctBody_GetVelocity(world, ball);
        ctAssertClose(ctDistance(x, ctV3(1 + 4 * t, 2 - 5 * t, 3 + 6 * t - 0.5 * 9.81 * t * t)), 0.0, 1e-10);
        ctAssertClose(ctDistance(v, ctV3(4, -5, 6 - 9.81 * t)), 0.0, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Twenty boxes fly past a wall of posts for three seconds. How long a frame is changes neither where they come to nor
// how many pairs are watched.
START_TEST(long_frames_cost_no_more)
{
    int pairs[2];
    ctVec3 ends[2];
    for (int slow = 0; slow < 2; slow++) {
        int fps = slow ? 1 : 60;
        ctWorld *world = makeWorld();
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
        ck_assert(ctWorld_SetGravity(world, ctZero3(), NULL));
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 2.0), NULL);
        def.motion = ct_motionFixed;
        for (int i = 0; i < 100; i++) {
            def.position = ctV3(0.5 * i, 0, 0);
            ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        }
        def.motion = ct_motionDynamic;
        def.shape = ctWorld_CreateBox(world, ctV3(0.05, 0.05, 0.05), NULL);
        def.velocity = ctV3(12, 0, 0);
        def.spin = ctV3(1, 2, 3);
        ctBodyId last = {0};
        for (int i = 0; i < 20; i++) {
            def.position = ctV3(0.5 * i, i & 1 ? -0.1 : 0.1, 0);
            last = ctWorld_CreateBody(world, &def, NULL);
        }
        for (int i = 0; i < 3 * fps; i++) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        pairs[slow] = ctWorld_GetStats(world).pairs;
        ends[slow] = ctBody_GetCenter(world, last);
        ctWorld_Destroy(world);
    }
    ctAssertClose(ctDistance(ends[0], ends[1]), 0.0, 1e-12);
    ck_assert_msg(pairs[0] > 0 && pairs[1] <= 2 * pairs[0], "%d pairs in long frames, %d in short ones", pairs[1],
                  pairs[0]);
}
END_TEST

START_TEST(center_and_mass_are_as_given)
{
    ctWorld *world = makeWorld();
    ctBodyDef def = ctDefaultBodyDef();
    def.name = "weighted";
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.4, 0.6), NULL);
    def.mass = 3.0;
    def.hasCenter = true;
    def.center = ctV3(0, 0, -0.1);
    def.position = ctV3(1, 2, 3);
    def.orientation = ctQuatExp(ctV3(CT_PI / 2, 0, 0));
    def.userData = 42;
    ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, id), ctV3(1, 2.1, 3)), 0.0, 1e-14);
    ctTransform pose = ctBody_GetTransform(world, id);
    ctAssertClose(ctDistance(pose.p, def.position), 0.0, 1e-14);
    ck_assert(ctBody_GetMass(world, id) == 3.0 && ctBody_GetUserData(world, id) == 42);
    ck_assert_str_eq(ctBody_GetName(world, id), "weighted");
    ck_assert_int_eq(ctWorld_FindBody(world, "weighted").index1, id.index1);
    ck_assert_int_eq(ctWorld_FindBody(world, "nobody").index1, 0);
    ctMat3 inertia = ctBody_GetInertia(world, id);
    ctAssertClose(inertia.cx.x, 3.0 / 12 * (0.16 + 0.36), 1e-12);
    ctAssertClose(inertia.cz.z, 3.0 / 12 * (0.16 + 0.04), 1e-12);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("world");
    TCase *tc = tcase_create("world");
    tcase_add_test(tc, worlds_refuse_bad_settings);
    tcase_add_test(tc, bodies_refuse_bad_definitions);
    tcase_add_test(tc, ids_go_stale);
    tcase_add_test(tc, materials_mix);
    tcase_add_test(tc, flight_is_a_parabola);
    tcase_add_test(tc, long_frames_cost_no_more);
    tcase_add_test(tc, center_and_mass_are_as_given);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
