// Numbers that no scene has, given to every call that takes some: NaN, infinities, and what is far too large or small.
// And how the program is built, for what gets through.
#include "collision/mat3.h"
#include "engine/clatter.h"
#include "tests/support/command.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <stdlib.h>
#include <string.h>

static double anyNumber(ctRandom *r)
{
    const double numbers[] = {NAN,   INFINITY, -INFINITY, 1e308,  -1e308, 1e300, -1e200, 1e155, 1e100, -1e60, 1e30,
                              -1e15, 1e9,      5e-324,    1e-300, -1e-30, 0.0,   -0.0,   1.0,   -1.0,  0.5,   1e3};
    return numbers[ctRandomInt(r, 0, sizeof numbers / sizeof numbers[0] - 1)];
}

// Mostly of everyday size, so that one bad number is found among good ones.
static double someNumber(ctRandom *r)
{
    return ctRandomInt(r, 0, 3) == 0 ? anyNumber(r) : ctRandomUniform(r, -2, 2);
}

static ctVec3 someVec3(ctRandom *r)
{
    double x = someNumber(r), y = someNumber(r), z = someNumber(r);
    return ctV3(x, y, z);
}

static ctTransform somePose(ctRandom *r)
{
    ctVec3 p = someVec3(r), v = someVec3(r);
    return (ctTransform){p, ctRandomInt(r, 0, 1) == 0 ? (ctQuat){1, 0, 0, 0} : (ctQuat){someNumber(r), v.x, v.y, v.z}};
}

static ctShapeId someShape(ctWorld *w, ctRandom *r)
{
    ctVec3 points[9] = {{0}};
    double heights[9];
    const int triangles[] = {0, 1, 2, 1, 3, 2};
    for (int i = 0; i < 9; i++) {
        points[i] = someVec3(r);
        heights[i] = someNumber(r);
    }
    ctTerrainDef terrain = {.smooth = someNumber(r)};
    switch (ctRandomInt(r, 0, 9)) {
    case 0:
        return ctWorld_CreateSphere(w, someNumber(r), NULL);
    case 1:
        return ctWorld_CreateBox(w, someVec3(r), NULL);
    case 2:
        return ctWorld_CreateCylinder(w, someNumber(r), someNumber(r), NULL);
    case 3:
        return ctWorld_CreateCapsule(w, someNumber(r), someNumber(r), NULL);
    case 4:
        return ctWorld_CreateEllipsoid(w, someVec3(r), NULL);
    case 5:
        return ctWorld_CreatePlane(w, someVec3(r), someNumber(r), NULL);
    case 6:
        return ctWorld_CreateHull(w, points, 9, NULL);
    case 7:
        return ctWorld_CreateLathe(w, heights, &heights[4], 4, NULL);
    case 8:
        return ctWorld_CreateTrimesh(w, points, 4, triangles, 2, &terrain, NULL);
    default:
        return ctWorld_CreateHeightfield(w, someNumber(r), someNumber(r), 3, 3, heights, &terrain, NULL);
    }
}

static void someBody(ctWorld *w, ctRandom *r)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = someShape(w, r);
    def.motion = (ctMotionType)ctRandomInt(r, 0, 2);
    def.sensor = ctRandomInt(r, 0, 5) == 0;
    def.mass = ctRandomInt(r, 0, 1) == 0 ? 0.0 : someNumber(r);
    def.position = someVec3(r);
    def.velocity = someVec3(r);
    def.spin = someVec3(r);
    ctError error = {ct_ok, ""};
    ctBodyId id = ctWorld_CreateBody(w, &def, &error);
    ctRequire((id.index1 != 0) == (error.status == ct_ok) && (error.status == ct_ok || error.message[0] != '\0'),
              "refused with '%s'", error.message);
}

static bool changeSomething(ctWorld *w, ctBodyId id, ctRandom *r, ctError *error)
{
    ctPathPoint path[3];
    for (int i = 0; i < 3; i++) {
        path[i] = (ctPathPoint){ctRandomInt(r, 0, 3) == 0 ? anyNumber(r) : 0.3 * i, somePose(r), i == 1, someVec3(r),
                                someVec3(r)};
    }
    ctVec3 moments = someVec3(r);
    ctMassData mass = {someNumber(r), someVec3(r), ctMat3Diagonal(moments.x, moments.y, moments.z)};
    ctCoefficients c = ctDefaultMaterialDef().self;
    double *coefficients[] = {&c.friction, &c.restitution, &c.tangentialRestitution, &c.rolling, &c.spinning, &c.sigma};
    *coefficients[ctRandomInt(r, 0, 5)] = anyNumber(r);
    switch (ctRandomInt(r, 0, 15)) {
    case 0:
        return ctBody_SetVelocity(w, id, someVec3(r), someVec3(r), error);
    case 1:
        return ctBody_ApplyImpulse(w, id, someVec3(r), someVec3(r), error);
    case 2:
        return ctBody_SetForce(w, id, someVec3(r), error) && ctBody_SetTorque(w, id, someVec3(r), error);
    case 3:
        return ctBody_ApplyForceAt(w, id, someVec3(r), someVec3(r), error);
    case 4:
        return ctBody_ApplyTorque(w, id, someVec3(r), error);
    case 5:
        return ctBody_SetPath(w, id, path, 3, ctRandomInt(r, 0, 1) == 0, error);
    case 6:
        return ctBody_SetSurfaceVelocity(w, id, someVec3(r), someVec3(r), error);
    case 7:
        return ctBody_SetDrag(w, id, someNumber(r), someNumber(r), error);
    case 8:
        return ctBody_SetTransform(w, id, somePose(r), error);
    case 9:
        return ctBody_SetMass(w, id, &mass, error);
    case 10:
        return ctWorld_SetGravity(w, someVec3(r), error);
    case 11:
        return ctWorld_SetFrameTime(w, someNumber(r), error);
    case 12:
        return ctWorld_SetMaterial(w, (ctMaterialId){0}, c, error);
    case 13:
        return ctBody_SetMotionType(w, id, (ctMotionType)ctRandomInt(r, -1, 3), error);
    default:
        return ctBody_SetFilter(w, id, (ctFilter){(uint32_t)ctRandomBits(r), (uint32_t)ctRandomBits(r)}, error);
    }
}

static void askSomething(const ctWorld *w, ctShapeId shape, ctRandom *r)
{
    ctRayHit hit;
    ctBodyId found[4];
    ctWorld_RayCast(w, someVec3(r), someVec3(r), someNumber(r), &hit);
    ctWorld_ShapeCast(w, shape, somePose(r), someVec3(r), NULL, &hit);
    ctWorld_Overlap(w, shape, somePose(r), NULL, found, 4);
}

// What is given is refused, with a word, or it is followed: nothing becomes a number that is none.
START_TEST(whatever_numbers_are_given)
{
    for (int i = 0; i < ctTestCases(150); i++) {
        ctRandom r = ctRandomSeed((uint64_t)i + 1);
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.5);
        ctTestPlane(world, ctV3(0, 0, 1), -3.0);
        ctTestBall(world, 0.1, ctV3(0, 0, -2.9), ctV3(1, 0, 0));
        ctShapeId shape = ctWorld_CreateBox(world, ctV3(0.1, 0.2, 0.3), NULL);
        for (int k = 0; k < 12; k++) {
            int count = ctWorld_GetBodyCount(world);
            ctError error = {ct_ok, ""};
            if (ctRandomInt(&r, 0, 2) == 0) {
                someBody(world, &r);
            } else if (!changeSomething(world, ctWorld_GetBody(world, ctRandomInt(&r, 0, count - 1)), &r, &error)) {
                ctRequire(error.message[0] != '\0', "case %d: refused without a word", i);
            }
            askSomething(world, shape, &r);
            error = (ctError){ct_ok, ""};
            ctRequire(ctWorld_Step(world, &error) || error.message[0] != '\0', "case %d: failed without a word", i);
            for (int b = 0; b < ctWorld_GetBodyCount(world); b++) {
                ctBodyId id = ctWorld_GetBody(world, b);
                ctRequire(ctIsFinite3(ctBody_GetCenter(world, id)) && ctIsFinite3(ctBody_GetVelocity(world, id)) &&
                              ctIsFinite3(ctBody_GetSpin(world, id)),
                          "case %d, call %d: body %d", i, k, b);
            }
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// Stack protectors, checked calls of the C library, relocations that are read-only from the start.
START_TEST(the_program_is_hardened)
{
    const char *config = getenv("CT_TEST_CONFIG");
    if (config == NULL || strcmp(config, "release") != 0) {
        return; // sanitizers have ways of their own
    }
    const char *const checks[] = {
        "readelf -Wd $CLATTER | grep -q BIND_NOW",   "readelf -Wd $CLATTER | grep -q 'Flags:.* PIE'",
        "readelf -Wl $CLATTER | grep -q GNU_RELRO",  "readelf -Wl $CLATTER | grep 'GNU_STACK' | grep -q ' RW '",
        "nm -D $CLATTER | grep -q __stack_chk_fail", "nm -D $CLATTER | grep -q '__[a-z]*printf_chk'",
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        ctCommandOutput out = ctRunCommand("%s", checks[i]);
        ctRequire(out.status == 0, "%s", checks[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tc = tcase_create("hostile");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, whatever_numbers_are_given);
    tcase_add_test(tc, the_program_is_hardened);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
