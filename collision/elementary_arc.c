// Arc sine, arc cosine, arc tangent.
//
// asin x = x + x^3 P(x^2) up to 1/2; beyond, asin x = pi/2 - 2 asin s with s = sqrt((1 - x) / 2). atan(y/x) is reduced
// to q = lesser/greater in [0, 1], held as a sum of two doubles; up to 1/8 q + q^3 P(q^2); beyond, with c = i/32 next
// to q, atan q = atan c + atan((q - c) / (1 + c q)), and the last arc is below 1/64. Sums with multiples of pi/2 are
// exact in their first part.
#include "collision/elementary.h"
#include "collision/elementary_internal.h"
#include "collision/elementary_tables.h"

// (asin x - x) / x, z = x^2 <= 1/4.
static inline double asinRest(double z)
{
    const double *c = ctAsinTerms;
    double z2 = z * z, z4 = z2 * z2;
    double low = (c[0] + z * c[1]) + z2 * (c[2] + z * c[3]);
    double middle = (c[4] + z * c[5]) + z2 * (c[6] + z * c[7]);
    double high = (c[8] + z * c[9]) + z2 * (c[10] + z * c[11]) + z4 * (c[12] + z * c[13]);
    return z * (low + z4 * (middle + z4 * high));
}

// asin(sqrt((1 - x) / 2)) = first + rest, 1/2 <= x <= 1.
static inline ctTwo asinOfHalf(double x)
{
    double z = 0.5 * (1.0 - x), s = sqrt(z);
    if (s == 0.0) {
        return (ctTwo){0.0, 0.0};
    }
    ctTwo square = ctTwoProduct(s, s);
    double missing = ((z - square.hi) - square.lo) / (2.0 * s);
    return (ctTwo){s, s * asinRest(z) + missing};
}

double ctAsin(double x)
{
    double a = fabs(x);
    if (a < 0x1p-27) {
        return x;
    }
    if (a <= 0.5) {
        return x + x * asinRest(x * x);
    }
    if (!(a <= 1.0)) {
        return (x - x) / (x - x);
    }
    ctTwo half = asinOfHalf(a), sum = ctTwoFastSum(CT_PIO2_HI, -2.0 * half.hi);
    return copysign(sum.hi + (sum.lo + (CT_PIO2_LO - 2.0 * half.lo)), x);
}

double ctAcos(double x)
{
    if (fabs(x) <= 0.5) {
        ctTwo sum = ctTwoFastSum(CT_PIO2_HI, -x);
        return sum.hi + (sum.lo + (CT_PIO2_LO - x * asinRest(x * x)));
    }
    if (!(fabs(x) <= 1.0)) {
        return (x - x) / (x - x);
    }
    ctTwo half = asinOfHalf(fabs(x));
    if (x > 0.0) {
        return 2.0 * (half.hi + half.lo);
    }
    ctTwo sum = ctTwoFastSum(CT_PI_HI, -2.0 * half.hi);
    return sum.hi + (sum.lo + (CT_PI_LO - 2.0 * half.lo));
}

// atan(q) = first + rest, 0 <= q.hi <= 1.
static inline ctTwo atanOf(ctTwo q)
{
    if (q.hi <= 0.125) {
        const double *c = ctAtanTerms;
        double z = q.hi * q.hi, p = c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * (c[5] + z * c[6])))));
        return (ctTwo){q.hi, q.lo + q.hi * (z * p) - q.lo * z};
    }
    int knot = (int)(32.0 * q.hi + 0.5);
    double c = 0.03125 * knot, d = ((q.hi - c) + q.lo) / (1.0 + c * q.hi), z = d * d;
    double rest = z * (-1.0 / 3.0 + z * (1.0 / 5.0 + z * (-1.0 / 7.0 + z * (1.0 / 9.0))));
    return (ctTwo){ctAtanKnots[knot][0], ctAtanKnots[knot][1] + (d + d * rest)};
}

// base - a, base a sum of two doubles that is not less.
static inline double less(double baseHi, double baseLo, ctTwo a)
{
    ctTwo sum = ctTwoFastSum(baseHi, -a.hi);
    return sum.hi + (sum.lo + (baseLo - a.lo));
}

static inline ctTwo quotient(double top, double bottom)
{
    double q = top / bottom;
    ctTwo back = ctTwoProduct(q, bottom);
    return (ctTwo){q, ((top - back.hi) - back.lo) / bottom};
}

// atan2 where one of the arguments is zero, infinite or NaN, or they are too far apart or too large or small for
// products; ay, ax are their magnitudes.
static double atan2Special(double y, double x, double ay, double ax)
{
    if (y != y || x != x) {
        return y + x;
    }
    if (isinf(ax) && isinf(ay)) {
        double value = 0.5 * CT_PIO2_HI;
        return copysign(signbit(x) ? 3.0 * CT_PI_HI / 4.0 : value, y);
    }
    if (ay == 0.0 || isinf(ax)) {
        return copysign(signbit(x) ? CT_PI_HI : 0.0, y);
    }
    if (ax == 0.0 || isinf(ay) || ay / 0x1p60 > ax) {
        return copysign(CT_PIO2_HI, y);
    }
    if (ax / 0x1p60 > ay) {
        return copysign(signbit(x) ? CT_PI_HI : ay / ax, y);
    }
    double scale = ax > 1.0 ? 0x1p-200 : 0x1p200;
    return ctAtan2(scale * y, scale * x);
}

double ctAtan2(double y, double x)
{
    double ay = fabs(y), ax = fabs(x);
    bool steep = ay > ax; // the angle is measured from the y axis
    double least = steep ? ax : ay, most = steep ? ay : ax;
    if (!(least > 0x1p-900 && most < 0x1p900 && most < 0x1p60 * least)) {
        return atan2Special(y, x, ay, ax);
    }
    ctTwo arc = atanOf(quotient(least, most));
    double value;
    if (steep) {
        ctTwo from = {signbit(x) ? -arc.hi : arc.hi, signbit(x) ? -arc.lo : arc.lo};
        value = less(CT_PIO2_HI, CT_PIO2_LO, from);
    } else {
        value = signbit(x) ? less(CT_PI_HI, CT_PI_LO, arc) : arc.hi + arc.lo;
    }
    return copysign(value, y);
}
