// clatter sweep: a scene run many times over ranges of its parameters. A sweep is a list of runs that is known before
// the first one starts: what a run is given follows from its number alone, so that it does not matter who computes it.
#ifndef CT_SWEEP_H
#define CT_SWEEP_H

#include "app/scene_options.h"

#include <stdatomic.h>

enum { CT_SWEEP_AXES = 16, CT_SWEEP_MEASURES = 64, CT_SWEEP_MAX_RUNS = 10000000, CT_SWEEP_NAME = 200 };

typedef enum ctAxisKind { ct_axisParam, ct_axisFriction, ct_axisRestitution, ct_axisLaw } ctAxisKind;

// A quantity that is varied.
typedef struct ctSweepAxis {
    const char *text; // "NAME=FROM:TO:COUNT" as given; NULL: the whole range of a parameter
    char name[CT_SETTING_NAME];
    char label[CT_SWEEP_NAME]; // for pictures, with its unit
    ctAxisKind kind;
    bool logarithmic;
    double from, to;
    int count;      // of values; 0: anything from `from` to `to`
    double *values; // laws are numbers here
    int *strata;    // of a Latin hypercube: that of each point
} ctSweepAxis;

typedef struct ctSweep {
    const char *sceneName;
    ctSceneArguments scene; // what holds for all runs
    ctSweepAxis axes[CT_SWEEP_AXES];
    int axisCount;
    int random; // number of random points; 0: a grid, the last axis fastest
    bool latin;
    int seed;
    double jitter;
    int repeats; // of each point; 1 without jitter
    double seconds;
    bool hasSeconds, untilRest;
    char measures[CT_SWEEP_MEASURES][CT_SWEEP_NAME], measureLabels[CT_SWEEP_MEASURES][CT_SWEEP_NAME];
    int measureCount;
    bool timing; // a column with CPU seconds
    char title[CT_SWEEP_NAME];
    int points, runs;
    int part, parts; // --array: the part from 0, and how many there are
} ctSweep;

// ---- the plan ---------------------------------------------------------------------------------

// Reads the words of --vary against the scene, and counts the runs. False with what is wrong.
bool ctSweep_Plan(ctSweep *sweep, const ctScene *scene, ctError *error);
void ctSweep_Free(ctSweep *sweep);
// The value of an axis in a run, from 0.
double ctSweep_Value(const ctSweep *sweep, int axis, int run);
uint64_t ctSweep_StartSeed(const ctSweep *sweep, int run);

// ---- tables -----------------------------------------------------------------------------------
// One row per run: run, the varied, the fixed, the measures, simulated_s, impacts, state_hash, error.

// The head of the table; freed by free(). NULL without memory.
char *ctSweep_Header(const ctSweep *sweep);
// The beginning of a run's row, which follows from the plan alone, up to and with its last comma; freed by free().
char *ctSweep_Prefix(const ctSweep *sweep, int run);

// Writes a number so that it reads back as itself, in as few digits as that takes.
void ctWriteNumber(FILE *out, double x);
void ctWriteAxisValue(FILE *out, const ctSweepAxis *axis, double value);

// ---- runs -------------------------------------------------------------------------------------

// Carries out runs, one at a time. Each thread has one of its own.
typedef struct ctSweepWorker {
    const ctSweep *sweep;
    ctSceneSource *source;
    const atomic_bool *stop; // leave off as soon as it is set
} ctSweepWorker;

bool ctSweepWorker_Begin(ctSweepWorker *worker, const ctSweep *sweep, const atomic_bool *stop, ctError *error);
void ctSweepWorker_End(ctSweepWorker *worker);
// The whole row of a run, without the line's end; freed by free(). A run that fails has a row too, and *failed is set.
// NULL when it was told to stop, or without memory.
char *ctSweepWorker_Run(ctSweepWorker *worker, int run, bool *failed);

// What is still to be done, dealt in order to whoever asks.
typedef struct ctSweepDealer {
    int *todo; // runs
    int count;
    atomic_int next;
} ctSweepDealer;

// The next run, or -1.
int ctSweepDealer_Take(ctSweepDealer *dealer);

// Takes in a row (and frees it).
typedef struct ctSweepSink {
    bool (*take)(void *context, int run, char *row, bool failed, ctError *error);
    // Called ten times a second or so. False: stop.
    bool (*poll)(void *context, ctError *error);
    void *context;
} ctSweepSink;

// All that the dealer has, on so many threads; the sink is called from the calling thread alone. False: an error, or
// the sink said so.
bool ctSweepPool_Run(const ctSweep *sweep, ctSweepDealer *dealer, int threads, const ctSweepSink *sink, ctError *error);

// ---- who computes -----------------------------------------------------------------------------

// Another way to compute what a dealer has: processes on many machines. NULL: threads of this one.
typedef struct ctSweepTransport {
    int rank;
    // Whether all ranks are ready; each calls it once.
    bool (*agree)(bool ready);
    bool (*run)(const ctSweep *sweep, ctSweepDealer *dealer, int threads, const ctSweepSink *sink, ctError *error);
    // The other ranks: work until rank 0 has no more. Returns the exit status.
    int (*serve)(const ctSweep *sweep);
    void (*dismiss)(void);       // rank 0 has nothing to do for the others
    void (*abandon)(int status); // rank 0 has written what there is; ends them all, and does not return
} ctSweepTransport;

int ctSweep_Command(int argc, char **argv, const ctSweepTransport *transport);

#endif
