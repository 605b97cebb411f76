#include "collision/clock.h"

#include <time.h>

// Where the system has no such clock (a browser counts no processor time), the monotonic one is used.
static double read(clockid_t clock)
{
    struct timespec t = {0};
    if (clock_gettime(clock, &t) != 0) {
        clock_gettime(CLOCK_MONOTONIC, &t);
    }
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double ctClock_Wall(void)
{
    return read(CLOCK_MONOTONIC);
}

double ctClock_Thread(void)
{
    return read(CLOCK_THREAD_CPUTIME_ID);
}

double ctClock_Process(void)
{
    return read(CLOCK_PROCESS_CPUTIME_ID);
}
