// Edges of surfaces in a picture with one sample per pixel, smoothed by how much of each pixel lies on either side.
#ifndef CT_DRAW_BORDERS_H
#define CT_DRAW_BORDERS_H

#include "collision/vec3.h"
#include "render/draw/target.h"

typedef struct ctBorder {
    float a[3], b[3]; // world
} ctBorder;

typedef struct ctBorders {
    ctBorder *items;
    int count, capacity;
    bool failed;
    GLuint programs[2], array, buffer;
} ctBorders;

void ctBorders_Destroy(ctBorders *borders);
void ctBorders_Clear(ctBorders *borders);
void ctBorders_Add(ctBorders *borders, ctVec3 a, ctVec3 b);
void ctBorders_Repeat(ctBorders *borders, const ctBorder *border);
// Smooths the target's resolved picture.
bool ctBorders_Draw(ctBorders *borders, ctTarget *target, ctError *error);

#endif
