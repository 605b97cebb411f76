// Impacts at several touching places at once (Chatterjee & Ruina 1998, section 6.4).
//
// "Simultaneous" impacts are a sequence of impacts of two bodies. The touching place with the greatest approach
// collides first, without impulses elsewhere; then the velocities are computed anew, until nothing approaches. Ties,
// which occur only by symmetry, are broken by the ids of the bodies. All points of one pair that are near enough to
// arrive together strike as one (collide/face.c). The paper leaves this case open, and a sequence of corners would spin
// a box that falls flat.
//
// With restitution below one the sequence converges geometrically. After a quarter of the allowed impacts, bodies that
// bounce well get the rest of their rebound by impulses at all places at once (collide/at_once.c). After half of them
// restitution is taken as zero. Whatever approach is left at the end is removed at once in the same way; in
// microcollision mode later events resolve it.
#include "engine/collide/collide_internal.h"

#include "collision/memory.h"
#include "engine/solver/solver.h"

#include <string.h>

void ctSequence_Free(ctSequence *sequence)
{
    void *arrays[] = {sequence->touches, sequence->speeds, sequence->bodies,  sequence->member, sequence->seen,
                      sequence->pairs,   sequence->popped, sequence->reached, sequence->marks,  sequence->faces};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
    *sequence = (ctSequence){0};
}

static bool reserveMarks(uint8_t **marks, int *capacity, int need)
{
    int old = *capacity;
    if (!ctReserve((void **)marks, capacity, need, 1)) {
        return false;
    }
    memset(*marks + old, 0, (size_t)(*capacity - old));
    return true;
}

// Counts the impacts of a pair within the length of a micro-step.
static void countRattle(const ctWorld *world, ctBodyPair *pair)
{
    if (world->now - pair->rattleTime > ctBodies_Step(world, &world->bodies[pair->a], &world->bodies[pair->b])) {
        pair->rattleTime = world->now;
        pair->rattle = 0;
    }
    pair->rattle++;
}

// [rounding] Gap, in sizes, at which a pair takes part in the impact of another.
#define CAUGHT 1e-10

// ---- collecting -------------------------------------------------------------------------------

enum { MAX_TOUCHES = 64 };

// Whether the two approach at one of the points. Where an edge meets an edge, closest points and manifold may disagree
// on that.
static bool approaches(const ctWorld *world, const ctTouch *touches, int count)
{
    for (int i = 0; i < count; i++) {
        if (ctTouch_Approach(world, &touches[i]) > ctPair_SpeedRounding(world, &world->pairs[touches[i].pair])) {
            return true;
        }
    }
    return false;
}

// The gap at which a pair takes part in the impact of another, m: larger than rounding wherever the world is, so that
// the impacts of a body caught between two others end in one sequence at the same moment.
static double gapOf(const ctWorld *world, const ctBodyPair *pair)
{
    double size = ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    return ctFmax(4.0 * ctPair_TouchGap(world, pair), CAUGHT * size);
}

// Whether one of the points is within a gap (m).
static bool touches(const ctTouch *points, int count, double gap)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        any = any || points[i].gap <= gap;
    }
    return any;
}

static void addPair(ctWorld *world, ctSequence *s, int index, bool seed)
{
    // Waking a body may have made new pairs.
    if (!reserveMarks(&s->seen, &s->seenCapacity, world->pairSlots)) {
        world->outOfMemory = true;
        return;
    }
    if (s->seen[index] != 0) {
        return;
    }
    const ctBodyPair *pair = &world->pairs[index];
    if (ctPair_IsSensor(pair)) {
        return;
    }
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctTouch found[MAX_TOUCHES];
    int count;
    double gap = gapOf(world, pair), together = ctFmax(gap, CT_CLOSED * ctBodies_Size(a, b));
    ctBody_Advance(world, pair->a);
    ctBody_Advance(world, pair->b);
    if (pair->state == ct_pairContact) {
        count = ctContact_Points(world, index, s->stuck, found, MAX_TOUCHES);
    } else {
        double left = pair->distance - (a->path - pair->pathA) - (b->path - pair->pathB);
        if (!seed && pair->kind == ct_pairGeneral && left > gap + 1e-9 * a->radius) {
            return;
        }
        count = ctPair_Touches(world, index, together, found, MAX_TOUCHES);
        count = touches(found, count, gap) || seed ? count : 0;
        if (seed && !approaches(world, found, count)) {
            // Of the points in a wider gap four may have been chosen that part: those of the verdict are others.
            count = ctPair_Touches(world, index, ctPair_TouchGap(world, pair), found, MAX_TOUCHES);
        }
        if (seed && !approaches(world, found, count)) {
            // The loop has found that they collide, at the closest points.
            ctPairLook look;
            ctPair_Look(world, index, &look);
            count = count < MAX_TOUCHES ? count : MAX_TOUCHES - 1;
            found[count++] =
                (ctTouch){index, look.normal, ctLerp(look.pointA, look.pointB, 0.5), UINT32_MAX, look.distance};
        }
    }
    count = ctTouches_MakeRim(world, found, count, MAX_TOUCHES);
    if (count == 0) {
        return;
    }
    if (!ctReserve((void **)&s->touches, &s->touchCapacity, s->touchCount + count, sizeof(ctTouch)) ||
        !ctReserve((void **)&s->speeds, &s->speedCapacity, s->touchCount + count, sizeof(double)) ||
        !ctReserve((void **)&s->pairs, &s->pairCapacity, s->pairCount + 1, sizeof(int))) {
        world->outOfMemory = true;
        return;
    }
    s->seen[index] = 1;
    s->pairs[s->pairCount++] = index;
    for (int i = 0; i < count; i++) {
        s->speeds[s->touchCount] = ctTouch_Approach(world, &found[i]);
        s->touches[s->touchCount++] = found[i];
    }
}

// Adds a movable body: everything that touches it may collide.
static void addBody(ctWorld *world, ctSequence *s, int index)
{
    if (!ctBody_IsMovable(&world->bodies[index]) || s->member[index] != 0) {
        return;
    }
    if (!ctReserve((void **)&s->bodies, &s->bodyCapacity, s->bodyCount + 1, sizeof(int))) {
        world->outOfMemory = true;
        return;
    }
    s->member[index] = 1;
    s->bodies[s->bodyCount++] = index;
    ctGas_Leave(world, index);
    for (int i = 0, pair; !s->alone && (pair = ctBody_Pair(world, index, i)) >= 0; i++) {
        addPair(world, s, pair, false);
    }
}

// ---- what happens at the same moment ----------------------------------------------------------

// Whether the two may touch now, without advancing them: a bound by their paths since the last look and the distance
// they can move until now.
static bool mayTouch(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (pair->state == ct_pairContact) {
        return true;
    }
    if (ctPair_IsSensor(pair)) {
        return false;
    }
    double gap = gapOf(world, pair) + 1e-9 * a->radius;
    if (pair->kind == ct_pairGeneral) {
        double late = world->now - ctFmin(a->t, b->t);
        double moved = a->path - pair->pathA + b->path - pair->pathB + late * ctBodies_SpeedBound(a, b);
        return pair->distance - moved <= gap + 0.5 * late * late * (ctLength(a->a) + ctLength(b->a));
    }
    ctVec3 x = ctBody_StateAt(world, a, world->now).x;
    double distance = b->plane ? ctDot(b->normal, x) - b->offset - a->radius
                               : ctDistance(x, ctBody_StateAt(world, b, world->now).x) - a->radius - b->radius;
    return distance <= gap;
}

static void reach(ctWorld *world, ctSequence *s, int index)
{
    if (!ctBody_IsMovable(&world->bodies[index]) || s->marks[index] != 0) {
        return;
    }
    if (!ctReserve((void **)&s->reached, &s->reachedCapacity, s->reachedCount + 1, sizeof(int))) {
        world->outOfMemory = true;
        return;
    }
    s->marks[index] = 1;
    s->reached[s->reachedCount++] = index;
}

// Adds a pair with an event at this moment if it touches.
static void takeDue(ctWorld *world, ctSequence *s, int pair)
{
    if (world->pairs[pair].state != ct_pairApart || ctIsLater(ctAgenda_Time(&world->pairAgenda, pair), world->now)) {
        return;
    }
    if (!ctReserve((void **)&s->popped, &s->poppedCapacity, s->poppedCount + 1, sizeof(int))) {
        world->outOfMemory = true;
        return;
    }
    ctAgenda_Remove(&world->pairAgenda, pair);
    s->popped[s->poppedCount++] = pair;
    addPair(world, s, pair, false);
}

// Adds the pairs with an event at this moment, as far as touches lead from one of the first two bodies to theirs.
// Impacts elsewhere are another sequence. The pairs are taken out of the agenda; the caller puts them back.
static void addSimultaneous(ctWorld *world, ctSequence *s, int a, int b)
{
    s->poppedCount = s->reachedCount = 0;
    ctGas_Expose(world);
    if (ctIsLater(ctAgenda_TopTime(&world->pairAgenda), world->now)) {
        return;
    }
    if (!reserveMarks(&s->marks, &s->markCapacity, world->bodySlots)) {
        world->outOfMemory = true;
        return;
    }
    reach(world, s, a);
    reach(world, s, b);
    for (int head = 0; head < s->reachedCount; head++) {
        int index = s->reached[head];
        for (int i = 0, count; i < (ctBody_Links(world, index, &count), count); i++) {
            int pair = ctBody_Links(world, index, &count)[i].tag;
            if (pair != CT_LATENT && mayTouch(world, &world->pairs[pair])) {
                int other = world->pairs[pair].a + world->pairs[pair].b - index;
                takeDue(world, s, pair);
                reach(world, s, other);
            }
        }
    }
    for (int i = 0; i < s->reachedCount; i++) {
        s->marks[s->reached[i]] = 0;
    }
}

// ---- the sequence -----------------------------------------------------------------------------

// The order of touches with equal approach.
static bool ranksBefore(const ctWorld *world, const ctTouch *a, const ctTouch *b)
{
    const ctBodyPair *pa = &world->pairs[a->pair], *pb = &world->pairs[b->pair];
    int loA = pa->a < pa->b ? pa->a : pa->b, loB = pb->a < pb->b ? pb->a : pb->b;
    int hiA = pa->a + pa->b - loA, hiB = pb->a + pb->b - loB;
    if (loA != loB) {
        return loA < loB;
    }
    return hiA != hiB ? hiA < hiB : a->id < b->id;
}

// Whether the approach at a touch is known, and is not that of a contact.
static bool collides(const ctWorld *world, const ctSequence *s, int index)
{
    const ctTouch *touch = &s->touches[index];
    const ctBodyPair *pair = &world->pairs[touch->pair];
    double speed = s->speeds[index];
    return speed > ctPair_SpeedRounding(world, pair) &&
           !(pair->state == ct_pairContact && ctWorld_IsContact(world, pair, touch->normal, speed));
}

// The touch that approaches fastest, or -1. checked: of those that collide.
static int fastest(const ctWorld *world, const ctSequence *s, bool checked)
{
    int best = -1;
    for (int i = 0; i < s->touchCount; i++) {
        double speed = s->speeds[i];
        if (!(speed > 0.0) || (best >= 0 && speed < s->speeds[best]) || (checked && !collides(world, s, i))) {
            continue;
        }
        if (best < 0 || speed > s->speeds[best] || ranksBefore(world, &s->touches[i], &s->touches[best])) {
            best = i;
        }
    }
    return best;
}

// The touch that collides next, or -1. Mostly it is the fastest of all: only that one needs to be checked.
static int pick(const ctWorld *world, const ctSequence *s)
{
    int best = fastest(world, s, false);
    return best < 0 || collides(world, s, best) ? best : fastest(world, s, true);
}

static void refresh(const ctWorld *world, ctSequence *s, int a, int b)
{
    ctSequence_MoveRims(world, s, a, b);
    for (int i = 0; i < s->touchCount; i++) {
        const ctBodyPair *pair = &world->pairs[s->touches[i].pair];
        if (pair->a == a || pair->b == a || pair->a == b || pair->b == b) {
            s->speeds[i] = ctTouch_Approach(world, &s->touches[i]);
        }
    }
}

// Immovable bodies and what leans on them do not change.
static void wake(ctWorld *world, int body)
{
    if (ctBody_IsMovable(&world->bodies[body])) {
        ctContact_Wake(world, body);
    }
}

// Adds the touches of bodies that a joint impulse pushes. True when there are new ones.
static bool reachOut(ctWorld *world, ctSequence *s, const ctJoint *joint)
{
    int before = s->touchCount;
    for (int i = 0; i < before; i++) {
        if (ctLengthSquared(joint->points[i].impulse) > 0.0) {
            int a = world->pairs[s->touches[i].pair].a, b = world->pairs[s->touches[i].pair].b;
            wake(world, a);
            wake(world, b);
            ctCrowd_Note(world, a, b);
            addBody(world, s, a);
            addBody(world, s, b);
        }
    }
    return s->touchCount > before;
}

// A light body between heavy ones needs as many impacts as the ratio of their masses. This resolves the rest at all
// places at once. Bodies that are reached thereby are solved with the others in the next round. bounces: only with a
// rebound, or not at all.
static void settle(ctWorld *world, ctSequence *s, bool bounces)
{
    bool more = true;
    for (int round = 0; round < CT_SETTLE_ROUNDS && more; round++) {
        ctJoint joint = {0};
        int count = s->touchCount;
        if (!ctJoint_Solve(world, s, &joint)) {
            ctJoint_Free(&joint);
            world->outOfMemory = true;
            return;
        }
        more = reachOut(world, s, &joint);
        bool applies = !bounces || (!more && ctJoint_Rebound(world, s, &joint));
        ctJoint_OpenAccounts(world, &joint);
        for (int i = 0; i < count && applies; i++) {
            const ctSolverPoint *p = &joint.points[i];
            if (ctLengthSquared(p->impulse) > 0.0 && ctIsFinite3(p->impulse)) {
                ctTouch touch = s->touches[i];
                world->frameEvents++;
                ctTouch_Apply(world, &touch, p->impulse, joint.before[i], ctSolverPoint_Velocity(p, joint.bodies),
                              ct_eventImpact);
            }
        }
        ctJoint_CloseAccounts(world, &joint);
        ctJoint_Free(&joint);
        for (int i = 0; i < s->touchCount; i++) {
            s->speeds[i] = ctTouch_Approach(world, &s->touches[i]);
        }
    }
}

static void runSequence(ctWorld *world, ctSequence *s)
{
    for (int i = 0;; i++) {
        int limit = CT_SEQUENCE_IMPACTS_MIN + CT_SEQUENCE_IMPACTS_PER_BODY * s->bodyCount;
        if (world->def.contact == ct_contactMicrocollision) {
            limit = world->frameEvents < ctWorld_EventLimit(world) ? CT_MICRO_IMPACTS_PER_TOUCH * s->touchCount : 0;
        }
        int next = pick(world, s);
        if (next < 0) {
            return;
        }
        if (i >= limit) {
            if (world->def.contact == ct_contactIsland) {
                settle(world, s, false);
            }
            return;
        }
        if (i == limit / 4 && world->def.contact == ct_contactIsland) {
            settle(world, s, true);
            continue;
        }
        ctTouch touch = ctSequence_Face(world, s, next);
        ctBodyPair *pair = &world->pairs[touch.pair];
        int a = pair->a, b = pair->b;
        wake(world, a);
        wake(world, b);
        ctCrowd_Note(world, a, b);
        countRattle(world, pair);
        world->frameEvents += (i > 0) + s->touchCount / CT_EVENT_POINTS; // the loop counts the first
        if (!ctTouch_Resolve(world, &touch, i < limit / 2 ? 1.0 : 0.0)) {
            s->speeds[next] = 0.0;
            continue;
        }
        refresh(world, s, a, b);
        addBody(world, s, a);
        addBody(world, s, b);
    }
}

// A heavy body may hit a light one in contact, which passes on next to nothing to what it lies on, and whose island
// puts it back: a short sequence that is repeated again and again at one time.
static bool isStuck(const ctWorld *world, ctSequence *s, int index)
{
    s->repeats = s->instant == world->now ? s->repeats + 1 : 0;
    s->instant = world->now;
    return world->def.contact == ct_contactIsland && s->repeats > CT_STUCK_SEQUENCES &&
           ctPair_Rattles(world, &world->pairs[index]);
}

static void impact(ctWorld *world, int index, bool alone)
{
    ctSequence *s = &world->sequence;
    s->alone = alone;
    s->stuck = isStuck(world, s, index);
    s->touchCount = s->bodyCount = s->pairCount = 0;
    if (!reserveMarks(&s->member, &s->memberCapacity, world->bodySlots) ||
        !reserveMarks(&s->seen, &s->seenCapacity, world->pairSlots) || !ctSequence_OpenFaces(s)) {
        world->outOfMemory = true;
        return;
    }
    int a = world->pairs[index].a, b = world->pairs[index].b;
    addPair(world, s, index, true);
    addBody(world, s, a);
    addBody(world, s, b);
    s->poppedCount = 0;
    if (!alone) {
        addSimultaneous(world, s, a, b);
    }
    runSequence(world, s);
    if (s->stuck) {
        settle(world, s, false);
    }
    for (int i = 0; i < s->poppedCount; i++) {
        ctAgenda_Set(&world->pairAgenda, s->popped[i], world->now);
    }
    for (int i = 0; i < s->pairCount; i++) {
        s->seen[s->pairs[i]] = 0;
    }
    for (int i = 0; i < s->bodyCount; i++) {
        s->member[s->bodies[i]] = 0;
    }
    // The pairs come last, when every body has its final velocity.
    for (int i = 0; i < s->bodyCount; i++) {
        world->bodies[s->bodies[i]].pending = true;
    }
    for (int i = 0; i < s->bodyCount; i++) {
        world->bodies[s->bodies[i]].pending = false;
        ctWorld_CourseChanged(world, s->bodies[i]);
    }
}

void ctWorld_Impact(ctWorld *world, int index)
{
    impact(world, index, false);
}

void ctWorld_ImpactAlone(ctWorld *world, int index)
{
    impact(world, index, true);
}

// ---- the short way ----------------------------------------------------------------------------

bool ctWorld_ImpactOfBalls(ctWorld *world, int index, const ctTouch *touch)
{
    ctBodyPair *pair = &world->pairs[index];
    int a = pair->a, b = pair->b;
    wake(world, a);
    wake(world, b);
    ctCrowd_Note(world, a, b);
    countRattle(world, pair);
    return ctTouch_Resolve(world, touch, 1.0);
}
