#include "engine/impact_flow.h"

// The tableau of DOP853. STAGE_i(x) is component x at stage i, from its value at the start and the
// derivatives (times h) of the stages before; the newest, which everything waits for, comes in last.
// RESULT is of order eight; the embedded formulas of orders five and three differ from it by ERROR5 and ERROR3.
#define Y0(x) from->x
#define D(i, x) d##i.x
#define STAGE_1(x) (Y0(x) + 0.05260015195876773 * D(0, x))
#define STAGE_2(x) (Y0(x) + 0.0197250569845379 * D(0, x) + 0.0591751709536137 * D(1, x))
#define STAGE_3(x) (Y0(x) + 0.02958758547680685 * D(0, x) + 0.08876275643042054 * D(2, x))
#define STAGE_4(x) (Y0(x) + 0.2413651341592667 * D(0, x) - 0.8845494793282861 * D(2, x) + 0.924834003261792 * D(3, x))
#define STAGE_5(x)                                                                                                     \
    (Y0(x) + 0.037037037037037035 * D(0, x) + 0.17082860872947386 * D(3, x) + 0.12546768756682242 * D(4, x))
#define STAGE_6(x)                                                                                                     \
    (Y0(x) + 0.037109375 * D(0, x) + 0.17025221101954405 * D(3, x) + 0.06021653898045596 * D(4, x) -                   \
     0.017578125 * D(5, x))
#define STAGE_7(x)                                                                                                     \
    (Y0(x) + 0.03709200011850479 * D(0, x) + 0.17038392571223998 * D(3, x) + 0.10726203044637328 * D(4, x) -           \
     0.015319437748624402 * D(5, x) + 0.008273789163814023 * D(6, x))
#define STAGE_8(x)                                                                                                     \
    (Y0(x) + 0.6241109587160757 * D(0, x) - 3.3608926294469414 * D(3, x) - 0.868219346841726 * D(4, x) +               \
     27.59209969944671 * D(5, x) + 20.154067550477894 * D(6, x) - 43.48988418106996 * D(7, x))
#define STAGE_9(x)                                                                                                     \
    (Y0(x) + 0.47766253643826434 * D(0, x) - 2.4881146199716677 * D(3, x) - 0.590290826836843 * D(4, x) +              \
     21.230051448181193 * D(5, x) + 15.279233632882423 * D(6, x) - 33.28821096898486 * D(7, x) -                       \
     0.020331201708508627 * D(8, x))
#define STAGE_10(x)                                                                                                    \
    (Y0(x) - 0.9371424300859873 * D(0, x) + 5.186372428844064 * D(3, x) + 1.0914373489967295 * D(4, x) -               \
     8.149787010746927 * D(5, x) - 18.52006565999696 * D(6, x) + 22.739487099350505 * D(7, x) +                        \
     2.4936055526796523 * D(8, x) - 3.0467644718982196 * D(9, x))
#define STAGE_11(x)                                                                                                    \
    (Y0(x) + 2.273310147516538 * D(0, x) - 10.53449546673725 * D(3, x) - 2.0008720582248625 * D(4, x) -                \
     17.9589318631188 * D(5, x) + 27.94888452941996 * D(6, x) - 2.8589982771350235 * D(7, x) -                         \
     8.87285693353063 * D(8, x) + 12.360567175794303 * D(9, x) + 0.6433927460157636 * D(10, x))
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
// A formula over one component of the eight derivatives that count, and over one of the eight points.
#define OVER_RATES(formula, x) formula(D(0, x), D(5, x), D(6, x), D(7, x), D(8, x), D(9, x), D(10, x), D(11, x))
#define OVER_POINTS(formula, expression)                                                                               \
    formula(expression(y0), expression(y5), expression(y6), expression(y7), expression(y8), expression(y9),            \
            expression(y10), expression(y11))
#define SPEED(y) y.r
#define POWER(y) y.r *y.uz
#define SPEED_X(y) y.r *y.c
#define SPEED_Y(y) y.r *y.s
#define AT_STAGE(i)                                                                                                    \
    FlowRate y##i = {STAGE_##i(c), STAGE_##i(s), STAGE_##i(r), STAGE_##i(uz)};                                         \
    FlowRate d##i = flowRate(&scaled, y##i.c, y##i.s, y##i.r)

// Both kinds of step. The derivatives are linear in the coefficients of the flow: multiplying those by
// h once saves a multiplication in each of the twelve links of the chain.
static inline __attribute__((always_inline)) double step8(const Flow *k, const FlowState *from, double h, double speed,
                                                          FlowState *to, bool estimate)
{
    const Flow scaled = {h * k->m11, h * k->m12, h * k->m22, h * k->d1, h * k->d2, h * k->n1, h * k->n2, h * k->k33, 0};
    FlowRate y0 = {from->c, from->s, from->r, from->uz};
    FlowRate d0 = flowRate(&scaled, y0.c, y0.s, y0.r);
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
    FlowState end;
    end.c = from->c + OVER_RATES(RESULT, c);
    end.s = from->s + OVER_RATES(RESULT, s);
    end.r = from->r + OVER_RATES(RESULT, r);
    end.uz = from->uz + OVER_RATES(RESULT, uz);
    end.pz = from->pz + h * OVER_POINTS(RESULT, SPEED);
    end.work = from->work + h * OVER_POINTS(RESULT, POWER);
    end.px = from->px - k->mu * h * OVER_POINTS(RESULT, SPEED_X);
    end.py = from->py - k->mu * h * OVER_POINTS(RESULT, SPEED_Y);
    // Back onto the unit circle: one Newton step for 1/sqrt(c^2 + s^2).
    double norm = 1.5 - 0.5 * (end.c * end.c + end.s * end.s);
    *to = end;
    to->c *= norm;
    to->s *= norm;
    if (!estimate) {
        return 0.0;
    }
    if (!(end.r > 0.0)) {
        return 1e9;
    }
    // An error of the velocity matters in proportion to what is still to come of the impulse, r / speed,
    // over what is there already; an error of the impulse relative to the impulse.
    double largest = from->r > end.r ? from->r : end.r, smallest = from->r < end.r ? from->r : end.r;
    double weight = largest / (largest + speed * from->pz), perSpeed = 1.0 / smallest;
    double perImpulse = h / (from->pz + h * from->r);
    double c5 = OVER_RATES(ERROR5, c), s5 = OVER_RATES(ERROR5, s), r5 = OVER_RATES(ERROR5, r) * perSpeed;
    double c3 = OVER_RATES(ERROR3, c), s3 = OVER_RATES(ERROR3, s), r3 = OVER_RATES(ERROR3, r) * perSpeed;
    double p5 = OVER_POINTS(ERROR5, SPEED) * perImpulse, p3 = OVER_POINTS(ERROR3, SPEED) * perImpulse;
    weight *= weight;
    double fifth = weight * (c5 * c5 + s5 * s5 + r5 * r5) + p5 * p5;
    double third = weight * (c3 * c3 + s3 * s3 + r3 * r3) + p3 * p3;
    double denominator = fifth + 0.01 * third;
    return denominator > 0.0 ? fifth / sqrt(denominator) : 0.0;
}

double ctFlowStep(const Flow *k, const FlowState *from, double h, double speed, FlowState *to)
{
    return step8(k, from, h, speed, to, true);
}

static void step4(const Flow *k, const FlowState *from, double h, FlowState *to)
{
    const double third = 1.0 / 3.0, sixth = 1.0 / 6.0;
    const Flow scaled = {h * k->m11, h * k->m12, h * k->m22, h * k->d1, h * k->d2, h * k->n1, h * k->n2, h * k->k33, 0};
    FlowRate y0 = {from->c, from->s, from->r, from->uz};
    FlowRate a = flowRate(&scaled, y0.c, y0.s, y0.r);
    FlowRate y1 = {y0.c + 0.5 * a.c, y0.s + 0.5 * a.s, y0.r + 0.5 * a.r, y0.uz + 0.5 * a.uz};
    FlowRate b = flowRate(&scaled, y1.c, y1.s, y1.r);
    FlowRate y2 = {y0.c + 0.5 * b.c, y0.s + 0.5 * b.s, y0.r + 0.5 * b.r, y0.uz + 0.5 * b.uz};
    FlowRate c = flowRate(&scaled, y2.c, y2.s, y2.r);
    FlowRate y3 = {y0.c + c.c, y0.s + c.s, y0.r + c.r, y0.uz + c.uz};
    FlowRate d = flowRate(&scaled, y3.c, y3.s, y3.r);
#define SIMPSON_RATE(x) (sixth * (a.x + d.x) + third * (b.x + c.x))
#define SIMPSON_POINT(e) (sixth * (e(y0) + e(y3)) + third * (e(y1) + e(y2)))
    FlowState end;
    end.c = y0.c + SIMPSON_RATE(c);
    end.s = y0.s + SIMPSON_RATE(s);
    end.r = y0.r + SIMPSON_RATE(r);
    end.uz = y0.uz + SIMPSON_RATE(uz);
    end.pz = from->pz + h * SIMPSON_POINT(SPEED);
    end.work = from->work + h * SIMPSON_POINT(POWER);
    end.px = from->px - k->mu * h * SIMPSON_POINT(SPEED_X);
    end.py = from->py - k->mu * h * SIMPSON_POINT(SPEED_Y);
    *to = end;
}

void ctFlowMove(const Flow *k, const FlowState *from, double h, double speed, FlowState *to)
{
    if (fabs(h) * speed < 2e-3) {
        step4(k, from, h, to);
    } else {
        step8(k, from, h, speed, to, false);
    }
}
