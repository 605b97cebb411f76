// The rows that points add to the matrix of a step of Newton's method: solver/newton.c derives them.
#include "engine/solver/newton_rows.h"

#include <string.h>

enum { ROWS = 6 }; // of a point: n, along and across the slip, spin, along and across the rolling

// ---- one point --------------------------------------------------------------------------------

// The law of a disc with impulse p1, p2 at velocity u1, u2, for the present normal impulse pn and the one
// that z predicts. mobility: velocity per impulse.
static inline ctDiscLaw discLaw(double p1, double p2, double u1, double u2, double share, double pn, double zn,
                                double mobility, double stiffness)
{
    double rho = 1.0 / mobility, stiff = stiffness / mobility;
    double z1 = p1 - rho * u1, z2 = p2 - rho * u2, length = sqrt(z1 * z1 + z2 * z2), bound = share * zn;
    if (length <= bound) {
        return (ctDiscLaw){1.0, 0.0, 0.0, -stiff * u1, stiff, -stiff * u2, stiff};
    }
    ctDiscLaw d = {z1 / length, z2 / length, share, 0.0, 0.0, 0.0, 0.0};
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
    law->roll = (ctDiscLaw){0}; // no data of another solution may remain
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
        law->slip = discLaw(p->p1, p->p2, ctDot(p->t1, u), ctDot(p->t2, u), p->mu, p->pn, zn, p->s2, stiffness);
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

static void addDisc(Rows *rows, const ctSolverPoint *p, const ctDiscLaw *d, bool turns)
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

// A point that resists only sliding, with the law dp = q - H du.
static void addSliding(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law)
{
    const ctDiscLaw *d = &law->slip;
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

void ctNewton_AddPoint(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law)
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
