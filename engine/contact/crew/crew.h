// Inside contact/crew: steps of small islands on several threads.
#ifndef CT_CREW_H
#define CT_CREW_H

#include "engine/contact/contact_internal.h"
#include "engine/core/tasks.h"

// ---- contact/crew/view.c ------------------------------------------------------------------------------

// What a step leaves besides its island: to be added to the world in the order of steps.
typedef struct ctStepTrace {
    bool ok, outOfMemory, stale;
    ctStats stats;
    ctAudit audit;
    int64_t events;
    int announceCount, announceCapacity, impactCount, impactCapacity, endedCount, endedCapacity;
    int calledCount, calledCapacity;
    int *announce, *impactPairs, *ended, *called;
} ctStepTrace;
// A world as a worker sees it: the bodies, contacts and islands of the world itself, with scratch memory of its own.
typedef struct ctView {
    ctWorld world;
    ctContacts contacts;
    int stale[2];
} ctView;
// The view is of the world as it is now, for so many steps at most.
void ctView_Open(ctView *view, ctWorld *world, int steps);
// Steps an island in the view.
void ctView_Step(ctView *view, int island, ctStepTrace *trace);
void ctView_Free(ctView *view);
// The step of an island has been made; what it leaves comes into the world. False when memory is short.
bool ctStepTrace_Add(const ctStepTrace *trace, ctWorld *world, int island);
void ctStepTrace_Free(ctStepTrace *trace);

#endif
