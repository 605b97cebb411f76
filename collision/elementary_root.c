// Cube root and hypotenuse.
#include "collision/elementary.h"
#include "collision/elementary_internal.h"
#include "collision/elementary_tables.h"

// The root of m in [1, 8): a first guess y, Halley's step, and then y = t + d with t^3 exact (17 bits) and
// d = (m - t^3) / (3 t^2 + 3 t d + d^2).
double ctCbrt(double x)
{
    if (x == 0.0 || !isfinite(x)) {
        return x + x;
    }
    int shift = 0;
    double a = fabs(x);
    if (a < 0x1p-1022) {
        a *= 0x1p54;
        shift = -18;
    }
    uint64_t bits = ctBitsOf(a);
    int exponent = (int)(bits >> 52) - 1023 + 1074, third = exponent / 3, left = exponent - 3 * third; // 1074 = 3 * 358
    double unit = ctFromBits((bits & 0xfffffffffffff) | 0x3ff0000000000000), m = unit * (double)(1 << left);
    const double *c = ctCbrtTerms;
    double y = ctCbrtScale[left] * (c[0] + unit * (c[1] + unit * (c[2] + unit * (c[3] + unit * c[4]))));
    double cube = y * y * y;
    y = y * ((cube + 2.0 * m) / (2.0 * cube + m));
    double t = ctFromBits(ctBitsOf(y) & 0xfffffff000000000), d = y - t;
    d = (m - t * t * t) / (3.0 * t * y + d * d);
    return copysign((t + d) * ctPowerOfTwo(third - 358 + shift), x);
}

double ctHypot(double x, double y)
{
    double a = ctFmax(fabs(x), fabs(y)), b = ctFmin(fabs(x), fabs(y));
    if (isinf(x) || isinf(y)) {
        return HUGE_VAL;
    }
    if (x != x || y != y) {
        return x + y;
    }
    if (b <= 0x1p-60 * a) {
        return a + b;
    }
    double scale = a > 0x1p400 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1.0;
    a *= scale;
    b *= scale;
    ctTwo p = ctTwoProduct(a, a), q = ctTwoProduct(b, b), sum = ctTwoFastSum(p.hi, q.hi);
    double root = sqrt(sum.hi);
    ctTwo back = ctTwoProduct(root, root);
    double missing = (((sum.hi - back.hi) - back.lo) + (sum.lo + (p.lo + q.lo))) / (2.0 * root);
    return (root + missing) / scale;
}
