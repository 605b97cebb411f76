// A progress bar on standard error, where that is a terminal; silence where it is not.
#ifndef CT_PROGRESS_H
#define CT_PROGRESS_H

#include "collision/types.h"

typedef struct ctProgress {
    const char *what; // "frames", "s"
    double total;
    bool shown;         // standard error is a terminal
    double begin, last; // wall clock, s
    char note[48];      // goes behind it, such as ", 2 failed"
} ctProgress;

ctProgress ctProgress_Begin(const char *what, double total);
// Draws at most ten times a second: done, how many per second, time left.
void ctProgress_Update(ctProgress *progress, double done);
// Wipes the line, so that what follows starts on a clean one.
void ctProgress_End(ctProgress *progress);

#endif
