// The command line of clatter sweep.
#ifndef CT_SWEEP_ARGUMENTS_H
#define CT_SWEEP_ARGUMENTS_H

#include "app/sweep/sweep.h"

enum { CT_SWEEP_WORDS = 10000 };

// The command line: the sweep and the options of the command.
typedef struct ctSweepArguments {
    ctSweep *sweep;
    const char **words; // the scene, or the files to merge
    int wordCount;
    const char *out, *plot, *quantiles;
    int threads;
    bool resume, merge;
} ctSweepArguments;

// False: exit with *status; the help or an error has been printed.
bool ctSweepArguments_Read(ctSweepArguments *arguments, int argc, char **argv, int *status);

#endif
