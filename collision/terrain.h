// Surfaces made of triangles for fixed bodies: meshes and height fields.
//
// A terrain is no solid: it has no volume, and bodies touch its triangles, which are flat and sharp. Triangles that
// share a side are neighbours. Neighbours in one plane form a facet, and have the same normal to the last bit. A
// contact on a side or a corner counts only where nothing around it rises above the plane of contact: a body that
// slides over the seams of flat ground meets only the ground (ctTerrain_Filter).
#ifndef CT_TERRAIN_H
#define CT_TERRAIN_H

#include "collision/manifold.h"
#include "collision/shape.h"

#define CT_TERRAIN_TRIANGLES 4000000
// rad: triangles that meet at less than this angle are one curved surface, unless the program sets another.
#define CT_TERRAIN_SMOOTH 0.43633231299858239

// A box of the tree: it holds the triangles order[first] ... order[first + count - 1], or (count 0) the two boxes that
// follow it. `next` is the box after it and all that it holds.
typedef struct ctTerrainNode {
    ctVec3 lo, hi;
    int first, count, next;
} ctTerrainNode;

typedef struct ctTerrain {
    int vertexCount, triangleCount, facetCount, nodeCount;
    ctVec3 *vertices;
    int *corners;          // three of each triangle, counter-clockwise seen from the front
    int *neighbours;       // across the sides from corner k to the next; -1: none
    int *facets;           // of each triangle
    bool *ends;            // whether it has a sharp side, or one on the rim
    ctVec3 *normals;       // of each facet, unit, to the front
    double *offsets;       // n.x = offset on the facet
    int *firstRing, *ring; // the triangles around each vertex
    ctTerrainNode *nodes;
    int *order; // triangles in the order of the tree
    bool twoSided;
    double smooth; // cosine of the angle
} ctTerrain;

// The data that a terrain is made from. Triangles: three vertices each, from 0. name and lines (one of each triangle)
// are for messages, "name:line: what is wrong"; both may be NULL.
typedef struct ctTerrainInput {
    const ctVec3 *vertices;
    const int *triangles;
    int vertexCount, triangleCount;
    const char *name;
    const int *lines;
    bool twoSided; // rays, casts and bodies meet the back too
    double smooth; // rad
} ctTerrainInput;

ctShape *ctShape_Trimesh(const ctTerrainInput *input, ctError *error);
// columns x rows heights, row after row along +y, over a rectangle about the origin.
ctShape *ctShape_Heightfield(double sizeX, double sizeY, int columns, int rows, const double *heights, bool twoSided,
                             double smooth, ctError *error);
// A triangle mesh in Wavefront OBJ text; faces with more corners are cut into triangles.
ctShape *ctShape_TrimeshObj(const char *text, size_t length, const char *name, bool twoSided, double smooth,
                            ctError *error);
void ctTerrain_Free(ctTerrain *terrain); // NULL is allowed
// Builds nodes and order. False when memory is short.
bool ctTerrain_BuildTree(ctTerrain *terrain);

// ---- one triangle as a convex shape -----------------------------------------------------------

// Valid as long as the terrain is, and only at its own address: it points into itself.
typedef struct ctFlat {
    ctShape shape;
    ctLeaf self;
    ctVec3 corners[3], normals[2];
    double offsets[2];
} ctFlat;

void ctFlat_Make(ctFlat *flat, const ctTerrain *terrain, int triangle);

// Removes points of a manifold whose normal belongs to another part of the terrain, or that are behind a one-sided one;
// makes the normal of a face exact. flat is B. False in a fold: points are left to a part that rises above the
// triangle, whose side towards A is solid. *front is the normal of that side.
bool ctTerrain_Filter(const ctShape *flat, const ctPose *pose, ctManifold *manifold, ctVec3 *front);

// Whether a touch of a triangle at p, with the normal n out of it, is from behind: n is opposite to the normal of the
// face, side or corner at p (Baerentzen & Aanaes, "Signed distance computation using the angle weighted pseudonormal",
// 2005).
bool ctTerrain_IsBehind(const ctTerrain *terrain, int triangle, ctVec3 p, ctVec3 n);

// ---- questions --------------------------------------------------------------------------------

static inline int ctTerrain_Corner(const ctTerrain *terrain, int triangle, int k)
{
    return terrain->corners[3 * triangle + k];
}

static inline ctVec3 ctTerrain_Vertex(const ctTerrain *terrain, int triangle, int k)
{
    return terrain->vertices[terrain->corners[3 * triangle + k]];
}

static inline ctVec3 ctTerrain_Normal(const ctTerrain *terrain, int triangle)
{
    return terrain->normals[terrain->facets[triangle]];
}

// Whether two triangles that touch are parts of one curved surface, or of one plane.
static inline bool ctTerrain_IsSmooth(const ctTerrain *terrain, int a, int b)
{
    return terrain->facets[a] == terrain->facets[b] ||
           ctDot(ctTerrain_Normal(terrain, a), ctTerrain_Normal(terrain, b)) >= terrain->smooth;
}

// Calls visit for the triangles whose boxes meet a box, in no particular order, until it returns false.
typedef bool ctTriangleFn(void *context, int triangle);
void ctTerrain_Query(const ctTerrain *terrain, ctVec3 lo, ctVec3 hi, ctTriangleFn *visit, void *context);
// The box, in the terrain's frame, of a shape at a pose in the world.
void ctTerrain_BoxOf(const ctPose *poseTerrain, const ctShape *shape, const ctPose *pose, ctVec3 *lo, ctVec3 *hi);
// The closest points of a shape (A) and a terrain (B) that are nearer than most (m). False when there are none.
bool ctTerrain_Closest(const ctTerrain *terrain, const ctPose *poseTerrain, const ctShape *shape, const ctPose *pose,
                       double most, ctClosest *closest);
bool ctTerrain_RayCast(const ctTerrain *terrain, ctVec3 origin, ctVec3 direction, double maxT, double *time,
                       ctVec3 *normal);
// The triangle whose box is nearest to a point, approximately.
int ctTerrain_Near(const ctTerrain *terrain, ctVec3 point);

#endif
