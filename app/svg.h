// A small writer of scalable vector graphics: frames with axes, curves in them, and labels that do not overlap.
#ifndef CT_SVG_H
#define CT_SVG_H

#include "collision/types.h"

#include <stdio.h>

#define CT_SVG_BOXES 1024

typedef struct ctSvg {
    FILE *out;
    int clips; // number of clip paths so far
    // Rectangles that labels must not cover: x0, y0, x1, y1.
    int boxCount;
    double boxes[CT_SVG_BOXES][4];
} ctSvg;

// A rectangle on the page, and the data range that it shows.
typedef struct ctSvgFrame {
    double left, top, width, height;
    double x0, x1, y0, y1;
} ctSvgFrame;

void ctSvg_Begin(ctSvg *svg, FILE *out, double width, double height);
void ctSvg_End(ctSvg *svg);

double ctSvgX(const ctSvgFrame *f, double x);
double ctSvgY(const ctSvgFrame *f, double y);

// A step of 1, 2 or 5 times a power of ten that divides the range into about `count` parts.
double ctNiceStep(double range, int count);

// Widens the data range so that one unit is as long in x as in y.
void ctSvgEqualUnits(ctSvgFrame *f);

// Grid, ticks with numbers, border and names of the axes. The names may contain markup.
void ctSvg_Axes(ctSvg *svg, const ctSvgFrame *f, const char *xName, const char *yName);

// Everything drawn between these two calls is clipped to the frame.
void ctSvg_BeginClip(ctSvg *svg, const ctSvgFrame *f);
void ctSvg_EndClip(ctSvg *svg);

// style is a list of attributes: "stroke='#000' fill='none'".
void ctSvg_Line(ctSvg *svg, const ctSvgFrame *f, double x0, double y0, double x1, double y1, const char *style);
void ctSvg_Curve(ctSvg *svg, const ctSvgFrame *f, const double *x, const double *y, int count, const char *style);

// Text at a place of the page; anchor is start, middle or end. The text may contain markup.
void ctSvg_Text(ctSvg *svg, double x, double y, const char *anchor, double size, const char *color, const char *text);

// Keeps labels away from a rectangle of the page, or from a point of a frame.
void ctSvg_Keep(ctSvg *svg, double x0, double y0, double x1, double y1);
void ctSvg_KeepPoint(ctSvg *svg, const ctSvgFrame *f, double x, double y);

// How much of a rectangle (x0, y0, x1, y1 on the page) is occupied or outside the frame; 0: the rectangle is free.
double ctSvg_Cost(const ctSvg *svg, const ctSvgFrame *f, const double box[4]);

// A label of `letters` characters next to a point of a frame, at a free place.
void ctSvg_Label(ctSvg *svg, const ctSvgFrame *f, double x, double y, int letters, const char *color, const char *text);

#endif
