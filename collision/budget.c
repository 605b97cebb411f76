#include "collision/budget.h"

#include "collision/clock.h"

#define LOOK_INTERVAL 0.002 // s of wall time, which costs less to read than processor time

static _Thread_local ctBudget *current;

void ctBudget_Begin(ctBudget *budget, size_t bytes, double seconds)
{
    *budget = (ctBudget){.bytes = bytes, .seconds = seconds, .start = ctClock_Thread(), .lastLook = ctClock_Wall()};
    current = budget;
}

void ctBudget_End(void)
{
    current = NULL;
}

bool ctBudget_IsLate(void)
{
    ctBudget *b = current;
    if (b == NULL || b->outOfTime) {
        return b != NULL;
    }
    double now = ctClock_Wall();
    if (now - b->lastLook >= LOOK_INTERVAL) {
        b->lastLook = now;
        b->outOfTime = ctClock_Thread() - b->start > b->seconds;
    }
    return b->outOfTime;
}

bool ctBudget_Take(size_t bytes)
{
    ctBudget *b = current;
    if (b == NULL) {
        return true;
    }
    if (ctBudget_IsLate()) {
        return false;
    }
    // used is negative when more has been freed than allocated since the beginning.
    if ((double)b->used + (double)bytes > (double)b->bytes) {
        b->outOfMemory = true;
        return false;
    }
    b->used += (int64_t)bytes;
    return true;
}

void ctBudget_GiveBack(size_t bytes)
{
    if (current != NULL) {
        current->used -= (int64_t)bytes;
    }
}
