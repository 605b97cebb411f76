// The points of a pile's records: found from time to time, and carried along by the bodies in between.
//
// Points are found again only when the two bodies have moved by a share of their size relative to each other. Until
// then their gaps follow from the motion of the bodies. Two bodies without points are looked at again when they have
// moved by most of their distance.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#define MOST_OF_GAP                                                                                                    \
    0.8 // of the distance of two bodies without points: relative motion after which points are looked for again

// ---- manifolds --------------------------------------------------------------------------------

int ctPile_AddManifold(ctPile *pile, const ctPileWatch *watch)
{
    int n = pile->manifoldCount;
    if (!ctReserveAligned((void **)&pile->manifolds, &pile->manifoldCapacity, n + 1, sizeof(ctPileManifold)) ||
        !ctReserveAligned((void **)&pile->anchors, &pile->anchorCapacity, CT_PILE_POINTS * (n + 1),
                          sizeof(ctPileAnchor)) ||
        !ctReserveAligned((void **)&pile->normals, &pile->normalCapacity, n + 1, sizeof(ctPileNormal)) ||
        !ctReserveAligned((void **)&pile->next, &pile->nextCapacity, n + 1, sizeof(int))) {
        return -1;
    }
    pile->manifolds[n] =
        (ctPileManifold){.a = watch->a, .b = watch->b, .wall = !pile->slots[watch->b].member, .size = watch->size};
    pile->next[n] = -1;
    return pile->manifoldCount++;
}

// Fills one manifold from points of a record with a common normal.
static void loadManifold(ctPile *pile, int index, ctContactRecord *record, int first, int count)
{
    ctPileManifold *m = &pile->manifolds[index];
    const ctPileSlot *a = &pile->slots[m->a], *b = &pile->slots[m->b];
    double step = pile->step;
    m->n = record->points[first].n;
    m->count = count;
    ctFrameFromNormal(m->n, &m->t1, &m->t2);
    m->twist = ctZero3();
    m->twisted = true;
    pile->normals[index] = (ctPileNormal){ctMulTMV(a->r, m->n), ctMulTMV(b->r, m->n)};
    for (int k = 0; k < count; k++) {
        ctContactPoint *point = &record->points[first + k];
        ctPilePoint *p = &m->points[k];
        *p = (ctPilePoint){.ra = ctSub(point->pointA, a->x), .rb = ctSub(point->pointB, b->x)};
        p->p1 = step * ctDot(m->t1, point->force);
        p->p2 = step * ctDot(m->t2, point->force);
        p->pn = step * ctDot(m->n, point->force);
        m->twist = ctMulAdd(m->twist, step, point->torque);
        // From here on the impulse over the frame is summed in the anchor.
        ctVec3 sum = ctV3(ctDot(m->t1, point->impulse), ctDot(m->t2, point->impulse), ctDot(m->n, point->impulse));
        pile->anchors[CT_PILE_POINTS * index + k] = (ctPileAnchor){
            .localA = ctMulTMV(a->r, p->ra), .localB = ctMulTMV(b->r, p->rb), .gap = point->gap, .sum = sum};
        point->impulse = ctZero3();
    }
    ctPile_Prepare(pile->bodies, m);
}

// The number of points of a record, from one on, that share a manifold: those of one leaf pair, at most four.
static int countFrom(const ctContactRecord *record, int at)
{
    int count = 1;
    while (at + count < record->count && count < CT_PILE_POINTS &&
           record->points[at + count].leaf == record->points[at].leaf) {
        count++;
    }
    return count;
}

bool ctPile_MakeRoom(const ctWorld *world, ctPile *pile, ctPileWatch *watch)
{
    const ctContactRecord *record = &world->contacts->records[watch->record];
    int last = -1;
    for (int at = 0; at < record->count; at += countFrom(record, at)) {
        int index = last < 0 ? watch->first : pile->next[last];
        if (index < 0) {
            index = ctPile_AddManifold(pile, watch);
            if (index < 0) {
                return false;
            }
            *(last < 0 ? &watch->first : &pile->next[last]) = index;
        }
        last = index;
    }
    return true;
}

void ctPile_LoadPoints(ctWorld *world, ctPile *pile, const ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    ctCoefficients material = ctPair_Coefficients(world, &world->pairs[record->pair]);
    int at = 0;
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        ctPileManifold *m = &pile->manifolds[i];
        m->count = 0;
        if (at < record->count) {
            int count = countFrom(record, at);
            m->plane = world->bodies[record->b].plane;
            m->friction = material.friction;
            m->rolling = material.rolling;
            m->spinning = material.spinning;
            m->patch = CT_SHALLOW * watch->size; // the patch that a single point represents
            loadManifold(pile, i, record, at, count);
            at += count;
        }
    }
}

// A lower bound of the distance of two bodies that have just been found to have no points.
static double distanceOf(ctWorld *world, const ctContactRecord *record)
{
    const ctShape *a = ctBody_Shape(world, record->a), *b = ctBody_Shape(world, record->b);
    if (world->pairs[record->pair].kind != ct_pairGeneral || a->leafCount != 1 || b->leafCount != 1) {
        return 0.0;
    }
    if (world->contacts->apart > 0.0) {
        return world->contacts->apart;
    }
    ctPose poseA = ctBody_Pose(world, &world->bodies[record->a]), poseB = ctBody_Pose(world, &world->bodies[record->b]);
    ctPose partA = ctShape_PartPose(a, 0, &poseA), partB = ctShape_PartPose(b, 0, &poseB);
    ctClosest closest;
    ctClosestPoints(a->leaves[0].shape, &partA, b->leaves[0].shape, &partB,
                    &world->extras[record->pair].leaves[0].cache, &closest);
    world->stats.distanceChecks++;
    return closest.distance;
}

// Forces that a small island has found for a moment do not hold for a whole step, unless nothing moves.
static void forgetForces(ctWorld *world, const ctPile *pile, const ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    for (int i = 0; i < record->count && !record->piled && !pile->atRest; i++) {
        ctContactPoint_Load(&record->points[i], ctZero3(), ctZero3());
    }
}

// ---- without points ---------------------------------------------------------------------------

// The change of the two's distance is bounded by the motion of their centres and by their turns. This is computed only
// when their paths, which are sums of all motion, would allow it.
static double movedSince(const ctPile *pile, const ctPileWatch *watch)
{
    const ctPileSlot *a = &pile->slots[watch->a], *b = &pile->slots[watch->b];
    ctVec3 now = ctSub(a->x, b->x);
    return ctDistance(now, watch->from) + watch->armA * a->turned + watch->armB * b->turned - watch->turn;
}

bool ctPile_MayTouch(ctPile *pile, ctPileWatch *watch, double step, double speed)
{
    watch->moved = movedSince(pile, watch);
    double left = watch->limit - watch->moved;
    pile->guards[watch - pile->watches].until = pile->slots[watch->a].path + pile->slots[watch->b].path + left;
    return left <= step * speed;
}

// No part of a body is farther from its centre than its radius, nor touches the other beyond the reach of that.
static void standGuard(const ctWorld *world, ctPile *pile, ctPileWatch *watch)
{
    const ctContactRecord *record = &world->contacts->records[watch->record];
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    const ctPileSlot *slotA = &pile->slots[watch->a], *slotB = &pile->slots[watch->b];
    watch->from = ctSub(slotA->x, slotB->x);
    double apart = b->plane ? (double)INFINITY : ctDistance(a->x, b->x) + watch->limit;
    watch->armA = b->plane ? a->radius : ctFmin(a->radius, apart + b->radius);
    watch->armB = watch->b == 0 ? 0.0 : ctFmin(b->radius, apart + a->radius);
    watch->turn = watch->armA * slotA->turned + watch->armB * slotB->turned;
    pile->guards[watch - pile->watches].until = slotA->path + slotB->path + watch->limit;
}

bool ctPile_SeekPoints(ctWorld *world, ctPile *pile, ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    const ctTile *tile = world->infos[record->b].tile;
    if (tile != NULL && tile->ride >= 0 && !ctTile_Dismount(world, record->pair)) {
        return false; // steps of a pile do not end at seams
    }
    bool had = record->count > 0;
    if (ctPile_HasPoints(pile, watch)) {
        ctPile_StoreForces(world, pile, watch);
    } else if (watch->first < 0) {
        forgetForces(world, pile, watch);
    }
    // Corners that are left out may sink in unnoticed while two bodies turn on each other.
    double speed = ctPile_RelativeSpeed(pile, watch), reach = CT_FIND_AGAIN * watch->size;
    bool calm = speed < CT_CALM * watch->size;
    // Without points the normal is not known, nor how fast the two approach each other: as fast as they move, at most.
    reach += record->count == 0 ? CT_COMMON_STEP * speed : 0.0;
    if (!ctContact_UpdatePoints(world, record, CT_COMMON_STEP, reach, calm)) {
        return false;
    }
    record->lost = false;
    record->piled = true;
    watch->frozen = false;
    watch->moved = 0.0;
    watch->limit = CT_FIND_AGAIN * watch->size;
    pile->guards[watch - pile->watches].until = -1.0;
    if (record->count == 0) {
        ctFree(record->points); // three of four neighbours in a pile do not touch
        record->points = NULL;
        record->capacity = 0;
        watch->limit = ctFmax(watch->limit, MOST_OF_GAP * distanceOf(world, record));
        standGuard(world, pile, watch);
        if (had) {
            world->extras[record->pair].tally.contactForce = 0.0;
        }
    }
    return true;
}

bool ctPile_FindPoints(ctWorld *world, ctPile *pile, ctPileWatch *watch)
{
    if (!ctPile_SeekPoints(world, pile, watch) || !ctPile_MakeRoom(world, pile, watch)) {
        return false;
    }
    ctPile_LoadPoints(world, pile, watch);
    return true;
}
