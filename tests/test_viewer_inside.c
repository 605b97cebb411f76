// The viewer from inside, without a display: what it writes over the picture, the order of its panel, files dropped on
// its window, whom it blames for being slow.
#include "collision/vec3.h"
#include "tests/support/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = CT_INSIDE_WIDTH, HEIGHT = CT_INSIDE_HEIGHT };

static ctViewer *openViewer(const char *name, const char *words)
{
    return ctInside_Open(name, words, 1.0);
}

// How many pixels of a part of the picture have about this colour.
static int countColor(ctViewer *v, ctRect r, const int color[3])
{
    static uint8_t rgb[WIDTH * HEIGHT * 3];
    int n = 0;
    ctRenderer_Read(v->renderer, rgb);
    for (int y = (int)fmaxf(r.y, 0.0f); y < (int)(r.y + r.h) && y < HEIGHT; y++) {
        for (int x = (int)fmaxf(r.x, 0.0f); x < (int)(r.x + r.w) && x < WIDTH; x++) {
            const uint8_t *p = &rgb[3 * ((HEIGHT - 1 - y) * WIDTH + x)]; // the lowest row comes first
            n += abs(p[0] - color[0]) < 40 && abs(p[1] - color[1]) < 40 && abs(p[2] - color[2]) < 40;
        }
    }
    return n;
}

static const char *const flight = "scene { gravity = {0, 0, 0}, camera = { eye = {0, -12, 0}, target = {0, 0, 0} } }\n"
                                  "body { name = 'ball', shape = sphere { radius = 0.5 }, velocity = {-3, 0, 4} }\n"
                                  "body { name = 'still', shape = sphere { radius = 0.5 }, position = {3, 0, -2} }\n";

// ---- over the picture -------------------------------------------------------------------------

// A ball of (-3, 0, 4) m/s that is clicked on has an arrow with 5 m/s at its tip, up and to the left.
START_TEST(the_velocity_of_the_selected_body_has_its_number)
{
    static const int blue[] = {77, 179, 255};
    ctViewer *v = openViewer("flight.lua", flight);
    ctInside_Draw(v, 20); // the picture has moved beside the panels by then
    ck_assert_ptr_null(ctInside_Find("picture|5 m/s"));
    ctInside_ClickOn(v, "ball");
    const ctRect *number = ctInside_Find("picture|5 m/s"), *legend = ctInside_Find("picture|velocity");
    ck_assert(number != NULL && legend != NULL);
    double x, y;
    ck_assert(ctView_Project(&v->view, (double)WIDTH / HEIGHT, ctV3(0, 0, 0), &x, &y));
    float px = (float)(0.5 * (x + 1.0) * WIDTH), py = (float)(0.5 * (1.0 - y) * HEIGHT);
    float left = px - number->x - 0.5f * number->w, up = py - number->y - number->h;
    ck_assert_msg(left > 0.0f && up > 0.0f, "%g left, %g up", (double)left, (double)up);
    // The arrow itself, between the ball and its number.
    ctRect way = {px - left, py - up, left, up};
    ck_assert_int_gt(countColor(v, way, blue), 20);
    // What rests has neither.
    ctInside_ClickOn(v, "still");
    ck_assert_ptr_null(ctInside_Find("picture|5 m/s"));
    ck_assert_ptr_null(ctInside_Find("picture|0 m/s"));
    ctInside_Close(v);
}
END_TEST

// Each kind of arrow is explained while it is shown, beside an arrow of its colour, and within the window.
START_TEST(arrows_have_a_legend_while_they_are_shown)
{
    static const struct {
        const char *words;
        int color[3];
    } rows[] = {{"picture|force of a contact", {38, 204, 128}}, {"picture|impulse of an impact", {255, 115, 26}}};
    ctViewer *v = openViewer("flight.lua", flight);
    ctInside_Draw(v, 3);
    ck_assert(ctInside_Find(rows[0].words) == NULL && ctInside_Find(rows[1].words) == NULL &&
              ctInside_Find("picture|velocity") == NULL);
    ctInside_Key(SDLK_c);
    ctInside_Draw(v, 3);
    for (int i = 0; i < 2; i++) {
        const ctRect *r = ctInside_Find(rows[i].words);
        ck_assert_msg(r != NULL, "no %s", rows[i].words);
        ck_assert(r->x > 302.0f && r->x + r->w < (float)WIDTH && r->y > 40.0f && r->y + r->h < (float)HEIGHT);
        ck_assert_int_gt(countColor(v, (ctRect){r->x - 36.0f, r->y, 32.0f, r->h}, rows[i].color), 20);
    }
    ck_assert_ptr_null(ctInside_Find("picture|velocity"));
    ctInside_Key(SDLK_c);
    ctInside_Draw(v, 3);
    ck_assert(ctInside_Find(rows[0].words) == NULL && ctInside_Find(rows[1].words) == NULL);
    ctInside_Close(v);
}
END_TEST

// ---- the panel --------------------------------------------------------------------------------

START_TEST(parameters_come_before_materials_and_physics)
{
    ctViewer *v =
        openViewer("slope.lua", "-- A slope.\n--\n-- What to watch.\n"
                                "scene { title = 'Slope' }\n"
                                "local a = param('slope', 10, 0, 45, 'slope')\n"
                                "material('wood', { friction = 0.5 })\n"
                                "body { shape = plane { normal = {0, 0, 1}, offset = 0 }, material = 'wood' }\n"
                                "body { shape = sphere { radius = 0.1 }, position = {0, 0, 1}, material = 'wood' }\n");
    ctInside_Draw(v, 5);
    const ctRect *slope = NULL;
    int others = 0;
    for (int i = 0; i < ctInside_Count; i++) {
        slope = strstr(ctInside_Texts[i].name, "|##slope") != NULL ? &ctInside_Texts[i].rect : slope;
    }
    ck_assert_ptr_nonnull(slope);
    ck_assert(slope->y + slope->h < (float)HEIGHT / 2.0f);
    for (int i = 0; i < ctInside_Count; i++) {
        const char *label = strchr(ctInside_Texts[i].name, '|');
        if (strncmp(label, "|##mu ", 6) == 0 || strncmp(label, "|##e ", 5) == 0 || strcmp(label, "|law") == 0) {
            others++;
            ck_assert_msg(ctInside_Texts[i].rect.y >= slope->y + slope->h, "%s", ctInside_Texts[i].name);
        }
    }
    ck_assert_int_ge(others, 3);
    ctInside_Close(v);
}
END_TEST

// Sliders of every kind, and a name that is wider than the panel.
static const char *const manySliders =
    "scene { title = 'Many' }\n"
    "param('long', 1e-3, -1000, 1000, 'a parameter whose name is far too long to stand in a single line')\n"
    "param('knob', 0, 0, 1, 'k')\n"
    "material('felt', { friction = 0.2, rolling = 0.00012, spinning = 3e-5 })\n"
    "body { shape = plane { normal = {0, 0, 1}, offset = 0 }, material = 'felt' }\n"
    "body { shape = sphere { radius = 0.1 }, position = {0, 0, 1}, material = 'felt' }\n";

// Wherever the knob is, the number stands beside its bar, not under it, whole, and inside the panel.
START_TEST(numbers_stand_beside_their_sliders)
{
    for (int i = 0; i < 2; i++) {
        float scale = i == 0 ? 1.0f : 1.6f;
        ctViewer *v = ctInside_Open("many.lua", manySliders, scale);
        v->show.tweak = true; // which a narrow window does not open by itself
        ctInside_Draw(v, 5);
        int sliders = 0;
        for (int k = 0; k < ctInside_Count; k++) {
            char name[160];
            snprintf(name, sizeof name, "%.120s number", ctInside_Texts[k].name);
            const ctRect *bar = &ctInside_Texts[k].rect, *number = ctInside_Find(name);
            if (number == NULL) {
                continue;
            }
            sliders++;
            ck_assert_msg(number->x >= bar->x + bar->w, "%s begins left of its bar's end", name);
            ck_assert_msg(number->y < bar->y + 1.0f && number->h > 14.0f * scale, "%s", name);
            ck_assert_msg(bar->w > 24.0f * scale && number->w > 40.0f * scale, "%s", name);
            ck_assert_msg(number->x + number->w < 302.0f * scale, "%s ends at %g", name, (double)number->x);
        }
        ck_assert_int_ge(sliders, scale > 1.5f ? 4 : 7); // the panel of a large scale shows fewer of them at a time
        ctInside_Close(v);
    }
}
END_TEST

static const ctRect *sliderOf(const char *pair)
{
    char name[160];
    snprintf(name, sizeof name, "Meeting|##mu %s", pair);
    const ctRect *r = ctInside_Find(name);
    ck_assert_msg(r != NULL, "no %s", name);
    return r;
}

// A ball falls on one of two floors. That pair comes first once it has met; of the rest, which stays in the list, one
// pair never meets, and two floors have no row at all. Starting again does not forget it.
START_TEST(pairs_that_have_met_come_first)
{
    ctViewer *v = openViewer("meeting.lua",
                             "scene { title = 'Meeting' }\n"
                             "for _, m in ipairs { 'clay', 'ivory', 'stone' } do material(m, { friction = 0.5 }) end\n"
                             "local flat = box { size = {1, 1, 0.2} }\n"
                             "body { shape = flat, motion = 'fixed', position = {5, 0, 0}, material = 'clay' }\n"
                             "body { shape = flat, motion = 'fixed', material = 'stone' }\n"
                             "body { shape = sphere { radius = 0.1 }, position = {0, 0, 0.25}, material = 'ivory' }\n");
    ctInside_Draw(v, 5);
    ck_assert_ptr_null(ctInside_Find("Meeting|Have not met so far"));
    ck_assert_ptr_null(ctInside_Find("Meeting|##mu clay – stone"));
    ck_assert(sliderOf("clay – ivory")->y < sliderOf("ivory – stone")->y);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; round == 0 && i < 30; i++) {
            ctInside_Key(SDLK_RIGHT);
        }
        for (int i = 0; i < 400 && round == 0 && v->shown.time < 29.5 / 60.0; i++) {
            ctInside_Draw(v, 1);
        }
        const ctRect *fold = ctInside_Find("Meeting|Have not met so far");
        ck_assert_ptr_nonnull(fold);
        ck_assert(sliderOf("ivory – stone")->y < fold->y && fold->y < sliderOf("clay – ivory")->y);
        ctInside_Key(SDLK_r);
        ctInside_Draw(v, 8);
    }
    const ctRect *fold = ctInside_Find("Meeting|Have not met so far");
    ctInside_ClickAt((int)(fold->x + 30.0f), (int)(fold->y + 8.0f));
    ctInside_Draw(v, 4);
    ck_assert_ptr_null(ctInside_Find("Meeting|##mu clay – ivory"));
    ctInside_Close(v);
}
END_TEST

// A plot without curves says how to get one, and a click on it does not move time. One curve over another: the axes
// have the names of both.
START_TEST(an_empty_plot_says_what_to_do_and_a_phase_plot_names_its_axes)
{
    ctViewer *v = openViewer("flight.lua", flight);
    ctInside_Draw(v, 3);
    for (int i = 0; i < 10; i++) {
        ctInside_Key(SDLK_RIGHT);
    }
    for (int i = 0; i < 200 && v->shown.time < 9.5 / 60.0; i++) {
        ctInside_Draw(v, 1);
    }
    ctInside_Key(SDLK_k);
    ctInside_Draw(v, 3);
    ck_assert_ptr_nonnull(ctInside_Find("Curves|click on a body, then Add"));
    const ctRect *plot = ctInside_Find("Curves|Curves");
    ck_assert_ptr_nonnull(plot);
    const int x = (int)(plot->x + 0.17f * plot->w), y = (int)(plot->y + 0.5f * plot->h);
    ctInside_ClickAt(x, y);
    ctInside_Draw(v, 5);
    ctAssertClose(v->shown.time, 10.0 / 60.0, 1e-9);
    ctBodyId ball = ctWorld_FindBody(v->scene->world, "ball");
    ck_assert(ctCurves_Add(&v->curves, ball, "ball", ct_curveZ));
    ck_assert(ctCurves_Add(&v->curves, ball, "ball", ct_curveSpeed));
    ck_assert(ctCurves_Backfill(&v->curves, 0, &v->timeline, 1.0));
    ctInside_Draw(v, 3);
    ck_assert_ptr_null(ctInside_Find("Curves|click on a body, then Add"));
    ck_assert_ptr_nonnull(ctInside_Find("Curves|s"));
    // With a curve the same click leads back.
    ctInside_ClickAt(x, y);
    ctInside_Draw(v, 5);
    ck_assert_msg(v->shown.time < 5.0 / 60.0, "%g", v->shown.time);
    v->curvePhase = true;
    ctInside_Draw(v, 3);
    ck_assert_ptr_null(ctInside_Find("Curves|s"));
    ck_assert(ctInside_Find("Curves|height of ball (m)") != NULL &&
              ctInside_Find("Curves|speed of ball (m/s)") != NULL);
    ctInside_Close(v);
}
END_TEST

// The middle of what was drawn at the origin, in the window.
static void middleOf(const ctViewer *v, float *x, float *y)
{
    double px, py;
    ck_assert(ctView_Project(&v->view, (double)WIDTH / HEIGHT, ctV3(0, 0, 0), &px, &py));
    *x = (float)(0.5 * (px + 1.0) * WIDTH);
    *y = (float)(0.5 * (1.0 - py) * HEIGHT);
}

// Until the picture has followed the panels.
static void settle(ctViewer *v)
{
    ctInside_Draw(v, 2);
    for (int i = 0; i < 400; i++) {
        float away = 0.0f;
        for (int k = 0; k < 4; k++) {
            away = fmaxf(away, fabsf(v->insets[k] - v->wantedInsets[k]));
        }
        if (away < 0.5f) {
            return;
        }
        ctInside_Draw(v, 1);
    }
    ck_abort_msg("the picture does not settle");
}

// The panel of curves lies over the lower right part of the window: the scene moves to the left of it. Dragged to the
// left by its title, the panel leaves the right part free; folded, it leaves nearly everything.
START_TEST(the_picture_is_centred_in_what_panels_leave_free)
{
    float x, y;
    ctViewer *v = openViewer("still.lua", "scene { gravity = {0, 0, 0}, camera = { eye = {0, -12, 0}, target = {0, 0, "
                                          "0} } }\nbody { name = 'ball', shape = sphere { radius = 0.5 } }\n");
    v->show.tweak = false;
    ctInside_Draw(v, 20);
    middleOf(v, &x, &y);
    ctAssertClose((double)x, 0.5 * WIDTH, 1.0);
    ctAssertClose((double)y, 0.5 * (40.0 + HEIGHT - 48.0), 1.0);
    ctInside_Key(SDLK_k);
    settle(v);
    const ctRect plot = *ctInside_Find("Curves|Curves");
    ck_assert(plot.x > 0.5f * (float)WIDTH);
    middleOf(v, &x, &y);
    ctAssertClose((double)x, 0.5 * ((double)plot.x - 10.0), 3.0);
    ctAssertClose((double)y, 0.5 * (40.0 + HEIGHT - 48.0), 1.0);
    // By its title to the left edge.
    int titleX = (int)(plot.x + 0.5f * plot.w), titleY = HEIGHT - 54 - 380 + 10, far = (int)plot.x - 16;
    ctInside_Move(titleX, titleY, 0);
    ctInside_Draw(v, 2);
    ctInside_Button(titleX, titleY, true);
    ctInside_Draw(v, 2);
    for (int i = 1; i <= 4; i++) {
        ctInside_Move(titleX - i * far / 4, titleY, SDL_BUTTON_LMASK);
        ctInside_Draw(v, 2);
    }
    ctInside_Button(titleX - far, titleY, false);
    settle(v);
    const ctRect moved = *ctInside_Find("Curves|Curves");
    ctAssertClose((double)moved.x, (double)plot.x - far, 1.0);
    middleOf(v, &x, &y);
    ctAssertClose((double)x, 0.5 * ((double)(moved.x + moved.w) + 10.0 + WIDTH), 3.0);
    // Folded by the arrow of its title.
    ctInside_Move((int)moved.x + 6, titleY, 0);
    ctInside_Draw(v, 2);
    ctInside_Button((int)moved.x + 6, titleY, true);
    ctInside_Draw(v, 2);
    ctInside_Button((int)moved.x + 6, titleY, false);
    settle(v);
    ck_assert_ptr_null(ctInside_Find("Curves|Curves"));
    middleOf(v, &x, &y);
    ck_assert_msg(fabsf(x - 0.5f * (float)WIDTH) < 3.0f, "%g", (double)x);
    ctInside_Close(v);
}
END_TEST

// ---- files ------------------------------------------------------------------------------------

static void drop(ctViewer *v, const char *path)
{
    SDL_Event e = {.drop = {.type = SDL_DROPFILE, .file = SDL_strdup(path)}};
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
    ctInside_Draw(v, 5);
}

// A scene that is dropped on the window is opened; what is no scene is refused, with its reason, and changes nothing.
START_TEST(a_file_dropped_on_the_window_is_opened)
{
    char path[128], wrong[128];
    ctViewer *v = openViewer("flight.lua", flight);
    ctInside_Draw(v, 3);
    ck_assert_str_eq(v->scene->name, "flight");
    ctInside_WriteScene("marble.lua",
                        "scene { title = 'Marble' }\nbody { name = 'm', shape = sphere { radius = 0.01 } }\n", path,
                        sizeof path);
    drop(v, path);
    ck_assert_str_eq(v->scene->name, "marble");
    ck_assert_int_eq(v->shown.count, 1);
    ck_assert_str_eq(SDL_GetWindowTitle(v->window.window), "Clatter – Marble");
    ctInside_WriteScene("wrong.lua", "body { shape = sphere { radius = -1 } }\n", wrong, sizeof wrong);
    drop(v, wrong);
    ck_assert_str_eq(v->scene->name, "marble");
    ck_assert_msg(strstr(v->sceneError, "wrong.lua:1:") != NULL, "%s", v->sceneError);
    drop(v, path); // and back
    ck_assert_str_eq(v->sceneError, "");
    ctInside_Close(v);
}
END_TEST

// ---- slowness ---------------------------------------------------------------------------------

START_TEST(who_is_slow_is_named)
{
    static const struct {
        bool playing;
        double speed, factor, need, frameRate;
        const char *cause;
    } cases[] = {
        {true, 1.0, 1.0, 0.1, 3.0, ""},
        {true, 1.0, 0.95, 5.0, 3.0, ""},
        {false, 1.0, 0.0, 5.0, 3.0, ""},
        {true, 1.0, 0.3, 3.0, 3.0, " (physics)"},
        {true, 1.0, 0.3, 0.1, 3.0, " (drawing)"},
        {true, 0.01, 0.005, 0.5, 3.0, " (drawing)"},
        {true, 0.5, 0.1, 5.0, 3.0, " (physics)"},
        {true, 4.0, 2.0, 0.5, 3.0, " (physics)"},
        {true, 0.1, 0.1, 5.0, 3.0, ""},
        {true, 0.1, 0.02, 50.0, 3.0, " (physics)"},
        // Neither takes long: something else has the processor.
        {true, 1.0, 0.3, 3.0, 20.0, " (physics)"},
        {true, 1.0, 0.3, 0.1, 20.0, " (busy computer)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ctViewer v = {.playing = cases[i].playing, .speed = cases[i].speed, .factor = cases[i].factor};
        v.need = cases[i].need;
        v.frameRate = cases[i].frameRate;
        const char *said = ctSlowness_Cause(ctViewer_Slowness(&v));
        ck_assert_msg(strcmp(said, cases[i].cause) == 0, "case %d:%s", (int)i, said);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("viewer_inside");
    TCase *inside = tcase_create("inside");
    tcase_set_timeout(inside, 60);
    tcase_add_test(inside, the_velocity_of_the_selected_body_has_its_number);
    tcase_add_test(inside, arrows_have_a_legend_while_they_are_shown);
    tcase_add_test(inside, parameters_come_before_materials_and_physics);
    tcase_add_test(inside, numbers_stand_beside_their_sliders);
    tcase_add_test(inside, pairs_that_have_met_come_first);
    tcase_add_test(inside, an_empty_plot_says_what_to_do_and_a_phase_plot_names_its_axes);
    tcase_add_test(inside, the_picture_is_centred_in_what_panels_leave_free);
    tcase_add_test(inside, a_file_dropped_on_the_window_is_opened);
    tcase_add_test(inside, who_is_slow_is_named);
    suite_add_tcase(suite, inside);
    return ctRunSuite(suite);
}
