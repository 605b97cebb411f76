// The core of a convex polyhedron: the intersection of its half-spaces moved inwards.
//
// The solid is n.x <= d for each face, the core n.x <= d - round. About an interior point c, the core is dual to the
// hull of the points n / (d - round - n.c): a dual facet y.p = 1 is the core's corner p, a dual vertex is a face, a
// dual edge an edge. The duality commutes with affine maps, so the coordinates x = c + A y are used, in which the solid
// is about as thick as it is long and wide. A corner where more than three faces meet may become several corners of the
// core, and short edges may vanish. The dual hull takes care of both.
#include "collision/hull_build.h"
#include "collision/memory.h"

// Error of a face's offset, in coordinates of size one to two.
#define ROUNDING 2e-15
// Vertices at the ends of an edge shorter than this, in the same coordinates, are linked with each other's neighbours,
// because rounding errors make the direction of such an edge uncertain. Clusters of more than so many vertices are left
// alone.
#define SHORT_EDGE 1e-3
#define CLUSTER 256

typedef struct Builder {
    const ctHullSolid *solid;
    double round;
    ctHullSurface dual;
    int *faceOf;             // facet of the surface to face of the core, -1 when the face is cut off
    ctEdgeGroups facetEnds;  // ends of the surface's edges by facet
    ctEdgeGroups vertexEnds; // ends of the dual's edges by vertex of the core
    ctEdgeGroups faceEnds;   // ends of the dual's edges by face of the core
    double *blur;            // a bound of the rounding error of each vertex
} Builder;

static bool makeDual(Builder *b, ctError *error)
{
    int n = b->solid->surface.facetCount;
    ctVec3 *dual = ctAllocate((size_t)n, sizeof *dual);
    if (dual == NULL) {
        return ctFailMemory(error, "a hull");
    }
    for (int i = 0; i < n; i++) {
        ctVec3 normal = b->solid->surface.normals[i];
        double away = b->solid->surface.offsets[i] - b->round - ctDot(normal, b->solid->unit.center);
        dual[i] = ctScale(1.0 / away, ctMulTMV(b->solid->gyration, normal));
    }
    ctHullSurface_Free(&b->dual);
    bool ok = ctHullSurface_Make(dual, n, false, &b->dual, error);
    ctFree(dual);
    return ok;
}

static bool allocateHull(ctHull *h, int vertices, int faces, int edges, int corners)
{
    h->vertexCount = vertices;
    h->faceCount = faces;
    h->cornerCount = corners;
    h->vertices = ctAllocate((size_t)vertices, sizeof *h->vertices);
    h->firstNeighbour = ctAllocate((size_t)vertices + 1, sizeof *h->firstNeighbour);
    h->neighbours = ctAllocate(2 * (size_t)edges, sizeof *h->neighbours);
    h->faceNormals = ctAllocate((size_t)faces, sizeof *h->faceNormals);
    h->faceOffsets = ctAllocate((size_t)faces, sizeof *h->faceOffsets);
    h->firstFaceVertex = ctAllocate((size_t)faces + 1, sizeof *h->firstFaceVertex);
    h->faceVertices = ctAllocate(2 * (size_t)edges, sizeof *h->faceVertices);
    h->firstVertexFace = ctAllocate((size_t)vertices + 1, sizeof *h->firstVertexFace);
    h->vertexFaces = ctAllocate(2 * (size_t)edges, sizeof *h->vertexFaces);
    h->corners = ctAllocate((size_t)corners, sizeof *h->corners);
    h->vertexCorner = ctAllocate((size_t)vertices, sizeof *h->vertexCorner);
    return h->vertices != NULL && h->firstNeighbour != NULL && h->neighbours != NULL && h->faceNormals != NULL &&
           h->faceOffsets != NULL && h->firstFaceVertex != NULL && h->faceVertices != NULL &&
           h->firstVertexFace != NULL && h->vertexFaces != NULL && h->corners != NULL && h->vertexCorner != NULL;
}

void ctHull_Free(ctHull *h)
{
    ctFree(h->vertices);
    ctFree(h->firstNeighbour);
    ctFree(h->neighbours);
    ctFree(h->faceNormals);
    ctFree(h->faceOffsets);
    ctFree(h->firstFaceVertex);
    ctFree(h->faceVertices);
    ctFree(h->firstVertexFace);
    ctFree(h->vertexFaces);
    ctFree(h->corners);
    ctFree(h->vertexCorner);
    *h = (ctHull){0};
}

// The vertex where faces meet, from three of them that are far from sharing a line.
static ctVec3 solveVertex(const Builder *b, const ctHull *h, int vertex, ctVec3 guess)
{
    const ctEdgeGroups *g = &b->vertexEnds;
    ctVec3 n[3] = {ctZero3(), ctZero3(), ctZero3()};
    double d[3] = {0.0, 0.0, 0.0};
    for (int rank = 0; rank < 3; rank++) {
        double best = -1.0;
        ctVec3 line = ctCross(n[0], n[1]);
        for (int k = 2 * g->first[vertex]; k < 2 * g->first[vertex + 1]; k++) {
            int face = b->faceOf[b->dual.edges[g->order[k / 2] / 2].point[k % 2]];
            ctVec3 m = h->faceNormals[face];
            double s = rank == 0 ? 1.0 : rank == 1 ? ctLengthSquared(ctCross(n[0], m)) : fabs(ctDot(line, m));
            if (s > best) {
                best = s;
                n[rank] = m;
                d[rank] = h->faceOffsets[face] - ctDot(m, guess);
            }
        }
    }
    b->blur[vertex] = ROUNDING / ctFmax(fabs(ctDot(ctCross(n[0], n[1]), n[2])), ROUNDING);
    // Solved for the correction, so that rounding is relative to the correction.
    ctVec3 x;
    if (!ctSolve(ctTranspose(ctMat3Columns(n[0], n[1], n[2])), ctV3(d[0], d[1], d[2]), &x) || !(ctLength(x) < 1e-6)) {
        return guess;
    }
    return ctAdd(guess, x);
}

static void fillVertices(const Builder *b, ctHull *h)
{
    const ctEdgeGroups *g = &b->vertexEnds;
    for (int i = 0; i < h->vertexCount; i++) {
        ctVec3 y = ctScale(1.0 / b->dual.offsets[i], b->dual.normals[i]);
        h->vertices[i] = solveVertex(b, h, i, ctAdd(b->solid->unit.center, ctMulMV(b->solid->gyration, y)));
        h->firstNeighbour[i + 1] = g->first[i + 1];
        for (int k = g->first[i]; k < g->first[i + 1]; k++) {
            int end = g->order[k];
            h->neighbours[k] = b->dual.edges[end / 2].facet[1 - end % 2];
        }
    }
}

static int findRoot(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// True when all faces of a vertex pass through a point.
static bool fitsFaces(const Builder *b, const ctHull *h, int vertex, ctVec3 point)
{
    const ctEdgeGroups *g = &b->vertexEnds;
    for (int k = 2 * g->first[vertex]; k < 2 * g->first[vertex + 1]; k++) {
        int face = b->faceOf[b->dual.edges[g->order[k / 2] / 2].point[k % 2]];
        if (fabs(ctDot(h->faceNormals[face], point) - h->faceOffsets[face]) > ROUNDING) {
            return false;
        }
    }
    return true;
}

// Joins the ends of short edges, and of edges shorter than their own uncertainty: the less certain end moves to the
// other if its faces allow. Returns their number.
static int joinClose(const Builder *b, ctHull *h, int *parent)
{
    int joined = 0;
    for (int i = 0; i < h->vertexCount; i++) {
        parent[i] = i;
    }
    for (int i = 0; i < b->dual.edgeCount; i++) {
        int u = b->dual.edges[i].facet[0], v = b->dual.edges[i].facet[1];
        if (ctDistance(h->vertices[u], h->vertices[v]) < SHORT_EDGE + b->blur[u] + b->blur[v]) {
            int p = findRoot(parent, u), q = findRoot(parent, v);
            parent[p > q ? p : q] = p < q ? p : q;
            joined++;
            int worse = b->blur[u] > b->blur[v] ? u : v, better = u + v - worse;
            if (fitsFaces(b, h, worse, h->vertices[better])) {
                h->vertices[worse] = h->vertices[better];
                b->blur[worse] = b->blur[better];
            }
        }
    }
    return joined;
}

// Along a direction near a face's normal, a short edge may seem to fall where it rises, and a climb would end there,
// below the top. Such vertices get the neighbours of their whole cluster. next links the members of each cluster; seen
// is scratch.
static bool linkClusters(ctHull *h, const int *next, const int *size, int *seen)
{
    int *first = ctAllocate((size_t)h->vertexCount + 1, sizeof *first), *list = NULL, capacity = 0, count = 0;
    bool ok = first != NULL;
    for (int i = 0; ok && i < h->vertexCount; i++) {
        int u = i;
        seen[i] = i + 1;
        do {
            int from = h->firstNeighbour[u], to = h->firstNeighbour[u + 1];
            ok = ctReserve((void **)&list, &capacity, count + to - from + 1, sizeof *list);
            for (int k = from; ok && k <= to; k++) {
                int v = k < to ? h->neighbours[k] : u; // its neighbours, and itself
                if (seen[v] != i + 1) {
                    seen[v] = i + 1;
                    list[count++] = v;
                }
            }
            u = size[i] <= CLUSTER ? next[u] : i;
        } while (ok && u != i);
        if (ok) {
            first[i + 1] = count;
        }
    }
    if (!ok) {
        ctFree(first);
        ctFree(list);
        return false;
    }
    ctFree(h->firstNeighbour);
    ctFree(h->neighbours);
    h->firstNeighbour = first;
    h->neighbours = list;
    return true;
}

static bool linkClose(const Builder *b, ctHull *h)
{
    size_t n = (size_t)h->vertexCount;
    int *parent = ctAllocate(n, sizeof *parent), *next = ctAllocate(n, sizeof *next);
    int *size = ctAllocate(n, sizeof *size), *seen = ctAllocate(n, sizeof *seen);
    bool ok = parent != NULL && next != NULL && size != NULL && seen != NULL;
    if (ok && joinClose(b, h, parent) > 0) {
        for (int i = 0; i < h->vertexCount; i++) {
            next[i] = i;
        }
        for (int i = 0; i < h->vertexCount; i++) {
            int root = findRoot(parent, i);
            size[root]++;
            if (root != i) {
                next[i] = next[root];
                next[root] = i;
            }
        }
        for (int i = 0; i < h->vertexCount; i++) {
            size[i] = size[findRoot(parent, i)];
        }
        ok = linkClusters(h, next, size, seen);
    }
    ctFree(parent);
    ctFree(next);
    ctFree(size);
    ctFree(seen);
    return ok;
}

// The true corner that a core vertex lies under: of the corners of its smallest face, the one farthest
// out along the sum of its normals.
static void fillCorners(const Builder *b, ctHull *h)
{
    const ctEdgeGroups *g = &b->vertexEnds, *facets = &b->facetEnds;
    for (int i = 0; i < b->solid->pointCount; i++) {
        if (b->solid->cornerOf[i] >= 0) {
            h->corners[b->solid->cornerOf[i]] = b->solid->points[i];
        }
    }
    for (int i = 0; i < h->vertexCount; i++) {
        ctVec3 out = ctZero3();
        int facet = -1;
        for (int k = 2 * g->first[i]; k < 2 * g->first[i + 1]; k++) {
            int f = b->dual.edges[g->order[k / 2] / 2].point[k % 2];
            out = ctAdd(out, b->solid->surface.normals[f]);
            if (facet < 0 ||
                facets->first[f + 1] - facets->first[f] < facets->first[facet + 1] - facets->first[facet]) {
                facet = f;
            }
        }
        double best = -INFINITY;
        for (int k = 2 * facets->first[facet]; k < 2 * facets->first[facet + 1]; k++) {
            int point = b->solid->surface.edges[facets->order[k / 2] / 2].point[k % 2];
            double d = ctDot(out, b->solid->points[point]);
            if (d > best) {
                best = d;
                h->vertexCorner[i] = b->solid->cornerOf[point];
            }
        }
    }
}

// Counter-clockwise seen from outside.
static void orientFace(const ctHull *h, int face)
{
    int *v = &h->faceVertices[h->firstFaceVertex[face]];
    int n = h->firstFaceVertex[face + 1] - h->firstFaceVertex[face];
    ctVec3 area = ctZero3(), o = h->vertices[v[0]];
    for (int i = 1; i + 1 < n; i++) {
        area = ctAdd(area, ctCross(ctSub(h->vertices[v[i]], o), ctSub(h->vertices[v[i + 1]], o)));
    }
    if (ctDot(area, h->faceNormals[face]) < 0.0) {
        for (int i = 1, j = n - 1; i < j; i++, j--) {
            int t = v[i];
            v[i] = v[j];
            v[j] = t;
        }
    }
}

// Links each face's edges into its loop of vertices. False when they make no single loop, because of rounding errors of
// the dual hull. beside holds two entries for each vertex, all -1.
static bool chainFaces(const Builder *b, ctHull *h, int *beside)
{
    const ctEdgeGroups *g = &b->faceEnds;
    for (int face = 0; face < h->faceCount; face++) {
        int first = g->first[face], n = g->first[face + 1] - first;
        h->firstFaceVertex[face + 1] = first + n;
        for (int k = first; k < first + n; k++) {
            const int *v = b->dual.edges[g->order[k] / 2].facet;
            for (int side = 0; side < 2; side++) {
                int *slot = &beside[2 * v[side]];
                if (slot[1] >= 0) {
                    return false;
                }
                slot[slot[0] >= 0] = v[1 - side];
            }
        }
        int start = b->dual.edges[g->order[first] / 2].facet[0], before = -1, at = start;
        for (int k = 0; k < n; k++) {
            h->faceVertices[first + k] = at;
            int next = beside[2 * at] != before ? beside[2 * at] : beside[2 * at + 1];
            if (next < 0 || (next == start) != (k == n - 1)) {
                return false;
            }
            before = at;
            at = next;
        }
        if (n < 3) {
            return false;
        }
        for (int k = first; k < first + n; k++) {
            beside[2 * h->faceVertices[k]] = beside[2 * h->faceVertices[k] + 1] = -1;
        }
        orientFace(h, face);
    }
    return true;
}

// The faces at each vertex, in their order.
static void fillVertexFaces(ctHull *h)
{
    int sides = h->firstFaceVertex[h->faceCount];
    for (int k = 0; k < sides; k++) {
        h->firstVertexFace[h->faceVertices[k] + 1]++;
    }
    for (int i = 0; i < h->vertexCount; i++) {
        h->firstVertexFace[i + 1] += h->firstVertexFace[i];
    }
    // While filling, each first is where the next face goes; at the end it is the start of the next vertex.
    for (int f = 0; f < h->faceCount; f++) {
        for (int k = h->firstFaceVertex[f]; k < h->firstFaceVertex[f + 1]; k++) {
            h->vertexFaces[h->firstVertexFace[h->faceVertices[k]]++] = f;
        }
    }
    for (int i = h->vertexCount; i > 0; i--) {
        h->firstVertexFace[i] = h->firstVertexFace[i - 1];
    }
    h->firstVertexFace[0] = 0;
}

static void fillFaces(const Builder *b, ctHull *h)
{
    for (int i = 0; i < b->solid->surface.facetCount; i++) {
        if (b->faceOf[i] >= 0) {
            h->faceNormals[b->faceOf[i]] = b->solid->surface.normals[i];
            h->faceOffsets[b->faceOf[i]] = b->solid->surface.offsets[i] - b->round;
        }
    }
}

// From the dual hull on. False when memory is short.
static bool fillFromDual(Builder *b, ctHull *h, bool *sound)
{
    const ctHullSurface *surface = &b->solid->surface;
    b->faceOf = ctAllocate((size_t)surface->facetCount, sizeof *b->faceOf);
    b->blur = ctAllocate((size_t)b->dual.facetCount, sizeof *b->blur);
    int *beside = ctAllocate(2 * (size_t)b->dual.facetCount, sizeof *beside);
    bool ok = b->faceOf != NULL && b->blur != NULL && beside != NULL;
    if (ok) {
        int faces = ctHullSurface_Number(&b->dual, b->faceOf, surface->facetCount);
        int vertices = b->dual.facetCount;
        ok = allocateHull(h, vertices, faces, b->dual.edgeCount, b->solid->cornerCount) &&
             ctEdgeGroups_Make(surface, NULL, surface->facetCount, &b->facetEnds) &&
             ctEdgeGroups_Make(&b->dual, NULL, vertices, &b->vertexEnds) &&
             ctEdgeGroups_Make(&b->dual, b->faceOf, faces, &b->faceEnds);
        for (int i = 0; i < 2 * vertices; i++) {
            beside[i] = -1;
        }
        *sound = vertices - b->dual.edgeCount + faces == 2;
    }
    if (ok && *sound) {
        fillFaces(b, h);
        fillVertices(b, h);
        fillCorners(b, h);
        *sound = chainFaces(b, h, beside);
        if (*sound) {
            fillVertexFaces(h);
            ok = linkClose(b, h);
        }
    }
    ctFree(beside);
    return ok;
}

bool ctHull_FillCore(const ctHullSolid *solid, double round, ctHull *hull, bool *sound, ctError *error)
{
    Builder b = {.solid = solid, .round = round};
    ctError why = {ct_ok, ""};
    *sound = false;
    bool ok = makeDual(&b, &why) ? fillFromDual(&b, hull, sound) : why.status != ct_outOfMemory;
    if (!ok) {
        ctFailMemory(error, "a hull");
    }
    ctFree(b.faceOf);
    ctFree(b.blur);
    ctEdgeGroups_Free(&b.facetEnds);
    ctEdgeGroups_Free(&b.vertexEnds);
    ctEdgeGroups_Free(&b.faceEnds);
    ctHullSurface_Free(&b.dual);
    return ok;
}
