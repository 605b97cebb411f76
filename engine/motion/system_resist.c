// Resistances to rolling and to spinning: torques between the two bodies of a point, of no more than a length times its
// normal force.
//
// The relative spin w of the bodies has a part across the normal, the rolling, and a part along it, the spinning. Each
// meets a resistance of its own. Where the part is not zero, the torque is full, against it: it is in proportion to the
// normal force, and belongs to that force's row. Where the part is zero, a torque within the bound holds it: rows of
// their own, with the conditions (n' is the rate of the normal)
//     x.w' = w_n x.n', y.w' = w_n y.n'     (it does not roll; x, y across n),      n.w' = -w.n'     (it does not spin).
// Beyond the bound the part begins to grow: the torque is full then, against the rate of the part.
//
// Points between the same two bodies with one normal turn alike. They are a group, whose bound is the sum of theirs.
// The first of its points that bear leads: it has the rows that hold. Two points do not let the bodies roll about axes
// across the line between them, and three not at all; two that stick do not let them spin. There nothing needs to hold.
#include "engine/motion/system_internal.h"

// Sine of the angle between normals, and share of the size, below which points have one normal and one place.
#define SAME CT_NEGLIGIBLE

static double lengthOf(const ctSystemPoint *p, int part)
{
    return part == ct_turnRoll ? p->rolling : p->spinning;
}

// The part of a relative spin, or of its rate, that a resistance acts against.
static ctVec3 partOf(const ctSystemPoint *p, int part, ctVec3 w)
{
    ctVec3 along = ctScale(ctDot(w, p->n), p->n);
    return part == ct_turnSpin ? along : ctSub(w, along);
}

static ctVec3 spinOf(const ctSystem *s, const ctSystemPoint *p)
{
    return ctSub(s->poses[p->a].w, s->poses[p->b].w);
}

// The part of the relative spin times the size, m/s.
static ctVec3 turnOf(const ctSystem *s, const ctSystemPoint *p, int part)
{
    return ctScale(s->size, partOf(p, part, spinOf(s, p)));
}

// ---- groups -----------------------------------------------------------------------------------

static bool areGrouped(const ctSystemPoint *p, const ctSystemPoint *q)
{
    bool same = (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
    return same && q->mode != ct_pointOpen && ctLengthSquared(ctCross(p->n, q->n)) < SAME * SAME;
}

// What a group of points allows.
typedef struct Group {
    int leader, bearing, sticking;
    ctVec3 line;  // the direction in which the points lie; zero: a single place
    bool spreads; // they do not lie on a line
    double bounds[2];
} Group;

static Group groupOf(const ctSystem *s, int index)
{
    const ctSystemPoint *p = &s->points[index];
    Group g = {.leader = -1};
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *q = &s->points[i];
        if (!areGrouped(p, q)) {
            continue;
        }
        double load = ctFmax(0.0, ctDot(q->force, q->n));
        g.leader = g.leader < 0 ? i : g.leader;
        g.bounds[ct_turnRoll] += q->rolling * load;
        g.bounds[ct_turnSpin] += q->spinning * load;
        ctVec3 arm = ctPoint_Across(p, ctSub(q->at, s->points[g.leader].at));
        double length = ctLength(arm);
        if (ctLengthSquared(g.line) == 0.0 && length > SAME * s->size) {
            g.line = ctScale(1.0 / length, arm);
        }
        g.spreads = g.spreads || ctPoint_IsRing(q) || ctLength(ctCross(arm, g.line)) > SAME * s->size;
        g.sticking += q->mode == ct_pointStick ? 1 + (ctPoint_IsRing(q) ? 1 : 0) : 0;
        g.bearing++;
    }
    return g;
}

// The axes about which a torque holds the bodies. Returns how many there are.
static int axesOf(const ctSystem *s, const Group *g, int part, ctVec3 *axes)
{
    const ctSystemPoint *p = &s->points[g->leader];
    bool alone = ctLengthSquared(g->line) == 0.0;
    if (part == ct_turnSpin) {
        axes[0] = p->n;
        return g->sticking < 2 || (alone && !g->spreads) ? 1 : 0;
    }
    ctFrameFromNormal(p->n, &axes[0], &axes[1]);
    axes[0] = alone ? axes[0] : g->line;
    return g->spreads ? 0 : alone ? 2 : 1;
}

static bool leads(const ctSystem *s, int index)
{
    const ctSystemPoint *p = &s->points[index];
    for (int i = 0; i < index; i++) {
        if (areGrouped(p, &s->points[i])) {
            return false;
        }
    }
    return p->mode != ct_pointOpen;
}

// ---- rows -------------------------------------------------------------------------------------

ctVec3 ctPoint_Twist(const ctSystemPoint *p)
{
    ctVec3 twist = ctZero3();
    for (int part = 0; part < 2; part++) {
        const ctPointTurn *t = &p->turns[part];
        twist = t->mode == ct_pointSlip ? ctMulAdd(twist, -lengthOf(p, part), t->dir) : twist;
    }
    return twist;
}

// Adds a condition on the turning about an axis, whose constant is the present rate of turning about it.
static bool addHold(const ctSystem *s, int index, int part, ctVec3 axis, double rate, ctRow *rows, int *count)
{
    if (*count == CT_SYSTEM_ROWS) {
        return false;
    }
    ctRow *row = &rows[(*count)++];
    *row = (ctRow){.point = index, .resists = 1 + part, .c = s->size * rate};
    row->turn = row->twist = ctScale(s->size, axis);
    return true;
}

// Turning that begins: the torque is along the rate, so that it has a part across the direction found last.
static bool addTurning(const ctSystem *s, int index, const Group *g, ctVec3 rate, ctRow *rows, int *count)
{
    const ctSystemPoint *p = &s->points[index];
    const ctPointTurn *t = &p->turns[ct_turnRoll];
    ctVec3 axes[2], e = ctCross(p->n, t->dir);
    if (!t->begins || !(g->bounds[ct_turnRoll] > 0.0) || axesOf(s, g, ct_turnRoll, axes) < 2) {
        return true;
    }
    bool room = addHold(s, index, ct_turnRoll, e, ctDot(e, rate), rows, count);
    rows[*count - 1].give = s->size * s->size * ctFmax(0.0, t->along) / g->bounds[ct_turnRoll];
    return room;
}

bool ctSystem_AddHolds(const ctSystem *s, ctRow *rows, int *count)
{
    for (int k = 0; k < s->bearingCount; k++) {
        int i = s->bearing[k];
        const ctSystemPoint *p = &s->points[i];
        if (!ctPoint_Resists(p) || !leads(s, i)) {
            continue;
        }
        Group g = groupOf(s, i);
        ctVec3 w = spinOf(s, p), rate = ctSub(s->poses[p->a].alpha, s->poses[p->b].alpha), axes[2];
        rate = ctMulAdd(rate, -ctDot(w, p->n), p->nRate);
        rate = ctMulAdd(rate, ctDot(w, p->nRate), p->n);
        if (!addTurning(s, i, &g, rate, rows, count)) {
            return false;
        }
        for (int part = 0; part < 2; part++) {
            int axisCount = p->turns[part].mode == ct_pointStick ? axesOf(s, &g, part, axes) : 0;
            for (int j = 0; j < axisCount; j++) {
                if (!addHold(s, i, part, axes[j], ctDot(axes[j], rate), rows, count)) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool ctSystem_StopTurns(const ctSystem *s, ctRow *rows, int *count, double *worst)
{
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (!ctPoint_Resists(p) || !leads(s, i)) {
            continue;
        }
        Group g = groupOf(s, i);
        ctVec3 w = spinOf(s, p), axes[2];
        for (int part = 0; part < 2; part++) {
            const ctPointTurn *t = &p->turns[part];
            int axisCount = t->mode == ct_pointStick || t->kept ? axesOf(s, &g, part, axes) : 0;
            for (int k = 0; k < axisCount; k++) {
                double rate = ctDot(axes[k], w);
                *worst = ctFmax(*worst, s->size * fabs(rate) / s->speed);
                if (!addHold(s, i, part, axes[k], rate, rows, count)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// ---- within a step ----------------------------------------------------------------------------

void ctPoint_SteerTurns(const ctSystem *s, ctSystemPoint *p)
{
    for (int part = 0; part < 2; part++) {
        ctPointTurn *t = &p->turns[part];
        ctVec3 turn = turnOf(s, p, part);
        double speed = ctLength(turn);
        if (t->mode != ct_pointSlip) {
            continue;
        }
        if (!t->kept && !t->last && speed > ctSystem_NoSlip(s) && ctDot(turn, t->startDir) > 0.0) {
            t->dir = ctScale(1.0 / speed, turn);
        } else {
            t->dir = ctNormalize(partOf(p, part, t->startDir));
        }
    }
}

void ctPoint_NoteTurns(ctSystemPoint *p, const ctVec3 *alpha)
{
    for (int part = 0; part < 2 && p->mode != ct_pointOpen; part++) {
        ctPointTurn *t = &p->turns[part];
        ctVec3 rate = partOf(p, part, ctSub(alpha[p->a], alpha[p->b]));
        t->along = ctDot(rate, t->dir);
        t->across = ctLength(ctMulAdd(rate, -t->along, t->dir));
    }
}

double ctPoint_TurnAlong(const ctSystem *s, const ctSystemPoint *p, int part)
{
    return ctDot(turnOf(s, p, part), p->turns[part].startDir);
}

void ctPoint_KeepTurns(const ctSystem *s, ctSystemPoint *p)
{
    for (int part = 0; part < 2; part++) {
        ctPointTurn *t = &p->turns[part];
        t->start = ctPoint_TurnAlong(s, p, part);
        t->startAlong = t->along;
        t->startAcross = t->across;
    }
}

void ctPoint_RestoreTurns(ctSystemPoint *p)
{
    for (int part = 0; part < 2; part++) {
        ctPointTurn *t = &p->turns[part];
        t->dir = t->startDir;
        t->along = t->startAlong;
        t->across = t->startAcross;
        t->last = false;
    }
}

bool ctPoint_TurnsOn(const ctSystem *s, const ctSystemPoint *p, double h)
{
    bool on = true;
    for (int part = 0; part < 2; part++) {
        const ctPointTurn *t = &p->turns[part];
        if (t->mode == ct_pointSlip && p->mode != ct_pointOpen) {
            double turn = ctPoint_TurnAlong(s, p, part);
            on = on && !t->last && !t->kept &&
                 ctStaysPositive(t->start, turn, s->size * t->startAlong, s->size * t->along, h);
        }
    }
    return on;
}

// The time until a turning ends at its present rate, s.
static double timeOf(const ctSystem *s, const ctPointTurn *t, double turn)
{
    return t->along < 0.0 ? turn / (-t->along * s->size) : (double)INFINITY;
}

bool ctSystem_ChooseLast(ctSystem *s)
{
    bool changed = false;
    for (int i = 0; i < s->pointCount; i++) {
        for (int part = 0; part < 2 && ctPoint_Resists(&s->points[i]); part++) {
            ctPointTurn *t = &s->points[i].turns[part];
            double turn = ctLength(turnOf(s, &s->points[i], part));
            bool last = t->mode == ct_pointSlip && turn * timeOf(s, t, turn) <= s->tolerance * s->size;
            changed = changed || last != t->last;
            t->last = last;
        }
    }
    return changed;
}

double ctSystem_LongestTurn(const ctSystem *s, double share)
{
    double longest = INFINITY;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        for (int part = 0; part < 2 && ctPoint_Resists(p); part++) {
            const ctPointTurn *t = &p->turns[part];
            double turn = ctLength(turnOf(s, p, part)), lasts = timeOf(s, t, turn), across = t->across * s->size;
            bool turns = t->mode == ct_pointSlip && !t->kept && p->mode != ct_pointOpen && lengthOf(p, part) > 0.0;
            bool ends = lasts < (double)INFINITY;
            if (turns && (ends ? turn * lasts > s->tolerance * s->size && across * lasts > ctSystem_Error(s)
                               : across > CT_SHORTEST_STEP * t->along * s->size)) {
                double rate = ctFmax(-t->along, 0.0) * s->size + across;
                longest = ctFmin(longest, ctFmax(share * turn, ctSystem_NoSlip(s)) / rate);
            }
        }
    }
    return longest;
}

// ---- events -----------------------------------------------------------------------------------

double ctPoint_TurnLeft(const ctSystem *s, const ctSystemPoint *p)
{
    double least = INFINITY, tolerance = ctSystem_NoSlip(s) / s->speed;
    for (int part = 0; part < 2 && ctPoint_Resists(p) && p->mode != ct_pointOpen; part++) {
        const ctPointTurn *t = &p->turns[part];
        if (t->mode != ct_pointSlip || !(lengthOf(p, part) > 0.0)) {
            continue;
        }
        ctVec3 turn = ctScale(1.0 / s->speed, turnOf(s, p, part));
        double left =
            t->kept ? 20.0 * tolerance - ctLength(turn) : ctDot(turn, t->startDir) + (t->fresh ? 3.0 * tolerance : 0.0);
        least = ctFmin(least, left);
    }
    return least;
}

double ctSystem_TurnMargin(const ctSystem *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->pointCount; i++) {
        if (!ctPoint_Resists(&s->points[i]) || !leads(s, i)) {
            continue;
        }
        Group g = groupOf(s, i);
        for (int part = 0; part < 2; part++) {
            const ctPointTurn *t = &s->points[i].turns[part];
            if (t->mode == ct_pointStick) {
                double left = g.bounds[part] + ctSystem_NoTorque(s, g.bounds[part]) - ctLength(t->torque);
                least = ctFmin(least, left / (s->size * s->force + 1e-300));
            }
        }
    }
    return least;
}

// ---- modes ------------------------------------------------------------------------------------

void ctPoint_SetOutTurns(const ctSystem *s, ctSystemPoint *p)
{
    for (int part = 0; part < 2; part++) {
        ctPointTurn *t = &p->turns[part];
        ctVec3 turn = turnOf(s, p, part);
        double speed = ctLength(turn);
        t->fixed = speed > 10.0 * ctSystem_NoSlip(s) && !t->last;
        t->begins = t->kept = t->fresh = false;
        t->mode = !(lengthOf(p, part) > 0.0) ? ct_pointOpen : t->fixed ? ct_pointSlip : ct_pointStick;
        if (t->fixed) {
            t->startDir = t->dir = ctScale(1.0 / speed, turn);
        }
    }
}

// Gives the mode of a turn to all points of the group.
static void spreadTurn(ctSystem *s, int index, int part)
{
    const ctSystemPoint *p = &s->points[index];
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *q = &s->points[i];
        if (i != index && areGrouped(p, q) && lengthOf(q, part) > 0.0) {
            q->turns[part] = p->turns[part];
            q->turns[part].dir = ctScale(p->a == q->a ? 1.0 : -1.0, p->turns[part].dir);
        }
    }
}

// How a turn breaks its law: it is held by too great a torque, it would turn against its direction, or that direction
// is not yet that of its rate.
typedef enum Breach { OBEYS, GIVES_WAY, STOPS, VEERS } Breach;

// The rate at which a torque about an axis turns the bodies of a point, 1/s^2.
static ctVec3 easedBy(const ctSystem *s, const ctSystemPoint *p, ctVec3 torque)
{
    return ctAdd(ctMulMV(s->poses[p->a].inverse, torque), ctMulMV(s->poses[p->b].inverse, torque));
}

// Whether rolling that begins has lost its direction, because other modes have changed since that was found: its rate
// across is more than the precision of the direction explains.
static bool strays(const ctSystem *s, int index, int part, const Group *g, ctVec3 rate)
{
    const ctSystemPoint *p = &s->points[index];
    ctVec3 dir = p->turns[part].dir, axes[2];
    double across = ctLength(ctMulAdd(rate, -ctDot(rate, dir), dir));
    double known = ctLength(rate) + g->bounds[part] * ctLength(easedBy(s, p, dir));
    return part == ct_turnRoll && across > CT_NEGLIGIBLE * known && axesOf(s, g, part, axes) == 2;
}

// Which law a turn breaks, and by how much. Updates the rate and the direction of turning that begins.
static Breach checkTurn(ctSystem *s, int index, int part, const Group *g, ctVec3 rate, double still, double *much)
{
    ctPointTurn *t = &s->points[index].turns[part];
    double bound = g->bounds[part], torque = ctLength(t->torque);
    if (t->mode == ct_pointStick) {
        *much = (torque - bound) / (torque + bound + 1e-300);
        return torque - bound > ctSystem_NoTorque(s, bound) ? GIVES_WAY : OBEYS;
    }
    if (t->mode == ct_pointOpen || t->fixed) {
        return OBEYS;
    }
    t->along = ctDot(rate, t->dir);
    *much = -t->along * s->size / s->speed;
    if (t->along < -still) {
        return STOPS;
    }
    if (!t->begins) {
        t->begins = strays(s, index, part, g, rate) && t->along > 10.0 * still;
        return t->begins ? VEERS : OBEYS;
    }
    ctVec3 full = ctMulAdd(t->torque, -bound, t->dir), dir = ctNormalize(ctNeg(full)), axes[2];
    bool veers = part == ct_turnRoll && axesOf(s, g, part, axes) == 2 && ctDistance(dir, t->dir) > CT_TURNED;
    t->dir = veers ? dir : t->dir;
    t->begins = veers && t->along > 10.0 * still; // others keep what hardly begins to turn
    return veers ? VEERS : OBEYS;
}

static void changeTurn(const ctSystem *s, const ctSystemPoint *p, const Group *g, int part, Breach breach,
                       ctPointTurn *t)
{
    t->begins = breach == GIVES_WAY;
    t->mode = breach == GIVES_WAY ? ct_pointSlip : ct_pointStick;
    if (breach == GIVES_WAY) {
        double torque = ctLength(t->torque);
        t->dir = ctScale(-1.0 / torque, t->torque);
        t->along = (torque - g->bounds[part]) * ctDot(t->dir, easedBy(s, p, t->dir));
    }
}

bool ctSystem_CheckTurns(ctSystem *s, const bool *candidates, const ctVec3 *alpha, double scale)
{
    int worst = -1, worstPart = 0;
    Breach what = OBEYS;
    double most = -INFINITY;
    bool kept = true;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (!candidates[i] || !ctPoint_Resists(p) || !leads(s, i)) {
            continue;
        }
        Group g = groupOf(s, i);
        ctVec3 rate = ctSub(alpha[p->a], alpha[p->b]);
        for (int part = 0; part < 2; part++) {
            double much = 0.0;
            Breach breach = checkTurn(s, i, part, &g, partOf(p, part, rate), CT_EQUAL * scale / s->size, &much);
            kept = kept && breach == OBEYS;
            if (breach == VEERS) {
                spreadTurn(s, i, part);
            } else if (breach != OBEYS && much > most) {
                worst = i;
                worstPart = part;
                most = much;
                what = breach;
            }
        }
    }
    if (worst >= 0) { // one at a time: the others may then be held
        Group g = groupOf(s, worst);
        changeTurn(s, &s->points[worst], &g, worstPart, what, &s->points[worst].turns[worstPart]);
        spreadTurn(s, worst, worstPart);
    }
    return kept;
}

// Whether any turn is held: it may keep others from turning.
static bool holdsTurns(const ctSystem *s)
{
    bool any = false;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        any = any ||
              (p->mode != ct_pointOpen && (p->turns[0].mode == ct_pointStick || p->turns[1].mode == ct_pointStick));
    }
    return any;
}

void ctPoint_SettleTurns(const ctSystem *s, ctSystemPoint *p, const ctVec3 *alpha, double scale)
{
    bool holds = holdsTurns(s);
    for (int part = 0; part < 2; part++) {
        ctPointTurn *t = &p->turns[part];
        ctVec3 rate = partOf(p, part, ctSub(alpha[p->a], alpha[p->b]));
        bool slow = s->size * ctLength(rate) < 3.0 * CT_EQUAL * scale;
        t->kept = t->mode == ct_pointSlip && !t->fixed && slow && holds;
        t->fresh = t->mode == ct_pointSlip && !t->fixed && !t->kept;
        t->begins = false;
        t->startDir = t->dir;
    }
}
