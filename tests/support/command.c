#include "tests/support/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char folder[64];

const char *ctTestFolder(void)
{
    snprintf(folder, sizeof folder, "/tmp/clatter-test-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        perror("mkdtemp");
        abort();
    }
    setenv("T", folder, 1);
    return folder;
}

void ctRemoveTestFolder(void)
{
    if (folder[0] != '\0') {
        ctRunCommand("rm -rf '%s'", folder);
        folder[0] = '\0';
    }
}

ctCommandOutput ctRunCommand(const char *format, ...)
{
    char line[4096], whole[4200];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    snprintf(whole, sizeof whole, "{ %s\n} 2>&1", line);
    ctCommandOutput out = {-1, ""};
    setenv("CLATTER", "build/clatter", 0); // for a suite that is run by hand
    fflush(NULL);
    FILE *pipe = popen(whole, "r");
    if (pipe == NULL) {
        perror("popen");
        abort();
    }
    size_t n = fread(out.text, 1, sizeof out.text - 1, pipe);
    out.text[n] = '\0';
    char rest[4096];
    while (fread(rest, 1, sizeof rest, pipe) > 0) {
    }
    int status = pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return out;
}
