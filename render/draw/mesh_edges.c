#include "render/draw/mesh_edges.h"

#include "collision/memory.h"

#include <math.h>
#include <stdlib.h>

// One side of an edge: its ends, the lesser one first, and the normals of the triangle on that side.
typedef struct edgeSide {
    ctVec3 a, b;
    ctVec3 shadingA, shadingB; // normals that the mesh is shaded with
    ctVec3 normal;             // of the triangle
} edgeSide;

#define SMOOTH 0.999 // cosine of the angle between two normals that are shaded as one
#define FLAT 0.999999

static int comparePlaces(ctVec3 p, ctVec3 q)
{
    if (p.x < q.x || p.x > q.x) {
        return p.x < q.x ? -1 : 1;
    }
    if (p.y < q.y || p.y > q.y) {
        return p.y < q.y ? -1 : 1;
    }
    return p.z < q.z ? -1 : p.z > q.z ? 1 : 0;
}

static int compareSides(const void *s, const void *t)
{
    const edgeSide *p = s, *q = t;
    int order = comparePlaces(p->a, q->a);
    return order != 0 ? order : comparePlaces(p->b, q->b);
}

static ctVec3 fromFloat(const float v[3])
{
    return ctV3((double)v[0], (double)v[1], (double)v[2]);
}

// Rounds a place to a grid, so that places that differ by rounding, as at the seam of a round mesh, are equal.
static ctVec3 placeOf(const ctMeshVertex *vertex, double grain)
{
    const float *p = vertex->position;
    return ctV3(rint((double)p[0] / grain) * grain, rint((double)p[1] / grain) * grain,
                rint((double)p[2] / grain) * grain);
}

static edgeSide sideOf(const ctMeshVertex *a, const ctMeshVertex *b, ctVec3 normal, double grain)
{
    edgeSide side = {placeOf(a, grain), placeOf(b, grain), fromFloat(a->normal), fromFloat(b->normal), normal};
    if (comparePlaces(side.a, side.b) > 0) {
        edgeSide turned = {side.b, side.a, side.shadingB, side.shadingA, normal};
        return turned;
    }
    return side;
}

static int collect(const ctMesh *mesh, int first, int count, edgeSide *sides)
{
    int n = 0;
    double size = 0.0;
    for (int i = first; i < first + count; i++) {
        size = fmax(size, ctLength(fromFloat(mesh->vertices[mesh->indices[i]].position)));
    }
    for (int i = first; i + 2 < first + count; i += 3) {
        const ctMeshVertex *v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = &mesh->vertices[mesh->indices[i + k]];
        }
        ctVec3 p = fromFloat(v[0]->position);
        ctVec3 normal = ctCross(ctSub(fromFloat(v[1]->position), p), ctSub(fromFloat(v[2]->position), p));
        if (ctLengthSquared(normal) > 0.0) { // triangles at a pole have no area
            for (int k = 0; k < 3; k++) {
                sides[n++] = sideOf(v[k], v[(k + 1) % 3], ctNormalize(normal), ldexp(size, -19));
            }
        }
    }
    return n;
}

int ctMesh_FindEdges(const ctMesh *mesh, int first, int count, ctMeshEdge **edges)
{
    edgeSide *sides = ctAllocate((size_t)count + 1, sizeof(edgeSide));
    *edges = ctAllocate((size_t)count + 1, sizeof(ctMeshEdge));
    if (sides == NULL || *edges == NULL) {
        ctFree(sides);
        ctFree(*edges);
        *edges = NULL;
        return -1;
    }
    int n = collect(mesh, first, count, sides), found = 0;
    qsort(sides, (size_t)n, sizeof(edgeSide), compareSides);
    for (int i = 0; i < n; i++) {
        const edgeSide *p = &sides[i], *q = i + 1 < n && compareSides(p, p + 1) == 0 ? p + 1 : NULL;
        if (q == NULL) {
            (*edges)[found++] = (ctMeshEdge){p->a, p->b, p->normal, ctNeg(p->normal), true};
            continue;
        }
        i++;
        bool smooth = ctDot(p->shadingA, q->shadingA) > SMOOTH && ctDot(p->shadingB, q->shadingB) > SMOOTH;
        if (!smooth || ctDot(p->normal, q->normal) < FLAT) {
            (*edges)[found++] = (ctMeshEdge){p->a, p->b, p->normal, q->normal, !smooth};
        }
    }
    ctFree(sides);
    return found;
}
