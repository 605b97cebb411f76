// Shared by the files of the renderer: renderer.c collects a frame, picture.c draws it.
#ifndef CT_DRAW_RENDERER_INTERNAL_H
#define CT_DRAW_RENDERER_INTERNAL_H

#include "render/draw/borders.h"
#include "render/draw/lines.h"
#include "render/draw/mesh_store.h"
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

// A fixed body, with the bytes of its instance.
typedef struct ctFixedBody {
    int mesh;
    ctInstance instance;
} ctFixedBody;

struct ctRenderer {
    ctTarget target;
    ctMeshStore meshes;
    ctLines lines;
    ctShades shades;
    ctBorders borders;  // of the picture's surfaces
    ctFixedBody *fixed; // whose crossings are known
    ctBorder *crossings;
    int fixedCount, fixedCapacity, crossingCount, crossingCapacity;
    ctShaders shaders;
    GLuint empty, frameBuffer, groundArray, groundBuffer;
    GLuint shadowFramebuffer, shadowTexture;
    int shadowSize; // texels along a side of the shadow map
    bool software, shadows, byBorders;
    // This frame. All places are relative to an origin near the camera's target: single precision is fine enough there.
    ctVec3 origin; // in the world; 0 in scenes around the world's own origin
    ctView view;
    float lightMatrix[16]; // from places to the shadow map, by columns
    double texel;          // of the shadow map, the longer side, m
    double floorCell, extent;
    ctInstance *instances, *sorted;
    int *groupOf; // per instance: mesh * CT_PATTERNS + pattern
    int instanceCount, instanceCapacity, sortedCapacity, groupCapacity;
    ctInstance *ghosts; // they follow the other instances in sorted
    int *ghostGroupOf;
    int ghostCount, ghostCapacity, ghostGroupCapacity;
    int *firstOf; // per group: index of its first instance in sorted
    int firstCapacity;
    ctGroundItem *grounds;
    int groundCount, groundCapacity;
    bool failed;
};

float ctRenderer_OutlineWidth(const ctRenderer *r); // of a selected body, pixels

// shadow_box.c: the direction to the sun; the matrix (by columns) from places to the shadow map, and the longer side
// of its texels, m.
extern const ctVec3 ct_sunDirection;
void ctRenderer_ShadowBox(const ctRenderer *r, float matrix[16], double *texel);

#endif
