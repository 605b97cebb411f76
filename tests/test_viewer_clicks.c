// Every button, box and key of the viewer's panels, one after another, without a display: what each is for happens.
#include "collision/vec3.h"
#include "tests/support/inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A ball that bounces for ever; two cameras, a parameter.
static const char *const bounce =
    "-- A ball.\n--\n-- It bounces.\n"
    "scene { title = 'Bounce', camera = { eye = {0, -4, 1}, target = {0, 0, 0.5} } }\n"
    "camera('near', { eye = {0, -2, 1}, target = {0, 0, 0.5} })\n"
    "local h = param('height', 0.6, 0.5, 3, 'height (m)')\n"
    "material('steel', { friction = 0.2, restitution = 1 })\n"
    "body { name = 'floor', motion = 'fixed', shape = box { size = {1, 1, 0.1} }, position = {0, 0, -0.05}, "
    "material = 'steel' }\n"
    "body { name = 'ball', shape = sphere { radius = 0.2 }, position = {0, 0, h}, material = 'steel' }\n";

static ctViewer *openBounce(void)
{
    ctViewer *v = ctInside_Open("bounce.lua", bounce, 1.0);
    ctInside_Draw(v, 6);
    return v;
}

// A button of the bar, or of the menu that takes what does not fit into it.
static void clickBar(ctViewer *v, const char *label)
{
    char name[64];
    snprintf(name, sizeof name, "bar|%s", label);
    if (ctInside_Find(name) == NULL) {
        snprintf(name, sizeof name, "menu|%s", label);
        ctInside_Click(v, "bar|≡");
    }
    ctInside_Click(v, name);
    if (name[0] == 'm') {
        ctInside_Click(v, "bar|≡");
    }
}

static void key(ctViewer *v, SDL_Keycode sym)
{
    ctInside_Key(sym);
    ctInside_Draw(v, 3);
}

// Until the world has come to a time, at most so many pictures.
static void waitFor(ctViewer *v, double time)
{
    for (int i = 0; i < 600 && v->shown.time < time - 1e-9; i++) {
        ctInside_Draw(v, 1);
    }
    ck_assert_msg(v->shown.time >= time - 1e-9, "the world is at %g s, not %g", v->shown.time, time);
}

static void scroll(ctViewer *v, int x, int y, int notches)
{
    SDL_Event e = {.wheel = {.type = SDL_MOUSEWHEEL, .y = notches}};
    ctInside_Move(x, y, 0);
    ctInside_Draw(v, 1);
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
    ctInside_Draw(v, 3);
}

START_TEST(the_buttons_of_the_bar)
{
    ctViewer *v = openBounce();
    ctInside_Click(v, "bar||▶");
    waitFor(v, 1.0 / 60.0);
    ctInside_Click(v, "bar|Impact ▶|");
    const double fall = sqrt(2.0 * 0.4 / 9.81);
    waitFor(v, fall - 1e-6);
    ctAssertClose(v->shown.time, fall, 1e-6);
    ctInside_Click(v, "bar|◀|");
    ctInside_Draw(v, 5);
    ck_assert_msg(v->shown.time < fall - 1e-3, "%g", v->shown.time);
    ctInside_Click(v, "bar|▶ Play");
    ck_assert(v->playing);
    waitFor(v, 0.5);
    ctInside_Click(v, "bar|❚❚ Pause");
    ck_assert(!v->playing);
    ctInside_Click(v, "bar|Reset");
    ctInside_Draw(v, 5);
    ck_assert_msg(v->shown.time <= 0.0, "%g", v->shown.time);
    clickBar(v, "Tweak");
    ck_assert(!v->show.tweak && ctInside_Find("Bounce|Materials") == NULL);
    key(v, SDLK_m);
    ck_assert(v->show.tweak && ctInside_Find("Bounce|Materials") != NULL);
    // Half way along the bar of speeds from 1/1000 to 1.
    const ctRect speed = *ctInside_Find("bar|##speed");
    ctInside_ClickAt((int)(speed.x + 0.5f * speed.w), (int)(speed.y + 0.5f * speed.h));
    ctInside_Draw(v, 4);
    ck_assert_msg(v->speed > 0.015 && v->speed < 0.06, "%g", v->speed);
    key(v, SDLK_1);
    ctAssertClose(v->speed, 1.0, 0.0);
    ctInside_Close(v);
}
END_TEST

START_TEST(cameras_and_the_view)
{
    ctViewer *v = openBounce();
    ctAssertClose(ctCamera_GetView(&v->camera).eye.y, -4.0, 1e-9);
    key(v, SDLK_v);
    ctAssertClose(ctCamera_GetView(&v->camera).eye.y, -2.0, 1e-9);
    key(v, SDLK_HOME);
    ctAssertClose(ctCamera_GetView(&v->camera).eye.y, -4.0, 1e-9);
    scroll(v, 600, 500, -20);
    double far = ctDistance(ctCamera_GetView(&v->camera).eye, ctCamera_GetView(&v->camera).target);
    ck_assert_msg(far > 6.0, "%g m", far);
    key(v, SDLK_a);
    double near = ctDistance(ctCamera_GetView(&v->camera).eye, ctCamera_GetView(&v->camera).target);
    ck_assert_msg(near < 0.7 * far, "%g m, then %g m", far, near);
    key(v, SDLK_TAB);
    ck_assert(!v->show.panels && ctInside_Find("bar|Fit") == NULL);
    key(v, SDLK_TAB);
    ck_assert_ptr_nonnull(ctInside_Find("bar|Fit"));
    // The demos before and after.
    key(v, SDLK_PAGEDOWN);
    ctInside_Draw(v, 5);
    ck_assert_str_eq(v->scene->name, v->demos[0].name);
    key(v, SDLK_PAGEUP);
    ctInside_Draw(v, 5);
    ck_assert_str_eq(v->scene->name, v->demos[v->demoCount - 1].name);
    ctInside_Close(v);
}
END_TEST

// What is shown besides the bodies, by a box or by its key.
START_TEST(boxes_of_what_is_shown)
{
    ctViewer *v = openBounce();
    const struct {
        const char *widget;
        const bool *flag;
        SDL_Keycode key;
    } boxes[] = {
        {"Bounce|contacts and impulses", &v->show.contacts, SDLK_c},
        {"Bounce|swept boxes", &v->show.boxes, SDLK_x},
        {"Bounce|pending pairs", &v->show.pending, SDLK_p},
        {"Bounce|sleeping bodies in blue", &v->show.sleeping, SDLK_z},
        {"Bounce|trails", &v->show.trails, SDLK_t},
        {"Bounce|shadows", &v->show.shadows, SDLK_UNKNOWN},
    };
    for (int fold = 0; fold < 2; fold++) { // room for the last boxes of the panel
        ctInside_Click(v, fold == 0 ? "Bounce|Parameters" : "Bounce|Materials");
    }
    ctInside_Click(v, "Bounce|Show");
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        bool was = *boxes[i].flag;
        ctInside_Click(v, boxes[i].widget);
        ck_assert_msg(*boxes[i].flag != was, "%s", boxes[i].widget);
        if (boxes[i].key != SDLK_UNKNOWN) {
            key(v, boxes[i].key);
            ck_assert_msg(*boxes[i].flag == was, "the key of %s", boxes[i].widget);
        }
    }
    ctInside_Close(v);
}
END_TEST

// Parameters and friction are changed by a click into their bars, and come back; the world goes into a file.
START_TEST(settings_are_changed_restored_and_saved)
{
    ctViewer *v = openBounce();
    const ctRect mu = *ctInside_Find("Bounce|##mu steel"), height = *ctInside_Find("Bounce|##height");
    ctInside_ClickAt((int)(mu.x + 0.9f * mu.w), (int)(mu.y + 0.5f * mu.h));
    ctInside_Draw(v, 4);
    ctInside_ClickAt((int)(height.x + 0.9f * height.w), (int)(height.y + 0.5f * height.h));
    ctInside_Draw(v, 8);
    ctBodyId ball = ctWorld_FindBody(v->scene->world, "ball");
    double z = ctBody_GetCenter(v->scene->world, ball).z, friction = v->settings.pairs[0].value.friction;
    ck_assert_msg(friction > 1.0 && z > 2.0, "friction %g, height %g m", friction, z);
    ctInside_Click(v, "Bounce|Restore defaults");
    ctInside_Draw(v, 5);
    ball = ctWorld_FindBody(v->scene->world, "ball");
    ctAssertClose(v->settings.pairs[0].value.friction, 0.2, 0.0);
    ctAssertClose(ctBody_GetCenter(v->scene->world, ball).z, 0.6, 1e-12);
    // Into the working folder, which is the test's own for so long.
    char home[512];
    ck_assert_ptr_nonnull(getcwd(home, sizeof home));
    ck_assert_int_eq(chdir(ctInside_Folder), 0);
    ctInside_Click(v, "Bounce|Save world");
    int there = access("clatter-bounce-001.snap", R_OK);
    ck_assert_int_eq(chdir(home), 0);
    ck_assert_int_eq(there, 0);
    ctInside_Close(v);
}
END_TEST

START_TEST(plots_lead_to_curves_whose_wheel_zooms)
{
    ctViewer *v = openBounce();
    clickBar(v, "Plots");
    ck_assert(v->show.plots);
    ctInside_Click(v, "Plots|Curves of bodies");
    ck_assert(v->show.curves);
    key(v, SDLK_g);
    ck_assert(!v->show.plots);
    ctBodyId ball = ctWorld_FindBody(v->scene->world, "ball");
    ck_assert(ctCurves_Add(&v->curves, ball, "ball", ct_curveZ));
    ctInside_Click(v, "bar|▶ Play");
    waitFor(v, 1.0);
    ctInside_Click(v, "bar|❚❚ Pause");
    ck_assert_ptr_null(ctInside_Find("Curves|All"));
    const ctRect plot = *ctInside_Find("Curves|Curves");
    scroll(v, (int)(plot.x + 0.6f * plot.w), (int)(plot.y + 0.5f * plot.h), 3);
    ck_assert_msg(v->curveSpan > 0.0 && v->curveSpan < 0.8 * v->shown.time, "%g s", v->curveSpan);
    ctInside_Click(v, "Curves|All");
    ctAssertClose(v->curveSpan, 0.0, 0.0);
    ctInside_Click(v, "Curves|×");
    ck_assert_int_eq(v->curves.wishCount, 0);
    ctInside_Close(v);
}
END_TEST

// From one impact to the next and back, to the moment of one, and stopping at every one of them.
START_TEST(the_inspector_steps_through_impacts)
{
    ctViewer *v = openBounce();
    ctInside_Click(v, "bar|▶ Play");
    waitFor(v, 1.5);
    ctInside_Click(v, "bar|❚❚ Pause");
    clickBar(v, "Impacts");
    ck_assert(v->show.inspector);
    int last = v->history.impactCount - 1;
    ck_assert_int_ge(last, 1);
    ctInside_Click(v, "Impact inspector|◀ previous");
    int at = v->inspected;
    ctInside_Click(v, "Impact inspector|◀ previous");
    ck_assert_int_eq(v->inspected, at - 1);
    ctInside_Click(v, "Impact inspector|next ▶");
    ck_assert_int_eq(v->inspected, at);
    ctInside_Click(v, "Impact inspector|go there");
    ctInside_Draw(v, 5);
    ctAssertClose(v->shown.time, v->history.impacts[at].time, 1.0 / 60.0);
    ctInside_Click(v, "Impact inspector|only the selected body");
    ck_assert(v->inspectOne);
    ctInside_Click(v, "Impact inspector|only the selected body");
    ctInside_Click(v, "Impact inspector|pause at impacts");
    ck_assert(v->pauseAtImpacts);
    ctInside_Click(v, "bar|▶ Play");
    for (int i = 0; i < 600 && v->playing; i++) {
        ctInside_Draw(v, 1);
    }
    ck_assert(!v->playing);
    ctAssertClose(v->shown.time, v->history.impacts[v->inspected].time, 1e-9);
    ctInside_Close(v);
}
END_TEST

static bool contains(const ctRect *outer, const ctRect *r)
{
    return r->x >= outer->x && r->y >= outer->y && r->x + r->w <= outer->x + outer->w &&
           r->y + r->h <= outer->y + outer->h;
}

// With panels twice as large the window is 450 by 320: the parts of an impact have tabs, and each is seen whole.
START_TEST(the_inspector_fits_into_a_low_window)
{
    ctViewer *v = ctInside_Open("bounce.lua", bounce, 2.0);
    ctInside_Draw(v, 3);
    v->show.tweak = false;
    ctInside_Click(v, "bar|Impact ▶|");
    key(v, SDLK_i);
    ctInside_Draw(v, 3);
    static const char *const parts[] = {
        "Hodograph|Hodograph: tangential velocity u_x, u_y", "Course|Normal velocity u_z: compression, restitution",
        "Course|Work of the normal force", "Cone|Impulse p_t, p_z in the friction cone"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char tab[80], diagram[120];
        const char *bar = strchr(parts[i], '|');
        snprintf(tab, sizeof tab, "Impact inspector|%.*s", (int)(bar - parts[i]), parts[i]);
        snprintf(diagram, sizeof diagram, "Impact inspector|%s", bar + 1);
        ctInside_Click(v, tab);
        const ctRect *r = ctInside_Find(diagram);
        ctRect window = {0.0f, 0.0f, CT_INSIDE_WIDTH, CT_INSIDE_HEIGHT - 2.0f * 26.0f};
        ctRequire(r != NULL && contains(&window, r), "%s", diagram);
    }
    ctInside_Click(v, "Impact inspector|Numbers");
    const ctRect *box = ctInside_Find("Impact inspector|pause at impacts");
    ck_assert(box != NULL && box->x + box->w <= CT_INSIDE_WIDTH);
    ctInside_Close(v);
}
END_TEST

START_TEST(a_selected_body_is_followed_and_inspected)
{
    ctViewer *v = openBounce();
    ctInside_ClickOn(v, "ball");
    ctInside_Click(v, "ball|Follow");
    ck_assert(v->follow);
    key(v, SDLK_f);
    ck_assert(!v->follow);
    ctInside_Click(v, "bar|Impact ▶|");
    waitFor(v, 0.28);
    ctInside_Click(v, "ball|Its impacts");
    ck_assert(v->show.inspector && v->inspected == v->history.impactCount - 1);
    key(v, SDLK_i);
    int bodies = v->shown.count;
    ctInside_Click(v, "ball|Delete");
    ctInside_Draw(v, 3);
    ck_assert_int_eq(v->shown.count, bodies - 1);
    key(v, SDLK_ESCAPE);
    ck_assert_int_eq(v->selected.index1, 0);
    ctInside_Close(v);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("viewer_clicks");
    TCase *clicks = tcase_create("clicks");
    tcase_set_timeout(clicks, 60);
    tcase_add_test(clicks, the_buttons_of_the_bar);
    tcase_add_test(clicks, cameras_and_the_view);
    tcase_add_test(clicks, boxes_of_what_is_shown);
    tcase_add_test(clicks, settings_are_changed_restored_and_saved);
    tcase_add_test(clicks, plots_lead_to_curves_whose_wheel_zooms);
    tcase_add_test(clicks, the_inspector_steps_through_impacts);
    tcase_add_test(clicks, the_inspector_fits_into_a_low_window);
    tcase_add_test(clicks, a_selected_body_is_followed_and_inspected);
    suite_add_tcase(suite, clicks);
    return ctRunSuite(suite);
}
