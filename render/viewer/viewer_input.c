// Mouse, keyboard, and the first finger.
#include "render/viewer/viewer_internal.h"

#include "collision/quat.h"
#include "render/draw/picking.h"

#include <SDL.h>
#include <stdlib.h>

// A press that moves less than this many pixels is a click.
#define CLICK_PIXELS 4

static ctRay rayAt(const ctViewer *v, int x, int y)
{
    double px = 2.0 * (x + 0.5) / v->width - 1.0, py = 1.0 - 2.0 * (y + 0.5) / v->height;
    return ctView_GetRay(&v->view, (double)v->width / v->height, px, py);
}

// Begins to pull the body that the pointer's ray meets.
static void takeHold(ctViewer *v)
{
    ctRay ray = rayAt(v, v->mouseX, v->mouseY);
    ctPick pick = ctPick_Body(&v->stage, v->poses, ray);
    if (pick.ordinal >= 0 && v->stage.bodies[pick.ordinal].motion == ct_motionDynamic) {
        v->drag = ct_dragPull;
        v->selected = v->stage.bodies[pick.ordinal].id;
        v->show.body = true;
        v->pullDistance = pick.t;
        v->pull = (ctPull){false, v->selected, ctInvTransformPoint(v->poses[pick.ordinal], pick.point), pick.point};
    }
}

static void press(ctViewer *v, const SDL_MouseButtonEvent *e)
{
    v->pressX = v->mouseX;
    v->pressY = v->mouseY;
    bool shift = (SDL_GetModState() & (KMOD_SHIFT | KMOD_CTRL)) != 0;
    if (e->button != SDL_BUTTON_LEFT || shift) {
        v->drag = ct_dragPan;
        return;
    }
    v->drag = ct_dragOrbit;
    if (e->which != SDL_TOUCH_MOUSEID && !v->measuring) {
        takeHold(v);
    }
}

// Adds a point to measure from. After the third point the list starts again.
static void measureAt(ctViewer *v, const ctPick *pick)
{
    if (pick->ordinal >= 0) {
        v->measureCount = v->measureCount < 3 ? v->measureCount : 0;
        v->measurePoints[v->measureCount++] = pick->point;
    }
}

static void release(ctViewer *v)
{
    bool click = abs(v->mouseX - v->pressX) < CLICK_PIXELS && abs(v->mouseY - v->pressY) < CLICK_PIXELS;
    if (click && v->drag == ct_dragOrbit) {
        ctPick pick = ctPick_Body(&v->stage, v->poses, rayAt(v, v->mouseX, v->mouseY));
        if (v->measuring) {
            measureAt(v, &pick);
            v->drag = ct_dragNone;
            return;
        }
        bool hit = pick.ordinal >= 0 && !v->stage.bodies[pick.ordinal].plane;
        v->selected = hit ? v->stage.bodies[pick.ordinal].id : (ctBodyId){0};
        v->show.body = hit;
        v->follow = v->follow && hit;
    }
    v->drag = ct_dragNone;
    v->pull.on = false;
}

static void move(ctViewer *v, int dx, int dy)
{
    double wider;
    bool far = abs(v->mouseX - v->pressX) >= CLICK_PIXELS || abs(v->mouseY - v->pressY) >= CLICK_PIXELS;
    switch (v->drag) {
    case ct_dragOrbit:
        ctCamera_Orbit(&v->camera, -0.006 * dx, 0.006 * dy);
        break;
    case ct_dragPan:
        wider = tan(v->view.fov * CT_PI / 360.0) / tan(v->camera.fov * CT_PI / 360.0);
        ctCamera_Pan(&v->camera, wider * dx / v->height, -wider * dy / v->height);
        v->follow = false;
        v->cameraBody = (ctBodyId){0};
        break;
    case ct_dragPull:
        v->pull.on = v->pull.on || far;
        break;
    case ct_dragNone:
        break;
    }
    if (v->pull.on) {
        ctRay ray = rayAt(v, v->mouseX, v->mouseY);
        v->pull.target = ctMulAdd(ray.origin, v->pullDistance, ray.direction);
    }
}

// ---- keys -------------------------------------------------------------------------------------

static void toggle(bool *flag)
{
    *flag = !*flag;
}

static void stepInspector(ctViewer *v, int direction)
{
    int from = v->inspected >= 0 ? v->inspected : direction < 0 ? v->history.impactCount : -1;
    int next = ctHistory_NextImpact(&v->history, from, direction, v->selected);
    if (next >= 0) {
        v->inspected = next;
        v->show.inspector = true;
    }
}

static bool timeKey(ctViewer *v, SDL_Keycode key)
{
    switch (key) {
    case SDLK_SPACE:
        ctViewer_Play(v, !v->playing);
        return true;
    case SDLK_RIGHT:
    case SDLK_PERIOD:
        ctViewer_Ask(v, ct_advanceFrame);
        return true;
    case SDLK_LEFT:
        ctViewer_StepBack(v);
        return true;
    case SDLK_n:
        ctViewer_Ask(v, ct_advanceImpact);
        return true;
    case SDLK_r:
        v->restart = true;
        ctSim_Cancel(&v->sim);
        return true;
    case SDLK_LEFTBRACKET:
        ctViewer_SetSpeed(v, 0.5 * v->speed);
        return true;
    case SDLK_RIGHTBRACKET:
        ctViewer_SetSpeed(v, 2.0 * v->speed);
        return true;
    case SDLK_1:
        ctViewer_SetSpeed(v, 1.0);
        return true;
    case SDLK_PAGEUP:
        ctViewer_StepDemo(v, -1);
        return true;
    case SDLK_PAGEDOWN:
        ctViewer_StepDemo(v, 1);
        return true;
    default:
        return false;
    }
}

static bool viewKey(ctViewer *v, SDL_Keycode key)
{
    switch (key) {
    case SDLK_HOME:
        ctViewer_ResetView(v);
        return true;
    case SDLK_a:
        ctViewer_FitView(v);
        return true;
    case SDLK_v:
        ctViewer_NextCamera(v);
        return true;
    case SDLK_f:
        v->follow = !v->follow && v->selected.index1 != 0;
        ctViewer_Say(v, v->follow                 ? "following"
                        : v->selected.index1 != 0 ? "no longer following"
                                                  : "click a body first, then F follows it");
        return true;
    case SDLK_d:
        toggle(&v->measuring);
        v->measureCount = 0;
        ctViewer_Say(v, v->measuring ? "click two points for their distance, a third one for the angle; D ends"
                                     : "no longer measuring");
        return true;
    case SDLK_DELETE:
        v->deleteBody = v->selected.index1 != 0;
        return true;
    case SDLK_b:
        v->throwBalls++;
        return true;
    case SDLK_c:
        toggle(&v->show.contacts);
        return true;
    case SDLK_x:
        toggle(&v->show.boxes);
        return true;
    case SDLK_p:
        toggle(&v->show.pending);
        return true;
    case SDLK_z:
        toggle(&v->show.sleeping);
        return true;
    case SDLK_s:
        toggle(&v->show.sound);
        ctViewer_Say(v, v->speaker == NULL ? "there is no sound device" : v->show.sound ? "sound on" : "sound off");
        return true;
    case SDLK_t:
        toggle(&v->show.trails);
        ctTrails_Clear(&v->trails);
        return true;
    default:
        return false;
    }
}

static void panelKey(ctViewer *v, SDL_Keycode key, bool shift)
{
    switch (key) {
    case SDLK_i:
        toggle(&v->show.inspector);
        if (v->inspected < 0) {
            v->inspected = v->history.impactCount - 1;
        }
        break;
    case SDLK_COMMA:
        stepInspector(v, -1);
        break;
    case SDLK_SLASH:
        stepInspector(v, 1);
        break;
    case SDLK_g:
        toggle(&v->show.plots);
        break;
    case SDLK_k:
        toggle(&v->show.curves);
        break;
    case SDLK_m:
        toggle(&v->show.tweak);
        break;
    case SDLK_o:
        ctViewer_ToggleScenes(v);
        break;
    case SDLK_h:
    case SDLK_F1:
        toggle(&v->show.help);
        break;
    case SDLK_TAB:
        toggle(&v->show.panels);
        break;
    case SDLK_F12:
        v->screenshot = shift ? 2 : 1;
        break;
    case SDLK_F9:
        toggle(&v->record);
        break;
    case SDLK_ESCAPE:
        v->show.help = v->show.scenes = false;
        v->selected = (ctBodyId){0};
        v->show.body = v->follow = false;
        break;
    default:
        break;
    }
}

static void key(ctViewer *v, const SDL_KeyboardEvent *e)
{
    bool control = (e->keysym.mod & KMOD_CTRL) != 0, shift = (e->keysym.mod & KMOD_SHIFT) != 0;
    if (control && e->keysym.sym == SDLK_s) {
        v->saveWorld = true;
    } else if (control && (e->keysym.sym == SDLK_q || e->keysym.sym == SDLK_w)) {
        v->quit = true;
    } else if (!control && !timeKey(v, e->keysym.sym) && !viewKey(v, e->keysym.sym) && e->repeat == 0) {
        panelKey(v, e->keysym.sym, shift);
    }
}

// Converts the window's units to pixels: on dense displays a unit has several pixels.
static int pixels(const ctViewer *v, int units)
{
    int w, h;
    SDL_GetWindowSize(v->window.window, &w, &h);
    return w > 0 ? units * v->width / w : units;
}

static void point(ctViewer *v, int x, int y)
{
    v->mouseX = pixels(v, x);
    v->mouseY = pixels(v, y);
    ctGui_Pointer((float)v->mouseX, (float)v->mouseY, v->buttons);
}

// SDL counts buttons left, middle, right; panels left, right, middle.
static unsigned bitOf(uint8_t button)
{
    return button == SDL_BUTTON_LEFT ? 1u : button == SDL_BUTTON_RIGHT ? 2u : button == SDL_BUTTON_MIDDLE ? 4u : 0u;
}

static void handle(ctViewer *v, const SDL_Event *e)
{
    switch (e->type) {
    case SDL_QUIT:
        v->quit = true;
        break;
    case SDL_MOUSEBUTTONDOWN:
        v->buttons |= bitOf(e->button.button);
        point(v, e->button.x, e->button.y);
        if (!ctGui_WantsMouse() && v->drag == ct_dragNone && !v->fingers.several) {
            press(v, &e->button);
        }
        break;
    case SDL_MOUSEBUTTONUP:
        v->buttons &= ~bitOf(e->button.button);
        point(v, e->button.x, e->button.y);
        release(v);
        break;
    case SDL_MOUSEMOTION:
        point(v, e->motion.x, e->motion.y);
        move(v, pixels(v, e->motion.xrel), pixels(v, e->motion.yrel));
        break;
    case SDL_MOUSEWHEEL:
        if (!ctGui_WantsMouse()) {
            ctCamera_Zoom(&v->camera, exp(-0.12 * e->wheel.y));
        }
        break;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        ctViewer_Finger(v, e);
        break;
    case SDL_KEYDOWN:
        if (!ctGui_WantsKeyboard()) {
            key(v, &e->key);
        }
        break;
    case SDL_DROPFILE:
        ctViewer_OpenFile(v, e->drop.file);
        SDL_free(e->drop.file);
        break;
    default:
        break;
    }
}

// Between two pictures the pointer may have moved and clicked several times. The panels run once for each press and
// each release, with the pointer at the place of the event, and once for each key that is typed into a field.
void ctViewer_Input(ctViewer *v)
{
    SDL_Event e;
    while (SDL_PollEvent(&e) != 0) {
        bool button = e.type == SDL_MOUSEBUTTONDOWN || e.type == SDL_MOUSEBUTTONUP;
        if (button) {
            int x = pixels(v, e.button.x), y = pixels(v, e.button.y);
            ctGui_Pointer((float)x, (float)y, v->buttons);
            ctViewer_RunPanels(v);
        }
        bool typed = (e.type == SDL_KEYDOWN || e.type == SDL_KEYUP) && ctGui_WantsKeyboard();
        if (e.type == SDL_MOUSEWHEEL) {
            ctViewer_RunPanels(v); // finds whether a panel is under the pointer now
        }
        ctGui_Event(&e);
        handle(v, &e);
        if (button || typed) {
            ctViewer_RunPanels(v);
        }
    }
    bool still = abs(v->mouseX - v->pressX) < CLICK_PIXELS && abs(v->mouseY - v->pressY) < CLICK_PIXELS;
    if (ctViewer_IsLongPress(v) && still) {
        takeHold(v);
    }
    const ctBodyState *body = v->follow ? ctViewer_FindBody(v, v->selected) : NULL;
    if (body != NULL) {
        v->camera.target = v->poses[body - v->shown.bodies].p;
    } else if ((body = ctViewer_FindBody(v, v->cameraBody)) != NULL) {
        v->camera.target = ctAdd(v->poses[body - v->shown.bodies].p, v->cameraFrom);
    }
}
