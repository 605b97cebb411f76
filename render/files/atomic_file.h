// Files that appear whole or not at all: written under a temporary name next to the target, and
// renamed when they are complete. An interrupted run leaves the old file, or none. Devices and pipes are written to
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

// Closes and removes the temporary file. Harmless when nothing is open.
void ctAtomicFile_Abort(ctAtomicFile *file);

#endif
