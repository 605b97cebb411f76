// Sine, cosine, tangent.
//
// The argument is x = n pi/2 + r, |r| <= pi/4, with r as a sum of two doubles. Up to 2^19 or so three parts of pi/2 do
// (Cody & Waite 1980): n times the first two is exact. Where that cancels too much, or x is large, the product of x
// with the bits of 2/pi that matter is formed in integers (Payne & Hanek 1983). Then polynomials in r, the first terms
// apart so that their rounding alone decides the error.
#include "collision/elementary.h"
#include "collision/elementary_internal.h"
#include "collision/elementary_tables.h"

#define QUARTER 0.7853981633974483 // pi/4
#define LARGE 500000.0             // n has at most 19 bits
#define SMALL 0x1p-30              // |r| below which three parts of pi/2 are not enough

// a b + carry; its upper 64 bits become the carry. b has at most 53 bits.
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *carry)
{
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t cross = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (cross & 0xffffffff), low = a * b + *carry;
    *carry = a1 * b1 + (cross >> 32) + (other >> 32) + (low < *carry);
    return low;
}

// x = n pi/2 + r, 1/4 < |x| < infinity, from the integers: returns n modulo 4.
static int reduceLarge(double x, ctTwo *r)
{
    uint64_t bits = ctBitsOf(x), mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1075; // |x| = mantissa 2^exponent
    // The 256 bits of 2/pi from weight 2^(2 - exponent - 1) on: those before them make multiples of 4.
    int start = exponent - 2 + 64, word = start / 64, shift = start % 64;
    uint64_t w[4], product[4];
    for (int i = 0; i < 4; i++) {
        w[i] = ctTwoOverPi[word + i] << shift | (shift > 0 ? ctTwoOverPi[word + i + 1] >> (64 - shift) : 0);
    }
    uint64_t carry = 0;
    for (int i = 3; i >= 0; i--) {
        product[i] = multiply(w[i], mantissa, &carry);
    }
    // product / 2^254 = x 2/pi modulo 4; n is its nearest whole number, the rest is a signed fraction.
    int n = (int)(product[0] >> 62) + (int)(product[0] >> 61 & 1);
    for (int i = 0; i < 3; i++) {
        product[i] = product[i] << 2 | product[i + 1] >> 62;
    }
    bool negative = product[0] >> 63;
    if (negative) { // the fraction minus 1, to a unit of 2^-192
        for (int i = 0; i < 3; i++) {
            product[i] = ~product[i];
        }
    }
    int zeros = 0; // at most 61 bits cancel for a double
    while (product[0] >> 63 == 0 && zeros < 100) {
        product[0] = product[0] << 1 | product[1] >> 63;
        product[1] = product[1] << 1 | product[2] >> 63;
        product[2] <<= 1;
        zeros++;
    }
    double scale = ldexp(negative ? -1.0 : 1.0, -zeros);
    double hi = (double)(product[0] >> 11) * 0x1p-53;
    double lo = (double)((product[0] & 0x7ff) << 42 | product[1] >> 22) * 0x1p-106;
    ctTwo turned = ctTwoProduct(hi, CT_PIO2_HI);
    turned = ctTwoFastSum(turned.hi, turned.lo + (hi * CT_PIO2_LO + lo * CT_PIO2_HI));
    if (x < 0.0) {
        n = -n;
        scale = -scale;
    }
    *r = (ctTwo){scale * turned.hi, scale * turned.lo};
    return n & 3;
}

// x = n pi/2 + r, |x| > pi/4 and finite: returns n modulo 4.
static int reduce(double x, ctTwo *r)
{
    if (fabs(x) < LARGE) {
        double n = ctNearest(x * CT_TWO_OVER_PI);
        double first = x - n * CT_PIO2_1;
        ctTwo second = ctTwoSum(first, -n * CT_PIO2_2);
        *r = ctTwoFastSum(second.hi, second.lo - n * CT_PIO2_3);
        if (fabs(r->hi) > SMALL) {
            return (int)n & 3;
        }
    }
    return reduceLarge(x, r);
}

// sin(r) - r.hi and cos(r) - 1 + z/2, z = r.hi^2.
static inline double sinRest(ctTwo r, double z)
{
    const double *c = ctSinTerms;
    double p = c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5]))));
    return r.lo + z * (r.hi * p - 0.5 * r.lo);
}

static inline double cosRest(ctTwo r, double z)
{
    const double *c = ctCosTerms;
    double p = c[0] + z * (c[1] + z * (c[2] + z * (c[3] + z * (c[4] + z * c[5]))));
    return z * z * p - r.hi * r.lo;
}

static inline double sinOf(ctTwo r)
{
    return r.hi + sinRest(r, r.hi * r.hi);
}

static inline double cosOf(ctTwo r)
{
    double z = r.hi * r.hi, half = 0.5 * z, most = 1.0 - half;
    return most + (((1.0 - most) - half) + cosRest(r, z));
}

double ctSin(double x)
{
    ctTwo r = {x, 0.0};
    if (fabs(x) <= QUARTER) {
        return fabs(x) < 0x1p-27 ? x : sinOf(r);
    }
    if (!isfinite(x)) {
        return x - x;
    }
    int n = reduce(x, &r);
    double value = n & 1 ? cosOf(r) : sinOf(r);
    return n & 2 ? -value : value;
}

double ctCos(double x)
{
    ctTwo r = {x, 0.0};
    if (fabs(x) <= QUARTER) {
        return cosOf(r);
    }
    if (!isfinite(x)) {
        return x - x;
    }
    int n = reduce(x, &r);
    double value = n & 1 ? sinOf(r) : cosOf(r);
    return (n + 1) & 2 ? -value : value;
}

void ctSinCos(double x, double *sine, double *cosine)
{
    ctTwo r = {x, 0.0};
    int n = 0;
    if (!(fabs(x) <= QUARTER)) {
        if (!isfinite(x)) {
            *sine = *cosine = x - x;
            return;
        }
        n = reduce(x, &r);
    }
    double s = fabs(x) < 0x1p-27 ? x : sinOf(r), c = cosOf(r), t = s;
    s = n & 1 ? c : s;
    c = n & 1 ? t : c;
    *sine = n & 2 ? -s : s;
    *cosine = (n + 1) & 2 ? -c : c;
}

double ctTan(double x)
{
    ctTwo r = {x, 0.0};
    int n = 0;
    if (fabs(x) < 0x1p-27) {
        return x;
    }
    if (!(fabs(x) <= QUARTER)) {
        if (!isfinite(x)) {
            return x - x;
        }
        n = reduce(x, &r);
    }
    ctTwo square = ctTwoProduct(r.hi, r.hi), most = ctTwoFastSum(1.0, -0.5 * square.hi);
    ctTwo s = ctTwoFastSum(r.hi, sinRest(r, square.hi));
    ctTwo c = ctTwoFastSum(most.hi, most.lo + (cosRest(r, square.hi) - 0.5 * square.lo));
    ctTwo top = n & 1 ? c : s, bottom = n & 1 ? s : c;
    double q = top.hi / bottom.hi;
    ctTwo back = ctTwoProduct(q, bottom.hi);
    q += (((top.hi - back.hi) - back.lo) + top.lo - q * bottom.lo) / bottom.hi;
    return n & 1 ? -q : q;
}
