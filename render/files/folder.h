// The contents of a folder, for a list of files to choose from: folders first, then scenes and snapshots, by name.
#ifndef CT_FILES_FOLDER_H
#define CT_FILES_FOLDER_H

#include "collision/types.h"

typedef struct ctFolderEntry {
    char name[256];
    bool folder;
} ctFolderEntry;

typedef struct ctFolder {
    char path[1024]; // absolute
    ctFolderEntry *entries;
    int count, capacity;
} ctFolder;

// Reads a folder (relative to the working folder). False, with nothing changed, when it cannot be read.
bool ctFolder_Open(ctFolder *folder, const char *path);
bool ctFolder_Enter(ctFolder *folder, const char *name); // opens a folder in it; ".." is the parent
void ctFolder_Free(ctFolder *folder);

#endif
