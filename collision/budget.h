// A budget of memory and processor time for what one thread does on behalf of somebody who is not trusted, such as the
// script of a scene: everything that it allocates (collision/memory.h) counts, in whatever part of the library.
//
// When the budget is spent, allocations fail, so that whatever is under way ends with the error that it has for that.
// Long work allocates now and then; that is where time is looked at, too.
#ifndef CT_BUDGET_H
#define CT_BUDGET_H

#include "collision/types.h"

typedef struct ctBudget {
    size_t bytes;   // that may be in use, beyond those in use at the beginning
    double seconds; // of the thread's processor time
    int64_t used;   // bytes in use
    double start, lastLook;
    bool outOfMemory, outOfTime; // what was refused, once it has been
} ctBudget;

// From now on the thread works within this budget, until ctBudget_End. They do not nest.
void ctBudget_Begin(ctBudget *budget, size_t bytes, double seconds);
void ctBudget_End(void);

// Counts bytes that are to be allocated; false when the budget of the thread does not have them, or its time is over.
// True where the thread has no budget.
bool ctBudget_Take(size_t bytes);
void ctBudget_GiveBack(size_t bytes);
// Whether the time is over. Looks at the clock once in a few milliseconds, and is cheap in between.
bool ctBudget_IsLate(void);

#endif
