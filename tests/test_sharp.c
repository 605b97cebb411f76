// Edges of boxes and hulls are where they are drawn, also for boxes and hulls: closed forms, for a block in every
// description of it.
#include "collision/quat.h"
#include "collision/shape.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <stdlib.h>

#define G 9.81
#define LEAST 0.1 // m: the least extent of the blocks

static ctBodyId addBlock(ctWorld *world, ctMotionType motion, ctTestForm form, ctVec3 size, ctVec3 x, ctQuat q)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = motion;
    def.shape = ctTestBlock(world, form, size);
    def.position = x;
    def.orientation = q;
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

// How far the corners of a block reach along a direction.
static double reachOf(ctVec3 size, ctQuat q, ctVec3 d)
{
    ctVec3 own = ctAbs(ctInvRotate(q, d));
    return 0.5 * ctDot(own, size);
}

// A block that flies edge ahead at 1 m/s towards the edge of another, which crosses: the two meet after the distance of
// the edges. Everything is turned in some way.
START_TEST(crossing_edges_meet_where_they_are_drawn)
{
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(60); i++) {
        ctTestForm form = (ctTestForm)(i % ct_testForms), other = (ctTestForm)(i / ct_testForms % ct_testForms);
        ctVec3 size = ctV3(0.3, LEAST, ctRandomUniform(&r, LEAST, 0.2)), below = ctV3(0.4, 0.12, 0.15);
        ctQuat turn = ctRandomQuat(&r), low = ctMulQ(turn, ctQuatExp(ctV3(ctRandomUniform(&r, 0.3, 1.2), 0, 0)));
        ctQuat across = ctMulQ(ctQuatExp(ctV3(0, 0, ctRandomUniform(&r, 0.5, 2.5))),
                               ctQuatExp(ctV3(ctRandomUniform(&r, 0.3, 1.2), 0, 0)));
        ctQuat high = ctMulQ(turn, across);
        ctVec3 up = ctRotate(turn, ctV3(0, 0, 1)), place = ctRandomVec3(&r, -1.0, 1.0);
        double way = ctRandomUniform(&r, 0.02, 0.1);
        ctWorld *world = ctTestWorld(ctZero3(), 0.3, 0.5);
        addBlock(world, ct_motionFixed, form, below, place, low);
        ctVec3 x = ctMulAdd(place, way + reachOf(below, low, up) + reachOf(size, high, up), up);
        ctBodyId block = addBlock(world, ct_motionDynamic, other, size, x, high);
        ck_assert(ctBody_SetVelocity(world, block, ctNeg(up), ctZero3(), NULL));
        const ctImpact *impacts;
        int count = 0;
        for (int frame = 0; frame < 12 && count == 0; frame++) {
            ck_assert(ctWorld_Step(world, NULL));
            count = ctWorld_GetImpacts(world, &impacts);
        }
        ck_assert_int_ge(count, 1);
        ctRequire(fabs(impacts[0].time - way) < 1e-6 * LEAST, "%d on %d: %g s late", (int)other, (int)form,
                  impacts[0].time - way);
        double aside = ctDistance(impacts[0].normal, up);
        ctRequire(fmin(aside, 2.0 - aside) < 1e-9, "%d on %d: the normal leans by %g", (int)other, (int)form, aside);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A block whose centre is c beyond the edge of a table tips about that edge, which friction holds it to. With half its
// height b and the moment of inertia k per mass about the edge, at the tilt t
//     k t'^2 / 2 = g (b - h),   h = b cos t - c sin t the height of its centre.
// A block with seams is up to 1.4e-7 m off.
START_TEST(a_block_tips_over_the_edge_of_a_block)
{
    for (int i = 0; i < ct_testPinwheel * ct_testForms; i++) {
        ctTestForm form = (ctTestForm)(i % ct_testPinwheel), table = (ctTestForm)(i / ct_testPinwheel);
        double b = 0.5 * LEAST, c = 0.02, k = (0.2 * 0.2 + LEAST * LEAST) / 12.0 + b * b + c * c, tilt = 0.0;
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 1.0, 0.0);
        addBlock(world, ct_motionFixed, table, ctV3(2, 2, 1), ctV3(0, 0, -0.5), ctQuatIdentity());
        ctVec3 size = ctV3(0.2, 0.2, LEAST);
        ctBodyId block = addBlock(world, ct_motionDynamic, form, size, ctV3(1.0 + c, 0, b), ctQuatIdentity());
        while (tilt < 0.3) {
            ck_assert(ctWorld_Step(world, NULL));
            ctQuat q = ctBody_GetTransform(world, block).q;
            tilt = 2.0 * atan2(q.y, q.w);
            double height = b * cos(tilt) - c * sin(tilt), spin = sqrt(2.0 * G * (b - height) / k);
            ctVec3 centre = ctV3(1.0 + c * cos(tilt) + b * sin(tilt), 0, height);
            double off = ctDistance(ctBody_GetCenter(world, block), centre);
            ctRequire(off < 1e-6 * LEAST, "%d on %d at %g rad: %g m off", (int)form, (int)table, tilt, off);
            ctRequire(fabs(ctBody_GetSpin(world, block).y - spin) < 1e-5 * spin, "%d on %d at %g rad: %g of %g rad/s",
                      (int)form, (int)table, tilt, ctBody_GetSpin(world, block).y, spin);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// A smooth bar with one edge down leans on the rim of a table, near its end, and slides along or back. Its edge touches
// the table only where it crosses the rim, with a normal across both edges, which is not that of the face. It falls
// towards the table, and its energy stays what it is after the first touch.
START_TEST(an_edge_bears_on_the_rim_of_a_face)
{
    for (int i = 0; i < 20; i++) {
        double slope = 0.004 + 0.002 * (i % 10), mass = 3.0;
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.0, 0.0);
        ctTestBox(world, ct_motionFixed, ctV3(1, 2, 0.2), ctV3(-0.5, 0, -0.1));
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.3, LEAST, LEAST), NULL);
        def.mass = mass;
        def.orientation = ctMulQ(ctQuatExp(ctV3(0, atan(slope), 0)), ctQuatExp(ctV3(0.7, 0, 0)));
        def.position = ctNeg(ctRotate(def.orientation, ctV3(0.13, -0.5 * LEAST, -0.5 * LEAST)));
        def.velocity = ctV3(i < 10 ? 0.1 : -0.1, 0.05, 0.0);
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        ck_assert(ctWorld_SetFrameTime(world, 0.004, NULL));
        double energy[2];
        ctStats stats;
        for (int k = 0; k < 2; k++) {
            ck_assert(ctWorld_Step(world, NULL));
            stats = ctWorld_GetStats(world);
            energy[k] = stats.kineticEnergy + stats.potentialEnergy;
        }
        double error = fabs(energy[1] - energy[0]) / (mass * G * LEAST);
        ctRequire(error < 1e-9, "slope %g, along %d: %g of the energy", slope, i < 10, error);
        ctRequire(stats.contactSteps <= 10, "slope %g, along %d: %d steps", slope, i < 10, (int)stats.contactSteps);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A smooth block slides on one corner over the edge of a table. No energy is lost or won where the corner leaves the
// face, and where an edge beside it comes down on that of the table.
START_TEST(a_corner_slides_off_a_face)
{
    ctRandom r = ctRandomSeed(3);
    for (int i = 0; i < ctTestCases(60); i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.0, 0.0);
        ctTestForm form = i % 2 == 0 ? ct_testBox : ct_testHull;
        addBlock(world, ct_motionFixed, form, ctV3(2, 2, 1), ctV3(0, 0, -0.5), ctQuatIdentity());
        ctVec3 size = ctV3(0.3, 0.24, 0.2);
        ctQuat q = ctRandomQuat(&r);
        ctVec3 start = ctV3(0.98, ctRandomUniform(&r, -0.3, 0.3), 0.0), lowest = ctZero3();
        for (int k = 0; k < 8; k++) {
            ctVec3 corner =
                ctScale(0.5, ctV3(k & 1 ? size.x : -size.x, k & 2 ? size.y : -size.y, k & 4 ? size.z : -size.z));
            corner = ctRotate(q, corner);
            lowest = corner.z < lowest.z ? corner : lowest;
        }
        ctBodyId block = addBlock(world, ct_motionDynamic, form, size, ctSub(start, lowest), q);
        ctVec3 v = ctV3(ctRandomUniform(&r, 0.8, 1.6), ctRandomUniform(&r, -0.5, 0.5), 0.0);
        ck_assert(ctBody_SetVelocity(world, block, v, ctZero3(), NULL));
        double before = 0.5 * ctBody_GetMass(world, block) * ctDot(v, v) - ctBody_GetMass(world, block) * G * lowest.z;
        ctTestRun(world, 0.03);
        ctStats s = ctWorld_GetStats(world);
        double kept = s.kineticEnergy + s.potentialEnergy + s.restitutionLoss + s.contactLoss - before;
        double unit = ctBody_GetMass(world, block) * G * 0.3;
        ctRequire(fabs(kept) < 1e-9 * unit, "block %d: %g of a fall", i, kept / unit);
        ctRequire(s.contactSteps < 30, "block %d: %d steps", i, (int)s.contactSteps);
        ctWorld_Destroy(world);
    }
}
END_TEST

static int bySize(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A smooth block in any attitude falls over a fixed one in any attitude, and lands on its faces without restitution.
// Corners and edges arrive where they touch: half of the blocks keep their energy to 3e-9 of a fall by their size.
// None gets more than two landings give that push points apart by 1e-5 of the size each, as near as points count as
// closed.
START_TEST(a_block_tumbles_over_a_block)
{
    ctRandom r = ctRandomSeed(7);
    double share[150] = {0.0};
    int cases = ctTestCases(150);
    for (int i = 0; i < cases; i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.0, 0.0);
        ctTestForm form = i % 2 == 0 ? ct_testBox : ct_testHull;
        addBlock(world, ct_motionFixed, form, ctV3(2, 1.6, 1.2), ctZero3(), ctRandomQuat(&r));
        ctVec3 size = ctV3(0.8, 0.64, 0.48),
               from = ctV3(ctRandomUniform(&r, -0.1, 0.1), ctRandomUniform(&r, -0.1, 0.1), 3);
        ctTransform pose = {from, ctRandomQuat(&r)};
        ctRayHit hit;
        ck_assert(ctWorld_ShapeCast(world, ctTestBlock(world, form, size), pose, ctV3(0, 0, -3), NULL, &hit));
        ctVec3 x = ctAdd(from, ctV3(0, 0, 1e-9 - 3.0 * hit.t));
        ctBodyId block = addBlock(world, ct_motionDynamic, form, size, x, pose.q);
        ck_assert(ctBody_SetVelocity(world, block, ctZero3(), ctRandomVec3(&r, -0.3, 0.3), NULL));
        double unit = ctBody_GetMass(world, block) * G * 0.4;
        ctTestRun(world, 0.5);
        ctStats s = ctWorld_GetStats(world);
        ctRequire(s.stepError + s.pushWork < 3e-5 * unit, "block %d gains %g of a fall", i,
                  (s.stepError + s.pushWork) / unit);
        share[i] = (fabs(s.stepError) + fabs(s.pushWork)) / unit;
        ctWorld_Destroy(world);
    }
    qsort(share, (size_t)cases, sizeof *share, bySize);
    ctRequire(share[cases / 2] < 3e-9, "half of the blocks gain or lose more than %g of a fall", share[cases / 2]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sharp");
    TCase *tc = tcase_create("sharp");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, crossing_edges_meet_where_they_are_drawn);
    tcase_add_test(tc, a_block_tips_over_the_edge_of_a_block);
    tcase_add_test(tc, an_edge_bears_on_the_rim_of_a_face);
    tcase_add_test(tc, a_corner_slides_off_a_face);
    tcase_add_test(tc, a_block_tumbles_over_a_block);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
