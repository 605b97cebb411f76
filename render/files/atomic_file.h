// Files that appear complete or not at all. A file is written under a temporary name next to the target and renamed
// when it is complete. An interrupted run leaves the old file, or none. A file that is replaced keeps its permissions.
// Links are followed: the file that a link leads to is replaced. Devices and pipes are written to directly, and "-" is
// standard output.
#ifndef CT_FILES_ATOMIC_FILE_H
#define CT_FILES_ATOMIC_FILE_H

#include "collision/types.h"

#include <stdio.h>

typedef struct ctAtomicFile {
    FILE *stream;    // write here; NULL when nothing is open
    char *path;      // the final name
    char *temporary; // the temporary name; NULL for a device or a pipe
} ctAtomicFile;

// Opens a temporary file in the directory of path. False, with *error filled in, when it cannot.
bool ctAtomicFile_Open(ctAtomicFile *file, const char *path, ctError *error);

// Flushes, closes and renames. False when the rename or any write since the opening failed, as on a full disk; the
// temporary file is then removed. The file is closed in both cases.
bool ctAtomicFile_Commit(ctAtomicFile *file, ctError *error);

// The path of the file that writing to path replaces: links are followed, also a link to a file that does not exist
// yet. Freed with free(); NULL when memory is short.
char *ctFollowPath(const char *path);
// Gives a file the permissions of the file that it will replace, if there is one.
void ctKeepMode(const char *temporary, const char *path);
// Whether a path leads to a folder.
bool ctIsFolder(const char *path);
// Whether two paths name the same file, which need not exist yet.
bool ctIsSameFile(const char *a, const char *b);

// Closes and removes the temporary file. Harmless when nothing is open.
void ctAtomicFile_Abort(ctAtomicFile *file);

#endif
