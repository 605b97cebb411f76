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
// [cap] Choices in a row that are counted: enough for the longest of these ways.
#define MOST_PATIENCE 20

// front: solid. beside: across the plane, and solid unless it is next to a pierced one. passed: left out. pierced: left
// out, and inside the body.
typedef enum Side { front, beside, passed, pierced } Side;

// The body, in the terrain's frame, and bounds of its motion from now on.
typedef struct Comer {
    const ctShape *shape;
    ctPose pose;
    ctVec3 centre, lo, hi;
    double radius;
    double speed, pull; // m/s, m/s^2: of the centre
    double turn;        // m/s: the most by which turning adds to the speed of a point
    double rim, twist;  // m/s, m/s^2: the same now, without turning that leaves the shape where it is; its growth
    ctFlat flat;        // any of the terrain's triangles
} Comer;

// Another choice is due no sooner than some point of the body has moved so far, and its centre so far, m.
typedef struct Way {
    double any, centre;
} Way;

static void boundMotion(const ctWorld *world, int index, const ctBodyState *s, Comer *c)
{
    const ctBody *body = &world->bodies[index];
    c->speed = ctLength(body->v) + (world->now - body->t) * ctLength(body->a);
    c->pull = ctLength(body->a) + ctBody_Stray(world, body);
    c->turn = body->wMax * body->radius;
    c->rim = ctBody_RimSpeed(world, index, s->q, s->w);
    c->twist = body->alphaMax * body->radius;
    if (ctBody_IsPlanned(body)) { // its bounds are those of this moment
        c->speed += c->turn;
        c->turn = c->rim = 0.0;
    }
}

static void describe(const ctWorld *world, const ctTile *w, Comer *c)
{
    const ctBody *body = &world->bodies[w->body];
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    ctPose ground = ctBody_Pose(world, &world->bodies[w->terrain]);
    c->shape = ctBody_Shape(world, w->body);
    c->centre = ctInvPosePoint(&ground, s.x);
    c->radius = body->radius;
    c->pose.r = ctMulMM(ctTranspose(ground.r), ctMat3FromQuat(s.q));
    c->pose.p = ctSub(c->centre, ctMulMV(c->pose.r, world->infos[w->body].center));
    ctShape_Bounds(c->shape, &c->pose, &c->lo, &c->hi);
    boundMotion(world, w->body, &s, c);
    ctFlat_Make(&c->flat, ctTile_Terrain(world, w), w->triangles[0]);
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

static ctBox boxOf(const ctTerrain *t, int triangle)
{
    ctVec3 a = ctTerrain_Vertex(t, triangle, 0), b = ctTerrain_Vertex(t, triangle, 1),
           c = ctTerrain_Vertex(t, triangle, 2);
    return (ctBox){ctMin(a, ctMin(b, c)), ctMax(a, ctMax(b, c))};
}

static bool isBoxFar(const Comer *c, const ctBox *box, double far)
{
    ctVec3 apart = ctMax(ctSub(box->lo, c->hi), ctSub(c->lo, box->hi));
    return ctMaxElement(apart) > far;
}

// How far the centre must move before the ball about the body is near a triangle, which is behind its plane now and
// touches nothing as long as the ball does not.
static double wayOfBall(const Comer *c, const ctBox *box, double height, double near)
{
    ctVec3 apart = ctMax(ctMax(ctSub(box->lo, c->centre), ctSub(c->centre, box->hi)), ctZero3());
    return ctFmax(-height, ctLength(apart)) - c->radius - near;
}

static ctClosest closestTo(const Comer *c, const ctTerrain *t, int triangle)
{
    const ctPose none = {ctZero3(), ctMat3FromQuat((ctQuat){1.0, 0.0, 0.0, 0.0})};
    ctClosest least = {.distance = INFINITY};
    ctFlat flat;
    ctFlat_Make(&flat, t, triangle);
    for (int i = 0; i < c->shape->leafCount; i++) {
        ctPose part = ctShape_PartPose(c->shape, i, &c->pose);
        ctClosest one;
        ctClosestPoints(c->shape->leaves[i].shape, &part, &flat.shape, &none, NULL, &one);
        least = one.distance < least.distance ? one : least;
    }
    return least;
}

// The side of a triangle on which the body is; was: the triangle has been left out before.
static Side sideOf(const ctTerrain *t, int triangle, const Comer *c, bool was, double least, Way *way)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    double offset = t->offsets[t->facets[triangle]], near = NEAR * c->radius, height = ctDot(n, c->centre) - offset;
    if (height >= c->radius) {
        return front;
    }
    double high = ctReachAlong(c->shape, &c->flat.shape, &c->pose, n) - offset;
    double low = -ctReachAlong(c->shape, &c->flat.shape, &c->pose, ctNeg(n)) - offset;
    if (low >= -(was ? CT_EQUAL : CLEAR) * c->radius) {
        return front;
    }
    ctBox box = boxOf(t, triangle);
    way->centre = wayOfBall(c, &box, height, near);
    if (high < -near) {
        way->any = ctFmax(-high - near, 0.25 * near);
        return passed;
    }
    if (isBoxFar(c, &box, near)) {
        return beside;
    }
    ctClosest closest = closestTo(c, t, triangle);
    bool behind = ctTerrain_IsBehind(t, triangle, closest.pointB, closest.normal);
    if (closest.distance <= 0.0 && (was || behind)) {
        way->any = ctFmax(-closest.distance, least);
        return pierced;
    }
    if (closest.distance <= near && behind) {
        way->any = 0.25 * near;
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

// How long the body certainly takes for a way, s: by the best of three bounds of its motion.
static double timeOfWay(const Comer *c, const Way *way)
{
    double whole = ctFirstRoot(way->any, -c->speed - c->turn, -c->pull);
    double rim = ctFirstRoot(way->any, -c->speed - c->rim, -c->pull - c->twist);
    double centre = ctFirstRoot(way->centre, -c->speed, -c->pull);
    return ctFmax(whole, ctFmax(rim, centre));
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
    w->patience = same ? (w->patience < MOST_PATIENCE ? w->patience + 1 : MOST_PATIENCE) : 0;
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
    Comer c;
    describe(world, w, &c);
    world->stats.distanceChecks++;
    double least = ctFmin(ldexp(LEAST_WAY, w->patience), LONGEST_LEAST_WAY) * c.radius;
    for (int i = 0; i < w->count; i++) {
        bool was = isIn(w->passed, w->passedCount, w->triangles[i]);
        Way way = {INFINITY, INFINITY};
        w->sides[i] = (uint8_t)sideOf(t, w->triangles[i], &c, was, least, &way);
        if (w->sides[i] >= (uint8_t)passed) {
            w->watch = ctFmin(w->watch, world->now + timeOfWay(&c, &way));
        }
    }
    for (int i = 0; i < w->count; i++) {
        if (w->sides[i] == (uint8_t)pierced) {
            passAround(t, w, w->triangles[i]);
        }
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
