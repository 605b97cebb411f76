// Meshes on the GPU: one vertex and one index buffer for all, drawn in instances.
#ifndef CT_DRAW_MESH_STORE_H
#define CT_DRAW_MESH_STORE_H

#include "collision/mesh.h"
#include "render/draw/gl_util.h"
#include "render/draw/mesh_edges.h"
#include "render/draw/renderer.h"

// The attributes of one body for the vertex shader (locations 2 to 5).
typedef struct ctInstance {
    float place[3], number;
    float turn[4]; // x, y, z, w
    float scale[3], state;
    float color[3], gloss;
} ctInstance;

// The fixed meshes, which precede those of the scene's shapes.
enum {
    ct_meshSphere, // four levels of detail, from fine to coarse
    ct_meshSphereLast = ct_meshSphere + 3,
    ct_meshBox,
    ct_meshFixedCount
};

typedef struct ctMeshRange {
    int firstVertex, firstIndex, indexCount;
    float lo[3], hi[3];   // of its vertices
    bool cylinder;        // sides and flat ends
    const ctShape *shape; // retained; NULL for the fixed ones
    int coarser;          // index of the mesh for the same shape when it is small on the screen, or of this one
    ctMeshEdge *edges;    // NULL until they are needed
    int edgeCount;
} ctMeshRange;

typedef struct ctMeshStore {
    ctMesh all; // every mesh, one after another
    ctMeshRange *ranges;
    int count, capacity;
    int uploaded; // number of ranges on the GPU
    GLuint array, vertices, indices, instances;
} ctMeshStore;

bool ctMeshStore_Create(ctMeshStore *store, ctError *error);
void ctMeshStore_Destroy(ctMeshStore *store);
bool ctMeshStore_Add(ctMeshStore *store, const ctShape *shape, ctDrawShape *draw, ctError *error);
void ctMeshStore_Forget(ctMeshStore *store);
// Uploads new meshes and the instances of this frame.
void ctMeshStore_Upload(ctMeshStore *store, const ctInstance *instances, int count);
// Draws count instances from first on with one mesh.
void ctMeshStore_Draw(const ctMeshStore *store, int mesh, int first, int count);

#endif
