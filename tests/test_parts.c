// Pictures drawn in parts, with several samples only where there are edges: which parts those are, and that the picture
// is the one that is drawn with several samples everywhere.
#include "collision/memory.h"
#include "render/draw/gl_util.h"
#include "render/draw/mesh_edges.h"
#include "render/draw/parts.h"
#include "render/draw/stage.h"
#include "render/window/window.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float straight[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; // world is clip coordinates

static bool isMarked(const ctParts *parts, int x, int y)
{
    return parts->marks[y / CT_PART_SIZE * parts->columns + x / CT_PART_SIZE] != 0;
}

static bool isCovered(const ctParts *parts, int x, int y)
{
    for (int i = 0; i < parts->rectCount; i++) {
        const ctPartRect r = parts->rects[i];
        if (x >= r.left && x < r.right && y >= r.bottom && y < r.top) {
            return true;
        }
    }
    return false;
}

START_TEST(an_edge_marks_every_square_that_it_crosses_and_little_else)
{
    ctParts parts = {0};
    for (int i = 0; i < 40; i++) {
        ck_assert(ctParts_Begin(&parts, straight, 641, 359));
        double angle = 0.16 * i;
        ctVec3 a = ctV3(0.1, -0.2, 0.0), b = ctAdd(a, ctScale(3.0, ctV3(cos(angle), sin(angle), 0.0)));
        ctParts_MarkSegment(&parts, a, b);
        for (double t = 0.0; t <= 1.0; t += 1e-4) {
            ctVec3 p = ctLerp(a, b, t);
            int x = (int)floor(0.5 * (p.x + 1.0) * 641), y = (int)floor(0.5 * (p.y + 1.0) * 359);
            if (x >= 0 && x < 641 && y >= 0 && y < 359) {
                ctRequire(isMarked(&parts, x, y), "angle %g: pixel %d %d", angle, x, y);
            }
        }
        ck_assert_int_le(parts.marked, 110); // of 41 * 23, for 40 squares of length at most
        for (int most = 64; most >= 4; most /= 4) {
            ck_assert(ctParts_Join(&parts, most));
            ck_assert_int_le(parts.rectCount, most);
            for (int y = 0; y < 359; y += 3) {
                for (int x = 0; x < 641; x += 3) {
                    ctAssert(!isMarked(&parts, x, y) || isCovered(&parts, x, y));
                }
            }
        }
    }
    ctParts_Free(&parts);
}
END_TEST

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

// ---- pictures ---------------------------------------------------------------------------------

typedef struct studio {
    ctWindow window;
    ctRenderer *renderer;
    ctScene *scene;
    ctStage stage;
    uint8_t *whole, *parts;
} studio;

enum { WIDTH = 800, HEIGHT = 450 };

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
    s->whole = malloc((size_t)WIDTH * HEIGHT * 3);
    s->parts = malloc((size_t)WIDTH * HEIGHT * 3);
    ck_assert(s->whole != NULL && s->parts != NULL);
}

static void closeStudio(studio *s)
{
    ck_assert_int_eq(ctGl_ErrorCount(), 0);
    ctStage_Free(&s->stage);
    ctRenderer_Destroy(s->renderer);
    ctWindow_Close(&s->window);
    ctScene_Destroy(s->scene);
    free(s->whole);
    free(s->parts);
}

static void draw(studio *s, const ctView *view, bool selected, bool inParts, uint8_t *rgb)
{
    ctError error = {0};
    ctTransform poses[1024];
    uint8_t states[1024] = {0};
    ck_assert_int_lt(s->stage.count, 1024);
    ctStage_Capture(&s->stage, poses, NULL);
    states[s->stage.count - 1] = selected ? ct_stateSelected : 0;
    ctRenderer_SetInParts(s->renderer, inParts);
    ctStage_Draw(&s->stage, view, poses, states);
    ck_assert_msg(ctRenderer_End(s->renderer, &error), "%s", error.message);
    ctRenderer_Read(s->renderer, rgb);
    ck_assert_int_eq(ctRenderer_WasInParts(s->renderer), inParts);
}

// Within a body's smooth surface the edges of its triangles blend two shades that are nearly one.
static void compare(const studio *s, const char *name)
{
    int far = 0, most = 0;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        int off = abs(s->whole[i] - s->parts[i]);
        far += off > 8 ? 1 : 0;
        most = off > most ? off : most;
    }
    // Where a thin thing is drawn in a part without an edge of its own the difference would be 50 and more.
    ck_assert_msg(most <= 24 && far <= 30, "%s: %d values differ by more than 8, the most by %d", name, far, most);
}

START_TEST(a_picture_in_parts_is_the_same_picture)
{
    static const struct {
        const char *name;
        double seconds;
    } cases[] = {{"tower", 1.0}, {"bowling", 2.3},   {"dominoes", 0.8},
                 {"ramp", 0.6},  {"superball", 0.5}, {"coins", 1.0}};
    studio s;
    openStudio(&s, ctScene_Load(cases[_i].name, NULL, NULL), cases[_i].seconds);
    ctView view;
    ck_assert(ctStage_FindView(s.scene, NULL, &view));
    for (int selected = 0; selected < 2; selected++) {
        draw(&s, &view, selected != 0, false, s.whole);
        draw(&s, &view, selected != 0, true, s.parts);
        compare(&s, cases[_i].name);
    }
    closeStudio(&s);
}
END_TEST

// Brightness of the picture beside its middle.
static double greyAt(const studio *s, int x, int y)
{
    const uint8_t *p = &s->whole[3 * ((HEIGHT / 2 + y) * WIDTH + WIDTH / 2 + x)];
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
    draw(&s, &view, false, true, s.whole);
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
    Suite *suite = suite_create("parts");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, an_edge_marks_every_square_that_it_crosses_and_little_else);
    tcase_add_test(tests, edges_of_meshes);
    tcase_add_loop_test(tests, a_picture_in_parts_is_the_same_picture, 0, 6);
    tcase_add_loop_test(tests, shadows_lie_where_the_sun_puts_them_and_have_fine_edges, 0, 2);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
