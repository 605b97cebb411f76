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
// [storage] Slopes of a lathe that are tried as directions.
#define MAX_SLOPES 8
// The bounds of the depth agree, as a fraction of the scale.
#define DEPTH_TOLERANCE 1e-13
// The depth that is found exceeds the least one by at most this share of it.
#define NEARLY 0.01
#define NEARLY_SHALLOW 0.02

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

// Tries a direction d (unit, outward from W): the depth along it, and the support point.
static void tryDirection(const ctShapePair *pair, ctVec3 d, Best *best, ctSimplexPoint *p)
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

// Tries the slopes of a lathe towards the other body; sign turns its outward normals into directions of W.
static void trySlopes(const ctShapePair *pair, const ctShape *shape, const ctMat3 *r, double sign, Best *best)
{
    const ctLathe *l = &shape->u.lathe;
    ctVec3 t = ctMulTMV(*r, ctScale(-sign, pair->t)); // to the other body, in the lathe's frame
    double across = sqrt(t.x * t.x + t.y * t.y);
    double ux = across > 0.0 ? -t.x / across : 1.0, uy = across > 0.0 ? -t.y / across : 0.0;
    ctSimplexPoint p;
    int stride = l->count > MAX_SLOPES ? l->count / MAX_SLOPES : 1;
    for (int i = 0; i + 1 < l->count; i += stride) {
        double dr = l->r[i + 1] - l->r[i], dz = l->z[i + 1] - l->z[i], length = sqrt(dr * dr + dz * dz);
        ctVec3 n = ctMulMV(*r, ctV3(dz / length * ux, dz / length * uy, -dr / length));
        tryDirection(pair, ctScale(sign, n), best, &p);
    }
}

// Tries the normals of flat faces and a few other directions: a fair answer without a search, and the exact one where
// the way out is through a face that is tried here.
static void trySamples(const ctShapePair *pair, Best *best)
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
    const ctMat3 one = ctMat3Identity();
    if (pair->a->type == ct_shapeLathe) {
        trySlopes(pair, pair->a, &one, 1.0, best);
    }
    if (pair->b->type == ct_shapeLathe) {
        trySlopes(pair, pair->b, &pair->r, -1.0, best);
    }
}

static void tryEdges(const ctShapePair *pair, Best *best)
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
static bool firstTetrahedron(const ctShapePair *pair, const ctSimplex *s, Polytope *t, Best *best)
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

// The face as a simplex: weights of the foot of the origin. False when the foot is outside the face.
static bool faceSimplex(const Polytope *t, const Face *f, ctSimplex *s)
{
    ctVec3 foot = ctScale(f->distance, f->n), q[3];
    double sum = 0.0;
    bool inside = true;
    s->count = 3;
    s->v = foot;
    for (int i = 0; i < 3; i++) {
        s->p[i] = t->v[f->v[i]];
        q[i] = ctSub(s->p[i].w, foot);
    }
    for (int i = 0; i < 3; i++) {
        double area = ctDot(f->n, ctCross(q[(i + 1) % 3], q[(i + 2) % 3]));
        s->p[i].weight = area > 0.0 ? area : 0.0;
        sum += s->p[i].weight;
        inside = inside && area >= 0.0;
    }
    for (int i = 0; i < 3; i++) {
        s->p[i].weight = sum > 0.0 ? s->p[i].weight / sum : 1.0 / 3.0;
    }
    return inside && sum > 0.0;
}

// An answer of Newton's method: the pieces that carry it.
typedef struct Polished {
    bool valid;
    ctVec3 n;
    double depth;
    ctSimplex s;
} Polished;

static void polish(const ctShapePair *pair, const ctSimplex *from, ctVec3 n, Polished *out)
{
    ctSimplex s = *from;
    if (ctRefine(pair, &s, &n)) {
        double depth = -ctDot(n, s.v);
        if (!out->valid || depth < out->depth) {
            out->valid = true;
            out->n = n;
            out->depth = depth;
            out->s = s;
        }
    }
}

// Grows a polytope until its nearest face is on the boundary of W, or a result of Newton's method is proved to be
// nearly the least. False when only best is known at the end: a flat side of W is many faces at one distance, and the
// nearest point is on another of them.
static bool expandPolytope(const ctShapePair *pair, const ctSimplex *s, Best *best, Polished *answer)
{
    double tolerance = DEPTH_TOLERANCE * pair->scale, shallow = ctShallowDepth(pair);
    Polytope t;
    answer->valid = false;
    if (!firstTetrahedron(pair, s, &t, best)) {
        return false;
    }
    int nextPolish = 10; // vertices at which Newton's method is tried
    for (;;) {
        int i = nearestFace(&t);
        if (i < 0 || t.vertexCount == MAX_VERTICES) {
            break;
        }
        Face f = t.f[i];
        ctSimplex face;
        tryDirection(pair, f.n, best, &t.v[t.vertexCount]);
        if (ctDot(t.v[t.vertexCount].w, f.n) - f.distance <= tolerance) {
            answer->valid = true;
            answer->n = ctNeg(f.n);
            answer->depth = f.distance;
            return faceSimplex(&t, &f, &answer->s);
        }
        if (answer->valid && answer->depth <= best->depth + tolerance &&
            answer->depth - f.distance <= (answer->depth <= shallow ? NEARLY_SHALLOW : NEARLY) * answer->depth) {
            return true;
        }
        t.vertexCount++;
        if (!expand(&t, t.vertexCount - 1, 1e-15 * pair->scale)) {
            break;
        }
        i = nearestFace(&t);
        if (t.vertexCount >= nextPolish && i >= 0) {
            f = t.f[i];
            faceSimplex(&t, &f, &face);
            polish(pair, &face, ctNeg(f.n), answer);
            nextPolish += 12;
        }
    }
    return answer->valid && answer->depth <= best->depth + tolerance;
}

// Starts from the last answer: bodies that overlap a little keep their normal from step to step. The result is a flat
// face that still carries the contact, or the last pieces, whichever is the shorter way; out->valid says which.
static bool fromCache(const ctShapePair *pair, const ctGjkCache *cache, Polished *out, ctCoreAnswer *flat)
{
    out->valid = false;
    if (!cache || !(ctLengthSquared(cache->axis) > 0.0)) {
        return false;
    }
    double shallow = ctShallowDepth(pair);
    ctSimplex start;
    start.count = cache->count;
    for (int i = 0; i < start.count; i++) {
        start.p[i].ca = cache->a[i];
        start.p[i].cb = cache->b[i];
        start.p[i].weight = 1.0 / start.count;
        ctPairPiece(pair, cache->axis, &start.p[i]);
    }
    if (start.count > 0) {
        start.v = start.p[0].w;
        polish(pair, &start, cache->axis, out);
        out->valid = out->valid && out->depth <= shallow;
    }
    if (ctEitherFacePoint(pair, -shallow, flat) && ctDot(flat->n, cache->axis) > 0.9 &&
        !(out->valid && out->depth < -flat->distance)) {
        out->valid = false;
        return true;
    }
    return out->valid;
}

bool ctOverlap(const ctShapePair *pair, const ctGjkCache *cache, ctSimplex *s, ctCoreAnswer *answer)
{
    Best best = {ctV3(0.0, 0.0, 1.0), INFINITY, {ctZero3(), ctZero3(), ctZero3(), 0, 0, 1.0}};
    Polished polished;
    answer->featureA = answer->featureB = ct_featureFace;
    if (fromCache(pair, cache, &polished, answer)) {
        if (!polished.valid) {
            s->count = 0;
            return true;
        }
    } else {
        trySamples(pair, &best);
        if (pair->a->type == ct_shapeBox && pair->b->type == ct_shapeBox) {
            tryEdges(pair, &best);
        }
        if (!expandPolytope(pair, s, &best, &polished)) {
            s->count = 0;
            ctAnswerAlong(best.n, best.depth, ctScale(0.5, ctAdd(best.p.a, best.p.b)), answer);
            return false;
        }
    }
    *s = polished.s;
    ctVec3 mid = ctZero3();
    for (int i = 0; i < s->count; i++) {
        mid = ctMulAdd(mid, 0.5 * s->p[i].weight, ctAdd(s->p[i].a, s->p[i].b));
    }
    ctAnswerAlong(polished.n, polished.depth, mid, answer);
    return true;
}
