// Bodies that roll or slide from one fixed box to another beside it, as over one face.
//
// A ball near the seam touches the edge of the next or the previous box with a normal that leans across. But that edge
// is covered: the other box has a face there that rises above the plane of contact. Such a point does not count (the
// rule for triangles of a terrain, collision/terrain.h). Right over the seam both boxes have their points, with one
// normal. The step that ends there belongs to the box that the ball leaves, the next one to the box that it enters.
//
// Other bodies overlap the box below by the little that contact leaves, and so touch the rounded edge of the next box
// with a normal that leans back by sqrt(2 depth / round). That is neither an impact nor a point of contact.
#include "engine/contact/ground.h"

// A point is on an edge, or on another body, if it is no farther than this share of the ball's radius: the gap at which
// surfaces touch makes it uncertain by about 1e-6.
#define ON CT_CLOSED
// A body that rises less steeply than this above the plane of contact does not rise: a point on an edge leans by no
// more.
#define RISE (2.0 * ON)

// How another fixed body lies to a point with a normal (world).
static ctBeside besideOf(const ctWorld *world, int other, ctVec3 point, ctVec3 n, double near)
{
    const ctShape *shape = ctBody_Shape(world, other);
    ctPose pose = ctBody_Pose(world, &world->bodies[other]);
    ctBeside most = ct_besideNothing;
    for (int i = 0; i < shape->leafCount && most != ct_besideHigher; i++) {
        if (ctHasFlatFaces(shape->leaves[i].shape)) {
            ctPose part = ctShape_PartPose(shape, i, &pose);
            ctBeside one =
                ctBesidePart(shape->leaves[i].shape, ctInvPosePoint(&part, point), ctMulTMV(part.r, n), near);
            most = one > most ? one : most;
        }
    }
    return most;
}

// Whether a pair of a body is with a fixed body other than b, which may be beside b.
static bool isOther(const ctWorld *world, int b, const ctLink *link)
{
    const ctBody *body = &world->bodies[link->other];
    return link->other != b && link->tag != CT_LATENT && body->mode == ct_modeFixed && !body->plane && !body->terrain &&
           !body->sensor;
}

// The same for all fixed bodies except b with which a body is in contact.
static ctBeside besideAll(const ctWorld *world, int body, int b, ctVec3 point, ctVec3 n, double near)
{
    int count;
    const ctLink *links = ctBody_Links(world, body, &count);
    ctBeside most = ct_besideNothing;
    for (int i = 0; i < count && most != ct_besideHigher; i++) {
        if (isOther(world, b, &links[i]) && world->pairs[links[i].tag].state == ct_pairContact) {
            ctBeside one = besideOf(world, links[i].other, point, n, near);
            most = one > most ? one : most;
        }
    }
    return most;
}

// How a place lies to the face of a fixed box with the normal n.
typedef struct Place {
    bool level; // n is the normal of the face, to rounding
    bool atRim; // the place is within a distance of the rim of the face, or beyond it
} Place;

static Place placeOf(const ctWorld *world, int box, ctVec3 place, ctVec3 n, double near)
{
    ctVec3 hi = ctBody_Shape(world, box)->hi;
    ctPose pose = ctBody_Pose(world, &world->bodies[box]);
    ctVec3 p = ctAbs(ctInvPosePoint(&pose, place)), d = ctAbs(ctMulTMV(pose.r, n));
    bool atRim =
        (d.x < 0.5 && p.x > hi.x - near) || (d.y < 0.5 && p.y > hi.y - near) || (d.z < 0.5 && p.z > hi.z - near);
    return (Place){ctMaxElement(d) > 1.0 - CT_EQUAL, atRim};
}

// Whether a point is on the edge of a face of its box, or beyond; *leaves: the ball moves over that edge. *on: the
// face; its normal is zero where there is none.
static bool isOnEdge(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, bool *leaves,
                     ctGround *on)
{
    const ctBody *ball = &world->bodies[record->a];
    ctGround ground;
    on->n = ctZero3();
    int leaf = (int)point->leaf % ctBody_Shape(world, record->b)->leafCount;
    *leaves = false;
    Place place = placeOf(world, record->b, ball->x, point->n, 2.0 * ON * ball->radius);
    if (place.level && !place.atRim) {
        return false; // most are far from any edge
    }
    if (!ctGround_Find(world, record->b, leaf, point->n, &ground) || ground.patch.kind != ct_patchPolygon) {
        return true;
    }
    double least = INFINITY;
    *on = ground;
    for (int i = 0; i < ground.patch.count; i++) {
        ctVec3 a = ground.patch.p[i], b = ground.patch.p[i + 1 < ground.patch.count ? i + 1 : 0];
        ctVec3 in = ctNormalize(ctCross(ground.n, ctSub(b, a)));
        double inside = ctDot(in, ctSub(ball->x, a)) + ground.patch.round; // of the core
        if (inside < least) {
            least = inside;
            *leaves = ctDot(in, ball->v) < 0.0;
        }
    }
    return least <= ON * ball->radius;
}

// Whether the rule applies to a record: it is with a fixed box.
static bool concerns(const ctWorld *world, const ctContactRecord *record)
{
    const ctBody *b = &world->bodies[record->b];
    return b->mode == ct_modeFixed && ctBody_Shape(world, record->b)->type == ct_shapeBox;
}

// How far from the edge of a face clipped points are.
static double nearEdge(const ctWorld *world, int a, const ctShape *box)
{
    return ON * world->bodies[a].radius + 2.0 * box->round;
}

// Whether a body in contact that is not completely round may slide from another box on to this one. Round bodies meet
// edges as they are, and roll over them.
static bool maySlideOn(const ctWorld *world, int a, int b)
{
    ctShapeType type = ctBody_Shape(world, a)->type;
    bool round = type == ct_shapeSphere || type == ct_shapeCapsule || type == ct_shapeEllipsoid;
    return !round && world->bodies[b].mode == ct_modeFixed && ctBody_Shape(world, b)->type == ct_shapeBox &&
           ctBody_IsInContact(&world->bodies[a]);
}

bool ctContact_IsEdgeCovered(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 n)
{
    const ctShape *shape = ctBody_Shape(world, b);
    if (!maySlideOn(world, a, b)) {
        return false;
    }
    ctVec3 along = ctAbs(ctMulTMV(ctMat3FromQuat(world->bodies[b].q), n));
    double most = ctMaxElement(along), near = nearEdge(world, a, shape);
    // It leans, but not so much that it is on another face.
    return most < 1.0 - 0.5 * RISE * RISE && most > CT_GENTLE &&
           besideAll(world, a, b, point, n, near) == ct_besideHigher;
}

bool ctContact_IsCovered(const ctWorld *world, const ctContactRecord *record, ctContactPoint *point)
{
    if (!world->bodies[record->a].ball) {
        return ctContact_IsEdgeCovered(world, record->a, record->b, point->pointB, point->n);
    }
    bool leaves;
    ctGround on;
    if (!concerns(world, record) || !isOnEdge(world, record, point, &leaves, &on)) {
        return false;
    }
    const ctBody *ball = &world->bodies[record->a];
    ctBeside beside = besideAll(world, record->a, record->b, point->pointB, point->n, ON * ball->radius);
    bool begins = world->contacts->bodies[record->a].base == world->now;
    if (beside == ct_besideHigher || (beside == ct_besideFlush && leaves == begins)) {
        return true;
    }
    if (beside == ct_besideFlush && ctLengthSquared(on.n) > 0.0) { // it is on the common face of the two
        point->n = on.n;
        point->gap = ctDot(on.n, ball->x) - on.offset - ball->radius;
        point->pointA = ctMulAdd(ball->x, -ball->radius, on.n);
        point->pointB = ctMulAdd(point->pointA, -point->gap, on.n);
    }
    return false;
}

// Bodies beside the point with which the ball is not in contact yet are looked at now.
static bool callOthers(ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, double near)
{
    int count;
    const ctLink *links = ctBody_Links(world, record->a, &count);
    bool found = false;
    for (int i = 0; i < count; i++) {
        if (isOther(world, record->b, &links[i]) &&
            besideOf(world, links[i].other, point->pointB, point->n, near) == ct_besideFlush) {
            found = true;
            if (world->pairs[links[i].tag].state == ct_pairApart) {
                ctContact_CallPair(world, links[i].tag);
            }
        }
    }
    return found;
}

bool ctContact_HasNext(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 n)
{
    int count;
    const ctLink *links = ctBody_Links(world, a, &count);
    for (int i = 0; i < count && world->bodies[b].mode == ct_modeFixed; i++) {
        if (isOther(world, b, &links[i]) &&
            besideOf(world, links[i].other, point, n, ON * world->bodies[a].radius) != ct_besideNothing) {
            return true;
        }
    }
    return false;
}

bool ctContact_HasNextPart(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 n)
{
    const ctShape *shape = ctBody_Shape(world, b);
    ctPose pose = ctBody_Pose(world, &world->bodies[b]);
    int flush = 0;
    for (int i = 0; i < shape->leafCount && shape->leafCount > 1; i++) {
        if (ctHasFlatFaces(shape->leaves[i].shape)) {
            ctPose part = ctShape_PartPose(shape, i, &pose);
            flush += ctBesidePart(shape->leaves[i].shape, ctInvPosePoint(&part, point), ctMulTMV(part.r, n),
                                  ON * world->bodies[a].radius) == ct_besideFlush;
        }
    }
    return flush > 1;
}

bool ctContact_IsAtSeam(ctWorld *world, const ctContactRecord *record)
{
    bool leaves, ball = world->bodies[record->a].ball;
    ctGround on;
    if (!concerns(world, record)) {
        return false;
    }
    double near = nearEdge(world, record->a, ctBody_Shape(world, record->b));
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *point = &record->points[i];
        if (ball && isOnEdge(world, record, point, &leaves, &on) && leaves &&
            callOthers(world, record, point, ON * world->bodies[record->a].radius)) {
            return true;
        }
        if (!ball && maySlideOn(world, record->a, record->b) &&
            placeOf(world, record->b, point->pointB, point->n, near).atRim) { // the box beyond the rim will bear it
            callOthers(world, record, point, near);
        }
    }
    return false;
}

bool ctContact_IsFlush(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 n)
{
    const ctContacts *c = world->contacts;
    int count;
    const ctLink *links = ctBody_Links(world, a, &count);
    if (!maySlideOn(world, a, b)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        if (!isOther(world, b, &links[i]) || world->pairs[links[i].tag].state != ct_pairContact) {
            continue;
        }
        const ctContactRecord *record = &c->records[world->pairs[links[i].tag].contact];
        for (int k = 0; k < record->count; k++) {
            const ctContactPoint *p = &record->points[k];
            ctVec3 way = ctSub(p->pointB, point);
            if (ctDot(p->n, n) > 1.0 - RISE * RISE && fabs(ctDot(n, way)) <= RISE * ctLength(way)) {
                return true;
            }
        }
    }
    return false;
}
