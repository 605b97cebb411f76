// clatter sweep: the command.
#include "app/app.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/sweep/arguments.h"
#include "app/sweep/plot.h"
#include "app/sweep/table.h"
#include "collision/error.h"
#include "scenes/measure.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The measures of the command line, else all of the scene's, else the number of impacts.
static bool chooseMeasures(ctSweep *sweep, const ctScene *scene, ctError *error)
{
    if (sweep->measureCount == 0) {
        for (int i = 0; i < scene->measureCount; i++) {
            snprintf(sweep->measures[sweep->measureCount++], CT_SWEEP_NAME, "%.190s", scene->measures[i].name);
        }
    }
    if (sweep->measureCount == 0) {
        snprintf(sweep->measures[sweep->measureCount++], CT_SWEEP_NAME, "impacts");
    }
    for (int i = 0; i < sweep->measureCount; i++) {
        ctMeasureRef m;
        if (!ctMeasure_Find(scene, sweep->measures[i], &m, error)) {
            return false;
        }
        snprintf(sweep->measureLabels[i], CT_SWEEP_NAME, "%.190s", m.label);
    }
    return true;
}

// ---- the run ----------------------------------------------------------------------------------

typedef struct Collector {
    ctSweepTable *table;
    ctProgress progress;
    int before; // number of rows from the resumed sweep
} Collector;

static bool takeRow(void *context, int run, char *row, bool failed, ctError *error)
{
    Collector *c = context;
    return ctSweepTable_Put(c->table, run, row, failed, error);
}

static bool poll(void *context, ctError *error)
{
    Collector *c = context;
    if (c->table->failures > 0) {
        snprintf(c->progress.note, sizeof c->progress.note, ", %d failed", c->table->failures);
    }
    ctProgress_Update(&c->progress, c->table->doneCount - c->before);
    return ctInterrupt_Signal() == 0 && ctSweepTable_Flush(c->table, error);
}

// Repeats one run of the table. Its row must be the same: the scene or the program may have changed.
static bool checkResumed(const ctSweepTable *table, ctError *error)
{
    int run = ctSweepTable_Example(table);
    if (run < 0 || table->sweep->timing) {
        return true;
    }
    static const atomic_bool never;
    ctSweepWorker worker;
    if (!ctSweepWorker_Begin(&worker, table->sweep, &never, error)) {
        return false;
    }
    bool failed;
    char *row = ctSweepWorker_Run(&worker, run, &failed);
    bool same = row != NULL && strcmp(row, table->rows[run]) == 0;
    free(row);
    ctSweepWorker_End(&worker);
    return same || ctFail(error, ct_badArgument,
                          "%s: run %d comes out differently now: the scene or the program has changed since",
                          table->path, run + 1);
}

// Prints "3 of 9 runs are there; missing: 4-6 8".
static void printMissing(long there, long runs, const ctSweepRanges *missing)
{
    fprintf(stderr, "clatter: sweep: %ld of %ld runs are there%s%s\n", there, runs,
            missing->count > 0 ? "; missing:" : "", missing->text);
}

static void reportMissing(const ctSweepTable *t, const ctSweepDealer *missing)
{
    ctSweepRanges ranges = {0};
    for (int i = 0; i < missing->count;) {
        int first = missing->todo[i], last = first;
        while (++i < missing->count && missing->todo[i] == last + 1) {
            last++;
        }
        ctSweepRanges_Add(&ranges, first + 1, last + 1);
    }
    printMissing(t->doneCount, t->wanted, &ranges);
}

static void printCommand(int argc, char **argv, bool resume)
{
    fputs("  clatter", stderr);
    for (int i = 0; i < argc; i++) {
        bool plain =
            argv[i][0] != '\0' &&
            argv[i][strspn(argv[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=:,./_+-")] == '\0';
        fprintf(stderr, plain ? " %s" : " '%s'", argv[i]);
    }
    fputs(resume ? "\n" : " --resume\n", stderr);
}

// Reports the end of the sweep on standard error. Returns the exit status.
static int report(const ctSweepTable *t, const ctSweepArguments *a, const ctError *error, int argc, char **argv)
{
    bool toFile = t->path != NULL;
    if (t->doneCount == t->wanted) {
        if (t->failures > 0) {
            fprintf(stderr, "clatter: sweep: %d of %d runs failed; the column 'error' says why\n", t->failures,
                    t->wanted);
        }
        return CT_EXIT_OK;
    }
    if (error->status != ct_ok) {
        fprintf(stderr, "clatter: sweep: %s\n", error->message);
    } else {
        fprintf(stderr, "clatter: sweep: interrupted by signal %d\n", ctInterrupt_Signal());
    }
    fprintf(stderr, "clatter: sweep: %d of %d runs are done%s%s", t->doneCount, t->wanted, toFile ? ", in " : "\n",
            toFile ? t->path : "");
    if (toFile && t->partPath != NULL) {
        fputs("; to go on:\n", stderr);
        printCommand(argc, argv, a->resume);
    }
    return CT_EXIT_FAILED;
}

static bool summarise(const ctSweepTable *t, const ctSweepArguments *a, ctError *error)
{
    return (a->quantiles == NULL || ctSweep_WriteQuantiles(a->sweep, t->measured, a->quantiles, error)) &&
           (a->plot == NULL || ctSweep_Plot(a->sweep, t->measured, a->plot, error));
}

static int carryOut(const ctSweepArguments *a, const ctSweepTransport *transport, int argc, char **argv)
{
    ctError error = {ct_ok, ""}, late = {ct_ok, ""};
    ctSweepTable table;
    ctSweepDealer dealer = {0};
    int status = CT_EXIT_FAILED;
    bool good = ctSweepTable_Begin(&table, a->sweep, a->out, &error);
    if (good && (a->plot != NULL || a->quantiles != NULL)) {
        good = ctSweepTable_KeepMeasures(&table, &error);
    }
    if (good && a->resume && !(ctSweepTable_Resume(&table, &error) && checkResumed(&table, &error))) {
        good = false;
        status = CT_EXIT_USAGE;
    }
    good = good && ctSweepTable_Missing(&table, &dealer, &error) && ctSweepTable_Open(&table, &error);
    if (good && a->resume) {
        reportMissing(&table, &dealer);
    }
    if (good) {
        ctInterrupt_Watch();
        Collector collector = {&table, ctProgress_Begin("runs", dealer.count), table.doneCount};
        const ctSweepSink sink = {takeRow, poll, &collector};
        bool (*run)(const ctSweep *, ctSweepDealer *, int, const ctSweepSink *, ctError *) =
            transport != NULL ? transport->run : ctSweepPool_Run;
        run(a->sweep, &dealer,
            a->threads < dealer.count ? a->threads
            : dealer.count > 0        ? dealer.count
                                      : 1,
            &sink, &error);
        ctProgress_End(&collector.progress);
        if (!ctSweepTable_Close(&table, &late)) {
            fprintf(stderr, "clatter: sweep: %s\n", error.status != ct_ok ? error.message : late.message);
        } else {
            status = report(&table, a, &error, argc, argv);
        }
        if (status == CT_EXIT_OK && !summarise(&table, a, &late)) {
            fprintf(stderr, "clatter: sweep: %s\n", late.message);
            status = CT_EXIT_FAILED;
        }
        if (transport != NULL && status != CT_EXIT_OK) {
            transport->abandon(status);
        }
    } else {
        fprintf(stderr, "clatter: sweep: %s\n", error.message);
        if (transport != NULL) {
            transport->dismiss();
        }
    }
    ctSweepTable_Free(&table);
    free(dealer.todo);
    return status;
}

static int merge(const ctSweepArguments *a)
{
    ctError error = {ct_ok, ""};
    ctSweepMerged merged;
    if (!ctSweep_Merge(a->words, a->wordCount, a->out, &merged, &error)) {
        fprintf(stderr, "clatter: sweep: %s\n", error.message);
        return error.status == ct_io ? CT_EXIT_FAILED : CT_EXIT_USAGE;
    }
    if (merged.rows < merged.runs) {
        printMissing(merged.rows, merged.runs, &merged.missing);
        return CT_EXIT_FAILED;
    }
    return CT_EXIT_OK;
}

// Every rank reads the same command line. Only the first rank prints errors and --help.
static bool readWords(ctSweepArguments *a, int argc, char **argv, bool first, int *status)
{
    int kept[2] = {-1, -1}, nowhere = first ? -1 : open("/dev/null", O_WRONLY);
    for (int i = 0; i < 2 && nowhere >= 0; i++) {
        kept[i] = dup(STDOUT_FILENO + i);
        dup2(nowhere, STDOUT_FILENO + i);
    }
    bool good = ctSweepArguments_Read(a, argc, argv, status);
    fflush(stdout);
    for (int i = 0; i < 2 && nowhere >= 0; i++) {
        dup2(kept[i], STDOUT_FILENO + i);
        close(kept[i]);
    }
    if (nowhere >= 0) {
        close(nowhere);
    }
    return good;
}

// False: exit with *status.
static bool plan(ctSweepArguments *a, int rank, int *status)
{
    ctSweep *sweep = a->sweep;
    ctError error = {ct_ok, ""};
    sweep->sceneName = a->words[0];
    sweep->repeats = sweep->jitter > 0.0 ? (sweep->repeats > 0 ? sweep->repeats : 16) : 1;
    *status = CT_EXIT_USAGE;
    ctScene *scene = rank == 0 ? ctLoadSceneOrComplain(sweep->sceneName, &sweep->scene)
                               : ctScene_Load(sweep->sceneName, &sweep->scene.scene, &error);
    if (scene == NULL) {
        if (rank > 0) {
            fprintf(stderr, "clatter: sweep: on rank %d: %s\n", rank, error.message);
        }
        return false;
    }
    bool good = ctSweep_Plan(sweep, scene, &error) && chooseMeasures(sweep, scene, &error) &&
                (a->plot == NULL || ctSweep_CheckPlot(sweep, a->plot, &error));
    ctScene_Destroy(scene);
    if (!good && rank == 0) {
        fprintf(stderr, "clatter: sweep: %s\n", error.message);
    }
    return good;
}

static int command(ctSweepArguments *a, int argc, char **argv, const ctSweepTransport *transport)
{
    int status, rank = transport != NULL ? transport->rank : 0;
    bool good = readWords(a, argc, argv, rank == 0, &status);
    if (good && transport != NULL && a->threads > 0) {
        fputs(rank == 0 ? "clatter: sweep: --threads is for one machine; mpirun -n says how many ranks there are\n"
                        : "",
              stderr);
        good = false;
        status = CT_EXIT_USAGE;
    }
    if (good && a->merge) {
        good = false;
        status = rank == 0 ? merge(a) : CT_EXIT_OK;
    }
    good = good && plan(a, rank, &status);
    if (transport != NULL && !transport->agree(good)) {
        return good ? CT_EXIT_USAGE : status;
    }
    if (!good) {
        return status;
    }
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    a->threads = a->threads > 0 ? a->threads : cores > 0 ? (int)cores : 1;
    return rank == 0 ? carryOut(a, transport, argc, argv) : transport->serve(a->sweep);
}

int ctSweep_Command(int argc, char **argv, const ctSweepTransport *transport)
{
    ctSweep *sweep = calloc(1, sizeof *sweep);
    ctSweepArguments a = {.sweep = sweep, .words = calloc(CT_SWEEP_WORDS, sizeof *a.words)};
    int status = CT_EXIT_FAILED;
    if (sweep != NULL && a.words != NULL) {
        sweep->seed = 1;
        sweep->parts = 1;
        status = command(&a, argc, argv, transport);
        ctSweep_Free(sweep);
    } else {
        fputs("clatter: sweep: out of memory\n", stderr);
    }
    free(sweep);
    free(a.words);
    return status;
}

int ctCommandSweep(int argc, char **argv)
{
    return ctSweep_Command(argc, argv, NULL);
}
