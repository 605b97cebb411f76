#include "app/impact_batch.h"

#include "app/lines.h"
#include "app/options.h"
#include "collision/error.h"
#include "render/files/columns.h"
#include "scenes/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 14, ETA2 = 13, LAW = NUMBERS, COLUMNS, REQUIRED = 11 };
static const char *const columnNames[COLUMNS] = {"k11", "k12", "k13", "k22", "k23",   "k33",  "ux", "uy",
                                                 "uz",  "mu",  "e",   "et",  "sigma", "eta2", "law"};

typedef struct Reader {
    ctColumns columns;
    int place[COLUMNS];
    FILE *in;
    char *line;
    size_t size;
    int capacity;
} Reader;

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
    return ctColumns_Fail(&r->columns, error, "law", what, text);
}

static bool readCase(Reader *r, ctImpactInput *x, ctError *error)
{
    char *fields[CT_MOST_FIELDS];
    if (!ctColumns_ReadRow(&r->columns, r->line, fields, error)) {
        return false;
    }
    double n[NUMBERS] = {[ETA2] = CT_DEFAULT_ETA2};
    for (int i = 0; i < NUMBERS; i++) {
        const char *text = r->place[i] >= 0 ? fields[r->place[i]] : "";
        if (i >= REQUIRED && text[0] == '\0') {
            continue;
        }
        if (!readNumber(text, &n[i])) {
            return ctColumns_Fail(&r->columns, error, columnNames[i], "not a number:", text);
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

static bool readAll(Reader *r, ctImpactBatch *batch, ctError *error)
{
    bool header = false;
    for (ssize_t length; (length = ctLine_Read(&r->line, &r->size, r->in)) >= 0;) {
        r->columns.line++;
        if (strlen(r->line) != (size_t)length) {
            return ctColumns_Fail(&r->columns, error, "", "not a text file", NULL);
        }
        if (ctColumns_IsBlank(r->line)) {
            continue;
        }
        if (!header) {
            if (!ctColumns_ReadHeader(&r->columns, r->line, "the header has no column", error)) {
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
        return ctFail(error, ct_io, "%s:%d: cannot read: %s", r->columns.file, r->columns.line + 1, strerror(errno));
    }
    if (!header) {
        r->columns.line = 1;
        return ctColumns_Fail(&r->columns, error, "", "there is no header line", NULL);
    }
    return true;
}

bool ctImpactBatch_Read(ctImpactBatch *batch, const char *path, ctError *error)
{
    *batch = (ctImpactBatch){NULL, 0};
    bool standard = strcmp(path, "-") == 0;
    Reader r = {.columns = {standard ? "standard input" : path, 0, columnNames, COLUMNS, REQUIRED},
                .in = standard ? stdin : fopen(path, "r")};
    r.columns.place = r.place;
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
