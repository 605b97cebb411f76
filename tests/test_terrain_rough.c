// Balls on rough ground: a bowl whose vertices are out of place by up to a tenth of a triangle's side. They come to
// rest in corners between several triangles, in finite time and not below the ground, and the audit finds nothing.
#include "collision/vec3.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

static ctRandom chance;
static double amplitude;

static double rough(double x, double y)
{
    return 0.25 * (x * x + y * y) + ctRandomUniform(&chance, -amplitude, amplitude);
}

START_TEST(balls_come_to_rest_in_corners)
{
    static const int seeds[] = {4, 6, 8, 22, 23, 24, 25, 33, 34, 35, 42, 43, 53, 59, 116};
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++) {
        int seed = seeds[k];
        chance = ctRandomSeed((uint64_t)seed);
        amplitude = 0.0003 * (1 + seed % 9);
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.3);
        ctBodyId ground =
            ctTestGround(world, ctTestField(world, 41, 1.2, rough, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
        ctShapeId ball = ctWorld_CreateSphere(world, seed % 2 == 1 ? 0.03 : 0.08, NULL);
        ctBodyId balls[6];
        for (int i = 0; i < 6; i++) {
            ctVec3 place = ctV3(-0.45 + 0.18 * i, 0.1 * (i % 3 - 1) + 3e-5 * seed, 0.25);
            balls[i] = ctTestSolidAt(world, ball, place, ctV3(0.2, 0.1 * (i - 2), 0.0), ctZero3());
        }
        ctTestRun(world, 5.0);
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_eq(stats.eventLimitHits, 0);
        ctRequire(stats.maxPenetration < 2e-4, "seed %d: %g m deep", seed, stats.maxPenetration);
        ctRequire(stats.auditViolations == 0, "seed %d: %d violations, the first: %s", seed, (int)stats.auditViolations,
                  ctAuditKind_Name(ctWorld_GetAudit(world).firstKind));
        ctRequire(stats.contactSteps < 300 * 300, "seed %d: %d steps", seed, (int)stats.contactSteps);
        for (int i = 0; i < 6; i++) {
            ctNearest nearest;
            ctVec3 c = ctBody_GetCenter(world, balls[i]);
            ctAssert(ctWorld_Closest(world, balls[i], ground, &nearest));
            bool off = c.x * c.x > 0.36 || c.y * c.y > 0.36; // over the rim
            ctRequire(off || nearest.distance > -2e-4, "seed %d: ball %d is %g m deep", seed, i, -nearest.distance);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terrain_rough");
    TCase *tc = tcase_create("terrain_rough");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, balls_come_to_rest_in_corners);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
