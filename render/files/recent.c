#include "render/files/recent.h"

#include "render/files/atomic_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The path of the list. make: makes its folders. False when there is no home folder.
static bool listPath(char *path, size_t size, bool make)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char folder[PATH_MAX];
    int n;
    if (state != NULL && state[0] == '/') {
        n = snprintf(folder, sizeof folder, "%s", state);
    } else if (home != NULL && home[0] == '/') {
        n = snprintf(folder, sizeof folder, "%s/.local/state", home);
    } else {
        return false;
    }
    if (n >= (int)sizeof folder - 32) {
        return false;
    }
    strcat(folder, "/clatter/");
    for (char *slash = strchr(folder + 1, '/'); make && slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0700);
        *slash = '/';
    }
    return snprintf(path, size, "%srecent", folder) < (int)size;
}

void ctRecentFiles_Load(ctRecentFiles *recent)
{
    char path[PATH_MAX];
    recent->count = 0;
    FILE *file = listPath(path, sizeof path, false) ? fopen(path, "r") : NULL;
    if (file == NULL) {
        return;
    }
    char line[CT_RECENT_PATH];
    while (recent->count < CT_RECENT_FILES && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '/' && access(line, R_OK) == 0) {
            memcpy(recent->paths[recent->count++], line, sizeof line);
        }
    }
    fclose(file);
}

static void save(const ctRecentFiles *recent)
{
    char path[PATH_MAX];
    ctError error = {0};
    ctAtomicFile file;
    if (!listPath(path, sizeof path, true) || !ctAtomicFile_Open(&file, path, &error)) {
        return;
    }
    for (int i = 0; i < recent->count; i++) {
        fprintf(file.stream, "%s\n", recent->paths[i]);
    }
    ctAtomicFile_Commit(&file, &error);
}

void ctRecentFiles_Add(ctRecentFiles *recent, const char *path)
{
    char absolute[PATH_MAX];
    if (realpath(path, absolute) == NULL || strlen(absolute) >= CT_RECENT_PATH || strchr(absolute, '\n') != NULL) {
        return;
    }
    int from = 0;
    while (from < recent->count && strcmp(recent->paths[from], absolute) != 0) {
        from++;
    }
    if (from == 0 && recent->count > 0) {
        return; // the file is first already
    }
    int last = from < recent->count ? from : recent->count < CT_RECENT_FILES ? recent->count++ : CT_RECENT_FILES - 1;
    memmove(recent->paths[1], recent->paths[0], (size_t)last * CT_RECENT_PATH);
    snprintf(recent->paths[0], CT_RECENT_PATH, "%.*s", CT_RECENT_PATH - 1, absolute);
    save(recent);
}
