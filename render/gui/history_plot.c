#include "render/gui/history_plot.h"

#include "render/gui/plot.h"

#include <math.h>
#include <stdio.h>

#define WINDOW_SECONDS 20.0 // simulated s of the past that are shown
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

// Impacts per second, averaged over a quarter of a second.
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

typedef struct diagramKind {
    const char *title, *unit;
    series list[3];
    int count;
    bool fromZero;
} diagramKind;

static const diagramKind kinds[] = {
    [ct_plotEnergy] = {"Energy",
                       "J",
                       {{"kinetic", kineticOf, {1.0f, 0.6f, 0.2f, 1.0f}},
                        {"potential", potentialOf, {0.4f, 0.7f, 1.0f, 1.0f}},
                        {"total", totalOf, {0.9f, 0.9f, 0.92f, 1.0f}}},
                       3,
                       false},
    [ct_plotImpactRate] = {"Impacts per second", "/s", {{"", rateOf, {1.0f, 0.45f, 0.35f, 1.0f}}}, 1, true},
    [ct_plotCost] = {"Cost per frame (line: real time)", "ms", {{"", costOf, {0.5f, 0.85f, 0.5f, 1.0f}}}, 1, true},
};

// Names and last values, right-aligned on the line of the title.
static void legend(const ctHistory *h, const diagramKind *kind, const ctPlot *plot, float scale)
{
    int end = h->sampleCount;
    float x = plot->area.x + plot->area.w;
    for (int k = kind->count - 1; k >= 0; k--) {
        char text[64];
        float width, height;
        if (end > 0) {
            snprintf(text, sizeof text, "%s %.4g", kind->list[k].name, kind->list[k].read(h, end - 1));
        } else {
            snprintf(text, sizeof text, "%s", kind->list[k].name);
        }
        ctGui_LabelSize(text, &width, &height);
        ctGui_Label(x, plot->top, 1.0f, kind->list[k].color, text);
        x -= width + 10.0f * scale;
    }
}

void ctHistoryPlot_Draw(const ctHistory *h, ctHistoryPlotKind which, float width, float height, double mark,
                        float scale)
{
    const diagramKind *kind = &kinds[which];
    int end = h->sampleCount, from = end;
    double last = end > 0 ? h->samples[end - 1].time : 0.0;
    while (from > 0 && h->samples[from - 1].time >= last - WINDOW_SECONDS) {
        from--;
    }
    double lo = kind->fromZero ? 0.0 : INFINITY, hi = mark > 0.0 ? mark : -INFINITY;
    for (int i = from; i < end; i++) {
        for (int k = 0; k < kind->count; k++) {
            double y = kind->list[k].read(h, i);
            lo = fmin(lo, y);
            hi = fmax(hi, y);
        }
    }
    ctPlot plot;
    ctPlot_Begin(&plot, kind->title, width, height, scale);
    double start = fmax(last - WINDOW_SECONDS, 0.0);
    ctPlot_Range(&plot, start, fmax(last, start + 1.0), lo, hi);
    ctPlot_Axes(&plot, "s", kind->unit);
    if (mark > 0.0) {
        ctPlot_Horizontal(&plot, mark, (ctRgba){1.0f, 0.4f, 0.3f, 0.8f});
    }
    ctGui_Clip(plot.area);
    for (int k = 0; k < kind->count; k++) {
        curve(h, from, end, kind->list[k].read, &plot, kind->list[k].color);
    }
    ctGui_Unclip();
    legend(h, kind, &plot, scale);
}
