#include "render/gui/plot.h"

#include <math.h>
#include <stdio.h>

static const ctRgba faint = {0.6f, 0.65f, 0.72f, 1.0f}, gridColor = {1.0f, 1.0f, 1.0f, 0.08f};

void ctPlot_Begin(ctPlot *plot, const char *title, float width, float height, float scale)
{
    float line = ctGui_LineHeight();
    plot->frame = ctGui_Canvas(title, width, height, NULL, NULL, NULL);
    plot->scale = scale;
    plot->top = plot->frame.y;
    plot->area = (ctRect){plot->frame.x + 46.0f * scale, plot->frame.y + line + 3.0f * scale, width - 50.0f * scale,
                          height - 2.0f * line - 6.0f * scale};
    ctGui_Box(plot->area, (ctRgba){0.0f, 0.0f, 0.0f, 0.3f}, 3.0f * scale);
    ctGui_Label(plot->frame.x, plot->top, 0.0f, (ctRgba){0.85f, 0.87f, 0.9f, 1.0f}, title);
}

static void widen(double *lo, double *hi, double margin)
{
    if (!isfinite(*lo) || !isfinite(*hi)) {
        *lo = 0.0;
        *hi = 1.0;
    }
    double span = *hi - *lo, least = 1e-300 + 1e-9 * fmax(fabs(*lo), fabs(*hi));
    if (span < least) {
        *lo -= *lo != 0.0 ? 0.5 * fabs(*lo) : 0.0;
        *hi += *hi != 0.0 ? 0.5 * fabs(*hi) : 1.0;
    } else {
        *lo -= *lo != 0.0 ? margin * span : 0.0;
        *hi += margin * span;
    }
}

void ctPlot_Range(ctPlot *plot, double x0, double x1, double y0, double y1)
{
    widen(&x0, &x1, 0.0);
    widen(&y0, &y1, 0.08);
    plot->x0 = x0;
    plot->x1 = x1;
    plot->y0 = y0;
    plot->y1 = y1;
}

void ctPlot_Square(ctPlot *plot, double x0, double x1, double y0, double y1)
{
    double w = fmax(x1 - x0, 1e-12), h = fmax(y1 - y0, 1e-12);
    double perPixel = 1.15 * fmax(w / plot->area.w, h / plot->area.h);
    double cx = 0.5 * (x0 + x1), cy = 0.5 * (y0 + y1);
    plot->x0 = cx - 0.5 * perPixel * plot->area.w;
    plot->x1 = cx + 0.5 * perPixel * plot->area.w;
    plot->y0 = cy - 0.5 * perPixel * plot->area.h;
    plot->y1 = cy + 0.5 * perPixel * plot->area.h;
}

float ctPlot_X(const ctPlot *plot, double x)
{
    return plot->area.x + plot->area.w * (float)((x - plot->x0) / (plot->x1 - plot->x0));
}

float ctPlot_Y(const ctPlot *plot, double y)
{
    return plot->area.y + plot->area.h * (float)((plot->y1 - y) / (plot->y1 - plot->y0));
}

// A step of 1, 2 or 5 times a power of ten that gives about `ticks` ticks.
static double tickStep(double span, double ticks)
{
    double x = span / ticks, decade = pow(10.0, floor(log10(x))), m = x / decade;
    return decade * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static void tickText(char *text, size_t size, double value, double step)
{
    snprintf(text, size, "%.4g", fabs(value) < 1e-9 * step ? 0.0 : value);
}

void ctPlot_Axes(const ctPlot *plot, const char *nameX, const char *nameY)
{
    const ctRect *a = &plot->area;
    float line = ctGui_LineHeight();
    char text[48];
    double step = tickStep(plot->y1 - plot->y0, fmaxf(2.0f, a->h / (2.2f * line)));
    for (double y = ceil(plot->y0 / step) * step; y <= plot->y1 + 1e-9 * step; y += step) {
        float py = ctPlot_Y(plot, y);
        ctGui_Line(a->x, py, a->x + a->w, py, gridColor, 1.0f);
        tickText(text, sizeof text, y, step);
        ctGui_Label(a->x - 5.0f * plot->scale, py - 0.5f * line, 1.0f, faint, text);
    }
    step = tickStep(plot->x1 - plot->x0, fmaxf(2.0f, a->w / (70.0f * plot->scale)));
    for (double x = ceil(plot->x0 / step) * step; x <= plot->x1 + 1e-9 * step; x += step) {
        float px = ctPlot_X(plot, x);
        ctGui_Line(px, a->y, px, a->y + a->h, gridColor, 1.0f);
        tickText(text, sizeof text, x, step);
        ctGui_Label(px, a->y + a->h + 1.0f, 0.5f, faint, text);
    }
    ctGui_Label(a->x + a->w, a->y + a->h - line - 1.0f, 1.0f, faint, nameX);
    ctGui_Label(a->x + 4.0f * plot->scale, a->y + 1.0f, 0.0f, faint, nameY);
}

void ctPlot_Horizontal(const ctPlot *plot, double y, ctRgba color)
{
    if (y >= plot->y0 && y <= plot->y1) {
        float py = ctPlot_Y(plot, y);
        ctGui_Line(plot->area.x, py, plot->area.x + plot->area.w, py, color, 1.2f);
    }
}

void ctPlot_Vertical(const ctPlot *plot, double x, ctRgba color)
{
    if (x >= plot->x0 && x <= plot->x1) {
        float px = ctPlot_X(plot, x);
        ctGui_Line(px, plot->area.y, px, plot->area.y + plot->area.h, color, 1.2f);
    }
}
