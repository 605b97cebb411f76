// Clocks for budgets and statistics. Nothing that the engine computes depends on them.
#ifndef CT_CLOCK_H
#define CT_CLOCK_H

double ctClock_Wall(void);    // s, monotonic
double ctClock_Thread(void);  // s of this thread's processor time
double ctClock_Process(void); // s of processor time of all threads

#endif
