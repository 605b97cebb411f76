// Contact in piles, by Gauss-Seidel sweeps that solve each point approximately.
//
// Notation as in solver/sweep.c: u is the relative velocity at a point, K its mobility, and
//     e_n = n.u - target,  e_t = (t1.u, t2.u).
// A visit to a point first corrects friction, then the normal impulse, each from the velocity as it is:
//     q_t = p_t - K_tt^-1 e_t                                   if |q_t| <= mu p_n: it sticks
//     q_t = project(p_t - e_t / lambda_max, |q_t| <= mu p_n)    otherwise: it slides
//     e_n += K_nt (q_t - p_t)
//     q_n = max(0, p_n - e_n / K_nn)
// and friction is cut down to mu q_n when q_n has become less. A point where nothing changes any more obeys
// Signorini's and Coulomb's conditions exactly: sticking needs e_t = 0, and p_t = project(p_t - r e_t) with
// one number r holds just where p_t = -mu p_n e_t / |e_t|. So what sweeps converge to is the exact cone; only
// the way there is cheaper than in solver/sweep.c, which solves each point to the end.
//
// Resistances to rolling and spinning are solved once per manifold, against the sum of its normal impulses, in the
// same way as friction. A single point, as rigid bodies have it, does not resist turning at all: a body that lies on
// two of them swings for ever. Here every single point has the resistance of a small patch.
#include "engine/contact/pile/pile_solver.h"

#include "engine/contact/tunables.h"

#include <math.h>

// ---- preparation ------------------------------------------------------------------------------

// The change of velocity at the arm r of one body by an impulse along d there.
static ctVec3 respond(const ctSolverBody *body, ctVec3 r, ctVec3 d)
{
    ctVec3 turn = ctMulMV(body->invInertia, ctCross(r, d));
    return ctMulAdd(ctCross(turn, r), body->invMass, d);
}

static ctVec3 mobility(const ctSolverBody *a, const ctSolverBody *b, const ctPilePoint *p, bool wall, ctVec3 d)
{
    ctVec3 kd = respond(a, p->ra, d);
    return wall ? kd : ctAdd(kd, respond(b, p->rb, d));
}

void ctPile_Prepare(const ctSolverBody *bodies, ctPileManifold *m)
{
    const ctSolverBody *a = &bodies[m->a], *b = &bodies[m->b];
    if (a->invMass == 0.0 && b->invMass == 0.0) {
        return; // nothing responds
    }
    for (int i = 0; i < m->count; i++) {
        ctPilePoint *p = &m->points[i];
        ctVec3 kn = mobility(a, b, p, m->wall, m->n), kx = mobility(a, b, p, m->wall, m->t1);
        ctVec3 ky = mobility(a, b, p, m->wall, m->t2);
        double k11 = ctDot(m->t1, kx), k12 = ctDot(m->t1, ky), k22 = ctDot(m->t2, ky);
        p->invKnn = 1.0 / ctDot(m->n, kn);
        p->k1n = ctDot(m->t1, kn);
        p->k2n = ctDot(m->t2, kn);
        double inverse = 1.0 / (k11 * k22 - k12 * k12), half = 0.5 * (k11 - k22);
        p->m11 = k22 * inverse;
        p->m12 = -k12 * inverse;
        p->m22 = k11 * inverse;
        p->hold = 1.0 / (0.5 * (k11 + k22) + sqrt(half * half + k12 * k12));
    }
}

// ---- sweeps -----------------------------------------------------------------------------------

// A body while its points are solved: its changing data is kept in registers.
typedef struct Moving {
    ctVec3 v, w;
    double invMass;
    const ctMat3 *invInertia;
} Moving;

static inline void pushBody(Moving *s, ctVec3 r, ctVec3 impulse, double sign)
{
    ctVec3 turn = ctMulMV(*s->invInertia, ctCross(r, impulse));
    s->v = ctMulAdd(s->v, sign * s->invMass, impulse);
    s->w = ctMulAdd(s->w, sign, turn);
}

void ctPile_Apply(ctSolverBody *bodies, const ctPileManifold *m)
{
    ctSolverBody *a = &bodies[m->a], *b = &bodies[m->b];
    ctVec3 sum = ctZero3(), turnA = ctZero3(), turnB = ctZero3();
    for (int i = 0; i < m->count; i++) {
        const ctPilePoint *p = &m->points[i];
        ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, m->n), p->p1, m->t1), p->p2, m->t2);
        sum = ctAdd(sum, impulse);
        turnA = ctAdd(turnA, ctCross(p->ra, impulse));
        turnB = ctAdd(turnB, ctCross(p->rb, impulse));
    }
    if (m->twisted) {
        turnA = ctAdd(turnA, m->twist);
        turnB = ctAdd(turnB, m->twist);
    }
    a->v = ctMulAdd(a->v, a->invMass, sum);
    a->w = ctAdd(a->w, ctMulMV(a->invInertia, turnA));
    if (!m->wall) {
        b->v = ctMulAdd(b->v, -b->invMass, sum);
        b->w = ctSub(b->w, ctMulMV(b->invInertia, turnB));
    }
}

void ctPile_Scale(ctPileManifold *m, double factor)
{
    m->twist = ctScale(factor, m->twist);
    for (int k = 0; k < m->count; k++) {
        m->points[k].p1 *= factor;
        m->points[k].p2 *= factor;
        m->points[k].pn *= factor;
    }
}

static inline bool solvePoint(ctPilePoint *p, const ctPileManifold *m, Moving *a, Moving *b, bool wall,
                              double tolerance)
{
    ctVec3 u = ctVelocityBetween(a->v, a->w, p->ra, b->v, b->w, p->rb);
    double e1 = ctDot(m->t1, u), e2 = ctDot(m->t2, u), en = ctDot(m->n, u) - p->target;
    if (p->pn == 0.0 && en >= 0.0 && p->p1 == 0.0 && p->p2 == 0.0) {
        return false; // it is open
    }
    double q1 = p->p1 - (p->m11 * e1 + p->m12 * e2), q2 = p->p2 - (p->m12 * e1 + p->m22 * e2);
    double bound = m->friction * p->pn;
    if (q1 * q1 + q2 * q2 > bound * bound) {
        q1 = p->p1 - p->hold * e1;
        q2 = p->p2 - p->hold * e2;
        double squared = q1 * q1 + q2 * q2;
        if (squared > bound * bound) {
            double scale = bound / sqrt(squared);
            q1 *= scale;
            q2 *= scale;
        }
    }
    en += p->k1n * (q1 - p->p1) + p->k2n * (q2 - p->p2);
    double qn = p->pn - en * p->invKnn;
    qn = qn > 0.0 ? qn : 0.0;
    double limit = m->friction * qn, squared = q1 * q1 + q2 * q2;
    if (limit < bound && squared > limit * limit) {
        double scale = limit / sqrt(squared);
        q1 *= scale;
        q2 *= scale;
    }
    double d1 = q1 - p->p1, d2 = q2 - p->p2, dn = qn - p->pn;
    ctVec3 change = ctMulAdd(ctMulAdd(ctScale(dn, m->n), d1, m->t1), d2, m->t2);
    p->p1 = q1;
    p->p2 = q2;
    p->pn = qn;
    pushBody(a, p->ra, change, 1.0);
    if (!wall) {
        pushBody(b, p->rb, change, -1.0);
    }
    return fabs(dn) > tolerance * p->invKnn || fabs(d1) + fabs(d2) > tolerance * p->hold;
}

// Rolling and spinning, each within its bound. One number that is at least the largest mobility serves for both.
static void resist(ctPileManifold *m, Moving *a, Moving *b, double spinning, double rolling)
{
    double answer = 1.0 / (ctTrace(*a->invInertia) + (m->wall ? 0.0 : ctTrace(*b->invInertia)));
    ctVec3 twist = ctMulAdd(m->twist, -answer, ctSub(a->w, b->w));
    double spin = ctDot(m->n, twist);
    ctVec3 roll = ctMulAdd(twist, -spin, m->n);
    double squared = ctLengthSquared(roll);
    roll = squared > rolling * rolling ? ctScale(rolling / sqrt(squared), roll) : roll;
    twist = ctMulAdd(roll, ctFmin(ctFmax(spin, -spinning), spinning), m->n);
    ctVec3 change = ctSub(twist, m->twist);
    m->twist = twist;
    a->w = ctAdd(a->w, ctMulMV(*a->invInertia, change));
    if (!m->wall) {
        b->w = ctSub(b->w, ctMulMV(*b->invInertia, change));
    }
}

static inline bool solve(ctSolverBody *bodies, ctPileManifold *m, bool wall, double tolerance)
{
    const ctSolverBody *bodyA = &bodies[m->a], *bodyB = &bodies[m->b];
    Moving a = {bodyA->v, bodyA->w, bodyA->invMass, &bodyA->invInertia};
    Moving b = {bodyB->v, bodyB->w, bodyB->invMass, &bodyB->invInertia};
    double load = 0.0;
    int loaded = 0;
    bool changed = false;
    for (int i = 0; i < m->count; i++) {
        changed = solvePoint(&m->points[i], m, &a, &b, wall, tolerance) || changed;
        load += m->points[i].pn;
        loaded += m->points[i].pn > 0.0;
    }
    m->loaded = loaded > 0;
    double least = loaded == 1 ? m->patch : 0.0;
    double spin = m->friction * least, spinning = m->spinning > spin ? m->spinning : spin;
    double rolling = m->rolling > least ? m->rolling : least;
    bool twisted = spinning > 0.0 || rolling > 0.0;
    if (twisted || m->twisted) {
        resist(m, &a, &b, spinning * load, rolling * load);
    }
    m->twisted = twisted;
    bodies[m->a].v = a.v;
    bodies[m->a].w = a.w;
    if (!wall) {
        bodies[m->b].v = b.v;
        bodies[m->b].w = b.w;
    }
    return changed;
}

bool ctPile_Solve(ctSolverBody *bodies, ctPileManifold *m, double tolerance)
{
    if (bodies[m->a].invMass == 0.0 && (m->wall || bodies[m->b].invMass == 0.0)) {
        return false; // nothing responds: a frozen body against a wall that moves
    }
    return m->wall ? solve(bodies, m, true, tolerance) : solve(bodies, m, false, tolerance);
}

// ---- overlaps ---------------------------------------------------------------------------------

// An impulse along n at a point of a body: the turn that a unit of it gives, and the motion of the point along n.
typedef struct Lever {
    ctVec3 arm, turn; // r x n, I^-1 (r x n)
    double give;
} Lever;

static inline Lever leverOf(const ctSolverBody *body, ctVec3 r, ctVec3 n)
{
    Lever lever = {.arm = ctCross(r, n)};
    lever.turn = ctMulMV(body->invInertia, lever.arm);
    lever.give = body->invMass + ctDot(lever.arm, lever.turn);
    return lever;
}

static inline void displace(ctPilePush *push, const ctSolverBody *body, const Lever *lever, ctVec3 n, double impulse)
{
    push->x = ctMulAdd(push->x, impulse * body->invMass, n);
    push->turn = ctMulAdd(push->turn, impulse, lever->turn);
    push->any = push->any || body->invMass > 0.0;
}

bool ctPile_Push(const ctSolverBody *bodies, ctPilePush *pushes, const ctPileManifold *m, ctVec3 up)
{
    const ctSolverBody *bodyA = &bodies[m->a], *bodyB = &bodies[m->b];
    ctPilePush *a = &pushes[m->a], *b = &pushes[m->b];
    if (bodyA->invMass == 0.0 && bodyB->invMass == 0.0) {
        return false;
    }
    // Displacements carry no momentum, so they may be shared in any way. The lower body stays in place, and a stack is
    // corrected in one sweep from below.
    double lean = bodyA->invMass == 0.0 || bodyB->invMass == 0.0 ? 0.0 : ctDot(up, m->n);
    double shareA = 1.0 + lean, shareB = m->wall ? 0.0 : 1.0 - lean;
    bool moved = false;
    for (int i = 0; i < m->count; i++) {
        const ctPilePoint *p = &m->points[i];
        ctVec3 d = ctSub(ctAdd(a->x, ctCross(a->turn, p->ra)), ctAdd(b->x, ctCross(b->turn, p->rb)));
        double lack = -p->room - ctDot(m->n, d);
        if (lack > CT_POINT_TOUCH * m->size) {
            Lever leverA = leverOf(bodyA, p->ra, m->n), leverB = leverOf(bodyB, p->rb, m->n);
            double impulse = lack / (shareA * leverA.give + shareB * leverB.give);
            displace(a, bodyA, &leverA, m->n, shareA * impulse);
            if (!m->wall) {
                displace(b, bodyB, &leverB, m->n, -shareB * impulse);
            }
            moved = true;
        }
    }
    return moved;
}
