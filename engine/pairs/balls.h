// When and how two balls meet.
//
// With d = x_a - x_b, u = v_a - v_b and equal accelerations, |d + u t| = R has the exact root
//     t = c / (-b + sqrt(b^2 - |u|^2 c)),   b = d.u < 0,   c = |d|^2 - R^2.
#ifndef CT_PAIRS_BALLS_H
#define CT_PAIRS_BALLS_H

#include "engine/pairs/pairs.h"

// Position and velocity of a body's centre; the body does not change.
typedef struct ctCentre {
    ctVec3 x, v;
} ctCentre;

static inline ctCentre ctBody_CentreUnder(const ctBody *body, ctVec3 acceleration, double t)
{
    double s = t - body->t;
    return (ctCentre){ctMulAdd(ctMulAdd(body->x, s, body->v), 0.5 * s * s, acceleration),
                      ctMulAdd(body->v, s, acceleration)};
}

static inline ctCentre ctBody_CentreAt(const ctBody *body, double t)
{
    return ctBody_CentreUnder(body, body->a, t);
}

// Approach slower than this between touching bodies is rounding, m/s.
static inline double ctBodies_SpeedRounding(const ctBody *a, const ctBody *b)
{
    double speed = ctMaxElement(ctAbs(a->v)) + ctMaxElement(ctAbs(b->v));
    double fall = sqrt(ctMaxElement(ctAbs(a->a)) * a->radius);
    return CT_SPEED_ROUNDING * (speed + fall);
}

// The root, where there is one: du < 0 and disc = b^2 - |u|^2 c >= 0.
static inline double ctBalls_Root(const ctBody *a, const ctBody *b, double du, double c, double disc)
{
    double reach = a->radius + b->radius;
    if (c <= 4e-13 * reach * reach && du > -reach * ctBodies_SpeedRounding(a, b)) {
        return INFINITY; // touching, and moving together
    }
    return c > 0.0 ? c / (sqrt(disc) - du) : 0.0;
}

// The time from now to the impact of two balls under the same acceleration; d and u: of a relative to b. Few balls are
// on their way to meet, and no branch can predict which: there is only one.
static inline double ctBalls_TimeFrom(const ctBody *a, const ctBody *b, ctVec3 d, ctVec3 u)
{
    double reach = a->radius + b->radius, du = ctDot(d, u);
    double c = ctDot(d, d) - reach * reach, disc = du * du - ctDot(u, u) * c;
    if (!((du < 0.0) & (disc >= 0.0))) {
        return INFINITY;
    }
    return ctBalls_Root(a, b, du, c, disc);
}

// The gap at which two bodies touch, to rounding.
static inline double ctBodies_TouchGap(const ctBody *a, const ctBody *b)
{
    double size = ctBodies_Size(a, b);
    double reach = ctMaxElement(ctAbs(a->x)) + a->radius + size;
    return CT_TOUCH_SIZE * size + CT_TOUCH_ROUNDING * reach;
}

// The time from now before which a ball and another, or a plane, cannot touch, s; one of them at least is on a plan.
double ctBalls_TimeOnPlan(const ctWorld *world, const ctBody *a, const ctBody *b);
// ctPair_PassBy for two balls, or for a ball and a plane.
bool ctBalls_PassBy(ctWorld *world, int pair);

#endif
