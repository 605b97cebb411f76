// Pictures and summaries of a sweep. `measured` has measureCount numbers per run; NAN: no value.
#ifndef CT_SWEEP_PLOT_H
#define CT_SWEEP_PLOT_H

#include "app/canvas.h"
#include "app/sweep/sweep.h"

// Whether the sweep can be drawn to such a file. Called before the sweep runs.
bool ctSweep_CheckPlot(const ctSweep *sweep, const char *path, ctError *error);
// Draws a curve over one axis, a map over two axes, small multiples over more, for each measure.
bool ctSweep_Plot(const ctSweep *sweep, const double *measured, const char *path, ctError *error);
// Writes a table with a row per point: the number of runs with a value, the mean, and quantiles of each measure.
bool ctSweep_WriteQuantiles(const ctSweep *sweep, const double *measured, const char *path, ctError *error);

// Sorts the values and drops NANs; returns the number left.
int ctSortValues(double *values, int count);
// Interpolates linearly between the sorted values; share from 0 to 1.
double ctQuantile(const double *sorted, int count, double share);

// ---- inside a picture -------------------------------------------------------------------------

// An axis of a panel: numbers, their logarithms, or names at equal distances.
typedef struct ctChartScale {
    const ctSweepAxis *axis; // NULL: a measure
    bool logarithmic, byIndex;
    double lo, hi; // the range, in the scale's own units
    const char *label;
} ctChartScale;

typedef struct ctChartPanel {
    double left, top, width, height;
    ctChartScale x, y;
} ctChartPanel;

ctChartScale ctChartScale_OfAxis(const ctSweepAxis *axis, bool cells);
double ctChartScale_Place(const ctChartScale *scale, double value, int index); // in the scale's own units
double ctChart_X(const ctChartPanel *panel, double place);
double ctChart_Y(const ctChartPanel *panel, double place);
// Grid lines are drawn before the content; border, ticks and names after it.
void ctChart_Grid(ctCanvas *canvas, const ctChartPanel *panel);
void ctChart_Axes(ctCanvas *canvas, const ctChartPanel *panel);

// The colours of a measure.
enum { CT_CHART_LEVELS = 48, CT_CHART_NONE = 255, CT_CHART_DISCRETE = 12 };
typedef struct ctChartColors {
    bool discrete, hasNone;
    int count; // of discrete values
    double values[CT_CHART_DISCRETE];
    double lo, hi; // of continuous ones
    double step;   // of their contours
    char palette[256][8];
} ctChartColors;

void ctChartColors_Choose(ctChartColors *colors, const double *values, int count, bool mayBeDiscrete);
uint8_t ctChartColors_Of(const ctChartColors *colors, double value);
void ctChartColors_Legend(ctCanvas *canvas, const ctChartColors *colors, double left, double top, double height);

// Lines of equal value over a grid of nx by ny (x fastest, from below), by marching squares.
void ctChart_Contours(ctCanvas *canvas, const ctChartPanel *panel, const ctChartColors *colors, const double *values,
                      int nx, int ny);

#endif
