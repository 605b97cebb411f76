// Rounds of a convex problem near the contact problem: safe where Newton's method is not.
//
// De Saxce & Feng (1998): with s = mu |u_t| and e = u - target n + s n, Signorini's and Coulomb's conditions
// together say that p lies in the cone K = {|p_t| <= mu p_n}, e in its dual, and p . e = 0. For s held at what
// it is now these are the conditions of a convex problem (Acary & Cadoux 2013). One round of its augmented
// Lagrangian in the space of body velocities v minimises
//     phi(v) = 1/2 (v - v_f)^T M (v - v_f) + sum |P_K(z)|^2 / (2 rho),   z = p0 - rho e(v),
// with P_K the projection onto K and p0 the impulses so far. phi is convex with a continuous gradient
//     M (v - v_f) - J^T P_K(z):
// Newton steps with a line search converge from anywhere. At the end of a round p = P_K(z); the next one begins
// with s anew. Speeds of sliding hardly depend on the forces of one step: s settles in a few rounds.
//
// On the edge of the cone, c along z_t and x across it, P_K(z) = l (n + mu c) with l = (z_n + mu |z_t|) / (1 + mu^2)
// and dP/dz = (n + mu c)(n + mu c)^T / (1 + mu^2) + (mu l / |z_t|) x x^T. The resistances to rolling and spinning
// are held.
#include "engine/contact_newton.h"

#include <string.h>

#define STEPS 25     // of Newton's method in one round
#define SETTLED 0.01 // of what momentum may be out of balance for the round to count
#define SEARCHES 12  // shortenings of one step

enum { N = CT_STRIDE };

// P_K(z) and the weights of its derivative.
typedef struct Piece {
    double pn, p1, p2; // P_K(z)
    double c1, c2;     // direction of the friction
    double edge;       // weight of (n + mu c)(n + mu c)^T; 0 inside, where the derivative is 1
    double cross;      // weight across
    bool open;
} Piece;

static Piece project(const ctSolverPoint *p, const ctConePoint *cone, ctVec3 u)
{
    double rho = cone->rho;
    double zn = cone->pn - rho * (ctDot(p->n, u) - cone->target);
    double z1 = cone->p1 - rho * ctDot(p->t1, u), z2 = cone->p2 - rho * ctDot(p->t2, u);
    double length = sqrt(z1 * z1 + z2 * z2), mu = p->mu;
    Piece out = {zn, z1, z2, 1.0, 0.0, 0.0, 0.0, false};
    if (mu > 0.0 && zn >= 0.0 && length <= mu * zn) {
        return out;
    }
    if (mu * length <= -zn) {
        out.pn = out.p1 = out.p2 = 0.0;
        out.open = true;
        return out;
    }
    double l = (zn + mu * length) / (1.0 + mu * mu);
    out.edge = 1.0 / (1.0 + mu * mu);
    out.pn = l;
    if (mu > 0.0) {
        out.c1 = z1 / length;
        out.c2 = z2 / length;
        out.cross = mu * l / length;
    }
    out.p1 = mu * l * out.c1;
    out.p2 = mu * l * out.c2;
    return out;
}

// ---- velocities by block ----------------------------------------------------------------------

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

static void getVelocities(const ctNewton *nw, const ctSolverBody *bodies, double *to)
{
    for (int i = 0; i < nw->matrix.count; i++) {
        const ctSolverBody *body = &bodies[nw->matrix.order[i]];
        store3(&to[N * i], body->v);
        store3(&to[N * i + 3], body->w);
        to[N * i + 6] = to[N * i + 7] = 0.0;
    }
}

static void setVelocities(const ctNewton *nw, ctSolverBody *bodies, const double *from, double t)
{
    for (int i = 0; i < nw->matrix.count; i++) {
        ctSolverBody *body = &bodies[nw->matrix.order[i]];
        body->v = ctMulAdd(load3(&from[N * i]), t, load3(&nw->x[N * i]));
        body->w = ctMulAdd(load3(&from[N * i + 3]), t, load3(&nw->x[N * i + 3]));
    }
}

// ---- the round --------------------------------------------------------------------------------

static void addImpulse(double *g, int block, double sign, ctVec3 r, ctVec3 impulse)
{
    if (block >= 0) {
        double *row = &g[N * block];
        store3(row, ctMulAdd(load3(row), sign, impulse));
        store3(row + 3, ctMulAdd(load3(row + 3), sign, ctCross(r, impulse)));
    }
}

// Minus the gradient of phi, and its size as a velocity (squared, in the norm of the masses).
static double slope(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    double *g = nw->slope, size = 0.0;
    for (int i = 0; i < nw->matrix.count; i++) {
        const ctSolverBody *body = &bodies[nw->matrix.order[i]];
        store3(&g[N * i], ctScale(1.0 / body->invMass, ctSub(load3(&nw->base[N * i]), body->v)));
        store3(&g[N * i + 3], ctMulMV(nw->inertia[i], ctSub(load3(&nw->base[N * i + 3]), body->w)));
        g[N * i + 6] = g[N * i + 7] = 0.0;
    }
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        Piece piece = project(p, &nw->cones[i], ctSolverPoint_Velocity(p, bodies));
        if (!piece.open) {
            ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(piece.pn, p->n), piece.p1, p->t1), piece.p2, p->t2);
            addImpulse(g, nw->matrix.block[p->a], 1.0, p->ra, impulse);
            addImpulse(g, nw->matrix.block[p->b], -1.0, p->rb, impulse);
        }
    }
    for (int i = 0; i < nw->matrix.count; i++) {
        const ctSolverBody *body = &bodies[nw->matrix.order[i]];
        ctVec3 turn = load3(&g[N * i + 3]);
        double spin = ctDot(turn, ctMulMV(body->invInertia, turn));
        size = fmax(size, body->invMass * (body->invMass * ctLengthSquared(load3(&g[N * i])) + spin));
    }
    return size;
}

static void addPoint(ctNewton *nw, const ctSolverPoint *p, const ctConePoint *cone, const ctSolverBody *bodies)
{
    Piece piece = project(p, cone, ctSolverPoint_Velocity(p, bodies));
    if (piece.open) {
        return;
    }
    double left[3][2 * N], right[3][2 * N], weight[3];
    ctVec3 axes[3];
    int rows = 0;
    ctVec3 c = ctMulAdd(ctScale(piece.c1, p->t1), piece.c2, p->t2);
    ctVec3 x = ctMulAdd(ctScale(piece.c1, p->t2), -piece.c2, p->t1);
    if (piece.edge > 0.0) {
        axes[rows] = ctMulAdd(p->n, p->mu, c);
        weight[rows++] = cone->rho * piece.edge;
        axes[rows] = x;
        weight[rows++] = cone->rho * piece.cross;
    } else {
        axes[0] = p->n;
        axes[1] = c;
        axes[2] = x;
        rows = 3;
        weight[0] = weight[1] = weight[2] = cone->rho;
    }
    for (int k = 0; k < rows; k++) {
        ctNewton_SlideRow(p, axes[k], left[k]);
        for (int i = 0; i < 2 * N; i++) {
            right[k][i] = weight[k] * left[k][i];
        }
    }
    ctBlocks_Add(&nw->matrix, p->a, p->b, rows, (const double(*)[2 * N]) left, (const double(*)[2 * N]) right);
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

// phi is convex, so that its derivative along the step only grows: the step is shortened until that
// derivative is not much above zero. The size of the gradient there; -1 when it has got nowhere.
static double newtonStep(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    int rows = N * nw->matrix.count;
    ctBlocks_SetMasses(&nw->matrix, bodies);
    for (int i = 0; i < count; i++) {
        addPoint(nw, &points[i], &nw->cones[i], bodies);
    }
    if (!ctBlocks_Factor(&nw->matrix)) {
        return -1.0;
    }
    memcpy(nw->x, nw->slope, sizeof(double) * (size_t)rows);
    ctBlocks_Solve(&nw->matrix, nw->x);
    getVelocities(nw, bodies, nw->now);
    double descent = dot(nw->slope, nw->x, rows), t = 1.0, size = -1.0;
    for (int i = 0; i < SEARCHES && descent > 0.0; i++) {
        setVelocities(nw, bodies, nw->now, t);
        size = slope(nw, bodies, points, count);
        double climb = -dot(nw->slope, nw->x, rows);
        if (climb <= 0.5 * descent) {
            break;
        }
        t *= fmax(0.1, descent / (descent + climb));
    }
    return size;
}

static void begin(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count, double stiffness)
{
    ctNewton_Keep(nw, ct_keptStep, bodies, points, count);
    getVelocities(nw, bodies, nw->now);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        ctVec3 u = ctSolverPoint_Velocity(p, bodies);
        double slip = sqrt(ctDot(p->t1, u) * ctDot(p->t1, u) + ctDot(p->t2, u) * ctDot(p->t2, u));
        nw->cones[i] = (ctConePoint){p->pn, p->p1, p->p2, p->target - p->mu * slip, stiffness * p->invKnn};
    }
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2);
        ctSolverPoint_Push(p, bodies, ctNeg(impulse));
    }
    getVelocities(nw, bodies, nw->base);
    memset(nw->x, 0, sizeof(double) * (size_t)(N * nw->matrix.count));
    setVelocities(nw, bodies, nw->now, 0.0);
    for (int i = 0; i < nw->matrix.count; i++) {
        nw->inertia[i] = ctInverse(bodies[nw->matrix.order[i]].invInertia);
    }
}

// Velocities that follow from the impulses alone, so that momentum balances to rounding.
static void finish(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[i];
        Piece piece = project(p, &nw->cones[i], ctSolverPoint_Velocity(p, bodies));
        p->pn = piece.pn;
        p->p1 = piece.p1;
        p->p2 = piece.p2;
    }
    memset(nw->x, 0, sizeof(double) * (size_t)(N * nw->matrix.count));
    setVelocities(nw, bodies, nw->base, 0.0);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        ctSolverPoint_Push(p, bodies, ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2));
    }
}

bool ctNewton_ConeRound(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double stiffness,
                        double settle, int *factored)
{
    begin(nw, bodies, points, count, stiffness);
    double size = slope(nw, bodies, points, count);
    for (int step = 0; step < STEPS && size > SETTLED * SETTLED * settle * settle; step++) {
        ++*factored;
        size = newtonStep(nw, bodies, points, count);
        if (size < 0.0) {
            break;
        }
    }
    if (!(size >= 0.0 && size <= settle * settle)) {
        ctNewton_Restore(nw, ct_keptStep, bodies, points, count);
        return false;
    }
    finish(nw, bodies, points, count);
    return true;
}
