// Membership of the gas: members have no pairs among themselves (state/cells.h); a ball that leaves gets them.
#include "collision/memory.h"
#include "engine/pairs/pairs.h"

void ctGas_Free(ctGas *gas)
{
    ctFreeAligned(gas->balls);
    ctFreeAligned(gas->next);
    ctFreeAligned(gas->first);
    *gas = (ctGas){0};
}

bool ctGas_Reserve(ctGas *gas, int limit)
{
    int old = gas->capacity;
    if (!ctReserveAligned((void **)&gas->balls, &gas->capacity, limit, sizeof *gas->balls)) {
        return false;
    }
    for (int i = old; i < gas->capacity; i++) {
        gas->balls[i] = (ctGasBall){.hit = INFINITY, .cross = INFINITY, .partner = -1};
    }
    return ctReserveAligned((void **)&gas->next, &gas->nextCapacity, limit, sizeof *gas->next);
}

void ctGas_Forget(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    if (ctBody_IsInGas(&world->bodies[index])) {
        ctGas_Unlink(gas, index);
        gas->balls[index].hit = gas->balls[index].cross = INFINITY;
        gas->balls[index].partner = -1;
        ctBody_SetMode(&world->bodies[index], ct_modeFlying);
        gas->count--;
    }
}

void ctGas_Leave(ctWorld *world, int index)
{
    if (!ctBody_IsInGas(&world->bodies[index])) {
        return;
    }
    ctGas_Forget(world, index);
    if (!ctWorld_KeepBox(world, index) || !ctWorld_ScheduleFresh(world)) {
        world->outOfMemory = true;
    }
}

bool ctGas_IsHitValid(const ctWorld *world, const ctGasBall *g)
{
    const ctBody *partner = g->partner >= 0 ? &world->bodies[g->partner] : NULL;
    return partner != NULL && ctBody_IsInGas(partner) && partner->t == g->partnerTime;
}

// A hit that is due, other than that of a and b: one of its two balls, or -1.
static int dueHit(const ctWorld *world, int a, int b)
{
    const ctGas *gas = &world->gas;
    const ctAgendaEntry *entry;
    for (int k = 0; (entry = ctAgenda_Next(&world->boxAgenda, k)) != NULL && !ctIsLater(entry->time, world->now); k++) {
        int item = entry->item;
        const ctGasBall *g = &gas->balls[item];
        bool own = (item == a && g->partner == b) || (item == b && g->partner == a);
        if (!own && !ctIsLater(g->hit, world->now) && ctGas_IsHitValid(world, g)) {
            return item;
        }
    }
    return -1;
}

bool ctGas_IsHitDue(const ctWorld *world, int a, int b)
{
    return world->gas.count > 0 && dueHit(world, a, b) >= 0;
}

void ctGas_Expose(ctWorld *world)
{
    for (int ball; world->gas.count > 0 && (ball = dueHit(world, -1, -1)) >= 0;) {
        int partner = world->gas.balls[ball].partner;
        ctGas_Leave(world, ball);
        ctGas_Leave(world, partner);
    }
}
