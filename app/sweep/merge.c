// clatter sweep --merge: the parts of an array as one table.
#include "app/sweep/table.h"

#include "app/lines.h"
#include "collision/error.h"
#include "render/files/atomic_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    long run;
    char *text;
} Row;

typedef struct Merger {
    char *header;
    Row *rows;
    int count, capacity;
} Merger;

static bool addRow(Merger *m, long run, const char *text, ctError *error)
{
    if (m->count == m->capacity) {
        int wider = m->capacity > 0 ? 2 * m->capacity : 1024;
        Row *rows = realloc(m->rows, (size_t)wider * sizeof *rows);
        if (rows == NULL) {
            return ctFailMemory(error, "rows");
        }
        m->rows = rows;
        m->capacity = wider;
    }
    m->rows[m->count] = (Row){run, strdup(text)};
    return m->rows[m->count++].text != NULL || ctFailMemory(error, "a row");
}

static bool takeLine(Merger *m, const char *path, int line, const char *text, ctError *error)
{
    if (line == 1 && strncmp(text, "run,", 4) != 0) {
        return ctFail(error, ct_badArgument, "%s:1: no table of a sweep", path);
    }
    if (line == 1 && m->header == NULL) {
        m->header = strdup(text);
        return m->header != NULL || ctFailMemory(error, "the table");
    }
    if (line == 1) {
        return strcmp(m->header, text) == 0 ||
               ctFail(error, ct_badArgument, "%s:1: the columns are not those of the other parts", path);
    }
    char *end;
    long run = strtol(text, &end, 10);
    return (end != text && *end == ',' && run >= 1 && addRow(m, run, text, error)) ||
           (error->status == ct_ok && ctFail(error, ct_badArgument, "%s:%d: no row of a sweep", path, line));
}

static bool readPart(Merger *m, const char *path, ctError *error)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return ctFail(error, ct_badArgument, "%s: cannot read: %s", path, strerror(errno));
    }
    char *text = NULL;
    size_t size = 0;
    ssize_t length = 0;
    bool good = true;
    int line = 0;
    while (good && (length = ctLine_Read(&text, &size, in)) > 0 && text[length - 1] == '\n') {
        text[length - 1] = '\0';
        good = takeLine(m, path, ++line, text, error);
    }
    good = good && (length > 0 || errno == 0 ||
                    ctFail(error, ct_badArgument, "%s:%d: cannot read: %s", path, line + 1, strerror(errno)));
    good = good && (line > 0 || ctFail(error, ct_badArgument, "%s:1: no table of a sweep", path));
    free(text);
    fclose(in);
    return good;
}

static int byRun(const void *a, const void *b)
{
    const Row *p = a, *q = b;
    return p->run != q->run ? (p->run > q->run) - (p->run < q->run) : strcmp(p->text, q->text);
}

static bool writeMerged(Merger *m, const char *path, int *rows, int *missing, ctError *error)
{
    ctAtomicFile file = {0};
    bool toStdout = path == NULL || strcmp(path, "-") == 0;
    if (!toStdout && !ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    FILE *out = toStdout ? stdout : file.stream;
    fprintf(out, "%s\n", m->header);
    long last = 0;
    *rows = *missing = 0;
    for (int i = 0; i < m->count; i++) {
        if (m->rows[i].run == last) {
            if (strcmp(m->rows[i].text, m->rows[i - 1].text) != 0) {
                ctAtomicFile_Abort(&file);
                return ctFail(error, ct_badArgument, "run %ld is in two parts with different results", last);
            }
            continue;
        }
        *missing += (int)(m->rows[i].run - last - 1);
        last = m->rows[i].run;
        fprintf(out, "%s\n", m->rows[i].text);
        ++*rows;
    }
    return toStdout || ctAtomicFile_Commit(&file, error);
}

bool ctSweep_Merge(const char *const *paths, int count, const char *out, int *rows, int *missing, ctError *error)
{
    Merger m = {0};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        good = readPart(&m, paths[i], error);
    }
    if (good) {
        qsort(m.rows, (size_t)m.count, sizeof *m.rows, byRun);
        good = writeMerged(&m, out, rows, missing, error);
    }
    for (int i = 0; i < m.count; i++) {
        free(m.rows[i].text);
    }
    free(m.rows);
    free(m.header);
    return good;
}
