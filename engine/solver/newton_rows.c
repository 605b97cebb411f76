// The rows that points add to the matrix of a step of Newton's method: solver/newton.c derives them.
#include "engine/solver/newton_rows.h"

// ---- one point --------------------------------------------------------------------------------

// The law of a disc with impulse p1, p2 at velocity u1, u2, for the present normal impulse pn and the one
// that z predicts. rho: impulse per velocity.
static inline ctDiscLaw discLaw(double p1, double p2, double u1, double u2, double share, double pn, double zn,
                                double rho, double stiffness)
{
    double stiff = stiffness * rho;
    double z1 = p1 - rho * u1, z2 = p2 - rho * u2, length = sqrt(z1 * z1 + z2 * z2), bound = share * zn;
    if (length <= bound) {
        return (ctDiscLaw){1.0, 0.0, 0.0, -stiff * u1, stiff, -stiff * u2, stiff};
    }
    double inverse = 1.0 / length;
    ctDiscLaw d = {z1 * inverse, z2 * inverse, share, 0.0, 0.0, 0.0, 0.0};
    double alpha = bound * inverse, across = d.c1 * u2 - d.c2 * u1;
    d.qc = share * pn - (d.c1 * p1 + d.c2 * p2);
    double stretch = rho / ctFmax(1.0 - alpha, 1.0 / stiffness);
    d.qx = -across * stretch;
    d.gx = alpha * stretch;
    return d;
}

// The laws of the resistances at a point that has some.
static void setResistance(const ctSolverPoint *p, const ctSolverBody *bodies, double zn, double stiffness,
                          ctPointLaw *law)
{
    ctVec3 w = ctSub(bodies[p->a].w, bodies[p->b].w);
    law->spinShare = law->qs = law->gs = 0.0;
    law->roll = (ctDiscLaw){0}; // no data of another solution may remain
    if (p->rolling > 0.0) {
        law->roll = discLaw(ctDot(p->t1, p->twist), ctDot(p->t2, p->twist), ctDot(p->t1, w), ctDot(p->t2, w),
                            p->rolling, p->pn, zn, 1.0 / p->roll2, stiffness);
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

// In place, and only the fields that the point uses: the laws of hundreds of points are set again for every step.
void ctPointLaw_Set(const ctSolverPoint *p, const ctSolverBody *bodies, double burden, double stiffness,
                    ctPointLaw *law)
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
    law->slip = (ctDiscLaw){0};
    if (p->mu > 0.0) {
        law->slip = discLaw(p->p1, p->p2, ctDot(p->t1, u), ctDot(p->t2, u), p->mu, p->pn, zn, p->invS2, stiffness);
    }
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        setResistance(p, bodies, zn, stiffness, law);
    }
}

// The directions of a disc's impulse, and across it.
static ctVec3 along(const ctSolverPoint *p, const ctDiscLaw *d)
{
    return ctMulAdd(ctScale(d->c1, p->t1), d->c2, p->t2);
}

static ctVec3 across(const ctSolverPoint *p, const ctDiscLaw *d)
{
    return ctMulAdd(ctScale(d->c1, p->t2), -d->c2, p->t1);
}

// ---- assembly ---------------------------------------------------------------------------------

// Number by number: a vector assembled in memory first would have to be waited for.
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

// An open point loses its impulse.
static void addOpen(ctNewton *nw, const ctSolverPoint *p)
{
    if (p->pn == 0.0) {
        return;
    }
    ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2);
    addImpulse(nw, p->a, -1.0, impulse, ctAdd(ctCross(p->ra, impulse), p->twist));
    addImpulse(nw, p->b, 1.0, impulse, ctAdd(ctCross(p->rb, impulse), p->twist));
}

// The law of a disc as a matrix: adds g_c c c^T + g_x x x^T.
static void addDisc(ctVec3 h[3], ctVec3 c, ctVec3 x, const ctDiscLaw *d)
{
    const double cs[3] = {c.x, c.y, c.z}, xs[3] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; i++) {
        h[i] = ctMulAdd(ctMulAdd(h[i], d->gc * cs[i], c), d->gx * xs[i], x);
    }
}

// f v n^T
static void setProduct(ctVec3 h[3], double f, ctVec3 v, ctVec3 n)
{
    h[0] = ctScale(f * v.x, n);
    h[1] = ctScale(f * v.y, n);
    h[2] = ctScale(f * v.z, n);
}

// The resistances of a point: dm = t - turn dw - pull du. Returns t.
static ctVec3 addResistance(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law)
{
    const ctDiscLaw *d = &law->roll;
    ctVec3 c = along(p, d), x = across(p, d), lead = ctMulAdd(ctScale(law->spinShare, p->n), d->share, c);
    ctVec3 pull[3], turn[3];
    setProduct(pull, law->gn, lead, p->n);
    setProduct(turn, law->gs, p->n, p->n);
    addDisc(turn, c, x, d);
    ctBlocks_AddTorque(&nw->matrix, p, pull, turn);
    return ctMulAdd(ctMulAdd(ctMulAdd(ctScale(law->qn, lead), d->qc, c), d->qx, x), law->qs, p->n);
}

// At a point with the law dp = q - H du.
void ctNewton_AddPoint(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law)
{
    if (law->open) {
        addOpen(nw, p);
        return;
    }
    const ctDiscLaw *d = &law->slip;
    ctVec3 c = along(p, d), x = across(p, d), lead = ctMulAdd(p->n, d->share, c), h[3];
    ctVec3 q = ctMulAdd(ctMulAdd(ctScale(law->qn, lead), d->qc, c), d->qx, x);
    setProduct(h, law->gn, lead, p->n);
    addDisc(h, c, x, d);
    ctBlocks_AddPoint(&nw->matrix, p, h);
    ctVec3 torqueA = ctCross(p->ra, q), torqueB = ctCross(p->rb, q);
    if (p->rolling > 0.0 || p->spinning > 0.0) {
        ctVec3 twist = addResistance(nw, p, law);
        torqueA = ctAdd(torqueA, twist);
        torqueB = ctAdd(torqueB, twist);
    }
    addImpulse(nw, p->a, 1.0, q, torqueA);
    addImpulse(nw, p->b, -1.0, q, torqueB);
}
