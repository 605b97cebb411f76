// The camera: it looks from an eye to a target and orbits around the target.
#ifndef CT_DRAW_CAMERA_H
#define CT_DRAW_CAMERA_H

#include "collision/vec3.h"

// What the renderer needs of it. Up is +z.
typedef struct ctView {
    ctVec3 eye, target;
    double fov;   // vertical, degrees
    double shift; // the target is drawn this many half widths right of the middle: panels may cover a side
} ctView;

typedef struct ctCamera {
    ctVec3 target;
    double distance;   // m
    double yaw, pitch; // of the direction from the target to the eye, radians
    double fov;        // degrees
    double shift;      // see ctView
} ctCamera;

void ctCamera_LookAt(ctCamera *camera, ctVec3 eye, ctVec3 target, double fov);
ctView ctCamera_GetView(const ctCamera *camera);
// Angles in radians; the pitch stops short of the poles.
void ctCamera_Orbit(ctCamera *camera, double yaw, double pitch);
// dx, dy: fractions of the picture's height, to the right and up; what is at the target follows the pointer.
void ctCamera_Pan(ctCamera *camera, double dx, double dy);
void ctCamera_Zoom(ctCamera *camera, double factor); // multiplies the distance

typedef struct ctRay {
    ctVec3 origin, direction; // unit
} ctRay;
// Through a point of the picture: x, y in -1 ... 1, right and up.
ctRay ctView_GetRay(const ctView *view, double aspect, double x, double y);
// Where a point is in the picture (-1 ... 1, right and up). False when it is behind the eye.
bool ctView_Project(const ctView *view, double aspect, ctVec3 point, double *x, double *y);

#endif
