// The power series of a compliant contact (the equations are in impact/compliant.c).
//
// Stuck, the equations are linear. Sliding in the direction (c, s) with angle theta they are
//
//     u' = K f,  f = N (-mu c, -mu s, 1),  N' = -k u_z,  mu N theta' = k_t w,  w = u_t . (-s, c),
//
// and each coefficient follows from those before it. Three cases of the last equation:
//   N > 0          by the force instead of theta: f_t' = -k_t (u_t - v_s (c, s)), and (c, s) = -f_t / (mu N).
//   N = 0          at the first touch: the solution that is regular there. With N = N_1 t + ... the coefficient of
//                  t^(j+1) is linear in the unknown coefficient j of theta'.
//   stiff          k_t |u_t| >> mu (N + N'): theta follows the direction of u_t. Then w = (mu N / k_t) theta' is
//                  small, and is found by iteration from w = 0: for a given w the direction is
//                  (c, s) = (a u_t + w (u_y, -u_x)) / |u_t|^2 with a^2 = |u_t|^2 - w^2.
#include "engine/impact/compliant.h"

enum { LAST = CT_TAYLOR_ORDER, PASSES = 5 };

// The stiff case is exact to rounding after PASSES iterations where |u_t| turns the direction of sliding faster than
// anything else happens by this factor. A factor of 30 is noticed by a_stiff_slide_agrees_with_small_steps.
#define STIFF 80.0

// Iterations of the stiff case end where no coefficient of w changes by more than this share of |u_t|, below the
// accuracy of a step. 1e-5 is noticed by a_stiff_slide_agrees_with_small_steps.
#define SETTLED (10.0 * CT_LAST_TERM)

static const double over[LAST + 1] = {1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,
                                      1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12,
                                      1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17};

// Coefficient j + 1 of u, N and p from coefficient j of the force.
static inline void push(const ctSprings *k, ctSpringSeries *x, int j)
{
    const ctCollisionMatrix *K = k->contact;
    const double share = over[j], load = x->load[j];
    const ctTwo force = x->friction[j], first = {K->b11, K->b12}, second = {K->b12, K->b22}, coupling = {K->d1, K->d2};
    x->slip[j + 1] = share * (first * force[0] + second * force[1] + coupling * load);
    x->approach[j + 1] = share * (K->d1 * force[0] + K->d2 * force[1] + K->k33 * load);
    x->load[j + 1] = -share * k->normal * x->approach[j];
    x->shear[j + 1] = share * force;
    x->impulse[j + 1] = share * load;
}

static void begin(const ctSpringState *at, ctSpringSeries *x)
{
    x->slip[0] = (ctTwo){at->u.x, at->u.y};
    x->approach[0] = at->u.z;
    x->shear[0] = (ctTwo){at->p.x, at->p.y};
    x->impulse[0] = at->p.z;
    x->load[0] = at->force.z;
    x->direction[0] = (ctTwo){at->c, at->s};
}

// Coefficient j of |f_t|^2 - mu^2 N^2.
static double outsideCone(const ctSprings *k, const ctSpringSeries *x, int j)
{
    ctTwo friction = {0.0, 0.0};
    double load = 0.0;
    for (int i = 0; 2 * i < j; i++) { // each product of two coefficients occurs twice
        friction += x->friction[i] * x->friction[j - i];
        load += x->load[i] * x->load[j - i];
    }
    friction *= 2.0;
    load *= 2.0;
    if (j % 2 == 0) {
        friction += x->friction[j / 2] * x->friction[j / 2];
        load += x->load[j / 2] * x->load[j / 2];
    }
    return friction[0] + friction[1] - k->mu * k->mu * load;
}

void ctSpringSeries_Stuck(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    begin(at, x);
    x->friction[0] = (ctTwo){at->force.x, at->force.y};
    for (int j = 0; j < LAST; j++) {
        push(k, x, j);
        x->friction[j + 1] = -k->tangential * over[j] * x->slip[j];
    }
    for (int j = 0; j <= LAST; j++) {
        x->direction[j] = (ctTwo){0.0, 0.0};
        x->margin[j] = outsideCone(k, x, j);
    }
}

// Coefficient j of the margin of a slide: the particle slips at v_s = u_t . (c, s) - mu N' / k_t; -k_t v_s is the rate
// at which its spring gives way along (c, s).
static double slippage(const ctSprings *k, const ctSpringSeries *x, double along, int j)
{
    return -k->tangential * along - k->mu * k->normal * x->approach[j];
}

// Coefficient j of the force from those of N and the direction.
static void rub(const ctSprings *k, ctSpringSeries *x, int j)
{
    x->friction[j] = -k->mu * taylorScaled(x->load, x->direction, j);
}

// Coefficient j + 1 of the direction, which turns at the given rate.
static void turn(ctSpringSeries *x, const ctTaylor rate, int j)
{
    ctTwo d = over[j] * taylorScaled(rate, x->direction, j);
    x->direction[j + 1] = (ctTwo){-d[1], d[0]};
}

static void slideStraight(const ctSprings *k, ctSpringSeries *x)
{
    for (int j = 0; j <= LAST; j++) {
        x->friction[j] = -k->mu * x->load[j] * x->direction[0];
        ctTwo along = x->slip[j] * x->direction[0];
        x->margin[j] = slippage(k, x, along[0] + along[1], j);
        if (j < LAST) {
            push(k, x, j);
            x->direction[j + 1] = (ctTwo){0.0, 0.0};
        }
    }
}

static void slideUnderLoad(const ctSprings *k, ctSpringSeries *x)
{
    const double share = 1.0 / x->load[0], less = -1.0 / k->mu;
    x->friction[0] = -k->mu * x->load[0] * x->direction[0];
    for (int j = 0; j < LAST; j++) {
        push(k, x, j);
        x->margin[j] = slippage(k, x, taylorDot(x->slip, x->direction, j), j);
        x->friction[j + 1] = -over[j] * (taylorScaled(x->margin, x->direction, j) + k->tangential * x->slip[j]);
        x->direction[j + 1] = (ctTwo){0.0, 0.0};
        x->direction[j + 1] = share * (less * x->friction[j + 1] - taylorScaled(x->load, x->direction, j + 1));
    }
    x->margin[LAST] = slippage(k, x, taylorDot(x->slip, x->direction, LAST), LAST);
}

static void slideFromTouch(const ctSprings *k, ctSpringSeries *x)
{
    ctTaylor rate = {0.0};
    ctTaylorPair across = {turnedBack(x->slip[0])}; // slip, a quarter turn back
    const double gain = k->tangential / k->mu, speed = sqrt(taylorDot(x->slip, x->slip, 0));
    for (int j = 0; j < LAST; j++) {
        rub(k, x, j);
        push(k, x, j);
        across[j + 1] = turnedBack(x->slip[j + 1]);
        rate[j] = 0.0;
        turn(x, rate, j); // without the unknown, whose share is (-s, c) rate_j / (j + 1)
        double rest = gain * taylorDot(x->direction, across, j + 1) - taylorProduct(x->load, rate, j + 1);
        rate[j] = rest / (x->load[1] + gain * speed * over[j]);
        turn(x, rate, j);
    }
    rub(k, x, LAST);
}

// One pass of the stiff case: all series for the given w.
static void followVelocity(const ctSprings *k, const ctTaylor w, ctSpringSeries *x)
{
    ctTaylor square, root;
    for (int j = 0; j <= LAST; j++) {
        square[j] = taylorDot(x->slip, x->slip, j);
        double rest = square[j] - taylorProduct(w, w, j);
        if (j == 0) {
            root[0] = sqrt(rest);
        } else {
            root[j] = 0.0;
            root[j] = (rest - taylorProduct(root, root, j)) / (2.0 * root[0]);
        }
        ctTwo q = taylorScaled(root, x->slip, j) + turnedBack(taylorScaled(w, x->slip, j));
        x->direction[j] = (ctTwo){0.0, 0.0};
        x->direction[j] = (q - taylorScaled(square, x->direction, j)) / square[0];
        rub(k, x, j);
        if (j < LAST) {
            push(k, x, j);
        }
    }
}

// False when the direction of sliding does not follow that of the velocity.
static bool slideStiff(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    ctTaylor w = {0.0}, rate;
    ctTaylorPair change;
    const double speed = sqrt(at->u.x * at->u.x + at->u.y * at->u.y);
    double step = INFINITY, all = INFINITY;
    for (int pass = 0; pass < PASSES && all > SETTLED * speed; pass++) {
        followVelocity(k, w, x);
        for (int j = 0; j < LAST; j++) {
            change[j] = (double)(j + 1) * turnedBack(x->direction[j + 1]);
        }
        change[LAST] = (ctTwo){0.0, 0.0};
        for (int j = 0; j <= LAST; j++) {
            rate[j] = taylorDot(x->direction, change, j);
        }
        const double before = w[0];
        all = 0.0;
        for (int j = 0; j <= LAST; j++) {
            double now = k->mu / k->tangential * taylorProduct(x->load, rate, j);
            all += fabs(now - w[j]);
            w[j] = now;
        }
        step = fabs(w[0] - before);
    }
    const double is = at->u.y * at->c - at->u.x * at->s;
    // A direction that differs this little follows the velocity within a small share of the time left.
    return fabs(is - w[0]) <= 5e-8 * speed && step <= 1e-9 * speed;
}

static bool isStiff(const ctSprings *k, const ctSpringState *at)
{
    const ctCollisionMatrix *K = k->contact;
    double speed = sqrt(at->u.x * at->u.x + at->u.y * at->u.y), load = at->force.z;
    double pull = k->mu * (K->b11 + K->b22) + fabs(K->d1) + fabs(K->d2); // |u_t'| / N at most
    double others = load * (sqrt(k->normal * K->k33) + load * pull / speed) + k->normal * fabs(at->u.z);
    return k->tangential * speed > STIFF * k->mu * others;
}

static void curve(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    if (!isStiff(k, at) || !slideStiff(k, at, x)) {
        begin(at, x);
        if (at->force.z > 0.0) {
            slideUnderLoad(k, x);
            return;
        }
        slideFromTouch(k, x);
    }
    for (int j = 0; j <= LAST; j++) {
        x->margin[j] = slippage(k, x, taylorDot(x->slip, x->direction, j), j);
    }
}

void ctSpringSeries_Sliding(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x)
{
    begin(at, x);
    if (k->straight) {
        slideStraight(k, x);
    } else {
        curve(k, at, x);
    }
}
