// The renderer, drawn for real without a display: meshes against the solids they stand for, pictures against
// projections by hand.
#include "collision/memory.h"
#include "collision/mesh.h"
#include "collision/shape.h"
#include "render/draw/gl_util.h"
#include "render/draw/renderer.h"
#include "render/files/png_write.h"
#include "render/window/window.h"
#include "tests/support/suite.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A pin's outline, concave at the neck.
static const double pinR[] = {0.026, 0.036, 0.057, 0.0605, 0.045, 0.0235, 0.0242, 0.032, 0.029, 0.014, 0.0};
static const double pinZ[] = {0.0, 0.019, 0.086, 0.114, 0.184, 0.254, 0.267, 0.343, 0.364, 0.381, 0.384};

static ctShape *shapeOf(int kind)
{
    static const ctVec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0.2, 0.7, 1.4}};
    switch (kind) {
    case 0:
        return ctShape_Sphere(0.4, NULL);
    case 1:
        return ctShape_Box(ctV3(0.3, 0.5, 0.9), NULL);
    case 2:
        return ctShape_Cylinder(0.4, 0.1, NULL);
    case 3:
        return ctShape_Capsule(0.2, 0.7, NULL);
    case 4:
        return ctShape_Cone(0.4, 0.8, NULL);
    case 5:
        return ctShape_Ellipsoid(ctV3(0.2, 0.3, 0.5), NULL);
    case 6:
        return ctShape_Hull(corners, 6, NULL);
    case 7:
        return ctShape_Lathe(pinR, pinZ, (int)(sizeof pinR / sizeof *pinR), NULL);
    default:
        return NULL;
    }
}

enum { shapeKinds = 8 };

static ctVec3 vertexOf(const ctMesh *mesh, uint32_t index)
{
    const float *p = mesh->vertices[index].position;
    return ctV3(p[0], p[1], p[2]);
}

// The volume enclosed, by the divergence theorem: right only when the surface is closed and wound outwards.
static double volumeOf(const ctMesh *mesh)
{
    double volume = 0.0;
    for (int i = 0; i < mesh->indexCount; i += 3) {
        ctVec3 a = vertexOf(mesh, mesh->indices[i]), b = vertexOf(mesh, mesh->indices[i + 1]),
               c = vertexOf(mesh, mesh->indices[i + 2]);
        volume += ctDot(a, ctCross(b, c)) / 6.0;
    }
    return volume;
}

START_TEST(meshes_enclose_the_volume_of_their_solid)
{
    for (int kind = 0; kind < shapeKinds; kind++) {
        ctShape *shape = shapeOf(kind);
        ck_assert_ptr_nonnull(shape);
        double coarse = 0.0;
        for (int segments = 24; segments <= 96; segments *= 4) {
            ctMesh mesh;
            ck_assert(ctMesh_FromShape(&mesh, shape, segments, NULL));
            double off = fabs(volumeOf(&mesh) / shape->unit.mass - 1.0);
            if (segments == 24) {
                coarse = off;
            } else {
                // Flat solids are exact to float; curved ones converge with the square of the cut.
                ck_assert_msg(off < 2e-3 && (off < coarse / 8.0 || off < 2e-4), "kind %d: volume off by %g, %g", kind,
                              coarse, off);
            }
            ctMesh_Free(&mesh);
        }
        ctShape_Release(shape);
    }
}
END_TEST

START_TEST(mesh_vertices_lie_on_the_surface_with_outward_normals)
{
    for (int kind = 0; kind < shapeKinds; kind++) {
        ctShape *shape = shapeOf(kind);
        ctMesh mesh;
        ck_assert(ctMesh_FromShape(&mesh, shape, 48, NULL));
        for (int i = 0; i < mesh.vertexCount; i++) {
            ctVec3 p = vertexOf(&mesh, (uint32_t)i);
            const float *f = mesh.vertices[i].normal;
            ctVec3 n = ctV3(f[0], f[1], f[2]);
            ctAssertClose(ctLength(n), 1.0, 1e-5);
            // A ray from just outside, back along the normal, meets the surface at the vertex.
            double t = -1.0;
            ctVec3 hit;
            ctVec3 start = ctMulAdd(p, 0.01 * shape->size, n), inwards = ctScale(-1.0, n);
            bool found = ctShape_RayCast(shape, start, inwards, shape->size, &t, &hit);
            ck_assert_msg(found || kind == 4 || kind == 6 || kind == 7 || kind == 2 || kind == 1,
                          "kind %d: vertex %d floats", kind, i);
            if (found) {
                ck_assert_msg(fabs(t - 0.01 * shape->size) < 3e-3 * shape->size, "kind %d: vertex %d is %g off", kind,
                              i, t - 0.01 * shape->size);
            }
        }
        ctMesh_Free(&mesh);
        ctShape_Release(shape);
    }
}
END_TEST

// ---- pictures ---------------------------------------------------------------------------------

typedef struct studio {
    ctWindow window;
    ctRenderer *renderer;
    int width, height;
    uint8_t *rgb;
} studio;

static void openStudio(studio *s, int width, int height)
{
    ctError error = {0};
    ck_assert_msg(ctWindow_Open(&s->window, "test", 64, 64, true, true, &error), "%s", error.message);
    s->renderer = ctRenderer_Create(&error);
    ck_assert_msg(s->renderer != NULL, "%s", error.message);
    ck_assert_msg(ctRenderer_SetSize(s->renderer, width, height, 4, &error), "%s", error.message);
    s->width = width;
    s->height = height;
    s->rgb = malloc((size_t)width * (size_t)height * 3);
    ck_assert_ptr_nonnull(s->rgb);
}

static void closeStudio(studio *s)
{
    ck_assert_int_eq(ctGl_ErrorCount(), 0);
    free(s->rgb);
    ctRenderer_Destroy(s->renderer);
    ctWindow_Close(&s->window);
}

// Keeps a picture to look at where CT_PICTURES names a folder.
static void keepPicture(const studio *s, const char *name)
{
    const char *folder = getenv("CT_PICTURES");
    if (folder != NULL) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.png", folder, name);
        ck_assert(ctPng_Write(path, s->width, s->height, s->rgb, true, 6, NULL));
    }
}

START_TEST(a_ball_is_drawn_where_it_projects)
{
    studio s;
    openStudio(&s, 320, 240);
    ctShape *ball = ctShape_Sphere(0.1, NULL);
    ctDrawShape draw;
    ck_assert(ctRenderer_AddShape(s.renderer, ball, &draw, NULL));
    const ctVec3 places[] = {{0, 0, 0}, {0.5, 0.2, 0.3}, {-0.4, 0.6, -0.2}, {0.3, -0.9, 0.4}};
    ctView view = {{1.0, -3.0, 1.0}, {0, 0, 0}, 40.0, 0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        ctLook red = {.color = {1.0, 0.0, 0.0}, .pattern = ct_patternPlain};
        ctRenderer_Begin(s.renderer, &view, 0.5, 2.0);
        ctRenderer_AddBody(s.renderer, draw, ctTransformOf(places[i], ctQuatIdentity()), red, 0);
        ck_assert(ctRenderer_End(s.renderer, NULL));
        ctRenderer_Read(s.renderer, s.rgb);
        double sx = 0.0, sy = 0.0, n = 0.0;
        for (int y = 0; y < s.height; y++) {
            for (int x = 0; x < s.width; x++) {
                const uint8_t *p = s.rgb + 3 * (y * s.width + x);
                if (p[0] > p[1] + 60 && p[0] > p[2] + 60) {
                    sx += x + 0.5;
                    sy += y + 0.5;
                    n += 1.0;
                }
            }
        }
        double px, py, aspect = (double)s.width / s.height;
        ck_assert(ctView_Project(&view, aspect, places[i], &px, &py));
        double away = ctDistance(view.eye, places[i]);
        double radius = 0.1 / away / tan(20.0 * CT_PI / 180.0) * 0.5 * s.height;
        ck_assert_msg(n > 0.8 * CT_PI * radius * radius && n < 1.25 * CT_PI * radius * radius, "%g pixels, radius %g",
                      n, radius);
        ctAssertClose(sx / n, (px + 1.0) * 0.5 * s.width, 1.0);
        ctAssertClose(sy / n, (py + 1.0) * 0.5 * s.height, 1.0);
        // And the ray through that pixel finds it again.
        ctRay ray = ctView_GetRay(&view, aspect, px, py);
        ctAssertClose(ctDistance(ctMulAdd(ray.origin, away, ray.direction), places[i]), 0.0, 1e-12);
    }
    ctShape_Release(ball);
    closeStudio(&s);
}
END_TEST

// Everything is moved by `at`.
static void drawGallery(studio *s, ctView view, ctVec3 at)
{
    view.eye = ctAdd(view.eye, at);
    view.target = ctAdd(view.target, at);
    ctRenderer_Begin(s->renderer, &view, 0.5, 6.0);
    ctLook floor = {.color = {0.55, 0.56, 0.58}, .pattern = ct_patternPlain};
    ctRenderer_AddGround(s->renderer, ctV3(0, 0, 1), at.z, floor);
    static const ctVec3 colors[] = {{0.75, 0.1, 0.08}, {0.1, 0.3, 0.7},  {0.85, 0.6, 0.15}, {0.1, 0.5, 0.2},
                                    {0.5, 0.15, 0.5},  {0.1, 0.5, 0.55}, {0.8, 0.4, 0.1},   {0.85, 0.85, 0.82}};
    for (int kind = 0; kind < shapeKinds; kind++) {
        ctShape *shape = shapeOf(kind);
        ctDrawShape draw;
        ck_assert(ctRenderer_AddShape(s->renderer, shape, &draw, NULL));
        for (int row = 0; row < 9; row++) {
            ctLook look = {.color = colors[kind], .pattern = (ctPattern)row};
            ctVec3 p = ctV3((kind - 3.5) * 1.1, (row - 4) * 1.1, -shape->lo.z);
            ctQuat q = ctQuatExp(ctV3(0.0, 0.0, 0.5 * row));
            int state = row == 8 ? ct_stateSelected : row == 7 && kind != 7 ? ct_stateAsleep : 0;
            ctRenderer_AddBody(s->renderer, draw, ctTransformOf(ctAdd(at, p), q), look, state);
        }
        ctShape_Release(shape);
    }
    ctColor orange = {1.0f, 0.5f, 0.1f, 1.0f};
    ctVec3 middle = ctAdd(at, ctV3(0, 0, 1.5)), end = ctAdd(at, ctV3(0, 0, 1.8));
    ctRenderer_AddLine(s->renderer, at, middle, 3.0f, 3.0f, orange);
    ctRenderer_AddLine(s->renderer, middle, end, 14.0f, 0.0f, orange);
    ctRenderer_AddLine(s->renderer, at, at, 9.0f, 9.0f, orange);
    ck_assert(ctRenderer_End(s->renderer, NULL));
}

START_TEST(two_frames_are_equal_and_the_pipelined_read_agrees)
{
    studio s;
    openStudio(&s, 960, 540);
    size_t size = (size_t)s.width * (size_t)s.height * 3;
    uint8_t *other = malloc(size);
    ctView view = {{6.0, -8.0, 5.0}, {0, 0, 0.2}, 40.0, 0.0, 0.0};
    drawGallery(&s, view, (ctVec3){0});
    ctRenderer_StartRead(s.renderer);
    ctRenderer_Read(s.renderer, s.rgb);
    keepPicture(&s, "gallery");
    drawGallery(&s, view, (ctVec3){0});
    ctRenderer_StartRead(s.renderer);
    for (int i = 0; i < 2; i++) {
        ck_assert(ctRenderer_FinishRead(s.renderer, other));
        ck_assert_int_eq(memcmp(s.rgb, other, size), 0);
    }
    ck_assert(!ctRenderer_FinishRead(s.renderer, other));
    view = (ctView){{1.2, -6.5, 2.0}, {0, -3.0, 0.3}, 35.0, 0.0, 0.0};
    drawGallery(&s, view, (ctVec3){0});
    ctRenderer_Read(s.renderer, s.rgb);
    keepPicture(&s, "gallery_near");
    ck_assert_int_ne(memcmp(s.rgb, other, size), 0);
    free(other);
    closeStudio(&s);
}
END_TEST

// The number of bytes that differ by more than so many levels.
static int differences(const uint8_t *a, const uint8_t *b, size_t size, int levels)
{
    int count = 0;
    for (size_t i = 0; i < size; i++) {
        count += abs(a[i] - b[i]) > levels;
    }
    return count;
}

// Far from the world's origin single precision has steps of decimetres.
START_TEST(a_scene_far_away_looks_the_same)
{
    studio s;
    openStudio(&s, 480, 270);
    size_t size = (size_t)s.width * (size_t)s.height * 3;
    uint8_t *home = malloc(size);
    const ctView view = {{6.0, -8.0, 5.0}, {0, 0, 0.2}, 40.0, 0.0, 0.0};
    for (int shadows = 0; shadows < 2; shadows++) {
        ctRenderer_SetShadows(s.renderer, shadows == 1);
        drawGallery(&s, view, (ctVec3){0});
        ctRenderer_Read(s.renderer, home);
        drawGallery(&s, view, ctV3(1e6, -2e6, 5e5));
        ctRenderer_Read(s.renderer, s.rgb);
        keepPicture(&s, "far_away");
        // the texels of the shadow map have other places on the bodies
        int most = shadows == 1 ? (int)(size / 100) : 100, count = differences(home, s.rgb, size, 8);
        ck_assert_msg(count <= most, "%d of %zu", count, size);
    }
    free(home);
    closeStudio(&s);
}
END_TEST

START_TEST(a_body_casts_a_shadow_on_the_ground)
{
    studio s;
    openStudio(&s, 200, 200);
    ctShape *ball = ctShape_Sphere(0.3, NULL);
    ctDrawShape draw;
    ck_assert(ctRenderer_AddShape(s.renderer, ball, &draw, NULL));
    ctLook grey = {.color = {0.6, 0.6, 0.6}, .pattern = ct_patternPlain};
    ctView view = {{0.0, -1.0, 6.0}, {0, 0, 0}, 40.0, 0.0, 0.0};
    double darkest[2];
    for (int i = 0; i < 2; i++) {
        ctRenderer_Begin(s.renderer, &view, 100.0, 3.0);
        ctRenderer_AddGround(s.renderer, ctV3(0, 0, 1), 0.0, grey);
        if (i == 1) { // out of the picture to the sunny side and high, its shadow in the middle of it
            ctVec3 up = ctScale(4.5 / 0.76, ctV3(-0.48, -0.44, 0.76));
            ctRenderer_AddBody(s.renderer, draw, ctTransformOf(up, ctQuatIdentity()), grey, 0);
        }
        ck_assert(ctRenderer_End(s.renderer, NULL));
        ctRenderer_Read(s.renderer, s.rgb);
        const uint8_t *p = s.rgb + 3 * (100 * 200 + 104);
        darkest[i] = p[0];
    }
    ck_assert_msg(darkest[1] < 0.85 * darkest[0], "lit %g, in shadow %g", darkest[0], darkest[1]);
    ctShape_Release(ball);
    closeStudio(&s);
}
END_TEST

// What a ball hides of the sky: at x (m) from the point below its middle, c / (x^2 + c^2)^(3/2) in radii, half of which
// darkens; it fades out towards 2.4 radii.
static double darkening(double radius, double height, double x)
{
    double u = x / radius, c = height / radius, d2 = u * u + c * c;
    return u < 2.4 ? 1.0 - 0.5 * fmin(c / (d2 * sqrt(d2)), 1.0) * (1.0 - u * u / 5.76) : 1.0;
}

START_TEST(a_ball_shades_the_surface_below_it_and_nothing_beyond_its_edge)
{
    studio s;
    openStudio(&s, 400, 400);
    ctLook grey = {.color = {0.6, 0.6, 0.6}, .pattern = ct_patternPlain};
    ctView view = {{0.0, -0.01, 6.0}, {0, 0, 0}, 40.0, 0.0, 0.0};
    double radius = 0.4, edge = 0.6;
    for (int i = 0; i < 6; i++) {
        double gap = 0.2 * (i / 2);
        ctShadeSurface surface = {ctZero3(), ctV3(1, 0, 0), ctV3(0, 1, 0), i % 2 != 0 ? edge : 1e6, 1e6, false};
        ctShadeCaster ball = {
            ctV3(0, 0, radius + gap), {ctV3(radius, 0, 0), ctV3(0, radius, 0), ctV3(0, 0, radius)}, radius};
        uint8_t plain[400 * 3];
        for (int shaded = 0; shaded < 2; shaded++) {
            ctRenderer_Begin(s.renderer, &view, 100.0, 3.0);
            ctRenderer_AddGround(s.renderer, ctV3(0, 0, 1), 0.0, grey);
            if (shaded != 0) {
                ctRenderer_AddShade(s.renderer, &ball, &surface);
            }
            ck_assert(ctRenderer_End(s.renderer, NULL));
            ctRenderer_Read(s.renderer, s.rgb);
            if (shaded == 0) {
                memcpy(plain, s.rgb + 3 * (200 * 400), sizeof plain);
            }
        }
        for (double x = -1.5; x < 1.6; x += 0.23) {
            double px, py;
            ck_assert(ctView_Project(&view, 1.0, ctV3(x, 0, 0), &px, &py));
            int at = (int)floor(0.5 * (px + 1.0) * 400.0);
            double found = (double)s.rgb[3 * (200 * 400 + at)] / plain[3 * at];
            ctAssertClose(found, i % 2 != 0 && fabs(x) > edge ? 1.0 : darkening(radius, radius + gap, x), 0.02);
        }
    }
    closeStudio(&s);
}
END_TEST

// Where there is no plane nothing is drawn that looks like one: rows of the picture are of one colour.
START_TEST(without_a_plane_there_is_a_plain_backdrop)
{
    studio s;
    openStudio(&s, 120, 90);
    ctView view = {{3, -4, 2.5}, {0, 0, 0.3}, 40.0, 0.0, 0.0};
    ctRenderer_Begin(s.renderer, &view, 0.5, 5.0);
    ck_assert(ctRenderer_End(s.renderer, NULL));
    ctRenderer_Read(s.renderer, s.rgb);
    for (int y = 0; y < 90; y++) {
        for (int x = 1; x < 120; x++) {
            ck_assert_int_eq(memcmp(s.rgb + 3 * (y * 120 + x), s.rgb + 3 * y * 120, 3), 0);
        }
    }
    closeStudio(&s);
}
END_TEST

START_TEST(sizes_that_cannot_be_drawn_are_refused)
{
    studio s;
    openStudio(&s, 16, 16);
    ctError error = {0};
    ck_assert(!ctRenderer_SetSize(s.renderer, 0, 10, 4, &error));
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert(!ctRenderer_SetSize(s.renderer, 1 << 20, 10, 4, &error));
    ck_assert(ctRenderer_SetSize(s.renderer, 33, 17, 1000, &error));
    closeStudio(&s);
}
END_TEST

START_TEST(png_files_decode_to_what_was_written)
{
    char path[] = "build/test_png_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    uint8_t rgb[5 * 3 * 3], back[5 * 3 * 3];
    for (int i = 0; i < (int)sizeof rgb; i++) {
        rgb[i] = (uint8_t)(i * 37);
    }
    for (int bottomUp = 0; bottomUp < 2; bottomUp++) {
        ck_assert(ctPng_Write(path, 5, 3, rgb, bottomUp == 1, 6, NULL));
        png_image image = {.version = PNG_IMAGE_VERSION};
        ck_assert(png_image_begin_read_from_file(&image, path));
        ck_assert_uint_eq(image.width, 5);
        ck_assert_uint_eq(image.height, 3);
        image.format = PNG_FORMAT_RGB;
        ck_assert(png_image_finish_read(&image, NULL, back, bottomUp == 1 ? -15 : 15, NULL));
        ck_assert_int_eq(memcmp(rgb, back, sizeof rgb), 0);
    }
    unlink(path);
    ctError error = {0};
    ck_assert(!ctPng_Write("build/no/such/folder/a.png", 5, 3, rgb, false, 6, &error));
    ck_assert_int_eq(error.status, ct_io);
    ck_assert_ptr_nonnull(strstr(error.message, "no/such/folder"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("render");
    TCase *meshes = tcase_create("meshes");
    tcase_add_test(meshes, meshes_enclose_the_volume_of_their_solid);
    tcase_add_test(meshes, mesh_vertices_lie_on_the_surface_with_outward_normals);
    suite_add_tcase(suite, meshes);
    TCase *pictures = tcase_create("pictures");
    tcase_set_timeout(pictures, 30);
    tcase_add_test(pictures, a_ball_is_drawn_where_it_projects);
    tcase_add_test(pictures, a_scene_far_away_looks_the_same);
    tcase_add_test(pictures, two_frames_are_equal_and_the_pipelined_read_agrees);
    tcase_add_test(pictures, a_body_casts_a_shadow_on_the_ground);
    tcase_add_test(pictures, a_ball_shades_the_surface_below_it_and_nothing_beyond_its_edge);
    tcase_add_test(pictures, without_a_plane_there_is_a_plain_backdrop);
    tcase_add_test(pictures, sizes_that_cannot_be_drawn_are_refused);
    tcase_add_test(pictures, png_files_decode_to_what_was_written);
    suite_add_tcase(suite, pictures);
    return ctRunSuite(suite);
}
