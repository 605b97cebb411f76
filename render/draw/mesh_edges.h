// The edges of a mesh at which its picture may be discontinuous: sharp edges, and edges that are on the outline for
// some direction of view.
#ifndef CT_DRAW_MESH_EDGES_H
#define CT_DRAW_MESH_EDGES_H

#include "collision/mesh.h"

typedef struct ctMeshEdge {
    ctVec3 a, b;
    ctVec3 left, right; // normals of the two triangles, of any length
    bool sharp;         // the shading is not smooth across the edge, or only one side has a triangle
} ctMeshEdge;

// The edges of the triangles of the indices first ... first + count - 1. Edges inside flat faces are left out.
// Returns their number and an array for ctFree, or -1 when memory is short.
int ctMesh_FindEdges(const ctMesh *mesh, int first, int count, ctMeshEdge **edges);

#endif
