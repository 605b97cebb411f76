// Made by tools/elementary-tables; change that instead.
#ifndef CT_ELEMENTARY_TABLES_H
#define CT_ELEMENTARY_TABLES_H

#include <stdint.h>

// pi/2 in three parts; the first two have at most 33 bits.
#define CT_PIO2_1 0x1.921fb54400000p+0
#define CT_PIO2_2 0x1.0b4611a600000p-34
#define CT_PIO2_3 0x1.3198a2e037073p-69
#define CT_TWO_OVER_PI 0x1.45f306dc9c883p-1

// pi/2 and pi as sums of two doubles.
#define CT_PIO2_HI 0x1.921fb54442d18p+0
#define CT_PIO2_LO 0x1.1a62633145c07p-54
#define CT_PI_HI 0x1.921fb54442d18p+1
#define CT_PI_LO 0x1.1a62633145c07p-53

// 2/pi in binary, 64 bits to a word, after a word of zeros.
extern const uint64_t ctTwoOverPi[21];

// sin r = r + r^3 P(r^2), |r| <= pi/4.
extern const double ctSinTerms[6];

// cos r = 1 - r^2/2 + r^4 P(r^2), |r| <= pi/4.
extern const double ctCosTerms[6];

// asin x = x + x^3 P(x^2), |x| <= 1/2.
extern const double ctAsinTerms[14];

// atan x = x + x^3 P(x^2), |x| <= 1/8.
extern const double ctAtanTerms[7];

// atan(i/32) as a sum of two doubles.
extern const double ctAtanKnots[33][2];

// ln 2 / 128 in two parts; the first has at most 35 bits.
#define CT_LN2_128_HI 0x1.62e42fefc0000p-8
#define CT_LN2_128_LO -0x1.c610ca86c3899p-44
#define CT_ONE_OVER_LN2_128 0x1.71547652b82fep+7

// 2^(i/128) as a sum of two doubles.
extern const double ctExp2Knots[128][2];

// ln 2 in two parts; the first is a multiple of 2^-42.
#define CT_LN2_HI 0x1.62e42fefa3800p-1
#define CT_LN2_LO 0x1.ef35793c76730p-45
#define CT_LOG2_E_HI 0x1.71547652b82fep+0
#define CT_LOG2_E_LO 0x1.777d0ffda0d24p-56
#define CT_LOG10_E_HI 0x1.bcb7b1526e50ep-2
#define CT_LOG10_E_LO 0x1.95355baaafad3p-57

// 1/c to 26 bits, and log c in two parts, the first a multiple of 2^-42; c is the middle of an interval.
extern const double ctLogKnots[128][3];

// A first guess at the cube root, 1 <= x <= 2.
extern const double ctCbrtTerms[5];

// Cube roots of 1, 2 and 4.
extern const double ctCbrtScale[3];

#endif
