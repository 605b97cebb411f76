// Colours and contours of maps.
#include "app/svg.h"
#include "app/sweep/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The colour map viridis at nine places (S. van der Walt, N. Smith 2015, CC0): its lightness rises evenly, also for
// colour-blind readers and in greyscale print.
static const int anchors[9][3] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                                  {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};

static void colorAt(double share, char text[8])
{
    double place = fmin(fmax(share, 0.0), 1.0) * 8.0;
    int i = place < 8.0 ? (int)place : 7;
    int rgb[3];
    for (int k = 0; k < 3; k++) {
        rgb[k] = (int)(anchors[i][k] + (place - i) * (anchors[i + 1][k] - anchors[i][k]) + 0.5) & 255;
    }
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

// Lists the distinct values. False when a value is not whole or there are too many: the values are then continuous.
static bool listValues(ctChartColors *c, const double *values, int count)
{
    c->count = 0;
    for (int i = 0; i < count; i++) {
        double x = values[i];
        if (isnan(x)) {
            continue;
        }
        int at = 0;
        while (at < c->count && c->values[at] < x) {
            at++;
        }
        if (at < c->count && c->values[at] == x) {
            continue;
        }
        if (x != floor(x) || c->count == CT_CHART_DISCRETE) {
            return false;
        }
        memmove(&c->values[at + 1], &c->values[at], (size_t)(c->count - at) * sizeof *c->values);
        c->values[at] = x;
        c->count++;
    }
    return c->count > 0;
}

void ctChartColors_Choose(ctChartColors *c, const double *values, int count, bool mayBeDiscrete)
{
    *c = (ctChartColors){.lo = INFINITY, .hi = -INFINITY};
    for (int i = 0; i < count; i++) {
        c->hasNone = c->hasNone || isnan(values[i]);
        c->lo = fmin(c->lo, values[i]);
        c->hi = fmax(c->hi, values[i]);
    }
    if (!(c->lo <= c->hi)) {
        c->lo = 0.0;
        c->hi = 1.0;
    }
    c->discrete = mayBeDiscrete && listValues(c, values, count);
    if (!(c->hi > c->lo)) {
        c->hi = c->lo + 1.0;
    }
    c->step = ctNiceStep(c->hi - c->lo, 8);
    int colors = c->discrete ? c->count : CT_CHART_LEVELS;
    for (int i = 0; i < colors; i++) {
        // The colours of whole numbers are spaced as the numbers are.
        double share = c->discrete ? (c->values[i] - c->lo) / (c->hi - c->lo) : (i + 0.5) / colors;
        colorAt(share, c->palette[i]);
    }
    snprintf(c->palette[CT_CHART_NONE], 8, "#dddddd");
}

uint8_t ctChartColors_Of(const ctChartColors *c, double value)
{
    if (isnan(value)) {
        return CT_CHART_NONE;
    }
    if (c->discrete) {
        int i = 0;
        while (i + 1 < c->count && c->values[i] < value) {
            i++;
        }
        return (uint8_t)i;
    }
    int i = (int)((value - c->lo) / (c->hi - c->lo) * CT_CHART_LEVELS);
    return (uint8_t)(i < 0 ? 0 : i >= CT_CHART_LEVELS ? CT_CHART_LEVELS - 1 : i);
}

static double firstLevel(const ctChartColors *c)
{
    return ceil(c->lo / c->step + 1e-9) * c->step;
}

static void drawSwatches(ctCanvas *canvas, const ctChartColors *c, double left, double top, double height)
{
    double each = fmin(22.0, height / (c->count + c->hasNone));
    for (int i = 0; i < c->count; i++) {
        char text[32];
        double y = top + (c->count - 1 - i) * each;
        snprintf(text, sizeof text, "%g", c->values[i]);
        ctCanvas_Rect(canvas, left, y, 18.0, each - 3.0, c->palette[i]);
        ctCanvas_Text(canvas, left + 24.0, y + 0.5 * each + 2.5, ct_anchorStart, 11.0, "#444444", text);
    }
}

static void drawBar(ctCanvas *canvas, const ctChartColors *c, double left, double top, double height)
{
    uint8_t cells[CT_CHART_LEVELS];
    for (int i = 0; i < CT_CHART_LEVELS; i++) {
        cells[i] = (uint8_t)(CT_CHART_LEVELS - 1 - i);
    }
    ctCanvas_Cells(canvas, left, top, 18.0, height, 1, CT_CHART_LEVELS, cells, c->palette);
    for (double level = firstLevel(c); level <= c->hi + 1e-9 * c->step; level += c->step) {
        char text[32];
        double y = top + height * (c->hi - level) / (c->hi - c->lo);
        snprintf(text, sizeof text, "%.5g", fabs(level) < 1e-9 * c->step ? 0.0 : level);
        ctCanvas_Line(canvas, left, y, left + 22.0, y, "#222222", 0.8);
        ctCanvas_Text(canvas, left + 26.0, y + 4.0, ct_anchorStart, 11.0, "#444444", text);
    }
}

void ctChartColors_Legend(ctCanvas *canvas, const ctChartColors *c, double left, double top, double height)
{
    double used = c->hasNone ? height - 26.0 : height;
    if (c->discrete) {
        drawSwatches(canvas, c, left, top, used);
    } else {
        drawBar(canvas, c, left, top, used);
    }
    if (c->hasNone) {
        ctCanvas_Rect(canvas, left, top + height - 18.0, 18.0, 18.0, c->palette[CT_CHART_NONE]);
        ctCanvas_Text(canvas, left + 24.0, top + height - 5.0, ct_anchorStart, 11.0, "#444444", "none");
    }
}

// ---- contours ---------------------------------------------------------------------------------

typedef struct Square {
    double x[4], y[4], v[4]; // corners in cyclic order
} Square;

// The contour of one level through a square: at most two segments. Returns their number.
static int cutSquare(const Square *s, double level, double *ends)
{
    double hits[4][2];
    int n = 0;
    for (int i = 0; i < 4; i++) {
        int k = (i + 1) % 4;
        if ((s->v[i] >= level) != (s->v[k] >= level)) {
            double share = (level - s->v[i]) / (s->v[k] - s->v[i]);
            hits[n][0] = s->x[i] + share * (s->x[k] - s->x[i]);
            hits[n++][1] = s->y[i] + share * (s->y[k] - s->y[i]);
        }
    }
    for (int i = 0; i + 1 < n; i += 2) {
        double piece[4] = {hits[i][0], hits[i][1], hits[i + 1][0], hits[i + 1][1]};
        memcpy(&ends[2 * i], piece, sizeof piece);
    }
    return n / 2;
}

void ctChart_Contours(ctCanvas *canvas, const ctChartPanel *panel, const ctChartColors *c, const double *values, int nx,
                      int ny)
{
    double *ends = malloc(sizeof(double) * 8 * (size_t)nx * (size_t)ny);
    double w = panel->width / nx, h = panel->height / ny;
    for (double level = firstLevel(c); ends != NULL && level < c->hi; level += c->step) {
        int n = 0;
        for (int j = 0; j + 1 < ny; j++) {
            for (int i = 0; i + 1 < nx; i++) {
                Square s;
                for (int k = 0; k < 4; k++) {
                    int a = i + (k == 1 || k == 2), b = j + (k >= 2);
                    s.x[k] = panel->left + (a + 0.5) * w;
                    s.y[k] = panel->top + panel->height - (b + 0.5) * h;
                    s.v[k] = values[b * nx + a];
                }
                if (!isnan(s.v[0] + s.v[1] + s.v[2] + s.v[3])) {
                    n += cutSquare(&s, level, &ends[4 * n]);
                }
            }
        }
        ctCanvas_Segments(canvas, ends, n, "#222222", 0.8);
    }
    free(ends);
}
