// Whether bodies of a course overlap where they have no point of contact.
//
// Convex parts do not overlap while a plane is between them. Where they touch, and nothing else of them begins to bear,
// that is the plane through a point of the course across its normal; elsewhere it is the one that was between them
// when they were looked at last. How far parts reach beyond a plane takes some dozens of operations. Their depth is
// computed only where no such plane will do. Parts that were farther apart than the bodies have moved since need no
// look at all.
#include "engine/contact/plan/course.h"

#include "collision/manifold.h"
#include "collision/separation.h"

static ctPose poseOf(const ctCourseDraft *draft, int slot)
{
    const ctSystemPose *p = &draft->system.poses[slot];
    const ctBodyInfo *info = &draft->world->infos[draft->bodies[slot]];
    ctPose pose = {ctZero3(), p->r};
    if (slot < draft->system.movable) {
        pose.r = ctMulMM(p->r, ctTranspose(info->inertia.axes));
    }
    pose.p = ctSub(p->x, ctMulMV(pose.r, info->center));
    return pose;
}

// Two bodies of a draft, in the order of their record.
typedef struct Two {
    int a, b; // in the system
    const ctShape *shapeA, *shapeB;
    ctPose poseA, poseB;
    double deep; // m: an overlap that ends the course
} Two;

static Two twoOf(const ctCourseDraft *draft, const ctContactRecord *record)
{
    Two two = {.deep = CT_POINT_TOUCH * ctContact_PairSize(draft->world, record->a, record->b)};
    for (int k = 0; k < draft->system.bodyCount; k++) {
        two.a = draft->bodies[k] == record->a ? k : two.a;
        two.b = draft->bodies[k] == record->b ? k : two.b;
    }
    two.shapeA = ctBody_Shape(draft->world, record->a);
    two.shapeB = ctBody_Shape(draft->world, record->b);
    two.poseA = poseOf(draft, two.a);
    two.poseB = poseOf(draft, two.b);
    return two;
}

// Two convex parts of them.
typedef struct Parts {
    const ctShape *a, *b;
    ctPose poseA, poseB;
    ctVec3 *plane; // that was between them, in the axes of body b; zero: none
} Parts;

// The gap of two parts along the normals of points that are closed, at most up to `enough`, m.
static double gapAtPoints(const ctCourseDraft *draft, const Two *two, const Parts *parts, double enough)
{
    const ctSystem *s = &draft->system;
    double most = -INFINITY;
    for (int i = 0; i < s->pointCount && !(most > enough); i++) {
        const ctSystemPoint *p = &s->points[i];
        bool same = p->a == two->a && p->b == two->b, turned = p->a == two->b && p->b == two->a;
        if ((same || turned) && (p->mode != ct_pointOpen || p->loose)) {
            ctVec3 n = same ? p->n : ctNeg(p->n);
            most = ctFmax(most, ctGapAlong(parts->a, &parts->poseA, parts->b, &parts->poseB, n));
        }
    }
    return most;
}

// Whether one of the system's points is next to a place where the two are near.
static bool isKnown(const ctSystem *s, const Two *two, ctVec3 at)
{
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        bool same = (p->a == two->a && p->b == two->b) || (p->a == two->b && p->b == two->a);
        if (same && (p->onA.kind == ct_guideRing || ctDistance(p->at, at) <= CT_APART * s->size)) {
            return true;
        }
    }
    return false;
}

// The gap of two parts at the points of their manifold, or `most`, m. Where the system locates an event, the places
// that it knows do not count.
static double leastGap(const ctCourseDraft *draft, const Two *two, const Parts *parts, double most)
{
    const ctSystem *s = &draft->system;
    ctGjkCache cache = {0};
    ctManifold m = {.count = 0};
    ctCollide(parts->a, &parts->poseA, parts->b, &parts->poseB, two->deep, &cache, NULL, &m);
    *parts->plane = ctMulTMV(two->poseB.r, m.normal);
    for (int k = 0; k < m.count; k++) {
        bool known = s->locates && isKnown(s, two, m.points[k].pointA);
        most = known ? most : ctFmin(most, m.points[k].gap);
    }
    return most;
}

// A lower bound of the gap of two parts, exact where it is less than that of an overlap that ends the course, m.
static double gapOf(const ctCourseDraft *draft, const Two *two, const Parts *parts)
{
    bool plane = parts->a->type == ct_shapePlane || parts->b->type == ct_shapePlane;
    ctVec3 n = ctMulMV(two->poseB.r, *parts->plane);
    double gap = -INFINITY;
    if (!plane && ctLengthSquared(n) > 0.0) {
        gap = ctGapAlong(parts->a, &parts->poseA, parts->b, &parts->poseB, n);
    }
    if (!plane && !(gap > -two->deep)) {
        gap = gapAtPoints(draft, two, parts, -two->deep);
    }
    return gap > -two->deep ? gap : leastGap(draft, two, parts, 0.0);
}

// The room that two parts leave, in overlaps that end the course. Where an event is located, it ends where a new place
// begins to touch.
static double roomOf(const ctCourseDraft *draft, const Two *two, const Parts *parts, double *gap)
{
    const ctSystem *s = &draft->system;
    if (s->locates) {
        return (leastGap(draft, two, parts, two->deep) + CT_ARRIVED * s->size) / two->deep;
    }
    *gap = gapOf(draft, two, parts);
    return 1.0 + ctFmin(0.0, *gap) / two->deep;
}

// The parts of two bodies are nearer than when these were looked at last by what they have moved relative to each other
// at most. Two convex bodies, which touch, are looked at in any case.
static void moveOn(const ctCourseDraft *draft, const Two *two, ctBetween *between)
{
    const ctSystem *s = &draft->system;
    int parts = two->shapeA->leafCount * two->shapeB->leafCount;
    if (parts == 1) {
        between->gaps[0] = 0.0;
        return;
    }
    int moving = two->a < s->movable ? two->a : two->b;
    const ctSystemPose *p = &s->poses[moving], *o = &s->poses[moving == two->a ? two->b : two->a];
    ctVec3 x = ctMulTMV(o->r, ctSub(p->x, o->x));
    ctMat3 r = ctMulMM(ctTranspose(o->r), p->r), turn = ctSubMM(r, between->r);
    double turned = sqrt(ctLengthSquared(turn.cx) + ctLengthSquared(turn.cy) + ctLengthSquared(turn.cz));
    double way = ctDistance(x, between->x) + s->bodies[moving].radius * turned;
    for (int i = 0; i < parts; i++) {
        between->gaps[i] -= way;
    }
    between->x = x;
    between->r = r;
}

// The same for all parts of two bodies.
static double roomBetween(const ctCourseDraft *draft, const Two *two, ctBetween *between)
{
    double least = 1.0, enough = draft->system.locates ? two->deep : 0.0;
    int parts = two->shapeB->leafCount;
    for (int i = 0; i < two->shapeA->leafCount * parts; i++) {
        if (between->gaps[i] > enough) {
            continue;
        }
        Parts p = {.a = two->shapeA->leaves[i / parts].shape, .b = two->shapeB->leaves[i % parts].shape};
        p.poseA = ctShape_PartPose(two->shapeA, i / parts, &two->poseA);
        p.poseB = ctShape_PartPose(two->shapeB, i % parts, &two->poseB);
        p.plane = &between->planes[i];
        least = ctFmin(least, roomOf(draft, two, &p, &between->gaps[i]));
    }
    return least;
}

double ctCourseDraft_Room(ctCourseDraft *draft)
{
    double least = INFINITY;
    for (int k = 0; k < draft->recordCount; k++) {
        if (!draft->covered[k]) {
            Two two = twoOf(draft, &draft->world->contacts->records[draft->records[k]]);
            moveOn(draft, &two, &draft->between[k]);
            least = ctFmin(least, roomBetween(draft, &two, &draft->between[k]));
        }
    }
    return least;
}
