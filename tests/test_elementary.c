// The elementary functions against MPFR, at their special values, and bit for bit.
#include "collision/elementary.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRECISION = 180 };

typedef int Exact(mpfr_t out, mpfr_srcptr x, mpfr_rnd_t rounding);
typedef int Exact2(mpfr_t out, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t rounding);

typedef struct Function {
    const char *name;
    double (*ours)(double);
    Exact *exact;
    double lo, hi;   // where it is finite and real
    double special;  // numbers near this are drawn too
    double mostUlps; // what it must not pass
} Function;

static const Function functions[] = {
    {"sin", ctSin, mpfr_sin, -1.7e308, 1.7e308, 0.0, 0.75},
    {"cos", ctCos, mpfr_cos, -1.7e308, 1.7e308, 0.0, 0.85},
    {"tan", ctTan, mpfr_tan, -1.7e308, 1.7e308, 0.0, 0.85},
    {"asin", ctAsin, mpfr_asin, -1.0, 1.0, 1.0, 0.65},
    {"acos", ctAcos, mpfr_acos, -1.0, 1.0, 1.0, 0.65},
    {"exp", ctExp, mpfr_exp, -745.13, 709.78, 0.0, 0.76}, // numbers below the normal range are rounded twice
    {"log", ctLog, mpfr_log, 4.9e-324, 1.7e308, 1.0, 0.55},
    {"log2", ctLog2, mpfr_log2, 4.9e-324, 1.7e308, 1.0, 0.55},
    {"log10", ctLog10, mpfr_log10, 4.9e-324, 1.7e308, 1.0, 0.55},
    {"cbrt", ctCbrt, mpfr_cbrt, -1.7e308, 1.7e308, 1.0, 0.6},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

// |got - exact| in units of the last place of exact.
static double ulps(double got, mpfr_t exact)
{
    if (!isfinite(got)) {
        return mpfr_get_d(exact, MPFR_RNDN) == got ? 0.0 : INFINITY;
    }
    if (mpfr_zero_p(exact)) {
        return got == 0.0 ? 0.0 : INFINITY;
    }
    mpfr_exp_t exponent = mpfr_get_exp(exact) - 53;
    mpfr_t difference;
    mpfr_init2(difference, PRECISION);
    mpfr_sub_d(difference, exact, got, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, -(exponent < -1074 ? -1074 : exponent), MPFR_RNDN);
    double off = fabs(mpfr_get_d(difference, MPFR_RNDN));
    mpfr_clear(difference);
    return off;
}

// A number of some kind: any exponent, a moderate one, near a special value, near a multiple of pi/2, short.
static double draw(ctRandom *r, double lo, double hi, double special)
{
    for (;;) {
        double sign = ctRandomUniform(r, 0, 1) < 0.5 ? -1.0 : 1.0, x = 0.0;
        switch ((int)ctRandomUniform(r, 0, 6)) {
        case 0:
            x = sign * ldexp(ctRandomUniform(r, 0.5, 1), (int)ctRandomUniform(r, -1074, 1025));
            break;
        case 1:
            x = sign * ldexp(ctRandomUniform(r, 0.5, 1), (int)ctRandomUniform(r, -12, 12));
            break;
        case 2:
            x = special + sign * ldexp(ctRandomUniform(r, 0.5, 1), (int)ctRandomUniform(r, -53, 0));
            break;
        case 3:
            x = sign * floor(ldexp(ctRandomUniform(r, 0.5, 1), (int)ctRandomUniform(r, 1, 40))) * 1.5707963267948966;
            break;
        case 4:
            x = sign * ldexp(floor(ctRandomUniform(r, 0, 256)), (int)ctRandomUniform(r, -10, 10));
            break;
        default:
            x = ctRandomUniform(r, fmax(lo, -1000.0), fmin(hi, 1000.0));
            break;
        }
        if (x >= lo && x <= hi) {
            return x;
        }
    }
}

START_TEST(errors_are_below_one_ulp)
{
    const Function *f = &functions[_i];
    ctRandom r = ctRandomSeed(100 + (unsigned)_i);
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, PRECISION);
    double worst = 0.0, at = 0.0;
    for (int i = 0; i < ctTestCases(30000); i++) {
        double argument = draw(&r, f->lo, f->hi, f->special);
        mpfr_set_d(x, argument, MPFR_RNDN);
        f->exact(y, x, MPFR_RNDN);
        double off = ulps(f->ours(argument), y);
        if (off > worst) {
            worst = off;
            at = argument;
        }
    }
    if (getenv("CT_SHOW") != NULL) {
        printf("%-6s %.4f ulp at %.17g (%a)\n", f->name, worst, at, at);
    }
    ck_assert_msg(worst <= f->mostUlps, "%s: %.4f ulp at %.17g (%a)", f->name, worst, at, at);
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}
END_TEST

static double ratioOfArc(double y, double x)
{
    return ctAtan2(y, x);
}

static const struct {
    const char *name;
    double (*ours)(double, double);
    Exact2 *exact;
    double mostUlps;
} pairs[] = {
    {"atan2", ratioOfArc, mpfr_atan2, 0.7},
    {"pow", ctPow, mpfr_pow, 0.76},
    {"hypot", ctHypot, mpfr_hypot, 0.8},
};

START_TEST(errors_of_two_arguments_are_below_one_ulp)
{
    ctRandom r = ctRandomSeed(200 + (unsigned)_i);
    mpfr_t x, y, z;
    mpfr_inits2(53, x, y, (mpfr_ptr)NULL);
    mpfr_init2(z, PRECISION);
    double worst = 0.0, atX = 0.0, atY = 0.0;
    for (int i = 0; i < ctTestCases(40000); i++) {
        double a = draw(&r, -1.7e308, 1.7e308, 1.0), b = draw(&r, -1.7e308, 1.7e308, 0.0);
        if (_i == 1) { // positive bases; half of the time a result that neither overflows nor underflows
            a = fabs(a);
            b = i % 2 == 0 || ctLog(a) == 0.0 ? b : ctRandomUniform(&r, -745.0, 709.0) / ctLog(a);
            b = isfinite(b) ? b : 1.0;
        } else if (i % 2 == 0) {
            b = a * ctRandomUniform(&r, -2.0, 2.0);
        }
        mpfr_set_d(x, a, MPFR_RNDN);
        mpfr_set_d(y, b, MPFR_RNDN);
        pairs[_i].exact(z, x, y, MPFR_RNDN);
        double off = ulps(pairs[_i].ours(a, b), z);
        if (off > worst) {
            worst = off;
            atX = a;
            atY = b;
        }
    }
    if (getenv("CT_SHOW") != NULL) {
        printf("%-6s %.4f ulp at %a, %a\n", pairs[_i].name, worst, atX, atY);
    }
    ck_assert_msg(worst <= pairs[_i].mostUlps, "%s: %.4f ulp at %a, %a", pairs[_i].name, worst, atX, atY);
    mpfr_clears(x, y, z, (mpfr_ptr)NULL);
}
END_TEST

// Doubles next to multiples of pi/2, found by continued fractions (Muller 1997): cancellation of up to 61 bits.
START_TEST(worst_cases_of_the_reduction)
{
    const double hard[] = {
        0x1.6ac5b262ca1ffp+849, 0x1.921fb54442d18p+0,  0x1.6c6cbc45dc8dep+5,    0x1.61a3db8c8d129p+1023,
        0x1.a12b4f4dfa2d4p+0,   0x1.23dd2799ec5d3p+62, 0x1.fffffffffffffp+1023, 0x1p+1023};
    mpfr_t x, y;
    mpfr_init2(x, 53);
    mpfr_init2(y, PRECISION);
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
        double s, c;
        ctSinCos(hard[i], &s, &c);
        ck_assert(s == ctSin(hard[i]) && c == ctCos(hard[i]));
        mpfr_set_d(x, hard[i], MPFR_RNDN);
        mpfr_sin(y, x, MPFR_RNDN);
        ck_assert(ulps(s, y) < 0.75);
        mpfr_cos(y, x, MPFR_RNDN);
        ck_assert(ulps(c, y) < 0.85);
        mpfr_tan(y, x, MPFR_RNDN);
        ck_assert(ulps(ctTan(hard[i]), y) < 0.85);
    }
    mpfr_clears(x, y, (mpfr_ptr)NULL);
}
END_TEST

typedef double Libm(double);
static Libm *const libm[FUNCTIONS] = {sin, cos, tan, asin, acos, exp, log, log2, log10, cbrt};

// The same value; zeros by their sign; NaN is NaN.
static bool same(double a, double b)
{
    return (a != a && b != b) || (a == b && signbit(a) == signbit(b));
}

// Annex F of C11 says what functions give for these; the C library of the test is taken as its word.
START_TEST(special_values_are_those_of_the_standard)
{
    const double values[] = {0.0,  -0.0,     1.0,       -1.0,  0.5,    -0.5,     2.0,
                             -2.0, 3.0,      -3.0,      1e308, -1e308, INFINITY, -INFINITY,
                             NAN,  4.9e-324, -4.9e-324, 2.5,   1e16,   -1e16,    9007199254740991.0};
    enum { VALUES = sizeof values / sizeof values[0] };
    for (int i = 0; i < VALUES; i++) {
        double x = values[i];
        for (int f = 0; f < FUNCTIONS; f++) {
            double want = libm[f](x), got = functions[f].ours(x);
            bool special = x != x || isinf(x) || x == 0.0 || want != want || isinf(want) || want == 0.0;
            ck_assert_msg(!special || same(got, want), "%s(%g): %g, not %g", functions[f].name, x, got, want);
        }
        for (int j = 0; j < VALUES; j++) {
            double y = values[j];
            double want[] = {atan2(x, y), pow(x, y), hypot(x, y)};
            double got[] = {ctAtan2(x, y), ctPow(x, y), ctHypot(x, y)};
            for (int f = 0; f < 3; f++) {
                bool close = same(got[f], want[f]) || fabs(got[f] - want[f]) <= 3e-16 * fabs(want[f]);
                ck_assert_msg(close, "%s(%g, %g): %g, not %g", pairs[f].name, x, y, got[f], want[f]);
            }
        }
    }
}
END_TEST

START_TEST(exact_answers_are_exact)
{
    for (int i = -1074; i < 1024; i++) {
        ck_assert(ctLog2(ldexp(1.0, i)) == i);
        ck_assert(ctPow(2.0, i) == ldexp(1.0, i));
        ck_assert(i % 3 != 0 || ctCbrt(ldexp(1.0, i)) == ldexp(1.0, i / 3));
    }
    double power = 1.0;
    for (int i = 0; i <= 22; i++, power *= 10.0) {
        ck_assert(ctLog10(power) == i);
        ck_assert(ctPow(10.0, i) == power);
    }
    for (int i = 1; i < 2000; i++) {
        ck_assert(ctPow(i, 2.0) == (double)i * i);
        ck_assert(ctPow(i, 3.0) == (double)i * i * i);
        ck_assert(ctPow((double)i * i, 0.5) == i);
        ck_assert(ctCbrt((double)i * i * i) == i);
        ck_assert(ctHypot(3.0 * i, 4.0 * i) == 5.0 * i);
    }
    ck_assert(ctExp(0.0) == 1.0 && ctCos(0.0) == 1.0 && ctLog(1.0) == 0.0 && ctAcos(1.0) == 0.0);
}
END_TEST

START_TEST(lesser_and_greater)
{
    ck_assert(ctFmin(1.0, 2.0) == 1.0 && ctFmin(2.0, 1.0) == 1.0 && ctFmax(1.0, 2.0) == 2.0 && ctFmax(2.0, 1.0) == 2.0);
    ck_assert(ctFmin(NAN, 1.0) == 1.0 && ctFmin(1.0, NAN) == 1.0 && ctFmax(NAN, 1.0) == 1.0 && ctFmax(1.0, NAN) == 1.0);
    ck_assert(ctFmin(INFINITY, 1.0) == 1.0 && ctFmax(-INFINITY, 1.0) == 1.0);
}
END_TEST

// A sum over the bits of a million results. It must be the same on every machine and with every compiler; a change of
// it changes the course of chaotic scenes.
START_TEST(bits_are_the_same_everywhere)
{
    ctRandom r = ctRandomSeed(300);
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < 60000; i++) {
        double results[FUNCTIONS + 3], a = 0.0, b = 0.0;
        for (int f = 0; f < FUNCTIONS; f++) {
            a = draw(&r, functions[f].lo, functions[f].hi, functions[f].special);
            results[f] = functions[f].ours(a);
        }
        a = fabs(a);
        b = draw(&r, -20.0, 20.0, 1.0);
        results[FUNCTIONS] = ctAtan2(a, b);
        results[FUNCTIONS + 1] = ctPow(a, b);
        results[FUNCTIONS + 2] = ctHypot(a, b);
        for (int f = 0; f < FUNCTIONS + 3; f++) {
            uint64_t bits;
            memcpy(&bits, &results[f], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    ck_assert_msg(hash == 0x8590648cc091f1cau, "hash %016llx", (unsigned long long)hash);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("elementary");
    TCase *exact = tcase_create("against MPFR");
    tcase_add_loop_test(exact, errors_are_below_one_ulp, 0, FUNCTIONS);
    tcase_add_loop_test(exact, errors_of_two_arguments_are_below_one_ulp, 0, 3);
    tcase_add_test(exact, worst_cases_of_the_reduction);
    suite_add_tcase(suite, exact);
    TCase *values = tcase_create("values");
    tcase_add_test(values, special_values_are_those_of_the_standard);
    tcase_add_test(values, exact_answers_are_exact);
    tcase_add_test(values, lesser_and_greater);
    tcase_add_test(values, bits_are_the_same_everywhere);
    suite_add_tcase(suite, values);
    return ctRunSuite(suite);
}
