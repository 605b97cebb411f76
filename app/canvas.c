#include "app/canvas.h"

#include "app/raster.h"
#include "collision/error.h"
#include "render/files/atomic_file.h"
#include "render/files/png_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE = 2 }; // pixels of PNG per unit

struct ctCanvas {
    char *path;
    double width, height;
    bool png;
    ctAtomicFile file; // SVG
    ctRaster raster;   // PNG
    ctTypeface *face;
};

static bool endsWith(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static bool open(ctCanvas *c, ctError *error)
{
    if (!c->png) {
        if (!ctAtomicFile_Open(&c->file, c->path, error)) {
            return false;
        }
        fprintf(c->file.stream,
                "<svg xmlns='http://www.w3.org/2000/svg' width='%g' height='%g' viewBox='0 0 %g %g' "
                "font-family='DejaVu Sans, Verdana, sans-serif'>\n<rect width='100%%' height='100%%' fill='#fff'/>\n",
                c->width, c->height, c->width, c->height);
        return true;
    }
    c->face = ctTypeface_Open();
    if (c->face == NULL) {
        return ctFail(error, ct_io, "%s: a picture in PNG needs the font DejaVu Sans; SVG does not", c->path);
    }
    return ctRaster_Begin(&c->raster, (int)(SCALE * c->width + 0.5), (int)(SCALE * c->height + 0.5)) ||
           ctFailMemory(error, "a picture");
}

ctCanvas *ctCanvas_Begin(const char *path, double width, double height, ctError *error)
{
    ctCanvas *c = calloc(1, sizeof *c);
    if (c == NULL || (c->path = strdup(path)) == NULL) {
        free(c);
        ctFailMemory(error, "a picture");
        return NULL;
    }
    c->width = width;
    c->height = height;
    c->png = endsWith(path, ".png");
    if (!open(c, error)) {
        ctCanvas_End(c, false, NULL);
        return NULL;
    }
    return c;
}

bool ctCanvas_End(ctCanvas *c, bool good, ctError *error)
{
    if (good && c->png) {
        good = ctPng_Write(c->path, c->raster.width, c->raster.height, c->raster.rgb, false, 9, error);
    } else if (good) {
        fputs("</svg>\n", c->file.stream);
        good = ctAtomicFile_Commit(&c->file, error);
    } else {
        ctAtomicFile_Abort(&c->file);
    }
    ctRaster_Free(&c->raster);
    ctTypeface_Close(c->face);
    free(c->path);
    free(c);
    return good;
}

static void parseColor(const char *color, uint8_t rgb[3])
{
    unsigned long bits = strtoul(color + 1, NULL, 16);
    for (int i = 0; i < 3; i++) {
        rgb[i] = (uint8_t)(bits >> (16 - 8 * i));
    }
}

static void writePath(ctCanvas *c, const double *xy, int count)
{
    fputs("<path d='", c->file.stream);
    for (int i = 0; i < count; i++) {
        fprintf(c->file.stream, "%s%.2f %.2f", i == 0 ? "M" : "L", xy[2 * i], xy[2 * i + 1]);
    }
}

void ctCanvas_Fill(ctCanvas *c, const double *xy, int count, const char *color, double opacity)
{
    if (!c->png) {
        writePath(c, xy, count);
        fprintf(c->file.stream, "Z' fill='%s'", color);
        fprintf(c->file.stream, opacity < 1.0 ? " fill-opacity='%g'/>\n" : "/>\n", opacity);
        return;
    }
    uint8_t rgb[3];
    parseColor(color, rgb);
    double *scaled = malloc(sizeof(double) * 2 * (size_t)count);
    for (int i = 0; scaled != NULL && i < 2 * count; i++) {
        scaled[i] = SCALE * xy[i];
    }
    if (scaled != NULL) {
        ctRaster_Fill(&c->raster, scaled, count, rgb, opacity);
    }
    free(scaled);
}

static void fillCircle(ctCanvas *c, double x, double y, double radius, const char *color)
{
    enum { CORNERS = 20 };
    double xy[2 * CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        xy[2 * i] = x + radius * cos(6.283185307179586 * i / CORNERS);
        xy[2 * i + 1] = y + radius * sin(6.283185307179586 * i / CORNERS);
    }
    ctCanvas_Fill(c, xy, CORNERS, color, 1.0);
}

void ctCanvas_Stroke(ctCanvas *c, const double *xy, int count, const char *color, double width)
{
    if (!c->png) {
        writePath(c, xy, count);
        fprintf(c->file.stream, "' fill='none' stroke='%s' stroke-width='%g' stroke-linejoin='round'/>\n", color,
                width);
        return;
    }
    for (int i = 0; i + 1 < count; i++) {
        const double *p = &xy[2 * i], *q = p + 2;
        double dx = q[0] - p[0], dy = q[1] - p[1], length = hypot(dx, dy);
        if (length > 0.0) {
            double ox = -0.5 * width * dy / length, oy = 0.5 * width * dx / length;
            double quad[8] = {p[0] + ox, p[1] + oy, q[0] + ox, q[1] + oy, q[0] - ox, q[1] - oy, p[0] - ox, p[1] - oy};
            ctCanvas_Fill(c, quad, 4, color, 1.0);
        }
        if (i > 0 && width > 1.2) {
            fillCircle(c, p[0], p[1], 0.5 * width, color);
        }
    }
}

void ctCanvas_Rect(ctCanvas *c, double x, double y, double width, double height, const char *color)
{
    double xy[8] = {x, y, x + width, y, x + width, y + height, x, y + height};
    if (c->png) {
        ctCanvas_Fill(c, xy, 4, color, 1.0);
    } else {
        fprintf(c->file.stream, "<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='%s'/>\n", x, y, width, height,
                color);
    }
}

void ctCanvas_Line(ctCanvas *c, double x0, double y0, double x1, double y1, const char *color, double width)
{
    double xy[4] = {x0, y0, x1, y1};
    ctCanvas_Stroke(c, xy, 2, color, width);
}

void ctCanvas_Segments(ctCanvas *c, const double *ends, int count, const char *color, double width)
{
    if (count == 0) {
        return;
    }
    if (c->png) {
        for (int i = 0; i < count; i++) {
            ctCanvas_Stroke(c, &ends[4 * i], 2, color, width);
        }
        return;
    }
    fputs("<path d='", c->file.stream);
    for (int i = 0; i < count; i++) {
        const double *e = &ends[4 * i];
        fprintf(c->file.stream, "M%.1f %.1fL%.1f %.1f", e[0], e[1], e[2], e[3]);
    }
    fprintf(c->file.stream, "' fill='none' stroke='%s' stroke-width='%g'/>\n", color, width);
}

void ctCanvas_Dot(ctCanvas *c, double x, double y, double radius, const char *color)
{
    if (c->png) {
        fillCircle(c, x, y, radius, color);
    } else {
        fprintf(c->file.stream, "<circle cx='%.2f' cy='%.2f' r='%g' fill='%s'/>\n", x, y, radius, color);
    }
}

static void writeEscaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (entity != NULL) {
            fputs(entity, out);
        } else {
            fputc(*text, out);
        }
    }
}

static void drawText(ctCanvas *c, double x, double y, ctAnchor anchor, double size, bool up, const char *color,
                     const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    if (!c->png) {
        fprintf(c->file.stream, "<text x='%.2f' y='%.2f' font-size='%g' text-anchor='%s' fill='%s'", x, y, size,
                anchors[anchor], color);
        if (up) {
            fprintf(c->file.stream, " transform='rotate(-90 %.2f %.2f)'", x, y);
        }
        fputc('>', c->file.stream);
        writeEscaped(c->file.stream, text);
        fputs("</text>\n", c->file.stream);
        return;
    }
    uint8_t rgb[3];
    parseColor(color, rgb);
    double shift = ctTypeface_Width(c->face, SCALE * size, text) * 0.5 * (int)anchor;
    ctTypeface_Draw(c->face, &c->raster, SCALE * x - (up ? 0.0 : shift), SCALE * y + (up ? shift : 0.0), SCALE * size,
                    up, rgb, text);
}

void ctCanvas_Text(ctCanvas *c, double x, double y, ctAnchor anchor, double size, const char *color, const char *text)
{
    drawText(c, x, y, anchor, size, false, color, text);
}

void ctCanvas_TextUp(ctCanvas *c, double x, double y, ctAnchor anchor, double size, const char *color, const char *text)
{
    drawText(c, x, y, anchor, size, true, color, text);
}

// The cells of one colour as path data. Neighbours in a row are joined: a map of thousands of cells stays small.
static void writeCells(FILE *out, int nx, int ny, const uint8_t *cells, int color)
{
    for (int j = 0; j < ny; j++) {
        for (int i = 0, n; i < nx; i += n) {
            for (n = 1; i + n < nx && cells[j * nx + i + n] == cells[j * nx + i]; n++) {
            }
            if (cells[j * nx + i] == color) {
                fprintf(out, "M%d %dh%dv1h%dz", i, j, n, -n);
            }
        }
    }
}

void ctCanvas_Cells(ctCanvas *c, double x, double y, double width, double height, int nx, int ny, const uint8_t *cells,
                    const char (*palette)[8])
{
    bool used[256] = {false};
    for (int i = 0; i < nx * ny; i++) {
        used[cells[i]] = true;
    }
    if (!c->png) {
        fprintf(c->file.stream, "<g transform='translate(%.2f %.2f) scale(%.6g %.6g)' shape-rendering='crispEdges'>\n",
                x, y, width / nx, height / ny);
        for (int color = 0; color < 256; color++) {
            if (used[color]) {
                fprintf(c->file.stream, "<path fill='%s' d='", palette[color]);
                writeCells(c->file.stream, nx, ny, cells, color);
                fputs("'/>\n", c->file.stream);
            }
        }
        fputs("</g>\n", c->file.stream);
        return;
    }
    // Pixel by pixel, without antialiasing: the page must not show through between cells.
    int x0 = (int)(SCALE * x + 0.5), y0 = (int)(SCALE * y + 0.5);
    int x1 = (int)(SCALE * (x + width) + 0.5), y1 = (int)(SCALE * (y + height) + 0.5);
    for (int py = y0; py < y1; py++) {
        for (int px = x0; px < x1; px++) {
            int i = (px - x0) * nx / (x1 - x0), j = (py - y0) * ny / (y1 - y0);
            uint8_t rgb[3];
            parseColor(palette[cells[j * nx + i]], rgb);
            ctRaster_Blend(&c->raster, px, py, rgb, 1.0);
        }
    }
}
