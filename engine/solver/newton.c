// A step of Newton's method on the conditions of all points of an island at once.
//
// With M the masses, J the rows of the points, v_f the velocities without contact and u = J v - target, the
// impulses p obey M (v - v_f) = J^T p and, at each point, p = P(z), z = p - rho u, for any rho > 0:
//     P_n = max(0, z_n),   P_t = z_t, or mu p_n z_t / |z_t| where that is shorter
// (Alart & Curnier 1991), and likewise for the resistances to rolling and spinning with their bounds. Which
// piece holds is read off z. Linearised, with c along z_t, x across it and alpha = mu p_n / |z_t|:
//     open      dp = -p
//     bearing   J_n dv = -u_n
//     sticking  J_t dv = -u_t
//     sliding   dp_c = mu (p_n + dp_n) - p_c,   (1 - alpha) dp_x = -rho (u_x + alpha J_x dv)
// so that friction turns with the slip and grows with the normal force within one step. Velocities that
// must vanish are held by a stiff law instead, dp = -Gamma (u + J dv): with every dp affine in dv,
//     dp = q - G J dv,   (M + J^T G J) dv = J^T q,
// and the matrix is regular even where points outnumber what they can determine (four points under a box):
// the undetermined part of the forces stays as it was. What is left of a velocity that must vanish is its part
// 1 / (1 + Gamma lambda), lambda the eigenvalue of J M^-1 J^T, which for the swaying of a tower of n boxes falls
// like 1 / n^4: where much would be left, the step is made stiffer. Gamma goes with the mass that moves at the point;
// but a pebble may have a millstone to carry, so that it is not less than a hundredth of the heaviest body. It is not
// where impulses would leave what their laws allow: points that ask for speeds which do not quite fit together would
// build up forces without limit.
//
// A point that is about to part, or to slide, is held all the same where z says so: then an impulse comes out that its
// law does not allow, and those of its neighbours have counted on it. From there, with the impulses as they are, z
// tells the pieces better: the step is done again from where it has led, a few times, before impulses are cut down to
// what is allowed.
//
// The method is quadratic near a solution and not safe far from it. It is a step between sweeps
// (solver/solver.c), which find out which pieces hold, and which judge what it has done.
#include "engine/solver/newton.h"

#include "collision/memory.h"

#include <string.h>

// A step that leaves more than this of the velocities that must vanish is done again, so many times stiffer.
// Larger: rounding; smaller: more matrices.
#define STIFFER 100.0
#define MOST_STIFFNESS 1e9 // [rounding] beyond this, rounding in the matrix eats the gain
// Of the heaviest body's mass. Larger: light bodies answer late; smaller: redundant points of light bodies are not told
// apart.
#define BURDEN 0.01

enum { ROWS = 6 }; // of a point: n, along and across the slip, spin, along and across the rolling

// Two directions with a common bound share * p_n: sliding or rolling.
typedef struct Disc {
    double c1, c2; // unit direction of the impulse in the axes t1, t2
    double share;  // dp_c grows with dp_n by this: 0 when it sticks
    double qc, gc, qx, gx;
} Disc;

// dp = q - G J dv at one point.
typedef struct ctPointLaw {
    bool open;
    double qn, gn;
    Disc slip, roll;
    double spinShare, qs, gs;
} ctPointLaw;

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
              ctReserve((void **)&nw->round, &nw->roundCapacity, count, sizeof(ctRoundPoint)) &&
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
    return true;
}

// ---- one point --------------------------------------------------------------------------------

// The law of a disc with impulse p1, p2 at velocity u1, u2, for the present normal impulse pn and the one
// that z predicts. mobility: velocity per impulse.
static inline Disc discLaw(double p1, double p2, double u1, double u2, double share, double pn, double zn,
                           double mobility, double stiffness)
{
    double rho = 1.0 / mobility, stiff = stiffness / mobility;
    double z1 = p1 - rho * u1, z2 = p2 - rho * u2, length = sqrt(z1 * z1 + z2 * z2), bound = share * zn;
    if (length <= bound) {
        return (Disc){1.0, 0.0, 0.0, -stiff * u1, stiff, -stiff * u2, stiff};
    }
    Disc d = {z1 / length, z2 / length, share, 0.0, 0.0, 0.0, 0.0};
    double alpha = bound / length, across = d.c1 * u2 - d.c2 * u1;
    d.qc = share * pn - (d.c1 * p1 + d.c2 * p2);
    double slack = ctFmax(1.0 - alpha, 1.0 / stiffness);
    d.qx = -rho * across / slack;
    d.gx = rho * alpha / slack;
    return d;
}

// The laws of the resistances at a point that has some.
static void setResistance(const ctSolverPoint *p, const ctSolverBody *bodies, double zn, double stiffness,
                          ctPointLaw *law)
{
    ctVec3 w = ctSub(bodies[p->a].w, bodies[p->b].w);
    law->spinShare = law->qs = law->gs = 0.0;
    law->roll = (Disc){0}; // nothing of another solution may stay
    if (p->rolling > 0.0) {
        law->roll = discLaw(ctDot(p->t1, p->twist), ctDot(p->t2, p->twist), ctDot(p->t1, w), ctDot(p->t2, w),
                            p->rolling, p->pn, zn, p->roll2, stiffness);
    }
    if (p->spinning > 0.0) {
        double before = ctDot(p->n, p->twist), spin = ctDot(p->n, w), z = before - spin / p->spinMobility;
        if (fabs(z) <= p->spinning * zn) {
            law->gs = stiffness / p->spinMobility;
            law->qs = -law->gs * spin;
        } else {
            law->spinShare = copysign(p->spinning, z);
            law->qs = law->spinShare * p->pn - before;
        }
    }
}

// In place, and no more of it than the point has: laws of hundreds of points are set again for every step.
static void setLaw(const ctSolverPoint *p, const ctSolverBody *bodies, double burden, double stiffness, ctPointLaw *law)
{
    stiffness *= ctFmax(1.0, burden * p->knn);
    ctVec3 u = ctSolverPoint_Velocity(p, bodies);
    double un = ctDot(p->n, u) - p->target, zn = p->pn - p->invKnn * un;
    law->open = zn <= 0.0;
    if (law->open) {
        return;
    }
    law->gn = stiffness * p->invKnn;
    law->qn = -law->gn * un;
    law->slip = (Disc){0};
    if (p->mu > 0.0) {
        law->slip = discLaw(p->p1, p->p2, ctDot(p->t1, u), ctDot(p->t2, u), p->mu, p->pn, zn, p->s2, stiffness);
    }
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        setResistance(p, bodies, zn, stiffness, law);
    }
}

static ctVec3 along(const ctSolverPoint *p, const Disc *d)
{
    return ctMulAdd(ctScale(d->c1, p->t1), d->c2, p->t2);
}

static ctVec3 across(const ctSolverPoint *p, const Disc *d)
{
    return ctMulAdd(ctScale(d->c1, p->t2), -d->c2, p->t1);
}

// ---- assembly ---------------------------------------------------------------------------------

// The row of a direction of sliding over both bodies.
static void slideRow(const ctSolverPoint *p, ctVec3 d, double row[2 * CT_STRIDE])
{
    ctVec3 xa = ctCross(p->ra, d), xb = ctCross(p->rb, d);
    const double value[2 * CT_STRIDE] = {d.x,  d.y,  d.z,  xa.x,  xa.y,  xa.z,  0, 0,
                                         -d.x, -d.y, -d.z, -xb.x, -xb.y, -xb.z, 0, 0};
    memcpy(row, value, sizeof value);
}

static void turnRow(ctVec3 d, double row[2 * CT_STRIDE])
{
    const double value[2 * CT_STRIDE] = {0, 0, 0, d.x, d.y, d.z, 0, 0, 0, 0, 0, -d.x, -d.y, -d.z, 0, 0};
    memcpy(row, value, sizeof value);
}

static void addScaled(double *to, double f, const double *row)
{
    for (int i = 0; i < 2 * CT_STRIDE; i++) {
        to[i] += f * row[i];
    }
}

typedef struct Rows {
    int count;
    double left[ROWS][2 * CT_STRIDE], right[ROWS][2 * CT_STRIDE];
    double load[2 * CT_STRIDE]; // J^T q
} Rows;

// A direction with the law dp = q + share dp_n - g J dv. Row 0 is the normal's.
static void addDirection(Rows *rows, const double *row, double q, double g, double share)
{
    addScaled(rows->load, q, row);
    if (share != 0.0) {
        addScaled(rows->left[0], share, row);
    }
    if (g > 0.0) {
        int k = rows->count++;
        memcpy(rows->left[k], row, sizeof rows->left[k]);
        for (int i = 0; i < 2 * CT_STRIDE; i++) {
            rows->right[k][i] = g * row[i];
        }
    }
}

static void addDisc(Rows *rows, const ctSolverPoint *p, const Disc *d, bool turns)
{
    double row[2 * CT_STRIDE];
    for (int k = 0; k < 2; k++) {
        ctVec3 direction = k == 0 ? along(p, d) : across(p, d);
        if (turns) {
            turnRow(direction, row);
        } else {
            slideRow(p, direction, row);
        }
        addDirection(rows, row, k == 0 ? d->qc : d->qx, k == 0 ? d->gc : d->gx, k == 0 ? d->share : 0.0);
    }
}

static void addLoad(ctNewton *nw, int body, const double *load)
{
    int block = nw->matrix.block[body];
    for (int i = 0; i < CT_BLOCK && block >= 0; i++) {
        nw->x[CT_STRIDE * block + i] += load[i];
    }
}

// Number by number: put together in memory first, they would be waited for.
static inline void addImpulse(ctNewton *nw, int body, double sign, ctVec3 impulse, ctVec3 twist)
{
    int block = nw->matrix.block[body];
    if (block >= 0) {
        double *x = &nw->x[CT_STRIDE * block];
        x[0] += sign * impulse.x;
        x[1] += sign * impulse.y;
        x[2] += sign * impulse.z;
        x[3] += sign * twist.x;
        x[4] += sign * twist.y;
        x[5] += sign * twist.z;
    }
}

// An open point gives up what it carries.
static void addOpen(ctNewton *nw, const ctSolverPoint *p)
{
    if (p->pn == 0.0) {
        return;
    }
    ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2);
    addImpulse(nw, p->a, -1.0, impulse, ctAdd(ctCross(p->ra, impulse), p->twist));
    addImpulse(nw, p->b, 1.0, impulse, ctAdd(ctCross(p->rb, impulse), p->twist));
}

// A point that resists sliding only: with the law dp = q - H du.
static void addSliding(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law)
{
    const Disc *d = &law->slip;
    ctVec3 c = along(p, d), x = across(p, d), lead = ctMulAdd(p->n, d->share, c);
    ctVec3 q = ctMulAdd(ctMulAdd(ctScale(law->qn, lead), d->qc, c), d->qx, x), h[3];
    const double n[3] = {lead.x, lead.y, lead.z}, cs[3] = {c.x, c.y, c.z}, xs[3] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; i++) {
        h[i] = ctMulAdd(ctMulAdd(ctScale(law->gn * n[i], p->n), d->gc * cs[i], c), d->gx * xs[i], x);
    }
    ctBlocks_AddPoint(&nw->matrix, p, h);
    addImpulse(nw, p->a, 1.0, q, ctCross(p->ra, q));
    addImpulse(nw, p->b, -1.0, q, ctCross(p->rb, q));
}

static void addPoint(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law)
{
    if (law->open) {
        addOpen(nw, p);
        return;
    }
    if (!(p->rolling > 0.0) && !(p->spinning > 0.0)) {
        addSliding(nw, p, law);
        return;
    }
    Rows rows;
    double normal[2 * CT_STRIDE];
    rows.count = 1;
    memset(rows.load, 0, sizeof rows.load);
    slideRow(p, p->n, normal);
    memcpy(rows.left[0], normal, sizeof normal);
    for (int i = 0; i < 2 * CT_STRIDE; i++) {
        rows.right[0][i] = law->gn * normal[i];
    }
    if (p->mu > 0.0) {
        addDisc(&rows, p, &law->slip, false);
    }
    if (p->rolling > 0.0) {
        addDisc(&rows, p, &law->roll, true);
    }
    if (p->spinning > 0.0) {
        double row[2 * CT_STRIDE];
        turnRow(p->n, row);
        addDirection(&rows, row, law->qs, law->gs, law->spinShare);
    }
    addScaled(rows.load, law->qn, rows.left[0]);
    addLoad(nw, p->a, rows.load);
    addLoad(nw, p->b, rows.load + CT_STRIDE);
    ctBlocks_Add(&nw->matrix, p->a, p->b, rows.count, (const double(*)[2 * CT_STRIDE]) rows.left,
                 (const double(*)[2 * CT_STRIDE]) rows.right);
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

// What a step would do.
typedef struct Outcome {
    double before, after; // m/s: fastest that a velocity which must vanish is, and would be; spins at an arm of 1 m
    bool lost;            // an impulse has come out that its law does not allow
} Outcome;

static void noteHeld(Outcome *o, double q, double g, double change)
{
    double inverse = 1.0 / g, before = fabs(q) * inverse, after = fabs(change) * inverse;
    o->before = before > o->before ? before : o->before;
    o->after = after > o->after ? after : o->after;
}

// The impulse of a disc after the step, in the axes t1, t2.
static void moveDisc(const Disc *d, double du1, double du2, double dpn, double *p1, double *p2, Outcome *o)
{
    double c = d->qc + d->share * dpn - d->gc * (d->c1 * du1 + d->c2 * du2);
    double x = d->qx - d->gx * (d->c1 * du2 - d->c2 * du1);
    *p1 += d->c1 * c - d->c2 * x;
    *p2 += d->c2 * c + d->c1 * x;
    if (d->gc > 0.0) {
        noteHeld(o, d->qc, d->gc, c);
        noteHeld(o, d->qx, d->gx, x);
    }
}

// The impulses that a step comes to, whether the point may have them or not.
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
        moveDisc(&law->slip, ctDot(p->t1, du), ctDot(p->t2, du), dpn, &next.p1, &next.p2, o);
    }
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        double r1 = ctDot(p->t1, p->twist), r2 = ctDot(p->t2, p->twist), s = ctDot(p->n, p->twist);
        if (p->rolling > 0.0) {
            moveDisc(&law->roll, ctDot(p->t1, dw), ctDot(p->t2, dw), dpn, &r1, &r2, o);
        }
        s += p->spinning > 0.0 ? law->qs + law->spinShare * dpn - law->gs * ctDot(p->n, dw) : 0.0;
        next.twist = ctMulAdd(ctMulAdd(ctScale(s, p->n), r1, p->t1), r2, p->t2);
    }
    return next;
}

static bool cutDisc(double bound, double *p1, double *p2)
{
    double length = sqrt(*p1 * *p1 + *p2 * *p2);
    if (!(length > bound)) {
        return false;
    }
    *p1 *= bound / length;
    *p2 *= bound / length;
    return true;
}

// Cuts impulses down to what the point may have. True when one that was to be held, by the law, is not.
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
    ctBlocks_SetMasses(&nw->matrix);
    memset(nw->x, 0, sizeof(double) * (size_t)(CT_STRIDE * nw->matrix.count));
    for (int i = 0; i < count; i++) {
        setLaw(&points[i], bodies, nw->burden, stiffness, &nw->laws[i]);
        addPoint(nw, &points[i], &nw->laws[i]);
    }
    if (!ctBlocks_Factor(&nw->matrix)) {
        return false;
    }
    ctBlocks_Solve(&nw->matrix, nw->x);
    *o = (Outcome){0.0, 0.0, false};
    for (int i = 0; i < count; i++) {
        ctKeptPoint next = nextOf(nw, &points[i], &nw->laws[i], o);
        nw->keptPoints[ct_keptNext][i] = next;
        o->lost = cut(&points[i], &nw->laws[i], &next) || o->lost;
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

// The same from where that step leads, as long as pieces turn out to be wrong.
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
