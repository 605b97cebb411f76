// Internal to the impact solver: the flow of a sliding contact and its integration.
//
// While the contact slides with the velocity u_t = r (c, s), c = cos theta, s = sin theta, the normal
// impulse p_z is the clock (Jia & Wang, equation 31; Baber, equation 3):
//
//     du_t/dp_z = h(theta) = -mu B (c, s) + d,        du_z/dp_z = kz(theta) = K33 - mu d . (c, s),
//
// with B the upper left 2x2 block of K and d = (K13, K23) (Jia & Wang, equations 21 and 22). In polar form
//
//     dr/dp_z = g(theta) = (c, s) . h,                r dtheta/dp_z = f(theta) = (c, s) x h,
//
// which is singular where r = 0. In the parameter tau with dp_z = r dtau it is not, and r tends to zero
// exponentially:
//
//     c' = -s f,  s' = c f,  r' = r g,  u_z' = r kz,  p_z' = r,  W' = r u_z,  (p_x, p_y)' = -mu r (c, s).
//
// W is the work of the normal force (Baber, equation 4). It is integrated, because the energy identity
// that would yield it cancels when |u_t| >> |u_z|; so are p_x and p_y, because K^-1 (u - u0) is poor when
// K is ill-conditioned. Only (c, s, r, u_z) feed back into the derivatives.
#ifndef CT_IMPACT_FLOW_H
#define CT_IMPACT_FLOW_H

#include <math.h>
#include <stdbool.h>

// mu B, d, mu d, K33 and mu; the unit of all but the last is 1/kg.
typedef struct ctFlow {
    double m11, m12, m22, d1, d2, n1, n2, k33, mu;
} ctFlow;

typedef struct ctFlowState {
    double c, s, r, uz;        // direction of sliding, sliding speed, normal velocity
    double ix, iy, slip, work; // integrals of r (c, s, r, u_z) over tau: p_t = -mu (ix, iy), friction takes mu slip
    double pz;                 // normal impulse
} ctFlowState;

// The local values that control the steps.
typedef struct ctFlowLocal {
    double f, g, kz;
    double fSlope;  // df/dtheta: positive near a ray that repels, negative near one that attracts
    double kzSlope; // dkz/dtheta
} ctFlowLocal;

static inline ctFlowLocal flowLocal(const ctFlow *k, double c, double s)
{
    double hx = k->d1 - k->m11 * c - k->m12 * s;
    double hy = k->d2 - k->m12 * c - k->m22 * s;
    ctFlowLocal l;
    l.f = c * hy - s * hx;
    l.g = c * hx + s * hy;
    l.kz = k->k33 - k->n1 * c - k->n2 * s;
    // f' = (-s, c) x h + (c, s) x h' with h' = -mu B (-s, c), and (-s, c) x h = -g.
    l.fSlope = -l.g - (c * (k->m22 * c - k->m12 * s) - s * (k->m12 * c - k->m11 * s));
    l.kzSlope = k->n1 * s - k->n2 * c;
    return l;
}

// A bound of all rates: steps are measured against 1/flowSpeed.
static inline double flowSpeed(const ctFlowLocal *l)
{
    return fabs(l->f) + fabs(l->fSlope) + fabs(l->g);
}

// The scale of errors. Errors of the impulse are relative to the impulse so far, or to the least impulse at the end. An
// error of the velocity may change the impulse by itself over `rate`.
typedef struct ctFlowScale {
    double rate;    // a lower bound of the eigenvalues of K
    double impulse; // a lower bound of p_z at the end of the impact
} ctFlowScale;

// The course from a state on as a power series (impact/flow.c) in t = tau / unit. r > 0.
enum { CT_FLOW_ORDER = 16 };
typedef double ctFlowTerms[CT_FLOW_ORDER + 1][4];
typedef struct ctFlowSeries {
    ctFlowTerms state; // r c, r s, u_z, p_z
    ctFlowTerms sums;  // ix, iy, slip, work
} ctFlowSeries;

void ctFlow_Expand(const ctFlow *k, const ctFlowState *at, double unit, ctFlowSeries *series);
// The state at t.
void ctFlow_At(const ctFlowSeries *series, double t, ctFlowState *to);
// One of the components at t > 0, with its first and half its second derivative.
typedef struct ctFlowValue {
    double value, slope, bend;
} ctFlowValue;
ctFlowValue ctFlow_ValueAt(const ctFlowTerms terms, int component, double t);

#endif
