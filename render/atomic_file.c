#include "render/atomic_file.h"

#include "collision/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Room for ".tmp-", a process id, a dash, a try and the final zero.
enum { SUFFIX_SIZE = 40, TRIES = 100 };

static void forget(ctAtomicFile *file)
{
    free(file->path);
    free(file->temporary);
    *file = (ctAtomicFile){NULL, NULL, NULL};
}

// Creates a file that was not there, with the permissions that the umask gives any other file.
static int createTemporary(ctAtomicFile *file, size_t length)
{
    for (int try = 0; try < TRIES; try++) {
        snprintf(file->temporary + length, SUFFIX_SIZE, ".tmp-%ld-%d", (long)getpid(), try);
        int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) {
            return descriptor;
        }
    }
    return -1;
}

bool ctAtomicFile_Open(ctAtomicFile *file, const char *path, ctError *error)
{
    *file = (ctAtomicFile){NULL, NULL, NULL};
    size_t length = strlen(path);
    file->path = strdup(path);
    file->temporary = malloc(length + SUFFIX_SIZE);
    if (file->path == NULL || file->temporary == NULL) {
        forget(file);
        return ctFailMemory(error, "a file name");
    }
    memcpy(file->temporary, path, length);
    errno = ENOENT; // what an empty path is answered with
    int descriptor = length > 0 ? createTemporary(file, length) : -1;
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file->stream == NULL) {
        int cause = errno;
        if (descriptor >= 0) {
            close(descriptor);
            unlink(file->temporary);
        }
        forget(file);
        return ctFail(error, ct_io, "%s: cannot write: %s", path, strerror(cause));
    }
    return true;
}

bool ctAtomicFile_Commit(ctAtomicFile *file, ctError *error)
{
    bool written = ferror(file->stream) == 0 && fflush(file->stream) == 0;
    int cause = written ? 0 : errno;
    if (fclose(file->stream) != 0 && written) {
        written = false;
        cause = errno;
    }
    file->stream = NULL;
    if (written && rename(file->temporary, file->path) != 0) {
        written = false;
        cause = errno;
    }
    if (!written) {
        unlink(file->temporary);
        ctFail(error, ct_io, "%s: cannot write: %s", file->path, strerror(cause));
    }
    forget(file);
    return written;
}

void ctAtomicFile_Abort(ctAtomicFile *file)
{
    if (file->stream != NULL) {
        fclose(file->stream);
        unlink(file->temporary);
    }
    forget(file);
}
