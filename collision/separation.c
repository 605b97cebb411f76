// A plane that stays between two bodies.
//
// Let n be a unit vector from B to A, and f(m) how far a body reaches along m from its centre of mass: the largest m.r
// over the points of its core, and its rounding. n.(xA - xB) - fA(-n) - fB(n) is a lower bound on the distance. While a
// body turns by the constant w, its reach along the fixed m = n is that along exp(-w t) m in the frame of the start,
// and
//     exp(-w t) m = m + t (m x w) + e,   |e| <= |w| |w x m| t^2 / 2.
// f is a largest value of linear functions, hence with k = m + T (m x w), for 0 <= t <= T and rho the radius of the
// body
//     f(m(t)) <= f(m) + (f(k) - f(m)) t / T + rho |w| |w x m| t^2 / 2.
// What the true rotation adds (|dw/dt| <= alphaMax) is no more than rho alphaMax t^2 / 2. So the gap is never less than
// a parabola, whose first root is the answer; f(k) - f(m) <= T rho |w x m| saves the second reach where that will do.
// No angle is taken, nothing is searched for: a few dozen operations for each convex part.
//
// Where two touch, a plane on the face of a body that turns has to turn with it: n(t) = exp(nu t) n. Then m(t) is
// exp(-w t) exp(nu t) m, and with u = nu - w
//     m' = u x m at the start,   |m''| <= u^2 + |u x nu|,
// so that a body whose w is nu does not count at all; and the distance of the centres along n(t) has the derivatives
//     n.v + (nu x n).x,   n.a + 2 (nu x n).v + (nu x (nu x n)).x,
// the second of which grows at a rate of no more than |nu| (3 a + |nu| (3 |v| + |nu| |x|)).
#include "collision/separation.h"

#include "collision/support.h"
#include "collision/toi.h"

// A gap smaller than this share of the bodies' size counts as none.
#define LEAST_GAP 1e-7

// How far some parts reach along d from the origin of the shape's frame, as the other meets them; for a plane, along
// its normal.
static double reachOfParts(const ctShape *shape, int first, int count, ctShapeType met, ctVec3 d)
{
    if (shape->type == ct_shapePlane) {
        return shape->u.plane.offset;
    }
    double most = -INFINITY;
    for (int i = first; i < first + count; i++) {
        const ctLeaf *leaf = &shape->leaves[i];
        const ctShape *part = ctShape_For(leaf->shape, met);
        ctVec3 own = leaf->pose.q.w != 1.0 ? ctInvRotate(leaf->pose.q, d) : d;
        double reach = ctCoreReach(part, own) + part->round + ctDot(d, leaf->pose.p);
        most = reach > most ? reach : most;
    }
    return most;
}

// The type of partner that meets the shape's parts with the least rounding.
static ctShapeType sharpest(const ctShape *shape)
{
    ctShapeType type = ct_shapeHull;
    for (int i = 0; i < shape->leafCount; i++) {
        ctShapeType part = shape->leaves[i].shape->type;
        type = part == ct_shapePlane || (part <= ct_shapeCapsule && type != ct_shapePlane) ? part : type;
    }
    return type;
}

double ctReachAlong(const ctShape *shape, const ctShape *other, const ctPose *pose, ctVec3 n)
{
    return reachOfParts(shape, 0, shape->leafCount, sharpest(other), ctMulTMV(pose->r, n)) + ctDot(n, pose->p);
}

// How far a convex shape reaches along n from the world's origin.
static inline double reachAlong(const ctShape *part, const ctPose *pose, ctVec3 n)
{
    return ctCoreReach(part, ctMulTMV(pose->r, n)) + part->round + ctDot(n, pose->p);
}

double ctGapAlong(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctVec3 n)
{
    double below = reachAlong(ctShape_Against(b, a), poseB, n);
    return -reachAlong(ctShape_Against(a, b), poseA, ctNeg(n)) - below;
}

bool ctAreApart(const ctShape *givenA, const ctPose *poseA, const ctShape *givenB, const ctPose *poseB, ctVec3 n,
                ctVec3 m, double distance)
{
    if (givenA->type == ct_shapePlane || givenB->type == ct_shapePlane) {
        return false;
    }
    const ctShape *a = ctShape_Against(givenA, givenB), *b = ctShape_Against(givenB, givenA);
    ctVec3 ca = ctPosePoint(poseA, a->unit.center), cb = ctPosePoint(poseB, b->unit.center);
    double reach = a->boundRadius + b->boundRadius + distance;
    if (!(reach > 0.0) || ctLengthSquared(ctSub(ca, cb)) > reach * reach) {
        return true;
    }
    if (ctLengthSquared(n) > 0.0 && -reachAlong(a, poseA, ctNeg(n)) - reachAlong(b, poseB, n) > distance) {
        return true;
    }
    bool more = ctLengthSquared(m) > 0.0 && (m.x != n.x || m.y != n.y || m.z != n.z);
    return more && -reachAlong(a, poseA, ctNeg(m)) - reachAlong(b, poseB, m) > distance;
}

// How far the parts reach along d from the centre of mass; d, in the shape's frame, is n or near it.
static double reachOf(const ctPlaneSide *side, ctVec3 d)
{
    return reachOfParts(side->shape, side->first, side->count, side->met, d) - ctDot(d, side->motion->center);
}

// One body's part of the parabola: its reach along m, how fast that grows, and half of what its rate grows by.
typedef struct Reach {
    ctVec3 m, change; // in the shape's frame: along n, and m x w
    double far;       // m
    double rate;      // m/s, no less than
    double bend;      // m/s^2
} Reach;

// A ball about its centre of mass reaches equally far in every direction.
static bool isBall(const ctPlaneSide *side)
{
    const ctShape *shape = side->shape;
    return shape->type == ct_shapeSphere && ctLengthSquared(side->motion->center) == 0.0;
}

static Reach startOf(const ctPlaneSide *side, ctVec3 n)
{
    const ctMotion *motion = side->motion;
    ctMat3 r = ctMat3FromQuat(motion->q);
    Reach reach = {.m = ctMulTMV(r, n)};
    reach.far = reachOf(side, reach.m);
    if (motion->wMax > 0.0 || motion->alphaMax > 0.0) {
        ctVec3 change = ctCross(n, motion->w);
        double speed = ctLength(change);
        reach.change = ctMulTMV(r, change);
        reach.rate = side->radius * speed;
        reach.bend = side->radius * (ctLength(motion->w) * speed + motion->alphaMax);
    }
    return reach;
}

// The same body with a plane that turns by nu.
static Reach turnedBy(const ctPlaneSide *side, const Reach *fixed, ctVec3 n, ctVec3 nu)
{
    const ctMotion *motion = side->motion;
    ctVec3 u = ctSub(nu, motion->w), change = ctCross(u, n);
    Reach reach = {.m = fixed->m, .far = fixed->far};
    if (isBall(side)) {
        return reach;
    }
    reach.change = ctMulTMV(ctMat3FromQuat(motion->q), change);
    reach.rate = side->radius * ctLength(change);
    reach.bend = side->radius * (ctDot(u, u) + ctLength(ctCross(u, nu)) + motion->alphaMax);
    return reach;
}

// The rate again, by a second reach at the horizon.
static void sharpen(const ctPlaneSide *side, Reach *reach, double horizon)
{
    if (reach->rate > 0.0) {
        ctVec3 k = ctMulAdd(reach->m, horizon, reach->change);
        reach->rate = (reachOf(side, k) - reach->far) / horizon;
    }
}

// When a gap that changes at speed, with the acceleration bend, is closed; both without the effect of the bodies'
// turning.
static double timeOf(const ctPlaneSide *a, const ctPlaneSide *b, Reach *below, Reach *above, double gap, double speed,
                     double bend, double horizon)
{
    bend -= below->bend + above->bend;
    double time = ctFallTime(gap, speed - below->rate - above->rate, bend);
    if (time < horizon) {
        sharpen(a, below, horizon);
        sharpen(b, above, horizon);
        time = ctFallTime(gap, speed - below->rate - above->rate, bend);
    }
    return time < horizon ? time : horizon;
}

double ctSeparationTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double *gap)
{
    const ctMotion *ma = a->motion, *mb = b->motion;
    Reach below = startOf(a, ctNeg(n)), above = startOf(b, n);
    *gap = ctDot(n, ctSub(ma->x, mb->x)) - below.far - above.far;
    if (!(*gap > LEAST_GAP * (a->radius < b->radius ? a->radius : b->radius))) {
        return 0.0;
    }
    double speed = ctDot(n, ctSub(ma->v, mb->v)), bend = ctDot(n, ctSub(ma->a, mb->a)) - ma->stray - mb->stray;
    return timeOf(a, b, &below, &above, *gap, speed, bend, horizon);
}

// With a plane that turns by nu.
static double turningTime(const ctPlaneSide *a, const ctPlaneSide *b, const Reach *below, const Reach *above, ctVec3 n,
                          ctVec3 nu, double gap, double horizon)
{
    const ctMotion *ma = a->motion, *mb = b->motion;
    ctVec3 x = ctSub(ma->x, mb->x), v = ctSub(ma->v, mb->v), g = ctSub(ma->a, mb->a), rate = ctCross(nu, n);
    Reach low = turnedBy(a, below, ctNeg(n), nu), high = turnedBy(b, above, n, nu);
    double speed = ctDot(n, v) + ctDot(rate, x);
    double bend = ctDot(n, g) + 2.0 * ctDot(rate, v) + ctDot(ctCross(nu, rate), x);
    bend -= ma->stray + mb->stray;
    double pull = ctLength(g) + ma->stray + mb->stray, fast = ctLength(v) + pull * horizon,
           far = ctLength(x) + fast * horizon;
    double spin = ctLength(nu), growth = spin * (3.0 * pull + spin * (3.0 * fast + spin * far));
    return timeOf(a, b, &low, &high, gap, speed, bend - growth * horizon, horizon);
}

double ctTouchingTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double depth, double *gap)
{
    const ctMotion *ma = a->motion, *mb = b->motion;
    Reach below = startOf(a, ctNeg(n)), above = startOf(b, n);
    *gap = ctDot(n, ctSub(ma->x, mb->x)) - below.far - above.far;
    if (!(*gap > -depth)) {
        return 0.0;
    }
    if (b->shape->type == ct_shapePlane) {
        return timeOf(a, b, &below, &above, *gap, ctDot(n, ma->v), ctDot(n, ma->a) - ma->stray, horizon);
    }
    double onB = turningTime(a, b, &below, &above, n, mb->w, *gap, horizon);
    double onA = onB < horizon ? turningTime(a, b, &below, &above, n, ma->w, *gap, horizon) : 0.0;
    return onA > onB ? onA : onB;
}
