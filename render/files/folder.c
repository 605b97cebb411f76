#include "render/files/folder.h"

#include "collision/memory.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int compare(const void *a, const void *b)
{
    const ctFolderEntry *x = a, *y = b;
    return x->folder != y->folder ? (x->folder ? -1 : 1) : strcmp(x->name, y->name);
}

static bool endsIn(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

bool ctFolder_Open(ctFolder *folder, const char *path)
{
    char absolute[PATH_MAX], full[PATH_MAX + 300];
    if (realpath(path, absolute) == NULL || strlen(absolute) >= sizeof folder->path) {
        return false;
    }
    DIR *dir = opendir(absolute);
    if (dir == NULL) {
        return false;
    }
    folder->count = 0;
    snprintf(folder->path, sizeof folder->path, "%.*s", (int)sizeof folder->path - 1, absolute);
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct stat info;
        snprintf(full, sizeof full, "%s/%s", absolute, e->d_name);
        if (e->d_name[0] == '.' || stat(full, &info) != 0) {
            continue;
        }
        bool isFolder = S_ISDIR(info.st_mode), isScene = endsIn(e->d_name, ".lua") || endsIn(e->d_name, ".snap");
        if ((isFolder || (isScene && S_ISREG(info.st_mode))) &&
            ctReserve((void **)&folder->entries, &folder->capacity, folder->count + 1, sizeof(ctFolderEntry))) {
            ctFolderEntry *entry = &folder->entries[folder->count++];
            snprintf(entry->name, sizeof entry->name, "%s", e->d_name);
            entry->folder = isFolder;
        }
    }
    closedir(dir);
    if (folder->count > 0) {
        qsort(folder->entries, (size_t)folder->count, sizeof(ctFolderEntry), compare);
    }
    return true;
}

bool ctFolder_Enter(ctFolder *folder, const char *name)
{
    char path[sizeof folder->path + 300];
    snprintf(path, sizeof path, "%s/%s", folder->path, name);
    return ctFolder_Open(folder, path);
}

void ctFolder_Free(ctFolder *folder)
{
    ctFree(folder->entries);
    *folder = (ctFolder){0};
}
