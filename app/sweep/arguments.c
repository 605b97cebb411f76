#include "app/sweep/arguments.h"

#include "app/app.h"
#include "collision/error.h"
#include "scenes/measure.h"

#include <stdlib.h>
#include <string.h>

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
    sweep->isPart = true;
    return true;
}

static const char notes[] =
    "SCENE is a demo's name (clatter list) or a path to a .lua file; clatter info shows its parameters and measures.\n"
    "NAME is a parameter of the scene, mu, e or law. The range may be FROM:TO:COUNT, FROM:TO:COUNT:log, or a list\n"
    "VALUE,VALUE,...; with --random, FROM:TO. Without --vary, --random draws all parameters from their whole ranges.\n"
    "Results do not depend on --threads. docs/sweep.md has more.\n\n";

static bool readOptions(ctSweepArguments *a, int argc, char **argv, int *status)
{
    ctSweep *s = a->sweep;
    ctSceneArguments *scene = &s->scene;
    const ctOption options[] = {
        CT_CUSTOM("vary", s, NULL, "NAME=RANGE", parseVary, "what to vary, and over which range; may be repeated"),
        CT_INTEGER("random", &s->random, NULL, "COUNT", 1, CT_SWEEP_MAX_RUNS,
                   "so many random points instead of a grid"),
        CT_FLAG("latin", &s->latin, "the random points as a Latin hypercube: evenly spread along each axis"),
        CT_INTEGER("seed", &s->seed, NULL, "N", 0, 2147483647.0, "of --random and --jitter (1)"),
        CT_NUMBER("jitter", &s->jitter, NULL, "X", 1e-15, 1.0,
                  "perturb starts: speeds by X of themselves, directions by X radians"),
        CT_INTEGER("repeat", &s->repeats, NULL, "N", 1, 1000000, "runs of each point with --jitter (16)"),
        CT_CUSTOM("measure", s, NULL, "NAME", parseMeasure,
                  "what to measure (all measures of the scene); may be repeated"),
        CT_NUMBER("seconds", &s->seconds, &s->hasSeconds, "S", 0.0, 1e6, "simulated time of a run (the scene's own)"),
        CT_CUSTOM("until", &s->untilRest, NULL, "rest", parseUntil, "end a run when everything sleeps"),
        CT_TEXT("out", &a->out, "FILE.csv", "the table, a row per run (standard output)"),
        CT_TEXT("plot", &a->plot, "FILE.svg", "a picture of it, also FILE.png"),
        CT_TEXT("quantiles", &a->quantiles, "FILE.csv", "mean and quantiles of each point, for --jitter"),
        CT_INTEGER("threads", &a->threads, NULL, "N", 1, 1024, "how many runs at a time (one per core)"),
        CT_CUSTOM("array", s, NULL, "I/N", parseArray, "only part I of N, for job arrays"),
        CT_FLAG("merge", &a->merge, "put the tables of parts together instead: --merge FILE.csv ... --out FILE.csv"),
        CT_FLAG("resume", &a->resume, "keep the rows that --out has already"),
        CT_FLAG("timing", &s->timing, "a column with CPU seconds, which differ from time to time"),
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
                             .maxWords = CT_SWEEP_WORDS};
    bool good = ctParseOptions(&set, argc, argv, &a->wordCount, status);
    free(text);
    return good;
}

static bool checkOptions(const ctSweepArguments *a, ctError *error)
{
    const ctSweep *s = a->sweep;
    if (a->merge) {
        return a->wordCount > 0 || ctFail(error, ct_badArgument, "--merge needs the files to put together");
    }
    if (a->wordCount != 1) {
        return ctFail(error, ct_badArgument, "%s",
                      a->wordCount == 0 ? "needs a scene; clatter list names the demos" : "takes one scene");
    }
    const char *dot = strrchr(a->words[0], '.');
    if (dot != NULL && strcmp(dot, ".snap") == 0) {
        return ctFail(error, ct_badArgument, "needs a scene; %.200s is a saved world, which has no start to vary",
                      a->words[0]);
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
    const ctNamedFile files[] = {{"out", a->out}, {"plot", a->plot}, {"quantiles", a->quantiles}};
    if (!ctCheckFilesDiffer(files, 3, error)) {
        return false;
    }
    if (a->resume && (a->out == NULL || strcmp(a->out, "-") == 0)) {
        return ctFail(error, ct_badArgument, "--resume needs the file of --out");
    }
    return true;
}

bool ctSweepArguments_Read(ctSweepArguments *a, int argc, char **argv, int *status)
{
    ctError error = {ct_ok, ""};
    if (!readOptions(a, argc, argv, status)) {
        return false;
    }
    if (!checkOptions(a, &error)) {
        fprintf(stderr, "clatter: sweep %s\n", error.message);
        *status = CT_EXIT_USAGE;
        return false;
    }
    return true;
}
