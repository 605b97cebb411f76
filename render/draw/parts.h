// The parts of a picture that have edges: only they need several samples per pixel. The picture is divided into
// squares. Squares that edges cross are marked.
#ifndef CT_DRAW_PARTS_H
#define CT_DRAW_PARTS_H

#include "collision/vec3.h"

#define CT_PART_SIZE 16 // pixels along the side of a square

typedef struct ctPartRect {
    int left, bottom, right, top; // pixels, from the lower left corner of the picture
} ctPartRect;

typedef struct ctParts {
    double matrix[16]; // world to clip coordinates, by columns
    int width, height; // of the picture, pixels
    int columns, rows;
    uint8_t *marks; // per square, row by row from below
    int capacity, marked;
    ctPartRect *rects; // the marked squares, joined
    int rectCount, rectCapacity;
} ctParts;

// Begins a picture without marks; matrix: 16 numbers, world to clip coordinates by columns. False when memory is short.
bool ctParts_Begin(ctParts *parts, const float *matrix, int width, int height);
void ctParts_Free(ctParts *parts);
void ctParts_MarkSegment(ctParts *parts, ctVec3 a, ctVec3 b);
// The box around some points in the picture, as squares; its right and upper ends are exclusive. False when one of the
// points is behind the eye.
bool ctParts_BoxOf(const ctParts *parts, const ctVec3 *points, int count, double margin, ctPartRect *squares);
bool ctParts_AreBehind(const ctParts *parts, const ctVec3 *points, int count); // all of them behind the eye
void ctParts_MarkSquares(ctParts *parts, ctPartRect squares);
void ctParts_MarkAll(ctParts *parts);
// Covers the marked squares with at most `most` rectangles, which may overlap and cover unmarked squares too. False
// when memory is short.
bool ctParts_Join(ctParts *parts, int most);
int ctParts_Area(const ctParts *parts); // of the rectangles, pixels

#endif
