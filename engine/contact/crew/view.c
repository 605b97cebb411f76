// A world as a worker sees it.
//
// The view is a copy of the world's structure and of that of sustained contact, both of which hold the addresses of
// their arrays. It has scratch memory, sums and lists of its own. Workers get islands that share only data that no step
// changes: so no two workers write to the same place, and none reads where another writes.
#include "engine/contact/crew/crew.h"

#include "collision/memory.h"

#include <string.h>

void ctView_Open(ctView *view, ctWorld *world, int steps)
{
    ctContacts *lender = world->contacts;
    ctContacts *c = &view->contacts;
    view->world = *world;
    view->world.contacts = c;
    c->lent = true;
    c->records = lender->records;
    c->recordSlots = lender->recordSlots;
    c->bodies = lender->bodies;
    c->bodyCapacity = lender->bodyCapacity;
    c->islands = lender->islands;
    c->islandSlots = lender->islandSlots;
    c->members = lender->members;
    c->sorted = lender->sorted;
    c->stale = view->stale;
    c->stamp = lender->stamp; // unique numbers
    lender->stamp += steps;
}

static bool copyList(const int *list, int count, int **copy, int *copied, int *capacity)
{
    *copied = count;
    if (count == 0) {
        return true;
    }
    if (!ctReserve((void **)copy, capacity, count, sizeof(int))) {
        return false;
    }
    memcpy(*copy, list, (size_t)count * sizeof(int));
    return true;
}

void ctView_Do(ctView *view, ctPartFn *fn, void *context, int item, ctStepTrace *trace)
{
    ctWorld *world = &view->world;
    ctContacts *c = &view->contacts;
    world->stats = (ctStats){0};
    world->audit = (ctAudit){0};
    world->frameEvents = 0;
    world->outOfMemory = false;
    c->staleCount = c->announceCount = c->impactCount = c->endedCount = c->calledCount = 0;
    trace->ok =
        fn(world, context, item) &&
        copyList(c->announce, c->announceCount, &trace->announce, &trace->announceCount, &trace->announceCapacity) &&
        copyList(c->impactPairs, c->impactCount, &trace->impactPairs, &trace->impactCount, &trace->impactCapacity) &&
        copyList(c->ended, c->endedCount, &trace->ended, &trace->endedCount, &trace->endedCapacity) &&
        copyList(c->called, c->calledCount, &trace->called, &trace->calledCount, &trace->calledCapacity);
    trace->stats = world->stats;
    trace->audit = world->audit;
    trace->events = world->frameEvents;
    trace->outOfMemory = world->outOfMemory;
    trace->stale = c->staleCount > 0;
}

void ctView_Free(ctView *view)
{
    ctContacts *c = &view->contacts;
    ctSolver_Destroy(&c->solver);
    void *arrays[] = {c->solverBodies, c->slotBody,    c->solverPoints, c->refs,   c->pseudo, c->pushes, c->found,
                      c->announce,     c->impactPairs, c->ended,        c->called, c->before, c->draft};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
}

static bool append(int **list, int *count, int *capacity, const int *more, int moreCount)
{
    if (moreCount == 0) {
        return true;
    }
    if (!ctReserve((void **)list, capacity, *count + moreCount, sizeof(int))) {
        return false;
    }
    memcpy(*list + *count, more, (size_t)moreCount * sizeof(int));
    *count += moreCount;
    return true;
}

bool ctStepTrace_Add(const ctStepTrace *trace, ctWorld *world, int island)
{
    ctContacts *c = world->contacts;
    ctWorld_AddSums(world, &trace->stats, &trace->audit);
    world->frameEvents += trace->events;
    world->outOfMemory = world->outOfMemory || trace->outOfMemory;
    for (int i = 0; i < trace->calledCount && trace->ok; i++) {
        ctContact_CallPair(world, trace->called[i]);
    }
    if (trace->stale) {
        c->islands[island].stale = false; // as it is in the list
        ctIsland_MarkStale(c, island);
    }
    return trace->ok &&
           append(&c->announce, &c->announceCount, &c->announceCapacity, trace->announce, trace->announceCount) &&
           append(&c->impactPairs, &c->impactCount, &c->impactCapacity, trace->impactPairs, trace->impactCount) &&
           append(&c->ended, &c->endedCount, &c->endedCapacity, trace->ended, trace->endedCount);
}

void ctStepTrace_Free(ctStepTrace *trace)
{
    ctFree(trace->announce);
    ctFree(trace->impactPairs);
    ctFree(trace->ended);
    ctFree(trace->called);
}
