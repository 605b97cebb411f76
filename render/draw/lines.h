// Lines, dots and arrow heads in space, with a width in pixels.
#ifndef CT_DRAW_LINES_H
#define CT_DRAW_LINES_H

#include "render/draw/gl_util.h"
#include "render/draw/renderer.h"

typedef struct ctLine {
    float a[3], b[3];
    float widths[2];
    float color[4];
} ctLine;

typedef struct ctLines {
    ctLine *items;
    int count, capacity;
    bool failed;
    GLuint program, array, buffer;
    GLint opacity;
} ctLines;

bool ctLines_Create(ctLines *lines, ctError *error);
void ctLines_Destroy(ctLines *lines);
void ctLines_Clear(ctLines *lines);
void ctLines_Add(ctLines *lines, ctVec3 a, ctVec3 b, float widthA, float widthB, ctColor color);
// Draws all lines, and once more, faintly, where bodies hide them.
void ctLines_Draw(ctLines *lines);

#endif
