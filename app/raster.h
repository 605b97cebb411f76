// An image in memory, and a font to write on it.
#ifndef CT_RASTER_H
#define CT_RASTER_H

#include "collision/types.h"

typedef struct ctRaster {
    int width, height;
    uint8_t *rgb;
    float *row; // coverage of one row, while a polygon is filled
} ctRaster;

bool ctRaster_Begin(ctRaster *raster, int width, int height); // white; false without memory
void ctRaster_Free(ctRaster *raster);
// Fills a polygon by the even-odd rule, with antialiased edges.
void ctRaster_Fill(ctRaster *raster, const double *xy, int count, const uint8_t color[3], double opacity);
void ctRaster_Blend(ctRaster *raster, int x, int y, const uint8_t color[3], double opacity);

typedef struct ctTypeface ctTypeface;
// NULL when the font is not found.
ctTypeface *ctTypeface_Open(void);
void ctTypeface_Close(ctTypeface *face);
double ctTypeface_Width(const ctTypeface *face, double size, const char *text);
// x, y: start of the base line. up: turned by 90 degrees to the left.
void ctTypeface_Draw(const ctTypeface *face, ctRaster *raster, double x, double y, double size, bool up,
                     const uint8_t color[3], const char *text);

#endif
