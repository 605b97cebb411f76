// The longest step that resolves the motion of a point of contact around a body: on a wobbling coin that hardly turns,
// the point races along the rim.
#include "engine/contact/contact_internal.h"

#include "collision/support.h"

// Turn (rad) in a step of a disc that may pass through its flat pose: its lowest point is then elsewhere on the rim,
// between the points that are examined. The second number is for islands of several bodies, whose steps are expensive.
#define FLAT_TURN CT_FLAT
#define FLAT_TURN_OF_MANY (5.0 * FLAT_TURN)
#define INSIDE (1.0 - CT_DEEP) // of the radius of a flat side: a point nearer to the middle is not on the rim

bool ctContact_IsSmooth(const ctShape *shape)
{
    return shape->type == ct_shapeLathe || shape->type == ct_shapeEllipsoid || shape->type == ct_shapeSphere;
}

// H d' of the surface of a convex part, for directions in the part's frame; zero where there is no smooth point.
static ctVec3 runOf(const ctShape *shape, ctVec3 d, ctVec3 rate)
{
    ctRoller b = {.shape = shape, .code = 0};
    ctVec3 r, run;
    ctCoreSupport(shape, d, &b.code);
    return ctContact_IsSmooth(shape) && ctRoll_ShapePoint(&b, d, rate, &r, &run) ? run : ctZero3();
}

// Whether a point, in the frame of a convex part, is inside the flat side of a lathe that faces d. It is where the
// other body touches the side, and does not run around the rim, however nearly level the side is.
static bool isOnFlatSide(const ctShape *shape, ctVec3 d, ctVec3 point)
{
    if (shape->type != ct_shapeLathe) {
        return false;
    }
    int code = 0;
    ctCoreSupport(shape, d, &code);
    double rim = INSIDE * shape->u.lathe.r[code];
    return point.x * point.x + point.y * point.y < rim * rim;
}

// The longest step, the given one or its halves, in which the point of a convex part runs around the body by no more
// than a share of a radian. A disc that sinks wobbles faster and faster.
static double stepOfPart(const ctShape *shape, ctQuat q, ctVec3 n, ctVec3 w, ctVec3 arm, ctVec3 spin, double flat,
                         double step, double least)
{
    ctVec3 d = ctInvRotate(q, ctNeg(n)), rate = ctInvRotate(q, ctCross(w, n));
    ctVec3 run = ctRotate(q, runOf(shape, d, rate));
    double circling = ctLength(ctAdd(ctCross(spin, arm), run)) / ctLength(arm);
    double rho = sqrt(d.x * d.x + d.y * d.y), rhoRate = rho > CT_ROLL_FLAT ? (d.x * rate.x + d.y * rate.y) / rho : 0.0;
    for (; step > least; step *= 0.5) {
        double left = ctFmax(rho + step * ctFmin(rhoRate, 0.0), CT_ROLL_FLAT);
        bool disc = shape->type == ct_shapeLathe;
        double faster = disc && rho > CT_ROLL_FLAT ? rho / left : 1.0, turn = ctLength(rate) * step;
        bool flips = disc && rho < 2.0 * turn && turn > flat;
        if (!flips && circling * faster * faster * step <= CT_TURN_PER_STEP) {
            break;
        }
    }
    return step;
}

// Whether a box touches with an edge or a corner, and not with a face, where the normal is n.
static bool isSharp(const ctWorld *world, int index, ctVec3 n)
{
    const ctShape *shape = ctBody_Shape(world, index);
    if (shape->type != ct_shapeBox) {
        return false;
    }
    ctVec3 d = ctAbs(ctInvRotate(world->bodies[index].q, n));
    return ctMaxElement(d) < 1.0 - CT_EQUAL;
}

bool ctContact_IsOnEdge(const ctWorld *world, const ctContactRecord *record, ctVec3 n)
{
    return isSharp(world, record->b, n) || isSharp(world, record->a, n);
}

double ctContact_LeastStep(const ctWorld *world, double size)
{
    return ldexp(ctWorld_StepOf(world, size), -CT_MAX_HALVINGS);
}

// The same on the ground of a contact: half of that on a terrain, at whose edges normals turn at once.
static double leastOn(const ctWorld *world, const ctContactRecord *record, double least)
{
    return world->infos[record->b].tile != NULL ? 0.5 * least : least;
}

double ctContact_StepOf(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, bool alone,
                        double step)
{
    const ctBody *ends[2] = {&world->bodies[record->a], &world->bodies[record->b]};
    int index[2] = {record->a, record->b}, partsB = ctBody_Shape(world, record->b)->leafCount;
    int leaf[2] = {(int)point->leaf / partsB, (int)point->leaf % partsB};
    double size = ctContact_PairSize(world, record->a, record->b);
    double least = leastOn(world, record, ctContact_LeastStep(world, size));
    ctVec3 w = ctSub(ends[0]->w, ends[1]->w), arm[2] = {point->armA, point->armB};
    if (!point->known) {
        arm[0] = ctSub(point->pointA, ends[0]->x);
        arm[1] = ctSub(point->pointB, ends[1]->x);
    }
    for (int k = 0; k < 2; k++) {
        const ctBody *body = ends[k];
        const ctShape *shape = ctBody_Shape(world, index[k]);
        const ctLeaf *part = &shape->leaves[leaf[k]];
        // A corner keeps its place on its body, which turns by no more than a step of the island allows. On an edge the
        // point does not race: it is where the edge crosses the rim.
        if (ctBody_IsMovable(body) && !body->ball && ctContact_IsSmooth(part->shape) && ctLengthSquared(arm[k]) > 0.0 &&
            !isSharp(world, index[1 - k], point->n)) {
            // Seen from the other body, whose surface is taken as flat.
            ctQuat q = shape->type == ct_shapeCompound ? ctMulQ(body->q, part->pose.q) : body->q;
            ctVec3 n = k == 0 ? point->n : ctNeg(point->n);
            ctVec3 from = ctRotate(body->q, ctSub(part->pose.p, world->infos[index[k]].center));
            if (isOnFlatSide(part->shape, ctInvRotate(q, ctNeg(n)), ctInvRotate(q, ctSub(arm[k], from)))) {
                continue;
            }
            step = stepOfPart(part->shape, q, n, k == 0 ? w : ctNeg(w), arm[k], body->w,
                              alone ? FLAT_TURN : FLAT_TURN_OF_MANY, step, least);
        }
    }
    return step;
}

// ---- how long a step of an island may be ----------------------------------------------------

// The square of the visible rate of turning (rad/s): without the part about an axis of symmetry.
static double turningOf(const ctWorld *world, const ctBody *body)
{
    const ctBodyInfo *info = &world->infos[ctBody_Index(world, body)];
    double turning = ctLengthSquared(body->w);
    if (ctBody_Shape(world, ctBody_Index(world, body))->type == ct_shapeLathe &&
        info->inertia.kind == ct_inertiaAxisymmetric &&
        info->inertia.bodyAxis.z * info->inertia.bodyAxis.z > 1.0 - 1e-12) {
        double own = ctDot(body->w, ctRotate(body->q, ctV3(0.0, 0.0, 1.0)));
        turning -= own * own;
    }
    return turning;
}

static bool isStill(const ctBody *body)
{
    return ctLengthSquared(body->v) == 0.0 && ctLengthSquared(body->w) == 0.0;
}

double ctIsland_Size(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    double smallest = INFINITY;
    for (int i = 0; i < island->bodyCount; i++) {
        smallest = ctFmin(smallest, world->bodies[c->members[island->firstBody + i]].radius);
    }
    return smallest;
}

// The regular step of balls on the ground of a contact, s, at most the given one: half of it on a terrain, over whose
// edges even balls fall, and less on ground that turns, because paths on it turn. least: the step of bodies that tip.
static double stepOnGround(const ctWorld *world, const ctContactRecord *record, double step, double least)
{
    const ctBody *ground = &world->bodies[record->b];
    double spin = ctBody_IsMovable(ground) ? 0.0 : ctLength(ground->w);
    double on = world->infos[record->b].tile != NULL ? 0.5 * step : step;
    while (on > least && spin * on > CT_PATH_TURN) {
        on *= 0.5;
    }
    return on;
}

double ctIsland_RegularStep(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    double size = ctIsland_Size(world, island), smallest = INFINITY;
    for (int i = 0; i < island->bodyCount; i++) {
        smallest = ctFmin(smallest, ctBody_StepSize(&world->bodies[c->members[island->firstBody + i]]));
    }
    double step = ctWorld_StepOf(world, smallest), least = ctWorld_StepOf(world, size), shortest = step;
    for (int i = 0; i < island->recordCount && step > least; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        shortest = ctFmin(shortest, stepOnGround(world, record, step, least));
    }
    return shortest;
}

double ctIsland_StepLength(const ctWorld *world, const ctIsland *island, double regular)
{
    const ctContacts *c = world->contacts;
    double smallest = ctIsland_Size(world, island);
    double step = ldexp(regular, island->doublings), fastest = 0.0, hurry = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        fastest = ctFmax(fastest, body->ball ? 0.0 : turningOf(world, body));
        // Forces may make a body fall over faster than gravity does.
        double pull = ctLength(ctBody_Pull(world, c->members[island->firstBody + i]));
        hurry = pull > world->gravity ? ctFmax(hurry, pull / ctBody_StepSize(body)) : hurry;
    }
    double least = ctContact_LeastStep(world, smallest), turning = sqrt(fastest) / CT_TURN_PER_STEP;
    double falling = sqrt(hurry) / CT_FALL_PER_STEP;
    while ((step > least && falling * step > 1.0) || (step > ldexp(least, -CT_MAX_HALVINGS) && turning * step > 1.0)) {
        step *= 0.5;
    }
    double shortest = step;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        double near = CT_DEEP * ctContact_PairSize(world, record->a, record->b), slip = 0.0;
        if (isStill(&world->bodies[record->a]) && isStill(&world->bodies[record->b])) {
            continue;
        }
        for (int k = 0; record->pair >= 0 && k < record->count; k++) {
            const ctContactPoint *p = &record->points[k];
            if (p->gap < near) {
                shortest = ctFmin(shortest, ctContact_StepOf(world, record, p, island->bodyCount == 1, step));
                slip = ctFmax(slip, ctDistance(ctBody_PointVelocity(&world->bodies[record->a], p->pointA),
                                               ctBody_PointVelocity(&world->bodies[record->b], p->pointB)));
            }
        }
        double bend = 0.5 * record->bending * slip, astray = CT_ASTRAY / CT_DEEP * near;
        while (shortest > leastOn(world, record, least) &&
               (bend * shortest * shortest > astray || record->running * shortest > CT_TURN_PER_STEP)) {
            shortest *= 0.5;
        }
    }
    return shortest;
}
