// The user's scenes that were opened recently. The list is kept between runs in $XDG_STATE_HOME/clatter/recent (by
// default ~/.local/state/clatter/recent), one path per line, the latest first.
#ifndef CT_FILES_RECENT_H
#define CT_FILES_RECENT_H

#include "collision/types.h"

#define CT_RECENT_FILES 8
#define CT_RECENT_PATH 1024

typedef struct ctRecentFiles {
    int count;
    char paths[CT_RECENT_FILES][CT_RECENT_PATH]; // absolute
} ctRecentFiles;

// Reads the list. Files that no longer exist are left out. Without a stored list it is empty.
void ctRecentFiles_Load(ctRecentFiles *recent);
// Puts a file first and saves the list. A list that cannot be saved is lost at the end of the run.
void ctRecentFiles_Add(ctRecentFiles *recent, const char *path);

#endif
