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
// Resistances to rolling and spinning are held. Points are visited four at a time, and each is computed as it would be
// alone.
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

// ---- four points ------------------------------------------------------------------------------

// The velocities of the points of four bodies at arms.
static inline ctFourVec velocityAt(const ctSolverBody *bodies, const int *index, ctFourVec arm)
{
    const double *const from[4] = {&bodies[index[0]].v.x, &bodies[index[1]].v.x, &bodies[index[2]].v.x,
                                   &bodies[index[3]].v.x};
    return ctNewton_VelocityAt(from, arm);
}

// P(z) at the relative velocities u.
static inline void project(const ctPointFour *p, ctRoundFour *r, ctFourVec u)
{
    ctFour none = {0.0}, zn = r->pn - r->gn * (ctFourVec_Dot(ctFourVec_Load(p->n), u) - p->target);
    ctFour z1 = r->p1 - r->gt * ctFourVec_Dot(ctFourVec_Load(p->t1), u);
    ctFour z2 = r->p2 - r->gt * ctFourVec_Dot(ctFourVec_Load(p->t2), u);
    ctFour square = z1 * z1 + z2 * z2, bound = p->mu * zn;
    ctFourBits bears = (ctFourBits)(zn > none), rubs = bears & (ctFourBits)(p->mu > none);
    ctFourBits sticks = rubs & (ctFourBits)(square <= bound * bound), slides = rubs & ~sticks;
    r->qn = ctFour_Choose(bears, zn, none);
    r->q1 = ctFour_Choose(sticks, z1, none);
    r->q2 = ctFour_Choose(sticks, z2, none);
    r->c1 = r->c2 = r->cross = none;
    memcpy(r->bears, &bears, sizeof r->bears);
    memcpy(r->sticks, &sticks, sizeof r->sticks);
    if (!ctFour_IsAny(slides)) {
        return;
    }
    ctFour length = ctFour_Roots(square), share = bound / length;
    r->q1 = ctFour_Choose(slides, share * z1, r->q1);
    r->q2 = ctFour_Choose(slides, share * z2, r->q2);
    r->c1 = ctFour_Choose(slides, z1 / length, none);
    r->c2 = ctFour_Choose(slides, z2 / length, none);
    r->cross = ctFour_Choose(slides, share, none);
}

// Adds the impulses of four points to F, in the order of the points.
static inline void addImpulses(const ctPointFour *at, const ctRoundFour *r, double *f)
{
    ctFourVec t1 = ctFourVec_Load(at->t1), t2 = ctFourVec_Load(at->t2);
    ctFourVec p = ctFourVec_Scale(r->qn, ctFourVec_Load(at->n));
    p = ctFourVec_MulAdd(ctFourVec_MulAdd(p, r->q1, t1), r->q2, t2);
    ctFourVec onA = ctFourVec_Cross(ctFourVec_Load(at->ra), p), onB = ctFourVec_Cross(ctFourVec_Load(at->rb), p);
    ctFour none = {0.0}, firstA[4], restA[4], firstB[4], restB[4];
    ctFour_Transpose(p.x, p.y, p.z, onA.x, firstA);
    ctFour_Transpose(onA.y, onA.z, none, none, restA);
    ctFour_Transpose(p.x, p.y, p.z, onB.x, firstB);
    ctFour_Transpose(onB.y, onB.z, none, none, restB);
    for (int i = 0; i < 4; i++) {
        int a = N * at->blockA[i], b = N * at->blockB[i];
        if (r->bears[i] != 0 && a >= 0) {
            *(ctFourAt *)&f[a] += firstA[i];
            *(ctFourAt *)&f[a + 4] += restA[i];
        }
        if (r->bears[i] != 0 && b >= 0) {
            *(ctFourAt *)&f[b] -= firstB[i];
            *(ctFourAt *)&f[b + 4] -= restB[i];
        }
    }
}

static ctVec3 impulseOf(const ctSolverPoint *p, double pn, double p1, double p2)
{
    return ctMulAdd(ctMulAdd(ctScale(pn, p->n), p1, p->t1), p2, p->t2);
}

// Adds J^T D J for four points; held: open ones as if they stuck.
static void addFour(ctNewton *nw, const ctSolverPoint *points, int four, bool held)
{
    const ctPointFour *p = &nw->fours[four];
    const ctRoundFour *r = &nw->round[four];
    ctFourVec n = ctFourVec_Load(p->n), t1 = ctFourVec_Load(p->t1), t2 = ctFourVec_Load(p->t2), h[3];
    ctFourBits bears, sticks;
    memcpy(&bears, r->bears, sizeof bears);
    memcpy(&sticks, r->sticks, sizeof sticks);
    sticks = held ? sticks | ~bears : sticks;
    ctFourVec c = ctFourVec_MulAdd(ctFourVec_Scale(r->c1, t1), r->c2, t2), lead = ctFourVec_MulAdd(n, p->mu, c);
    ctFourVec x = ctFourVec_MulAdd(ctFourVec_Scale(r->c1, t2), -r->c2, t1), y = ctFourVec_Scale(r->gt * r->cross, x);
    ctFourVec k = ctFourVec_Scale(ctFour_Choose(sticks, r->gn - r->gt, r->gn), n);
    h[0] = ctFourVec_MulAdd(ctFourVec_Scale(ctFour_Choose(sticks, n.x, lead.x), k), x.x, y);
    h[1] = ctFourVec_MulAdd(ctFourVec_Scale(ctFour_Choose(sticks, n.y, lead.y), k), x.y, y);
    h[2] = ctFourVec_MulAdd(ctFourVec_Scale(ctFour_Choose(sticks, n.z, lead.z), k), x.z, y);
    h[0].x = ctFour_Choose(sticks, h[0].x + r->gt, h[0].x);
    h[1].y = ctFour_Choose(sticks, h[1].y + r->gt, h[1].y);
    h[2].z = ctFour_Choose(sticks, h[2].z + r->gt, h[2].z);
    ctRows a[4], b[4];
    ctRows_Spread(h, ctFourVec_Load(p->ra), a);
    ctRows_Spread(h, ctFourVec_Load(p->rb), b);
    for (int i = 0; i < p->count; i++) {
        if (held || r->bears[i] != 0) {
            ctBlocks_AddPoint(&nw->matrix, &points[4 * four + i], &a[i], &b[i]);
        }
    }
}

// ---- momentum ---------------------------------------------------------------------------------

// The imbalance of momentum.
typedef struct Imbalance {
    double sum;  // J: |F|^2 in the metric of the inverse masses
    double most; // m/s squared: of one body
} Imbalance;

// F at the bodies' present velocities, and the pieces there.
static Imbalance imbalance(ctNewton *nw, const ctSolverBody *bodies, int count)
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
    for (int i = 0; 4 * i < count; i++) {
        const ctPointFour *p = &nw->fours[i];
        ctFourVec u = velocityAt(bodies, p->a, ctFourVec_Load(p->ra));
        if (!p->still) {
            u = ctFourVec_Sub(u, velocityAt(bodies, p->b, ctFourVec_Load(p->rb)));
        }
        project(p, &nw->round[i], u);
        addImpulses(p, &nw->round[i], f);
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
        const ctRoundFour *r = &nw->round[i / 4];
        stuck = r->sticks[i % 4] != 0 || (held && r->bears[i % 4] == 0);
    }
    if (stuck && nw->stuck == stiffness) {
        return true;
    }
    nw->stuck = 0.0;
    ctBlocks_SetMasses(&nw->matrix);
    for (int i = 0; 4 * i < count; i++) {
        addFour(nw, points, i, held);
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
        *now = imbalance(nw, bodies, count);
        if (now->sum < (1.0 - DECREASE * t) * before) {
            return true;
        }
        best = now->sum < least ? t : best;
        least = ctFmin(least, now->sum);
    }
    goAlong(nw, bodies, best);
    *now = imbalance(nw, bodies, count);
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

// One round from the present impulses and velocities. False, with nothing changed, when it does not converge.
static bool runRound(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double stiffness,
                     double settle, int *factored)
{
    ctNewton_Keep(nw, ct_keptStep, bodies, points, count);
    for (int i = 0; 4 * i < count; i++) {
        const ctPointFour *p = &nw->fours[i];
        ctRoundFour *r = &nw->round[i];
        ctFour burdened = stiffness * ctFour_Max((ctFour){1.0, 1.0, 1.0, 1.0}, nw->burden * p->knn);
        *r = (ctRoundFour){.gn = burdened * p->invKnn, .gt = burdened * p->invS2};
        for (int k = 0; k < p->count; k++) {
            r->pn[k] = points[4 * i + k].pn;
            r->p1[k] = points[4 * i + k].p1;
            r->p2[k] = points[4 * i + k].p2;
        }
    }
    Imbalance now = imbalance(nw, bodies, count);
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
        points[i].pn = nw->round[i / 4].qn[i % 4];
        points[i].p1 = nw->round[i / 4].q1[i % 4];
        points[i].p2 = nw->round[i / 4].q2[i % 4];
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
