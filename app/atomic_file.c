#include "app/atomic_file.h"

#include "collision/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".XXXXXX";

static void forget(ctAtomicFile *file)
{
    free(file->path);
    free(file->temporary);
    *file = (ctAtomicFile){NULL, NULL, NULL};
}

// mkstemp makes files that only their owner may read; a result should follow the umask, as any other.
static void openToReaders(int descriptor)
{
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(descriptor, 0666 & ~mask);
}

bool ctAtomicFile_Open(ctAtomicFile *file, const char *path, ctError *error)
{
    *file = (ctAtomicFile){NULL, NULL, NULL};
    size_t length = strlen(path);
    file->path = malloc(length + 1);
    file->temporary = malloc(length + sizeof suffix);
    if (file->path == NULL || file->temporary == NULL) {
        forget(file);
        return ctFailMemory(error, "a file name");
    }
    memcpy(file->path, path, length + 1);
    memcpy(file->temporary, path, length);
    memcpy(file->temporary + length, suffix, sizeof suffix);
    int descriptor = length > 0 ? mkstemp(file->temporary) : -1;
    if (descriptor < 0) {
        int cause = length > 0 ? errno : ENOENT;
        forget(file);
        return ctFail(error, ct_io, "%s: cannot write: %s", path, strerror(cause));
    }
    openToReaders(descriptor);
    file->stream = fdopen(descriptor, "wb");
    if (file->stream == NULL) {
        int cause = errno;
        close(descriptor);
        unlink(file->temporary);
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
