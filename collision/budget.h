// A budget of memory and processor time for what one thread does on behalf of a source that is not trusted, such as the
// script of a scene. All its allocations count (collision/memory.h), in whatever part of the library.
//
// When the budget is spent, allocations fail, so that the work under way ends with its error for that. Long work
// allocates from time to time; the time is checked there, too.
#ifndef CT_BUDGET_H
#define CT_BUDGET_H

#include "collision/types.h"

typedef struct ctBudget {
    size_t bytes;   // that may be used, beyond those in use at the beginning
    double seconds; // of the thread's processor time
    int64_t used;   // bytes in use
    double start, lastLook;
    bool outOfMemory, outOfTime; // what has been refused
} ctBudget;

// Gives the thread a budget until ctBudget_End. Budgets do not nest.
void ctBudget_Begin(ctBudget *budget, size_t bytes, double seconds);
void ctBudget_End(void);

// Counts bytes that are to be allocated; false when the budget does not allow them, or its time is over. True for a
// thread without a budget.
bool ctBudget_Take(size_t bytes);
void ctBudget_GiveBack(size_t bytes);
// Whether the time is over. Reads the clock once in a few milliseconds, and is cheap in between.
bool ctBudget_IsLate(void);

#endif
