// Internal to the impact solver: truncated power series in time, and the first zero of one.
#ifndef CT_IMPACT_TAYLOR_H
#define CT_IMPACT_TAYLOR_H

enum { CT_TAYLOR_ORDER = 16 };

// Coefficients of 1, t, t^2 ... t^CT_TAYLOR_ORDER.
typedef double ctTaylor[CT_TAYLOR_ORDER + 1];

// The same of pairs, x and y together.
typedef double ctTwo __attribute__((vector_size(16)));
typedef ctTwo ctTaylorPair[CT_TAYLOR_ORDER + 1];

// Coefficient k of the product of two series: of numbers, of numbers and pairs, and of pairs, component by component.
// The terms of the newest coefficients come last, because they are ready last. There are two sums, so that an addition
// need not wait for the one before.
#define CT_TAYLOR_PRODUCT(NAME, TERM, A, B)                                                                            \
    static inline TERM NAME(const A a, const B b, int k)                                                               \
    {                                                                                                                  \
        if (k == 0) {                                                                                                  \
            return a[0] * b[0];                                                                                        \
        }                                                                                                              \
        TERM even = {0.0}, odd = {0.0};                                                                                \
        int j = 1;                                                                                                     \
        for (; j < k - 1; j += 2) {                                                                                    \
            odd += a[j] * b[k - j];                                                                                    \
            even += a[j + 1] * b[k - j - 1];                                                                           \
        }                                                                                                              \
        if (j < k) {                                                                                                   \
            odd += a[j] * b[k - j];                                                                                    \
        }                                                                                                              \
        return even + odd + (a[0] * b[k] + a[k] * b[0]);                                                               \
    }
CT_TAYLOR_PRODUCT(taylorProduct, double, ctTaylor, ctTaylor)
CT_TAYLOR_PRODUCT(taylorScaled, ctTwo, ctTaylor, ctTaylorPair)
CT_TAYLOR_PRODUCT(taylorPairs, ctTwo, ctTaylorPair, ctTaylorPair)
#undef CT_TAYLOR_PRODUCT

// The same for the scalar product of two series of pairs.
static inline double taylorDot(const ctTaylorPair a, const ctTaylorPair b, int k)
{
    ctTwo sum = taylorPairs(a, b, k);
    return sum[0] + sum[1];
}

// A quarter turn back: the scalar product with it is a_x b_y - a_y b_x.
static inline ctTwo turnedBack(ctTwo b)
{
    return (ctTwo){b[1], -b[0]};
}

static inline double taylorAt(const ctTaylor a, double t)
{
    double sum = a[CT_TAYLOR_ORDER];
    for (int k = CT_TAYLOR_ORDER - 1; k >= 0; k--) {
        sum = sum * t + a[k];
    }
    return sum;
}

static inline ctTwo taylorPairAt(const ctTaylorPair a, double t)
{
    ctTwo sum = a[CT_TAYLOR_ORDER];
    for (int k = CT_TAYLOR_ORDER - 1; k >= 0; k--) {
        sum = sum * t + a[k];
    }
    return sum;
}

// The first t in (0, end] at which a rises from below zero to zero, or INFINITY. The first `skip` coefficients are
// known to be zero: a is then divided by t^skip. A series that does not start below zero has its zero at t = 0.
double ctTaylor_FirstZero(const ctTaylor a, int skip, double end);

#endif
