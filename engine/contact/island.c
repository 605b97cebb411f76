// Islands: bodies that push on each other through contacts move in common steps.
//
// Two movable bodies with a record between them are in the same island; immovable bodies connect nothing. Where a
// record has come or gone the island is stale. Its bodies, and those that have come into contact outside any island,
// are sorted into new islands by following contacts from body to body. Other islands do not change, so that events in
// one place cost nothing in another. Each island has its own clock: regular steps that divide the world's micro-step,
// and extra steps for events in between.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"
#include "collision/sort.h"

// ---- slots and records -------------------------------------------------------------------------

static int takeIsland(ctContacts *c)
{
    int index = c->freeIsland;
    if (index >= 0) {
        c->freeIsland = c->islands[index].nextFree;
    } else {
        index = c->islandSlots++;
    }
    c->islandCount++;
    return index;
}

static void freeIsland(ctContacts *c, int index)
{
    ctIsland *island = &c->islands[index];
    c->memberLive -= island->bodyCount;
    c->sortedLive -= island->recordCount;
    ctAgenda_Remove(&c->agenda, index);
    *island = (ctIsland){.due = INFINITY, .nextFree = c->freeIsland};
    c->freeIsland = index;
    c->islandCount--;
}

// Frees removed records that no island lists any more.
static void emptyLimbo(ctContacts *c)
{
    int next = c->limbo;
    c->limbo = -1;
    for (int index = next; index >= 0; index = next) {
        ctContactRecord *record = &c->records[index];
        next = record->nextFree;
        int island = record->island;
        bool listed = island >= 0 && c->islands[island].bodyCount > 0 && !c->islands[island].stale;
        int *head = listed ? &c->limbo : &c->freeRecord;
        record->nextFree = *head;
        *head = index;
    }
}

// ---- finding islands --------------------------------------------------------------------------

static int lowestOf(const ctContacts *c, int island)
{
    return c->members[c->islands[island].firstBody];
}

static void sortStale(ctContacts *c)
{
    for (int i = 0; i < c->staleCount; i++) {
        c->keys[i] = (uint64_t)lowestOf(c, c->stale[i]) << 32 | (uint64_t)c->stale[i];
    }
    ctSortKeys(c->keys, c->keyScratch, c->staleCount);
    for (int i = 0; i < c->staleCount; i++) {
        c->stale[i] = (int)(c->keys[i] & UINT32_MAX);
    }
}

// A body that has lost its last record flies on.
static void dismiss(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctBody *body = &world->bodies[index];
    c->bodies[index].records = 0; // if it stays, they are counted again
    if (body->contactPairs > 0 || !ctBody_IsMovable(body)) {
        return;
    }
    ctContactBody_SetRole(&c->bodies[index], ct_roleNone);
    body->island = -1;
    if (ctBody_IsInContact(body)) {
        ctContactBody_LetFly(world, index);
        ctWorld_CourseChanged(world, index);
    }
}

// Releases bodies without contacts. That may change others, which are appended to the lists.
static void dismissAll(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->staleCount; i++) {
        const ctIsland island = c->islands[c->stale[i]];
        for (int k = 0; k < island.bodyCount; k++) {
            dismiss(world, c->members[island.firstBody + k]);
        }
    }
    for (int i = 0; i < c->looseCount; i++) {
        int index = c->loose[i];
        if (world->bodies[index].contactPairs == 0) {
            ctIslands_MarkBody(world, index);
            dismiss(world, index);
        }
    }
}

static void meet(ctWorld *world, int index, int *count)
{
    ctContacts *c = world->contacts;
    if (ctBody_IsAwake(world, index) && world->bodies[index].contactPairs > 0 && c->bodies[index].sought != c->search) {
        c->bodies[index].sought = c->search;
        c->queue[(*count)++] = index;
        if (world->bodies[index].island >= 0) { // a pile may have taken it in since
            ctIsland_MarkStale(c, world->bodies[index].island);
        }
    }
}

// Follows contacts from the bodies from `from` on in the queue. Returns the number of their records.
static int follow(ctWorld *world, int from, int *count)
{
    ctContacts *c = world->contacts;
    int lowest = c->queue[from], records = 0;
    for (int head = from; head < *count; head++) {
        int index = c->queue[head], links;
        const ctLink *link = ctBody_Links(world, index, &links);
        c->bodies[index].records = 0;
        lowest = index < lowest ? index : lowest;
        for (int i = 0; i < links; i++) {
            if (link[i].tag != CT_LATENT && world->pairs[link[i].tag].contact >= 0) {
                c->bodies[index].records++;
                meet(world, link[i].other, count);
            }
        }
        records += c->bodies[index].records;
    }
    for (int i = from; i < *count; i++) {
        c->bodies[c->queue[i]].parent = lowest;
    }
    return records;
}

// Puts all bodies of stale islands and all loose bodies into the queue. Returns their number; *records: of theirs, some
// counted twice.
static int gather(ctWorld *world, int *records)
{
    ctContacts *c = world->contacts;
    int count = 0;
    *records = 0;
    c->search++;
    for (int i = 0; i < c->staleCount; i++) {
        for (int k = 0; k < c->islands[c->stale[i]].bodyCount; k++) {
            int from = count;
            meet(world, c->members[c->islands[c->stale[i]].firstBody + k], &count);
            *records += count > from ? follow(world, from, &count) : 0;
        }
    }
    for (int i = 0; i < c->looseCount; i++) {
        int from = count;
        if (!ctIslands_Knows(world, c->loose[i])) {
            meet(world, c->loose[i], &count);
        }
        *records += count > from ? follow(world, from, &count) : 0;
    }
    return count;
}

// An island with the same bodies and records as before keeps its data.
static bool recognise(const ctContacts *c, ctIsland *island)
{
    if (island->formerly < 0) {
        return false;
    }
    const ctIsland *old = &c->islands[island->formerly];
    island->strays = old->strays;
    island->strayBeat = old->strayBeat;
    if (old->bodyCount != island->bodyCount || old->recordCount != island->recordCount) {
        return false;
    }
    for (int i = 0; i < island->recordCount; i++) {
        if (c->records[c->sorted[island->firstRecord + i]].fresh) {
            return false;
        }
    }
    island->extra = old->extra;
    island->doublings = old->doublings;
    island->changed = old->changed;
    island->pointCount = old->pointCount;
    return true;
}

// Sorts members by (lowest index of their island, index): the lowest comes first.
static void makeIslands(ctWorld *world, int count)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < count; i++) {
        c->keys[i] = (uint64_t)c->bodies[c->queue[i]].parent << 32 | (uint64_t)c->queue[i];
    }
    ctSortKeys(c->keys, c->keyScratch, count);
    c->builtCount = 0;
    ctIsland *island = NULL;
    for (int i = 0; i < count; i++) {
        int body = (int)(c->keys[i] & UINT32_MAX), lowest = (int)(c->keys[i] >> 32);
        int former = world->bodies[body].island;
        if (body == lowest) {
            int index = c->built[c->builtCount++] = takeIsland(c);
            island = &c->islands[index];
            *island = (ctIsland){.firstBody = c->memberCount, .due = INFINITY, .changed = true, .formerly = former};
        }
        island->formerly = island->formerly == former ? former : -1;
        island->bodyCount++;
        island->due = ctFmin(island->due, world->bodies[body].courseEnd);
        c->members[c->memberCount++] = body;
        world->bodies[body].island = (int)(island - c->islands);
    }
    c->memberLive += count;
}

// Sorts records by island, and within it by their bodies, lower index first.
static void sortRecords(ctWorld *world, int bodyCount)
{
    ctContacts *c = world->contacts;
    int count = 0;
    for (int i = 0; i < bodyCount; i++) {
        int index = c->queue[i], links;
        const ctLink *link = ctBody_Links(world, index, &links);
        for (int k = 0; k < links; k++) {
            int other = link[k].other;
            if (link[k].tag != CT_LATENT && world->pairs[link[k].tag].contact >= 0 &&
                (index < other || !ctBody_IsAwake(world, other))) {
                int lo = index < other ? index : other, hi = index < other ? other : index;
                c->keys[count++] = (uint64_t)lo << 32 | (uint64_t)hi;
            }
        }
    }
    ctSortKeys(c->keys, c->keyScratch, count);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int lo = (int)(c->keys[i] >> 32), hi = (int)(c->keys[i] & UINT32_MAX);
            int index = world->bodies[ctBody_IsAwake(world, lo) ? lo : hi].island;
            ctIsland *island = &c->islands[index];
            if (pass == 1) {
                int record = world->pairs[ctPair_Find(world, lo, hi)].contact;
                c->sorted[island->firstRecord + island->recordCount] = record;
                c->records[record].island = index;
            }
            island->recordCount++;
        }
        for (int i = 0; i < c->builtCount && pass == 0; i++) {
            c->islands[c->built[i]].firstRecord = c->sortedCount;
            c->sortedCount += c->islands[c->built[i]].recordCount;
            c->islands[c->built[i]].recordCount = 0;
        }
    }
    c->sortedLive += count;
}

static void sizeUp(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->builtCount; i++) {
        ctIsland *island = &c->islands[c->built[i]];
        bool same = recognise(c, island), was = false;
        double planned = INFINITY;
        for (int k = 0; k < island->recordCount && !same; k++) {
            island->pointCount += c->records[c->sorted[island->firstRecord + k]].count;
        }
        for (int k = 0; k < island->bodyCount; k++) {
            const ctBody *body = &world->bodies[c->members[island->firstBody + k]];
            ctContactBody *b = &c->bodies[c->members[island->firstBody + k]];
            was = was || ctContactBody_IsLarge(b);
            planned = ctContactBody_IsPiled(b) ? ctFmin(planned, body->courseEnd) : planned;
        }
        island->large = was || ctIsland_IsTooLarge(world, island);
        for (int k = 0; k < island->bodyCount; k++) {
            ctContactBody *b = &c->bodies[c->members[island->firstBody + k]];
            if (!island->large || b->role != ct_roleFrozen) {
                ctContactBody_SetRole(b, island->large ? ct_roleWanted : ct_roleNone);
            }
        }
        // A large island has been given the gravity of its whole step: it is not stepped before its time.
        island->due = island->large && planned < (double)INFINITY ? ctFmax(planned, world->now) : island->due;
        if (island->large && !(island->due < (double)INFINITY)) {
            island->due = ctIsland_NextLarge(world, CT_COMMON_STEP);
        }
    }
}

// Reserves memory for so many members and records, and compacts lists with many removed entries.
static bool prepare(ctContacts *c, int bodies, int records)
{
    int keys = bodies > records ? bodies : records;
    if ((c->memberCount > 2 * c->memberLive + bodies || c->sortedCount > 2 * c->sortedLive + records) &&
        !ctIslands_Compact(c)) {
        return false;
    }
    return ctReserve((void **)&c->keys, &c->keyCapacity, keys, sizeof(uint64_t)) &&
           ctReserve((void **)&c->keyScratch, &c->scratchCapacity, keys, sizeof(uint64_t)) &&
           ctReserve((void **)&c->members, &c->memberCapacity, c->memberCount + bodies, sizeof(int)) &&
           ctReserve((void **)&c->sorted, &c->sortedCapacity, c->sortedCount + records, sizeof(int)) &&
           ctIslands_Reserve(c, c->islandSlots + bodies);
}

// Removes the stale islands, and puts the new ones into the agenda.
static void replaceStale(ctContacts *c)
{
    for (int i = 0; i < c->staleCount; i++) {
        freeIsland(c, c->stale[i]);
    }
    for (int i = 0; i < c->looseCount; i++) {
        c->bodies[c->loose[i]].loose = false;
    }
    c->staleCount = c->looseCount = 0;
    for (int i = 0; i < c->builtCount; i++) {
        ctAgenda_Set(&c->agenda, c->built[i], c->islands[c->built[i]].due);
    }
}

bool ctIslands_Build(ctWorld *world)
{
    ctContacts *c = world->contacts;
    if (!ctIslands_AreStale(c)) {
        return true;
    }
    if (!ctContact_ReserveBodies(world) ||
        !ctReserve((void **)&c->queue, &c->queueCapacity, world->bodySlots, sizeof(int)) ||
        !prepare(c, c->islandCount, 0)) {
        return false;
    }
    sortStale(c);
    dismissAll(world);
    int records, count = gather(world, &records);
    if (!prepare(c, count, records)) {
        return false;
    }
    sortStale(c);
    if (!ctPiles_SetAside(world)) {
        return false;
    }
    emptyLimbo(c);
    makeIslands(world, count);
    sortRecords(world, count);
    sizeUp(world);
    replaceStale(c);
    world->stats.islands = c->islandCount;
    if (!ctPiles_Build(world)) {
        for (int i = 0; i < c->builtCount; i++) {
            ctIsland_MarkStale(c, c->built[i]);
        }
        return false;
    }
    return true;
}
