// The table of a sweep while it is filled: rows arrive in any order and are written in the order of the runs.
#ifndef CT_SWEEP_TABLE_H
#define CT_SWEEP_TABLE_H

#include "app/sweep/sweep.h"

typedef struct ctSweepTable {
    const ctSweep *sweep;
    const char *path; // NULL: standard output
    char *partPath;   // the file until the table is complete; NULL: a stream, written to directly
    FILE *out;
    char **rows; // by run: rows that are not written yet
    bool *done;  // by run: the row has arrived
    int next;    // the first run that is not written yet
    int wanted;  // runs of this part
    int doneCount, failures;
    double *measured; // measureCount numbers per run, NAN: no value; NULL: not kept
} ctSweepTable;

bool ctSweepTable_Begin(ctSweepTable *table, const ctSweep *sweep, const char *path, ctError *error);
// Keeps the measures of the rows for pictures and summaries. To be called before the first row arrives.
bool ctSweepTable_KeepMeasures(ctSweepTable *table, ctError *error);
void ctSweepTable_Free(ctSweepTable *table);
// Reads the rows of an earlier, interrupted run of the same sweep.
bool ctSweepTable_Resume(ctSweepTable *table, ctError *error);
// A run whose row has no error, to check that its result is still the same; -1: none.
int ctSweepTable_Example(const ctSweepTable *table);
bool ctSweepTable_Open(ctSweepTable *table, ctError *error);
// Takes ownership of the row. Writes the rows up to the first missing one.
bool ctSweepTable_Put(ctSweepTable *table, int run, char *row, bool failed, ctError *error);
bool ctSweepTable_Flush(ctSweepTable *table, ctError *error);
// Writes all remaining rows, with gaps where runs are missing, and gives the file its final name.
bool ctSweepTable_Close(ctSweepTable *table, ctError *error);
// The runs that are not done, dealt in order; todo is freed by free().
bool ctSweepTable_Missing(const ctSweepTable *table, ctSweepDealer *dealer, ctError *error);
bool ctSweep_InPart(const ctSweep *sweep, int run);

// Ranges of runs as text, such as " 4-6 8", the first twelve of them. Zero-initialise.
typedef struct ctSweepRanges {
    int count;
    char text[300];
} ctSweepRanges;
void ctSweepRanges_Add(ctSweepRanges *ranges, long first, long last);

// The result of a merger: how many runs the sweep has, how many rows were written, and which are missing.
typedef struct ctSweepMerged {
    long runs, rows;
    ctSweepRanges missing;
} ctSweepMerged;
// Joins the parts of an array.
bool ctSweep_Merge(const char *const *paths, int count, const char *out, ctSweepMerged *merged, ctError *error);

#endif
