// Curves as a table (CSV) and as a picture (SVG).
#include "render/files/atomic_file.h"
#include "render/session/curves.h"

#include <math.h>

static const double width = 800.0, height = 480.0, margin = 60.0;
static const char *const colors[CT_CURVES] = {"#c8500a", "#1f77b4", "#2a8a2a", "#b02a4c", "#7a4fb5", "#8a7a10"};

// A name as text of a picture: characters of markup are written as entities, characters that XML forbids as spaces.
static void putText(FILE *out, const char *name)
{
    for (const char *p = name; *p != '\0'; p++) {
        switch (*p) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc((unsigned char)*p < ' ' ? ' ' : *p, out);
        }
    }
}

bool ctCurves_WriteCsv(const ctCurves *c, const char *path, ctError *error)
{
    ctAtomicFile file;
    if (!ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    fputs("time", file.stream);
    for (int k = 0; k < c->wishCount; k++) {
        fprintf(file.stream, ",%s", c->names[k]);
    }
    fputc('\n', file.stream);
    for (int i = 0; i < c->count; i++) {
        fprintf(file.stream, "%.17g", c->samples[i].time);
        for (int k = 0; k < c->wishCount; k++) {
            double y = c->samples[i].values[k];
            if (isfinite(y)) {
                fprintf(file.stream, ",%.17g", y);
            } else {
                fputc(',', file.stream);
            }
        }
        fputc('\n', file.stream);
    }
    return ctAtomicFile_Commit(&file, error);
}

// The value of a sample on an axis: the time (axis -1), or a curve.
static double at(const ctCurveSample *s, int axis)
{
    return axis < 0 ? s->time : s->values[axis];
}

// The range of values of an axis over the samples that are drawn: those where the other axis has a value too.
static void range(const ctCurves *c, int axis, int other, double *lo, double *hi)
{
    for (int i = 0; i < c->count; i++) {
        double x = at(&c->samples[i], axis);
        if (isfinite(x) && isfinite(at(&c->samples[i], other))) {
            *lo = fmin(*lo, x);
            *hi = fmax(*hi, x);
        }
    }
}

// Widens the range of a curve that is flat or has no value yet.
static void widen(double *lo, double *hi)
{
    *lo = isfinite(*lo) ? *lo : 0.0;
    *hi = *hi > *lo ? *hi : *lo + 1.0;
}

// A step of 1, 2 or 5 times a power of ten that divides an axis into five to ten parts.
static double stepOf(double lo, double hi)
{
    double x = (hi - lo) / 10.0, decade = pow(10.0, ceil(log10(x)));
    return x <= 0.2 * decade ? 0.2 * decade : x <= 0.5 * decade ? 0.5 * decade : decade;
}

typedef struct axes {
    double x0, x1, y0, y1;
} axes;

static double placeX(const axes *a, double x)
{
    return margin + (width - 2.0 * margin) * (x - a->x0) / (a->x1 - a->x0);
}

static double placeY(const axes *a, double y)
{
    return height - margin - (height - 2.0 * margin) * (y - a->y0) / (a->y1 - a->y0);
}

// Lines at round numbers, with the numbers beside them.
static void putGrid(FILE *out, const axes *a)
{
    double step = stepOf(a->x0, a->x1);
    for (double i = ceil(a->x0 / step - 1e-9); i * step <= a->x1 + 1e-9 * step; i++) {
        double x = placeX(a, i * step);
        fprintf(out, "<path d=\"M%.2f %gV%g\" stroke=\"#ddd\"/>", x, margin, height - margin);
        fprintf(out, "<text x=\"%.2f\" y=\"%g\" text-anchor=\"middle\">%.6g</text>\n", x, height - margin + 18.0,
                i * step + 0.0);
    }
    step = stepOf(a->y0, a->y1);
    for (double i = ceil(a->y0 / step - 1e-9); i * step <= a->y1 + 1e-9 * step; i++) {
        double y = placeY(a, i * step);
        fprintf(out, "<path d=\"M%g %.2fH%g\" stroke=\"#ddd\"/>", margin, y, width - margin);
        fprintf(out, "<text x=\"%g\" y=\"%.2f\" text-anchor=\"end\">%.6g</text>\n", margin - 6.0, y + 4.5,
                i * step + 0.0);
    }
}

static void putCurve(FILE *out, const ctCurves *c, const axes *a, int axis, int k, double line)
{
    fprintf(out, "<text x=\"%g\" y=\"%g\" fill=\"%s\">", margin + 8.0, line, colors[k]);
    putText(out, c->names[k]);
    fprintf(out, "</text>\n<polyline fill=\"none\" stroke=\"%s\" points=\"", colors[k]);
    for (int i = 0; i < c->count; i++) {
        double x = at(&c->samples[i], axis), y = c->samples[i].values[k];
        if (isfinite(x) && isfinite(y)) {
            fprintf(out, "%.2f,%.2f ", placeX(a, x), placeY(a, y));
        }
    }
    fputs("\"/>\n", out);
}

bool ctCurves_WriteSvg(const ctCurves *c, bool phase, const char *path, ctError *error)
{
    ctAtomicFile file;
    if (!ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    FILE *out = file.stream;
    int axis = phase && c->wishCount > 1 ? 0 : -1, first = axis < 0 ? 0 : 1, last = axis < 0 ? c->wishCount : 2;
    axes a = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int k = first; k < last; k++) {
        range(c, axis, k, &a.x0, &a.x1);
        range(c, k, axis, &a.y0, &a.y1);
    }
    widen(&a.x0, &a.x1);
    widen(&a.y0, &a.y1);
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        width, height);
    putGrid(out, &a);
    fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n", margin, margin,
            width - 2.0 * margin, height - 2.0 * margin);
    fprintf(out, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">", 0.5 * width, height - 16.0);
    putText(out, axis < 0 ? "time (s)" : c->names[0]);
    fputs("</text>\n", out);
    for (int k = first; k < last; k++) {
        // One or two names are above the frame; more names are inside it.
        putCurve(out, c, &a, axis, k, (last - first < 3 ? margin - 24.0 : margin + 18.0) + 16.0 * (k - first));
    }
    fputs("</svg>\n", out);
    return ctAtomicFile_Commit(&file, error);
}
