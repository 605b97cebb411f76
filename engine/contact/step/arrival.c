// Arrivals within a step of an island: a point of a contact that begins to bear, or a pair that touches in another way
// than its present points show.
//
// A contact record stores the points of one moment. Where a domino leans edge on edge and a corner then meets a face,
// or a coin that has bounced comes down on another part of its rim, the points of the last step say too little about
// the next step. But the trajectories of all bodies are known until the next step, and only impacts can change them. So
// the pair is examined in the poses at the end of the step. If the two overlap there, false position finds the time at
// which the overlap begins, and the island takes an extra step at that time.
#include "engine/contact/step/step.h"

#include "collision/separation.h"

#define FIND_STEPS 40  // [cap] iterations for the time of an arrival
#define MOST_PARTS 1e3 // [cap] parts of a step that are examined

// ---- one point --------------------------------------------------------------------------------

// Whether the normal is that of a face of the body, which is a box or a plane.
static bool hasFace(const ctWorld *world, int index, ctVec3 n)
{
    if (world->bodies[index].plane) {
        return true;
    }
    ctMat3 r = ctBody_Pose(world, &world->bodies[index]).r;
    return ctFmax(fabs(ctDot(r.cx, n)), ctFmax(fabs(ctDot(r.cy, n)), fabs(ctDot(r.cz, n)))) > 1.0 - CT_EQUAL;
}

static bool isFlat(const ctWorld *world, int index)
{
    return world->bodies[index].plane || ctBody_Shape(world, index)->type == ct_shapeBox;
}

// The pose of a body after a time at constant velocities.
static ctPose poseAfter(const ctWorld *world, int index, ctVec3 v, ctVec3 w, double time)
{
    const ctBody *body = &world->bodies[index];
    ctPose pose = {ctZero3(), ctMat3FromQuat(ctMulQ(ctQuatExp(ctScale(time, w)), body->q))};
    pose.p = ctSub(ctMulAdd(body->x, time, v), ctMulMV(pose.r, world->infos[index].center));
    return pose;
}

// The distance of two convex parts then.
static double leafDistance(const ctWorld *world, const ctContactRecord *record, int leaf, const ctPointMotion *m,
                           double time)
{
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    const ctLeaf *leafA = &shapeA->leaves[leaf / shapeB->leafCount], *leafB = &shapeB->leaves[leaf % shapeB->leafCount];
    ctPose poseA = poseAfter(world, record->a, m->va, m->wa, time);
    ctPose poseB = poseAfter(world, record->b, m->vb, m->wb, time);
    ctPose pa = ctLeaf_Pose(leafA, &poseA), pb = ctLeaf_Pose(leafB, &poseB);
    ctGjkCache cache = world->extras[record->pair].leaves[leaf].cache;
    ctClosest closest;
    ctClosestPoints(leafA->shape, &pa, leafB->shape, &pb, &cache, &closest);
    return closest.distance;
}

static ctVec3 velocityOf(const ctPointMotion *m)
{
    return ctSub(ctAdd(m->va, ctCross(m->wa, m->ra)), ctAdd(m->vb, ctCross(m->wb, m->rb)));
}

// The direction of the edge of a box to which n is normal.
static ctVec3 edgeOf(const ctWorld *world, int index, ctVec3 n)
{
    ctMat3 r = ctBody_Pose(world, &world->bodies[index]).r;
    double x = fabs(ctDot(r.cx, n)), y = fabs(ctDot(r.cy, n)), z = fabs(ctDot(r.cz, n));
    return x <= y && x <= z ? r.cx : y <= z ? r.cy : r.cz;
}

// How the normal turns: with a face, or, where it is that of two edges d and e, n = d x e / |d x e|, with both. False
// where these are parallel.
static bool turnOfNormal(const ctWorld *world, const ctContactRecord *record, const ctPointMotion *m, ctVec3 *turn)
{
    bool onB = hasFace(world, record->b, m->n);
    if (onB || hasFace(world, record->a, m->n)) {
        *turn = ctCross(onB ? m->wb : m->wa, m->n);
        return true;
    }
    ctVec3 d = edgeOf(world, record->a, m->n), e = edgeOf(world, record->b, m->n);
    ctVec3 rate = ctAdd(ctCross(ctCross(m->wa, d), e), ctCross(d, ctCross(m->wb, e)));
    double sine = ctDot(ctCross(d, e), m->n);
    *turn = ctScale(1.0 / sine, ctMulAdd(rate, -ctDot(rate, m->n), m->n));
    return fabs(sine) > CT_ALONG;
}

// A corner on a face, or two edges. With the normal n,
//     2 n' . u + n . (wa x (wa x ra) - wb x (wb x rb)).
static double bendOfCorner(const ctWorld *world, const ctContactRecord *record, const ctPointMotion *m)
{
    ctVec3 turn;
    if (!turnOfNormal(world, record, m, &turn)) {
        return 0.0;
    }
    ctVec3 center = ctSub(ctCross(m->wa, ctCross(m->wa, m->ra)), ctCross(m->wb, ctCross(m->wb, m->rb)));
    return 2.0 * ctDot(turn, velocityOf(m)) + ctDot(m->n, center);
}

// Whether two surfaces touch along a line at a constant distance: a cylinder along a face or an edge.
static bool isLine(const ctContactRecord *record, double slack)
{
    const ctContactPoint *p = record->points;
    return record->count == 2 && p[0].leaf == p[1].leaf && fabs(p[0].gap - p[1].gap) <= slack;
}

// The circle of a solid of revolution, or the end of a capsule, on which a point of it is: its radius and its place on
// the axis, in the part's frame and without the rounding.
static bool rimOf(const ctShape *shape, double z, double *radius, double *place)
{
    if (shape->type == ct_shapeCapsule) {
        *radius = 0.0;
        *place = z < 0.0 ? -shape->u.halfHeight : shape->u.halfHeight;
        return true;
    }
    if (shape->type != ct_shapeLathe) {
        return false;
    }
    const ctLathe *lathe = &shape->u.lathe;
    int nearest = 0;
    for (int i = 1; i < lathe->count; i++) {
        nearest = fabs(lathe->z[i] - z) < fabs(lathe->z[nearest] - z) ? i : nearest;
    }
    *radius = lathe->r[nearest];
    *place = lathe->z[nearest];
    return true;
}

// A rim on fixed flat ground. With the axis e, s = n . e and its distance z from the centre c of the body's frame, the
// lowest point of a circle of the radius r is at the height
//     n . c + z s - r g,   g = (1 - s^2)^(1/2),
// whose second derivative this is, at constant v and w. False where there is no rim, or it lies flat.
static bool bendOfRim(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                      const ctPointMotion *m, double *bend)
{
    const ctBody *b = &world->bodies[record->b];
    if (b->mode != ct_modeFixed || !isFlat(world, record->b) || !hasFace(world, record->b, m->n)) {
        return false;
    }
    const ctShape *shape = ctBody_Shape(world, record->a);
    int leaf = (int)point->leaf / ctBody_Shape(world, record->b)->leafCount;
    ctPose body = ctBody_Pose(world, &world->bodies[record->a]), part = ctShape_PartPose(shape, leaf, &body);
    double r, z;
    if (!rimOf(ctShape_Against(shape->leaves[leaf].shape, ctBody_Shape(world, record->b)),
               ctInvPosePoint(&part, point->pointA).z, &r, &z)) {
        return false;
    }
    ctVec3 e = part.r.cz, rate = ctCross(m->wa, e);
    double s = ctDot(m->n, e), g2 = 1.0 - s * s, s1 = ctDot(m->n, rate), s2 = ctDot(m->n, ctCross(m->wa, rate));
    if (!(g2 > CT_STEEP * CT_STEEP)) {
        return false;
    }
    ctVec3 arm = ctSub(part.p, world->bodies[record->a].x);
    double g = sqrt(g2);
    *bend = ctDot(m->n, ctCross(m->wa, ctCross(m->wa, arm))) + z * s2 + r * (s * s2 + s1 * s1 / g2) / g;
    return true;
}

// The same from the distance of two convex parts now and a little later: d = gap + u t + bend t^2 / 2.
static double bendOfParts(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                          const ctPointMotion *m, double ahead)
{
    int leaf = (int)point->leaf;
    double gap = leafDistance(world, record, leaf, m, 0.0), later = leafDistance(world, record, leaf, m, ahead);
    return 2.0 * (later - gap - ahead * ctDot(velocityOf(m), m->n)) / (ahead * ahead);
}

static bool isStill(const ctPointMotion *m)
{
    double sizes = ctLengthSquared(m->va) + ctLengthSquared(m->wa) + ctLengthSquared(m->vb) + ctLengthSquared(m->wb);
    return sizes == 0.0;
}

double ctContact_Bend(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                      const ctPointMotion *motion, double ahead, bool leaves)
{
    if (isStill(motion)) {
        return 0.0;
    }
    // The distance of two parts is that of a point only where the others are as far apart.
    bool alike = record->count == 1 || isLine(record, CT_EQUAL * ctContact_PairSize(world, record->a, record->b));
    leaves = leaves && alike;
    if (!leaves && isFlat(world, record->a) && isFlat(world, record->b)) {
        return bendOfCorner(world, record, motion);
    }
    if (world->pairs[record->pair].kind == ct_pairBallPlane || ahead == 0.0) {
        return 0.0;
    }
    if (world->pairs[record->pair].kind == ct_pairBalls) {
        ctVec3 u = ctSub(motion->va, motion->vb), across = ctMulAdd(u, -ctDot(u, motion->n), motion->n);
        return ctLengthSquared(across) / ctDistance(world->bodies[record->a].x, world->bodies[record->b].x);
    }
    double rim;
    if (record->count != 1 && !leaves && bendOfRim(world, record, point, motion, &rim)) {
        return rim;
    }
    if (!alike) {
        return 0.0;
    }
    double bend = bendOfParts(world, record, point, motion, ahead);
    if (leaves || fabs(bend) <= CT_HARD * ctBodies_Pull(world, record->a, record->b)) {
        return bend;
    }
    // Sharp edges of fast turning bodies leave at once, and others come: forces do not follow such a curve.
    double half = bendOfParts(world, record, point, motion, 0.5 * ahead);
    return 4.0 * fabs(half - bend) <= fabs(bend) ? bend : 0.0;
}

// The time from now to the arrival of a point that does not bear yet. *hard: it is an impact. Slow ones count where
// they would penetrate visibly before the regular step, length from now, and where there are few: also after a hop
// within the step.
static double timeOfArrival(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                            double length, bool few, bool *hard)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    ctVec3 ra = ctSub(point->pointA, a->x), rb = ctSub(point->pointB, b->x);
    ctVec3 u = ctVelocityBetween(a->v, a->w, ra, b->v, b->w, rb);
    ctVec3 rate = ctVelocityBetween(a->a, a->alpha, ra, b->a, b->alpha, rb);
    ctPointMotion motion = {point->n, ra, rb, a->v, a->w, b->v, b->w};
    double speed = ctDot(u, point->n), bend = ctDot(rate, point->n);
    bend += isFlat(world, record->a) && isFlat(world, record->b) ? bendOfCorner(world, record, &motion) : 0.0;
    if (-speed > ctPair_ImpactSpeed(world, &world->pairs[record->pair]) &&
        ctContact_Graze(world, record, point, u) == ct_grazeNone) {
        *hard = true;
        return ctFirstRoot(point->gap, speed, bend);
    }
    double size = ctContact_PairSize(world, record->a, record->b);
    double end = point->gap + length * (speed + 0.5 * length * bend);
    bool comes = point->gap > CT_CONTACT_MARGIN * size || speed > 0.0;
    return few && comes && end < -CT_ASTRAY * size ? ctFirstRoot(point->gap, speed, bend) : (double)INFINITY;
}

// ---- the whole contact ------------------------------------------------------------------------

static ctPose poseAt(const ctWorld *world, int index, double time)
{
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], time);
    ctPose pose = {ctZero3(), ctMat3FromQuat(s.q)};
    pose.p = ctSub(s.x, ctMulMV(pose.r, world->infos[index].center));
    return pose;
}

ctPose ctIsland_PartAt(const ctWorld *world, int body, int leaf, double time)
{
    const ctShape *shape = ctBody_Shape(world, body);
    ctPose pose = poseAt(world, body, time);
    return ctShape_PartPose(shape, leaf, &pose);
}

// Two bodies whose distance is followed over time.
typedef struct Approach {
    const ctWorld *world;
    const ctContactRecord *record;
} Approach;

// The normal between two parts a time (s) later, if it turns on as in the last step; that of the contact if they have
// no point.
static ctVec3 normalAfter(const ctContactRecord *record, int leaf, double time)
{
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *p = &record->points[i];
        if (p->leaf == (uint32_t)leaf) {
            ctVec3 turn = ctSub(p->n, p->past);
            double size = p->known && record->bending > 0.0 ? ctLength(turn) : 0.0;
            return size > 0.0 ? ctNormalize(ctMulAdd(p->n, record->bending * time / size, turn)) : p->n;
        }
    }
    return record->normal;
}

// The distance of the two at a time, on their present courses; infinite where it exceeds a limit (m).
static double distanceWithin(const Approach *pair, double time, double limit)
{
    const ctWorld *world = pair->world;
    const ctContactRecord *record = pair->record;
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    ctPose poseA = poseAt(world, record->a, time), poseB = poseAt(world, record->b, time);
    double least = INFINITY;
    bool tile = world->infos[record->b].tile != NULL; // of many parts, most of which are far away
    double top = tile ? (double)INFINITY : ctReachAlong(shapeB, shapeA, &poseB, record->normal);
    if (!tile && -ctReachAlong(shapeA, shapeB, &poseA, ctNeg(record->normal)) > top + limit) {
        return least;
    }
    for (int i = 0; i < shapeA->leafCount; i++) {
        ctPose pa = ctShape_PartPose(shapeA, i, &poseA);
        const ctShape *leafA = shapeA->leaves[i].shape;
        ctNearby near = ctTile_Nearby(world, record->b, &poseB, leafA, &pa, limit);
        for (int j = 0; j < shapeB->leafCount; j++) {
            const ctShape *leafB = shapeB->leaves[j].shape;
            if (ctNearby_LeavesOut(&near, leafB)) {
                continue;
            }
            ctPose pb = ctShape_PartPose(shapeB, j, &poseB);
            int leaf = i * shapeB->leafCount + j;
            const ctLeafPair *known = &world->extras[record->pair].leaves[leaf];
            ctVec3 n = normalAfter(record, leaf, time - world->now);
            if (ctAreApart(leafA, &pa, leafB, &pb, n, known->normal, limit)) {
                continue;
            }
            ctGjkCache cache = known->cache;
            ctClosest closest;
            ctClosestPoints(leafA, &pa, leafB, &pb, &cache, &closest);
            least = ctFmin(least, closest.distance);
            limit = ctFmin(limit, least);
        }
    }
    return least;
}

static double distanceAt(const void *context, double time)
{
    const Approach *pair = context;
    return distanceWithin(pair, time, ctContact_PairSize(pair->world, pair->record->a, pair->record->b));
}

double ctIsland_TimeOfLevel(ctIslandMeasure *measure, const void *context, ctLevel find)
{
    double begin = find.begin, end = find.end, above = find.over - find.level, below = find.level - find.under;
    int stayed = 0;
    for (int i = 0; i < FIND_STEPS; i++) {
        double time = i < FIND_STEPS / 2 ? begin + (end - begin) * above / (above + below) : 0.5 * (begin + end);
        double value = measure(context, time);
        if (fabs(value - find.level) <= find.slack) {
            return time;
        }
        if (value < find.level) {
            end = time;
            below = find.level - value;
            above *= stayed > 0 ? 0.5 : 1.0;
            stayed = 1;
        } else {
            begin = time;
            above = value < (double)INFINITY ? value - find.level : above;
            below *= stayed < 0 ? 0.5 : 1.0;
            stayed = -1;
        }
    }
    return begin;
}

// A bound of the speed at which a body's turning moves its surface within a time, m/s.
static double turnOf(const ctWorld *world, int index, double time)
{
    const ctBody *body = &world->bodies[index];
    if (body->ball || body->plane) {
        return 0.0;
    }
    double now = ctFmin(ctLength(body->w) * body->radius, ctBody_RimSpeed(world, index, body->q, body->w));
    return now + time * ctLength(body->alpha) * body->radius;
}

// A bound of how much places of the two can approach within a time. Bearing places do not move, unless another part of
// the ground may be in the way.
static double reachOf(const ctWorld *world, const ctContactRecord *record, double time, bool bears)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    bool stays = bears && (ctBody_IsMovable(b) || ctBody_Shape(world, record->b)->leafCount == 1);
    double along = stays ? 0.0 : ctDistance(a->v, b->v) + 0.5 * time * ctDistance(a->a, b->a);
    return time * (turnOf(world, record->a, time) + turnOf(world, record->b, time) + along);
}

// Half of the least thickness of a body.
static double halfThickness(const ctWorld *world, int index)
{
    const ctShape *shape = ctBody_Shape(world, index);
    double least = INFINITY;
    for (int i = 0; i < shape->leafCount; i++) {
        const ctShape *part = shape->leaves[i].shape;
        least = ctFmin(least, 0.5 * ctMinElement(ctSub(part->hi, part->lo)));
    }
    return least;
}

// The distance of the two at *end, or at an earlier time at which they overlap by more than a level (m); *end is then
// set to that. A triangle of a terrain has no inside: a body that moves farther than its thickness would be beyond it.
static double distanceBefore(const Approach *pair, double way, double level, double *end)
{
    const ctWorld *world = pair->world;
    bool tile = world->infos[pair->record->b].tile != NULL;
    double looks = tile ? ctFmin(ceil(way / halfThickness(world, pair->record->a)), MOST_PARTS) : 1.0;
    double from = world->now, length = *end - from, distance = INFINITY;
    for (double i = 1.0; i <= looks; i += 1.0) {
        *end = from + length * i / looks;
        distance = distanceWithin(pair, *end, level);
        if (distance <= level) {
            break;
        }
    }
    return distance;
}

double ctContact_TimeOfArrival(const ctWorld *world, const ctContactRecord *record, double until, bool few, bool moved)
{
    double size = ctContact_PairSize(world, record->a, record->b);
    double length = until - world->now, gap = INFINITY, arrival = INFINITY;
    bool bears = false, hard = false;
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *point = &record->points[i];
        gap = ctFmin(gap, point->gap);
        if (ctLengthSquared(point->force) > 0.0 && point->gap <= CT_CONTACT_MARGIN * size) {
            bears = true;
        } else {
            double time = timeOfArrival(world, record, point, length, few, &hard);
            arrival = ctFmin(arrival, world->now + time);
        }
    }
    if (world->pairs[record->pair].kind != ct_pairGeneral) {
        return arrival;
    }
    double depth = CT_ASTRAY * size;
    // If nothing touches and something will hit, the time of the touch is wanted; otherwise that of a deeper overlap
    // than the points show. Where points are found again the two may still touch without one: that touch has come.
    Approach pair = {world, record};
    double way = reachOf(world, record, length, bears), slack = CT_EQUAL * depth;
    bool touch = hard && !bears && gap > CT_POINT_TOUCH * size;
    touch = touch && (moved || gap > way || distanceAt(&pair, world->now) > slack);
    double now = ctFmin(gap, 0.0);
    double least = touch ? 0.0 : now - depth, end = touch ? until : ctFmin(until, arrival);
    if (gap - way > least) {
        return arrival;
    }
    double under = distanceBefore(&pair, way, least, &end);
    if (touch && under > least && arrival < until) {
        end = arrival;
        under = distanceWithin(&pair, end, least);
    }
    if (under > least) {
        return touch ? (double)INFINITY : arrival;
    }
    ctLevel aim = {0.0, slack, world->now, gap, end, under};
    if (!touch) {
        // The step has moved them a little since the points were found.
        now = ctFmin(now, distanceAt(&pair, world->now));
        aim.level = now - 0.1 * depth;
        aim.over = now;
        if (under > now - depth) {
            return arrival;
        }
    }
    double time = ctIsland_TimeOfLevel(distanceAt, &pair, aim);
    return touch ? time : ctFmin(arrival, ctFmax(time, world->now + CT_SHORTEST_STEP * length));
}
