// Block L U inside the envelope.
//
// Bodies are numbered by reverse Cuthill-McKee, so that a tower or a row of dominoes is a band and costs time linear in
// its length. The matrix M + J^T G J has a symmetric pattern but, where points slide, unsymmetric values. Pivots are
// searched for only inside the 6 x 6 blocks of the diagonal.
#include "engine/solver/blocks.h"

#include "collision/memory.h"

#include <string.h>

#define MAX_BLOCKS (1 << 14) // [storage] in the lower triangle; a larger matrix is not used, and sweeps solve alone

#define SMALL_PIVOT 0.1 // [rounding] as a share of the rest of its column: with a smaller one, digits are lost

enum { N = CT_BLOCK, S = CT_STRIDE, NN = CT_BLOCK * CT_STRIDE };

// Half a row: four numbers as one vector type. The compilers' own vector code shuffles more than it adds.
typedef double Half __attribute__((vector_size(32), aligned(8), may_alias));

// A macro, because a function could not return the vector where the machine has no registers of that width.
#define SPREAD(x) ((Half){(x), (x), (x), (x)})

void ctBlocks_Destroy(ctBlocks *m)
{
    void *all[] = {m->block,    m->order, m->low,       m->start, m->lower,  m->upper,
                   m->diagonal, m->link,  m->linkStart, m->queue, m->degree, m->masses};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        ctFree(all[i]);
    }
    memset(m, 0, sizeof *m);
}

// ---- numbering --------------------------------------------------------------------------------

static bool reserve(ctBlocks *m, int bodyCount, int count)
{
    return ctReserve((void **)&m->block, &m->blockCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&m->order, &m->orderCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&m->low, &m->lowCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&m->start, &m->startCapacity, bodyCount + 1, sizeof(int)) &&
           ctReserve((void **)&m->queue, &m->queueCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&m->degree, &m->degreeCapacity, bodyCount, sizeof(int)) &&
           ctReserve((void **)&m->linkStart, &m->linkStartCapacity, bodyCount + 1, sizeof(int)) &&
           ctReserve((void **)&m->link, &m->linkCapacity, 2 * count, sizeof(int)) &&
           ctReserve((void **)&m->diagonal, &m->diagonalCapacity, NN * bodyCount, sizeof(double)) &&
           ctReserve((void **)&m->masses, &m->massCapacity, NN * bodyCount, sizeof(double));
}

static bool joins(const ctSolverPoint *p, const ctSolverBody *bodies)
{
    return bodies[p->a].invMass > 0.0 && bodies[p->b].invMass > 0.0;
}

// Points between the same two bodies are mostly adjacent: they need only one link.
static bool repeats(const ctSolverPoint *points, int i)
{
    return i > 0 && points[i].a == points[i - 1].a && points[i].b == points[i - 1].b;
}

// Lists the neighbours of each body, and marks the movable ones that have points by block = -2.
static void link(ctBlocks *m, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points, int count)
{
    for (int i = 0; i < bodyCount; i++) {
        m->block[i] = -1;
        m->degree[i] = 0;
    }
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        m->block[p->a] = bodies[p->a].invMass > 0.0 ? -2 : -1;
        m->block[p->b] = bodies[p->b].invMass > 0.0 ? -2 : -1;
        if (joins(p, bodies) && !repeats(points, i)) {
            m->degree[p->a]++;
            m->degree[p->b]++;
        }
    }
    int total = 0;
    for (int i = 0; i < bodyCount; i++) {
        m->linkStart[i] = total;
        total += m->degree[i];
        m->degree[i] = 0;
    }
    m->linkStart[bodyCount] = total;
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        if (joins(p, bodies) && !repeats(points, i)) {
            m->link[m->linkStart[p->a] + m->degree[p->a]++] = p->b;
            m->link[m->linkStart[p->b] + m->degree[p->b]++] = p->a;
        }
    }
}

// Breadth-first from a body with the fewest neighbours of each connected part, then reversed.
static void number(ctBlocks *m, int bodyCount)
{
    int head = 0, tail = 0;
    for (;;) {
        int seed = -1;
        for (int i = 0; i < bodyCount; i++) {
            if (m->block[i] == -2 && (seed < 0 || m->degree[i] < m->degree[seed])) {
                seed = i;
            }
        }
        if (seed < 0) {
            break;
        }
        m->block[seed] = -3;
        m->queue[tail++] = seed;
        for (; head < tail; head++) {
            int body = m->queue[head];
            for (int k = m->linkStart[body]; k < m->linkStart[body + 1]; k++) {
                int other = m->link[k];
                if (m->block[other] == -2) {
                    m->block[other] = -3;
                    m->queue[tail++] = other;
                }
            }
        }
    }
    m->count = tail;
    for (int i = 0; i < tail; i++) {
        m->order[i] = m->queue[tail - 1 - i];
        m->block[m->order[i]] = i;
    }
}

// Each row of blocks begins at the first body with which its body shares a point.
static bool layOut(ctBlocks *m)
{
    int total = 0;
    for (int i = 0; i < m->count; i++) {
        int low = i, body = m->order[i];
        for (int k = m->linkStart[body]; k < m->linkStart[body + 1]; k++) {
            int other = m->block[m->link[k]];
            low = other < low ? other : low;
        }
        m->low[i] = low;
        m->start[i] = total;
        total += i - low;
        if (total > MAX_BLOCKS) {
            return false;
        }
    }
    m->start[m->count] = total;
    return ctReserve((void **)&m->lower, &m->lowerCapacity, NN * total + 1, sizeof(double)) &&
           ctReserve((void **)&m->upper, &m->upperCapacity, NN * total + 1, sizeof(double));
}

static void setMasses(ctBlocks *m, const ctSolverBody *bodies)
{
    memset(m->masses, 0, sizeof(double) * (size_t)(NN * m->count));
    for (int i = 0; i < m->count; i++) {
        const ctSolverBody *body = &bodies[m->order[i]];
        ctMat3 inertia = ctInverse(body->invInertia);
        const ctVec3 rows[3] = {inertia.cx, inertia.cy, inertia.cz};
        double *d = &m->masses[NN * i];
        for (int r = 0; r < 3; r++) {
            d[(S + 1) * r] = 1.0 / body->invMass;
            double *e = &d[S * (r + 3) + 3];
            e[0] = rows[r].x;
            e[1] = rows[r].y;
            e[2] = rows[r].z;
        }
    }
}

bool ctBlocks_Begin(ctBlocks *m, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points, int count)
{
    if (!reserve(m, bodyCount, count)) {
        return false;
    }
    link(m, bodies, bodyCount, points, count);
    number(m, bodyCount);
    if (m->count == 0 || !layOut(m)) {
        return false;
    }
    setMasses(m, bodies);
    return true;
}

// ---- assembly ---------------------------------------------------------------------------------

void ctBlocks_SetMasses(ctBlocks *m)
{
    size_t off = sizeof(double) * (size_t)(NN * m->start[m->count]);
    if (off > 0) {
        memset(m->lower, 0, off);
        memset(m->upper, 0, off);
    }
    memcpy(m->diagonal, m->masses, sizeof(double) * (size_t)(NN * m->count));
}

// block += sign J^T (H J) for a body with the arm r.
static inline void addProduct(double *block, double sign, ctVec3 r, const ctFour e[6])
{
    Half *to = (Half *)block;
    Half x = SPREAD(sign * r.x), y = SPREAD(sign * r.y), z = SPREAD(sign * r.z), one = SPREAD(sign);
    for (int k = 0; k < 2; k++) {
        to[k] += one * e[k];
        to[2 + k] += one * e[2 + k];
        to[4 + k] += one * e[4 + k];
        to[6 + k] += y * e[4 + k] - z * e[2 + k];
        to[8 + k] += z * e[k] - x * e[4 + k];
        to[10 + k] += x * e[2 + k] - y * e[k];
    }
}

void ctBlocks_AddPoint(ctBlocks *m, const ctSolverPoint *p, const ctRows *a, const ctRows *b)
{
    int i = m->block[p->a], j = m->block[p->b];
    if (i >= 0) {
        addProduct(&m->diagonal[NN * i], 1.0, p->ra, a->at);
    }
    if (j >= 0) {
        addProduct(&m->diagonal[NN * j], 1.0, p->rb, b->at);
    }
    if (i >= 0 && j >= 0) {
        int hi = i > j ? i : j, lo = i > j ? j : i, at = NN * (m->start[hi] + lo - m->low[hi]);
        addProduct(i > j ? &m->lower[at] : &m->upper[at], -1.0, p->ra, b->at);
        addProduct(i > j ? &m->upper[at] : &m->lower[at], -1.0, p->rb, a->at);
    }
}

// block += sign e, in the rows of the spin.
static inline void addTurn(double *block, double sign, const ctFour e[6])
{
    Half *to = (Half *)block + N, one = SPREAD(sign);
    for (int k = 0; k < 6; k++) {
        to[k] += one * e[k];
    }
}

void ctBlocks_AddTorque(ctBlocks *m, const ctSolverPoint *p, const ctRows *a, const ctRows *b)
{
    int i = m->block[p->a], j = m->block[p->b];
    if (i >= 0) {
        addTurn(&m->diagonal[NN * i], 1.0, a->at);
    }
    if (j >= 0) {
        addTurn(&m->diagonal[NN * j], 1.0, b->at);
    }
    if (i >= 0 && j >= 0) {
        int hi = i > j ? i : j, lo = i > j ? j : i, at = NN * (m->start[hi] + lo - m->low[hi]);
        addTurn(i > j ? &m->lower[at] : &m->upper[at], -1.0, b->at);
        addTurn(i > j ? &m->upper[at] : &m->lower[at], -1.0, a->at);
    }
}

// ---- the factor -------------------------------------------------------------------------------

// c -= a b
static void subtractProduct(double *c, const double *a, const double *b)
{
    Half *to = (Half *)c;
    const Half *from = (const Half *)b;
    for (int r = 0; r < N; r++) {
        Half first = to[2 * r], second = to[2 * r + 1];
        for (int k = 0; k < N; k++) {
            Half f = SPREAD(a[S * r + k]);
            first -= f * from[2 * k];
            second -= f * from[2 * k + 1];
        }
        to[2 * r] = first;
        to[2 * r + 1] = second;
    }
}

// a := a b
static void multiplyRight(double *a, const double *b)
{
    Half *to = (Half *)a;
    const Half *from = (const Half *)b;
    for (int r = 0; r < N; r++) {
        Half first = SPREAD(0.0), second = SPREAD(0.0);
        for (int k = 0; k < N; k++) {
            Half f = SPREAD(a[S * r + k]);
            first += f * from[2 * k];
            second += f * from[2 * k + 1];
        }
        to[2 * r] = first;
        to[2 * r + 1] = second;
    }
}

// y -= a x
static void subtractTimes(double *restrict y, const double *restrict a, const double *restrict x)
{
    for (int r = 0; r < N; r++) {
        double sum = 0.0;
        for (int k = 0; k < N; k++) {
            sum += a[S * r + k] * x[k];
        }
        y[r] -= sum;
    }
}

static void swapRows(double *a, int r, int s)
{
    double row[S];
    memcpy(row, &a[S * r], sizeof row);
    memcpy(&a[S * r], &a[S * s], sizeof row);
    memcpy(&a[S * s], row, sizeof row);
}

// The inverse in place, by Gauss-Jordan elimination with row pivoting. Rows are stored whole: loading a row just after
// its numbers were stored one by one is slow. Rows of angular momentum count in units of the lever (m), so that pivots
// do not depend on the unit of length.
static bool invert(double *a, double lever)
{
    int pivots[N];
    double weights[N] = {lever, lever, lever, 1.0, 1.0, 1.0};
    Half *rows = (Half *)a;
    for (int k = 0; k < N; k++) {
        int pivot = k;
        double most = weights[k] * fabs(a[S * k + k]);
        for (int r = k + 1; r < N; r++) {
            double value = weights[r] * fabs(a[S * r + k]);
            pivot = value > most ? r : pivot;
            most = value > most ? value : most;
        }
        pivots[k] = pivot;
        if (pivot != k) {
            swapRows(a, k, pivot);
            double weight = weights[k];
            weights[k] = weights[pivot];
            weights[pivot] = weight;
        }
        double value = a[S * k + k];
        if (!(fabs(value) > 0.0)) {
            return false;
        }
        Half unit[2] = {{k == 0, k == 1, k == 2, k == 3}, {k == 4, k == 5, 0.0, 0.0}};
        Half rest[2] = {SPREAD(1.0) - unit[0], SPREAD(1.0) - unit[1]}, scale = SPREAD(1.0 / value);
        Half first = (rows[2 * k] * rest[0] + unit[0]) * scale, second = (rows[2 * k + 1] * rest[1] + unit[1]) * scale;
        for (int r = 0; r < N; r++) {
            Half f = SPREAD(a[S * r + k]);
            rows[2 * r] = rows[2 * r] * rest[0] - f * first;
            rows[2 * r + 1] = rows[2 * r + 1] * rest[1] - f * second;
        }
        rows[2 * k] = first;
        rows[2 * k + 1] = second;
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int r = 0; r < N && pivots[k] != k; r++) {
            double x = a[S * r + k];
            a[S * r + k] = a[S * r + pivots[k]];
            a[S * r + pivots[k]] = x;
        }
    }
    return true;
}

// One step of Gauss-Jordan elimination. False where the pivot is small beside the rest of its column.
static inline __attribute__((always_inline)) bool eliminate(ctFour rows[2 * N], const double weights[N], int k)
{
    const int half = k / 4, lane = k % 4;
    const ctFourBits here = {-(lane == 0), -(lane == 1), -(lane == 2), -(lane == 3)};
    double value = rows[2 * k + half][lane], most = 0.0;
    for (int r = k + 1; r < N; r++) {
        double other = weights[r] * fabs(rows[2 * r + half][lane]);
        most = other > most ? other : most;
    }
    ctFour scale = SPREAD(1.0 / value);
    rows[2 * k + half] = ctFour_Choose(here, SPREAD(1.0), rows[2 * k + half]);
    ctFour first = rows[2 * k] *= scale, second = rows[2 * k + 1] *= scale;
    for (int r = 0; r < N; r++) {
        ctFour f = SPREAD(rows[2 * r + half][lane]);
        if (r != k) {
            rows[2 * r + half] = (ctFour)(~here & (ctFourBits)rows[2 * r + half]);
            rows[2 * r] -= f * first;
            rows[2 * r + 1] -= f * second;
        }
    }
    return weights[k] * fabs(value) > SMALL_PIVOT * most;
}

// The same without changes of rows, which are seldom needed. False, with nothing changed, where one is.
static bool invertInOrder(double *a, double lever)
{
    const double weights[N] = {lever, lever, lever, 1.0, 1.0, 1.0};
    ctFour rows[2 * N];
    for (int i = 0; i < 2 * N; i++) {
        rows[i] = ((const Half *)a)[i];
    }
    bool ok = eliminate(rows, weights, 0);
    ok = eliminate(rows, weights, 1) && ok;
    ok = eliminate(rows, weights, 2) && ok;
    ok = eliminate(rows, weights, 3) && ok;
    ok = eliminate(rows, weights, 4) && ok;
    ok = eliminate(rows, weights, 5) && ok;
    for (int i = 0; i < 2 * N && ok; i++) {
        ((Half *)a)[i] = rows[i];
    }
    return ok;
}

// Row i against the rows above: with D the blocks of the diagonal,
//     U(j,i) = A(j,i) - sum L(j,k) U(k,i),   L(i,j) = (A(i,j) - sum L(i,k) U(k,j)) D(j)^-1
static void reduceRow(ctBlocks *m, int i)
{
    int low = m->low[i];
    double *lower = &m->lower[NN * m->start[i]], *upper = &m->upper[NN * m->start[i]], *d = &m->diagonal[NN * i];
    for (int j = low; j < i; j++) {
        int lowJ = m->low[j], from = lowJ > low ? lowJ : low;
        const double *lowerJ = &m->lower[NN * m->start[j]], *upperJ = &m->upper[NN * m->start[j]];
        double *l = &lower[NN * (j - low)], *u = &upper[NN * (j - low)];
        for (int k = from; k < j; k++) {
            subtractProduct(u, &lowerJ[NN * (k - lowJ)], &upper[NN * (k - low)]);
            subtractProduct(l, &lower[NN * (k - low)], &upperJ[NN * (k - lowJ)]);
        }
        multiplyRight(l, &m->diagonal[NN * j]);
        subtractProduct(d, l, u);
    }
}

// The radius of gyration of a body about the x-axis, m.
static double leverOf(const double *mass)
{
    return sqrt(mass[3 * S + 3] / mass[0]);
}

bool ctBlocks_Factor(ctBlocks *m)
{
    for (int i = 0; i < m->count; i++) {
        reduceRow(m, i);
        double *d = &m->diagonal[NN * i], lever = leverOf(&m->masses[NN * i]);
        if (!invertInOrder(d, lever) && !invert(d, lever)) {
            return false;
        }
    }
    return true;
}

void ctBlocks_Solve(const ctBlocks *m, double *x)
{
    for (int i = 0; i < m->count; i++) {
        for (int k = m->low[i]; k < i; k++) {
            subtractTimes(&x[S * i], &m->lower[NN * (m->start[i] + k - m->low[i])], &x[S * k]);
        }
    }
    for (int i = m->count - 1; i >= 0; i--) {
        double y[N];
        for (int r = 0; r < N; r++) {
            y[r] = -x[S * i + r];
            x[S * i + r] = 0.0;
        }
        subtractTimes(&x[S * i], &m->diagonal[NN * i], y);
        for (int k = m->low[i]; k < i; k++) {
            subtractTimes(&x[S * k], &m->upper[NN * (m->start[i] + k - m->low[i])], &x[S * i]);
        }
    }
}
