// Files: where the program's data are, and reading them.
#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/loader.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The path folder/relative, or NULL when nothing exists there.
static char *tryFolder(const char *folder, const char *relative)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, relative) >= (int)sizeof path || access(path, R_OK) != 0) {
        return NULL;
    }
    return strdup(path);
}

// The folder of the program, or one so many levels above it. False: there is none.
static bool folderAbove(int levels, char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length > 0 ? length : 0] = '\0';
    for (int i = 0; i <= levels; i++) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL) {
            return false;
        }
        *slash = '\0';
    }
    return true;
}

// PREFIX/bin/clatter -> PREFIX/share/clatter
static bool sharedFolder(char folder[PATH_MAX])
{
    static const char below[] = "/share/clatter";
    if (!folderAbove(1, folder) || strlen(folder) + sizeof below > PATH_MAX) {
        return false;
    }
    strcat(folder, below);
    return true;
}

// build/clatter, build/release/tests/test_x -> the source tree, which is the folder that contains engine/clatter.h.
static bool sourceFolder(char folder[PATH_MAX])
{
    for (int levels = 0; levels < 5 && folderAbove(levels, folder); levels++) {
        char *mark = tryFolder(folder, "engine/clatter.h");
        free(mark);
        if (mark != NULL) {
            return true;
        }
    }
    return false;
}

char *ctData_Find(const char *relative)
{
    const char *chosen = getenv("CLATTER_DATA");
    char folder[PATH_MAX];
    char *found = chosen != NULL && chosen[0] != '\0' ? tryFolder(chosen, relative) : NULL;
    if (found == NULL && sharedFolder(folder)) {
        found = tryFolder(folder, relative);
    }
    return found == NULL && sourceFolder(folder) ? tryFolder(folder, relative) : found;
}

bool ctData_FailWithoutDemos(ctError *error)
{
    const char *chosen = getenv("CLATTER_DATA");
    char shared[PATH_MAX] = "", program[PATH_MAX] = "";
    sharedFolder(shared);
    folderAbove(0, program);
    return ctFail(
        error, ct_io,
        "there are no demos: no folder 'scenes' in CLATTER_DATA (%.100s), in %.100s, or in a source tree around "
        "%.100s",
        chosen != NULL && chosen[0] != '\0' ? chosen : "not set", shared, program);
}

char *ctCopyText(const char *text, size_t length)
{
    char *copy = ctAllocate(length + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *ctReadFile(const char *path, size_t maxSize, size_t *length, ctError *error)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        ctFail(error, ct_io, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        ctFail(error, ct_io, "%s: is not a file", path);
        return NULL;
    }
    if ((uintmax_t)info.st_size > maxSize) {
        ctFail(error, ct_limit, "%s: is larger than %zu kB", path, maxSize / 1024);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        ctFail(error, ct_io, "%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = ctAllocate((size_t)info.st_size + 1, 1);
    if (text == NULL) {
        ctFailMemory(error, path);
    } else {
        *length = fread(text, 1, (size_t)info.st_size, file);
        text[*length] = '\0';
        if (strncmp(text, "\xef\xbb\xbf", 3) == 0) { // a byte-order mark, which some editors write
            *length -= 3;
            memmove(text, text + 3, *length + 1);
        }
        if (ferror(file)) {
            ctFail(error, ct_io, "%s: %s", path, strerror(errno));
            ctFree(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}
