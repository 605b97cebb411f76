#include "app/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUB = 4, MAX_CROSSINGS = 4096 }; // SUB: lines per pixel row

bool ctRaster_Begin(ctRaster *r, int width, int height)
{
    *r = (ctRaster){width, height, malloc((size_t)width * (size_t)height * 3), malloc(sizeof(float) * (size_t)width)};
    if (r->rgb == NULL || r->row == NULL) {
        ctRaster_Free(r);
        return false;
    }
    memset(r->rgb, 255, (size_t)width * (size_t)height * 3);
    return true;
}

void ctRaster_Free(ctRaster *r)
{
    free(r->rgb);
    free(r->row);
    *r = (ctRaster){0};
}

void ctRaster_Blend(ctRaster *r, int x, int y, const uint8_t color[3], double opacity)
{
    if (x < 0 || y < 0 || x >= r->width || y >= r->height) {
        return;
    }
    uint8_t *p = &r->rgb[3 * ((size_t)y * (size_t)r->width + (size_t)x)];
    for (int i = 0; i < 3; i++) {
        p[i] = (uint8_t)(p[i] + opacity * (color[i] - p[i]) + 0.5);
    }
}

// Adds the coverage of the span from a to b on one of the SUB lines of a pixel row.
static void addSpan(ctRaster *r, double a, double b)
{
    a = fmax(a, 0.0);
    b = fmin(b, r->width);
    if (!(a < b)) {
        return;
    }
    int first = (int)a, last = (int)b;
    if (first == last) {
        r->row[first] += (float)(b - a) / SUB;
        return;
    }
    r->row[first] += (float)(first + 1 - a) / SUB;
    for (int x = first + 1; x < last; x++) {
        r->row[x] += 1.0f / SUB;
    }
    if (last < r->width) {
        r->row[last] += (float)(b - last) / SUB;
    }
}

static int byValue(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The places where the polygon's edges cross the line at height y, in ascending order.
static int crossings(const double *xy, int count, double y, double *out)
{
    int n = 0;
    for (int i = 0; i < count && n < MAX_CROSSINGS; i++) {
        const double *p = &xy[2 * i], *q = &xy[2 * ((i + 1) % count)];
        if ((p[1] <= y) != (q[1] <= y)) {
            out[n++] = p[0] + (y - p[1]) / (q[1] - p[1]) * (q[0] - p[0]);
        }
    }
    qsort(out, (size_t)n, sizeof *out, byValue);
    return n;
}

void ctRaster_Fill(ctRaster *r, const double *xy, int count, const uint8_t color[3], double opacity)
{
    double top = r->height, bottom = 0.0, hits[MAX_CROSSINGS];
    for (int i = 0; i < count; i++) {
        top = fmin(top, xy[2 * i + 1]);
        bottom = fmax(bottom, xy[2 * i + 1]);
    }
    int first = (int)fmax(0.0, floor(top)), last = (int)fmin(r->height - 1.0, floor(bottom));
    for (int y = first; y <= last; y++) {
        memset(r->row, 0, sizeof(float) * (size_t)r->width);
        for (int k = 0; k < SUB; k++) {
            int n = crossings(xy, count, y + (k + 0.5) / SUB, hits);
            for (int i = 0; i + 1 < n; i += 2) {
                addSpan(r, hits[i], hits[i + 1]);
            }
        }
        for (int x = 0; x < r->width; x++) {
            if (r->row[x] > 0.0f) {
                ctRaster_Blend(r, x, y, color, opacity * fmin(1.0, (double)r->row[x]));
            }
        }
    }
}
