// The scenes of one's own that were opened lately, kept between runs in $XDG_STATE_HOME/clatter/recent (by default
// ~/.local/state/clatter/recent), one path per line, the latest first.
#ifndef CT_FILES_RECENT_H
#define CT_FILES_RECENT_H

#include "collision/types.h"

#define CT_RECENT_FILES 8
#define CT_RECENT_PATH 1024

typedef struct ctRecentFiles {
    int count;
    char paths[CT_RECENT_FILES][CT_RECENT_PATH]; // absolute
} ctRecentFiles;

// Files that are gone are left out. Without a file the list is empty.
void ctRecentFiles_Load(ctRecentFiles *recent);
// Puts a file in front and saves the list; what cannot be saved is forgotten with this run.
void ctRecentFiles_Add(ctRecentFiles *recent, const char *path);

#endif
