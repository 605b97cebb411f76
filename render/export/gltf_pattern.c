// Patterns of boxes, as textures: the six faces in one small picture, three across and two down; the fourth column is
// empty, so that both sides are powers of two.
#include "render/export/gltf_internal.h"

#include "collision/error.h"
#include "collision/vec3.h"
#include "render/files/png_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACE = 128, WIDTH = 4 * FACE, HEIGHT = 2 * FACE, BOX_VERTICES = 24 };

static const ctVec3 chalk = {0.85, 0.84, 0.8};

// ---- the patterns of assets/shaders/pattern.glsl ------------------------------------------------

ctVec3 ctGltf_OtherColor(ctVec3 c)
{
    double bright = 0.3 * c.x + 0.6 * c.y + 0.1 * c.z;
    return bright > 0.35 ? ctScale(0.3, c) : ctLerp(c, ctV3(0.9, 0.9, 0.9), 0.75);
}

static double fraction(double x)
{
    return x - floor(x);
}

// A square wave of period 2.
static double wave(double x)
{
    return fraction(0.5 * x) < 0.5 ? 1.0 : -1.0;
}

static double hash(double x)
{
    double y = fraction(x * 0.1031);
    y *= y + 33.33;
    return fraction(y * (y + y));
}

static ctVec3 spokes(ctVec3 c, ctVec3 p, ctVec3 half)
{
    double a = atan2(p.y, p.x);
    bool mark = cos(a) > 0.966 && hypot(p.x, p.y) > 0.25 * half.x;
    return mark ? ctV3(0.75, 0.18, 0.1) : ctLerp(c, ctGltf_OtherColor(c), 0.35 + 0.35 * wave(a * 6.0 / CT_PI));
}

// A side of 1, 2 or 5 times a power of ten, about a quarter of the extent.
static double niceCell(double extent)
{
    double x = extent / 4.0, decade = pow(10.0, floor(log10(x))), m = x / decade;
    return decade * (m < 1.5 ? 1.0 : m < 3.5 ? 2.0 : m < 7.5 ? 5.0 : 10.0);
}

static ctVec3 checker(ctVec3 c, ctVec3 p, ctVec3 n, ctVec3 half)
{
    double cell = niceCell(fmax(half.x, fmax(half.y, half.z)));
    ctVec3 q = ctScale(1.0 / cell, ctMulAdd(p, -0.02 * cell, n));
    bool other = wave(q.x) * wave(q.y) * wave(q.z) < 0.0;
    return other ? ctLerp(c, ctGltf_OtherColor(c), 0.55) : c;
}

static ctVec3 rings(ctVec3 c, ctVec3 p, ctVec3 half)
{
    double r = hypot(p.x, p.y) / fmax(half.x, 1e-9);
    bool ring = fabs(fraction(r * 2.5 + 0.25) - 0.5) > 0.25 && r < 0.999;
    ctVec3 color = ring ? ctLerp(c, ctGltf_OtherColor(c), 0.55) : c;
    color = cos(atan2(p.y, p.x)) > 0.985 && r > 0.2 ? ctV3(0.7, 0.12, 0.08) : color;
    return p.z < 0.0 ? ctV3(0.75 * color.x, 0.85 * color.y, color.z) : color;
}

static ctVec3 boards(ctVec3 c, ctVec3 p, ctVec3 half)
{
    double width = half.y / 19.5, y = p.y / width, row = floor(y), x = p.x / (22.0 * width) + 7.31 * hash(row);
    return ctScale(0.82 + 0.3 * hash(row + 17.0 * floor(x)), c);
}

static bool isDot(ctVec3 u)
{
    ctVec3 a = ctScale(1.0 / fmax(ctLength(u), 1e-9), ctV3(fabs(u.x), fabs(u.y), fabs(u.z)));
    return fmax(a.x, fmax(a.y, a.z)) > 0.945 || 0.57735 * (a.x + a.y + a.z) > 0.955;
}

// The points of one half of a domino, x and y in -1 ... 1.
static bool isPip(int n, double x, double y)
{
    double i = fmax(-1.0, fmin(1.0, floor(x / 0.55 + 0.5))), j = fmax(-1.0, fmin(1.0, floor(y / 0.55 + 0.5)));
    bool middle = fabs(i) + fabs(j) < 0.5, side = fabs(j) < 0.5 && !middle;
    bool on = (middle && n % 2 == 1) || (i * j > 0.5 && n > 1) || (i * j < -0.5 && n > 3) || (side && n == 6);
    return on && hypot(x - 0.55 * i, y - 0.55 * j) < 0.17;
}

static bool isDominoMark(ctVec3 u, ctVec3 n, int number)
{
    bool bar = fabs(u.z) < 0.02 && fabs(u.y) < 0.8;
    bool pip = u.z > 0.0 ? isPip(number / 10 % 10, u.y, 2.0 * u.z - 1.0) : isPip(number % 10, u.y, 2.0 * u.z + 1.0);
    return fabs(n.x) > 0.7 && (bar || pip);
}

// The colour at u (-1 ... 1) of a box, on the face with that normal.
static ctVec3 colorAt(const ctLook *look, ctVec3 u, ctVec3 n, ctVec3 half)
{
    ctVec3 c = look->color, p = ctV3(u.x * half.x, u.y * half.y, u.z * half.z), other = ctGltf_OtherColor(c);
    switch (look->pattern) {
    case ct_patternSpokes:
        return spokes(c, p, half);
    case ct_patternStripe:
        return fabs(u.z) > 0.45 || fabs(u.x) > 0.92 ? chalk : c;
    case ct_patternHalves:
        return (u.x > 0.0) != (fmax(fabs(u.z), fabs(u.y)) > 0.93) ? other : c;
    case ct_patternChecker:
        return checker(c, p, n, half);
    case ct_patternRings:
        return rings(c, p, half);
    case ct_patternBoards:
        return boards(c, p, half);
    case ct_patternPin:
        return fabs(u.z - 0.41) < 0.024 || fabs(u.z - 0.51) < 0.024 ? ctV3(0.65, 0.05, 0.05) : c;
    case ct_patternDots:
        return isDot(u) ? other : c;
    case ct_patternBall:
        return (look->number > 8 && fabs(u.y) > 0.5) || hypot(u.y, u.z) < 0.5 ? chalk : c;
    case ct_patternDomino:
        return isDominoMark(u, n, look->number) ? other : c;
    default:
        return c;
    }
}

// ---- the picture ------------------------------------------------------------------------------

static uint8_t encoded(double linear)
{
    double x = fmax(0.0, fmin(1.0, linear));
    double s = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    return (uint8_t)(255.0 * s + 0.5);
}

// From the first texel's middle to the last one's a face goes from -1 to 1: no neighbour shines through at its edge.
static double placeOf(double texel)
{
    return fmax(-1.0, fmin(1.0, 2.0 * texel / (FACE - 1) - 1.0));
}

static void paintTexel(uint8_t *rgb, const ctLook *look, ctVec3 half, int x, int y)
{
    int axis = x / FACE;
    double side = y < FACE ? 1.0 : -1.0, n[3] = {0.0}, u[3];
    n[axis] = u[axis] = side;
    ctVec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        u[(axis + 1) % 3] = placeOf(x % FACE + (k % 2 - 0.5) / 2.0);
        u[(axis + 2) % 3] = placeOf(y % FACE + (k / 2 - 0.5) / 2.0);
        sum = ctAdd(sum, colorAt(look, ctV3(u[0], u[1], u[2]), ctV3(n[0], n[1], n[2]), half));
    }
    uint8_t *texel = rgb + 3 * ((size_t)y * WIDTH + (size_t)x);
    texel[0] = encoded(0.25 * sum.x);
    texel[1] = encoded(0.25 * sum.y);
    texel[2] = encoded(0.25 * sum.z);
}

// The texture with those bytes, an earlier one where it is equal; -1 on failure.
static int addTexture(ctGltf *g, const uint8_t *png, size_t size, ctError *error)
{
    size_t i;
    json_t *image;
    json_array_foreach(g->images, i, image)
    {
        const json_t *view = json_array_get(g->views, (size_t)json_integer_value(json_object_get(image, "bufferView")));
        size_t offset = (size_t)json_integer_value(json_object_get(view, "byteOffset"));
        if ((size_t)json_integer_value(json_object_get(view, "byteLength")) == size &&
            memcmp(g->bytes + offset, png, size) == 0) {
            return (int)i;
        }
    }
    int view = ctGltf_AddView(g, png, size, 0, error);
    if (view < 0) {
        return -1;
    }
    json_array_append_new(g->images, json_pack("{s:i, s:s}", "bufferView", view, "mimeType", "image/png"));
    return (int)json_array_size(g->images) - 1;
}

int ctGltf_BoxTexture(ctGltf *g, const ctLook *look, ctVec3 half, ctError *error)
{
    uint8_t *rgb = calloc(3, (size_t)WIDTH * HEIGHT), *png = NULL;
    if (rgb == NULL) {
        ctFailMemory(error, "a texture");
        return -1;
    }
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < 3 * FACE; x++) {
            paintTexel(rgb, look, half, x, y);
        }
    }
    size_t size = 0;
    int texture = ctPng_Encode(WIDTH, HEIGHT, rgb, 9, &png, &size, error) ? addTexture(g, png, size, error) : -1;
    free(png);
    free(rgb);
    return texture;
}

// Boxes have their vertices in the same order, whatever their size: the places of the faces in the picture are shared.
int ctGltf_BoxPlaces(ctGltf *g, const ctGltfGeometry *geometry, ctError *error)
{
    if (g->boxPlaces > 0) {
        return g->boxPlaces;
    }
    float p[BOX_VERTICES][3], n[BOX_VERTICES][3], places[BOX_VERTICES][2];
    if (geometry->vertices != BOX_VERTICES) {
        ctFail(error, ct_badArgument, "a box has %d vertices, not %d", geometry->vertices, BOX_VERTICES);
        return -1;
    }
    memcpy(p, g->bytes + geometry->offset, sizeof p);
    memcpy(n, g->bytes + geometry->offset + sizeof p, sizeof n);
    for (int i = 0; i < BOX_VERTICES; i++) {
        int axis = fabsf(n[i][0]) > 0.5f ? 0 : fabsf(n[i][1]) > 0.5f ? 1 : 2;
        float left = p[i][(axis + 1) % 3] > 0.0f ? FACE - 0.5f : 0.5f;
        float top = p[i][(axis + 2) % 3] > 0.0f ? FACE - 0.5f : 0.5f;
        places[i][0] = ((float)(axis * FACE) + left) / WIDTH;
        places[i][1] = ((n[i][axis] > 0.0f ? 0.0f : (float)FACE) + top) / HEIGHT;
    }
    g->boxPlaces = ctGltf_AddAccessor(g, places, sizeof places, CT_GLTF_ARRAY, CT_GLTF_FLOAT, "VEC2", BOX_VERTICES,
                                      NULL, NULL, 2, error);
    return g->boxPlaces;
}
