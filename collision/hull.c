// Convex polyhedra from points.
//
// The hull of the points gives faces n.x <= d; the core is the intersection of n.x <= d - round. About
// an interior point c, that intersection is dual to the hull of the points n / (d - round - n.c): a
// dual facet y.p = 1 is the core's corner p, a dual vertex is a face, a dual edge an edge. The duality
// commutes with affine maps, so it is worked in coordinates x = c + A y that make the solid about as
// thick as it is long and wide. A corner where more than three faces meet may become several corners
// of the core, and short edges may vanish: the dual hull sees to both.
#include "collision/hull_surface.h"
#include "collision/memory.h"
#include "collision/shape_build.h"

// Points within this part of their extent from one plane are flat.
#define FLAT 1e-8
// How often a smaller radius is tried when rounding errors garble the core.
#define ATTEMPTS 4

// The numbers 0 ... n - 1 grouped by their keys: order[first[k]] ... order[first[k + 1] - 1] have key k.
// What is grouped here is ends of edges: number i is end i % 2 of edge i / 2.
typedef struct Groups {
    int *first, *order;
} Groups;

// A hull under construction, in coordinates scaled to a size between one and two.
typedef struct Builder {
    ctVec3 *points;
    int pointCount;
    ctHullSurface surface; // of the true solid
    ctMassProperties unit;
    double size, inradius, round;
    ctMat3 shapeOf; // A, and its columns turned and scaled back: the solid's principal radii of gyration
    ctHullSurface dual;
    int *faceOf;       // facet of the surface to face of the core, -1 when the face is cut off
    int *cornerOf;     // point to corner of the true solid, -1 when it is inside
    Groups facetEnds;  // ends of the surface's edges by facet
    Groups vertexEnds; // ends of the dual's edges by vertex of the core
    Groups faceEnds;   // ends of the dual's edges by face of the core
} Builder;

static void freeGroups(Groups *g)
{
    ctFree(g->first);
    ctFree(g->order);
    *g = (Groups){NULL, NULL};
}

// By the edges' facets, or by map[] of their points.
static bool groupEnds(const ctHullSurface *s, const int *map, int keyCount, Groups *g)
{
    int n = 2 * s->edgeCount;
    freeGroups(g);
    g->first = ctAllocate((size_t)keyCount + 2, sizeof *g->first);
    g->order = ctAllocate((size_t)n, sizeof *g->order);
    if (g->first == NULL || g->order == NULL) {
        return false;
    }
    // Shifted by one while filling, so that each offset ends where its group begins.
    int *next = g->first + 1;
    for (int i = 0; i < n; i++) {
        const ctHullEdge *e = &s->edges[i / 2];
        next[(map != NULL ? map[e->point[i % 2]] : e->facet[i % 2]) + 1]++;
    }
    for (int k = 0; k < keyCount; k++) {
        next[k + 1] += next[k];
    }
    for (int i = 0; i < n; i++) {
        const ctHullEdge *e = &s->edges[i / 2];
        g->order[next[map != NULL ? map[e->point[i % 2]] : e->facet[i % 2]]++] = i;
    }
    return true;
}

static bool checkPoints(const ctVec3 *points, int count, ctError *error)
{
    if (points == NULL || count < 4) {
        return ctFail(error, ct_badArgument, "a hull needs at least four points, not %d", count);
    }
    if (count > CT_HULL_POINTS) {
        return ctFail(error, ct_limit, "a hull may be made of %d points, not %d", CT_HULL_POINTS, count);
    }
    for (int i = 0; i < count; i++) {
        if (!ctIsFinite3(points[i]) || ctMaxElement(ctAbs(points[i])) > CT_LENGTH_MAX) {
            return ctFail(error, ct_badArgument, "point %d of the hull: (%g, %g, %g) is no point within %g m", i + 1,
                          points[i].x, points[i].y, points[i].z, CT_LENGTH_MAX);
        }
    }
    return true;
}

// The point farthest from a point, a line or a plane, each given by how to measure squared distance.
static double farthest(const ctVec3 *p, int count, ctVec3 origin, ctVec3 direction, int rank, int *index)
{
    double best = -1.0;
    for (int i = 0; i < count; i++) {
        ctVec3 d = ctSub(p[i], origin);
        double along = ctDot(d, direction);
        double far = rank == 0   ? ctLengthSquared(d)
                     : rank == 1 ? ctLengthSquared(ctMulAdd(d, -along, direction))
                                 : along * along;
        if (far > best) {
            best = far;
            *index = i;
        }
    }
    return sqrt(best);
}

// Refuses points on one spot, line or plane.
static bool checkSpan(const ctVec3 *p, int count, double size, ctError *error)
{
    int a = 0, b = 0, c = 0, d = 0;
    farthest(p, count, p[0], ctZero3(), 0, &a);
    double length = farthest(p, count, p[a], ctZero3(), 0, &b);
    if (!(size >= CT_LENGTH_MIN) || !(length > 0.0)) {
        return ctFail(error, ct_badArgument, "all points of the hull are the same");
    }
    ctVec3 along = ctNormalize(ctSub(p[b], p[a]));
    double width = farthest(p, count, p[a], along, 1, &c);
    if (!(width > FLAT * length)) {
        return ctFail(error, ct_badArgument, "all points of the hull lie on one line");
    }
    ctVec3 across = ctNormalize(ctCross(along, ctSub(p[c], p[a])));
    double thickness = farthest(p, count, p[a], across, 2, &d);
    if (!(thickness > FLAT * length)) {
        return ctFail(error, ct_badArgument, "all points of the hull lie in one plane");
    }
    return true;
}

// ---- the true solid ----------------------------------------------------------------------------

static bool measureSolid(Builder *b, ctError *error)
{
    ctHullSurface *s = &b->surface;
    // Any corner of each facet, to fan its edges from.
    int *corner = ctAllocate((size_t)s->facetCount, sizeof *corner);
    if (corner == NULL) {
        return ctFailMemory(error, "a hull");
    }
    for (int i = 0; i < s->facetCount; i++) {
        s->offsets[i] = -INFINITY;
    }
    for (int i = 0; i < 2 * s->edgeCount; i++) {
        const ctHullEdge *e = &s->edges[i / 2];
        int f = e->facet[i % 2];
        corner[f] = e->point[0];
        for (int k = 0; k < 2; k++) {
            s->offsets[f] = fmax(s->offsets[f], ctDot(s->normals[f], b->points[e->point[k]]));
        }
    }
    ctMoments m = {0.0, ctZero3(), ctMat3Zero()};
    for (int i = 0; i < 2 * s->edgeCount; i++) {
        const ctHullEdge *e = &s->edges[i / 2];
        int f = e->facet[i % 2];
        ctVec3 o = b->points[corner[f]], p = b->points[e->point[0]], q = b->points[e->point[1]];
        bool forward = ctDot(ctCross(ctSub(p, o), ctSub(q, o)), s->normals[f]) > 0.0;
        ctMoments_AddTriangle(&m, o, forward ? p : q, forward ? q : p);
    }
    ctFree(corner);
    b->unit = ctMoments_Finish(&m, ctZero3());
    b->inradius = INFINITY;
    for (int i = 0; i < s->facetCount; i++) {
        b->inradius = fmin(b->inradius, s->offsets[i] - ctDot(s->normals[i], b->unit.center));
    }
    if (!(b->unit.mass > 0.0) || !(b->inradius > 0.0)) {
        return ctFail(error, ct_badArgument, "the points of the hull enclose no volume");
    }
    ctVec3 moments, spread;
    ctMat3 axes;
    ctEigenSymmetric(b->unit.inertia, &moments, &axes);
    double half = 0.5 * ctTrace(b->unit.inertia);
    spread = ctV3(half - moments.x, half - moments.y, half - moments.z);
    double least = 1e-30 * half;
    b->shapeOf = ctMat3Columns(ctScale(sqrt(fmax(spread.x, least) / b->unit.mass), axes.cx),
                               ctScale(sqrt(fmax(spread.y, least) / b->unit.mass), axes.cy),
                               ctScale(sqrt(fmax(spread.z, least) / b->unit.mass), axes.cz));
    return true;
}

// ---- the core ----------------------------------------------------------------------------------

static bool makeDual(Builder *b, ctError *error)
{
    int n = b->surface.facetCount;
    ctVec3 *dual = ctAllocate((size_t)n, sizeof *dual);
    if (dual == NULL) {
        return ctFailMemory(error, "a hull");
    }
    for (int i = 0; i < n; i++) {
        ctVec3 normal = b->surface.normals[i];
        double away = b->surface.offsets[i] - b->round - ctDot(normal, b->unit.center);
        dual[i] = ctScale(1.0 / away, ctMulTMV(b->shapeOf, normal));
    }
    ctHullSurface_Free(&b->dual);
    bool ok = ctHullSurface_Make(dual, n, &b->dual, error);
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
    h->corners = ctAllocate((size_t)corners, sizeof *h->corners);
    h->vertexCorner = ctAllocate((size_t)vertices, sizeof *h->vertexCorner);
    return h->vertices != NULL && h->firstNeighbour != NULL && h->neighbours != NULL && h->faceNormals != NULL &&
           h->faceOffsets != NULL && h->firstFaceVertex != NULL && h->faceVertices != NULL && h->corners != NULL &&
           h->vertexCorner != NULL;
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
    ctFree(h->corners);
    ctFree(h->vertexCorner);
    *h = (ctHull){0};
}

// Numbers the points that edges of the surface use, in their own order; returns how many.
static int numberUsed(const ctHullSurface *s, int *number, int count)
{
    for (int i = 0; i < count; i++) {
        number[i] = -1;
    }
    for (int i = 0; i < 2 * s->edgeCount; i++) {
        number[s->edges[i / 2].point[i % 2]] = 0;
    }
    int used = 0;
    for (int i = 0; i < count; i++) {
        number[i] = number[i] == 0 ? used++ : -1;
    }
    return used;
}

// The vertex where faces meet, from three of them that are far from sharing a line.
static ctVec3 solveVertex(const Builder *b, const ctHull *h, int vertex, ctVec3 guess)
{
    const Groups *g = &b->vertexEnds;
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
    // Solved for the correction, so that rounding is relative to that.
    ctVec3 x;
    if (!ctSolve(ctTranspose(ctMat3Columns(n[0], n[1], n[2])), ctV3(d[0], d[1], d[2]), &x) || !(ctLength(x) < 1e-6)) {
        return guess;
    }
    return ctAdd(guess, x);
}

static void fillVertices(const Builder *b, ctHull *h)
{
    const Groups *g = &b->vertexEnds;
    for (int i = 0; i < h->vertexCount; i++) {
        ctVec3 y = ctScale(1.0 / b->dual.offsets[i], b->dual.normals[i]);
        h->vertices[i] = solveVertex(b, h, i, ctAdd(b->unit.center, ctMulMV(b->shapeOf, y)));
        h->firstNeighbour[i + 1] = g->first[i + 1];
        for (int k = g->first[i]; k < g->first[i + 1]; k++) {
            int end = g->order[k];
            h->neighbours[k] = b->dual.edges[end / 2].facet[1 - end % 2];
        }
    }
}

// The true corner that a core vertex lies under: of the corners of its smallest face, the one farthest
// out along the sum of its normals.
static void fillCorners(const Builder *b, ctHull *h)
{
    const Groups *g = &b->vertexEnds, *facets = &b->facetEnds;
    for (int i = 0; i < b->pointCount; i++) {
        if (b->cornerOf[i] >= 0) {
            h->corners[b->cornerOf[i]] = b->points[i];
        }
    }
    for (int i = 0; i < h->vertexCount; i++) {
        ctVec3 out = ctZero3();
        int facet = -1;
        for (int k = 2 * g->first[i]; k < 2 * g->first[i + 1]; k++) {
            int f = b->dual.edges[g->order[k / 2] / 2].point[k % 2];
            out = ctAdd(out, b->surface.normals[f]);
            if (facet < 0 ||
                facets->first[f + 1] - facets->first[f] < facets->first[facet + 1] - facets->first[facet]) {
                facet = f;
            }
        }
        double best = -INFINITY;
        for (int k = 2 * facets->first[facet]; k < 2 * facets->first[facet + 1]; k++) {
            int point = b->surface.edges[facets->order[k / 2] / 2].point[k % 2];
            double d = ctDot(out, b->points[point]);
            if (d > best) {
                best = d;
                h->vertexCorner[i] = b->cornerOf[point];
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

// Links each face's edges into its loop of vertices. False when they make no single loop: rounding
// errors have garbled the dual hull. beside holds two entries for each vertex, all -1.
static bool chainFaces(const Builder *b, ctHull *h, int *beside)
{
    const Groups *g = &b->faceEnds;
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

// Fills the hull for the builder's radius, in scaled coordinates. *sound: it is a polyhedron.
static bool fillHull(Builder *b, ctHull *h, bool *sound, ctError *error)
{
    *sound = false;
    ctError why = {ct_ok, ""};
    if (!makeDual(b, &why)) {
        return why.status == ct_outOfMemory ? ctFailMemory(error, "a hull") : true;
    }
    int faces = numberUsed(&b->dual, b->faceOf, b->surface.facetCount);
    int corners = numberUsed(&b->surface, b->cornerOf, b->pointCount);
    int vertices = b->dual.facetCount;
    int *beside = ctAllocate(2 * (size_t)vertices, sizeof *beside);
    bool ok = beside != NULL && allocateHull(h, vertices, faces, b->dual.edgeCount, corners) &&
              groupEnds(&b->surface, NULL, b->surface.facetCount, &b->facetEnds) &&
              groupEnds(&b->dual, NULL, vertices, &b->vertexEnds) &&
              groupEnds(&b->dual, b->faceOf, faces, &b->faceEnds);
    if (ok) {
        for (int i = 0; i < b->surface.facetCount; i++) {
            if (b->faceOf[i] >= 0) {
                h->faceNormals[b->faceOf[i]] = b->surface.normals[i];
                h->faceOffsets[b->faceOf[i]] = b->surface.offsets[i] - b->round;
            }
        }
        for (int i = 0; i < 2 * vertices; i++) {
            beside[i] = -1;
        }
        fillVertices(b, h);
        fillCorners(b, h);
        *sound = vertices - b->dual.edgeCount + faces == 2 && chainFaces(b, h, beside);
    } else {
        ctFailMemory(error, "a hull");
    }
    ctFree(beside);
    return ok;
}

// ---- putting it together -----------------------------------------------------------------------

// Moves a finished hull to x = origin + scale y, the user's coordinates.
static void placeHull(const Builder *b, ctShape *shape, ctVec3 origin, double scale)
{
    ctHull *h = &shape->u.hull;
    for (int i = 0; i < h->vertexCount; i++) {
        h->vertices[i] = ctMulAdd(origin, scale, h->vertices[i]);
    }
    for (int i = 0; i < h->faceCount; i++) {
        h->faceOffsets[i] = scale * h->faceOffsets[i] + ctDot(h->faceNormals[i], origin);
    }
    ctVec3 lo = ctV3(INFINITY, INFINITY, INFINITY), hi = ctNeg(lo);
    for (int i = 0; i < h->cornerCount; i++) {
        h->corners[i] = ctMulAdd(origin, scale, h->corners[i]);
        lo = ctMin(lo, h->corners[i]);
        hi = ctMax(hi, h->corners[i]);
    }
    ctSetBox(shape, lo, hi);
    double volume = scale * scale * scale;
    shape->round = scale * b->round;
    shape->unit.mass = volume * b->unit.mass;
    shape->unit.center = ctMulAdd(origin, scale, b->unit.center);
    shape->unit.inertia = ctScaleM(volume * scale * scale, b->unit.inertia);
    shape->boundRadius = ctFarthestFrom(shape, shape->unit.center);
}

static bool buildHull(Builder *b, ctShape *shape, ctError *error)
{
    if (!ctHullSurface_Make(b->points, b->pointCount, &b->surface, error) || !measureSolid(b, error)) {
        return false;
    }
    b->faceOf = ctAllocate((size_t)b->surface.facetCount, sizeof *b->faceOf);
    b->cornerOf = ctAllocate((size_t)b->pointCount, sizeof *b->cornerOf);
    if (b->faceOf == NULL || b->cornerOf == NULL) {
        return ctFailMemory(error, "a hull");
    }
    b->round = ctRoundFor(b->size, b->inradius);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool sound;
        if (!fillHull(b, &shape->u.hull, &sound, error)) {
            return false;
        }
        if (sound) {
            return true;
        }
        ctHull_Free(&shape->u.hull);
        b->round *= 0.37;
    }
    return ctFail(error, ct_badArgument, "the points of the hull are too close to degenerate for a sound polyhedron");
}

ctShape *ctShape_Hull(const ctVec3 *points, int count, ctError *error)
{
    if (!checkPoints(points, count, error)) {
        return NULL;
    }
    ctVec3 lo = points[0], hi = points[0];
    for (int i = 1; i < count; i++) {
        lo = ctMin(lo, points[i]);
        hi = ctMax(hi, points[i]);
    }
    double size = ctMaxElement(ctSub(hi, lo));
    if (!checkSpan(points, count, size, error)) {
        return NULL;
    }
    Builder b = {.pointCount = count};
    ctShape *shape = ctNewShape(ct_shapeHull, error);
    b.points = ctAllocate((size_t)count, sizeof *b.points);
    bool ok = shape != NULL && b.points != NULL;
    if (!ok) {
        ctFailMemory(error, "a hull");
    } else {
        // A power of two, so that scaling is exact.
        double scale = exp2(floor(log2(size)));
        ctVec3 origin = ctScale(0.5, ctAdd(lo, hi));
        for (int i = 0; i < count; i++) {
            b.points[i] = ctScale(1.0 / scale, ctSub(points[i], origin));
        }
        b.size = size / scale;
        ok = buildHull(&b, shape, error);
        if (ok) {
            placeHull(&b, shape, origin, scale);
        }
    }
    if (!ok) {
        ctShape_Release(shape);
        shape = NULL;
    }
    ctFree(b.points);
    ctFree(b.faceOf);
    ctFree(b.cornerOf);
    freeGroups(&b.facetEnds);
    freeGroups(&b.vertexEnds);
    freeGroups(&b.faceEnds);
    ctHullSurface_Free(&b.surface);
    ctHullSurface_Free(&b.dual);
    return shape;
}
