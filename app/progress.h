// A progress bar on standard error. Nothing is shown when standard error is no terminal.
#ifndef CT_PROGRESS_H
#define CT_PROGRESS_H

#include "collision/types.h"

typedef struct ctProgress {
    const char *what; // "frames", "s"
    double total;
    bool shown;         // standard error is a terminal
    double begin, last; // wall clock, s
    char note[48];      // text after the bar, such as ", 2 failed"
} ctProgress;

ctProgress ctProgress_Begin(const char *what, double total);
// Draws at most ten times a second: done, how many per second, time left.
void ctProgress_Update(ctProgress *progress, double done);
// Clears the line for the output that follows.
void ctProgress_End(ctProgress *progress);

#endif
