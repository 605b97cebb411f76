// Letters on an image, by the rasteriser that comes with Dear ImGui.
#include "app/raster.h"

#include "render/gui/font.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wcast-qual"
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <imstb_truetype.h>
#pragma GCC diagnostic pop

struct ctTypeface {
    unsigned char *data;
    stbtt_fontinfo info;
};

static unsigned char *readWhole(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return NULL;
    }
    unsigned char *data = NULL;
    long size = fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
    if (size > 0 && size < 64L << 20 && fseek(in, 0, SEEK_SET) == 0) {
        data = malloc((size_t)size);
        if (data != NULL && fread(data, 1, (size_t)size, in) != (size_t)size) {
            free(data);
            data = NULL;
        }
    }
    fclose(in);
    return data;
}

ctTypeface *ctTypeface_Open(void)
{
    char *path = ctFont_Find();
    ctTypeface *face = path != NULL ? calloc(1, sizeof *face) : NULL;
    if (face != NULL) {
        face->data = readWhole(path);
        if (face->data == NULL || !stbtt_InitFont(&face->info, face->data, 0)) {
            ctTypeface_Close(face);
            face = NULL;
        }
    }
    free(path);
    return face;
}

void ctTypeface_Close(ctTypeface *face)
{
    if (face != NULL) {
        free(face->data);
        free(face);
    }
}

// The next character of UTF-8 text. Malformed text is read byte by byte.
static int nextLetter(const char **text)
{
    const unsigned char *p = (const unsigned char *)*text;
    int more = p[0] >= 0xf0 ? 3 : p[0] >= 0xe0 ? 2 : p[0] >= 0xc0 ? 1 : 0;
    int letter = more > 0 ? p[0] & (0x3f >> more) : p[0];
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80) {
            *text += 1;
            return p[0];
        }
        letter = letter << 6 | (p[i] & 0x3f);
    }
    *text += more + 1;
    return letter;
}

static double advanceOf(const ctTypeface *face, int letter, double scale)
{
    int advance, bearing;
    stbtt_GetCodepointHMetrics(&face->info, letter, &advance, &bearing);
    return advance * scale;
}

double ctTypeface_Width(const ctTypeface *face, double size, const char *text)
{
    double scale = (double)stbtt_ScaleForMappingEmToPixels(&face->info, (float)size), width = 0.0;
    while (*text != '\0') {
        width += advanceOf(face, nextLetter(&text), scale);
    }
    return width;
}

void ctTypeface_Draw(const ctTypeface *face, ctRaster *raster, double x, double y, double size, bool up,
                     const uint8_t color[3], const char *text)
{
    float scale = stbtt_ScaleForMappingEmToPixels(&face->info, (float)size);
    double along = 0.0;
    while (*text != '\0') {
        int letter = nextLetter(&text), w, h, left, top;
        double start = up ? -y + along : x + along;
        unsigned char *glyph = stbtt_GetCodepointBitmapSubpixel(
            &face->info, scale, scale, (float)(start - floor(start)), 0.0f, letter, &w, &h, &left, &top);
        for (int i = 0; i < w * h && glyph != NULL; i++) {
            int a = (int)floor(start) + left + i % w, b = top + i / w; // along the base line, and below it
            double opacity = glyph[i] / 255.0;
            if (up) {
                ctRaster_Blend(raster, (int)(x + 0.5) + b, -a, color, opacity);
            } else {
                ctRaster_Blend(raster, a, (int)(y + 0.5) + b, color, opacity);
            }
        }
        stbtt_FreeBitmap(glyph, NULL);
        along += advanceOf(face, letter, (double)scale);
    }
}
