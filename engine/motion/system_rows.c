// Linear equations for the forces on the points of a system:
//     A f = -c,     A_ij = e_i . (acceleration at point i by the force d_j).
// Where points are redundant (four corners under a box), A is singular and many f satisfy the equations. The solution
// that is taken has the form f = E z, with z the motion of a rigid body: loads are linear in place, as on a bed of
// springs. This solution is unique and continuous. It is the limit of (A + eps) f = -c for small eps, and three rounds
// of iterated refinement find it.
//
// Points between the same two bodies are redundant in known ways. So they share unknowns, which makes the equations
// fewer and regular. With k points at r_i from their centre, force F and torque T:
//     points that stick:       f_i = F / k + (J^-1 T) x r_i,   J = sum of |r_i|^2 - r_i r_i^T,
//     points with one normal:  f_i = z_0 + z_1 x_i + z_2 y_i.
// Points that stick have six unknowns (two points: five), points with one normal have three. With f = B z the equations
// are B^T (A B z + c) = 0. Where these are still redundant, every row is an unknown of its own, and the limit above is
// taken.
#include "engine/motion/system_internal.h"

#include <string.h>

// [method] Rounds of refinement: each reduces the error by the factor CT_NEGLIGIBLE, which is also the compliance as a
// share of the greatest mobility.
#define ROUNDS 3
// [method] Unknowns of points that stick: a force and a torque.
#define JOINED 6
// [method] Rows that never share unknowns: there would be as many.
#define FEW 3

// A condition on two bodies, e.u' + c = 0, and the accelerations by a unit of its force.
typedef struct Screw {
    int a, b;
    double c, give;        // the constant of the condition; its compliance
    ctVec3 e, ea, eb;      // direction, and its moments about the centres of the two bodies
    ctVec3 va, wa, vb, wb; // accelerations of the two bodies
} Screw;

typedef struct Equations {
    int count;
    Screw screws[CT_SYSTEM_ROWS];
} Equations;

// Adjacent rows that share unknowns: screws take their place.
typedef struct Group {
    int first, end;     // rows
    int unknown, count; // the first unknown, and how many there are
    int points;
    bool sticks;
    bool twists; // a row has a torque
    ctVec3 centre;
    double length;      // m: root mean square of the arms
    double mean, lever; // of points with one normal: what the unknowns have in their forces, 1 and 1/m
    ctVec3 axes[3];     // of the torques of points that stick; otherwise two axes perpendicular to the normal
    ctMat3 inverse;     // of J
} Group;

// ---- screws -------------------------------------------------------------------------------------

// Sets the condition e at a place with an additional moment (turn), and the force d there with an additional torque
// (twist).
static inline Screw *addScrew(const ctSystem *s, Screw *w, int point, ctVec3 at, ctVec3 e, ctVec3 turn, ctVec3 d,
                              ctVec3 twist)
{
    const ctSystemPoint *p = &s->points[point];
    w->a = p->a;
    w->b = p->b;
    w->e = e;
    w->give = 0.0;
    if (p->a < s->movable) {
        const ctSystemPose *a = &s->poses[p->a];
        ctVec3 r = ctSub(at, a->x);
        w->ea = ctAdd(ctCross(r, e), turn);
        w->va = ctScale(a->invMass, d);
        w->wa = ctMulMV(a->inverse, ctAdd(ctCross(r, d), twist));
    }
    if (p->b < s->movable) {
        const ctSystemPose *b = &s->poses[p->b];
        ctVec3 r = ctSub(at, b->x);
        w->eb = ctAdd(ctCross(r, e), turn);
        w->vb = ctScale(-b->invMass, d);
        w->wb = ctNeg(ctMulMV(b->inverse, ctAdd(ctCross(r, d), twist)));
    }
    return w;
}

static void addRow(const ctSystem *s, const ctRow *row, Screw *w)
{
    addScrew(s, w, row->point, s->points[row->point].at, row->e, row->turn, row->d, row->twist);
    w->c = row->c;
    w->give = row->give;
}

// The acceleration in the direction of one screw (row) by the force of another (by).
static inline double mobility(int movable, const Screw *row, const Screw *by)
{
    double sum = 0.0;
    if (row->a < movable) {
        if (row->a == by->a) {
            sum += ctDot(row->e, by->va) + ctDot(row->ea, by->wa);
        } else if (row->a == by->b) {
            sum += ctDot(row->e, by->vb) + ctDot(row->ea, by->wb);
        }
    }
    if (row->b < movable) {
        if (row->b == by->b) {
            sum -= ctDot(row->e, by->vb) + ctDot(row->eb, by->wb);
        } else if (row->b == by->a) {
            sum -= ctDot(row->e, by->va) + ctDot(row->eb, by->wa);
        }
    }
    return sum;
}

// ---- points that share their loads --------------------------------------------------------------

static bool areSame(ctVec3 a, ctVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool isPlain(const ctRow *row)
{
    return row->give == 0.0 && areSame(row->turn, ctZero3());
}

static bool joinsSame(const ctSystem *s, const ctRow *row, const ctRow *other)
{
    const ctSystemPoint *p = &s->points[row->point], *q = &s->points[other->point];
    return (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
}

// Whether the rows from first to end are those of points that stick: three for each point, with forces along e.
// *twists: whether one of them has a torque.
static bool allStick(const ctRow *rows, int first, int end, bool *twists)
{
    bool stick = (end - first) % 3 == 0;
    *twists = false;
    for (int i = first; i < end && stick; i++) {
        stick = rows[i].point == rows[first + (i - first) / 3 * 3].point && areSame(rows[i].e, rows[i].d) &&
                isPlain(&rows[i]);
        *twists = *twists || !areSame(rows[i].twist, ctZero3());
    }
    return stick;
}

static bool allAlike(const ctRow *rows, int first, int end)
{
    bool alike = true;
    for (int i = first; i < end && alike; i++) {
        alike = areSame(rows[i].e, rows[first].e) && isPlain(&rows[i]);
    }
    return alike;
}

// Sets the centre of the points, the length of their arms, and for points that stick the inverse of J. False where the
// points coincide, or lie on a line (three points or more).
static bool spread(const ctSystem *s, const ctRow *rows, Group *g)
{
    int stride = g->sticks ? 3 : 1;
    ctVec3 sum = ctZero3();
    for (int i = g->first; i < g->end; i += stride) {
        sum = ctAdd(sum, s->points[rows[i].point].at);
    }
    g->points = (g->end - g->first) / stride;
    g->centre = ctScale(1.0 / g->points, sum);
    double square = 0.0;
    ctMat3 j = ctMat3Zero();
    ctVec3 r = ctZero3();
    for (int i = g->first; i < g->end; i += stride) {
        r = ctSub(s->points[rows[i].point].at, g->centre);
        double own = ctLengthSquared(r);
        square += own;
        j = ctAddMM(j, ctSubMM(ctMat3Diagonal(own, own, own), ctMat3Outer(r, r)));
    }
    g->length = sqrt(square / g->points);
    if (!(square > 0.0)) {
        return false;
    }
    if (g->sticks && g->points == 2) { // there is no torque about the line through both
        double inv = 1.0 / square;
        ctFrameFromNormal(ctNormalize(r), &g->axes[0], &g->axes[1]);
        g->inverse = ctMat3Diagonal(inv, inv, inv);
        g->count = JOINED - 1;
        return true;
    }
    if (g->sticks) {
        g->axes[0] = ctV3(1.0, 0.0, 0.0);
        g->axes[1] = ctV3(0.0, 1.0, 0.0);
        g->axes[2] = ctV3(0.0, 0.0, 1.0);
        g->inverse = ctInverse(j);
        g->count = JOINED;
    }
    return ctDeterminant(j) > CT_NEGLIGIBLE * square * square * square;
}

// Makes a group of the adjacent rows of the same two bodies, from first on. False where the rows cannot share unknowns,
// or would not be fewer.
static bool gather(const ctSystem *s, const ctRow *rows, int count, int first, Group *g)
{
    int end = first + 1;
    const ctSystemPoint *p = &s->points[rows[first].point];
    while (end < count && rows[end].resists == 0 && s->points[rows[end].point].a == p->a &&
           s->points[rows[end].point].b == p->b) {
        end++;
    }
    g->first = first;
    g->end = end;
    for (int i = first > 0 ? 0 : end; i < count; i = i + 1 == first ? end : i + 1) {
        if (rows[i].resists == 0 && joinsSame(s, &rows[i], &rows[first])) {
            return false;
        }
    }
    if (end - first >= JOINED && allStick(rows, first, end, &g->twists)) {
        g->sticks = true;
        return spread(s, rows, g);
    }
    g->sticks = false;
    if (end - first > 3 && allAlike(rows, first, end) && spread(s, rows, g)) {
        g->count = 3;
        g->mean = 1.0 / sqrt(g->points);
        g->lever = g->mean / g->length;
        ctFrameFromNormal(rows[first].e, &g->axes[0], &g->axes[1]);
        return true;
    }
    return false;
}

// The torque of the resistances of points that stick, with the forces mean + turn x r.
static ctVec3 twistOf(const ctSystem *s, const ctRow *rows, const Group *g, ctVec3 mean, ctVec3 turn)
{
    ctVec3 sum = ctZero3();
    for (int i = g->first; i < g->end && g->twists; i++) {
        ctVec3 r = ctSub(s->points[rows[i].point].at, g->centre);
        sum = ctMulAdd(sum, ctDot(rows[i].e, ctAdd(mean, ctCross(turn, r))), rows[i].twist);
    }
    return sum;
}

// Unknowns of points that stick: the force, and the torque about the axes divided by the length.
static void addSticking(const ctSystem *s, const ctRow *rows, const Group *g, Screw *screws)
{
    ctVec3 mean = ctZero3(), moment = ctZero3();
    for (int i = g->first; i < g->end; i += 3) {
        ctVec3 r = ctSub(s->points[rows[i].point].at, g->centre), c = ctScale(rows[i].c, rows[i].e);
        c = ctMulAdd(ctMulAdd(c, rows[i + 1].c, rows[i + 1].e), rows[i + 2].c, rows[i + 2].e);
        mean = ctAdd(mean, c);
        moment = ctAdd(moment, ctCross(r, c));
    }
    ctVec3 turn = ctMulMV(g->inverse, moment), units[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    int point = rows[g->first].point;
    double part = 1.0 / g->points, c[3] = {part * mean.x, part * mean.y, part * mean.z};
    for (int k = 0; k < 3; k++) {
        ctVec3 twist = twistOf(s, rows, g, ctScale(part, units[k]), ctZero3());
        addScrew(s, &screws[k], point, g->centre, units[k], ctZero3(), units[k], twist)->c = c[k];
    }
    for (int k = 0; k < g->count - 3; k++) {
        ctVec3 torque = ctScale(g->length, g->axes[k]);
        ctVec3 twist = ctAdd(torque, twistOf(s, rows, g, ctZero3(), ctMulMV(g->inverse, torque)));
        addScrew(s, &screws[3 + k], point, g->centre, ctZero3(), torque, ctZero3(), twist)->c = ctDot(torque, turn);
    }
}

// The weights of the three unknowns in the force of a point with one normal.
static void weigh(const ctSystem *s, const ctRow *row, const Group *g, double *weights)
{
    ctVec3 r = ctSub(s->points[row->point].at, g->centre);
    weights[0] = g->mean;
    weights[1] = g->lever * ctDot(r, g->axes[0]);
    weights[2] = g->lever * ctDot(r, g->axes[1]);
}

static void addAlike(const ctSystem *s, const ctRow *rows, const Group *g, Screw *screws)
{
    ctVec3 sum[3] = {{0}}, d[3] = {{0}}, twist[3] = {{0}}, n = rows[g->first].e;
    double c[3] = {0};
    for (int i = g->first; i < g->end; i++) {
        ctVec3 r = ctSub(s->points[rows[i].point].at, g->centre), push = ctAdd(ctCross(r, rows[i].d), rows[i].twist);
        double weights[3];
        weigh(s, &rows[i], g, weights);
        for (int k = 0; k < 3; k++) {
            sum[k] = ctMulAdd(sum[k], weights[k], r);
            d[k] = ctMulAdd(d[k], weights[k], rows[i].d);
            twist[k] = ctMulAdd(twist[k], weights[k], push);
            c[k] += weights[k] * rows[i].c;
        }
    }
    for (int k = 0; k < 3; k++) {
        ctVec3 e = k == 0 ? ctScale(sqrt(g->points), n) : ctZero3(); // the weights of the others add to zero
        addScrew(s, &screws[k], rows[g->first].point, g->centre, e, ctCross(sum[k], n), d[k], twist[k])->c = c[k];
    }
}

// Computes the forces of a group's rows from its unknowns.
static void share(const ctSystem *s, const Group *g, const double *z, ctRow *rows)
{
    if (!g->sticks) {
        for (int i = g->first; i < g->end; i++) {
            double weights[3];
            weigh(s, &rows[i], g, weights);
            rows[i].f = weights[0] * z[0] + weights[1] * z[1] + weights[2] * z[2];
        }
        return;
    }
    ctVec3 mean = ctScale(1.0 / g->points, ctV3(z[0], z[1], z[2])), torque = ctZero3();
    for (int k = 3; k < g->count; k++) {
        torque = ctMulAdd(torque, g->length * z[k], g->axes[k - 3]);
    }
    torque = ctMulMV(g->inverse, torque);
    for (int i = g->first; i < g->end; i++) {
        ctVec3 r = ctSub(s->points[rows[i].point].at, g->centre);
        rows[i].f = ctDot(rows[i].e, ctAdd(mean, ctCross(torque, r)));
    }
}

// ---- linear equations ---------------------------------------------------------------------------

// Matrices are stored by columns. A column of n numbers has three more, which are zero, so that it can be read four
// numbers at a time from any place on; so has a vector.
#define STRIDE(n) ((n) + 3)
#define MATRIX (CT_SYSTEM_ROWS * STRIDE(CT_SYSTEM_ROWS))

// Subtracts a multiple of a column from another, from a row on.
static inline __attribute__((always_inline)) void subtract(double *to, const double *column, double times, int from,
                                                           int n)
{
    for (int i = from; i < n; i += 4) {
        *(ctFourAt *)&to[i] -= *(const ctFourAt *)&column[i] * times;
    }
}

// LU factors in place, with the inverses of the pivots on the diagonal. False when a pivot is not greater than least.
static inline __attribute__((always_inline)) bool factor(double *m, int *pivot, int n, double least)
{
    int stride = STRIDE(n);
    for (int k = 0; k < n; k++) {
        double *own = &m[k * stride];
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(own[i]) > fabs(own[best]) ? i : best;
        }
        pivot[k] = best;
        for (int j = 0; j < n && best != k; j++) {
            double keep = m[j * stride + k];
            m[j * stride + k] = m[j * stride + best];
            m[j * stride + best] = keep;
        }
        if (!(fabs(own[k]) > least) || !isfinite(own[k])) {
            return false;
        }
        double inv = own[k] = 1.0 / own[k];
        for (int i = k + 1; i < n; i += 4) {
            *(ctFourAt *)&own[i] *= inv;
        }
        for (int j = k + 1; j < n; j++) {
            subtract(&m[j * stride], own, m[j * stride + k], k + 1, n);
        }
    }
    return true;
}

// Forward and backward substitution.
static inline __attribute__((always_inline)) void substitute(const double *m, const int *pivot, int n, double *b)
{
    int stride = STRIDE(n);
    for (int k = 0; k < n; k++) {
        double keep = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = keep;
    }
    for (int k = 0; k < n; k++) {
        subtract(b, &m[k * stride], b[k], k + 1, n);
    }
    for (int k = n - 1; k >= 0; k--) {
        double own = b[k] *= m[k * stride + k];
        for (int i = 0; i < k; i++) {
            b[i] -= m[k * stride + i] * own;
        }
    }
}

// Whether all screws push one body, on ground.
static bool pushOne(int movable, const Equations *e)
{
    bool one = e->screws[0].a < movable;
    for (int i = 0; i < e->count && one; i++) {
        one = e->screws[i].a == e->screws[0].a && e->screws[i].b >= movable;
    }
    return one;
}

static inline __attribute__((always_inline)) void multiply(const ctSystem *s, const Equations *e, int n, double *a,
                                                           double *most)
{
    const Screw *screws = e->screws;
    bool one = pushOne(s->movable, e);
    int stride = STRIDE(n);
    for (int i = 0; i < n && one; i++) {
        for (int j = 0; j < n; j++) {
            a[j * stride + i] = 0.0 + (ctDot(screws[i].e, screws[j].va) + ctDot(screws[i].ea, screws[j].wa));
        }
    }
    for (int i = 0; i < n && !one; i++) {
        for (int j = 0; j < n; j++) {
            a[j * stride + i] = mobility(s->movable, &screws[i], &screws[j]);
        }
    }
    *most = 0.0;
    for (int i = 0; i < n; i++) {
        *most = ctFmax(*most, fabs(a[i * stride + i]));
        a[i * stride + i] += screws[i].give;
        a[i * stride + n] = a[i * stride + n + 1] = a[i * stride + n + 2] = 0.0;
    }
}

// Solves redundant equations: the limit of a small compliance.
static bool solveRedundant(const ctSystem *s, ctRow *rows, int n)
{
    Equations e;
    double a[MATRIX], m[MATRIX], rest[STRIDE(CT_SYSTEM_ROWS)], most;
    int pivot[CT_SYSTEM_ROWS], stride = STRIDE(n);
    e.count = n;
    for (int i = 0; i < n; i++) {
        addRow(s, &rows[i], &e.screws[i]);
    }
    multiply(s, &e, n, a, &most);
    memcpy(m, a, (size_t)(n * stride) * sizeof *m);
    for (int i = 0; i < n; i++) {
        m[i * stride + i] += CT_NEGLIGIBLE * most;
        rows[i].f = 0.0;
    }
    if (!factor(m, pivot, n, 0.0)) {
        return false;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < stride; i++) {
            rest[i] = i < n ? -rows[i].c : 0.0;
        }
        for (int j = 0; j < n && round > 0; j++) {
            subtract(rest, &a[j * stride], rows[j].f, 0, n);
        }
        substitute(m, pivot, n, rest);
        for (int i = 0; i < n; i++) {
            rows[i].f += rest[i];
        }
    }
    return true;
}

// Solves n regular equations. A pivot below this share of the greatest mobility counts as zero: false, the equations
// are redundant.
static inline __attribute__((always_inline)) bool solveOf(const ctSystem *s, const Equations *e, int n, double share,
                                                          double *z)
{
    const Screw *screws = e->screws;
    double m[MATRIX], most;
    int pivot[CT_SYSTEM_ROWS], stride = STRIDE(n);
    multiply(s, e, n, m, &most);
    if (n == 1) {
        z[0] = -screws[0].c / m[0];
        return isfinite(z[0]);
    }
    if (n == 2) {
        double a = m[0], b = m[stride], c = m[1], d = m[stride + 1], c0 = screws[0].c, c1 = screws[1].c;
        double det = a * d - b * c;
        z[0] = (b * c1 - d * c0) / det;
        z[1] = (c * c0 - a * c1) / det;
        return fabs(det) > share * most * ctFmax(fabs(a), fabs(c));
    }
    for (int i = 0; i < stride; i++) {
        z[i] = i < n ? -screws[i].c : 0.0;
    }
    if (!factor(m, pivot, n, share * most)) {
        return false;
    }
    substitute(m, pivot, n, z);
    return true;
}

static bool solveRegular(const ctSystem *s, const Equations *e, double share, double *z)
{
    switch (e->count) { // numbers that the compiler knows
    case 1:
        return solveOf(s, e, 1, share, z);
    case 2:
        return solveOf(s, e, 2, share, z);
    case 3:
        return solveOf(s, e, 3, share, z);
    case 4:
        return solveOf(s, e, 4, share, z);
    case 5:
        return solveOf(s, e, 5, share, z);
    case 6:
        return solveOf(s, e, 6, share, z);
    default:
        return solveOf(s, e, e->count, share, z);
    }
}

// Adds a row as a group of its own.
static void addAlone(const ctSystem *s, const ctRow *rows, int index, Group *g, Equations *e)
{
    g->first = index;
    g->end = index + 1;
    g->count = 1;
    addRow(s, &rows[index], &e->screws[e->count]);
}

static bool areOfOnePoint(const ctRow *rows, int count)
{
    bool one = true;
    for (int i = 1; i < count && one; i++) {
        one = rows[i].point == rows[0].point;
    }
    return one;
}

// Solves with shared unknowns where that makes the equations fewer. False where they are still redundant.
static bool solveJoined(const ctSystem *s, ctRow *rows, int count)
{
    Equations e;
    Group groups[CT_SYSTEM_ROWS];
    double z[STRIDE(CT_SYSTEM_ROWS)];
    int groupCount = 0;
    e.count = 0;
    for (int i = 0; i < count; i = groups[groupCount++].end) {
        Group *g = &groups[groupCount];
        if (!gather(s, rows, count, i, g)) {
            addAlone(s, rows, i, g, &e);
        } else if (g->sticks) {
            addSticking(s, rows, g, &e.screws[e.count]);
        } else {
            addAlike(s, rows, g, &e.screws[e.count]);
        }
        g->unknown = e.count;
        e.count += g->count;
    }
    // The rows of a single point are never redundant.
    if (!solveRegular(s, &e, areOfOnePoint(rows, count) ? 0.0 : CT_REDUNDANT, z)) {
        return false;
    }
    for (int k = 0; k < groupCount; k++) {
        if (groups[k].count == 1) {
            rows[groups[k].first].f = z[groups[k].unknown];
        } else {
            share(s, &groups[k], &z[groups[k].unknown], rows);
        }
    }
    return true;
}

// Solves so few rows that none share unknowns. False where they are redundant.
static bool solveFew(const ctSystem *s, ctRow *rows, int count)
{
    Equations e;
    double z[STRIDE(FEW)];
    e.count = count;
    for (int i = 0; i < count; i++) {
        addRow(s, &rows[i], &e.screws[i]);
    }
    if (!solveRegular(s, &e, areOfOnePoint(rows, count) ? 0.0 : CT_REDUNDANT, z)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        rows[i].f = z[i];
    }
    return true;
}

bool ctRows_Solve(const ctSystem *s, ctRow *rows, int count)
{
    if (count == 0 || (count <= FEW ? solveFew(s, rows, count) : solveJoined(s, rows, count))) {
        return true;
    }
    return !areOfOnePoint(rows, count) && solveRedundant(s, rows, count);
}
