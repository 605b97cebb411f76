// Curves of quantities of bodies and of measures of the scene, over time or one over another. The pointer moves the
// timeline.
#include "render/gui/plot.h"
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define POINTS_MAX 1500
#define PAST_SECONDS 0.3 // s of computing time for the past of a new curve

static const ctRgba colors[CT_CURVES] = {{1.0f, 0.6f, 0.2f, 1.0f},  {0.4f, 0.7f, 1.0f, 1.0f},
                                         {0.5f, 0.9f, 0.5f, 1.0f},  {1.0f, 0.5f, 0.7f, 1.0f},
                                         {0.8f, 0.65f, 1.0f, 1.0f}, {0.95f, 0.9f, 0.4f, 1.0f}};

static void add(ctViewer *v)
{
    char name[80];
    int measure = v->curveKind - ct_curveKinds, index = v->curves.wishCount;
    ctViewer_BodyName(v, v->selected, name, sizeof name);
    bool added = measure >= 0 ? ctCurves_AddMeasure(&v->curves, v->scene, measure)
                              : ctCurves_Add(&v->curves, v->selected, name, (ctCurveOf)v->curveKind);
    if (!added) {
        ctViewer_Say(v, "%d curves are enough", CT_CURVES);
    } else if (!ctCurves_Backfill(&v->curves, index, &v->timeline, PAST_SECONDS)) {
        ctViewer_Say(v, "no memory for the curve's past");
    }
}

static void choose(ctViewer *v)
{
    const char *names[ct_curveKinds + CT_SHOWN_MEASURES];
    int measures = v->scene->measureCount < CT_SHOWN_MEASURES ? v->scene->measureCount : CT_SHOWN_MEASURES;
    for (int i = 0; i < ct_curveKinds; i++) {
        names[i] = ctCurve_Name((ctCurveOf)i);
    }
    for (int i = 0; i < measures; i++) {
        names[ct_curveKinds + i] = v->scene->measures[i].label;
    }
    v->curveKind = v->curveKind < ct_curveKinds + measures ? v->curveKind : 0;
    ctGui_ItemWidth(130.0f * v->scale);
    ctGui_Combo("##quantity", &v->curveKind, names, ct_curveKinds + measures);
    ctGui_ItemWidth(0.0f);
    ctGui_SameLine(0.0f);
    ctGui_BeginDisabled(v->selected.index1 == 0 && v->curveKind < ct_curveKinds);
    if (ctGui_Button("Add", 0.0f, false)) {
        add(v);
    }
    ctGui_EndDisabled();
    ctGui_Hint("The curve of the selected body, with its past; or of a measure, from now on: R starts the scene again");
    ctGui_SameLine(0.0f);
    ctGui_Checkbox("phase", &v->curvePhase);
    ctGui_Hint("The second curve over the first instead of over time");
}

static void list(ctViewer *v)
{
    int gone = -1;
    for (int k = 0; k < v->curves.wishCount; k++) {
        ctGui_PushId(k);
        if (ctGui_Button("×", 0.0f, false)) {
            gone = k;
        }
        ctGui_PopId();
        ctGui_SameLine(0.0f);
        int last = v->curves.count - 1;
        ctGui_TextColor(colors[k], "%s: %.5g", v->curves.names[k], last >= 0 ? v->curves.samples[last].values[k] : NAN);
    }
    if (gone >= 0) {
        ctCurves_Remove(&v->curves, gone);
    }
}

static double at(const ctCurveSample *s, int axis)
{
    return axis < 0 ? s->time : s->values[axis];
}

// The range of samples that are shown: all of them, or those of the zoom.
static void window(const ctViewer *v, int *from, int *end)
{
    const ctCurves *c = &v->curves;
    *from = 0;
    *end = c->count;
    if (v->curveSpan > 0.0) {
        double middle = v->curveMiddle;
        while (*from < *end && c->samples[*from].time < middle - 0.5 * v->curveSpan) {
            ++*from;
        }
        while (*end > *from && c->samples[*end - 1].time > middle + 0.5 * v->curveSpan) {
            --*end;
        }
    }
}

// The range of values of an axis over the samples that are drawn: those where the other axis has a value too.
static void range(const ctCurves *c, int from, int end, int axis, int other, double *lo, double *hi)
{
    for (int i = from; i < end; i++) {
        double x = at(&c->samples[i], axis);
        if (isfinite(x) && isfinite(at(&c->samples[i], other))) {
            *lo = fmin(*lo, x);
            *hi = fmax(*hi, x);
        }
    }
}

static void drawCurve(const ctCurves *c, int from, int end, int axis, int k, const ctPlot *plot)
{
    static float xy[2 * POINTS_MAX];
    int stride = 1 + (end - from) / POINTS_MAX, n = 0;
    for (int i = from; i < end && n < POINTS_MAX; i += stride) {
        double x = at(&c->samples[i], axis), y = c->samples[i].values[k];
        if (isfinite(x) && isfinite(y)) {
            xy[2 * n] = ctPlot_X(plot, x);
            xy[2 * n + 1] = ctPlot_Y(plot, y);
            n++;
        }
    }
    ctGui_Polyline(xy, n, colors[k], 1.6f);
}

// The pointer over the plot: dragging moves the timeline, the wheel zooms.
static void point(ctViewer *v, const ctPlot *plot, bool phase)
{
    float mx, my, wheel;
    if (phase || !ctGui_CanvasPointer(&mx, &my, &wheel)) {
        return;
    }
    double share = fmin(1.0, fmax(0.0, (double)(mx - plot->area.x) / plot->area.w));
    double time = plot->x0 + share * (plot->x1 - plot->x0);
    if (ctGui_CanvasHeld()) {
        ctViewer_Seek(v, time);
    }
    if (wheel != 0.0f) {
        double span = (v->curveSpan > 0.0 ? v->curveSpan : plot->x1 - plot->x0) * exp(-0.25 * (double)wheel);
        v->curveMiddle = v->curveSpan > 0.0 ? v->curveMiddle : time;
        v->curveSpan = span < plot->x1 + 1.0 ? fmax(span, 4.0 * v->frameTime) : 0.0;
    }
    ctPlot_Vertical(plot, time, (ctRgba){1.0f, 1.0f, 1.0f, 0.4f});
}

static void plot(ctViewer *v)
{
    const ctCurves *c = &v->curves;
    bool phase = v->curvePhase && c->wishCount > 1;
    int axis = phase ? 0 : -1, first = phase ? 1 : 0, last = phase ? 2 : c->wishCount, from, end;
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    window(v, &from, &end);
    for (int k = first; k < last; k++) {
        range(c, from, end, axis, k, &x0, &x1);
        range(c, from, end, k, axis, &y0, &y1);
    }
    ctPlot p;
    ctPlot_Begin(&p, "Curves", ctGui_AvailableWidth(),
                 fmaxf(120.0f * v->scale, ctGui_AvailableHeight() - 34.0f * v->scale), v->scale);
    ctPlot_Range(&p, isfinite(x0) ? x0 : 0.0, isfinite(x1) ? x1 : 1.0, isfinite(y0) ? y0 : 0.0,
                 isfinite(y1) ? y1 : 1.0);
    const char *unit = last > first ? ctCurve_Unit(c->wishes[first].of) : "";
    for (int k = first; k < last; k++) {
        unit = strcmp(unit, ctCurve_Unit(c->wishes[k].of)) == 0 ? unit : "";
    }
    ctPlot_Axes(&p, phase ? c->names[0] : "s", phase ? c->names[1] : unit);
    ctGui_Clip(p.area);
    for (int k = first; k < last; k++) {
        drawCurve(c, from, end, axis, k, &p);
    }
    if (!phase) {
        ctPlot_Vertical(&p, v->pictureTime, (ctRgba){1.0f, 0.65f, 0.25f, 0.8f});
    }
    if (c->wishCount == 0) {
        const char *how = v->selected.index1 != 0 ? "Add draws a curve" : "click on a body, then Add";
        ctGui_Label(p.area.x + 0.5f * p.area.w, p.area.y + 0.5f * (p.area.h - ctGui_LineHeight()), 0.5f,
                    (ctRgba){0.8f, 0.8f, 0.85f, 1.0f}, how);
    } else {
        point(v, &p, phase);
    }
    ctGui_Unclip();
}

static void save(ctViewer *v, const char *ending)
{
    char path[256];
    ctError error = {0};
    for (int i = 1; i < 1000; i++) {
        snprintf(path, sizeof path, "clatter-%.80s-%03d%s", v->scene->name, i, ending);
        if (access(path, F_OK) != 0) {
            break;
        }
    }
    bool svg = ending[1] == 's';
    bool good =
        svg ? ctCurves_WriteSvg(&v->curves, v->curvePhase, path, &error) : ctCurves_WriteCsv(&v->curves, path, &error);
    if (good) {
        ctViewer_Say(v, "saved %s", path);
    } else {
        ctViewer_Say(v, "not saved: %s", error.message);
    }
}

void ctPanel_Curves(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float bottom = ctViewer_TimelineHeight(v) + 6.0f * unit, most = width - 12.0f * unit;
    float w = fminf(fmaxf(380.0f * unit, fminf(460.0f * unit, 0.3f * width)), most);
    float h = fminf(380.0f * unit, height - bottom - 46.0f * unit);
    // Beside the inspector, if there is space.
    float right = v->show.inspector && width > w + 800.0f * unit ? 482.0f * unit : 6.0f * unit;
    ctRect place = {width - w - right, height - h - bottom, w, h};
    bool open = ctGui_BeginPanel("Curves", &v->show.curves, place, ct_guiScrollless);
    ctViewer_Cover(v, ctGui_PanelRect());
    if (open) {
        choose(v);
        list(v);
        plot(v);
        ctGui_BeginDisabled(v->curves.count == 0);
        if (ctGui_Button("Save CSV", 0.0f, false)) {
            save(v, ".csv");
        }
        ctGui_SameLine(0.0f);
        if (ctGui_Button("Save SVG", 0.0f, false)) {
            save(v, ".svg");
        }
        ctGui_EndDisabled();
        ctGui_SameLine(0.0f);
        if (v->curveSpan > 0.0 && ctGui_Button("All", 0.0f, false)) {
            v->curveSpan = 0.0;
        }
    }
    ctGui_EndPanel();
}
