// Linear equations for the forces on the points of a system,
//     A f = -c,     A_ij = e_i . (acceleration at point i by the force d_j).
// Where points are redundant (four corners under a box) A is singular. Then f = E z is taken, with z the motion of a
// rigid body: loads are linear in place, as on a bed of springs. It is the limit of (A + eps) f = -c, found by three
// rounds of iterated refinement, and it is unique and continuous.
//
// Points between the same two bodies are redundant in known ways, which make the equations fewer and regular:
//     points that stick:  f_i = F / k + (J^-1 T) x r_i,   J = sum of |r_i|^2 - r_i r_i^T,
//     points with one normal:  f_i = z_0 + z_1 x_i + z_2 y_i,
// with k points at r_i from their centre: six unknowns or three (five for two points that stick), f = B z, and the
// equations B^T (A B z + c) = 0. Whatever else is redundant is left to (B^T A B + eps B^T B) z = -B^T c.
#include "engine/motion/system_internal.h"

#include <string.h>

// [method] Rounds of refinement: each takes the error down by CT_NEGLIGIBLE, which tells redundant points apart.
#define ROUNDS 3
// Equations with pivots below this share of the greatest mobility are taken as redundant.
#define REDUNDANT (1e3 * CT_NEGLIGIBLE)
enum { MOST_JOINED = 6 };

// A condition on two bodies, e.u' + c = 0 at a place with the moment of e besides, and what its force does to them.
typedef struct Screw {
    int a, b;
    double c, give, z;
    ctVec3 e, ea, eb;         // with moments about the centres of the two bodies
    ctVec3 va, wa, vb, wb;    // accelerations of the two bodies
    int first;                // of the screws that it shares points with
    double soft[MOST_JOINED]; // B^T B with those
} Screw;

// Rows that are replaced by screws.
typedef struct Group {
    int first, end;   // rows
    int screw, count; // the first, and how many
    bool sticks;
    ctVec3 centre;
    double length;  // m: of the arms, in the mean
    ctVec3 axes[3]; // of torques where it sticks; across the normal
    ctMat3 inverse; // of J
    int points;
} Group;

// ---- screws -------------------------------------------------------------------------------------

static Screw *addScrew(const ctSystem *s, Screw *list, int *count, int point, ctVec3 at, ctVec3 e, ctVec3 turn,
                       ctVec3 d, ctVec3 twist)
{
    const ctSystemPoint *p = &s->points[point];
    const ctSystemPose *a = &s->poses[p->a], *b = &s->poses[p->b];
    Screw *w = &list[*count];
    w->a = p->a;
    w->b = p->b;
    w->e = e;
    w->give = w->z = 0.0;
    w->first = *count;
    w->soft[0] = 1.0;
    if (p->a < s->movable) {
        ctVec3 r = ctSub(at, a->x);
        w->ea = ctAdd(ctCross(r, e), turn);
        w->va = ctScale(a->invMass, d);
        w->wa = ctMulMV(a->inverse, ctAdd(ctCross(r, d), twist));
    }
    if (p->b < s->movable) {
        ctVec3 r = ctSub(at, b->x);
        w->eb = ctAdd(ctCross(r, e), turn);
        w->vb = ctScale(-b->invMass, d);
        w->wb = ctNeg(ctMulMV(b->inverse, ctAdd(ctCross(r, d), twist)));
    }
    (*count)++;
    return w;
}

// The acceleration by the force of one screw in the direction of another.
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
    return row->give == 0.0 && areSame(row->twist, ctZero3());
}

static bool joinsSame(const ctSystem *s, const ctRow *row, const ctRow *other)
{
    const ctSystemPoint *p = &s->points[row->point], *q = &s->points[other->point];
    return (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
}

// Whether the rows from first to end are three for each point, as of points that stick.
static bool allStick(const ctRow *rows, int first, int end)
{
    bool stick = (end - first) % 3 == 0;
    for (int i = first; i < end && stick; i++) {
        stick = rows[i].point == rows[first + (i - first) / 3 * 3].point && areSame(rows[i].e, rows[i].d) &&
                isPlain(&rows[i]);
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

// The centre of the points, their mean distance from it, and J.
static bool spread(const ctSystem *s, const ctRow *rows, Group *g, int stride)
{
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
    if (g->points == 2) { // no torque about the line through both
        double inv = 1.0 / square;
        ctFrameFromNormal(ctNormalize(r), &g->axes[0], &g->axes[1]);
        g->inverse = ctMat3Diagonal(inv, inv, inv);
        g->count = 5;
        return true;
    }
    g->axes[0] = ctV3(1.0, 0.0, 0.0);
    g->axes[1] = ctV3(0.0, 1.0, 0.0);
    g->axes[2] = ctV3(0.0, 0.0, 1.0);
    g->inverse = ctInverse(j);
    g->count = 6;
    return ctDeterminant(j) > CT_NEGLIGIBLE * square * square * square;
}

// The rows of the same two bodies from first on as a group. False where they are better off alone.
static bool gather(const ctSystem *s, const ctRow *rows, int count, int first, Group *g)
{
    int end = first + 1;
    const ctSystemPoint *p = &s->points[rows[first].point];
    while (end < count && s->points[rows[end].point].a == p->a && s->points[rows[end].point].b == p->b) {
        end++;
    }
    g->first = first;
    g->end = end;
    for (int i = 0; i < count; i++) {
        if ((i < first || i >= end) && joinsSame(s, &rows[i], &rows[first])) {
            return false;
        }
    }
    if (end - first >= 6 && allStick(rows, first, end)) {
        g->sticks = true;
        return spread(s, rows, g, 3);
    }
    if (end - first > 3 && allAlike(rows, first, end) && spread(s, rows, g, 1)) {
        g->sticks = false;
        g->count = 3;
        ctFrameFromNormal(rows[first].e, &g->axes[0], &g->axes[1]);
        return true;
    }
    return false;
}

// Unknowns: force, and torque by the length about the axes.
static void addSticking(const ctSystem *s, const ctRow *rows, Group *g, Screw *screws, int *count)
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
        Screw *w = addScrew(s, screws, count, point, g->centre, units[k], ctZero3(), units[k], ctZero3());
        w->c = c[k];
        w->soft[0] = part;
    }
    int first = *count;
    for (int k = 0; k < g->count - 3; k++) {
        ctVec3 torque = ctScale(g->length, g->axes[k]);
        Screw *w = addScrew(s, screws, count, point, g->centre, ctZero3(), torque, ctZero3(), torque);
        w->c = ctDot(torque, turn);
        w->first = first;
        for (int j = 0; j < g->count - 3; j++) {
            w->soft[j] = g->length * ctDot(torque, ctMulMV(g->inverse, g->axes[j]));
        }
    }
}

// The share of an unknown that a point with one normal has.
static void weigh(const ctSystem *s, const ctRow *row, const Group *g, double *weights)
{
    ctVec3 r = ctSub(s->points[row->point].at, g->centre);
    double part = 1.0 / sqrt(g->points), inv = part / g->length;
    weights[0] = part;
    weights[1] = inv * ctDot(r, g->axes[0]);
    weights[2] = inv * ctDot(r, g->axes[1]);
}

static void addAlike(const ctSystem *s, const ctRow *rows, Group *g, Screw *screws, int *count)
{
    ctVec3 e[3] = {{0}}, turn[3] = {{0}}, d[3] = {{0}}, twist[3] = {{0}};
    double c[3] = {0}, soft[3][3] = {{0}};
    for (int i = g->first; i < g->end; i++) {
        ctVec3 r = ctSub(s->points[rows[i].point].at, g->centre);
        ctVec3 arm = ctCross(r, rows[i].e), push = ctCross(r, rows[i].d);
        double weights[3];
        weigh(s, &rows[i], g, weights);
        for (int k = 0; k < 3; k++) {
            e[k] = ctMulAdd(e[k], weights[k], rows[i].e);
            turn[k] = ctMulAdd(turn[k], weights[k], arm);
            d[k] = ctMulAdd(d[k], weights[k], rows[i].d);
            twist[k] = ctMulAdd(twist[k], weights[k], push);
            c[k] += weights[k] * rows[i].c;
            for (int j = 0; j < 3; j++) {
                soft[k][j] += weights[k] * weights[j];
            }
        }
    }
    int first = *count;
    for (int k = 0; k < 3; k++) {
        Screw *w = addScrew(s, screws, count, rows[g->first].point, g->centre, e[k], turn[k], d[k], twist[k]);
        w->c = c[k];
        w->first = first;
        memcpy(w->soft, soft[k], sizeof soft[k]);
    }
}

// The forces of a group's rows from the unknowns.
static void share(const ctSystem *s, const Group *g, const Screw *screws, ctRow *rows)
{
    const Screw *w = &screws[g->screw];
    if (!g->sticks) {
        for (int i = g->first; i < g->end; i++) {
            double weights[3];
            weigh(s, &rows[i], g, weights);
            rows[i].f = weights[0] * w[0].z + weights[1] * w[1].z + weights[2] * w[2].z;
        }
        return;
    }
    ctVec3 mean = ctScale(1.0 / g->points, ctV3(w[0].z, w[1].z, w[2].z)), torque = ctZero3();
    for (int k = 3; k < g->count; k++) {
        torque = ctMulAdd(torque, g->length * w[k].z, g->axes[k - 3]);
    }
    torque = ctMulMV(g->inverse, torque);
    for (int i = g->first; i < g->end; i++) {
        ctVec3 r = ctSub(s->points[rows[i].point].at, g->centre);
        rows[i].f = ctDot(rows[i].e, ctAdd(mean, ctCross(torque, r)));
    }
}

// ---- linear equations ---------------------------------------------------------------------------

// L U in place, with the inverses of the pivots on the diagonal. False when a pivot is not greater than the least.
static bool factor(double *m, int *pivot, int n, double least)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(m[i * n + k]) > fabs(m[best * n + k]) ? i : best;
        }
        pivot[k] = best;
        for (int j = 0; j < n && best != k; j++) {
            double keep = m[k * n + j];
            m[k * n + j] = m[best * n + j];
            m[best * n + j] = keep;
        }
        if (!(fabs(m[k * n + k]) > least) || !isfinite(m[k * n + k])) {
            return false;
        }
        double inv = m[k * n + k] = 1.0 / m[k * n + k];
        for (int i = k + 1; i < n; i++) {
            double f = m[i * n + k] *= inv;
            for (int j = k + 1; j < n; j++) {
                m[i * n + j] -= f * m[k * n + j];
            }
        }
    }
    return true;
}

// Column by column, so that numbers do not wait for each other.
static void substitute(const double *m, const int *pivot, int n, double *b)
{
    for (int k = 0; k < n; k++) {
        double keep = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = keep;
    }
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            b[i] -= m[i * n + k] * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        b[k] *= m[k * n + k];
        for (int i = 0; i < k; i++) {
            b[i] -= m[i * n + k] * b[k];
        }
    }
}

// Redundant equations: the limit of little compliance.
static bool refine(const double *a, Screw *screws, int n, double most)
{
    double m[CT_SYSTEM_ROWS * CT_SYSTEM_ROWS], rest[CT_SYSTEM_ROWS];
    int pivot[CT_SYSTEM_ROWS];
    memcpy(m, a, (size_t)(n * n) * sizeof *m);
    for (int i = 0; i < n; i++) {
        int first = screws[i].first;
        for (int j = first; j < n && screws[j].first == first; j++) {
            m[i * n + j] += CT_NEGLIGIBLE * most * screws[i].soft[j - first];
        }
    }
    if (!factor(m, pivot, n, 0.0)) {
        return false;
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < n; i++) {
            rest[i] = -screws[i].c;
            for (int j = 0; j < n && round > 0; j++) {
                rest[i] -= a[i * n + j] * screws[j].z;
            }
        }
        substitute(m, pivot, n, rest);
        for (int i = 0; i < n; i++) {
            screws[i].z += rest[i];
        }
    }
    return true;
}

// single: the screws are of one point, which is not redundant.
static bool solve(const ctSystem *s, Screw *screws, int n, bool single)
{
    double a[CT_SYSTEM_ROWS * CT_SYSTEM_ROWS], m[CT_SYSTEM_ROWS * CT_SYSTEM_ROWS], z[CT_SYSTEM_ROWS], most = 0.0;
    int pivot[CT_SYSTEM_ROWS];
    if (n == 1) {
        screws[0].z = -screws[0].c / (mobility(s->movable, &screws[0], &screws[0]) + screws[0].give);
        return isfinite(screws[0].z);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = mobility(s->movable, &screws[i], &screws[j]);
        }
        most = ctFmax(most, fabs(a[i * n + i]));
        a[i * n + i] += screws[i].give;
        z[i] = -screws[i].c;
    }
    memcpy(m, a, (size_t)(n * n) * sizeof *m);
    if (!factor(m, pivot, n, single ? 0.0 : REDUNDANT * most)) {
        return !single && refine(a, screws, n, most);
    }
    substitute(m, pivot, n, z);
    for (int i = 0; i < n; i++) {
        screws[i].z = z[i];
    }
    return true;
}

bool ctRows_Solve(const ctSystem *s, ctRow *rows, int count)
{
    Screw screws[CT_SYSTEM_ROWS];
    Group groups[CT_SYSTEM_ROWS / MOST_JOINED + CT_SYSTEM_POINTS];
    int screwCount = 0, groupCount = 0, from[CT_SYSTEM_ROWS];
    for (int i = 0; i < count;) {
        Group *g = &groups[groupCount];
        g->screw = screwCount;
        if (count > 3 && gather(s, rows, count, i, g)) {
            (g->sticks ? addSticking : addAlike)(s, rows, g, screws, &screwCount);
            groupCount++;
            i = g->end;
            continue;
        }
        from[screwCount] = i;
        Screw *w = addScrew(s, screws, &screwCount, rows[i].point, s->points[rows[i].point].at, rows[i].e, ctZero3(),
                            rows[i].d, rows[i].twist);
        w->c = rows[i].c;
        w->give = rows[i].give;
        i++;
    }
    if (!solve(s, screws, screwCount, rows[0].point == rows[count - 1].point)) {
        return false;
    }
    for (int k = 0, next = 0; k < screwCount; k++) {
        if (next < groupCount && groups[next].screw == k) {
            share(s, &groups[next], screws, rows);
            k += groups[next++].count - 1;
        } else {
            rows[from[k]].f = screws[k].z;
        }
    }
    return true;
}
