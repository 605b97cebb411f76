// What is in the way of a riding ball (pairs/ride.c): the seams of its triangle, triangles that it touches before, and
// triangles that would reach into it with a face, a side or a corner.
#include "engine/pairs/ride.h"

// A triangle that reaches into the ball by this share of its radius ends the ride. One that reaches in by half of that
// prevents its beginning, and the way ahead ends where one will reach in by one and a half times that.
#define CRAMPED (5.0 * CT_CONTACT_MARGIN)
// [method] The sine of the angle between normals that CT_GENTLE allows.
#define STEEP 0.4359
enum { WALK = 100000, LOOKS = 64, HALVINGS = 20 }; // [cap]: triangles of one facet; places on the way; of a time

ctRider ctRide_Of(const ctWorld *world, const ctTile *w, ctPose *pose)
{
    const ctBody *ball = &world->bodies[w->body];
    *pose = ctBody_Pose(world, &world->bodies[w->terrain]);
    return (ctRider){ctInvPosePoint(pose, ball->x), ctMulTMV(pose->r, ball->v), ctMulTMV(pose->r, ball->a)};
}

static ctVec3 placeAfter(const ctRider *r, double time)
{
    return ctMulAdd(ctMulAdd(r->x, time, r->v), 0.5 * time * time, r->a);
}

ctSeam ctRide_Seam(const ctTerrain *t, int triangle, int k)
{
    int other = t->neighbours[3 * triangle + k];
    ctVec3 a = ctTerrain_Vertex(t, triangle, k), d = ctSub(ctTerrain_Vertex(t, triangle, (k + 1) % 3), a);
    ctVec3 n = ctTerrain_Normal(t, triangle), m = other >= 0 ? ctTerrain_Normal(t, other) : n;
    ctSeam seam = {ctCross(d, ctAdd(n, m)), 0.0};
    seam.offset = ctDot(seam.n, a);
    return seam;
}

// ---- triangles around -------------------------------------------------------------------------

// A query for the triangles that a ball may touch on its way, whose normals are not far from that of its own.
typedef struct Around {
    const ctTerrain *t;
    const ctTile *w;
    const ctRider *r;
    double radius, sign; // sign: the side of the surface on which the ball is
    ctVec3 n;            // of its own triangle, on that side
    double level;        // n.x above which something rises above that triangle
    double least;        // m: the least distance that a triangle may have
    double longest;      // s: until when the way is free
    int ahead;
    bool cramped;
} Around;

static Around aroundOf(const ctTerrain *t, const ctTile *w, const ctRider *r, double radius)
{
    double sign = w->front ? 1.0 : -1.0;
    ctVec3 n = ctScale(sign, ctTerrain_Normal(t, w->ride));
    double level = sign * t->offsets[t->facets[w->ride]] + CT_EQUAL * radius;
    return (Around){.t = t, .w = w, .r = r, .radius = radius, .sign = sign, .n = n, .level = level, .ahead = -1};
}

// The least height of a triangle.
static double heightOf(const ctTerrain *t, int triangle)
{
    ctVec3 a = ctTerrain_Vertex(t, triangle, 0), b = ctTerrain_Vertex(t, triangle, 1),
           c = ctTerrain_Vertex(t, triangle, 2);
    double longest =
        ctFmax(ctLengthSquared(ctSub(b, a)), ctFmax(ctLengthSquared(ctSub(c, b)), ctLengthSquared(ctSub(a, c))));
    return ctLength(ctCross(ctSub(b, a), ctSub(c, a))) / sqrt(longest);
}

// Queries the triangles within reach of a way (m). If the ball's own triangle is large, those around its corners are
// enough.
static void askAround(Around *around, double way, ctTriangleFn *visit)
{
    const ctTerrain *t = around->t;
    int own = around->w->ride;
    if (heightOf(t, own) > STEEP * around->radius) {
        for (int k = 0; k < 3; k++) {
            int v = ctTerrain_Corner(t, own, k);
            for (int i = t->firstRing[v]; i < t->firstRing[v + 1]; i++) {
                visit(around, t->ring[i]);
            }
        }
        return;
    }
    ctVec3 foot = ctMulAdd(around->r->x, -around->radius, around->n);
    double reach = STEEP * around->radius + way;
    ctVec3 grow = ctV3(reach, reach, reach);
    ctTerrain_Query(t, ctSub(foot, grow), ctAdd(foot, grow), visit, around);
}

// Whether a part of a triangle is above the plane of the ball's own.
static bool isAbove(const Around *a, int triangle)
{
    return ctDot(a->n, ctTerrain_Vertex(a->t, triangle, 0)) > a->level ||
           ctDot(a->n, ctTerrain_Vertex(a->t, triangle, 1)) > a->level ||
           ctDot(a->n, ctTerrain_Vertex(a->t, triangle, 2)) > a->level;
}

// The square of the distance of a point from a triangle.
static double awayFrom(const ctTerrain *t, int triangle, ctVec3 p)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    double height = ctDot(n, p) - t->offsets[t->facets[triangle]], least = INFINITY;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        ctVec3 a = ctTerrain_Vertex(t, triangle, k), d = ctSub(ctTerrain_Vertex(t, triangle, (k + 1) % 3), a);
        ctVec3 way = ctSub(p, a);
        inside = inside && ctDot(n, ctCross(d, way)) >= 0.0;
        double along = ctFmax(0.0, ctFmin(1.0, ctDot(way, d) / ctLengthSquared(d)));
        least = ctFmin(least, ctLengthSquared(ctMulAdd(way, -along, d)));
    }
    return inside ? height * height : least;
}

static bool isTooNear(const Around *a, int triangle, ctVec3 centre)
{
    double height = ctDot(ctTerrain_Normal(a->t, triangle), centre) - a->t->offsets[a->t->facets[triangle]];
    return fabs(height) < a->least && awayFrom(a->t, triangle, centre) < a->least * a->least;
}

// Whether a triangle is under the ball: the foot of the centre is inside it.
static bool isUnder(const ctTerrain *t, int triangle, ctVec3 centre)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    ctVec3 foot = ctMulAdd(centre, t->offsets[t->facets[triangle]] - ctDot(n, centre), n);
    return ctTriangle_Inside(t, triangle, foot) >= -1e-9;
}

// ---- here -------------------------------------------------------------------------------------

static bool reachesIn(void *context, int triangle)
{
    Around *a = context;
    bool own = a->t->facets[triangle] == a->t->facets[a->w->ride];
    a->cramped = a->cramped || (!own && isTooNear(a, triangle, a->r->x) && isAbove(a, triangle));
    return !a->cramped;
}

bool ctRide_IsCramped(const ctTerrain *t, const ctTile *w, ctVec3 centre, double radius)
{
    ctRider r = {.x = centre};
    Around around = aroundOf(t, w, &r, radius);
    around.least = (1.0 - 0.5 * CRAMPED) * radius;
    askAround(&around, 0.0, reachesIn);
    return around.cramped;
}

static bool shareCorner(const ctTerrain *t, int a, int b)
{
    bool found = false;
    for (int i = 0; i < 9; i++) {
        found = found || ctTerrain_Corner(t, a, i / 3) == ctTerrain_Corner(t, b, i % 3);
    }
    return found;
}

// Whether the ball, at this distance (m) from a triangle, touches it; whether it moves into it, at a speed (m/s).
static bool isTouched(const Around *a, double gap)
{
    return gap <= 1e-12 * (a->radius + ctMaxElement(ctAbs(a->r->x)));
}

static bool isEntered(const Around *a, double gap, double speed)
{
    return gap > -CT_CONTACT_MARGIN * a->radius && speed < -1e-12 * ctLength(a->r->v);
}

static bool isInWay(void *context, int triangle)
{
    Around *a = context;
    int facet = a->t->facets[triangle];
    double gap = a->sign * (ctDot(a->t->normals[facet], a->r->x) - a->t->offsets[facet]) - a->radius;
    if (gap > CT_EQUAL * a->radius || facet == a->t->facets[a->w->ride] || !isAbove(a, triangle)) {
        return true;
    }
    if (isTooNear(a, triangle, a->r->x)) {
        a->cramped = true;
        return false;
    }
    double speed = a->sign * ctDot(a->t->normals[facet], a->r->v);
    if (isTouched(a, gap) && isEntered(a, gap, speed) && isUnder(a->t, triangle, a->r->x)) {
        a->cramped = !shareCorner(a->t, triangle, a->w->ride);
        a->ahead = a->ahead < 0 ? triangle : a->ahead;
    }
    return !a->cramped;
}

bool ctRide_IsFree(const ctTerrain *t, const ctTile *w, const ctRider *r, double radius, int *ahead)
{
    Around around = aroundOf(t, w, r, radius);
    around.least = (1.0 - CRAMPED) * radius;
    askAround(&around, 0.0, isInWay);
    *ahead = around.ahead;
    return !around.cramped;
}

// ---- the way ahead ----------------------------------------------------------------------------

// When a triangle will be too near, within the time for which the way is free. The places tested are so close to each
// other that no triangle deeper than CRAMPED is missed: 2 sqrt(2 CRAMPED) radii.
static double timeOfCramp(const Around *a, int triangle, double way)
{
    double apart = 2.0 * sqrt(2.0 * CRAMPED) * a->radius;
    int count = (int)ctFmax(1.0, ctFmin(LOOKS, ceil(way / apart)));
    for (int i = 1; i <= count; i++) {
        double late = a->longest * i / count, early = a->longest * (i - 1) / count;
        if (!isTooNear(a, triangle, placeAfter(a->r, late))) {
            continue;
        }
        for (int k = 0; k < HALVINGS; k++) {
            double middle = 0.5 * (early + late);
            bool near = isTooNear(a, triangle, placeAfter(a->r, middle));
            late = near ? middle : late;
            early = near ? early : middle;
        }
        return late;
    }
    return INFINITY;
}

// When the ball touches a triangle from its side, or contains it, before the way ends. Such triangles need not be
// neighbours where several meet in a corner, or where the ball is larger than they are.
static bool endsWay(void *context, int triangle)
{
    Around *a = context;
    int facet = a->t->facets[triangle];
    ctVec3 n = ctScale(a->sign, a->t->normals[facet]);
    double height = ctDot(n, a->r->x) - a->sign * a->t->offsets[facet], speed = ctDot(n, a->r->v);
    double pull = ctDot(n, a->r->a), time = a->longest, lowest = height + time * (speed + 0.5 * time * pull);
    lowest = pull > 0.0 && speed < 0.0 && -speed < pull * time ? height - 0.5 * speed * speed / pull
                                                               : ctFmin(height, lowest);
    if (lowest > (1.0 - CT_EQUAL) * a->radius || facet == a->t->facets[a->w->ride] || !isAbove(a, triangle)) {
        return true;
    }
    double gap = height - a->radius, touch = isTouched(a, gap) ? 0.0 : ctFirstRoot(gap, speed, pull);
    if ((touch > 0.0 || isEntered(a, gap, speed)) && touch < a->longest &&
        isUnder(a->t, triangle, placeAfter(a->r, touch))) {
        a->longest = touch;
    }
    double way = a->longest * (ctLength(a->r->v) + 0.5 * a->longest * ctLength(a->r->a));
    a->longest = ctFmin(a->longest, timeOfCramp(a, triangle, way));
    return true;
}

// When the ball reaches the end of its facet; infinite: later than a time (s).
static double timeOfSeam(const ctTerrain *t, int at, ctRider r, double longest)
{
    double time = 0.0;
    int from = -1;
    for (int i = 0; i < WALK && time < longest; i++) {
        double first = INFINITY;
        int side = -1;
        for (int k = 0; k < 3; k++) {
            if (from >= 0 && t->neighbours[3 * at + k] == from) {
                continue;
            }
            ctSeam seam = ctRide_Seam(t, at, k);
            double left = seam.offset - ctDot(seam.n, r.x);
            double step = ctFirstRoot(left, -ctDot(seam.n, r.v), -ctDot(seam.n, r.a));
            side = step < first ? k : side;
            first = ctFmin(first, step);
        }
        if (side < 0) {
            return INFINITY;
        }
        int other = t->neighbours[3 * at + side];
        time += first;
        if (other < 0 || t->facets[other] != t->facets[at]) {
            return time;
        }
        r.x = placeAfter(&r, first);
        r.v = ctMulAdd(r.v, first, r.a);
        from = at;
        at = other;
    }
    return INFINITY;
}

double ctTile_NextSeam(const ctWorld *world, int index, double until)
{
    const ctTile *w = world->infos[index].tile;
    if (w->ride < 0 || w->flat) {
        return INFINITY;
    }
    const ctTerrain *t = ctTile_Terrain(world, w);
    ctPose pose;
    ctRider r = ctRide_Of(world, w, &pose);
    double radius = world->bodies[w->body].radius;
    double seam = timeOfSeam(t, w->ride, r, until - world->now), longest = ctFmin(seam, until - world->now);
    Around around = aroundOf(t, w, &r, radius);
    around.least = (1.0 - 1.5 * CRAMPED) * radius;
    around.longest = longest;
    askAround(&around, longest * (ctLength(r.v) + 0.5 * longest * ctLength(r.a)), endsWay);
    return world->now + (around.longest < longest ? around.longest : seam);
}
