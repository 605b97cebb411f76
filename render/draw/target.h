// The picture that a frame is drawn into: multisampled, resolved, read back.
#ifndef CT_DRAW_TARGET_H
#define CT_DRAW_TARGET_H

#include "render/draw/gl_util.h"
#include "render/draw/renderer.h"

typedef struct ctTarget {
    int width, height, samples;
    // Those that are not always needed are 0 until then.
    GLuint drawn, drawnColor, drawnDepth; // multisampled
    GLuint resolved, resolvedColor, resolvedDepth;
    GLuint copied, copiedColor; // a copy of the resolved picture
    GLuint shares, sharesColor;
    GLuint reads[CT_READS_MAX]; // pixel buffers, a ring
    int readFirst, readCount;
} ctTarget;

bool ctTarget_SetSize(ctTarget *target, int width, int height, int samples, ctError *error);
void ctTarget_Destroy(ctTarget *target);
// Binds the multisampled picture or the resolved one, and clears its depth.
bool ctTarget_Begin(ctTarget *target, bool multisampled, ctError *error);
void ctTarget_Resolve(ctTarget *target);
// Binds a picture for the shares of neighbours in pixels (render/draw/borders.h), cleared, and as textures 1 and 2 a
// copy of the resolved picture and its depth.
bool ctTarget_BeginShares(ctTarget *target, ctError *error);
void ctTarget_BeginMix(ctTarget *target); // binds the resolved picture, and the shares as texture 3
void ctTarget_Bind(ctTarget *target);     // the resolved picture
void ctTarget_Read(ctTarget *target, uint8_t *rgb);
void ctTarget_StartRead(ctTarget *target);
bool ctTarget_FinishRead(ctTarget *target, uint8_t *rgb);
void ctTarget_Show(ctTarget *target, int width, int height);

#endif
