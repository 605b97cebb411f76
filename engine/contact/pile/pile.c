// A large island in compact form: how it is made, what it keeps of its records, and how it ends.
#include "engine/contact/pile/pile.h"

#include "collision/memory.h"
#include "collision/sort.h"
#include "engine/contact/contact_internal.h"

#include <string.h>

#define AT_REST (2.0 * CT_SLEEP_SPEED) // sizes per second: forces of a small island that is no faster are kept

// ---- slots ------------------------------------------------------------------------------------

static int addSlot(ctPile *pile, int body, bool member)
{
    int slot = pile->slotCount;
    if (!ctReserveAligned((void **)&pile->slots, &pile->slotCapacity, slot + 1, sizeof(ctPileSlot)) ||
        !ctReserveAligned((void **)&pile->bodies, &pile->bodyCapacity, slot + 1, sizeof(ctSolverBody)) ||
        !ctReserveAligned((void **)&pile->pushes, &pile->pushCapacity, slot + 1, sizeof(ctPilePush)) ||
        !ctReserveAligned((void **)&pile->marks, &pile->markCapacity, slot + 1, sizeof(ctPileMark)) ||
        !ctReserveAligned((void **)&pile->gains, &pile->gainCapacity, slot + 1, sizeof(ctPileWork)) ||
        !ctReserveAligned((void **)&pile->ways, &pile->wayCapacity, slot + 1, sizeof(double))) {
        return -1;
    }
    pile->ways[slot] = 0.0;
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
    s->path = body->path;
    s->ball = body->ball;
    s->r = ctMat3FromQuat(body->q);
    s->v = solver->v = body->v;
    s->w = solver->w = body->w;
    if (!s->member) {
        ctBody_AddBelt(world, s->body, &s->v, &s->w);
        solver->v = s->v;
        solver->w = s->w;
        s->belt = body->mode == ct_modeFixed && ctBody_HasBelt(world, s->body);
    }
    if (s->frozen) {
        solver->invMass = 0.0;
        solver->invInertia = ctMat3Diagonal(0.0, 0.0, 0.0);
    } else if (s->member) {
        solver->invMass = body->invMass;
        solver->invInertia = ctBody_InverseInertia(world, body);
    }
}

static bool isStill(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    return (body->mode == ct_modeFixed && !ctBody_HasBelt(world, index)) || body->mode == ct_modeAsleep;
}

// The slot of a body; slot 0 for one that does not move. -1 when memory is short.
static int slotOf(ctWorld *world, ctPile *pile, int index)
{
    const ctBody *body = &world->bodies[index];
    if (isStill(world, index)) {
        return 0;
    }
    if (body->mode != ct_modeKinematic && body->mode != ct_modeFixed) {
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
    ctCourse_Release(&world->contacts->bodies[index]);
    int slot = addSlot(pile, index, true);
    if (slot < 0) {
        return false;
    }
    ctContactBody *b = &world->contacts->bodies[index];
    b->slot = slot;
    ctContactBody_SetRole(b, b->role == ct_roleFrozen ? ct_roleFrozen : ct_roleMember);
    pile->slots[slot].frozen = b->role == ct_roleFrozen;
    ctPile_LoadSlot(world, pile, slot);
    return true;
}

// ---- records ----------------------------------------------------------------------------------

void ctPile_StoreForces(ctWorld *world, ctPile *pile, const ctPileWatch *watch)
{
    ctContactRecord *record = &world->contacts->records[watch->record];
    double perStep = watch->frozen ? 1.0 : pile->step > 0.0 ? 1.0 / pile->step : 0.0;
    int at = 0;
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        const ctPileManifold *m = &pile->manifolds[i];
        for (int k = 0; k < m->count && at < record->count; k++) {
            const ctPilePoint *p = &m->points[k];
            ctPileAnchor *anchor = &pile->anchors[CT_PILE_POINTS * i + k];
            ctContactPoint *point = &record->points[at++];
            ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, m->n), p->p1, m->t1), p->p2, m->t2);
            ctVec3 sum = ctMulAdd(ctScale(anchor->sum.z, m->n), anchor->sum.x, m->t1);
            ctContactPoint_Load(point, ctScale(perStep, impulse), k == 0 ? ctScale(perStep, m->twist) : ctZero3());
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
        ctEnergy_AddPile(pile, m, 1.0, &world->stats);
    }
}

void ctPile_Tidy(ctWorld *world, ctPile *pile)
{
    int count = 0;
    for (int i = 0; i < pile->watchCount; i++) {
        if (pile->watches[i].record < 0) {
            continue;
        }
        if (count < i) {
            world->contacts->records[pile->watches[i].record].watch = count;
            pile->guards[count] = pile->guards[i];
            pile->watches[count] = pile->watches[i];
        }
        count++;
    }
    pile->watchCount = count;
}

void ctPile_Book(ctWorld *world, ctPile *pile)
{
    for (int i = 0; i < pile->watchCount && !pile->booked; i++) {
        // Only those with points that are stepped: frozen ones have forces, which do no work.
        if (pile->guards[i].until < 0.0 && pile->watches[i].record >= 0) {
            ctPile_BookWatch(world, pile, &pile->watches[i]);
        }
    }
    pile->booked = true;
}

// How far turning has moved the two since they were found to have no points.
static double turnedBy(const ctPile *pile, const ctPileWatch *watch)
{
    return watch->armA * pile->slots[watch->a].turned + watch->armB * pile->slots[watch->b].turned - watch->turn;
}

// Takes over the data of another pile about a record, unless one of the bodies has fallen asleep or woken.
static bool takeOver(ctWorld *world, ctPile *pile, ctPileWatch *watch, ctPile *old, const ctPileWatch *from)
{
    ctPile_Follow(old);
    if ((watch->a == 0) != (from->a == 0) || (watch->b == 0) != (from->b == 0)) {
        ctPile_StoreForces(world, old, from);
        return true;
    }
    double factor = from->frozen ? 1.0 : pile->step / old->step, late = world->now - old->time;
    int last = -1;
    for (int i = ctPile_HasPoints(old, from) ? from->first : -1; i >= 0; i = old->next[i]) {
        int index = ctPile_TakeManifold(pile, watch, old, i);
        if (index < 0) {
            return false;
        }
        ctPileManifold *m = &pile->manifolds[index];
        m->a = watch->a;
        m->b = watch->b;
        ctPile_Scale(m, factor);
        *(last < 0 ? &watch->first : &pile->next[last]) = index;
        last = index;
    }
    watch->moved = from->moved + late * ctPile_RelativeSpeed(pile, watch);
    watch->limit = from->limit;
    watch->from = from->from;
    watch->load = from->load;
    watch->frozen = from->frozen;
    watch->armA = from->armA;
    watch->armB = from->armB;
    watch->turn =
        -turnedBy(old, from) -
        late * (watch->armA * ctLength(pile->slots[watch->a].w) + watch->armB * ctLength(pile->slots[watch->b].w)) +
        watch->armA * pile->slots[watch->a].turned + watch->armB * pile->slots[watch->b].turned;
    if (watch->frozen) {
        pile->guards[watch - pile->watches].until = CT_PILE_NEVER;
    }
    return true;
}

bool ctPile_AddRecord(ctWorld *world, ctPile *pile, int index)
{
    ctContactRecord *record = &world->contacts->records[index];
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    int n = pile->watchCount, slotA = slotOf(world, pile, record->a), slotB = slotOf(world, pile, record->b);
    ctPile *old = record->pile;
    ctPileWatch former;
    if (slotA < 0 || slotB < 0 || !ctPile_AddPlace(world->contacts, pile, record, &former)) {
        return false;
    }
    pile->guards[n] = (ctPileGuard){slotA, slotB, -1.0};
    double size = ctContact_PairSize(world, record->a, record->b);
    pile->watches[n] =
        (ctPileWatch){.record = index, .a = slotA, .b = slotB, .first = -1, .reach = ctBodies_Size(a, b), .size = size};
    pile->watchCount++;
    record->pile = pile;
    record->watch = n;
    if (old != NULL && !takeOver(world, pile, &pile->watches[n], old, &former)) {
        return false;
    }
    pile->fastest = ctFmax(pile->fastest, ctPile_RelativeSpeed(pile, &pile->watches[n]) / size);
    return true;
}

// ---- the life of a pile -----------------------------------------------------------------------

// Sorts the island's records by height: sweeps from below and from above carry loads through the whole pile.
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
        lowest = ctFmin(lowest, height);
        highest = ctFmax(highest, height);
    }
    double scale = highest > lowest ? (1 << 20) / (highest - lowest) : 0.0;
    for (int i = 0; i < count; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        int top = ctBody_IsMovable(&world->bodies[record->b]) ? record->b : record->a;
        ctVec3 x = ctLerp(world->bodies[record->a].x, world->bodies[top].x, 0.5);
        double level = ctFmax(0.0, (-ctDot(world->def.gravity, x) - lowest) * scale);
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

// A body of a small island moves by accelerations that the end of its step would have corrected, if they were found for
// a moment and not for a step. Such accelerations are undone.
static void takeVelocity(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    double dt = world->now - world->contacts->bodies[index].base, g = ctLength(world->def.gravity);
    if (ctBody_IsInContact(body) && ctLength(body->a) + ctLength(body->alpha) * body->radius > 2.0 * g) {
        body->v = ctMulAdd(body->v, dt, ctSub(ctBody_Pull(world, index), body->a));
        body->w = ctMulAdd(body->w, -dt, body->alpha);
        body->a = body->alpha = ctZero3();
    }
}

void ctPile_Free(ctPile *pile)
{
    if (pile == NULL) {
        return;
    }
    ctPile_GiveUp(pile);
    void *arrays[] = {pile->slots,   pile->bodies, pile->pushes, pile->watches, pile->manifolds, pile->anchors,
                      pile->normals, pile->next,   pile->active, pile->walls,   pile->work,      pile->ways,
                      pile->guards,  pile->looks,  pile->marks,  pile->gains,   pile->groups};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFreeAligned(arrays[i]);
    }
    ctFree(pile);
}

// A pile is built again every few frames: it gets the memory of a former one, if there is any. The smallest that is
// large enough, or the largest.
static ctPile *takePile(ctContacts *c, int slots)
{
    int best = -1;
    for (int i = 0; i < c->spareCount; i++) {
        int capacity = c->spares[i]->slotCapacity, found = best < 0 ? 0 : c->spares[best]->slotCapacity;
        if (best < 0 || (found < slots ? capacity > found : capacity >= slots && capacity < found)) {
            best = i;
        }
    }
    if (best < 0) {
        ctPile *fresh = ctAllocate(1, sizeof(ctPile));
        c->pileCount += fresh != NULL;
        return fresh;
    }
    ctPile *pile = c->spares[best];
    c->spares[best] = c->spares[--c->spareCount];
    c->pileCount++;
    pile->slotCount = pile->watchCount = pile->estate = pile->manifoldCount = pile->activeCount = pile->wallCount = 0;
    return pile;
}

// As many are kept as there are piles: all of them may be built again at once.
static void putAway(ctContacts *c, ctPile *pile)
{
    c->pileCount--;
    int most = c->pileCount < CT_SPARE_PILES - 1 ? c->pileCount + 1 : CT_SPARE_PILES;
    while (c->spareCount >= most) { // the smallest is freed
        int smallest = 0;
        for (int i = 1; i < c->spareCount; i++) {
            smallest = c->spares[i]->slotCapacity < c->spares[smallest]->slotCapacity ? i : smallest;
        }
        ctPile *other = c->spares[smallest];
        c->spares[smallest] = c->spares[--c->spareCount];
        bool larger = pile->slotCapacity > other->slotCapacity;
        ctPile_Free(larger ? other : pile);
        pile = larger ? pile : other;
    }
    c->spares[c->spareCount++] = pile;
}

// Makes room for the watches of so many records, and a few more: arrays that grow step by step end half empty.
static bool makeRoom(ctPile *pile, int records)
{
    int count = records + records / 8;
    if (pile->watchCapacity < count && pile->estate == 0) {
        ctFreeAligned(pile->watches);
        pile->watches = NULL;
        pile->watchCapacity = 0;
    }
    if (pile->guardCapacity < count) {
        ctFreeAligned(pile->guards);
        ctFreeAligned(pile->looks);
        pile->guards = NULL;
        pile->looks = NULL;
        pile->guardCapacity = pile->lookCapacity = 0;
    }
    return ctReserveAligned((void **)&pile->watches, &pile->watchCapacity, count, sizeof(ctPileWatch)) &&
           ctReserveAligned((void **)&pile->guards, &pile->guardCapacity, count, sizeof(ctPileGuard)) &&
           ctReserveAligned((void **)&pile->looks, &pile->lookCapacity, count, sizeof(ctPileLook));
}

static bool build(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    ctPile *pile = takePile(c, island->bodyCount + 1);
    island->pile = pile;
    if (pile == NULL) {
        return false;
    }
    ctPile_Inherit(c, island);
    if (addSlot(pile, -1, false) < 0 || !makeRoom(pile, island->recordCount)) {
        return false;
    }
    pile->time = world->now;
    pile->step = CT_COMMON_STEP;
    pile->beat = -1;
    pile->fastest = 0.0;
    pile->calm = false;
    pile->atRest = pile->booked = pile->thawed = true;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody_Advance(world, index);
        takeVelocity(world, index);
        ctEnergy_Settle(world, index);
        const ctBody *body = &world->bodies[index];
        double speed = ctFastest(body->v, body->w, body->radius);
        pile->atRest = pile->atRest && speed < AT_REST * body->radius;
        if (!ctPile_AddMember(world, pile, index)) {
            return false;
        }
    }
    return addRecords(world, island);
}

void ctPile_StoreAll(ctWorld *world, ctPile *pile)
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
    ctPile_FollowRest(pile);
    ctPile_StoreAll(world, pile);
    for (int i = 0; i < pile->watchCount; i++) {
        if (pile->watches[i].record >= 0) {
            world->contacts->records[pile->watches[i].record].pile = NULL;
        }
    }
    ctPile_GiveUp(pile);
    putAway(world->contacts, pile);
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
    while (c->oldPileCount > 0) { // first: their manifolds may be in the others
        dissolve(world, c->oldPiles[--c->oldPileCount]);
    }
    for (int i = 0; i < c->islandSlots; i++) {
        ctPile_Dissolve(world, &c->islands[i]);
    }
}

bool ctPiles_SetAside(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->staleCount; i++) {
        ctIsland *island = &c->islands[c->stale[i]];
        if (island->pile != NULL) {
            if (!ctReserve((void **)&c->oldPiles, &c->oldPileCapacity, c->oldPileCount + 1, sizeof(ctPile *))) {
                return false;
            }
            ctPile_Book(world, island->pile);
            c->oldPiles[c->oldPileCount++] = island->pile;
            island->pile = NULL;
        }
    }
    return true;
}

// Two bodies of a small island were about to meet: the first step of the pile may be too late for them.
static void relayFresh(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pile == island->pile && record->count > 0 && island->pile->watches[record->watch].limit == 0.0) {
            ctPile_Relay(world, record->pair);
        }
    }
}

bool ctPiles_Build(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->builtCount; i++) {
        if (c->islands[c->built[i]].large && !build(world, &c->islands[c->built[i]])) {
            return false;
        }
    }
    while (c->oldPileCount > 0) {
        dissolve(world, c->oldPiles[--c->oldPileCount]);
    }
    for (int i = 0; i < c->builtCount; i++) {
        ctIsland *island = &c->islands[c->built[i]];
        if (island->large && !ctPile_Arrange(c, island->pile)) {
            return false;
        }
    }
    for (int i = 0; i < c->builtCount; i++) {
        if (c->islands[c->built[i]].large) {
            relayFresh(world, &c->islands[c->built[i]]);
        }
    }
    return true;
}
