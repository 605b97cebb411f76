// The point of a segment, triangle or tetrahedron nearest to the origin.
//
// Each case uses signed lengths, areas or volumes of differences of vertices. Where the sign excludes a face, the edges
// on that side are tried, and the nearest is kept: a wrong sign by rounding costs only a comparison.
#include "collision/gjk_internal.h"

// A triangle with an angle below this (rad) is degenerate: only its edges count.
#define SLIVER 1e-10

// A tetrahedron whose height over a face makes a smaller angle (rad) is degenerate: only its faces count.
#define FLAT 1e-9

typedef struct Nearest {
    ctVec3 v;
    double squared; // |v|^2
    int count;
    int index[3];
    double weight[3];
} Nearest;

static Nearest nearestOnSegment(const ctSimplexPoint *p, int i, int j)
{
    ctVec3 a = p[i].w, b = p[j].w, e = ctSub(b, a);
    double ee = ctDot(e, e), t = -ctDot(a, e);
    Nearest r = {a, 0.0, 1, {i, j, 0}, {1.0, 0.0, 0.0}};
    if (t > 0.0) {
        if (t >= ee) {
            r.v = b;
            r.index[0] = j;
        } else {
            t /= ee;
            // From the nearer end, so that the error is that of the shorter arm.
            r.v = t < 0.5 ? ctMulAdd(a, t, e) : ctMulAdd(b, t - 1.0, e);
            // Rounding errors of long arms are large relative to a short v, and a long edge magnifies a direction that
            // is not perpendicular to it.
            r.v = ctMulAdd(r.v, -ctDot(r.v, e) / ee, e);
            r.count = 2;
            r.weight[0] = 1.0 - t;
            r.weight[1] = t;
        }
    }
    r.squared = ctDot(r.v, r.v);
    return r;
}

static Nearest nearestOnTriangle(const ctSimplexPoint *p, int i, int j, int k)
{
    ctVec3 a = p[i].w, b = p[j].w, c = p[k].w;
    ctVec3 ab = ctSub(b, a), ac = ctSub(c, a), bc = ctSub(c, b);
    double ab2 = ctDot(ab, ab), ac2 = ctDot(ac, ac), bc2 = ctDot(bc, bc);
    // The plane by the two shorter edges: corners of a core may be as near to each other as its rounding.
    bool atA = bc2 >= ab2 && bc2 >= ac2, atB = ac2 >= ab2;
    ctVec3 n = atA ? ctCross(ab, ac) : atB ? ctCross(ab, bc) : ctCross(ac, bc);
    double nn = ctDot(n, n), edges = atA ? ab2 * ac2 : atB ? ab2 * bc2 : ac2 * bc2, la = -1.0, lb = -1.0, lc = -1.0;
    // A sliver's plane is noise; its edges are not.
    if (nn > SLIVER * SLIVER * edges) {
        // The foot of the origin on the plane; areas of the three triangles it makes with the edges.
        ctVec3 foot = ctScale(ctDot(n, a) / nn, n);
        ctVec3 qa = ctSub(a, foot), qb = ctSub(b, foot), qc = ctSub(c, foot);
        la = ctDot(n, ctCross(qb, qc));
        lb = ctDot(n, ctCross(qc, qa));
        lc = ctDot(n, ctCross(qa, qb));
        if (la > 0.0 && lb > 0.0 && lc > 0.0) {
            double s = 1.0 / (la + lb + lc);
            Nearest r = {foot, ctDot(foot, foot), 3, {i, j, k}, {la * s, lb * s, lc * s}};
            return r;
        }
    }
    Nearest best = {ctZero3(), INFINITY, 0, {0, 0, 0}, {0.0, 0.0, 0.0}};
    const int edge[3][2] = {{j, k}, {k, i}, {i, j}};
    const double area[3] = {la, lb, lc};
    for (int e = 0; e < 3; e++) {
        if (area[e] <= 0.0) {
            Nearest r = nearestOnSegment(p, edge[e][0], edge[e][1]);
            if (r.squared < best.squared) {
                best = r;
            }
        }
    }
    return best;
}

static bool usesLast(const Nearest *r)
{
    return (r->count > 0 && r->index[0] == 3) || (r->count > 1 && r->index[1] == 3) ||
           (r->count > 2 && r->index[2] == 3);
}

// Whether a corner over a face with the normal n makes a small angle with it, seen from the nearest corner of the face.
static bool isFlat(const ctSimplexPoint *p, const int face[4], ctVec3 n, double height)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        ctVec3 to = ctSub(p[face[3]].w, p[face[i]].w);
        least = ctFmin(least, ctDot(to, to));
    }
    return height <= ctDot(n, n) * least;
}

// Among equals a face with the newest corner, the last, goes first: the others have been the answer
// before, and would be again.
static bool nearestOnTetrahedron(const ctSimplexPoint *p, Nearest *best)
{
    static const int face[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}, {0, 1, 2, 3}};
    double least = INFINITY;
    for (int f = 0; f < 4; f++) {
        ctVec3 a = p[face[f][0]].w;
        ctVec3 n = ctCross(ctSub(p[face[f][1]].w, a), ctSub(p[face[f][2]].w, a));
        ctVec3 to = ctSub(p[face[f][3]].w, a);
        double origin = -ctDot(n, a), opposite = ctDot(n, to), height = opposite * opposite / (FLAT * FLAT);
        // In a flat tetrahedron the side of the fourth corner is noise: every face is tried.
        if (origin * opposite <= 0.0 || (height <= ctDot(n, n) * ctDot(to, to) && isFlat(p, face[f], n, height))) {
            Nearest r = nearestOnTriangle(p, face[f][0], face[f][1], face[f][2]);
            double squared = usesLast(&r) ? r.squared * (1.0 - 1e-14) : r.squared;
            if (squared < least) {
                least = squared;
                *best = r;
            }
        }
    }
    return least < INFINITY;
}

bool ctSimplex_Reduce(ctSimplex *s)
{
    Nearest r = {ctZero3(), 0.0, 0, {0, 0, 0}, {0.0, 0.0, 0.0}};
    switch (s->count) {
    case 1:
        s->p[0].weight = 1.0;
        s->v = s->p[0].w;
        return true;
    case 2:
        r = nearestOnSegment(s->p, 0, 1);
        break;
    case 3:
        r = nearestOnTriangle(s->p, 0, 1, 2);
        break;
    default:
        if (!nearestOnTetrahedron(s->p, &r)) {
            return false;
        }
        break;
    }
    s->v = r.v;
    if (r.count == s->count) { // all have weights, in order
        for (int i = 0; i < r.count; i++) {
            s->p[r.index[i]].weight = r.weight[i];
        }
        return true;
    }
    ctSimplexPoint kept[3];
    for (int i = 0; i < r.count; i++) {
        kept[i] = s->p[r.index[i]];
        kept[i].weight = r.weight[i];
    }
    for (int i = 0; i < r.count; i++) {
        s->p[i] = kept[i];
    }
    s->count = r.count;
    return true;
}
