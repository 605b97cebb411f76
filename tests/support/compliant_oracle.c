#include "tests/support/compliant_oracle.h"

#include <stdbool.h>

typedef long double real;
enum { UX, UY, UZ, TX, TY, N, PX, PY, PZ, SIZE }; // velocity, force on body 1, impulse

typedef struct Contact {
    const ctImpactInput *in;
    real normal, tangential, mu; // stiffness and friction
    real c, s;                   // direction of sliding in a plane, where it is constant
    bool planar, slides, restitution;
} Contact;

// The direction of sliding: against the force.
static void direction(const Contact *k, const real *y, real *c, real *s)
{
    real size = sqrtl(y[TX] * y[TX] + y[TY] * y[TY]);
    *c = k->planar || size == 0 ? k->c : -y[TX] / size;
    *s = k->planar || size == 0 ? k->s : -y[TY] / size;
}

static real slipSpeed(const Contact *k, const real *y)
{
    real c, s;
    direction(k, y, &c, &s);
    return y[UX] * c + y[UY] * s + k->mu * k->normal * y[UZ] / k->tangential;
}

static void rates(const Contact *k, const real *y, real *d)
{
    const ctMat3 *K = &k->in->K;
    d[UX] = K->cx.x * y[TX] + K->cy.x * y[TY] + K->cz.x * y[N];
    d[UY] = K->cy.x * y[TX] + K->cy.y * y[TY] + K->cz.y * y[N];
    d[UZ] = K->cz.x * y[TX] + K->cz.y * y[TY] + K->cz.z * y[N];
    real c = 0, s = 0, slip = 0;
    if (k->slides) {
        direction(k, y, &c, &s);
        slip = slipSpeed(k, y);
    }
    d[TX] = -k->tangential * (y[UX] - slip * c);
    d[TY] = -k->tangential * (y[UY] - slip * s);
    d[N] = -k->normal * y[UZ];
    d[PX] = y[TX];
    d[PY] = y[TY];
    d[PZ] = y[N];
}

static void step(const Contact *k, const real *from, real h, real *to)
{
    real d[4][SIZE], y[SIZE];
    const real at[4] = {0, h / 2, h / 2, h};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < SIZE; j++) {
            y[j] = from[j] + (i > 0 ? at[i] * d[i - 1][j] : 0);
        }
        rates(k, y, d[i]);
    }
    for (int j = 0; j < SIZE; j++) {
        to[j] = from[j] + h * (d[0][j] + 2 * d[1][j] + 2 * d[2][j] + d[3][j]) / 6;
    }
}

// Whether the mode has been left.
static bool isOut(const Contact *k, const real *y)
{
    bool turned = k->restitution ? y[UZ] < 0 : y[UZ] > 0;
    bool over = k->restitution && y[N] < 0;
    bool other =
        k->slides ? slipSpeed(k, y) < 0 : y[TX] * y[TX] + y[TY] * y[TY] > k->mu * k->mu * y[N] * y[N] && y[N] > 0;
    return turned || over || other;
}

// Changes the mode at y, which is next to the change; true at the end.
static bool change(Contact *k, const real *y, const real *beyond)
{
    double e = k->in->e, k33 = k->in->K.cz.z;
    if (k->restitution && beyond[N] < 0) {
        return true;
    }
    if (k->restitution ? beyond[UZ] < 0 : beyond[UZ] > 0) {
        k->restitution = !k->restitution;
        k->normal = k->restitution ? 1 / ((real)e * e * k33) : 1 / (real)k33;
        return e == 0.0;
    }
    if (!k->slides) {
        real size = sqrtl(y[TX] * y[TX] + y[TY] * y[TY]);
        k->c = -y[TX] / size;
        k->s = -y[TY] / size;
    }
    k->slides = !k->slides;
    return false;
}

// Where the direction of sliding follows the velocity faster than a step can tell, it has done so.
static void settle(const Contact *k, real h, real *y)
{
    real speed = sqrtl(y[UX] * y[UX] + y[UY] * y[UY]);
    if (k->slides && !k->planar && h * k->tangential * speed > k->mu * y[N]) {
        y[TX] = -k->mu * y[N] * y[UX] / speed;
        y[TY] = -k->mu * y[N] * y[UY] / speed;
    }
}

ctVec3 ctCompliantOracle(const ctImpactInput *in, int steps)
{
    const real r = sqrtl((real)in->u.x * in->u.x + (real)in->u.y * in->u.y);
    Contact k = {.in = in, .normal = 1 / (real)in->K.cz.z, .tangential = in->eta2 / (real)in->K.cz.z, .mu = in->mu};
    k.planar = in->u.y == 0.0 && in->K.cy.x == 0.0 && in->K.cz.y == 0.0;
    k.slides = in->eta2 * r > -in->mu * (real)in->u.z;
    k.c = r > 0 ? in->u.x / r : 0;
    k.s = r > 0 ? in->u.y / r : 0;
    real y[SIZE] = {in->u.x, in->u.y, in->u.z}, time = 0, finest = 1e-7L;
    for (long i = 0; i < 1000000; i++) {
        real pace = k.restitution ? (real)in->e : 1, h = pace / steps, next[SIZE];
        real left = k.restitution && y[UZ] > 0 ? y[N] / (k.normal * y[UZ]) : 1;
        h = fminl(h, fminl(finest + 0.02L * time, finest * pace + 0.02L * left));
        real speed = sqrtl(y[UX] * y[UX] + y[UY] * y[UY]);
        if (k.slides && !k.planar && speed > 0) {
            h = fminl(h, finest * pace + 0.5L * k.mu * y[N] / (k.tangential * speed));
        }
        step(&k, y, h, next);
        if (isOut(&k, next)) {
            real lo = 0, hi = h, inside[SIZE];
            for (int j = 0; j < 60; j++) {
                real middle = (lo + hi) / 2, there[SIZE];
                step(&k, y, middle, there);
                *(isOut(&k, there) ? &hi : &lo) = middle;
            }
            step(&k, y, lo, inside);
            step(&k, y, hi, next);
            if (change(&k, inside, next)) {
                return ctV3((double)next[PX], (double)next[PY], (double)next[PZ]);
            }
        }
        for (int j = 0; j < SIZE; j++) {
            y[j] = next[j];
        }
        settle(&k, h, y);
        time += h;
    }
    return ctV3(NAN, NAN, NAN);
}
