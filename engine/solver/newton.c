// A step of Newton's method on the conditions of all points of an island at once.
//
// With M the masses, J the rows of the points, v_f the velocities without contact and u = J v - target, the impulses p
// obey M (v - v_f) = J^T p and, at each point, p = P(z), z = p - rho u, for any rho > 0:
//     P_n = max(0, z_n),   P_t = z_t, or mu p_n z_t / |z_t| where that is shorter
// (Alart & Curnier 1991). The resistances to rolling and spinning have the same form with their own bounds. z tells
// which piece of P holds. Linearised, with c along z_t, x across it and alpha = mu p_n / |z_t|:
//     open      dp = -p
//     bearing   J_n dv = -u_n
//     sticking  J_t dv = -u_t
//     sliding   dp_c = mu (p_n + dp_n) - p_c,   (1 - alpha) dp_x = -rho (u_x + alpha J_x dv)
// So friction turns with the slip and grows with the normal force within one step. Velocities that must vanish are held
// by a stiff law instead, dp = -Gamma (u + J dv). With every dp affine in dv,
//     dp = q - G J dv,   (M + J^T G J) dv = J^T q,
// the matrix is regular even where points are redundant (four points under a box), and the undetermined part of the
// forces does not change. Of a velocity that must vanish the share 1 / (1 + Gamma lambda) is left, with the eigenvalue
// lambda of J M^-1 J^T, which for the swaying of a tower of n boxes falls like 1 / n^4. Where much would be left, the
// step is made stiffer. Gamma is proportional to the mass that moves at the point. But a light body may carry a heavy
// one, so Gamma is at least that of a hundredth of the heaviest body. This minimum does not hold where impulses would
// leave what their laws allow: points whose target speeds do not quite fit together would build up forces without
// limit.
//
// A point that is about to separate or to slide is nevertheless held if z says so. Its impulse is then not allowed by
// its law, and its neighbours have relied on it. With the new impulses z finds the pieces better. So the step is
// repeated from its result, a few times, before impulses are cut to what is allowed.
//
// The method is quadratic near a solution and may diverge far from it. It is used between sweeps (solver/solver.c),
// which find out which pieces hold, and which judge its result.
#include "engine/solver/newton_rows.h"

#include "collision/memory.h"

#include <string.h>

// A step that leaves more than its share of the velocities that must vanish is repeated this many times stiffer.
// Larger: rounding; smaller: more matrices.
#define STIFFER 100.0
#define MOST_STIFFNESS 1e9 // [rounding] beyond this, rounding in the matrix outweighs the gain
// As a share of the heaviest body's mass. Larger: light bodies respond late; smaller: redundant points of light bodies
// are not told apart.
#define BURDEN 0.01

void ctNewton_Destroy(ctNewton *nw)
{
    if (nw == NULL) {
        return;
    }
    ctBlocks_Destroy(&nw->matrix);
    ctFree(nw->laws);
    ctFree(nw->x);
    ctFree(nw->slope);
    ctFree(nw->base);
    ctFree(nw->now);
    ctFree(nw->round);
    for (int i = 0; i < ct_keptCount; i++) {
        ctFree(nw->keptPoints[i]);
        ctFree(nw->keptBodies[i]);
    }
    ctFree(nw);
}

bool ctNewton_Begin(ctNewton **newton, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points,
                    int count)
{
    if (*newton == NULL) {
        *newton = ctAllocate(1, sizeof(ctNewton));
    }
    ctNewton *nw = *newton;
    if (nw == NULL) {
        return false;
    }
    int rows = CT_STRIDE * bodyCount;
    bool ok = ctReserve((void **)&nw->laws, &nw->lawCapacity, count, sizeof(ctPointLaw)) &&
              ctReserve((void **)&nw->round, &nw->roundCapacity, (count + 3) / 4, sizeof(ctRoundFour)) &&
              ctReserve((void **)&nw->x, &nw->xCapacity, rows, sizeof(double)) &&
              ctReserve((void **)&nw->slope, &nw->slopeCapacity, rows, sizeof(double)) &&
              ctReserve((void **)&nw->base, &nw->baseCapacity, rows, sizeof(double)) &&
              ctReserve((void **)&nw->now, &nw->nowCapacity, rows, sizeof(double));
    for (int i = 0; i < ct_keptCount && ok; i++) {
        ok = ctReserve((void **)&nw->keptPoints[i], &nw->keptPointCapacity[i], count, sizeof(ctKeptPoint)) &&
             ctReserve((void **)&nw->keptBodies[i], &nw->keptBodyCapacity[i], bodyCount, sizeof(ctSolverBody));
    }
    if (!ok || !ctBlocks_Begin(&nw->matrix, bodies, bodyCount, points, count)) {
        return false;
    }
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < nw->matrix.count; i++) {
        least = ctFmin(least, bodies[nw->matrix.order[i]].invMass);
        most = ctFmax(most, bodies[nw->matrix.order[i]].invMass);
    }
    nw->burden = BURDEN / least;
    nw->even = nw->burden * most <= 1.0;
    nw->stuck = 0.0;
    return true;
}

// ---- the step ---------------------------------------------------------------------------------

void ctNewton_Keep(ctNewton *nw, int slot, const ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        nw->keptPoints[slot][i] = (ctKeptPoint){p->p1, p->p2, p->pn, p->twist};
    }
    for (int i = 0; i < nw->matrix.count; i++) {
        nw->keptBodies[slot][i] = bodies[nw->matrix.order[i]];
    }
}

void ctNewton_RestoreBodies(const ctNewton *nw, int slot, ctSolverBody *bodies)
{
    for (int i = 0; i < nw->matrix.count; i++) {
        bodies[nw->matrix.order[i]] = nw->keptBodies[slot][i];
    }
}

void ctNewton_Restore(const ctNewton *nw, int slot, ctSolverBody *bodies, ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        const ctKeptPoint *k = &nw->keptPoints[slot][i];
        points[i].p1 = k->p1;
        points[i].p2 = k->p2;
        points[i].pn = k->pn;
        points[i].twist = k->twist;
    }
    ctNewton_RestoreBodies(nw, slot, bodies);
}

// The change of a body's velocity and spin.
static void changeOf(const ctNewton *nw, int body, ctVec3 *v, ctVec3 *w)
{
    int block = nw->matrix.block[body];
    *v = *w = ctZero3();
    if (block >= 0) {
        const double *x = &nw->x[CT_STRIDE * block];
        *v = ctV3(x[0], x[1], x[2]);
        *w = ctV3(x[3], x[4], x[5]);
    }
}

// The result of a trial step.
typedef struct Outcome {
    // m/s: the largest velocity that must vanish, before and after the step. Spins count at the length of the arm.
    double before, after;
    bool lost; // an impulse is not allowed by its law
} Outcome;

static void noteHeld(Outcome *o, double q, double g, double change)
{
    double inverse = 1.0 / g, before = fabs(q) * inverse, after = fabs(change) * inverse;
    o->before = before > o->before ? before : o->before;
    o->after = after > o->after ? after : o->after;
}

// The impulse of a disc after the step, in the axes t1, t2. arm: makes a speed of its velocity.
static void moveDisc(const ctDiscLaw *d, double arm, double du1, double du2, double dpn, double *p1, double *p2,
                     Outcome *o)
{
    double c = d->qc + d->share * dpn - d->gc * (d->c1 * du1 + d->c2 * du2);
    double x = d->qx - d->gx * (d->c1 * du2 - d->c2 * du1);
    *p1 += d->c1 * c - d->c2 * x;
    *p2 += d->c2 * c + d->c1 * x;
    if (d->gc > 0.0) {
        noteHeld(o, arm * d->qc, d->gc, arm * c);
        noteHeld(o, arm * d->qx, d->gx, arm * x);
    }
}

// The impulses after a step, allowed or not.
static ctKeptPoint nextOf(const ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law, Outcome *o)
{
    ctKeptPoint next = {0.0, 0.0, 0.0, ctZero3()};
    if (law->open) {
        return next;
    }
    ctVec3 va, wa, vb, wb;
    changeOf(nw, p->a, &va, &wa);
    changeOf(nw, p->b, &vb, &wb);
    ctVec3 du = ctSub(ctAdd(va, ctCross(wa, p->ra)), ctAdd(vb, ctCross(wb, p->rb))), dw = ctSub(wa, wb);
    double dpn = law->qn - law->gn * ctDot(p->n, du);
    noteHeld(o, law->qn, law->gn, dpn);
    next = (ctKeptPoint){p->p1, p->p2, p->pn + dpn, p->twist};
    if (p->mu > 0.0) {
        moveDisc(&law->slip, 1.0, ctDot(p->t1, du), ctDot(p->t2, du), dpn, &next.p1, &next.p2, o);
    }
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        double r1 = ctDot(p->t1, p->twist), r2 = ctDot(p->t2, p->twist), s = ctDot(p->n, p->twist);
        if (p->rolling > 0.0) {
            double arm = ctLength(nw->matrix.block[p->a] >= 0 ? p->ra : p->rb);
            moveDisc(&law->roll, arm, ctDot(p->t1, dw), ctDot(p->t2, dw), dpn, &r1, &r2, o);
        }
        s += p->spinning > 0.0 ? law->qs + law->spinShare * dpn - law->gs * ctDot(p->n, dw) : 0.0;
        next.twist = ctMulAdd(ctMulAdd(ctScale(s, p->n), r1, p->t1), r2, p->t2);
    }
    return next;
}

static bool cutDisc(double bound, double *p1, double *p2)
{
    double square = *p1 * *p1 + *p2 * *p2;
    if (!(square > bound * bound)) {
        return false;
    }
    double share = bound / sqrt(square);
    *p1 *= share;
    *p2 *= share;
    return true;
}

// Cuts impulses to what the point allows. True when one that should be held is cut.
static bool cut(const ctSolverPoint *p, const ctPointLaw *law, ctKeptPoint *next)
{
    bool lost = next->pn < 0.0;
    next->pn = ctFmax(0.0, next->pn);
    lost = (cutDisc(p->mu * next->pn, &next->p1, &next->p2) && law->slip.gc > 0.0) || lost;
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        double r1 = ctDot(p->t1, next->twist), r2 = ctDot(p->t2, next->twist), bound = p->spinning * next->pn;
        double s = ctFmin(ctFmax(ctDot(p->n, next->twist), -bound), bound);
        lost = (cutDisc(p->rolling * next->pn, &r1, &r2) && law->roll.gc > 0.0) || lost;
        next->twist = ctMulAdd(ctMulAdd(ctScale(s, p->n), r1, p->t1), r2, p->t2);
    }
    return lost;
}

static void take(ctSolverPoint *p, const ctKeptPoint *next, ctSolverBody *bodies)
{
    double d1 = next->p1 - p->p1, d2 = next->p2 - p->p2, dn = next->pn - p->pn;
    if (d1 != 0.0 || d2 != 0.0 || dn != 0.0) {
        ctSolverPoint_Push(p, bodies, ctMulAdd(ctMulAdd(ctScale(dn, p->n), d1, p->t1), d2, p->t2));
    }
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        ctSolverPoint_Twist(p, bodies, ctSub(next->twist, p->twist));
    }
    p->p1 = next->p1;
    p->p2 = next->p2;
    p->pn = next->pn;
    p->twist = next->twist;
}

// The step for one stiffness, into the slot ct_keptNext. False when the matrix is singular.
static bool tryStep(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count, double stiffness,
                    Outcome *o)
{
    nw->stuck = 0.0;
    ctBlocks_SetMasses(&nw->matrix);
    memset(nw->x, 0, sizeof(double) * (size_t)(CT_STRIDE * nw->matrix.count));
    for (int i = 0; i < count; i++) {
        ctPointLaw_Set(&points[i], bodies, nw->burden, stiffness, &nw->laws[i]);
        ctNewton_AddPoint(nw, &points[i], &nw->laws[i]);
    }
    if (!ctBlocks_Factor(&nw->matrix)) {
        return false;
    }
    ctBlocks_Solve(&nw->matrix, nw->x);
    *o = (Outcome){0.0, 0.0, false};
    for (int i = 0; i < count; i++) {
        ctKeptPoint next = nextOf(nw, &points[i], &nw->laws[i], o);
        nw->keptPoints[ct_keptNext][i] = next;
        o->lost = (!nw->laws[i].open && cut(&points[i], &nw->laws[i], &next)) || o->lost;
    }
    return true;
}

static void swapNext(ctNewton *nw)
{
    ctKeptPoint *next = nw->keptPoints[ct_keptNext];
    nw->keptPoints[ct_keptNext] = nw->keptPoints[ct_keptOther];
    nw->keptPoints[ct_keptOther] = next;
    int capacity = nw->keptPointCapacity[ct_keptNext];
    nw->keptPointCapacity[ct_keptNext] = nw->keptPointCapacity[ct_keptOther];
    nw->keptPointCapacity[ct_keptOther] = capacity;
}

// Repeats the step from its result while pieces turn out to be wrong.
static bool correct(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, int corrections,
                    double stiffness, Outcome *o, int *factored)
{
    for (int k = 0; k < corrections && nw->even && o->lost; k++) {
        for (int i = 0; i < count; i++) {
            take(&points[i], &nw->keptPoints[ct_keptNext][i], bodies);
        }
        ++*factored;
        if (!tryStep(nw, bodies, points, count, stiffness, o)) {
            return false;
        }
    }
    return true;
}

bool ctNewton_Step(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, int corrections, double settle,
                   double *stiffness, int *factored)
{
    Outcome o;
    ++*factored;
    if (!tryStep(nw, bodies, points, count, *stiffness, &o)) {
        return false;
    }
    if (!correct(nw, bodies, points, count, corrections, *stiffness, &o, factored)) {
        ctNewton_Restore(nw, ct_keptStep, bodies, points, count);
        return false;
    }
    while (!o.lost && o.after > CT_SOFT * ctFmax(o.before, settle) && *stiffness < MOST_STIFFNESS) {
        swapNext(nw);
        ++*factored;
        if (!tryStep(nw, bodies, points, count, STIFFER * *stiffness, &o) || o.lost) {
            swapNext(nw);
            break;
        }
        *stiffness *= STIFFER;
    }
    for (int i = 0; i < count; i++) {
        ctKeptPoint *next = &nw->keptPoints[ct_keptNext][i];
        cut(&points[i], &nw->laws[i], next);
        take(&points[i], next, bodies);
    }
    return true;
}
