// Ctrl-C and similar signals: a long command stops between two frames and leaves no temporary file.
#ifndef CT_INTERRUPT_H
#define CT_INTERRUPT_H

#include "collision/types.h"

// A write to a pipe that is closed, or beyond the largest size of a file, fails from now on and is reported like a full
// disk, instead of ending the program with its temporary files left behind.
void ctInterrupt_FailWrites(void);

// After this call the first SIGINT, SIGTERM or SIGHUP is only stored; a second one ends the program at once.
void ctInterrupt_Watch(void);

// The signal received, 0 for none.
int ctInterrupt_Signal(void);

// False with an error once a signal has been received. For commands whose partial result is useless.
bool ctInterrupt_Check(ctError *error);

#endif
