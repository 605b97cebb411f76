// clatter sweep: a scene run many times over ranges of its parameters. The list of runs is known before the first run
// starts. The values of a run follow from its number alone, so that any thread or machine can compute it.
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
    int count;      // number of values; 0: any value from `from` to `to`
    double *values; // laws are stored as numbers
    int *strata;    // Latin hypercube: the stratum of each point
} ctSweepAxis;

typedef struct ctSweep {
    const char *sceneName;
    ctSceneArguments scene; // options of all runs
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
    int part, parts; // --array: index of the part, and number of parts
    bool isPart;     // --array was given: the table tells the number of runs of the whole sweep, too
} ctSweep;

// ---- the plan ---------------------------------------------------------------------------------

// Reads the --vary options with the scene's parameters, and counts the runs. False with an error.
bool ctSweep_Plan(ctSweep *sweep, const ctScene *scene, ctError *error);
void ctSweep_Free(ctSweep *sweep);
// The value of an axis in a run. Axes and runs count from 0.
double ctSweep_Value(const ctSweep *sweep, int axis, int run);
uint64_t ctSweep_StartSeed(const ctSweep *sweep, int run);

// ---- tables -----------------------------------------------------------------------------------
// Columns: run, the varied quantities, the fixed ones, the measures, simulated_s, impacts, state_hash, error.

// The head of the table; freed by free(). NULL without memory.
char *ctSweep_Header(const ctSweep *sweep);
// The columns of a run's row that follow from the plan alone, with the comma after them; freed by free().
char *ctSweep_Prefix(const ctSweep *sweep, int run);

// Writes a number with the fewest digits that read back as the same number.
void ctWriteNumber(FILE *out, double x);
void ctWriteAxisValue(FILE *out, const ctSweepAxis *axis, double value);

// ---- runs -------------------------------------------------------------------------------------

// The first columns of the table of a part: the run, and the number of runs of the whole sweep.
#define CT_SWEEP_PART_HEADER "run,of_runs,"

// Computes runs, one at a time. Each thread has its own worker.
typedef struct ctSweepWorker {
    const ctSweep *sweep;
    ctSceneSource *source;
    const atomic_bool *stop; // the run is given up as soon as this is set
} ctSweepWorker;

bool ctSweepWorker_Begin(ctSweepWorker *worker, const ctSweep *sweep, const atomic_bool *stop, ctError *error);
void ctSweepWorker_End(ctSweepWorker *worker);
// The whole row of a run, without the line's end; freed by free(). A run that fails has a row too, and *failed is set.
// NULL when *stop was set, or without memory.
char *ctSweepWorker_Run(ctSweepWorker *worker, int run, bool *failed);

// The runs that are still to be done, given out in order.
typedef struct ctSweepDealer {
    int *todo; // runs
    int count;
    atomic_int next;
} ctSweepDealer;

// The next run, or -1.
int ctSweepDealer_Take(ctSweepDealer *dealer);

// Receives rows. `take` owns the row.
typedef struct ctSweepSink {
    bool (*take)(void *context, int run, char *row, bool failed, ctError *error);
    // Called about ten times a second. False: stop.
    bool (*poll)(void *context, ctError *error);
    void *context;
} ctSweepSink;

// Computes all runs of the dealer on `threads` threads. The sink is called from the calling thread alone. False: an
// error, or the sink returned false.
bool ctSweepPool_Run(const ctSweep *sweep, ctSweepDealer *dealer, int threads, const ctSweepSink *sink, ctError *error);

// ---- other machines ---------------------------------------------------------------------------

// Computes the runs of a dealer by processes on many machines. Without a transport, threads of this machine do.
typedef struct ctSweepTransport {
    int rank;
    // Whether all ranks are ready. Each rank calls it once.
    bool (*agree)(bool ready);
    bool (*run)(const ctSweep *sweep, ctSweepDealer *dealer, int threads, const ctSweepSink *sink, ctError *error);
    // The other ranks: compute runs until rank 0 has no more. Returns the exit status.
    int (*serve)(const ctSweep *sweep);
    void (*dismiss)(void);       // rank 0 has no runs for the other ranks
    void (*abandon)(int status); // rank 0 has written the finished rows; ends all ranks, and does not return
} ctSweepTransport;

int ctSweep_Command(int argc, char **argv, const ctSweepTransport *transport);

#endif
