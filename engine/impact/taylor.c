// The first zero of a polynomial on an interval. In Bernstein's form the coefficients enclose the polynomial, and the
// number of their changes of sign is the number of zeros or exceeds it by an even number: an interval without a
// change of sign has no zero, one with a single change has one, and any other is halved. No zero is missed.
#include "engine/impact/taylor.h"

#include <math.h>
#include <stdbool.h>

enum { SIZE = CT_TAYLOR_ORDER + 1, DEEPEST = 48 };

// The value at t, and the slope.
static double at(const double *a, int degree, double t, double *slope)
{
    double sum = a[degree], rate = 0.0;
    for (int k = degree - 1; k >= 0; k--) {
        rate = rate * t + sum;
        sum = sum * t + a[k];
    }
    *slope = rate;
    return sum;
}

// The only zero between lo, where the polynomial is negative, and hi: Newton's method, with bisections where it leaves
// the bracket.
static double onlyZero(const double *a, int degree, double lo, double hi)
{
    double t = 0.5 * (lo + hi);
    for (int i = 0; i < 100 && hi - lo > 4e-16 * hi; i++) {
        double slope, value = at(a, degree, t, &slope), next = t - value / slope;
        if (value < 0.0) {
            lo = t;
        } else {
            hi = t;
        }
        if (!(next > lo && next < hi)) {
            next = 0.5 * (lo + hi);
        }
        if (fabs(next - t) <= 4e-16 * hi) {
            return next;
        }
        t = next;
    }
    return hi;
}

static int changesOfSign(const double *b, int degree)
{
    int changes = 0;
    bool below = b[0] < 0.0;
    for (int i = 1; i <= degree; i++) {
        changes += (b[i] < 0.0) != below;
        below = b[i] < 0.0;
    }
    return changes;
}

// b: the Bernstein coefficients on [lo, hi]; the polynomial is negative at lo.
static double zeroIn(const double *a, const double *b, int degree, double lo, double hi, int depth)
{
    int changes = changesOfSign(b, degree);
    if (changes == 0) {
        return INFINITY;
    }
    if (changes == 1) {
        return onlyZero(a, degree, lo, hi);
    }
    if (depth == DEEPEST) {
        return hi; // a double zero, to rounding
    }
    // de Casteljau's halves
    double left[SIZE] = {0.0}, right[SIZE] = {0.0};
    for (int i = 0; i <= degree; i++) {
        right[i] = b[i];
    }
    for (int i = 0; i <= degree; i++) {
        left[i] = right[0];
        for (int j = 0; j < degree - i; j++) {
            right[j] = 0.5 * (right[j] + right[j + 1]);
        }
    }
    double middle = 0.5 * (lo + hi), first = zeroIn(a, left, degree, lo, middle, depth + 1);
    if (first < INFINITY) {
        return first;
    }
    return left[degree] < 0.0 ? zeroIn(a, right, degree, middle, hi, depth + 1) : middle;
}

double ctTaylor_FirstZero(const ctTaylor series, int skip, double end)
{
    const double *a = series + skip;
    const int degree = CT_TAYLOR_ORDER - skip;
    if (!(a[0] < 0.0)) {
        return 0.0;
    }
    double rest = 0.0; // the series stays negative where its other terms cannot outweigh the first
    for (int i = degree; i > 0; i--) {
        rest = (rest + fabs(a[i])) * end;
    }
    if (rest < -a[0]) {
        return INFINITY;
    }
    // b_j = sum over i of binomial(j, i) / binomial(degree, i) a_i end^i
    double b[SIZE] = {0.0}, power = 1.0, binomial = 1.0;
    for (int i = 0; i <= degree; i++) {
        b[i] = a[i] * power / binomial;
        power *= end;
        binomial *= (double)(degree - i) / (i + 1);
    }
    for (int k = 1; k <= degree; k++) {
        for (int j = degree; j >= k; j--) {
            b[j] += b[j - 1];
        }
    }
    return zeroIn(a, b, degree, 0.0, end, 0);
}
