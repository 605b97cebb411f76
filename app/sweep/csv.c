#include "app/sweep/csv.h"

#include "app/lines.h"
#include "collision/memory.h"

#include <stdlib.h>
#include <string.h>

// One field from *p on, unquoted in place. *p moves behind its comma. False: the field was the last.
static bool cutField(char **p, char **field)
{
    char *in = *p, *out = in;
    *field = out;
    if (*in != '"') {
        in += strcspn(in, ",");
        out = in;
    } else {
        for (in++; *in != '\0' && !(in[0] == '"' && in[1] != '"'); in++) {
            in += *in == '"'; // the second of two quotes
            *out++ = *in;
        }
        in += strcspn(in, ",");
    }
    bool more = *in == ',';
    *out = '\0';
    *p = in + more;
    return more;
}

bool ctCsv_Read(ctCsvLine *line, FILE *in)
{
    ssize_t length = ctLine_Read(&line->text, &line->size, in);
    if (length <= 0) {
        return false;
    }
    while (length > 0 && (line->text[length - 1] == '\n' || line->text[length - 1] == '\r')) {
        line->text[--length] = '\0';
    }
    line->count = 0;
    char *p = line->text;
    for (bool more = true; more;) {
        if (!ctReserve((void **)&line->fields, &line->capacity, line->count + 1, sizeof *line->fields)) {
            return false;
        }
        more = cutField(&p, &line->fields[line->count++]);
    }
    return true;
}

void ctCsv_Free(ctCsvLine *line)
{
    free(line->text);
    ctFree(line->fields);
    *line = (ctCsvLine){0};
}

int ctCsv_Find(const ctCsvLine *line, const char *name)
{
    for (int i = 0; i < line->count; i++) {
        if (strcmp(line->fields[i], name) == 0) {
            return i;
        }
    }
    return -1;
}
