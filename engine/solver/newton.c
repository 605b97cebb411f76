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
    ctFree(nw->fours);
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

static bool isStill(const ctNewton *nw, const ctSolverBody *bodies, int body)
{
    return nw->matrix.block[body] < 0 && ctLengthSquared(bodies[body].v) + ctLengthSquared(bodies[body].w) == 0.0;
}

static inline void putThree(ctFourAt *to, int lane, ctVec3 v)
{
    to[0][lane] = v.x;
    to[1][lane] = v.y;
    to[2][lane] = v.z;
}

static void putPoint(ctPointFour *f, int lane, const ctSolverPoint *p)
{
    putThree(f->ra, lane, p->ra);
    putThree(f->rb, lane, p->rb);
    putThree(f->n, lane, p->n);
    putThree(f->t1, lane, p->t1);
    putThree(f->t2, lane, p->t2);
    f->mu[lane] = p->mu;
    f->target[lane] = p->target;
    f->knn[lane] = p->knn;
    f->invKnn[lane] = p->invKnn;
    f->invS2[lane] = p->invS2;
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        f->resists = true;
        f->rolling[lane] = p->rolling;
        f->spinning[lane] = p->spinning;
        f->roll2[lane] = p->roll2;
        f->spinMobility[lane] = p->spinMobility;
    }
}

// Sets what is the same throughout a solution.
static void layOut(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    for (int i = 0; i < (count + 3) / 4 * 4; i++) {
        ctPointFour *f = &nw->fours[i / 4];
        const ctSolverPoint *p = &points[i < count ? i : count - 1];
        int lane = i % 4;
        if (lane == 0) {
            *f = (ctPointFour){.count = count - i < 4 ? count - i : 4, .still = true};
        }
        f->a[lane] = p->a;
        f->b[lane] = p->b;
        f->blockA[lane] = nw->matrix.block[p->a];
        f->blockB[lane] = nw->matrix.block[p->b];
        f->still = f->still && isStill(nw, bodies, p->b);
        if (i < count) {
            putPoint(f, lane, p);
        }
    }
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
    int rows = CT_STRIDE * bodyCount, fours = (count + 3) / 4;
    bool ok = ctReserve((void **)&nw->fours, &nw->fourCapacity, fours, sizeof(ctPointFour)) &&
              ctReserve((void **)&nw->laws, &nw->lawCapacity, fours, sizeof(ctLawFour)) &&
              ctReserve((void **)&nw->round, &nw->roundCapacity, fours, sizeof(ctRoundFour)) &&
              ctReserve((void **)&nw->x, &nw->xCapacity, rows + CT_STRIDE, sizeof(double)) &&
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
    layOut(nw, bodies, points, count);
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

// The result of a trial step.
typedef struct Outcome {
    // m/s: the largest velocity that must vanish, before and after the step. Spins count at the length of the arm.
    double before, after;
    bool lost; // an impulse is not allowed by its law
} Outcome;

// The same for each lane.
typedef struct Outcomes {
    ctFour before, after;
    ctFourBits lost;
} Outcomes;

static inline void noteHeld(Outcomes *o, ctFourBits which, ctFour q, ctFour g, ctFour change)
{
    ctFour inverse = 1.0 / g, before = ctFour_Size(q) * inverse, after = ctFour_Size(change) * inverse;
    o->before = ctFour_Choose(which & (ctFourBits)(before > o->before), before, o->before);
    o->after = ctFour_Choose(which & (ctFourBits)(after > o->after), after, o->after);
}

// The impulses of discs after the step, in the axes t1, t2. arm: makes speeds of their velocities.
static inline void moveDisc(const ctDiscLaw *d, ctFourBits which, ctFour arm, ctFour du1, ctFour du2, ctFour dpn,
                            ctFour *p1, ctFour *p2, Outcomes *o)
{
    ctFour c = d->qc + d->share * dpn - d->gc * (d->c1 * du1 + d->c2 * du2);
    ctFour x = d->qx - d->gx * (d->c1 * du2 - d->c2 * du1);
    *p1 = ctFour_Choose(which, *p1 + (d->c1 * c - d->c2 * x), *p1);
    *p2 = ctFour_Choose(which, *p2 + (d->c2 * c + d->c1 * x), *p2);
    ctFourBits held = which & (ctFourBits)(d->gc > 0.0);
    if (ctFour_IsAny(held)) {
        noteHeld(o, held, arm * d->qc, d->gc, arm * c);
        noteHeld(o, held, arm * d->qx, d->gx, arm * x);
    }
}

// Whether impulses on discs that should be held have to be cut.
static inline ctFourBits isCut(const ctDiscLaw *d, ctFour bound, ctFour p1, ctFour p2)
{
    return (ctFourBits)(p1 * p1 + p2 * p2 > bound * bound) & (ctFourBits)(d->gc > 0.0);
}

// The torques of resistances after a step.
static ctFourVec nextTwist(const ctPointFour *f, const ctLawFour *law, const double *const a[4],
                           const double *const b[4], ctFourBits bears, ctFour dpn, ctFour pn, Outcomes *o)
{
    ctFourVec n = ctFourVec_Load(f->n), t1 = ctFourVec_Load(f->t1), t2 = ctFourVec_Load(f->t2), dw, arm;
    for (int i = 0; i < 4; i++) {
        dw.x[i] = a[i][3] - b[i][3];
        dw.y[i] = a[i][4] - b[i][4];
        dw.z[i] = a[i][5] - b[i][5];
        const ctFourAt *r = f->blockA[i] >= 0 ? f->ra : f->rb;
        arm.x[i] = r[0][i];
        arm.y[i] = r[1][i];
        arm.z[i] = r[2][i];
    }
    ctFourVec twist = ctFourVec_Load(law->twist);
    ctFour r1 = ctFourVec_Dot(t1, twist), r2 = ctFourVec_Dot(t2, twist), s = ctFourVec_Dot(n, twist);
    ctFourBits rolls = bears & (ctFourBits)(f->rolling > 0.0), spins = bears & (ctFourBits)(f->spinning > 0.0);
    moveDisc(&law->roll, rolls, ctFour_Roots(ctFourVec_Dot(arm, arm)), ctFourVec_Dot(t1, dw), ctFourVec_Dot(t2, dw),
             dpn, &r1, &r2, o);
    s = ctFour_Choose(spins, s + (law->qs + law->spinShare * dpn - law->gs * ctFourVec_Dot(n, dw)), s);
    ctFourBits resist = rolls | spins;
    twist = ctFourVec_MulAdd(ctFourVec_MulAdd(ctFourVec_Scale(s, n), r1, t1), r2, t2);
    r1 = ctFourVec_Dot(t1, twist);
    r2 = ctFourVec_Dot(t2, twist);
    o->lost |= resist & isCut(&law->roll, f->rolling * ctFour_Max((ctFour){0.0}, pn), r1, r2);
    ctFour none = {0.0};
    return (ctFourVec){ctFour_Choose(resist, twist.x, none), ctFour_Choose(resist, twist.y, none),
                       ctFour_Choose(resist, twist.z, none)};
}

// The impulses of four points after a step, allowed or not, in the slot ct_keptNext.
static void nextFour(ctNewton *nw, int four, Outcomes *o)
{
    const ctPointFour *f = &nw->fours[four];
    const ctLawFour *law = &nw->laws[four];
    ctFour none = {0.0};
    const double *a[4], *b[4]; // changes of velocities; fixed bodies share a row of zeros
    for (int i = 0; i < 4; i++) {
        a[i] = &nw->x[CT_STRIDE * (f->blockA[i] >= 0 ? f->blockA[i] : nw->matrix.count)];
        b[i] = &nw->x[CT_STRIDE * (f->blockB[i] >= 0 ? f->blockB[i] : nw->matrix.count)];
    }
    ctFourVec du = ctNewton_VelocityAt(a, ctFourVec_Load(f->ra));
    du = ctFourVec_Sub(du, ctNewton_VelocityAt(b, ctFourVec_Load(f->rb)));
    ctFourBits bears;
    memcpy(&bears, law->open, sizeof bears);
    bears = ~bears;
    ctFour dpn = law->qn - law->gn * ctFourVec_Dot(ctFourVec_Load(f->n), du);
    noteHeld(o, bears, law->qn, law->gn, dpn);
    ctFour p1 = law->p1, p2 = law->p2, pn = ctFour_Choose(bears, law->pn + dpn, none);
    ctFourVec twist = {none, none, none};
    moveDisc(&law->slip, bears & (ctFourBits)(f->mu > none), (ctFour){1.0, 1.0, 1.0, 1.0},
             ctFourVec_Dot(ctFourVec_Load(f->t1), du), ctFourVec_Dot(ctFourVec_Load(f->t2), du), dpn, &p1, &p2, o);
    o->lost |= bears & ((ctFourBits)(pn < none) | isCut(&law->slip, f->mu * ctFour_Max(none, pn), p1, p2));
    if (f->resists) {
        twist = nextTwist(f, law, a, b, bears, dpn, pn, o);
    }
    ctFour rows[4];
    ctFour_Transpose(ctFour_Choose(bears, p1, none), ctFour_Choose(bears, p2, none), pn, twist.x, rows);
    for (int i = 0; i < f->count; i++) {
        ctKeptPoint *next = &nw->keptPoints[ct_keptNext][4 * four + i];
        *(ctFourAt *)&next->p1 = rows[i];
        next->twist.y = twist.y[i];
        next->twist.z = twist.z[i];
    }
}

static void cutDisc(double bound, double *p1, double *p2)
{
    double square = *p1 * *p1 + *p2 * *p2;
    if (square > bound * bound) {
        double share = bound / sqrt(square);
        *p1 *= share;
        *p2 *= share;
    }
}

// Cuts impulses to what the point allows.
static void cut(const ctSolverPoint *p, ctKeptPoint *next)
{
    next->pn = ctFmax(0.0, next->pn);
    cutDisc(p->mu * next->pn, &next->p1, &next->p2);
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        double r1 = ctDot(p->t1, next->twist), r2 = ctDot(p->t2, next->twist), bound = p->spinning * next->pn;
        double s = ctFmin(ctFmax(ctDot(p->n, next->twist), -bound), bound);
        cutDisc(p->rolling * next->pn, &r1, &r2);
        next->twist = ctMulAdd(ctMulAdd(ctScale(s, p->n), r1, p->t1), r2, p->t2);
    }
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
    memset(nw->x, 0, sizeof(double) * (size_t)(CT_STRIDE * (nw->matrix.count + 1)));
    for (int i = 0; 4 * i < count; i++) {
        ctNewton_SetLaws(nw, bodies, points, i, stiffness);
        ctNewton_AddFour(nw, points, i);
    }
    if (!ctBlocks_Factor(&nw->matrix)) {
        return false;
    }
    ctBlocks_Solve(&nw->matrix, nw->x);
    Outcomes all = {{0.0}, {0.0}, {0}};
    for (int i = 0; 4 * i < count; i++) {
        nextFour(nw, i, &all);
    }
    *o = (Outcome){0.0, 0.0, ctFour_IsAny(all.lost)};
    for (int i = 0; i < 4; i++) {
        o->before = ctFmax(o->before, all.before[i]);
        o->after = ctFmax(o->after, all.after[i]);
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
        cut(&points[i], next);
        take(&points[i], next, bodies);
    }
    return true;
}
