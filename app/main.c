#include "app/app.h"
#include "app/interrupt.h"
#include "app/options.h"

#include "collision/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// Words of the command line are repeated in messages and kept in descriptions of recordings.
static bool isPlainLine(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!ctIsPlainText(argv[i], strlen(argv[i]))) {
            char word[200];
            ctEscape(word, sizeof word, argv[i], strlen(argv[i]));
            fprintf(stderr, "clatter: the command line must be UTF-8 without control characters, unlike '%s'\n", word);
            return false;
        }
    }
    return true;
}

static int dispatch(int argc, char **argv)
{
    if (!isPlainLine(argc, argv)) {
        return CT_EXIT_USAGE;
    }
    if (argc < 2) { // the viewer opens the first demo
        return ctCommandRun(argc, argv);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        ctPrintHelp(stdout);
        return CT_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        ctPrintVersion();
        return CT_EXIT_OK;
    }
    for (const ctCommand *c = ctCommands; c->name != NULL; c++) {
        if (strcmp(argv[1], c->name) == 0) {
            return c->run(argc - 1, argv + 1);
        }
    }
    return ctUnknownCommand(argv[1]);
}

// Also checks that standard output was written: the disk may be full.
int main(int argc, char **argv)
{
    ctInterrupt_FailWrites();
    int status = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && status == CT_EXIT_OK) {
        fprintf(stderr, "clatter: standard output: cannot write: %s\n", strerror(errno));
        return CT_EXIT_FAILED;
    }
    return status;
}
