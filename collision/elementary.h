// Elementary functions: the one place from which collision, engine and scenes take them.
//
// Their results are the same to the last bit on every processor, with every compiler and every C library, because they
// are plain IEEE 754 double arithmetic in a fixed order: additions, multiplications, divisions and square roots,
// rounded to nearest, none of them fused. Their error is below 1 ulp (most below 0.6); tests/test_elementary.c measures
// it against MPFR. Arguments outside of a function's domain give NaN, as in C. No function sets errno.
//
// From the C library only operations that have one exact answer are used: sqrt, fabs, floor, ceil, trunc, rint,
// copysign, fmod, frexp, ldexp, ilogb, nextafter. tools/check-symbols looks for others.
#ifndef CT_ELEMENTARY_H
#define CT_ELEMENTARY_H

#include <math.h>

// The lesser and the greater of two numbers; a NaN gives way to the other. fmin and fmax of C libraries disagree on
// which zero is the lesser; here, of equal numbers the second is taken.
static inline double ctFmin(double a, double b)
{
    return a < b || b != b ? a : b;
}

static inline double ctFmax(double a, double b)
{
    return a > b || b != b ? a : b;
}

double ctSin(double x);
double ctCos(double x);
void ctSinCos(double x, double *sine, double *cosine);
double ctTan(double x);

double ctAsin(double x);
double ctAcos(double x);
double ctAtan2(double y, double x); // in [-pi, pi]

double ctExp(double x);
double ctLog(double x);
double ctLog2(double x);
double ctLog10(double x);
double ctPow(double x, double y);

double ctCbrt(double x);
double ctHypot(double x, double y); // sqrt(x^2 + y^2) without overflow on the way

#endif
