// Running programs from tests, as a person would from a shell.
#ifndef CT_TEST_COMMAND_H
#define CT_TEST_COMMAND_H

#include <stddef.h>

typedef struct ctCommandOutput {
    int status;      // exit status; 128 + n when a signal n ended it
    char text[8192]; // standard output and standard error together, cut at the end
} ctCommandOutput;

// Formats a line and runs it by /bin/sh. $CLATTER is the program under test, $T the folder of ctTestFolder.
ctCommandOutput ctRunCommand(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A fresh empty folder for one test, removed by ctRemoveTestFolder; exported as $T.
const char *ctTestFolder(void);
void ctRemoveTestFolder(void);

#endif
