// Draws bodies, the ground, the sky and overlay lines into an off-screen picture, which can be shown in a window or
// read back. Needs a current OpenGL context (render/window/window.h).
//
// A frame: ctRenderer_Begin, any number of ctRenderer_AddBody, ctRenderer_AddGround and ctRenderer_AddLine,
// then ctRenderer_End; then ctRenderer_Read, or ctRenderer_Show. Panels may be drawn over the picture after
// ctRenderer_End.
#ifndef CT_DRAW_RENDERER_H
#define CT_DRAW_RENDERER_H

#include "render/draw/camera.h"
#include "scenes/scene.h"

struct ctShape;

typedef struct ctRenderer ctRenderer;

ctRenderer *ctRenderer_Create(ctError *error); // NULL on failure
void ctRenderer_Destroy(ctRenderer *renderer);

// Size in pixels; samples per pixel 1 ... 16 (lowered to what the driver offers).
bool ctRenderer_SetSize(ctRenderer *renderer, int width, int height, int samples, ctError *error);
void ctRenderer_GetSize(const ctRenderer *renderer, int *width, int *height);
void ctRenderer_SetShadows(ctRenderer *renderer, bool on);
// Whether pictures of several samples per pixel are drawn with one, and smoothed where borders of surfaces cross the
// pixels. This is faster in software renderers (default: on for them).
void ctRenderer_SetByBorders(ctRenderer *renderer, bool on);

// How a shape is drawn: a mesh, and a scale for shapes that share a mesh (spheres, boxes, ellipsoids).
typedef struct ctDrawShape {
    int mesh; // -1: none (planes)
    float scale[3];
} ctDrawShape;
// Equal shapes share a mesh. Call ctRenderer_ForgetShapes before another scene.
bool ctRenderer_AddShape(ctRenderer *renderer, const struct ctShape *shape, ctDrawShape *draw, ctError *error);
void ctRenderer_ForgetShapes(ctRenderer *renderer);

enum { ct_stateAsleep = 1, ct_stateSelected = 2, ct_stateFixed = 4 };

// floorCell: spacing of the lines on planes, m. Bodies farther than extent (m) from the camera's target may have no
// shadow.
void ctRenderer_Begin(ctRenderer *renderer, const ctView *view, double floorCell, double extent);
void ctRenderer_AddBody(ctRenderer *renderer, ctDrawShape shape, ctTransform pose, ctLook look, int state);
// A translucent body without a shadow, visible where no other body is in front of it.
void ctRenderer_AddGhost(ctRenderer *renderer, ctDrawShape shape, ctTransform pose, ctLook look);
// The plane normal . x = offset.
void ctRenderer_AddGround(ctRenderer *renderer, ctVec3 normal, double offset, ctLook look);

// A body, or a part of one, that may shade a flat surface below it.
typedef struct ctShadeCaster {
    ctVec3 center;  // of its box
    ctVec3 axes[3]; // half sizes of its box, as vectors
    double below;   // how far the body reaches below its centre, towards the surface, m
} ctShadeCaster;
// A rectangle or a disc. Its normal is x cross y.
typedef struct ctShadeSurface {
    ctVec3 center, x, y; // unit axes
    double halfX, halfY;
    bool round;
} ctShadeSurface;
void ctRenderer_AddShade(ctRenderer *renderer, const ctShadeCaster *caster, const ctShadeSurface *surface);

typedef struct ctColor {
    float r, g, b, a; // as displayed, 0 ... 1
} ctColor;
// Widths in pixels, at a and at b. Parts of the line behind bodies are drawn faintly.
void ctRenderer_AddLine(ctRenderer *renderer, ctVec3 a, ctVec3 b, float widthA, float widthB, ctColor color);

bool ctRenderer_End(ctRenderer *renderer, ctError *error);

// The picture as 8-bit RGB, lowest row first, width * height * 3 bytes.
void ctRenderer_Read(ctRenderer *renderer, uint8_t *rgb);
// The same in two calls, so that the transfer overlaps the drawing of the next frames. Start one read per frame and
// finish the reads in order; at most CT_READS_MAX reads are pending.
#define CT_READS_MAX 3
void ctRenderer_StartRead(ctRenderer *renderer);
bool ctRenderer_FinishRead(ctRenderer *renderer, uint8_t *rgb); // false when no read is pending
// Copies the picture to the window's back buffer of the given size.
void ctRenderer_Show(ctRenderer *renderer, int width, int height);
// Makes the finished picture the target of further drawing (panels).
void ctRenderer_BindTarget(ctRenderer *renderer);

#endif
