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
#include "collision/separation.h"

#include "collision/support.h"
#include "collision/toi.h"

// A gap smaller than this part of the bodies' size is not told from none.
#define LEAST_GAP 1e-7

static const ctShape *sharpOf(const ctShape *part)
{
    return part->sharp != NULL ? part->sharp : part;
}

double ctReachAlong(const ctShape *part, const ctPose *pose, ctVec3 n)
{
    const ctShape *sharp = sharpOf(part);
    int code = 0;
    ctVec3 d = ctMulTMV(pose->r, n);
    return ctDot(d, ctCoreSupport(sharp, d, &code)) + sharp->round + ctDot(n, pose->p);
}

// How far some parts reach along d from the origin of the shape's frame; a plane, along its normal.
static double reachOfParts(const ctShape *shape, int first, int count, ctVec3 d)
{
    if (shape->type == ct_shapePlane) {
        return shape->u.plane.offset;
    }
    double most = -INFINITY;
    for (int i = first; i < first + count; i++) {
        const ctLeaf *leaf = &shape->leaves[i];
        const ctShape *part = sharpOf(leaf->shape);
        ctVec3 own = leaf->pose.q.w != 1.0 ? ctInvRotate(leaf->pose.q, d) : d;
        int code = 0;
        double reach = ctDot(own, ctCoreSupport(part, own, &code)) + part->round + ctDot(d, leaf->pose.p);
        most = reach > most ? reach : most;
    }
    return most;
}

double ctWholeReachAlong(const ctShape *shape, const ctPose *pose, ctVec3 n)
{
    return reachOfParts(shape, 0, shape->leafCount, ctMulTMV(pose->r, n)) + ctDot(n, pose->p);
}

// How far the parts reach along d from the centre of mass; d, in the shape's frame, is n or near it.
static double reachOf(const ctPlaneSide *side, ctVec3 d)
{
    return reachOfParts(side->shape, side->first, side->count, d) - ctDot(d, side->motion->center);
}

// One body's part of the parabola: its reach along m, how fast that grows, and half of what its rate grows by.
typedef struct Reach {
    ctVec3 m, change; // in the shape's frame: along n, and m x w
    double far;       // m
    double rate;      // m/s, no less than
    double bend;      // m/s^2
} Reach;

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

// The rate again, by a second reach at the horizon.
static void sharpen(const ctPlaneSide *side, Reach *reach, double horizon)
{
    if (reach->rate > 0.0) {
        ctVec3 k = ctMulAdd(reach->m, horizon, reach->change);
        reach->rate = (reachOf(side, k) - reach->far) / horizon;
    }
}

double ctSeparationTime(const ctPlaneSide *a, const ctPlaneSide *b, ctVec3 n, double horizon, double *gap)
{
    const ctMotion *ma = a->motion, *mb = b->motion;
    Reach below = startOf(a, ctNeg(n)), above = startOf(b, n);
    *gap = ctDot(n, ctSub(ma->x, mb->x)) - below.far - above.far;
    if (!(*gap > LEAST_GAP * (a->radius < b->radius ? a->radius : b->radius))) {
        return 0.0;
    }
    double speed = ctDot(n, ctSub(ma->v, mb->v));
    double bend = ctDot(n, ctSub(ma->a, mb->a)) - below.bend - above.bend;
    double time = ctFallTime(*gap, speed - below.rate - above.rate, bend);
    if (time < horizon) {
        sharpen(a, &below, horizon);
        sharpen(b, &above, horizon);
        time = ctFallTime(*gap, speed - below.rate - above.rate, bend);
    }
    return time < horizon ? time : horizon;
}
