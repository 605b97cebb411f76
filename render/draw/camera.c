#include "render/draw/camera.h"

static const double pitchLimit = 1.55;

void ctCamera_LookAt(ctCamera *camera, ctVec3 eye, ctVec3 target, double fov)
{
    ctVec3 d = ctSub(eye, target);
    double distance = ctLength(d);
    if (!(distance > 1e-9)) {
        d = ctV3(0.0, -1.0, 0.0);
        distance = 1.0;
    }
    camera->target = target;
    camera->distance = distance;
    camera->yaw = atan2(d.y, d.x);
    camera->pitch = fmax(-pitchLimit, fmin(pitchLimit, asin(fmax(-1.0, fmin(1.0, d.z / distance)))));
    camera->fov = fov > 1.0 && fov < 170.0 ? fov : 40.0;
}

ctView ctCamera_GetView(const ctCamera *camera)
{
    double c = cos(camera->pitch);
    ctVec3 d = ctV3(c * cos(camera->yaw), c * sin(camera->yaw), sin(camera->pitch));
    ctView view = {ctMulAdd(camera->target, camera->distance, d), camera->target, camera->fov, camera->shift};
    return view;
}

void ctCamera_Orbit(ctCamera *camera, double yaw, double pitch)
{
    camera->yaw = remainder(camera->yaw + yaw, 2.0 * CT_PI);
    camera->pitch = fmax(-pitchLimit, fmin(pitchLimit, camera->pitch + pitch));
}

// The view's axes: right, up, and forward.
static void axesOf(const ctView *view, ctVec3 *right, ctVec3 *up, ctVec3 *forward)
{
    *forward = ctNormalize(ctSub(view->target, view->eye));
    ctVec3 side = ctCross(*forward, ctV3(0.0, 0.0, 1.0));
    *right = ctLength(side) > 1e-9 ? ctNormalize(side) : ctV3(1.0, 0.0, 0.0);
    *up = ctCross(*right, *forward);
}

void ctCamera_Pan(ctCamera *camera, double dx, double dy)
{
    ctView view = ctCamera_GetView(camera);
    ctVec3 right, up, forward;
    axesOf(&view, &right, &up, &forward);
    double scale = 2.0 * camera->distance * tan(camera->fov * CT_PI / 360.0);
    camera->target = ctMulAdd(ctMulAdd(camera->target, -dx * scale, right), -dy * scale, up);
}

void ctCamera_Zoom(ctCamera *camera, double factor)
{
    camera->distance = fmax(1e-3, fmin(1e4, camera->distance * factor));
}

ctRay ctView_GetRay(const ctView *view, double aspect, double x, double y)
{
    ctVec3 right, up, forward;
    axesOf(view, &right, &up, &forward);
    double h = tan(view->fov * CT_PI / 360.0);
    ctRay ray = {view->eye, ctNormalize(ctMulAdd(ctMulAdd(forward, (x - view->shift) * h * aspect, right), y * h, up))};
    return ray;
}

bool ctView_Project(const ctView *view, double aspect, ctVec3 point, double *x, double *y)
{
    ctVec3 right, up, forward;
    axesOf(view, &right, &up, &forward);
    ctVec3 d = ctSub(point, view->eye);
    double depth = ctDot(d, forward), h = tan(view->fov * CT_PI / 360.0);
    *x = *y = 0.0;
    if (!(depth > 1e-9)) {
        return false;
    }
    *x = ctDot(d, right) / (depth * h * aspect) + view->shift;
    *y = ctDot(d, up) / (depth * h);
    return true;
}
