// Textures of a glTF document: images that are painted once and shared, and the tiles of planes.
#include "render/export/gltf_internal.h"

#include "collision/error.h"
#include "collision/vec3.h"
#include "render/files/png_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE_WIDTH = 1024, TILE_HEIGHT = 256 }; // texels of a plane's tile: powers of two

static uint8_t encoded(double linear)
{
    double x = fmax(0.0, fmin(1.0, linear));
    double s = x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
    return (uint8_t)(255.0 * s + 0.5);
}

void ctGltf_Encode(ctVec3 linear, uint8_t rgb[3])
{
    rgb[0] = encoded(linear.x);
    rgb[1] = encoded(linear.y);
    rgb[2] = encoded(linear.z);
}

// The index of the image with those bytes. Equal images are shared. -1 on failure.
static int addImage(ctGltf *g, const uint8_t *png, size_t size, ctError *error)
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

int ctGltf_AddTexture(ctGltf *g, int width, int height, const uint8_t *rgb, bool tiled, ctError *error)
{
    uint8_t *png = NULL;
    size_t size = 0;
    int image = ctPng_Encode(width, height, rgb, 9, &png, &size, error) ? addImage(g, png, size, error) : -1;
    free(png);
    if (image < 0) {
        return -1;
    }
    json_t *texture = json_pack("{s:i, s:i}", "sampler", tiled ? 1 : 0, "source", image);
    size_t count = json_array_size(g->textures), i = 0;
    while (i < count && !json_equal(json_array_get(g->textures, i), texture)) {
        i++;
    }
    if (i < count) {
        json_decref(texture);
    } else {
        json_array_append_new(g->textures, texture);
    }
    return (int)i;
}

int ctGltf_PlaneTexture(ctGltf *g, const ctLook *look, ctError *error)
{
    uint8_t *rgb = malloc((size_t)3 * TILE_WIDTH * TILE_HEIGHT);
    if (rgb == NULL) {
        ctFailMemory(error, "a texture");
        return -1;
    }
    for (int y = 0; y < TILE_HEIGHT; y++) {
        for (int x = 0; x < TILE_WIDTH; x++) {
            ctVec3 color = ctGltf_PlaneColorAt(look, (x + 0.5) * CT_GLTF_TILE_X / TILE_WIDTH,
                                               (y + 0.5) * CT_GLTF_TILE_Y / TILE_HEIGHT);
            ctGltf_Encode(color, rgb + 3 * ((size_t)y * TILE_WIDTH + (size_t)x));
        }
    }
    int texture = ctGltf_AddTexture(g, TILE_WIDTH, TILE_HEIGHT, rgb, true, error);
    free(rgb);
    return texture;
}
