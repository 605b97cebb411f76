// The picture that a frame is drawn into: multisampled, resolved, read back.
#ifndef CT_DRAW_TARGET_H
#define CT_DRAW_TARGET_H

#include "render/draw/gl_util.h"
#include "render/draw/parts.h"
#include "render/draw/renderer.h"

typedef struct ctTarget {
    int width, height, samples;
    GLuint drawn, drawnColor, drawnDepth; // multisampled
    GLuint resolved, resolvedColor, resolvedDepth;
    GLuint reads[CT_READS_MAX]; // pixel buffers, a ring
    int readFirst, readCount;
} ctTarget;

bool ctTarget_SetSize(ctTarget *target, int width, int height, int samples, ctError *error);
void ctTarget_Destroy(ctTarget *target);
// Binds the multisampled picture or the resolved one, and clears its depth.
void ctTarget_Begin(ctTarget *target, bool multisampled);
void ctTarget_Resolve(ctTarget *target);
// Resolves some rectangles of the picture only.
void ctTarget_ResolveParts(ctTarget *target, const ctPartRect *rects, int count);
void ctTarget_Bind(ctTarget *target); // the resolved picture
void ctTarget_Read(ctTarget *target, uint8_t *rgb);
void ctTarget_StartRead(ctTarget *target);
bool ctTarget_FinishRead(ctTarget *target, uint8_t *rgb);
void ctTarget_Show(ctTarget *target, int width, int height);

#endif
