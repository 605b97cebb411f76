// One triangle of a terrain as a convex shape, and which of its contacts belong to it.
#include "collision/terrain.h"

#include "collision/memory.h"

// A normal is that of a face when it differs by no more than this; a place is on a side or a corner when its distance
// is at most this share of the triangle.
#define FACE 1e-6
#define ON_SIDE 1e-6
// A triangle that rises less steeply than this above the plane of contact does not rise: a face on a ridge that leans
// by no more bears at both ends of the line that they share.
#define RISE 1e-4
// A touch whose normal leans back by less than this is on the rim.
#define LEAN 1e-9

// ---- the shape --------------------------------------------------------------------------------

// Two faces, back to back; the same for every triangle.
static int firstNeighbour[] = {0, 2, 4, 6}, neighbours[] = {1, 2, 0, 2, 0, 1}, firstFaceVertex[] = {0, 3, 6},
           faceVertices[] = {0, 1, 2, 0, 2, 1}, firstVertexFace[] = {0, 2, 4, 6}, vertexFaces[] = {0, 1, 0, 1, 0, 1},
           vertexCorner[] = {0, 1, 2};

void ctFlat_Make(ctFlat *flat, const ctTerrain *t, int triangle)
{
    int facet = t->facets[triangle];
    for (int k = 0; k < 3; k++) {
        flat->corners[k] = ctTerrain_Vertex(t, triangle, k);
    }
    flat->normals[0] = t->normals[facet];
    flat->normals[1] = ctNeg(t->normals[facet]);
    flat->offsets[0] = t->offsets[facet];
    flat->offsets[1] = -t->offsets[facet];
    ctVec3 *v = flat->corners;
    ctShape *s = &flat->shape;
    *s = (ctShape){.type = ct_shapeHull, .leafCount = 1, .leaves = &flat->self, .references = 1};
    s->u.hull = (ctHull){.vertexCount = 3,
                         .faceCount = 2,
                         .vertices = v,
                         .firstNeighbour = firstNeighbour,
                         .neighbours = neighbours,
                         .faceNormals = flat->normals,
                         .faceOffsets = flat->offsets,
                         .firstFaceVertex = firstFaceVertex,
                         .faceVertices = faceVertices,
                         .firstVertexFace = firstVertexFace,
                         .vertexFaces = vertexFaces,
                         .cornerCount = 3,
                         .corners = v,
                         .vertexCorner = vertexCorner,
                         .terrain = t,
                         .triangle = triangle};
    flat->self = (ctLeaf){s, ctTransformIdentity()};
    s->lo = ctMin(v[0], ctMin(v[1], v[2]));
    s->hi = ctMax(v[0], ctMax(v[1], v[2]));
    s->size = ctMaxElement(ctSub(s->hi, s->lo));
    s->unit.center = ctScale(1.0 / 3.0, ctAdd(ctAdd(v[0], v[1]), v[2]));
    for (int k = 0; k < 3; k++) {
        s->boundRadius = ctFmax(s->boundRadius, ctDistance(v[k], s->unit.center));
    }
}

// ---- whose contact it is ----------------------------------------------------------------------

// Whether a triangle at the point p rises there above the plane across n.
static bool rises(const ctTerrain *t, int triangle, ctVec3 p, ctVec3 n)
{
    for (int k = 0; k < 3; k++) {
        ctVec3 way = ctSub(ctTerrain_Vertex(t, triangle, k), p);
        if (ctDot(n, way) > RISE * ctLength(way)) {
            return true;
        }
    }
    return false;
}

// Whether the contact at p of a triangle, with the normal n out of it, is the terrain's: nothing around p is in the
// way. *fold: the part in the way also rises above the triangle itself, whose normal on that side is face.
static bool isOwn(const ctTerrain *t, int triangle, ctVec3 p, ctVec3 n, ctVec3 face, bool *fold)
{
    for (int k = 0; k < 3; k++) {
        ctVec3 a = ctTerrain_Vertex(t, triangle, k), b = ctTerrain_Vertex(t, triangle, (k + 1) % 3);
        ctVec3 side = ctSub(b, a), way = ctSub(p, a);
        double length = ctLength(side), near = ON_SIDE * length;
        int v = ctTerrain_Corner(t, triangle, k), other = t->neighbours[3 * triangle + k];
        if (ctLength(way) <= near) {
            for (int i = t->firstRing[v]; i < t->firstRing[v + 1]; i++) {
                if (t->ring[i] != triangle && rises(t, t->ring[i], a, n)) {
                    *fold = *fold || rises(t, t->ring[i], a, face);
                    return false;
                }
            }
        } else if (ctLength(ctCross(side, way)) <= near * length && ctDistance(p, b) > near && other >= 0 &&
                   rises(t, other, p, n)) {
            *fold = *fold || rises(t, other, p, face);
            return false;
        }
    }
    return true;
}

// The angle of a triangle at a corner times its normal.
static ctVec3 angleNormal(const ctTerrain *t, int triangle, int vertex)
{
    int k = ctTerrain_Corner(t, triangle, 0) == vertex ? 0 : ctTerrain_Corner(t, triangle, 1) == vertex ? 1 : 2;
    ctVec3 at = ctTerrain_Vertex(t, triangle, k), d = ctSub(ctTerrain_Vertex(t, triangle, (k + 1) % 3), at),
           e = ctSub(ctTerrain_Vertex(t, triangle, (k + 2) % 3), at);
    return ctScale(ctAtan2(ctLength(ctCross(d, e)), ctDot(d, e)), ctTerrain_Normal(t, triangle));
}

bool ctTerrain_IsBehind(const ctTerrain *t, int triangle, ctVec3 p, ctVec3 n)
{
    ctVec3 sum = ctTerrain_Normal(t, triangle);
    for (int k = 0; k < 3; k++) {
        ctVec3 a = ctTerrain_Vertex(t, triangle, k), side = ctSub(ctTerrain_Vertex(t, triangle, (k + 1) % 3), a);
        double length = ctLength(side), near = ON_SIDE * length;
        int v = ctTerrain_Corner(t, triangle, k), other = t->neighbours[3 * triangle + k];
        if (ctDistance(p, a) <= near) {
            sum = ctZero3();
            for (int i = t->firstRing[v]; i < t->firstRing[v + 1]; i++) {
                sum = ctAdd(sum, angleNormal(t, t->ring[i], v));
            }
            break;
        }
        if (ctLength(ctCross(side, ctSub(p, a))) <= near * length && other >= 0) {
            sum = ctAdd(sum, ctTerrain_Normal(t, other));
        }
    }
    return ctDot(sum, n) < -LEAN * ctLength(sum);
}

bool ctTerrain_Filter(const ctShape *flat, const ctPose *pose, ctManifold *manifold, ctVec3 *front)
{
    const ctTerrain *t = flat->u.hull.terrain;
    int triangle = flat->u.hull.triangle, count = 0;
    ctVec3 n = ctMulTMV(pose->r, manifold->normal), face = ctTerrain_Normal(t, triangle);
    bool solid = t->twoSided || ctDot(face, n) > 0.0, fold = false;
    face = ctDot(face, n) >= 0.0 ? face : ctNeg(face);
    *front = ctMulMV(pose->r, face);
    if (ctLength(ctSub(n, face)) <= FACE) {
        manifold->normal = *front;
        manifold->count = solid ? manifold->count : 0;
        return true;
    }
    for (int i = 0; i < manifold->count; i++) {
        ctVec3 p = ctInvPosePoint(pose, manifold->points[i].pointB);
        if (isOwn(t, triangle, p, n, face, &fold) && (t->twoSided || !ctTerrain_IsBehind(t, triangle, p, n))) {
            manifold->points[count++] = manifold->points[i];
        }
    }
    manifold->count = count;
    return !fold || !solid;
}

void ctTerrain_Free(ctTerrain *t)
{
    if (t == NULL) {
        return;
    }
    void *parts[] = {t->vertices, t->corners,   t->neighbours, t->facets, t->ends, t->normals,
                     t->offsets,  t->firstRing, t->ring,       t->nodes,  t->order};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        ctFree(parts[i]);
    }
    ctFree(t);
}
