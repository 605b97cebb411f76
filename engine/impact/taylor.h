// Internal to the impact solver: truncated power series in time, and the first zero of one.
#ifndef CT_IMPACT_TAYLOR_H
#define CT_IMPACT_TAYLOR_H

enum { CT_TAYLOR_ORDER = 16 };

// Coefficients of 1, t, t^2 ... t^CT_TAYLOR_ORDER.
typedef double ctTaylor[CT_TAYLOR_ORDER + 1];

// Coefficient k of the product a b.
static inline double taylorProduct(const ctTaylor a, const ctTaylor b, int k)
{
    double even = 0.0, odd = 0.0; // two sums, because one would wait for itself
    int j = 0;
    for (; j < k; j += 2) {
        even += a[j] * b[k - j];
        odd += a[j + 1] * b[k - j - 1];
    }
    return j == k ? even + odd + a[k] * b[0] : even + odd;
}

// Coefficient k of the products a b and a c.
static inline void taylorProducts(const ctTaylor a, const ctTaylor b, const ctTaylor c, int k, double *ab, double *ac)
{
    double bEven = 0.0, bOdd = 0.0, cEven = 0.0, cOdd = 0.0;
    int j = 0;
    for (; j < k; j += 2) {
        bEven += a[j] * b[k - j];
        cEven += a[j] * c[k - j];
        bOdd += a[j + 1] * b[k - j - 1];
        cOdd += a[j + 1] * c[k - j - 1];
    }
    *ab = bEven + bOdd;
    *ac = cEven + cOdd;
    if (j == k) {
        *ab += a[k] * b[0];
        *ac += a[k] * c[0];
    }
}

static inline double taylorAt(const ctTaylor a, double t)
{
    double sum = a[CT_TAYLOR_ORDER];
    for (int k = CT_TAYLOR_ORDER - 1; k >= 0; k--) {
        sum = sum * t + a[k];
    }
    return sum;
}

// The first t in (0, end] at which a rises from below zero to zero, or INFINITY. The first `skip` coefficients are
// known to be zero: a is then divided by t^skip. A series that does not start below zero has its zero at t = 0.
double ctTaylor_FirstZero(const ctTaylor a, int skip, double end);

#endif
