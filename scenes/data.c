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

char *ctData_Find(const char *relative)
{
    const char *chosen = getenv("CLATTER_DATA");
    if (chosen != NULL && chosen[0] != '\0') {
        char *found = tryFolder(chosen, relative);
        if (found != NULL) {
            return found;
        }
    }
    char folder[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 32);
    if (length <= 0) {
        return NULL;
    }
    folder[length] = '\0';
    // PREFIX/bin/clatter -> PREFIX/share/clatter; build/clatter, build/release/tests/test_x -> the source tree.
    for (int level = 0; level < 5; level++) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL) {
            return NULL;
        }
        *slash = '\0';
        size_t end = strlen(folder);
        if (level == 1) {
            snprintf(folder + end, sizeof folder - end, "/share/clatter");
            char *found = tryFolder(folder, relative);
            folder[end] = '\0';
            if (found != NULL) {
                return found;
            }
        }
        // The source tree is the folder that contains engine/clatter.h.
        char *mark = tryFolder(folder, "engine/clatter.h");
        free(mark);
        char *found = mark != NULL ? tryFolder(folder, relative) : NULL;
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
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
