// The impact solver against solved impacts, an independent oracle, closed forms, and the papers' figures.
#include "tests/support/impact_oracle.h"
#include "tests/support/impact_vectors.h"
#include "tests/support/suite.h"

#include <stdlib.h>

static void checkVectors(const char *name)
{
    int count;
    ctImpactVector *all = ctReadImpactVectors(name, &count);
    for (int i = 0; i < count; i++) {
        ctImpactResult r;
        ctSolveImpact(&all[i].in, &r);
        double error = ctRelativeError(r.p, all[i].p);
        ck_assert_msg(error <= 1e-9, "%s:%d (%s): error %.3g", name, i + 2, all[i].category, error);
        // The oracle, which the rest of this suite relies on, knows them to the last bits.
        ctVec3 p;
        if (all[i].in.law == ct_lawStronge || all[i].in.law == ct_lawPoisson) {
            ctAssert(ctOracleImpact(&all[i].in, &p));
            ctAssertClose(ctRelativeError(p, all[i].p), 0.0, 1e-14);
        }
    }
    free(all);
}

START_TEST(solved_impacts_to_1e9)
{
    checkVectors("impact_public.csv");
    checkVectors("impact_seeds.csv");
}
END_TEST

START_TEST(random_impacts_to_1e9)
{
    for (ctImpactKind kind = 0; kind < ct_kindCount; kind++) {
        ctRandom r = ctRandomSeed(100 + (uint64_t)kind);
        for (int i = 0; i < ctTestCases(1000); i++) {
            ctImpactInput in = ctRandomImpact(&r, kind);
            ctImpactResult x;
            ctVec3 p;
            ctAssert(ctSolveImpact(&in, &x) != ct_impactInvalid);
            ctAssert(ctOracleImpact(&in, &p));
            double error = ctRelativeError(x.p, p);
            // Some impacts magnify the last bits of their input beyond 1e-9; those are held to that.
            double tolerance = error <= 1e-9 ? 1e-9 : 1e-9 + 10.0 * ctOracleSensitivity(&in, p, &r);
            if (!(error <= tolerance)) {
                ck_abort_msg("%s %d: error %.3g > %.3g", ctImpactKindName(kind), i, error, tolerance);
            }
        }
    }
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
                            i % 2 == 0 ? ct_lawStronge : ct_lawPoisson,
                            0.0};
        in.u.z = -fabs(in.u.z);
        ctImpactResult x, y;
        ctSolveImpact(&in, &x);
        double pz = -(1 + in.e) * in.u.z / b, ut = hypot(in.u.x, in.u.y), pt = fmin(in.mu * pz, ut / a);
        ctVec3 p = ctV3(-pt * in.u.x / ut, -pt * in.u.y / ut, pz);
        ctAssertClose(ctRelativeError(x.p, p), 0.0, 1e-15);
        ctAssert(x.steps == 0);
        ctAssert(x.mode == (ut / a <= in.mu * pz ? ct_impactStick : ct_impactSlide));
        // A hair off the closed form, the general solver must say the same.
        in.K.cy.x = in.K.cx.y = 1e-13 * a;
        ctSolveImpact(&in, &y);
        ctAssertClose(ctRelativeError(y.p, p), 0.0, 2e-10);
        double energy = x.frictionLoss + 0.5 * in.u.z * in.u.z / b;
        ctAssertClose(y.frictionLoss, x.frictionLoss, 1e-9 * energy);
        ctAssertClose(y.restitutionLoss, x.restitutionLoss, 1e-9 * energy);
    }
}
END_TEST

START_TEST(planar_impacts_match_baber_section_5)
{
    ctRandom r = ctRandomSeed(12);
    int modes[4] = {0, 0, 0, 0};
    for (int i = 0; i < ctTestCases(50000); i++) {
        double k11 = ctRandomLog(&r, 0.1, 10), k33 = ctRandomLog(&r, 0.1, 10);
        double k13 = ctRandomUniform(&r, -0.99, 0.99) * sqrt(k11 * k33), mu = ctRandomLog(&r, 0.05, 5);
        double ux = i % 10 == 0 ? 0.0 : ctRandomUniform(&r, -2, 2), uz = -ctRandomLog(&r, 0.01, 2);
        double e = i % 7 == 0 ? 0.0 : ctRandomUniform(&r, 0, 1);
        ctImpactInput in = {ctMat3Symmetric(k11, 0, k13, ctRandomLog(&r, 0.1, 10), 0, k33),
                            ctV3(ux, 0, uz),
                            mu,
                            e,
                            0.0,
                            0.0,
                            ct_lawStronge,
                            0.0};
        ctImpactResult x;
        ctSolveImpact(&in, &x);
        ctAssertClose(ctRelativeError(x.p, ctPlanarImpact(k11, k13, k33, ux, uz, mu, e)), 0.0, 1e-12);
        ctAssert(x.steps == 0);
        modes[x.mode]++;
    }
    ctAssert(modes[ct_impactSlide] > 100 && modes[ct_impactStick] > 100 && modes[ct_impactReverseSlide] > 100);
}
END_TEST

// ---- the papers ------------------------------------------------------------------------------------

static const ctImpactInput icosahedron = {
    {{11.5984, -0.910367, 2.44236}, {-0.910367, 9.90134, 1.95747}, {2.44236, 1.95747, 2.59042}},
    {-0.261976336, 0.386328727, -0.077174105},
    0.8,
    0.95,
    0.0,
    0.0,
    ct_lawStronge,
    0.0};
static const ctImpactInput baber = {
    {{20, -23, 4}, {-23, 31, -7}, {4, -7, 4}}, {630, -780, -0.22}, 0.5, 0.9, 0.0, 0.0, ct_lawStronge, 0.0};

static const ctCourseSample *eventSample(const ctImpactCourse *course, ctCourseEventKind kind, int nth)
{
    for (int i = 0; i < course->eventCount; i++) {
        if (course->events[i].kind == kind && nth-- == 0) {
            return &course->samples[course->events[i].sample];
        }
    }
    ck_abort_msg("the event did not happen");
}

START_TEST(baber_has_two_compressions)
{
    static ctImpactCourse course;
    ctSolveImpactCourse(&baber, &course);
    // Figure 2: the zeros of u_z and its local maximum.
    ctAssertClose(eventSample(&course, ct_courseCompressionEnds, 0)->p.z, 14.5960, 5e-5);
    ctAssertClose(eventSample(&course, ct_courseRecompression, 0)->p.z, 29.8306, 5e-5);
    ctAssertClose(eventSample(&course, ct_courseCompressionEnds, 1)->p.z, 55.9807, 5e-5);
    int top = 0;
    for (int i = 0; course.samples[i].p.z < 29.0; i++) {
        top = course.samples[i].u.z > course.samples[top].u.z ? i : top;
    }
    ctAssertClose(course.samples[top].p.z, 22.5105, 1.0);
    // Section 3.7, figure 4: the rays of constant sliding.
    ctImpactInput in = {ctMat3Symmetric(20, 0, 1, 4, 6, 10), ctV3(1, 0.5, -1), 0.7, 0.8, 0.0, 0.0, ct_lawStronge, 0.0};
    ctInvariantRays rays;
    ctFindInvariantRays(&in, &rays);
    const double degrees[4] = {209.08 - 360, 281.35 - 360, 322.90 - 360, 86.67};
    ctAssert(rays.count == 4);
    ctAssert(!rays.sticks);
    for (int i = 0; i < 4; i++) {
        ctAssertClose(rays.rays[i].angle * 180 / CT_PI, degrees[i], 0.005);
        ctAssert(rays.rays[i].diverging == (i == 3));
    }
}
END_TEST

START_TEST(jia_and_wang_figures)
{
    ctImpactInput in = icosahedron;
    ctImpactResult r;
    in.mu = 0.0;
    ctSolveImpact(&in, &r); // section 2.4
    ctAssertClose(r.p.z, 0.058, 5e-4);
    in.mu = 0.3156;
    ctInvariantRays rays;
    ctFindInvariantRays(&in, &rays); // |B^-1 d| = 0.3157
    ctAssert(!rays.sticks);
    in.mu = 0.3158;
    ctFindInvariantRays(&in, &rays);
    ctAssert(rays.sticks);
    // The numbers of invariant directions in figure 4 (b) to (d).
    const double mus[3] = {0.4, 0.25, 3.0};
    const int counts[3] = {2, 2, 4}, diverging[3] = {0, 1, 0};
    for (int i = 0; i < 3; i++) {
        in.mu = mus[i];
        ctFindInvariantRays(&in, &rays);
        int n = 0;
        for (int j = 0; j < rays.count; j++) {
            n += rays.rays[j].diverging;
        }
        ctAssert(rays.count == counts[i]);
        ctAssert(n == diverging[i]);
    }
}
END_TEST

START_TEST(the_papers_methods_converge)
{
    ctImpactResult exact, r;
    ctSolveImpact(&icosahedron, &exact);
    // Table 1: with their steps the errors are of order 1e-3 (in N s), after some tens of steps.
    ctSolveImpactJiaWang(&icosahedron, 0.0, true, &r);
    ctAssert(ctDistance(r.p, exact.p) < 2e-3 && r.steps > 10 && r.steps < 150);
    // Euler's method is of first order: a tenth of the step, a tenth of the error.
    double coarse, fine;
    ctSolveImpactJiaWang(&icosahedron, 1e-4, true, &r);
    coarse = ctDistance(r.p, exact.p);
    ctSolveImpactJiaWang(&icosahedron, 1e-6, true, &r);
    fine = ctDistance(r.p, exact.p);
    ctAssert(fine < 0.1 * coarse && fine < 1e-5);
    ctSolveImpactJiaWang(&icosahedron, 1e-6, false, &r);
    ctAssert(ctDistance(r.p, exact.p) < 1e-5);
    ctSolveImpact(&baber, &exact);
    ctSolveImpactBaber(&baber, 1e-2, &r);
    coarse = ctRelativeError(r.p, exact.p);
    ctSolveImpactBaber(&baber, 1e-4, &r);
    fine = ctRelativeError(r.p, exact.p);
    ctAssert(fine < 0.02 * coarse && fine < 1e-3);
    // They know Stronge's law only.
    ctImpactInput poisson = baber;
    poisson.law = ct_lawPoisson;
    ctAssert(ctSolveImpactBaber(&poisson, 1e-2, &r) == ct_impactInvalid);
    ctAssert(ctSolveImpactJiaWang(&poisson, 1e-2, true, &r) == ct_impactInvalid);
}
END_TEST

// ---- invariant directions --------------------------------------------------------------------------

static double turning(const ctImpactInput *in, double angle)
{
    double c = cos(angle), s = sin(angle);
    double hx = in->K.cz.x - in->mu * (in->K.cx.x * c + in->K.cy.x * s);
    double hy = in->K.cz.y - in->mu * (in->K.cy.x * c + in->K.cy.y * s);
    return c * hy - s * hx;
}

START_TEST(invariant_directions_obey_theorem_5)
{
    ctRandom r = ctRandomSeed(13);
    int seen[5] = {0};
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctImpactInput in = ctRandomImpact(&r, i % ct_kindCount);
        ctInvariantRays rays;
        ctFindInvariantRays(&in, &rays);
        if (rays.count == -1) {
            continue; // (i): checked below
        }
        ctAssert(rays.count >= 2 && rays.count <= 4); // (ii)
        seen[rays.count]++;
        int diverging = 0, converging = 0;
        double scale = in.mu * (in.K.cx.x + in.K.cy.y) + fabs(in.K.cz.x) + fabs(in.K.cz.y);
        for (int j = 0; j < rays.count; j++) {
            const ctInvariantRay *ray = &rays.rays[j];
            ctAssertClose(turning(&in, ray->angle), 0.0, 1e-14 * scale); // equation 33
            ctAssert(j == 0 || ray->angle > rays.rays[j - 1].angle);
            // Attracting: neighbours turn towards it.
            if (fabs(turning(&in, ray->angle + 1e-4)) > 1e-9 * scale) {
                ctAssert(ray->attracting == (turning(&in, ray->angle + 1e-4) < 0.0));
            }
            diverging += ray->diverging;
            converging += !ray->diverging;
        }
        ctAssert(converging >= 1 && diverging == (rays.sticks ? 0 : 1)); // (iii), (iv)
        // No others: the sign changes on a fine circle are as many.
        int changes = 0;
        double closest = 2.0 * CT_PI + rays.rays[0].angle - rays.rays[rays.count - 1].angle;
        for (int j = 1; j < rays.count; j++) {
            closest = fmin(closest, rays.rays[j].angle - rays.rays[j - 1].angle);
        }
        for (int j = 0; j < 2000 && i % 10 == 0; j++) {
            changes += turning(&in, j * CT_PI / 1000) * turning(&in, (j + 1) * CT_PI / 1000) < 0.0;
        }
        ctAssert(i % 10 != 0 || closest < 0.01 || changes == rays.count);
    }
    ctAssert(seen[2] > 50 && seen[4] > 50);
}
END_TEST

START_TEST(special_invariant_directions)
{
    ctInvariantRays rays;
    // Theorem 8 (i): B isotropic; d = 0 leaves every direction invariant.
    ctImpactInput in = {ctMat3Diagonal(3, 3, 1), ctV3(0, 0, -1), 0.5, 0.5, 0.0, 0.0, ct_lawStronge, 0.0};
    ctFindInvariantRays(&in, &rays);
    ctAssert(rays.count == -1);
    in.K = ctMat3Symmetric(3, 0, 0.3, 3, 0.4, 1);
    ctFindInvariantRays(&in, &rays);
    ctAssert(rays.count == 2);
    ctAssertClose(rays.rays[1].angle, atan2(0.4, 0.3), 1e-15);
    // (ii), (iii): d along an eigenvector; with mu |l1 - l2| > |d| there are two more.
    for (int axis = 0; axis < 2; axis++) {
        for (int strong = 0; strong < 2; strong++) {
            double d = strong ? 1.5 : 0.5, gap = 0.5 * 2.0;
            in.K = ctMat3Symmetric(4, 0, axis == 0 ? d : 0, 2, axis == 1 ? d : 0, 5);
            ctFindInvariantRays(&in, &rays);
            ctAssert(rays.count == (strong ? 2 : 4));
            double angle = axis == 0 ? acos(d / gap) : -asin(d / gap); // equation 49
            bool found = strong;
            for (int j = 0; j < rays.count; j++) {
                found = found || fabs(rays.rays[j].angle - angle) < 1e-14;
            }
            ctAssert(found);
        }
    }
    // d = 0: the eigenvectors of B.
    in.K = ctMat3Symmetric(4, 1, 0, 2, 0, 5);
    ctFindInvariantRays(&in, &rays);
    ctAssert(rays.count == 4);
    ctAssertClose(rays.rays[3].angle - rays.rays[2].angle, 0.5 * CT_PI, 1e-15);
    // No friction: d, and against it.
    in.mu = 0.0;
    in.K = ctMat3Symmetric(4, 1, 0.2, 2, -0.3, 5);
    ctFindInvariantRays(&in, &rays);
    ctAssert(rays.count == 2);
    ctAssert(rays.rays[0].diverging && !rays.rays[1].diverging);
}
END_TEST

// ---- the course ------------------------------------------------------------------------------------

static void checkCourse(const ctImpactInput *in, const ctImpactCourse *course)
{
    ctImpactResult r;
    ctSolveImpact(in, &r);
    const ctCourseSample *last = &course->samples[course->sampleCount - 1];
    ctAssert(course->result.mode == r.mode);
    ctAssertClose(ctDistance(course->result.p, r.p), 0.0, 1e-9 * ctLength(r.p));
    ctAssertClose(ctDistance(last->p, r.p), 0.0, 1e-9 * ctLength(r.p));
    double stored = 0.0;
    for (int i = 0; i < course->sampleCount; i++) {
        stored = fmax(stored, fabs(course->samples[i].work));
    }
    ctAssertClose(last->work, -course->result.restitutionLoss, 1e-9 * stored);
    ctAssert(course->samples[0].p.z == 0.0 && course->samples[0].work == 0.0);
    ctMat3 K = in->K;
    double uScale = ctLength(in->u) + ctLength(ctMulMV(K, r.p)) + (ctTrace(K)) * ctLength(r.p);
    for (int i = 0; i < course->sampleCount; i++) {
        const ctCourseSample *s = &course->samples[i];
        ctAssert(i == 0 || s->p.z >= course->samples[i - 1].p.z);
        // u = u0 + K p all along, and the impulse is in the cone.
        ctAssertClose(ctDistance(s->u, ctAdd(in->u, ctMulMV(K, s->p))), 0.0, 1e-9 * uScale);
        ctAssert(hypot(s->p.x, s->p.y) <= in->mu * s->p.z * (1 + 1e-9) + 1e-9 * ctLength(r.p));
    }
    ctAssert(course->eventCount >= 1 && course->events[course->eventCount - 1].kind == ct_courseEnds);
    for (int i = 0; i < course->eventCount; i++) {
        const ctCourseSample *s = &course->samples[course->events[i].sample];
        ctAssert(i == 0 || course->events[i].sample >= course->events[i - 1].sample);
        if (course->events[i].kind == ct_courseCompressionEnds || course->events[i].kind == ct_courseRecompression) {
            ctAssert(s->u.z == 0.0);
        }
        if (course->events[i].kind == ct_courseSlidingStops) {
            ctAssert(s->u.x == 0.0 && s->u.y == 0.0);
        }
    }
}

START_TEST(courses_lead_to_the_result)
{
    static ctImpactCourse course;
    for (ctImpactKind kind = 0; kind < ct_kindCount; kind++) {
        ctRandom r = ctRandomSeed(200 + (uint64_t)kind);
        for (int i = 0; i < ctTestCases(100); i++) {
            ctImpactInput in = ctRandomImpact(&r, kind);
            ctSolveImpactCourse(&in, &course);
            checkCourse(&in, &course);
        }
    }
    ctImpactInput separating = baber;
    separating.u.z = 1.0;
    ctAssert(ctSolveImpactCourse(&separating, &course) == ct_impactNone);
    ctAssert(course.sampleCount == CT_STRAIGHT_SAMPLES);
    separating.mu = -1.0;
    ctAssert(ctSolveImpactCourse(&separating, &course) == ct_impactInvalid);
    ctAssert(course.sampleCount == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("impact");
    TCase *exact = tcase_create("exact");
    tcase_add_test(exact, solved_impacts_to_1e9);
    tcase_add_test(exact, random_impacts_to_1e9);
    tcase_add_test(exact, central_impacts_have_a_closed_form);
    tcase_add_test(exact, planar_impacts_match_baber_section_5);
    tcase_set_timeout(exact, 60);
    suite_add_tcase(suite, exact);
    TCase *papers = tcase_create("papers");
    tcase_add_test(papers, baber_has_two_compressions);
    tcase_add_test(papers, jia_and_wang_figures);
    tcase_add_test(papers, the_papers_methods_converge);
    tcase_add_test(papers, invariant_directions_obey_theorem_5);
    tcase_add_test(papers, special_invariant_directions);
    tcase_set_timeout(papers, 60);
    suite_add_tcase(suite, papers);
    TCase *courses = tcase_create("courses");
    tcase_add_test(courses, courses_lead_to_the_result);
    tcase_set_timeout(courses, 60);
    suite_add_tcase(suite, courses);
    return ctRunSuite(suite);
}
