// The command line: one function per sub-command, each in a file of its own.
#ifndef CT_APP_H
#define CT_APP_H

#include "collision/types.h"

#include <stdio.h>

// Exit statuses (a contract with scripts).
enum { CT_EXIT_OK = 0, CT_EXIT_FAILED = 1, CT_EXIT_USAGE = 2 };

typedef struct ctCommand {
    const char *name;
    const char *summary;               // one line for --help
    int (*run)(int argc, char **argv); // argv[0] is the command's name; returns the exit status
} ctCommand;

int ctCommandList(int argc, char **argv);
int ctCommandExport(int argc, char **argv);
int ctCommandRecord(int argc, char **argv);
int ctCommandImpact(int argc, char **argv);
int ctCommandSim(int argc, char **argv);
int ctCommandSweep(int argc, char **argv);
int ctCommandRun(int argc, char **argv);
int ctCommandInfo(int argc, char **argv);
int ctCommandHelp(int argc, char **argv);

// The list of commands.
void ctPrintHelp(FILE *out);
// Prints that the command is unknown, and the nearest name. Returns the exit status.
int ctUnknownCommand(const char *name);

// All sub-commands, ended by a NULL name.
extern const ctCommand ctCommands[];

#endif
