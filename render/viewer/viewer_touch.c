// Fingers on the picture: one turns the view, a tap selects, a long press on a body pulls it, two pan and zoom.
//
// SDL reports the first finger as a mouse, which orbits and selects (viewer_input.c). This file handles the second
// finger and the long press.
#include "render/viewer/viewer_internal.h"

#include <SDL.h>
#include <math.h>

#define LONG_PRESS 0.45 // s

static void reach(const ctFingers *f, const ctViewer *v, double *x, double *y, double *spread)
{
    double dx = (f->x[1] - f->x[0]) * v->width, dy = (f->y[1] - f->y[0]) * v->height;
    *x = 0.5 * (f->x[0] + f->x[1]) * v->width;
    *y = 0.5 * (f->y[0] + f->y[1]) * v->height;
    *spread = fmax(1.0, hypot(dx, dy));
}

static void down(ctViewer *v, const SDL_TouchFingerEvent *e)
{
    ctFingers *f = &v->fingers;
    if (f->count == 2 || ctGui_WantsMouse()) {
        return;
    }
    f->id[f->count] = e->fingerId;
    f->x[f->count] = e->x;
    f->y[f->count] = e->y;
    f->count++;
    f->pressed = v->clock;
    f->several = f->count == 2;
    if (f->several) {
        v->drag = ct_dragNone;
        v->pull.on = false;
    }
}

static void motion(ctViewer *v, const SDL_TouchFingerEvent *e)
{
    ctFingers *f = &v->fingers;
    int i = f->count > 0 && f->id[0] == e->fingerId ? 0 : f->count > 1 && f->id[1] == e->fingerId ? 1 : -1;
    if (i < 0) {
        return;
    }
    double x0, y0, spread0, x1, y1, spread1;
    reach(f, v, &x0, &y0, &spread0);
    f->x[i] = e->x;
    f->y[i] = e->y;
    if (f->count == 2) {
        reach(f, v, &x1, &y1, &spread1);
        ctCamera_Pan(&v->camera, (x1 - x0) / v->height, -(y1 - y0) / v->height);
        ctCamera_Zoom(&v->camera, spread0 / spread1);
        v->follow = false;
    }
}

static void up(ctViewer *v, const SDL_TouchFingerEvent *e)
{
    ctFingers *f = &v->fingers;
    if (f->count == 2 && f->id[0] == e->fingerId) {
        f->id[0] = f->id[1];
        f->x[0] = f->x[1];
        f->y[0] = f->y[1];
    }
    f->count = f->count > 0 ? f->count - 1 : 0;
    f->several = f->several && f->count > 0;
}

void ctViewer_Finger(ctViewer *v, const SDL_Event *e)
{
    switch (e->type) {
    case SDL_FINGERDOWN:
        down(v, &e->tfinger);
        break;
    case SDL_FINGERMOTION:
        motion(v, &e->tfinger);
        break;
    case SDL_FINGERUP:
        up(v, &e->tfinger);
        break;
    default:
        break;
    }
}

bool ctViewer_IsLongPress(const ctViewer *v)
{
    const ctFingers *f = &v->fingers;
    return f->count == 1 && !f->several && v->drag == ct_dragOrbit && v->clock > f->pressed + LONG_PRESS;
}
