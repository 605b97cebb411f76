// --row FILE.csv:N: repeats a run of a sweep's table.
#include "app/scene_options.h"
#include "app/sweep/csv.h"

#include "collision/error.h"
#include "scenes/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// The row being read, and its place for messages.
typedef struct Row {
    const char *path;
    int number; // of the line
    ctCsvLine header, values;
} Row;

static bool failField(const Row *row, int field, ctError *error)
{
    return ctFail(error, ct_badArgument, "%s:%d: %s: '%.40s' is no number", row->path, row->number,
                  row->header.fields[field], row->values.fields[field]);
}

static bool setParam(ctSceneArguments *a, const Row *row, int field, ctError *error)
{
    const char *name = row->header.fields[field];
    double value;
    if (!ctParseNumber(row->values.fields[field], &value)) {
        return failField(row, field, error);
    }
    for (int i = 0; i < a->scene.settingCount; i++) {
        if (strcmp(a->settings[i].name, name) == 0) {
            return true; // the command line takes precedence
        }
    }
    int i = a->scene.settingCount;
    if (i >= CT_MAX_SETTINGS) {
        return ctFail(error, ct_limit, "%s: more than %d parameters", row->path, CT_MAX_SETTINGS);
    }
    snprintf(a->names[i], CT_SETTING_NAME, "%s", name);
    a->settings[i] = (ctSetting){a->names[i], value};
    a->scene.settings = a->settings;
    a->scene.settingCount = i + 1;
    return true;
}

// Sets an option of the run from a column that is not a parameter of the scene.
static bool setOption(ctSceneArguments *a, const Row *row, int field, ctError *error)
{
    const char *name = row->header.fields[field], *text = row->values.fields[field];
    ctSceneOptions *o = &a->scene;
    const struct {
        const char *name;
        double *value;
        bool *given;
    } numbers[] = {{"mu", &o->friction, &o->hasFriction},
                   {"e", &o->restitution, &o->hasRestitution},
                   {"fps", &o->fps, &o->hasFps},
                   {"jitter", &o->jitter, NULL},
                   {"simulated_s", &a->rowSeconds, NULL}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        bool given = numbers[i].given != NULL && *numbers[i].given;
        if (strcmp(name, numbers[i].name) == 0 && !given) {
            if (!ctParseNumber(text, numbers[i].value)) {
                return failField(row, field, error);
            }
            if (numbers[i].given != NULL) {
                *numbers[i].given = true;
            }
        }
    }
    if (strcmp(name, "start_seed") == 0) {
        o->jitterSeed = strtoull(text, NULL, 16);
    }
    if (strcmp(name, "law") == 0 && !o->hasLaw) {
        return ctParseLaw(text, a, error);
    }
    if (strcmp(name, "contact") == 0 && !o->hasContact) {
        return ctParseContact(text, a, error);
    }
    return true;
}

static bool isParam(const ctScene *scene, const char *name)
{
    for (int i = 0; i < scene->paramCount; i++) {
        if (strcmp(scene->params[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Whether the column is one that every sweep may have, or a measure: those of another scene have other names.
static bool isKnown(const ctScene *scene, const char *name)
{
    static const char *const known[] = {"mu",     "e",          "law",         "contact", "fps",
                                        "jitter", "repeat",     "simulated_s", "impacts", "state_hash",
                                        "error",  "start_seed", "cpu_s",       "of_runs"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i]) == 0) {
            return true;
        }
    }
    ctMeasureRef measure;
    ctError error = {ct_ok, ""};
    return ctMeasure_Find(scene, name, &measure, &error);
}

// The columns of varied and fixed quantities are between the number of the run and the measures.
static bool applyRow(ctSceneArguments *a, const ctScene *scene, const Row *row, ctError *error)
{
    if (row->values.count != row->header.count) {
        return ctFail(error, ct_badArgument, "%s:%d: %d fields instead of %d", row->path, row->number,
                      row->values.count, row->header.count);
    }
    for (int i = 1; i < row->header.count; i++) {
        const char *name = row->header.fields[i];
        bool param = isParam(scene, name);
        if (!param && !isKnown(scene, name)) {
            return ctFail(error, ct_badArgument,
                          "%s:1: '%.40s' is no parameter or measure of %s: another scene's table?", row->path, name,
                          scene->name);
        }
        if (!(param ? setParam(a, row, i, error) : setOption(a, row, i, error))) {
            return false;
        }
    }
    return true;
}

static bool readRow(Row *row, const char *path, const char *run, ctError *error)
{
    FILE *in = fopen(path, "rb");
    if (in == NULL) {
        return ctFail(error, ct_badArgument, "%s: cannot read: %s", path, strerror(errno));
    }
    bool found = false;
    bool good = ctCsv_Read(&row->header, in) && strcmp(row->header.fields[0], "run") == 0 &&
                ctCsv_Find(&row->header, "state_hash") >= 0;
    for (row->number = 2; good && !found && ctCsv_Read(&row->values, in); row->number++) {
        found = strcmp(row->values.fields[0], run) == 0;
    }
    row->number--;
    fclose(in);
    if (!good) {
        return ctFail(error, ct_badArgument, "%s:1: no table of a sweep", path);
    }
    return found || ctFail(error, ct_badArgument, "%s: there is no run %s", path, run);
}

bool ctApplyRow(ctSceneArguments *a, const char *sceneName, ctError *error)
{
    if (a->row == NULL) {
        return true;
    }
    const char *colon = strrchr(a->row, ':');
    int run;
    if (colon == NULL || colon == a->row || !ctParseInteger(colon + 1, &run) || run < 1) {
        return ctFail(error, ct_badArgument, "--row takes FILE.csv:N, the number of a run, not '%.80s'", a->row);
    }
    char number[16], *path = strndup(a->row, (size_t)(colon - a->row));
    snprintf(number, sizeof number, "%d", run);
    Row row = {.path = path};
    ctScene *scene = path != NULL ? ctScene_Load(sceneName, NULL, error) : NULL;
    bool good = scene != NULL && readRow(&row, path, number, error) && applyRow(a, scene, &row, error);
    ctScene_Destroy(scene);
    ctCsv_Free(&row.header);
    ctCsv_Free(&row.values);
    free(path);
    return good;
}
