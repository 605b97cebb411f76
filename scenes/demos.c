// The list of demos: the scripts in the scenes folder. No script is run to make the list. The title, the tab and the
// place in the menu are read from the literals in scene { title = "...", tab = "...", order = 1 }.
#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/loader.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_ORDER 1e9

typedef struct Entry {
    ctDemo demo;
    double order;
} Entry;

char *ctTopComment(const char *text)
{
    const char *end = text;
    while (strncmp(end, "--", 2) == 0) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    size_t size = 4 * (size_t)(end - text) + 2; // an escaped control character takes four bytes
    char *comment = ctAllocate(size, 1);
    if (comment == NULL) {
        return NULL;
    }
    char *out = comment;
    for (const char *line = text; line < end;) {
        size_t length = strcspn(line, "\n");
        size_t skip = length > 2 && line[2] == ' ' ? 3 : 2, shown = length;
        shown -= shown > skip && line[shown - 1] == '\r';
        out += ctEscape(out, size - (size_t)(out - comment) - 1, line + skip, shown - skip);
        *out++ = '\n';
        line += length + (line[length] == '\n');
    }
    while (out > comment && isspace((unsigned char)out[-1])) {
        out--;
    }
    *out = '\0';
    return comment;
}

// Steps over one token of Lua text: a comment to the end of its line, a string, a word, or one character.
static const char *skipToken(const char *p)
{
    if (strncmp(p, "--", 2) == 0) {
        return p + strcspn(p, "\n");
    }
    if (*p == '"' || *p == '\'') {
        char quote = *p++;
        while (*p != '\0' && *p != '\n' && *p != quote) {
            p += *p == '\\' && p[1] != '\0' ? 2 : 1;
        }
        return *p == quote ? p + 1 : p;
    }
    if (isalnum((unsigned char)*p) || *p == '_') {
        while (isalnum((unsigned char)*p) || *p == '_' || *p == '.') {
            p++;
        }
        return p;
    }
    return p + 1;
}

static bool isWord(const char *p, const char *end, const char *word)
{
    return (size_t)(end - p) == strlen(word) && strncmp(p, word, strlen(word)) == 0;
}

static const char *skipBlanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

// The text just after the opening brace of the script's scene { ... }, or NULL.
static const char *findScene(const char *p)
{
    while (*p != '\0') {
        p = skipBlanks(p);
        const char *end = skipToken(p);
        if (*p != '\0' && isWord(p, end, "scene") && *skipBlanks(end) == '{') {
            return skipBlanks(end) + 1;
        }
        p = *p != '\0' ? end : p;
    }
    return NULL;
}

// The first token of the value of key, *length characters long. p points just after the opening brace of the table;
// nested tables are skipped.
static const char *findValue(const char *p, const char *key, size_t *length)
{
    for (int depth = 1; depth > 0 && *p != '\0';) {
        p = skipBlanks(p);
        if (*p == '\0') {
            break;
        }
        depth += (*p == '{') - (*p == '}');
        const char *end = skipToken(p), *after = skipBlanks(end);
        if (depth == 1 && isWord(p, end, key) && *after == '=' && after[1] != '=') {
            const char *value = skipBlanks(after + 1);
            *length = (size_t)(skipToken(value) - value);
            return value;
        }
        p = end;
    }
    return NULL;
}

static char *literal(const char *inside, const char *key, const char *otherwise)
{
    size_t length = 0;
    const char *value = inside != NULL ? findValue(inside, key, &length) : NULL;
    if (value == NULL || length < 2 || (*value != '"' && *value != '\'')) {
        return ctCopyText(otherwise, strlen(otherwise));
    }
    return ctCopyText(value + 1, length - 2);
}

static bool readDemo(const char *folder, const char *file, Entry *entry, ctError *error)
{
    char path[4096];
    size_t length;
    if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path) {
        return ctFail(error, ct_io, "%s: the path is too long", file);
    }
    char *text = ctReadFile(path, CT_SCRIPT_FILE_SIZE, &length, error);
    if (text == NULL) {
        return false;
    }
    const char *inside = findScene(text);
    const char *order = inside != NULL ? findValue(inside, "order", &length) : NULL;
    ctDemo *demo = &entry->demo;
    entry->order = order != NULL ? strtod(order, NULL) : NO_ORDER;
    demo->name = ctCopyText(file, strlen(file) - strlen(".lua"));
    demo->path = ctCopyText(path, strlen(path));
    demo->title = demo->name != NULL ? literal(inside, "title", demo->name) : NULL;
    demo->tab = literal(inside, "tab", "");
    demo->description = ctTopComment(text);
    ctFree(text);
    if (!demo->name || !demo->path || !demo->title || !demo->tab || !demo->description) {
        return ctFailMemory(error, "the list of demos");
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    return strcmp(x->demo.name, y->demo.name);
}

static void freeDemo(ctDemo *demo)
{
    ctFree(demo->name);
    ctFree(demo->path);
    ctFree(demo->tab);
    ctFree(demo->title);
    ctFree(demo->description);
}

static bool isScript(const char *file)
{
    size_t length = strlen(file);
    return length > 4 && file[0] != '.' && strcmp(file + length - 4, ".lua") == 0;
}

// The demos of a folder in the order of the menu; on failure *entries holds those read so far.
static bool readFolder(const char *folder, Entry **entries, int *count, ctError *error)
{
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return ctFail(error, ct_io, "%s: %s", folder, strerror(errno));
    }
    int capacity = 0;
    bool ok = true;
    for (const struct dirent *e; ok && (e = readdir(dir)) != NULL;) {
        if (!isScript(e->d_name)) {
            continue;
        }
        ok = ctReserve((void **)entries, &capacity, *count + 1, sizeof **entries);
        if (!ok) {
            ctFailMemory(error, "the list of demos");
            break;
        }
        Entry *entry = &(*entries)[(*count)++];
        memset(entry, 0, sizeof *entry);
        ok = readDemo(folder, e->d_name, entry, error);
    }
    closedir(dir);
    if (ok && *count > 0) {
        qsort(*entries, (size_t)*count, sizeof **entries, compare);
    }
    return ok;
}

bool ctDemos_List(ctDemo **demos, int *count, ctError *error)
{
    *demos = NULL;
    *count = 0;
    char *folder = ctData_Find("scenes");
    if (folder == NULL) {
        return ctData_FailWithoutDemos(error);
    }
    Entry *entries = NULL;
    int found = 0;
    bool ok = readFolder(folder, &entries, &found, error);
    free(folder);
    if (ok && found > 0) {
        *demos = ctAllocate((size_t)found, sizeof **demos);
        ok = *demos != NULL || ctFailMemory(error, "the list of demos");
    }
    for (int i = 0; i < found; i++) {
        if (ok) {
            (*demos)[i] = entries[i].demo;
        } else {
            freeDemo(&entries[i].demo);
        }
    }
    *count = ok ? found : 0;
    ctFree(entries);
    return ok;
}

void ctDemos_Free(ctDemo *demos, int count)
{
    for (int i = 0; i < count; i++) {
        freeDemo(&demos[i]);
    }
    ctFree(demos);
}
