// Stale islands, due islands, and the memory of their lists.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

// ---- what is to be found anew -----------------------------------------------------------------

void ctIsland_MarkStale(ctContacts *c, int island)
{
    if (!c->islands[island].stale) {
        c->islands[island].stale = true;
        c->stale[c->staleCount++] = island;
    }
}

bool ctIslands_Knows(const ctWorld *world, int body)
{
    int island = world->bodies[body].island; // of a removed body: the next free slot
    return world->bodies[body].mode != ct_modeFree && island >= 0 && !world->contacts->islands[island].stale;
}

void ctIslands_MarkBody(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    const ctBody *body = &world->bodies[index];
    if (!ctBody_IsMovable(body) || index >= c->bodyCapacity) {
        return;
    }
    if (body->island >= 0) {
        ctIsland_MarkStale(c, body->island);
    } else if (ctBody_IsAwake(world, index) && !c->bodies[index].loose) {
        c->bodies[index].loose = true;
        c->loose[c->looseCount++] = index;
    }
}

void ctIslands_MarkAll(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->islandSlots; i++) {
        if (c->islands[i].bodyCount > 0) {
            ctIsland_MarkStale(c, i);
        }
    }
}

void ctIsland_MakeDue(ctWorld *world, int body, double time)
{
    ctContacts *c = world->contacts;
    int island = world->bodies[body].island;
    c->due = ctFmin(c->due, time);
    if (island >= 0) {
        c->islands[island].due = time > world->now ? ctFmin(c->islands[island].due, time) : time;
        if (!c->lent) { // a worker's own island, whose time is set after the step
            ctAgenda_Set(&c->agenda, island, c->islands[island].due);
        }
    }
}

void ctContact_CallPair(ctWorld *world, int pair)
{
    ctContacts *c = world->contacts;
    if (!c->lent) {
        ctAgenda_Set(&world->pairAgenda, pair, world->now);
    } else if (ctReserve((void **)&c->called, &c->calledCapacity, c->calledCount + 1, sizeof(int))) {
        c->called[c->calledCount++] = pair;
    } else {
        world->outOfMemory = true;
    }
}

// ---- memory -----------------------------------------------------------------------------------

bool ctIslands_Reserve(ctContacts *c, int count)
{
    return ctReserve((void **)&c->islands, &c->islandCapacity, count, sizeof(ctIsland)) &&
           ctReserve((void **)&c->stale, &c->staleCapacity, count, sizeof(int)) &&
           ctReserve((void **)&c->built, &c->builtCapacity, count, sizeof(int)) &&
           ctReserve((void **)&c->dueKeys, &c->dueCapacity, count, sizeof(uint64_t)) &&
           ctReserve((void **)&c->keyScratch, &c->scratchCapacity, count, sizeof(uint64_t)) &&
           ctReserve((void **)&c->later, &c->laterCapacity, count, sizeof(int)) && ctAgenda_Reserve(&c->agenda, count);
}

bool ctIslands_Compact(ctContacts *c)
{
    if (!ctReserve((void **)&c->memberSpare, &c->memberSpareCapacity, c->memberCapacity, sizeof(int)) ||
        !ctReserve((void **)&c->sortedSpare, &c->sortedSpareCapacity, c->sortedCapacity, sizeof(int))) {
        return false;
    }
    int members = 0, records = 0;
    for (int i = 0; i < c->islandSlots; i++) {
        ctIsland *island = &c->islands[i];
        for (int k = 0; k < island->bodyCount; k++) {
            c->memberSpare[members + k] = c->members[island->firstBody + k];
        }
        for (int k = 0; k < island->recordCount; k++) {
            c->sortedSpare[records + k] = c->sorted[island->firstRecord + k];
        }
        island->firstBody = members;
        island->firstRecord = records;
        members += island->bodyCount;
        records += island->recordCount;
    }
    int *list = c->members, capacity = c->memberCapacity;
    c->members = c->memberSpare;
    c->memberCapacity = c->memberSpareCapacity;
    c->memberSpare = list;
    c->memberSpareCapacity = capacity;
    list = c->sorted;
    capacity = c->sortedCapacity;
    c->sorted = c->sortedSpare;
    c->sortedCapacity = c->sortedSpareCapacity;
    c->sortedSpare = list;
    c->sortedSpareCapacity = capacity;
    c->memberCount = c->memberLive = members;
    c->sortedCount = c->sortedLive = records;
    return true;
}
