// Curves as a table (CSV) and as a picture (SVG).
#include "render/files/atomic_file.h"
#include "render/session/curves.h"

#include <math.h>

static const double width = 800.0, height = 480.0, margin = 60.0;
static const char *const colors[CT_CURVES] = {"#c8500a", "#1f77b4", "#2a8a2a", "#b02a4c", "#7a4fb5", "#8a7a10"};

// A name as text of a picture: what XML would take for markup is written as an entity, what XML forbids as a space.
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

// What a sample has on an axis: the time (-1), or a curve.
static double at(const ctCurveSample *s, int axis)
{
    return axis < 0 ? s->time : s->values[axis];
}

static void range(const ctCurves *c, int axis, double *lo, double *hi)
{
    for (int i = 0; i < c->count; i++) {
        double y = at(&c->samples[i], axis);
        if (isfinite(y)) {
            *lo = fmin(*lo, y);
            *hi = fmax(*hi, y);
        }
    }
}

// An axis has a length, also when its curve is flat or has no value yet.
static void widen(double *lo, double *hi)
{
    *lo = isfinite(*lo) ? *lo : 0.0;
    *hi = *hi > *lo ? *hi : *lo + 1.0;
}

bool ctCurves_WriteSvg(const ctCurves *c, bool phase, const char *path, ctError *error)
{
    ctAtomicFile file;
    if (!ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    FILE *out = file.stream;
    int axis = phase && c->wishCount > 1 ? 0 : -1, first = axis < 0 ? 0 : 1, last = axis < 0 ? c->wishCount : 2;
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    range(c, axis, &x0, &x1);
    for (int k = first; k < last; k++) {
        range(c, k, &y0, &y1);
    }
    widen(&x0, &x1);
    widen(&y0, &y1);
    double w = width - 2.0 * margin, h = height - 2.0 * margin;
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" font-size=\"13\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#888\"/>\n",
        width, height, margin, margin, w, h);
    fprintf(out, "<text x=\"%g\" y=\"%g\">%.4g</text><text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.4g</text>\n", margin,
            height - margin + 18.0, x0, width - margin, height - margin + 18.0, x1);
    fprintf(out,
            "<text x=\"%g\" y=\"%g\" text-anchor=\"end\">%.4g</text><text x=\"%g\" y=\"%g\" "
            "text-anchor=\"end\">%.4g</text>\n",
            margin - 6.0, height - margin, y0, margin - 6.0, margin + 12.0, y1);
    fprintf(out, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">", 0.5 * width, height - 16.0);
    putText(out, axis < 0 ? "time (s)" : c->names[0]);
    fputs("</text>\n", out);
    for (int k = first; k < last; k++) {
        fprintf(out, "<text x=\"%g\" y=\"%g\" fill=\"%s\">", margin + 8.0, margin - 34.0 + 16.0 * (k - first),
                colors[k]);
        putText(out, c->names[k]);
        fprintf(out, "</text>\n<polyline fill=\"none\" stroke=\"%s\" points=\"", colors[k]);
        for (int i = 0; i < c->count; i++) {
            double x = at(&c->samples[i], axis), y = c->samples[i].values[k];
            if (isfinite(x) && isfinite(y)) {
                fprintf(out, "%.2f,%.2f ", margin + w * (x - x0) / (x1 - x0),
                        height - margin - h * (y - y0) / (y1 - y0));
            }
        }
        fputs("\"/>\n", out);
    }
    fputs("</svg>\n", out);
    return ctAtomicFile_Commit(&file, error);
}
