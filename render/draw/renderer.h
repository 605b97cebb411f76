// Draws bodies, the ground, the sky and overlay lines into a picture of its own, which can be shown in a
// window or read back. Needs a current OpenGL context (render/window/window.h).
//
// A frame: ctRenderer_Begin, any number of ctRenderer_AddBody, ctRenderer_AddGround and ctRenderer_AddLine,
// then ctRenderer_End; then ctRenderer_Read, or ctRenderer_Show. Panels may be drawn over it between the two.
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
// Whether only the parts of a picture with edges get several samples per pixel, which software renderers are grateful
// for (default: whether the renderer is one). The picture is the same.
void ctRenderer_SetInParts(ctRenderer *renderer, bool on);
bool ctRenderer_WasInParts(const ctRenderer *renderer); // the last picture: not where edges are nearly everywhere

// How a shape is drawn: a mesh, and a scale for those that share one (spheres, boxes, ellipsoids).
typedef struct ctDrawShape {
    int mesh; // -1: none (planes)
    float scale[3];
} ctDrawShape;
// Equal shapes share a mesh. ctRenderer_ForgetShapes when a scene goes.
bool ctRenderer_AddShape(ctRenderer *renderer, const struct ctShape *shape, ctDrawShape *draw, ctError *error);
void ctRenderer_ForgetShapes(ctRenderer *renderer);

enum { ct_stateAsleep = 1, ct_stateSelected = 2 };

// floorCell: spacing of the lines on planes, m. Nothing lies further than extent (m) from the camera's target, or
// else it may have no shadow.
void ctRenderer_Begin(ctRenderer *renderer, const ctView *view, double floorCell, double extent);
void ctRenderer_AddBody(ctRenderer *renderer, ctDrawShape shape, ctTransform pose, ctLook look, int state);
// A translucent body without a shadow, seen where no other body is in front of it.
void ctRenderer_AddGhost(ctRenderer *renderer, ctDrawShape shape, ctTransform pose, ctLook look);
// The plane normal . x = offset.
void ctRenderer_AddGround(ctRenderer *renderer, ctVec3 normal, double offset, ctLook look);

// A body, or a part of one, that may shade a flat surface below it.
typedef struct ctShadeCaster {
    ctVec3 center;  // of its box
    ctVec3 axes[3]; // half sizes of its box, as vectors
    double below;   // how far it reaches below its centre, towards the surface, m
} ctShadeCaster;
// A rectangle or a disc, which looks along x cross y.
typedef struct ctShadeSurface {
    ctVec3 center, x, y; // unit axes
    double halfX, halfY;
    bool round;
} ctShadeSurface;
void ctRenderer_AddShade(ctRenderer *renderer, const ctShadeCaster *caster, const ctShadeSurface *surface);

typedef struct ctColor {
    float r, g, b, a; // as displayed, 0 ... 1
} ctColor;
// Widths in pixels, at a and at b. Where bodies hide the line it is drawn faintly.
void ctRenderer_AddLine(ctRenderer *renderer, ctVec3 a, ctVec3 b, float widthA, float widthB, ctColor color);

bool ctRenderer_End(ctRenderer *renderer, ctError *error);

// The picture as 8-bit RGB, lowest row first, width * height * 3 bytes.
void ctRenderer_Read(ctRenderer *renderer, uint8_t *rgb);
// The same in two halves, so that drawing the next frames overlaps the transfer: start one per frame, finish
// them in order, at most CT_READS_MAX under way.
#define CT_READS_MAX 3
void ctRenderer_StartRead(ctRenderer *renderer);
bool ctRenderer_FinishRead(ctRenderer *renderer, uint8_t *rgb); // false when none is under way
// Copies the picture to the window's back buffer of the given size.
void ctRenderer_Show(ctRenderer *renderer, int width, int height);
// Makes the finished picture the target of further drawing (panels).
void ctRenderer_BindTarget(ctRenderer *renderer);

#endif
