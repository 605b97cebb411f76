// The columns of a sweep's table.
#include "app/sweep/sweep.h"

#include "engine/impact/impact.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ctWriteNumber(FILE *out, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) {
            break;
        }
    }
    fputs(text, out);
}

void ctWriteAxisValue(FILE *out, const ctSweepAxis *axis, double value)
{
    if (axis->kind == ct_axisLaw) {
        fputs(ctLawName((ctLaw)(int)value), out);
    } else {
        ctWriteNumber(out, value);
    }
}

// The quantities that are the same in all rows, so that each row describes its run completely. values false: the names.
static void writeFixed(FILE *out, const ctSweep *sweep, bool values)
{
    const ctSceneOptions *o = &sweep->scene.scene;
    for (int i = 0; i < o->settingCount; i++) {
        if (values) {
            ctWriteNumber(out, o->settings[i].value);
        } else {
            fputs(o->settings[i].name, out);
        }
        fputc(',', out);
    }
    const struct {
        bool given;
        const char *name;
        double value;
    } numbers[] = {
        {o->hasFriction, "mu", o->friction}, {o->hasRestitution, "e", o->restitution}, {o->hasFps, "fps", o->fps}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].given && values) {
            ctWriteNumber(out, numbers[i].value);
            fputc(',', out);
        } else if (numbers[i].given) {
            fprintf(out, "%s,", numbers[i].name);
        }
    }
    if (o->hasLaw) {
        fprintf(out, "%s,", values ? ctLawName(o->law) : "law");
    }
    if (o->hasContact) {
        fprintf(out, "%s,", values ? ctContactMode_Name(o->contact) : "contact");
    }
}

char *ctSweep_Header(const ctSweep *sweep)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return NULL;
    }
    fputs(sweep->isPart ? CT_SWEEP_PART_HEADER : "run,", out);
    for (int i = 0; i < sweep->axisCount; i++) {
        fprintf(out, "%s,", sweep->axes[i].name);
    }
    writeFixed(out, sweep, false);
    if (sweep->jitter > 0.0) {
        fputs("jitter,repeat,start_seed,", out);
    }
    bool hasImpacts = false;
    for (int i = 0; i < sweep->measureCount; i++) {
        // first_impact(ball, pin 1) has a comma
        bool quoted = strpbrk(sweep->measures[i], ",\"") != NULL;
        fprintf(out, quoted ? "\"%s\"," : "%s,", sweep->measures[i]);
        hasImpacts = hasImpacts || strcmp(sweep->measures[i], "impacts") == 0;
    }
    fprintf(out, "simulated_s,%sstate_hash,%serror", hasImpacts ? "" : "impacts,", sweep->timing ? "cpu_s," : "");
    return fclose(out) == 0 ? text : NULL;
}

char *ctSweep_Prefix(const ctSweep *sweep, int run)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return NULL;
    }
    fprintf(out, "%d,", run + 1);
    if (sweep->isPart) {
        fprintf(out, "%d,", sweep->runs);
    }
    for (int i = 0; i < sweep->axisCount; i++) {
        ctWriteAxisValue(out, &sweep->axes[i], ctSweep_Value(sweep, i, run));
        fputc(',', out);
    }
    writeFixed(out, sweep, true);
    if (sweep->jitter > 0.0) {
        ctWriteNumber(out, sweep->jitter);
        fprintf(out, ",%d,%016" PRIx64 ",", run % sweep->repeats + 1, ctSweep_StartSeed(sweep, run));
    }
    return fclose(out) == 0 ? text : NULL;
}
