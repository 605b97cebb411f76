// clatter sweep --merge: the parts of an array as one table. A part has the columns of the whole table and, as the
// second one, the number of runs of the whole sweep, so that missing runs are noticed wherever they are.
#include "app/sweep/table.h"

#include "app/lines.h"
#include "collision/error.h"
#include "render/files/atomic_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Row {
    long run;
    char *text; // without the number of runs
} Row;

typedef struct Merger {
    char *header; // of the parts
    long runs;    // of the whole sweep; 0: not known yet
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

static bool takeHeader(Merger *m, const char *path, const char *text, ctError *error)
{
    if (strncmp(text, "run,", 4) != 0) {
        return ctFail(error, ct_badArgument, "%s:1: no table of a sweep", path);
    }
    if (strncmp(text, CT_SWEEP_PART_HEADER, strlen(CT_SWEEP_PART_HEADER)) != 0) {
        return ctFail(error, ct_badArgument, "%s:1: no part of a sweep: it was made without --array I/N", path);
    }
    if (m->header == NULL) {
        m->header = strdup(text);
        return m->header != NULL || ctFailMemory(error, "the table");
    }
    return strcmp(m->header, text) == 0 ||
           ctFail(error, ct_badArgument, "%s:1: the columns are not those of the other parts", path);
}

// "17,100,0.5,..." -> "17,0.5,..." as run 17 of 100
static bool takeRow(Merger *m, const char *path, int line, char *text, ctError *error)
{
    char *first, *second = NULL;
    long run = strtol(text, &first, 10), runs = *first == ',' ? strtol(first + 1, &second, 10) : 0;
    if (second == NULL || *second != ',' || run < 1 || run > runs) {
        return ctFail(error, ct_badArgument, "%s:%d: no row of a sweep", path, line);
    }
    if (m->runs > 0 && m->runs != runs) {
        return ctFail(error, ct_badArgument, "%s:%d: a part of a sweep of %ld runs, not of %ld as the others", path,
                      line, runs, m->runs);
    }
    m->runs = runs;
    memmove(first, second, strlen(second) + 1);
    return addRow(m, run, text, error);
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
        good = ++line == 1 ? takeHeader(m, path, text, error) : takeRow(m, path, line, text, error);
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

static bool writeRows(const Merger *m, FILE *out, ctSweepMerged *merged, ctError *error)
{
    fprintf(out, "run,%s\n", m->header + strlen(CT_SWEEP_PART_HEADER));
    long last = 0;
    for (int i = 0; i < m->count; i++) {
        long run = m->rows[i].run;
        if (run == last) {
            if (strcmp(m->rows[i].text, m->rows[i - 1].text) != 0) {
                return ctFail(error, ct_badArgument, "run %ld is in two parts with different results", run);
            }
            continue;
        }
        fprintf(out, "%s\n", m->rows[i].text);
        merged->rows++;
        if (run > last + 1) {
            ctSweepRanges_Add(&merged->missing, last + 1, run - 1);
        }
        last = run;
    }
    if (last < m->runs) {
        ctSweepRanges_Add(&merged->missing, last + 1, m->runs);
    }
    merged->runs = m->runs;
    return true;
}

static bool writeMerged(const Merger *m, const char *path, ctSweepMerged *merged, ctError *error)
{
    ctAtomicFile file = {0};
    bool toStdout = path == NULL || strcmp(path, "-") == 0;
    if (!toStdout && !ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    if (!writeRows(m, toStdout ? stdout : file.stream, merged, error)) {
        ctAtomicFile_Abort(&file);
        return false;
    }
    return toStdout || ctAtomicFile_Commit(&file, error);
}

bool ctSweep_Merge(const char *const *paths, int count, const char *out, ctSweepMerged *merged, ctError *error)
{
    Merger m = {0};
    *merged = (ctSweepMerged){0};
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        good = readPart(&m, paths[i], error);
    }
    if (good && m.runs == 0) {
        good = ctFail(error, ct_badArgument, "no part has a row");
    }
    if (good) {
        qsort(m.rows, (size_t)m.count, sizeof *m.rows, byRun);
        good = writeMerged(&m, out, merged, error);
    }
    for (int i = 0; i < m.count; i++) {
        free(m.rows[i].text);
    }
    free(m.rows);
    free(m.header);
    return good;
}
