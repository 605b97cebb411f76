// clatter help: the list of commands, or the options of one command.
#include "app/app.h"
#include "scenes/nearest.h"

#include <stdio.h>
#include <string.h>

void ctPrintHelp(FILE *out)
{
    fputs("Clatter: rigid bodies whose impacts are right.\n\nusage: clatter COMMAND [options]\n\n"
          "  clatter          the viewer on the first demo\n",
          out);
    for (const ctCommand *c = ctCommands; c->name != NULL; c++) {
        fprintf(out, "  clatter %-8s %s\n", c->name, c->summary);
    }
    fputs("\n  clatter help COMMAND     what a command takes (also clatter COMMAND --help)\n"
          "  clatter --version        the version\n",
          out);
}

int ctUnknownCommand(const char *name)
{
    enum { MAX_COMMANDS = 32 };
    const char *names[MAX_COMMANDS];
    int n = 0;
    for (const ctCommand *c = ctCommands; c->name != NULL && n < MAX_COMMANDS - 1; c++) {
        names[n++] = c->name;
    }
    names[n] = NULL;
    const char *nearest = ctNearestName(name, names);
    if (nearest != NULL) {
        fprintf(stderr, "clatter: unknown command '%.60s'; did you mean '%s'?\n", name, nearest);
    } else {
        fprintf(stderr, "clatter: unknown command '%.60s'; clatter help lists them\n", name);
    }
    return CT_EXIT_USAGE;
}

int ctCommandHelp(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        ctPrintHelp(stdout);
        return CT_EXIT_OK;
    }
    for (const ctCommand *c = ctCommands; c->name != NULL; c++) {
        if (strcmp(argv[1], c->name) == 0) {
            char help[] = "--help";
            char *arguments[] = {argv[1], help, NULL};
            return c->run(2, arguments);
        }
    }
    return ctUnknownCommand(argv[1]);
}
