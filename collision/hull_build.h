// Convex polyhedra under construction. Not part of the library's interface.
#ifndef CT_HULL_BUILD_H
#define CT_HULL_BUILD_H

#include "collision/shape_build.h"

// An edge runs between two points and parts two facets.
typedef struct ctHullEdge {
    int point[2];
    int facet[2];
} ctHullEdge;

// The surface of the convex hull of some points.
typedef struct ctHullSurface {
    int facetCount, edgeCount;
    ctVec3 *normals; // outward, unit
    double *offsets; // n.x = offset
    ctHullEdge *edges;
} ctHullSurface;

// By libqhull_r, for points that are not flat and of size about one. Facets that are coplanar to
// rounding are merged into one; or, with joggle, all are triangles and the hull is that of points that
// are off by about 1e-11. The caller frees *out in either case.
bool ctHullSurface_Make(const ctVec3 *points, int count, bool joggle, ctHullSurface *out, ctError *error);
void ctHullSurface_Free(ctHullSurface *surface);

// Numbers the points that are ends of edges, in their own order, and gives the others -1; returns how many.
int ctHullSurface_Number(const ctHullSurface *surface, int *number, int pointCount);

// Merges facets into larger ones, from the largest on, when all their points lie within tolerance of its
// plane; that plane stays where it is.
bool ctHullSurface_Merge(ctHullSurface *surface, const ctVec3 *points, double tolerance, ctError *error);

// Ends of edges grouped by a key: order[first[k]] ... order[first[k + 1] - 1] have key k. End i is that
// of edge i / 2 at its point or facet i % 2.
typedef struct ctEdgeGroups {
    int *first, *order;
} ctEdgeGroups;

// By the edges' facets (map is NULL) or by map[] of their points. False when memory is short.
bool ctEdgeGroups_Make(const ctHullSurface *surface, const int *map, int keyCount, ctEdgeGroups *out);
void ctEdgeGroups_Free(ctEdgeGroups *groups);

// The true solid, in coordinates scaled to a size between one and two.
typedef struct ctHullSolid {
    ctVec3 *points;
    int pointCount;
    int *cornerOf; // point to corner, -1 for points inside
    int cornerCount;
    ctHullSurface surface; // with nearly coplanar facets merged: corners may be inside a facet
    ctMassProperties unit;
    double size, inradius;
    ctMat3 gyration; // columns: principal axes times radii of gyration
} ctHullSolid;

// Fills *hull with the solid's corners and its core for a radius of rounding. *sound is false, and
// *hull is to be freed, when rounding errors made it no polyhedron.
bool ctHull_FillCore(const ctHullSolid *solid, double round, ctHull *hull, bool *sound, ctError *error);
void ctHull_Free(ctHull *hull);

#endif
