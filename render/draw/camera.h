// The camera: it looks from an eye to a target and orbits around the target.
#ifndef CT_DRAW_CAMERA_H
#define CT_DRAW_CAMERA_H

#include "collision/vec3.h"

// The view of a camera, for the renderer. Up is +z.
typedef struct ctView {
    ctVec3 eye, target;
    double fov;   // vertical, degrees
    double shift; // the target is drawn this many half widths right of the middle: panels may cover a side
    double lift;  // the target is drawn this many half heights above the middle
} ctView;

// The part of a picture that nothing covers, in pixels from its upper left corner.
typedef struct ctFreePart {
    double left, top, width, height;
} ctFreePart;

typedef struct ctCamera {
    ctVec3 target;
    double distance;   // m
    double yaw, pitch; // of the direction from the target to the eye, radians
    double fov;        // degrees
} ctCamera;

void ctCamera_LookAt(ctCamera *camera, ctVec3 eye, ctVec3 target, double fov);
ctView ctCamera_GetView(const ctCamera *camera);
// Angles in radians; the pitch stops short of the poles.
void ctCamera_Orbit(ctCamera *camera, double yaw, double pitch);
// dx, dy: fractions of the picture's height, to the right and up; a point at the target follows the pointer.
void ctCamera_Pan(ctCamera *camera, double dx, double dy);
void ctCamera_Zoom(ctCamera *camera, double factor); // multiplies the distance

// The view for a picture of width x height pixels whose free part shows what the camera would show in a picture of that
// part's size. When the part is narrower than CT_VIEW_ASPECT, the field of view grows upwards and downwards, so that
// nothing is cut off at the sides.
#define CT_VIEW_ASPECT (4.0 / 3.0) // width / height
ctView ctView_Fit(ctView view, double width, double height, ctFreePart part);
// The distance from which the box lo ... hi fills a picture of that aspect, for an eye in a direction (unit, away from
// the box); *target is the box's middle.
double ctView_FrameBox(ctVec3 lo, ctVec3 hi, ctVec3 direction, double fov, double aspect, ctVec3 *target);

typedef struct ctRay {
    ctVec3 origin, direction; // unit
} ctRay;
// The ray through a point of the picture: x, y in -1 ... 1, right and up.
ctRay ctView_GetRay(const ctView *view, double aspect, double x, double y);
// Where a point is in the picture (-1 ... 1, right and up). False when it is behind the eye.
bool ctView_Project(const ctView *view, double aspect, ctVec3 point, double *x, double *y);

#endif
