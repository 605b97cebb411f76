// Labels, curves, histograms, trails and cameras of scenes: what the language takes and refuses, and what a picture of
// them must contain.
#include "collision/quat.h"
#include "collision/vec3.h"
#include "render/draw/gl_util.h"
#include "render/gui/annotations.h"
#include "render/record/record_overlay.h"
#include "render/window/window.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ctScene *tryScene(const char *text, ctError *error)
{
    char path[] = "build/test_annotations_XXXXXX.lua";
    int fd = mkstemps(path, 4);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    ctScene *scene = ctScene_Load(path, NULL, error);
    unlink(path);
    return scene;
}

static ctScene *scene(const char *text)
{
    ctError error = {0};
    ctScene *s = tryScene(text, &error);
    ck_assert_msg(s != NULL, "%s", error.message);
    return s;
}

START_TEST(what_is_wrong_is_said_with_its_line_and_field)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"label { text = 'a' }", ":1: label: at is missing"},
        {"label { at = {0, 0, 0} }", ":1: label: text is missing"},
        {"\nlabel { body = 'ghost', text = 'a' }", ":2: label: body names no body"},
        {"curve { points = {{0, 0, 0}} }", "points must be at least two"},
        {"curve { points = {{0, 0, 0}, {1, 0/0, 0}} }", "points[2]"},
        {"curve { points = {{0, 0, 0}, 7} }", "points[2] must be {x, y, z}"},
        {"histogram { of = 'weight', to = 1 }", "of "},
        {"histogram { of = 'speed', from = 2, to = 1 }", "to must be above from"},
        {"histogram { of = 'speed', to = 1, expected = function(v) return -1 end }", "expected must give a density"},
        {"histogram { of = 'speed', to = 1, expected = 3 }", "expected must be a function"},
        {"scene { show = {'trials'} }", "show knows trails"},
        {"scene { show = 'trails' }", "show"},
        {"scene { camera = { eye = {1, 0, 0}, target = {0, 0, 0}, follow = 'nobody' } }", "follow names no body"},
        {"body { shape = sphere { radius = 1 }, pattern = 'ball', number = 3.5 }", "number must be whole"},
        {"body { shape = sphere { radius = 1 }, pattern = 'ball', number = 100 }", "number must be from 0 to 99"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ctError error = {0};
        ctScene *s = tryScene(cases[i].text, &error);
        ck_assert_msg(s == NULL, "accepted: %s", cases[i].text);
        ck_assert_msg(strstr(error.message, cases[i].message) != NULL, "%s: %s", cases[i].text, error.message);
    }
}
END_TEST

// ---- pictures ---------------------------------------------------------------------------------

enum { WIDTH = 480, HEIGHT = 360 };

typedef struct studio {
    ctWindow window;
    ctRenderer *renderer;
    ctStage stage;
    ctRecordOverlay *overlay;
    uint8_t rgb[WIDTH * HEIGHT * 3];
} studio;

static void openStudio(studio *s, ctScene *scene_, const char *list)
{
    ctError error = {0};
    memset(s, 0, sizeof *s);
    ck_assert_msg(ctWindow_Open(&s->window, "test", 64, 64, true, true, &error), "%s", error.message);
    s->renderer = ctRenderer_Create(&error);
    ck_assert(s->renderer != NULL && ctRenderer_SetSize(s->renderer, WIDTH, HEIGHT, 4, &error));
    ck_assert(ctStage_Set(&s->stage, s->renderer, scene_, &error));
    ck_assert(ctRecordOverlay_IsNeeded(list, scene_));
    s->overlay = ctRecordOverlay_Create(list, scene_, HEIGHT, &error);
    ck_assert_msg(s->overlay != NULL, "%s", error.message);
}

static void draw(studio *s)
{
    ctView view;
    ctError error = {0};
    ck_assert(ctStage_FindView(s->stage.scene, NULL, &view));
    ck_assert_msg(ctRecordOverlay_Compose(s->overlay, &s->stage, &view, &(ctGhost){0}, &error), "%s", error.message);
    ck_assert_msg(ctRecordOverlay_Paint(&s->stage, &error), "%s", error.message);
    ctRenderer_Read(s->renderer, s->rgb);
}

static void closeStudio(studio *s)
{
    ck_assert_int_eq(ctGl_ErrorCount(), 0);
    ctRecordOverlay_Destroy(s->overlay);
    ctStage_Free(&s->stage);
    ctRenderer_Destroy(s->renderer);
    ctWindow_Close(&s->window);
}

static bool isLike(const uint8_t *p, const int *color)
{
    if (color == NULL) { // the colour of a trail that fades
        return p[0] > p[2] + 40 && p[0] > p[1] + 12;
    }
    return abs(p[0] - color[0]) < 40 && abs(p[1] - color[1]) < 40 && abs(p[2] - color[2]) < 40;
}

// How many pixels of about a colour lie in a box about a point of the world.
static int count(const studio *s, ctVec3 at, int halfWidth, int halfHeight, const int *color)
{
    ctView view;
    double x, y;
    ctStage_FindView(s->stage.scene, NULL, &view);
    ck_assert(ctView_Project(&view, (double)WIDTH / HEIGHT, at, &x, &y));
    int cx = (int)(0.5 * (x + 1.0) * WIDTH), cy = (int)(0.5 * (y + 1.0) * HEIGHT), n = 0;
    for (int j = cy - halfHeight; j <= cy + halfHeight; j++) {
        for (int i = cx - halfWidth; i <= cx + halfWidth; i++) {
            const uint8_t *p = s->rgb + 3 * (j * WIDTH + i);
            n += i >= 0 && j >= 0 && i < WIDTH && j < HEIGHT && isLike(p, color);
        }
    }
    return n;
}

START_TEST(labels_and_curves_are_where_the_scene_says)
{
    ctScene *sc =
        scene("scene { gravity = {0, 0, 0}, camera = { eye = {0, -4, 0}, target = {0, 0, 0}, fov = 40 } }\n"
              "body { name = 'ball', shape = sphere { radius = 0.1 }, position = {-0.8, 0, 0}, velocity = {1, 0, 0} }\n"
              "label { body = 'ball', at = {0, 0, 0.4}, text = 'HHHHHH' }\n"
              "label { at = {0.9, 0, -0.9}, text = 'HHHHHH', color = {1, 0, 0} }\n"
              "curve { points = {{-1, 0, 0.9}, {1, 0, 0.9}}, color = {0, 1, 0}, width = 4 }\n");
    static studio s;
    openStudio(&s, sc, NULL);
    const int white[3] = {255, 255, 255}, red[3] = {255, 0, 0}, green[3] = {0, 255, 0};
    for (int k = 0; k < 2; k++) {
        draw(&s);
        double x = k == 0 ? -0.8 : 0.2;
        // Six letters of three strokes each, some twelve pixels high.
        ck_assert_int_ge(count(&s, ctV3(x, 0, 0.4), 45, 9, white), 60);
        ck_assert_int_eq(count(&s, ctV3(-0.6 - x, 0, 0.4), 40, 9, white), 0);
        ck_assert_int_ge(count(&s, ctV3(0.9, 0, -0.9), 45, 9, red), 60);
        ck_assert_int_ge(count(&s, ctV3(0, 0, 0.9), 100, 3, green), 400);
        for (int i = 0; i < 60 && k == 0; i++) {
            ck_assert(ctWorld_Step(sc->world, NULL));
            ctRecordOverlay_Follow(s.overlay, sc);
        }
    }
    closeStudio(&s);
    ctScene_Destroy(sc);
}
END_TEST

// The ball that is marked leaves a trail along its parabola, the other one none.
START_TEST(labels_cover_no_other_label_and_stay_in_the_picture)
{
    ctScene *sc = scene("scene { gravity = {0, 0, 0}, camera = { eye = {0, -4, 0}, target = {0, 0, 0}, fov = 40 } }\n"
                        "body { shape = sphere { radius = 0.01 }, position = {0, 0, -1} }\n"
                        "label { at = {0, 0, 0}, text = 'HHHHHH', color = {1, 0, 0} }\n"
                        "label { at = {0.02, 0, 0}, text = 'HHHHHH', color = {0, 1, 0} }\n"
                        "label { at = {-0.02, 0, 0.01}, text = 'HHHHHH', color = {0, 0, 1} }\n"
                        "label { at = {1.88, 0, 0.8}, text = 'HHHHHH', color = {1, 1, 0} }\n");
    static studio s;
    openStudio(&s, sc, NULL);
    draw(&s);
    static const int colors[4][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 0}};
    for (int i = 0; i < 3; i++) { // each as many pixels as a label that stands alone has
        ck_assert_int_ge(count(&s, ctV3(0, 0, 0.15), 60, 50, colors[i]), 60);
    }
    ck_assert_int_ge(count(&s, ctV3(1.6, 0, 0.8), 120, 12, colors[3]), 60);
    closeStudio(&s);
    ctScene_Destroy(sc);
}
END_TEST

START_TEST(marked_bodies_leave_trails)
{
    ctScene *sc =
        scene("scene { camera = { eye = {0, -5, 1}, target = {0, 0, 1}, fov = 40 }, show = {'trails'} }\n"
              "body { name = 'a', shape = sphere { radius = 0.02 }, position = {-1, 0, 0.5}, velocity = {2, 0, 4},\n"
              "       trail = true, color = {0, 0, 0} }\n"
              "body { name = 'b', shape = sphere { radius = 0.02 }, position = {1, 0, 0.5}, velocity = {-2, 0.2, 4},\n"
              "       color = {0, 0, 0} }\n");
    static studio s;
    openStudio(&s, sc, NULL);
    for (int i = 0; i < 42; i++) {
        ck_assert(ctWorld_Step(sc->world, NULL));
        ctRecordOverlay_Follow(s.overlay, sc);
    }
    draw(&s);
    const int *orange = NULL;
    for (int k = 1; k < 7; k++) {
        double t = 0.1 * k, z = 0.5 + 4.0 * t - 0.5 * 9.81 * t * t;
        ck_assert_msg(count(&s, ctV3(-1.0 + 2.0 * t, 0, z), 2, 2, orange) >= 3, "no trail at %g s", t);
        if (k < 4) {
            ck_assert_int_eq(count(&s, ctV3(1.0 - 2.0 * t, 0, z), 2, 2, orange), 0);
        }
    }
    closeStudio(&s);
    ctScene_Destroy(sc);
}
END_TEST

START_TEST(a_histogram_counts_the_bodies_it_is_about)
{
    ctScene *sc =
        scene("scene { gravity = {0, 0, 0} }\n"
              "for i = 1, 10 do body { name = 'a ' .. i, shape = sphere { radius = 0.1 }, position = {i, 0, 0},\n"
              "                        velocity = {0, 0.1 * i - 0.05, 0} } end\n"
              "body { name = 'b', shape = sphere { radius = 0.1 }, velocity = {0, 0.25, 0} }\n"
              "histogram { of = 'speed', bodies = 'a', from = 0, to = 0.8, bins = 4, title = 't',\n"
              "            expected = function(v) return 1.25 end }\n");
    ctSimState state = {0};
    ck_assert(ctSimState_Capture(&state, sc->world, (ctCaptureWhat){0}));
    ck_assert_int_eq(sc->annotations.histogramCount, 1);
    int counts[4];
    ck_assert_int_eq(ctHistogram_Count(&sc->annotations.histograms[0], sc, &state, counts), 10);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(counts[i], 2);
    }
    ctSimState_Free(&state);
    static studio s;
    openStudio(&s, sc, NULL);
    ctRecordOverlay_Follow(s.overlay, sc);
    draw(&s);
    int blue = 0, orange = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint8_t *p = s.rgb + 3 * i;
        blue += abs(p[0] - 86) < 25 && abs(p[1] - 152) < 25 && abs(p[2] - 233) < 25;
        orange += abs(p[0] - 255) < 25 && abs(p[1] - 178) < 25 && abs(p[2] - 51) < 25;
    }
    ck_assert_msg(blue > 1000 && orange > 100, "%d pixels of bars, %d of the curve", blue, orange);
    closeStudio(&s);
    ctScene_Destroy(sc);
}
END_TEST

// Every demo has something to see from the first picture on, and a first camera that looks at moving bodies.
START_TEST(demos_open_on_what_moves)
{
    ctDemo *demos;
    int n;
    ck_assert(ctDemos_List(&demos, &n, NULL));
    for (int i = 0; i < n; i++) {
        ctScene *sc = ctScene_Load(demos[i].name, NULL, NULL);
        ck_assert_ptr_nonnull(sc);
        // And a picture in the gallery, of at most 60 kB.
        char picture[128];
        struct stat info;
        snprintf(picture, sizeof picture, "assets/gallery/%s.png", demos[i].name);
        ck_assert_msg(stat(picture, &info) == 0 && info.st_size <= 61440, "%s", picture);
        ck_assert_msg(sc->hasCamera, "%s has no camera", demos[i].name);
        ctView view;
        ck_assert(ctStage_FindView(sc, NULL, &view));
        int moving = 0, inside = 0;
        for (int k = 0; k < ctWorld_GetBodyCount(sc->world); k++) {
            ctBodyId id = ctWorld_GetBody(sc->world, k);
            double x, y;
            if (ctBody_GetMotionType(sc->world, id) == ct_motionDynamic) {
                moving++;
                inside += ctView_Project(&view, CT_VIEW_ASPECT, ctBody_GetCenter(sc->world, id), &x, &y) &&
                          fabs(x) < 1.0 && fabs(y) < 1.0;
            }
        }
        ck_assert_msg(2 * inside >= moving || inside >= 10, "%s: %d of %d moving bodies are in the picture",
                      demos[i].name, inside, moving);
        ctScene_Destroy(sc);
    }
    ctDemos_Free(demos, n);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("annotations");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, what_is_wrong_is_said_with_its_line_and_field);
    tcase_add_test(all, labels_and_curves_are_where_the_scene_says);
    tcase_add_test(all, labels_cover_no_other_label_and_stay_in_the_picture);
    tcase_add_test(all, marked_bodies_leave_trails);
    tcase_add_test(all, a_histogram_counts_the_bodies_it_is_about);
    tcase_add_test(all, demos_open_on_what_moves);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
