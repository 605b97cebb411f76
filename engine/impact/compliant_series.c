// The power series of a compliant contact (the equations are in impact/compliant.c).
//
// Stuck, the equations are linear. Sliding in the direction (c, s) with angle theta they are
//
//     u' = K f,  f = N (-mu c, -mu s, 1),  N' = -k u_z,  mu N theta' = k_t w,  w = u_t . (-s, c),
//
// and each coefficient follows from those before it. Three cases of the last equation:
//   N > 0          theta' = k_t w / (mu N).
//   N = 0          at the first touch: the solution that is regular there. With N = N_1 t + ... the coefficient of
//                  t^(j+1) is linear in the unknown coefficient j of theta'.
//   stiff          k_t |u_t| >> mu (N + N'): theta follows the direction of u_t. Then w = (mu N / k_t) theta' is
//                  small, and is found by iteration from w = 0: for a given w the direction is
//                  (c, s) = (a u_t + w (u_y, -u_x)) / |u_t|^2 with a^2 = |u_t|^2 - w^2.
#include "engine/impact/compliant.h"

enum { LAST = CT_TAYLOR_ORDER, PASSES = 5 };

// Where |u_t| turns the direction of sliding faster than anything else happens by this factor, the stiff case is exact
// to rounding after PASSES iterations. A factor of 30 is noticed by a_stiff_slide_agrees_with_small_steps.
#define STIFF 80.0

// Coefficient j + 1 of u, N and p from coefficient j of the force.
static void push(const ctSprings *k, ctSpringSeries *x, int j)
{
    const ctCollisionMatrix *K = k->contact;
    const double share = 1.0 / (j + 1), fx = x->force[0][j], fy = x->force[1][j], fz = x->force[2][j];
    x->u[0][j + 1] = share * (K->b11 * fx + K->b12 * fy + K->d1 * fz);
    x->u[1][j + 1] = share * (K->b12 * fx + K->b22 * fy + K->d2 * fz);
    x->u[2][j + 1] = share * (K->d1 * fx + K->d2 * fy + K->k33 * fz);
    x->force[2][j + 1] = -share * k->normal * x->u[2][j];
    for (int i = 0; i < 3; i++) {
        x->p[i][j + 1] = share * x->force[i][j];
    }
}

static void begin(const ctSpringState *at, ctSpringSeries *x)
{
    const double u[3] = {at->u.x, at->u.y, at->u.z}, p[3] = {at->p.x, at->p.y, at->p.z};
    for (int i = 0; i < 3; i++) {
        x->u[i][0] = u[i];
        x->p[i][0] = p[i];
    }
    x->force[2][0] = at->force.z;
    x->c[0] = at->c;
    x->s[0] = at->s;
}

void ctSpringSeries_Stuck(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    begin(at, x);
    x->force[0][0] = at->force.x;
    x->force[1][0] = at->force.y;
    for (int j = 0; j < LAST; j++) {
        push(k, x, j);
        x->force[0][j + 1] = -k->tangential * x->u[0][j] / (j + 1);
        x->force[1][j + 1] = -k->tangential * x->u[1][j] / (j + 1);
    }
    for (int j = 0; j <= LAST; j++) {
        x->margin[j] = taylorProduct(x->force[0], x->force[0], j) + taylorProduct(x->force[1], x->force[1], j) -
                       k->mu * k->mu * taylorProduct(x->force[2], x->force[2], j);
        x->c[j] = x->s[j] = 0.0;
    }
}

// Coefficient j of the force from those of N, c, s.
static void friction(const ctSprings *k, ctSpringSeries *x, int j)
{
    double c, s;
    taylorProducts(x->force[2], x->c, x->s, j, &c, &s);
    x->force[0][j] = -k->mu * c;
    x->force[1][j] = -k->mu * s;
}

// Coefficient j of w = u_t . (-s, c).
static double across(const ctSpringSeries *x, int j)
{
    return taylorProduct(x->u[1], x->c, j) - taylorProduct(x->u[0], x->s, j);
}

static void turn(ctSpringSeries *x, const ctTaylor rate, int j)
{
    double c, s;
    taylorProducts(rate, x->c, x->s, j, &c, &s);
    x->c[j + 1] = -s / (j + 1);
    x->s[j + 1] = c / (j + 1);
}

static void slideStraight(const ctSprings *k, ctSpringSeries *x)
{
    for (int j = 0; j <= LAST; j++) {
        x->force[0][j] = -k->mu * x->c[0] * x->force[2][j];
        x->force[1][j] = -k->mu * x->s[0] * x->force[2][j];
        if (j < LAST) {
            push(k, x, j);
            x->c[j + 1] = x->s[j + 1] = 0.0;
        }
    }
}

static void slideUnderLoad(const ctSprings *k, ctSpringSeries *x)
{
    ctTaylor rate = {0.0};
    const double load = x->force[2][0], gain = k->tangential / k->mu;
    for (int j = 0; j < LAST; j++) {
        friction(k, x, j);
        push(k, x, j);
        rate[j] = 0.0;
        rate[j] = (gain * across(x, j) - taylorProduct(x->force[2], rate, j)) / load;
        turn(x, rate, j);
    }
    friction(k, x, LAST);
}

static void slideFromTouch(const ctSprings *k, ctSpringSeries *x)
{
    ctTaylor rate = {0.0};
    const double gain = k->tangential / k->mu, speed = sqrt(x->u[0][0] * x->u[0][0] + x->u[1][0] * x->u[1][0]);
    for (int j = 0; j < LAST; j++) {
        friction(k, x, j);
        push(k, x, j);
        rate[j] = 0.0;
        turn(x, rate, j); // without the unknown, whose share is (-s, c) rate_j / (j + 1)
        double rest = gain * across(x, j + 1) - taylorProduct(x->force[2], rate, j + 1);
        rate[j] = rest / (x->force[2][1] + gain * speed / (j + 1));
        turn(x, rate, j);
    }
    friction(k, x, LAST);
}

// One pass of the stiff case: all series for the given w.
static void followVelocity(const ctSprings *k, const ctTaylor w, ctSpringSeries *x)
{
    ctTaylor square, root, qx, qy;
    for (int j = 0; j <= LAST; j++) {
        square[j] = taylorProduct(x->u[0], x->u[0], j) + taylorProduct(x->u[1], x->u[1], j);
        double rest = square[j] - taylorProduct(w, w, j);
        if (j == 0) {
            root[0] = sqrt(rest);
        } else {
            root[j] = 0.0;
            root[j] = (rest - taylorProduct(root, root, j)) / (2.0 * root[0]);
        }
        qx[j] = taylorProduct(root, x->u[0], j) + taylorProduct(w, x->u[1], j);
        qy[j] = taylorProduct(root, x->u[1], j) - taylorProduct(w, x->u[0], j);
        x->c[j] = x->s[j] = 0.0;
        x->c[j] = (qx[j] - taylorProduct(square, x->c, j)) / square[0];
        x->s[j] = (qy[j] - taylorProduct(square, x->s, j)) / square[0];
        friction(k, x, j);
        if (j < LAST) {
            push(k, x, j);
        }
    }
}

// False when the direction of sliding has not settled to that of the velocity.
static bool slideStiff(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    ctTaylor w = {0.0}, rate, cRate, sRate;
    double change = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        followVelocity(k, w, x);
        for (int j = 0; j <= LAST; j++) {
            cRate[j] = j < LAST ? (j + 1) * x->c[j + 1] : 0.0;
            sRate[j] = j < LAST ? (j + 1) * x->s[j + 1] : 0.0;
        }
        for (int j = 0; j <= LAST; j++) {
            rate[j] = taylorProduct(x->c, sRate, j) - taylorProduct(x->s, cRate, j);
        }
        double before = w[0];
        for (int j = 0; j <= LAST; j++) {
            w[j] = k->mu / k->tangential * taylorProduct(x->force[2], rate, j);
        }
        change = fabs(w[0] - before);
    }
    double speed = sqrt(at->u.x * at->u.x + at->u.y * at->u.y), is = at->u.y * at->c - at->u.x * at->s;
    return fabs(is - w[0]) <= 1e-9 * speed && change <= 1e-9 * speed;
}

static bool isStiff(const ctSprings *k, const ctSpringState *at)
{
    const ctCollisionMatrix *K = k->contact;
    double speed = sqrt(at->u.x * at->u.x + at->u.y * at->u.y), load = at->force.z;
    double pull = k->mu * (K->b11 + K->b22) + fabs(K->d1) + fabs(K->d2); // |u_t'| / N at most
    double others = load * (sqrt(k->normal * K->k33) + load * pull / speed) + k->normal * fabs(at->u.z);
    return k->tangential * speed > STIFF * k->mu * others;
}

void ctSpringSeries_Sliding(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    begin(at, x);
    if (k->straight) {
        slideStraight(k, x);
    } else if (!isStiff(k, at) || !slideStiff(k, at, x)) {
        begin(at, x);
        if (at->force.z > 0.0) {
            slideUnderLoad(k, x);
        } else {
            slideFromTouch(k, x);
        }
    }
    // The contact slips at u_t . (c, s) + f_t' . (c, s) / k_t = u_t . (c, s) - mu N' / k_t.
    const double share = k->mu * k->normal / k->tangential;
    for (int j = 0; j <= LAST; j++) {
        x->margin[j] = -(taylorProduct(x->u[0], x->c, j) + taylorProduct(x->u[1], x->s, j) + share * x->u[2][j]);
    }
}
