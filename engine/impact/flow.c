// The power series of a sliding contact.
//
// With x = r c and y = r s, the components of u_t, all rates over tau are linear in x, y and r:
//
//     (x, y)' = r d - mu B (x, y),   u_z' = r K33 - mu d . (x, y),   p_z' = r,   (ix, iy)' = (x, y),   slip' = r^2,
//
// but for W' = r u_z, and r follows from r^2 = x^2 + y^2. Coefficient k of that, with c and s those of the start, is
//
//     r_k = c x_k + s y_k + sum_{0<j<k} (x_j x_{k-j} + y_j y_{k-j} - r_j r_{k-j}) / (2 r_0).
#include "engine/impact/flow.h"

#include <string.h>

enum { LAST = CT_FLOW_ORDER };

typedef double Two __attribute__((vector_size(16)));
typedef double Four __attribute__((vector_size(32)));
#define INLINE static inline __attribute__((always_inline))

static const double over[] = {1.0 / 1, 1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                              1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};
_Static_assert(LAST <= (int)(sizeof over / sizeof *over), "a share for every term");

// The coefficients of the flow times the unit of tau, the direction at the start, and the series so far.
typedef struct Terms {
    Two d, ofX, ofY;        // (x, y)' = (r - c x - s y) d + x ofX + y ofY
    Two normal, direction;  // u_z' = r K33 - (n1, n2) . (x, y); (c, s)
    double k33, unit, perR; // perR: 1 / r_0
    Two at[LAST + 1];       // x, y
    double r[LAST + 1], uz[LAST + 1];
} Terms;

// Half the sums over 0 < j < k of x_j x_{k-j} + y_j y_{k-j} and of r_j r_{k-j}, from the oldest coefficients to the
// newest, which are ready last.
INLINE void squaresOf(const Terms *t, int k, double *velocities, double *speeds)
{
    Two sum = {0.0, 0.0};
    *speeds = 0.0;
    if (k > 0 && k % 2 == 0) {
        sum = 0.5 * t->at[k / 2] * t->at[k / 2];
        *speeds = 0.5 * t->r[k / 2] * t->r[k / 2];
    }
    for (int j = (k - 1) / 2; j > 0; j--) {
        sum += t->at[j] * t->at[k - j];
        *speeds += t->r[j] * t->r[k - j];
    }
    *velocities = sum[0] + sum[1];
}

// Coefficient k of r u_z.
INLINE double powerOf(const Terms *t, int k)
{
    if (k == 0) {
        return t->r[0] * t->uz[0];
    }
    double sum = k % 2 == 0 ? t->r[k / 2] * t->uz[k / 2] : 0.0;
    for (int j = (k - 1) / 2; j > 0; j--) {
        sum += t->r[j] * t->uz[k - j] + t->r[k - j] * t->uz[j];
    }
    return sum + (t->r[0] * t->uz[k] + t->r[k] * t->uz[0]);
}

// Coefficient k of r, and coefficient k + 1 of everything that depends on it.
INLINE void addTerm(Terms *t, ctFlowSeries *x, int k)
{
    const Two at = t->at[k], along = t->direction * at, across = t->normal * at;
    const double share = over[k], unit = share * t->unit;
    double velocities, speeds;
    squaresOf(t, k, &velocities, &speeds);
    // The part of r that does not come from (x, y).
    const double rest = t->perR * (velocities - speeds), r = k > 0 ? rest + (along[0] + along[1]) : t->r[0];
    const Two next = (share * t->ofX) * at[0] + (share * t->ofY) * at[1] + (share * t->d) * rest;
    const double uz = share * (t->k33 * r - (across[0] + across[1]));
    t->r[k] = r;
    t->at[k + 1] = next;
    t->uz[k + 1] = uz;
    const double squared = k > 0 ? 2.0 * (t->r[0] * r + speeds) : r * r;
    const Two impulse = unit * at;
    memcpy(x->state[k + 1], &next, sizeof next);
    x->state[k + 1][2] = uz;
    x->state[k + 1][3] = unit * r;
    memcpy(x->sums[k + 1], &impulse, sizeof impulse);
    x->sums[k + 1][2] = unit * squared;
    x->sums[k + 1][3] = unit * powerOf(t, k);
}

void ctFlow_Expand(const ctFlow *k, const ctFlowState *at, double unit, ctFlowSeries *x)
{
    Terms t;
    t.d = unit * (Two){k->d1, k->d2};
    t.ofX = unit * (Two){k->d1 * at->c - k->m11, k->d2 * at->c - k->m12};
    t.ofY = unit * (Two){k->d1 * at->s - k->m12, k->d2 * at->s - k->m22};
    t.normal = unit * (Two){k->n1, k->n2};
    t.direction = (Two){at->c, at->s};
    t.k33 = unit * k->k33;
    t.unit = unit;
    t.perR = 1.0 / at->r;
    t.at[0] = at->r * t.direction;
    t.r[0] = at->r;
    t.uz[0] = at->uz;
    const Four state = {t.at[0][0], t.at[0][1], at->uz, at->pz};
    memcpy(x->state[0], &state, sizeof state);
    memcpy(x->sums[0], &at->ix, sizeof x->sums[0]);
    addTerm(&t, x, 0);
    addTerm(&t, x, 1);
    addTerm(&t, x, 2);
    addTerm(&t, x, 3);
    addTerm(&t, x, 4);
    addTerm(&t, x, 5);
    addTerm(&t, x, 6);
    addTerm(&t, x, 7);
    addTerm(&t, x, 8);
    addTerm(&t, x, 9);
    addTerm(&t, x, 10);
    addTerm(&t, x, 11);
    addTerm(&t, x, 12);
    addTerm(&t, x, 13);
    addTerm(&t, x, 14);
    addTerm(&t, x, 15);
}

// By pointer, here and below: how wide vectors are passed by value depends on compiler options.
INLINE void term(const double *from, Four *to)
{
    memcpy(to, from, sizeof *to);
}

// The sum of a series; even and odd terms are added separately, so that neither sum waits for the other.
INLINE void sumOf(const ctFlowTerms terms, double t, Four *sum)
{
    const double t2 = t * t;
    Four even, odd, next;
    term(terms[LAST], &even);
    term(terms[LAST - 1], &odd);
    for (int k = LAST - 2; k > 0; k -= 2) {
        term(terms[k], &next);
        even = even * t2 + next;
        term(terms[k - 1], &next);
        odd = odd * t2 + next;
    }
    term(terms[0], &next);
    *sum = next + (t * odd + t2 * even);
}

void ctFlow_At(const ctFlowSeries *x, double t, ctFlowState *to)
{
    Four state, sums;
    sumOf(x->state, t, &state);
    sumOf(x->sums, t, &sums);
    memcpy(&to->ix, &sums, sizeof sums);
    to->uz = state[2];
    to->pz = state[3];
    to->r = sqrt(state[0] * state[0] + state[1] * state[1]);
    to->c = state[0] / to->r;
    to->s = state[1] / to->r;
}

// The same for one component.
ctFlowValue ctFlow_ValueAt(const ctFlowTerms terms, int component, double t)
{
    const double t2 = t * t, inverse = 1.0 / t;
    Two value = {terms[LAST][component], 0.0}, slope = LAST * value, bend = 0.5 * LAST * (LAST - 1) * value;
    for (int k = LAST - 2; k >= 0; k -= 2) {
        const Two pair = {terms[k][component], terms[k + 1][component]};
        value = value * t2 + pair;
        slope = slope * t2 + (Two){k, k + 1} * pair;
        bend = bend * t2 + (Two){0.5 * k * (k - 1), 0.5 * k * (k + 1)} * pair;
    }
    return (ctFlowValue){value[0] + t * value[1], inverse * slope[0] + slope[1],
                         inverse * (inverse * bend[0] + bend[1])};
}
