#include "engine/impact/flow.h"

#include <string.h>

// Four components at once: (c, s, r, u_z) and their derivatives, or the integrals below.
typedef double Four __attribute__((vector_size(32)));
#define INLINE static inline __attribute__((always_inline))

// By pointer, here and below: passing wide vectors by value is a matter of the compiler's options.
INLINE void load(Four *v, const double *x)
{
    memcpy(v, x, sizeof *v);
}

INLINE void store(double *x, const Four *v)
{
    memcpy(x, v, sizeof *v);
}

// The coefficients of a flow times h, laid out so that the derivatives come from whole vectors. With cc and
// ss the vectors of four equal c or s,
//     first = (hy, hy, hx, kz),  second = (hx, hx, -hy, 0),  cc first - ss second = (f, f, g, .).
// The derivatives are linear in these coefficients: multiplying them by h once saves a multiplication in
// each of the twelve links of the chain that a step is.
typedef struct Coefficients {
    Four first, firstC, firstS, second, secondC, secondS;
} Coefficients;

INLINE void coefficientsOf(const ctFlow *k, double h, Coefficients *out)
{
    double m11 = h * k->m11, m12 = h * k->m12, m22 = h * k->m22, d1 = h * k->d1, d2 = h * k->d2;
    *out = (Coefficients){{d2, d2, d1, h * k->k33}, {m12, m12, m11, h * k->n1}, {m22, m22, m12, h * k->n2},
                          {d1, d1, -d2, 0.0},       {m11, m11, -m12, 0.0},      {m12, m12, -m22, 0.0}};
}

// h (-s f, c f, r g, r kz)
INLINE void rateOf(const Coefficients *k, const Four *at, Four *rate)
{
    const Four y = *at;
    Four cc = __builtin_shufflevector(y, y, 0, 0, 0, 0), ss = __builtin_shufflevector(y, y, 1, 1, 1, 1);
    Four first = k->first - k->firstC * cc - k->firstS * ss;
    Four second = k->second - k->secondC * cc - k->secondS * ss;
    Four slope = __builtin_shufflevector(cc * first - ss * second, first, 0, 1, 2, 7);
    const Four sign = {-1.0, 1.0, 1.0, 1.0};
    *rate = __builtin_shufflevector(y, y, 1, 0, 2, 2) * sign * slope;
}

// r (c, s, r, u_z): the derivatives of the integrals
#define INTEGRAND(y) (__builtin_shufflevector(y, y, 2, 2, 2, 2) * y)

// The tableau of DOP853. STAGE_i is the point of stage i, from the start and the
// derivatives (times h) of the stages before; the newest, which everything waits for, comes in last.
// RESULT is of order eight; the embedded formulas of orders five and three differ from it by ERROR5 and ERROR3.
#define STAGE_1 (y0 + 0.05260015195876773 * d0)
#define STAGE_2 (y0 + 0.0197250569845379 * d0 + 0.0591751709536137 * d1)
#define STAGE_3 (y0 + 0.02958758547680685 * d0 + 0.08876275643042054 * d2)
#define STAGE_4 (y0 + 0.2413651341592667 * d0 - 0.8845494793282861 * d2 + 0.924834003261792 * d3)
#define STAGE_5 (y0 + 0.037037037037037035 * d0 + 0.17082860872947386 * d3 + 0.12546768756682242 * d4)
#define STAGE_6 (y0 + 0.037109375 * d0 + 0.17025221101954405 * d3 + 0.06021653898045596 * d4 - 0.017578125 * d5)
#define STAGE_7                                                                                                        \
    (y0 + 0.03709200011850479 * d0 + 0.17038392571223998 * d3 + 0.10726203044637328 * d4 - 0.015319437748624402 * d5 + \
     0.008273789163814023 * d6)
#define STAGE_8                                                                                                        \
    (y0 + 0.6241109587160757 * d0 - 3.3608926294469414 * d3 - 0.868219346841726 * d4 + 27.59209969944671 * d5 +        \
     20.154067550477894 * d6 - 43.48988418106996 * d7)
#define STAGE_9                                                                                                        \
    (y0 + 0.47766253643826434 * d0 - 2.4881146199716677 * d3 - 0.590290826836843 * d4 + 21.230051448181193 * d5 +      \
     15.279233632882423 * d6 - 33.28821096898486 * d7 - 0.020331201708508627 * d8)
#define STAGE_10                                                                                                       \
    (y0 - 0.9371424300859873 * d0 + 5.186372428844064 * d3 + 1.0914373489967295 * d4 - 8.149787010746927 * d5 -        \
     18.52006565999696 * d6 + 22.739487099350505 * d7 + 2.4936055526796523 * d8 - 3.0467644718982196 * d9)
#define STAGE_11                                                                                                       \
    (y0 + 2.273310147516538 * d0 - 10.53449546673725 * d3 - 2.0008720582248625 * d4 - 17.9589318631188 * d5 +          \
     27.94888452941996 * d6 - 2.8589982771350235 * d7 - 8.87285693353063 * d8 + 12.360567175794303 * d9 +              \
     0.6433927460157636 * d10)
#define RESULT(x0, x5, x6, x7, x8, x9, x10, x11)                                                                       \
    (0.054293734116568765 * (x0) + 4.450312892752409 * (x5) + 1.8915178993145003 * (x6)-5.801203960010585 * (x7) +     \
     0.3111643669578199 * (x8)-0.1521609496625161 * (x9) + 0.20136540080403034 * (x10) + 0.04471061572777259 * (x11))
#define ERROR5(x0, x5, x6, x7, x8, x9, x10, x11)                                                                       \
    (0.01312004499419488 * (x0)-1.2251564463762044 * (x5)-0.4957589496572502 * (x6) +                                  \
     1.6643771824549864 * (x7)-0.35032884874997366 * (x8) + 0.3341791187130175 * (x9) +                                \
     0.08192320648511571 * (x10)-0.022355307863886294 * (x11))
#define ERROR3(x0, x5, x6, x7, x8, x9, x10, x11)                                                                       \
    (-0.18980075407240762 * (x0) + 4.450312892752409 * (x5) +                                                          \
     1.8915178993145003 * (x6)-5.801203960010585 * (x7)-0.4226823213237919 * (x8)-0.1521609496625161 * (x9) +          \
     0.20136540080403034 * (x10) + 0.02265179219836082 * (x11))
// A formula over the eight derivatives that count, the points they were taken at, and the integrands there.
#define OVER_RATES(formula) formula(d0, d5, d6, d7, d8, d9, d10, d11)
#define OVER_POINTS(formula) formula(y0, y5, y6, y7, y8, y9, y10, y11)
#define OVER_INTEGRANDS(formula)                                                                                       \
    formula(INTEGRAND(y0), INTEGRAND(y5), INTEGRAND(y6), INTEGRAND(y7), INTEGRAND(y8), INTEGRAND(y9), INTEGRAND(y10),  \
            INTEGRAND(y11))
#define AT_STAGE(i)                                                                                                    \
    Four y##i = STAGE_##i, d##i;                                                                                       \
    rateOf(&scaled, &y##i, &d##i)

INLINE double step8(const ctFlow *k, const ctFlowState *from, double h, const ctFlowScale *scale, ctFlowState *to)
{
    Coefficients scaled;
    coefficientsOf(k, h, &scaled);
    Four y0, d0, integrals;
    load(&y0, &from->c);
    load(&integrals, &from->ix);
    rateOf(&scaled, &y0, &d0);
    AT_STAGE(1);
    AT_STAGE(2);
    AT_STAGE(3);
    AT_STAGE(4);
    AT_STAGE(5);
    AT_STAGE(6);
    AT_STAGE(7);
    AT_STAGE(8);
    AT_STAGE(9);
    AT_STAGE(10);
    AT_STAGE(11);
    Four end = y0 + OVER_RATES(RESULT);
    double rBefore = y0[2], rAfter = end[2], pzBefore = from->pz;
    integrals += h * OVER_INTEGRANDS(RESULT);
    store(&to->ix, &integrals);
    to->pz = pzBefore + h * OVER_POINTS(RESULT)[2];
    store(&to->c, &end);
    // Back onto the unit circle, which a step that need not be accurate may have left.
    double norm = 1.0 / sqrt(end[0] * end[0] + end[1] * end[1]);
    to->c *= norm;
    to->s *= norm;
    if (scale == NULL) {
        return 0.0;
    }
    if (!(rAfter > 0.0)) {
        return INFINITY;
    }
    double largest = rBefore > rAfter ? rBefore : rAfter, smallest = rBefore < rAfter ? rBefore : rAfter;
    double impulse = pzBefore > scale->impulse ? pzBefore : scale->impulse;
    double weight = largest / (largest + scale->rate * impulse), perSpeed = weight / smallest;
    double perImpulse = h / (impulse + h * rBefore);
    const Four weights = {weight, weight, perSpeed, 0.0};
    Four fifth = weights * OVER_RATES(ERROR5), third = weights * OVER_RATES(ERROR3);
    double p5 = perImpulse * OVER_POINTS(ERROR5)[2], p3 = perImpulse * OVER_POINTS(ERROR3)[2];
    fifth *= fifth;
    third *= third;
    double square5 = fifth[0] + fifth[1] + fifth[2] + p5 * p5, square3 = third[0] + third[1] + third[2] + p3 * p3;
    double denominator = square5 + 0.01 * square3;
    return denominator > 0.0 ? square5 * (square5 / denominator) : 0.0;
}

double ctFlowStep(const ctFlow *k, const ctFlowState *from, double h, const ctFlowScale *scale, ctFlowState *to)
{
    return step8(k, from, h, scale, to);
}

static void step4(const ctFlow *k, const ctFlowState *from, double h, ctFlowState *to)
{
    const double third = 1.0 / 3.0, sixth = 1.0 / 6.0;
    Coefficients scaled;
    coefficientsOf(k, h, &scaled);
    Four y0, y1, y2, y3, d0, d1, d2, d3, integrals;
    load(&y0, &from->c);
    load(&integrals, &from->ix);
    rateOf(&scaled, &y0, &d0);
    y1 = y0 + 0.5 * d0;
    rateOf(&scaled, &y1, &d1);
    y2 = y0 + 0.5 * d1;
    rateOf(&scaled, &y2, &d2);
    y3 = y0 + d2;
    rateOf(&scaled, &y3, &d3);
    integrals += h * (sixth * (INTEGRAND(y0) + INTEGRAND(y3)) + third * (INTEGRAND(y1) + INTEGRAND(y2)));
    store(&to->ix, &integrals);
    to->pz = from->pz + h * (sixth * (y0[2] + y3[2]) + third * (y1[2] + y2[2]));
    y0 += sixth * (d0 + d3) + third * (d1 + d2);
    store(&to->c, &y0);
}

// The midpoint rule.
static void step2(const ctFlow *k, const ctFlowState *from, double h, ctFlowState *to)
{
    Coefficients scaled;
    coefficientsOf(k, h, &scaled);
    Four y0, y1, d0, d1, integrals;
    load(&y0, &from->c);
    load(&integrals, &from->ix);
    rateOf(&scaled, &y0, &d0);
    y1 = y0 + 0.5 * d0;
    rateOf(&scaled, &y1, &d1);
    integrals += h * INTEGRAND(y1);
    store(&to->ix, &integrals);
    to->pz = from->pz + h * y1[2];
    y0 += d1;
    store(&to->c, &y0);
}

void ctFlowMove(const ctFlow *k, const ctFlowState *from, double h, double speed, ctFlowState *to)
{
    if (fabs(h) * speed < 5e-6) {
        step2(k, from, h, to);
    } else if (fabs(h) * speed < 2e-3) {
        step4(k, from, h, to);
    } else {
        step8(k, from, h, NULL, to);
    }
}
