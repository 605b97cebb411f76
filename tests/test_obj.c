// Meshes: reading OBJ text, closed and convex or cut into convex parts, and every way to be refused.
#include "collision/memory.h"
#include "collision/shape.h"
#include "tests/fuzz/fuzz_obj.c" // the fuzz target, for the corpus below
#include "tests/support/random.h"
#include "tests/support/solid.h"
#include "tests/support/suite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- text --------------------------------------------------------------------------------------

typedef struct Text {
    char *data;
    size_t length, capacity;
} Text;

static void add(Text *t, const char *format, ...) CT_PRINTF(2, 3);

static void add(Text *t, const char *format, ...)
{
    char line[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (t->length + (size_t)n + 1 > t->capacity) {
        t->capacity = 2 * t->capacity + (size_t)n + 1000;
        t->data = realloc(t->data, t->capacity);
    }
    memcpy(t->data + t->length, line, (size_t)n + 1);
    t->length += (size_t)n;
}

static ctShape *read(const Text *t, bool decompose)
{
    ctError error = {ct_ok, ""};
    ctShape *s = ctShape_Obj(t->data, t->length, "test.obj", decompose, &error);
    ck_assert_msg(s != NULL, "%s", error.message);
    ck_assert_int_eq(error.status, ct_ok);
    return s;
}

static ctShape *readText(const char *text, bool decompose)
{
    Text t = {(char *)text, strlen(text), 0};
    return read(&t, decompose);
}

#define CUBE_VERTICES "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
#define CUBE_FACES "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"

static void assertUnitCube(ctShape *s)
{
    ck_assert_int_eq(s->type, ct_shapeHull);
    ck_assert_int_eq(s->u.hull.faceCount, 6);
    ck_assert_int_eq(s->u.hull.vertexCount, 8);
    ctAssertClose(s->unit.mass, 1.0, 1e-14);
    ctAssertClose(ctDistance(s->unit.center, ctV3(0.5, 0.5, 0.5)), 0.0, 1e-14);
    ctAssertClose(s->unit.inertia.cx.x, 1.0 / 6.0, 1e-14);
    ctShape_Release(s);
}

START_TEST(the_ways_to_write_a_cube)
{
    assertUnitCube(readText(CUBE_VERTICES CUBE_FACES, false));
    assertUnitCube(readText(CUBE_VERTICES CUBE_FACES, true));
    // Turned inside out as a whole.
    assertUnitCube(readText(CUBE_VERTICES "f 2 4 3 1\nf 7 8 6 5\nf 5 6 2 1\nf 4 8 7 3\nf 3 7 5 1\nf 6 8 4 2\n", false));
    // Comments, carriage returns, tabs, continued lines, no end of the last line, other statements, textures
    // and normals, colours and weights, faces before their vertices, unused vertices.
    assertUnitCube(
        readText("# a cube\r\nmtllib x.mtl\r\no cube\r\n\r\nv 0 0 0 1.0\r\nv\t1.0e0 0 0\r\nv 0 1 0 0.1 0.2 0.3\r\n"
                 "v 1 1 0 # corner\r\nv 0 0 1\r\n  v 1 0 \\\r\n 1\r\nv 0 1 1\r\nv 1 1 1\r\nv 9 9 9\r\n"
                 "vt 0 0\r\nvn 0 0 1\r\ns off\r\nusemtl m\r\nf 1/1/1 3/1/1 4/1 2//1\r\nf 5 6 8 7\r\n"
                 "f 1 2 \\\r\n 6 5\r\nf 3 7 8 4\r\nf 1 5 7 3\r\nf 2 4 8 6",
                 false));
    assertUnitCube(readText(CUBE_FACES CUBE_VERTICES, false));
    // Counted from the end.
    assertUnitCube(readText(CUBE_VERTICES "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8 -7 -3 -4\nf -6 -2 -1 -5\nf -8 -4 -2 -6\n"
                                          "f -7 -5 -1 -3\n",
                            false));
    // Triangles, and one side with corners along its edges.
    assertUnitCube(readText(
        CUBE_VERTICES "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", false));
    assertUnitCube(readText(
        CUBE_VERTICES "v 0.5 0 0\nf 1 3 4 2 9\nf 5 6 8 7\nf 1 9 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", false));
    // Each face with corners of its own.
    Text t = {0};
    const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++) {
        for (int k = 0; k < 4; k++) {
            int c = quads[f][k];
            add(&t, "v %d %d %s%d\n", c & 1, c >> 1 & 1, c & 4 ? "" : "-", c >> 2);
        }
        add(&t, "f -4 -3 -2 -1\n");
    }
    assertUnitCube(read(&t, false));
    free(t.data);
}
END_TEST

START_TEST(long_lines_and_large_meshes)
{
    Text t = {0};
    add(&t, "#");
    for (int i = 0; i < 20000; i++) {
        add(&t, " a megabyte of comment in a single line of text ...");
    }
    add(&t, "\n" CUBE_VERTICES);
    add(&t, "vt");
    for (int i = 0; i < 100000; i++) {
        add(&t, " 0.5      ");
    }
    add(&t, "\n" CUBE_FACES);
    ck_assert(t.length > 2000000);
    assertUnitCube(read(&t, false));
    free(t.data);
    // A prism whose ends have thousands of corners: exact mass, quickly.
    t = (Text){0};
    int n = ctTestCases(10000);
    for (int i = 0; i < n; i++) {
        double a = 2.0 * CT_PI * i / n;
        add(&t, "v %.17g %.17g 0\nv %.17g %.17g 1\n", cos(a), sin(a), cos(a), sin(a));
    }
    for (int i = 0; i < n; i++) {
        int k = (i + 1) % n;
        add(&t, "f %d %d %d %d\n", 2 * i + 1, 2 * k + 1, 2 * k + 2, 2 * i + 2);
    }
    for (int end = 0; end < 2; end++) {
        add(&t, "f");
        for (int i = 0; i < n; i++) {
            add(&t, " %d", end == 1 ? 2 * i + 2 : 2 * (n - 1 - i) + 1);
        }
        add(&t, "\n");
    }
    ctShape *s = read(&t, false);
    ctAssertClose(s->unit.mass, 0.5 * n * sin(2.0 * CT_PI / n), 1e-11);
    ctShape_Release(s);
    free(t.data);
}
END_TEST

// A sphere of triangles written with six decimals, at the poles as quads with two corners in one place.
START_TEST(sphere_with_doubled_poles)
{
    Text t = {0};
    int rings = 16, sectors = 24;
    for (int i = 0; i <= rings; i++) {
        for (int k = 0; k <= sectors; k++) {
            double a = CT_PI * i / rings, b = 2.0 * CT_PI * (k % sectors) / sectors;
            double r = i == 0 || i == rings ? 0.0 : sin(a);
            add(&t, "v %.6f %.6f %.6f\n", r * cos(b), r * sin(b), cos(a));
        }
    }
    for (int i = 0; i < rings; i++) {
        for (int k = 0; k < sectors; k++) {
            int a = i * (sectors + 1) + k + 1, b = a + sectors + 1;
            add(&t, "f %d %d %d %d\n", a, b, b + 1, a + 1);
        }
    }
    ctShape *s = read(&t, false);
    ck_assert_int_eq(s->u.hull.faceCount, rings * sectors); // warped by the digits, but flat enough
    ctAssertClose(s->unit.mass, 4.0 / 3.0 * CT_PI, 0.12);
    ctShape_Release(s);
    free(t.data);
}
END_TEST

// ---- decomposition -----------------------------------------------------------------------------

// A flat outline (counter-clockwise) raised to a height.
static void prism(Text *t, const double (*xy)[2], int n, double z0, double z1)
{
    for (int i = 0; i < n; i++) {
        add(t, "v %.17g %.17g %.17g\nv %.17g %.17g %.17g\n", xy[i][0], xy[i][1], z0, xy[i][0], xy[i][1], z1);
    }
    for (int i = 0; i < n; i++) {
        int k = (i + 1) % n;
        add(t, "f %d %d %d %d\n", 2 * i - 2 * n, 2 * k - 2 * n, 2 * k + 1 - 2 * n, 2 * i + 1 - 2 * n);
    }
    for (int end = 0; end < 2; end++) {
        add(t, "f");
        for (int i = 0; i < n; i++) {
            add(t, " %d", end == 1 ? 2 * i + 1 - 2 * n : 2 * (n - 1 - i) - 2 * n);
        }
        add(t, "\n");
    }
}

// Parts fill the mesh and nothing else: their volumes add up, no two overlap, and random points are in
// a part when the mesh's own depth (a function of the test) says so.
static void checkParts(const ctShape *s, double volume)
{
    double sum = 0.0;
    for (int i = 0; i < s->leafCount; i++) {
        sum += s->leaves[i].shape->unit.mass;
    }
    ctAssertClose(sum, volume, 1e-5 * volume);
    ctAssertClose(s->unit.mass, volume, 1e-12 * volume);
    ctRandom r = ctRandomSeed(3);
    int inside = 0, twice = 0, tries = ctTestCases(20000);
    for (int i = 0; i < tries; i++) {
        ctVec3 u = ctRandomVec3(&r, 0, 1), x = ctAdd(s->lo, ctMul(u, ctSub(s->hi, s->lo)));
        int in = 0;
        for (int k = 0; k < s->leafCount; k++) {
            in += ctSolidDepth(s->leaves[k].shape, x) > 1e-5 * s->size;
        }
        inside += in > 0;
        twice += in > 1;
    }
    ck_assert_int_eq(twice, 0);
    ctVec3 e = ctSub(s->hi, s->lo);
    ctAssertClose((double)inside / tries, volume / (e.x * e.y * e.z), 3.0 / sqrt(tries));
}

static ctShape *decomposed(Text *t, double volume, int fewest, int most)
{
    ctError error = {ct_ok, ""};
    ck_assert(ctShape_Obj(t->data, t->length, "test.obj", false, &error) == NULL);
    ck_assert_msg(strstr(error.message, "not convex") != NULL, "%s", error.message);
    ctShape *s = read(t, true);
    ck_assert_int_eq(s->type, ct_shapeCompound);
    ck_assert_msg(s->leafCount >= fewest && s->leafCount <= most, "%d parts", s->leafCount);
    checkParts(s, volume);
    free(t->data);
    *t = (Text){0};
    return s;
}

START_TEST(letters_and_stars)
{
    Text t = {0};
    const double ell[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
    prism(&t, ell, 6, 0, 0.5);
    ctShape *s = decomposed(&t, 4.0 * 0.5, 2, 2);
    ctAssertClose(s->unit.center.x, (3.0 * 1.5 + 1.0 * 0.5) / 4.0, 1e-13);
    ctAssertClose(s->unit.center.y, (3.0 * 0.5 + 1.0 * 1.5) / 4.0, 1e-13);
    ctShape_Release(s);
    const double u[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    prism(&t, u, 8, -1, 1);
    ctShape_Release(decomposed(&t, 5.0 * 2.0, 3, 3));
    const double plus[12][2] = {{1, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {2, 2},
                                {2, 3}, {1, 3}, {1, 2}, {0, 2}, {0, 1}, {1, 1}};
    prism(&t, plus, 12, 0, 1);
    ctShape_Release(decomposed(&t, 5.0, 3, 3));
    double star[10][2], area = 0.0;
    for (int i = 0; i < 10; i++) {
        double a = 0.2 * CT_PI * i, r = i % 2 ? 0.4 : 1.0;
        star[i][0] = r * cos(a);
        star[i][1] = r * sin(a);
    }
    for (int i = 0; i < 10; i++) {
        area += 0.5 * (star[i][0] * star[(i + 1) % 10][1] - star[i][1] * star[(i + 1) % 10][0]);
    }
    prism(&t, star, 10, 0, 1);
    ctShape_Release(decomposed(&t, area, 3, 8));
}
END_TEST

static void box(Text *t, ctVec3 lo, ctVec3 hi, bool inwards)
{
    for (int c = 0; c < 8; c++) {
        add(t, "v %.17g %.17g %.17g\n", c & 1 ? hi.x : lo.x, c & 2 ? hi.y : lo.y, c & 4 ? hi.z : lo.z);
    }
    const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int f = 0; f < 6; f++) {
        const int *q = quads[f];
        add(t, "f %d %d %d %d\n", q[inwards ? 3 : 0] - 8, q[inwards ? 2 : 1] - 8, q[inwards ? 1 : 2] - 8,
            q[inwards ? 0 : 3] - 8);
    }
}

START_TEST(hollow_and_parted_solids)
{
    // A room: a box with a box-shaped cavity.
    Text t = {0};
    box(&t, ctV3(0, 0, 0), ctV3(3, 3, 3), false);
    box(&t, ctV3(1, 1, 1), ctV3(2, 2, 2), true);
    ctShape_Release(decomposed(&t, 26.0, 6, 6));
    // Two boxes side by side in one file.
    box(&t, ctV3(0, 0, 0), ctV3(1, 1, 1), false);
    box(&t, ctV3(2, 0.5, 0), ctV3(3, 1, 2), false);
    ctShape_Release(decomposed(&t, 2.0, 2, 2));
}
END_TEST

static double torus(Text *t, int around, int across, double thick, int digits)
{
    ctSurfaceSum sum = {0};
    ctVec3 *p = malloc((size_t)(around * across) * sizeof *p);
    for (int i = 0; i < around; i++) {
        for (int k = 0; k < across; k++) {
            double a = 2.0 * CT_PI * i / around, b = 2.0 * CT_PI * (k + 0.3) / across;
            double r = 1.0 + thick * cos(b);
            add(t, "v %.*f %.*f %.*f\n", digits, r * cos(a), digits, r * sin(a), digits, thick * sin(b));
            p[i * across + k] = ctV3(r * cos(a), r * sin(a), thick * sin(b));
        }
    }
    for (int i = 0; i < around; i++) {
        for (int k = 0; k < across; k++) {
            int a = i * across + k, b = (i + 1) % around * across + k;
            int c = (i + 1) % around * across + (k + 1) % across, d = i * across + (k + 1) % across;
            add(t, "f %d %d %d %d\n", a + 1, b + 1, c + 1, d + 1);
            ctSurfaceSum_Add(&sum, p[a], p[b], p[c]);
            ctSurfaceSum_Add(&sum, p[a], p[c], p[d]);
        }
    }
    free(p);
    return sum.volume;
}

START_TEST(rings)
{
    Text t = {0};
    double volume = torus(&t, 12, 6, 0.3, 17);
    ctShape_Release(decomposed(&t, volume, 12, 12));
    volume = torus(&t, 24, 12, 0.2, 17); // and again with the digits of a file
    free(t.data);
    t = (Text){0};
    torus(&t, 24, 12, 0.2, 6);
    ctShape *s = read(&t, true);
    ctAssertClose(s->unit.mass, volume, 1e-5 * volume);
    ck_assert_int_eq(s->leafCount, 24);
    free(t.data);
    ctShape_Release(s);
}
END_TEST

START_TEST(too_intricate_is_said_in_time)
{
    // A dense field of spikes.
    Text t = {0};
    ctRandom g = ctRandomSeed(1);
    int n = 70;
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= n; k++) {
            bool rim = i == 0 || k == 0 || i == n || k == n;
            add(&t, "v %d %d %g\n", i, k, rim ? 1.0 : ctRandomUniform(&g, 1, 5));
        }
    }
    for (int i = 0; i <= n; i++) {
        for (int k = 0; k <= n; k++) {
            add(&t, "v %d %d 0\n", i, k);
        }
    }
    int m = n + 1, under = m * m;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            int a = i * m + k + 1, b = a + m, c = b + 1, d = a + 1;
            add(&t, "f %d %d %d\nf %d %d %d\nf %d %d %d %d\n", a, b, c, a, c, d, d + under, c + under, b + under,
                a + under);
        }
    }
    for (int i = 0; i < n; i++) {
        int w = i + 1, e = n * m + i + 1, s = i * m + 1, r = i * m + n + 1;
        add(&t, "f %d %d %d %d\n", w, w + 1, w + 1 + under, w + under);
        add(&t, "f %d %d %d %d\n", e + 1, e, e + under, e + 1 + under);
        add(&t, "f %d %d %d %d\n", s + m, s, s + under, s + m + under);
        add(&t, "f %d %d %d %d\n", r, r + m, r + m + under, r + under);
    }
    ctError error = {ct_ok, ""};
    ctShape *s = ctShape_Obj(t.data, t.length, "spikes.obj", true, &error);
    ck_assert(s == NULL);
    ck_assert_int_eq(error.status, ct_limit);
    ck_assert_msg(strstr(error.message, "spikes.obj: the mesh is too intricate") != NULL, "%s", error.message);
    free(t.data);
}
END_TEST

// ---- refusals ----------------------------------------------------------------------------------

START_TEST(bad_text_is_refused)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "bad.obj: no faces"},
        {"# nothing\n", "bad.obj: no faces"},
        {CUBE_VERTICES, "bad.obj: no faces"},
        {"v 0 0\n", "bad.obj:1: a vertex needs three numbers, not 2"},
        {"v 0 0 0\nv 0 1\\", "bad.obj:2: '1\\' is not a number"},
        {"\n\nv 0 zero 0\n", "bad.obj:3: 'zero' is not a number"},
        {"v 0 1.2.3 0\n", "bad.obj:1: '1.2.3' is not a number"},
        {"v 0 nan 0\n", "bad.obj:1: nan is not a coordinate"},
        {"v 0 1e999 0\n", "bad.obj:1: inf is not a coordinate"},
        {"v 0 1e12 0\n", "bad.obj:1: 1e+12 is not a coordinate"},
        {"v 0,5 1 1\n", "bad.obj:1: '0,5' is not a number"},
        {CUBE_VERTICES "f 1 2\n", "bad.obj:9: a face needs at least three corners, not 2"},
        {CUBE_VERTICES "f\n", "bad.obj:9: a face needs at least three corners, not 0"},
        {CUBE_VERTICES "f 1 2 9\n", "bad.obj:9: there is no vertex 9, only 8"},
        {CUBE_VERTICES "f 1 2 0\n", "bad.obj:9: there is no vertex 0"},
        {CUBE_VERTICES "f 1 2 -9\n", "bad.obj:9: there is no vertex -9"},
        {CUBE_VERTICES "f 1 2 99999999999999999999\n", "bad.obj:9: there is no vertex 1000000000, only 8"},
        {CUBE_VERTICES "f 1 2 -99999999999999999999\n", "bad.obj:9: there is no vertex -1000000000"},
        {CUBE_VERTICES "f 1 2 x\n", "bad.obj:9: 'x' is not a corner of a face"},
        {CUBE_VERTICES "f 1 2 3/a\n", "bad.obj:9: '3/a' is not a corner"},
        {CUBE_VERTICES "f 1 2 3/1/1/1\n", "bad.obj:9: '3/1/1/1' is not a corner"},
        {CUBE_VERTICES "f 1 2 3.5\n", "bad.obj:9: '3.5' is not a corner"},
        {CUBE_VERTICES "f 1 1 2\n", "bad.obj:9: the face has fewer than three different corners"},
        {CUBE_VERTICES "f 1 2 1 3\n", "bad.obj:9: the face comes to the same corner twice"},
        {CUBE_VERTICES "v 2 0 0\nf 1 2 9\n", "bad.obj:10: the face has no area"},
        {CUBE_VERTICES "f 1 2 3\n", "bad.obj:9: the edge from"},
        {CUBE_VERTICES "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\n", "has a face on one side only"},
        {CUBE_VERTICES "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 6 8 4 2\n", "turned different ways"},
        {CUBE_VERTICES CUBE_FACES "f 1 3 4 2\n", "more than two faces"},
        {CUBE_VERTICES "f 1 2 4\nf 4 2 1\n", "no volume"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e-12 1e-12 1e-12\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", "no volume"},
        {"solid ascii\n", "bad.obj:1: this is not a statement"},
        {"\x89PNG\r\n\x1a\n", "bad.obj:1: this is not a statement"},
        {CUBE_VERTICES "f 1 4 3 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", "bad.obj:"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (int decompose = 0; decompose < 2; decompose++) {
            ctError error = {ct_ok, ""};
            ctShape *s = ctShape_Obj(bad[i].text, strlen(bad[i].text), "bad.obj", decompose == 1, &error);
            ck_assert_msg(s == NULL, "accepted: %s", bad[i].says);
            ck_assert_int_eq(error.status, ct_badArgument);
            ck_assert_msg(strstr(error.message, bad[i].says) != NULL, "\"%s\" does not say \"%s\"", error.message,
                          bad[i].says);
            ck_assert(ctShape_Obj(bad[i].text, strlen(bad[i].text), NULL, false, NULL) == NULL);
        }
    }
    ctError error;
    ck_assert(ctShape_Obj(NULL, 0, "bad.obj", false, &error) == NULL);
    // A word, and a name, of a megabyte.
    char *long1 = malloc(1000001), *long2 = malloc(1000001);
    memset(long1, '1', 1000000);
    memset(long2, 'n', 1000000);
    long1[1000000] = long2[1000000] = '\0';
    memcpy(long1, "v 0 0 ", 6);
    ck_assert(ctShape_Obj(long1, 1000000, long2, false, &error) == NULL);
    ck_assert_msg(strstr(error.message, ":1: '111111111111111111111111' is not a number") != NULL, "%s", error.message);
    free(long1);
    free(long2);
}
END_TEST

START_TEST(short_memory_is_survived)
{
    Text ell = {0};
    const double xy[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
    prism(&ell, xy, 6, 0, 0.5);
    ctFailingMemory memory = {0, 0, 0};
    ctSetAllocator(ctFailingRealloc, &memory);
    for (int decompose = 0; decompose < 2; decompose++) {
        const char *text = decompose ? ell.data : CUBE_VERTICES CUBE_FACES;
        long calls = 0;
        for (long fail = 0; fail <= calls; fail++) {
            memory.calls = 0;
            memory.failAt = fail;
            ctError error = {ct_ok, ""};
            ctShape *s = ctShape_Obj(text, strlen(text), "test.obj", decompose == 1, &error);
            if (fail == 0) {
                ck_assert_msg(s != NULL, "%s", error.message);
                calls = memory.calls;
            } else {
                ck_assert_msg(s == NULL, "survived the failure of allocation %ld of %ld", fail, calls);
                ck_assert_int_eq(error.status, ct_outOfMemory);
            }
            ctShape_Release(s);
            ck_assert_msg(memory.alive == 0, "leaks when allocation %ld fails", fail);
        }
    }
    ctSetAllocator(NULL, NULL);
    free(ell.data);
}
END_TEST

// Good meshes with a few bytes changed, cut short, or run together.
START_TEST(damaged_text)
{
    Text seeds[4] = {{0}};
    add(&seeds[0], CUBE_VERTICES CUBE_FACES);
    const double u[8][2] = {{0, 0}, {3, 0}, {3, 2}, {2, 2}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    prism(&seeds[1], u, 8, -1, 1);
    torus(&seeds[2], 5, 4, 0.4, 3);
    add(&seeds[3], "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf -2 -4 -1\n");
    const char alphabet[] = "0123456789.-e/ \n\\#vf";
    ctRandom r = ctRandomSeed(99);
    for (int i = 0; i < ctTestCases(1500); i++) {
        Text *seed = &seeds[i % 4];
        size_t size = seed->length;
        uint8_t *copy = malloc(size);
        memcpy(copy, seed->data, size);
        for (int k = ctRandomInt(&r, 1, 4); k > 0; k--) {
            copy[ctRandomInt(&r, 0, (int)size - 1)] =
                i % 8 == 0 ? (uint8_t)ctRandomBits(&r) : (uint8_t)alphabet[ctRandomInt(&r, 0, 19)];
        }
        if (i % 16 == 0) {
            size = (size_t)ctRandomInt(&r, 0, (int)size);
        }
        LLVMFuzzerTestOneInput(copy, size);
        free(copy);
    }
    for (int i = 0; i < 4; i++) {
        free(seeds[i].data);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("obj");
    TCase *reading = tcase_create("reading");
    tcase_add_test(reading, the_ways_to_write_a_cube);
    tcase_add_test(reading, long_lines_and_large_meshes);
    tcase_add_test(reading, sphere_with_doubled_poles);
    suite_add_tcase(suite, reading);
    TCase *parts = tcase_create("parts");
    tcase_add_test(parts, letters_and_stars);
    tcase_add_test(parts, hollow_and_parted_solids);
    tcase_add_test(parts, rings);
    tcase_add_test(parts, too_intricate_is_said_in_time);
    suite_add_tcase(suite, parts);
    TCase *refuse = tcase_create("refusals");
    tcase_add_test(refuse, bad_text_is_refused);
    tcase_add_test(refuse, short_memory_is_survived);
    tcase_add_test(refuse, damaged_text);
    suite_add_tcase(suite, refuse);
    return ctRunSuite(suite);
}
