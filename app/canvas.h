// A page to draw on, written as SVG or as PNG, as the ending of the file's name says. Places are in units from the
// upper left corner; a unit is one pixel of SVG and two of PNG. Colours are "#rrggbb"; text is plain UTF-8.
#ifndef CT_CANVAS_H
#define CT_CANVAS_H

#include "collision/types.h"

typedef struct ctCanvas ctCanvas;

typedef enum ctAnchor { ct_anchorStart, ct_anchorMiddle, ct_anchorEnd } ctAnchor;

// NULL on failure. Nothing is written before ctCanvas_End.
ctCanvas *ctCanvas_Begin(const char *path, double width, double height, ctError *error);
// Writes the file when good, and frees the canvas in any case.
bool ctCanvas_End(ctCanvas *canvas, bool good, ctError *error);

// xy are count points, x and y in turn.
void ctCanvas_Fill(ctCanvas *canvas, const double *xy, int count, const char *color, double opacity);
void ctCanvas_Stroke(ctCanvas *canvas, const double *xy, int count, const char *color, double width);
void ctCanvas_Rect(ctCanvas *canvas, double x, double y, double width, double height, const char *color);
void ctCanvas_Line(ctCanvas *canvas, double x0, double y0, double x1, double y1, const char *color, double width);
// count separate lines, x0, y0, x1, y1 each.
void ctCanvas_Segments(ctCanvas *canvas, const double *ends, int count, const char *color, double width);
void ctCanvas_Dot(ctCanvas *canvas, double x, double y, double radius, const char *color);
void ctCanvas_Text(ctCanvas *canvas, double x, double y, ctAnchor anchor, double size, const char *color,
                   const char *text);
// The same text turned by 90 degrees to the left, about its anchor.
void ctCanvas_TextUp(ctCanvas *canvas, double x, double y, ctAnchor anchor, double size, const char *color,
                     const char *text);
// nx by ny cells over a rectangle, row by row from the top; each is an index into palette.
void ctCanvas_Cells(ctCanvas *canvas, double x, double y, double width, double height, int nx, int ny,
                    const uint8_t *cells, const char (*palette)[8]);

#endif
