// A diagram with axes inside a panel.
#ifndef CT_GUI_PLOT_H
#define CT_GUI_PLOT_H

#include "render/gui/imgui_c.h"

typedef struct ctPlot {
    ctRect frame, area; // the whole plot, and the area of the curves
    float top;          // of the title line
    float scale;
    double x0, x1, y0, y1;
} ctPlot;

// Reserves the space and writes the title.
void ctPlot_Begin(ctPlot *plot, const char *title, float width, float height, float scale);
// Sets the range of the area. An empty range is widened; y gets a margin above and below.
void ctPlot_Range(ctPlot *plot, double x0, double x1, double y0, double y1);
// The same scale on both axes, centred.
void ctPlot_Square(ctPlot *plot, double x0, double x1, double y0, double y1);
void ctPlot_Axes(const ctPlot *plot, const char *nameX, const char *nameY);
float ctPlot_X(const ctPlot *plot, double x);
float ctPlot_Y(const ctPlot *plot, double y);
void ctPlot_Horizontal(const ctPlot *plot, double y, ctRgba color);
void ctPlot_Vertical(const ctPlot *plot, double x, ctRgba color);

#endif
