// Islands: bodies that push on each other through contacts move in common steps.
//
// Two movable bodies with a record between them belong together; immovable bodies join nothing. Islands
// are found again, by union-find, whenever a record has come or gone. Each has its own clock: regular
// steps that divide the world's micro-step, and extra ones where something happens in between.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"
#include "collision/sort.h"

static int findRoot(ctContactBody *bodies, int i)
{
    while (bodies[i].parent != i) {
        bodies[i].parent = bodies[bodies[i].parent].parent;
        i = bodies[i].parent;
    }
    return i;
}

static bool isAwake(const ctWorld *world, int body)
{
    ctBodyMode mode = world->bodies[body].mode;
    return mode == ct_modeFlying || mode == ct_modeContact || mode == ct_modePlanned;
}

static bool isInUse(const ctWorld *world, const ctContactRecord *record)
{
    return record->pair >= 0 && (isAwake(world, record->a) || isAwake(world, record->b));
}

// The root of a set is its lowest index.
static void join(const ctWorld *world, ctContactBody *bodies, const ctContactRecord *record)
{
    if (isAwake(world, record->a) && isAwake(world, record->b)) {
        int a = findRoot(bodies, record->a), b = findRoot(bodies, record->b);
        bodies[a > b ? a : b].parent = a > b ? b : a;
    }
}

// Bodies that have lost their last record fly on.
static void dismissMembers(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->memberCount; i++) {
        int index = c->members[i];
        ctBody *body = &world->bodies[index];
        if (c->bodies[index].records > 0) {
            continue;
        }
        c->bodies[index].large = c->bodies[index].piled = false;
        if (ctBody_IsInContact(body)) {
            ctContactBody_LetFly(world, index);
            body->island = -1;
            ctWorld_CourseChanged(world, index);
        }
    }
}

static void uniteBodies(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->memberCount; i++) {
        c->bodies[c->members[i]].records = 0;
    }
    for (int i = 0; i < c->recordSlots; i++) {
        if (isInUse(world, &c->records[i])) {
            int ends[2] = {c->records[i].a, c->records[i].b};
            for (int k = 0; k < 2; k++) {
                c->bodies[ends[k]].parent = ends[k];
                c->bodies[ends[k]].records = 0;
            }
        }
    }
    for (int i = 0; i < c->recordSlots; i++) {
        if (isInUse(world, &c->records[i])) {
            c->bodies[c->records[i].a].records++;
            c->bodies[c->records[i].b].records++;
            join(world, c->bodies, &c->records[i]);
        }
    }
}

// An island that is what it was goes on as it was: same bodies, same records.
static bool recognise(const ctContacts *c, ctIsland *island)
{
    if (island->formerly < 0 || island->formerly >= c->formerCount) {
        return false;
    }
    const ctIsland *old = &c->former[island->formerly];
    island->strays = old->strays;
    island->strayFrame = old->strayFrame;
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

// Members by (root, index): roots are lowest, so that ascending order of indices meets each root first.
static bool collectMembers(ctWorld *world)
{
    ctContacts *c = world->contacts;
    int count = 0;
    for (int i = 0; i < world->bodySlots && i < c->bodyCapacity; i++) {
        if (!isAwake(world, i) || c->bodies[i].records == 0) {
            continue;
        }
        if (!ctReserve((void **)&c->keys, &c->keyCapacity, count + 1, sizeof(uint64_t))) {
            return false;
        }
        c->keys[count++] = (uint64_t)findRoot(c->bodies, i) << 32 | (uint64_t)i;
    }
    ctIsland *islands = c->islands;
    int capacity = c->islandCapacity;
    c->islands = c->former;
    c->islandCapacity = c->formerCapacity;
    c->former = islands;
    c->formerCapacity = capacity;
    c->formerCount = c->islandCount;
    c->islandCount = 0;
    if (!ctReserve((void **)&c->keyScratch, &c->scratchCapacity, count, sizeof(uint64_t)) ||
        !ctReserve((void **)&c->members, &c->memberCapacity, count, sizeof(int)) ||
        !ctReserve((void **)&c->islands, &c->islandCapacity, count, sizeof(ctIsland))) {
        return false;
    }
    ctSortKeys(c->keys, c->keyScratch, count);
    c->memberCount = count;
    for (int i = 0; i < count; i++) {
        int body = (int)(c->keys[i] & UINT32_MAX), root = (int)(c->keys[i] >> 32);
        int former = world->bodies[body].island;
        if (body == root) {
            c->islands[c->islandCount++] =
                (ctIsland){.firstBody = i, .due = INFINITY, .changed = true, .formerly = former};
        }
        ctIsland *island = &c->islands[c->islandCount - 1];
        island->formerly = island->formerly == former ? former : -1;
        island->bodyCount++;
        island->due = ctFmin(island->due, world->bodies[body].courseEnd);
        c->members[i] = body;
        world->bodies[body].island = c->islandCount - 1;
    }
    return true;
}

// Records by island, and within it by their bodies, lower index first.
static bool sortRecords(ctWorld *world)
{
    ctContacts *c = world->contacts;
    int need = 2 * c->recordSlots;
    if (!ctReserve((void **)&c->keys, &c->keyCapacity, need, sizeof(uint64_t)) ||
        !ctReserve((void **)&c->keyScratch, &c->scratchCapacity, need, sizeof(uint64_t)) ||
        !ctReserve((void **)&c->sorted, &c->sortedCapacity, c->recordSlots, sizeof(int))) {
        return false;
    }
    int count = 0;
    for (int i = 0; i < c->recordSlots; i++) {
        const ctContactRecord *r = &c->records[i];
        if (isInUse(world, r)) {
            int lo = r->a < r->b ? r->a : r->b, hi = r->a + r->b - lo;
            c->keys[count++] = (uint64_t)lo << 32 | (uint64_t)hi;
        }
    }
    ctSortKeys(c->keys, c->keyScratch, count);
    for (int i = 0; i < c->islandCount; i++) {
        c->islands[i].recordCount = 0;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int lo = (int)(c->keys[i] >> 32), hi = (int)(c->keys[i] & UINT32_MAX);
            ctIsland *island = &c->islands[world->bodies[isAwake(world, lo) ? lo : hi].island];
            if (pass == 1) {
                c->sorted[island->firstRecord + island->recordCount] = world->pairs[ctPair_Find(world, lo, hi)].contact;
            }
            island->recordCount++;
        }
        int first = 0;
        for (int i = 0; i < c->islandCount && pass == 0; i++) {
            c->islands[i].firstRecord = first;
            first += c->islands[i].recordCount;
            c->islands[i].recordCount = 0;
        }
    }
    c->sortedCount = count;
    return true;
}

static void sizeUp(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->islandCount; i++) {
        ctIsland *island = &c->islands[i];
        bool same = recognise(c, island), was = false;
        double fastest = 0.0, planned = INFINITY;
        for (int k = 0; k < island->recordCount && !same; k++) {
            island->pointCount += c->records[c->sorted[island->firstRecord + k]].count;
        }
        for (int k = 0; k < island->bodyCount; k++) {
            const ctBody *body = &world->bodies[c->members[island->firstBody + k]];
            ctContactBody *b = &c->bodies[c->members[island->firstBody + k]];
            was = was || b->large;
            planned = b->piled ? ctFmin(planned, body->courseEnd) : planned;
            b->piled = false;
            fastest = ctFmax(fastest, ctLength(body->v) / body->radius + ctLength(body->w));
        }
        island->large = was || island->pointCount > (fastest > CT_CALM ? CT_LARGE_POINTS : CT_LARGE_POINTS_CALM);
        for (int k = 0; k < island->bodyCount; k++) {
            ctContactBody *b = &c->bodies[c->members[island->firstBody + k]];
            b->large = island->large;
            b->frozen = b->frozen && island->large;
        }
        // A large island has been given the gravity of its whole step: it is not stepped before its time.
        island->due = island->large && planned < (double)INFINITY ? ctFmax(planned, world->now) : island->due;
        if (island->large && !(island->due < (double)INFINITY)) {
            island->due = ctIsland_NextRegular(world, world->tickStep);
        }
    }
}

bool ctIslands_Build(ctWorld *world)
{
    ctContacts *c = world->contacts;
    if (!ctPiles_SetAside(world)) {
        return false;
    }
    while (c->limbo >= 0) {
        int index = c->limbo;
        c->limbo = c->records[index].nextFree;
        c->records[index].nextFree = c->freeRecord;
        c->freeRecord = index;
    }
    uniteBodies(world);
    dismissMembers(world);
    if (!collectMembers(world) || !sortRecords(world)) {
        return false;
    }
    sizeUp(world);
    if (!ctPiles_Build(world)) {
        return false;
    }
    c->stale = false;
    world->stats.islands = c->islandCount;
    return true;
}
