// The forces on the points of a system, and the rates of its state.
//
// Modes say which conditions hold at a point: one that is closed does not accelerate along its normal, one that sticks
// does not accelerate at all, and friction of one that slips is mu F_n against the slip. These are linear equations
//     A f = -c,     A_ij = e_i . (acceleration at point i by the force d_j),
// for the magnitudes f: the force of a point that slips is f (n - mu t), t the direction of its slip. Where points are
// redundant (four corners under a box) A is singular. Then f = E z is taken, with z the motion of a rigid body: loads
// are linear in place, as on a bed of springs. It is the limit of (A + eps) f = -c, found by three rounds of iterated
// refinement, and it is unique and continuous.
//
// Slip that is so slow that friction turns it within a step is stiff. There friction does not oppose the slip u, but
// the slip after a delay T, u + T u': one condition more, across the direction of slip, with the compliance
// (t.u / T + t.u') / (mu F_n).
//
// Resistances to rolling and spinning are torques on a, -F_n (rolling w_t / |w_t| + spinning w_n / |w_n| n) with the
// relative spin w, in proportion to it below s->calm.
#include "engine/motion/system_internal.h"

#include <string.h>

// [method] Rounds of refinement: each takes the error down by CT_NEGLIGIBLE, which tells redundant points apart.
#define ROUNDS 3
// [cap] Rounds to the direction of stiff slip.
#define TURNS 8

// ---- linear equations -------------------------------------------------------------------------

static void respond(const ctSystem *s, ctRow *row)
{
    const ctSystemPoint *p = &s->points[row->point];
    const ctSystemPose *a = &s->poses[p->a], *b = &s->poses[p->b];
    ctVec3 ra = ctSub(p->at, a->x), rb = ctSub(p->at, b->x);
    row->a = p->a;
    row->b = p->b;
    row->va = row->wa = row->vb = row->wb = row->ea = row->eb = ctZero3();
    if (a->invMass > 0.0) {
        row->ea = ctCross(ra, row->e);
        row->va = ctScale(a->invMass, row->d);
        row->wa = ctMulMV(a->inverse, ctAdd(ctCross(ra, row->d), row->twist));
    }
    if (b->invMass > 0.0) {
        row->eb = ctCross(rb, row->e);
        row->vb = ctScale(-b->invMass, row->d);
        row->wb = ctNeg(ctMulMV(b->inverse, ctAdd(ctCross(rb, row->d), row->twist)));
    }
}

// The acceleration by the force of one row in the direction of another.
static inline double mobility(const ctSystem *s, const ctRow *row, const ctRow *by)
{
    double sum = 0.0;
    if (row->a < s->movable) {
        if (row->a == by->a) {
            sum += ctDot(row->e, by->va) + ctDot(row->ea, by->wa);
        } else if (row->a == by->b) {
            sum += ctDot(row->e, by->vb) + ctDot(row->ea, by->wb);
        }
    }
    if (row->b < s->movable) {
        if (row->b == by->b) {
            sum -= ctDot(row->e, by->vb) + ctDot(row->eb, by->wb);
        } else if (row->b == by->a) {
            sum -= ctDot(row->e, by->va) + ctDot(row->eb, by->wa);
        }
    }
    return sum;
}

// L U in place, with the inverses of the pivots on the diagonal.
static bool factor(double *m, int *pivot, int n)
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
        if (!(fabs(m[k * n + k]) > 0.0) || !isfinite(m[k * n + k])) {
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

// A single point is not redundant: its forces need neither compliance nor refinement.
bool ctRows_Solve(const ctSystem *s, ctRow *rows, int count)
{
    double m[CT_SYSTEM_ROWS * CT_SYSTEM_ROWS], a[CT_SYSTEM_ROWS * CT_SYSTEM_ROWS], most = 0.0;
    int pivot[CT_SYSTEM_ROWS];
    bool single = rows[0].point == rows[count - 1].point;
    for (int i = 0; i < count; i++) {
        respond(s, &rows[i]);
        rows[i].f = 0.0;
    }
    if (count == 1) {
        rows[0].f = -rows[0].c / (mobility(s, &rows[0], &rows[0]) + rows[0].give);
        return isfinite(rows[0].f);
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            double by = mobility(s, &rows[i], &rows[j]);
            most = i == j ? ctFmax(most, fabs(by)) : most;
            a[i * count + j] = m[i * count + j] = i == j ? by + rows[i].give : by;
        }
    }
    for (int i = 0; i < count && !single; i++) {
        m[i * count + i] += CT_NEGLIGIBLE * most;
    }
    if (!factor(m, pivot, count)) {
        return false;
    }
    for (int round = 0; round < (single ? 1 : ROUNDS); round++) {
        double rest[CT_SYSTEM_ROWS];
        for (int i = 0; i < count; i++) {
            rest[i] = -rows[i].c;
            for (int j = 0; j < count && round > 0; j++) {
                rest[i] -= a[i * count + j] * rows[j].f;
            }
        }
        substitute(m, pivot, count, rest);
        for (int i = 0; i < count; i++) {
            rows[i].f += rest[i];
        }
    }
    return true;
}

// ---- forces -----------------------------------------------------------------------------------

// The torque of the resistances for a unit of normal force.
static ctVec3 resistance(const ctSystem *s, const ctSystemPoint *p)
{
    if (!(p->rolling > 0.0 || p->spinning > 0.0)) {
        return ctZero3();
    }
    ctVec3 w = ctSub(s->poses[p->a].w, s->poses[p->b].w), across = ctPoint_Across(p, w);
    double spin = ctDot(w, p->n), calm = s->calm * s->calm + 1e-300;
    ctVec3 twist = ctScale(-p->rolling / sqrt(ctLengthSquared(across) + calm), across);
    return ctMulAdd(twist, -p->spinning * spin / sqrt(spin * spin + calm), p->n);
}

static void addRow(ctRow *rows, int *count, int point, ctVec3 e, ctVec3 d, double c, double give)
{
    ctRow *row = &rows[(*count)++];
    row->point = point;
    row->e = e;
    row->d = d;
    row->c = c;
    row->give = give;
    row->twist = ctZero3();
}

static void addPoint(const ctSystem *s, int index, ctRow *rows, int *count)
{
    const ctSystemPoint *p = &s->points[index];
    if (p->mode == ct_pointOpen) {
        return;
    }
    bool slips = p->mode == ct_pointSlip;
    ctVec3 push = slips ? ctMulAdd(p->n, -p->friction, p->dir) : p->n;
    addRow(rows, count, index, p->n, push, p->bend, 0.0);
    rows[*count - 1].twist = resistance(s, p);
    if (slips && p->stiff) {
        ctVec3 e = ctCross(p->n, p->dir), slip = ctPoint_Across(p, p->u);
        double speed = ctFmax(0.0, ctDot(p->dir, slip) / p->delay + p->along);
        double give = speed / (p->friction * ctFmax(p->lately, 1e-6 * s->force + 1e-200));
        addRow(rows, count, index, e, e, ctDot(e, p->curve) + ctDot(e, slip) / p->delay, give);
    } else if (!slips) {
        ctVec3 x, y;
        ctFrameFromNormal(p->n, &x, &y);
        addRow(rows, count, index, x, x, ctDot(x, p->curve), 0.0);
        addRow(rows, count, index, y, y, ctDot(y, p->curve), 0.0);
    }
}

bool ctSystem_Forces(ctSystem *s)
{
    ctRow rows[CT_SYSTEM_ROWS];
    int count = 0;
    for (int i = 0; i < s->pointCount; i++) {
        addPoint(s, i, rows, &count);
        s->points[i].force = s->points[i].torque = ctZero3();
    }
    s->solved++;
    if (count > 0 && !ctRows_Solve(s, rows, count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        ctSystemPoint *p = &s->points[rows[i].point];
        p->force = ctMulAdd(p->force, rows[i].f, rows[i].d);
        p->torque = ctMulAdd(p->torque, rows[i].f, rows[i].twist);
    }
    s->force = 0.0;
    for (int i = 0; i < s->pointCount; i++) {
        s->force = ctFmax(s->force, ctLength(s->points[i].force));
    }
    return true;
}

void ctSystem_Accelerate(const ctSystem *s, ctVec3 *a, ctVec3 *alpha)
{
    for (int i = 0; i < s->bodyCount; i++) {
        a[i] = s->poses[i].a;
        alpha[i] = s->poses[i].alpha;
    }
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->mode == ct_pointOpen) {
            continue;
        }
        const ctSystemPose *pa = &s->poses[p->a], *pb = &s->poses[p->b];
        ctVec3 ta = ctAdd(ctCross(ctSub(p->at, pa->x), p->force), p->torque);
        ctVec3 tb = ctAdd(ctCross(ctSub(p->at, pb->x), p->force), p->torque);
        a[p->a] = ctMulAdd(a[p->a], pa->invMass, p->force);
        a[p->b] = ctMulAdd(a[p->b], -pb->invMass, p->force);
        alpha[p->a] = ctAdd(alpha[p->a], ctMulMV(pa->inverse, ta));
        alpha[p->b] = ctSub(alpha[p->b], ctMulMV(pb->inverse, tb));
    }
}

ctVec3 ctPoint_Acceleration(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha)
{
    const ctSystemPose *pa = &s->poses[p->a], *pb = &s->poses[p->b];
    ctVec3 byA = ctAdd(ctSub(a[p->a], pa->a), ctCross(ctSub(alpha[p->a], pa->alpha), ctSub(p->at, pa->x)));
    ctVec3 byB = ctAdd(ctSub(a[p->b], pb->a), ctCross(ctSub(alpha[p->b], pb->alpha), ctSub(p->at, pb->x)));
    return ctAdd(p->curve, ctSub(byA, byB));
}

double ctPoint_Stiffness(const ctSystem *s, const ctSystemPoint *p)
{
    double slip = ctLength(ctPoint_Across(p, p->u)), k = s->poses[p->a].invMass + s->poses[p->b].invMass;
    return 3.5 * k * p->friction * fabs(ctDot(p->force, p->n)) / ctFmax(slip, 1e-3 * ctSystem_NoSlip(s));
}

// ---- rates ------------------------------------------------------------------------------------

// The direction of slip within a step is that of the velocity, as long as it has not turned back.
static void steer(const ctSystem *s, ctSystemPoint *p)
{
    ctVec3 slip = ctPoint_Across(p, p->u);
    double speed = ctLength(slip);
    if (!p->held && !p->last && speed > ctSystem_NoSlip(s) && ctDot(slip, p->startDir) > 0.0) {
        p->dir = ctScale(1.0 / speed, slip);
    } else {
        p->dir = ctNormalize(ctPoint_Across(p, p->startDir));
    }
}

static void noteSlip(const ctSystem *s, ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha)
{
    ctVec3 rate = ctPoint_Across(p, ctPoint_Acceleration(s, p, a, alpha));
    p->lately = ctDot(p->force, p->n);
    p->along = ctDot(rate, p->dir);
    p->across = ctLength(ctMulAdd(rate, -p->along, p->dir));
}

void ctSystem_NoteSlip(ctSystem *s, const double *rates)
{
    ctVec3 a[CT_SYSTEM_BODIES], alpha[CT_SYSTEM_BODIES];
    for (int i = 0; i < s->bodyCount; i++) {
        a[i] = i < s->movable ? ctSystem_Get(rates, i, ct_systemV) : s->poses[i].a;
        alpha[i] = i < s->movable ? ctSystem_Get(rates, i, ct_systemW) : s->poses[i].alpha;
    }
    for (int i = 0; i < s->pointCount; i++) {
        if (s->points[i].mode == ct_pointSlip) {
            noteSlip(s, &s->points[i], a, alpha);
        }
    }
}

// Friction of stiff slip against the slip after the delay. Returns how far directions have turned.
static double turnStiff(ctSystem *s, const ctVec3 *a, const ctVec3 *alpha)
{
    double most = 0.0;
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        if (p->mode != ct_pointSlip || !p->stiff) {
            continue;
        }
        noteSlip(s, p, a, alpha);
        if (p->lately * p->friction > CT_NEGLIGIBLE * s->force) {
            ctVec3 dir = ctNormalize(ctNeg(ctPoint_Across(p, p->force)));
            most = ctFmax(most, ctDistance(dir, p->dir));
            p->dir = dir;
        }
    }
    return most;
}

static void putRates(ctSystem *s, const double *y, const ctVec3 *a, const ctVec3 *alpha, double *rates)
{
    for (int i = 0; i < s->movable; i++) {
        const ctSystemPose *p = &s->poses[i];
        ctSystem_Put(rates, i, ct_systemX, p->v);
        ctSystem_Put(rates, i, ct_systemV, a[i]);
        ctSystem_Put(rates, i, ct_systemW, alpha[i]);
        ctVec3 w = ctInvRotate(p->turn, ctSub(p->w, s->spins[i]));
        ctQuat half = ctQuatOf(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z);
        ctSystem_PutQ(rates, i, ctMulQ(half, ctSystem_GetQ(y, i)));
    }
    double *work = rates + ct_systemBody * s->movable;
    work[0] = work[1] = 0.0;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        const ctSystemPose *b = &s->poses[p->b], *pa = &s->poses[p->a];
        if (p->mode == ct_pointOpen) {
            continue;
        }
        work[0] += ctDot(p->force, ctPoint_Across(p, p->u)) + ctDot(p->torque, ctSub(pa->w, b->w));
        if (p->b >= s->movable) {
            work[1] += ctDot(p->force, ctVelocityAt(b->v, b->w, ctSub(p->at, b->x))) + ctDot(p->torque, b->w);
        } else if (p->a >= s->movable) {
            work[1] -= ctDot(p->force, ctVelocityAt(pa->v, pa->w, ctSub(p->at, pa->x))) + ctDot(p->torque, pa->w);
        }
    }
}

bool ctSystem_Rates(ctSystem *s, double time, const double *y, double *rates)
{
    ctVec3 a[CT_SYSTEM_BODIES], alpha[CT_SYSTEM_BODIES];
    ctSystem_PlaceClosed(s, time, y);
    for (int i = 0; i < s->pointCount; i++) {
        if (s->points[i].mode == ct_pointSlip) {
            steer(s, &s->points[i]);
        }
    }
    if (!ctSystem_Forces(s)) {
        return false;
    }
    ctSystem_Accelerate(s, a, alpha);
    for (int turn = 0; turn < TURNS && turnStiff(s, a, alpha) > CT_TURNED; turn++) {
        if (!ctSystem_Forces(s)) {
            return false;
        }
        ctSystem_Accelerate(s, a, alpha);
    }
    putRates(s, y, a, alpha, rates);
    return true;
}

// ---- projection -------------------------------------------------------------------------------

// The conditions of closed points: gaps (0), or velocities (1). Returns the worst, as a share of size or speed.
static double constrain(const ctSystem *s, int pass, ctRow *rows, int *count)
{
    double worst = 0.0;
    *count = 0;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (!ctPoint_IsClosed(p)) {
            continue;
        }
        double wrong = pass == 0 ? p->gap : p->un, scale = pass == 0 ? s->size : s->speed;
        worst = ctFmax(worst, fabs(wrong) / scale);
        addRow(rows, count, i, p->n, p->n, wrong, 0.0);
        if (pass == 1 && (p->mode == ct_pointStick || p->held)) {
            ctVec3 x, y;
            ctFrameFromNormal(p->n, &x, &y);
            addRow(rows, count, i, x, x, ctDot(x, p->u), 0.0);
            addRow(rows, count, i, y, y, ctDot(y, p->u), 0.0);
            worst = ctFmax(worst, ctLength(ctPoint_Across(p, p->u)) / scale);
        }
    }
    return worst;
}

// A turn of a body keeps its angular momentum.
static void turnBody(const ctSystem *s, int index, ctVec3 turn, double *y)
{
    ctQuat q = ctSystem_GetQ(y, index), r = ctNormalizeQ(ctMulQ(ctQuatExp(turn), q));
    ctVec3 i = s->bodies[index].inertia, spin = ctInvRotate(q, ctSystem_Get(y, index, ct_systemW));
    ctVec3 l = ctInvRotate(r, ctRotate(q, ctMul(i, spin)));
    ctSystem_PutQ(y, index, r);
    ctSystem_Put(y, index, ct_systemW, ctRotate(r, ctV3(l.x / i.x, l.y / i.y, l.z / i.z)));
}

static void correct(const ctSystem *s, int pass, const ctVec3 *dx, const ctVec3 *dw, double *y)
{
    for (int i = 0; i < s->movable; i++) {
        int at = pass == 0 ? ct_systemX : ct_systemV;
        ctSystem_Put(y, i, at, ctAdd(ctSystem_Get(y, i, at), dx[i]));
        if (pass == 0) {
            turnBody(s, i, dw[i], y);
        } else {
            ctVec3 w = ctSystem_Get(y, i, ct_systemW);
            ctSystem_Put(y, i, ct_systemW, ctAdd(w, dw[i]));
        }
    }
}

bool ctSystem_Project(ctSystem *s, double time, double *y)
{
    bool changed = false;
    for (int i = 0; i < s->movable; i++) {
        ctSystem_PutQ(y, i, ctNormalizeQ(ctSystem_GetQ(y, i)));
    }
    for (int pass = 0; pass < 2; pass++) {
        ctRow rows[CT_SYSTEM_ROWS];
        ctVec3 dx[CT_SYSTEM_BODIES] = {{0}}, dw[CT_SYSTEM_BODIES] = {{0}};
        int count;
        if (pass == 0 || changed) {
            ctSystem_PlaceClosed(s, time, y);
        }
        double worst = constrain(s, pass, rows, &count);
        if (worst < ctFmax(1e-4 * s->tolerance, 1e-14) || !ctRows_Solve(s, rows, count)) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            const ctSystemPoint *p = &s->points[rows[i].point];
            dx[p->a] = ctMulAdd(dx[p->a], rows[i].f, rows[i].va);
            dw[p->a] = ctMulAdd(dw[p->a], rows[i].f, rows[i].wa);
            dx[p->b] = ctMulAdd(dx[p->b], rows[i].f, rows[i].vb);
            dw[p->b] = ctMulAdd(dw[p->b], rows[i].f, rows[i].wb);
        }
        correct(s, pass, dx, dw, y);
        changed = true;
    }
    return changed;
}
