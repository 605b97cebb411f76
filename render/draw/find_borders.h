// The borders between surfaces in a frame's picture.
#ifndef CT_DRAW_FIND_BORDERS_H
#define CT_DRAW_FIND_BORDERS_H

#include "render/draw/renderer_internal.h"

// Fills renderer->borders for a frame whose instances are sorted; viewProjection: 16 numbers, world to clip coordinates
// by columns. False when memory is short.
bool ctRenderer_FindBorders(ctRenderer *renderer, const float *viewProjection);

#endif
