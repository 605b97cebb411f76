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
// C being positive definite while the cores are apart. Where the direction leaves the pieces, the true
// support point joins them; a piece whose weight turns negative leaves. For cores that overlap the same
// equations with lambda < 0 hold at the direction of least depth.
#include "collision/gjk_internal.h"

#define MAX_NEWTON 20
// Newton's method ends when the bounds of the distance differ by this fraction of the scale.
#define REFINED_GAP 4e-15
// The two points may differ by this fraction of the scale across n; smaller differences are sought, down to the second.
#define RESIDUAL 1e-11
#define LEAST_RESIDUAL 1e-16
// Rounding errors of a bound, as a fraction of the scale, with a margin.
#define NOISE 1e-14

// Steps with more digits, until the normal (rad) stays the same.
#define MAX_NEARLY 4
#define SAME_NORMAL 1e-11

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
// False where the answer would be no maximum of the bound.
static bool solveStep(int m, const double c[3], double e[2][2], const double g[2], const double h[2], double dn[2],
                      double db[2])
{
    db[0] = db[1] = 0.0;
    if (m == 3) {
        // E' dn = h alone fixes dn; then E dbeta = C dn - g.
        double d = e[0][0] * e[1][1] - e[0][1] * e[1][0];
        dn[0] = (h[0] * e[1][1] - h[1] * e[0][1]) / d;
        dn[1] = (e[0][0] * h[1] - e[1][0] * h[0]) / d;
        double r0 = c[0] * dn[0] + c[1] * dn[1] - g[0], r1 = c[1] * dn[0] + c[2] * dn[1] - g[1];
        db[0] = (r0 * e[1][1] - r1 * e[1][0]) / d;
        db[1] = (e[0][0] * r1 - e[0][1] * r0) / d;
        return true;
    }
    if (m == 2) {
        // dn = alpha u + tau t, with u along e and t across it: e' dn = h fixes alpha, t' C dn = t' g tau.
        double length = sqrt(e[0][0] * e[0][0] + e[0][1] * e[0][1]), u0 = e[0][0] / length, u1 = e[0][1] / length;
        double ct0 = -c[0] * u1 + c[1] * u0, ct1 = -c[1] * u1 + c[2] * u0; // C t
        double tct = -u1 * ct0 + u0 * ct1, alpha = h[0] / length;
        // Where every direction across is as good (a cylinder in another), none is looked for.
        bool free = fabs(tct) <= 1e-9 * (fabs(c[0]) + fabs(c[2]));
        if (!(tct > 0.0) && !free) {
            return false;
        }
        double tau = free ? 0.0 : (-u1 * g[0] + u0 * g[1] - alpha * (u0 * ct0 + u1 * ct1)) / tct;
        dn[0] = alpha * u0 - tau * u1;
        dn[1] = alpha * u1 + tau * u0;
        double r0 = c[0] * dn[0] + c[1] * dn[1] - g[0], r1 = c[1] * dn[0] + c[2] * dn[1] - g[1];
        db[0] = (u0 * r0 + u1 * r1) / length;
        return true;
    }
    double det = c[0] * c[2] - c[1] * c[1];
    if (!(det > 0.0 && c[0] > 0.0)) {
        return false;
    }
    dn[0] = (c[2] * g[0] - c[1] * g[1]) / det;
    dn[1] = (c[0] * g[1] - c[1] * g[0]) / det;
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

// Three pieces in line (an edge along a generator) are two: the middle one leaves.
static void dropMiddle(Pieces *m, double e[2][2])
{
    // Places along the line, with the first piece at 0: the products of the longer arm with both.
    double s0 = e[0][0] * e[0][0] + e[0][1] * e[0][1], s1 = e[1][0] * e[1][0] + e[1][1] * e[1][1];
    double between = e[0][0] * e[1][0] + e[0][1] * e[1][1];
    double t1 = s0 >= s1 ? s0 : between, t2 = s0 >= s1 ? between : s1;
    int middle = t1 * t2 <= 0.0 ? 0 : fabs(t1) < fabs(t2) ? 1 : 2;
    dropPiece(m, middle);
}

// The equations at n, in the plane across it.
typedef struct Equations {
    ctVec3 x, y;
    double c[3], e[2][2], g[2], h[2];
} Equations;

static bool equationsAt(const ctShapePair *pair, const Pieces *m, ctVec3 n, Equations *q)
{
    Equations zero = {ctZero3(), ctZero3(), {0.0, 0.0, 0.0}, {{0.0, 0.0}, {0.0, 0.0}}, {0.0, 0.0}, {0.0, 0.0}};
    *q = zero;
    ctFrameFromNormal(n, &q->x, &q->y);
    ctVec3 dA = ctNeg(n), dB = ctMulTMV(pair->r, n), xB = ctMulTMV(pair->r, q->x), yB = ctMulTMV(pair->r, q->y);
    double lambda = 0.0;
    for (int k = 0; k < m->count; k++) {
        const ctSimplexPoint *p = &m->p[k];
        if (!addCurvature(pair->a, p->ca, dA, q->x, q->y, p->weight, q->c) ||
            !addCurvature(pair->b, p->cb, dB, xB, yB, p->weight, q->c)) {
            return false;
        }
        lambda += p->weight * ctDot(p->w, n);
        q->g[0] += p->weight * ctDot(p->w, q->x);
        q->g[1] += p->weight * ctDot(p->w, q->y);
        if (k > 0) {
            ctVec3 d = ctSub(p->w, m->p[0].w);
            q->e[k - 1][0] = ctDot(d, q->x);
            q->e[k - 1][1] = ctDot(d, q->y);
            q->h[k - 1] = -ctDot(d, n);
        }
    }
    q->c[0] += lambda;
    q->c[2] += lambda;
    return true;
}

static bool inLine(double e[2][2])
{
    double d = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    double s0 = e[0][0] * e[0][0] + e[0][1] * e[0][1], s1 = e[1][0] * e[1][0] + e[1][1] * e[1][1];
    return !(d * d > 1e-16 * s0 * s1);
}

static double lowerBound(const ctShapePair *pair, ctVec3 n, ctSimplexPoint *p)
{
    ctPairSupport(pair, n, p);
    return ctDot(p->w, n);
}

// One step from *n, where the lower bound is *below. The bound is concave in n, so that a step which
// lowers it went too far and is halved (a little is allowed on a ridge between pieces). False when the equations have
// no good solution. Afterwards *n, the weights and *below are new, and *support is the support point along *n.
static bool newtonStep(const ctShapePair *pair, Pieces *m, ctVec3 *n, double *below, ctSimplexPoint *support)
{
    Equations q;
    double dn[2], db[2];
    if (!equationsAt(pair, m, *n, &q)) {
        return false;
    }
    if (m->count == 3 && inLine(q.e)) {
        dropMiddle(m, q.e);
        if (!equationsAt(pair, m, *n, &q)) {
            return false;
        }
    }
    if (!solveStep(m->count, q.c, q.e, q.g, q.h, dn, db)) {
        return false;
    }
    double length = sqrt(dn[0] * dn[0] + dn[1] * dn[1]), share = length > 0.5 ? 0.5 / length : 1.0, bound = 0.0;
    ctVec3 next = *n;
    for (int halvings = 0; halvings < 6; halvings++, share *= 0.5) {
        next = ctNormalize(ctMulAdd(ctMulAdd(*n, share * dn[0], q.x), share * dn[1], q.y));
        bound = lowerBound(pair, next, support);
        if (bound >= *below - (m->count == 1 ? NOISE * pair->scale : 1e-3 * ctFmax(fabs(*below), 1e-4 * pair->scale))) {
            break;
        }
    }
    share = ctFmin(share, 1.0);
    *n = next;
    *below = bound;
    m->p[0].weight -= share * (db[0] + db[1]);
    for (int k = 1; k < m->count; k++) {
        m->p[k].weight += share * db[k - 1];
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

// p takes the place of one of three pieces: as p gains weight, the others change so that their sum stays
// along n, and the first whose weight falls to zero leaves.
static bool exchangePiece(Pieces *m, const ctSimplexPoint *p, ctVec3 n)
{
    ctVec3 x, y;
    ctFrameFromNormal(n, &x, &y);
    ctVec3 d1 = ctSub(m->p[1].w, m->p[0].w), d2 = ctSub(m->p[2].w, m->p[0].w), d = ctSub(m->p[0].w, p->w);
    double e[2][2] = {{ctDot(d1, x), ctDot(d1, y)}, {ctDot(d2, x), ctDot(d2, y)}};
    if (inLine(e)) {
        return false;
    }
    double det = e[0][0] * e[1][1] - e[0][1] * e[1][0], dx = ctDot(d, x), dy = ctDot(d, y);
    double gain[3];
    gain[1] = (dx * e[1][1] - dy * e[1][0]) / det;
    gain[2] = (e[0][0] * dy - e[0][1] * dx) / det;
    gain[0] = -1.0 - gain[1] - gain[2];
    int leaves = -1;
    double step = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (gain[k] < 0.0 && m->p[k].weight < -step * gain[k]) {
            step = m->p[k].weight / -gain[k];
            leaves = k;
        }
    }
    if (leaves < 0) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        m->p[k].weight = ctFmax(0.0, m->p[k].weight + step * gain[k]);
    }
    m->p[leaves] = *p;
    m->p[leaves].weight = step;
    return true;
}

// Takes in a support point that lies below all pieces. False when there is no place for it.
static bool addPiece(Pieces *m, const ctSimplexPoint *p, ctVec3 n, double tolerance)
{
    double lowest = INFINITY;
    for (int k = 0; k < m->count; k++) {
        if (m->p[k].ca == p->ca && m->p[k].cb == p->cb) {
            return true;
        }
        lowest = ctFmin(lowest, ctDot(m->p[k].w, n));
    }
    if (ctDot(p->w, n) < lowest - tolerance) {
        if (m->count == 3) {
            return exchangePiece(m, p, n);
        }
        m->p[m->count] = *p;
        m->p[m->count++].weight = 0.0;
    }
    return true;
}

// More steps for at most two pieces of cores that nearly touch, from what is left across n to more digits: they may
// turn n by as much as rounding errors over the distance.
static void refineNearly(const ctShapePair *pair, const ctSimplex *s, ctVec3 *n)
{
    Equations q;
    Pieces m = {.count = s->count};
    for (int k = 0; k < m.count; k++) {
        m.p[k] = s->p[k];
    }
    ctVec3 d = *n;
    double turn = 1.0, dn[2], db[2];
    for (int step = 0; step < MAX_NEARLY && turn > SAME_NORMAL && m.count < 3 && equationsAt(pair, &m, d, &q); step++) {
        ctVec3 v = ctExactVector(pair, s, d);
        q.g[0] = ctDot(v, q.x);
        q.g[1] = ctDot(v, q.y);
        turn = solveStep(m.count, q.c, q.e, q.g, q.h, dn, db) ? sqrt(dn[0] * dn[0] + dn[1] * dn[1]) : INFINITY;
        if (!(turn < 1e-4)) {
            return;
        }
        d = ctNormalize(ctMulAdd(ctMulAdd(d, dn[0], q.x), dn[1], q.y));
        for (int k = 0; k < m.count; k++) {
            ctPairPiece(pair, d, &m.p[k]);
        }
    }
    ctSimplexPoint p = s->p[0];
    if (ctDot(s->v, d) - lowerBound(pair, d, &p) <= REFINED_GAP * pair->scale) {
        *n = d;
    }
}

bool ctRefine(const ctShapePair *pair, ctSimplex *s, ctVec3 *n)
{
    Pieces m = mergePieces(s);
    ctVec3 d = *n;
    for (int k = 0; k < m.count; k++) {
        ctPairPiece(pair, d, &m.p[k]);
    }
    double tolerance = REFINED_GAP * pair->scale, residual = INFINITY;
    ctSimplexPoint p = m.p[0];
    double below = lowerBound(pair, d, &p);
    ctSimplex best = *s;
    ctVec3 bestN = d;
    for (int step = 0; step < MAX_NEWTON && residual > LEAST_RESIDUAL * pair->scale; step++) {
        dropTwins(&m, 1e-9 * pair->scale);
        if (!newtonStep(pair, &m, &d, &below, &p)) {
            break;
        }
        // The bounds: a point of W above, the support point below.
        ctSimplex now = simplexOf(&m);
        if (ctDot(now.v, d) - below <= tolerance) {
            // What is left across n shows in the points long after the distance is right.
            double across = ctLength(ctMulAdd(now.v, -ctDot(now.v, d), d)), last = residual;
            if (across < residual) {
                residual = across;
                best = now;
                bestN = d;
            }
            if (residual <= RESIDUAL * pair->scale && across >= 0.5 * last) {
                break;
            }
        } else if (residual < INFINITY || !addPiece(&m, &p, d, tolerance)) {
            break;
        }
    }
    if (!(residual <= RESIDUAL * pair->scale)) {
        return false;
    }
    *s = best;
    *n = bestN;
    if (fabs(below) < CT_NEARLY_TOUCHING * pair->scale) {
        refineNearly(pair, s, n);
    }
    return true;
}
