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
    ctView view = {ctMulAdd(camera->target, camera->distance, d), camera->target, camera->fov, 0.0, 0.0};
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

static double tangentOf(double fov)
{
    return tan(fov * CT_PI / 360.0);
}

ctView ctView_Fit(ctView view, double width, double height, ctFreePart part)
{
    double w = fmax(part.width, 1.0), h = fmax(part.height, 1.0);
    double wider = height / h * fmax(1.0, CT_VIEW_ASPECT * h / w);
    view.fov = fmin(170.0, atan(tangentOf(view.fov) * wider) * 360.0 / CT_PI);
    view.shift = (2.0 * part.left + w - width) / width;
    view.lift = (height - 2.0 * part.top - h) / height;
    return view;
}

double ctView_FrameBox(ctVec3 lo, ctVec3 hi, ctVec3 direction, double fov, double aspect, ctVec3 *target)
{
    *target = ctLerp(lo, hi, 0.5);
    ctView view = {ctAdd(*target, direction), *target, fov, 0.0, 0.0};
    ctVec3 right, up, forward, half = ctScale(0.5, ctSub(hi, lo));
    axesOf(&view, &right, &up, &forward);
    double h = tangentOf(fov), distance = 0.0;
    for (int i = 0; i < 8; i++) {
        ctVec3 r =
            ctV3((i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z);
        double across = fmax(fabs(ctDot(r, up)) / h, fabs(ctDot(r, right)) / (h * aspect));
        distance = fmax(distance, across - ctDot(r, forward));
    }
    return distance;
}

ctRay ctView_GetRay(const ctView *view, double aspect, double x, double y)
{
    ctVec3 right, up, forward;
    axesOf(view, &right, &up, &forward);
    double h = tan(view->fov * CT_PI / 360.0);
    ctRay ray = {view->eye, ctNormalize(ctMulAdd(ctMulAdd(forward, (x - view->shift) * h * aspect, right),
                                                 (y - view->lift) * h, up))};
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
    *y = ctDot(d, up) / (depth * h) + view->lift;
    return true;
}
