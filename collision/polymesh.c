// Meshes: turns polygons as they were read into a closed, oriented surface of convex faces.
#include "collision/polymesh.h"

#include "collision/memory.h"

#include <stdlib.h>
#include <string.h>

// [limit] Corners of a concave face: the time to cut it grows with the cube.
#define CONCAVE_CORNERS 256
// A face with less area than this share of its longest side squared has none.
#define NO_AREA 1e-12

void ctPolyMesh_Free(ctPolyMesh *mesh)
{
    ctFree(mesh->points);
    ctFree(mesh->first);
    ctFree(mesh->lines);
    ctFree(mesh->corners);
    ctFree(mesh->normals);
    ctFree(mesh->offsets);
    ctFree(mesh->middles);
    ctFree(mesh->concave);
    *mesh = (ctPolyMesh){.name = mesh->name};
}

bool ctPolyMesh_AddPoint(ctPolyMesh *m, ctVec3 point, ctError *error)
{
    if (!ctReserve((void **)&m->points, &m->pointCapacity, m->pointCount + 1, sizeof *m->points)) {
        return ctFailMemory(error, "a mesh");
    }
    m->points[m->pointCount++] = point;
    return true;
}

bool ctPolyMesh_AddFace(ctPolyMesh *m, const int *corners, int count, int line, ctError *error)
{
    if (!ctReserve((void **)&m->first, &m->firstCapacity, m->faceCount + 2, sizeof *m->first) ||
        !ctReserve((void **)&m->lines, &m->lineCapacity, m->faceCount + 1, sizeof *m->lines) ||
        !ctReserve((void **)&m->corners, &m->cornerCapacity, m->cornerCount + count, sizeof *m->corners)) {
        return ctFailMemory(error, "a mesh");
    }
    m->first[m->faceCount] = m->cornerCount;
    memcpy(m->corners + m->cornerCount, corners, (size_t)count * sizeof *corners);
    m->cornerCount += count;
    m->lines[m->faceCount++] = line;
    m->first[m->faceCount] = m->cornerCount;
    return true;
}

// ---- joining points ----------------------------------------------------------------------------

typedef struct Placed {
    ctVec3 p;
    int index;
} Placed;

static int compareDoubles(double a, double b)
{
    return (a > b) - (a < b);
}

static int comparePlaced(const void *a, const void *b)
{
    const Placed *x = a, *y = b;
    int c = compareDoubles(x->p.x, y->p.x);
    c = c != 0 ? c : compareDoubles(x->p.y, y->p.y);
    c = c != 0 ? c : compareDoubles(x->p.z, y->p.z);
    return c != 0 ? c : compareDoubles(x->index, y->index);
}

// Joins points at the same place; removes points that no face uses.
static bool joinPoints(ctPolyMesh *m, ctError *error)
{
    Placed *order = ctAllocate((size_t)m->pointCount, sizeof *order);
    int *number = ctAllocate((size_t)m->pointCount, sizeof *number);
    if (order == NULL || number == NULL) {
        ctFree(order);
        ctFree(number);
        return ctFailMemory(error, "a mesh");
    }
    for (int i = 0; i < m->pointCount; i++) {
        order[i] = (Placed){m->points[i], i};
        number[i] = -1;
    }
    for (int k = 0; k < m->cornerCount; k++) {
        number[m->corners[k]] = 0;
    }
    qsort(order, (size_t)m->pointCount, sizeof *order, comparePlaced);
    int used = 0;
    for (int i = 0; i < m->pointCount; i++) {
        if (number[order[i].index] < 0) {
            continue;
        }
        bool same = used > 0 && memcmp(&m->points[used - 1], &order[i].p, sizeof order[i].p) == 0;
        if (!same) {
            m->points[used++] = order[i].p;
        }
        number[order[i].index] = used - 1;
    }
    for (int k = 0; k < m->cornerCount; k++) {
        m->corners[k] = number[m->corners[k]];
    }
    m->pointCount = used;
    ctFree(order);
    ctFree(number);
    ctVec3 lo = m->points[0], hi = m->points[0];
    for (int i = 0; i < m->pointCount; i++) {
        lo = ctMin(lo, m->points[i]);
        hi = ctMax(hi, m->points[i]);
    }
    m->size = ctMaxElement(ctSub(hi, lo));
    return true;
}

// ---- faces -------------------------------------------------------------------------------------

// Twice the vector area.
static ctVec3 vectorArea(const ctPolyMesh *m, const int *c, int n)
{
    ctVec3 area = ctZero3(), o = m->points[c[0]];
    for (int i = 1; i + 1 < n; i++) {
        area = ctAdd(area, ctCross(ctSub(m->points[c[i]], o), ctSub(m->points[c[i + 1]], o)));
    }
    return area;
}

// Convex in its plane, and flat.
static bool isPlain(const ctPolyMesh *m, const int *c, int n, ctVec3 normal)
{
    double offset = ctDot(normal, m->points[c[0]]), tolerance = 0.25 * CT_MESH_FLATNESS * m->size;
    for (int i = 0; i < n; i++) {
        ctVec3 a = m->points[c[i]], b = m->points[c[(i + 1) % n]], d = m->points[c[(i + 2) % n]];
        double turn = ctDot(normal, ctCross(ctSub(b, a), ctSub(d, b)));
        if (fabs(ctDot(normal, a) - offset) > tolerance || turn < -NO_AREA * ctDistance(a, b) * ctDistance(b, d)) {
            return false;
        }
    }
    return true;
}

// True when p is inside or on the triangle a b c, seen against the normal, and is none of its corners.
static bool blocks(ctVec3 p, ctVec3 a, ctVec3 b, ctVec3 c, ctVec3 normal)
{
    if (ctDistance(p, a) == 0.0 || ctDistance(p, b) == 0.0 || ctDistance(p, c) == 0.0) {
        return false;
    }
    return ctDot(normal, ctCross(ctSub(b, a), ctSub(p, a))) >= 0.0 &&
           ctDot(normal, ctCross(ctSub(c, b), ctSub(p, b))) >= 0.0 &&
           ctDot(normal, ctCross(ctSub(a, c), ctSub(p, c))) >= 0.0;
}

// The ear with the least sharp corner: two sides of the polygon and a diagonal inside it. -1 if none.
static int findEar(const ctPolyMesh *m, const int *c, int n, ctVec3 normal)
{
    int best = -1;
    double bestSine = 0.0;
    for (int i = 0; i < n; i++) {
        ctVec3 a = m->points[c[(i + n - 1) % n]], b = m->points[c[i]], d = m->points[c[(i + 1) % n]];
        double area = ctDot(normal, ctCross(ctSub(b, a), ctSub(d, b)));
        double sine = area / (ctDistance(a, b) * ctDistance(b, d));
        if (!(sine > bestSine)) {
            continue;
        }
        bool clear = true;
        for (int k = 0; k < n && clear; k++) {
            clear = !blocks(m->points[c[k]], a, b, d, normal);
        }
        if (clear) {
            best = i;
            bestSine = sine;
        }
    }
    return best;
}

// Cuts a face into triangles by its ears; c is destroyed.
static bool cutFace(const ctPolyMesh *m, ctPolyMesh *out, int *c, int n, int line, ctVec3 normal, ctError *error)
{
    if (n > CONCAVE_CORNERS) {
        return ctFail(error, ct_limit, "%s:%d: a concave face may have %d corners, not %d", m->name, line,
                      CONCAVE_CORNERS, n);
    }
    while (n > 3) {
        int i = findEar(m, c, n, normal);
        if (i < 0) {
            return ctFail(error, ct_badArgument, "%s:%d: the face crosses itself", m->name, line);
        }
        int ear[3] = {c[(i + n - 1) % n], c[i], c[(i + 1) % n]};
        if (!ctPolyMesh_AddFace(out, ear, 3, line, error)) {
            return false;
        }
        memmove(&c[i], &c[i + 1], (size_t)(n - 1 - i) * sizeof *c);
        n--;
    }
    return ctPolyMesh_AddFace(out, c, 3, line, error);
}

// One face as it was read: without repeated corners, in convex parts. mark holds the last face that
// used each point, plus one.
static bool addConvex(const ctPolyMesh *m, int face, int *c, int *mark, ctPolyMesh *out, ctError *error)
{
    int n = 0, line = m->lines[face];
    double longest = 0.0;
    for (int k = m->first[face]; k < m->first[face + 1]; k++) {
        if (n == 0 || m->corners[k] != c[n - 1]) {
            c[n++] = m->corners[k];
        }
    }
    n -= n > 1 && c[n - 1] == c[0];
    if (n < 3) {
        return ctFail(error, ct_badArgument, "%s:%d: the face has fewer than three different corners", m->name, line);
    }
    for (int k = 0; k < n; k++) {
        if (mark[c[k]] == face + 1) {
            return ctFail(error, ct_badArgument, "%s:%d: the face comes to the same corner twice", m->name, line);
        }
        mark[c[k]] = face + 1;
        longest = ctFmax(longest, ctDistance(m->points[c[k]], m->points[c[(k + 1) % n]]));
    }
    ctVec3 area = vectorArea(m, c, n);
    if (!(ctLength(area) > NO_AREA * longest * longest)) {
        return ctFail(error, ct_badArgument, "%s:%d: the face has no area", m->name, line);
    }
    ctVec3 normal = ctNormalize(area);
    if (n == 3 || isPlain(m, c, n, normal)) {
        return ctPolyMesh_AddFace(out, c, n, line, error);
    }
    return cutFace(m, out, c, n, line, normal, error);
}

static bool makeConvex(ctPolyMesh *m, ctError *error)
{
    int most = 0;
    for (int f = 0; f < m->faceCount; f++) {
        int n = m->first[f + 1] - m->first[f];
        most = n > most ? n : most;
    }
    ctPolyMesh out = {.name = m->name};
    int *c = ctAllocate((size_t)most, sizeof *c), *mark = ctAllocate((size_t)m->pointCount, sizeof *mark);
    bool ok = c != NULL && mark != NULL ? true : ctFailMemory(error, "a mesh");
    for (int f = 0; f < m->faceCount && ok; f++) {
        ok = addConvex(m, f, c, mark, &out, error);
    }
    ctFree(c);
    ctFree(mark);
    if (ok) { // the faces change owner
        ctPolyMesh old = *m;
        m->first = out.first;
        m->lines = out.lines;
        m->corners = out.corners;
        m->faceCount = out.faceCount;
        m->cornerCount = out.cornerCount;
        out.first = old.first;
        out.lines = old.lines;
        out.corners = old.corners;
    }
    ctPolyMesh_Free(&out);
    return ok;
}

// ---- the surface -------------------------------------------------------------------------------

typedef struct Side {
    int lo, hi; // its points
    int face;
    bool up; // from lo to hi
} Side;

static int compareSides(const void *a, const void *b)
{
    const Side *x = a, *y = b;
    if (x->lo != y->lo) {
        return x->lo < y->lo ? -1 : 1;
    }
    if (x->hi != y->hi) {
        return x->hi < y->hi ? -1 : 1;
    }
    return x->face < y->face ? -1 : x->face > y->face;
}

static void flip(ctPolyMesh *m)
{
    for (int f = 0; f < m->faceCount; f++) {
        for (int i = m->first[f], j = m->first[f + 1] - 1; i < j; i++, j--) {
            int t = m->corners[i];
            m->corners[i] = m->corners[j];
            m->corners[j] = t;
        }
    }
}

static bool measure(ctPolyMesh *m, ctError *error)
{
    ctVec3 origin = m->points[0];
    for (int turn = 0; turn < 2; turn++) {
        ctMoments moments = {0.0, ctZero3(), ctMat3Zero()};
        m->area = 0.0;
        for (int f = 0; f < m->faceCount; f++) {
            const int *c = &m->corners[m->first[f]];
            int n = m->first[f + 1] - m->first[f];
            m->area += 0.5 * ctLength(vectorArea(m, c, n));
            for (int i = 1; i + 1 < n; i++) {
                ctMoments_AddTriangle(&moments, ctSub(m->points[c[0]], origin), ctSub(m->points[c[i]], origin),
                                      ctSub(m->points[c[i + 1]], origin));
            }
        }
        m->unit = ctMoments_Finish(&moments, origin);
        if (!(fabs(m->unit.mass) > 1e-9 * m->size * m->area)) {
            return ctFail(error, ct_badArgument, "%s: the mesh encloses no volume", m->name);
        }
        if (m->unit.mass > 0.0) {
            break;
        }
        flip(m);
    }
    return true;
}

static bool makePlanes(ctPolyMesh *m, ctError *error)
{
    m->normals = ctAllocate((size_t)m->faceCount, sizeof *m->normals);
    m->offsets = ctAllocate((size_t)m->faceCount, sizeof *m->offsets);
    m->middles = ctAllocate((size_t)m->faceCount, sizeof *m->middles);
    if (m->normals == NULL || m->offsets == NULL || m->middles == NULL) {
        return ctFailMemory(error, "a mesh");
    }
    for (int f = 0; f < m->faceCount; f++) {
        const int *c = &m->corners[m->first[f]];
        int n = m->first[f + 1] - m->first[f];
        m->normals[f] = ctNormalize(vectorArea(m, c, n));
        for (int i = 0; i < n; i++) {
            m->middles[f] = ctMulAdd(m->middles[f], 1.0 / n, m->points[c[i]]);
        }
        m->offsets[f] = ctDot(m->normals[f], m->middles[f]);
    }
    return true;
}

// How far the middle of face g is above the plane of face f.
static double rise(const ctPolyMesh *m, int f, int g)
{
    return ctDot(m->normals[f], m->middles[g]) - m->offsets[f];
}

// Each side must be shared with exactly one other face, which has it in the opposite direction.
static bool pairSides(ctPolyMesh *m, const Side *s, ctError *error)
{
    for (int i = 0; i < m->cornerCount;) {
        int n = 1, up = s[i].up;
        while (i + n < m->cornerCount && s[i + n].lo == s[i].lo && s[i + n].hi == s[i].hi) {
            up += s[i + n].up;
            n++;
        }
        ctVec3 a = m->points[s[i].lo], b = m->points[s[i].hi];
        if (n != 2 || up != 1) {
            return ctFail(error, ct_badArgument, "%s:%d: the edge from (%g, %g, %g) to (%g, %g, %g) %s", m->name,
                          m->lines[s[i].face], a.x, a.y, a.z, b.x, b.y, b.z,
                          n == 1   ? "has a face on one side only: the mesh is not closed"
                          : n == 2 ? "has faces that are turned different ways"
                                   : "has more than two faces");
        }
        i += n;
    }
    return true;
}

// Finds the concave edges from the pairs of sides.
static bool findConcave(ctPolyMesh *m, const Side *s, ctError *error)
{
    double tolerance = 0.5 * CT_MESH_FLATNESS * m->size, worst = tolerance;
    for (int i = 0; i + 1 < m->cornerCount; i += 2) {
        int f = s[i].face, g = s[i + 1].face;
        double up = ctFmin(rise(m, f, g), rise(m, g, f));
        if (!(up > tolerance)) {
            continue;
        }
        if (!ctReserve((void **)&m->concave, &m->concaveCapacity, m->concaveCount + 1, sizeof *m->concave)) {
            return ctFailMemory(error, "a mesh");
        }
        ctVec3 n = ctNormalize(ctSub(m->normals[f], m->normals[g]));
        m->concave[m->concaveCount++] =
            (ctConcaveEdge){{f, g}, n, 0.5 * (ctDot(n, m->points[s[i].lo]) + ctDot(n, m->points[s[i].hi]))};
        if (up > worst) {
            worst = up;
            m->concaveLine = m->lines[f];
        }
    }
    return true;
}

static bool checkClosed(ctPolyMesh *m, ctError *error)
{
    Side *s = ctAllocate((size_t)m->cornerCount, sizeof *s);
    if (s == NULL) {
        return ctFailMemory(error, "a mesh");
    }
    for (int f = 0; f < m->faceCount; f++) {
        for (int k = m->first[f]; k < m->first[f + 1]; k++) {
            int a = m->corners[k], b = m->corners[k + 1 < m->first[f + 1] ? k + 1 : m->first[f]];
            s[k] = (Side){a < b ? a : b, a < b ? b : a, f, a < b};
        }
    }
    qsort(s, (size_t)m->cornerCount, sizeof *s, compareSides);
    bool ok = pairSides(m, s, error) && measure(m, error) && makePlanes(m, error) && findConcave(m, s, error);
    ctFree(s);
    return ok;
}

bool ctPolyMesh_Check(ctPolyMesh *mesh, ctError *error)
{
    if (!joinPoints(mesh, error)) {
        return false;
    }
    if (mesh->size < CT_LENGTH_MIN) {
        return ctFail(error, ct_badArgument, "%s: the mesh is only %g m large", mesh->name, mesh->size);
    }
    return makeConvex(mesh, error) && checkClosed(mesh, error);
}
