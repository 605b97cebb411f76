#include "app/app.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void printHelp(FILE *out)
{
    fputs("Clatter: rigid bodies whose impacts are right.\n\nusage: clatter COMMAND [options]\n\n"
          "  clatter          the viewer on the first demo\n",
          out);
    for (const ctCommand *c = ctCommands; c->name != NULL; c++) {
        fprintf(out, "  clatter %-8s %s\n", c->name, c->summary);
    }
    fputs("\n  clatter COMMAND --help   what a command takes\n  clatter --version        the version\n", out);
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) { // the viewer on the first demo
        return ctCommandRun(argc, argv);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        printHelp(stdout);
        return CT_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("clatter " CT_VERSION);
        return CT_EXIT_OK;
    }
    for (const ctCommand *c = ctCommands; c->name != NULL; c++) {
        if (strcmp(argv[1], c->name) == 0) {
            return c->run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "clatter: unknown command '%s'; clatter --help lists them\n", argv[1]);
    return CT_EXIT_USAGE;
}

// What was printed may have got nowhere: a full disk.
int main(int argc, char **argv)
{
    int status = dispatch(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && status == CT_EXIT_OK) {
        fprintf(stderr, "clatter: standard output: cannot write: %s\n", strerror(errno));
        return CT_EXIT_FAILED;
    }
    return status;
}
