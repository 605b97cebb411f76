// The vector between two cores that nearly touch, with twice the digits of a double.
//
// The vector is
//     v = sum beta_k w_k,      w_k = R_A a_k - R_B b_k + p_A - p_B,
// with points a_k of A and b_k of B in body frames, weights beta_k (k <= 3), rotations R and places p, all taken as
// exact. It is a small difference of large numbers. Its direction is the normal of a corner beside a corner or an edge.
// In double precision the direction would be wrong by the rounding errors of w_k divided by |v|. So every product and
// sum also stores its rounding error (Dekker 1971, Knuth 1969). Rounding errors of the weights change v in two ways.
// A change along v itself does no harm. A change along the edges of the simplex is removed for the longest edge: v is
// made perpendicular to it.
#include "collision/gjk_internal.h"

typedef struct Sum {
    double high, low;
} Sum;

// x = high + low, each with half of the digits of x (Dekker's split by 2^27 + 1).
static inline Sum halves(double x)
{
    double c = 134217729.0 * x, high = c - (c - x);
    return (Sum){high, x - high};
}

static inline void add(Sum *s, double x)
{
    double t = s->high + x, part = t - s->high;
    s->low += (s->high - (t - part)) + (x - part);
    s->high = t;
}

static inline void addProduct(Sum *s, double x, double y)
{
    double p = x * y;
    Sum a = halves(x), b = halves(y);
    add(s, p);
    s->low += ((a.high * b.high - p) + a.high * b.low + a.low * b.high) + a.low * b.low;
}

// Adds a row of a rotation times a point, with a sign.
static inline void addRow(Sum *s, ctVec3 row, ctVec3 p, double sign)
{
    addProduct(s, sign * row.x, p.x);
    addProduct(s, sign * row.y, p.y);
    addProduct(s, sign * row.z, p.z);
}

// The excess of the distance of p from the z axis over the radius r: p is a point of that circle but for rounding.
static double tooFar(double r, ctVec3 p)
{
    Sum s = {0.0, 0.0};
    addProduct(&s, p.x, p.x);
    addProduct(&s, p.y, p.y);
    addProduct(&s, -r, r);
    return 0.5 * (s.high + s.low) / r;
}

// The point of a piece in its body frame, and the rest: the rounding error of that point.
static ctVec3 pieceOf(const ctShape *shape, int code, ctVec3 d, ctVec3 *rest)
{
    ctVec3 p = ctCorePiece(shape, code, d);
    *rest = ctZero3();
    if (shape->type == ct_shapeLathe && shape->u.lathe.r[code] > 0.0) {
        double r = shape->u.lathe.r[code];
        *rest = ctScale(-tooFar(r, p) / r, ctV3(p.x, p.y, 0.0));
    }
    return p;
}

typedef struct Sum3 {
    Sum c[3];
} Sum3;

static Sum3 pointOf(const ctShapePair *pair, const ctSimplexPoint *p, ctVec3 dA, ctVec3 dB)
{
    ctVec3 restA, restB, a = pieceOf(pair->a, p->ca, dA, &restA), b = pieceOf(pair->b, p->cb, dB, &restB);
    ctVec3 rest = ctSub(ctMulMV(pair->poseA->r, restA), ctMulMV(pair->poseB->r, restB));
    ctVec3 pa = pair->poseA->p, pb = pair->poseB->p;
    ctMat3 ra = ctTranspose(pair->poseA->r), rb = ctTranspose(pair->poseB->r);
    const ctVec3 rowsA[3] = {ra.cx, ra.cy, ra.cz}, rowsB[3] = {rb.cx, rb.cy, rb.cz};
    const double offsets[3] = {-pb.x, -pb.y, -pb.z};
    Sum3 w = {{{pa.x, rest.x}, {pa.y, rest.y}, {pa.z, rest.z}}};
    for (int i = 0; i < 3; i++) {
        add(&w.c[i], offsets[i]);
        addRow(&w.c[i], rowsA[i], a, 1.0);
        addRow(&w.c[i], rowsB[i], b, -1.0);
    }
    return w;
}

// The vector from p to q.
static ctVec3 between(const Sum3 *p, const Sum3 *q)
{
    double e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = (q->c[i].high - p->c[i].high) + (q->c[i].low - p->c[i].low);
    }
    return ctV3(e[0], e[1], e[2]);
}

ctVec3 ctExactVector(const ctShapePair *pair, const ctSimplex *s, ctVec3 n)
{
    ctVec3 dA = ctNeg(n), dB = ctMulTMV(pair->r, n), edge = ctZero3();
    Sum sum[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    Sum3 w[3];
    for (int k = 0; k < s->count; k++) {
        w[k] = pointOf(pair, &s->p[k], dA, dB);
        for (int i = 0; i < 3; i++) {
            addProduct(&sum[i], s->p[k].weight, w[k].c[i].high);
            sum[i].low += s->p[k].weight * w[k].c[i].low;
        }
        for (int j = 0; j < k; j++) {
            ctVec3 e = between(&w[j], &w[k]);
            edge = ctLengthSquared(e) > ctLengthSquared(edge) ? e : edge;
        }
    }
    ctVec3 v = ctV3(sum[0].high + sum[0].low, sum[1].high + sum[1].low, sum[2].high + sum[2].low);
    if (ctLengthSquared(edge) > 0.0) {
        v = ctMulAdd(v, -ctDot(v, edge) / ctDot(edge, edge), edge);
    }
    return ctMulTMV(pair->poseA->r, v);
}
