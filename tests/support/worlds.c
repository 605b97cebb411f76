#include "tests/support/worlds.h"

#include "collision/quat.h"
#include "tests/support/random.h"

#include <check.h>

ctWorld *ctTestWorld(ctVec3 gravity, double friction, double restitution)
{
    ctError error = {0};
    ctWorldDef def = ctDefaultWorldDef();
    def.gravity = gravity;
    def.audit = true;
    ctWorld *world = ctWorld_Create(&def, &error);
    ck_assert_msg(world != NULL, "%s", error.message);
    ctCoefficients pair = {.friction = friction, .restitution = restitution};
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
    return world;
}

static ctBodyId create(ctWorld *world, const ctBodyDef *def)
{
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

ctBodyId ctTestPlane(ctWorld *world, ctVec3 normal, double offset)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, normal, offset, NULL);
    return create(world, &def);
}

ctBodyId ctTestBall(ctWorld *world, double radius, ctVec3 position, ctVec3 velocity)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(world, radius, NULL);
    def.position = position;
    def.velocity = velocity;
    return create(world, &def);
}

ctBodyId ctTestBox(ctWorld *world, ctMotionType motion, ctVec3 size, ctVec3 position)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = motion;
    def.shape = ctWorld_CreateBox(world, size, NULL);
    def.position = position;
    return create(world, &def);
}

ctShapeId ctTestSolid(ctWorld *world, int kind)
{
    static const ctVec3 points[6] = {{0.1, 0, 0},      {-0.1, 0.02, 0}, {0, 0.11, 0},
                                     {0, -0.08, 0.03}, {0, 0, 0.12},    {0.01, 0, -0.1}};
    switch (kind) {
    case 0:
        return ctWorld_CreateSphere(world, 0.1, NULL);
    case 1:
        return ctWorld_CreateBox(world, ctV3(0.2, 0.15, 0.1), NULL);
    case 2:
        return ctWorld_CreateCylinder(world, 0.1, 0.08, NULL);
    case 3:
        return ctWorld_CreateCapsule(world, 0.05, 0.1, NULL);
    case 4:
        return ctWorld_CreateCone(world, 0.1, 0.2, NULL);
    case 5:
        return ctWorld_CreateEllipsoid(world, ctV3(0.1, 0.07, 0.12), NULL);
    default:
        return ctWorld_CreateHull(world, points, 6, NULL);
    }
}

ctWorld *ctTestBin(int boxes)
{
    const ctVec3 walls[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    ctRandom r = ctRandomSeed(5);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.1);
    for (int i = 0; i < 5; i++) {
        ctTestPlane(world, walls[i], i == 0 ? 0.0 : -0.5);
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.15, 0.15, 0.15), NULL);
    for (int i = 0; i < boxes; i++) {
        def.position = ctV3(0.3 * (i % 3 - 1), 0.3 * (i / 3 % 3 - 1), 0.2 + 0.3 * (i / 9));
        def.orientation = ctRandomQuat(&r);
        create(world, &def);
    }
    return world;
}

void ctTestRun(ctWorld *world, double seconds)
{
    ctError error = {0};
    double end = ctWorld_GetTime(world) + seconds * (1.0 - 1e-9);
    while (ctWorld_GetTime(world) < end) {
        ck_assert_msg(ctWorld_Step(world, &error), "%s", error.message);
    }
}

// The part of a block from lo to hi, both in shares of its size.
static ctPart pieceOf(ctWorld *world, ctVec3 size, ctVec3 lo, ctVec3 hi)
{
    ctVec3 d = ctSub(hi, lo), middle = ctSub(ctLerp(lo, hi, 0.5), ctV3(0.5, 0.5, 0.5));
    ctShapeId box = ctWorld_CreateBox(world, ctV3(d.x * size.x, d.y * size.y, d.z * size.z), NULL);
    return (ctPart){box, {ctV3(middle.x * size.x, middle.y * size.y, middle.z * size.z), ctQuatIdentity()}};
}

ctShapeId ctTestBlock(ctWorld *world, ctTestForm form, ctVec3 size)
{
    static const struct {
        int count;
        ctVec3 ends[5][2];
    } cuts[ct_testForms] = {
        [ct_testPart] = {1, {{{0, 0, 0}, {1, 1, 1}}}},
        [ct_testHalvesX] = {2, {{{0, 0, 0}, {0.5, 1, 1}}, {{0.5, 0, 0}, {1, 1, 1}}}},
        [ct_testHalvesZ] = {2, {{{0, 0, 0}, {1, 1, 0.5}}, {{0, 0, 0.5}, {1, 1, 1}}}},
        [ct_testQuarters] = {4,
                             {{{0, 0, 0}, {0.3, 0.6, 1}},
                              {{0.3, 0, 0}, {1, 0.6, 1}},
                              {{0, 0.6, 0}, {0.3, 1, 1}},
                              {{0.3, 0.6, 0}, {1, 1, 1}}}},
        [ct_testPinwheel] = {5,
                             {{{0, 0, 0}, {0.6, 0.3, 1}},
                              {{0.6, 0, 0}, {1, 0.7, 1}},
                              {{0.4, 0.7, 0}, {1, 1, 1}},
                              {{0, 0.3, 0}, {0.4, 1, 1}},
                              {{0.4, 0.3, 0}, {0.6, 0.7, 1}}}},
    };
    if (form == ct_testBox) {
        return ctWorld_CreateBox(world, size, NULL);
    }
    if (form == ct_testHull) {
        ctVec3 p[8];
        for (int i = 0; i < 8; i++) {
            p[i] = ctV3((i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y, (i & 4 ? 0.5 : -0.5) * size.z);
        }
        return ctWorld_CreateHull(world, p, 8, NULL);
    }
    ctPart parts[5];
    for (int i = 0; i < cuts[form].count; i++) {
        parts[i] = pieceOf(world, size, cuts[form].ends[i][0], cuts[form].ends[i][1]);
    }
    return ctWorld_CreateCompound(world, parts, cuts[form].count, NULL);
}

ctWorld *ctTestCopy(const ctWorld *world)
{
    void *data;
    size_t size;
    ctError error = {0};
    ck_assert_msg(ctWorld_Save(world, &data, &size, &error), "%s", error.message);
    ctWorld *copy = ctWorld_Load(data, size, &error);
    ck_assert_msg(copy != NULL, "%s", error.message);
    ctFreeSnapshot(data);
    return copy;
}

void ctTestFinish(ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.auditViolations, 0);
    ck_assert_int_eq(stats.eventLimitHits, 0);
    ctWorld_Destroy(world);
}
