// Newton's method on the separating direction, for cores with circles and ellipsoids.
//
// Let n be a unit vector, w_k(n) the support points of the pieces k = 1..m (m <= 3) of W that carry the
// answer, beta_k >= 0 their weights (sum 1), and lambda the distance. The answer satisfies
//     sum beta_k w_k(n) = lambda n,      w_k(n).n = lambda for all k.
// A piece's height h(n) = w(n).n has gradient w and Hessian C(n) (with C n = 0), which vanishes for a
// vertex; for a circle of radius r it is (r / rho) t t', with t its tangent and rho the part of n across
// the axis; for an ellipsoid, D/h - x x'/h with D = diag(radii^2) and x = D n / h. In the plane across n,
// with C = sum beta_k C_k + lambda and E = (w_k - w_1), one step solves
//     C dn - E dbeta = sum beta_k w_k,      E' dn = -(w_k - w_1).n,
// C being positive definite since the cores are apart. Where the direction leaves the pieces, the true
// support point joins them; a piece whose weight turns negative leaves.
#include "collision/gjk_internal.h"

#define MAX_NEWTON 16
// Newton's method ends when the bounds on the distance differ by this fraction of the scale.
#define REFINED_GAP 4e-15

typedef struct Pieces {
    int count;
    ctSimplexPoint p[3];
} Pieces;

// Adds weight times the Hessian of a core's support function along x, y (the core's frame) to c, which
// holds xx, xy, yy. False where it does not exist: on the axis of a circle.
static bool addCurvature(const ctShape *shape, int code, ctVec3 d, ctVec3 x, ctVec3 y, double weight, double c[3])
{
    if (shape->type == ct_shapeLathe) {
        double rho2 = d.x * d.x + d.y * d.y, r = shape->u.lathe.r[code];
        if (!(r > 0.0)) {
            return true;
        }
        if (!(rho2 > 1e-16)) {
            return false;
        }
        double rho = sqrt(rho2), tx = (x.y * d.x - x.x * d.y) / rho, ty = (y.y * d.x - y.x * d.y) / rho;
        double k = weight * r / rho;
        c[0] += k * tx * tx;
        c[1] += k * tx * ty;
        c[2] += k * ty * ty;
    } else if (shape->type == ct_shapeEllipsoid) {
        ctVec3 rx = ctMul(shape->u.radii, x), ry = ctMul(shape->u.radii, y), rd = ctMul(shape->u.radii, d);
        double h = ctLength(rd), k = weight / h, px = ctDot(rd, rx) / h, py = ctDot(rd, ry) / h;
        c[0] += k * (ctDot(rx, rx) - px * px) - weight * shape->round;
        c[1] += k * (ctDot(rx, ry) - px * py);
        c[2] += k * (ctDot(ry, ry) - py * py) - weight * shape->round;
    }
    return true;
}

// Points of one simplex that belong to the same pieces are one piece here.
static Pieces mergePieces(const ctSimplex *s)
{
    Pieces m = {0};
    for (int i = 0; i < s->count; i++) {
        int k = 0;
        while (k < m.count && (m.p[k].ca != s->p[i].ca || m.p[k].cb != s->p[i].cb)) {
            k++;
        }
        if (k == m.count) {
            m.p[m.count++] = s->p[i];
        } else {
            m.p[k].weight += s->p[i].weight;
        }
    }
    return m;
}

static void dropPiece(Pieces *m, int k)
{
    m->count--;
    for (int i = k; i < m->count; i++) {
        m->p[i] = m->p[i + 1];
    }
    double sum = 0.0;
    for (int i = 0; i < m->count; i++) {
        m->p[i].weight = m->p[i].weight > 0.0 ? m->p[i].weight : 0.0;
        sum += m->p[i].weight;
    }
    for (int i = 0; i < m->count; i++) {
        m->p[i].weight = sum > 0.0 ? m->p[i].weight / sum : 1.0 / m->count;
    }
}

// Solves the 2 + (m - 1) equations. c: xx, xy, yy of C; e: the columns of E; g, h: the right-hand sides.
static bool solveStep(int m, const double c[3], double e[2][2], const double g[2], const double h[2], double dn[2],
                      double db[2])
{
    double det = c[0] * c[2] - c[1] * c[1];
    db[0] = db[1] = 0.0;
    if (m == 3) {
        // E' dn = h alone fixes dn; then E dbeta = C dn - g.
        double d = e[0][0] * e[1][1] - e[0][1] * e[1][0];
        double s0 = e[0][0] * e[0][0] + e[0][1] * e[0][1], s1 = e[1][0] * e[1][0] + e[1][1] * e[1][1];
        if (!(d * d > 1e-16 * s0 * s1)) {
            return false;
        }
        dn[0] = (h[0] * e[1][1] - h[1] * e[0][1]) / d;
        dn[1] = (e[0][0] * h[1] - e[1][0] * h[0]) / d;
        double r0 = c[0] * dn[0] + c[1] * dn[1] - g[0], r1 = c[1] * dn[0] + c[2] * dn[1] - g[1];
        db[0] = (r0 * e[1][1] - r1 * e[1][0]) / d;
        db[1] = (e[0][0] * r1 - e[0][1] * r0) / d;
        return true;
    }
    if (!(det > 0.0)) {
        return false;
    }
    double g0 = g[0], g1 = g[1];
    if (m == 2) {
        // dn = C^-1 (g + e b) and e' dn = h give b = (h - e' C^-1 g) / (e' C^-1 e).
        double ce0 = (c[2] * e[0][0] - c[1] * e[0][1]) / det, ce1 = (c[0] * e[0][1] - c[1] * e[0][0]) / det;
        double ece = ce0 * e[0][0] + ce1 * e[0][1];
        if (!(ece > 0.0)) {
            return false;
        }
        db[0] = (h[0] - (ce0 * g0 + ce1 * g1)) / ece;
        g0 += e[0][0] * db[0];
        g1 += e[0][1] * db[0];
    }
    dn[0] = (c[2] * g0 - c[1] * g1) / det;
    dn[1] = (c[0] * g1 - c[1] * g0) / det;
    return true;
}

// Pieces whose points coincide (equal circles beside each other along a generator) are one.
static void dropTwins(Pieces *m, double tolerance)
{
    for (int i = 1; i < m->count; i++) {
        for (int k = 0; k < i; k++) {
            if (ctDistance(m->p[i].w, m->p[k].w) <= tolerance) {
                m->p[k].weight += m->p[i].weight;
                dropPiece(m, i--);
                break;
            }
        }
    }
}

// One step from n. False when the equations have no good solution. Afterwards *n and the weights are new.
static bool newtonStep(const ctPair *pair, Pieces *m, ctVec3 *n)
{
    ctVec3 x, y;
    ctFrameFromNormal(*n, &x, &y);
    ctVec3 dA = ctNeg(*n), dB = ctMulTMV(pair->r, *n), xB = ctMulTMV(pair->r, x), yB = ctMulTMV(pair->r, y);
    double c[3] = {0.0, 0.0, 0.0}, lambda = 0.0, e[2][2] = {{0.0, 0.0}, {0.0, 0.0}};
    double g[2] = {0.0, 0.0}, h[2] = {0.0, 0.0}, dn[2], db[2];
    for (int k = 0; k < m->count; k++) {
        ctSimplexPoint *p = &m->p[k];
        if (!addCurvature(pair->a, p->ca, dA, x, y, p->weight, c) ||
            !addCurvature(pair->b, p->cb, dB, xB, yB, p->weight, c)) {
            return false;
        }
        lambda += p->weight * ctDot(p->w, *n);
        g[0] += p->weight * ctDot(p->w, x);
        g[1] += p->weight * ctDot(p->w, y);
        if (k > 0) {
            ctVec3 d = ctSub(p->w, m->p[0].w);
            e[k - 1][0] = ctDot(d, x);
            e[k - 1][1] = ctDot(d, y);
            h[k - 1] = -ctDot(d, *n);
        }
    }
    c[0] += lambda;
    c[2] += lambda;
    if (!(lambda > 0.0) || !solveStep(m->count, c, e, g, h, dn, db)) {
        return false;
    }
    double length = sqrt(dn[0] * dn[0] + dn[1] * dn[1]), cap = length > 0.5 ? 0.5 / length : 1.0;
    *n = ctNormalize(ctMulAdd(ctMulAdd(*n, cap * dn[0], x), cap * dn[1], y));
    m->p[0].weight -= cap * (db[0] + db[1]);
    for (int k = 1; k < m->count; k++) {
        m->p[k].weight += cap * db[k - 1];
    }
    for (int k = 0; k < m->count; k++) {
        if (m->p[k].weight < 0.0 && m->count > 1) {
            dropPiece(m, k--);
        }
    }
    for (int k = 0; k < m->count; k++) {
        ctPairPiece(pair, *n, &m->p[k]);
    }
    return true;
}

// The pieces as a simplex, with the point that they make.
static ctSimplex simplexOf(const Pieces *m)
{
    ctSimplex s;
    s.count = m->count;
    s.v = ctZero3();
    for (int k = 0; k < m->count; k++) {
        s.p[k] = m->p[k];
        s.v = ctMulAdd(s.v, m->p[k].weight, m->p[k].w);
    }
    return s;
}

// Takes in a support point that lies below all pieces. False when there is no room.
static bool addPiece(Pieces *m, const ctSimplexPoint *p, ctVec3 n, double tolerance)
{
    double lowest = INFINITY;
    for (int k = 0; k < m->count; k++) {
        if (m->p[k].ca == p->ca && m->p[k].cb == p->cb) {
            return true;
        }
        lowest = fmin(lowest, ctDot(m->p[k].w, n));
    }
    if (ctDot(p->w, n) < lowest - tolerance) {
        if (m->count == 3) {
            return false;
        }
        m->p[m->count] = *p;
        m->p[m->count++].weight = 0.0;
    }
    return true;
}

bool ctRefine(const ctPair *pair, ctSimplex *s, ctVec3 *n)
{
    Pieces m = mergePieces(s);
    ctVec3 d = ctNormalize(s->v);
    for (int k = 0; k < m.count; k++) {
        ctPairPiece(pair, d, &m.p[k]);
    }
    double tolerance = REFINED_GAP * pair->scale, residual = INFINITY;
    for (int step = 0; step < MAX_NEWTON; step++) {
        dropTwins(&m, 1e-9 * pair->scale);
        if (!newtonStep(pair, &m, &d)) {
            break;
        }
        // The bounds: a point of W above, the support point below.
        ctSimplex now = simplexOf(&m);
        ctSimplexPoint p = m.p[0];
        ctPairSupport(pair, d, &p);
        double below = ctDot(p.w, d);
        if (ctLength(now.v) - below <= tolerance) {
            // What is left across n shows in the points long after the distance is right.
            double across = ctLength(ctMulAdd(now.v, -ctDot(now.v, d), d));
            bool better = across < 0.5 * residual;
            if (across < residual) {
                residual = across;
                *s = now;
                *n = d;
            }
            if (!better || across <= 1e-16 * pair->scale) {
                return true;
            }
        } else if (residual < INFINITY || !addPiece(&m, &p, d, tolerance)) {
            break;
        }
    }
    return residual < INFINITY;
}
