// The course of an impact in the contact frame: u is the relative velocity, p the impulse (Jia & Wang 2017, figures 4
// to 6; Baber, section 3.8). x points along the sliding before the impact, so that the hodograph starts on the x axis.
#include "render/gui/impact_diagrams.h"

#include "render/gui/plot.h"

#include <math.h>
#include <stdio.h>

static const ctRgba white = {0.95f, 0.95f, 0.97f, 1.0f}, orange = {1.0f, 0.58f, 0.2f, 1.0f},
                    blue = {0.4f, 0.72f, 1.0f, 1.0f}, green = {0.45f, 0.85f, 0.5f, 1.0f},
                    red = {1.0f, 0.4f, 0.35f, 1.0f}, faint = {0.62f, 0.67f, 0.75f, 1.0f};

void ctImpactStudy_Make(ctImpactStudy *study, const ctImpact *impact)
{
    static const struct {
        ctLaw law;
        const char *name;
    } laws[CT_LAW_ENDS] = {{ct_lawStronge, "Stronge"},     {ct_lawPoisson, "Poisson"},
                           {ct_lawAlgebraic, "algebraic"}, {ct_lawCompliant, "compliant"},
                           {ct_lawWhittaker, "Whittaker"}, {ct_lawSmith, "Smith"},
                           {ct_lawBilinear, "bilinear"}};
    study->impact = *impact;
    ctVec3 n = impact->normal, slide = ctMulAdd(impact->velocity, -ctDot(impact->velocity, n), n), x, y;
    ctFrameFromNormal(n, &x, &y);
    if (ctLength(slide) > 1e-9 * ctLength(impact->velocity)) {
        x = ctNormalize(slide);
        y = ctCross(n, x);
    }
    study->axes = ctMat3Columns(x, y, n);
    ctImpactInput in = {.K = ctMulMM(ctTranspose(study->axes), ctMulMM(impact->k, study->axes)),
                        .u = ctMulTMV(study->axes, impact->velocity),
                        .mu = impact->pair.friction,
                        .e = impact->pair.restitution,
                        .et = impact->pair.tangentialRestitution,
                        .sigma = impact->pair.sigma,
                        .law = impact->law,
                        .eta2 = ctEta2Of(impact->pair.tangentialStiffness)};
    for (int i = 0; i < CT_LAW_ENDS; i++) {
        study->ends[i] = (ctLawEnd){.law = laws[i].law, .name = laws[i].name};
        in.law = laws[i].law;
        ctSolveImpact(&in, &study->ends[i].result);
    }
    study->borrowed = impact->law == ct_lawAlgebraic || impact->law == ct_lawComposite;
    in.law = study->borrowed ? ct_lawStronge : impact->law;
    ctSolveImpactCourse(&in, &study->course);
}

static int eventSample(const ctImpactCourse *c, ctCourseEventKind kind)
{
    for (int i = 0; i < c->eventCount; i++) {
        if (c->events[i].kind == kind) {
            return c->events[i].sample;
        }
    }
    return -1;
}

// ---- the hodograph ----------------------------------------------------------------------------

static void rays(const ctImpactCourse *c, const ctPlot *plot)
{
    double reach = 3.0 * (plot->x1 - plot->x0 + plot->y1 - plot->y0);
    float ox = ctPlot_X(plot, 0.0), oy = ctPlot_Y(plot, 0.0);
    for (int i = 0; i < c->rays.count; i++) {
        const ctInvariantRay *ray = &c->rays.rays[i];
        ctRgba color = ray->diverging ? red : (ctRgba){0.45f, 0.6f, 0.85f, 0.9f};
        ctGui_Line(ox, oy, ctPlot_X(plot, reach * ray->c), ctPlot_Y(plot, reach * ray->s), color,
                   ray->attracting ? 1.8f : 1.0f);
    }
}

static void path(const ctImpactCourse *c, const ctPlot *plot)
{
    static float xy[2 * CT_COURSE_SAMPLES];
    int split = eventSample(c, ct_courseCompressionEnds), n = 0;
    for (int i = 0; i < c->sampleCount; i++) {
        xy[2 * n] = ctPlot_X(plot, c->samples[i].u.x);
        xy[2 * n + 1] = ctPlot_Y(plot, c->samples[i].u.y);
        n++;
    }
    int bend = split > 0 ? split : n - 1;
    ctGui_Polyline(xy, bend + 1, blue, 2.4f);
    ctGui_Polyline(xy + 2 * bend, n - bend, orange, 2.4f);
    if (n > 0) {
        ctGui_Disc(xy[0], xy[1], 4.5f, blue);
        ctGui_Disc(xy[2 * (n - 1)], xy[2 * (n - 1) + 1], 4.5f, orange);
    }
    int stop = eventSample(c, ct_courseSlidingStops);
    if (stop >= 0) {
        ctGui_Circle(ctPlot_X(plot, c->samples[stop].u.x), ctPlot_Y(plot, c->samples[stop].u.y), 6.5f, white, 1.5f);
    }
}

void ctDiagram_Hodograph(const ctImpactStudy *study, float width, float height, float scale)
{
    const ctImpactCourse *c = &study->course;
    ctPlot plot;
    ctPlot_Begin(&plot, "Hodograph: tangential velocity u_x, u_y", width, height, scale);
    double x0 = 0.0, x1 = 0.0, y0 = 0.0, y1 = 0.0;
    for (int i = 0; i < c->sampleCount; i++) {
        x0 = fmin(x0, c->samples[i].u.x);
        x1 = fmax(x1, c->samples[i].u.x);
        y0 = fmin(y0, c->samples[i].u.y);
        y1 = fmax(y1, c->samples[i].u.y);
    }
    double span = fmax(fmax(x1 - x0, y1 - y0), 1e-6);
    ctPlot_Square(&plot, x0 - 0.08 * span, x1 + 0.08 * span, y0 - 0.12 * span, y1 + 0.12 * span);
    ctPlot_Axes(&plot, "m/s", "m/s");
    ctGui_Clip(plot.area);
    rays(c, &plot);
    path(c, &plot);
    for (int i = 0; i < CT_LAW_ENDS; i++) {
        const ctLawEnd *end = &study->ends[i];
        if (end->result.mode != ct_impactInvalid && end->law != study->impact.law) {
            ctGui_Circle(ctPlot_X(&plot, end->result.v.x), ctPlot_Y(&plot, end->result.v.y), 3.5f, faint, 1.2f);
        }
    }
    float x = plot.area.x + 6.0f * scale, y = plot.area.y + plot.area.h - ctGui_LineHeight() - 2.0f * scale;
    ctGui_Label(x, y, 0.0f, (ctRgba){0.55f, 0.7f, 0.95f, 1.0f}, "invariant rays");
    ctGui_Label(x + 108.0f * scale, y, 0.0f, red, "diverging");
    ctGui_Unclip();
}

// ---- over the normal impulse ------------------------------------------------------------------

// Fills the area between the curve and zero: compression where u_z < 0, restitution where u_z > 0.
static void shade(const ctImpactCourse *c, const ctPlot *plot)
{
    float zero = ctPlot_Y(plot, 0.0);
    for (int i = 0; i + 1 < c->sampleCount; i++) {
        const ctCourseSample *a = &c->samples[i], *b = &c->samples[i + 1];
        bool compression = a->u.z + b->u.z < 0.0;
        ctRgba color = compression ? (ctRgba){0.3f, 0.6f, 1.0f, 0.28f} : (ctRgba){1.0f, 0.55f, 0.2f, 0.28f};
        float x0 = ctPlot_X(plot, a->p.z), x1 = ctPlot_X(plot, b->p.z);
        float xy[8] = {x0, zero, x0, ctPlot_Y(plot, a->u.z), x1, ctPlot_Y(plot, b->u.z), x1, zero};
        ctGui_Quad(xy, color);
    }
}

static double normalVelocity(const ctCourseSample *s)
{
    return s->u.z;
}

static double work(const ctCourseSample *s)
{
    return s->work;
}

static void courseCurve(const ctImpactCourse *c, const ctPlot *plot, double (*read)(const ctCourseSample *),
                        ctRgba color)
{
    static float xy[2 * CT_COURSE_SAMPLES];
    for (int i = 0; i < c->sampleCount; i++) {
        xy[2 * i] = ctPlot_X(plot, c->samples[i].p.z);
        xy[2 * i + 1] = ctPlot_Y(plot, read(&c->samples[i]));
    }
    ctGui_Polyline(xy, c->sampleCount, color, 2.2f);
}

static void coursePlot(const ctImpactStudy *study, const char *title, const char *unit,
                       double (*read)(const ctCourseSample *), ctRgba color, float width, float height, float scale)
{
    const ctImpactCourse *c = &study->course;
    ctPlot plot;
    ctPlot_Begin(&plot, title, width, height, scale);
    double lo = 0.0, hi = 0.0;
    for (int i = 0; i < c->sampleCount; i++) {
        lo = fmin(lo, read(&c->samples[i]));
        hi = fmax(hi, read(&c->samples[i]));
    }
    double end = c->sampleCount > 0 ? c->samples[c->sampleCount - 1].p.z : 1.0;
    ctPlot_Range(&plot, 0.0, end * 1.03, lo, hi);
    ctPlot_Axes(&plot, "p_z (N s)", unit);
    ctGui_Clip(plot.area);
    if (read == normalVelocity) {
        shade(c, &plot);
    }
    for (int i = 0; i < c->eventCount; i++) {
        static const char *const names[] = {
            [ct_courseCompressionEnds] = "c", [ct_courseRecompression] = "c'", [ct_courseSlidingStops] = "s",
            [ct_courseSlidingBegins] = "b",   [ct_courseOnRay] = "l",          [ct_courseEnds] = "r"};
        double x = c->samples[c->events[i].sample].p.z;
        ctPlot_Vertical(&plot, x, (ctRgba){1.0f, 1.0f, 1.0f, 0.35f});
        ctGui_Label(ctPlot_X(&plot, x) - 3.0f * scale, plot.area.y, 1.0f, faint, names[c->events[i].kind]);
    }
    ctPlot_Horizontal(&plot, 0.0, (ctRgba){1.0f, 1.0f, 1.0f, 0.4f});
    courseCurve(c, &plot, read, color);
    ctGui_Unclip();
}

void ctDiagram_Course(const ctImpactStudy *study, float width, float height, float scale)
{
    coursePlot(study, "Normal velocity u_z: compression, restitution", "m/s", normalVelocity, blue, width,
               0.55f * height, scale);
    coursePlot(study, "Work of the normal force", "J", work, green, width, 0.45f * height, scale);
}

// ---- the friction cone ------------------------------------------------------------------------

// The number of earlier ends at nearly the same place of the picture: their labels are put side by side.
static int endsNear(const ctPlot *plot, const ctImpactStudy *study, int index, double tx, double ty)
{
    int count = 0;
    const ctVec3 *p = &study->ends[index].result.p;
    for (int i = 0; i < index; i++) {
        const ctImpactResult *r = &study->ends[i].result;
        float dx = ctPlot_X(plot, r->p.x * tx + r->p.y * ty) - ctPlot_X(plot, p->x * tx + p->y * ty);
        float dy = ctPlot_Y(plot, r->p.z) - ctPlot_Y(plot, p->z);
        count += r->mode != ct_impactInvalid && fabsf(dx) < 12.0f && fabsf(dy) < 8.0f ? 1 : 0;
    }
    return count;
}

// The friction cone in the plane of the normal and the final tangential impulse: the wedge |p_t| <= mu p_z.
void ctDiagram_Cone(const ctImpactStudy *study, float width, float height, float scale)
{
    const ctImpactCourse *c = &study->course;
    static float xy[2 * CT_COURSE_SAMPLES];
    ctPlot plot;
    ctPlot_Begin(&plot, "Impulse p_t, p_z in the friction cone", width, height, scale);
    ctVec3 p = ctMulTMV(study->axes, study->impact.impulse);
    double t = hypot(p.x, p.y), tx = t > 0.0 ? p.x / t : -1.0, ty = t > 0.0 ? p.y / t : 0.0;
    double top = p.z, left = 0.0, right = t;
    for (int i = 0; i < CT_LAW_ENDS; i++) {
        const ctImpactResult *r = &study->ends[i].result;
        if (r->mode != ct_impactInvalid) {
            top = fmax(top, r->p.z);
            right = fmax(right, r->p.x * tx + r->p.y * ty);
            left = fmin(left, r->p.x * tx + r->p.y * ty);
        }
    }
    double mu = study->impact.pair.friction, side = fmax(fmax(right, -left), 0.5 * fmin(mu, 1.0) * top);
    ctPlot_Square(&plot, -1.1 * side - 1e-12, 1.1 * side + 1e-12, 0.0, 1.05 * top);
    ctPlot_Axes(&plot, "p_t", "p_z (N s)");
    ctGui_Clip(plot.area);
    float x = ctPlot_X(&plot, 0.0), y = ctPlot_Y(&plot, 0.0), high = (float)(2.0 * (plot.y1 - plot.y0));
    float wedge[8] = {
        x, y, ctPlot_X(&plot, -mu * high), ctPlot_Y(&plot, high), ctPlot_X(&plot, mu * high), ctPlot_Y(&plot, high),
        x, y};
    ctGui_Quad(wedge, (ctRgba){0.4f, 0.8f, 0.5f, 0.15f});
    ctGui_Line(x, y, wedge[2], wedge[3], green, 1.2f);
    ctGui_Line(x, y, wedge[4], wedge[5], green, 1.2f);
    for (int i = 0; i < c->sampleCount; i++) {
        xy[2 * i] = ctPlot_X(&plot, c->samples[i].p.x * tx + c->samples[i].p.y * ty);
        xy[2 * i + 1] = ctPlot_Y(&plot, c->samples[i].p.z);
    }
    ctGui_Polyline(xy, c->sampleCount, blue, 2.0f);
    for (int i = 0; i < CT_LAW_ENDS; i++) {
        const ctImpactResult *r = &study->ends[i].result;
        if (r->mode != ct_impactInvalid) {
            float px = ctPlot_X(&plot, r->p.x * tx + r->p.y * ty), py = ctPlot_Y(&plot, r->p.z);
            char digit[12];
            snprintf(digit, sizeof digit, "%d", i + 1);
            ctGui_Disc(px, py, 3.5f, faint);
            float shift = (float)(7 + 9 * endsNear(&plot, study, i, tx, ty)) * scale;
            ctGui_Label(px + shift, py - 0.5f * ctGui_LineHeight(), 0.0f, faint, digit);
        }
    }
    ctGui_Arrow(x, y, ctPlot_X(&plot, t), ctPlot_Y(&plot, p.z), orange, 2.4f);
    ctGui_Unclip();
}
