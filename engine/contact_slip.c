// Newton's method with the whole cone, for the last steps of small islands in which points slide.
//
// The augmented Lagrangian of contact_newton.c holds the bounds on friction while it solves, which makes
// it safe but slow where points slide: the bounds follow one round behind. Here they move along. With
//     z = p0 - rho (J v - target),
//     p_n = max(0, z_n),   p_t = z_t, or mu p_n z_t / |z_t| when that is shorter,
// and the same for the resistances to rolling and spinning with their own bounds, the equations
//     M (v - v_f) = J^T p(v)
// are solved by Newton steps with the exact (unsymmetric) derivative, by dense elimination with
// pivoting. They converge quadratically near a solution and are not safe far from it: a step that does
// not reduce the error is halved, and given up after a few halvings. Rounds with p0 = p(v) make the
// result independent of rho.
#include "engine/contact_solver.h"

#include "collision/memory.h"

#include <string.h>

#define MAX_ROWS 72 // twelve bodies
#define ROUNDS 8
#define STEPS 12
#define HALVINGS 6
#define PENALTY 1e3 // rho K in every direction

enum { ROWS = 6 }; // of a point: n, t1, t2, spin about n, rolling about t1, t2

typedef struct Row {
    double value[ROWS];
} Row;

typedef struct Slip {
    ctSolverBody *bodies;
    ctSolverPoint *points;
    int count, rows;
    int *block;    // by body: its first row, or -1
    double *start; // by point: p0, six numbers
    double base[MAX_ROWS], now[MAX_ROWS], left[MAX_ROWS], step[MAX_ROWS];
    double matrix[MAX_ROWS][MAX_ROWS];
} Slip;

// ---- one point --------------------------------------------------------------------------------

static void penaltiesOf(const Slip *s, const ctSolverPoint *p, double rho[ROWS])
{
    const ctSolverBody *a = &s->bodies[p->a], *b = &s->bodies[p->b];
    double mobility =
        (a->invMass > 0.0 ? ctTrace(a->invInertia) : 0.0) + (b->invMass > 0.0 ? ctTrace(b->invInertia) : 0.0);
    for (int i = 0; i < ROWS; i++) {
        rho[i] = PENALTY * (i < 3 ? p->invKnn : 3.0 / mobility);
    }
}

// z = p0 - rho (row velocity - target).
static void predict(const Slip *s, int i, const double rho[ROWS], double z[ROWS])
{
    const ctSolverPoint *p = &s->points[i];
    ctVec3 u = ctSolverPoint_Velocity(p, s->bodies), w = ctSub(s->bodies[p->a].w, s->bodies[p->b].w);
    const double speed[ROWS] = {
        ctDot(p->n, u) - p->target, ctDot(p->t1, u), ctDot(p->t2, u), ctDot(p->n, w), ctDot(p->t1, w), ctDot(p->t2, w)};
    for (int k = 0; k < ROWS; k++) {
        z[k] = s->start[ROWS * i + k] - rho[k] * speed[k];
    }
}

// The plane vector at k, k + 1 onto the disc of radius share * z_n; the derivative with respect to z.
static void projectDisc(const double *z, int k, double share, double *p, double d[ROWS][ROWS])
{
    double radius = share * z[0], length = sqrt(z[k] * z[k] + z[k + 1] * z[k + 1]);
    if (length <= radius) {
        p[k] = z[k];
        p[k + 1] = z[k + 1];
        d[k][k] = d[k + 1][k + 1] = 1.0;
        return;
    }
    double c1 = z[k] / length, c2 = z[k + 1] / length, across = radius / length;
    p[k] = radius * c1;
    p[k + 1] = radius * c2;
    d[k][0] = share * c1;
    d[k + 1][0] = share * c2;
    d[k][k] = across * (1.0 - c1 * c1);
    d[k + 1][k + 1] = across * (1.0 - c2 * c2);
    d[k][k + 1] = d[k + 1][k] = -across * c1 * c2;
}

// The impulses p(z), and their derivative.
static void project(const ctSolverPoint *point, const double z[ROWS], double p[ROWS], double d[ROWS][ROWS])
{
    memset(p, 0, sizeof(double) * ROWS);
    memset(d, 0, sizeof(double) * ROWS * ROWS);
    if (z[0] <= 0.0) {
        return;
    }
    p[0] = z[0];
    d[0][0] = 1.0;
    projectDisc(z, 1, point->mu, p, d);
    if (point->rolling > 0.0) {
        projectDisc(z, 4, point->rolling, p, d);
    }
    double bound = point->spinning * z[0];
    if (fabs(z[3]) <= bound) {
        p[3] = z[3];
        d[3][3] = point->spinning > 0.0 ? 1.0 : 0.0;
    } else {
        p[3] = copysign(bound, z[3]);
        d[3][0] = copysign(point->spinning, z[3]);
    }
}

// The rows of a point in the velocities of one of its bodies: J.
static void jacobian(const ctSolverPoint *p, bool first, double j[ROWS][6])
{
    const ctVec3 axes[3] = {p->n, p->t1, p->t2};
    double sign = first ? 1.0 : -1.0;
    memset(j, 0, sizeof(double) * ROWS * 6);
    for (int k = 0; k < 3; k++) {
        ctVec3 d = ctScale(sign, axes[k]), x = ctCross(first ? p->ra : p->rb, d);
        const double linear[6] = {d.x, d.y, d.z, x.x, x.y, x.z};
        memcpy(j[k], linear, sizeof linear);
        j[3 + k][3] = d.x;
        j[3 + k][4] = d.y;
        j[3 + k][5] = d.z;
    }
}

// ---- the equations ----------------------------------------------------------------------------

static void setVelocities(Slip *s, const double *from, double t)
{
    for (int i = 0; s->block[i] > -2; i++) {
        if (s->block[i] >= 0) {
            const double *x = &from[s->block[i]], *d = &s->step[s->block[i]];
            s->bodies[i].v = ctV3(x[0] + t * d[0], x[1] + t * d[1], x[2] + t * d[2]);
            s->bodies[i].w = ctV3(x[3] + t * d[3], x[4] + t * d[4], x[5] + t * d[5]);
        }
    }
}

static void getVelocities(const Slip *s, double *to)
{
    for (int i = 0; s->block[i] > -2; i++) {
        if (s->block[i] >= 0) {
            const ctSolverBody *b = &s->bodies[i];
            const double x[6] = {b->v.x, b->v.y, b->v.z, b->w.x, b->w.y, b->w.z};
            memcpy(&to[s->block[i]], x, sizeof x);
        }
    }
}

// left = J^T p(v) - M (v - v_f). Its size as a velocity.
static double imbalance(Slip *s)
{
    double size = 0.0, velocity[MAX_ROWS];
    memset(s->left, 0, sizeof s->left);
    for (int i = 0; i < s->count; i++) {
        const ctSolverPoint *point = &s->points[i];
        double rho[ROWS], z[ROWS], p[ROWS], d[ROWS][ROWS], j[ROWS][6];
        penaltiesOf(s, point, rho);
        predict(s, i, rho, z);
        project(point, z, p, d);
        for (int end = 0; end < 2; end++) {
            int row = s->block[end == 0 ? point->a : point->b];
            if (row < 0) {
                continue;
            }
            jacobian(point, end == 0, j);
            for (int k = 0; k < ROWS; k++) {
                for (int c = 0; c < 6; c++) {
                    s->left[row + c] += j[k][c] * p[k];
                }
            }
        }
    }
    getVelocities(s, velocity);
    for (int i = 0; s->block[i] > -2; i++) {
        int r = s->block[i];
        if (r < 0) {
            continue;
        }
        const ctSolverBody *b = &s->bodies[i];
        for (int c = 0; c < 3; c++) {
            s->left[r + c] -= (velocity[r + c] - s->base[r + c]) / b->invMass;
            size = fmax(size, fabs(s->left[r + c]) * b->invMass);
        }
        ctVec3 dw =
            ctV3(velocity[r + 3] - s->base[r + 3], velocity[r + 4] - s->base[r + 4], velocity[r + 5] - s->base[r + 5]);
        ctVec3 turn = ctMulMV(ctInverse(b->invInertia), dw);
        s->left[r + 3] -= turn.x;
        s->left[r + 4] -= turn.y;
        s->left[r + 5] -= turn.z;
        ctVec3 spin = ctMulMV(b->invInertia, ctV3(s->left[r + 3], s->left[r + 4], s->left[r + 5]));
        size =
            fmax(size, ctLength(spin) * sqrt(b->invMass * 3.0 / ctTrace(b->invInertia))); // at the radius of gyration
    }
    return size;
}

static void addPoint(Slip *s, int i)
{
    const ctSolverPoint *point = &s->points[i];
    double rho[ROWS], z[ROWS], p[ROWS], d[ROWS][ROWS], j[2][ROWS][6];
    penaltiesOf(s, point, rho);
    predict(s, i, rho, z);
    if (z[0] <= 0.0) {
        return;
    }
    project(point, z, p, d);
    const int row[2] = {s->block[point->a], s->block[point->b]};
    jacobian(point, true, j[0]);
    jacobian(point, false, j[1]);
    for (int to = 0; to < 2; to++) {
        if (row[to] < 0) {
            continue;
        }
        double h[ROWS][6]; // dp/dv of that body, with the other sign
        for (int k = 0; k < ROWS; k++) {
            for (int c = 0; c < 6; c++) {
                h[k][c] = 0.0;
                for (int q = 0; q < ROWS; q++) {
                    h[k][c] += d[k][q] * rho[q] * j[to][q][c];
                }
            }
        }
        for (int from = 0; from < 2; from++) {
            for (int r = 0; r < 6 && row[from] >= 0; r++) {
                double *out = &s->matrix[row[from] + r][row[to]];
                for (int k = 0; k < ROWS; k++) {
                    for (int c = 0; c < 6; c++) {
                        out[c] += j[from][k][r] * h[k][c];
                    }
                }
            }
        }
    }
}

static void assemble(Slip *s)
{
    for (int r = 0; r < s->rows; r++) {
        memset(s->matrix[r], 0, sizeof(double) * (size_t)s->rows);
    }
    for (int i = 0; s->block[i] > -2; i++) {
        int r = s->block[i];
        if (r < 0) {
            continue;
        }
        ctMat3 inertia = ctInverse(s->bodies[i].invInertia);
        const ctVec3 rows[3] = {inertia.cx, inertia.cy, inertia.cz};
        for (int c = 0; c < 3; c++) {
            s->matrix[r + c][r + c] = 1.0 / s->bodies[i].invMass;
            s->matrix[r + 3 + c][r + 3] = rows[c].x;
            s->matrix[r + 3 + c][r + 4] = rows[c].y;
            s->matrix[r + 3 + c][r + 5] = rows[c].z;
        }
    }
    for (int i = 0; i < s->count; i++) {
        addPoint(s, i);
    }
}

// step = matrix^-1 left, by elimination with partial pivoting. False when the matrix is singular.
static bool eliminate(Slip *s)
{
    int n = s->rows;
    memcpy(s->step, s->left, sizeof(double) * (size_t)n);
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int r = k + 1; r < n; r++) {
            pivot = fabs(s->matrix[r][k]) > fabs(s->matrix[pivot][k]) ? r : pivot;
        }
        if (!(fabs(s->matrix[pivot][k]) > 0.0)) {
            return false;
        }
        if (pivot != k) {
            double row[MAX_ROWS], value = s->step[k];
            memcpy(row, s->matrix[k], sizeof(double) * (size_t)n);
            memcpy(s->matrix[k], s->matrix[pivot], sizeof(double) * (size_t)n);
            memcpy(s->matrix[pivot], row, sizeof(double) * (size_t)n);
            s->step[k] = s->step[pivot];
            s->step[pivot] = value;
        }
        double inverse = 1.0 / s->matrix[k][k];
        for (int r = k + 1; r < n; r++) {
            double f = s->matrix[r][k] * inverse;
            if (f != 0.0) {
                for (int c = k + 1; c < n; c++) {
                    s->matrix[r][c] -= f * s->matrix[k][c];
                }
                s->step[r] -= f * s->step[k];
            }
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        double sum = s->step[k];
        for (int c = k + 1; c < n; c++) {
            sum -= s->matrix[k][c] * s->step[c];
        }
        s->step[k] = sum / s->matrix[k][k];
    }
    return true;
}

// ---- the method -------------------------------------------------------------------------------

// One round. False when it does not get there.
static bool solveRound(Slip *s, double tolerance, double *moved, int *factored)
{
    double size = imbalance(s);
    *moved = 0.0;
    for (int i = 0; i < STEPS && size > 0.01 * tolerance; i++) {
        assemble(s);
        ++*factored;
        if (!eliminate(s)) {
            return false;
        }
        getVelocities(s, s->now);
        double t = 1.0, after = size;
        for (int k = 0; k <= HALVINGS; k++, t *= 0.5) {
            setVelocities(s, s->now, t);
            after = imbalance(s);
            if (after < size) {
                break;
            }
        }
        if (!(after < size)) {
            return false;
        }
        for (int r = 0; r < s->rows && i == 0; r++) {
            *moved = fmax(*moved, fabs(s->step[r]));
        }
        size = after;
    }
    return size <= tolerance;
}

static void takeImpulses(Slip *s)
{
    for (int i = 0; i < s->count; i++) {
        double rho[ROWS], z[ROWS], p[ROWS], d[ROWS][ROWS];
        penaltiesOf(s, &s->points[i], rho);
        predict(s, i, rho, z);
        project(&s->points[i], z, p, d);
        memcpy(&s->start[ROWS * i], p, sizeof p);
    }
}

static ctVec3 impulseOf(const ctSolverPoint *p, const double *x)
{
    return ctMulAdd(ctMulAdd(ctScale(x[0], p->n), x[1], p->t1), x[2], p->t2);
}

static void twist(ctSolverBody *body, double sign, ctVec3 impulse)
{
    if (body->invMass > 0.0) {
        body->w = ctMulAdd(body->w, sign, ctMulMV(body->invInertia, impulse));
    }
}

static void apply(Slip *s, int i, const double *x, double sign)
{
    const ctSolverPoint *p = &s->points[i];
    ctVec3 turn = ctScale(sign, impulseOf(p, x + 3));
    ctSolverPoint_Push(p, s->bodies, ctScale(sign, impulseOf(p, x)));
    twist(&s->bodies[p->a], 1.0, turn);
    twist(&s->bodies[p->b], -1.0, turn);
}

static void begin(Slip *s)
{
    getVelocities(s, s->now);
    for (int i = 0; i < s->count; i++) {
        const ctSolverPoint *p = &s->points[i];
        const double x[ROWS] = {
            p->pn, p->p1, p->p2, ctDot(p->n, p->twist), ctDot(p->t1, p->twist), ctDot(p->t2, p->twist)};
        memcpy(&s->start[ROWS * i], x, sizeof x);
        apply(s, i, x, -1.0);
    }
    getVelocities(s, s->base);
    memset(s->step, 0, sizeof s->step);
    setVelocities(s, s->now, 0.0);
}

// Velocities that follow from the impulses alone, so that momentum balances to rounding.
static void finish(Slip *s)
{
    memset(s->step, 0, sizeof s->step);
    setVelocities(s, s->base, 0.0);
    for (int i = 0; i < s->count; i++) {
        ctSolverPoint *p = &s->points[i];
        const double *x = &s->start[ROWS * i];
        p->pn = x[0];
        p->p1 = x[1];
        p->p2 = x[2];
        p->twist = impulseOf(p, x + 3);
        apply(s, i, x, 1.0);
    }
}

bool ctSlip_Fits(const ctSolverBody *bodies, int bodyCount)
{
    int rows = 0;
    for (int i = 0; i < bodyCount; i++) {
        rows += bodies[i].invMass > 0.0 ? 6 : 0;
    }
    return rows <= MAX_ROWS;
}

bool ctSlip_Improve(ctSolverBody *bodies, int bodyCount, ctSolverPoint *points, int count, double tolerance,
                    int *factored)
{
    Slip *s = ctAllocate(1, sizeof *s);
    int *block = ctAllocate((size_t)bodyCount + 1, sizeof(int));
    double *start = ctAllocate((size_t)count, sizeof(double) * ROWS);
    bool improved = false;
    if (s != NULL && block != NULL && start != NULL) {
        s->bodies = bodies;
        s->points = points;
        s->count = count;
        s->block = block;
        s->start = start;
        for (int i = 0; i < bodyCount; i++) {
            block[i] = bodies[i].invMass > 0.0 ? s->rows : -1;
            s->rows += bodies[i].invMass > 0.0 ? 6 : 0;
        }
        block[bodyCount] = -2;
        begin(s);
        double moved = INFINITY;
        for (int round = 0; round < ROUNDS && moved > 0.1 * tolerance; round++) {
            if (!solveRound(s, tolerance, &moved, factored)) {
                break;
            }
            takeImpulses(s);
            improved = true;
        }
        finish(s);
    }
    ctFree(s);
    ctFree(block);
    ctFree(start);
    return improved;
}
