// When may two bodies touch? Bounds on times of impact, and the geometry of a pair at an instant.
//
// Two balls: with d = x_a - x_b, u = v_a - v_b and equal accelerations, |d + u t| = R has the exact root
//   t = c / (-b + sqrt(b^2 - |u|^2 c)),   b = d.u < 0,   c = |d|^2 - R^2.
// With different accelerations the projection on the present direction n is a lower bound of the gap,
//   gap(t) >= (|d| - R) + n.u t + n.a t^2 / 2,
// whose root is safe, and repeating it converges quadratically.
// A ball and a plane: the gap is exactly such a parabola.
// Everything else: leaf pair by leaf pair, the balls that hold the leaves while they are far apart, then distance by
// GJK and a bound on the time of impact (collision/toi.h).
#include "collision/manifold.h"
#include "collision/memory.h"
#include "collision/toi.h"
#include "engine/world_internal.h"

#include <assert.h>

// A gap of this part of the smaller body's radius is far from a touch.
#define ROOMY 0.02

static double sizeOf(const ctBody *a, const ctBody *b)
{
    return b->plane || a->radius < b->radius ? a->radius : b->radius;
}

// Position and velocity of a body's centre at now; the body is left as it is.
typedef struct Centre {
    ctVec3 x, v;
} Centre;

static inline Centre centreOf(const ctWorld *world, const ctBody *body)
{
    double s = world->now - body->t;
    return (Centre){ctMulAdd(ctMulAdd(body->x, s, body->v), 0.5 * s * s, body->a), ctMulAdd(body->v, s, body->a)};
}

// Approach slower than this between bodies that touch is rounding.
static double speedRounding(const ctBody *a, const ctBody *b)
{
    double speed = ctMaxElement(ctAbs(a->v)) + ctMaxElement(ctAbs(b->v));
    return CT_SPEED_ROUNDING * (CT_IMPACT_SPEED + speed);
}

// ---- balls ------------------------------------------------------------------------------------

// Under different accelerations: the bound, repeated until it is as good as the root.
static double ballsAccelerated(ctVec3 d, ctVec3 u, ctVec3 acceleration, double reach, double gapTolerance)
{
    double t = 0.0;
    for (int i = 0; i < 12; i++) {
        double length = ctLength(d);
        ctVec3 n = ctScale(1.0 / length, d);
        double gap = length - reach;
        if (t > 0.0 && gap <= gapTolerance) {
            break;
        }
        double step = ctFirstRoot(gap, ctDot(n, u), ctDot(n, acceleration));
        t += step;
        if (!(t < 1e3) || step == 0.0) {
            break;
        }
        d = ctMulAdd(ctMulAdd(d, step, u), 0.5 * step * step, acceleration);
        u = ctMulAdd(u, step, acceleration);
    }
    return t < 1e3 ? t : (double)INFINITY;
}

// From now to the impact of two balls; centre is that of a.
static inline double timeOfBalls(const ctWorld *world, const ctBody *a, const Centre *centre, const ctBody *b)
{
    Centre other = centreOf(world, b);
    ctVec3 d = ctSub(centre->x, other.x), u = ctSub(centre->v, other.v);
    double reach = a->radius + b->radius, du = ctDot(d, u);
    ctVec3 acceleration = ctSub(a->a, b->a);
    if ((acceleration.x != 0.0) | (acceleration.y != 0.0) | (acceleration.z != 0.0)) {
        return ballsAccelerated(d, u, acceleration, reach, 1e-14 * (reach + ctMaxElement(ctAbs(a->x))));
    }
    if (du >= 0.0) {
        return INFINITY;
    }
    double c = ctDot(d, d) - reach * reach;
    double uu = ctDot(u, u), disc = du * du - uu * c;
    if (disc < 0.0) {
        return INFINITY;
    }
    if (c <= 4e-13 * reach * reach && du > -reach * speedRounding(a, b)) {
        return INFINITY; // touching, and moving together
    }
    return c > 0.0 ? c / (sqrt(disc) - du) : 0.0;
}

double ctBalls_Time(const ctWorld *world, int a, int b)
{
    Centre centre = centreOf(world, &world->bodies[a]);
    return world->now + timeOfBalls(world, &world->bodies[a], &centre, &world->bodies[b]);
}

ctVec3 ctBody_PlaneNormal(const ctWorld *world, const ctBody *plane, double *offset)
{
    const ctShape *shape = ctBody_Shape(world, ctBody_Index(world, plane));
    ctVec3 n = ctRotate(plane->q, shape->u.plane.normal);
    *offset = shape->u.plane.offset + ctDot(n, plane->x);
    return n;
}

static double timeOfBallPlane(const ctWorld *world, const ctBody *a, const ctBody *b)
{
    double offset;
    ctVec3 n = ctBody_PlaneNormal(world, b, &offset);
    Centre centre = centreOf(world, a);
    double gap = ctDot(n, centre.x) - offset - a->radius;
    double u = ctDot(n, centre.v), acceleration = ctDot(n, a->a);
    if (gap <= 1e-13 * a->radius && u < 0.0 && u > -speedRounding(a, b) && acceleration >= 0.0) {
        return INFINITY;
    }
    return ctFirstRoot(gap, u, acceleration);
}

// ---- the rest ---------------------------------------------------------------------------------

static ctPose leafPose(const ctPose *pose, const ctLeaf *leaf)
{
    ctTransform t = leaf->pose;
    ctPose out = {ctPosePoint(pose, t.p), ctMulMM(pose->r, ctMat3FromQuat(t.q))};
    return out;
}

// Everything a look at a general pair needs.
typedef struct View {
    ctMotion motionA, motionB;
    ctPose poseA, poseB;
    const ctShape *shapeA, *shapeB;
    double roomy; // m: a gap as wide as this is no touch, and little is lost when it is known to be no smaller
    double horizon;
} View;

static void makeView(ctWorld *world, const ctBodyPair *pair, View *view)
{
    ctBody_Advance(world, pair->a);
    ctBody_Advance(world, pair->b);
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    view->motionA = ctBody_Motion(world, a);
    view->motionB = ctBody_Motion(world, b);
    view->poseA = ctMotion_Pose(&view->motionA);
    view->poseB = ctMotion_Pose(&view->motionB);
    view->shapeA = ctBody_Shape(world, pair->a);
    view->shapeB = ctBody_Shape(world, pair->b);
    view->roomy = ROOMY * sizeOf(a, b);
    view->horizon = CT_BOX_FRAMES * world->def.frameTime;
}

static void lookAtLeaf(ctWorld *world, const View *view, int la, int lb, ctLeafPair *leaf, ctClosest *closest)
{
    const ctLeaf *leafA = &view->shapeA->leaves[la], *leafB = &view->shapeB->leaves[lb];
    ctPose poseA = view->shapeA->leafCount > 1 ? leafPose(&view->poseA, leafA) : view->poseA;
    ctPose poseB = view->shapeB->leafCount > 1 ? leafPose(&view->poseB, leafB) : view->poseB;
    ctClosestPoints(leafA->shape, &poseA, leafB->shape, &poseB, &leaf->cache, closest);
    world->stats.distanceChecks++;
    ctToiInput in = {.shapeA = leafA->shape,
                     .shapeB = leafB->shape,
                     .leafA = leafA->pose,
                     .leafB = leafB->pose,
                     .motionA = &view->motionA,
                     .motionB = &view->motionB,
                     .closest = closest,
                     .horizon = view->horizon};
    bool exact;
    leaf->until = world->now + ctTimeOfImpactBound(&in, &exact);
}

// The ball that holds a leaf, and how it moves.
typedef struct LeafBall {
    ctVec3 center, v; // of the ball
    double radius;
    double bend; // m/s^2: its centre accelerates by no more than this besides the body's acceleration
} LeafBall;

static LeafBall leafBall(const ctPose *pose, const ctMotion *motion, const ctLeaf *leaf)
{
    LeafBall ball = {.center = ctPosePoint(pose, ctTransformPoint(leaf->pose, leaf->shape->unit.center))};
    ctVec3 arm = ctSub(ball.center, motion->x);
    ball.v = ctAdd(motion->v, ctCross(motion->w, arm));
    ball.radius = leaf->shape->boundRadius;
    ball.bend = ctLength(arm) * (motion->wMax * motion->wMax + motion->alphaMax);
    return ball;
}

// The way from a box that does not turn to a point, zero inside.
static ctVec3 wayFromBox(const ctPose *pose, const ctLeaf *leaf, ctVec3 point)
{
    ctPose box = leafPose(pose, leaf);
    ctVec3 p = ctMulTMV(box.r, ctSub(point, box.p)), lo = leaf->shape->lo, hi = leaf->shape->hi;
    return ctMulMV(box.r, ctSub(p, ctMin(ctMax(p, lo), hi)));
}

static bool isStillBox(const ctMotion *motion, const ctLeaf *leaf)
{
    return leaf->shape->type == ct_shapeBox && motion->wMax == 0.0 && motion->alphaMax == 0.0;
}

// A lower bound on the distance of two leaves that are not planes, from the balls that hold them (a box that does not
// turn is taken as it is); and on the time until they touch, from how these move along the line between them.
static double cheapGap(const View *view, int la, int lb, double *time)
{
    const ctLeaf *leafA = &view->shapeA->leaves[la], *leafB = &view->shapeB->leaves[lb];
    LeafBall a = leafBall(&view->poseA, &view->motionA, leafA), b = leafBall(&view->poseB, &view->motionB, leafB);
    ctVec3 way = ctSub(a.center, b.center);
    if (isStillBox(&view->motionB, leafB)) {
        way = wayFromBox(&view->poseB, leafB, a.center);
        b.radius = 0.0;
    } else if (isStillBox(&view->motionA, leafA)) {
        way = ctNeg(wayFromBox(&view->poseA, leafA, b.center));
        a.radius = 0.0;
    }
    double length = ctLength(way), gap = length - a.radius - b.radius;
    *time = 0.0;
    if (gap > 0.0) {
        ctVec3 n = ctScale(1.0 / length, way);
        double acceleration = ctDot(n, ctSub(view->motionA.a, view->motionB.a)) - a.bend - b.bend;
        *time = ctFirstRoot(gap, ctDot(n, ctSub(a.v, b.v)), acceleration);
    }
    return gap;
}

// A leaf pair that is far apart and cannot touch for a frame, or not sooner than another, is not looked at.
static void lookGeneral(ctWorld *world, int index, ctPairLook *look)
{
    ctBodyPair *pair = &world->pairs[index];
    ctPairExtra *extra = &world->extras[index];
    View view;
    makeView(world, pair, &view);
    int countB = view.shapeB->leafCount, first = extra->closest;
    double seen = INFINITY, ruledOut = INFINITY, until = world->now + view.horizon;
    double soon = world->now + world->def.frameTime;
    bool plane = view.shapeB->type == ct_shapePlane;
    *look = (ctPairLook){0};
    // The leaf pair that was closest last time goes first: its time rules out most others.
    for (int k = 0; k < extra->leafCount; k++) {
        int i = k == 0 ? first : k <= first ? k - 1 : k;
        int la = i / countB, lb = i % countB;
        ctLeafPair *leaf = &extra->leaves[i];
        if (!plane) {
            double time, gap = cheapGap(&view, la, lb, &time);
            leaf->until = world->now + time;
            if (gap > view.roomy && (leaf->until >= soon || leaf->until >= until)) {
                until = leaf->until < until ? leaf->until : until;
                ruledOut = gap < ruledOut ? gap : ruledOut;
                continue;
            }
        }
        ctClosest closest;
        lookAtLeaf(world, &view, la, lb, leaf, &closest);
        until = leaf->until < until ? leaf->until : until;
        if (closest.distance < seen) {
            seen = closest.distance;
            extra->closest = i;
            *look = (ctPairLook){closest.distance, closest.normal, closest.pointA, closest.pointB, la, lb, 0.0, 0.0};
        }
    }
    look->distance = ruledOut < seen ? ruledOut : seen;
    look->until = until;
}

void ctPair_Look(ctWorld *world, int index, ctPairLook *look)
{
    ctBodyPair *pair = &world->pairs[index];
    ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (pair->kind == ct_pairGeneral) {
        lookGeneral(world, index, look);
    } else {
        ctBody_Advance(world, pair->a);
        ctBody_Advance(world, pair->b);
        *look = (ctPairLook){0};
        if (pair->kind == ct_pairBalls) {
            Centre centre = {a->x, a->v};
            ctVec3 d = ctSub(a->x, b->x);
            double length = ctLength(d);
            look->normal = length > 0.0 ? ctScale(1.0 / length, d) : ctV3(0.0, 0.0, 1.0);
            look->distance = length - a->radius - b->radius;
            look->until = world->now + timeOfBalls(world, a, &centre, b);
            look->pointB = ctMulAdd(b->x, b->radius, look->normal);
        } else {
            double offset;
            look->normal = ctBody_PlaneNormal(world, b, &offset);
            look->distance = ctDot(look->normal, a->x) - offset - a->radius;
            look->until = world->now + timeOfBallPlane(world, a, b);
            look->pointB = ctMulAdd(a->x, -a->radius - look->distance, look->normal);
        }
        look->pointA = ctMulAdd(a->x, -a->radius, look->normal);
    }
    pair->distance = look->distance;
    pair->pathA = a->path;
    pair->pathB = b->path;
    ctWorld_SeeGap(world, pair->a, pair->b, look->distance);
}

double ctBodies_Distance(ctWorld *world, int a, int b)
{
    if (world->bodies[a].plane) {
        int swap = a;
        a = b;
        b = swap;
    }
    const ctShape *shapeA = ctBody_Shape(world, a), *shapeB = ctBody_Shape(world, b);
    ctBodyState sa = ctBody_StateAt(world, &world->bodies[a], world->now);
    ctBodyState sb = ctBody_StateAt(world, &world->bodies[b], world->now);
    ctPose poseA = {ctZero3(), ctMat3FromQuat(sa.q)}, poseB = {ctZero3(), ctMat3FromQuat(sb.q)};
    poseA.p = ctSub(sa.x, ctMulMV(poseA.r, world->infos[a].center));
    poseB.p = ctSub(sb.x, ctMulMV(poseB.r, world->infos[b].center));
    double best = INFINITY;
    for (int i = 0; i < shapeA->leafCount; i++) {
        for (int j = 0; j < shapeB->leafCount; j++) {
            ctPose pa = leafPose(&poseA, &shapeA->leaves[i]), pb = leafPose(&poseB, &shapeB->leaves[j]);
            ctClosest closest;
            ctClosestPoints(shapeA->leaves[i].shape, &pa, shapeB->leaves[j].shape, &pb, NULL, &closest);
            best = closest.distance < best ? closest.distance : best;
        }
    }
    return best;
}

int ctPair_Touches(ctWorld *world, int index, double gap, ctTouch *touches, int max)
{
    const ctBodyPair *pair = &world->pairs[index];
    if (pair->kind != ct_pairGeneral) {
        ctPairLook look;
        ctPair_Look(world, index, &look);
        if (look.distance > gap || max < 1) {
            return 0;
        }
        touches[0] = (ctTouch){index, look.normal, ctLerp(look.pointA, look.pointB, 0.5), 0};
        return 1;
    }
    ctPairExtra *extra = &world->extras[index];
    View view;
    makeView(world, pair, &view);
    int countB = view.shapeB->leafCount, count = 0;
    bool single = extra->leafCount == 1 || view.shapeB->type == ct_shapePlane;
    for (int i = 0; i < extra->leafCount; i++) {
        int la = i / countB, lb = i % countB;
        double time;
        if (!single && cheapGap(&view, la, lb, &time) > gap) {
            continue;
        }
        const ctLeaf *leafA = &view.shapeA->leaves[la], *leafB = &view.shapeB->leaves[lb];
        ctPose poseA = leafPose(&view.poseA, leafA), poseB = leafPose(&view.poseB, leafB);
        ctManifold manifold = {.count = 0};
        ctCollide(leafA->shape, &poseA, leafB->shape, &poseB, gap, &extra->leaves[i].cache, NULL, &manifold);
        for (int k = 0; k < manifold.count && count < max; k++) {
            const ctManifoldPoint *point = &manifold.points[k];
            touches[count++] = (ctTouch){index, manifold.normal, ctLerp(point->pointA, point->pointB, 0.5),
                                         (uint32_t)(i * CT_MANIFOLD_POINTS + k)};
        }
    }
    return count;
}

// ---- the heap ---------------------------------------------------------------------------------

// The gap cannot have shrunk by more than the two have travelled since it was measured. True when that
// alone puts the pair off far enough.
static bool putOff(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (a->t != world->now || b->t != world->now) {
        ctBody_Advance(world, pair->a);
        ctBody_Advance(world, pair->b);
    }
    double gap = pair->distance - (a->path - pair->pathA) - (b->path - pair->pathB);
    if (!(gap > ROOMY * sizeOf(a, b))) {
        return false;
    }
    double speed = ctDistance(a->v, b->v) + a->wMax * a->radius + b->wMax * b->radius;
    double step = ctFirstRoot(gap, -speed, -ctDistance(a->a, b->a));
    if (!(step > 2.0 * world->tickStep)) {
        return false;
    }
    ctHeap_Set(&world->pairHeap, index, world->now + step);
    return true;
}

void ctPair_Schedule(ctWorld *world, int index, bool full)
{
    ctBodyPair *pair = &world->pairs[index];
    assert(pair->state == ct_pairApart);
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    Centre centre;
    switch ((ctPairKind)pair->kind) {
    case ct_pairBalls:
        centre = centreOf(world, a);
        ctHeap_Set(&world->pairHeap, index, world->now + timeOfBalls(world, a, &centre, b));
        break;
    case ct_pairBallPlane:
        ctHeap_Set(&world->pairHeap, index, world->now + timeOfBallPlane(world, a, b));
        break;
    case ct_pairGeneral:
        if (full || !putOff(world, index)) {
            ctPairLook look;
            ctPair_Look(world, index, &look);
            world->extras[index].idle = 0;
            ctHeap_Set(&world->pairHeap, index, look.until);
        }
        break;
    }
}

void ctPair_ScheduleAll(ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    int count;
    const ctLink *links = ctBody_Links(world, index, &count);
    if (body->contactPairs >= count) {
        return; // deep in a pile nothing is apart
    }
    // Asked for together: with ten thousand bodies most of the time is waiting for memory.
    for (int i = 0; i < count; i++) {
        ctPrefetch(&world->bodies[links[i].other]);
        ctPrefetch(&world->bodies[links[i].other].a);
        ctPrefetch(&world->pairHeap.where[links[i].tag != CT_LATENT ? links[i].tag : 0]);
    }
    // All pairs of a ball without contacts are apart, and most are with balls: these need no look at the pair.
    bool simple = body->ball && body->contactPairs == 0;
    Centre centre = centreOf(world, body);
    for (int i = 0; i < count; i++) {
        int tag = links[i].tag;
        const ctBody *other = &world->bodies[links[i].other];
        if (tag == CT_LATENT || (simple && other->ball)) {
            double time = world->now + timeOfBalls(world, body, &centre, other);
            if (tag == CT_LATENT && time < (double)INFINITY) {
                tag = ctPair_Make(world, index, links[i].other);
            }
            if (tag >= 0 && tag != CT_LATENT && (time < (double)INFINITY || ctHeap_Has(&world->pairHeap, tag))) {
                ctHeap_Set(&world->pairHeap, tag, time);
            }
        } else if (world->pairs[tag].state == ct_pairApart) {
            ctPair_Schedule(world, tag, false);
        }
    }
}

void ctPair_Release(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    pair->state = ct_pairApart;
    world->bodies[pair->a].contactPairs--;
    world->bodies[pair->b].contactPairs--;
    ctPair_Schedule(world, index, true);
}
