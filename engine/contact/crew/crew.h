// Inside contact/crew: work on several threads.
#ifndef CT_CREW_H
#define CT_CREW_H

#include "engine/contact/contact_internal.h"
#include "engine/core/tasks.h"

// ---- contact/crew/view.c ------------------------------------------------------------------------------

// What a step leaves besides its island: merged into the world in the order of steps.
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
// Opens a view of the present world, for so many steps at most.
void ctView_Open(ctView *view, ctWorld *world, int steps);
// Does a part of the work in the view; what it leaves besides its own data goes to the trace.
void ctView_Do(ctView *view, ctPartFn *fn, void *context, int item, ctStepTrace *trace);
void ctView_Free(ctView *view);
// Merges the trace of a part into the world. island: whose step it was; -1: none. False when memory is short.
bool ctStepTrace_Add(const ctStepTrace *trace, ctWorld *world, int island);
void ctStepTrace_Free(ctStepTrace *trace);

// ---- contact/crew/crew.c ------------------------------------------------------------------------------

typedef struct ctCrew {
    ctTasks *tasks;
    int viewCount;
    ctView *views; // one for each thread
    int lotCount, lotCapacity, traceCapacity;
    int *lot;            // islands to step
    ctStepTrace *traces; // parallel to the lot
    int slots, slotCapacity;
    int *places; // by island: 1 + its index in the lot; 0: none
    int partCapacity;
    ctStepTrace *parts; // of other work
} ctCrew;

// The threads of a world; NULL: it has one.
ctCrew *ctCrew_Of(ctWorld *world);
// Makes room for so many traces. False when memory is short.
bool ctStepTraces_Reserve(ctStepTrace **traces, int *capacity, int count);

#endif
