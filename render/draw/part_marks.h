// Marks the parts of a frame's picture that have edges.
#ifndef CT_DRAW_PART_MARKS_H
#define CT_DRAW_PART_MARKS_H

#include "render/draw/renderer_internal.h"

// Fills renderer->parts (viewProjection: 16 numbers, by columns) for a frame whose instances are sorted. False when
// drawing the picture in two passes, with and without edges, would not be faster, or when memory is short.
bool ctRenderer_MarkParts(ctRenderer *renderer, const float *viewProjection);

#endif
