// The surface of a convex hull as libqhull_r finds it. Not part of the library's interface.
#ifndef CT_HULL_SURFACE_H
#define CT_HULL_SURFACE_H

#include "collision/error.h"
#include "collision/vec3.h"

// An edge runs between two points and parts two facets.
typedef struct ctHullEdge {
    int point[2];
    int facet[2];
} ctHullEdge;

typedef struct ctHullSurface {
    int facetCount, edgeCount;
    ctVec3 *normals; // outward, unit
    double *offsets; // n.x = offset
    ctHullEdge *edges;
} ctHullSurface;

// The hull of points that are not flat, of size about one. Coplanar facets are merged into one.
// The caller frees *out in either case.
bool ctHullSurface_Make(const ctVec3 *points, int count, ctHullSurface *out, ctError *error);
void ctHullSurface_Free(ctHullSurface *surface);

#endif
