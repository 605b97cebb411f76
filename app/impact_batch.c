#include "app/impact_batch.h"

#include "app/lines.h"
#include "app/options.h"
#include "collision/error.h"
#include "scenes/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 14, ETA2 = 13, LAW = NUMBERS, COLUMNS, REQUIRED = 11, MAX_FIELDS = 256 };
static const char *const columnNames[COLUMNS + 1] = {"k11", "k12", "k13", "k22", "k23",   "k33",  "ux",  "uy",
                                                     "uz",  "mu",  "e",   "et",  "sigma", "eta2", "law", NULL};

typedef struct Reader {
    const char *path;
    FILE *in;
    char *line;
    size_t size;
    int number;         // of the line, from 1
    int place[COLUMNS]; // of each column, -1: not there
    int width;          // columns of the header
    int capacity;
} Reader;

// "FILE:LINE: ..." in front of a message.
static bool wrong(const Reader *r, ctError *error, const char *column, const char *what, const char *value)
{
    const char *name = strcmp(r->path, "-") == 0 ? "standard input" : r->path;
    return ctFail(error, ct_badArgument, "%s:%d: %s%s%s%s%.40s%s", name, r->number, column,
                  column[0] != '\0' ? ": " : "", what, value != NULL ? " '" : "", value != NULL ? value : "",
                  value != NULL ? "'" : "");
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1])) {
        text[--n] = '\0';
    }
    return text;
}

// Splits the line in place. -1 when there are too many fields.
static int split(char *line, char *fields[MAX_FIELDS])
{
    int n = 0;
    for (char *p = line; p != NULL;) {
        char *comma = strchr(p, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (n == MAX_FIELDS) {
            return -1;
        }
        fields[n++] = trimmed(p);
        p = comma != NULL ? comma + 1 : NULL;
    }
    return n;
}

static bool readHeader(Reader *r, ctError *error)
{
    char *fields[MAX_FIELDS], *line = r->line;
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0) {
        line += 3; // a byte-order mark
    }
    r->width = split(line, fields);
    if (r->width < 0) {
        return wrong(r, error, "", "too many columns", NULL);
    }
    for (int i = 0; i < COLUMNS; i++) {
        r->place[i] = -1;
        for (int j = 0; j < r->width; j++) {
            if (strcmp(fields[j], columnNames[i]) == 0) {
                if (r->place[i] >= 0) {
                    return wrong(r, error, "", "two columns are called", columnNames[i]);
                }
                r->place[i] = j;
            }
        }
        if (i < REQUIRED && r->place[i] < 0) {
            return wrong(r, error, "", "the header has no column", columnNames[i]);
        }
    }
    return true;
}

static bool readNumber(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0';
}

static bool readLaw(const Reader *r, const char *text, ctLaw *law, ctError *error)
{
    if (ctLawFromName(text, law)) {
        return true;
    }
    const char *names[16];
    int n = 0;
    for (; n < 15 && ctLawName((ctLaw)n) != NULL; n++) {
        names[n] = ctLawName((ctLaw)n);
    }
    names[n] = NULL;
    const char *closest = ctNearestName(text, names);
    char what[96];
    snprintf(what, sizeof what, "%s%s%s", closest != NULL ? "not a law (did you mean " : "not a law",
             closest != NULL ? closest : "", closest != NULL ? "?)" : "");
    return wrong(r, error, "law", what, text);
}

static bool readCase(Reader *r, ctImpactInput *x, ctError *error)
{
    char *fields[MAX_FIELDS];
    int width = split(r->line, fields);
    if (width != r->width) {
        char what[96];
        snprintf(what, sizeof what, "%d fields where the header has %d columns", width, r->width);
        return wrong(r, error, "", what, NULL);
    }
    double n[NUMBERS] = {[ETA2] = CT_DEFAULT_ETA2};
    for (int i = 0; i < NUMBERS; i++) {
        const char *text = r->place[i] >= 0 ? fields[r->place[i]] : "";
        if (i >= REQUIRED && text[0] == '\0') {
            continue;
        }
        if (!readNumber(text, &n[i])) {
            return wrong(r, error, columnNames[i], "not a number:", text);
        }
    }
    *x = (ctImpactInput){ctMat3Symmetric(n[0], n[1], n[2], n[3], n[4], n[5]),
                         ctV3(n[6], n[7], n[8]),
                         n[9],
                         n[10],
                         n[11],
                         n[12],
                         ct_lawStronge,
                         n[ETA2]};
    const char *law = r->place[LAW] >= 0 ? fields[r->place[LAW]] : "";
    return law[0] == '\0' || readLaw(r, law, &x->law, error);
}

static bool isBlank(const char *line)
{
    return line[strspn(line, " \t\r\n")] == '\0';
}

static bool readAll(Reader *r, ctImpactBatch *batch, ctError *error)
{
    bool header = false;
    for (ssize_t length; (length = ctLine_Read(&r->line, &r->size, r->in)) >= 0;) {
        r->number++;
        if (strlen(r->line) != (size_t)length) {
            return wrong(r, error, "", "not a text file", NULL);
        }
        if (isBlank(r->line)) {
            continue;
        }
        if (!header) {
            if (!readHeader(r, error)) {
                return false;
            }
            header = true;
            continue;
        }
        if (batch->count == r->capacity) {
            int capacity = r->capacity + r->capacity / 2 + 64;
            void *grown = realloc(batch->cases, (size_t)capacity * sizeof *batch->cases);
            if (grown == NULL) {
                return ctFailMemory(error, "the table of impacts");
            }
            batch->cases = grown;
            r->capacity = capacity;
        }
        if (!readCase(r, &batch->cases[batch->count], error)) {
            return false;
        }
        batch->count++;
    }
    if (errno != 0) {
        return ctFail(error, ct_io, "%s:%d: cannot read: %s", r->path, r->number + 1, strerror(errno));
    }
    if (!header) {
        r->number = 1;
        return wrong(r, error, "", "there is no header line", NULL);
    }
    return true;
}

bool ctImpactBatch_Read(ctImpactBatch *batch, const char *path, ctError *error)
{
    *batch = (ctImpactBatch){NULL, 0};
    bool standard = strcmp(path, "-") == 0;
    Reader r = {.path = path, .in = standard ? stdin : fopen(path, "r")};
    if (r.in == NULL) {
        return ctFail(error, ct_io, "%s: cannot read: %s", path, strerror(errno));
    }
    bool good = readAll(&r, batch, error);
    if (!good) {
        ctImpactBatch_Free(batch);
    }
    free(r.line);
    if (!standard) {
        fclose(r.in);
    }
    return good;
}

void ctImpactBatch_Free(ctImpactBatch *batch)
{
    free(batch->cases);
    *batch = (ctImpactBatch){NULL, 0};
}

void ctWriteImpactHeader(FILE *out)
{
    fputs("px,py,pz,vx,vy,vz,mode\n", out);
}

void ctWriteImpactLine(FILE *out, const ctImpactResult *x)
{
    if (x->mode == ct_impactInvalid) {
        fputs("nan,nan,nan,nan,nan,nan,invalid\n", out);
        return;
    }
    fprintf(out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%s\n", x->p.x, x->p.y, x->p.z, x->v.x, x->v.y, x->v.z,
            ctImpactModeName(x->mode));
}
