// The plots of the page.
#include "app/svg.h"
#include "tests/support/kharaz.h"
#include "tests/validate/validate.h"

#include <math.h>
#include <string.h>

static FILE *openPlot(const char *path, ctError *error)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        snprintf(error->message, sizeof error->message, "%s: cannot be written", path);
    }
    return out;
}

// ---- oblique impact --------------------------------------------------------------------------------

static void curve(ctSvg *svg, const ctSvgFrame *f, ctLaw law, double eta2, ctKharazQuantity quantity, const char *style)
{
    enum { POINTS = 200 };
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 0.5 + (f->x1 - 0.5) * i / (POINTS - 1);
        y[i] = ctKharaz_Model(law, eta2, quantity, x[i]);
    }
    ctSvg_Curve(svg, f, x, y, POINTS, style);
}

static void theory(ctSvg *svg, const ctSvgFrame *f, ctKharazQuantity quantity)
{
    enum { POINTS = 60 };
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = 0.5 + (f->x1 - 0.5) * i / (POINTS - 1);
        y[i] = ctKharaz_Theory(ctKharaz_Eta2(), quantity, x[i]);
    }
    ctSvg_Curve(svg, f, x, y, POINTS, "stroke='#2471a3' stroke-width='1.4' stroke-dasharray='2 3' fill='none'");
}

static void panel(ctSvg *svg, ctSvgFrame f, const ctKharazPoint *points, ctKharazQuantity quantity, const char *name)
{
    ctSvg_Axes(svg, &f, "angle of impact (degrees)", name);
    ctSvg_BeginClip(svg, &f);
    curve(svg, &f, ct_lawStronge, 0.0, quantity, "stroke='#777' stroke-width='1.8' stroke-dasharray='6 4' fill='none'");
    curve(svg, &f, ct_lawCompliant, ctKharaz_Eta2(), quantity, "stroke='#c0392b' stroke-width='2.2' fill='none'");
    theory(svg, &f, quantity);
    ctSvg_EndClip(svg);
    for (int i = 0; i < CT_KHARAZ_POINTS; i++) {
        if (points[i].quantity == quantity && points[i].angle <= f.x1) {
            fprintf(svg->out, "<circle cx='%.2f' cy='%.2f' r='4.2' fill='#fff' stroke='#111' stroke-width='1.6'/>\n",
                    ctSvgX(&f, points[i].angle), ctSvgY(&f, points[i].value));
        }
    }
}

bool ctPlot_Oblique(const char *path, ctError *error)
{
    ctKharazPoint points[CT_KHARAZ_POINTS];
    if (!ctKharaz_Read("tests/data/measured/kharaz.csv", points)) {
        snprintf(error->message, sizeof error->message, "tests/data/measured/kharaz.csv: cannot be read");
        return false;
    }
    FILE *out = openPlot(path, error);
    if (out == NULL) {
        return false;
    }
    ctSvg svg;
    ctSvg_Begin(&svg, out, 1120.0, 800.0);
    ctSvg_Text(&svg, 70.0, 32.0, "start", 17.0, "#000",
               "Oblique impact of an alumina sphere on glass (Kharaz, Gorham &amp; Salman 2001)");
    ctSvg_Text(&svg, 70.0, 54.0, "start", 12.5, "#444",
               "circles: measured; red: compliant, &#951;&#178; from elastic constants; blue dots: elastic theory with "
               "microslip; grey: stronge and poisson, which are one here");
    panel(&svg, (ctSvgFrame){70, 80, 450, 290, 0, 65, 0.5, 1}, points, ct_kharazTangential,
          "tangential restitution of the centre");
    panel(&svg, (ctSvgFrame){640, 80, 450, 290, 0, 65, 0, 65}, points, ct_kharazReboundAngle,
          "rebound angle of the centre (degrees)");
    panel(&svg, (ctSvgFrame){70, 450, 450, 290, 0, 65, 0, 700}, points, ct_kharazSpin, "spin after (rad/s)");
    panel(&svg, (ctSvgFrame){640, 450, 450, 290, 0, 88, -15, 90}, points, ct_kharazPatchAngle,
          "rebound angle of the contact point (degrees)");
    ctSvg_End(&svg);
    return fclose(out) == 0;
}

// ---- tosses ----------------------------------------------------------------------------------------

typedef struct Bar {
    const char *section, *engine, *label;
    double rate;
    const char *color;
} Bar;

static void bars(ctSvg *svg, ctSvgFrame f, const ctResults *r, const char *key, const char *title)
{
    static const Bar all[] = {{"toss", "Clatter", "Clatter", 148, "#c0392b"},
                              {"toss", "Bullet", "Bullet, 148 Hz", 148, "#2a6fbf"},
                              {"toss", "Bullet", "Bullet, 1.2 kHz", 1184, "#2a6fbf"},
                              {"toss", "Bullet", "Bullet, 14.8 kHz", 14800, "#2a6fbf"},
                              {"toss", "ODE", "ODE, 148 Hz", 148, "#2a7f3f"},
                              {"toss", "ODE", "ODE, 1.2 kHz", 1184, "#2a7f3f"},
                              {"toss", "ODE", "ODE, 14.8 kHz", 14800, "#2a7f3f"},
                              {"floor", "noise", "noise alone", 148, "#777"}};
    enum { BARS = sizeof all / sizeof all[0] };
    ctSvg_Text(svg, f.left, f.top - 10.0, "start", 14.0, "#111", title);
    for (double v = f.x0; v <= f.x1; v += (f.x1 - f.x0) / 4.0) {
        char text[32];
        snprintf(text, sizeof text, "%g", v);
        ctSvg_Text(svg, ctSvgX(&f, v), f.top + f.height + 18.0, "middle", 11.5, "#444", text);
        fprintf(svg->out, "<path d='M%.2f %.2fV%.2f' stroke='#ddd' stroke-width='1'/>\n", ctSvgX(&f, v), f.top,
                f.top + f.height);
    }
    for (int i = 0; i < BARS; i++) {
        const ctResult *x = ctResults_Find(r, all[i].section, key, all[i].engine, all[i].rate);
        double y = f.top + f.height * (i + 0.5) / BARS;
        ctSvg_Text(svg, f.left - 8.0, y + 4.0, "end", 12.0, "#111", all[i].label);
        if (x == NULL) {
            continue;
        }
        fprintf(
            svg->out,
            "<path d='M%.2f %.2fH%.2f' stroke='%s' stroke-width='3'/>\n<circle cx='%.2f' cy='%.2f' r='5' fill='%s'/>\n",
            ctSvgX(&f, x->lo), y, ctSvgX(&f, x->hi), all[i].color, ctSvgX(&f, x->value), y, all[i].color);
    }
}

bool ctPlot_Tosses(const ctResults *results, const char *path, ctError *error)
{
    FILE *out = openPlot(path, error);
    if (out == NULL) {
        return false;
    }
    ctSvg svg;
    ctSvg_Begin(&svg, out, 1120.0, 330.0);
    ctSvg_Text(&svg, 20.0, 28.0, "start", 16.0, "#000", "285 measured tosses of a cube: mean error and 95 % interval");
    bars(&svg, (ctSvgFrame){130, 80, 210, 200, 0, 32, 0, 1}, results, "place", "place (% of the edge)");
    bars(&svg, (ctSvgFrame){495, 80, 210, 200, 0, 32, 0, 1}, results, "rotation", "rotation (degrees)");
    bars(&svg, (ctSvgFrame){860, 80, 210, 200, 20, 100, 0, 1}, results, "pose", "final pose within 20&#176; (%)");
    ctSvg_End(&svg);
    return fclose(out) == 0;
}
