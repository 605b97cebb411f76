// A large island in compact form: how it is made, and how its points follow the bodies.
//
// Points are found again only when the two bodies have moved by a share of their size relative to each
// other; until then their gaps follow from where the bodies carry them. Two bodies without points are looked
// at again when they have moved by most of their distance.
#include "engine/pile.h"

#include "collision/memory.h"
#include "collision/sort.h"
#include "engine/contact.h"

#include <string.h>

#define FIND_AGAIN 0.03 // relative motion, of the size, after which points are found again
#define MOST_OF_GAP 0.8 // the same for two without points, of their distance
#define PATCH 2e-3      // radius, of the size, of the patch that a single point stands for
#define AT_REST 0.02    // sizes per second: forces of a small island that is no faster are taken over

// ---- slots ------------------------------------------------------------------------------------

static int addSlot(ctPile *pile, int body, bool member)
{
    int slot = pile->slotCount;
    if (!ctReserve((void **)&pile->slots, &pile->slotCapacity, slot + 1, sizeof(ctPileSlot)) ||
        !ctReserve((void **)&pile->bodies, &pile->bodyCapacity, slot + 1, sizeof(ctSolverBody)) ||
        !ctReserve((void **)&pile->pushes, &pile->pushCapacity, slot + 1, sizeof(ctPilePush))) {
        return -1;
    }
    pile->slots[slot] = (ctPileSlot){.body = body, .member = member, .r = ctMat3Identity()};
    pile->bodies[slot] = (ctSolverBody){.invMass = 0.0};
    return pile->slotCount++;
}

void ctPile_LoadSlot(ctWorld *world, ctPile *pile, int slot)
{
    ctPileSlot *s = &pile->slots[slot];
    const ctBody *body = &world->bodies[s->body];
    ctSolverBody *solver = &pile->bodies[slot];
    s->x = body->x;
    s->r = ctMat3FromQuat(body->q);
    s->v = solver->v = body->v;
    s->w = solver->w = body->w;
    if (s->member) {
        solver->invMass = body->invMass;
        solver->invInertia = body->ball ? ctMat3Diagonal(body->invInertia, body->invInertia, body->invInertia)
                                        : ctBody_InverseInertia(world, body);
    }
}

static bool isStill(const ctBody *body)
{
    return body->mode == ct_modeFixed || body->mode == ct_modeAsleep;
}

// The slot of a body; slot 0 for what does not move. -1 when memory is short.
static int slotOf(ctWorld *world, ctPile *pile, int index)
{
    const ctBody *body = &world->bodies[index];
    if (isStill(body)) {
        return 0;
    }
    if (body->mode != ct_modeKinematic) {
        return world->contacts->bodies[index].slot;
    }
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].body == index) {
            return i;
        }
    }
    ctBody_Advance(world, index);
    int slot = addSlot(pile, index, false);
    if (slot >= 0) {
        ctPile_LoadSlot(world, pile, slot);
    }
    return slot;
}

bool ctPile_AddMember(ctWorld *world, ctPile *pile, int index)
{
    ctRoll_Drop(world, index);
    int slot = addSlot(pile, index, true);
    if (slot < 0) {
        return false;
    }
    world->contacts->bodies[index].slot = slot;
    world->contacts->bodies[index].piled = true;
    ctPile_LoadSlot(world, pile, slot);
    return true;
}

// ---- records ----------------------------------------------------------------------------------

static int addManifold(ctPile *pile, const ctPileWatch *watch)
{
    int n = pile->manifoldCount;
    if (!ctReserve((void **)&pile->manifolds, &pile->manifoldCapacity, n + 1, sizeof(ctPileManifold)) ||
        !ctReserve((void **)&pile->anchors, &pile->anchorCapacity, CT_PILE_POINTS * (n + 1), sizeof(ctPileAnchor)) ||
        !ctReserve((void **)&pile->normals, &pile->normalCapacity, n + 1, sizeof(ctPileNormal)) ||
        !ctReserve((void **)&pile->next, &pile->nextCapacity, n + 1, sizeof(int))) {
        return -1;
    }
    pile->manifolds[n] = (ctPileManifold){
        .a = watch->a, .b = watch->b, .wall = pile->bodies[watch->b].invMass == 0.0, .size = watch->size};
    pile->next[n] = -1;
    return pile->manifoldCount++;
}

void ctPile_StoreForces(ctWorld *world, ctPile *pile, const ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    double perStep = pile->step > 0.0 ? 1.0 / pile->step : 0.0;
    int at = 0;
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        const ctPileManifold *m = &pile->manifolds[i];
        for (int k = 0; k < m->count && at < record->count; k++) {
            const ctPilePoint *p = &m->points[k];
            ctPileAnchor *anchor = &pile->anchors[CT_PILE_POINTS * i + k];
            ctContactPoint *point = &record->points[at++];
            ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, m->n), p->p1, m->t1), p->p2, m->t2);
            ctVec3 sum = ctMulAdd(ctScale(anchor->sum.z, m->n), anchor->sum.x, m->t1);
            point->force = ctScale(perStep, impulse);
            point->torque = k == 0 ? ctScale(perStep, m->twist) : ctZero3();
            point->impulse = ctAdd(point->impulse, ctMulAdd(sum, anchor->sum.y, m->t2));
            point->pointA = ctAdd(pile->slots[watch->a].x, p->ra);
            point->pointB = ctAdd(pile->slots[watch->b].x, p->rb);
            point->armA = watch->a > 0 ? p->ra : ctSub(p->ra, world->bodies[record->a].x);
            point->armB = watch->b > 0 ? p->rb : ctSub(p->rb, world->bodies[record->b].x);
            point->gap = anchor->gap;
            point->known = true;
            anchor->sum = ctZero3();
        }
    }
}

void ctPile_BookWatch(ctWorld *world, ctPile *pile, const ctPileWatch *watch)
{
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        const ctPileManifold *m = &pile->manifolds[i];
        for (int k = 0; k < m->count; k++) {
            const ctPilePoint *p = &m->points[k];
            ctPileAnchor *anchor = &pile->anchors[CT_PILE_POINTS * i + k];
            anchor->sum = ctAdd(anchor->sum, ctV3(p->p1, p->p2, p->pn));
        }
        ctEnergy_AddPile(world, pile, m);
    }
}

void ctPile_Tidy(ctWorld *world, ctPile *pile)
{
    int count = 0;
    for (int i = 0; i < pile->watchCount; i++) {
        if (pile->watches[i].record >= 0) {
            world->contacts->records[pile->watches[i].record].watch = count;
            pile->watches[count++] = pile->watches[i];
        }
    }
    pile->watchCount = count;
}

void ctPile_Book(ctWorld *world, ctPile *pile)
{
    for (int i = 0; i < pile->watchCount && !pile->booked; i++) {
        if (pile->watches[i].record >= 0) {
            ctPile_BookWatch(world, pile, &pile->watches[i]);
        }
    }
    pile->booked = true;
}

// What another pile knows about a record comes along, unless one of the bodies has fallen asleep or woken.
static bool takeOver(ctWorld *world, ctPile *pile, ctPileWatch *watch, ctPile *old, ctPileWatch *from)
{
    if ((watch->a == 0) != (from->a == 0) || (watch->b == 0) != (from->b == 0)) {
        ctPile_StoreForces(world, old, from);
        return true;
    }
    double factor = pile->step / old->step;
    int last = -1;
    for (int i = from->first; i >= 0; i = old->next[i]) {
        int index = addManifold(pile, watch);
        if (index < 0) {
            return false;
        }
        ctPileManifold *m = &pile->manifolds[index];
        *m = old->manifolds[i];
        m->a = watch->a;
        m->b = watch->b;
        ctPile_Scale(m, factor);
        for (int k = 0; k < m->count; k++) {
            pile->anchors[CT_PILE_POINTS * index + k] = old->anchors[CT_PILE_POINTS * i + k];
        }
        pile->normals[index] = old->normals[i];
        *(last < 0 ? &watch->first : &pile->next[last]) = index;
        last = index;
    }
    watch->moved = from->moved + (world->now - old->time) * ctPile_RelativeSpeed(pile, watch);
    watch->limit = from->limit;
    from->record = -1;
    return true;
}

bool ctPile_AddRecord(ctWorld *world, ctPile *pile, int index)
{
    ctContactRecord *record = &world->contacts->records[index];
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    int n = pile->watchCount, slotA = slotOf(world, pile, record->a), slotB = slotOf(world, pile, record->b);
    if (slotA < 0 || slotB < 0 ||
        !ctReserve((void **)&pile->watches, &pile->watchCapacity, n + 1, sizeof(ctPileWatch))) {
        return false;
    }
    double size = ctContact_PairSize(world, record->a, record->b);
    pile->watches[n] = (ctPileWatch){.record = index,
                                     .a = slotA,
                                     .b = slotB,
                                     .first = -1,
                                     .reach = b->plane ? a->radius : fmin(a->radius, b->radius),
                                     .size = size};
    pile->watchCount++;
    ctPile *old = record->pile;
    if (old != NULL && !takeOver(world, pile, &pile->watches[n], old, &old->watches[record->watch])) {
        return false;
    }
    record->pile = pile;
    record->watch = n;
    pile->fastest = fmax(pile->fastest, ctPile_RelativeSpeed(pile, &pile->watches[n]) / size);
    return true;
}

// One manifold from points of a record that share a normal.
static void loadManifold(ctPile *pile, int index, const ctContactRecord *record, int first, int count)
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
        const ctContactPoint *point = &record->points[first + k];
        ctPilePoint *p = &m->points[k];
        *p = (ctPilePoint){.ra = ctSub(point->pointA, a->x), .rb = ctSub(point->pointB, b->x)};
        p->p1 = step * ctDot(m->t1, point->force);
        p->p2 = step * ctDot(m->t2, point->force);
        p->pn = step * ctDot(m->n, point->force);
        m->twist = ctMulAdd(m->twist, step, point->torque);
        pile->anchors[CT_PILE_POINTS * index + k] = (ctPileAnchor){
            .localA = ctMulTMV(a->r, p->ra), .localB = ctMulTMV(b->r, p->rb), .gap = point->gap, .sum = ctZero3()};
    }
    ctPile_Prepare(pile->bodies, m);
}

// The record's points go to manifolds: of each leaf pair its own, four points at most.
static bool loadPoints(ctWorld *world, ctPile *pile, ctPileWatch *watch)
{
    const ctContactRecord *record = &world->contacts->records[watch->record];
    ctPair material = ctPair_Coefficients(world, &world->pairs[record->pair]);
    int last = -1, at = 0;
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        pile->manifolds[i].count = 0;
    }
    while (at < record->count) {
        int count = 1;
        while (at + count < record->count && count < CT_PILE_POINTS &&
               record->points[at + count].leaf == record->points[at].leaf) {
            count++;
        }
        int index = last < 0 ? watch->first : pile->next[last];
        if (index < 0) {
            index = addManifold(pile, watch);
            if (index < 0) {
                return false;
            }
            *(last < 0 ? &watch->first : &pile->next[last]) = index;
        }
        pile->manifolds[index].plane = world->bodies[record->b].plane;
        pile->manifolds[index].friction = material.friction;
        pile->manifolds[index].rolling = material.rolling;
        pile->manifolds[index].spinning = material.spinning;
        pile->manifolds[index].patch = PATCH * watch->size;
        loadManifold(pile, index, record, at, count);
        at += count;
        last = index;
    }
    return true;
}

// How far apart are two bodies that have no points.
static double distanceOf(ctWorld *world, const ctContactRecord *record)
{
    const ctShape *a = ctBody_Shape(world, record->a), *b = ctBody_Shape(world, record->b);
    if (world->pairs[record->pair].kind != ct_pairGeneral || a->leafCount != 1 || b->leafCount != 1) {
        return 0.0;
    }
    ctPose poseA = ctBody_Pose(world, &world->bodies[record->a]), poseB = ctBody_Pose(world, &world->bodies[record->b]);
    ctClosest closest;
    ctClosestPoints(a, &poseA, b, &poseB, &world->extras[record->pair].leaves[0].cache, &closest);
    world->stats.distanceChecks++;
    return closest.distance;
}

// Forces that a small island has found for a moment say nothing about a whole step, unless nothing moves.
static void forgetForces(ctWorld *world, const ctPile *pile, const ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    for (int i = 0; i < record->count && !record->piled && !pile->atRest; i++) {
        record->points[i].force = record->points[i].torque = ctZero3();
    }
}

bool ctPile_FindPoints(ctWorld *world, ctPile *pile, ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    if (ctPile_HasPoints(pile, watch)) {
        ctPile_StoreForces(world, pile, watch);
    } else if (watch->first < 0) {
        forgetForces(world, pile, watch);
    }
    if (!ctContact_UpdatePoints(world, record, world->tickStep, FIND_AGAIN * watch->size) ||
        !loadPoints(world, pile, watch)) {
        return false;
    }
    record->lost = false;
    record->piled = true;
    watch->moved = 0.0;
    watch->limit = FIND_AGAIN * watch->size;
    if (record->count == 0) {
        watch->limit = fmax(watch->limit, MOST_OF_GAP * distanceOf(world, record));
    }
    return true;
}

// ---- the life of a pile -----------------------------------------------------------------------

// The island's records by height: sweeps from below and from above carry loads through the whole pile.
static bool addRecords(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    int count = island->recordCount;
    if (!ctReserve((void **)&c->keys, &c->keyCapacity, count, sizeof(uint64_t)) ||
        !ctReserve((void **)&c->keyScratch, &c->scratchCapacity, count, sizeof(uint64_t))) {
        return false;
    }
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < island->bodyCount; i++) {
        double height = -ctDot(world->def.gravity, world->bodies[c->members[island->firstBody + i]].x);
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
    }
    double scale = highest > lowest ? (1 << 20) / (highest - lowest) : 0.0;
    for (int i = 0; i < count; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        int top = ctBody_IsMovable(&world->bodies[record->b]) ? record->b : record->a;
        ctVec3 x = ctLerp(world->bodies[record->a].x, world->bodies[top].x, 0.5);
        double level = fmax(0.0, (-ctDot(world->def.gravity, x) - lowest) * scale);
        c->keys[i] = (uint64_t)level << 32 | (uint64_t)(island->firstRecord + i);
    }
    ctSortKeys(c->keys, c->keyScratch, count);
    for (int i = 0; i < count; i++) {
        int index = c->sorted[c->keys[i] & UINT32_MAX];
        if (c->records[index].pair >= 0 && !ctPile_AddRecord(world, island->pile, index)) {
            return false;
        }
    }
    return true;
}

// A body of a small island moves by accelerations that the end of its step would have put right, where they were
// found for a moment and not for a step. Such are taken back.
static void takeVelocity(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    double dt = world->now - world->contacts->bodies[index].base, g = ctLength(world->def.gravity);
    if (body->mode == ct_modeContact && ctLength(body->a) + ctLength(body->alpha) * body->radius > 2.0 * g) {
        body->v = ctMulAdd(body->v, dt, ctSub(world->def.gravity, body->a));
        body->w = ctMulAdd(body->w, -dt, body->alpha);
        body->a = body->alpha = ctZero3();
    }
}

static bool build(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    ctPile *pile = ctAllocate(1, sizeof *pile);
    island->pile = pile;
    if (pile == NULL || addSlot(pile, -1, false) < 0) {
        return false;
    }
    pile->time = world->now;
    pile->step = world->tickStep;
    pile->frame = -1;
    pile->atRest = pile->booked = true;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody_Advance(world, index);
        takeVelocity(world, index);
        ctEnergy_Settle(world, index);
        const ctBody *body = &world->bodies[index];
        double speed = ctLength(body->v) + ctLength(body->w) * body->radius;
        pile->atRest = pile->atRest && speed < AT_REST * body->radius;
        if (!ctPile_AddMember(world, pile, index)) {
            return false;
        }
    }
    return addRecords(world, island);
}

void ctPile_Free(ctPile *pile)
{
    if (pile == NULL) {
        return;
    }
    void *arrays[] = {pile->slots,   pile->bodies, pile->pushes, pile->watches, pile->manifolds, pile->anchors,
                      pile->normals, pile->next,   pile->active, pile->walls,   pile->work,      pile};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
}

void ctPile_EndFrame(ctWorld *world, ctPile *pile)
{
    ctPile_Book(world, pile);
    for (int i = 0; i < pile->watchCount; i++) {
        const ctPileWatch *watch = &pile->watches[i];
        if (watch->record >= 0 && ctPile_HasPoints(pile, watch)) {
            ctPile_StoreForces(world, pile, watch);
        }
    }
}

static void dissolve(ctWorld *world, ctPile *pile)
{
    ctPile_EndFrame(world, pile);
    for (int i = 0; i < pile->watchCount; i++) {
        if (pile->watches[i].record >= 0) {
            world->contacts->records[pile->watches[i].record].pile = NULL;
        }
    }
    ctPile_Free(pile);
}

void ctPile_Dissolve(ctWorld *world, ctIsland *island)
{
    if (island->pile != NULL) {
        dissolve(world, island->pile);
        island->pile = NULL;
    }
}

void ctPiles_Dissolve(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->islandCount; i++) {
        ctPile_Dissolve(world, &c->islands[i]);
    }
    while (c->oldPileCount > 0) {
        dissolve(world, c->oldPiles[--c->oldPileCount]);
    }
}

bool ctPiles_SetAside(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->islandCount; i++) {
        if (c->islands[i].pile != NULL) {
            if (!ctReserve((void **)&c->oldPiles, &c->oldPileCapacity, c->oldPileCount + 1, sizeof(ctPile *))) {
                return false;
            }
            ctPile_Book(world, c->islands[i].pile);
            c->oldPiles[c->oldPileCount++] = c->islands[i].pile;
            c->islands[i].pile = NULL;
        }
    }
    return true;
}

bool ctPiles_Build(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->islandCount; i++) {
        if (c->islands[i].large && !build(world, &c->islands[i])) {
            return false;
        }
    }
    while (c->oldPileCount > 0) {
        dissolve(world, c->oldPiles[--c->oldPileCount]);
    }
    return true;
}
