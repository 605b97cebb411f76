// Energy, impacts per second and cost per frame over time.
#include "render/viewer_internal.h"

#include "render/plot.h"

#include <math.h>
#include <stdio.h>

#define WINDOW_SECONDS 20.0 // how much of the past is shown
#define POINTS_MAX 1200

typedef double readFn(const ctHistory *h, int i);

static double kineticOf(const ctHistory *h, int i)
{
    return h->samples[i].kinetic;
}

static double potentialOf(const ctHistory *h, int i)
{
    return h->samples[i].potential;
}

static double totalOf(const ctHistory *h, int i)
{
    return h->samples[i].kinetic + h->samples[i].potential;
}

static double costOf(const ctHistory *h, int i)
{
    return 1e3 * h->samples[i].cost;
}

// Impacts per second over a quarter of a second.
static double rateOf(const ctHistory *h, int i)
{
    int j = i;
    while (j > 0 && h->samples[i].time - h->samples[j].time < 0.25) {
        j--;
    }
    double dt = h->samples[i].time - h->samples[j].time;
    return dt > 0.0 ? (double)(h->samples[i].impacts - h->samples[j].impacts) / dt : 0.0;
}

typedef struct series {
    const char *name;
    readFn *read;
    ctRgba color;
} series;

// Samples from..end as a curve.
static void curve(const ctHistory *h, int from, int end, readFn *read, ctPlot *plot, ctRgba color)
{
    static float xy[2 * POINTS_MAX];
    int stride = 1 + (end - from) / POINTS_MAX, n = 0;
    for (int i = from; i < end && n < POINTS_MAX; i += stride) {
        xy[2 * n] = ctPlot_X(plot, h->samples[i].time);
        xy[2 * n + 1] = ctPlot_Y(plot, read(h, i));
        n++;
    }
    ctGui_Polyline(xy, n, color, 1.6f);
}

static void diagram(ctViewer *v, const char *title, const char *unit, const series *list, int count, bool fromZero,
                    double mark)
{
    const ctHistory *h = &v->history;
    int end = h->sampleCount, from = end;
    double last = end > 0 ? h->samples[end - 1].time : 0.0;
    while (from > 0 && h->samples[from - 1].time >= last - WINDOW_SECONDS) {
        from--;
    }
    double lo = fromZero ? 0.0 : INFINITY, hi = mark > 0.0 ? mark : -INFINITY;
    for (int i = from; i < end; i++) {
        for (int k = 0; k < count; k++) {
            double y = list[k].read(h, i);
            lo = fmin(lo, y);
            hi = fmax(hi, y);
        }
    }
    ctPlot plot;
    float height = fmaxf(70.0f * v->scale, (ctGui_AvailableHeight() - 8.0f * v->scale));
    height = fminf(height, 118.0f * v->scale);
    ctPlot_Begin(&plot, title, ctGui_AvailableWidth(), height, v->scale);
    double start = fmax(last - WINDOW_SECONDS, 0.0);
    ctPlot_Range(&plot, start, fmax(last, start + 1.0), lo, hi);
    ctPlot_Axes(&plot, "s", unit);
    if (mark > 0.0) {
        ctPlot_Horizontal(&plot, mark, (ctRgba){1.0f, 0.4f, 0.3f, 0.8f});
    }
    ctGui_Clip(plot.area);
    for (int k = 0; k < count; k++) {
        curve(h, from, end, list[k].read, &plot, list[k].color);
    }
    ctGui_Unclip();
    float x = plot.area.x + plot.area.w;
    for (int k = count - 1; k >= 0; k--) {
        char text[64];
        float w, hh;
        if (end > 0) {
            snprintf(text, sizeof text, "%s %.4g", list[k].name, list[k].read(h, end - 1));
        } else {
            snprintf(text, sizeof text, "%s", list[k].name);
        }
        ctGui_LabelSize(text, &w, &hh);
        ctGui_Label(x, plot.top, 1.0f, list[k].color, text);
        x -= w + 10.0f * v->scale;
    }
}

void ctPanel_Plots(ctViewer *v)
{
    static const series energy[] = {{"kinetic", kineticOf, {1.0f, 0.6f, 0.2f, 1.0f}},
                                    {"potential", potentialOf, {0.4f, 0.7f, 1.0f, 1.0f}},
                                    {"total", totalOf, {0.9f, 0.9f, 0.92f, 1.0f}}};
    static const series rate[] = {{"", rateOf, {1.0f, 0.45f, 0.35f, 1.0f}}};
    static const series cost[] = {{"", costOf, {0.5f, 0.85f, 0.5f, 1.0f}}};
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float w = 420.0f * unit, h = 404.0f * unit;
    ctRect place = {v->show.inspector ? width - w - 486.0f * unit : width - w - 6.0f * unit, height - h - 54.0f * unit,
                    w, h};
    if (ctGui_BeginPanel("Plots", &v->show.plots, place, 0)) {
        diagram(v, "Energy", "J", energy, 3, false, 0.0);
        diagram(v, "Impacts per second", "/s", rate, 1, true, 0.0);
        diagram(v, "Cost per frame (line: real time)", "ms", cost, 1, true, 1e3 * v->frameTime);
    }
    ctGui_EndPanel();
}
