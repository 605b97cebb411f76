// Elementary functions: the one place from which collision, engine and scenes take them.
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

static inline double ctSin(double x)
{
    return sin(x);
}

static inline double ctCos(double x)
{
    return cos(x);
}

static inline double ctAsin(double x)
{
    return asin(x);
}

static inline double ctAcos(double x)
{
    return acos(x);
}

static inline double ctAtan2(double y, double x)
{
    return atan2(y, x);
}

static inline double ctExp(double x)
{
    return exp(x);
}

static inline double ctLog(double x)
{
    return log(x);
}

static inline double ctPow(double x, double y)
{
    return pow(x, y);
}

static inline double ctCbrt(double x)
{
    return cbrt(x);
}

static inline double ctHypot(double x, double y)
{
    return hypot(x, y);
}

#endif
