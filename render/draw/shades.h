// Soft shade where a body is near a flat surface below it, which shows that the two touch: the part of the sky that the
// body hides from the surface (ambient occlusion).
#ifndef CT_DRAW_SHADES_H
#define CT_DRAW_SHADES_H

#include "render/draw/gl_util.h"
#include "render/draw/renderer.h"

// An ellipse of shade as the vertex shader takes it (assets/shaders/shade.vert).
typedef struct ctShadeItem {
    float center[3], nearness; // the height of the body's middle over its half width
    float axis1[3], round;     // half width of the body along the surface; 1: the surface is a disc
    float axis2[3], unused;
    float at[2], step1[2]; // on the surface, whose edges are at -1 and 1: of the centre, and along each axis
    float step2[2], unused2[2];
} ctShadeItem;

typedef struct ctShades {
    ctShadeItem *items;
    int count, capacity;
    bool failed;
    GLuint program, array, buffer;
} ctShades;

bool ctShades_Create(ctShades *shades, ctError *error);
void ctShades_Destroy(ctShades *shades);
void ctShades_Clear(ctShades *shades);
void ctShades_Add(ctShades *shades, const ctShadeCaster *caster, const ctShadeSurface *surface);
// Darkens what has been drawn.
void ctShades_Draw(ctShades *shades);

#endif
