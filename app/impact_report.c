// One impact in words and numbers.
#include "app/cmd_impact.h"

#include <string.h>

static double degrees(double radians)
{
    return radians * 180.0 / CT_PI;
}

static double sliding(ctVec3 u)
{
    return sqrt(u.x * u.x + u.y * u.y);
}

static void lawTitle(const ctImpactInput *in, FILE *out)
{
    static const char *const titles[] = {"Stronge's law (energetic restitution)",
                                         "Poisson's law (kinetic restitution)",
                                         "Chatterjee & Ruina's algebraic law",
                                         "the composite law",
                                         "the compliant law (tangential and normal springs)",
                                         "Whittaker's law (Kane & Levinson)",
                                         "Smith's law",
                                         "the bilinear law"};
    fprintf(out, "An impact under %s: mu = %g, e = %g", titles[in->law], in->mu, in->e);
    if (in->law == ct_lawAlgebraic || in->law == ct_lawComposite || in->law == ct_lawBilinear) {
        fprintf(out, ", et = %g", in->et);
    }
    if (in->law == ct_lawComposite) {
        fprintf(out, ", sigma = %g", in->sigma);
    }
    if (in->law == ct_lawCompliant) {
        fprintf(out, ", eta2 = %g", in->eta2);
    }
    fputs("\n\n", out);
}

static void describeEvent(const ctImpactCourse *course, int i, FILE *out)
{
    const ctCourseEvent *event = &course->events[i];
    const ctCourseSample *s = &course->samples[event->sample];
    char what[128] = "";
    switch (event->kind) {
    case ct_courseCompressionEnds:
        snprintf(what, sizeof what, "compression ends, restitution begins");
        break;
    case ct_courseRecompression:
        snprintf(what, sizeof what, "the bodies approach again: another compression begins");
        break;
    case ct_courseSlidingStops:
        snprintf(what, sizeof what, "sliding stops; %s",
                 course->rays.sticks || course->in.law == ct_lawCompliant ? "the contact sticks"
                                                                          : "it slides off along the diverging ray");
        break;
    case ct_courseSlidingBegins:
        snprintf(what, sizeof what, "the contact slips");
        break;
    case ct_courseOnRay:
        snprintf(what, sizeof what, "sliding is on an invariant ray, at %.2f degrees", degrees(atan2(s->u.y, s->u.x)));
        break;
    case ct_courseEnds:
        snprintf(what, sizeof what, "the impact ends");
        break;
    }
    fprintf(out, "  %-12.6g %-12.6g %-12.6g %-12.6g %-12.6g %s\n", s->p.z, s->u.x, s->u.y, s->u.z, s->work, what);
}

static void describeCourse(const ctImpactCourse *course, FILE *out)
{
    const ctImpactInput *in = &course->in;
    bool walked = in->law == ct_lawStronge || in->law == ct_lawPoisson || in->law == ct_lawCompliant;
    fprintf(out, "Course%s\n", walked ? "" : " (this law only knows the beginning and the end)");
    fprintf(out, "  %-12s %-12s %-12s %-12s %s\n", "p_z (N s)", "u_x (m/s)", "u_y (m/s)", "u_z (m/s)", "work (J)");
    const ctCourseSample *first = &course->samples[0];
    double r = sliding(first->u);
    fprintf(out, "  %-12.6g %-12.6g %-12.6g %-12.6g %-12.6g ", 0.0, first->u.x, first->u.y, first->u.z, 0.0);
    if (r > 0.0) {
        fprintf(out, "touch: sliding at %.6g m/s towards %.2f degrees\n", r, degrees(atan2(first->u.y, first->u.x)));
    } else {
        fputs("touch: no sliding\n", out);
    }
    for (int i = 0; i < course->eventCount; i++) {
        describeEvent(course, i, out);
    }
    fputs("\n", out);
}

static void describeRays(const ctImpactCourse *course, FILE *out)
{
    const ctInvariantRays *rays = &course->rays;
    fputs("Invariant directions of sliding\n", out);
    if (rays->count < 0) {
        fputs("  every direction (K is isotropic in the contact plane and does not couple to the normal)\n", out);
    }
    for (int i = 0; i < rays->count; i++) {
        fprintf(out, "  %8.2f degrees  %s, %s; d|u_t|/dp_z = %.6g 1/kg\n", degrees(rays->rays[i].angle),
                rays->rays[i].diverging ? "diverging" : "converging",
                rays->rays[i].attracting ? "attracting" : "repelling", rays->rays[i].rate);
    }
    fprintf(out, "  a contact that stops sliding %s\n\n",
            rays->sticks ? "sticks" : "slides off along the diverging ray");
}

static void describeResult(const ctImpactCourse *course, FILE *out)
{
    const ctImpactResult *r = &course->result;
    const ctImpactInput *in = &course->in;
    fputs("Result\n", out);
    fprintf(out, "  impulse on body 1    p = (%.8g, %.8g, %.8g) N s\n", r->p.x, r->p.y, r->p.z);
    fprintf(out, "  relative velocity    v = (%.8g, %.8g, %.8g) m/s\n", r->v.x, r->v.y, r->v.z);
    static const char *const endings[] = {"none: the bodies were not approaching", "slide: it was still sliding",
                                          "stick: no sliding is left", "reverse-slide: sliding stopped and began anew",
                                          "invalid"};
    fprintf(out, "  contact at the end   %s\n", endings[r->mode]);
    double lost = r->frictionLoss + r->restitutionLoss;
    ctVec3 mu;
    double before = ctSolve(in->K, in->u, &mu) ? 0.5 * ctDot(in->u, mu) : 0.0;
    fprintf(out, "  energy               %.6g J lost to friction, %.6g J to restitution", r->frictionLoss + 0.0,
            r->restitutionLoss + 0.0);
    if (before > 0.0) {
        fprintf(out, "; together %.4g %% of the contact's %.6g J", 100.0 * lost / before, before);
    }
    fputs("\n", out);
    unsigned flags = r->mode == ct_impactNone ? 0u : ctCheckPermissible(in, r->p, 1e-9);
    if (flags == 0) {
        fputs("  permissible          yes: no energy gained, no approach left, inside the friction cone\n", out);
        return;
    }
    const char *separator = " ";
    fputs("  permissible          NO:", out);
    if (flags & ct_gainsEnergy) {
        fprintf(out, "%sthis law creates %.6g J here", separator, -lost);
        separator = "; ";
    }
    const struct {
        unsigned flag;
        const char *text;
    } walls[] = {{ct_leavesApproach, "the bodies still approach"},
                 {ct_leavesCone, "the impulse is outside the friction cone"},
                 {ct_pulls, "the impulse pulls"}};
    for (int i = 0; i < 3; i++) {
        if (flags & walls[i].flag) {
            fprintf(out, "%s%s", separator, walls[i].text);
            separator = "; ";
        }
    }
    fputs("\n", out);
}

void ctReportImpact(const ctImpactCourse *course, FILE *out)
{
    lawTitle(&course->in, out);
    if (course->result.mode != ct_impactNone) {
        describeCourse(course, out);
        describeRays(course, out);
    }
    describeResult(course, out);
}
