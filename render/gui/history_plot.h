// Curves over time: energy, impacts per second, cost per frame.
#ifndef CT_GUI_HISTORY_PLOT_H
#define CT_GUI_HISTORY_PLOT_H

#include "render/gui/imgui_c.h"
#include "render/session/history.h"

typedef enum ctHistoryPlotKind { ct_plotEnergy, ct_plotImpactRate, ct_plotCost } ctHistoryPlotKind;

// Reserves its space in the panel. mark: a horizontal line at this value, when positive. scale: of the panels.
void ctHistoryPlot_Draw(const ctHistory *history, ctHistoryPlotKind kind, float width, float height, double mark,
                        float scale);

#endif
