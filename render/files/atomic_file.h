// Files that appear whole or not at all: written under a temporary name next to the target, and
// renamed when they are complete. An interrupted run leaves the old file, or none. A file that is replaced keeps its
// permissions, and a link is followed: the file that it leads to is replaced. Devices and pipes are written to
// directly, and "-" is standard output.
#ifndef CT_FILES_ATOMIC_FILE_H
#define CT_FILES_ATOMIC_FILE_H

#include "collision/types.h"

#include <stdio.h>

typedef struct ctAtomicFile {
    FILE *stream;    // write here; NULL when nothing is open
    char *path;      // the name it will have
    char *temporary; // the name it has now; NULL for a device or a pipe
} ctAtomicFile;

// Opens a temporary file in the directory of path. False, with *error filled in, when it cannot.
bool ctAtomicFile_Open(ctAtomicFile *file, const char *path, ctError *error);

// Flushes, closes and renames. False when any write since the opening failed (a full disk, say) or
// the rename did; the temporary file is gone then. Either way nothing is open afterwards.
bool ctAtomicFile_Commit(ctAtomicFile *file, ctError *error);

// The path of the file that writing to path replaces: links are followed, also one whose file is not there yet.
// malloc'ed; NULL when memory is short.
char *ctFollowPath(const char *path);
// Gives a file the permissions of the one that it is about to replace, if there is one.
void ctKeepMode(const char *temporary, const char *path);
// Whether two paths name the same file, also one that is not there yet.
bool ctIsSameFile(const char *a, const char *b);

// Closes and removes the temporary file. Harmless when nothing is open.
void ctAtomicFile_Abort(ctAtomicFile *file);

#endif
