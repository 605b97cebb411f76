// The rates of the state of one body that slips on corners of its own, over faces that do not move.
//
// A box that falls on a floor slips for most of its way to rest. Each step evaluates its rates six times, and only
// after the last time are the points themselves needed. Here their rates are found without the rest of what
// motion/system_geometry.c and motion/system_forces.c find for points of any kind, by the same operations in the same
// order: results are the same to the last bit.
#include "engine/motion/system_internal.h"

// What is known of a point while the rates are found.
typedef struct Corner {
    ctVec3 n, arm, u; // normal; from the centre; velocity
} Corner;

static bool isPlainCorner(const ctSystemPoint *p)
{
    bool plain = p->onA.kind == ct_guidePoint && p->grounded && p->bare && !ctPoint_Resists(p);
    return plain && p->mode == ct_pointSlip && !p->stiff;
}

bool ctSystem_SlipsOnCorners(ctSystem *s)
{
    ctSystem_ListBearing(s);
    bool slips = s->movable == 1 && s->bearingCount > 0;
    for (int i = 0; i < s->bearingCount && slips; i++) {
        slips = isPlainCorner(&s->points[s->bearing[i]]);
    }
    return slips;
}

// Places a corner, and adds the condition of its normal, with the force against its slip.
static void place(const ctSystemPose *a, int index, double none, ctSystemPoint *p, Corner *c, ctRow *row)
{
    ctVec3 arm = ctMulMV(a->r, p->onA.p), n = p->n;
    ctVec3 rate = ctVelocityAt(a->v, a->w, arm);
    p->at = ctMulAdd(ctAdd(a->x, arm), -p->onA.round, n);
    c->n = n;
    c->arm = ctSub(p->at, a->x);
    c->u = ctAdd(a->v, ctCross(a->w, c->arm));
    ctVec3 curve = ctAdd(ctAdd(a->a, ctCross(a->alpha, c->arm)), ctCross(a->w, ctSub(rate, a->v)));
    ctVec3 slip = ctMulAdd(c->u, ctDot(p->turn, n) - ctDot(c->u, n), n);
    row->point = index;
    row->resists = 0;
    row->e = n;
    row->d = ctMulAdd(n, -p->friction, ctPoint_Steer(p, slip, none));
    row->turn = row->twist = ctZero3();
    row->c = ctDot(n, curve);
    row->give = 0.0;
}

bool ctSystem_SlipRates(ctSystem *s, double time, const double *y, double *rates)
{
    ctRow rows[CT_SYSTEM_POINTS];
    Corner corners[CT_SYSTEM_POINTS];
    const ctSystemPose *pose = &s->poses[0];
    double none = ctSystem_NoSlip(s), work = 0.0;
    ctSystem_PlaceMovable(s, 0, time, y);
    for (int i = 0; i < s->bearingCount; i++) {
        place(pose, s->bearing[i], none, &s->points[s->bearing[i]], &corners[i], &rows[i]);
    }
    if (!ctRows_Solve(s, rows, s->bearingCount)) {
        return false;
    }
    ctVec3 a = pose->a, alpha = pose->alpha;
    for (int i = 0; i < s->bearingCount; i++) {
        const Corner *c = &corners[i];
        ctVec3 force = ctMulAdd(ctZero3(), rows[i].f, rows[i].d);
        a = ctMulAdd(a, pose->invMass, force);
        alpha = ctAdd(alpha, ctMulMV(pose->inverse, ctAdd(ctCross(c->arm, force), ctZero3())));
        work += ctDot(force, ctMulAdd(c->u, -ctDot(c->u, c->n), c->n));
    }
    ctSystem_PutRates(s, 0, y, a, alpha, rates);
    rates[ct_systemBody] = work;
    rates[ct_systemBody + 1] = 0.0;
    return true;
}
