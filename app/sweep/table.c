#include "app/sweep/table.h"

#include "app/lines.h"
#include "collision/error.h"
#include "render/files/atomic_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ctSweep_InPart(const ctSweep *sweep, int run)
{
    return run % sweep->parts == sweep->part;
}

bool ctSweepTable_Begin(ctSweepTable *t, const ctSweep *sweep, const char *path, ctError *error)
{
    *t = (ctSweepTable){.sweep = sweep, .path = path != NULL && strcmp(path, "-") != 0 ? path : NULL};
    t->rows = calloc((size_t)sweep->runs, sizeof *t->rows);
    t->done = calloc((size_t)sweep->runs, sizeof *t->done);
    if (t->path != NULL && ctIsFolder(t->path)) {
        return ctFail(error, ct_io, "%s: cannot write: %s", t->path, strerror(EISDIR));
    }
    struct stat info;
    bool stream = t->path == NULL || (stat(t->path, &info) == 0 && !S_ISREG(info.st_mode));
    if (!stream) {
        size_t length = strlen(t->path) + sizeof ".part";
        t->partPath = malloc(length);
        if (t->partPath != NULL) {
            snprintf(t->partPath, length, "%s.part", t->path);
        }
    }
    if (t->rows == NULL || t->done == NULL || (!stream && t->partPath == NULL)) {
        return ctFailMemory(error, "the table");
    }
    for (int run = 0; run < sweep->runs; run++) {
        t->wanted += ctSweep_InPart(sweep, run);
    }
    return true;
}

bool ctSweepTable_KeepMeasures(ctSweepTable *t, ctError *error)
{
    size_t count = (size_t)t->sweep->runs * (size_t)t->sweep->measureCount;
    t->measured = malloc(count * sizeof *t->measured);
    for (size_t i = 0; t->measured != NULL && i < count; i++) {
        t->measured[i] = NAN;
    }
    return t->measured != NULL || ctFailMemory(error, "what is measured");
}

// Reads the measures of a row. They follow the columns of the plan (ctSweep_Prefix), and none of them is quoted.
static void readMeasures(ctSweepTable *t, int run)
{
    char *prefix = t->measured != NULL ? ctSweep_Prefix(t->sweep, run) : NULL;
    if (prefix == NULL) {
        return;
    }
    const char *p = t->rows[run] + strlen(prefix);
    for (int i = 0; i < t->sweep->measureCount; i++) {
        char *end;
        double x = strtod(p, &end);
        if (end != p) {
            t->measured[(size_t)run * (size_t)t->sweep->measureCount + (size_t)i] = x;
        }
        p += strcspn(p, ",");
        p += *p == ',';
    }
    free(prefix);
}

void ctSweepTable_Free(ctSweepTable *t)
{
    for (int run = 0; t->rows != NULL && run < t->sweep->runs; run++) {
        free(t->rows[run]);
    }
    if (t->out != NULL && t->out != stdout) {
        fclose(t->out);
    }
    free(t->rows);
    free(t->done);
    free(t->partPath);
    free(t->measured);
    *t = (ctSweepTable){0};
}

// ---- reading an earlier table -----------------------------------------------------------------

// Reads one line of an earlier table. Takes ownership of the text when the row is new.
static bool adopt(ctSweepTable *t, const char *path, int line, char **text, ctError *error)
{
    char *end;
    long number = strtol(*text, &end, 10);
    if (end == *text || *end != ',' || number < 1 || number > t->sweep->runs) {
        return ctFail(error, ct_badArgument, "%s:%d: no row of this sweep; --resume goes on with the same sweep alone",
                      path, line);
    }
    int run = (int)number - 1;
    char *prefix = ctSweep_Prefix(t->sweep, run);
    if (prefix == NULL) {
        return ctFailMemory(error, "a row");
    }
    bool same = strncmp(prefix, *text, strlen(prefix)) == 0;
    free(prefix);
    if (!same || !ctSweep_InPart(t->sweep, run)) {
        return ctFail(error, ct_badArgument,
                      "%s:%d: run %ld was made with other values; --resume goes on with the same sweep alone", path,
                      line, number);
    }
    if (!t->done[run]) {
        size_t length = strlen(*text);
        t->rows[run] = *text;
        t->done[run] = true;
        t->doneCount++;
        t->failures += (*text)[length - 1] != ','; // the error is the last column
        readMeasures(t, run);
        *text = NULL;
    }
    return true;
}

static bool failOther(const char *path, ctError *error)
{
    return ctFail(error, ct_badArgument,
                  "%s:1: the columns are those of another sweep; --resume goes on with the same sweep alone", path);
}

static bool readRows(ctSweepTable *t, const char *path, ctError *error)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return errno == ENOENT || ctFail(error, ct_io, "%s: cannot read: %s", path, strerror(errno));
    }
    char *header = ctSweep_Header(t->sweep), *text = NULL;
    size_t size = 0;
    bool good = header != NULL || ctFailMemory(error, "the table");
    ssize_t length = 1;
    for (int line = 1; good && (length = ctLine_Read(&text, &size, in)) > 0; line++) {
        if (text[length - 1] != '\n') {
            // The last line was cut off. When it is the header, the file must still belong to this sweep.
            good = line > 1 || strncmp(text, header, (size_t)length) == 0 || failOther(path, error);
            break;
        }
        text[length - 1] = '\0';
        if (line == 1) {
            good = strcmp(text, header) == 0 || failOther(path, error);
        } else {
            good = adopt(t, path, line, &text, error);
            size = text != NULL ? size : 0;
        }
    }
    good = good &&
           (length > 0 || errno == 0 || ctFail(error, ct_badArgument, "%s: cannot read: %s", path, strerror(errno)));
    free(text);
    free(header);
    fclose(in);
    return good;
}

bool ctSweepTable_Resume(ctSweepTable *t, ctError *error)
{
    if (t->partPath == NULL) {
        return ctFail(error, ct_badArgument, "--resume needs the file of --out");
    }
    return readRows(t, t->path, error) && readRows(t, t->partPath, error);
}

int ctSweepTable_Example(const ctSweepTable *t)
{
    for (int run = 0; run < t->sweep->runs; run++) {
        if (t->rows[run] != NULL && t->rows[run][strlen(t->rows[run]) - 1] == ',') {
            return run;
        }
    }
    return -1;
}

bool ctSweepTable_Missing(const ctSweepTable *t, ctSweepDealer *dealer, ctError *error)
{
    *dealer = (ctSweepDealer){.todo = malloc((size_t)(t->wanted - t->doneCount + 1) * sizeof *dealer->todo)};
    if (dealer->todo == NULL) {
        return ctFailMemory(error, "the list of runs");
    }
    for (int run = 0; run < t->sweep->runs; run++) {
        if (!t->done[run] && ctSweep_InPart(t->sweep, run)) {
            dealer->todo[dealer->count++] = run;
        }
    }
    return true;
}

void ctSweepRanges_Add(ctSweepRanges *r, long first, long last)
{
    enum { SHOWN = 12 };
    size_t used = strlen(r->text);
    if (r->count < SHOWN) {
        snprintf(r->text + used, sizeof r->text - used, first < last ? " %ld-%ld" : " %ld", first, last);
    } else if (r->count == SHOWN) {
        snprintf(r->text + used, sizeof r->text - used, " ...");
    }
    r->count++;
}

// ---- writing ----------------------------------------------------------------------------------

static bool failWrite(const ctSweepTable *t, ctError *error)
{
    return ctFail(error, ct_io, "%s: cannot write: %s", t->path != NULL ? t->path : "standard output", strerror(errno));
}

// Writes the rows from t->next on up to the first missing row; with gaps: all rows.
static bool writeRows(ctSweepTable *t, bool gaps, ctError *error)
{
    for (; t->next < t->sweep->runs; t->next++) {
        int run = t->next;
        if (!ctSweep_InPart(t->sweep, run) || (gaps && t->rows[run] == NULL)) {
            continue;
        }
        if (t->rows[run] == NULL) {
            return true;
        }
        if (fprintf(t->out, "%s\n", t->rows[run]) < 0) {
            return failWrite(t, error);
        }
        free(t->rows[run]);
        t->rows[run] = NULL;
    }
    return true;
}

bool ctSweepTable_Open(ctSweepTable *t, ctError *error)
{
    const char *path = t->partPath != NULL ? t->partPath : t->path;
    t->out = path != NULL ? fopen(path, "wb") : stdout;
    if (t->out == NULL) {
        return failWrite(t, error);
    }
    char *header = ctSweep_Header(t->sweep);
    bool good = header != NULL || ctFailMemory(error, "the table");
    if (good && fprintf(t->out, "%s\n", header) < 0) {
        good = failWrite(t, error);
    }
    free(header);
    return good && writeRows(t, false, error);
}

bool ctSweepTable_Put(ctSweepTable *t, int run, char *row, bool failed, ctError *error)
{
    t->rows[run] = row;
    t->done[run] = true;
    t->doneCount++;
    t->failures += failed;
    readMeasures(t, run);
    return writeRows(t, false, error);
}

bool ctSweepTable_Flush(ctSweepTable *t, ctError *error)
{
    // A failed flush drops rows, and later ones may succeed: the stream remembers it.
    return (fflush(t->out) == 0 && ferror(t->out) == 0) || failWrite(t, error);
}

bool ctSweepTable_Close(ctSweepTable *t, ctError *error)
{
    bool good = writeRows(t, true, error) && ctSweepTable_Flush(t, error);
    if (t->out != stdout) {
        good = (fclose(t->out) == 0 || (good && failWrite(t, error))) && good;
    }
    t->out = NULL;
    if (t->partPath == NULL) {
        return good;
    }
    return good && (rename(t->partPath, t->path) == 0 || failWrite(t, error));
}
