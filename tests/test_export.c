// Exports of scenes: valid, small, and as the pictures show them.
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <jansson.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENE "tests/data/record.lua"

static void expect(ctCommandOutput out, int status, const char *words)
{
    ck_assert_msg(out.status == status, "status %d, not %d:\n%s", out.status, status, out.text);
    ck_assert_msg(strstr(out.text, words) != NULL, "no '%s' in:\n%s", words, out.text);
}

START_TEST(exports_are_valid)
{
    expect(ctRunCommand("$CLATTER export " SCENE " --out $T/scene.glb --seconds 0.5"), 0, "3 bodies, 31 frames");
    expect(ctRunCommand("NODE_PATH=build/node_modules node tests/data/validate_gltf.js $T/scene.glb"), 0,
           "errors 0, warnings 0, animations 1");
    expect(ctRunCommand("$CLATTER export " SCENE " --out $T/scene.csv --seconds 0.5 && head -n 1 $T/scene.csv"), 0,
           "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    expect(ctRunCommand("wc -l < $T/scene.csv"), 0, "94"); // 31 frames of 3 bodies, and the header
    expect(ctRunCommand("$CLATTER export " SCENE " --out $T/scene.txt"), 2, "FILE.glb");
    expect(ctRunCommand("$CLATTER export " SCENE " --out $T/none/scene.glb"), 1, "cannot write");
}
END_TEST

// The JSON of a .glb file.
static json_t *readGlb(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    uint8_t head[20];
    ck_assert_uint_eq(fread(head, 1, 20, f), 20);
    size_t size = head[12] | (size_t)head[13] << 8 | (size_t)head[14] << 16;
    char *text = malloc(size);
    ck_assert_uint_eq(fread(text, 1, size, f), size);
    fclose(f);
    json_t *all = json_loadb(text, size, 0, NULL);
    free(text);
    ck_assert_ptr_nonnull(all);
    return all;
}

START_TEST(exports_share_meshes_and_have_cameras_lights_and_patterns)
{
    expect(ctRunCommand("$CLATTER export gas --out $T/gas.glb --seconds 0.02"), 0, "bodies");
    json_t *gas = readGlb("gas.glb");
    // 343 spheres of two colours; the walls are invisible; one camera and the sun beside the root.
    ck_assert_uint_eq(json_array_size(json_object_get(gas, "meshes")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(gas, "nodes")), 343 + 3);
    ck_assert_uint_eq(json_array_size(json_object_get(gas, "cameras")), 1);
    ck_assert_ptr_nonnull(json_object_get(json_object_get(gas, "extensions"), "KHR_lights_punctual"));
    json_decref(gas);
    expect(ctRunCommand("$CLATTER export billiards --out $T/pool.glb --seconds 0.02"), 0, "bodies");
    json_t *pool = readGlb("pool.glb");
    size_t colored = 0, i;
    json_t *mesh;
    json_array_foreach(json_object_get(pool, "meshes"), i, mesh)
    {
        const json_t *first = json_array_get(json_object_get(mesh, "primitives"), 0);
        colored += json_object_get(json_object_get(first, "attributes"), "COLOR_0") != NULL;
    }
    ck_assert_uint_eq(colored, 15);
    json_decref(pool);
    expect(ctRunCommand("NODE_PATH=build/node_modules node tests/data/validate_gltf.js $T/pool.glb"), 0,
           "errors 0, warnings 0, animations 1");
}
END_TEST

enum { SIDE = 512 }; // of a texture: half as high as wide

// The bytes of a view of a file; to be freed.
static uint8_t *readView(const char *name, const json_t *document, const json_t *number, size_t *size)
{
    const json_t *view = json_array_get(json_object_get(document, "bufferViews"), (size_t)json_integer_value(number));
    const json_t *buffer = json_array_get(json_object_get(document, "buffers"), 0);
    long total = (long)json_integer_value(json_object_get(buffer, "byteLength"));
    long offset = (long)json_integer_value(json_object_get(view, "byteOffset"));
    *size = (size_t)json_integer_value(json_object_get(view, "byteLength"));
    char path[256];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *f = fopen(path, "rb");
    ck_assert_ptr_nonnull(f);
    uint8_t *bytes = malloc(*size);
    // The block of bytes is the last chunk, which ends the file.
    ck_assert_int_eq(fseek(f, offset - (total + 3) / 4 * 4, SEEK_END), 0);
    ck_assert_uint_eq(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

// The attribute of the 24 vertices of a box.
static void readVertices(const char *name, const json_t *document, const json_t *attributes, const char *key,
                         float *values, size_t size)
{
    size_t accessor = (size_t)json_integer_value(json_object_get(attributes, key)), there;
    const json_t *all = json_object_get(document, "accessors");
    uint8_t *bytes = readView(name, document, json_object_get(json_array_get(all, accessor), "bufferView"), &there);
    ck_assert_uint_eq(there, size);
    memcpy(values, bytes, size);
    free(bytes);
}

// Every corner of a box is at a corner of its face's square of 128 texels: a column per axis, two rows for its ends.
static void checkPlaces(const char *name, const json_t *document, const json_t *attributes)
{
    float p[24][3], n[24][3], t[24][2];
    readVertices(name, document, attributes, "POSITION", &p[0][0], sizeof p);
    readVertices(name, document, attributes, "NORMAL", &n[0][0], sizeof n);
    readVertices(name, document, attributes, "TEXCOORD_0", &t[0][0], sizeof t);
    for (int i = 0; i < 24; i++) {
        int x = (int)(t[i][0] * SIDE), y = (int)(t[i][1] * SIDE / 2), axis = x / 128;
        ck_assert_msg(n[i][axis] == (y < 128 ? 1.0f : -1.0f), "vertex %d on the face at %d, %d", i, x, y);
        ck_assert_int_eq(x % 128, p[i][(axis + 1) % 3] > 0.0f ? 127 : 0);
        ck_assert_int_eq(y % 128, p[i][(axis + 2) % 3] > 0.0f ? 127 : 0);
    }
}

// An image of a file, as 0xRRGGBB; highest row first.
static void readImage(const char *name, const json_t *document, size_t image, unsigned colors[SIDE / 2][SIDE])
{
    const json_t *number = json_object_get(json_array_get(json_object_get(document, "images"), image), "bufferView");
    size_t size;
    uint8_t *bytes = readView(name, document, number, &size);
    static uint8_t rgb[SIDE / 2][SIDE][3];
    png_image png = {.version = PNG_IMAGE_VERSION};
    ck_assert(png_image_begin_read_from_memory(&png, bytes, size) != 0);
    png.format = PNG_FORMAT_RGB;
    ck_assert(png.width == SIDE && png.height == SIDE / 2);
    ck_assert(png_image_finish_read(&png, NULL, rgb, 0, NULL) != 0);
    free(bytes);
    for (int y = 0; y < SIDE / 2; y++) {
        for (int x = 0; x < SIDE; x++) {
            colors[y][x] = (unsigned)rgb[y][x][0] << 16 | (unsigned)rgb[y][x][1] << 8 | rgb[y][x][2];
        }
    }
}

static bool near(unsigned a, unsigned b)
{
    for (int shift = 0; shift < 24; shift += 8) {
        if (abs((int)(a >> shift & 255u) - (int)(b >> shift & 255u)) > 1) {
            return false;
        }
    }
    return true;
}

// Boxes have their patterns as textures: three dominoes, of which two are alike, and a checked box. A grey of 0.5 is
// 188 of 255, three tenths of it are 108; 0.55 of the way from the one to the other are 0.3075, which are 151.
START_TEST(exported_boxes_have_patterns)
{
    ctRunCommand("printf '%%s\\n' \"local g = {0.5, 0.5, 0.5}\" "
                 "\"for i, n in ipairs { 15, 15, 20 } do body { shape = box { size = {0.2, 1, 2} }, color = g, "
                 "pattern = 'domino', number = n, position = {i, 0, 0} } end\" "
                 "\"body { shape = box { size = {1.6, 1.6, 1.6} }, color = g, pattern = 'checker', "
                 "position = {0, 5, 0} }\" > $T/boxes.lua");
    expect(ctRunCommand("$CLATTER export $T/boxes.lua --out $T/boxes.glb --seconds 0.02"), 0, "4 bodies");
    expect(ctRunCommand("NODE_PATH=build/node_modules node tests/data/validate_gltf.js $T/boxes.glb"), 0,
           "errors 0, warnings 0, animations 1");
    json_t *boxes = readGlb("boxes.glb");
    ck_assert_uint_eq(json_array_size(json_object_get(boxes, "meshes")), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(boxes, "images")), 3);
    size_t i;
    json_t *mesh;
    json_array_foreach(json_object_get(boxes, "meshes"), i, mesh)
    {
        const json_t *first = json_array_get(json_object_get(mesh, "primitives"), 0);
        checkPlaces("boxes.glb", boxes, json_object_get(first, "attributes"));
    }
    static unsigned images[3][SIDE / 2][SIDE];
    for (i = 0; i < 3; i++) {
        readImage("boxes.glb", boxes, i, images[i]);
    }
    json_decref(boxes);
    const unsigned light = 0xbcbcbc, dark = 0x6c6c6c, half = 0x979797;
    // The upper half (z > 0, large rows) of the faces along x has the tens: one point in its middle, or two in corners.
    static const struct {
        int image, x, y;
        bool point;
    } points[] = {
        {0, 64, 96, true},  {0, 46, 87, false},  {0, 64, 32, true},   {0, 29, 14, true},   {0, 99, 14, true},
        {1, 64, 96, false}, {1, 29, 78, true},   {1, 99, 113, true},  {1, 99, 78, false},  {1, 64, 32, false},
        {0, 64, 224, true}, {1, 64, 224, false}, {0, 192, 96, false}, {0, 320, 32, false}, {0, 64, 63, true},
    };
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        unsigned color = images[points[k].image][points[k].y][points[k].x];
        ck_assert_msg(near(color, points[k].point ? dark : light), "image %d at %d, %d: %06x", points[k].image,
                      points[k].x, points[k].y, color);
    }
    // Squares of 0.2 m, which meet in the middle of a face; those on opposite faces are each other's opposite.
    ck_assert_msg(near(images[2][72][72], half), "%06x", images[2][72][72]);
    ck_assert_msg(near(images[2][72][56], light), "%06x", images[2][72][56]);
    ck_assert_msg(near(images[2][72][88], light), "%06x", images[2][72][88]);
    ck_assert_msg(near(images[2][200][72], light), "%06x", images[2][200][72]);
    ck_assert_msg(near(images[2][200][56], half), "%06x", images[2][200][56]);
}
END_TEST

static void setUp(void)
{
    ctTestFolder();
}

int main(void)
{
    Suite *suite = suite_create("export");
    TCase *tests = tcase_create("export");
    tcase_add_checked_fixture(tests, setUp, ctRemoveTestFolder);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, exports_are_valid);
    tcase_add_test(tests, exports_share_meshes_and_have_cameras_lights_and_patterns);
    tcase_add_test(tests, exported_boxes_have_patterns);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
