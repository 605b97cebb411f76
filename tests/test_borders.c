// Pictures with one sample per pixel that are smoothed at the borders of surfaces: where the borders are, and that the
// picture is as near to the exact one as a picture with several samples.
#include "collision/memory.h"
#include "render/draw/gl_util.h"
#include "render/draw/mesh_crossings.h"
#include "render/draw/mesh_edges.h"
#include "render/draw/stage.h"
#include "render/window/window.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

START_TEST(edges_of_meshes)
{
    ctMesh mesh;
    ctMeshEdge *edges;
    ck_assert(ctMesh_UnitBox(&mesh, NULL));
    int count = ctMesh_FindEdges(&mesh, 0, mesh.indexCount, &edges), sharp = 0;
    ck_assert_int_eq(count, 12); // no diagonals of faces
    for (int i = 0; i < count; i++) {
        sharp += edges[i].sharp ? 1 : 0;
        ctAssertClose(ctDistance(edges[i].a, edges[i].b), 1.0, 1e-6);
    }
    ck_assert_int_eq(sharp, 12);
    ctFree(edges);
    ctMesh_Free(&mesh);
    ck_assert(ctMesh_UnitSphere(&mesh, 32, NULL));
    count = ctMesh_FindEdges(&mesh, 0, mesh.indexCount, &edges);
    int outline = 0;
    double length = 0.0;
    ctVec3 eye = ctV3(5.0, 3.0, 1.0);
    for (int i = 0; i < count; i++) {
        ck_assert(!edges[i].sharp);
        ctVec3 d = ctSub(eye, edges[i].a);
        bool here = (ctDot(edges[i].left, d) > 0.0) != (ctDot(edges[i].right, d) > 0.0);
        outline += here ? 1 : 0;
        length += here ? ctDistance(edges[i].a, edges[i].b) : 0.0;
    }
    ck_assert_int_gt(outline, 16);
    ck_assert_msg(length > 5.5 && length < 10.0, "outline of length %g", length); // about 2 pi, with its zigzag
    ctFree(edges);
    ctMesh_Free(&mesh);
}
END_TEST

static void addLength(void *context, ctVec3 a, ctVec3 b)
{
    *(double *)context += ctDistance(a, b);
}

// A beam passes through a turned cube: its outline is on two faces.
START_TEST(crossings_of_meshes)
{
    ctMesh mesh;
    ck_assert(ctMesh_UnitBox(&mesh, NULL));
    ctTriangle triangles[24];
    int count = 0;
    for (int body = 1; body <= 2; body++) {
        const ctTransform pose = {ctV3(0.1, -0.2, 0.3), ctQuatExp(ctV3(0, 0, body == 1 ? 0.0 : 0.3))};
        const ctVec3 scale = body == 1 ? ctV3(1, 1, 1) : ctV3(0.3, 0.2, 7.0);
        for (int i = 0; i + 2 < mesh.indexCount; i += 3) {
            ctVec3 p[3];
            for (int k = 0; k < 3; k++) {
                const float *v = mesh.vertices[mesh.indices[i + k]].position;
                p[k] = ctTransformPoint(pose, ctMul(scale, ctV3((double)v[0], (double)v[1], (double)v[2])));
            }
            triangles[count++] = ctTriangle_Make(p[0], p[1], p[2], body);
        }
    }
    double length = 0.0;
    ctTriangles_Cross(triangles, count, addLength, &length);
    ctAssertClose(length, 2.0 * 2.0 * (0.3 + 0.2), 1e-6);
    ctMesh_Free(&mesh);
}
END_TEST

// ---- pictures ---------------------------------------------------------------------------------

typedef struct studio {
    ctWindow window;
    ctRenderer *renderer;
    ctScene *scene;
    ctStage stage;
    uint8_t *picture;
    double *exact; // mean of pictures that are shifted by parts of a pixel
} studio;

enum { WIDTH = 800, HEIGHT = 450, VALUES = WIDTH * HEIGHT * 3, SHIFTS = 6 };

// Takes the scene over.
static void openStudio(studio *s, ctScene *scene, double seconds)
{
    ctError error = {0};
    *s = (studio){.scene = scene};
    ck_assert_ptr_nonnull(scene);
    ck_assert_msg(ctWindow_Open(&s->window, "test", 64, 64, true, true, &error), "%s", error.message);
    s->renderer = ctRenderer_Create(&error);
    ck_assert_msg(s->renderer != NULL && ctRenderer_SetSize(s->renderer, WIDTH, HEIGHT, 4, &error), "%s",
                  error.message);
    while (ctWorld_GetTime(s->scene->world) < seconds) {
        ck_assert(ctWorld_Step(s->scene->world, &error));
    }
    ck_assert_msg(ctStage_Set(&s->stage, s->renderer, s->scene, &error), "%s", error.message);
    s->picture = malloc(VALUES);
    s->exact = malloc(VALUES * sizeof(double));
    ck_assert(s->picture != NULL && s->exact != NULL);
}

static void closeStudio(studio *s)
{
    ck_assert_int_eq(ctGl_ErrorCount(), 0);
    ctStage_Free(&s->stage);
    ctRenderer_Destroy(s->renderer);
    ctWindow_Close(&s->window);
    ctScene_Destroy(s->scene);
    free(s->picture);
    free(s->exact);
}

static void draw(studio *s, const ctView *view, bool selected, bool byBorders, int samples)
{
    ctError error = {0};
    ctTransform poses[1024];
    uint8_t states[1024] = {0};
    ck_assert_int_lt(s->stage.count, 1024);
    ctStage_Capture(&s->stage, poses, NULL);
    states[s->stage.count - 1] = selected ? ct_stateSelected : 0;
    ck_assert(ctRenderer_SetSize(s->renderer, WIDTH, HEIGHT, samples, &error));
    ctRenderer_SetByBorders(s->renderer, byBorders);
    ctStage_Draw(&s->stage, view, poses, states);
    ck_assert_msg(ctRenderer_End(s->renderer, &error), "%s", error.message);
    ctRenderer_Read(s->renderer, s->picture);
}

static void drawExact(studio *s, const ctView *view, bool selected)
{
    for (int i = 0; i < VALUES; i++) {
        s->exact[i] = 0.0;
    }
    for (int k = 0; k < SHIFTS * SHIFTS; k++) {
        ctView shifted = *view;
        shifted.shift += 2.0 * ((k % SHIFTS + 0.5) / SHIFTS - 0.5) / WIDTH;
        shifted.lift += 2.0 * ((k / SHIFTS + 0.5) / SHIFTS - 0.5) / HEIGHT;
        draw(s, &shifted, selected, false, 1);
        for (int i = 0; i < VALUES; i++) {
            s->exact[i] += s->picture[i] / (double)(SHIFTS * SHIFTS);
        }
    }
}

// The root of the mean square of the picture's differences from the exact one.
static double errorOf(const studio *s)
{
    double sum = 0.0;
    for (int i = 0; i < VALUES; i++) {
        double off = s->picture[i] - s->exact[i];
        sum += off * off;
    }
    return sqrt(sum / VALUES);
}

START_TEST(borders_are_as_smooth_as_with_several_samples)
{
    static const struct {
        const char *name;
        double seconds;
    } cases[] = {{"tower", 1.0},     {"bowling", 2.3}, {"dominoes", 0.8}, {"ramp", 0.6},
                 {"superball", 0.5}, {"coins", 1.0},   {"pinball", 0.5},  {"billiards", 1.0}};
    studio s;
    openStudio(&s, ctScene_Load(cases[_i].name, NULL, NULL), cases[_i].seconds);
    ctView view;
    ck_assert(ctStage_FindView(s.scene, NULL, &view));
    for (int selected = 0; selected < 2; selected++) {
        drawExact(&s, &view, selected != 0);
        draw(&s, &view, selected != 0, false, 1);
        double rough = errorOf(&s);
        draw(&s, &view, selected != 0, false, 4);
        double sampled = errorOf(&s);
        draw(&s, &view, selected != 0, true, 4);
        double bordered = errorOf(&s);
        ck_assert_msg(bordered < 1.1 * sampled, "%s, selected %d: off by %g, with four samples %g, with one %g",
                      cases[_i].name, selected, bordered, sampled, rough);
    }
    closeStudio(&s);
}
END_TEST

// Bodies of a scene that cross each other and the ground, in one picture: two fixed boxes, a box that the ground cuts,
// and a compound.
START_TEST(crossings_are_smooth)
{
    const char text[] = "body { shape = plane { normal = {0, 0, 1}, offset = 0 }, color = {0.6, 0.6, 0.6} }\n"
                        "body { motion = 'fixed', shape = box { size = {1, 1, 1} }, position = {-1, 0.3, 0.1}, "
                        "color = {0.9, 0.1, 0.1} }\n"
                        "body { motion = 'fixed', shape = sphere { radius = 0.5 }, position = {-0.6, -0.3, 0.5}, "
                        "color = {0.1, 0.9, 0.1} }\n"
                        "body { shape = compound { { shape = box { size = {1, 0.4, 0.4} } }, "
                        "{ shape = cylinder { radius = 0.15, height = 1.2 } } }, position = {0.8, 0.2, 0.75}, "
                        "color = {0.1, 0.1, 0.9} }\n";
    studio s;
    openStudio(&s, ctScene_LoadText(text, sizeof text - 1, "crossings.lua", NULL, NULL), 0.0);
    const ctView view = {{0.7, -4.0, 2.6}, {0.0, 0.0, 0.3}, 36.0, 0.0, 0.0};
    drawExact(&s, &view, false);
    draw(&s, &view, false, false, 4);
    double sampled = errorOf(&s);
    draw(&s, &view, false, true, 4);
    double bordered = errorOf(&s);
    ck_assert_msg(bordered < 1.1 * sampled, "off by %g, with four samples %g", bordered, sampled);
    closeStudio(&s);
}
END_TEST

// Brightness of the picture beside its middle.
static double greyAt(const studio *s, int x, int y)
{
    const uint8_t *p = &s->picture[3 * ((HEIGHT / 2 + y) * WIDTH + WIDTH / 2 + x)];
    return (p[0] + p[1] + p[2]) / 3.0;
}

// Seen from above, the shadow of a cube at a height of 4 m lies where the sun's rays lead, and its edge is a few pixels
// wide: also where a beam of 100 m casts a shadow in the same picture, across the beam.
START_TEST(shadows_lie_where_the_sun_puts_them_and_have_fine_edges)
{
    const char *beam = _i == 1 ? "body { motion = 'fixed', shape = box { size = {100, 0.05, 0.05} }, "
                                 "position = {0, -2, 1}, color = {0.5, 0.5, 0.5} }\n"
                               : "";
    char text[600];
    int length =
        snprintf(text, sizeof text,
                 "body { shape = plane { normal = {0, 0, 1}, offset = 0 }, color = {0.6, 0.6, 0.6} }\n"
                 "body { shape = box { size = {1, 1, 1} }, position = {0, 0, 4}, color = {0.5, 0.5, 0.5} }\n%s",
                 beam);
    studio s;
    openStudio(&s, ctScene_LoadText(text, (size_t)length, "shadow.lua", NULL, NULL), 0.0);
    const double x = 4.0 * 0.48 / 0.75888, y = 4.0 * 0.44 / 0.75888;
    const ctView view = {{x, y - 0.01, 12.0}, {x, y, 0.0}, 30.0, 0.0, 0.0};
    draw(&s, &view, false, true, 4);
    double dark = greyAt(&s, 0, 0);
    for (int k = 0; k < 4; k++) { // a metre is 70 pixels; the shadow is as long as the cube's diagonal at the most
        int dx = k == 0 ? 1 : k == 1 ? -1 : 0, dy = k == 2 ? 1 : k == 3 ? -1 : 0, between = 0;
        double lit = greyAt(&s, 110 * dx, 110 * dy);
        ck_assert_msg(dark < 0.6 * lit, "%g in the shadow, %g beside it", dark, lit);
        for (int i = 0; i < 110; i++) {
            double share = (greyAt(&s, i * dx, i * dy) - dark) / (lit - dark);
            between += share > 0.1 && share < 0.5 ? 1 : 0;
        }
        ck_assert_msg(between <= 2 || (dy == 0 && _i == 1), "side %d: %d pixels between light and dark", k, between);
    }
    closeStudio(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("borders");
    TCase *tests = tcase_create("borders");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, edges_of_meshes);
    tcase_add_test(tests, crossings_of_meshes);
    tcase_add_loop_test(tests, borders_are_as_smooth_as_with_several_samples, 0, 8);
    tcase_add_test(tests, crossings_are_smooth);
    tcase_add_loop_test(tests, shadows_lie_where_the_sun_puts_them_and_have_fine_edges, 0, 2);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
