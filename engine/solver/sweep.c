// Points of contact under Signorini's and Coulomb's conditions, by Gauss-Seidel over exact
// single-point solutions.
//
// At a point with normal n (from b to a), arms ra, rb and relative velocity
//     u = va + wa x ra - vb - wb x rb,
// an impulse p on a (and -p on b) changes u by K p,
//     K = (1/ma + 1/mb) I - [ra] Ia^-1 [ra] - [rb] Ib^-1 [rb].
// With e = u - target n the conditions are
//     0 <= p_n,  e_n >= 0,  p_n e_n = 0                         (Signorini, on velocities)
//     |p_t| <= mu p_n,  p_t = -mu p_n u_t / |u_t| where u_t /= 0  (Coulomb's cone, exactly)
//
// The single point. While the normal velocity is held, tangential velocity answers to a tangential
// impulse by the Schur complement S = K_tt - K_tn K_nt / K_nn. Take the eigenvectors t1, t2 of S as
// the tangents (s1 <= s2), and g_i = (t_i . K n) / K_nn. Then with e before the change and p the
// impulse already there,
//     a_n = p_n + g1 p1 + g2 p2 - e_n / K_nn          (-1/K_nn times e_n without any impulse)
//     c_i = e_i - g_i e_n - s_i p_i                   (e_i without tangential impulse, e_n held)
//   - a_n <= 0: the point parts, p = 0;
//   - sticking: p_i = -c_i / s_i, p_n = a_n - g.p; accepted when inside the cone;
//   - sliding: u_t = -lambda p_t with lambda > 0 gives p_i = -c_i / (s_i + lambda). With
//     lambda = s2 (1 - x) / x the unknown x runs from 0 (no friction) to 1 (sticking), and
//         h(x) = |p_t(x)| - mu (a_n - g . p_t(x))
//     goes from h(0) = -mu a_n < 0 to h(1) > 0: a root exists, whatever K and mu. For s1 = s2 h is
//     linear in x. Halley's method inside a shrinking bracket finds it.
// So neither K nor its inverse is stored: the frame and five numbers hold everything.
//
// Rolling and spinning resistance are angular impulses between the two bodies, bounded by a length
// times p_n, that oppose the relative spin along and about the normal. Rolling has the same form as
// sliding, with g = 0 and a constant bound.
#include "engine/solver/solver.h"

#include <assert.h>

#define ROOT_ITERATIONS 60  // [cap]
#define ROUNDING 1e-15      // [rounding] of an impulse
#define ROOT_TOLERANCE 1e-6 // [rounding] the last step of Halley's method, which cubes the error

// ---- preparation ------------------------------------------------------------------------------

static void addMobility(const ctSolverBody *body, ctVec3 r, ctMat3 *k)
{
    if (body->invMass == 0.0) {
        return;
    }
    ctMat3 s = ctMat3Skew(r);
    ctMat3 turn = ctMulMM(s, ctMulMM(body->invInertia, s));
    *k = ctSubMM(*k, turn);
    k->cx.x += body->invMass;
    k->cy.y += body->invMass;
    k->cz.z += body->invMass;
}

// Eigenvalues lo <= hi of [a b; b c] and the cosine and sine of the direction of lo.
static void eigen2(double a, double b, double c, double *lo, double *hi, double *cosine, double *sine)
{
    double mean = 0.5 * (a + c), half = 0.5 * (a - c);
    double radius = sqrt(half * half + b * b);
    *lo = mean - radius;
    *hi = mean + radius;
    *cosine = 1.0;
    *sine = 0.0;
    if (radius > 1e-12 * mean) {
        // (b, lo - a) and (lo - c, b) both lie along the eigenvector; the longer one is accurate.
        double x = half > 0.0 ? b : -(radius - half), y = half > 0.0 ? -(radius + half) : b;
        double length = sqrt(x * x + y * y);
        *cosine = x / length;
        *sine = y / length;
    }
}

static void prepareResistance(const ctSolverBody *bodies, ctSolverPoint *p)
{
    const ctSolverBody *a = &bodies[p->a], *b = &bodies[p->b];
    ctMat3 m = a->invMass > 0.0 ? a->invInertia : ctMat3Zero();
    m = b->invMass > 0.0 ? ctAddMM(m, b->invInertia) : m;
    p->spinMobility = ctDot(p->n, ctMulMV(m, p->n));
    ctVec3 m1 = ctMulMV(m, p->t1), m2 = ctMulMV(m, p->t2);
    eigen2(ctDot(p->t1, m1), ctDot(p->t1, m2), ctDot(p->t2, m2), &p->roll1, &p->roll2, &p->rollCos, &p->rollSin);
}

static void prepareImpulse(ctSolverPoint *p)
{
    p->p1 = ctDot(p->t1, p->impulse);
    p->p2 = ctDot(p->t2, p->impulse);
    p->pn = ctDot(p->n, p->impulse);
    p->slide = p->rollSlide = 0.0;
}

static void preparePoint(const ctSolverBody *bodies, ctSolverPoint *p)
{
    ctMat3 k = ctMat3Zero();
    addMobility(&bodies[p->a], p->ra, &k);
    addMobility(&bodies[p->b], p->rb, &k);
    ctVec3 x, y;
    ctFrameFromNormal(p->n, &x, &y);
    ctVec3 kn = ctMulMV(k, p->n), kx = ctMulMV(k, x), ky = ctMulMV(k, y);
    double knn = ctDot(p->n, kn), knx = ctDot(x, kn), kny = ctDot(y, kn);
    assert(knn > 0.0);
    p->knn = knn;
    p->invKnn = 1.0 / knn;
    double cosine, sine;
    eigen2(ctDot(x, kx) - knx * knx * p->invKnn, ctDot(x, ky) - knx * kny * p->invKnn,
           ctDot(y, ky) - kny * kny * p->invKnn, &p->s1, &p->s2, &cosine, &sine);
    p->invS1 = 1.0 / p->s1;
    p->invS2 = 1.0 / p->s2;
    p->t1 = ctMulAdd(ctScale(cosine, x), sine, y);
    p->t2 = ctMulAdd(ctScale(cosine, y), -sine, x);
    p->g1 = (cosine * knx + sine * kny) * p->invKnn;
    p->g2 = (cosine * kny - sine * knx) * p->invKnn;
    prepareImpulse(p);
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        prepareResistance(bodies, p);
    }
}

static bool sharesFace(const ctSolverPoint *p, const ctSolverPoint *q)
{
    return p->a == q->a && p->b == q->b && p->n.x == q->n.x && p->n.y == q->n.y && p->n.z == q->n.z;
}

void ctSolver_Align(ctSolverPoint *points, int count)
{
    for (int first = 0, end; first < count; first = end) {
        int lead = first;
        for (end = first + 1; end < count && sharesFace(&points[first], &points[end]); end++) {
            lead = points[end].target > points[lead].target ? end : lead;
        }
        ctVec3 n = points[lead].n;
        double heightA = ctDot(n, points[lead].ra), heightB = ctDot(n, points[lead].rb);
        for (int i = first; i < end; i++) {
            ctSolverPoint *p = &points[i];
            if (i != lead) {
                p->ra = ctMulAdd(p->ra, heightA - ctDot(n, p->ra), n);
                p->rb = ctMulAdd(p->rb, heightB - ctDot(n, p->rb), n);
            }
        }
    }
}

void ctSolver_Prepare(const ctSolverBody *bodies, ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        preparePoint(bodies, &points[i]);
    }
}

void ctSolver_PrepareAgain(ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        prepareImpulse(&points[i]);
    }
}

void ctSolver_Apply(ctSolverBody *bodies, const ctSolverPoint *points, int count, double factor)
{
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        if (p->impulse.x != 0.0 || p->impulse.y != 0.0 || p->impulse.z != 0.0) {
            ctSolverPoint_Push(p, bodies, ctScale(factor, p->impulse));
        }
        if (p->rolling > 0.0 || p->spinning > 0.0) {
            ctSolverPoint_Twist(p, bodies, ctScale(factor, p->twist));
        }
    }
}

void ctSolver_Finish(ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[i];
        p->impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2);
    }
}

// ---- one point --------------------------------------------------------------------------------

// A bounded two-dimensional impulse q that opposes its velocity: q = -c_i x / (s_i x + s2 (1 - x)),
// |q| = mu (a - g1 q1 - g2 q2) at the root. s1 <= s2.
typedef struct Slip {
    double c1, c2, s1, invS2;
    double mu, a, g1, g2;
} Slip;

// The root of h in (0, 1), from the start x. Returns x with q1, q2 there, scaled onto the bound. With y = 1 - r x, the
// impulses and the normal impulse times y are polynomials of x, and h has the sign of
//     P(x) = A^2 + B^2 - mu^2 C^2,   A = d1 x,  B = d2 x y,  C = a y - g1 A - g2 B,
// where C > 0. So Halley's method needs no root, and one division.
static double solveSlip(const Slip *s, double x, double *q1, double *q2)
{
    double d1 = -s->c1 * s->invS2, d2 = -s->c2 * s->invS2, r = 1.0 - s->s1 * s->invS2;
    double square = s->mu * s->mu, bend = -2.0 * r * d2, fall = -s->a * r - s->g1 * d1;
    double lo = 0.0, hi = 1.0, last = 1.0;
    for (int i = 0; i < ROOT_ITERATIONS; i++) {
        double y = 1.0 - r * x, u = d1 * x, w = d2 * x * y, n = s->a * y - s->g1 * u - s->g2 * w;
        double dw = d2 * (1.0 - 2.0 * r * x), dn = fall - s->g2 * dw;
        double p = u * u + w * w - square * n * n;
        bool pushes = n > 0.0;
        if (p > 0.0 || !pushes) {
            hi = x;
        } else {
            lo = x;
        }
        double slope = u * d1 + w * dw - square * n * dn; // half of it, and of the curvature
        double curve = d1 * d1 + dw * dw + w * bend - square * (dn * dn - s->g2 * bend * n);
        double steep = 2.0 * slope * slope, next = x - p * slope / ctFmax(steep - 0.5 * p * curve, 0.5 * steep);
        double step = fabs(next - x);
        if (pushes && fabs(p * slope) < ROOT_TOLERANCE * x * steep) { // not where the squares of impulses underflow
            x = next;
            break;
        }
        // Halley's method while it stays inside and at least halves its steps; bisection otherwise.
        if (!(pushes && next > lo && next < hi) || step > 0.5 * last) {
            next = 0.5 * (lo + hi);
        }
        last = fabs(next - x);
        x = next;
    }
    double u = d1 * x / (1.0 - r * x), w = d2 * x, length = sqrt(u * u + w * w);
    double bound = s->mu * (s->a - s->g1 * u - s->g2 * w);
    double scale = bound > 0.0 && length > 0.0 ? bound / length : 0.0;
    *q1 = u * scale;
    *q2 = w * scale;
    return x;
}

// Where the root is to be expected when velocity u and impulse p are nearly right: u = -lambda p.
static double firstSlide(double s2, double u1, double u2, double p1, double p2)
{
    double p = p1 * p1 + p2 * p2, lambda = sqrt((u1 * u1 + u2 * u2) / p);
    return p > 0.0 ? s2 / (s2 + lambda) : 1.0;
}

// Solves one point for the velocity e = u - target n at it, in its frame; the change of velocity.
static double solvePoint(ctSolverPoint *p, ctSolverBody *bodies)
{
    ctVec3 u = ctSolverPoint_Velocity(p, bodies);
    double e1 = ctDot(p->t1, u), e2 = ctDot(p->t2, u), en = ctDot(p->n, u) - p->target;
    double an = p->pn + p->g1 * p->p1 + p->g2 * p->p2 - en * p->invKnn;
    double q1 = 0.0, q2 = 0.0, qn = 0.0;
    if (an > 0.0 && p->mu > 0.0) {
        double c1 = e1 - p->g1 * en - p->s1 * p->p1, c2 = e2 - p->g2 * en - p->s2 * p->p2;
        q1 = -c1 * p->invS1;
        q2 = -c2 * p->invS2;
        qn = an - p->g1 * q1 - p->g2 * q2;
        if (!(qn > 0.0 && q1 * q1 + q2 * q2 <= p->mu * p->mu * qn * qn)) {
            Slip slip = {c1, c2, p->s1, p->invS2, p->mu, an, p->g1, p->g2};
            double start = p->slide > 0.0 ? p->slide : firstSlide(p->s2, e1, e2, p->p1, p->p2);
            p->slide = solveSlip(&slip, start, &q1, &q2);
            qn = an - p->g1 * q1 - p->g2 * q2;
        }
    } else if (an > 0.0) {
        qn = an;
    }
    double d1 = q1 - p->p1, d2 = q2 - p->p2, dn = qn - p->pn;
    p->p1 = q1;
    p->p2 = q2;
    p->pn = qn;
    if (d1 == 0.0 && d2 == 0.0 && dn == 0.0) {
        return 0.0;
    }
    ctSolverPoint_Push(p, bodies, ctMulAdd(ctMulAdd(ctScale(dn, p->n), d1, p->t1), d2, p->t2));
    // Large impulses that balance are known only to rounding.
    return ctFmax(0.0, fabs(dn) * p->knn + p->s2 * (fabs(d1) + fabs(d2)) - ROUNDING * p->knn * qn);
}

// ---- rolling and spinning ---------------------------------------------------------------------

static double resistSpinning(ctSolverPoint *p, ctSolverBody *bodies)
{
    double spin = ctDot(p->n, ctSub(bodies[p->a].w, bodies[p->b].w));
    double before = ctDot(p->n, p->twist), bound = p->spinning * p->pn;
    double after = ctFmin(ctFmax(before - spin / p->spinMobility, -bound), bound);
    ctVec3 change = ctScale(after - before, p->n);
    p->twist = ctAdd(p->twist, change);
    ctSolverPoint_Twist(p, bodies, change);
    return fabs(after - before) * p->spinMobility;
}

static double resistRolling(ctSolverPoint *p, ctSolverBody *bodies)
{
    double s1 = p->roll1, s2 = p->roll2;
    ctVec3 x = ctMulAdd(ctScale(p->rollCos, p->t1), p->rollSin, p->t2);
    ctVec3 y = ctMulAdd(ctScale(p->rollCos, p->t2), -p->rollSin, p->t1);
    ctVec3 w = ctSub(bodies[p->a].w, bodies[p->b].w);
    double b1 = ctDot(x, p->twist), b2 = ctDot(y, p->twist), bound = p->rolling * p->pn;
    double w1 = ctDot(x, w), w2 = ctDot(y, w), c1 = w1 - s1 * b1, c2 = w2 - s2 * b2;
    double q1 = -c1 / s1, q2 = -c2 / s2;
    if (!(bound > 0.0)) {
        q1 = q2 = 0.0;
    } else if (q1 * q1 + q2 * q2 > bound * bound) {
        Slip slip = {c1, c2, s1, 1.0 / s2, 1.0, bound, 0.0, 0.0};
        double start = p->rollSlide > 0.0 ? p->rollSlide : firstSlide(s2, w1, w2, b1, b2);
        p->rollSlide = solveSlip(&slip, start, &q1, &q2);
    }
    ctVec3 change = ctMulAdd(ctScale(q1 - b1, x), q2 - b2, y);
    p->twist = ctAdd(p->twist, change);
    ctSolverPoint_Twist(p, bodies, change);
    return s2 * (fabs(q1 - b1) + fabs(q2 - b2));
}

// The largest change of a surface velocity: spins count at the arm's length.
static double resist(ctSolverPoint *p, ctSolverBody *bodies)
{
    double change = 0.0;
    if (p->spinning > 0.0) {
        change += resistSpinning(p, bodies);
    }
    if (p->rolling > 0.0) {
        change += resistRolling(p, bodies);
    }
    return change * ctLength(bodies[p->a].invMass > 0.0 ? p->ra : p->rb);
}

// ---- sweeps -----------------------------------------------------------------------------------

double ctSolver_Sweep(ctSolverBody *bodies, ctSolverPoint *points, int count, bool backwards)
{
    double residual = 0.0;
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[backwards ? count - 1 - i : i];
        double change = solvePoint(p, bodies);
        if (p->rolling > 0.0 || p->spinning > 0.0) {
            change += resist(p, bodies);
        }
        p->change = change;
        residual = change > residual ? change : residual;
    }
    return residual;
}
