// One-sided terrains: bodies pass from behind.
//
// A tile on such a terrain leaves out the triangles that its body passes, or is about to pass, from behind. A body is
// in front of a triangle, behind it, or across its plane. From behind it passes. Across the plane it goes on passing
// the triangles inside it, and those next to them. Once it is out of a triangle, that is solid again. A body completely
// in front meets the triangle, whatever it does to the neighbours.
//
// The sides are chosen when a tile is filled and when a body touches a triangle. They are chosen again when the body
// may have moved far enough for another choice (ctTile.watch, one of the times that end the body's box).
#include "collision/gjk.h"
#include "collision/memory.h"
#include "collision/separation.h"
#include "engine/pairs/tile_internal.h"

// Distance, as a share of its radius, from which on a body behind a triangle passes it.
#define NEAR (0.5 * CT_ROOMY)
// Tolerance for being in front of a plane, as a share of the radius; for a body that comes out of it, CT_EQUAL.
#define CLEAR (10.0 * CT_CONTACT_MARGIN)
// The least way between two choices for a body with a triangle inside it, as a share of its radius. It is doubled each
// time that nothing has changed, up to the second number. Larger: sides are chosen late; smaller: more looks.
#define LEAST_WAY (0.1 * CT_CLOSED)
#define LONGEST_LEAST_WAY NEAR

// front: solid. beside: across the plane, and solid unless it is next to a pierced one. passed: left out. pierced: left
// out, and inside the body.
typedef enum Side { front, beside, passed, pierced } Side;

// The body, in the terrain's frame.
typedef struct Comer {
    const ctShape *shape;
    ctPose pose;
    ctVec3 centre, lo, hi;
    double radius;
} Comer;

static Comer comerOf(const ctWorld *world, const ctTile *w)
{
    const ctBody *body = &world->bodies[w->body];
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    ctPose ground = ctBody_Pose(world, &world->bodies[w->terrain]);
    Comer c = {.shape = ctBody_Shape(world, w->body), .centre = ctInvPosePoint(&ground, s.x), .radius = body->radius};
    c.pose.r = ctMulMM(ctTranspose(ground.r), ctMat3FromQuat(s.q));
    c.pose.p = ctSub(c.centre, ctMulMV(c.pose.r, world->infos[w->body].center));
    ctShape_Bounds(c.shape, &c.pose, &c.lo, &c.hi);
    return c;
}

static bool isIn(const int *list, int count, int number)
{
    int lo = 0, hi = count;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (list[mid] < number) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < count && list[lo] == number;
}

static bool isBoxFar(const Comer *c, const ctFlat *flat, double far)
{
    ctVec3 apart = ctMax(ctSub(flat->shape.lo, c->hi), ctSub(c->lo, flat->shape.hi));
    return ctMaxElement(apart) > far;
}

static ctClosest closestTo(const Comer *c, const ctFlat *flat)
{
    const ctPose none = {ctZero3(), ctMat3FromQuat((ctQuat){1.0, 0.0, 0.0, 0.0})};
    ctClosest least = {.distance = INFINITY};
    for (int i = 0; i < c->shape->leafCount; i++) {
        ctPose part = ctShape_PartPose(c->shape, i, &c->pose);
        ctClosest one;
        ctClosestPoints(c->shape->leaves[i].shape, &part, &flat->shape, &none, NULL, &one);
        least = one.distance < least.distance ? one : least;
    }
    return least;
}

// The side of a triangle on which the body is; was: the triangle has been left out before. *way: how far the body must
// move before that may change.
static Side sideOf(const ctTerrain *t, int triangle, const Comer *c, bool was, double least, double *way)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    double offset = t->offsets[t->facets[triangle]], near = NEAR * c->radius;
    *way = INFINITY;
    if (ctDot(n, c->centre) - offset >= c->radius) {
        return front;
    }
    ctFlat flat;
    ctFlat_Make(&flat, t, triangle);
    double high = ctReachAlong(c->shape, &flat.shape, &c->pose, n) - offset;
    double low = -ctReachAlong(c->shape, &flat.shape, &c->pose, ctNeg(n)) - offset;
    if (low >= -(was ? CT_EQUAL : CLEAR) * c->radius) {
        return front;
    }
    if (high < -near) {
        *way = ctFmax(-high - near, 0.25 * near);
        return passed;
    }
    if (isBoxFar(c, &flat, near)) {
        return beside;
    }
    ctClosest closest = closestTo(c, &flat);
    bool behind = ctTerrain_IsBehind(t, triangle, closest.pointB, closest.normal);
    if (closest.distance <= 0.0 && (was || behind)) {
        *way = ctFmax(-closest.distance, least);
        return pierced;
    }
    if (closest.distance <= near && behind) {
        *way = 0.25 * near;
        return passed;
    }
    return beside;
}

// Triangles next to a pierced one are passed too, unless the body is completely in front of them.
static void passAround(const ctTerrain *t, const ctTile *w, int triangle)
{
    for (int k = 0; k < 3; k++) {
        int v = ctTerrain_Corner(t, triangle, k);
        for (int i = t->firstRing[v]; i < t->firstRing[v + 1]; i++) {
            for (int j = 0; j < w->count; j++) {
                if (w->triangles[j] == t->ring[i] && w->sides[j] == (uint8_t)beside) {
                    w->sides[j] = (uint8_t)passed;
                }
            }
        }
    }
}

// The time in which a body may have moved by a way (m), s.
static double timeOfWay(const ctWorld *world, int index, double way)
{
    const ctBody *body = &world->bodies[index];
    double speed = ctBody_SpeedBound(body) + (world->now - body->t) * ctLength(body->a);
    return world->now + ctFirstRoot(way, -speed, -ctLength(body->a) - ctBody_Stray(world, body));
}

// Removes the passed triangles from the list of all.
static bool leaveOut(ctTile *w)
{
    int count = 0, out = 0;
    for (int i = 0; i < w->count; i++) {
        out += w->sides[i] >= (uint8_t)passed;
    }
    bool same = out == w->passedCount;
    for (int i = 0, at = 0; i < w->count && same; i++) {
        same = w->sides[i] < (uint8_t)passed || w->passed[at++] == w->triangles[i];
    }
    w->patience = same ? w->patience + 1 : 0;
    if (!ctReserve((void **)&w->passed, &w->passedCapacity, out, sizeof(int))) {
        return false;
    }
    w->passedCount = 0;
    for (int i = 0; i < w->count; i++) {
        int triangle = w->triangles[i];
        if (w->sides[i] >= (uint8_t)passed) {
            w->passed[w->passedCount++] = triangle;
        } else {
            w->triangles[count++] = triangle;
        }
    }
    w->count = count;
    return true;
}

bool ctTile_ChooseSides(ctWorld *world, ctTile *w)
{
    const ctTerrain *t = ctTile_Terrain(world, w);
    w->watch = INFINITY;
    if (t->twoSided) {
        return true;
    }
    if (!ctReserve((void **)&w->sides, &w->sideCapacity, w->count, sizeof *w->sides)) {
        return false;
    }
    Comer c = comerOf(world, w);
    double least = ctFmin(ldexp(LEAST_WAY, w->patience < 20 ? w->patience : 20), LONGEST_LEAST_WAY) * c.radius;
    double nearest = INFINITY;
    for (int i = 0; i < w->count; i++) {
        bool was = isIn(w->passed, w->passedCount, w->triangles[i]);
        double way;
        w->sides[i] = (uint8_t)sideOf(t, w->triangles[i], &c, was, least, &way);
        nearest = ctFmin(nearest, way);
    }
    for (int i = 0; i < w->count; i++) {
        if (w->sides[i] == (uint8_t)pierced) {
            passAround(t, w, w->triangles[i]);
        }
    }
    if (nearest < (double)INFINITY) {
        w->watch = timeOfWay(world, w->body, nearest);
    }
    return leaveOut(w);
}

void ctTile_LeaveOut(ctTile *w)
{
    int count = 0;
    for (int i = 0; i < w->count; i++) {
        if (!isIn(w->passed, w->passedCount, w->triangles[i])) {
            w->triangles[count++] = w->triangles[i];
        }
    }
    w->count = count;
}

bool ctTile_IsTouchedBehind(const ctWorld *world, const ctTile *w, int leaf, ctVec3 point, ctVec3 n)
{
    const ctTerrain *t = ctTile_Terrain(world, w);
    ctPose pose = ctBody_Pose(world, &world->bodies[w->terrain]);
    return !t->twoSided && ctTerrain_IsBehind(t, w->triangles[leaf], ctInvPosePoint(&pose, point), ctMulTMV(pose.r, n));
}
