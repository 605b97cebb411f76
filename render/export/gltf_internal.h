// A glTF document under construction, shared by the files that make it.
#ifndef CT_GLTF_INTERNAL_H
#define CT_GLTF_INTERNAL_H

#include "render/export/gltf.h"

#include "collision/mesh.h"

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

// The surface of a shape laid out in a picture: the mesh is split where its charts end.
typedef struct ctGltfAtlas {
    ctMesh mesh;
    float *places;     // x and y of each vertex, 0 ... 1 from the upper left corner
    int width, height; // texels
} ctGltfAtlas;

// The accessors of a shape's mesh: bodies of equal shapes share them.
typedef struct ctGltfGeometry {
    int shape;    // index1 of its id
    bool painted; // it has texture coordinates
    int position, normal, index;
    int place;             // texture coordinates; -1: none
    int offset, vertices;  // of the positions in the block
    ctGltfAtlas *atlas;    // its own atlas; NULL: none, or an equal geometry has it
    const ctGltfAtlas *as; // its own atlas, or that of the equal geometry
} ctGltfGeometry;

// A mesh of the document: a geometry with a look. Equal bodies share it.
typedef struct ctGltfSkin {
    int position; // accessor of its geometry
    ctVec3 color;
    ctPattern pattern;
    int number, mesh;
} ctGltfSkin;

struct ctGltf {
    json_t *nodes, *meshes, *materials, *accessors, *views, *cameras, *images, *textures;
    double cell; // of the patterns of planes, m
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
// The mesh of a shape with a look, made when it is first needed; -1 on failure.
int ctGltf_MeshOf(ctGltf *g, const ctScene *scene, ctShapeId shape, ctLook look, ctError *error);

// gltf_pattern.c: the colour of a look at a point of a shape with that normal and that box, in the shape's frame; and
// of a plane at a point in cells.
ctVec3 ctGltf_ColorAt(const ctLook *look, ctVec3 p, ctVec3 n, ctVec3 lo, ctVec3 hi);
ctVec3 ctGltf_PlaneColorAt(const ctLook *look, double x, double y);

// gltf_texture.c: functions that add a texture return its index, or -1. The texture of a plane is a tile of
// CT_GLTF_TILE_X by CT_GLTF_TILE_Y cells.
enum { CT_GLTF_TILE_X = 22, CT_GLTF_TILE_Y = 8 };
void ctGltf_Encode(ctVec3 linear, uint8_t rgb[3]); // as sRGB
int ctGltf_AddTexture(ctGltf *g, int width, int height, const uint8_t *rgb, bool tiled, ctError *error);
int ctGltf_PlaneTexture(ctGltf *g, const ctLook *look, ctError *error);

// gltf_atlas.c: NULL on failure.
ctGltfAtlas *ctGltfAtlas_Create(const ctMesh *mesh, ctError *error);
void ctGltfAtlas_Destroy(ctGltfAtlas *atlas);
int ctGltfAtlas_Paint(ctGltf *g, const ctGltfAtlas *atlas, const ctLook *look, ctVec3 lo, ctVec3 hi, ctError *error);

#endif
