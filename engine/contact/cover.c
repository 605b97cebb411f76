// Balls that roll from one fixed box on to another beside it, as over one face.
//
// A ball near the seam touches the edge of the box that it comes to, or leaves, in a direction that leans across. But
// the edge is covered: the other box has a face there that rises above the plane of contact. Such a point is not one
// (the rule for triangles of a terrain, collision/terrain.h). Right over the seam both have their points, with one
// normal. The step that ends there belongs to the box that the ball leaves, and what follows to the one that it comes
// to.
#include "engine/contact/ground.h"

// A point is on an edge, or on another body, that is no farther than this part of the ball's radius: the gap at which
// surfaces count as touching leaves it uncertain by some 1e-6.
#define ON CT_CLOSED
// What rises less steeply above the plane of contact does not rise: a point on an edge leans by no more.
#define RISE (2.0 * ON)

typedef enum Beside { nothing, flush, higher } Beside;

// What a box is to a point with a normal, in its frame: nothing, a face in the plane of contact, or one that rises.
static Beside besideBox(const ctShape *box, ctVec3 p, ctVec3 n, double size)
{
    ctVec3 hi = box->hi, top = ctV3(copysign(hi.x, n.x), copysign(hi.y, n.y), copysign(hi.z, n.z));
    double outside = ctDistance(p, ctMax(box->lo, ctMin(hi, p))), rise = ctDot(n, ctSub(top, p)),
           away = ctDistance(top, p);
    if (outside > ON * size || rise < -RISE * away) {
        return nothing;
    }
    return rise > RISE * away ? higher : flush;
}

// The same for another fixed body, in the world.
static Beside besideOf(const ctWorld *world, int other, ctVec3 point, ctVec3 n, double size)
{
    const ctShape *shape = ctBody_Shape(world, other);
    ctPose pose = ctBody_Pose(world, &world->bodies[other]);
    Beside most = nothing;
    for (int i = 0; i < shape->leafCount && most != higher; i++) {
        if (shape->leaves[i].shape->type == ct_shapeBox) {
            ctPose part = ctShape_PartPose(shape, i, &pose);
            Beside one = besideBox(shape->leaves[i].shape, ctInvPosePoint(&part, point), ctMulTMV(part.r, n), size);
            most = one > most ? one : most;
        }
    }
    return most;
}

// Whether the k-th pair of a ball is with another fixed body than the record's own, which could be beside that.
static bool isOther(const ctWorld *world, const ctContactRecord *record, const ctLink *link)
{
    const ctBody *body = &world->bodies[link->other];
    return link->other != record->b && link->tag != CT_LATENT && body->mode == ct_modeFixed && !body->plane &&
           !body->terrain && !body->sensor;
}

// The same for all fixed bodies that the ball is in contact with, but the record's own.
static Beside besideAll(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    int count;
    const ctLink *links = ctBody_Links(world, record->a, &count);
    double size = world->bodies[record->a].radius;
    Beside most = nothing;
    for (int i = 0; i < count && most != higher; i++) {
        if (isOther(world, record, &links[i]) && world->pairs[links[i].tag].state == ct_pairContact) {
            Beside one = besideOf(world, links[i].other, point->pointB, point->n, size);
            most = one > most ? one : most;
        }
    }
    return most;
}

// Whether a point is on the edge of a face of its body, or beyond; *leaves: the ball moves out over that edge. *on: the
// face; its normal is zero where there is none.
static bool isOnEdge(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, bool *leaves,
                     ctGround *on)
{
    const ctBody *ball = &world->bodies[record->a];
    ctGround ground;
    on->n = ctZero3();
    int leaf = (int)point->leaf % ctBody_Shape(world, record->b)->leafCount;
    *leaves = false;
    if (!ctGround_Find(world, record->b, leaf, point->n, &ground) || ground.patch.kind != ct_patchPolygon) {
        return true;
    }
    double least = INFINITY;
    *on = ground;
    for (int i = 0; i < ground.patch.count; i++) {
        ctVec3 a = ground.patch.p[i], b = ground.patch.p[i + 1 < ground.patch.count ? i + 1 : 0];
        ctVec3 in = ctNormalize(ctCross(ground.n, ctSub(b, a)));
        double inside = ctDot(in, ctSub(ball->x, a)) + ground.patch.round; // that of the core
        if (inside < least) {
            least = inside;
            *leaves = ctDot(in, ball->v) < 0.0;
        }
    }
    return least <= ON * ball->radius;
}

// Whether the rule concerns a record: a ball on a fixed box.
static bool concerns(const ctWorld *world, const ctContactRecord *record)
{
    const ctBody *b = &world->bodies[record->b];
    return world->bodies[record->a].ball && b->mode == ct_modeFixed &&
           ctBody_Shape(world, record->b)->type == ct_shapeBox;
}

bool ctContact_IsCovered(const ctWorld *world, const ctContactRecord *record, ctContactPoint *point)
{
    bool leaves;
    ctGround on;
    if (!concerns(world, record) || !isOnEdge(world, record, point, &leaves, &on)) {
        return false;
    }
    const ctBody *ball = &world->bodies[record->a];
    Beside beside = besideAll(world, record, point);
    bool begins = world->contacts->bodies[record->a].base == world->now;
    if (beside == higher || (beside == flush && leaves == begins)) {
        return true;
    }
    if (beside == flush && ctLengthSquared(on.n) > 0.0) { // it is on the face that the two have in common
        point->n = on.n;
        point->gap = ctDot(on.n, ball->x) - on.offset - ball->radius;
        point->pointA = ctMulAdd(ball->x, -ball->radius, on.n);
        point->pointB = ctMulAdd(point->pointA, -point->gap, on.n);
    }
    return false;
}

// Bodies beside the point that the ball is not in contact with yet are looked at now.
static bool callOthers(ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    int count;
    const ctLink *links = ctBody_Links(world, record->a, &count);
    double size = world->bodies[record->a].radius;
    bool found = false;
    for (int i = 0; i < count; i++) {
        if (isOther(world, record, &links[i]) &&
            besideOf(world, links[i].other, point->pointB, point->n, size) == flush) {
            found = true;
            if (world->pairs[links[i].tag].state == ct_pairApart) {
                ctAgenda_Set(&world->pairAgenda, links[i].tag, world->now);
            }
        }
    }
    return found;
}

bool ctContact_IsAtSeam(ctWorld *world, const ctContactRecord *record)
{
    bool leaves;
    ctGround on;
    for (int i = 0; i < record->count && concerns(world, record); i++) {
        const ctContactPoint *point = &record->points[i];
        if (isOnEdge(world, record, point, &leaves, &on) && leaves && callOthers(world, record, point)) {
            return true;
        }
    }
    return false;
}
