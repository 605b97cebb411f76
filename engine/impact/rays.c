// Invariant directions of sliding: where (c, s) x (-mu B (c, s) + d) = 0 (Jia & Wang, equation 33; Baber,
// equation 7). Instead of the papers' quartic in tan(theta/2), each root is bracketed where it is alone.
//
// In the frame of B's eigenvectors, with eigenvalues l1 >= l2, a = mu (l1 - l2) and d = (dx, dy), this is
//     a c s + dy c - dx s = 0,
// and with the axes reflected so that dx, dy >= 0 (Jia & Wang, Theorem 8; q = a quadrant's |c|, |s|):
//     c > 0, s > 0:  a + dy/|s| - dx/|c| = 0   falls with theta: one root
//     c < 0, s > 0:  all terms have one sign: none
//     c < 0, s < 0:  a - dy/|s| + dx/|c| = 0   monotone: one root
//     c > 0, s < 0:  dy/|s| + dx/|c| = a       convex, least at tan^3 = dy/dx: two roots or none
// The last has its roots when dx^(2/3) + dy^(2/3) < a^(2/3). Roots with dx = 0 or dy = 0 lie on the axes.
#include "engine/impact/impact_internal.h"

void ctDivergingRay(const ctCollisionMatrix *k, double *c, double *s)
{
    // Baber 3.10: the lambda > 0 with |v| = 1, v = (lambda I + mu B)^-1 d, is the rate of the ray. Newton on
    // 1 - 1/|v| rises to it monotonically from lambda = 0.
    const double m11 = k->mu * k->b11, m12 = k->mu * k->b12, m22 = k->mu * k->b22;
    double lambda = k->mu > 0.0 ? 0.0 : sqrt(k->d1 * k->d1 + k->d2 * k->d2), x = 0.0, y = 0.0;
    for (int i = 0; i < 50; i++) {
        double a = lambda + m11, b = lambda + m22, det = a * b - m12 * m12;
        x = (b * k->d1 - m12 * k->d2) / det;
        y = (a * k->d2 - m12 * k->d1) / det;
        double squared = x * x + y * y;
        double wx = (b * x - m12 * y) / det, wy = (a * y - m12 * x) / det; // -dv/dlambda
        double step = (sqrt(squared) - 1.0) * squared / (x * wx + y * wy);
        lambda += step;
        if (fabs(step) <= 1e-15 * (lambda + m11)) {
            break;
        }
    }
    double norm = 1.0 / sqrt(x * x + y * y);
    *c = x * norm;
    *s = y * norm;
}

typedef struct RayFinder {
    double a, dx, dy; // >= 0
} RayFinder;

// Bisection for the angle in (lo, hi) from an axis at which sign * residual falls through zero, where the
// residual is k0 a + k1 dy / sin + k2 dx / cos.
static double bisect(const RayFinder *q, double k0, double k1, double k2, double lo, double hi)
{
    double signLo = 0.0;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (lo + hi);
        if (middle <= lo || middle >= hi) {
            break;
        }
        double c, s;
        ctSinCos(middle, &s, &c);
        double value = k0 * q->a * s * c + k1 * q->dy * c + k2 * q->dx * s;
        if (i == 0) {
            // The sign at the lower end, where s is small: that of its k1 term, or of the next.
            double c0, s0;
            ctSinCos(lo, &s0, &c0);
            double at = k0 * q->a * s0 * c0 + k1 * q->dy * c0 + k2 * q->dx * s0;
            signLo = at >= 0.0 ? 1.0 : -1.0;
        }
        if (value * signLo > 0.0) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    return 0.5 * (lo + hi);
}

// The roots in the reflected frame, with dx, dy > 0.
static int generalAngles(const RayFinder *q, double angles[4])
{
    const double half = 0.5 * CT_PI;
    int n = 0;
    angles[n++] = bisect(q, 1.0, 1.0, -1.0, 0.0, half);
    angles[n++] = CT_PI + bisect(q, 1.0, -1.0, 1.0, 0.0, half);
    double x = ctCbrt(q->dx), y = ctCbrt(q->dy), least = x * x + y * y;
    if (least * sqrt(least) < q->a) {
        double middle = ctAtan2(y, x);
        angles[n++] = -bisect(q, -1.0, 1.0, 1.0, 0.0, middle);
        angles[n++] = -bisect(q, -1.0, 1.0, 1.0, middle, half);
    }
    return n;
}

// Theorem 8 (i) to (iii): a = 0, dx = 0 or dy = 0.
static int specialAngles(const RayFinder *q, double angles[4])
{
    int n = 0;
    if (q->a == 0.0) {
        angles[n++] = ctAtan2(q->dy, q->dx);
        angles[n++] = ctAtan2(-q->dy, -q->dx);
    } else if (q->dy == 0.0) { // s (a c - dx) = 0
        angles[n++] = 0.0;
        angles[n++] = CT_PI;
        if (q->dx < q->a) {
            angles[n++] = ctAcos(q->dx / q->a);
            angles[n++] = -ctAcos(q->dx / q->a);
        }
    } else { // c (a s + dy) = 0
        angles[n++] = 0.5 * CT_PI;
        angles[n++] = -0.5 * CT_PI;
        if (q->dy < q->a) {
            angles[n++] = -ctAsin(q->dy / q->a);
            angles[n++] = CT_PI + ctAsin(q->dy / q->a);
        }
    }
    return n;
}

// Newton's method on f itself, from an angle that is correct to about 1e-15 of a turn.
static ctInvariantRay polish(const ctFlow *k, double angle)
{
    double c, s;
    ctSinCos(angle, &s, &c);
    ctFlowLocal l = flowLocal(k, c, s);
    for (int i = 0; i < 3; i++) {
        double x = l.f / l.fSlope;
        if (!(fabs(x) < 1e-6)) {
            break; // two rays are about to merge: the bisection cannot be improved
        }
        double q = 1.0 / sqrt(1.0 + x * x), turned = (c + s * x) * q;
        s = (s - c * x) * q;
        c = turned;
        l = flowLocal(k, c, s);
    }
    return (ctInvariantRay){ctAtan2(s, c), c, s, l.g, l.g > 0.0, l.fSlope < 0.0};
}

void ctFindInvariantRays(const ctImpactInput *in, ctInvariantRays *out)
{
    const ctMat3 *K = &in->K;
    const double mu = in->mu;
    ctCollisionMatrix contact;
    out->count = 0;
    out->sticks = false;
    if (!ctContactOf(in, &contact)) {
        return;
    }
    out->sticks = contact.stick1 * contact.stick1 + contact.stick2 * contact.stick2 <= mu * mu;
    // Eigenvectors of B at the angle psi: tan(2 psi) = 2 B12 / (B11 - B22).
    double difference = 0.5 * (K->cx.x - K->cy.y), radius = sqrt(difference * difference + K->cy.x * K->cy.x);
    double psi = radius > 0.0 ? 0.5 * ctAtan2(K->cy.x, difference) : 0.0;
    double c, s;
    ctSinCos(psi, &s, &c);
    double dx = K->cz.x * c + K->cz.y * s, dy = K->cz.y * c - K->cz.x * s;
    RayFinder q = {2.0 * mu * radius, fabs(dx), fabs(dy)};
    double largest = ctFmax(q.a, ctFmax(q.dx, q.dy));
    if (!(largest > 4e-16 * (mu * (K->cx.x + K->cy.y) + K->cz.z))) {
        out->count = -1; // Theorem 5 (i)
        return;
    }
    // Values below rounding are zero, so that the brackets hold.
    q.a = q.a > 1e-16 * largest ? q.a : 0.0;
    q.dx = q.dx > 1e-16 * largest ? q.dx : 0.0;
    q.dy = q.dy > 1e-16 * largest ? q.dy : 0.0;
    double angles[4];
    bool special = q.a == 0.0 || q.dx == 0.0 || q.dy == 0.0;
    int n = special ? specialAngles(&q, angles) : generalAngles(&q, angles);
    const ctFlow flow = {mu * K->cx.x, mu * K->cy.x, mu * K->cy.y, K->cz.x, K->cz.y,
                         mu * K->cz.x, mu * K->cz.y, K->cz.z,      mu};
    for (int i = 0; i < n; i++) {
        // Undo the reflections, then the turn.
        ctSinCos(angles[i], &s, &c);
        double x = copysign(1.0, dx) * c, y = copysign(1.0, dy) * s;
        ctInvariantRay ray = polish(&flow, ctAtan2(y, x) + psi);
        int place = out->count++;
        for (; place > 0 && out->rays[place - 1].angle > ray.angle; place--) {
            out->rays[place] = out->rays[place - 1];
        }
        out->rays[place] = ray;
    }
}
