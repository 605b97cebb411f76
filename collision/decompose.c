// Cuts a closed mesh into convex parts, exactly.
//
// Space is cut by the planes of the mesh's own faces (a binary space partition). A cell is a convex polyhedron with the
// pieces of faces inside it. A cut at the plane of a face leaves nothing in front of that face and solid behind it. So
// a half without further faces is empty if it is the front one, and a convex part of the solid if it is the back one. A
// plane with all other faces behind it only removes empty space; those come first, and a convex mesh stays whole.
// Otherwise the plane is taken that cuts the fewest faces, among those of the faces and those that bisect the angle at
// a concave edge. (A half without faces at one of the latter is solid if the mesh winds around it.) At the end,
// neighbours whose union is convex are joined again.
#include "collision/memory.h"
#include "collision/polymesh.h"
#include "collision/soup.h"

#include <string.h>

// Planes tried for each cut.
#define CANDIDATES 256
// [cap] Comparisons of a face with a plane: a few seconds.
#define WORK 3e8
// Parts with a smaller share of the whole volume are dropped.
#define DUST 1e-9
// Parts up to which joining neighbours is tried; the number of pairs grows with the square.
#define JOINED 1024

typedef struct Cell {
    ctSoup walls, faces;
} Cell;

// Plane i is that of face i; after those come the planes of the concave edges.
typedef struct Plane {
    ctVec3 n;
    double d;
    int face; // -1 for a concave edge
} Plane;

typedef struct Cutter {
    const ctPolyMesh *mesh;
    int *firstConcave, *concaveOf; // the concave edges of each face
    double tolerance;              // m: a point nearer than this to a plane is in it
    double work;
    Cell *stack;
    int depth, stackCapacity;
    ctShape **parts;
    int partCount, partCapacity;
    bool full; // memory is short
} Cutter;

static Plane planeOf(const Cutter *c, int i)
{
    const ctPolyMesh *m = c->mesh;
    if (i < m->faceCount) {
        return (Plane){m->normals[i], m->offsets[i], i};
    }
    const ctConcaveEdge *e = &m->concave[i - m->faceCount];
    return (Plane){e->normal, e->offset, -1};
}

static void freeCell(Cell *c)
{
    ctSoup_Free(&c->walls);
    ctSoup_Free(&c->faces);
}

// ---- cells -------------------------------------------------------------------------------------

// A box around the mesh.
static bool firstWalls(const ctPolyMesh *m, ctSoup *walls)
{
    ctVec3 lo = m->points[0], hi = lo, grow = ctV3(0.1 * m->size, 0.1 * m->size, 0.1 * m->size);
    for (int i = 0; i < m->pointCount; i++) {
        lo = ctMin(lo, m->points[i]);
        hi = ctMax(hi, m->points[i]);
    }
    lo = ctSub(lo, grow);
    hi = ctAdd(hi, grow);
    static const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    bool ok = true;
    for (int f = 0; f < 6; f++) {
        for (int k = 0; k < 4; k++) {
            int c = quads[f][k];
            ok = ok && ctSoup_AddPoint(walls, ctV3(c & 1 ? hi.x : lo.x, c & 2 ? hi.y : lo.y, c & 4 ? hi.z : lo.z));
        }
        ok = ok && ctSoup_Close(walls, -1);
    }
    return ok;
}

// A solid cell is a part. Slivers due to rounding are too flat for a hull, and are dropped.
static void emitPart(Cutter *c, const Cell *cell)
{
    ctError why = {ct_ok, ""};
    if (cell->walls.pointCount < 4) {
        return;
    }
    ctShape *part = ctNewHull(cell->walls.points, cell->walls.pointCount, CT_MESH_FLATNESS, &why);
    if (part == NULL) {
        c->full = c->full || why.status == ct_outOfMemory;
        return;
    }
    if (part->unit.mass < DUST * c->mesh->unit.mass) {
        ctShape_Release(part);
        return;
    }
    if (!ctReserve((void **)&c->parts, &c->partCapacity, c->partCount + 1, sizeof *c->parts)) {
        ctShape_Release(part);
        c->full = true;
        return;
    }
    c->parts[c->partCount++] = part;
}

// ---- cutting -----------------------------------------------------------------------------------

typedef struct Count {
    int front, back, cut;
} Count;

static Count countSides(Cutter *c, const ctSoup *faces, Plane p)
{
    Count n = {0, 0, 0};
    for (int i = 0; i < faces->polygonCount; i++) {
        int sides = faces->polygons[i].plane == p.face ? 0 : ctSoup_Sides(faces, i, p.n, p.d, c->tolerance);
        n.front += sides == 1;
        n.back += sides == 2;
        n.cut += sides == 3;
    }
    c->work += faces->polygonCount;
    return n;
}

// Sorts faces to the sides of a plane; those in the plane are dropped.
static bool splitFaces(const Cutter *c, const ctSoup *faces, Plane p, ctSoup *front, ctSoup *back)
{
    bool ok = true;
    for (int i = 0; ok && i < faces->polygonCount; i++) {
        int sides = faces->polygons[i].plane == p.face ? 0 : ctSoup_Sides(faces, i, p.n, p.d, c->tolerance);
        ok = (sides != 1 || ctSoup_Copy(front, faces, i)) && (sides != 2 || ctSoup_Copy(back, faces, i)) &&
             (sides != 3 || ctSoup_CutPolygon(faces, i, p.n, p.d, c->tolerance, front, back, NULL));
    }
    return ok;
}

static bool splitCell(Cutter *c, const Cell *cell, Plane p, Cell *front, Cell *back)
{
    c->work += cell->walls.pointCount;
    return splitFaces(c, &cell->faces, p, &front->faces, &back->faces) &&
           ctSoup_CutWalls(&cell->walls, p.n, p.d, 1e-6 * c->tolerance, &front->walls, &back->walls);
}

// Removes the empty space in front of a plane.
static void peelCell(Cutter *c, Cell *cell, Plane p)
{
    Cell front = {0}, back = {0};
    c->full = !splitCell(c, cell, p, &front, &back) || c->full;
    freeCell(&front);
    freeCell(cell);
    *cell = back;
}

typedef struct Choice {
    int plane, score;
} Choice;

// The order of planes: few cuts, then halves of similar size, then planes of faces, which leave no wall off the mesh.
static void consider(Choice *best, int plane, Count n, bool ofFace)
{
    int few = n.front < n.back ? n.front : n.back;
    int score = -4 * n.cut + few + (ofFace ? 4 : 0);
    if (best->plane < 0 || score > best->score) {
        *best = (Choice){plane, score};
    }
}

// Removes the empty space in front of planes, and finds the best plane to cut at. Returns -1 when something was
// removed: there may be more now.
static int choosePlane(Cutter *c, Cell *cell)
{
    Choice best = {-1, 0};
    int step = cell->faces.polygonCount / CANDIDATES + 1;
    bool peeled = false;
    for (int i = 0; i < cell->faces.polygonCount && !c->full; i += step) {
        int face = cell->faces.polygons[i].plane;
        Count n = countSides(c, &cell->faces, planeOf(c, face));
        if (n.front == 0 && n.cut == 0) {
            peelCell(c, cell, planeOf(c, face));
            peeled = true;
            i -= step;
        } else if (!peeled) {
            consider(&best, face, n, true);
            for (int k = c->firstConcave[face]; k < c->firstConcave[face + 1]; k++) {
                int plane = c->mesh->faceCount + c->concaveOf[k];
                n = countSides(c, &cell->faces, planeOf(c, plane));
                if (n.front > 0 && n.back > 0) { // otherwise a half would be no smaller
                    consider(&best, plane, n, false);
                }
            }
        }
    }
    return peeled ? -1 : best.plane;
}

// How often the mesh winds around a point, by the solid angles of its triangles (Van Oosterom & Strackee).
static double windingAt(const ctPolyMesh *m, ctVec3 x)
{
    double sum = 0.0;
    for (int f = 0; f < m->faceCount; f++) {
        const int *p = &m->corners[m->first[f]];
        ctVec3 a = ctSub(m->points[p[0]], x);
        for (int k = 1; k + 1 < m->first[f + 1] - m->first[f]; k++) {
            ctVec3 b = ctSub(m->points[p[k]], x), d = ctSub(m->points[p[k + 1]], x);
            double la = ctLength(a), lb = ctLength(b), ld = ctLength(d);
            sum +=
                ctAtan2(ctDot(a, ctCross(b, d)), la * lb * ld + ctDot(a, b) * ld + ctDot(b, d) * la + ctDot(d, a) * lb);
        }
    }
    return sum / (2.0 * CT_PI);
}

static bool isSolid(Cutter *c, const Cell *cell)
{
    ctVec3 middle = ctZero3();
    for (int i = 0; i < cell->walls.pointCount; i++) {
        middle = ctMulAdd(middle, 1.0 / cell->walls.pointCount, cell->walls.points[i]);
    }
    c->work += 10.0 * c->mesh->cornerCount;
    return windingAt(c->mesh, middle) > 0.5;
}

static bool pushCell(Cutter *c, Cell cell)
{
    if (!ctReserve((void **)&c->stack, &c->stackCapacity, c->depth + 1, sizeof *c->stack)) {
        freeCell(&cell);
        return false;
    }
    c->stack[c->depth++] = cell;
    return true;
}

// One half of a cell that was cut: cut further, a part, or empty. Takes ownership of the half.
static void handleHalf(Cutter *c, Cell half, Plane p, bool front)
{
    if (half.faces.polygonCount > 0) {
        c->full = !pushCell(c, half) || c->full;
        return;
    }
    if (p.face >= 0 ? !front : isSolid(c, &half)) {
        emitPart(c, &half);
    }
    freeCell(&half);
}

// Takes ownership of a cell; its parts go to the list, and its halves to the stack.
static void cutCell(Cutter *c, Cell cell)
{
    int plane = -1;
    while (plane < 0 && cell.faces.polygonCount > 0 && !c->full && c->work < WORK) {
        plane = choosePlane(c, &cell);
    }
    if (!c->full && cell.faces.polygonCount == 0) {
        emitPart(c, &cell);
    } else if (!c->full && plane >= 0) {
        Cell front = {0}, back = {0};
        Plane p = planeOf(c, plane);
        c->full = !splitCell(c, &cell, p, &front, &back);
        handleHalf(c, back, p, false);
        handleHalf(c, front, p, true);
    }
    freeCell(&cell);
}

// Lists the concave edges of each face.
static bool listConcave(Cutter *c)
{
    const ctPolyMesh *m = c->mesh;
    c->firstConcave = ctAllocate((size_t)m->faceCount + 2, sizeof *c->firstConcave);
    c->concaveOf = ctAllocate(2 * (size_t)m->concaveCount + 1, sizeof *c->concaveOf);
    if (c->firstConcave == NULL || c->concaveOf == NULL) {
        return false;
    }
    int *next = c->firstConcave + 1; // shifted by one while filling
    for (int i = 0; i < 2 * m->concaveCount; i++) {
        next[m->concave[i / 2].face[i % 2] + 1]++;
    }
    for (int f = 0; f < m->faceCount; f++) {
        next[f + 1] += next[f];
    }
    for (int i = 0; i < 2 * m->concaveCount; i++) {
        c->concaveOf[next[m->concave[i / 2].face[i % 2]]++] = i / 2;
    }
    return true;
}

static bool startCell(Cutter *c)
{
    const ctPolyMesh *m = c->mesh;
    Cell cell = {0};
    bool ok = firstWalls(m, &cell.walls);
    for (int f = 0; ok && f < m->faceCount; f++) {
        for (int k = m->first[f]; ok && k < m->first[f + 1]; k++) {
            ok = ctSoup_AddPoint(&cell.faces, m->points[m->corners[k]]);
        }
        ok = ok && ctSoup_Close(&cell.faces, f);
    }
    if (!ok) {
        freeCell(&cell);
        return false;
    }
    return pushCell(c, cell);
}

static bool cutAll(Cutter *c, ctError *error)
{
    c->full = !listConcave(c) || !startCell(c);
    while (c->depth > 0 && !c->full) {
        cutCell(c, c->stack[--c->depth]);
        if (c->partCount > CT_COMPOUND_LEAVES || c->work >= WORK) {
            return ctFail(error, ct_limit, "%s: the mesh is too intricate: it falls into more than %d convex parts",
                          c->mesh->name, c->work >= WORK ? c->partCount : CT_COMPOUND_LEAVES);
        }
    }
    return c->full ? ctFailMemory(error, "a mesh") : true;
}

// ---- joining -----------------------------------------------------------------------------------

static bool boxesTouch(const ctShape *a, const ctShape *b, double margin)
{
    return a->lo.x <= b->hi.x + margin && b->lo.x <= a->hi.x + margin && a->lo.y <= b->hi.y + margin &&
           b->lo.y <= a->hi.y + margin && a->lo.z <= b->hi.z + margin && b->lo.z <= a->hi.z + margin;
}

// The hull of two parts, when they fill it; NULL when not, or when memory is short.
static ctShape *joinParts(Cutter *c, const ctShape *a, const ctShape *b)
{
    const ctHull *p = &a->u.hull, *q = &b->u.hull;
    ctVec3 *points = ctAllocate((size_t)(p->cornerCount + q->cornerCount), sizeof *points);
    if (points == NULL) {
        c->full = true;
        return NULL;
    }
    memcpy(points, p->corners, (size_t)p->cornerCount * sizeof *points);
    memcpy(points + p->cornerCount, q->corners, (size_t)q->cornerCount * sizeof *points);
    ctError why = {ct_ok, ""};
    ctShape *both = ctNewHull(points, p->cornerCount + q->cornerCount, CT_MESH_FLATNESS, &why);
    ctFree(points);
    c->full = c->full || why.status == ct_outOfMemory;
    if (both != NULL && both->unit.mass > (1.0 + 1e-6) * (a->unit.mass + b->unit.mass)) {
        ctShape_Release(both);
        both = NULL;
    }
    return both;
}

static void joinAll(Cutter *c)
{
    for (int i = 0; i < c->partCount && c->partCount <= JOINED; i++) {
        for (int k = i + 1; k < c->partCount && !c->full; k++) {
            ctShape *both =
                boxesTouch(c->parts[i], c->parts[k], c->tolerance) ? joinParts(c, c->parts[i], c->parts[k]) : NULL;
            if (both != NULL) {
                ctShape_Release(c->parts[i]);
                ctShape_Release(c->parts[k]);
                c->parts[i] = both;
                c->parts[k] = c->parts[--c->partCount];
                k = i; // the new part has new neighbours
            }
        }
    }
}

static ctShape *makeCompound(Cutter *c, ctError *error)
{
    double volume = 0.0;
    for (int i = 0; i < c->partCount; i++) {
        volume += c->parts[i]->unit.mass;
    }
    const ctPolyMesh *m = c->mesh;
    if (fabs(volume - m->unit.mass) > 4.0 * c->tolerance * m->area + 1e-6 * m->unit.mass) {
        ctFail(error, ct_badArgument, "%s: the mesh crosses itself: its parts have %g times its volume", m->name,
               volume / m->unit.mass);
        return NULL;
    }
    ctLeaf *leaves = ctAllocate((size_t)c->partCount, sizeof *leaves);
    if (leaves == NULL) {
        ctFailMemory(error, "a mesh");
        return NULL;
    }
    for (int i = 0; i < c->partCount; i++) {
        leaves[i] = (ctLeaf){c->parts[i], ctTransformIdentity()};
    }
    ctShape *shape = ctNewCompound(leaves, c->partCount, error);
    ctFree(leaves);
    if (shape != NULL) {
        ctCompound_SetMass(shape, &m->unit);
    }
    return shape;
}

ctShape *ctPolyMesh_Decompose(const ctPolyMesh *mesh, ctError *error)
{
    Cutter c = {.mesh = mesh, .tolerance = CT_MESH_FLATNESS * mesh->size};
    ctShape *shape = NULL;
    if (cutAll(&c, error)) {
        joinAll(&c);
        if (c.full) {
            ctFailMemory(error, "a mesh");
        } else {
            shape = makeCompound(&c, error);
        }
    }
    while (c.depth > 0) {
        freeCell(&c.stack[--c.depth]);
    }
    for (int i = 0; i < c.partCount; i++) {
        ctShape_Release(c.parts[i]);
    }
    ctFree(c.firstConcave);
    ctFree(c.concaveOf);
    ctFree(c.stack);
    ctFree(c.parts);
    return shape;
}
