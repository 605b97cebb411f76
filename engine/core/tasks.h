// Work that is done on several threads at once: items without an order among each other.
//
// The threads are the pool's own, which sleep between two lots of work, or those of a program that has a scheduler
// (ctTaskHost). The caller always takes part; so a lot is done whether other threads come in time or not. What the
// threads do to each item must not depend on who does it, nor when.
#ifndef CT_CORE_TASKS_H
#define CT_CORE_TASKS_H

#include "engine/clatter.h"

// Threads that a pool has at most.
enum { CT_MAX_THREADS = 64 };

typedef struct ctTasks ctTasks;
// worker: from 0 to less than the number of threads; no two calls at the same time have the same. The caller is 0.
typedef void ctTaskFn(void *context, int item, int worker);

// threads: of which the caller is one; 0: as many as the process may use. host: may be NULL, or have no functions. The
// pool has fewer threads when no more can be started; one is none besides the caller. NULL when memory is short.
ctTasks *ctTasks_Create(int threads, const ctTaskHost *host);
void ctTasks_Destroy(ctTasks *tasks); // NULL is allowed
int ctTasks_Threads(const ctTasks *tasks);
// Does items 0 to count - 1, and returns when all of them are done.
void ctTasks_Run(ctTasks *tasks, ctTaskFn *fn, void *context, int count);
// How many threads a number that the program has given stands for.
int ctTasks_Resolve(int threads);

#endif
