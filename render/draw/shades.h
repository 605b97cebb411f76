// Soft shade on a flat surface below a near body: the part of the sky that the body hides from the surface (ambient
// occlusion). The shade shows that body and surface touch.
#ifndef CT_DRAW_SHADES_H
#define CT_DRAW_SHADES_H

#include "render/draw/gl_util.h"
#include "render/draw/renderer.h"

// An ellipse of shade for the vertex shader (assets/shaders/shade.vert).
typedef struct ctShadeItem {
    float center[3], nearness; // height of the body's centre divided by its half width
    float axis1[3], round;     // half width of the body along the surface; 1: the surface is a disc
    float axis2[3], unused;
    float at[2], step1[2]; // the centre and the axes in coordinates of the surface, whose borders are at -1 and 1
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
// Darkens the picture drawn so far.
void ctShades_Draw(ctShades *shades);

#endif
