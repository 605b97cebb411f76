// Ctrl-C and its kin: a long command stops between two frames and leaves no temporary file.
#ifndef CT_INTERRUPT_H
#define CT_INTERRUPT_H

#include "collision/types.h"

// From here on the first SIGINT, SIGTERM or SIGHUP is only noted; a second one ends the program at once.
void ctInterrupt_Watch(void);

// The signal that came, 0 for none.
int ctInterrupt_Signal(void);

// False, with the error saying so, once a signal came: a command that cannot use half of its work goes no further.
bool ctInterrupt_Check(ctError *error);

#endif
