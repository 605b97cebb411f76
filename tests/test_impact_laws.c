// The laws without a course against their own equations, and against each other where they must agree.
#include "tests/support/impact_oracle.h"
#include "tests/support/impact_vectors.h"
#include "tests/support/suite.h"

static ctImpactInput randomCase(ctRandom *r, int i)
{
    ctImpactInput in = ctRandomImpact(r, i % 2 == 0 ? ct_kindBodies : ct_kindBodyOnGround);
    in.et = ctRandomUniform(r, -1.0, 1.0);
    in.sigma = ctRandomUniform(r, 0.0, 1.0);
    return in;
}

static ctImpactResult solve(ctImpactInput in, ctLaw law)
{
    ctImpactResult r;
    in.law = law;
    in.eta2 = CT_DEFAULT_ETA2;
    ctSolveImpact(&in, &r);
    return r;
}

// The appendix of Chatterjee & Ruina, line by line, with the matrix M = K^-1.
static ctVec3 collrule(const ctImpactInput *in)
{
    ctVec3 mu;
    ctAssert(ctSolve(in->K, in->u, &mu));
    ctVec3 pI = ctV3(0, 0, -in->u.z / in->K.cz.z), pII = ctNeg(mu);
    ctVec3 candidate = ctAdd(ctScale(1 + in->e, pI), ctScale(1 + in->et, ctSub(pII, pI)));
    double kappa = 1 + in->et;
    if (hypot(candidate.x, candidate.y) > in->mu * candidate.z) {
        kappa = in->mu * (1 + in->e) * pI.z / (hypot(pII.x, pII.y) - in->mu * (pII.z - pI.z));
    }
    return ctAdd(ctScale(1 + in->e, pI), ctScale(kappa, ctSub(pII, pI)));
}

START_TEST(algebraic_is_the_papers_appendix)
{
    ctRandom r = ctRandomSeed(21);
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctImpactInput in = randomCase(&r, i);
        in.law = ct_lawAlgebraic;
        ctImpactResult x = solve(in, ct_lawAlgebraic);
        ctAssertClose(ctRelativeError(x.p, collrule(&in)), 0.0, 1e-11);
        ctAssertClose(x.v.z, -in.e * in.u.z, 1e-15); // e is kinematic
        ctAssert(ctCheckPermissible(&in, x.p, 1e-9) == 0);
        // Without friction all laws are Newton's.
        in.mu = 0.0;
        for (ctLaw law = ct_lawStronge; law <= ct_lawSmith; law++) {
            ctAssertClose(ctRelativeError(solve(in, law).p, ctV3(0, 0, -(1 + in.e) * in.u.z / in.K.cz.z)), 0.0, 1e-14);
        }
    }
}
END_TEST

START_TEST(composite_mixes_algebraic_and_stronge)
{
    ctRandom r = ctRandomSeed(22);
    for (int i = 0; i < ctTestCases(5000); i++) {
        ctImpactInput in = randomCase(&r, i);
        ctVec3 a = solve(in, ct_lawAlgebraic).p, s = solve(in, ct_lawStronge).p;
        ctVec3 mixed = solve(in, ct_lawComposite).p;
        ctAssertClose(ctRelativeError(mixed, ctAdd(ctScale(in.sigma, a), ctScale(1 - in.sigma, s))), 0.0, 1e-14);
        ctAssert(ctCheckPermissible(&in, mixed, 1e-9) == 0); // the region is convex
        in.sigma = 1.0;
        ctAssertClose(ctRelativeError(solve(in, ct_lawComposite).p, a), 0.0, 1e-15);
        in.sigma = 0.0;
        ctAssertClose(ctRelativeError(solve(in, ct_lawComposite).p, s), 0.0, 1e-15);
    }
}
END_TEST

START_TEST(bilinear_is_algebraic_for_diagonal_matrices)
{
    ctRandom r = ctRandomSeed(23);
    for (int i = 0; i < ctTestCases(5000); i++) {
        ctImpactInput in = ctRandomImpact(&r, i % 2 == 0 ? ct_kindCentralIso : ct_kindCentralDiagonal);
        in.et = ctRandomUniform(&r, -1, 1);
        ctImpactResult x = solve(in, ct_lawBilinear);
        ctAssertClose(ctRelativeError(x.p, solve(in, ct_lawAlgebraic).p), 0.0, 1e-14);
        if (i % 2 == 0) { // equation 9
            double ut = hypot(in.u.x, in.u.y), pn = -(1 + in.e) * in.u.z / in.K.cz.z;
            ctAssertClose(hypot(x.p.x, x.p.y), fmin(in.mu * pn, (1 + in.et) * ut / in.K.cx.x), 1e-14 * pn);
        }
    }
}
END_TEST

START_TEST(whittaker_satisfies_its_definition)
{
    ctRandom r = ctRandomSeed(24);
    int created = 0, solved = 0;
    for (int i = 0; i < ctTestCases(2000); i++) {
        ctImpactInput in = randomCase(&r, i);
        ctImpactResult x = solve(in, ct_lawWhittaker);
        if (x.mode == ct_impactInvalid) {
            continue;
        }
        solved++;
        ctVec3 v = ctAdd(in.u, ctMulMV(in.K, x.p));
        double scale = ctLength(in.u), pt = hypot(x.p.x, x.p.y), vt = hypot(v.x, v.y);
        ctAssertClose(v.z, -in.e * in.u.z, 1e-12 * scale);
        if (vt > 1e-9 * scale) { // sliding: on the cone, against the velocity after
            ctAssertClose(pt, in.mu * x.p.z, 1e-12 * x.p.z);
            ctAssertClose(x.p.x * v.x + x.p.y * v.y, -pt * vt, 1e-9 * pt * vt);
        } else {
            ctAssert(pt <= in.mu * x.p.z * (1 + 1e-12));
        }
        bool gains = (ctCheckPermissible(&in, x.p, 1e-9) & ct_gainsEnergy) != 0;
        ctAssert(!gains || x.frictionLoss + x.restitutionLoss < 0.0);
        created += gains;
    }
    ctAssert(solved > ctTestCases(2000) * 9 / 10 && created > 0); // Kane's paradox is real
    // For a diagonal, isotropic K it is Routh's law.
    ctImpactInput in = {ctMat3Diagonal(3, 3, 1), {1, 0.5, -1}, 0.2, 0.6, 0, 0, ct_lawStronge, 0.0};
    ctAssertClose(ctRelativeError(solve(in, ct_lawWhittaker).p, solve(in, ct_lawPoisson).p), 0.0, 1e-12);
}
END_TEST

START_TEST(smith_satisfies_equation_8)
{
    ctRandom r = ctRandomSeed(25);
    int solved = 0;
    for (int i = 0; i < ctTestCases(2000); i++) {
        ctImpactInput in = randomCase(&r, i);
        ctImpactResult x = solve(in, ct_lawSmith);
        if (x.mode == ct_impactInvalid) {
            continue;
        }
        solved++;
        ctVec3 v = ctAdd(in.u, ctMulMV(in.K, x.p));
        double before = hypot(in.u.x, in.u.y), after = hypot(v.x, v.y), sum = before * before + after * after;
        double tx = -in.mu * (in.u.x * before + v.x * after) / sum, ty = -in.mu * (in.u.y * before + v.y * after) / sum;
        ctAssertClose(x.p.x, tx * x.p.z, 1e-9 * x.p.z);
        ctAssertClose(x.p.y, ty * x.p.z, 1e-9 * x.p.z);
        ctAssertClose(v.z, -in.e * in.u.z, 1e-9 * ctLength(in.u));
        ctAssert(x.p.z > 0.0);
        ctAssert((ctCheckPermissible(&in, x.p, 1e-9) & (unsigned)(ct_gainsEnergy | ct_leavesCone)) == 0);
    }
    ctAssert(solved > ctTestCases(2000) * 9 / 10);
}
END_TEST

// Directions of approach that fall on the edges of the search, with and without friction; a ball always has an answer.
START_TEST(whittaker_finds_balls_in_every_direction)
{
    for (int i = 0; i < 2880; i++) {
        double angle = CT_PI * i / 1440.0;
        ctImpactInput in = {.K = ctMat3Symmetric(1, 0, 0, 1, 0, 1), .mu = i % 3 == 0 ? 0.0 : 0.1 * (i % 5), .e = 0.5};
        in.u = ctV3(cos(angle), sin(angle), -1.0);
        if (i % 360 == 0) {
            in.u = ctV3(i % 720 == 0 ? -1.0 : 1.0, i % 1440 == 0 ? -1.0 : 1.0, -1.0);
        }
        ctImpactResult out = solve(in, ct_lawWhittaker);
        ctRequire(out.mode != ct_impactInvalid, "no answer for %.17g, %.17g, mu %g", in.u.x, in.u.y, in.mu);
        ctAssertClose(out.v.z, 0.5, 1e-12);
        ctAssert(ctCheckPermissible(&in, out.p, 1e-9) == 0);
    }
}
END_TEST

// Over the whole range of their parameters the laws for comparison stay inside the permissible region, or say that they
// have no answer; Whittaker's may gain energy.
START_TEST(laws_for_comparison_are_permissible)
{
    ctRandom r = ctRandomSeed(77);
    int solved[3] = {0, 0, 0};
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctImpactInput in = randomCase(&r, i);
        in.e = i % 7 == 0 ? (double)(i % 2) : in.e;
        in.et = i % 5 == 0 ? (double)(i % 3) - 1.0 : in.et;
        in.mu = i % 11 == 0 ? 0.0 : in.mu;
        for (int k = 0; k < 3; k++) {
            ctImpactInput x = in;
            x.law = (ctLaw)(ct_lawWhittaker + k);
            if (x.law == ct_lawBilinear) {
                x.K = ctMat3Symmetric(in.K.cx.x, 0, 0, in.K.cx.x, 0, in.K.cz.z);
            }
            ctImpactResult out;
            if (ctSolveImpact(&x, &out) != ct_impactInvalid) {
                unsigned known = x.law == ct_lawWhittaker ? ct_gainsEnergy : 0;
                unsigned flags = ctCheckPermissible(&x, out.p, 1e-9) & ~known;
                ctRequire(flags == 0, "law %s, case %d: flags %u", ctLawName(x.law), i, flags);
                solved[k]++;
            }
        }
    }
    ctAssert(solved[0] > 0 && solved[1] > 0 && solved[2] > 0);
}
END_TEST

START_TEST(the_permissible_region_has_four_walls)
{
    const ctImpactInput in = {
        ctMat3Symmetric(3, 0.5, 0.4, 2, -0.3, 1), {1, 0.5, -1}, 0.5, 0.5, 0, 0, ct_lawStronge, 0.0};
    ctVec3 mu;
    ctAssert(ctSolve(in.K, in.u, &mu));
    ctVec3 pI = ctV3(0, 0, -in.u.z / in.K.cz.z);
    ctAssert(ctCheckPermissible(&in, pI, 1e-9) == 0);                                // plastic, no friction
    ctAssert(ctCheckPermissible(&in, ctScale(2.0, pI), 1e-9) == 0);                  // elastic, no friction
    ctAssert(ctCheckPermissible(&in, ctScale(2.01, pI), 1e-9) == ct_gainsEnergy);    // more than elastic
    ctAssert(ctCheckPermissible(&in, ctScale(0.99, pI), 1e-9) == ct_leavesApproach); // less than plastic
    ctAssert(ctCheckPermissible(&in, ctScale(-1.0, pI), 1e-9) & ct_pulls);           // pulls
    ctAssert(ctCheckPermissible(&in, ctV3(-0.7 * pI.z, 0, pI.z), 1e-9) & ct_leavesCone);
    // -2 M u reverses the velocity and keeps all energy: on the wall, not through it.
    ctImpactInput sticky = in;
    sticky.mu = 1e6;
    ctAssert(ctCheckPermissible(&sticky, ctScale(-2.0, mu), 1e-9) == 0);
    ctAssert(ctCheckPermissible(&sticky, ctScale(-2.0 - 1e-6, mu), 1e-9) == ct_gainsEnergy);
    ctAssert(ctCheckPermissible(&in, ctV3(NAN, 0, 1), 1e-9) != 0);
}
END_TEST

START_TEST(laws_and_modes_have_names)
{
    for (ctLaw law = ct_lawStronge; law <= ct_lawBilinear; law++) {
        ctLaw back;
        ctAssert(ctLawFromName(ctLawName(law), &back) && back == law);
    }
    ctLaw law = ct_lawSmith;
    ctAssert(!ctLawFromName("newton", &law) && law == ct_lawSmith && ctLawName((ctLaw)8) == NULL);
    ck_assert_str_eq(ctImpactModeName(ct_impactReverseSlide), "reverse-slide");
    ck_assert_str_eq(ctImpactModeName(ct_impactInvalid), "invalid");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("impact_laws");
    TCase *laws = tcase_create("laws");
    tcase_set_timeout(laws, 60);
    tcase_add_test(laws, algebraic_is_the_papers_appendix);
    tcase_add_test(laws, composite_mixes_algebraic_and_stronge);
    tcase_add_test(laws, bilinear_is_algebraic_for_diagonal_matrices);
    tcase_add_test(laws, whittaker_satisfies_its_definition);
    tcase_add_test(laws, smith_satisfies_equation_8);
    tcase_add_test(laws, whittaker_finds_balls_in_every_direction);
    tcase_add_test(laws, laws_for_comparison_are_permissible);
    tcase_add_test(laws, the_permissible_region_has_four_walls);
    tcase_add_test(laws, laws_and_modes_have_names);
    suite_add_tcase(suite, laws);
    return ctRunSuite(suite);
}
