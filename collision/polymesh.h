// Closed surfaces of polygons on their way to a shape. Not part of the library's interface.
#ifndef CT_POLYMESH_H
#define CT_POLYMESH_H

#include "collision/shape_build.h"

// Text has few digits: points within this share of the size from a plane count as in the plane.
#define CT_MESH_FLATNESS 2e-6

// A concave edge: the faces beside it, and the plane through it that halves its angle.
typedef struct ctConcaveEdge {
    int face[2];
    ctVec3 normal;
    double offset;
} ctConcaveEdge;

// Faces are convex polygons, counter-clockwise seen from outside.
typedef struct ctPolyMesh {
    const char *name; // for messages
    ctVec3 *points;
    int pointCount, pointCapacity;
    int *first; // faceCount + 1 offsets into corners
    int *lines; // where in the text each face is
    int faceCount, firstCapacity, lineCapacity;
    int *corners; // point indices
    int cornerCount, cornerCapacity;
    ctVec3 *normals; // outward, unit; from ctPolyMesh_Check on
    double *offsets;
    ctVec3 *middles; // of the faces' corners
    double size, area;
    ctMassProperties unit;
    ctConcaveEdge *concave;
    int concaveCount, concaveCapacity;
    int concaveLine; // of the face beside the worst concave edge, 0 when there is none
} ctPolyMesh;

void ctPolyMesh_Free(ctPolyMesh *mesh);
bool ctPolyMesh_AddPoint(ctPolyMesh *mesh, ctVec3 point, ctError *error);
// Corners are copied; nothing is checked.
bool ctPolyMesh_AddFace(ctPolyMesh *mesh, const int *corners, int count, int line, ctError *error);

// Turns polygons as they were read into a closed surface of convex faces: joins points at the same
// place, cuts concave or warped faces, checks that the surface is closed and turns it the right way
// out, measures it.
bool ctPolyMesh_Check(ctPolyMesh *mesh, ctError *error);

// A checked mesh as a compound of convex parts.
ctShape *ctPolyMesh_Decompose(const ctPolyMesh *mesh, ctError *error);

#endif
