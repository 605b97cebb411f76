// A glTF document under construction, shared by the files that make it.
#ifndef CT_GLTF_INTERNAL_H
#define CT_GLTF_INTERNAL_H

#include "render/export/gltf.h"

#include <jansson.h>

enum { CT_GLTF_FLOAT = 5126, CT_GLTF_UINT = 5125, CT_GLTF_ARRAY = 34962, CT_GLTF_INDEX = 34963 };

typedef struct ctGltfKey {
    float p[3], q[4]; // glTF order: x y z w
} ctGltfKey;

typedef struct ctGltfTrack {
    ctBodyId body;
    int node;
    ctGltfKey *keys;
    int keyCapacity;
} ctGltfTrack;

// The accessors of a shape's mesh: bodies of equal shapes share them.
typedef struct ctGltfGeometry {
    int shape; // index1 of its id
    int position, normal, index;
    int offset, vertices; // of the positions in the block
} ctGltfGeometry;

// A mesh of the document: a geometry with a look. Bodies that are alike share it.
typedef struct ctGltfSkin {
    int position; // accessor of its geometry
    ctVec3 color;
    ctPattern pattern;
    int number, mesh;
} ctGltfSkin;

struct ctGltf {
    json_t *nodes, *meshes, *materials, *accessors, *views, *cameras, *images;
    int boxPlaces; // accessor of the places of a box's faces in a texture; 0: none yet
    char *title;
    ctGltfSkin *skins;
    int skinCount, skinCapacity;
    uint8_t *bytes;
    int size, capacity;
    ctGltfGeometry *geometries;
    int geometryCount, geometryCapacity;
    ctGltfTrack *tracks;
    int trackCount, trackCapacity;
    float *times;
    int timeCount, timeCapacity;
};

json_t *ctGltf_Floats(const float *v, int n);
// A view of bytes; returns its index, or -1.
int ctGltf_AddView(ctGltf *g, const void *data, size_t size, int target, ctError *error);
// A view of count elements, and the accessor that reads it; returns the accessor's index, or -1.
// low and high (components values each) may be NULL.
int ctGltf_AddAccessor(ctGltf *g, const void *data, size_t size, int target, int component, const char *type, int count,
                       const float *low, const float *high, int components, ctError *error);
// The mesh of a shape with a look, made when it is first asked for; -1 on failure.
int ctGltf_MeshOf(ctGltf *g, const ctScene *scene, ctShapeId shape, ctLook look, ctError *error);

// gltf_pattern.c
ctVec3 ctGltf_OtherColor(ctVec3 color); // the second colour of a pattern
// The texture of a box with a pattern, and the accessor of its faces' places in it; -1 on failure.
int ctGltf_BoxTexture(ctGltf *g, const ctLook *look, ctVec3 half, ctError *error);
int ctGltf_BoxPlaces(ctGltf *g, const ctGltfGeometry *geometry, ctError *error);

#endif
