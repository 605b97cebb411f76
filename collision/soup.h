// A set of convex polygons, and cutting them at planes. Not part of the library's interface.
#ifndef CT_SOUP_H
#define CT_SOUP_H

#include "collision/vec3.h"

typedef struct ctPolygon {
    int first, count; // in the soup's points
    int plane;        // the face of the mesh it is a piece of
} ctPolygon;

typedef struct ctSoup {
    ctVec3 *points;
    ctPolygon *polygons;
    int pointCount, pointCapacity, polygonCount, polygonCapacity;
} ctSoup;

// These return false when memory is short.

void ctSoup_Free(ctSoup *soup);
bool ctSoup_AddPoint(ctSoup *soup, ctVec3 point);
// Makes a polygon of the points added since the last one; fewer than three are taken back.
bool ctSoup_Close(ctSoup *soup, int plane);
bool ctSoup_Copy(ctSoup *to, const ctSoup *from, int polygon);

// Which sides of the plane n.x = d a polygon has points on: 1 front, 2 back, both, or neither.
int ctSoup_Sides(const ctSoup *soup, int polygon, ctVec3 n, double d, double tolerance);

// Cuts a polygon at a plane. Points in the plane also go to rim, when that is not NULL.
bool ctSoup_CutPolygon(const ctSoup *soup, int polygon, ctVec3 n, double d, double tolerance, ctSoup *front,
                       ctSoup *back, ctSoup *rim);

// Cuts a convex polyhedron at a plane: both halves get the cut as a wall.
bool ctSoup_CutWalls(const ctSoup *walls, ctVec3 n, double d, double tolerance, ctSoup *front, ctSoup *back);

#endif
