// Bodies of a micrometre to 100 m, and those that turn so fast that their surfaces bend away from each other by
// hundreds of gravities, at 60 frames per second: steps of contact belong to the size of what they move. None overlaps
// by more than the audit allows, and none gains energy.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

enum { SHAPES = 7, FRAMES = 6 };

static ctShapeId shapeOf(ctWorld *world, int kind, double size)
{
    static const double corners[6][3] = {{1, 0.1, 0}, {-0.8, 0.7, 0.1}, {-0.3, -0.9, 0},
                                         {0.2, 0, 1}, {0, 0.3, -0.7},   {0.5, 0.6, 0.4}};
    ctVec3 points[6];
    switch (kind) {
    case 0:
        return ctWorld_CreateBox(world, ctV3(size, 0.6 * size, 0.3 * size), NULL);
    case 1:
        return ctWorld_CreateCapsule(world, 0.2 * size, size, NULL);
    case 2:
        return ctWorld_CreateEllipsoid(world, ctV3(size, 0.5 * size, 0.3 * size), NULL);
    case 3:
        return ctWorld_CreateCylinder(world, size, 0.3 * size, NULL);
    case 4:
        return ctWorld_CreateCone(world, 0.4 * size, size, NULL);
    case 5:
        for (int i = 0; i < 6; i++) {
            points[i] = ctV3(size * corners[i][0], size * corners[i][1], size * corners[i][2]);
        }
        return ctWorld_CreateHull(world, points, 6, NULL);
    default:
        return ctWorld_CreateSphere(world, size, NULL);
    }
}

static ctWorld *audited(double friction)
{
    ctWorldDef def = ctDefaultWorldDef();
    def.audit = true;
    ctWorld *world = ctWorld_Create(&def, NULL);
    ck_assert_ptr_nonnull(world);
    ctCoefficients self = ctDefaultMaterialDef().self;
    self.friction = friction;
    self.restitution = 0.3;
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, self, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    return world;
}

// natural: sqrt(g size), the speed at which a body of this size falls over.
static void throwOne(ctWorld *world, int kind, double size, double speeds, double x, ctRandom *random)
{
    double natural = sqrt(9.81 * size);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shapeOf(world, kind, size);
    def.position = ctV3(x, 0, 2.0 * size);
    def.orientation = ctRandomQuat(random);
    def.velocity = ctScale(0.3 * speeds * natural, ctRandomVec3(random, -1.0, 1.0));
    def.spin = ctScale(speeds * natural / size, ctRandomVec3(random, -1.0, 1.0));
    ctError error = {ct_ok, ""};
    ctRequire(ctWorld_CreateBody(world, &def, &error).index1 != 0, "%s", error.message);
}

// Every frame: no violation, and no more energy than there was.
static void watch(ctWorld *world, const char *what, double size, double friction)
{
    double given = ctWorld_GetStats(world).givenEnergy;
    for (int i = 0; i < FRAMES; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctAudit audit = ctWorld_GetAudit(world);
        ctStats s = ctWorld_GetStats(world);
        ctRequire(s.auditViolations == 0, "%s, size %g m: %s at %g s", what, size, ctAuditKind_Name(audit.firstKind),
                  audit.firstTime);
        double most = given + 1e-3 * (s.kineticEnergy + s.frictionLoss + s.restitutionLoss + fabs(s.contactLoss));
        ctRequire(s.kineticEnergy + s.potentialEnergy <= most, "%s, size %g m: %g J of %g J", what, size,
                  s.kineticEnergy + s.potentialEnergy, given);
        // On ice grains never come to rest, and what they do in a frame may be more than is followed.
        ctRequire(friction == 0.0 || s.eventLimitHits == 0, "%s, size %g m: cut off", what, size);
    }
}

// One at a time, thrown at about the speed at which a body of its size falls over.
START_TEST(grains_land_as_stones_do)
{
    static const double sizes[] = {1e-6, 1e-5, 1e-4, 0.1, 100.0};
    ctRandom random = ctRandomSeed(4);
    double friction = _i == 0 ? 0.4 : 0.0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int i = 0; i < ctTestCases(2 * SHAPES); i++) {
            ctWorld *world = audited(friction);
            throwOne(world, i % SHAPES, sizes[k], ctRandomLog(&random, 0.1, 10.0), 0.0, &random);
            watch(world, "one", sizes[k], friction);
            ctWorld_Destroy(world);
        }
    }
}
END_TEST

// Their surfaces bend by hundreds of gravities where they touch.
START_TEST(what_turns_fast_stays_on_the_surface)
{
    static const double sizes[] = {1e-5, 0.1};
    ctRandom random = ctRandomSeed(9);
    double friction = _i == 0 ? 0.4 : 0.0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        for (int i = 0; i < SHAPES; i++) {
            ctWorld *world = audited(friction);
            throwOne(world, i, sizes[k], 30.0, 0.0, &random);
            watch(world, "fast", sizes[k], friction);
            ctWorld_Destroy(world);
        }
    }
}
END_TEST

// Seven grains of different shapes in a row.
START_TEST(grains_fall_on_each_other)
{
    ctRandom random = ctRandomSeed(2);
    double size = 1e-5;
    ctWorld *world = audited(0.4);
    for (int i = 0; i < SHAPES; i++) {
        throwOne(world, i, size, 1.0, 2.5 * size * (double)i, &random);
    }
    watch(world, "heap", size, 0.4);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("grains");
    TCase *tests = tcase_create("grains");
    tcase_set_timeout(tests, 60.0);
    tcase_add_loop_test(tests, grains_land_as_stones_do, 0, 2);
    tcase_add_loop_test(tests, what_turns_fast_stays_on_the_surface, 0, 2);
    tcase_add_test(tests, grains_fall_on_each_other);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
