// Balls on curved terrain.
//
// A mesh stands for a smooth surface where its triangles meet at small angles. A ball in contact there rides on the
// plane of one triangle at a time. Each triangle has the space up to the planes that halve the angles with its
// neighbours: in such a plane the centre of a ball that touches one triangle touches the other as well. There the ball
// passes from one to the other, and its velocity and spin are turned with the normal, which changes no energy: what a
// fillet would do that is much smaller than the ball. At a convex seam the ball goes along if it would on a surface of
// that curvature,
//     v^2 theta / l <= g_n,
// with the angle theta, the mean l of the triangles' widths and the pull g_n against the surface; otherwise it takes
// off.
#include "engine/pairs/tile_internal.h"

// Nothing reaches into a ball that rides by more than this part of its radius.
#define CRAMPED (5.0 * CT_CONTACT_MARGIN)
// A ball that turns so often while it moves by no more than this part of its radius is in a corner between several
// triangles: it lies there, and does not ride until it has left the place.
#define PLACE (10.0 * CT_CONTACT_MARGIN)
// The sine of the angle between normals that GENTLE allows (pairs/tile.c) [method].
#define STEEP 0.4359
enum { TURNS = 16, WALK = 100000 }; // [cap]; the latter: triangles of one facet

// The plane that halves the angle at side k, as seen from a triangle: positive beyond.
typedef struct Seam {
    ctVec3 n;
    double offset;
} Seam;

static Seam seamOf(const ctTerrain *t, int triangle, int k)
{
    int other = t->neighbours[3 * triangle + k];
    ctVec3 a = ctTerrain_Vertex(t, triangle, k), d = ctSub(ctTerrain_Vertex(t, triangle, (k + 1) % 3), a);
    ctVec3 n = ctTerrain_Normal(t, triangle), m = other >= 0 ? ctTerrain_Normal(t, other) : n;
    Seam seam = {ctNormalize(ctCross(d, ctAdd(n, m))), 0.0};
    seam.offset = ctDot(seam.n, a);
    return seam;
}

// The triangles that share a corner with one: the i-th, some of them twice; -1 after the last.
static int triangleAround(const ctTerrain *t, int triangle, int i)
{
    for (int k = 0; k < 3; k++) {
        int v = ctTerrain_Corner(t, triangle, k), count = t->firstRing[v + 1] - t->firstRing[v];
        if (i < count) {
            return t->ring[t->firstRing[v] + i];
        }
        i -= count;
    }
    return -1;
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

// Whether some of a triangle is above the plane of another, on the side where the ball is.
static bool isAbove(const ctTerrain *t, const ctTile *w, int triangle)
{
    ctVec3 n = ctScale(w->front ? 1.0 : -1.0, ctTerrain_Normal(t, w->ride)), at = ctTerrain_Vertex(t, w->ride, 0);
    return ctDot(n, ctSub(ctTerrain_Vertex(t, triangle, 0), at)) > 0.0 ||
           ctDot(n, ctSub(ctTerrain_Vertex(t, triangle, 1), at)) > 0.0 ||
           ctDot(n, ctSub(ctTerrain_Vertex(t, triangle, 2), at)) > 0.0;
}

// A question about the triangles that a ball may touch on its way, whose normals are not far from that of its own.
typedef struct Around {
    const ctTerrain *t;
    const ctTile *w;
    ctVec3 centre;
    double radius, least; // m: how near they may be
    bool found;
} Around;

// The least height of a triangle.
static double heightOf(const ctTerrain *t, int triangle)
{
    ctVec3 a = ctTerrain_Vertex(t, triangle, 0), b = ctTerrain_Vertex(t, triangle, 1),
           c = ctTerrain_Vertex(t, triangle, 2);
    double longest =
        ctFmax(ctLengthSquared(ctSub(b, a)), ctFmax(ctLengthSquared(ctSub(c, b)), ctLengthSquared(ctSub(a, c))));
    return ctLength(ctCross(ctSub(b, a), ctSub(c, a))) / sqrt(longest);
}

// Those that share a corner with its own are enough where these are large.
static bool areLarge(const ctTerrain *t, const ctTile *w, double radius)
{
    return heightOf(t, w->ride) > STEEP * radius;
}

// way: how far the ball goes, m.
static void askAround(Around *around, double way, ctTriangleFn *visit)
{
    if (areLarge(around->t, around->w, around->radius)) {
        for (int i = 0, triangle; (triangle = triangleAround(around->t, around->w->ride, i)) >= 0; i++) {
            if (!visit(around, triangle)) {
                return;
            }
        }
        return;
    }
    ctVec3 n = ctScale(around->w->front ? 1.0 : -1.0, ctTerrain_Normal(around->t, around->w->ride));
    ctVec3 foot = ctMulAdd(around->centre, -around->radius, n);
    double reach = STEEP * around->radius + way;
    ctVec3 grow = ctV3(reach, reach, reach);
    ctTerrain_Query(around->t, ctSub(foot, grow), ctAdd(foot, grow), visit, around);
}

static bool reachesIn(void *context, int triangle)
{
    Around *a = context;
    double height = ctDot(ctTerrain_Normal(a->t, triangle), a->centre) - a->t->offsets[a->t->facets[triangle]];
    a->found = fabs(height) < a->least && isAbove(a->t, a->w, triangle) &&
               awayFrom(a->t, triangle, a->centre) < a->least * a->least;
    return !a->found;
}

// Whether another triangle than that which the ball is on reaches into the ball: the surface is too curved for it here.
static bool isCramped(const ctTerrain *t, const ctTile *w, ctVec3 centre, double radius)
{
    Around around = {t, w, centre, radius, (1.0 - CRAMPED) * radius, false};
    askAround(&around, 0.0, reachesIn);
    return around.found;
}

// ---- on and off -------------------------------------------------------------------------------

// The triangle of the tile under a ball that touches it inside; -1: none.
static int triangleUnder(const ctWorld *world, const ctTile *w, int leaf, ctVec3 centre)
{
    const ctTerrain *t = ctTile_Terrain(world, w);
    int best = -1;
    double most = -1e-9;
    for (int i = 0; i < w->count; i++) {
        int triangle = w->triangles[i];
        if (w->facet >= 0 ? t->facets[triangle] == w->facet : i == leaf) {
            ctVec3 n = ctTerrain_Normal(t, triangle);
            ctVec3 foot = ctMulAdd(centre, t->offsets[t->facets[triangle]] - ctDot(n, centre), n);
            double inside = ctTriangle_Inside(t, triangle, foot);
            best = inside > most ? triangle : best;
            most = ctFmax(most, inside);
        }
    }
    return best;
}

// Whether a ball is in the corner in which it has turned too often.
static bool isCornered(const ctTile *w, ctVec3 centre, double radius)
{
    return w->turns > TURNS && ctDistance(centre, w->turnPlace) <= PLACE * radius;
}

// Counts a turn; whether it is one too many.
static bool turnsAgain(ctTile *w, ctVec3 centre, double radius)
{
    if (w->turns == 0 || ctDistance(centre, w->turnPlace) > PLACE * radius) {
        w->turnPlace = centre;
        w->turns = 0;
    }
    return ++w->turns > TURNS;
}

bool ctTile_Mount(ctWorld *world, int pair, int leaf)
{
    int index = world->pairs[pair].b;
    ctTile *w = world->infos[index].tile;
    const ctBody *ball = &world->bodies[w->body];
    const ctTerrain *t = ctTile_Terrain(world, w);
    ctPose pose = ctBody_Pose(world, &world->bodies[w->terrain]);
    ctVec3 centre = ctInvPosePoint(&pose, ball->x);
    int triangle = triangleUnder(world, w, leaf, centre);
    if (triangle < 0 || isCornered(w, centre, ball->radius)) {
        return true;
    }
    double height = ctDot(ctTerrain_Normal(t, triangle), centre) - t->offsets[t->facets[triangle]];
    w->ride = triangle;
    if (fabs(fabs(height) - ball->radius) > CT_CONTACT_MARGIN * ball->radius || !ctTile_IsGentle(t, w) ||
        isCramped(t, w, centre, ball->radius)) {
        w->ride = -1;
        return true;
    }
    if (w->facet >= 0) {
        return true;
    }
    if (!ctTile_Keep(w)) {
        w->ride = -1;
        return false;
    }
    w->front = height > 0.0;
    ctTile_BecomePlane(world, index, t->facets[triangle]);
    return ctTile_RenewPair(world, pair);
}

bool ctTile_Dismount(ctWorld *world, int pair)
{
    int index = world->pairs[pair].b;
    ctTile *w = world->infos[index].tile;
    w->ride = -1;
    if (w->flat) {
        return true;
    }
    return ctTile_Keep(w) && ctTile_Fill(world, index) && ctTile_RenewPair(world, pair);
}

// ---- over the seams ---------------------------------------------------------------------------

// The ball in the terrain's frame.
typedef struct Rider {
    ctVec3 x, v, a;
} Rider;

static Rider riderOf(const ctWorld *world, const ctTile *w, ctPose *pose)
{
    const ctBody *ball = &world->bodies[w->body];
    *pose = ctBody_Pose(world, &world->bodies[w->terrain]);
    return (Rider){ctInvPosePoint(pose, ball->x), ctMulTMV(pose->r, ball->v), ctMulTMV(pose->r, ball->a)};
}

// How far the ball's lowest point is above the plane of a triangle, and how fast that changes.
static double gapOver(const ctTerrain *t, const ctTile *w, int triangle, const Rider *r, double radius, double *speed,
                      double *pull)
{
    ctVec3 n = ctScale(w->front ? 1.0 : -1.0, ctTerrain_Normal(t, triangle));
    double offset = (w->front ? 1.0 : -1.0) * t->offsets[t->facets[triangle]];
    *speed = ctDot(n, r->v);
    *pull = ctDot(n, r->a);
    return ctDot(n, r->x) - offset - radius;
}

// Whether a triangle is under the ball: the foot of its centre is inside.
static bool isUnder(const ctTerrain *t, int triangle, ctVec3 centre)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    ctVec3 foot = ctMulAdd(centre, t->offsets[t->facets[triangle]] - ctDot(n, centre), n);
    return ctTriangle_Inside(t, triangle, foot) >= -1e-9;
}

// When the ball touches another triangle, from the side on which it is, within a time (s); infinite: it does not. Where
// several meet in a corner, and where the ball is larger than they are, these need not be neighbours.
typedef struct Touch {
    Around around; // first: triangles are asked through it
    const Rider *r;
    double longest;
} Touch;

static bool touches(void *context, int triangle)
{
    Touch *touch = context;
    const ctTerrain *t = touch->around.t;
    const ctTile *w = touch->around.w;
    const Rider *r = touch->r;
    double speed, pull, radius = touch->around.radius;
    if (t->facets[triangle] == t->facets[w->ride]) {
        return true;
    }
    double gap = gapOver(t, w, triangle, r, radius, &speed, &pull), time = ctFirstRoot(gap, speed, pull);
    ctVec3 then = time < touch->longest ? ctMulAdd(ctMulAdd(r->x, time, r->v), 0.5 * time * time, r->a) : r->x;
    if (gap > -CT_CONTACT_MARGIN * radius && time < touch->longest && isUnder(t, triangle, then)) {
        touch->longest = time;
    }
    return true;
}

static double timeOfTouch(const ctTerrain *t, const ctTile *w, const Rider *r, double radius, double longest)
{
    Touch touch = {{t, w, r->x, radius, 0.0, false}, r, longest};
    askAround(&touch.around, longest * (ctLength(r->v) + 0.5 * longest * ctLength(r->a)), touches);
    return touch.longest;
}

double ctTile_NextSeam(const ctWorld *world, int index, double until)
{
    const ctTile *w = world->infos[index].tile;
    if (w->ride < 0 || w->flat) {
        return INFINITY;
    }
    const ctTerrain *t = ctTile_Terrain(world, w);
    ctPose pose;
    Rider r = riderOf(world, w, &pose);
    double touch = world->now + timeOfTouch(t, w, &r, world->bodies[w->body].radius, until - world->now);
    int at = w->ride, from = -1;
    double time = 0.0, longest = until - world->now;
    for (int i = 0; i < WALK && time < longest; i++) {
        double first = INFINITY;
        int side = -1;
        for (int k = 0; k < 3; k++) {
            Seam seam = seamOf(t, at, k);
            int other = t->neighbours[3 * at + k];
            double left = seam.offset - ctDot(seam.n, r.x);
            double step = other == from && from >= 0 ? (double)INFINITY
                                                     : ctFirstRoot(left, -ctDot(seam.n, r.v), -ctDot(seam.n, r.a));
            side = step < first ? k : side;
            first = ctFmin(first, step);
        }
        if (side < 0) {
            return touch;
        }
        int other = t->neighbours[3 * at + side];
        time += first;
        if (other < 0 || t->facets[other] != t->facets[at]) {
            return ctFmin(touch, world->now + time);
        }
        r.x = ctMulAdd(ctMulAdd(r.x, first, r.v), 0.5 * first * first, r.a);
        r.v = ctMulAdd(r.v, first, r.a);
        from = at;
        at = other;
    }
    return touch;
}

// How wide a triangle is across one of its sides.
static double widthOf(const ctTerrain *t, int triangle, ctVec3 a, ctVec3 b)
{
    ctVec3 d = ctNormalize(ctSub(b, a));
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = ctFmax(most, ctLength(ctCross(d, ctSub(ctTerrain_Vertex(t, triangle, k), a))));
    }
    return most;
}

// Whether the ball, which passes a seam at this speed, stays on the surface. n, m: the normals on its side. pull:
// m/s^2.
static bool staysOn(const ctTerrain *t, int triangle, int k, ctVec3 n, ctVec3 m, Seam seam, double speed, ctVec3 pull)
{
    int other = t->neighbours[3 * triangle + k];
    ctVec3 a = ctTerrain_Vertex(t, triangle, k), b = ctTerrain_Vertex(t, triangle, (k + 1) % 3);
    if (ctDot(seam.n, ctSub(m, n)) <= 0.0) {
        return true; // concave
    }
    double angle = ctLength(ctSub(m, n)), width = 0.5 * (widthOf(t, triangle, a, b) + widthOf(t, other, a, b));
    return speed * speed * angle <= -ctDot(pull, m) * width;
}

// Where the surface rises on both sides and the ball would be back within a time (s), it stays in the groove.
static bool isGroove(Seam seam, ctVec3 n, ctVec3 m, double speed, ctVec3 pull, double time)
{
    double back = -ctDot(seam.n, ctMulAdd(pull, -ctDot(pull, m), m));
    return ctDot(seam.n, ctSub(m, n)) < 0.0 && back > 0.0 && 2.0 * speed < back * time;
}

static void turnBall(ctWorld *world, const ctTile *w, const ctPose *pose, ctVec3 n, ctVec3 m)
{
    ctBody *ball = &world->bodies[w->body];
    ctVec3 from = ctMulMV(pose->r, n), to = ctMulMV(pose->r, m), axis = ctCross(from, to);
    double cosine = ctDot(from, to);
    ctVec3 *vectors[] = {&ball->v, &ball->w, &ball->a, &ball->alpha};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctVec3 v = *vectors[i];
        *vectors[i] = ctAdd(ctMulAdd(ctScale(cosine, v), ctDot(axis, v) / (1.0 + cosine), axis), ctCross(axis, v));
    }
}

// The side that the ball is at or beyond, and moves out over; -1: none.
static int sideToPass(const ctTerrain *t, int triangle, const Rider *r, double radius)
{
    int side = -1;
    double most = -1e-12 * (radius + ctMaxElement(ctAbs(r->x)));
    for (int k = 0; k < 3; k++) {
        Seam seam = seamOf(t, triangle, k);
        double beyond = ctDot(seam.n, r->x) - seam.offset;
        if (beyond > most && ctDot(seam.n, r->v) > 0.0) {
            most = beyond;
            side = k;
        }
    }
    return side;
}

// Another triangle that the ball touches and moves into; -1: none.
static int triangleAhead(const ctTerrain *t, const ctTile *w, const Rider *r, double radius)
{
    double most = 1e-12 * (radius + ctMaxElement(ctAbs(r->x)));
    for (int i = 0, other; (other = triangleAround(t, w->ride, i)) >= 0; i++) {
        double speed, pull, gap = gapOver(t, w, other, r, radius, &speed, &pull);
        if (t->facets[other] != t->facets[w->ride] && gap <= most && gap > -CT_CONTACT_MARGIN * radius &&
            speed < -1e-12 * ctLength(r->v) && isUnder(t, other, r->x)) {
            return other;
        }
    }
    return -1;
}

// Whether it touches one that is no neighbour: there it does not roll on.
static bool touchesAhead(void *context, int other)
{
    Touch *touch = context;
    const ctTerrain *t = touch->around.t;
    double radius = touch->around.radius, most = 1e-12 * (radius + ctMaxElement(ctAbs(touch->r->x))), speed, pull;
    double gap = gapOver(t, touch->around.w, other, touch->r, radius, &speed, &pull);
    touch->around.found = t->facets[other] != t->facets[touch->around.w->ride] && gap <= most &&
                          gap > -CT_CONTACT_MARGIN * radius && speed < -1e-12 * ctLength(touch->r->v) &&
                          isUnder(t, other, touch->r->x);
    return !touch->around.found;
}

static bool isBlocked(const ctTerrain *t, const ctTile *w, const Rider *r, double radius)
{
    Touch touch = {{t, w, r->x, radius, 0.0, false}, r, 0.0};
    if (!areLarge(t, w, radius)) { // else it has been seen to touch none
        askAround(&touch.around, 0.0, touchesAhead);
    }
    return touch.around.found;
}

// From the triangle that the ball is on to another: beyond the seam, or where it touches. False: its ride ends.
static bool turnTo(ctWorld *world, ctTile *w, int other, int side, const ctPose *pose, Rider *r, ctVec3 pull,
                   double shortest)
{
    const ctTerrain *t = ctTile_Terrain(world, w);
    double sign = w->front ? 1.0 : -1.0;
    ctVec3 n = ctScale(sign, ctTerrain_Normal(t, w->ride)), m = ctScale(sign, ctTerrain_Normal(t, other));
    Seam seam = side >= 0 ? seamOf(t, w->ride, side) : (Seam){ctNormalize(ctSub(n, m)), 0.0};
    double speed = ctDot(seam.n, r->v);
    if ((side >= 0 && !staysOn(t, w->ride, side, n, m, seam, speed, pull)) ||
        isGroove(seam, n, m, speed, pull, shortest)) {
        return false;
    }
    turnBall(world, w, pose, n, m);
    ctPose same;
    *r = riderOf(world, w, &same);
    return true;
}

// Whether the ball is cramped on its triangle, here or where it will leave it.
static bool isTooRough(const ctTerrain *t, const ctTile *w, const Rider *r, double radius)
{
    double way = INFINITY, speed = ctLength(r->v);
    for (int k = 0; k < 3 && speed > 0.0; k++) {
        Seam seam = seamOf(t, w->ride, k);
        double out = ctDot(seam.n, r->v) / speed, left = seam.offset - ctDot(seam.n, r->x);
        way = out > 0.0 && left > 0.0 ? ctFmin(way, left / out) : way;
    }
    return isCramped(t, w, r->x, radius) ||
           (way < radius && isCramped(t, w, ctMulAdd(r->x, way / speed, r->v), radius));
}

ctRideEvent ctTile_Cross(ctWorld *world, int index, ctVec3 pull, double shortest)
{
    ctTile *w = world->infos[index].tile;
    const ctTerrain *t = ctTile_Terrain(world, w);
    double radius = world->bodies[w->body].radius;
    ctPose pose;
    bool turned = false;
    Rider r = riderOf(world, w, &pose);
    pull = ctMulTMV(pose.r, pull);
    for (int i = 0; i < WALK && !w->flat; i++) {
        int side = sideToPass(t, w->ride, &r, radius);
        int other = side >= 0 ? t->neighbours[3 * w->ride + side] : triangleAhead(t, w, &r, radius);
        if (other < 0 && side < 0) {
            break;
        }
        bool flat = other >= 0 && t->facets[other] == t->facets[w->ride];
        if (other < 0 ||
            (!flat && (turnsAgain(w, r.x, radius) || !turnTo(world, w, other, side, &pose, &r, pull, shortest)))) {
            return ct_rideEnds;
        }
        turned = turned || !flat;
        w->ride = other;
    }
    if (!w->flat && ((turned && isTooRough(t, w, &r, radius)) || isBlocked(t, w, &r, radius))) {
        return ct_rideEnds;
    }
    if (turned) {
        ctTile_BecomePlane(world, index, t->facets[w->ride]);
    }
    return turned ? ct_rideTurns : ct_rideGoesOn;
}
