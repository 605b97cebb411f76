// Balls on curved terrain.
//
// A mesh whose triangles meet at small angles represents a smooth surface. A ball in contact there rides on the plane
// of one triangle at a time. Each triangle has the space up to the planes that bisect the angles with its neighbours. A
// ball whose centre is in such a plane touches both triangles. There it passes from one to the other, and its velocity
// and spin are turned with the normal, as by a fillet much smaller than the ball. Energy does not change. At a convex
// seam the ball stays on the surface if it would on a surface of that curvature,
//     v^2 theta / l <= g_n,
// with the angle theta, the mean width l of the triangles and the acceleration g_n towards the surface. Otherwise it
// takes off. pairs/ride_way.c finds what is in its way.
#include "engine/pairs/ride.h"

// A ball that turns this often while it moves by no more than this share of its radius is in a corner between several
// triangles. It lies there, and does not ride until it has left the place.
#define PLACE (10.0 * CT_CONTACT_MARGIN)
enum { TURNS = 16, WALK = 100000 }; // [cap]; WALK: triangles of one facet

// ---- on and off -------------------------------------------------------------------------------

// The triangle of the tile that a ball touches inside; -1: none.
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

// Whether a ball is still in the corner in which it has turned too often.
static bool isCornered(const ctTile *w, ctVec3 centre, double radius)
{
    return w->turns > TURNS && ctDistance(centre, w->turnPlace) <= PLACE * radius;
}

// Counts a turn; true when it is one too many.
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
        ctRide_IsCramped(t, w, centre, ball->radius)) {
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

// The width of a triangle across one of its sides.
static double widthOf(const ctTerrain *t, int triangle, ctVec3 a, ctVec3 b)
{
    ctVec3 d = ctNormalize(ctSub(b, a));
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = ctFmax(most, ctLength(ctCross(d, ctSub(ctTerrain_Vertex(t, triangle, k), a))));
    }
    return most;
}

// Whether the ball, which passes a seam at this speed, stays on the surface. n, m: the normals on the ball's side.
// pull: m/s^2.
static bool staysOn(const ctTerrain *t, int triangle, int k, ctVec3 n, ctVec3 m, ctSeam seam, double speed, ctVec3 pull)
{
    int other = t->neighbours[3 * triangle + k];
    ctVec3 a = ctTerrain_Vertex(t, triangle, k), b = ctTerrain_Vertex(t, triangle, (k + 1) % 3);
    if (ctDot(seam.n, ctSub(m, n)) <= 0.0) {
        return true; // concave
    }
    double angle = ctLength(ctSub(m, n)), width = 0.5 * (widthOf(t, triangle, a, b) + widthOf(t, other, a, b));
    return speed * speed * angle <= -ctDot(pull, m) * width;
}

// Whether the surface rises on both sides and the ball would return within a time (s): it stays in the groove.
static bool isGroove(ctSeam seam, ctVec3 n, ctVec3 m, double speed, ctVec3 pull, double time)
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

// The side that the ball is at or beyond, and moves over; -1: none.
static int sideToPass(const ctTerrain *t, int triangle, const ctRider *r, double radius)
{
    int side = -1;
    double most = -1e-12 * (radius + ctMaxElement(ctAbs(r->x)));
    for (int k = 0; k < 3; k++) {
        ctSeam seam = ctRide_Seam(t, triangle, k);
        if (!(ctDot(seam.n, r->v) > 0.0)) {
            continue;
        }
        double beyond = (ctDot(seam.n, r->x) - seam.offset) / ctLength(seam.n);
        if (beyond > most) {
            most = beyond;
            side = k;
        }
    }
    return side;
}

// Moves the ball from its triangle to another: beyond the seam, or where it touches. False: its ride ends.
static bool turnTo(ctWorld *world, ctTile *w, int other, int side, const ctPose *pose, ctRider *r, ctVec3 pull,
                   double shortest)
{
    const ctTerrain *t = ctTile_Terrain(world, w);
    double sign = w->front ? 1.0 : -1.0;
    ctVec3 n = ctScale(sign, ctTerrain_Normal(t, w->ride)), m = ctScale(sign, ctTerrain_Normal(t, other));
    ctSeam seam = side >= 0 ? ctRide_Seam(t, w->ride, side) : (ctSeam){ctSub(n, m), 0.0};
    seam.n = ctNormalize(seam.n);
    double speed = ctDot(seam.n, r->v), radius = world->bodies[w->body].radius;
    // Where seams meet, a ball may be beyond one without touching the triangle there: it turns about the corner.
    double gap = ctDot(m, r->x) - sign * t->offsets[t->facets[other]] - radius;
    if (fabs(gap) > 2.0 * CT_CONTACT_MARGIN * radius ||
        (side >= 0 && !staysOn(t, w->ride, side, n, m, seam, speed, pull)) ||
        isGroove(seam, n, m, speed, pull, shortest)) {
        return false;
    }
    turnBall(world, w, pose, n, m);
    ctPose same;
    *r = ctRide_Of(world, w, &same);
    return true;
}

ctRideEvent ctTile_Cross(ctWorld *world, int index, ctVec3 pull, double shortest, double *press)
{
    ctTile *w = world->infos[index].tile;
    const ctTerrain *t = ctTile_Terrain(world, w);
    double radius = world->bodies[w->body].radius;
    ctPose pose;
    bool turned = false;
    ctRider r = ctRide_Of(world, w, &pose);
    pull = ctMulTMV(pose.r, pull);
    *press = 0.0;
    for (int i = 0; i < WALK && !w->flat; i++) {
        int side = sideToPass(t, w->ride, &r, radius), other;
        if (side >= 0) {
            other = t->neighbours[3 * w->ride + side];
        } else if (!ctRide_IsFree(t, w, &r, radius, &other)) {
            return ct_rideEnds;
        } else if (other < 0) {
            break;
        }
        bool flat = other >= 0 && t->facets[other] == t->facets[w->ride];
        double into = other >= 0 && !flat ? -ctDot(r.v, ctTerrain_Normal(t, other)) : 0.0;
        if (other < 0 ||
            (!flat && (turnsAgain(w, r.x, radius) || !turnTo(world, w, other, side, &pose, &r, pull, shortest)))) {
            return ct_rideEnds;
        }
        *press += w->front ? into : -into;
        turned = turned || !flat;
        w->ride = other;
    }
    if (turned) {
        ctTile_BecomePlane(world, index, t->facets[w->ride]);
    }
    return turned ? ct_rideTurns : ct_rideGoesOn;
}
