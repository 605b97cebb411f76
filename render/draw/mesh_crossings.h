// The lines in which triangles of meshes cross each other.
#ifndef CT_DRAW_MESH_CROSSINGS_H
#define CT_DRAW_MESH_CROSSINGS_H

#include "collision/vec3.h"

typedef struct ctTriangle {
    ctVec3 corners[3], lo, hi;
    int body; // triangles of one body are not compared, unless it is 0
} ctTriangle;

typedef void ctCrossingFn(void *context, ctVec3 a, ctVec3 b);

ctTriangle ctTriangle_Make(ctVec3 a, ctVec3 b, ctVec3 c, int body);
// Calls found with the ends of each line in which two of the triangles cross. The triangles are sorted.
void ctTriangles_Cross(ctTriangle *triangles, int count, ctCrossingFn *found, void *context);

#endif
