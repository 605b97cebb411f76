// Energy, impacts per second and cost per frame over time.
#include "render/gui/history_plot.h"
#include "render/panels/panels.h"

#include <math.h>

static void diagram(ctViewer *v, ctHistoryPlotKind kind, double mark)
{
    float height = fmaxf(70.0f * v->scale, ctGui_AvailableHeight() - 8.0f * v->scale);
    height = fminf(height, 118.0f * v->scale);
    ctHistoryPlot_Draw(&v->history, kind, ctGui_AvailableWidth(), height, mark, v->scale);
}

void ctPanel_Plots(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float bottom = ctViewer_TimelineHeight(v) + 6.0f * unit, left = (v->show.tweak ? 308.0f : 6.0f) * unit;
    float w = fminf(420.0f * unit, width - 12.0f * unit), h = fminf(434.0f * unit, height - bottom - 46.0f * unit);
    ctRect place = {fmaxf(6.0f * unit, fminf(left, width - w - 6.0f * unit)), height - h - bottom, w, h};
    bool open = ctGui_BeginPanel("Plots", &v->show.plots, place, 0);
    ctViewer_Cover(v, ctGui_PanelRect());
    if (open) {
        diagram(v, ct_plotEnergy, 0.0);
        diagram(v, ct_plotImpactRate, 0.0);
        diagram(v, ct_plotCost, 1e3 * v->frameTime);
        if (ctGui_Button("Curves of bodies", 0.0f, v->show.curves)) {
            v->show.curves = !v->show.curves;
        }
        ctGui_Hint("Place, speed, spin, energy or force of any body over time, or one over another (K)");
    }
    ctGui_EndPanel();
}
