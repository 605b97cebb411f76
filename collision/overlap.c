// Depth and direction of cores that intersect.
//
// W = {a - b} then holds the origin, and the shortest way out is to its nearest boundary point. A
// polytope of support points is grown from inside: its nearest face gives a lower bound on the depth, the
// support point along that face's normal an upper bound, and the point joins the polytope until the two
// meet (the expanding polytope algorithm, van den Bergen 2001). Everything is bounded: the best direction
// found so far is an answer at any time, since moving by its support height parts the cores.
#include "collision/gjk_internal.h"

#define MAX_VERTICES 128
#define MAX_FACES 256
// The bounds on the depth have met, as a fraction of the scale.
#define DEPTH_TOLERANCE 1e-13

typedef struct Face {
    int v[3];
    ctVec3 n;        // outward, unit
    double distance; // of its plane from the origin, >= 0 up to rounding
    bool dead;
} Face;

typedef struct Polytope {
    int vertexCount, faceCount;
    ctSimplexPoint v[MAX_VERTICES];
    Face f[MAX_FACES];
} Polytope;

// The best direction so far: n from B to A, height of W's support along -n.
typedef struct Best {
    ctVec3 n;
    double depth;
    ctSimplexPoint p;
} Best;

// Takes in a direction d (unit, outward from W): the depth along it, and the support point.
static void tryDirection(const ctPair *pair, ctVec3 d, Best *best, ctSimplexPoint *p)
{
    p->ca = best->p.ca;
    p->cb = best->p.cb;
    ctPairSupport(pair, ctNeg(d), p);
    double depth = ctDot(p->w, d);
    if (depth < best->depth) {
        best->depth = depth;
        best->n = ctNeg(d);
        best->p = *p;
    }
}

// The flat faces' normals and a few directions besides: a fair answer with no search at all, and the
// exact one where the way out is through a face that is tried here.
static void trySamples(const ctPair *pair, Best *best)
{
    const ctVec3 axes[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, pair->r.cx, pair->r.cy, pair->r.cz};
    ctSimplexPoint p;
    for (int i = 0; i < 6; i++) {
        tryDirection(pair, axes[i], best, &p);
        tryDirection(pair, ctNeg(axes[i]), best, &p);
    }
    if (ctLengthSquared(pair->t) > 0.0) {
        tryDirection(pair, ctNeg(ctNormalize(pair->t)), best, &p);
    }
}

static void tryEdges(const ctPair *pair, Best *best)
{
    const ctVec3 *ra = (const ctVec3[]){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ctVec3 *rb = (const ctVec3[]){pair->r.cx, pair->r.cy, pair->r.cz};
    ctSimplexPoint p;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ctVec3 x = ctCross(ra[i], rb[j]);
            if (ctLengthSquared(x) > 1e-12) {
                x = ctNormalize(x);
                tryDirection(pair, x, best, &p);
                tryDirection(pair, ctNeg(x), best, &p);
            }
        }
    }
}

static bool addFace(Polytope *t, int i, int j, int k)
{
    if (t->faceCount == MAX_FACES) {
        return false;
    }
    ctVec3 a = t->v[i].w, n = ctCross(ctSub(t->v[j].w, a), ctSub(t->v[k].w, a));
    double length = ctLength(n);
    if (!(length > 0.0)) {
        return false;
    }
    Face *f = &t->f[t->faceCount++];
    f->v[0] = i;
    f->v[1] = j;
    f->v[2] = k;
    f->n = ctScale(1.0 / length, n);
    f->distance = ctDot(f->n, a);
    f->dead = false;
    return true;
}

// A tetrahedron of support points that holds the origin, from GJK's simplex and more directions.
static bool firstTetrahedron(const ctPair *pair, const ctSimplex *s, Polytope *t, Best *best)
{
    const double flat = 1e-12 * pair->scale;
    t->vertexCount = 0;
    t->faceCount = 0;
    for (int i = 0; i < s->count; i++) {
        t->v[t->vertexCount++] = s->p[i];
    }
    if (t->vertexCount < 4) {
        // Rebuilt from scratch: two points apart, the farthest from their line, the farthest from the plane.
        ctVec3 d = ctV3(1.0, 0.0, 0.0);
        tryDirection(pair, d, best, &t->v[0]);
        tryDirection(pair, ctNeg(d), best, &t->v[1]);
        ctVec3 e = ctSub(t->v[1].w, t->v[0].w), x, y;
        if (ctLength(e) < flat) {
            return false;
        }
        ctFrameFromNormal(ctNormalize(e), &x, &y);
        const ctVec3 side[4] = {x, y, ctNeg(x), ctNeg(y)};
        ctVec3 n = ctZero3();
        for (int i = 0; i < 4 && ctLength(n) < flat * ctLength(e); i++) {
            tryDirection(pair, side[i], best, &t->v[2]);
            n = ctCross(e, ctSub(t->v[2].w, t->v[0].w));
        }
        n = ctNormalize(n);
        // On the origin's side first.
        double towards = ctDot(n, t->v[0].w) > 0.0 ? -1.0 : 1.0;
        tryDirection(pair, ctScale(towards, n), best, &t->v[3]);
        if (fabs(ctDot(n, ctSub(t->v[3].w, t->v[0].w))) < flat) {
            tryDirection(pair, ctScale(-towards, n), best, &t->v[3]);
        }
        t->vertexCount = 4;
    }
    ctVec3 a = t->v[0].w;
    ctVec3 n = ctCross(ctSub(t->v[1].w, a), ctSub(t->v[2].w, a));
    double volume = ctDot(n, ctSub(t->v[3].w, a));
    if (!(fabs(volume) > 0.0)) {
        return false;
    }
    if (volume > 0.0) {
        ctSimplexPoint p = t->v[0];
        t->v[0] = t->v[1];
        t->v[1] = p;
    }
    return addFace(t, 0, 1, 2) && addFace(t, 0, 3, 1) && addFace(t, 1, 3, 2) && addFace(t, 2, 3, 0);
}

static int nearestFace(const Polytope *t)
{
    int best = -1;
    for (int i = 0; i < t->faceCount; i++) {
        if (!t->f[i].dead && (best < 0 || t->f[i].distance < t->f[best].distance)) {
            best = i;
        }
    }
    return best;
}

// Removes the faces that see the new vertex and closes the hole with faces to it.
static bool expand(Polytope *t, int vertex, double flat)
{
    int edges[MAX_FACES][2], count = 0;
    for (int i = 0; i < t->faceCount; i++) {
        Face *f = &t->f[i];
        if (f->dead || ctDot(f->n, t->v[vertex].w) - f->distance <= flat) {
            continue;
        }
        f->dead = true;
        for (int e = 0; e < 3; e++) {
            int from = f->v[e], to = f->v[(e + 1) % 3], k = 0;
            while (k < count && (edges[k][0] != to || edges[k][1] != from)) {
                k++;
            }
            if (k < count) { // shared by two removed faces
                count--;
                edges[k][0] = edges[count][0];
                edges[k][1] = edges[count][1];
            } else if (count < MAX_FACES) {
                edges[count][0] = from;
                edges[count++][1] = to;
            } else {
                return false;
            }
        }
    }
    // The places of dead faces are used again.
    int kept = 0;
    for (int i = 0; i < t->faceCount; i++) {
        if (!t->f[i].dead) {
            t->f[kept++] = t->f[i];
        }
    }
    t->faceCount = kept;
    for (int k = 0; k < count; k++) {
        if (!addFace(t, edges[k][0], edges[k][1], vertex)) {
            return false;
        }
    }
    return count >= 3;
}

// The witness on a face: weights of the foot of the origin.
static void faceWitness(const Polytope *t, const Face *f, ctVec3 *a, ctVec3 *b)
{
    const ctSimplexPoint *p[3] = {&t->v[f->v[0]], &t->v[f->v[1]], &t->v[f->v[2]]};
    ctVec3 foot = ctScale(f->distance, f->n);
    ctVec3 q[3] = {ctSub(p[0]->w, foot), ctSub(p[1]->w, foot), ctSub(p[2]->w, foot)};
    double weight[3], sum = 0.0;
    for (int i = 0; i < 3; i++) {
        weight[i] = ctDot(f->n, ctCross(q[(i + 1) % 3], q[(i + 2) % 3]));
        weight[i] = weight[i] > 0.0 ? weight[i] : 0.0;
        sum += weight[i];
    }
    *a = *b = ctZero3();
    for (int i = 0; i < 3; i++) {
        double w = sum > 0.0 ? weight[i] / sum : 1.0 / 3.0;
        *a = ctMulAdd(*a, w, p[i]->a);
        *b = ctMulAdd(*b, w, p[i]->b);
    }
}

void ctOverlap(const ctPair *pair, const ctSimplex *s, ctCoreAnswer *answer)
{
    Best best = {ctV3(0.0, 0.0, 1.0), INFINITY, {ctZero3(), ctZero3(), ctZero3(), 0, 0, 1.0}};
    trySamples(pair, &best);
    if (pair->a->type == ct_shapeBox && pair->b->type == ct_shapeBox) {
        tryEdges(pair, &best);
    }
    answer->featureA = answer->featureB = ct_featureFace;
    double tolerance = DEPTH_TOLERANCE * pair->scale;
    Polytope t;
    bool witnessed = false;
    ctVec3 a = ctZero3(), b = ctZero3();
    if (firstTetrahedron(pair, s, &t, &best)) {
        while (t.vertexCount < MAX_VERTICES) {
            int i = nearestFace(&t);
            if (i < 0) {
                break;
            }
            Face f = t.f[i];
            tryDirection(pair, f.n, &best, &t.v[t.vertexCount]);
            double above = ctDot(t.v[t.vertexCount].w, f.n);
            if (above - f.distance <= tolerance || best.depth - f.distance <= tolerance) {
                witnessed = ctDot(f.n, best.n) < -1.0 + 1e-9;
                faceWitness(&t, &f, &a, &b);
                break;
            }
            t.vertexCount++;
            if (!expand(&t, t.vertexCount - 1, 1e-15 * pair->scale)) {
                break;
            }
        }
    }
    answer->n = best.n;
    answer->distance = -best.depth;
    // Points on the two cores along the normal: the face's, or the support points' middle.
    ctVec3 mid = witnessed ? ctScale(0.5, ctAdd(a, b)) : ctScale(0.5, ctAdd(best.p.a, best.p.b));
    answer->a = ctMulAdd(mid, 0.5 * answer->distance, best.n);
    answer->b = ctMulAdd(mid, -0.5 * answer->distance, best.n);
}
