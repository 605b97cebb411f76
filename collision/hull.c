// Convex polyhedra from points: the hull of the points, its mass, and its core.
#include "collision/hull_build.h"
#include "collision/memory.h"

// Points within this share of their extent from one plane are flat.
#define FLAT 1e-6
// Facets this close to one plane, as a share of the size, are one face.
#define COPLANAR 1e-9
// Points may be this far outside the facets that Qhull finds, in coordinates of size one to two ...
#define ENCLOSED 1e-13
// ... which is checked up to this many pairs of point and facet.
#define CHECKED_PAIRS 1e8
// Points up to which Qhull merges facets itself.
#define MERGED_POINTS 4000
// Attempts with a smaller radius when rounding errors spoil the core.
#define ATTEMPTS 4

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
    double best = 0.0;
    *index = 0;
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

static bool measureSolid(ctHullSolid *b, ctError *error)
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
            s->offsets[f] = ctFmax(s->offsets[f], ctDot(s->normals[f], b->points[e->point[k]]));
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
        b->inradius = ctFmin(b->inradius, s->offsets[i] - ctDot(s->normals[i], b->unit.center));
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
    b->gyration = ctMat3Columns(ctScale(sqrt(ctFmax(spread.x, least) / b->unit.mass), axes.cx),
                                ctScale(sqrt(ctFmax(spread.y, least) / b->unit.mass), axes.cy),
                                ctScale(sqrt(ctFmax(spread.z, least) / b->unit.mass), axes.cz));
    return true;
}

// Moves a finished hull to x = origin + scale y, the user's coordinates.
static void placeHull(const ctHullSolid *b, ctShape *shape, ctVec3 origin, double scale)
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
    shape->round *= scale;
    shape->unit.mass = volume * b->unit.mass;
    shape->unit.center = ctMulAdd(origin, scale, b->unit.center);
    shape->unit.inertia = ctScaleM(volume * scale * scale, b->unit.inertia);
    shape->boundRadius = ctFarthestFrom(shape, shape->unit.center);
}

// Adds the hull without its rounding, where each vertex of the core lies under its own corner. False when memory is
// short.
static bool addSharp(ctShape *shape)
{
    const ctHull *h = &shape->u.hull;
    ctVec3 *vertices = ctAllocate((size_t)h->vertexCount, sizeof *vertices);
    double *offsets = ctAllocate((size_t)h->faceCount, sizeof *offsets);
    bool *used = ctAllocate((size_t)h->cornerCount, sizeof *used);
    bool memory = vertices != NULL && offsets != NULL && used != NULL, own = memory && h->vertexCount == h->cornerCount;
    for (int i = 0; i < h->vertexCount && own; i++) {
        own = !used[h->vertexCorner[i]];
        used[h->vertexCorner[i]] = true;
        vertices[i] = h->corners[h->vertexCorner[i]];
    }
    ctFree(used);
    if (!own) {
        ctFree(vertices);
        ctFree(offsets);
        return memory;
    }
    for (int i = 0; i < h->faceCount; i++) {
        offsets[i] = h->faceOffsets[i] + shape->round;
    }
    ctHull *sharp = &ctShape_AddSharp(shape)->u.hull;
    sharp->vertices = vertices;
    sharp->faceOffsets = offsets;
    return true;
}

// True when all points are inside, to a tolerance; facets then move out to touch them. Large sets are not checked,
// because every point is compared with every facet.
static bool encloses(ctHullSolid *b, double tolerance)
{
    ctHullSurface *s = &b->surface;
    if ((double)s->facetCount * b->pointCount > CHECKED_PAIRS) {
        return true;
    }
    for (int f = 0; f < s->facetCount; f++) {
        double most = s->offsets[f];
        for (int i = 0; i < b->pointCount; i++) {
            double d = ctDot(s->normals[f], b->points[i]);
            most = d > most ? d : most;
        }
        if (most > s->offsets[f] + tolerance) {
            return false;
        }
        s->offsets[f] = most;
    }
    return true;
}

// Computes the planes of triangles from their original points.
static bool restoreNormals(ctHullSolid *b, ctError *error)
{
    ctHullSurface *s = &b->surface;
    ctEdgeGroups ends = {NULL, NULL};
    if (!ctEdgeGroups_Make(s, NULL, s->facetCount, &ends)) {
        ctEdgeGroups_Free(&ends);
        return ctFailMemory(error, "a hull");
    }
    for (int f = 0; f < s->facetCount; f++) {
        const int *p = s->edges[ends.order[ends.first[f]] / 2].point,
                  *q = s->edges[ends.order[ends.first[f] + 1] / 2].point;
        ctVec3 a = b->points[p[0]],
               n = ctCross(ctSub(b->points[p[1]], a), ctSub(b->points[q[0] == p[0] || q[0] == p[1] ? q[1] : q[0]], a));
        n = ctNormalize(ctDot(n, s->normals[f]) < 0.0 ? ctNeg(n) : n);
        // A sliver keeps the plane that Qhull gave it.
        s->normals[f] = ctDistance(n, s->normals[f]) < 1e-6 ? n : s->normals[f];
    }
    ctEdgeGroups_Free(&ends);
    return true;
}

// Finds and measures the true solid. Qhull's merging is slow for facets of thousands of points, and fails for some sets
// of nearly coincident points. Then the points are moved a little, so that it merges nothing.
static bool findSolid(ctHullSolid *b, ctError *error)
{
    for (int joggle = b->pointCount > MERGED_POINTS; joggle < 2; joggle++) {
        ctError why = {ct_ok, ""};
        if (ctHullSurface_Make(b->points, b->pointCount, joggle == 1, &b->surface, &why) &&
            (joggle == 0 || restoreNormals(b, &why)) && measureSolid(b, &why) &&
            encloses(b, joggle == 1 ? COPLANAR : ENCLOSED)) {
            return true;
        }
        if (why.status == ct_outOfMemory) {
            return ctFailMemory(error, "a hull");
        }
        ctHullSurface_Free(&b->surface);
    }
    return ctFail(error, ct_badArgument, "the points of the hull are too close to degenerate to find its facets");
}

// Qhull's time for the core grows with the square of these two.
static bool checkDegrees(const ctHullSolid *b, ctError *error)
{
    const ctHullSurface *s = &b->surface;
    int *faces = ctAllocate((size_t)b->pointCount, sizeof *faces);
    int *corners = ctAllocate((size_t)s->facetCount, sizeof *corners);
    int mostFaces = 0, mostCorners = 0;
    bool ok = faces != NULL && corners != NULL ? true : ctFailMemory(error, "a hull");
    for (int i = 0; ok && i < 2 * s->edgeCount; i++) {
        int n = ++faces[s->edges[i / 2].point[i % 2]], m = ++corners[s->edges[i / 2].facet[i % 2]];
        mostFaces = n > mostFaces ? n : mostFaces;
        mostCorners = m > mostCorners ? m : mostCorners;
    }
    ctFree(faces);
    ctFree(corners);
    if (mostFaces > CT_CORNER_FACES) {
        return ctFail(error, ct_limit, "%d faces of the hull meet in one corner; %d may", mostFaces, CT_CORNER_FACES);
    }
    if (mostCorners > CT_FACE_CORNERS) {
        return ctFail(error, ct_limit, "a face of the hull has %d corners; it may have %d", mostCorners,
                      CT_FACE_CORNERS);
    }
    return ok;
}

static bool buildHull(ctHullSolid *b, double flatness, ctShape *shape, ctError *error)
{
    if (!findSolid(b, error)) {
        return false;
    }
    b->cornerOf = ctAllocate((size_t)b->pointCount, sizeof *b->cornerOf);
    if (b->cornerOf == NULL) {
        return ctFailMemory(error, "a hull");
    }
    b->cornerCount = ctHullSurface_Number(&b->surface, b->cornerOf, b->pointCount);
    if (!ctHullSurface_Merge(&b->surface, b->points, flatness * b->size, error) || !checkDegrees(b, error)) {
        return false;
    }
    shape->round = ctRoundOfPolyhedron(b->size, b->inradius);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        bool sound;
        if (!ctHull_FillCore(b, shape->round, &shape->u.hull, &sound, error)) {
            return false;
        }
        if (sound) {
            return true;
        }
        ctHull_Free(&shape->u.hull);
        shape->round *= 0.37;
    }
    return ctFail(error, ct_badArgument, "the points of the hull are too close to degenerate for a sound polyhedron");
}

ctShape *ctNewHull(const ctVec3 *points, int count, double flatness, ctError *error)
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
    ctHullSolid b = {.pointCount = count};
    ctShape *shape = ctNewShape(ct_shapeHull, error);
    b.points = ctAllocate((size_t)count, sizeof *b.points);
    bool ok = shape != NULL && b.points != NULL;
    if (!ok) {
        ctFailMemory(error, "a hull");
    } else {
        // A power of two, so that scaling is exact.
        double scale = ldexp(1.0, ilogb(size));
        ctVec3 origin = ctScale(0.5, ctAdd(lo, hi));
        for (int i = 0; i < count; i++) {
            b.points[i] = ctScale(1.0 / scale, ctSub(points[i], origin));
        }
        b.size = size / scale;
        ok = buildHull(&b, flatness, shape, error);
        if (ok) {
            placeHull(&b, shape, origin, scale);
            ok = addSharp(shape) || ctFailMemory(error, "a hull");
        }
    }
    if (!ok) {
        ctShape_Release(shape);
        shape = NULL;
    }
    ctFree(b.points);
    ctFree(b.cornerOf);
    ctHullSurface_Free(&b.surface);
    return shape;
}

ctShape *ctShape_Hull(const ctVec3 *points, int count, ctError *error)
{
    return ctNewHull(points, count, COPLANAR, error);
}
