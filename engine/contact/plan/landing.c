// One rule for landings, in islands of few bodies that follow their equations of motion.
//
// A point that arrives faster than a small share of the speed of a fall by the bodies' size is an impact, at its own
// time, by the law of the world. All points of the two that are nearer than a small share of the size take part. Points
// that separate faster than that leave, and their next landing is an impact again. Slower ones stay closed. So a
// landing does not depend on scale or frames, and nothing is lost between impact and contact.
#include "engine/contact/plan/course.h"

#include "collision/memory.h"

// [cap] Courses of one body that begin within CT_LANDING of the time of a fall by its size: more are left to the
// general step.
#define MOST_BEGINNINGS 24
// [storage] Touches that are looked at together.
enum { TOUCHES = 16 };

// ---- which pairs --------------------------------------------------------------------------------

// The bodies that an island would have.
typedef struct Company {
    int count, bodies[CT_COURSE_BODIES];
    bool beside[CT_COURSE_BODIES]; // it is one of those that only touch
} Company;

// Adds a body, if it moves. False when there is no room.
static bool join(const ctWorld *world, int index, bool beside, Company *all)
{
    for (int i = 0; i < all->count; i++) {
        if (all->bodies[i] == index) {
            return true;
        }
    }
    if (ctBody_IsMovable(&world->bodies[index])) {
        if (all->count == CT_COURSE_BODIES) {
            return false;
        }
        all->beside[all->count] = beside;
        all->bodies[all->count++] = index;
    }
    return true;
}

// Whether two bodies that do not bear on each other have just been found to touch.
static bool touch(const ctWorld *world, const ctBodyPair *pair)
{
    if (pair->state != ct_pairApart || pair->kind != ct_pairGeneral) {
        return false;
    }
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double apart = pair->distance + a->path - pair->pathA + b->path - pair->pathB;
    return apart <= CT_CLOSED * ctBodies_Size(a, b);
}

// Whether two bodies and all that touches them are few. Islands may be stale. The contacts of bodies that only touch
// are not examined: they may be in the middle of a step.
static bool areFew(const ctWorld *world, int a, int b)
{
    Company all = {.count = 0};
    bool few = join(world, a, false, &all) && join(world, b, false, &all);
    for (int head = 0; head < all.count && few; head++) {
        int links;
        const ctLink *link = ctBody_Links(world, all.bodies[head], &links);
        for (int i = 0; i < links && few; i++) {
            const ctBodyPair *pair = link[i].tag != CT_LATENT ? &world->pairs[link[i].tag] : NULL;
            bool bears = pair != NULL && pair->state == ct_pairContact;
            if (bears || (pair != NULL && !all.beside[head] && touch(world, pair))) {
                few = join(world, link[i].other, all.beside[head] || !bears, &all);
            }
        }
    }
    return few;
}

// The greater of the two accelerations without contacts, m/s^2.
static double pullOn(const ctWorld *world, const ctBodyPair *pair)
{
    double a = ctBody_IsMovable(&world->bodies[pair->a]) ? ctLength(ctBody_Pull(world, pair->a)) : 0.0;
    double b = ctBody_IsMovable(&world->bodies[pair->b]) ? ctLength(ctBody_Pull(world, pair->b)) : 0.0;
    return ctFmax(a, b);
}

bool ctContact_HoldsRim(const ctWorld *world, int index, ctVec3 direction, ctVec3 centre, double radius)
{
    const ctBody *body = &world->bodies[index];
    const ctShape *shape = ctBody_Shape(world, index);
    if (body->plane) {
        return true;
    }
    if (shape->leafCount != 1 || (shape->type != ct_shapeBox && shape->type != ct_shapeLathe)) {
        return false;
    }
    ctPose pose = ctBody_Pose(world, body);
    ctPatch patch;
    ctPatchOf(shape, ctMulTMV(pose.r, direction), 0, &patch);
    return patch.kind >= ct_patchPolygon &&
           ctPatch_Inside(&patch, ctInvPosePoint(&pose, centre)) > (1.0 - CT_CLOSED) * radius - patch.round;
}

// Whether a pair has resistance to rolling or spinning.
static bool resists(const ctWorld *world, const ctBodyPair *pair)
{
    ctCoefficients material = ctPair_Coefficients(world, pair);
    return material.rolling > 0.0 || material.spinning > 0.0;
}

// Whether a disc that is not flat reaches from a face over to the next. centre: of the disc; n: out of the face; axis:
// of the disc.
static bool isOverSeam(const ctWorld *world, int disc, int index, ctVec3 n, ctVec3 axis, ctVec3 centre, double radius)
{
    const ctShape *shape = ctBody_Shape(world, index);
    ctPose whole = ctBody_Pose(world, &world->bodies[index]);
    for (int leaf = 0; leaf < shape->leafCount && !world->bodies[index].plane; leaf++) {
        ctPose pose = ctShape_PartPose(shape, leaf, &whole);
        ctVec3 c = ctInvPosePoint(&pose, centre);
        ctPatch patch;
        ctPatchOf(shape->leaves[leaf].shape, ctMulTMV(pose.r, n), 0, &patch);
        bool face = patch.kind == ct_patchPolygon;
        bool tilted = face && ctLength(ctCross(ctMulMV(pose.r, patch.n), axis)) > CT_FALLEN_RIM;
        for (int i = 0; i < patch.count && tilted; i++) {
            ctVec3 from = patch.p[i], edge = ctSub(patch.p[i + 1 < patch.count ? i + 1 : 0], from);
            double along = ctDot(ctSub(c, from), edge) / ctLengthSquared(edge);
            ctVec3 foot = ctMulAdd(from, ctFmax(0.0, ctFmin(1.0, along)), edge), place = ctPosePoint(&pose, foot);
            if (ctDistance(foot, c) < radius && (ctContact_HasNext(world, disc, index, place, n) ||
                                                 ctContact_HasNextPart(world, disc, index, place, n))) {
                return true;
            }
        }
    }
    return false;
}

// Whether one of the two is a solid of revolution that is nearly flat on its end, but not flat, over a seam, or where
// resistance brings it to rest, with a point of contact that races around the rim: courses do not support it.
static bool isUnsupported(const ctWorld *world, const ctBodyPair *pair)
{
    const ctPairExtra *extra = &world->extras[pair - world->pairs];
    const int ends[2] = {pair->a, pair->b};
    for (int k = 0; k < 2 && pair->kind == ct_pairGeneral; k++) {
        const ctShape *shape = ctBody_Shape(world, ends[k]);
        if (!ctBody_IsMovable(&world->bodies[ends[k]]) || shape->type != ct_shapeLathe) {
            continue;
        }
        ctVec3 n = world->bodies[pair->b].plane ? world->bodies[pair->b].normal : extra->leaves[extra->closest].normal;
        ctPose pose = ctBody_Pose(world, &world->bodies[ends[k]]);
        ctVec3 out = k == 0 ? ctNeg(n) : n, d = ctMulTMV(pose.r, out);
        int end = d.z > 0.0 ? shape->u.lathe.count - 1 : 0;
        double sine = sqrt(d.x * d.x + d.y * d.y), radius = shape->u.lathe.r[end] + shape->round;
        ctVec3 centre = ctPosePoint(&pose, ctV3(0.0, 0.0, shape->u.lathe.z[end]));
        ctVec3 axis = ctMulMV(pose.r, ctV3(0.0, 0.0, 1.0));
        if (sine < 3.0 * CT_FLAT && ((sine > CT_CLOSED && resists(world, pair)) ||
                                     isOverSeam(world, ends[k], ends[1 - k], ctNeg(out), axis, centre, radius))) {
            return true;
        }
    }
    return false;
}

// Whether drag stops a body within a step: a course would take as many steps as the drag demands.
static bool isHeldBack(const ctWorld *world, int index)
{
    const ctDrive *drive = &world->infos[index].drive;
    return world->bodies[index].driven &&
           ctFmax(drive->drag, drive->turning) * ctBody_Step(world, &world->bodies[index]) > 1.0;
}

// lands: whether it lands so, at least. A ball on a terrain rides on its triangles, one at a time; where it sees but a
// plane, it lands as on a plane.
static bool isExact(const ctWorld *world, const ctBodyPair *pair, bool lands)
{
    const ctContacts *c = world->contacts;
    const int ends[2] = {pair->a, pair->b};
    for (int k = 0; k < 2; k++) {
        const ctBody *body = &world->bodies[ends[k]];
        bool large = ends[k] < c->bodyCapacity && ctContactBody_IsLarge(&c->bodies[ends[k]]);
        if (isHeldBack(world, ends[k]) || body->terrain || large) {
            return false;
        }
    }
    bool tile = world->infos[pair->b].tile != NULL;
    if (tile && (resists(world, pair) || (world->bodies[pair->a].ball && (!lands || !world->bodies[pair->b].plane)))) {
        return false;
    }
    double pull = pullOn(world, pair), size = ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    // Without weight there is no scale of speed. A grain that falls over so fast would take too many steps.
    bool falls = pull > 0.0 && sqrt(size / pull) >= CT_COMMON_STEP;
    return falls && !isUnsupported(world, pair) && areFew(world, pair->a, pair->b);
}

bool ctContact_IsExact(const ctWorld *world, const ctBodyPair *pair)
{
    return isExact(world, pair, false);
}

double ctIsland_GeneralStep(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    bool alone = island->bodyCount == 1, brief = island->bodyCount <= CT_COURSE_BODIES;
    brief = brief && !(alone && world->bodies[c->members[island->firstBody]].ball);
    for (int i = 0; i < island->recordCount && brief; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        brief = record->pair >= 0 && ctContact_IsExact(world, &world->pairs[record->pair]);
    }
    return (brief ? CT_PART_STEP : 1.0) * ctIsland_RegularStep(world, island);
}

bool ctContact_LandsExactly(const ctWorld *world, const ctBodyPair *pair)
{
    return isExact(world, pair, true);
}

double ctPair_LandingSpeed(const ctWorld *world, const ctBodyPair *pair)
{
    double size = ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    return CT_LANDING * sqrt(pullOn(world, pair) * size);
}

double ctContact_ImpactSpeed(const ctWorld *world, const ctBodyPair *pair)
{
    return ctContact_IsExact(world, pair) ? ctPair_LandingSpeed(world, pair) : ctPair_ImpactSpeed(world, pair);
}

double ctPair_LiftTime(const ctWorld *world, const ctBodyPair *pair)
{
    double size = ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    double gravity = pullOn(world, pair);
    return gravity > 0.0 ? CT_CLOSED * sqrt(size / gravity) : 0.0;
}

// ---- the landing --------------------------------------------------------------------------------

bool ctIsland_TakeIn(ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    bool any = false;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        if (ctContactBody_IsStruck(body)) {
            any = true;
            ctBody_SetMode(body, ct_modeContact);
            ctContactBody_Rebase(world, index);
        }
    }
    return any;
}

static bool endRecord(ctWorld *world, ctIsland *island, int index)
{
    ctContacts *c = world->contacts;
    if (!ctReserve((void **)&c->ended, &c->endedCapacity, c->endedCount + 1, sizeof(int))) {
        return false;
    }
    c->records[index].ended = c->records[index].lifted = true;
    c->ended[c->endedCount++] = index;
    island->due = world->now;
    return true;
}

bool ctContact_IsFar(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    double far = CT_APART * ctContact_PairSize(world, record->a, record->b);
    return point->gap > far && !(ctLengthSquared(point->force) > 0.0);
}

// Whether the two of a record do not touch: the loop finds when they do.
static bool isApart(const ctWorld *world, const ctContactRecord *record)
{
    bool apart = !record->covered && !record->fresh;
    for (int i = 0; i < record->count && apart; i++) {
        apart = ctContact_IsFar(world, record, &record->points[i]);
    }
    return apart;
}

// Whether the two of a pair approach at one of some touches faster than some speed (m/s).
static bool approach(const ctWorld *world, ctTouch *touches, int count, double slow)
{
    bool any = false;
    count = ctTouches_KeepLowest(world, touches, count);
    for (int i = 0; i < count; i++) {
        any = any || ctTouch_Approach(world, &touches[i]) > slow;
    }
    return any;
}

// Whether a point of the record lands too fast for contact.
static bool lands(const ctWorld *world, const ctContactRecord *record, double within)
{
    double near = within * ctContact_PairSize(world, record->a, record->b);
    double slow = ctPair_LandingSpeed(world, &world->pairs[record->pair]);
    ctTouch touches[TOUCHES];
    int count = 0;
    bool any = false;
    for (int i = 0; i < record->count && !any; i++) {
        const ctContactPoint *p = &record->points[i];
        if (p->gap <= near) {
            touches[count++] = (ctTouch){record->pair, p->n, ctLerp(p->pointA, p->pointB, 0.5), (uint32_t)i, p->gap};
        }
        if (count == TOUCHES || (count > 0 && i + 1 == record->count)) {
            any = approach(world, touches, count, slow);
            count = 0;
        }
    }
    return any;
}

bool ctCourse_BeginsAgain(const ctWorld *world, ctCourse *course)
{
    int first = course->bodies[0];
    double fall = sqrt(world->bodies[first].radius / ctLength(ctBody_Pull(world, first)));
    if (!(world->now - course->begun < CT_LANDING * fall)) {
        course->begun = world->now;
        course->beginnings = 0;
    }
    return ++course->beginnings > MOST_BEGINNINGS;
}

bool ctIsland_Land(ctWorld *world, ctIsland *island, bool eventless)
{
    ctContacts *c = world->contacts;
    bool any = false;
    for (int i = 0; i < island->recordCount; i++) {
        int index = c->sorted[island->firstRecord + i];
        ctContactRecord *record = &c->records[index];
        if (isApart(world, record)) {
            any = endRecord(world, island, index) || any;
        } else if (lands(world, record, eventless ? CT_ARRIVED : CT_CLOSED)) {
            any = ctContact_AddImpact(c, record->pair) || any;
        }
    }
    if (any) {
        island->changed = true;
        island->due = world->now;
    }
    return any;
}

bool ctIsland_Part(ctWorld *world, ctIsland *island, double until)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        bool fresh = c->records[c->sorted[island->firstRecord + i]].fresh;
        if (fresh) {
            return false; // a course that has just begun is not at its end: distance and points disagree
        }
    }
    for (int i = 0; i < island->recordCount; i++) {
        int index = c->sorted[island->firstRecord + i];
        world->extras[c->records[index].pair].apart = until;
        endRecord(world, island, index);
    }
    return true;
}

void ctIsland_Greet(ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        c->records[c->sorted[island->firstRecord + i]].fresh = false;
    }
}
