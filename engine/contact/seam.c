// Balls that roll over the seams of curved terrain (pairs/ride.c). They begin and end to ride between two steps, and an
// island is due when one of them passes a seam. The forces on a ball that rolls alone have a closed form: with k = I /
// (m r^2), the acceleration g by everything but contact and the torque T of resistance to rolling,
//     N = -m g.n,   a = (g_t + T x n / (m r)) / (1 + k),   F_t = m (a - g_t),   alpha = n x a / r,
// as long as |F_t| <= mu N. Where a ball has come to the seam between two boxes (contact/cover.c) another step follows
// at once, in which it is on the other box.
#include "engine/contact/contact_internal.h"

// The only part of the tile on whose face the ball bears; -1: none, or several.
static int faceUnder(const ctWorld *world, const ctContactRecord *record)
{
    const ctTile *tile = world->infos[record->b].tile;
    int found = -1;
    for (int i = 0; i < record->count && tile->facet < 0; i++) {
        const ctContactPoint *p = &record->points[i];
        if (!(ctLengthSquared(p->force) > 0.0)) {
            continue;
        }
        int leaf = (int)p->leaf % tile->shape.leafCount;
        ctVec3 n = ctRotate(world->bodies[record->b].q, tile->shape.leaves[leaf].shape->u.hull.faceNormals[0]);
        if (found >= 0 || fabs(ctDot(n, p->n)) < 1.0 - 1e-12) {
            return -1;
        }
        found = leaf;
    }
    return found;
}

static bool getOn(ctWorld *world, const ctContactRecord *record)
{
    int leaf = faceUnder(world, record);
    return leaf < 0 || ctTile_Mount(world, record->pair, leaf);
}

// On the curved surface that the mesh represents, the velocity of the ball turns with the normal all the time, which
// needs a force: over a seam, the impulse m press. Friction and resistances have their share of it. The forces between
// the seams are those of planes only. Over convex seams press is negative, and takes back what these had too much. With
// k = I / (m r^2) and a slip u, or none,
//     dv = -mu press u/|u|,   dw = mu press / (k r) n x u/|u|;   rolling: dw = -c press / (r^2 (1 + k)) w/|w|.
// Returns the energy lost, J.
static double rub(ctWorld *world, const ctContactRecord *record, double press)
{
    ctBody *ball = &world->bodies[record->a];
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    ctVec3 n = world->bodies[record->b].normal;
    double r = ball->radius, k = ball->invMass / (ball->invInertia * r * r), before = ctBody_Energy(world, record->a);
    ctVec3 u = ctAdd(ball->v, ctCross(ball->w, ctScale(-r, n))), spin = ctScale(ctDot(ball->w, n), n);
    ctVec3 roll = ctSub(ball->w, spin);
    double slip = ctLength(u), turn = ctLength(roll), about = ctLength(spin);
    bool slides = slip > CT_SLIDING_SPEED * ctWorld_FallSpeed(world, r);
    if (slides && pair.friction > 0.0) {
        double share = ctFmin(pair.friction * press, slip * k / (1.0 + k)) / slip;
        ball->v = ctMulAdd(ball->v, -share, u);
        ball->w = ctMulAdd(ball->w, share / (k * r), ctCross(n, u));
    }
    if (pair.rolling > 0.0 && turn > 0.0) {
        double share = ctFmin(pair.rolling * press / (r * r * (slides ? k : 1.0 + k)), turn) / turn;
        ball->w = ctMulAdd(ball->w, -share, roll);
        ball->v = slides ? ball->v : ctMulAdd(ball->v, -share * r, ctCross(roll, n));
    }
    if (pair.spinning > 0.0 && about > 0.0) {
        ball->w = ctMulAdd(ball->w, -ctFmin(pair.spinning * press / (r * r * k), about) / about, spin);
    }
    return before - ctBody_Energy(world, record->a);
}

// Adds the impulse of a seam to the contact force of the ball over the frame.
static void addPress(const ctWorld *world, ctContactRecord *record, double press)
{
    if (record->count > 0) {
        double mass = 1.0 / world->bodies[record->a].invMass;
        record->points[0].impulse = ctMulAdd(record->points[0].impulse, mass * press, world->bodies[record->b].normal);
    }
}

// The ball is at a seam, or off the ground. *event: whether the island must take another step at once.
static bool passSeams(ctWorld *world, ctContactRecord *record, bool *event)
{
    if (!ctBody_IsInContact(&world->bodies[record->a])) {
        return ctTile_Dismount(world, record->pair);
    }
    ctVec3 pull = ctBody_FreeAcceleration(world, record->a);
    double press, step = ctBody_Step(world, &world->bodies[record->a]);
    ctRideEvent passed = ctTile_Cross(world, record->b, pull, CT_PART_STEP * step, &press);
    *event = *event || passed != ct_rideGoesOn;
    if (passed == ct_rideTurns) {
        addPress(world, record, press);
        double lost = rub(world, record, press);
        world->stats.frictionLoss += lost;
        ctEnergy_Account(world, record->a, -lost);
        ctContactBody_Rebase(world, record->a);
    }
    return passed != ct_rideEnds || ctTile_Dismount(world, record->pair);
}

bool ctIsland_Ride(ctWorld *world, ctIsland *island, bool elapsed)
{
    const ctContacts *c = world->contacts;
    bool event = false;
    for (int i = 0; i < island->recordCount && elapsed && !event; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        event = record->pair >= 0 && ctContact_IsAtSeam(world, record);
    }
    for (int i = 0; i < island->recordCount && world->terrainCount > 0; i++) {
        ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        const ctTile *tile = record->pair >= 0 ? world->infos[record->b].tile : NULL;
        if (tile == NULL || !world->bodies[record->a].ball || record->ended) {
            continue;
        }
        if ((tile->ride < 0 && !getOn(world, record)) || (tile->ride >= 0 && !passSeams(world, record, &event))) {
            return false;
        }
        island->due = ctFmin(island->due, ctTile_NextSeam(world, record->b, island->due));
    }
    if (event) {
        island->changed = true;
        island->due = world->now;
    }
    return true;
}

// ---- alone ------------------------------------------------------------------------------------

// Whether resistances may end the rolling or the spinning of a ball within a time (s), at these accelerations.
static bool mayStop(const ctWorld *world, const ctBody *ball, ctVec3 n, const ctCoefficients *pair, ctVec3 a,
                    ctVec3 alpha, double time)
{
    double slow = CT_SLIDING_SPEED * ctWorld_FallSpeed(world, ball->radius);
    double spin = fabs(ctDot(ball->w, n)), braking = fabs(ctDot(alpha, n));
    return (pair->rolling > 0.0 && ctLength(ball->v) <= ctFmax(slow, 2.0 * time * ctLength(a))) ||
           (pair->spinning > 0.0 && spin * ball->radius > slow && spin <= 2.0 * time * braking);
}

// The only contact of a ball that rides alone and rolls; NULL: there are others, or it slides, or lies still.
static ctContactRecord *ridesAlone(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    if (world->terrainCount == 0 || island->bodyCount != 1 || island->recordCount != 1 || island->changed) {
        return NULL;
    }
    ctContactRecord *record = &c->records[c->sorted[island->firstRecord]];
    if (record->pair < 0 || record->count != 1 || record->fresh || record->lost || record->ended) {
        return NULL;
    }
    const ctBody *ball = &world->bodies[record->a], *plane = &world->bodies[record->b];
    const ctTile *tile = world->infos[record->b].tile;
    const ctContactPoint *point = &record->points[0];
    if (tile == NULL || tile->ride < 0 || tile->flat || !ball->ball || ball->mode != ct_modeContact || ball->driven ||
        !point->known || !(ctLengthSquared(point->force) > 0.0) || ctBody_HasBelt(world, record->b)) {
        return NULL;
    }
    ctVec3 slip = ctAdd(ball->v, ctCross(ball->w, ctScale(-ball->radius, plane->normal)));
    double gap = ctDot(plane->normal, ball->x) - plane->offset - ball->radius;
    double slow = CT_SLIDING_SPEED * ctWorld_FallSpeed(world, ball->radius);
    bool rolls = ctLengthSquared(slip) <= slow * slow && fabs(gap) <= CT_CLOSED * ball->radius;
    double time = CT_LONGEST_STEPS * ctBody_Step(world, ball);
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    bool stops = mayStop(world, ball, plane->normal, &pair, ball->a, ball->alpha, time);
    return rolls && !stops && !ctIsland_IsAtRest(world, island, time) ? record : NULL;
}

// The torque of the resistances on a ball that rolls at v, N m.
static ctVec3 resist(const ctWorld *world, const ctBody *ball, ctVec3 n, ctCoefficients pair, double load, ctVec3 v)
{
    double speed = ctLength(v), spin = ctDot(ball->w, n);
    ctVec3 torque = speed > 0.0 ? ctScale(-pair.rolling * load / speed, ctCross(n, v)) : ctZero3();
    bool spins = fabs(spin) * ball->radius > CT_SLIDING_SPEED * ctWorld_FallSpeed(world, ball->radius);
    return spins ? ctMulAdd(torque, copysign(pair.spinning * load, -spin), n) : torque;
}

// Sets forces and accelerations of a ball that rolls on the plane that it sees, for a time (s). False when friction
// does not hold it, or it may stop.
static bool rollOn(ctWorld *world, ctContactRecord *record, double time)
{
    ctBody *ball = &world->bodies[record->a];
    const ctBody *plane = &world->bodies[record->b];
    ctContactPoint *point = &record->points[0];
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    ctVec3 n = plane->normal, pull = ctBody_FreeAcceleration(world, record->a), torque, v = ball->v, a = ctZero3();
    double down = ctDot(pull, n), r = ball->radius, k = ball->invMass / (ball->invInertia * r * r);
    ctVec3 along = ctMulAdd(pull, -down, n);
    // Resistance is opposite to the direction in the middle of the time.
    for (int i = 0; i < 2; i++) {
        torque = resist(world, ball, n, pair, -down / ball->invMass, v);
        a = ctScale(1.0 / (1.0 + k), ctMulAdd(along, ball->invMass / r, ctCross(torque, n)));
        v = ctMulAdd(ball->v, 0.5 * time, a);
    }
    ctVec3 friction = ctSub(a, along);
    ctVec3 alpha = ctMulAdd(ctScale(1.0 / r, ctCross(n, a)), ball->invInertia * ctDot(torque, n), n);
    if (!(down < 0.0) || ctLength(friction) > -pair.friction * down || mayStop(world, ball, n, &pair, a, alpha, time)) {
        return false;
    }
    ball->a = a;
    ball->alpha = alpha;
    record->normal = point->n = point->past = n;
    point->gap = ctDot(n, ball->x) - plane->offset - r;
    point->armA = ctScale(-r, n);
    point->pointA = ctAdd(ball->x, point->armA);
    point->pointB = ctMulAdd(point->pointA, -point->gap, n);
    point->armB = ctSub(point->pointB, plane->x);
    ctContactPoint_Load(point, ctScale(1.0 / ball->invMass, ctMulAdd(friction, -down, n)), torque);
    return true;
}

bool ctIsland_RideOn(ctWorld *world, ctIsland *island, double dt)
{
    ctContactRecord *record = ridesAlone(world, island);
    if (record == NULL) {
        return false;
    }
    ctVec3 pull = ctBody_FreeAcceleration(world, record->a);
    ctContacts *c = world->contacts;
    ctContactPoint *point = &record->points[0];
    point->impulse = ctMulAdd(point->impulse, dt, point->force);
    c->work.friction += dt * ctDot(point->torque, ctLerp(c->bodies[record->a].w, world->bodies[record->a].w, 0.5));
    double press, step = ctBody_Step(world, &world->bodies[record->a]);
    double regular = ctIsland_NextRegular(world, CT_LONGEST_STEPS * step);
    ctRideEvent passed = ctTile_Cross(world, record->b, pull, CT_PART_STEP * step, &press);
    if (passed == ct_rideTurns) {
        addPress(world, record, press);
        c->work.friction -= rub(world, record, press);
    }
    if (passed == ct_rideEnds && !ctTile_Dismount(world, record->pair)) {
        world->outOfMemory = true;
    }
    island->extra = 0;
    if (passed != ct_rideEnds && rollOn(world, record, regular - world->now)) {
        island->due = ctFmin(regular, ctTile_NextSeam(world, record->b, regular));
    } else {
        island->changed = true;
        island->due = world->now;
    }
    return true;
}
