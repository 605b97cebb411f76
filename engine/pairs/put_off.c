// When the next look at a pair that is not one of balls comes: as late as planes, distances and paths allow without a
// look now. Bodies on plans are measured where they are, which does not end their plans.
#include "collision/separation.h"
#include "collision/toi.h"
#include "engine/pairs/balls.h"
#include "engine/pairs/look_internal.h"

// [cost] Where a plane separates two parts for less than this share of the horizon, their distance is measured.
#define SHORT 0.25
// [rounding] Two touching bodies on a plan are looked at again when they can have moved by this share of their size.
#define UNSEEN 1e-10
enum { MOST_DOUBLINGS = 13 };

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
    double gap, room = CT_LOOK_ROOM * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
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
    if (!(time > CT_LOOK_WORTHWHILE * horizon)) {
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

// For how long the plane of the last look separates two parts, s, and by how much (m).
static double timeOfPart(const ctWorld *world, int index, const Sides *s, int leaf, double horizon, double *gap)
{
    ctPlaneSide a = s->a, b = s->b;
    a.first = leaf / s->b.count;
    b.first = leaf % s->b.count;
    a.count = b.count = 1;
    a.met = b.shape->leaves[b.first].shape->type;
    b.met = a.shape->leaves[a.first].shape->type;
    ctVec3 n = b.shape->type == ct_shapePlane ? s->n : world->extras[index].leaves[leaf].normal;
    *gap = 0.0;
    return ctLengthSquared(n) > 0.0 ? ctTouchingTime(&a, &b, n, horizon, 0.0, gap) : 0.0;
}

// The same by the distance of the parts where they are now, which does not end their plans.
static double measurePart(ctWorld *world, int index, const Sides *s, int leaf, double horizon, double *gap)
{
    ctLeafPair *pair = &world->extras[index].leaves[leaf];
    int la = leaf / s->b.count, lb = leaf % s->b.count;
    const ctLeaf *leafA = &s->a.shape->leaves[la], *leafB = &s->b.shape->leaves[lb];
    ctPose a = ctMotion_Pose(&s->motionA), b = ctMotion_Pose(&s->motionB);
    ctPose poseA = ctShape_PartPose(s->a.shape, la, &a), poseB = ctShape_PartPose(s->b.shape, lb, &b);
    ctClosest closest;
    ctClosestPoints(leafA->shape, &poseA, leafB->shape, &poseB, &pair->cache, &closest);
    world->stats.distanceChecks++;
    ctToiInput in = {.shapeA = leafA->shape,
                     .shapeB = leafB->shape,
                     .leafA = leafA->pose,
                     .leafB = leafB->pose,
                     .motionA = &s->motionA,
                     .motionB = &s->motionB,
                     .closest = &closest,
                     .horizon = horizon};
    pair->normal = closest.normal;
    *gap = ctFmax(closest.distance, 0.0);
    return ctTimeOfImpactBound(&in, NULL);
}

// For how long the parts of two bodies are apart, s, and by how much (m): by the planes of the last looks or, where
// these separate them for a small part of the horizon only, by their distances now.
static double timeOfParts(ctWorld *world, int index, const Sides *s, double horizon, double *gap)
{
    const ctPairExtra *extra = &world->extras[index];
    double time = horizon;
    *gap = INFINITY;
    for (int i = 0; i < extra->leafCount && time > 0.0; i++) {
        double room, one = timeOfPart(world, index, s, i, time, &room);
        if (one < SHORT * time) {
            one = measurePart(world, index, s, i, time, &room);
        }
        time = ctFmin(time, one);
        *gap = ctFmin(*gap, room);
    }
    return time;
}

// The same for two bodies on plans: by the plane between the two as a whole, if that is enough. Up to the end of a
// plan, and by a share beyond: the step there comes first.
static double timeOnPlans(ctWorld *world, int index, double *gap)
{
    const ctBodyPair *pair = &world->pairs[index];
    double left = ctFmin(ctBody_CourseEnd(&world->bodies[pair->a]), ctBody_CourseEnd(&world->bodies[pair->b]));
    Sides s;
    left -= world->now;
    double horizon =
        ctFmin(left, CT_LONGEST_STEPS * ctBodies_Step(world, &world->bodies[pair->a], &world->bodies[pair->b]));
    *gap = 0.0;
    if (!(horizon > 0.0) || !sidesOf(world, index, &s)) {
        return 0.0;
    }
    s.motionA = motionOnPlan(world, pair->a, horizon);
    s.motionB = motionOnPlan(world, pair->b, horizon);
    double time = ctSeparationTime(&s.a, &s.b, s.n, horizon, gap);
    bool near = !(*gap > CT_LOOK_ROOM * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]));
    time = near || time < SHORT * horizon ? timeOfParts(world, index, &s, horizon, gap) : time;
    return time < left ? time : (1.0 + CT_LOOK_BEYOND) * left;
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
    if (!(time > CT_LOOK_BEYOND * ctBodies_Step(world, &world->bodies[pair->a], &world->bodies[pair->b]))) {
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
    double step = gap - path > CT_LOOK_ROOM * size ? ctFirstRoot(gap - path, -speed, -pull) : 0.0;
    double regular = ctBodies_Step(world, a, b);
    if (!(step > CT_LOOK_BEYOND * regular)) {
        // A look during the plan. It comes when the two can have moved by an invisible distance, which is doubled each
        // time nothing happens.
        speed += paceOf(world, pair->a) + paceOf(world, pair->b);
        if (!(speed < (double)INFINITY)) {
            return false;
        }
        int *idle = &world->extras[index].idle;
        double unseen = ldexp(UNSEEN, *idle < MOST_DOUBLINGS ? *idle : MOST_DOUBLINGS) * size / (speed + 1e-300);
        gap -= pathAt(world, pair->a) - a->path + pathAt(world, pair->b) - b->path; // the path on the plan so far
        step = gap > 0.0 ? ctFirstRoot(gap, -speed, -pull) : 0.0;
        step = ctFmax(step, timeOnPlans(world, index, &room));
        *idle = step < CT_SHORTEST_STEP * regular ? *idle : 0;
        step = ctFmax(step, unseen);
    }
    step = ctFmin(step, (CT_BOX_FRAMES + 0.5) * ctBodies_BoxTime(world, a, b));
    ctAgenda_Set(&world->pairAgenda, index, world->now + step);
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
    double horizon = ctPair_Horizon(world, pair), regular = ctBodies_Step(world, a, b);
    bool brief = horizon < ctBodies_BoxTime(world, a, b);
    if (horizon == 0.0) {
        // the step of its island looks
        ctAgenda_Set(&world->pairAgenda, index, world->now + CT_SHORTEST_STEP * regular);
        return true;
    }
    double step = timeByPaths(world, pair, brief ? CT_LOOK_ROOM : CT_ROOMY);
    if (!(step > (brief ? horizon : 2.0 * regular))) {
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
