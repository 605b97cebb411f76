// Exponential, logarithms and powers.
//
// exp x = 2^k 2^(i/128) exp r with x = (128 k + i) ln 2 / 128 + r, |r| < 0.0028, the powers from a table (Tang 1989).
// log x = k ln 2 + log c + log(1 + r) with x = 2^k z, c the middle of one of 128 intervals of z, and r = z/c - 1 exact,
// because 1/c is kept to 26 bits; k ln 2 + log c is exact in its first part. x^y = exp(y log x) with log x to 68 bits
// or so.
#include "collision/elementary.h"
#include "collision/elementary_internal.h"
#include "collision/elementary_tables.h"

#define ORIGIN 0x3fe6100000000000 // z starts here, at 0.689...

// y 2^k where the result may leave the range of normal numbers.
static double scaleFar(double y, int k)
{
    int half = k / 2;
    return y * ctPowerOfTwo(half) * ctPowerOfTwo(k - half);
}

double ctExpTwo(double x, double low)
{
    if (!(fabs(x) < 745.2)) {
        return x != x ? x : x < 0.0 ? 0.0 : HUGE_VAL;
    }
    double n = ctNearest(x * CT_ONE_OVER_LN2_128);
    int whole = (int)n, i = whole & 127, k = (whole - i) / 128;
    double r = ((x - n * CT_LN2_128_HI) - n * CT_LN2_128_LO) + low, r2 = r * r;
    double p = r + r2 * (0.5 + r * (1.0 / 6.0) + r2 * (1.0 / 24.0 + r * (1.0 / 120.0)));
    const double *knot = ctExp2Knots[i];
    double y = knot[0] + (knot[1] + knot[0] * p);
    return k > -1022 && k < 1024 ? y * ctPowerOfTwo(k) : scaleFar(y, k);
}

double ctExp(double x)
{
    return ctExpTwo(x, 0.0);
}

typedef struct Reduced {
    double k, c, cLow; // x = 2^k z; log of c, in two parts
    ctTwo r;           // z/c - 1
} Reduced;

// x > 0, normal; shift is added to k.
static inline Reduced reduce(double x, int shift)
{
    uint64_t bits = ctBitsOf(x), from = bits - ORIGIN;
    int k = (int)((int64_t)from >> 52), i = (int)(from >> 45 & 127);
    double z = ctFromBits(bits - (from & 0xfff0000000000000));
    double upper = ctFromBits(ctBitsOf(z) & 0xfffffffff8000000), inverse = ctLogKnots[i][0]; // 26 bits each
    ctTwo r = ctTwoFastSum(upper * inverse - 1.0, (z - upper) * inverse);
    return (Reduced){(double)(k + shift), ctLogKnots[i][1], ctLogKnots[i][2], r};
}

// What log gives for zero, negative numbers, infinity and NaN.
static double logSpecial(double x)
{
    return x == 0.0 ? -HUGE_VAL : x > 0.0 || x != x ? x : (x - x) / (x - x);
}

// log of a reduced argument.
static inline double logReduced(Reduced q)
{
    double r = q.r.hi, z = r * r;
    double p = z * ((-0.5 + r * (1.0 / 3.0)) + z * ((-0.25 + r * 0.2) + z * (-1.0 / 6.0 + r * (1.0 / 7.0))));
    ctTwo sum = ctTwoSum(q.k * CT_LN2_HI + q.c, r);
    return sum.hi + (sum.lo + (q.r.lo + (q.cLow + q.k * CT_LN2_LO)) + p);
}

double ctLog(double x)
{
    if (x >= 0x1p-1022 && x < HUGE_VAL) {
        return logReduced(reduce(x, 0));
    }
    return x > 0.0 && x < 1.0 ? logReduced(reduce(0x1p54 * x, -54)) : logSpecial(x);
}

ctTwo ctLogTwo(double x)
{
    Reduced q = x < 0x1p-1022 ? reduce(0x1p54 * x, -54) : reduce(x, 0);
    double r = q.r.hi;
    ctTwo square = ctTwoProduct(r, r);
    double z = square.hi;
    double p = (r * z) * ((1.0 / 3.0 - r * 0.25) + z * ((0.2 - r * (1.0 / 6.0)) + z * (1.0 / 7.0 - r * 0.125)));
    ctTwo first = ctTwoSum(q.k * CT_LN2_HI + q.c, r), second = ctTwoSum(first.hi, -0.5 * square.hi);
    double lows = q.cLow + q.k * CT_LN2_LO + (q.r.lo - r * q.r.lo - 0.5 * square.lo);
    ctTwo third = ctTwoSum(second.lo + first.lo, p);
    return ctTwoFastSum(second.hi, third.hi + (third.lo + lows));
}

// log x times a constant.
static double logTimes(double x, double hi, double lo)
{
    if (!(x > 0.0 && x < HUGE_VAL)) {
        return logSpecial(x);
    }
    ctTwo l = ctLogTwo(x), p = ctTwoProduct(l.hi, hi);
    return p.hi + (p.lo + (l.hi * lo + l.lo * hi));
}

double ctLog2(double x)
{
    return logTimes(x, CT_LOG2_E_HI, CT_LOG2_E_LO);
}

double ctLog10(double x)
{
    return logTimes(x, CT_LOG10_E_HI, CT_LOG10_E_LO);
}

static bool isOdd(double y)
{
    return fabs(y) < 0x1p53 && fmod(y, 2.0) != 0.0;
}

// x^y where x is not positive and finite, or y is not finite.
static double powSpecial(double x, double y)
{
    if (x == 1.0 || y == 0.0) {
        return 1.0;
    }
    if (x != x || y != y) {
        return x + y;
    }
    double a = fabs(x);
    if (isinf(y)) {
        return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
    }
    bool odd = isOdd(y);
    double value;
    if (a == 0.0 || isinf(a)) {
        value = (a == 0.0) == (y < 0.0) ? HUGE_VAL : 0.0;
    } else if (floor(y) != y) {
        return (x - x) / (x - x);
    } else {
        value = ctPow(a, y);
    }
    return signbit(x) && odd ? -value : value;
}

double ctPow(double x, double y)
{
    if (!(x > 0.0 && x < HUGE_VAL && fabs(y) < HUGE_VAL)) {
        return powSpecial(x, y);
    }
    if (y == 1.0 || x == 1.0) {
        return x;
    }
    ctTwo l = ctLogTwo(x);
    double whole = y * l.hi;
    if (!(fabs(whole) > 0x1p-60)) {
        return 1.0 + whole;
    }
    if (!(fabs(whole) < 746.0)) {
        return whole > 0.0 ? HUGE_VAL : 0.0;
    }
    double power = fabs(y) > 0x1p500 ? 0x1p-600 : 1.0; // y log x is moderate: log x is then tiny, and scaled in turn
    ctTwo p = ctTwoProduct(power * y, l.hi / power);
    return ctExpTwo(p.hi, p.lo + y * l.lo);
}
