// Properties of the geometry core over random input.
#include "collision/quat.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static double matDistance(ctMat3 a, ctMat3 b)
{
    ctMat3 d = ctSubMM(a, b);
    return fmax(ctMaxElement(ctAbs(d.cx)), fmax(ctMaxElement(ctAbs(d.cy)), ctMaxElement(ctAbs(d.cz))));
}

static double quatDistance(ctQuat a, ctQuat b)
{
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double s = dot < 0.0 ? -1.0 : 1.0;
    return fmax(fmax(fabs(a.w - s * b.w), fabs(a.x - s * b.x)), fmax(fabs(a.y - s * b.y), fabs(a.z - s * b.z)));
}

START_TEST(rotations_preserve_lengths_and_angles)
{
    ctRandom r = ctRandomSeed(1);
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctQuat q = ctRandomQuat(&r);
        ctVec3 a = ctRandomVec3(&r, -1, 1), b = ctRandomVec3(&r, -1, 1);
        ctVec3 ra = ctRotate(q, a), rb = ctRotate(q, b);
        ctAssertClose(ctLength(ra), ctLength(a), 1e-14);
        ctAssertClose(ctDot(ra, rb), ctDot(a, b), 1e-14);
        ctAssertClose(ctDistance(ctCross(ra, rb), ctRotate(q, ctCross(a, b))), 0.0, 1e-14);
        ctAssertClose(ctDistance(ctMulMV(ctMat3FromQuat(q), a), ra), 0.0, 1e-14);
        ctAssertClose(ctDistance(ctInvRotate(q, ra), a), 0.0, 1e-14);
    }
}
END_TEST

START_TEST(quaternion_matrix_round_trip)
{
    ctRandom r = ctRandomSeed(2);
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctQuat q = ctRandomQuat(&r);
        ctMat3 m = ctMat3FromQuat(q);
        ctAssertClose(quatDistance(ctQuatFromMat3(m), q), 0.0, 1e-14);
        ctAssertClose(ctDeterminant(m), 1.0, 1e-14);
        ctAssertClose(matDistance(ctMulMM(m, ctTranspose(m)), ctMat3Identity()), 0.0, 1e-14);
    }
    // Half turns, where the trace is -1.
    const ctQuat halves[3] = {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        ctAssertClose(quatDistance(ctQuatFromMat3(ctMat3FromQuat(halves[i])), halves[i]), 0.0, 1e-15);
    }
}
END_TEST

START_TEST(quaternion_exponential)
{
    ctRandom r = ctRandomSeed(3);
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctVec3 axis = ctRandomUnit(&r);
        double angle = ctRandomLog(&r, 1e-12, 3.1);
        ctQuat q = ctQuatExp(ctScale(angle, axis));
        ctAssertClose(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-14);
        ctAssertClose(q.w, cos(0.5 * angle), 1e-15);
        ctAssertClose(ctDistance(ctQuatLog(q), ctScale(angle, axis)), 0.0, 1e-14 * (1.0 + angle));
        // Turning twice by a is turning once by 2a; the axis stays where it is.
        ctAssertClose(quatDistance(ctMulQ(q, q), ctQuatExp(ctScale(2.0 * angle, axis))), 0.0, 1e-14);
        ctAssertClose(ctDistance(ctRotate(q, axis), axis), 0.0, 1e-14);
    }
    ctQuat one = ctQuatExp(ctZero3());
    ck_assert(one.w == 1.0 && one.x == 0.0 && one.y == 0.0 && one.z == 0.0);
    // The series and the closed form meet without a step.
    double edge = 2.0 * sqrt(1e-3);
    ctQuat below = ctQuatExp(ctV3(edge * (1.0 - 1e-12), 0, 0)), above = ctQuatExp(ctV3(edge * (1.0 + 1e-12), 0, 0));
    ctAssertClose(below.x, above.x, 1e-13);
}
END_TEST

START_TEST(transforms_invert_and_compose)
{
    ctRandom r = ctRandomSeed(4);
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctTransform a = ctTransformOf(ctRandomVec3(&r, -5, 5), ctRandomQuat(&r));
        ctTransform b = ctTransformOf(ctRandomVec3(&r, -5, 5), ctRandomQuat(&r));
        ctVec3 v = ctRandomVec3(&r, -5, 5);
        ctAssertClose(ctDistance(ctInvTransformPoint(a, ctTransformPoint(a, v)), v), 0.0, 2e-14);
        ctAssertClose(ctDistance(ctTransformPoint(ctInverseT(a), ctTransformPoint(a, v)), v), 0.0, 2e-14);
        ctVec3 direct = ctTransformPoint(ctMulT(a, b), v);
        ctAssertClose(ctDistance(direct, ctTransformPoint(a, ctTransformPoint(b, v))), 0.0, 2e-14);
        ctPose pose = ctPoseOf(a);
        ctAssertClose(ctDistance(ctPosePoint(&pose, v), ctTransformPoint(a, v)), 0.0, 2e-14);
        ctAssertClose(ctDistance(ctInvPosePoint(&pose, ctPosePoint(&pose, v)), v), 0.0, 2e-14);
    }
}
END_TEST

START_TEST(solve_recovers_the_solution)
{
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(100000); i++) {
        // A matrix with known singular values, condition up to 1e6.
        ctMat3 u = ctMat3FromQuat(ctRandomQuat(&r)), v = ctMat3FromQuat(ctRandomQuat(&r));
        double condition = ctRandomLog(&r, 1.0, 1e6), scale = ctRandomLog(&r, 1e-9, 1e9);
        ctMat3 s = ctMat3Diagonal(scale, scale / sqrt(condition), scale / condition);
        ctMat3 m = ctMulMM(u, ctMulMM(s, ctTranspose(v)));
        ctVec3 x = ctRandomVec3(&r, -1, 1), y;
        ck_assert(ctSolve(m, ctMulMV(m, x), &y));
        ctAssertClose(ctDistance(x, y), 0.0, 4e-15 * condition);
        if (condition < 100.0) {
            ctAssertClose(matDistance(ctMulMM(m, ctInverse(m)), ctMat3Identity()), 0.0, 1e-12);
        }
    }
}
END_TEST

START_TEST(solve_refuses_singular_matrices)
{
    ctVec3 x = ctV3(7, 7, 7);
    ck_assert(!ctSolve(ctMat3Zero(), ctV3(1, 2, 3), &x));
    ck_assert(x.x == 0.0 && x.y == 0.0 && x.z == 0.0);
    ctVec3 a = ctV3(1, 2, 3);
    ck_assert(!ctSolve(ctMat3Columns(a, ctScale(2.0, a), ctV3(0, 1, 0)), a, &x));
    ck_assert(!ctSolve(ctMat3Diagonal(NAN, 1, 1), a, &x));
}
END_TEST

static void checkEigen(ctMat3 m, double scale)
{
    ctVec3 d;
    ctMat3 v;
    ctEigenSymmetric(m, &d, &v);
    ck_assert(d.x <= d.y && d.y <= d.z);
    ctAssertClose(matDistance(ctMulMM(v, ctTranspose(v)), ctMat3Identity()), 0.0, 1e-14);
    ctAssertClose(ctDeterminant(v), 1.0, 1e-14);
    ctAssertClose(matDistance(ctRotateDiagonal(v, d), m), 0.0, 4e-15 * scale);
}

START_TEST(eigenvectors_are_orthonormal)
{
    ctRandom r = ctRandomSeed(6);
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctMat3 u = ctMat3FromQuat(ctRandomQuat(&r));
        double scale = ctRandomLog(&r, 1e-12, 1e12);
        // From well separated to equal up to the last bits.
        double split = i % 3 == 0 ? 0.0 : ctRandomLog(&r, 1e-17, 1.0);
        double third = i % 5 == 0 ? 1.0 + 2.0 * split : ctRandomLog(&r, 1e-6, 10.0);
        checkEigen(ctRotateDiagonal(u, ctScale(scale, ctV3(1.0, 1.0 + split, third))), 10.0 * scale);
    }
    checkEigen(ctMat3Zero(), 1.0);
    checkEigen(ctMat3Identity(), 1.0);
    checkEigen(ctMat3Diagonal(3, 1, 2), 3.0);
    checkEigen(ctMat3Symmetric(1, 1, 1, 1, 1, 1), 3.0);
    checkEigen(ctMat3Symmetric(0, 1, 0, 0, 0, -4), 4.0);
}
END_TEST

START_TEST(eigenvalues_match_the_invariants)
{
    ctRandom r = ctRandomSeed(7);
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctVec3 a = ctRandomVec3(&r, -1, 1), b = ctRandomVec3(&r, -1, 1);
        ctMat3 m = ctMat3Symmetric(a.x, a.y, a.z, b.x, b.y, b.z), v;
        ctVec3 d;
        ctEigenSymmetric(m, &d, &v);
        ctAssertClose(d.x + d.y + d.z, ctTrace(m), 1e-14);
        ctAssertClose(d.x * d.y * d.z, ctDeterminant(m), 1e-14);
        ck_assert(ctIsPositiveDefinite(m) == (d.x > 0.0));
    }
    ck_assert(!ctIsPositiveDefinite(ctMat3Diagonal(1, 1, 0)));
    ck_assert(!ctIsPositiveDefinite(ctMat3Diagonal(1, NAN, 1)));
    ck_assert(ctIsPositiveDefinite(ctMat3Diagonal(1e-200, 1, 1e200)));
}
END_TEST

START_TEST(frames_are_right_handed)
{
    ctRandom r = ctRandomSeed(8);
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctVec3 n = ctRandomUnit(&r), x, y;
        if (i % 4 == 0) {
            n = ctNormalize(ctV3(n.x * 1e-9, n.y * 1e-9, i % 8 == 0 ? 1.0 : -1.0));
        }
        ctFrameFromNormal(n, &x, &y);
        ctMat3 f = ctMat3Columns(x, y, n);
        ctAssertClose(matDistance(ctMulMM(ctTranspose(f), f), ctMat3Identity()), 0.0, 1e-14);
        ctAssertClose(ctDeterminant(f), 1.0, 1e-14);
    }
}
END_TEST

START_TEST(normalize_is_safe_at_the_extremes)
{
    const double sizes[] = {1e-300, 1e-160, 1e-20, 1.0, 1e160, 1e300};
    for (int i = 0; i < 6; i++) {
        ctVec3 n = ctNormalize(ctV3(3.0 * sizes[i], 0.0, -4.0 * sizes[i]));
        ctAssertClose(n.x, 0.6, 1e-15);
        ctAssertClose(n.z, -0.8, 1e-15);
    }
    ck_assert(ctLength(ctNormalize(ctZero3())) == 0.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("math");
    TCase *rotations = tcase_create("rotations");
    tcase_add_test(rotations, rotations_preserve_lengths_and_angles);
    tcase_add_test(rotations, quaternion_matrix_round_trip);
    tcase_add_test(rotations, quaternion_exponential);
    tcase_add_test(rotations, transforms_invert_and_compose);
    suite_add_tcase(suite, rotations);
    TCase *matrices = tcase_create("matrices");
    tcase_add_test(matrices, solve_recovers_the_solution);
    tcase_add_test(matrices, solve_refuses_singular_matrices);
    tcase_add_test(matrices, eigenvectors_are_orthonormal);
    tcase_add_test(matrices, eigenvalues_match_the_invariants);
    tcase_add_test(matrices, frames_are_right_handed);
    tcase_add_test(matrices, normalize_is_safe_at_the_extremes);
    suite_add_tcase(suite, matrices);
    return ctRunSuite(suite);
}
