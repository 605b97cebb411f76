// One impact as a picture of four panels: the hodograph with its invariant rays (Jia & Wang, figure 4), the impulse
// plane with the bounds of the impulse and the result of each law (Chatterjee & Ruina, figures 1 and 3), and the normal
// velocity and the work of the normal force over the normal impulse (Baber, figure 2).
#include "app/cmd_impact.h"
#include "app/svg.h"
#include "render/files/atomic_file.h"

#include <stdlib.h>
#include <string.h>

#define U_X                                                                                                            \
    "<tspan font-style='italic'>u</tspan><tspan dy='3' font-size='9'>x</tspan><tspan dy='-3' dx='4'>(m/s)</tspan>"
#define U_Y                                                                                                            \
    "<tspan font-style='italic'>u</tspan><tspan dy='3' font-size='9'>y</tspan><tspan dy='-3' dx='4'>(m/s)</tspan>"
#define U_Z                                                                                                            \
    "<tspan font-style='italic'>u</tspan><tspan dy='3' font-size='9'>z</tspan><tspan dy='-3' dx='4'>(m/s)</tspan>"
#define P_Z                                                                                                            \
    "<tspan font-style='italic'>p</tspan><tspan dy='3' font-size='9'>z</tspan><tspan dy='-3' dx='4'>(N s)</tspan>"
#define P_T                                                                                                            \
    "<tspan font-style='italic'>p</tspan><tspan dy='3' font-size='9'>t</tspan><tspan dy='-3' dx='4'>(N s)</tspan>"

static const char compressionColor[] = "#fcecdb", restitutionColor[] = "#e4f0ea", courseColor[] = "#1a1a1a";
static const char convergingColor[] = "#1f5fa8", divergingColor[] = "#b8322a";

typedef struct Range {
    double x0, x1, y0, y1;
} Range;

static void include(Range *r, double x, double y)
{
    r->x0 = fmin(r->x0, x);
    r->x1 = fmax(r->x1, x);
    r->y0 = fmin(r->y0, y);
    r->y1 = fmax(r->y1, y);
}

// The range with a margin. An empty range becomes `least` wide around its centre.
static void setRange(ctSvgFrame *f, Range r, double margin, double least)
{
    double w = fmax(r.x1 - r.x0, least), h = fmax(r.y1 - r.y0, least);
    double x = 0.5 * (r.x0 + r.x1), y = 0.5 * (r.y0 + r.y1);
    f->x0 = x - (0.5 + margin) * w;
    f->x1 = x + (0.5 + margin) * w;
    f->y0 = y - (0.5 + margin) * h;
    f->y1 = y + (0.5 + margin) * h;
}

static char eventLetter(ctCourseEventKind kind)
{
    return "cdsblr"[kind];
}

static void dot(ctSvg *svg, const ctSvgFrame *f, double x, double y, const char *fill)
{
    fprintf(svg->out, "<circle cx='%.2f' cy='%.2f' r='3.6' fill='%s' stroke='#fff' stroke-width='0.8'/>\n",
            ctSvgX(f, x), ctSvgY(f, y), fill);
    ctSvg_KeepPoint(svg, f, x, y);
}

static void panelTitle(ctSvg *svg, const ctSvgFrame *f, const char *title, const char *note)
{
    ctSvg_Text(svg, f->left, f->top - 26.0, "start", 14.0, "#111", title);
    ctSvg_Text(svg, f->left, f->top - 9.0, "start", 11.0, "#444", note);
}

// ---- hodograph ------------------------------------------------------------------------------------

// The distance from the origin to the frame's border in a direction; 0 when the origin is outside.
static double wayOut(const ctSvgFrame *f, double c, double s)
{
    double x = c > 0.0 ? f->x1 / c : c < 0.0 ? f->x0 / c : INFINITY;
    double y = s > 0.0 ? f->y1 / s : s < 0.0 ? f->y0 / s : INFINITY;
    return fmax(0.0, fmin(x, y));
}

static void drawRay(ctSvg *svg, const ctSvgFrame *f, const ctInvariantRay *ray)
{
    double out = wayOut(f, ray->c, ray->s), scale = f->width / (f->x1 - f->x0);
    const char *color = ray->diverging ? divergingColor : convergingColor;
    char style[128];
    snprintf(style, sizeof style, "stroke='%s' stroke-width='1.3' stroke-dasharray='%s' fill='none'", color,
             ray->attracting ? "9 5" : "1.5 4");
    ctSvg_Line(svg, f, 0.0, 0.0, out * ray->c, out * ray->s, style);
    if (out * scale < 30.0) {
        return;
    }
    // An arrow head towards or away from the origin.
    double x = ctSvgX(f, 0.62 * out * ray->c), y = ctSvgY(f, 0.62 * out * ray->s), sign = ray->diverging ? 1.0 : -1.0;
    double c = sign * ray->c, s = -sign * ray->s; // on the page, y is down
    fprintf(svg->out, "<path d='M%.2f %.2fL%.2f %.2fL%.2f %.2fZ' fill='%s'/>\n", x + 7 * c, y + 7 * s,
            x - 4 * c - 4 * s, y - 4 * s + 4 * c, x - 4 * c + 4 * s, y - 4 * s - 4 * c, color);
    ctSvg_Keep(svg, x - 6.0, y - 6.0, x + 6.0, y + 6.0);
    for (int i = 1; i < 12; i++) {
        ctSvg_KeepPoint(svg, f, out * ray->c * i / 12, out * ray->s * i / 12);
    }
}

// Keeps labels off a curve.
static void keepCurve(ctSvg *svg, const ctSvgFrame *f, const double *x, const double *y, int count)
{
    double lastX = -1e9, lastY = -1e9;
    for (int i = 1; i < count; i++) {
        double ax = ctSvgX(f, x[i - 1]), ay = ctSvgY(f, y[i - 1]), bx = ctSvgX(f, x[i]), by = ctSvgY(f, y[i]);
        int parts = 1 + (int)((fabs(bx - ax) + fabs(by - ay)) / 8.0);
        for (int j = 0; j <= parts; j++) {
            double px = ax + (bx - ax) * j / parts, py = ay + (by - ay) * j / parts;
            if (fabs(px - lastX) + fabs(py - lastY) > 7.0) {
                ctSvg_Keep(svg, px - 3.0, py - 3.0, px + 3.0, py + 3.0);
                lastX = px;
                lastY = py;
            }
        }
    }
}

static void drawHodograph(ctSvg *svg, const ctImpactCourse *course, ctSvgFrame f)
{
    double x[CT_COURSE_SAMPLES], y[CT_COURSE_SAMPLES];
    Range range = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < course->sampleCount; i++) {
        x[i] = course->samples[i].u.x;
        y[i] = course->samples[i].u.y;
        include(&range, x[i], y[i]);
    }
    setRange(&f, range, 0.18, 1e-3 * ctLength(course->in.u));
    ctSvgEqualUnits(&f);
    ctSvg_Axes(svg, &f, U_X, U_Y);
    panelTitle(
        svg, &f, "Hodograph of the sliding velocity",
        "invariant rays: <tspan fill='#1f5fa8'>converging</tspan>, <tspan fill='#b8322a'>diverging</tspan>; dashes "
        "attract, dots repel");
    ctSvg_BeginClip(svg, &f);
    for (int i = 0; i < course->rays.count; i++) {
        drawRay(svg, &f, &course->rays.rays[i]);
    }
    ctSvg_Curve(svg, &f, x, y, course->sampleCount, "stroke='#1a1a1a' stroke-width='2.2' fill='none'");
    ctSvg_EndClip(svg);
    keepCurve(svg, &f, x, y, course->sampleCount);
    dot(svg, &f, x[0], y[0], courseColor);
    for (int i = 0; i < course->eventCount; i++) {
        int s = course->events[i].sample;
        dot(svg, &f, x[s], y[s], courseColor);
    }
    ctSvg_Label(svg, &f, x[0], y[0], 1, "#111", "0");
    for (int i = 0; i < course->eventCount; i++) {
        char letter[2] = {eventLetter(course->events[i].kind), '\0'};
        int s = course->events[i].sample;
        ctSvg_Label(svg, &f, x[s], y[s], 1, "#111", letter);
    }
}

// ---- impulse plane --------------------------------------------------------------------------------

typedef struct LawMark {
    ctLaw law;
    const char *name, *color, *shape; // shape: path data around (0, 0)
    bool solved;
    double t, z;
} LawMark;

typedef struct Plane {
    double tx, ty;        // the tangential direction: opposite to the sliding before the impact
    double k11, k13, k33; // K in this plane
    double ut, uz;
    double stickT, stickSlope; // the line of sticking, projected: p_t = stickT + stickSlope p_z
} Plane;

static Plane planeOf(const ctImpactInput *in, const ctImpactResult *result)
{
    double x = -in->u.x, y = -in->u.y;
    if (x == 0.0 && y == 0.0) {
        x = result->p.x;
        y = result->p.y;
    }
    double n = sqrt(x * x + y * y);
    Plane q = {.tx = n > 0.0 ? x / n : 1.0, .ty = n > 0.0 ? y / n : 0.0};
    const ctMat3 *K = &in->K;
    q.k11 = q.tx * q.tx * K->cx.x + 2.0 * q.tx * q.ty * K->cy.x + q.ty * q.ty * K->cy.y;
    q.k13 = q.tx * K->cz.x + q.ty * K->cz.y;
    q.k33 = K->cz.z;
    q.ut = q.tx * in->u.x + q.ty * in->u.y;
    q.uz = in->u.z;
    // p_t = -B^-1 (u_t + p_z d) (Jia & Wang, equation 25), along t.
    double det = K->cx.x * K->cy.y - K->cy.x * K->cy.x;
    double ax = (K->cy.y * in->u.x - K->cy.x * in->u.y) / det, ay = (K->cx.x * in->u.y - K->cy.x * in->u.x) / det;
    double bx = (K->cy.y * K->cz.x - K->cy.x * K->cz.y) / det, by = (K->cx.x * K->cz.y - K->cy.x * K->cz.x) / det;
    q.stickT = -(q.tx * ax + q.ty * ay);
    q.stickSlope = -(q.tx * bx + q.ty * by);
    return q;
}

// The energy ellipse p . (u + K p / 2) = 0 in the plane, as a closed curve.
static void energyEllipse(const Plane *q, double *x, double *y, int count)
{
    double det = q->k11 * q->k33 - q->k13 * q->k13;
    double cx = -(q->k33 * q->ut - q->k13 * q->uz) / det, cy = -(q->k11 * q->uz - q->k13 * q->ut) / det;
    double size = sqrt(fmax(0.0, -(cx * q->ut + cy * q->uz)));
    // K = L L^T; points at C + size L^-T (cos, sin).
    double l11 = sqrt(q->k11), l21 = q->k13 / l11, l22 = sqrt(q->k33 - l21 * l21);
    for (int i = 0; i < count; i++) {
        double angle = 2.0 * CT_PI * i / (count - 1), b = sin(angle) / l22;
        x[i] = cx + size * (cos(angle) - l21 * b) / l11;
        y[i] = cy + size * b;
    }
}

static int solveLaws(const ctImpactInput *in, const Plane *q, LawMark *marks)
{
    static const LawMark all[] = {
        {ct_lawStronge, "Stronge", "#1a1a1a", "M-2.5 0A2.5 2.5 0 1 0 2.5 0A2.5 2.5 0 1 0 -2.5 0Z", false, 0, 0},
        {ct_lawPoisson, "Poisson", "#2a7f3f", "M-5 -5H5V5H-5Z", false, 0, 0},
        {ct_lawAlgebraic, "algebraic", "#8a3fa0", "M0 -9L8 5.5H-8Z", false, 0, 0},
        {ct_lawComposite, "composite", "#a0522d", "M0 9L8 -5.5H-8Z", false, 0, 0},
        {ct_lawCompliant, "compliant", "#1f5fbf", "M-8 -5H8V5H-8Z", false, 0, 0},
        {ct_lawWhittaker, "Whittaker", "#c0392b", "M0 -8L7 0L0 8L-7 0Z", false, 0, 0},
        {ct_lawSmith, "Smith", "#d08000", "M-9 0H-3M3 0H9M0 -9V-3M0 3V9", false, 0, 0},
        {ct_lawBilinear, "bilinear", "#0f7f8f", "M-7 -7L-3 -3M3 3L7 7M-7 7L-3 3M3 -3L7 -7", false, 0, 0},
    };
    int n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ctImpactInput x = *in;
        ctImpactResult r;
        x.law = all[i].law;
        if ((x.law == ct_lawComposite && in->law != ct_lawComposite) || ctSolveImpact(&x, &r) == ct_impactInvalid) {
            continue;
        }
        marks[n] = all[i];
        marks[n].t = q->tx * r.p.x + q->ty * r.p.y;
        marks[n].z = r.p.z;
        n++;
    }
    return n;
}

// Draws the line through (x, y) with the direction (dx, dy), and its name where it leaves the frame upwards.
static void namedLine(ctSvg *svg, const ctSvgFrame *f, double x, double y, double dx, double dy, const char *color,
                      const char *dashes)
{
    double far = 4.0 * (fabs(f->x1 - f->x0) + fabs(f->y1 - f->y0) + fabs(x) + fabs(y)) / sqrt(dx * dx + dy * dy);
    char style[160];
    snprintf(style, sizeof style, "stroke='%s' stroke-width='1.4' stroke-dasharray='%s' fill='none'", color, dashes);
    ctSvg_Line(svg, f, x - far * dx, y - far * dy, x + far * dx, y + far * dy, style);
}

static void legend(ctSvg *svg, double x, double y, const LawMark *marks, int count)
{
    for (int i = 0; i < count; i++) {
        double at = x + 88.0 * (i % 5), row = y + 19.0 * (i / 5);
        fprintf(svg->out, "<path transform='translate(%.2f %.2f)' d='%s' fill='none' stroke='%s' stroke-width='2'/>\n",
                at, row - 4.0, marks[i].shape, marks[i].color);
        ctSvg_Text(svg, at + 13.0, row, "start", 11.5, "#222", marks[i].name);
    }
}

static void drawCone(ctSvg *svg, const ctSvgFrame *f, double mu)
{
    double top = f->y1 > 0.0 ? 2.0 * f->y1 : 0.0;
    const double x[3] = {-mu * top, 0.0, mu * top}, y[3] = {top, 0.0, top};
    ctSvg_Curve(svg, f, x, y, 3, "fill='#f1f4f9' stroke='#6d7f9c' stroke-width='1.4'");
}

static void drawImpulsePlane(ctSvg *svg, const ctImpactCourse *course, ctSvgFrame f)
{
    enum { ROUND = 181 };
    const ctImpactInput *in = &course->in;
    const Plane q = planeOf(in, &course->result);
    LawMark marks[8];
    int count = solveLaws(in, &q, marks);
    double x[CT_COURSE_SAMPLES], y[CT_COURSE_SAMPLES], ex[ROUND], ey[ROUND];
    Range range = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < course->sampleCount; i++) {
        x[i] = q.tx * course->samples[i].p.x + q.ty * course->samples[i].p.y;
        y[i] = course->samples[i].p.z;
        include(&range, x[i], y[i]);
    }
    for (int i = 0; i < count; i++) {
        include(&range, marks[i].t, marks[i].z);
    }
    double frictionless = -q.uz / q.k33;
    include(&range, 0.0, 2.0 * frictionless);
    energyEllipse(&q, ex, ey, ROUND);
    Range whole = range;
    for (int i = 0; i < ROUND; i++) {
        include(&whole, ex[i], ey[i]);
    }
    bool fits = whole.x1 - whole.x0 < 3.0 * (range.x1 - range.x0) && whole.y1 - whole.y0 < 3.0 * (range.y1 - range.y0);
    range = fits ? whole : range;
    setRange(&f, range, 0.1, 0.5 * (range.y1 - range.y0));
    double ratio = (f.x1 - f.x0) / (f.y1 - f.y0);
    if (ratio > 0.3 && ratio < 3.5) {
        ctSvgEqualUnits(&f);
    }
    ctSvg_BeginClip(svg, &f);
    drawCone(svg, &f, in->mu);
    ctSvg_EndClip(svg);
    ctSvg_Axes(svg, &f, P_T " against the sliding before", P_Z);
    panelTitle(svg, &f, "Impulse plane and where each law ends",
               "<tspan fill='#6d7f9c'>friction cone</tspan>, <tspan fill='#b07d00'>energy ellipse</tspan>, <tspan "
               "fill='#1f5fa8'>line of sticking</tspan>, <tspan fill='#2a7f3f'>line of maximum compression</tspan>");
    ctSvg_BeginClip(svg, &f);
    ctSvg_Curve(svg, &f, ex, ey, ROUND, "fill='none' stroke='#b07d00' stroke-width='1.6'");
    namedLine(svg, &f, q.stickT, 0.0, q.stickSlope, 1.0, "#1f5fa8", "9 4");
    // u_z + K13 p_t + K33 p_z = 0
    namedLine(svg, &f, 0.0, frictionless, q.k33, -q.k13, "#2a7f3f", "4 3");
    ctSvg_Curve(svg, &f, x, y, course->sampleCount, "stroke='#1a1a1a' stroke-width='2.2' fill='none'");
    ctSvg_EndClip(svg);
    for (int i = 0; i < count; i++) {
        fprintf(svg->out, "<path transform='translate(%.2f %.2f)' d='%s' fill='none' stroke='%s' stroke-width='2'/>\n",
                ctSvgX(&f, marks[i].t), ctSvgY(&f, marks[i].z), marks[i].shape, marks[i].color);
    }
    legend(svg, f.left + 6.0, f.top + f.height + 58.0, marks, count);
}

// ---- over the normal impulse ----------------------------------------------------------------------

typedef struct Phase {
    double from, to;
    bool compression;
} Phase;

static int phasesOf(const ctImpactCourse *course, Phase phases[CT_COURSE_EVENTS])
{
    double from = 0.0;
    bool compression = true;
    int n = 0;
    if (course->in.law != ct_lawStronge && course->in.law != ct_lawPoisson && course->in.law != ct_lawCompliant) {
        return 0;
    }
    for (int i = 0; i < course->eventCount; i++) {
        ctCourseEventKind kind = course->events[i].kind;
        if (kind != ct_courseSlidingStops && kind != ct_courseSlidingBegins && kind != ct_courseOnRay) {
            double at = course->samples[course->events[i].sample].p.z;
            phases[n++] = (Phase){from, at, compression};
            from = at;
            compression = kind == ct_courseRecompression;
        }
    }
    return n;
}

static void shadePhase(ctSvg *svg, const ctSvgFrame *f, const Phase *phase)
{
    double x = ctSvgX(f, phase->from), w = ctSvgX(f, phase->to) - x;
    fprintf(svg->out, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='%s'/>\n", x, f->top, fmax(0.0, w),
            f->height, phase->compression ? compressionColor : restitutionColor);
}

// The name of a phase in its band, away from the curve and from the lines of the events.
static void namePhase(ctSvg *svg, const ctSvgFrame *f, const Phase *phase)
{
    enum { LETTERS = 11 };
    double x0 = ctSvgX(f, phase->from), x1 = ctSvgX(f, phase->to), half = 0.5 * 7.0 * LETTERS, best = INFINITY;
    double px = 0.0, py = 0.0;
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 7; j++) {
            double x = x0 + half + 3.0 + (x1 - x0 - 2.0 * half - 6.0) * i / 8.0;
            double y = f->top + f->height - 10.0 - (f->height - 20.0) * j / 6.0;
            const double box[4] = {x - half, y - 8.0, x + half, y + 8.0};
            double cost = ctSvg_Cost(svg, f, box) + abs(i - 4) + 0.5 * (j <= 3 ? j : 6 - j);
            if (cost < best) {
                best = cost;
                px = x;
                py = y;
            }
        }
    }
    if (x1 - x0 > 2.0 * half + 6.0) {
        ctSvg_Text(svg, px, py + 4.0, "middle", 11.0, "#777", phase->compression ? "compression" : "restitution");
    }
}

// The letters of the events above the frame. Letters that would overlap are written as one label: "ls".
static void eventLines(ctSvg *svg, const ctSvgFrame *f, const ctImpactCourse *course)
{
    char letters[CT_COURSE_EVENTS + 1];
    for (int i = 0; i < course->eventCount;) {
        double at = ctSvgX(f, course->samples[course->events[i].sample].p.z);
        int n = 0;
        for (; i < course->eventCount; i++) {
            double x = ctSvgX(f, course->samples[course->events[i].sample].p.z);
            if (x - at > 10.0) {
                break;
            }
            fprintf(svg->out, "<path d='M%.2f %.2fV%.2f' stroke='#888' stroke-width='0.9' stroke-dasharray='3 3'/>\n",
                    x, f->top, f->top + f->height);
            letters[n++] = eventLetter(course->events[i].kind);
        }
        letters[n] = '\0';
        ctSvg_Text(svg, at, f->top - 6.0, "middle", 12.0, "#111", letters);
    }
}

static void drawOverImpulse(ctSvg *svg, const ctImpactCourse *course, ctSvgFrame f, bool work)
{
    double x[CT_COURSE_SAMPLES], y[CT_COURSE_SAMPLES];
    Range range = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < course->sampleCount; i++) {
        x[i] = course->samples[i].p.z;
        y[i] = work ? course->samples[i].work : course->samples[i].u.z;
        include(&range, x[i], y[i]);
    }
    setRange(&f, range, 0.08, 1e-300);
    f.x0 = 0.0;
    Phase phases[CT_COURSE_EVENTS];
    int count = phasesOf(course, phases);
    for (int i = 0; i < count; i++) {
        shadePhase(svg, &f, &phases[i]);
    }
    ctSvg_Axes(svg, &f, P_Z, work ? "work (J)" : U_Z);
    ctSvg_Text(svg, f.left, f.top - 26.0, "start", 14.0, "#111", work ? "Work of the normal force" : "Normal velocity");
    eventLines(svg, &f, course);
    ctSvg_BeginClip(svg, &f);
    ctSvg_Curve(svg, &f, x, y, course->sampleCount, "stroke='#1a1a1a' stroke-width='2.2' fill='none'");
    ctSvg_EndClip(svg);
    for (int i = 0; i < course->eventCount; i++) {
        int s = course->events[i].sample;
        dot(svg, &f, x[s], y[s], courseColor);
        double at = ctSvgX(&f, x[s]);
        ctSvg_Keep(svg, at - 1.0, f.top, at + 1.0, f.top + f.height);
    }
    keepCurve(svg, &f, x, y, course->sampleCount);
    for (int i = 0; i < count; i++) {
        namePhase(svg, &f, &phases[i]);
    }
}

// ---- the page -------------------------------------------------------------------------------------

static void drawPage(ctSvg *svg, const ctImpactCourse *course)
{
    const ctImpactInput *in = &course->in;
    char line[256], extra[64] = "";
    static const char *const titles[] = {"Stronge&#8217;s law", "Poisson&#8217;s law", "The algebraic law",
                                         "The composite law",   "The compliant law",   "Whittaker&#8217;s law",
                                         "Smith&#8217;s law",   "The bilinear law"};
    static const char *const endings[] = {"no impact", "it ends sliding", "it ends sticking", "it ends sliding back",
                                          ""};
    if (in->law == ct_lawAlgebraic || in->law == ct_lawComposite || in->law == ct_lawBilinear) {
        snprintf(extra, sizeof extra, ", e&#8348; = %g", in->et);
    }
    if (in->law == ct_lawCompliant) {
        snprintf(extra, sizeof extra, ", &#951;&#178; = %g", in->eta2);
    }
    snprintf(line, sizeof line, "%s, &#956; = %g, e = %g%s: %s", titles[in->law], in->mu, in->e, extra,
             endings[course->result.mode]);
    ctSvg_Text(svg, 70.0, 34.0, "start", 17.0, "#000", line);
    snprintf(line, sizeof line, "K = (%g, %g, %g; %g, %g; %g) 1/kg,  u = (%g, %g, %g) m/s", in->K.cx.x, in->K.cy.x,
             in->K.cz.x, in->K.cy.y, in->K.cz.y, in->K.cz.z, in->u.x, in->u.y, in->u.z);
    ctSvg_Text(svg, 70.0, 54.0, "start", 11.5, "#444", line);
    drawHodograph(svg, course, (ctSvgFrame){70, 110, 450, 400, 0, 0, 0, 0});
    drawImpulsePlane(svg, course, (ctSvgFrame){620, 110, 450, 400, 0, 0, 0, 0});
    drawOverImpulse(svg, course, (ctSvgFrame){70, 665, 450, 230, 0, 0, 0, 0}, false);
    drawOverImpulse(svg, course, (ctSvgFrame){620, 665, 450, 230, 0, 0, 0, 0}, true);
    static const char *const letters[] = {"0 first touch",      "c end of compression", "d compression begins again",
                                          "s sliding stops",    "b sliding begins",     "l sliding on an invariant ray",
                                          "r end of the impact"};
    double x = 70.0;
    for (int i = 0; i < 7; i++) {
        ctSvg_Text(svg, x, 955.0, "start", 11.5, "#444", letters[i]);
        x += 20.0 + 6.0 * (double)strlen(letters[i]);
    }
}

bool ctPlotImpact(const ctImpactCourse *course, const char *path, ctError *error)
{
    ctAtomicFile file;
    ctSvg svg;
    if (!ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    ctSvg_Begin(&svg, file.stream, 1110.0, 980.0);
    drawPage(&svg, course);
    ctSvg_End(&svg);
    return ctAtomicFile_Commit(&file, error);
}
