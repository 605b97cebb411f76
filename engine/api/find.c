// Questions about places: all bodies along a ray, shapes that are moved or placed, closest points.
//
// Let a shape move along w without turning, at distance d and with normal n from a convex body. It meets the body no
// earlier than after d / -(n.w) of its way: until then the plane of the closest points separates the two. Repeated from
// there, this converges to the first touch, quadratically where surfaces are smooth and in one step where they are
// flat.
#include "collision/gjk.h"
#include "collision/memory.h"
#include "engine/api/api_internal.h"

#include <float.h>
#include <stdlib.h>

enum { MOST_LOOKS = 100 };
// [rounding] Distance at which two shapes touch, as a share of their sizes.
#define TOUCHING 1e-12
// [rounding] m: radius of the ball that stands for a point; it is subtracted again.
#define POINT_RADIUS 1e-9

static bool passes(const ctWorld *world, int index, const ctFilter *filter)
{
    const ctFilter *own = &world->infos[index].filter;
    return !world->bodies[index].sensor &&
           (filter == NULL || ((filter->category & own->mask) != 0 && (own->category & filter->mask) != 0));
}

static ctPose poseNow(const ctWorld *world, int index)
{
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now);
    ctPose pose = {ctZero3(), ctMat3FromQuat(s.q)};
    pose.p = ctSub(s.x, ctMulMV(pose.r, world->infos[index].center));
    return pose;
}

static ctPose poseOf(ctTransform t)
{
    ctQuat q = ctNormalizeQ(t.q);
    return (ctPose){t.p, ctMat3FromQuat(q)};
}

// The closest points of two shapes, over all their convex parts. If one of the two is a plane or a terrain, it is b.
static ctClosest closestOf(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB)
{
    ctClosest best = {.distance = INFINITY};
    if (b->type == ct_shapeTerrain) {
        (void)ctTerrain_Closest(b->u.terrain, poseB, a, poseA, INFINITY, &best);
        return best;
    }
    for (int i = 0; i < a->leafCount; i++) {
        for (int j = 0; j < b->leafCount; j++) {
            ctPose pa = ctLeaf_Pose(&a->leaves[i], poseA), pb = ctLeaf_Pose(&b->leaves[j], poseB);
            ctClosest closest;
            ctClosestPoints(a->leaves[i].shape, &pa, b->leaves[j].shape, &pb, NULL, &closest);
            if (closest.distance < best.distance) {
                best = closest;
            }
        }
    }
    return best;
}

// ---- rays -------------------------------------------------------------------------------------

typedef struct Hits {
    const ctWorld *world;
    const ctFilter *filter;
    ctVec3 origin, direction;
    ctRayHit *list;
    int count, capacity;
    bool failed;
} Hits;

static double visitRay(void *context, int proxy, double maxT)
{
    Hits *h = context;
    const ctWorld *world = h->world;
    double t;
    ctVec3 normal;
    if (passes(world, proxy, h->filter) && ctBody_RayCast(world, proxy, h->origin, h->direction, maxT, &t, &normal)) {
        if (!ctReserve((void **)&h->list, &h->capacity, h->count + 1, sizeof(ctRayHit))) {
            h->failed = true;
            return -1.0;
        }
        h->list[h->count++] = (ctRayHit){ctBody_IdOf(world, proxy), t, ctMulAdd(h->origin, t, h->direction), normal};
    }
    return maxT;
}

static int byTime(const void *a, const void *b)
{
    const ctRayHit *x = a, *y = b;
    return x->t != y->t ? (x->t < y->t ? -1 : 1)
                        : (x->body.index1 > y->body.index1) - (x->body.index1 < y->body.index1);
}

int ctWorld_RayCastAll(const ctWorld *world, ctVec3 origin, ctVec3 direction, double maxT, const ctFilter *filter,
                       ctRayHit *hits, int capacity)
{
    double length = ctMaxElement(ctAbs(direction));
    if (!ctIsFinite3(origin) || !ctIsFinite3(direction) || !(length > 1e-100 && length < 1e100) || !(maxT >= 0.0)) {
        return 0;
    }
    Hits h = {.world = world, .filter = filter, .origin = origin, .direction = direction};
    ctBroadphase_QueryRay(world->broadphase, origin, direction, maxT, visitRay, &h);
    if (h.count > 1) {
        qsort(h.list, (size_t)h.count, sizeof *h.list, byTime);
    }
    for (int i = 0; i < h.count && i < capacity && hits != NULL; i++) {
        hits[i] = h.list[i];
    }
    ctFree(h.list);
    return h.count;
}

// ---- shapes -----------------------------------------------------------------------------------

typedef struct Probe {
    const ctWorld *world;
    const ctFilter *filter;
    const ctShape *shape;
    ctPose pose;
    ctVec3 way;
    ctRayHit best; // of a cast
    ctBodyId *list;
    int count, capacity; // of an overlap
} Probe;

// The time of the first touch of two convex parts within maxT of the way; negative: none.
static double castLeaf(const ctShape *a, ctPose pose, const ctShape *b, const ctPose *poseB, ctVec3 way, double maxT,
                       ctClosest *closest)
{
    double t = 0.0, size = a->size + (b->type == ct_shapePlane ? 0.0 : b->size);
    ctVec3 start = pose.p;
    ctGjkCache cache = {0};
    for (int i = 0; i < MOST_LOOKS; i++) {
        pose.p = ctMulAdd(start, t, way);
        ctClosestPoints(a, &pose, b, poseB, &cache, closest);
        double speed = -ctDot(closest->normal, way);
        if (closest->distance <= TOUCHING * (size + ctMaxElement(ctAbs(pose.p)))) {
            return t;
        }
        if (!(speed > 0.0)) {
            return -1.0;
        }
        double step = closest->distance / speed;
        if (t + step > maxT) {
            return -1.0;
        }
        t += step;
    }
    return t; // grazing: more iterations would not change the result visibly
}

// A cast against the triangles of a terrain.
typedef struct TerrainCast {
    Probe *probe;
    int proxy;
    const ctTerrain *terrain;
    ctPose pose;
} TerrainCast;

static bool castTriangle(void *context, int triangle)
{
    const TerrainCast *cast = context;
    Probe *p = cast->probe;
    ctFlat flat;
    ctFlat_Make(&flat, cast->terrain, triangle);
    for (int i = 0; i < p->shape->leafCount; i++) {
        ctPose part = ctLeaf_Pose(&p->shape->leaves[i], &p->pose);
        double most = p->best.body.index1 != 0 ? p->best.t : 1.0;
        ctClosest c;
        double t = castLeaf(p->shape->leaves[i].shape, part, &flat.shape, &cast->pose, p->way, most, &c);
        bool front = cast->terrain->twoSided || ctDot(c.normal, ctMulMV(cast->pose.r, flat.normals[0])) > 0.0;
        if (t >= 0.0 && front && (p->best.body.index1 == 0 || t < p->best.t)) {
            p->best = (ctRayHit){ctBody_IdOf(p->world, cast->proxy), t, c.pointB, c.normal};
        }
    }
    return true;
}

static void castTerrain(Probe *p, int proxy)
{
    TerrainCast cast = {p, proxy, ctBody_Shape(p->world, proxy)->u.terrain, poseNow(p->world, proxy)};
    ctVec3 lo, hi, way = ctMulTMV(cast.pose.r, p->way);
    ctTerrain_BoxOf(&cast.pose, p->shape, &p->pose, &lo, &hi);
    ctTerrain_Query(cast.terrain, ctMin(lo, ctAdd(lo, way)), ctMax(hi, ctAdd(hi, way)), castTriangle, &cast);
}

static bool visitCast(void *context, int proxy)
{
    Probe *p = context;
    if (!passes(p->world, proxy, p->filter)) {
        return true;
    }
    const ctShape *a = p->shape, *b = ctBody_Shape(p->world, proxy);
    if (b->type == ct_shapeTerrain) {
        castTerrain(p, proxy);
        return true;
    }
    ctPose poseB = poseNow(p->world, proxy);
    for (int i = 0; i < a->leafCount; i++) {
        for (int j = 0; j < b->leafCount; j++) {
            ctPose pa = ctLeaf_Pose(&a->leaves[i], &p->pose), pb = ctLeaf_Pose(&b->leaves[j], &poseB);
            double most = p->best.body.index1 != 0 ? p->best.t : 1.0;
            ctClosest c;
            double t = castLeaf(a->leaves[i].shape, pa, b->leaves[j].shape, &pb, p->way, most, &c);
            if (t >= 0.0 && (p->best.body.index1 == 0 || t < p->best.t)) {
                p->best = (ctRayHit){ctBody_IdOf(p->world, proxy), t, c.pointB, c.normal};
            }
        }
    }
    return true;
}

static bool overlaps(const Probe *p, int proxy)
{
    const ctShape *b = ctBody_Shape(p->world, proxy);
    ctPose poseB = poseNow(p->world, proxy);
    ctClosest c = {.distance = INFINITY};
    if (b->type == ct_shapeTerrain) {
        return ctTerrain_Closest(b->u.terrain, &poseB, p->shape, &p->pose, DBL_MIN, &c);
    }
    return closestOf(p->shape, &p->pose, b, &poseB).distance <= 0.0;
}

static bool visitOverlap(void *context, int proxy)
{
    Probe *p = context;
    if (passes(p->world, proxy, p->filter) && overlaps(p, proxy)) {
        if (p->list != NULL && p->count < p->capacity) {
            p->list[p->count] = ctBody_IdOf(p->world, proxy);
        }
        p->count++;
    }
    return true;
}

// Planes and terrains, which are fixed and have no volume.
static bool isGround(const ctShape *shape)
{
    return shape->type == ct_shapePlane || shape->type == ct_shapeTerrain;
}

// Makes the probe of a shape at a pose; false when the id, the pose or the kind of shape (ground) is not allowed.
static bool makeProbe(const ctWorld *world, ctShapeId id, ctTransform pose, const ctFilter *filter, Probe *probe)
{
    *probe = (Probe){.world = world, .filter = filter, .shape = ctWorld_GetShape(world, id)};
    if (probe->shape == NULL || isGround(probe->shape) || !ctBody_CheckPose(pose, NULL)) {
        return false;
    }
    probe->pose = poseOf(pose);
    return true;
}

bool ctWorld_ShapeCast(const ctWorld *world, ctShapeId shape, ctTransform pose, ctVec3 way, const ctFilter *filter,
                       ctRayHit *hit)
{
    Probe probe;
    if (!makeProbe(world, shape, pose, filter, &probe) || !ctIsFinite3(way)) {
        return false;
    }
    probe.way = way;
    ctBox box;
    ctShape_Bounds(probe.shape, &probe.pose, &box.lo, &box.hi);
    box.lo = ctMin(box.lo, ctAdd(box.lo, way));
    box.hi = ctMax(box.hi, ctAdd(box.hi, way));
    ctBroadphase_QueryBox(world->broadphase, box, visitCast, &probe);
    if (probe.best.body.index1 != 0 && hit != NULL) {
        *hit = probe.best;
    }
    return probe.best.body.index1 != 0;
}

int ctWorld_Overlap(const ctWorld *world, ctShapeId shape, ctTransform pose, const ctFilter *filter, ctBodyId *bodies,
                    int capacity)
{
    Probe probe;
    if (!makeProbe(world, shape, pose, filter, &probe)) {
        return 0;
    }
    probe.list = bodies;
    probe.capacity = capacity;
    ctBox box;
    ctShape_Bounds(probe.shape, &probe.pose, &box.lo, &box.hi);
    ctBroadphase_QueryBox(world->broadphase, box, visitOverlap, &probe);
    return probe.count;
}

// ---- closest points ---------------------------------------------------------------------------

bool ctWorld_Closest(const ctWorld *world, ctBodyId a, ctBodyId b, ctNearest *nearest)
{
    int ia = ctBody_Resolve(world, a), ib = ctBody_Resolve(world, b);
    if (ia < 0 || ib < 0 || (isGround(ctBody_Shape(world, ia)) && isGround(ctBody_Shape(world, ib)))) {
        return false;
    }
    bool swap = isGround(ctBody_Shape(world, ia));
    int first = swap ? ib : ia, second = swap ? ia : ib;
    ctPose poseA = poseNow(world, first), poseB = poseNow(world, second);
    ctClosest c = closestOf(ctBody_Shape(world, first), &poseA, ctBody_Shape(world, second), &poseB);
    if (nearest != NULL) {
        *nearest = (ctNearest){b, c.distance, swap ? c.pointB : c.pointA, swap ? c.pointA : c.pointB,
                               swap ? ctNeg(c.normal) : c.normal};
    }
    return true;
}

bool ctWorld_ClosestToPoint(const ctWorld *world, ctVec3 point, double maxDistance, const ctFilter *filter,
                            ctNearest *nearest)
{
    if (!ctIsFinite3(point) || !(maxDistance >= 0.0)) {
        return false;
    }
    ctShape *dot = ctShape_Sphere(POINT_RADIUS, NULL);
    ctPose pose = {point, ctMat3Identity()};
    ctNearest best = {.distance = INFINITY};
    for (int i = 0; i < world->bodyCount && dot != NULL; i++) {
        int index = world->order[i];
        const ctBody *body = &world->bodies[index];
        ctBodyState s = ctBody_StateAt(world, body, world->now);
        double least = body->plane ? -INFINITY : ctDistance(s.x, point) - body->radius;
        if (!passes(world, index, filter) || least > maxDistance || least >= best.distance) {
            continue;
        }
        ctPose poseB = poseNow(world, index);
        ctClosest c = closestOf(dot, &pose, ctBody_Shape(world, index), &poseB);
        double distance = c.distance + POINT_RADIUS;
        if (distance <= maxDistance && distance < best.distance) {
            best = (ctNearest){ctBody_IdOf(world, index), distance, point, c.pointB, c.normal};
        }
    }
    ctShape_Release(dot);
    if (best.body.index1 != 0 && nearest != NULL) {
        *nearest = best;
    }
    return best.body.index1 != 0;
}
