// Impulses that bring a system to what its modes allow: gaps of closed points are removed, and velocities that are
// forbidden.
//
// Most of these are errors of a step, and the least change removes them. A landing that is too slow for an impact is
// another thing: points that approach, or separate, are stopped where a motion begins. That takes impulses, and these
// have friction as forces do:
//     P_t = -mu P_n u / |u|                      (a point that slips before and after)
//     |P_t| <= mu P_n,  u = 0 afterwards         (a point that sticks, or whose slip they end)
// also at points that are closed already, through which an impulse is passed on. So a body that lands while it slides
// loses mu times what its normal velocity changes by, as it would in an impact that is just fast enough to count.
// Points that would need an impulse that pulls, and are not closed, are left alone: the others lift them.
//
// The work of an impulse is its product with the mean of the velocities before and after it.
#include "engine/motion/system_internal.h"

#include <string.h>

// [cap] Rounds of the search for what slips and what sticks.
#define ROUNDS 12

// The impulses of one correction.
typedef struct Impulses {
    ctRow rows[CT_SYSTEM_ROWS];
    int count;
    double greatest; // N s
} Impulses;

// ---- conditions -------------------------------------------------------------------------------

// The conditions of a closed ring on its tilt (0), or its turning (1). Returns the error in units of the radius.
static double constrainRing(const ctSystemPoint *p, int pass, int index, ctRow *rows, int *count)
{
    ctVec3 x, y, wrong = pass == 0 ? p->tilt : p->turn;
    double r = p->onA.radius;
    ctFrameFromNormal(p->n, &x, &y);
    const ctVec3 axes[2] = {ctCross(x, p->n), ctCross(y, p->n)};
    for (int k = 0; k < 2; k++) {
        ctRows_AddTurn(rows, count, index, ctScale(r, axes[k]), ctDot(axes[k], wrong));
    }
    if (pass == 1 && p->grip == ct_pointSlip) {
        ctRing_AddFriction(p, p->rub, &rows[*count - 3]);
    }
    return ctLength(ctPoint_Across(p, wrong));
}

// Whether a point whose slip was about to end slips on, in another direction.
static bool slipsOn(const ctSystemPoint *p)
{
    return p->mode == ct_pointSlip && p->fresh && p->last && !p->held && p->friction > 0.0 && !ctPoint_IsRing(p);
}

// The slip of such a point that is not along its new direction: the rest of the old slip, which would turn within no
// time.
static ctVec3 besideWay(const ctSystemPoint *p)
{
    return ctMulAdd(p->u, -ctFmax(0.0, ctDot(p->u, p->dir)), p->dir);
}

// The conditions of closed points, and of those that land: gaps (0), or velocities (1). begins: a motion begins, and
// slip in another direction than before has nothing of the old one. Returns the largest error, as a share of size or
// speed.
static double constrain(const ctSystem *s, int pass, bool begins, ctRow *rows, int *count)
{
    double worst = 0.0;
    *count = 0;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (!ctPoint_IsClosed(p) && !(pass == 1 && p->lands)) {
            continue;
        }
        bool slips = pass == 1 && p->grip == ct_pointSlip, turns = begins && slipsOn(p);
        bool sticks = pass == 1 && (p->grip == ct_pointStick || turns);
        double wrong = pass == 0 ? p->gap : p->un, scale = pass == 0 ? s->size : s->speed;
        worst = ctFmax(worst, fabs(wrong) / scale);
        bool rubs = slips && !ctPoint_IsRing(p);
        ctRows_Add(rows, count, i, p->n, rubs ? ctMulAdd(p->n, -p->friction, p->rub) : p->n, wrong, 0.0);
        rows[*count - 1].twist = slips ? ctPoint_Twist(p) : ctZero3();
        if (ctPoint_IsRing(p)) {
            worst = ctFmax(worst, constrainRing(p, pass, i, rows, count) / scale);
        }
        if (sticks) {
            ctVec3 x, y;
            ctFrameFromNormal(p->n, &x, &y);
            ctVec3 slip = turns ? besideWay(p) : p->u;
            ctRows_Add(rows, count, i, x, x, ctDot(x, slip), 0.0);
            ctRows_Add(rows, count, i, y, y, ctDot(y, slip), 0.0);
            worst = ctFmax(worst, ctLength(ctPoint_Across(p, slip)) / scale);
            if (ctPoint_IsRing(p)) {
                ctRows_AddTurn(rows, count, i, ctScale(p->onA.radius, p->n), ctDot(p->n, p->turn));
                worst = ctFmax(worst, fabs(ctDot(p->n, p->turn)) / scale);
            }
        }
    }
    return pass == 1 && !ctSystem_StopTurns(s, rows, count, &worst) ? 0.0 : worst;
}

// ---- corrections ------------------------------------------------------------------------------

void ctSystem_TurnBody(const ctSystem *s, int index, ctVec3 turn, double *y)
{
    ctQuat q = ctSystem_GetQ(y, index), r = ctNormalizeQ(ctMulQ(ctQuatExp(turn), q));
    ctVec3 i = s->bodies[index].inertia, spin = ctInvRotate(q, ctSystem_Get(y, index, ct_systemW));
    ctVec3 l = ctInvRotate(r, ctRotate(q, ctMul(i, spin)));
    ctSystem_PutQ(y, index, r);
    ctSystem_Put(y, index, ct_systemW, ctRotate(r, ctV3(l.x / i.x, l.y / i.y, l.z / i.z)));
}

// Changes the state by the impulses.
static void apply(const ctSystem *s, int pass, const Impulses *all, double *y)
{
    ctVec3 push[CT_SYSTEM_BODIES] = {{0}}, twist[CT_SYSTEM_BODIES] = {{0}};
    for (int i = 0; i < all->count; i++) {
        const ctRow *row = &all->rows[i];
        const ctSystemPoint *p = &s->points[row->point];
        ctVec3 f = ctScale(row->f, row->d), t = ctScale(row->f, row->twist);
        push[p->a] = ctAdd(push[p->a], f);
        push[p->b] = ctSub(push[p->b], f);
        twist[p->a] = ctAdd(twist[p->a], ctAdd(ctCross(ctSub(p->at, s->poses[p->a].x), f), t));
        twist[p->b] = ctSub(twist[p->b], ctAdd(ctCross(ctSub(p->at, s->poses[p->b].x), f), t));
    }
    for (int i = 0; i < s->movable; i++) {
        int at = pass == 0 ? ct_systemX : ct_systemV;
        ctVec3 turn = ctMulMV(s->poses[i].inverse, twist[i]);
        ctSystem_Put(y, i, at, ctMulAdd(ctSystem_Get(y, i, at), s->poses[i].invMass, push[i]));
        if (pass == 0) {
            ctSystem_TurnBody(s, i, turn, y);
        } else {
            ctVec3 w = ctSystem_Get(y, i, ct_systemW);
            ctSystem_Put(y, i, ct_systemW, ctAdd(w, turn));
        }
    }
}

// Adds half of the work of impulses, at the velocities at which the points were placed last.
static void addHalf(const ctSystem *s, const Impulses *all, double *y)
{
    for (int i = 0; i < all->count; i++) {
        const ctRow *row = &all->rows[i];
        double half = 0.5 * row->f;
        ctPoint_AddWork(s, &s->points[row->point], ctScale(half, row->d), ctScale(half, row->twist),
                        y + ct_systemBody * s->movable);
    }
}

// Finds the impulses that correct the state. False where nothing is wrong with it. *worst: how much is.
static bool solve(const ctSystem *s, int pass, bool begins, Impulses *all, double *worst)
{
    *worst = constrain(s, pass, begins, all->rows, &all->count);
    return *worst >= ctFmax(1e-4 * s->tolerance, 1e-14) && ctRows_Solve(s, all->rows, all->count);
}

static bool closeGaps(ctSystem *s, double *y, double *worst)
{
    Impulses all;
    for (int i = 0; i < s->movable; i++) {
        ctSystem_PutQ(y, i, ctNormalizeQ(ctSystem_GetQ(y, i)));
    }
    bool wrong = solve(s, 0, false, &all, worst);
    if (wrong) {
        apply(s, 0, &all, y);
    }
    return wrong;
}

double ctSystem_Project(ctSystem *s, double time, bool begins, double *y)
{
    Impulses all;
    double gaps, speeds;
    bool closed = closeGaps(s, y, &gaps);
    if (closed) {
        ctSystem_PlaceClosed(s, time, y);
    }
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->grip = p->mode == ct_pointStick || p->held ? ct_pointStick : ct_pointOpen;
    }
    bool wrong = solve(s, 1, begins, &all, &speeds);
    if (wrong) {
        double *carried = &y[ct_systemBody * s->movable + 1], before = *carried;
        addHalf(s, &all, y);
        *carried += *carried - before; // the ground moves on; slip that has ended is removed: afterwards there is none
        apply(s, 1, &all, y);
    }
    return ctFmax(closed ? gaps : 0.0, wrong ? speeds : 0.0);
}

// ---- landings ---------------------------------------------------------------------------------

// Finds what lands, and guesses how. Returns whether anything is stopped.
static bool setOut(ctSystem *s, const bool *candidates)
{
    bool any = false;
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        double error = ctSystem_Error(s), slip = ctLength(ctPoint_Slip(p));
        p->lands = candidates[i] && !ctPoint_IsClosed(p) && p->un < -error;
        any = any || p->lands || (ctPoint_IsClosed(p) && fabs(p->un) > error);
        p->glides = slip > 10.0 * ctSystem_NoSlip(s);
        p->rub = p->glides ? ctScale(1.0 / slip, ctPoint_Slip(p)) : ctZero3();
        p->grip = p->glides || !(p->friction > 0.0) ? ct_pointSlip : ct_pointStick;
    }
    return any;
}

// The impulse at a point: force, torque, and of a ring what its loads lean to.
static void setImpulse(const Impulses *all, int index, ctSystemPoint *p)
{
    ctVec3 axes[2];
    int own = 0;
    p->force = p->torque = p->lean = ctZero3();
    ctFrameFromNormal(p->n, &axes[0], &axes[1]);
    for (int i = 0; i < all->count; i++) {
        const ctRow *row = &all->rows[i];
        if (row->point != index || row->resists > 0) {
            continue;
        }
        if (ctPoint_IsRing(p) && (own == 1 || own == 2)) {
            p->lean = ctMulAdd(p->lean, row->f, axes[own - 1]);
        }
        own++;
        p->force = ctMulAdd(p->force, row->f, row->d);
        p->torque = ctMulAdd(p->torque, row->f, row->twist);
    }
}

// Whether an impulse that holds a point is beyond its cone; *rub: the slip with which it begins.
static bool slides(const ctSystemPoint *p, double none, ctVec3 *rub)
{
    if (ctPoint_IsRing(p)) {
        return ctRing_Hold(p, rub) < -none;
    }
    ctVec3 across = ctPoint_Across(p, p->force);
    *rub = ctNormalize(ctNeg(across));
    return ctLength(across) > p->friction * fabs(ctDot(p->force, p->n)) + none;
}

// Changes how a point lands where its impulse breaks a law; the points are placed with the velocities after it. Returns
// whether it has.
static bool change(const ctSystem *s, const Impulses *all, int index, ctSystemPoint *p)
{
    ctSystemPoint strike = *p;
    double none = CT_SYSTEM_NONE * all->greatest, still = ctSystem_NoSlip(s);
    ctVec3 slip = ctPoint_Slip(p), rub;
    setImpulse(all, index, &strike);
    if (p->lands && ctDot(strike.force, p->n) < -none) {
        p->lands = false;
        return true;
    }
    if (p->grip == ct_pointStick && slides(&strike, none, &rub)) {
        p->grip = ct_pointSlip;
        p->rub = rub;
        p->glides = false;
        return true;
    }
    if (p->grip != ct_pointSlip || !(p->friction > 0.0)) {
        return false;
    }
    if (ctDot(slip, p->rub) < -still) {
        p->grip = ct_pointStick;
        return true;
    }
    bool turns = !p->glides && ctLength(slip) > still && ctDistance(ctNormalize(slip), p->rub) > CT_TURNED;
    p->rub = turns ? ctNormalize(slip) : p->rub;
    return turns;
}

// Whether the modes that were found before a landing do not hold after it.
static bool isOther(const ctSystemPoint *p)
{
    bool slips = p->mode == ct_pointSlip && p->fixed, stuck = p->mode == ct_pointStick;
    return p->lands || (slips && p->grip == ct_pointStick) || (stuck && p->grip == ct_pointSlip);
}

bool ctSystem_Land(ctSystem *s, const bool *candidates)
{
    double before[CT_SYSTEM_STATE], worst;
    Impulses all;
    if (!setOut(s, candidates)) {
        ctSystem_Project(s, s->time, true, s->y);
        return false;
    }
    closeGaps(s, s->y, &worst);
    ctSystem_Place(s, s->time, s->y);
    memcpy(before, s->y, sizeof before);
    bool wrong = solve(s, 1, false, &all, &worst), changed = wrong;
    for (int round = 0; round < ROUNDS && changed; round++) {
        all.greatest = 0.0;
        for (int i = 0; i < all.count; i++) {
            all.greatest = ctFmax(all.greatest, fabs(all.rows[i].f) * ctLength(all.rows[i].d));
        }
        changed = false;
        apply(s, 1, &all, s->y);
        ctSystem_Place(s, s->time, s->y);
        for (int i = 0; i < s->pointCount; i++) {
            ctSystemPoint *p = &s->points[i];
            bool stopped = ctPoint_IsClosed(p) || p->lands;
            p->lands = p->lands || (candidates[i] && !stopped && p->un < -ctSystem_Error(s)); // others drive it
            changed = (stopped ? change(s, &all, i, p) : p->lands) || changed;
        }
        memcpy(s->y, before, sizeof before);
        ctSystem_Place(s, s->time, s->y);
        wrong = !changed || solve(s, 1, false, &all, &worst);
        changed = changed && wrong;
    }
    if (wrong) {
        addHalf(s, &all, s->y);
        apply(s, 1, &all, s->y);
        ctSystem_Place(s, s->time, s->y);
        addHalf(s, &all, s->y);
    }
    bool other = false;
    for (int i = 0; i < s->pointCount; i++) {
        other = other || isOther(&s->points[i]);
        s->points[i].lands = false;
    }
    return other;
}
