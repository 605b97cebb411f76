// Exports of scenes: valid, small, and as the pictures show them.
#include "collision/vec3.h"
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <jansson.h>
#include <math.h>
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
    ck_assert_uint_eq(colored, 0); // textures carry all patterns
    ck_assert_uint_ge(json_array_size(json_object_get(pool, "images")), 16);
    json_decref(pool);
    expect(ctRunCommand("NODE_PATH=build/node_modules node tests/data/validate_gltf.js $T/pool.glb"), 0,
           "errors 0, warnings 0, animations 1");
}
END_TEST

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

// A mesh of a file with its texture.
typedef struct skin {
    float *positions, *normals, *places;
    uint32_t *indices;
    size_t triangles;
    uint8_t *rgb;
    int width, height;
} skin;

static void *readAccessor(const char *name, const json_t *document, const json_t *number, size_t *size)
{
    const json_t *all = json_object_get(document, "accessors");
    const json_t *accessor = json_array_get(all, (size_t)json_integer_value(number));
    return readView(name, document, json_object_get(accessor, "bufferView"), size);
}

static const json_t *itemOf(const json_t *document, const char *list, const json_t *number)
{
    return json_array_get(json_object_get(document, list), (size_t)json_integer_value(number));
}

static void readTexture(const char *name, const json_t *document, const json_t *material, skin *s)
{
    const json_t *look = json_object_get(itemOf(document, "materials", material), "pbrMetallicRoughness");
    const json_t *texture = json_object_get(json_object_get(look, "baseColorTexture"), "index");
    const json_t *source = json_object_get(itemOf(document, "textures", texture), "source");
    size_t size;
    uint8_t *png = readView(name, document, json_object_get(itemOf(document, "images", source), "bufferView"), &size);
    png_image image = {.version = PNG_IMAGE_VERSION};
    ck_assert(png_image_begin_read_from_memory(&image, png, size) != 0);
    image.format = PNG_FORMAT_RGB;
    s->width = (int)image.width;
    s->height = (int)image.height;
    s->rgb = malloc(PNG_IMAGE_SIZE(image));
    ck_assert(png_image_finish_read(&image, NULL, s->rgb, 0, NULL) != 0);
    free(png);
}

static skin readSkin(const char *name, const json_t *document, size_t mesh)
{
    const json_t *all = json_object_get(json_array_get(json_object_get(document, "meshes"), mesh), "primitives");
    const json_t *primitive = json_array_get(all, 0), *attributes = json_object_get(primitive, "attributes");
    skin s;
    size_t size;
    s.positions = readAccessor(name, document, json_object_get(attributes, "POSITION"), &size);
    s.normals = readAccessor(name, document, json_object_get(attributes, "NORMAL"), &size);
    s.places = readAccessor(name, document, json_object_get(attributes, "TEXCOORD_0"), &size);
    s.indices = readAccessor(name, document, json_object_get(primitive, "indices"), &size);
    s.triangles = size / 12;
    readTexture(name, document, json_object_get(primitive, "material"), &s);
    return s;
}

static void freeSkin(skin *s)
{
    free(s->positions);
    free(s->normals);
    free(s->places);
    free(s->indices);
    free(s->rgb);
}

static ctVec3 vectorAt(const float *values, uint32_t index)
{
    return ctV3((double)values[3 * index], (double)values[3 * index + 1], (double)values[3 * index + 2]);
}

// The weights of a triangle's corners at the point of its plane next to p; false when that is outside.
static bool weigh(const ctVec3 c[3], ctVec3 p, double w[3])
{
    ctVec3 n = ctCross(ctSub(c[1], c[0]), ctSub(c[2], c[0]));
    for (int k = 0; k < 3; k++) {
        ctVec3 a = c[(k + 1) % 3], b = c[(k + 2) % 3];
        w[k] = ctDot(ctCross(ctSub(b, a), ctSub(p, a)), n) / ctDot(n, n);
        if (w[k] < -0.05) { // a little: the planes of neighbours leave gaps outside a round surface
            return false;
        }
    }
    return true;
}

// The colour of a mesh at a point of its surface where that is its normal, as 0xRRGGBB.
static unsigned colorAt(const skin *s, ctVec3 p, ctVec3 normal)
{
    double least = 1e30;
    unsigned color = 0;
    for (size_t t = 0; t < s->triangles; t++) {
        const uint32_t *v = s->indices + 3 * t;
        const ctVec3 c[3] = {vectorAt(s->positions, v[0]), vectorAt(s->positions, v[1]), vectorAt(s->positions, v[2])};
        double w[3], x = 0.0, y = 0.0, away;
        ctVec3 n = {0.0, 0.0, 0.0}, q = {0.0, 0.0, 0.0};
        if (!weigh(c, p, w)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            n = ctMulAdd(n, w[k], vectorAt(s->normals, v[k]));
            q = ctMulAdd(q, w[k], c[k]);
            x += w[k] * (double)s->places[2 * v[k]];
            y += w[k] * (double)s->places[2 * v[k] + 1];
        }
        away = ctDistance(p, q);
        if (ctDot(n, normal) > 0.8 && away < least) {
            least = away;
            int column = (int)((x - floor(x)) * s->width), row = (int)((y - floor(y)) * s->height);
            const uint8_t *texel = s->rgb + 3 * (row * s->width + column);
            color = (unsigned)texel[0] << 16 | (unsigned)texel[1] << 8 | texel[2];
        }
    }
    ck_assert_msg(least < 0.02, "no surface at (%g, %g, %g)", p.x, p.y, p.z);
    return color;
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

// A grey of 0.5 is 188 of 255, three tenths of it are 108; 0.55 of the way from the one to the other are 0.3075, which
// are 151; 0.55 of it, the dark squares of a floor, are 143.
enum { GREY = 0xbcbcbc, OTHER = 0x6c6c6c, HALF = 0x979797, SQUARE = 0x8f8f8f, WHITE = 0xf1f0eb, BLACK = 0x272727 };
enum { RED_MARK = 0xdb614f };

typedef struct probe {
    size_t mesh;
    ctVec3 point, normal;
    unsigned color;
} probe;

static void checkProbes(const char *name, const json_t *document, const probe *probes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        skin s = readSkin(name, document, probes[i].mesh);
        unsigned color = colorAt(&s, probes[i].point, probes[i].normal);
        freeSkin(&s);
        ck_assert_msg(near(color, probes[i].color), "probe %d: %06x, not %06x", (int)i, color, probes[i].color);
    }
}

// Three dominoes, of which two are alike, and a checked box.
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
    const ctVec3 x = {1, 0, 0}, back = {-1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    // The upper half of the faces along x has the tens: one point in its middle, or two in corners.
    const probe probes[] = {
        {0, {0.1, 0.0, 0.5}, x, OTHER},
        {0, {0.1, -0.14, 0.36}, x, GREY},
        {0, {0.1, 0.0, -0.5}, x, OTHER},
        {0, {0.1, -0.275, -0.775}, x, OTHER},
        {0, {0.1, 0.275, -0.775}, x, OTHER},
        {0, {0.1, 0.1, 0.0}, x, OTHER},
        {0, {-0.1, 0.0, 0.5}, back, OTHER},
        {0, {0.05, 0.5, 0.5}, y, GREY},
        {0, {0.0, 0.0, 1.0}, z, GREY},
        {1, {0.1, 0.0, 0.5}, x, GREY},
        {1, {0.1, -0.275, 0.225}, x, OTHER},
        {1, {0.1, 0.275, 0.775}, x, OTHER},
        {1, {0.1, 0.275, 0.225}, x, GREY},
        {1, {0.1, 0.0, -0.5}, x, GREY},
        {1, {-0.1, 0.0, 0.5}, back, GREY},
        // Squares of 0.2 m, which meet in the middle of a face; those on opposite faces are each other's opposite.
        {2, {0.8, 0.1, 0.1}, x, HALF},
        {2, {0.8, -0.1, 0.1}, x, GREY},
        {2, {0.8, 0.3, 0.1}, x, GREY},
        {2, {-0.8, 0.1, 0.1}, back, GREY},
        {2, {-0.8, -0.1, 0.1}, back, HALF},
    };
    checkProbes("boxes.glb", boxes, probes, sizeof probes / sizeof *probes);
    json_decref(boxes);
}
END_TEST

// A numbered ball, a disc with rings, a floor with squares of a metre.
START_TEST(exported_balls_discs_and_planes_have_patterns)
{
    ctRunCommand("printf '%%s\\n' \"local g = {0.5, 0.5, 0.5}\" "
                 "\"scene { camera = { eye = {0, -8, 0}, target = {0, 0, 0} } }\" "
                 "\"body { shape = sphere { radius = 1 }, color = g, pattern = 'ball', number = 9 }\" "
                 "\"body { shape = cylinder { radius = 1, height = 0.5 }, color = g, pattern = 'rings', "
                 "position = {0, 5, 0} }\" "
                 "\"body { shape = plane { normal = {0, 0, 1}, offset = -2 }, color = g, pattern = 'checker' }\" "
                 "> $T/round.lua");
    expect(ctRunCommand("$CLATTER export $T/round.lua --out $T/round.glb --seconds 0.02"), 0, "3 bodies");
    expect(ctRunCommand("NODE_PATH=build/node_modules node tests/data/validate_gltf.js $T/round.glb"), 0,
           "errors 0, warnings 0, animations 1");
    json_t *round = readGlb("round.glb");
    const ctVec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    const probe probes[] = {
        // The strokes of a 9 around the end of the x axis: that in the middle, that at the upper left, none below it.
        {0, {1.0, 0.0, 0.0}, x, BLACK},         {0, {0.99187, 0.09, -0.09}, x, BLACK},
        {0, {0.99187, -0.09, -0.09}, x, WHITE}, {0, {0.99187, -0.09, 0.09}, x, BLACK},
        {0, {0.91652, 0.0, 0.4}, x, WHITE},     {0, {0.0, 0.0, 1.0}, z, GREY}, // its band
        {0, {0.0, 1.0, 0.0}, y, WHITE},         {1, {0.0, 0.1, 0.25}, z, GREY},
        {1, {0.0, 0.3, 0.25}, z, HALF},         {1, {0.5, 0.0, 0.25}, z, RED_MARK},
        {2, {0.5, 0.5, -2.0}, z, GREY},         {2, {1.5, 0.5, -2.0}, z, SQUARE},
        {2, {-0.5, 0.5, -2.0}, z, SQUARE},      {2, {-0.5, -6.5, -2.0}, z, GREY},
    };
    checkProbes("round.glb", round, probes, sizeof probes / sizeof *probes);
    json_decref(round);
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
    tcase_add_test(tests, exported_balls_discs_and_planes_have_patterns);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
