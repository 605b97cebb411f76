// clatter sweep: the command.
#include "app/app.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/sweep/plot.h"
#include "app/sweep/table.h"
#include "collision/error.h"
#include "scenes/measure.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 10000 };

// What the command line asks for beyond the sweep itself.
typedef struct Arguments {
    ctSweep *sweep;
    const char **words; // the scene, or the files to merge
    int wordCount;
    const char *out, *plot, *quantiles;
    int threads;
    bool resume, merge;
} Arguments;

// ---- options ----------------------------------------------------------------------------------

static bool parseVary(const char *word, void *target, ctError *error)
{
    ctSweep *sweep = target;
    if (sweep->axisCount == CT_SWEEP_AXES) {
        return ctFail(error, ct_limit, "is given more than %d times", CT_SWEEP_AXES);
    }
    sweep->axes[sweep->axisCount++] = (ctSweepAxis){.text = word};
    return true;
}

static bool parseMeasure(const char *word, void *target, ctError *error)
{
    ctSweep *sweep = target;
    if (sweep->measureCount == CT_SWEEP_MEASURES) {
        return ctFail(error, ct_limit, "is given more than %d times", CT_SWEEP_MEASURES);
    }
    if (strlen(word) >= CT_SWEEP_NAME) {
        return ctFail(error, ct_badArgument, "names no measure: '%.60s...' is too long", word);
    }
    for (int i = 0; i < sweep->measureCount; i++) {
        if (strcmp(sweep->measures[i], word) == 0) {
            return ctFail(error, ct_badArgument, "'%.60s' is given twice", word);
        }
    }
    snprintf(sweep->measures[sweep->measureCount++], CT_SWEEP_NAME, "%s", word);
    return true;
}

static bool parseUntil(const char *word, void *target, ctError *error)
{
    *(bool *)target = true;
    return strcmp(word, "rest") == 0 || ctFail(error, ct_badArgument, "takes 'rest', not '%.40s'", word);
}

static bool parseArray(const char *word, void *target, ctError *error)
{
    ctSweep *sweep = target;
    char end;
    int part;
    if (sscanf(word, "%9d/%9d%c", &part, &sweep->parts, &end) != 2) {
        return ctFail(error, ct_badArgument, "takes I/N, such as 1/100, not '%.40s'", word);
    }
    if (sweep->parts < 1 || part < 1 || part > sweep->parts) {
        return ctFail(error, ct_badArgument,
                      "%.40s: the index must be from 1 to the number of parts (as in sbatch --array=1-%d)", word,
                      sweep->parts > 0 ? sweep->parts : 1);
    }
    sweep->part = part - 1;
    return true;
}

static const char notes[] =
    "SCENE is a demo's name (clatter list) or a path to a .lua file; clatter info shows its parameters and measures.\n"
    "NAME is a parameter of the scene, mu, e or law. The range may be FROM:TO:COUNT, FROM:TO:COUNT:log, or a list\n"
    "VALUE,VALUE,...; with --random, FROM:TO. Without --vary, --random draws all parameters from their whole ranges.\n"
    "Results do not depend on --threads. docs/sweep.md has more.\n\n";

static bool readOptions(Arguments *a, int argc, char **argv, int *status)
{
    ctSweep *s = a->sweep;
    ctSceneArguments *scene = &s->scene;
    const ctOption options[] = {
        {.name = "vary",
         .kind = ct_optionCustom,
         .target = s,
         .argument = "NAME=RANGE",
         .help = "what to vary, and over which range; may be repeated",
         .parse = parseVary},
        {.name = "random",
         .kind = ct_optionInteger,
         .target = &s->random,
         .argument = "COUNT",
         .help = "so many random points instead of a grid",
         .min = 1,
         .max = CT_SWEEP_MAX_RUNS},
        {.name = "latin",
         .kind = ct_optionFlag,
         .target = &s->latin,
         .help = "the random points as a Latin hypercube: evenly spread along each axis"},
        {.name = "seed",
         .kind = ct_optionInteger,
         .target = &s->seed,
         .argument = "N",
         .help = "of --random and --jitter (1)",
         .min = 0,
         .max = 2147483647.0},
        {.name = "jitter",
         .kind = ct_optionNumber,
         .target = &s->jitter,
         .argument = "X",
         .help = "perturb starts: speeds by X of themselves, directions by X radians",
         .min = 1e-15,
         .max = 1.0},
        {.name = "repeat",
         .kind = ct_optionInteger,
         .target = &s->repeats,
         .argument = "N",
         .help = "runs of each point with --jitter (16)",
         .min = 1,
         .max = 1000000},
        {.name = "measure",
         .kind = ct_optionCustom,
         .target = s,
         .argument = "NAME",
         .help = "what to measure (all measures of the scene); may be repeated",
         .parse = parseMeasure},
        {.name = "seconds",
         .kind = ct_optionNumber,
         .target = &s->seconds,
         .argument = "S",
         .help = "simulated time of a run (the scene's own)",
         .given = &s->hasSeconds,
         .min = 0.0,
         .max = 1e6},
        {.name = "until",
         .kind = ct_optionCustom,
         .target = &s->untilRest,
         .argument = "rest",
         .help = "end a run when everything sleeps",
         .parse = parseUntil},
        {.name = "out",
         .kind = ct_optionText,
         .target = &a->out,
         .argument = "FILE.csv",
         .help = "the table, a row per run (standard output)"},
        {.name = "plot",
         .kind = ct_optionText,
         .target = &a->plot,
         .argument = "FILE.svg",
         .help = "a picture of it, also FILE.png"},
        {.name = "quantiles",
         .kind = ct_optionText,
         .target = &a->quantiles,
         .argument = "FILE.csv",
         .help = "mean and quantiles of each point, for --jitter"},
        {.name = "threads",
         .kind = ct_optionInteger,
         .target = &a->threads,
         .argument = "N",
         .help = "how many runs at a time (one per core)",
         .min = 1,
         .max = 1024},
        {.name = "array",
         .kind = ct_optionCustom,
         .target = s,
         .argument = "I/N",
         .help = "only part I of N, for job arrays",
         .parse = parseArray},
        {.name = "merge",
         .kind = ct_optionFlag,
         .target = &a->merge,
         .help = "put the tables of parts together instead: --merge FILE.csv ... --out FILE.csv"},
        {.name = "resume", .kind = ct_optionFlag, .target = &a->resume, .help = "keep the rows that --out has already"},
        {.name = "timing",
         .kind = ct_optionFlag,
         .target = &s->timing,
         .help = "a column with CPU seconds, which differ from time to time"},
        CT_SCENE_OPTIONS(scene),
        {.name = NULL},
    };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return false;
    }
    fprintf(out, "%s%s", notes, ctMeasure_Help());
    fclose(out);
    const ctOptionSet set = {.command = "sweep",
                             .usage = "clatter sweep SCENE --vary NAME=FROM:TO:COUNT ... [options]\n"
                                      "       clatter sweep SCENE --random COUNT [options]\n"
                                      "       clatter sweep --merge FILE.csv ... --out FILE.csv\n",
                             .notes = text,
                             .options = options,
                             .words = a->words,
                             .maxWords = MAX_WORDS};
    bool good = ctParseOptions(&set, argc, argv, &a->wordCount, status);
    free(text);
    return good;
}

static bool checkOptions(const Arguments *a, ctError *error)
{
    const ctSweep *s = a->sweep;
    if (a->merge) {
        return a->wordCount > 0 || ctFail(error, ct_badArgument, "--merge needs the files to put together");
    }
    if (a->wordCount != 1) {
        return ctFail(error, ct_badArgument, "%s",
                      a->wordCount == 0 ? "needs a scene; clatter list names the demos" : "takes one scene");
    }
    if (s->latin && s->random == 0) {
        return ctFail(error, ct_badArgument, "--latin is for --random");
    }
    if (s->repeats > 0 && s->jitter == 0.0) {
        return ctFail(error, ct_badArgument, "--repeat is for --jitter: all runs of a point would be alike");
    }
    if (a->quantiles != NULL && s->parts > 1) {
        return ctFail(error, ct_badArgument, "--quantiles needs the whole sweep, not a part");
    }
    if (a->resume && (a->out == NULL || strcmp(a->out, "-") == 0)) {
        return ctFail(error, ct_badArgument, "--resume needs the file of --out");
    }
    return true;
}

// The measures that were asked for, or all of the scene's, or at least a number.
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
    int before; // rows that were there already
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

// A run that is in the table must come out as it did: the scene or the program may have changed since.
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

// "3 of 9 runs are there; missing: 4-6 8", the first dozen of them.
static void reportMissing(const ctSweepTable *t, const ctSweepDealer *missing)
{
    fprintf(stderr, "clatter: sweep: %d of %d runs are there", t->doneCount, t->wanted);
    fputs(missing->count > 0 ? "; missing:" : "", stderr);
    int shown = 0;
    for (int i = 0; i < missing->count && shown < 12; shown++) {
        int first = missing->todo[i], last = first;
        while (++i < missing->count && missing->todo[i] == last + 1) {
            last++;
        }
        fprintf(stderr, first < last ? " %d-%d" : " %d", first + 1, last + 1);
        if (shown == 11 && i < missing->count) {
            fputs(" ...", stderr);
        }
    }
    fputc('\n', stderr);
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

// How it ended, on standard error. Returns the exit status.
static int report(const ctSweepTable *t, const Arguments *a, const ctError *error, int argc, char **argv)
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

static bool summarise(const ctSweepTable *t, const Arguments *a, ctError *error)
{
    return (a->quantiles == NULL || ctSweep_WriteQuantiles(a->sweep, t->measured, a->quantiles, error)) &&
           (a->plot == NULL || ctSweep_Plot(a->sweep, t->measured, a->plot, error));
}

static int carryOut(const Arguments *a, const ctSweepTransport *transport, int argc, char **argv)
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
            fprintf(stderr, "clatter: sweep: %s\n", late.message);
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

static int merge(const Arguments *a)
{
    ctError error = {ct_ok, ""};
    int rows, missing;
    if (!ctSweep_Merge(a->words, a->wordCount, a->out, &rows, &missing, &error)) {
        fprintf(stderr, "clatter: sweep: %s\n", error.message);
        return error.status == ct_io ? CT_EXIT_FAILED : CT_EXIT_USAGE;
    }
    if (missing > 0) {
        fprintf(stderr, "clatter: sweep: %d runs, and %d that no part has\n", rows, missing);
        return CT_EXIT_FAILED;
    }
    return CT_EXIT_OK;
}

// Every rank reads the same words: one complaint about them, or one --help, is enough.
static bool readWords(Arguments *a, int argc, char **argv, bool first, int *status)
{
    int kept[2] = {-1, -1}, nowhere = first ? -1 : open("/dev/null", O_WRONLY);
    for (int i = 0; i < 2 && nowhere >= 0; i++) {
        kept[i] = dup(STDOUT_FILENO + i);
        dup2(nowhere, STDOUT_FILENO + i);
    }
    ctError error = {ct_ok, ""};
    bool good = readOptions(a, argc, argv, status);
    if (good && !checkOptions(a, &error)) {
        fprintf(stderr, "clatter: sweep %s\n", error.message);
        *status = CT_EXIT_USAGE;
        good = false;
    }
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
static bool plan(Arguments *a, int rank, int *status)
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

static int command(Arguments *a, int argc, char **argv, const ctSweepTransport *transport)
{
    int status, rank = transport != NULL ? transport->rank : 0;
    bool good = readWords(a, argc, argv, rank == 0, &status);
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
    Arguments a = {.sweep = sweep, .words = calloc(MAX_WORDS, sizeof *a.words)};
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
