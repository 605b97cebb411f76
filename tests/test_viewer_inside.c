// The viewer from inside, without a display: what it writes over the picture, the order of its panel, files dropped on
// its window, whom it blames for being slow.
#include "collision/vec3.h"
#include "render/draw/gl_util.h"
#include "render/viewer/viewer_internal.h"
#include "tests/support/suite.h"

#include <SDL.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 900, HEIGHT = 640, TEXTS = 400 };

typedef struct text {
    char name[128]; // "PANEL|LABEL"
    ctRect rect;
} text;

// What the last picture has: its words and its widgets.
static struct {
    text texts[TEXTS];
    int count;
} seen;

static void take(void *context, const char *panel, const char *label, ctRect rect)
{
    (void)context;
    ck_assert_int_lt(seen.count, TEXTS);
    snprintf(seen.texts[seen.count].name, sizeof seen.texts[0].name, "%s|%s", panel, label);
    seen.texts[seen.count++].rect = rect;
}

// Where the last picture has a text or a widget; NULL when it has none of that name.
static const ctRect *find(const char *name)
{
    for (int i = 0; i < seen.count; i++) {
        if (strcmp(seen.texts[i].name, name) == 0) {
            return &seen.texts[i].rect;
        }
    }
    return NULL;
}

static char folder[] = "build/test_inside_XXXXXX";

static void writeScene(const char *name, const char *words, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(words, f);
    ck_assert_int_eq(fclose(f), 0);
}

static ctViewer *openScaled(const char *name, const char *words, float scale)
{
    char path[128];
    strcpy(folder, "build/test_inside_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    setenv("XDG_STATE_HOME", folder, 1);
    writeScene(name, words, path, sizeof path);
    bool badInput;
    ctError error = {0};
    const ctViewerOptions options = {
        .scene = path, .width = WIDTH, .height = HEIGHT, .paused = true, .debug = true, .scale = scale};
    ctViewer *v = ctViewer_Open(&options, &badInput, &error);
    ck_assert_msg(v != NULL, "%s", error.message);
    ctGui_OnLabel(take, NULL);
    ctGui_OnWidget(take, NULL);
    return v;
}

static ctViewer *openViewer(const char *name, const char *words)
{
    return openScaled(name, words, 1.0f);
}

static void closeViewer(ctViewer *v)
{
    char command[128];
    ck_assert_int_eq(ctGl_ErrorCount(), 0);
    ctViewer_Close(v);
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

// So many pictures; seen holds the words of the last.
static void draw(ctViewer *v, int pictures)
{
    for (int i = 0; i < pictures; i++) {
        bool more;
        ctError error = {0};
        seen.count = 0;
        ck_assert_msg(ctViewer_Frame(v, &more, &error), "%s", error.message);
        ck_assert(more);
    }
}

// A click at a place of the window, as the window's system tells it.
static void clickAt(int x, int y)
{
    SDL_Event e = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .clicks = 1, .x = x, .y = y}};
    e.button.state = SDL_PRESSED;
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
    e.button.type = SDL_MOUSEBUTTONUP;
    e.button.state = SDL_RELEASED;
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
}

static void clickOn(ctViewer *v, const char *body)
{
    ctBodyId id = ctWorld_FindBody(v->scene->world, body);
    double x, y;
    ck_assert(ctView_Project(&v->view, (double)WIDTH / HEIGHT, ctBody_GetCenter(v->scene->world, id), &x, &y));
    clickAt((int)((x + 1.0) * 0.5 * WIDTH), (int)((1.0 - y) * 0.5 * HEIGHT));
    draw(v, 3);
    ck_assert_int_eq(v->selected.index1, id.index1);
}

static void pressKey(SDL_Keycode key)
{
    SDL_Event e = {.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = key}}};
    e.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
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
    draw(v, 20); // the picture has moved beside the panels by then
    ck_assert_ptr_null(find("picture|5 m/s"));
    clickOn(v, "ball");
    const ctRect *number = find("picture|5 m/s"), *legend = find("picture|velocity");
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
    clickOn(v, "still");
    ck_assert_ptr_null(find("picture|5 m/s"));
    ck_assert_ptr_null(find("picture|0 m/s"));
    closeViewer(v);
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
    draw(v, 3);
    ck_assert(find(rows[0].words) == NULL && find(rows[1].words) == NULL && find("picture|velocity") == NULL);
    pressKey(SDLK_c);
    draw(v, 3);
    for (int i = 0; i < 2; i++) {
        const ctRect *r = find(rows[i].words);
        ck_assert_msg(r != NULL, "no %s", rows[i].words);
        ck_assert(r->x > 302.0f && r->x + r->w < (float)WIDTH && r->y > 40.0f && r->y + r->h < (float)HEIGHT);
        ck_assert_int_gt(countColor(v, (ctRect){r->x - 36.0f, r->y, 32.0f, r->h}, rows[i].color), 20);
    }
    ck_assert_ptr_null(find("picture|velocity"));
    pressKey(SDLK_c);
    draw(v, 3);
    ck_assert(find(rows[0].words) == NULL && find(rows[1].words) == NULL);
    closeViewer(v);
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
    draw(v, 5);
    const ctRect *slope = NULL;
    int others = 0;
    for (int i = 0; i < seen.count; i++) {
        slope = strstr(seen.texts[i].name, "|##slope") != NULL ? &seen.texts[i].rect : slope;
    }
    ck_assert_ptr_nonnull(slope);
    ck_assert(slope->y + slope->h < (float)HEIGHT / 2.0f);
    for (int i = 0; i < seen.count; i++) {
        const char *label = strchr(seen.texts[i].name, '|');
        if (strncmp(label, "|##mu ", 6) == 0 || strncmp(label, "|##e ", 5) == 0 || strcmp(label, "|law") == 0) {
            others++;
            ck_assert_msg(seen.texts[i].rect.y >= slope->y + slope->h, "%s", seen.texts[i].name);
        }
    }
    ck_assert_int_ge(others, 3);
    closeViewer(v);
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
        ctViewer *v = openScaled("many.lua", manySliders, scale);
        v->show.tweak = true; // which a narrow window does not open by itself
        draw(v, 5);
        int sliders = 0;
        for (int k = 0; k < seen.count; k++) {
            char name[160];
            snprintf(name, sizeof name, "%.120s number", seen.texts[k].name);
            const ctRect *bar = &seen.texts[k].rect, *number = find(name);
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
        closeViewer(v);
    }
}
END_TEST

static const ctRect *sliderOf(const char *pair)
{
    char name[160];
    snprintf(name, sizeof name, "Meeting|##mu %s", pair);
    const ctRect *r = find(name);
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
    draw(v, 5);
    ck_assert_ptr_null(find("Meeting|Have not met so far"));
    ck_assert_ptr_null(find("Meeting|##mu clay – stone"));
    ck_assert(sliderOf("clay – ivory")->y < sliderOf("ivory – stone")->y);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; round == 0 && i < 30; i++) {
            pressKey(SDLK_RIGHT);
        }
        for (int i = 0; i < 400 && round == 0 && v->shown.time < 29.5 / 60.0; i++) {
            draw(v, 1);
        }
        const ctRect *fold = find("Meeting|Have not met so far");
        ck_assert_ptr_nonnull(fold);
        ck_assert(sliderOf("ivory – stone")->y < fold->y && fold->y < sliderOf("clay – ivory")->y);
        pressKey(SDLK_r);
        draw(v, 8);
    }
    const ctRect *fold = find("Meeting|Have not met so far");
    clickAt((int)(fold->x + 30.0f), (int)(fold->y + 8.0f));
    draw(v, 4);
    ck_assert_ptr_null(find("Meeting|##mu clay – ivory"));
    closeViewer(v);
}
END_TEST

// A plot without curves says how to get one, and a click on it does not move time. One curve over another: the axes
// have the names of both.
START_TEST(an_empty_plot_says_what_to_do_and_a_phase_plot_names_its_axes)
{
    ctViewer *v = openViewer("flight.lua", flight);
    draw(v, 3);
    for (int i = 0; i < 10; i++) {
        pressKey(SDLK_RIGHT);
    }
    for (int i = 0; i < 200 && v->shown.time < 9.5 / 60.0; i++) {
        draw(v, 1);
    }
    pressKey(SDLK_k);
    draw(v, 3);
    ck_assert_ptr_nonnull(find("Curves|click on a body, then Add"));
    const ctRect *plot = find("Curves|Curves");
    ck_assert_ptr_nonnull(plot);
    const int x = (int)(plot->x + 0.17f * plot->w), y = (int)(plot->y + 0.5f * plot->h);
    clickAt(x, y);
    draw(v, 5);
    ctAssertClose(v->shown.time, 10.0 / 60.0, 1e-9);
    ctBodyId ball = ctWorld_FindBody(v->scene->world, "ball");
    ck_assert(ctCurves_Add(&v->curves, ball, "ball", ct_curveZ));
    ck_assert(ctCurves_Add(&v->curves, ball, "ball", ct_curveSpeed));
    ck_assert(ctCurves_Backfill(&v->curves, 0, &v->timeline, 1.0));
    draw(v, 3);
    ck_assert_ptr_null(find("Curves|click on a body, then Add"));
    ck_assert_ptr_nonnull(find("Curves|s"));
    // With a curve the same click leads back.
    clickAt(x, y);
    draw(v, 5);
    ck_assert_msg(v->shown.time < 5.0 / 60.0, "%g", v->shown.time);
    v->curvePhase = true;
    draw(v, 3);
    ck_assert_ptr_null(find("Curves|s"));
    ck_assert(find("Curves|height of ball (m)") != NULL && find("Curves|speed of ball (m/s)") != NULL);
    closeViewer(v);
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
    draw(v, 2);
    for (int i = 0; i < 400; i++) {
        float away = 0.0f;
        for (int k = 0; k < 4; k++) {
            away = fmaxf(away, fabsf(v->insets[k] - v->wantedInsets[k]));
        }
        if (away < 0.5f) {
            return;
        }
        draw(v, 1);
    }
    ck_abort_msg("the picture does not settle");
}

static void moveTo(int x, int y, unsigned buttons)
{
    SDL_Event e = {.motion = {.type = SDL_MOUSEMOTION, .state = buttons, .x = x, .y = y}};
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
}

static void press(int x, int y, bool down)
{
    SDL_Event e = {.button = {.button = SDL_BUTTON_LEFT, .clicks = 1, .x = x, .y = y}};
    e.button.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    e.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
}

// The panel of curves lies over the lower right part of the window: the scene moves to the left of it. Dragged to the
// left by its title, the panel leaves the right part free; folded, it leaves nearly everything.
START_TEST(the_picture_is_centred_in_what_panels_leave_free)
{
    float x, y;
    ctViewer *v = openViewer("still.lua", "scene { gravity = {0, 0, 0}, camera = { eye = {0, -12, 0}, target = {0, 0, "
                                          "0} } }\nbody { name = 'ball', shape = sphere { radius = 0.5 } }\n");
    v->show.tweak = false;
    draw(v, 20);
    middleOf(v, &x, &y);
    ctAssertClose((double)x, 0.5 * WIDTH, 1.0);
    ctAssertClose((double)y, 0.5 * (40.0 + HEIGHT - 48.0), 1.0);
    pressKey(SDLK_k);
    settle(v);
    const ctRect plot = *find("Curves|Curves");
    ck_assert(plot.x > 0.5f * (float)WIDTH);
    middleOf(v, &x, &y);
    ctAssertClose((double)x, 0.5 * ((double)plot.x - 10.0), 3.0);
    ctAssertClose((double)y, 0.5 * (40.0 + HEIGHT - 48.0), 1.0);
    // By its title to the left edge.
    int titleX = (int)(plot.x + 0.5f * plot.w), titleY = HEIGHT - 54 - 380 + 10, far = (int)plot.x - 16;
    moveTo(titleX, titleY, 0);
    draw(v, 2);
    press(titleX, titleY, true);
    draw(v, 2);
    for (int i = 1; i <= 4; i++) {
        moveTo(titleX - i * far / 4, titleY, SDL_BUTTON_LMASK);
        draw(v, 2);
    }
    press(titleX - far, titleY, false);
    settle(v);
    const ctRect moved = *find("Curves|Curves");
    ctAssertClose((double)moved.x, (double)plot.x - far, 1.0);
    middleOf(v, &x, &y);
    ctAssertClose((double)x, 0.5 * ((double)(moved.x + moved.w) + 10.0 + WIDTH), 3.0);
    // Folded by the arrow of its title.
    moveTo((int)moved.x + 6, titleY, 0);
    draw(v, 2);
    press((int)moved.x + 6, titleY, true);
    draw(v, 2);
    press((int)moved.x + 6, titleY, false);
    settle(v);
    ck_assert_ptr_null(find("Curves|Curves"));
    middleOf(v, &x, &y);
    ck_assert_msg(fabsf(x - 0.5f * (float)WIDTH) < 3.0f, "%g", (double)x);
    closeViewer(v);
}
END_TEST

// ---- files ------------------------------------------------------------------------------------

static void drop(ctViewer *v, const char *path)
{
    SDL_Event e = {.drop = {.type = SDL_DROPFILE, .file = SDL_strdup(path)}};
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
    draw(v, 5);
}

// A scene that is dropped on the window is opened; what is no scene is refused, with its reason, and changes nothing.
START_TEST(a_file_dropped_on_the_window_is_opened)
{
    char path[128], wrong[128];
    ctViewer *v = openViewer("flight.lua", flight);
    draw(v, 3);
    ck_assert_str_eq(v->scene->name, "flight");
    writeScene("marble.lua", "scene { title = 'Marble' }\nbody { name = 'm', shape = sphere { radius = 0.01 } }\n",
               path, sizeof path);
    drop(v, path);
    ck_assert_str_eq(v->scene->name, "marble");
    ck_assert_int_eq(v->shown.count, 1);
    ck_assert_str_eq(SDL_GetWindowTitle(v->window.window), "Clatter – Marble");
    writeScene("wrong.lua", "body { shape = sphere { radius = -1 } }\n", wrong, sizeof wrong);
    drop(v, wrong);
    ck_assert_str_eq(v->scene->name, "marble");
    ck_assert_msg(strstr(v->sceneError, "wrong.lua:1:") != NULL, "%s", v->sceneError);
    drop(v, path); // and back
    ck_assert_str_eq(v->sceneError, "");
    closeViewer(v);
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
