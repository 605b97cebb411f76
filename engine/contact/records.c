// Records of touching pairs, and what ends with them.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#include <string.h>

bool ctContact_ReserveBodies(ctWorld *world)
{
    ctContacts *c = world->contacts;
    int old = c->bodyCapacity;
    if (!ctReserveAligned((void **)&c->bodies, &c->bodyCapacity, world->bodySlots, sizeof(ctContactBody))) {
        return false;
    }
    memset(&c->bodies[old], 0, (size_t)(c->bodyCapacity - old) * sizeof(ctContactBody));
    return ctReserve((void **)&c->loose, &c->looseCapacity, c->bodyCapacity, sizeof(int));
}

int ctContact_NewRecord(ctContacts *c)
{
    c->reported = false;
    if (c->freeRecord >= 0) {
        int index = c->freeRecord;
        c->freeRecord = c->records[index].nextFree;
        return index;
    }
    if (!ctReserveAligned((void **)&c->records, &c->recordCapacity, c->recordSlots + 1, sizeof(ctContactRecord))) {
        return -1;
    }
    c->records[c->recordSlots] = (ctContactRecord){0};
    return c->recordSlots++;
}

void ctContact_FreeRecord(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctContactRecord *record = &c->records[index];
    const ctTile *tile = world->infos[record->b].tile;
    if (tile != NULL && tile->ride >= 0 && !ctTile_Dismount(world, record->pair)) {
        world->outOfMemory = true;
    }
    c->reported = false;
    ctRoll_Drop(world, record->a);
    ctRoll_Drop(world, record->b);
    if (record->pile != NULL) {
        record->pile->watches[record->watch].record = -1;
        // Bodies that leaned on it may not hold any more.
        ctContactBody_Thaw(&c->bodies[record->a]);
        ctContactBody_Thaw(&c->bodies[record->b]);
        record->piled = false;
        record->pile = NULL;
    }
    world->pairs[record->pair].contact = -1;
    ctFree(record->points);
    record->points = NULL;
    record->pair = -1;
    record->count = record->capacity = 0;
    record->nextFree = c->limbo;
    c->limbo = index;
    c->recordCount--;
    // A large island is built again before long, unless the body has no contact any more.
    if (!(ctContactBody_IsLarge(&c->bodies[record->a]) && c->bodies[record->a].records > 0)) {
        ctIslands_MarkBody(world, record->a);
        ctIslands_MarkBody(world, record->b);
    }
}

void ctContactBody_LetFly(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctBody_Advance(world, index);
    ctRoll_Drop(world, index);
    ctEnergy_Settle(world, index);
    if (index < world->contacts->bodyCapacity) {
        ctContactBody_Thaw(&world->contacts->bodies[index]);
    }
    ctBody_SetMode(body, ct_modeFlying);
    body->a = ctBody_FreeAcceleration(world, index);
    body->alpha = ctZero3();
}
