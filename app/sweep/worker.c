// One run of a sweep.
#include "app/sweep/sweep.h"

#include "collision/clock.h"
#include "collision/error.h"
#include "scenes/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The result of a run.
typedef struct Outcome {
    double measures[CT_SWEEP_MEASURES];
    double simulated, cpu;
    int64_t impacts;
    uint64_t hash;
    bool stopped;
    ctError error; // ct_ok: the run succeeded
} Outcome;

bool ctSweepWorker_Begin(ctSweepWorker *worker, const ctSweep *sweep, const atomic_bool *stop, ctError *error)
{
    *worker = (ctSweepWorker){.sweep = sweep, .stop = stop};
    worker->source = ctSceneSource_Open(sweep->sceneName, error);
    return worker->source != NULL;
}

void ctSweepWorker_End(ctSweepWorker *worker)
{
    ctSceneSource_Close(worker->source);
    worker->source = NULL;
}

// The options of the sweep with the values of this run. `settings` has space for all of them.
static ctSceneOptions optionsOf(const ctSweep *sweep, int run, ctSetting *settings)
{
    ctSceneOptions o = sweep->scene.scene;
    o.print = NULL;
    memcpy(settings, sweep->scene.settings, (size_t)o.settingCount * sizeof *settings);
    o.settings = settings;
    for (int i = 0; i < sweep->axisCount; i++) {
        double value = ctSweep_Value(sweep, i, run);
        switch (sweep->axes[i].kind) {
        case ct_axisParam:
            settings[o.settingCount++] = (ctSetting){sweep->axes[i].name, value};
            break;
        case ct_axisFriction:
            o.hasFriction = true;
            o.friction = value;
            break;
        case ct_axisRestitution:
            o.hasRestitution = true;
            o.restitution = value;
            break;
        case ct_axisLaw:
            o.hasLaw = true;
            o.law = (ctLaw)(int)value;
            break;
        }
    }
    if (sweep->jitter > 0.0) {
        o.jitter = sweep->jitter;
        o.jitterSeed = ctSweep_StartSeed(sweep, run);
    }
    return o;
}

static bool simulate(const ctSweepWorker *worker, ctScene *scene, Outcome *out)
{
    const ctSweep *sweep = worker->sweep;
    double seconds = sweep->hasSeconds ? sweep->seconds : scene->seconds;
    double frameTime = ctWorld_GetSettings(scene->world).frameTime;
    int64_t frames = (int64_t)ceil(seconds / frameTime * (1.0 - 1e-12));
    for (int64_t i = 0; i < frames; i++) {
        if (atomic_load_explicit(worker->stop, memory_order_relaxed)) {
            out->stopped = true;
            return false;
        }
        if (!ctScene_Step(scene, &out->error)) {
            return false;
        }
        if (sweep->untilRest && ctScene_IsAtRest(scene)) {
            break;
        }
    }
    return true;
}

static bool takeMeasures(const ctSweep *sweep, ctScene *scene, Outcome *out)
{
    for (int i = 0; i < sweep->measureCount; i++) {
        ctMeasureRef m;
        if (!ctMeasure_Find(scene, sweep->measures[i], &m, &out->error) ||
            !ctMeasure_Value(scene, &m, &out->measures[i], &out->error)) {
            return false;
        }
    }
    return true;
}

static void carryOut(const ctSweepWorker *worker, int run, Outcome *out)
{
    const ctSweep *sweep = worker->sweep;
    ctSetting settings[CT_MAX_SETTINGS + CT_SWEEP_AXES];
    ctSceneOptions options = optionsOf(sweep, run, settings);
    for (int i = 0; i < sweep->measureCount; i++) {
        out->measures[i] = NAN;
    }
    double start = sweep->timing ? ctClock_Thread() : 0.0;
    ctScene *scene = ctSceneSource_Load(worker->source, &options, &out->error);
    if (scene != NULL) {
        if (simulate(worker, scene, out)) {
            takeMeasures(sweep, scene, out);
        }
        out->simulated = ctWorld_GetTime(scene->world);
        out->impacts = ctWorld_GetStats(scene->world).impacts;
        out->hash = ctWorld_Hash(scene->world);
        ctScene_Destroy(scene);
    }
    out->cpu = sweep->timing ? ctClock_Thread() - start : 0.0;
}

// A message that would be a formula in a spreadsheet, because the scene's path begins like one, follows a quote mark.
static void writeQuoted(FILE *out, const char *text)
{
    const char *mark = strchr("=+-@", text[0]) != NULL ? "'" : "";
    if (strpbrk(text, ",\"") == NULL) {
        fprintf(out, "%s%s", mark, text);
        return;
    }
    fprintf(out, "\"%s", mark);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void writeOutcome(FILE *out, const ctSweep *sweep, const Outcome *o)
{
    bool hasImpacts = false;
    for (int i = 0; i < sweep->measureCount; i++) {
        if (!isnan(o->measures[i])) {
            ctWriteNumber(out, o->measures[i]);
        }
        fputc(',', out);
        hasImpacts = hasImpacts || strcmp(sweep->measures[i], "impacts") == 0;
    }
    ctWriteNumber(out, o->simulated);
    if (!hasImpacts) {
        fprintf(out, ",%" PRId64, o->impacts);
    }
    fprintf(out, ",%016" PRIx64 ",", o->hash);
    if (sweep->timing) {
        fprintf(out, "%.6f,", o->cpu);
    }
    if (o->error.status != ct_ok) {
        writeQuoted(out, o->error.message);
    }
}

char *ctSweepWorker_Run(ctSweepWorker *worker, int run, bool *failed)
{
    Outcome outcome = {.error = {ct_ok, ""}};
    carryOut(worker, run, &outcome);
    *failed = outcome.error.status != ct_ok;
    if (outcome.stopped) {
        return NULL;
    }
    char *prefix = ctSweep_Prefix(worker->sweep, run), *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out != NULL && prefix != NULL) {
        fputs(prefix, out);
        writeOutcome(out, worker->sweep, &outcome);
    }
    bool whole = out != NULL && fclose(out) == 0 && prefix != NULL;
    free(prefix);
    if (!whole) {
        free(text);
        return NULL;
    }
    return text;
}
