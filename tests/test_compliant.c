// The compliant law: against small steps, in the limit of a rigid contact, inside the permissible region, and against
// measured impacts.
#include "tests/support/compliant_oracle.h"
#include "tests/support/impact_oracle.h"
#include "tests/support/impact_vectors.h"
#include "tests/support/kharaz.h"
#include "tests/support/suite.h"

static ctImpactInput randomCase(ctRandom *r, ctImpactKind kind, double softest, double stiffest)
{
    ctImpactInput in = ctRandomImpact(r, kind);
    in.law = ct_lawCompliant;
    in.eta2 = ctRandomLog(r, softest, stiffest);
    return in;
}

// How fast sliding begins beside the fastest that sticks.
static double slide(const ctImpactInput *in)
{
    return in->eta2 * hypot(in->u.x, in->u.y) / (-in->mu * in->u.z);
}

START_TEST(planar_impacts_agree_with_small_steps)
{
    ctRandom r = ctRandomSeed(41);
    int modes[ct_impactInvalid + 1] = {0};
    for (int i = 0; i < ctTestCases(60); i++) {
        ctImpactInput in = randomCase(&r, i % 4 == 0 ? ct_kindCentralIso : ct_kindMatrix, 0.2, 20.0);
        in.K = ctMat3Symmetric(in.K.cx.x, 0.0, in.K.cz.x, in.K.cy.y, 0.0, in.K.cz.z);
        in.u.y = 0.0;
        ctImpactResult x;
        modes[ctSolveImpact(&in, &x)]++;
        ctAssertClose(ctRelativeError(x.p, ctCompliantOracle(&in, 3000)), 0.0, 1e-9);
        ctAssert(x.p.y == 0.0 && x.v.y == 0.0);
    }
    ctAssert(ctTestCases(60) < 60 || (modes[ct_impactSlide] > 5 && modes[ct_impactReverseSlide] > 5));
}
END_TEST

static void compare(ctImpactKind kind, uint64_t seed, int count, double slowest, double fastest)
{
    ctRandom r = ctRandomSeed(seed);
    for (int done = 0; done < count;) {
        ctImpactInput in = randomCase(&r, kind, 0.2, 10.0);
        if (slide(&in) < slowest || slide(&in) > fastest) {
            continue;
        }
        ctImpactResult x;
        ctSolveImpact(&in, &x);
        double error = ctRelativeError(x.p, ctCompliantOracle(&in, 3000));
        ctRequire(error <= 1e-9, "%s %d: off by %g, slide %g", ctImpactKindName(kind), done, error, slide(&in));
        done++;
    }
}

START_TEST(impacts_in_space_agree_with_small_steps)
{
    static const ctImpactKind kinds[] = {ct_kindCentralDiagonal, ct_kindBodies,   ct_kindBodyOnGround, ct_kindMatrix,
                                         ct_kindNoSliding,       ct_kindUnstable, ct_kindJam,          ct_kindOnRay};
    compare(kinds[_i], 900 + (uint64_t)_i, ctTestCases(20), 0.0, 30.0);
}
END_TEST

// Where the direction of sliding follows the velocity fast, the equation is stiff and solved in another way.
START_TEST(a_stiff_slide_agrees_with_small_steps)
{
    static const ctImpactKind kinds[] = {ct_kindBodies, ct_kindMatrix, ct_kindCentralDiagonal, ct_kindUnstable};
    compare(kinds[_i], 700 + (uint64_t)_i, ctTestCases(10), 80.0, 400.0);
}
END_TEST

// The difference falls as 1 / eta^2, without a jump where the contact counts as rigid.
START_TEST(a_stiff_contact_is_stronges)
{
    static const ctImpactKind kinds[] = {ct_kindCentralIso, ct_kindCentralDiagonal, ct_kindBodies, ct_kindBodyOnGround,
                                         ct_kindMatrix};
    ctRandom r = ctRandomSeed(77);
    double sum[3] = {0.0};
    for (int i = 0; i < ctTestCases(40); i++) {
        ctImpactInput in = randomCase(&r, kinds[i % 5], 1.0, 1.0);
        in.e = ctRandomUniform(&r, 0.3, 1.0);
        in.law = ct_lawStronge;
        ctImpactResult rigid, x;
        ctSolveImpact(&in, &rigid);
        in.law = ct_lawCompliant;
        static const double stiff[] = {1e3, 1e5, 1e9};
        for (int j = 0; j < 3; j++) {
            in.eta2 = stiff[j];
            ctSolveImpact(&in, &x);
            double error = ctRelativeError(x.p, rigid.p);
            sum[j] += error;
            ctRequire(error <= (j == 2 ? 1e-6 : 1e3 / stiff[j]), "%d: eta2 %g, off by %g", i, stiff[j], error);
        }
    }
    ctAssert(sum[1] < 0.03 * sum[0] && sum[1] > 0.0);
}
END_TEST

START_TEST(every_impulse_is_permissible)
{
    ctImpactKind kind = (ctImpactKind)_i;
    ctRandom r = ctRandomSeed(1000 + (uint64_t)_i);
    for (int i = 0; i < ctTestCases(1500); i++) {
        ctImpactInput in = randomCase(&r, kind, 0.02, 100.0);
        ctImpactResult x;
        ctImpactMode mode = ctSolveImpact(&in, &x);
        ctAssert(mode == ct_impactSlide || mode == ct_impactStick || mode == ct_impactReverseSlide);
        unsigned flags = ctCheckPermissible(&in, x.p, 1e-9);
        ctRequire(flags == 0, "%s %d: flags %u", ctImpactKindName(kind), i, flags);
        ctAssert(x.v.z >= 0.0 && x.frictionLoss >= 0.0 && x.restitutionLoss >= -1e-12 * x.p.z * ctLength(in.u));
        double size = ctLength(in.u) + ctTrace(in.K) * ctLength(x.p);
        ctAssertClose(ctDistance(x.v, ctAdd(in.u, ctMulMV(in.K, x.p))), 0.0, 1e-9 * size);
        double lost = -0.5 * ctDot(x.p, ctAdd(in.u, x.v));
        ctAssertClose(x.frictionLoss + x.restitutionLoss, lost, 1e-9 * ctLength(x.p) * size);
    }
}
END_TEST

// Restitution is energetic: of the work of compression the normal force gives back e^2.
START_TEST(restitution_is_energetic)
{
    static ctImpactCourse course;
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(300); i++) {
        ctImpactInput in = randomCase(&r, (ctImpactKind)(i % ct_kindScales), 0.1, 10.0);
        ctSolveImpactCourse(&in, &course);
        if (course.eventCount == CT_COURSE_EVENTS) {
            continue; // some are missing
        }
        double taken = 0.0, given = 0.0, before = 0.0;
        for (int j = 0; j < course.eventCount; j++) {
            ctCourseEventKind kind = course.events[j].kind;
            double work = course.samples[course.events[j].sample].work;
            if (kind == ct_courseCompressionEnds || kind == ct_courseRecompression || kind == ct_courseEnds) {
                *(kind == ct_courseCompressionEnds ? &taken : &given) += work - before;
                before = work;
            }
        }
        ctAssertClose(given, -in.e * in.e * taken, 1e-9 * -taken);
        ctAssertClose(course.samples[course.sampleCount - 1].p.z, course.result.p.z, 1e-12 * course.result.p.z);
    }
}
END_TEST

// A ball that slides all the time is under Coulomb's law alone; one without friction knows no tangent.
START_TEST(what_springs_do_not_change)
{
    ctImpactInput in = {ctMat3Diagonal(3.5, 3.5, 1), {5, 2, -1}, 0.2, 0.7, 0, 0, ct_lawCompliant, 0.8};
    ctImpactResult x, rigid;
    for (int i = 0; i < 2; i++) {
        in.mu = i == 0 ? 0.2 : 0.0;
        in.law = ct_lawCompliant;
        ctSolveImpact(&in, &x);
        in.law = ct_lawStronge;
        ctSolveImpact(&in, &rigid);
        ctAssertClose(ctRelativeError(x.p, rigid.p), 0.0, 1e-12);
    }
}
END_TEST

// Stuck from the first touch to the end of compression (a quarter of the normal spring's period), u_t is a cosine.
START_TEST(a_stuck_contact_oscillates)
{
    static ctImpactCourse course;
    const double eta2 = 0.8, k = 3.5;
    ctImpactInput in = {ctMat3Diagonal(k, k, 1), {0.3, 0, -1}, 5.0, 1.0, 0, 0, ct_lawCompliant, eta2};
    ctSolveImpactCourse(&in, &course);
    ctAssert(course.events[0].kind == ct_courseCompressionEnds);
    ctVec3 u = course.samples[course.events[0].sample].u;
    ctAssertClose(u.x, 0.3 * cos(sqrt(eta2 * k) * 0.5 * CT_PI), 1e-12);
    // It slips only at the very end, where the normal force falls to zero.
    ctAssertClose(course.result.v.x, 0.3 * cos(sqrt(eta2 * k) * CT_PI), 0.01);
    ctAssert(course.result.mode == ct_impactReverseSlide);
}
END_TEST

START_TEST(bad_input_is_no_impact)
{
    ctImpactInput in = {ctMat3Diagonal(3.5, 3.5, 1), {1, 0, -1}, 0.2, 0.7, 0, 0, ct_lawCompliant, 0.8};
    const double bad[] = {0.0, -1.0, NAN, INFINITY};
    ctImpactResult x;
    for (int i = 0; i < 4; i++) {
        in.eta2 = bad[i];
        ctAssert(ctSolveImpact(&in, &x) == ct_impactInvalid);
        ck_assert_str_eq(ctCheckImpact(&in), "eta2 must be more than zero");
    }
    const double extreme[] = {1e-300, 1e-12, 1e12, 1e300};
    for (int i = 0; i < 4; i++) {
        in.eta2 = extreme[i];
        ctAssert(ctSolveImpact(&in, &x) != ct_impactInvalid && ctCheckPermissible(&in, x.p, 1e-9) == 0);
    }
}
END_TEST

// One eta^2 from the materials' constants, nothing fitted. The figures of the experiment do not agree with each other
// better than 4 to 10 % below 21 degrees (see the next test), so that nothing closer can be asked there.
START_TEST(oblique_impacts_are_as_measured)
{
    ctKharazPoint points[CT_KHARAZ_POINTS];
    ctAssert(ctKharaz_Read("tests/data/measured/kharaz.csv", points));
    const double eta2 = ctKharaz_Eta2();
    ctAssertClose(eta2, 0.859, 1e-3);
    double worst = 0.0;
    for (int i = 0; i < CT_KHARAZ_POINTS; i++) {
        const ctKharazPoint *p = &points[i];
        double x = ctKharaz_Model(ct_lawCompliant, eta2, p->quantity, p->angle), error = fabs(x / p->value - 1.0);
        if (p->quantity == ct_kharazTangential) {
            ctRequire(error <= (p->angle > 15.0 ? 0.01 : p->angle > 5.0 ? 0.033 : 0.1), "%g deg: %g", p->angle, error);
            double rigid = ctKharaz_Model(ct_lawStronge, 0.0, p->quantity, p->angle);
            worst = fmax(worst, fabs(rigid / p->value - 1.0));
        } else if (p->quantity == ct_kharazSpin && p->angle > 8.0) {
            ctRequire(error <= 0.1, "%g deg: spin %g", p->angle, error);
        }
    }
    ctAssert(worst > 0.19);                          // of the rigid law, at 20 degrees
    double best = ctKharaz_BestEta2(points, &worst); // a fit would move the error from one angle to another
    ctRequire(best > 0.75 && best < eta2 && worst > 0.05 && worst < 0.07, "best %g: off by %g", best, worst);
}
END_TEST

// Elastic theory with slip in a ring, with the same ratio of stiffnesses, is not within 3 % at every angle either. It
// shows what two springs leave out: nothing from 20 degrees on, where the contact slides as a whole.
START_TEST(theory_with_a_ring_of_slip_says_what_two_springs_leave_out)
{
    ctKharazPoint points[CT_KHARAZ_POINTS];
    ctAssert(ctKharaz_Read("tests/data/measured/kharaz.csv", points));
    const double eta2 = ctKharaz_Eta2();
    double worst = 0.0;
    for (int i = 0; i < CT_KHARAZ_POINTS; i++) {
        const ctKharazPoint *p = &points[i];
        if (p->quantity == ct_kharazTangential) {
            double theory = ctKharaz_Theory(eta2, p->quantity, p->angle);
            double law = ctKharaz_Model(ct_lawCompliant, eta2, p->quantity, p->angle);
            worst = fmax(worst, fabs(theory / p->value - 1.0));
            double limit = p->angle > 15.0 ? 2e-3 : p->angle > 5.0 ? 0.03 : 0.125;
            ctRequire(fabs(law / theory - 1.0) <= limit, "%g deg: law %g, theory %g", p->angle, law, theory);
        }
    }
    ctRequire(worst > 0.05 && worst < 0.06, "off by %g", worst);
}
END_TEST

// Tangential restitution follows from the rebound angle too, e tan(out) / tan(in), and the spin from the momentum. The
// published figures contradict each other by more than 3 % at small angles.
START_TEST(the_measured_figures_agree_to_ten_percent)
{
    ctKharazPoint points[CT_KHARAZ_POINTS];
    ctAssert(ctKharaz_Read("tests/data/measured/kharaz.csv", points));
    double small = 0.0, large = 0.0;
    for (int i = 0; i < 8; i++) {
        const ctKharazPoint *a = &points[i], *b = &points[8 + i];
        ctAssert(a->quantity == ct_kharazReboundAngle && b->quantity == ct_kharazTangential);
        double share = 0.98 * tan(a->value * CT_PI / 180.0) / tan(a->angle * CT_PI / 180.0);
        double *worst = a->angle < 21.0 ? &small : &large;
        *worst = fmax(*worst, fabs(share / b->value - 1.0));
    }
    ctAssert(small > 0.08 && small < 0.11 && large < 0.05);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("compliant");
    TCase *core = tcase_create("compliant");
    tcase_set_timeout(core, 60);
    tcase_add_test(core, planar_impacts_agree_with_small_steps);
    tcase_add_loop_test(core, impacts_in_space_agree_with_small_steps, 0, 8);
    tcase_add_loop_test(core, a_stiff_slide_agrees_with_small_steps, 0, 4);
    tcase_add_test(core, a_stiff_contact_is_stronges);
    tcase_add_loop_test(core, every_impulse_is_permissible, 0, ct_kindCount);
    tcase_add_test(core, restitution_is_energetic);
    tcase_add_test(core, what_springs_do_not_change);
    tcase_add_test(core, a_stuck_contact_oscillates);
    tcase_add_test(core, bad_input_is_no_impact);
    tcase_add_test(core, oblique_impacts_are_as_measured);
    tcase_add_test(core, theory_with_a_ring_of_slip_says_what_two_springs_leave_out);
    tcase_add_test(core, the_measured_figures_agree_to_ten_percent);
    suite_add_tcase(suite, core);
    return ctRunSuite(suite);
}
