// Making terrains: checks, neighbours, facets.
#include "collision/terrain.h"

#include "collision/memory.h"
#include "collision/polymesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A triangle with less area than this share of its longest side squared has none.
#define NO_AREA 1e-10
// Triangles of one facet are within this share of the size from its plane, and their normals differ by no more than
// this.
#define FLAT 1e-10
#define PARALLEL 1e-7

// ---- messages ---------------------------------------------------------------------------------

// "name:line" of a triangle, or its number from 1.
static const char *placeOf(const ctTerrainInput *in, int triangle, char *text, size_t size)
{
    if (in->lines != NULL && in->name != NULL) {
        snprintf(text, size, "%s:%d: the triangle", in->name, in->lines[triangle]);
    } else {
        snprintf(text, size, "triangle %d", triangle + 1);
    }
    return text;
}

static bool checkInput(const ctTerrainInput *in, ctError *error)
{
    char place[160];
    if (in->vertices == NULL || in->vertexCount < 3 || in->triangles == NULL || in->triangleCount < 1) {
        return ctFail(error, ct_badArgument, "a trimesh needs at least three vertices and one triangle");
    }
    if (in->triangleCount > CT_TERRAIN_TRIANGLES || in->vertexCount > 3 * CT_TERRAIN_TRIANGLES) {
        return ctFail(error, ct_limit, "a trimesh may have %d triangles, not %d", CT_TERRAIN_TRIANGLES,
                      in->triangleCount);
    }
    if (!(in->smooth >= 0.0 && in->smooth <= 0.5 * CT_PI)) {
        return ctFail(error, ct_badArgument, "smooth must be an angle from 0 to 90 degrees, not %g",
                      in->smooth * 180.0 / CT_PI);
    }
    for (int i = 0; i < in->vertexCount; i++) {
        ctVec3 v = in->vertices[i];
        if (!ctIsFinite3(v) || ctMaxElement(ctAbs(v)) > CT_LENGTH_MAX) {
            return ctFail(error, ct_badArgument, "vertex %d is no place within %g m: (%g, %g, %g)", i + 1,
                          CT_LENGTH_MAX, v.x, v.y, v.z);
        }
    }
    for (int i = 0; i < 3 * in->triangleCount; i++) {
        if (in->triangles[i] < 0 || in->triangles[i] >= in->vertexCount) {
            return ctFail(error, ct_badArgument, "%s has no vertex %d, there are %d",
                          placeOf(in, i / 3, place, sizeof place), in->triangles[i] + 1, in->vertexCount);
        }
    }
    return true;
}

// ---- vertices ---------------------------------------------------------------------------------

typedef struct Placed {
    ctVec3 p;
    int index;
} Placed;

static int byPlace(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    const double u[3] = {x->p.x, x->p.y, x->p.z}, v[3] = {y->p.x, y->p.y, y->p.z};
    for (int i = 0; i < 3; i++) {
        if (u[i] != v[i]) {
            return u[i] < v[i] ? -1 : 1;
        }
    }
    return (x->index > y->index) - (x->index < y->index);
}

// Joins vertices at the same place, so that triangles that meet there are neighbours.
static bool joinVertices(const ctTerrainInput *in, ctTerrain *t)
{
    int n = in->vertexCount, count = 0;
    Placed *order = ctAllocate((size_t)n, sizeof *order);
    int *number = ctAllocate((size_t)n, sizeof *number);
    bool ok = order != NULL && number != NULL;
    for (int i = 0; i < n && ok; i++) {
        ctVec3 v = in->vertices[i];
        order[i] = (Placed){ctV3(v.x + 0.0, v.y + 0.0, v.z + 0.0), i}; // -0 and 0 are the same place
    }
    if (ok) {
        qsort(order, (size_t)n, sizeof *order, byPlace);
    }
    for (int i = 0, first = 0; i < n && ok; i++) {
        const Placed *a = &order[first], *b = &order[i];
        first = a->p.x == b->p.x && a->p.y == b->p.y && a->p.z == b->p.z ? first : i;
        number[b->index] = order[first].index; // the least index at this place
    }
    for (int i = 0; i < n && ok; i++) {
        bool own = number[i] == i;
        t->vertices[count] = in->vertices[i];
        number[i] = own ? count : number[number[i]];
        count += own;
    }
    for (int i = 0; i < 3 * in->triangleCount && ok; i++) {
        t->corners[i] = number[in->triangles[i]];
    }
    t->vertexCount = count;
    ctFree(order);
    ctFree(number);
    return ok;
}

// The triangles around each vertex, by ascending number.
static void makeRings(ctTerrain *t)
{
    for (int i = 0; i < 3 * t->triangleCount; i++) {
        t->firstRing[t->corners[i] + 1]++;
    }
    for (int i = 0; i < t->vertexCount; i++) {
        t->firstRing[i + 1] += t->firstRing[i];
    }
    for (int i = 3 * t->triangleCount - 1; i >= 0; i--) {
        t->ring[--t->firstRing[t->corners[i] + 1]] = i / 3;
    }
    // Filling has moved every entry down to the start of its own list: shift by one.
    memmove(t->firstRing, t->firstRing + 1, (size_t)t->vertexCount * sizeof(int));
    t->firstRing[t->vertexCount] = 3 * t->triangleCount;
}

// ---- sides ------------------------------------------------------------------------------------

// The place of the side from vertex a to vertex b among the sides of a triangle, or -1.
static int sideFrom(const ctTerrain *t, int triangle, int a, int b)
{
    for (int k = 0; k < 3; k++) {
        if (ctTerrain_Corner(t, triangle, k) == a && ctTerrain_Corner(t, triangle, (k + 1) % 3) == b) {
            return k;
        }
    }
    return -1;
}

// The only other triangle at a side, which runs along it in the opposite direction.
static bool findNeighbour(const ctTerrainInput *in, ctTerrain *t, int triangle, int k, ctError *error)
{
    int a = ctTerrain_Corner(t, triangle, k), b = ctTerrain_Corner(t, triangle, (k + 1) % 3), found = -1;
    int few = t->firstRing[a + 1] - t->firstRing[a] <= t->firstRing[b + 1] - t->firstRing[b] ? a : b;
    char place[160];
    for (int i = t->firstRing[few]; i < t->firstRing[few + 1]; i++) {
        int other = t->ring[i];
        bool same = other != triangle && sideFrom(t, other, a, b) >= 0, opposite = sideFrom(t, other, b, a) >= 0;
        if (same) {
            return ctFail(
                error, ct_badArgument,
                "%s and triangle %d run the same way along a side that they share: one of them is turned over",
                placeOf(in, triangle, place, sizeof place), other + 1);
        }
        if (opposite && found >= 0) {
            return ctFail(error, ct_badArgument, "%s shares a side with two others, triangles %d and %d",
                          placeOf(in, triangle, place, sizeof place), found + 1, other + 1);
        }
        found = opposite ? other : found;
    }
    t->neighbours[3 * triangle + k] = found;
    return true;
}

static bool findNeighbours(const ctTerrainInput *in, ctTerrain *t, ctError *error)
{
    for (int i = 0; i < 3 * t->triangleCount; i++) {
        if (!findNeighbour(in, t, i / 3, i % 3, error)) {
            return false;
        }
    }
    return true;
}

// ---- facets -----------------------------------------------------------------------------------

// The unit normal of a triangle; false when it has no area.
static bool normalOf(const ctTerrain *t, int triangle, ctVec3 *n)
{
    ctVec3 a = ctTerrain_Vertex(t, triangle, 0), b = ctTerrain_Vertex(t, triangle, 1),
           c = ctTerrain_Vertex(t, triangle, 2);
    ctVec3 u = ctSub(b, a), v = ctSub(c, a), w = ctSub(c, b);
    double longest = ctFmax(ctFmax(ctLengthSquared(u), ctLengthSquared(v)), ctLengthSquared(w));
    ctVec3 area = ctCross(u, v);
    double length = ctLength(area);
    if (!(length > NO_AREA * longest) || !(longest > CT_LENGTH_MIN * CT_LENGTH_MIN)) {
        return false;
    }
    *n = ctScale(1.0 / length, area);
    return true;
}

static bool checkAreas(const ctTerrainInput *in, const ctTerrain *t, ctError *error)
{
    char place[160];
    ctVec3 n;
    for (int i = 0; i < t->triangleCount; i++) {
        if (!normalOf(t, i, &n)) {
            return ctFail(error, ct_badArgument, "%s has no area", placeOf(in, i, place, sizeof place));
        }
    }
    return true;
}

static bool isOnFacet(const ctTerrain *t, int triangle, int facet, double tolerance)
{
    ctVec3 n, m = t->normals[facet];
    for (int k = 0; k < 3; k++) {
        if (fabs(ctDot(m, ctTerrain_Vertex(t, triangle, k)) - t->offsets[facet]) > tolerance) {
            return false;
        }
    }
    return normalOf(t, triangle, &n) && ctLength(ctSub(n, m)) <= PARALLEL;
}

// Grows each facet from its first triangle over neighbours in the same plane. stack: room for all triangles.
static void growFacet(ctTerrain *t, int first, double tolerance, int *stack)
{
    int count = 0, facet = t->facets[first];
    stack[count++] = first;
    while (count > 0) {
        int at = stack[--count];
        for (int k = 0; k < 3; k++) {
            int other = t->neighbours[3 * at + k];
            if (other >= 0 && t->facets[other] < 0 && isOnFacet(t, other, facet, tolerance)) {
                t->facets[other] = facet;
                stack[count++] = other;
            }
        }
    }
}

static bool makeFacets(ctTerrain *t, double size, ctError *error)
{
    int *stack = ctAllocate((size_t)t->triangleCount, sizeof *stack);
    if (stack == NULL) {
        return ctFailMemory(error, "a terrain");
    }
    memset(t->facets, -1, (size_t)t->triangleCount * sizeof *t->facets);
    for (int i = 0; i < t->triangleCount; i++) {
        if (t->facets[i] < 0) {
            int facet = t->facets[i] = t->facetCount++;
            (void)normalOf(t, i, &t->normals[facet]);
            t->offsets[facet] = ctDot(t->normals[facet], ctTerrain_Vertex(t, i, 0));
            growFacet(t, i, FLAT * size, stack);
        }
    }
    ctFree(stack);
    for (int i = 0; i < 3 * t->triangleCount; i++) {
        int other = t->neighbours[i];
        t->ends[i / 3] = t->ends[i / 3] || other < 0 || !ctTerrain_IsSmooth(t, i / 3, other);
    }
    return true;
}

// ---- the whole --------------------------------------------------------------------------------

static ctTerrain *reserve(const ctTerrainInput *in)
{
    size_t n = (size_t)in->triangleCount;
    ctTerrain *t = ctAllocate(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->triangleCount = in->triangleCount;
    t->twoSided = in->twoSided;
    t->smooth = ctCos(in->smooth);
    t->vertices = ctAllocate((size_t)in->vertexCount, sizeof *t->vertices);
    t->corners = ctAllocate(3 * n, sizeof *t->corners);
    t->neighbours = ctAllocate(3 * n, sizeof *t->neighbours);
    t->facets = ctAllocate(n, sizeof *t->facets);
    t->ends = ctAllocate(n, sizeof *t->ends);
    t->normals = ctAllocate(n, sizeof *t->normals);
    t->offsets = ctAllocate(n, sizeof *t->offsets);
    t->firstRing = ctAllocate((size_t)in->vertexCount + 1, sizeof *t->firstRing);
    t->ring = ctAllocate(3 * n, sizeof *t->ring);
    if (t->vertices == NULL || t->corners == NULL || t->neighbours == NULL || t->facets == NULL || t->ends == NULL ||
        t->normals == NULL || t->offsets == NULL || t->firstRing == NULL || t->ring == NULL) {
        ctTerrain_Free(t);
        return NULL;
    }
    return t;
}

ctShape *ctShape_Trimesh(const ctTerrainInput *in, ctError *error)
{
    if (!checkInput(in, error)) {
        return NULL;
    }
    ctTerrain *t = reserve(in);
    if (t == NULL || !joinVertices(in, t)) {
        ctTerrain_Free(t);
        ctFailMemory(error, "a terrain");
        return NULL;
    }
    ctVec3 lo = t->vertices[t->corners[0]], hi = lo;
    for (int i = 0; i < 3 * t->triangleCount; i++) {
        lo = ctMin(lo, t->vertices[t->corners[i]]);
        hi = ctMax(hi, t->vertices[t->corners[i]]);
    }
    makeRings(t);
    ctShape *shape = NULL;
    if (checkAreas(in, t, error) && findNeighbours(in, t, error) && makeFacets(t, ctMaxElement(ctSub(hi, lo)), error)) {
        shape = ctTerrain_BuildTree(t) ? ctNewShape(ct_shapeTerrain, error) : NULL;
        if (shape == NULL) {
            ctFailMemory(error, "a terrain");
        }
    }
    if (shape == NULL) {
        ctTerrain_Free(t);
        return NULL;
    }
    shape->u.terrain = t;
    ctSetBox(shape, lo, hi);
    shape->unit.center = ctLerp(lo, hi, 0.5);
    shape->boundRadius = 0.5 * ctDistance(lo, hi);
    return shape;
}

ctShape *ctShape_Heightfield(double sizeX, double sizeY, int columns, int rows, const double *heights, bool twoSided,
                             double smooth, ctError *error)
{
    if (!ctCheckLength(sizeX, "size (x)", error) || !ctCheckLength(sizeY, "size (y)", error)) {
        return NULL;
    }
    if (heights == NULL || columns < 2 || rows < 2) {
        ctFail(error, ct_badArgument, "a heightfield needs at least 2 x 2 heights, not %d x %d", columns, rows);
        return NULL;
    }
    if ((int64_t)(columns - 1) * (rows - 1) > CT_TERRAIN_TRIANGLES / 2) {
        ctFail(error, ct_limit, "a heightfield may have %d triangles, not %.0f", CT_TERRAIN_TRIANGLES,
               2.0 * (columns - 1) * (rows - 1));
        return NULL;
    }
    int count = 2 * (columns - 1) * (rows - 1), at = 0;
    ctVec3 *vertices = ctAllocate((size_t)columns * (size_t)rows, sizeof *vertices);
    int *triangles = ctAllocate(3 * (size_t)count, sizeof *triangles);
    ctShape *shape = NULL;
    bool ok = vertices != NULL && triangles != NULL;
    for (int i = 0; i < columns * rows && ok; i++) {
        double x = sizeX * ((double)(i % columns) / (columns - 1) - 0.5);
        double y = sizeY * ((double)(i / columns) / (rows - 1) - 0.5);
        vertices[i] = ctV3(x, y, heights[i]);
        if (!isfinite(heights[i]) || fabs(heights[i]) > CT_LENGTH_MAX) {
            ctFail(error, ct_badArgument, "height %d of row %d is no height within %g m: %g", i % columns + 1,
                   i / columns + 1, CT_LENGTH_MAX, heights[i]);
            ctFree(vertices);
            ctFree(triangles);
            return NULL;
        }
    }
    // Diagonals alternate, so that no direction is preferred.
    for (int i = 0; i < (columns - 1) * (rows - 1) && ok; i++) {
        int x = i % (columns - 1), y = i / (columns - 1), a = y * columns + x, b = a + 1, c = b + columns,
            d = a + columns;
        const int even[6] = {a, b, c, a, c, d}, odd[6] = {a, b, d, b, c, d};
        memcpy(&triangles[at], (x + y) % 2 == 0 ? even : odd, sizeof even);
        at += 6;
    }
    if (ok) {
        ctTerrainInput in = {.vertices = vertices,
                             .triangles = triangles,
                             .vertexCount = columns * rows,
                             .triangleCount = count,
                             .twoSided = twoSided,
                             .smooth = smooth};
        shape = ctShape_Trimesh(&in, error);
    } else {
        ctFailMemory(error, "a heightfield");
    }
    ctFree(vertices);
    ctFree(triangles);
    return shape;
}
