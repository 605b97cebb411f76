// Exact times of impact: a ball and a plane (a quadratic), two balls (a quadratic when they share their
// acceleration, a quartic when not).
#include "collision/toi.h"

double ctFallTime(double gap, double speed, double acceleration)
{
    double g = gap > 0.0 ? gap : 0.0, u = speed, a = acceleration;
    if (u >= 0.0) {
        // The gap grows, and shrinks again if the acceleration is towards the plane.
        return a < 0.0 ? (u + sqrt(u * u - 2.0 * a * g)) / -a : INFINITY;
    }
    double disc = u * u - 2.0 * a * g;
    return disc >= 0.0 ? 2.0 * g / (sqrt(disc) - u) : INFINITY;
}

// ---- polynomials ------------------------------------------------------------------------------

static double value(const double *c, int degree, double t)
{
    double p = c[degree];
    for (int i = degree - 1; i >= 0; i--) {
        p = p * t + c[i];
    }
    return p;
}

// The root between lo and hi, where c has different signs: Newton's method, kept inside a shrinking bracket.
static double rootBetween(const double *c, const double *slope, int degree, double lo, double hi, double atLo)
{
    double t = 0.5 * (lo + hi);
    for (int i = 0; i < 100; i++) {
        double p = value(c, degree, t);
        if (p == 0.0) {
            return t;
        }
        *((p < 0.0) == (atLo < 0.0) ? &lo : &hi) = t;
        double next = t - p / value(slope, degree - 1, t);
        if (!(next > lo && next < hi)) {
            next = 0.5 * (lo + hi);
        }
        if (fabs(next - t) <= 1e-16 * fabs(t) || next <= lo || next >= hi) {
            return t;
        }
        t = next;
    }
    return t;
}

// The places in (lo, hi) where a polynomial of degree at most 4 changes sign, ascending: between two
// neighbouring extrema there is at most one.
static int signChanges(const double *c, int degree, double lo, double hi, double *out)
{
    if (degree == 1) {
        double t = -c[0] / c[1];
        out[0] = t;
        return t > lo && t < hi ? 1 : 0;
    }
    double slope[4], edges[6];
    for (int i = 0; i < degree; i++) {
        slope[i] = (i + 1) * c[i + 1];
    }
    int n = signChanges(slope, degree - 1, lo, hi, edges + 1), count = 0;
    edges[0] = lo;
    edges[n + 1] = hi;
    double before = value(c, degree, lo);
    for (int i = 0; i <= n; i++) {
        double after = value(c, degree, edges[i + 1]);
        if ((before < 0.0) != (after < 0.0)) {
            out[count++] = rootBetween(c, slope, degree, edges[i], edges[i + 1], before);
        }
        before = after;
    }
    return count;
}

// ---- balls ------------------------------------------------------------------------------------

// |x + v t| = r. The discriminant as a product: |x cross v| against r |v| is the miss distance itself.
static double straightTime(ctVec3 x, ctVec3 v, double r)
{
    double approach = -ctDot(x, v);
    if (!(approach > 0.0)) {
        return INFINITY;
    }
    double length = ctLength(x), gap = length - r;
    if (gap <= 0.0) {
        return 0.0;
    }
    double reach = r * ctLength(v), miss = ctLength(ctCross(x, v));
    if (miss > reach) {
        return INFINITY;
    }
    return gap * (length + r) / (approach + sqrt((reach - miss) * (reach + miss)));
}

double ctBallsTime(ctVec3 x, ctVec3 v, ctVec3 a, double r, double horizon)
{
    if (a.x == 0.0 && a.y == 0.0 && a.z == 0.0) {
        return straightTime(x, v, r);
    }
    double length = ctLength(x), gap = length - r;
    // |x + v t + a t^2 / 2|^2 - r^2
    double c[5] = {gap > 0.0 ? gap * (length + r) : 0.0, 2.0 * ctDot(x, v), ctDot(v, v) + ctDot(x, a), ctDot(v, a),
                   0.25 * ctDot(a, a)};
    if (gap <= 0.0) {
        // Touching: which way does it go? A separating start is divided out: (c1 + c2 t + ...) t.
        if (c[1] < 0.0 || (c[1] == 0.0 && (c[2] < 0.0 || (c[2] == 0.0 && c[3] < 0.0)))) {
            return 0.0;
        }
        double roots[4];
        int n = signChanges(c + 1, 3, 0.0, horizon, roots);
        return n > 0 ? roots[0] : INFINITY;
    }
    double roots[4];
    int n = signChanges(c, 4, 0.0, horizon, roots);
    return n > 0 ? roots[0] : INFINITY;
}
