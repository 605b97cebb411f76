// The geometry of a pair of bodies that are not balls, at an instant and for some time ahead.
//
// Each pair of leaves (convex parts) is tested in three stages: the balls that hold the leaves, while they are far
// apart; the plane that separated them at the last look; distance by GJK and a bound of the time of impact
// (collision/toi.h).
#include "collision/separation.h"
#include "collision/toi.h"
#include "engine/pairs/balls.h"
#include "engine/pairs/tile_internal.h"

// A gap of this share of the smaller body's radius cannot close within a step.
#define ROOM (2.0 * CT_CONTACT_MARGIN)
// A look at a body in contact reaches to the end of its present course, and by this share beyond: the island's step
// comes first. Larger: looks at a time after the change; smaller: looks again just before a step.
#define BEYOND (10.0 * CT_SHORTEST_STEP)
// [storage] The balls of so many leaves are kept for a look.
enum { BALLS = 8 };
// A separating plane that excludes a touch for less than this share of the horizon is not worth another look.
#define WORTHWHILE (2.0 * BEYOND)
// [rounding] Two touching bodies on a plan are looked at again when they can have moved by this share of their size.
#define UNSEEN 1e-10
enum { MOST_DOUBLINGS = 13 };

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

// The horizon of a look at a pair, s: a body in contact changes its course at the next step of its island, or at its
// next microcollision, and all its pairs are looked at then. Zero: that is now.
static double horizonOf(const ctWorld *world, const ctBodyPair *pair)
{
    double longest = CT_BOX_FRAMES * world->boxTime;
    if (world->def.contact == ct_contactMicrocollision) {
        return hopHorizon(world, pair, longest);
    }
    double a = ctBody_CourseEnd(&world->bodies[pair->a]), b = ctBody_CourseEnd(&world->bodies[pair->b]);
    double left = (a < b ? a : b) - world->now;
    if (left <= 0.0) {
        return 0.0;
    }
    return left < longest ? (1.0 + BEYOND) * left : longest;
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
    view->horizon = ctFmax(horizonOf(world, pair), CT_SHORTEST_STEP * world->tickStep);
    view->brief = view->horizon < world->boxTime;
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
    return ctSeparationTime(&a, &b, leaf->normal, view->horizon, gap) >= view->horizon && *gap > ROOM * view->size;
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
    if (until > WORTHWHILE * view->horizon) {
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
    double soon = view->brief ? view->horizon : world->boxTime;
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
        double room;
        ctPair_LevelEdge(world, index, extra->closest, &c, &room);
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

// ---- putting looks off ------------------------------------------------------------------------

// The plane of the last look, and the two bodies as a whole on its sides. False when there was no look.
typedef struct Sides {
    ctMotion motionA, motionB;
    ctPlaneSide a, b;
    ctVec3 n;
} Sides;

static bool sidesOf(ctWorld *world, int index, Sides *s)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    s->n = world->extras[index].leaves[world->extras[index].closest].normal;
    if (ctLengthSquared(s->n) == 0.0) {
        return false;
    }
    if (b->plane) {
        s->n = b->normal;
    }
    s->motionA = ctBody_PlainMotion(world, a);
    s->motionB = ctBody_PlainMotion(world, b);
    s->a = (ctPlaneSide){
        .shape = ctBody_Shape(world, pair->a), .motion = &s->motionA, .radius = a->radius, .met = ct_shapePlane};
    s->b = (ctPlaneSide){
        .shape = ctBody_Shape(world, pair->b), .motion = &s->motionB, .radius = b->radius, .met = ct_shapePlane};
    s->a.count = s->a.shape->leafCount;
    s->b.count = s->b.shape->leafCount;
    return true;
}

static void noteGap(ctWorld *world, int index, double gap)
{
    ctBodyPair *pair = &world->pairs[index];
    pair->distance = gap;
    pair->pathA = world->bodies[pair->a].path;
    pair->pathB = world->bodies[pair->b].path;
}

// Whether the plane of the last look separates the two bodies as a whole for a step.
static bool staysApart(ctWorld *world, int index, double horizon)
{
    const ctBodyPair *pair = &world->pairs[index];
    Sides s;
    double gap, room = ROOM * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    if (!sidesOf(world, index, &s) || ctSeparationTime(&s.a, &s.b, s.n, horizon, &gap) < horizon || !(gap > room)) {
        return false;
    }
    noteGap(world, index, gap);
    return true;
}

// The shape type that others meet, if the shape is one convex part; otherwise plane, which meets them without rounding.
static ctShapeType meetsAs(const ctShape *shape)
{
    return shape->leafCount == 1 ? shape->leaves[0].shape->type : ct_shapePlane;
}

// Bodies that hop on each other are near all the time, and have a plane between them. The time at which the gap along
// it closes, s from now; zero when that is too soon to be of use.
static double timeToTouch(ctWorld *world, int index, double horizon)
{
    const ctBodyPair *pair = &world->pairs[index];
    Sides s;
    double gap;
    if (!sidesOf(world, index, &s)) {
        return 0.0;
    }
    s.a.met = meetsAs(s.b.shape);
    s.b.met = meetsAs(s.a.shape);
    double depth = CT_EQUAL * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    double time = ctTouchingTime(&s.a, &s.b, s.n, horizon, depth, &gap);
    if (!(time > WORTHWHILE * horizon)) {
        return 0.0;
    }
    noteGap(world, index, gap);
    return time;
}

// The gap cannot have shrunk by more than the two have travelled since it was measured. The time until the rest may be
// closed.
static double timeByPaths(const ctWorld *world, const ctBodyPair *pair, double room)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double gap = pair->distance - (a->path - pair->pathA) - (b->path - pair->pathB);
    if (!(gap > room * ctBodies_Size(a, b))) {
        return 0.0;
    }
    double speed = ctBodies_SpeedBound(a, b);
    double stray = ctBody_Stray(world, a) + ctBody_Stray(world, b);
    return ctFirstRoot(gap, -speed, -ctDistance(a->a, b->a) - stray);
}

// Adds the reach of a body on a plan to *path; the speed and acceleration of another body to *speed and *pull.
static void progressOf(ctWorld *world, int index, double *path, double *speed, double *pull)
{
    const ctBody *body = &world->bodies[index];
    if (ctBody_IsPlanned(body)) {
        *path += world->infos[index].reach;
        return;
    }
    if (body->t != world->now) {
        ctBody_Advance(world, index);
    }
    *speed += ctBody_SpeedBound(body);
    *pull += ctLength(body->a) + ctBody_Stray(world, body);
}

static double paceOf(const ctWorld *world, int index)
{
    return ctBody_IsPlanned(&world->bodies[index]) ? world->infos[index].pace : 0.0;
}

// The motion of a body on a plan from its present state on, with the greatest acceleration of the plan as a bound.
static ctMotion motionOnPlan(ctWorld *world, int index, double horizon)
{
    const ctBody *body = &world->bodies[index];
    if (!ctBody_IsPlanned(body)) {
        ctBody_Advance(world, index);
        return ctBody_PlainMotion(world, body);
    }
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    double surge = world->infos[index].surge, turning = surge / body->radius;
    return (ctMotion){.x = s.x,
                      .v = s.v,
                      .q = s.q,
                      .w = s.w,
                      .stray = surge,
                      .alphaMax = turning,
                      .wMax = ctLength(s.w) + horizon * turning,
                      .center = world->infos[index].center};
}

// For how long the planes of the last looks separate the parts of two bodies, s, and by how much (m).
static double timeOfParts(const ctWorld *world, int index, const Sides *s, double horizon, double *gap)
{
    const ctPairExtra *extra = &world->extras[index];
    double time = horizon;
    *gap = INFINITY;
    for (int i = 0; i < extra->leafCount && time > 0.0; i++) {
        ctPlaneSide a = s->a, b = s->b;
        double room;
        a.first = i / s->b.count;
        b.first = i % s->b.count;
        a.count = b.count = 1;
        a.met = b.shape->leaves[b.first].shape->type;
        b.met = a.shape->leaves[a.first].shape->type;
        ctVec3 n = b.shape->type == ct_shapePlane ? s->n : extra->leaves[i].normal;
        double one = ctLengthSquared(n) > 0.0 ? ctTouchingTime(&a, &b, n, time, 0.0, &room) : 0.0;
        time = ctFmin(time, one);
        *gap = ctFmin(*gap, one > 0.0 ? room : 0.0);
    }
    return time;
}

// The same for two bodies on plans: by the plane between the two as a whole, if they are not near.
static double timeOnPlans(ctWorld *world, int index, double *gap)
{
    const ctBodyPair *pair = &world->pairs[index];
    double horizon = ctFmin(ctBody_CourseEnd(&world->bodies[pair->a]), ctBody_CourseEnd(&world->bodies[pair->b]));
    Sides s;
    horizon = ctFmin(horizon - world->now, CT_LONGEST_STEP);
    *gap = 0.0;
    if (!(horizon > 0.0) || !sidesOf(world, index, &s)) {
        return 0.0;
    }
    s.motionA = motionOnPlan(world, pair->a, horizon);
    s.motionB = motionOnPlan(world, pair->b, horizon);
    double time = ctSeparationTime(&s.a, &s.b, s.n, horizon, gap);
    bool near = !(*gap > ROOM * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]));
    return near ? timeOfParts(world, index, &s, horizon, gap) : time;
}

// The path of a body so far, m; on a plan a bound of it.
static double pathAt(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    double pace = paceOf(world, index);
    return body->path + (pace > 0.0 ? ctFmin(world->infos[index].reach, (world->now - body->t) * pace) : 0.0);
}

bool ctPair_PassBy(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    if (pair->kind != ct_pairGeneral) {
        return ctBalls_PassBy(world, index);
    }
    double pace = paceOf(world, pair->a) + paceOf(world, pair->b), gap;
    bool tile = world->infos[pair->b].tile != NULL;
    if (tile || !(pace > 0.0) || !(pace < (double)INFINITY)) {
        return false;
    }
    double time = timeOnPlans(world, index, &gap);
    if (!(time > BEYOND * world->tickStep)) {
        return false;
    }
    pair->distance = gap;
    pair->pathA = pathAt(world, pair->a);
    pair->pathB = pathAt(world, pair->b);
    world->extras[index].idle = 0;
    ctAgenda_Set(&world->pairAgenda, index, world->now + time);
    return true;
}

// The same for bodies on plans. At the end of a plan they are scheduled again.
static bool putOffRolling(ctWorld *world, int index)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double path = 0.0, speed = 0.0, pull = 0.0;
    progressOf(world, pair->a, &path, &speed, &pull);
    progressOf(world, pair->b, &path, &speed, &pull);
    double gap = pair->distance - (a->path - pair->pathA) - (b->path - pair->pathB), size = ctBodies_Size(a, b), room;
    double step = gap - path > ROOM * size ? ctFirstRoot(gap - path, -speed, -pull) : 0.0;
    if (!(step > BEYOND * world->tickStep)) {
        // A look during the plan. It comes when the two can have moved by an invisible distance, which is doubled each
        // time nothing happens.
        speed += paceOf(world, pair->a) + paceOf(world, pair->b);
        if (!(speed < (double)INFINITY) || ctPair_IsSensor(pair)) {
            return false;
        }
        int *idle = &world->extras[index].idle;
        double unseen = ldexp(UNSEEN, *idle < MOST_DOUBLINGS ? *idle : MOST_DOUBLINGS) * size / (speed + 1e-300);
        gap -= pathAt(world, pair->a) - a->path + pathAt(world, pair->b) - b->path; // the path on the plan so far
        step = gap > 0.0 ? ctFirstRoot(gap, -speed, -pull) : 0.0;
        step = ctFmax(step, timeOnPlans(world, index, &room));
        *idle = step < CT_SHORTEST_STEP * world->tickStep ? *idle : 0;
        step = ctFmax(step, unseen);
    }
    ctAgenda_Set(&world->pairAgenda, index, world->now + ctFmin(step, (CT_BOX_FRAMES + 0.5) * world->boxTime));
    return true;
}

bool ctPair_PutOff(ctWorld *world, int index)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (ctBody_IsPlanned(a) || ctBody_IsPlanned(b)) {
        return putOffRolling(world, index);
    }
    if (a->t != world->now || b->t != world->now) {
        ctBody_Advance(world, pair->a);
        ctBody_Advance(world, pair->b);
    }
    double horizon = horizonOf(world, pair);
    bool brief = horizon < world->boxTime;
    if (horizon == 0.0) {
        // the step of its island looks
        ctAgenda_Set(&world->pairAgenda, index, world->now + CT_SHORTEST_STEP * world->tickStep);
        return true;
    }
    double step = timeByPaths(world, pair, brief ? ROOM : CT_ROOMY);
    if (!(step > (brief ? horizon : 2.0 * world->tickStep))) {
        // In flight a full look is worth its cost, since it reaches much farther.
        bool micro = brief && world->def.contact == ct_contactMicrocollision;
        step = micro ? timeToTouch(world, index, horizon) : brief && staysApart(world, index, horizon) ? horizon : 0.0;
        if (step == 0.0) {
            return false;
        }
    }
    ctAgenda_Set(&world->pairAgenda, index, world->now + step);
    return true;
}
