// Triangle meshes of shapes, for drawing: smooth where the solid is curved, sharp at its edges.
#ifndef CT_MESH_H
#define CT_MESH_H

#include "collision/shape.h"

// Segments of a full turn on curved parts.
#define CT_MESH_SEGMENTS 48

// The surface of a shape (any but a plane, which has no end). False when memory is short.
bool ctMesh_FromShape(ctMesh *mesh, const ctShape *shape, int segments, ctError *error);
// A unit sphere and a box of unit edges, for bodies that are drawn by scaling.
bool ctMesh_UnitSphere(ctMesh *mesh, int segments, ctError *error);
bool ctMesh_UnitBox(ctMesh *mesh, ctError *error);
// Public: engine/clatter.h declares it too.
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
void ctMesh_Free(ctMesh *mesh);

// For the builders of the several shapes.
uint32_t ctMesh_AddVertex(ctMesh *mesh, ctVec3 position, ctVec3 normal);
void ctMesh_AddTriangle(ctMesh *mesh, uint32_t a, uint32_t b, uint32_t c);
// A solid of revolution, or several that share their axis (the convex pieces of a concave one): faces
// inside the union are left out and the shading runs smoothly from piece to piece.
void ctMesh_AddLathes(ctMesh *mesh, const ctLeaf *leaves, int count, int segments);

#endif
