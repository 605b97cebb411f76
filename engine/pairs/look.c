// The geometry of a pair of bodies that are not balls, at an instant and for some time ahead.
//
// Each pair of leaves (convex parts) is tested in three stages: the balls that hold the leaves, while they are far
// apart; the plane that separated them at the last look; distance by GJK and a bound of the time of impact
// (collision/toi.h).
#include "collision/separation.h"
#include "collision/toi.h"
#include "engine/pairs/look_internal.h"
#include "engine/pairs/tile_internal.h"

// [storage] The balls of so many leaves are kept for a look.
enum { BALLS = 8 };

// The ball that holds a leaf, and its motion.
typedef struct LeafBall {
    ctVec3 center, v; // of the ball
    double radius;
    double bend; // m/s^2: bound of the acceleration of its centre, besides the body's
} LeafBall;

static LeafBall leafBall(const ctPose *pose, const ctMotion *motion, const ctLeaf *leaf)
{
    LeafBall ball = {.center = ctPosePoint(pose, ctTransformPoint(leaf->pose, leaf->shape->unit.center))};
    ctVec3 arm = ctSub(ball.center, motion->x);
    ball.v = ctVelocityAt(motion->v, motion->w, arm);
    ball.radius = leaf->shape->boundRadius;
    ball.bend = ctLength(arm) * (motion->wMax * motion->wMax + motion->alphaMax);
    return ball;
}

// Everything a look at a general pair needs.
typedef struct View {
    ctMotion motionA, motionB;
    ctPose poseA, poseB;
    const ctShape *shapeA, *shapeB;
    LeafBall ballsA[BALLS], ballsB[BALLS]; // of the first leaves
    double radiusA, radiusB;
    double size;    // m: the smaller radius
    double soon;    // s: the least life of a box
    double horizon; // s
    bool brief;     // the horizon is the next step of an island, or a few microcollisions away
    bool micro;     // the latter
} View;

// The horizon in microcollision mode: at most longest, and less for bodies that hop.
static double hopHorizon(const ctWorld *world, const ctBodyPair *pair, double longest)
{
    const ctBody *bodies[2] = {&world->bodies[pair->a], &world->bodies[pair->b]};
    double g = ctLength(world->def.gravity);
    for (int i = 0; i < 2 && g > 0.0; i++) {
        double hop = 2.0 * sqrt(2.0 * CT_MICRO_ENVELOPE * bodies[i]->radius / g);
        if (ctBody_IsMovable(bodies[i]) && world->now - bodies[i]->microTime < hop) {
            longest = ctFmin(longest, 2.0 * hop);
        }
    }
    return longest;
}

double ctPair_Horizon(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *bodyA = &world->bodies[pair->a], *bodyB = &world->bodies[pair->b];
    double longest = CT_BOX_FRAMES * ctBodies_BoxTime(world, bodyA, bodyB);
    if (world->def.contact == ct_contactMicrocollision) {
        return hopHorizon(world, pair, longest);
    }
    double a = ctBody_CourseEnd(bodyA), b = ctBody_CourseEnd(bodyB);
    double left = (a < b ? a : b) - world->now;
    if (left <= 0.0) {
        return 0.0;
    }
    return left < longest ? (1.0 + CT_LOOK_BEYOND) * left : longest;
}

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
    for (int i = 0; i < view->shapeA->leafCount && i < BALLS; i++) {
        view->ballsA[i] = leafBall(&view->poseA, &view->motionA, &view->shapeA->leaves[i]);
    }
    for (int i = 0; i < view->shapeB->leafCount && i < BALLS && !b->plane; i++) {
        view->ballsB[i] = leafBall(&view->poseB, &view->motionB, &view->shapeB->leaves[i]);
    }
    view->radiusA = a->radius;
    view->radiusB = b->radius;
    view->size = ctBodies_Size(a, b);
    view->soon = ctBodies_BoxTime(world, a, b);
    view->horizon = ctFmax(ctPair_Horizon(world, pair), CT_SHORTEST_STEP * ctBodies_Step(world, a, b));
    view->brief = view->horizon < view->soon;
    view->micro = view->brief && world->def.contact == ct_contactMicrocollision;
}

// Whether the plane that separated two leaves at their last look still does, and will for a step.
static bool isHeldApart(const View *view, int la, int lb, const ctLeafPair *leaf, double *gap)
{
    if (!view->brief || ctLengthSquared(leaf->normal) == 0.0) {
        return false;
    }
    ctPlaneSide a = {view->shapeA, &view->motionA, view->radiusA, la, 1, ct_shapePlane};
    ctPlaneSide b = {view->shapeB, &view->motionB, view->radiusB, lb, 1, ct_shapePlane};
    return ctSeparationTime(&a, &b, leaf->normal, view->horizon, gap) >= view->horizon &&
           *gap > CT_LOOK_ROOM * view->size;
}

// For how long the plane of their last look separates two leaves, s from now.
static double timeOnPlane(const View *view, int la, int lb, const ctLeafPair *leaf)
{
    const ctShape *leafA = view->shapeA->leaves[la].shape, *leafB = view->shapeB->leaves[lb].shape;
    ctPlaneSide a = {view->shapeA, &view->motionA, view->radiusA, la, 1, leafB->type};
    ctPlaneSide b = {view->shapeB, &view->motionB, view->radiusB, lb, 1, leafA->type};
    double gap;
    return ctTouchingTime(&a, &b, leaf->normal, view->horizon, CT_EQUAL * view->size, &gap);
}

// Looks at two leaves. Returns the time before which they cannot touch, s.
static double lookAtLeaf(ctWorld *world, const View *view, int la, int lb, ctLeafPair *leaf, ctClosest *closest)
{
    const ctLeaf *leafA = &view->shapeA->leaves[la], *leafB = &view->shapeB->leaves[lb];
    ctPose poseA = ctShape_PartPose(view->shapeA, la, &view->poseA);
    ctPose poseB = ctShape_PartPose(view->shapeB, lb, &view->poseB);
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
    double gap;
    leaf->normal = closest->normal;
    if (isHeldApart(view, la, lb, leaf, &gap)) {
        return world->now + view->horizon;
    }
    double until = view->micro && closest->distance > CT_EQUAL * view->size ? timeOnPlane(view, la, lb, leaf) : 0.0;
    if (until > CT_LOOK_WORTHWHILE * view->horizon) {
        return world->now + until;
    }
    return world->now + ctTimeOfImpactBound(&in, &exact);
}

// The vector from a box that does not turn to a point; zero inside.
static ctVec3 wayFromBox(const ctPose *pose, const ctLeaf *leaf, ctVec3 point)
{
    ctPose box = ctLeaf_Pose(leaf, pose);
    ctVec3 p = ctMulTMV(box.r, ctSub(point, box.p)), lo = leaf->shape->lo, hi = leaf->shape->hi;
    return ctMulMV(box.r, ctSub(p, ctMin(ctMax(p, lo), hi)));
}

static bool isStillBox(const ctMotion *motion, const ctLeaf *leaf)
{
    return leaf->shape->type == ct_shapeBox && motion->wMax == 0.0 && motion->alphaMax == 0.0;
}

// A lower bound of the distance of two leaves that are not planes, from the balls that hold them (a box that does not
// turn is used itself). Also a lower bound of the time until they touch, from the motion along the line n between them.
static double cheapGap(const View *view, int la, int lb, ctVec3 *n, double *time)
{
    const ctLeaf *leafA = &view->shapeA->leaves[la], *leafB = &view->shapeB->leaves[lb];
    LeafBall a = la < BALLS ? view->ballsA[la] : leafBall(&view->poseA, &view->motionA, leafA);
    LeafBall b = lb < BALLS ? view->ballsB[lb] : leafBall(&view->poseB, &view->motionB, leafB);
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
        *n = ctScale(1.0 / length, way);
        double stray = view->motionA.stray + view->motionB.stray;
        double acceleration = ctDot(*n, ctSub(view->motionA.a, view->motionB.a)) - a.bend - b.bend - stray;
        *time = ctFirstRoot(gap, ctDot(*n, ctSub(a.v, b.v)), acceleration);
    }
    return gap;
}

// The results for a pair while its leaves are tested.
typedef struct Sum {
    double seen, ruledOut; // m: smallest measured distance; smallest bound of the others
    double until;          // s
    int nearest;           // of the pairs of leaves that are ruled out
} Sum;

// Whether a pair of leaves need not be measured: it is far apart, and cannot touch for a frame, or not before another.
static bool isRuledOut(const ctWorld *world, const View *view, int la, int lb, ctLeafPair *leaf, Sum *sum)
{
    ctVec3 n = ctZero3();
    double time, gap = cheapGap(view, la, lb, &n, &time), until = world->now + time;
    double soon = view->brief ? view->horizon : view->soon;
    if (gap > CT_ROOMY * view->size && (time >= soon || until >= sum->until)) {
        leaf->normal = n;
    } else if (isHeldApart(view, la, lb, leaf, &gap)) {
        until = world->now + view->horizon;
    } else {
        return false;
    }
    sum->until = until < sum->until ? until : sum->until;
    if (gap < sum->ruledOut) {
        sum->ruledOut = gap;
        sum->nearest = la * view->shapeB->leafCount + lb;
    }
    return true;
}

void ctPair_LookGeneral(ctWorld *world, int index, ctPairLook *look)
{
    ctBodyPair *pair = &world->pairs[index];
    ctPairExtra *extra = &world->extras[index];
    View view;
    makeView(world, pair, &view);
    int countB = view.shapeB->leafCount, first = extra->closest;
    Sum sum = {INFINITY, INFINITY, world->now + view.horizon, first};
    bool plane = view.shapeB->type == ct_shapePlane;
    *look = (ctPairLook){0};
    // The pair of leaves that was closest last time comes first: its time rules out most others.
    for (int k = 0; k < extra->leafCount; k++) {
        int i = k == 0 ? first : k <= first ? k - 1 : k;
        int la = i / countB, lb = i % countB;
        ctLeafPair *leaf = &extra->leaves[i];
        if (!plane && isRuledOut(world, &view, la, lb, leaf, &sum)) {
            continue;
        }
        ctClosest closest;
        double until = lookAtLeaf(world, &view, la, lb, leaf, &closest);
        sum.until = until < sum.until ? until : sum.until;
        if (closest.distance < sum.seen) {
            sum.seen = closest.distance;
            extra->closest = i;
            *look = (ctPairLook){closest.distance, closest.normal, closest.pointA, closest.pointB, la, lb, 0.0, 0.0};
        }
    }
    if (sum.ruledOut < sum.seen) {
        extra->closest = sum.nearest;
        look->distance = sum.ruledOut;
    } else if (extra->leafCount > 1) {
        ctClosest c = {.normal = look->normal, .pointA = look->pointA, .pointB = look->pointB};
        ctPair_LevelEdge(world, index, extra->closest, &c);
        look->normal = c.normal;
        look->pointA = c.pointA;
        look->pointB = c.pointB;
    }
    look->until = sum.until;
}

// leaves: the cached data of the pairs of parts, or NULL.
static double distanceOf(ctWorld *world, int a, int b, ctLeafPair *leaves, double time, ctBodyState states[2])
{
    const ctShape *shapeA = ctBody_Shape(world, a), *shapeB = ctBody_Shape(world, b);
    states[0] = ctBody_StateAt(world, &world->bodies[a], time);
    states[1] = ctBody_StateAt(world, &world->bodies[b], time);
    ctPose poseA = {ctZero3(), ctMat3FromQuat(states[0].q)}, poseB = {ctZero3(), ctMat3FromQuat(states[1].q)};
    poseA.p = ctSub(states[0].x, ctMulMV(poseA.r, world->infos[a].center));
    poseB.p = ctSub(states[1].x, ctMulMV(poseB.r, world->infos[b].center));
    double best = INFINITY;
    if (shapeB->type == ct_shapeTerrain) {
        ctClosest closest = {.distance = INFINITY};
        return ctTerrain_Closest(shapeB->u.terrain, &poseB, shapeA, &poseA, INFINITY, &closest) ? closest.distance
                                                                                                : best;
    }
    for (int i = 0; i < shapeA->leafCount; i++) {
        for (int j = 0; j < shapeB->leafCount; j++) {
            ctPose pa = ctLeaf_Pose(&shapeA->leaves[i], &poseA), pb = ctLeaf_Pose(&shapeB->leaves[j], &poseB);
            ctGjkCache *cache = leaves != NULL ? &leaves[i * shapeB->leafCount + j].cache : NULL;
            ctClosest closest;
            world->stats.distanceChecks++;
            ctClosestPoints(shapeA->leaves[i].shape, &pa, shapeB->leaves[j].shape, &pb, cache, &closest);
            best = closest.distance < best ? closest.distance : best;
        }
    }
    return best;
}

double ctBodies_Distance(ctWorld *world, int a, int b)
{
    bool swap = world->bodies[a].plane || world->bodies[a].terrain;
    ctBodyState states[2];
    return distanceOf(world, swap ? b : a, swap ? a : b, NULL, world->now, states);
}

double ctPair_Distance(ctWorld *world, int index, double time, ctBodyState states[2])
{
    const ctBodyPair *pair = &world->pairs[index];
    ctLeafPair *leaves = pair->kind == ct_pairGeneral ? world->extras[index].leaves : NULL;
    return distanceOf(world, pair->a, pair->b, leaves, time, states);
}

int ctPair_Nearest(ctWorld *world, int index, ctClosest *nearest)
{
    const ctBodyPair *pair = &world->pairs[index];
    ctPairExtra *extra = &world->extras[index];
    const ctShape *shapeA = ctBody_Shape(world, pair->a), *shapeB = ctBody_Shape(world, pair->b);
    ctPose a = ctBody_Pose(world, &world->bodies[pair->a]), b = ctBody_Pose(world, &world->bodies[pair->b]);
    int best = 0;
    nearest->distance = INFINITY;
    for (int i = 0; i < extra->leafCount; i++) {
        int la = i / shapeB->leafCount, lb = i % shapeB->leafCount;
        ctPose poseA = ctShape_PartPose(shapeA, la, &a), poseB = ctShape_PartPose(shapeB, lb, &b);
        ctClosest c;
        ctClosestPoints(shapeA->leaves[la].shape, &poseA, shapeB->leaves[lb].shape, &poseB, &extra->leaves[i].cache,
                        &c);
        if (c.distance < nearest->distance) {
            *nearest = c;
            best = i;
        }
    }
    return best;
}
