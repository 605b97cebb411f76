#include "render/files/atomic_file.h"

#include "collision/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

// A device or a pipe (/dev/stdout, /dev/null) is written to as it is: a file in its place would be no use.
static bool isStream(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

static int openFor(ctAtomicFile *file, const char *path, size_t length)
{
    if (strcmp(path, "-") == 0) {
        free(file->temporary);
        file->temporary = NULL;
        fflush(stdout);
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    }
    if (isStream(path)) {
        free(file->temporary);
        file->temporary = NULL;
        return open(path, O_WRONLY | O_CLOEXEC);
    }
    memcpy(file->temporary, path, length);
    errno = ENOENT; // what an empty path is answered with
    return length > 0 ? createTemporary(file, length) : -1;
}

static void discard(const ctAtomicFile *file)
{
    if (file->temporary != NULL) {
        unlink(file->temporary);
    }
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
    int descriptor = openFor(file, path, length);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file->stream == NULL) {
        int cause = errno;
        if (descriptor >= 0) {
            close(descriptor);
            discard(file);
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
    if (written && file->temporary != NULL && rename(file->temporary, file->path) != 0) {
        written = false;
        cause = errno;
    }
    if (!written) {
        discard(file);
        ctFail(error, ct_io, "%s: cannot write: %s", file->path, strerror(cause));
    }
    forget(file);
    return written;
}

void ctAtomicFile_Abort(ctAtomicFile *file)
{
    if (file->stream != NULL) {
        fclose(file->stream);
        discard(file);
    }
    forget(file);
}
