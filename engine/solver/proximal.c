// Rounds of the proximal point method on the conditions of all points at once. They are safe where steps of Newton's
// method on the rigid conditions (solver/newton.c) are not.
//
// With M the masses, J the rows of the points, v_f the velocities without contact and e = J v - target, each point gets
// some compliance about its impulse p0 so far: p = P(z), z = p0 - rho e, where
//     P_n = max(0, z_n),   P_t = z_t, or mu P_n z_t / |z_t| where that is shorter.
// A round finds the velocities v at which momentum balances,
//     F(v) = M (v_f - v) + J^T P(p0 - rho e(v)) = 0,
// and the next round begins with p0 = p. A fixed point obeys Signorini's and Coulomb's conditions for every rho, and an
// error falls in a round by about 1 / (1 + rho lambda), with the eigenvalue lambda of J M^-1 J^T. Here friction depends
// on the normal impulse within the round. Rounds that hold the speeds of sliding instead (De Saxce & Feng 1998) are
// convex, but change friction only from one round to the next; rows of leaning bodies on the verge of sliding need many
// of them.
//
// F is piecewise smooth. A step of Newton's method with
//     (M + J^T D J) dv = F,   D = rho dP/dz,
// is shortened until |F|, in the metric M^-1, falls. The softer the points, the nearer F is to M (v_f - v), and the
// more surely this converges; the stiffer, the fewer rounds are needed. solver/solver.c stiffens them from round to
// round. A sliding point has, with c along z_t and x across it, dP/dz = n n^T + mu c n^T + (mu P_n / |z_t|) x x^T.
// Resistances to rolling and spinning are held.
#include "engine/solver/newton.h"

#include <string.h>

#define STEPS 10     // [cap] of Newton's method in one round
#define SEARCHES 8   // [cap] halvings of one step
#define DECREASE 0.2 // [method] Armijo's: of F, in proportion to the length of the step, for a step to be taken at once

enum { N = CT_STRIDE };

static ctVec3 load3(const double *x)
{
    return ctV3(x[0], x[1], x[2]);
}

static void store3(double *x, ctVec3 v)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

// ---- one point --------------------------------------------------------------------------------

// P(z) at a relative velocity u.
static void project(const ctSolverPoint *p, ctRoundPoint *r, ctVec3 u)
{
    double zn = r->pn - r->gn * (ctDot(p->n, u) - p->target);
    r->piece = ct_pieceOpen;
    r->qn = r->q1 = r->q2 = 0.0;
    if (!(zn > 0.0)) {
        return;
    }
    r->qn = zn;
    r->piece = ct_pieceSlides;
    r->c1 = r->c2 = r->cross = 0.0;
    if (!(p->mu > 0.0)) {
        return;
    }
    double z1 = r->p1 - r->gt * ctDot(p->t1, u), z2 = r->p2 - r->gt * ctDot(p->t2, u);
    double square = z1 * z1 + z2 * z2, bound = p->mu * zn;
    if (square <= bound * bound) {
        r->piece = ct_pieceSticks;
        r->q1 = z1;
        r->q2 = z2;
        return;
    }
    double length = sqrt(square), share = bound / length;
    r->c1 = z1 / length;
    r->c2 = z2 / length;
    r->cross = share;
    r->q1 = share * z1;
    r->q2 = share * z2;
}

static ctVec3 impulseOf(const ctSolverPoint *p, double pn, double p1, double p2)
{
    return ctMulAdd(ctMulAdd(ctScale(pn, p->n), p1, p->t1), p2, p->t2);
}

// Adds J^T D J.
static void addPoint(ctNewton *nw, const ctSolverPoint *p, const ctRoundPoint *r)
{
    ctVec3 h[3], n = p->n;
    if (r->piece == ct_pieceOpen) {
        return;
    }
    if (r->piece == ct_pieceSticks) {
        ctVec3 k = ctScale(r->gn - r->gt, n);
        h[0] = ctScale(n.x, k);
        h[1] = ctScale(n.y, k);
        h[2] = ctScale(n.z, k);
        h[0].x += r->gt;
        h[1].y += r->gt;
        h[2].z += r->gt;
    } else {
        ctVec3 c = ctMulAdd(ctScale(r->c1, p->t1), r->c2, p->t2), lead = ctMulAdd(n, p->mu, c);
        ctVec3 x = ctMulAdd(ctScale(r->c1, p->t2), -r->c2, p->t1);
        ctVec3 k = ctScale(r->gn, n), y = ctScale(r->gt * r->cross, x);
        h[0] = ctMulAdd(ctScale(lead.x, k), x.x, y);
        h[1] = ctMulAdd(ctScale(lead.y, k), x.y, y);
        h[2] = ctMulAdd(ctScale(lead.z, k), x.z, y);
    }
    ctBlocks_AddPoint(&nw->matrix, p, h);
}

// ---- momentum ---------------------------------------------------------------------------------

// The imbalance of momentum.
typedef struct Imbalance {
    double sum;  // J: |F|^2 in the metric of the inverse masses
    double most; // m/s squared: of one body
} Imbalance;

static inline void addImpulse(double *row, double sign, ctVec3 r, ctVec3 impulse)
{
    store3(row, ctMulAdd(load3(row), sign, impulse));
    store3(row + 3, ctMulAdd(load3(row + 3), sign, ctCross(r, impulse)));
}

// The velocity at a point, and at one on ground that does not move.
static inline ctVec3 velocityAt(const ctSolverPoint *p, const ctRoundPoint *r, const ctSolverBody *bodies)
{
    return r->still ? ctVelocityAt(bodies[p->a].v, bodies[p->a].w, p->ra) : ctSolverPoint_Velocity(p, bodies);
}

// F at the bodies' present velocities, and the pieces there.
static Imbalance imbalance(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    const ctBlocks *m = &nw->matrix;
    double *f = nw->slope;
    for (int i = 0; i < m->count; i++) {
        const ctSolverBody *body = &bodies[m->order[i]];
        const double *mass = &m->masses[CT_BLOCK * N * i], *turn = &mass[3 * N + 3];
        ctVec3 w = ctSub(load3(&nw->base[N * i + 3]), body->w);
        store3(&f[N * i], ctScale(mass[0], ctSub(load3(&nw->base[N * i]), body->v)));
        store3(&f[N * i + 3], ctV3(ctDot(load3(turn), w), ctDot(load3(turn + N), w), ctDot(load3(turn + 2 * N), w)));
        f[N * i + 6] = f[N * i + 7] = 0.0;
    }
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        ctRoundPoint *r = &nw->round[i];
        project(p, r, velocityAt(p, r, bodies));
        if (r->piece != ct_pieceOpen) {
            ctVec3 impulse = impulseOf(p, r->qn, r->q1, r->q2);
            int a = m->block[p->a], b = m->block[p->b];
            if (a >= 0) {
                addImpulse(&f[N * a], 1.0, p->ra, impulse);
            }
            if (b >= 0) {
                addImpulse(&f[N * b], -1.0, p->rb, impulse);
            }
        }
    }
    Imbalance out = {0.0, 0.0};
    for (int i = 0; i < m->count; i++) {
        const ctSolverBody *body = &bodies[m->order[i]];
        ctVec3 turn = load3(&f[N * i + 3]);
        double size = body->invMass * ctLengthSquared(load3(&f[N * i])) + ctDot(turn, ctMulMV(body->invInertia, turn));
        out.sum += size;
        out.most = ctFmax(out.most, body->invMass * size);
    }
    return out;
}

static void getVelocities(const ctNewton *nw, const ctSolverBody *bodies, double *to)
{
    for (int i = 0; i < nw->matrix.count; i++) {
        const ctSolverBody *body = &bodies[nw->matrix.order[i]];
        store3(&to[N * i], body->v);
        store3(&to[N * i + 3], body->w);
    }
}

static void setVelocities(const ctNewton *nw, ctSolverBody *bodies, const double *from)
{
    for (int i = 0; i < nw->matrix.count; i++) {
        ctSolverBody *body = &bodies[nw->matrix.order[i]];
        body->v = load3(&from[N * i]);
        body->w = load3(&from[N * i + 3]);
    }
}

// Sets the velocities that were there before the step x to what they are after the share t of it.
static void goAlong(const ctNewton *nw, ctSolverBody *bodies, double t)
{
    for (int i = 0; i < nw->matrix.count; i++) {
        ctSolverBody *body = &bodies[nw->matrix.order[i]];
        body->v = ctMulAdd(load3(&nw->now[N * i]), t, load3(&nw->x[N * i]));
        body->w = ctMulAdd(load3(&nw->now[N * i + 3]), t, load3(&nw->x[N * i + 3]));
    }
}

// ---- the round --------------------------------------------------------------------------------

// The factored matrix of the present pieces. held: open points are held too. Where all are held, the matrix depends on
// the stiffness alone.
static bool factor(ctNewton *nw, const ctSolverPoint *points, int count, double stiffness, bool held)
{
    bool stuck = true;
    for (int i = 0; i < count && stuck; i++) {
        stuck = nw->round[i].piece == ct_pieceSticks || (held && nw->round[i].piece == ct_pieceOpen);
    }
    if (stuck && nw->stuck == stiffness) {
        return true;
    }
    nw->stuck = 0.0;
    ctBlocks_SetMasses(&nw->matrix);
    for (int i = 0; i < count; i++) {
        ctRoundPoint r = nw->round[i];
        r.piece = held && r.piece == ct_pieceOpen ? ct_pieceSticks : r.piece;
        addPoint(nw, &points[i], &r);
    }
    if (!ctBlocks_Factor(&nw->matrix)) {
        return false;
    }
    nw->stuck = stuck ? stiffness : 0.0;
    return true;
}

// One step of Newton's method. False when it makes no progress; the points do not change then.
static bool newtonStep(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count, double stiffness,
                       Imbalance *now)
{
    bool held = nw->held;
    nw->held = false;
    if (!factor(nw, points, count, stiffness, held)) {
        return false;
    }
    memcpy(nw->x, nw->slope, sizeof(double) * (size_t)(N * nw->matrix.count));
    ctBlocks_Solve(&nw->matrix, nw->x);
    getVelocities(nw, bodies, nw->now);
    double before = now->sum, t = 1.0, best = 0.0, least = before;
    for (int i = 0; i < SEARCHES; i++, t *= 0.5) {
        goAlong(nw, bodies, t);
        *now = imbalance(nw, bodies, points, count);
        if (now->sum < (1.0 - DECREASE * t) * before) {
            return true;
        }
        best = now->sum < least ? t : best;
        least = ctFmin(least, now->sum);
    }
    goAlong(nw, bodies, best);
    *now = imbalance(nw, bodies, points, count);
    return held || best > 0.0;
}

// Finds the velocities without the impulses of the points.
static void begin(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    getVelocities(nw, bodies, nw->now);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        if (p->pn != 0.0 || p->p1 != 0.0 || p->p2 != 0.0) {
            ctSolverPoint_Push(p, bodies, ctNeg(impulseOf(p, p->pn, p->p1, p->p2)));
        }
    }
    getVelocities(nw, bodies, nw->base);
    setVelocities(nw, bodies, nw->now);
}

static bool isStill(const ctNewton *nw, const ctSolverBody *bodies, int body)
{
    return nw->matrix.block[body] < 0 && ctLengthSquared(bodies[body].v) + ctLengthSquared(bodies[body].w) == 0.0;
}

// One round from the present impulses and velocities. False, with nothing changed, when it does not converge.
static bool runRound(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double stiffness,
                     double settle, int *factored)
{
    ctNewton_Keep(nw, ct_keptStep, bodies, points, count);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        double burdened = stiffness * ctFmax(1.0, nw->burden * p->knn);
        nw->round[i] = (ctRoundPoint){.pn = p->pn,
                                      .p1 = p->p1,
                                      .p2 = p->p2,
                                      .gn = burdened * p->invKnn,
                                      .gt = burdened * p->invS2,
                                      .still = isStill(nw, bodies, p->b)};
    }
    Imbalance now = imbalance(nw, bodies, points, count);
    bool moves = true;
    for (int step = 0; step < STEPS && moves && now.most > settle * settle; step++) {
        ++*factored;
        moves = newtonStep(nw, bodies, points, count, stiffness, &now);
    }
    if (!(now.most <= settle * settle)) {
        ctNewton_Restore(nw, ct_keptStep, bodies, points, count);
        return false;
    }
    for (int i = 0; i < count; i++) {
        points[i].pn = nw->round[i].qn;
        points[i].p1 = nw->round[i].q1;
        points[i].p2 = nw->round[i].q2;
    }
    return true;
}

// Sets the velocities that follow from the impulses alone, so that momentum balances to rounding.
static void finish(const ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    setVelocities(nw, bodies, nw->base);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        ctSolverPoint_Push(p, bodies, impulseOf(p, p->pn, p->p1, p->p2));
    }
}

bool ctNewton_Round(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double stiffness,
                    double settle, int *factored)
{
    begin(nw, bodies, points, count);
    bool settled = runRound(nw, bodies, points, count, stiffness, settle, factored);
    if (settled) {
        finish(nw, bodies, points, count);
    }
    return settled;
}

void ctNewton_Share(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double soft, double stiff,
                    double settle, int *factored)
{
    begin(nw, bodies, points, count);
    nw->held = true;
    if (runRound(nw, bodies, points, count, soft, settle, factored)) {
        if (runRound(nw, bodies, points, count, stiff, settle, factored) && nw->stuck > 0.0) {
            (void)runRound(nw, bodies, points, count, stiff, settle, factored);
        }
        finish(nw, bodies, points, count);
    }
    nw->held = false;
}
