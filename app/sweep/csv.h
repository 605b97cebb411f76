// Reading comma-separated values: fields may be quoted, with quotes doubled inside.
#ifndef CT_SWEEP_CSV_H
#define CT_SWEEP_CSV_H

#include "collision/types.h"

#include <stdio.h>

typedef struct ctCsvLine {
    char *text;    // of the line, cut into fields
    char **fields; // pointers into text
    int count, capacity;
    size_t size;
} ctCsvLine;

// The next line, without its end. False at the end of the file, or without memory.
bool ctCsv_Read(ctCsvLine *line, FILE *in);
void ctCsv_Free(ctCsvLine *line);
// The index of the field with this name; -1: none.
int ctCsv_Find(const ctCsvLine *line, const char *name);

#endif
