// The impact solver against solved impacts, closed forms, and the promises of its header.
#include "tests/support/impact_vectors.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

static void checkVectors(const char *name)
{
    int count;
    ctImpactVector *all = ctReadImpactVectors(name, &count);
    for (int i = 0; i < count; i++) {
        ctImpactResult r;
        ctSolveImpact(&all[i].in, &r);
        double error = ctRelativeError(r.p, all[i].p);
        ck_assert_msg(error <= 1e-9, "%s:%d (%s): error %.3g", name, i + 2, all[i].category, error);
    }
    free(all);
}

START_TEST(solved_impacts_to_1e9)
{
    checkVectors("impact_public.csv");
    checkVectors("impact_seeds.csv");
}
END_TEST

START_TEST(central_impacts_have_a_closed_form)
{
    ctRandom r = ctRandomSeed(11);
    for (int i = 0; i < ctTestCases(20000); i++) {
        double a = ctRandomLog(&r, 0.1, 10), b = ctRandomLog(&r, 0.1, 10);
        ctImpactInput in = {ctMat3Diagonal(a, a, b),
                            ctRandomVec3(&r, -1, 1),
                            ctRandomUniform(&r, 0, 2),
                            ctRandomUniform(&r, 0, 1),
                            0.0,
                            0.0,
                            i % 2 == 0 ? ct_lawStronge : ct_lawPoisson};
        in.u.z = -fabs(in.u.z);
        ctImpactResult x;
        ctSolveImpact(&in, &x);
        double pz = -(1 + in.e) * in.u.z / b, ut = hypot(in.u.x, in.u.y), pt = fmin(in.mu * pz, ut / a);
        ctVec3 p = ctV3(-pt * in.u.x / ut, -pt * in.u.y / ut, pz);
        ctAssertClose(ctRelativeError(x.p, p), 0.0, 1e-15);
        ck_assert_int_eq(x.steps, 0);
        ck_assert_int_eq(x.mode, ut / a <= in.mu * pz ? ct_impactStick : ct_impactSlide);
        // A hair off the closed form, the general solver must say the same.
        ctImpactInput near = in;
        near.K.cy.x = near.K.cx.y = 1e-13 * a;
        ctImpactResult y;
        ctSolveImpact(&near, &y);
        ctAssertClose(ctRelativeError(y.p, p), 0.0, 2e-10);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("impact");
    TCase *exact = tcase_create("exact");
    tcase_add_test(exact, solved_impacts_to_1e9);
    tcase_add_test(exact, central_impacts_have_a_closed_form);
    suite_add_tcase(suite, exact);
    return ctRunSuite(suite);
}
