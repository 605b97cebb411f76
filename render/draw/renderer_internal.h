// Shared by the files of the renderer: renderer.c collects a frame, picture.c draws it.
#ifndef CT_DRAW_RENDERER_INTERNAL_H
#define CT_DRAW_RENDERER_INTERNAL_H

#include "render/draw/lines.h"
#include "render/draw/mesh_store.h"
#include "render/draw/parts.h"
#include "render/draw/renderer.h"
#include "render/draw/shaders.h"
#include "render/draw/shades.h"
#include "render/draw/target.h"

// A plane of the frame.
typedef struct ctGroundItem {
    ctVec3 normal;
    double offset;
    ctLook look;
} ctGroundItem;

struct ctRenderer {
    ctTarget target;
    ctMeshStore meshes;
    ctLines lines;
    ctShades shades;
    ctShaders shaders;
    ctParts parts; // of the picture, with and without edges
    GLuint empty, frameBuffer, partArray, partBuffer;
    GLuint shadowFramebuffer, shadowTexture;
    int shadowSize; // texels along a side of the shadow map
    bool software, shadows, inParts, wasInParts;
    // This frame.
    ctView view;
    double floorCell, extent;
    ctInstance *instances, *sorted;
    int *groupOf; // per instance: mesh * CT_PATTERNS + pattern
    int instanceCount, instanceCapacity, sortedCapacity, groupCapacity;
    ctInstance *ghosts; // they follow the other instances in sorted
    int *ghostGroupOf;
    int ghostCount, ghostCapacity, ghostGroupCapacity;
    int *firstOf;  // per group: index of its first instance in sorted
    int *largeEnd; // per group: end of the large instances, which come first; they are drawn part by part
    int firstCapacity, largeCapacity;
    ctGroundItem *grounds;
    int groundCount, groundCapacity;
    bool failed;
};

// The triangle of a plane: its centre below the camera's target, two axes, and its size.
void ctRenderer_PlaceGround(const ctRenderer *r, const ctGroundItem *item, ctVec3 *center, ctVec3 *x, ctVec3 *y,
                            double *radius);

// shadow_box.c: the direction to the sun; the matrix (by columns) from the world to the shadow map, and the longer side
// of its texels, m.
extern const ctVec3 ct_sunDirection;
void ctRenderer_ShadowBox(const ctRenderer *r, float matrix[16], double *texel);

#endif
