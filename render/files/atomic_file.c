#include "render/files/atomic_file.h"

#include "collision/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Bytes for ".tmp-", a process id, a dash, the number of the try and the final zero.
enum { SUFFIX_SIZE = 40, TRIES = 100 };

static void forget(ctAtomicFile *file)
{
    free(file->path);
    free(file->temporary);
    *file = (ctAtomicFile){NULL, NULL, NULL};
}

// Creates a new file with the usual permissions (umask).
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

char *ctFollowPath(const char *path)
{
    char *at = strdup(path);
    for (int links = 0; at != NULL && links < 40; links++) {
        char target[4096];
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length <= 0) {
            break;
        }
        target[length] = '\0';
        const char *slash = strrchr(at, '/');
        size_t folder = target[0] == '/' || slash == NULL ? 0 : (size_t)(slash - at) + 1;
        char *next = malloc(folder + (size_t)length + 1);
        if (next != NULL) {
            memcpy(next, at, folder);
            memcpy(next + folder, target, (size_t)length + 1);
        }
        free(at);
        at = next;
    }
    return at;
}

void ctKeepMode(const char *temporary, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        (void)!chmod(temporary, info.st_mode & 07777); // if that is not allowed, the permissions of the umask stay
    }
}

// The folder of a path, with all links followed, and the name in the folder.
static bool folderAndName(const char *path, char folder[PATH_MAX], const char **name)
{
    const char *slash = strrchr(path, '/');
    char top[PATH_MAX];
    *name = slash != NULL ? slash + 1 : path;
    int length = slash == path ? 1 : (int)(*name - path);
    if (snprintf(top, sizeof top, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".") >= (int)sizeof top) {
        return false;
    }
    return realpath(top, folder) != NULL;
}

bool ctIsSameFile(const char *a, const char *b)
{
    struct stat one, two;
    if (stat(a, &one) == 0 && stat(b, &two) == 0) {
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino;
    }
    char *wholeA = ctFollowPath(a), *wholeB = ctFollowPath(b), folderA[PATH_MAX], folderB[PATH_MAX];
    const char *nameA = "", *nameB = "";
    bool same = wholeA != NULL && wholeB != NULL && folderAndName(wholeA, folderA, &nameA) &&
                folderAndName(wholeB, folderB, &nameB) && strcmp(folderA, folderB) == 0 && strcmp(nameA, nameB) == 0;
    free(wholeA);
    free(wholeB);
    return same || strcmp(a, b) == 0;
}

// Whether the path is a device or a pipe (/dev/stdout, /dev/null), which is written to directly.
static bool isStream(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool ctIsFolder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int openFor(ctAtomicFile *file, const char *path, size_t length)
{
    if (ctIsFolder(path)) { // which no file can replace: better said now than at the end
        errno = EISDIR;
        return -1;
    }
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
    errno = ENOENT; // the error of an empty path
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
    file->path = ctFollowPath(path);
    path = file->path != NULL ? file->path : path;
    size_t length = strlen(path);
    file->temporary = malloc(length + SUFFIX_SIZE);
    if (file->path == NULL || file->temporary == NULL) {
        forget(file);
        return ctFailMemory(error, "a file name");
    }
    int descriptor = openFor(file, path, length);
    if (descriptor >= 0 && file->temporary != NULL) {
        ctKeepMode(file->temporary, path);
    }
    file->stream = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file->stream == NULL) {
        int cause = errno;
        if (descriptor >= 0) {
            close(descriptor);
            discard(file);
        }
        ctFail(error, ct_io, "%s: cannot write: %s", path, strerror(cause));
        forget(file);
        return false;
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
