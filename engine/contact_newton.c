// Newton's method for contact velocities, where sweeps along a tower would take thousands.
//
// In the space of body velocities v (six per movable body), with M the masses, J the contact rows and
// v_f the velocities without contact, the impulses of an augmented Lagrangian are
//     p(v) = P_C(z),   z = p0 - rho (J v - target),
// where P_C projects each point onto its set C = {p_n >= 0} x {|p_t| <= r}, r = mu p_n of the last
// round, and p0 are the impulses of the last round. M (v - v_f) = J^T p(v) is then the gradient of
//     phi(v) = 1/2 (v - v_f)^T M (v - v_f) + sum (|z|^2 - |z - P_C(z)|^2) / (2 rho),
// which is convex with a continuous gradient: Newton steps with a line search on phi converge from
// anywhere, mostly in a few steps because the pieces are nearly quadratic. The matrix
//     M + J^T H J,   H = rho on active directions (n; t1 and t2 when sticking;
//                        rho r / |z_t| across the slip when sliding; nothing when open)
// is symmetric positive definite even where contacts outnumber the degrees of freedom (four points
// under a box), because rounds only move p by what is needed: the undetermined part of the forces
// stays as it was. Rounds repeat with p0 = p(v) and a growing rho, and converge to the Coulomb
// solution at a rate of about 1 / (1 + rho lambda), lambda the smallest eigenvalue of J M^-1 J^T.
//
// The matrix is factored as L L^T inside its envelope, bodies numbered by reverse Cuthill-McKee: a
// tower is a band, and costs time linear in its height. Resistances to rolling and spinning are held
// at their values here; the sweeps that follow bring them up to date.
#include "engine/contact_solver.h"

#include "collision/memory.h"

#include <string.h>

#define ROUNDS 24
#define NEWTON_STEPS 40        // in one round
#define EASY_STEPS 6           // a round that took no more lets the penalty grow
#define MAX_FACTORED 120       // matrices in one solve; sweeps alone are cheaper than more of them
#define MAX_FACTORED_WARM 40   // the same from a good start
#define FIRST_PENALTY 10.0     // rho K_nn in the first round
#define WARM_PENALTY 1e3       // the same for impulses near the solution
#define PENALTY_GROWTH 10.0    // from round to round
#define LAST_PENALTY 1e6       // beyond this, rounding in the matrix eats the gain
#define MAX_ENVELOPE (1 << 20) // numbers in the factor: about 1,400 fully coupled unknowns

typedef struct ctNewton {
    int *block, *order, *queue, *degree; // by body: row block (or -1); by block: body; scratch
    int blockCapacity, orderCapacity, queueCapacity, degreeCapacity;
    int *first, *rowStart; // by row: first column, and where the row starts in envelope
    int firstCapacity, rowStartCapacity;
    double *envelope; // rows of the lower triangle from their first column to the diagonal
    int envelopeCapacity;
    double *slope;   // by row: minus the gradient of phi
    double *step;    // by row: Newton step
    double *base;    // by row: velocities without contact
    double *current; // by row: velocities at the start of a line search
    int slopeCapacity, stepCapacity, baseCapacity, currentCapacity;
    double *start; // by point: p0 and the friction bound r, four numbers each
    int startCapacity;
    double *kept; // by point: the impulses at the beginning, for ctNewton_Undo
    int keptCapacity;
    int blocks, rows;
} ctNewton;

void ctNewton_Destroy(ctNewton *nw)
{
    if (nw == NULL) {
        return;
    }
    void *all[] = {nw->block, nw->order, nw->queue, nw->degree,  nw->first, nw->rowStart, nw->envelope,
                   nw->slope, nw->step,  nw->base,  nw->current, nw->start, nw->kept};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ctFree(all[i]);
    }
    ctFree(nw);
}

static bool reserve(ctNewton *nw, int bodyCount, int count)
{
    int rows = 6 * bodyCount;
    return ctReserve((void **)&nw->block, &nw->blockCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&nw->order, &nw->orderCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&nw->queue, &nw->queueCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&nw->degree, &nw->degreeCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&nw->first, &nw->firstCapacity, rows, sizeof(int)) &&
           ctReserve((void **)&nw->rowStart, &nw->rowStartCapacity, rows + 1, sizeof(int)) &&
           ctReserve((void **)&nw->slope, &nw->slopeCapacity, rows, sizeof(double)) &&
           ctReserve((void **)&nw->step, &nw->stepCapacity, rows, sizeof(double)) &&
           ctReserve((void **)&nw->base, &nw->baseCapacity, rows, sizeof(double)) &&
           ctReserve((void **)&nw->current, &nw->currentCapacity, rows, sizeof(double)) &&
           ctReserve((void **)&nw->start, &nw->startCapacity, 4 * count, sizeof(double)) &&
           ctReserve((void **)&nw->kept, &nw->keptCapacity, 3 * count, sizeof(double));
}

// ---- numbering --------------------------------------------------------------------------------

static bool joins(const ctSolverPoint *p, const ctSolverBody *bodies)
{
    return bodies[p->a].invMass > 0.0 && bodies[p->b].invMass > 0.0;
}

// Appends the unvisited neighbours of body to the queue. block is -2 for bodies not yet visited.
static int visit(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count, int body, int tail)
{
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        if (!joins(p, bodies) || (p->a != body && p->b != body)) {
            continue;
        }
        int other = p->a == body ? p->b : p->a;
        if (nw->block[other] == -2) {
            nw->block[other] = -3;
            nw->queue[tail++] = other;
        }
    }
    return tail;
}

// Breadth first from the body with the fewest contacts of each connected part, then reversed.
static void number(ctNewton *nw, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points, int count)
{
    for (int i = 0; i < bodyCount; i++) {
        nw->block[i] = -1;
        nw->degree[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        int a = points[i].a, b = points[i].b;
        nw->degree[a]++;
        nw->degree[b]++;
        nw->block[a] = bodies[a].invMass > 0.0 ? -2 : -1;
        nw->block[b] = bodies[b].invMass > 0.0 ? -2 : -1;
    }
    int head = 0, tail = 0;
    for (;;) {
        int seed = -1;
        for (int i = 0; i < bodyCount; i++) {
            if (nw->block[i] == -2 && (seed < 0 || nw->degree[i] < nw->degree[seed])) {
                seed = i;
            }
        }
        if (seed < 0) {
            break;
        }
        nw->block[seed] = -3;
        nw->queue[tail++] = seed;
        while (head < tail) {
            tail = visit(nw, bodies, points, count, nw->queue[head++], tail);
        }
    }
    nw->blocks = tail;
    nw->rows = 6 * tail;
    for (int i = 0; i < tail; i++) {
        nw->order[i] = nw->queue[tail - 1 - i];
        nw->block[nw->order[i]] = i;
    }
}

// The envelope of the matrix: each row begins at the first body that it shares a point with.
static bool layOut(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    int *low = nw->degree; // no longer needed as degrees
    for (int i = 0; i < nw->blocks; i++) {
        low[i] = i;
    }
    for (int i = 0; i < count; i++) {
        if (joins(&points[i], bodies)) {
            int a = nw->block[points[i].a], b = nw->block[points[i].b];
            int hi = a > b ? a : b, lo = a > b ? b : a;
            low[hi] = lo < low[hi] ? lo : low[hi];
        }
    }
    int64_t total = 0;
    for (int row = 0; row < nw->rows; row++) {
        nw->first[row] = 6 * low[row / 6];
        nw->rowStart[row] = (int)total;
        total += row - nw->first[row] + 1;
        if (total > MAX_ENVELOPE) {
            return false;
        }
    }
    return ctReserve((void **)&nw->envelope, &nw->envelopeCapacity, (int)total, sizeof(double));
}

static double *entry(ctNewton *nw, int row, int column)
{
    return &nw->envelope[nw->rowStart[row] + column - nw->first[row]];
}

// ---- points -----------------------------------------------------------------------------------

// The projection of z onto C and the weights of H along n, along the slip (or t1), and across it.
typedef struct Piece {
    double pn, p1, p2;         // P_C(z)
    double hn, hAlong, hCross; // H / rho
    double c1, c2;             // unit direction of the tangential impulse
} Piece;

static Piece project(const ctSolverPoint *p, const double *start, ctVec3 u, double rho)
{
    double zn = start[2] - rho * (ctDot(p->n, u) - p->target);
    double z1 = start[0] - rho * ctDot(p->t1, u), z2 = start[1] - rho * ctDot(p->t2, u);
    double length = sqrt(z1 * z1 + z2 * z2), r = start[3];
    Piece out = {zn, z1, z2, 1.0, 1.0, 1.0, 1.0, 0.0};
    if (zn <= 0.0) {
        out.pn = out.hn = 0.0;
    }
    if (length > r) {
        out.c1 = z1 / length;
        out.c2 = z2 / length;
        out.p1 = r * out.c1;
        out.p2 = r * out.c2;
        out.hAlong = 0.0;
        out.hCross = r / length;
    }
    return out;
}

static double penalty(const ctSolverPoint *p, double kappa)
{
    return kappa * p->invKnn;
}

// Rows of one direction: d along the velocities, r x d along the spins.
static void addOuter(ctNewton *nw, const ctSolverPoint *p, ctVec3 d, double weight)
{
    ctVec3 xa = ctCross(p->ra, d), xb = ctCross(p->rb, d);
    double rows[2][6] = {{d.x, d.y, d.z, xa.x, xa.y, xa.z}, {-d.x, -d.y, -d.z, -xb.x, -xb.y, -xb.z}};
    int block[2] = {nw->block[p->a], nw->block[p->b]};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            if (block[i] < 0 || block[j] < 0 || block[j] > block[i]) {
                continue;
            }
            for (int r = 0; r < 6; r++) {
                int row = 6 * block[i] + r, last = block[i] == block[j] ? r : 5;
                double *e = entry(nw, row, 6 * block[j]), f = weight * rows[i][r];
                for (int c = 0; c <= last; c++) {
                    e[c] += f * rows[j][c];
                }
            }
        }
    }
}

static void addPoint(ctNewton *nw, const ctSolverPoint *p, const Piece *piece, double rho)
{
    if (piece->hn > 0.0) {
        addOuter(nw, p, p->n, rho);
    }
    if (piece->hAlong > 0.0) {
        addOuter(nw, p, ctMulAdd(ctScale(piece->c1, p->t1), piece->c2, p->t2), rho * piece->hAlong);
    }
    if (piece->hCross > 0.0) {
        addOuter(nw, p, ctMulAdd(ctScale(piece->c1, p->t2), -piece->c2, p->t1), rho * piece->hCross);
    }
}

// ---- assembly ---------------------------------------------------------------------------------

static ctMat3 inertiaOf(const ctSolverBody *body)
{
    return ctInverse(body->invInertia);
}

static void addMasses(ctNewton *nw, const ctSolverBody *bodies)
{
    memset(nw->envelope, 0, sizeof(double) * (size_t)(nw->rowStart[nw->rows - 1] + nw->rows - nw->first[nw->rows - 1]));
    for (int i = 0; i < nw->blocks; i++) {
        const ctSolverBody *body = &bodies[nw->order[i]];
        ctMat3 inertia = inertiaOf(body);
        const ctVec3 columns[3] = {inertia.cx, inertia.cy, inertia.cz};
        for (int r = 0; r < 3; r++) {
            *entry(nw, 6 * i + r, 6 * i + r) += 1.0 / body->invMass;
            double *e = entry(nw, 6 * i + 3 + r, 6 * i + 3);
            const double row[3] = {columns[r].x, columns[r].y, columns[r].z};
            for (int c = 0; c <= r; c++) {
                e[c] += row[c];
            }
        }
    }
}

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

static void addImpulse(ctNewton *nw, int block, double sign, ctVec3 r, ctVec3 impulse)
{
    if (block >= 0) {
        double *g = &nw->slope[6 * block];
        ctVec3 twist = ctCross(r, impulse);
        store3(g, ctMulAdd(load3(g), sign, impulse));
        store3(g + 3, ctMulAdd(load3(g + 3), sign, twist));
    }
}

// slope = J^T p(v) - M (v - v_f), which is minus the gradient. The largest change of a velocity that
// the gradient alone would make against the masses alone: an upper bound of what is left to do.
static double gradient(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count, double kappa)
{
    for (int i = 0; i < nw->blocks; i++) {
        const ctSolverBody *body = &bodies[nw->order[i]];
        ctVec3 dv = ctSub(load3(&nw->base[6 * i]), body->v), dw = ctSub(load3(&nw->base[6 * i + 3]), body->w);
        store3(&nw->slope[6 * i], ctScale(1.0 / body->invMass, dv));
        store3(&nw->slope[6 * i + 3], ctMulMV(inertiaOf(body), dw));
    }
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        Piece piece = project(p, &nw->start[4 * i], ctSolverPoint_Velocity(p, bodies), penalty(p, kappa));
        ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(piece.pn, p->n), piece.p1, p->t1), piece.p2, p->t2);
        addImpulse(nw, nw->block[p->a], 1.0, p->ra, impulse);
        addImpulse(nw, nw->block[p->b], -1.0, p->rb, impulse);
    }
    double left = 0.0;
    for (int i = 0; i < nw->blocks; i++) {
        const ctSolverBody *body = &bodies[nw->order[i]];
        ctVec3 dw = ctMulMV(body->invInertia, load3(&nw->slope[6 * i + 3]));
        left = fmax(left, body->invMass * ctLength(load3(&nw->slope[6 * i])));
        left = fmax(left, ctLength(dw));
    }
    return left;
}

static void assemble(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int count, double kappa)
{
    addMasses(nw, bodies);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        double rho = penalty(p, kappa);
        Piece piece = project(p, &nw->start[4 * i], ctSolverPoint_Velocity(p, bodies), rho);
        addPoint(nw, p, &piece, rho);
    }
}

// ---- the factor -------------------------------------------------------------------------------

static double dot(const double *a, const double *b, int n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) {
        s0 += a[i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
}

// L L^T in place. False when the matrix is not positive definite to rounding.
static bool factor(ctNewton *nw)
{
    for (int row = 0; row < nw->rows; row++) {
        int begin = nw->first[row];
        double *l = entry(nw, row, begin);
        for (int column = begin; column < row; column++) {
            int from = nw->first[column] > begin ? nw->first[column] : begin;
            const double *other = entry(nw, column, from);
            double sum = dot(l + (from - begin), other, column - from);
            l[column - begin] = (l[column - begin] - sum) / other[column - from];
        }
        double pivot = l[row - begin] - dot(l, l, row - begin);
        if (!(pivot > 1e-14 * l[row - begin])) {
            return false;
        }
        l[row - begin] = sqrt(pivot);
    }
    return true;
}

static void substitute(ctNewton *nw)
{
    double *x = nw->step;
    for (int row = 0; row < nw->rows; row++) {
        int begin = nw->first[row], n = row - begin;
        const double *l = entry(nw, row, begin);
        x[row] = (x[row] - dot(l, x + begin, n)) / l[n];
    }
    for (int row = nw->rows - 1; row >= 0; row--) {
        int begin = nw->first[row], n = row - begin;
        const double *l = entry(nw, row, begin);
        x[row] /= l[n];
        for (int i = 0; i < n; i++) {
            x[begin + i] -= l[i] * x[row];
        }
    }
}

// ---- the method -------------------------------------------------------------------------------

static void setVelocities(const ctNewton *nw, ctSolverBody *bodies, const double *from, double t)
{
    for (int i = 0; i < nw->blocks; i++) {
        ctSolverBody *body = &bodies[nw->order[i]];
        body->v = ctMulAdd(load3(&from[6 * i]), t, load3(&nw->step[6 * i]));
        body->w = ctMulAdd(load3(&from[6 * i + 3]), t, load3(&nw->step[6 * i + 3]));
    }
}

static void getVelocities(const ctNewton *nw, const ctSolverBody *bodies, double *to)
{
    for (int i = 0; i < nw->blocks; i++) {
        store3(&to[6 * i], bodies[nw->order[i]].v);
        store3(&to[6 * i + 3], bodies[nw->order[i]].w);
    }
}

// One Newton step with a line search along it; phi is convex, so its derivative along the step only
// grows, and the step is shortened until that derivative is not much above zero. Afterwards slope
// holds for the new velocities. *left as gradient says; false when stuck.
static bool newtonStep(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count, double kappa,
                       double *moved, double *left)
{
    assemble(nw, bodies, points, count, kappa);
    if (!factor(nw)) {
        return false;
    }
    memcpy(nw->step, nw->slope, sizeof(double) * (size_t)nw->rows);
    substitute(nw);
    getVelocities(nw, bodies, nw->current);
    double descent = dot(nw->slope, nw->step, nw->rows), t = 1.0;
    for (int i = 0; i < 20; i++) {
        setVelocities(nw, bodies, nw->current, t);
        *left = gradient(nw, bodies, points, count, kappa);
        double climb = -dot(nw->slope, nw->step, nw->rows);
        if (climb <= 0.5 * descent) {
            break;
        }
        t *= fmax(0.1, descent / (descent + climb));
    }
    *moved = 0.0;
    for (int i = 0; i < nw->rows; i++) {
        *moved = fmax(*moved, t * fabs(nw->step[i]));
    }
    return descent > 0.0;
}

// Takes the impulses p(v) over into the points; r is mu p_n for the next round.
static void takeImpulses(ctNewton *nw, const ctSolverBody *bodies, ctSolverPoint *points, int count, double kappa)
{
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[i];
        double *start = &nw->start[4 * i];
        Piece piece = project(p, start, ctSolverPoint_Velocity(p, bodies), penalty(p, kappa));
        start[0] = piece.p1;
        start[1] = piece.p2;
        start[2] = piece.pn;
        start[3] = p->mu * piece.pn;
    }
}

// Velocities that follow from the impulses alone, so that momentum balances to rounding.
static void finish(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count)
{
    memset(nw->step, 0, sizeof(double) * (size_t)nw->rows);
    setVelocities(nw, bodies, nw->base, 0.0);
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[i];
        const double *start = &nw->start[4 * i];
        p->p1 = start[0];
        p->p2 = start[1];
        p->pn = start[2];
        ctSolverPoint_Push(p, bodies, ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2));
    }
}

// From the points' impulses, or, the first time, as if every point that has friction stuck: normal
// forces that are far off would give bounds on friction that are worse than none.
static void begin(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count, bool warm)
{
    getVelocities(nw, bodies, nw->current);
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        double *start = &nw->start[4 * i];
        store3(&nw->kept[3 * i], ctV3(p->p1, p->p2, p->pn));
        start[0] = p->p1;
        start[1] = p->p2;
        start[2] = p->pn;
        start[3] = warm || p->mu == 0.0 ? p->mu * p->pn : INFINITY;
        ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, p->n), p->p1, p->t1), p->p2, p->t2);
        ctSolverPoint_Push(p, bodies, ctNeg(impulse));
    }
    getVelocities(nw, bodies, nw->base);
    memset(nw->step, 0, sizeof(double) * (size_t)nw->rows);
    setVelocities(nw, bodies, nw->current, 0.0);
}

void ctNewton_Undo(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count)
{
    if (nw == NULL || nw->keptCapacity < 3 * count) {
        return;
    }
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[i];
        ctVec3 k = load3(&nw->kept[3 * i]), d = ctSub(k, ctV3(p->p1, p->p2, p->pn));
        ctSolverPoint_Push(p, bodies, ctMulAdd(ctMulAdd(ctScale(d.z, p->n), d.x, p->t1), d.y, p->t2));
        p->p1 = k.x;
        p->p2 = k.y;
        p->pn = k.z;
    }
}

// Minimises phi. *first is the largest change of a velocity in the first step. False when it has
// not settled in the steps allowed.
static bool minimise(ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count, double kappa,
                     double tolerance, double *first, int *factored)
{
    *first = 0.0;
    double left = gradient(nw, bodies, points, count, kappa);
    for (int i = 0; i < NEWTON_STEPS && left > 0.01 * tolerance; i++) {
        double moved = 0.0;
        ++*factored;
        if (!newtonStep(nw, bodies, points, count, kappa, &moved, &left)) {
            return false;
        }
        *first = i == 0 ? moved : *first;
    }
    return left <= tolerance;
}

bool ctNewton_Improve(ctNewton **newton, ctSolverBody *bodies, int bodyCount, ctSolverPoint *points, int count,
                      double tolerance, bool warm, int *factored)
{
    if (*newton == NULL) {
        *newton = ctAllocate(1, sizeof(ctNewton));
    }
    ctNewton *nw = *newton;
    if (nw == NULL || !reserve(nw, bodyCount, count)) {
        return false;
    }
    number(nw, bodies, bodyCount, points, count);
    if (nw->blocks == 0 || !layOut(nw, bodies, points, count)) {
        return false;
    }
    begin(nw, bodies, points, count, warm);
    bool improved = false;
    int most = warm ? MAX_FACTORED_WARM : MAX_FACTORED;
    double kappa = warm ? WARM_PENALTY : FIRST_PENALTY;
    for (int round = 0; round < ROUNDS && *factored < most; round++) {
        double first = 0.0;
        int before = *factored;
        if (!minimise(nw, bodies, points, count, kappa, tolerance, &first, factored)) {
            if (kappa <= FIRST_PENALTY) {
                break;
            }
            kappa = FIRST_PENALTY; // from the impulses of the last good round
            continue;
        }
        takeImpulses(nw, bodies, points, count, kappa);
        improved = true;
        if (first <= tolerance) {
            break;
        }
        if (*factored - before <= EASY_STEPS) {
            kappa = fmin(kappa * PENALTY_GROWTH, LAST_PENALTY);
        }
    }
    finish(nw, bodies, points, count);
    return improved;
}
