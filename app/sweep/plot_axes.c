// Scales, ticks and frames of panels.
#include "app/svg.h"
#include "app/sweep/plot.h"
#include "engine/impact/impact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TICKS = 24, TICK_TEXT = 24 };

typedef struct Tick {
    double place;
    char text[TICK_TEXT];
} Tick;

// Whether the values, or their logarithms, are equally spaced.
static bool isEven(const ctSweepAxis *axis, bool logarithmic)
{
    for (int i = 0; i + 1 < axis->count; i++) {
        double a = axis->values[i], b = axis->values[i + 1], first = axis->values[0], next = axis->values[1];
        if (logarithmic && !(a > 0.0 && b > 0.0)) {
            return false;
        }
        double step = logarithmic ? log(b / a) : b - a, wanted = logarithmic ? log(next / first) : next - first;
        if (!(fabs(step - wanted) <= 1e-9 * fabs(wanted)) || wanted <= 0.0) {
            return false;
        }
    }
    return true;
}

ctChartScale ctChartScale_OfAxis(const ctSweepAxis *axis, bool cells)
{
    ctChartScale s = {.axis = axis, .label = axis->label, .logarithmic = axis->logarithmic};
    bool uneven = axis->count > 0 && !isEven(axis, axis->logarithmic);
    s.byIndex = axis->kind == ct_axisLaw || (cells && uneven);
    double from = axis->from, to = axis->to;
    for (int i = 0; i < axis->count; i++) { // a list need not be in order
        from = fmin(from, axis->values[i]);
        to = fmax(to, axis->values[i]);
    }
    s.lo = s.byIndex ? 0.0 : s.logarithmic ? log10(from) : from;
    s.hi = s.byIndex ? axis->count - 1.0 : s.logarithmic ? log10(to) : to;
    double margin = s.byIndex ? 0.5 : cells && axis->count > 1 ? 0.5 * (s.hi - s.lo) / (axis->count - 1) : 0.0;
    if (!(s.hi > s.lo) && margin == 0.0) {
        margin = s.lo != 0.0 ? 0.5 * fabs(s.lo) : 0.5;
    }
    s.lo -= margin;
    s.hi += margin;
    return s;
}

double ctChartScale_Place(const ctChartScale *s, double value, int index)
{
    return s->byIndex ? index : s->logarithmic ? log10(value) : value;
}

double ctChart_X(const ctChartPanel *p, double place)
{
    return p->left + (place - p->x.lo) / (p->x.hi - p->x.lo) * p->width;
}

double ctChart_Y(const ctChartPanel *p, double place)
{
    return p->top + p->height - (place - p->y.lo) / (p->y.hi - p->y.lo) * p->height;
}

static int indexTicks(const ctChartScale *s, int room, Tick *ticks)
{
    int every = (s->axis->count + room - 1) / room, n = 0;
    for (int i = 0; i < s->axis->count && n < MAX_TICKS; i += every) {
        ticks[n].place = i;
        if (s->axis->kind == ct_axisLaw) {
            snprintf(ticks[n++].text, TICK_TEXT, "%s", ctLawName((ctLaw)(int)s->axis->values[i]));
        } else {
            snprintf(ticks[n++].text, TICK_TEXT, "%g", s->axis->values[i]);
        }
    }
    return n;
}

static int logTicks(const ctChartScale *s, Tick *ticks)
{
    int n = 0;
    bool many = s->hi - s->lo < 2.5;
    for (int decade = (int)floor(s->lo); decade <= s->hi && n < MAX_TICKS - 3; decade++) {
        static const double digits[] = {1.0, 2.0, 5.0};
        for (int i = 0; i < (many ? 3 : 1); i++) {
            double value = digits[i] * pow(10.0, decade), place = log10(value);
            if (place >= s->lo - 1e-9 && place <= s->hi + 1e-9) {
                ticks[n].place = place;
                snprintf(ticks[n++].text, TICK_TEXT, "%g", value);
            }
        }
    }
    return n;
}

static int makeTicks(const ctChartScale *s, double length, double each, Tick *ticks)
{
    int room = (int)(length / each) + 1, n = 0;
    if (s->byIndex) {
        return indexTicks(s, room, ticks);
    }
    if (s->logarithmic) {
        return logTicks(s, ticks);
    }
    double step = ctNiceStep(s->hi - s->lo, room);
    for (double i = ceil(s->lo / step - 1e-9); i * step <= s->hi + 1e-9 * step && n < MAX_TICKS; i += 1.0) {
        ticks[n].place = i * step;
        snprintf(ticks[n++].text, TICK_TEXT, "%.6g", i * step + 0.0);
    }
    return n;
}

void ctChart_Grid(ctCanvas *c, const ctChartPanel *p)
{
    Tick ticks[MAX_TICKS];
    int n = makeTicks(&p->x, p->width, 75.0, ticks);
    for (int i = 0; i < n; i++) {
        double x = ctChart_X(p, ticks[i].place);
        ctCanvas_Line(c, x, p->top, x, p->top + p->height, "#e8e8e8", 1.0);
    }
    n = makeTicks(&p->y, p->height, 48.0, ticks);
    for (int i = 0; i < n; i++) {
        double y = ctChart_Y(p, ticks[i].place);
        ctCanvas_Line(c, p->left, y, p->left + p->width, y, "#e8e8e8", 1.0);
    }
}

void ctChart_Axes(ctCanvas *c, const ctChartPanel *p)
{
    Tick ticks[MAX_TICKS];
    double bottom = p->top + p->height, right = p->left + p->width;
    double border[] = {p->left, p->top, right, p->top, right, bottom, p->left, bottom, p->left, p->top};
    ctCanvas_Stroke(c, border, 5, "#444444", 1.0);
    int n = makeTicks(&p->x, p->width, 75.0, ticks);
    for (int i = 0; i < n; i++) {
        double x = ctChart_X(p, ticks[i].place);
        ctCanvas_Line(c, x, bottom, x, bottom + 4.0, "#444444", 1.0);
        ctCanvas_Text(c, x, bottom + 17.0, ct_anchorMiddle, 11.0, "#444444", ticks[i].text);
    }
    size_t longest = 0;
    n = makeTicks(&p->y, p->height, 48.0, ticks);
    for (int i = 0; i < n; i++) {
        double y = ctChart_Y(p, ticks[i].place);
        ctCanvas_Line(c, p->left - 4.0, y, p->left, y, "#444444", 1.0);
        ctCanvas_Text(c, p->left - 7.0, y + 4.0, ct_anchorEnd, 11.0, "#444444", ticks[i].text);
        longest = strlen(ticks[i].text) > longest ? strlen(ticks[i].text) : longest;
    }
    ctCanvas_Text(c, p->left + 0.5 * p->width, bottom + 37.0, ct_anchorMiddle, 12.0, "#222222", p->x.label);
    ctCanvas_TextUp(c, p->left - 18.0 - 6.6 * (double)longest, p->top + 0.5 * p->height, ct_anchorMiddle, 12.0,
                    "#222222", p->y.label);
}
