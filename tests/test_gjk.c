// Closest points against proofs, closed forms and brute force.
//
// The strongest check needs no second algorithm: a direction along which the shapes' reaches leave a gap
// of d proves that they are no nearer than d, and two points on them that are d apart prove that they are
// no farther. Both sides are computed by slow code of the test's own (tests/support/convex.h).
#include "collision/gjk.h"
#include "tests/support/convex.h"
#include "tests/support/suite.h"

static const ctShapeType TYPES[6] = {ct_shapeSphere, ct_shapeCapsule,   ct_shapeBox,
                                     ct_shapeLathe,  ct_shapeEllipsoid, ct_shapeHull};

// The gap between the two along n, by their reaches.
static double separation(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb, ctVec3 n)
{
    return ctDot(n, ctSub(pa->p, pb->p)) - ctTestReach(a, ctNeg(ctMulTMV(pa->r, n))) -
           ctTestReach(b, ctMulTMV(pb->r, n));
}

static void checkProof(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb, const ctClosest *c,
                       double tol)
{
    ck_assert(isfinite(c->distance) && ctIsFinite3(c->normal) && ctIsFinite3(c->pointA) && ctIsFinite3(c->pointB));
    ctAssertClose(ctLength(c->normal), 1.0, 1e-14);
    ctAssertClose(separation(a, pa, b, pb, c->normal), c->distance, tol);
    ctAssertClose(ctDistance(c->pointA, ctMulAdd(c->pointB, c->distance, c->normal)), 0.0, tol);
    if (c->state != ct_overlapping) {
        double outsideA = ctTestPointDistance(a, ctInvPosePoint(pa, c->pointA));
        double outsideB = ctTestPointDistance(b, ctInvPosePoint(pb, c->pointB));
        ck_assert_msg(outsideA <= tol && outsideB <= tol, "points off the surfaces by %g and %g, tolerance %g",
                      outsideA, outsideB, tol);
    }
    ck_assert_int_eq(c->state == ct_apart, c->distance > 0.0);
}

START_TEST(every_pair_of_types_is_proved)
{
    ctShapeType ta = TYPES[_i / 6], tb = TYPES[_i % 6];
    ctRandom r = ctRandomSeed(100 + (uint64_t)_i);
    for (int i = 0; i < ctTestCases(150); i++) {
        double sa = 1.0, sb = ctRandomLog(&r, 0.2, 5.0);
        ctShape *a = ctTestShape(&r, ta, sa), *b = ctTestShape(&r, tb, sb);
        for (int k = 0; k < 10; k++) {
            ctTransform xa = ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)), xb = xa;
            double apart = (sa + sb) * ctRandomUniform(&r, 0.0, 0.9);
            xb.p = ctMulAdd(xa.p, apart, k == 0 ? ctRotate(xa.q, ctV3(0, 0, 1)) : ctRandomUnit(&r));
            xb.q = k < 2 ? xa.q : ctRandomQuat(&r);
            ctPose pa = ctPoseOf(xa), pb = ctPoseOf(xb);
            ctClosest c;
            ctClosestPoints(a, &pa, b, &pb, NULL, &c);
            checkProof(a, &pa, b, &pb, &c, 1e-11 * (sa + sb));
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gjk");
    TCase *proofs = tcase_create("proofs");
    tcase_set_timeout(proofs, 120);
    tcase_add_loop_test(proofs, every_pair_of_types_is_proved, 0, 36);
    suite_add_tcase(suite, proofs);
    return ctRunSuite(suite);
}
