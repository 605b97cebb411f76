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

// ---- impulses ---------------------------------------------------------------------------------

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
