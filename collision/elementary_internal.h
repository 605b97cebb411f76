// Numbers as unevaluated sums of two doubles, and doubles as bits, for the elementary functions.
//
// sum and product are exact (Knuth 1969; Veltkamp and Dekker 1971) when each operation is rounded to nearest in double
// precision and nothing overflows or falls below the normal range.
#ifndef CT_ELEMENTARY_INTERNAL_H
#define CT_ELEMENTARY_INTERNAL_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "intermediate results must be doubles: on 32-bit x86 compile with -mfpmath=sse");

typedef struct ctTwo {
    double hi, lo;
} ctTwo;

static inline ctTwo ctTwoSum(double a, double b)
{
    double s = a + b, t = s - a;
    return (ctTwo){s, (a - (s - t)) + (b - t)};
}

// The same where |a| >= |b| or a = 0.
static inline ctTwo ctTwoFastSum(double a, double b)
{
    double s = a + b;
    return (ctTwo){s, b - (s - a)};
}

// The upper 26 bits of a.
static inline double ctTwoUpper(double a)
{
    double scaled = 134217729.0 * a; // 2^27 + 1
    return scaled - (scaled - a);
}

static inline ctTwo ctTwoProduct(double a, double b)
{
    double p = a * b, ah = ctTwoUpper(a), bh = ctTwoUpper(b), al = a - ah, bl = b - bh;
    return (ctTwo){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline uint64_t ctBitsOf(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ctFromBits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// x rounded to a whole number, |x| < 2^51.
static inline double ctNearest(double x)
{
    return (x + 0x1.8p52) - 0x1.8p52;
}

// 2^exponent of a normal number.
static inline double ctPowerOfTwo(int exponent)
{
    return ctFromBits((uint64_t)(exponent + 1023) << 52);
}

// exp(x + low), |low| < 2^-20 |x| or so; and log x + remainder, x > 0 and finite.
double ctExpTwo(double x, double low);
ctTwo ctLogTwo(double x);

#endif
