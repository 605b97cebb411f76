// Runs a recording: simulate, draw, write.
#ifndef CT_RECORD_RUN_H
#define CT_RECORD_RUN_H

#include "app/recording.h"

// Returns the exit status; messages are on standard error.
int ctRecord_Run(ctRecording *recording, bool resume);

#endif
