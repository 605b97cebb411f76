// A thread pool for items of work that do not depend on each other.
//
// The threads belong to the pool, and sleep between two batches of work, or to a program that has its own scheduler
// (ctTaskHost). The calling thread always takes part, so a batch is finished even if no other thread comes in time. The
// result for an item must not depend on which thread computes it, nor when.
#ifndef CT_CORE_TASKS_H
#define CT_CORE_TASKS_H

#include "engine/clatter.h"

// [limit] Threads of a pool.
enum { CT_MAX_THREADS = 64 };

typedef struct ctTasks ctTasks;
// worker: from 0 to the number of threads - 1; no two calls at the same time have the same. The caller is 0.
typedef void ctTaskFn(void *context, int item, int worker);

// threads: how many, with the caller; 0: as many as the process may use. host: may be NULL, or have no functions. A
// thread is started when a batch first has an item for it. NULL when memory is short.
ctTasks *ctTasks_Create(int threads, const ctTaskHost *host);
void ctTasks_Destroy(ctTasks *tasks); // NULL is allowed
int ctTasks_Threads(const ctTasks *tasks);
// Computes items 0 to count - 1, and returns when all of them are done. Wakes no more threads than there are items.
void ctTasks_Run(ctTasks *tasks, ctTaskFn *fn, void *context, int count);
// The number of threads that a setting of the program means: 0 is as many as the process may use.
int ctTasks_Resolve(int threads);

#endif
