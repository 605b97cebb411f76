// The forces on the points of a system, and the rates of its state.
//
// Modes say which conditions hold at a point: one that is closed does not accelerate along its normal, one that sticks
// does not accelerate at all, and friction of one that slips is mu F_n against the slip. These are linear equations
//     A f = -c,     A_ij = e_i . (acceleration at point i by the force d_j),
// for the magnitudes f (motion/system_rows.c): the force of a point that slips is f (n - mu t), t the direction of its
// slip.
//
// Slip that is so slow that friction turns it within a step is stiff. There friction does not oppose the slip u, but
// the slip after a delay T, u + T u': one condition more, across the direction of slip, with the compliance
// (t.u / T + t.u') / (mu F_n).
// Points on the cone that others keep from moving (two blocks side by side on a floor, one pushes the other) are the
// limit of an infinite delay: friction has the direction in which they do not begin to slip. They have no compliance
// across it, and friction there would be shared out as by equal springs, and not in proportion to F_n: points would
// turn it in different directions, and more so each time. So their compliance has a least value, above that of
// redundant points. It does not matter where friction has turned: there the force across is zero.
//
// Resistances to rolling and spinning are torques (motion/system_resist.c).
#include "engine/motion/system_internal.h"

#include <string.h>

// [cap] Iterations for the direction of stiff slip.
#define TURNS 8
// [cap] Iterations for loads of a ring that bears on a part of its edge.
#define LEANS 20
// [rounding] Change of what the loads lean to, as a share of the load, that ends them.
#define LEANT 1e-13

// ---- forces -----------------------------------------------------------------------------------

void ctRows_Add(ctRow *rows, int *count, int point, ctVec3 e, ctVec3 d, double c, double give)
{
    ctRow *row = &rows[(*count)++];
    row->point = point;
    row->e = e;
    row->d = d;
    row->c = c;
    row->give = give;
    row->resists = 0;
    row->twist = row->turn = ctZero3();
}

void ctRows_AddTurn(ctRow *rows, int *count, int point, ctVec3 axis, double c)
{
    ctRows_Add(rows, count, point, ctZero3(), ctZero3(), c, 0.0);
    rows[*count - 1].turn = rows[*count - 1].twist = axis;
}

void ctRing_AddFriction(const ctSystemPoint *p, ctVec3 slip, ctRow *rows)
{
    ctRingFriction f;
    ctRing_Friction(p, slip, &f);
    const ctVec3 friction[3] = {f.load, f.leanX, f.leanY};
    for (int k = 0; k < 3; k++) {
        rows[k].d = ctAdd(rows[k].d, ctPoint_Across(p, friction[k]));
        rows[k].twist = ctMulAdd(rows[k].twist, p->onA.radius * ctDot(friction[k], p->n), p->n);
    }
}

// The rows of a ring: its normal force, two torques about axes in its plane, and where it sticks two forces across the
// normal and the torque about it. Friction of a ring that slips is in proportion to the first three.
static void addRing(const ctSystem *s, int index, ctRow *rows, int *count)
{
    const ctSystemPoint *p = &s->points[index];
    bool slips = p->mode == ct_pointSlip;
    double r = p->onA.radius;
    ctRow *first = &rows[*count];
    ctVec3 x, y;
    ctFrameFromNormal(p->n, &x, &y);
    const ctVec3 axes[2] = {ctCross(x, p->n), ctCross(y, p->n)};
    ctRows_Add(rows, count, index, p->n, p->n, p->bend, 0.0);
    first->twist = ctPoint_Twist(p);
    for (int k = 0; k < 2; k++) {
        ctRows_AddTurn(rows, count, index, ctScale(r, axes[k]), ctDot(axes[k], p->turnCurve));
    }
    if (slips) {
        ctRing_AddFriction(p, p->dir, first);
        return;
    }
    ctRows_Add(rows, count, index, x, x, ctDot(x, p->curve), 0.0);
    ctRows_Add(rows, count, index, y, y, ctDot(y, p->curve), 0.0);
    ctRows_AddTurn(rows, count, index, ctScale(r, p->n), ctDot(p->n, p->turnCurve));
}

static void addPoint(const ctSystem *s, int index, ctRow *rows, int *count)
{
    const ctSystemPoint *p = &s->points[index];
    if (ctPoint_IsRing(p)) {
        addRing(s, index, rows, count);
        return;
    }
    bool slips = p->mode == ct_pointSlip;
    ctVec3 push = slips ? ctMulAdd(p->n, -p->friction, p->dir) : p->n;
    ctRows_Add(rows, count, index, p->n, push, p->bend, 0.0);
    rows[*count - 1].twist = ctPoint_Twist(p);
    if (slips && p->stiff) {
        ctVec3 e = ctCross(p->n, p->dir), slip = ctPoint_Across(p, p->u);
        double least = CT_REDUNDANT * ctSystem_Weight(s);
        double speed = ctFmax(least, ctDot(p->dir, slip) / p->delay + p->along);
        double give = speed / (p->friction * ctFmax(p->lately, 1e-6 * s->force + 1e-200));
        ctRows_Add(rows, count, index, e, e, ctDot(e, p->curve) + ctDot(e, slip) / p->delay, give);
    } else if (!slips) {
        ctVec3 x, y;
        ctFrameFromNormal(p->n, &x, &y);
        ctRows_Add(rows, count, index, x, x, ctDot(x, p->curve), 0.0);
        ctRows_Add(rows, count, index, y, y, ctDot(y, p->curve), 0.0);
    }
}

// What the loads of a ring lean to, of the rows from its first on. Returns how far it has changed, as a share of the
// load, where that changes the friction.
static double leanOf(ctSystemPoint *p, const ctRow *row)
{
    ctVec3 x, y, before = p->lean;
    double load = row[0].f, was = ctDot(p->force, p->n);
    ctFrameFromNormal(p->n, &x, &y);
    p->lean = ctMulAdd(ctScale(row[1].f, x), row[2].f, y);
    bool linear = !(ctLength(before) > 0.5 * was) && !(ctLength(p->lean) > 0.5 * load);
    if (ctPoint_IsPartial(p)) {
        linear = ctRegion_IsLinear(p, was, before) && ctRegion_IsLinear(p, load, p->lean);
    }
    return p->mode != ct_pointSlip || linear ? 0.0 : ctDistance(ctScale(was / load, p->lean), before) / fabs(was);
}

// One solution. Returns how far the leaning of rings has changed; negative: there are no forces.
static double solve(ctSystem *s)
{
    ctRow rows[CT_SYSTEM_ROWS];
    int count = 0;
    double changed = 0.0;
    for (int i = 0; i < s->bearingCount; i++) {
        addPoint(s, s->bearing[i], rows, &count);
    }
    s->solved++;
    if (!ctSystem_AddHolds(s, rows, &count) || !ctRows_Solve(s, rows, count)) {
        return -1.0;
    }
    for (int i = 0; i < count; i++) {
        ctSystemPoint *p = &s->points[rows[i].point];
        if (ctPoint_IsRing(p) && rows[i].resists == 0 && (i == 0 || rows[i - 1].point != rows[i].point)) {
            changed = ctFmax(changed, leanOf(p, &rows[i]));
        }
    }
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->force = p->torque = ctZero3();
        if (ctPoint_Resists(p)) {
            p->turns[ct_turnRoll].torque = p->turns[ct_turnSpin].torque = ctZero3();
        }
    }
    for (int i = 0; i < count; i++) {
        ctSystemPoint *p = &s->points[rows[i].point];
        p->force = ctMulAdd(p->force, rows[i].f, rows[i].d);
        p->torque = ctMulAdd(p->torque, rows[i].f, rows[i].twist);
        if (rows[i].resists > 0) {
            ctPointTurn *t = &p->turns[rows[i].resists - 1];
            t->torque = ctMulAdd(t->torque, rows[i].f, rows[i].twist);
        }
    }
    return changed;
}

void ctSystem_ListBearing(ctSystem *s)
{
    s->bearingCount = 0;
    for (int i = 0; i < s->pointCount; i++) {
        if (s->points[i].mode != ct_pointOpen) {
            s->bearing[s->bearingCount++] = i;
        }
    }
}

// The forces of the points that are listed.
static bool findForces(ctSystem *s)
{
    for (int i = 0; i < s->bearingCount; i++) {
        const ctSystemPoint *p = &s->points[s->bearing[i]];
        if (ctPoint_IsPartial(p) && !p->region->known) {
            return false;
        }
    }
    double changed = solve(s), most = 0.0;
    for (int i = 0; i < LEANS && changed > LEANT; i++) {
        changed = solve(s);
    }
    for (int i = 0; i < s->bearingCount; i++) {
        most = ctFmax(most, ctLengthSquared(s->points[s->bearing[i]].force));
    }
    s->force = sqrt(most);
    return changed >= 0.0;
}

bool ctSystem_Forces(ctSystem *s)
{
    ctSystem_ListBearing(s);
    return findForces(s);
}

void ctSystem_Report(const ctSystem *s, ctVec3 *forces)
{
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        int count = 0;
        while (i + 1 + count < s->pointCount && p[1 + count].onA.kind == ct_guideSpoke) {
            count++;
        }
        forces[i] = count > 0 ? ctZero3() : p->force;
        if (count > 0) {
            ctRing_Share(s, p, count, &forces[i + 1]);
            i += count;
        }
    }
}

void ctSystem_Accelerate(const ctSystem *s, ctVec3 *a, ctVec3 *alpha)
{
    for (int i = 0; i < s->bodyCount; i++) {
        a[i] = s->poses[i].a;
        alpha[i] = s->poses[i].alpha;
    }
    for (int i = 0; i < s->bearingCount; i++) {
        const ctSystemPoint *p = &s->points[s->bearing[i]];
        if (p->a < s->movable) {
            const ctSystemPose *pa = &s->poses[p->a];
            ctVec3 ta = ctAdd(ctCross(ctSub(p->at, pa->x), p->force), p->torque);
            a[p->a] = ctMulAdd(a[p->a], pa->invMass, p->force);
            alpha[p->a] = ctAdd(alpha[p->a], ctMulMV(pa->inverse, ta));
        }
        if (p->b < s->movable) {
            const ctSystemPose *pb = &s->poses[p->b];
            ctVec3 tb = ctAdd(ctCross(ctSub(p->at, pb->x), p->force), p->torque);
            a[p->b] = ctMulAdd(a[p->b], -pb->invMass, p->force);
            alpha[p->b] = ctSub(alpha[p->b], ctMulMV(pb->inverse, tb));
        }
    }
}

ctVec3 ctPoint_Acceleration(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha)
{
    const ctSystemPose *pa = &s->poses[p->a], *pb = &s->poses[p->b];
    ctVec3 byA = ctAdd(ctSub(a[p->a], pa->a), ctCross(ctSub(alpha[p->a], pa->alpha), ctSub(p->at, pa->x)));
    ctVec3 byB = ctAdd(ctSub(a[p->b], pb->a), ctCross(ctSub(alpha[p->b], pb->alpha), ctSub(p->at, pb->x)));
    return ctAdd(p->curve, ctSub(byA, byB));
}

ctVec3 ctPoint_Turning(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *alpha)
{
    ctVec3 byA = ctSub(alpha[p->a], s->poses[p->a].alpha), byB = ctSub(alpha[p->b], s->poses[p->b].alpha);
    return ctMulAdd(p->turnCurve, p->onA.radius, ctSub(byA, byB));
}

ctVec3 ctPoint_SlipRate(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha)
{
    ctVec3 rate = ctPoint_Across(p, ctPoint_Acceleration(s, p, a, alpha));
    return ctPoint_IsRing(p) ? ctMulAdd(rate, ctDot(p->n, ctPoint_Turning(s, p, alpha)), p->n) : rate;
}

double ctPoint_Stiffness(const ctSystem *s, const ctSystemPoint *p)
{
    double slip = ctLength(ctPoint_Slip(p)), k = s->poses[p->a].invMass + s->poses[p->b].invMass;
    return 3.5 * k * p->friction * fabs(ctDot(p->force, p->n)) / ctFmax(slip, 1e-3 * ctSystem_NoSlip(s));
}

// ---- rates ------------------------------------------------------------------------------------

static void noteSlip(const ctSystem *s, ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha)
{
    ctVec3 rate = ctPoint_SlipRate(s, p, a, alpha);
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
        if (ctPoint_Resists(&s->points[i])) {
            ctPoint_NoteTurns(&s->points[i], alpha);
        }
    }
}

// Friction of stiff slip opposes the slip after the delay. Returns how far directions have turned.
static double turnStiff(ctSystem *s, const ctVec3 *a, const ctVec3 *alpha)
{
    double most = 0.0;
    for (int i = 0; i < s->bearingCount; i++) {
        ctSystemPoint *p = &s->points[s->bearing[i]];
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

bool ctSystem_TurnForces(ctSystem *s, ctVec3 *a, ctVec3 *alpha)
{
    bool found = findForces(s);
    if (found) {
        ctSystem_Accelerate(s, a, alpha);
    }
    for (int turn = 0; turn < TURNS && found && turnStiff(s, a, alpha) > CT_TURNED; turn++) {
        found = findForces(s);
        if (found) {
            ctSystem_Accelerate(s, a, alpha);
        }
    }
    return found;
}

void ctPoint_AddWork(const ctSystem *s, const ctSystemPoint *p, ctVec3 force, ctVec3 torque, double *work)
{
    const ctSystemPose *a = &s->poses[p->a], *b = &s->poses[p->b];
    const ctVec3 spinA = ctAdd(a->w, a->beltSpin), spinB = ctAdd(b->w, b->beltSpin);
    work[0] += ctDot(force, ctPoint_Across(p, p->u)) + ctDot(torque, ctSub(spinA, spinB));
    if (p->b >= s->movable) {
        ctVec3 v = ctVelocityAt(b->v, b->w, ctSub(p->at, b->x));
        work[1] += ctDot(force, ctAdd(v, ctPoint_BeltAt(b, p))) + ctDot(torque, spinB);
    } else if (p->a >= s->movable) {
        ctVec3 v = ctVelocityAt(a->v, a->w, ctSub(p->at, a->x));
        work[1] -= ctDot(force, ctAdd(v, ctPoint_BeltAt(a, p))) + ctDot(torque, spinA);
    }
}

void ctSystem_PutRates(const ctSystem *s, int body, const double *y, ctVec3 a, ctVec3 alpha, double *rates)
{
    const ctSystemPose *p = &s->poses[body];
    ctSystem_Put(rates, body, ct_systemX, p->v);
    ctSystem_Put(rates, body, ct_systemV, a);
    ctSystem_Put(rates, body, ct_systemW, alpha);
    ctVec3 w = ctInvRotate(p->turn, ctSub(p->w, s->spins[body]));
    ctQuat half = ctQuatOf(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z);
    ctSystem_PutQ(rates, body, ctMulQ(half, ctSystem_GetQ(y, body)));
}

static void putRates(ctSystem *s, const double *y, const ctVec3 *a, const ctVec3 *alpha, double *rates)
{
    for (int i = 0; i < s->movable; i++) {
        ctSystem_PutRates(s, i, y, a[i], alpha[i], rates);
    }
    double *work = rates + ct_systemBody * s->movable;
    work[0] = work[1] = 0.0;
    for (int i = 0; i < s->bearingCount; i++) {
        const ctSystemPoint *p = &s->points[s->bearing[i]];
        if (p->grounded && p->bare && !ctPoint_IsRing(p) && !ctPoint_Resists(p)) { // no torque, no work of the ground
            work[0] += ctDot(p->force, ctPoint_Across(p, p->u));
        } else {
            ctPoint_AddWork(s, p, p->force, p->torque, work);
        }
    }
}

bool ctSystem_Rates(ctSystem *s, double time, const double *y, double *rates)
{
    ctVec3 a[CT_SYSTEM_BODIES], alpha[CT_SYSTEM_BODIES];
    double none = ctSystem_NoSlip(s);
    ctSystem_PlaceClosed(s, time, y);
    ctSystem_ListBearing(s);
    for (int i = 0; i < s->bearingCount; i++) {
        ctSystemPoint *p = &s->points[s->bearing[i]];
        if (p->mode == ct_pointSlip) {
            p->dir = ctPoint_Steer(p, ctPoint_Slip(p), none);
        }
        if (ctPoint_Resists(p)) {
            ctPoint_SteerTurns(s, p);
        }
    }
    if (!ctSystem_TurnForces(s, a, alpha)) {
        return false;
    }
    putRates(s, y, a, alpha, rates);
    return true;
}
