// The table of a sweep while it fills: rows come in any order and are written in that of the runs.
#ifndef CT_SWEEP_TABLE_H
#define CT_SWEEP_TABLE_H

#include "app/sweep/sweep.h"

typedef struct ctSweepTable {
    const ctSweep *sweep;
    const char *path; // NULL: standard output
    char *partPath;   // where it stands until it is complete; NULL: a stream, written to directly
    FILE *out;
    char **rows; // by run: those that wait for their turn
    bool *done;  // by run
    int next;    // the first run that is not written yet
    int wanted;  // runs of this part
    int doneCount, failures;
    double *measured; // measureCount numbers per run, NAN where there is none; NULL: not kept
} ctSweepTable;

bool ctSweepTable_Begin(ctSweepTable *table, const ctSweep *sweep, const char *path, ctError *error);
// Keeps what the rows measure, for pictures and summaries; to be called before the first row comes.
bool ctSweepTable_KeepMeasures(ctSweepTable *table, ctError *error);
void ctSweepTable_Free(ctSweepTable *table);
// Takes over the rows that an earlier, interrupted sweep has left. It must have been the same sweep.
bool ctSweepTable_Resume(ctSweepTable *table, ctError *error);
// A run that has a row without an error, to check that it still comes out the same; -1: none.
int ctSweepTable_Example(const ctSweepTable *table);
bool ctSweepTable_Open(ctSweepTable *table, ctError *error);
// Takes the row over. Rows that are in order go to the file.
bool ctSweepTable_Put(ctSweepTable *table, int run, char *row, bool failed, ctError *error);
bool ctSweepTable_Flush(ctSweepTable *table, ctError *error);
// Writes what is there, with gaps where runs are missing, and gives the file its name.
bool ctSweepTable_Close(ctSweepTable *table, ctError *error);
// The runs that are not done, dealt in order; todo is freed by free().
bool ctSweepTable_Missing(const ctSweepTable *table, ctSweepDealer *dealer, ctError *error);
bool ctSweep_InPart(const ctSweep *sweep, int run);

// Puts the parts of an array together. *missing counts the runs between the first and the last that no part has.
bool ctSweep_Merge(const char *const *paths, int count, const char *out, int *rows, int *missing, ctError *error);

#endif
