// The axes of a sweep: the quantities that are varied, and their values.
#include "app/sweep/sweep.h"

#include "collision/elementary.h"
#include "collision/error.h"
#include "engine/impact/impact.h"
#include "scenes/nearest.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64, MAX_LIST = 10000 };

static const ctSceneParam *findParam(const ctScene *scene, const char *name)
{
    for (int i = 0; i < scene->paramCount; i++) {
        if (strcmp(scene->params[i].name, name) == 0) {
            return &scene->params[i];
        }
    }
    return NULL;
}

static bool failUnknown(const ctScene *scene, const char *name, ctError *error)
{
    const char *names[CT_MAX_SETTINGS + 4];
    char list[256] = "";
    size_t used = 0;
    int count = 0;
    for (int i = 0; i < scene->paramCount && count < CT_MAX_SETTINGS; i++) {
        names[count++] = scene->params[i].name;
    }
    names[count++] = "mu";
    names[count++] = "e";
    names[count++] = "law";
    names[count] = NULL;
    const char *nearest = ctNearestName(name, names);
    if (nearest != NULL) {
        return ctFail(error, ct_badArgument, "--vary: unknown parameter '%.40s'; did you mean '%s'?", name, nearest);
    }
    for (int i = 0; i < count && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return ctFail(error, ct_badArgument, "--vary: unknown parameter '%.40s'; %s has %s", name, scene->name, list);
}

// Finds the quantity of a name. A parameter of the scene takes precedence over mu, e and law.
static bool findQuantity(ctSweepAxis *axis, const ctScene *scene, double *min, double *max, ctError *error)
{
    const ctSceneParam *param = findParam(scene, axis->name);
    if (param != NULL) {
        axis->kind = ct_axisParam;
        snprintf(axis->label, sizeof axis->label, "%.190s", param->label);
        *min = param->min;
        *max = param->max;
    } else if (strcmp(axis->name, "mu") == 0) {
        axis->kind = ct_axisFriction;
        snprintf(axis->label, sizeof axis->label, "friction μ");
        *min = 0.0;
        *max = 1e6;
    } else if (strcmp(axis->name, "e") == 0) {
        axis->kind = ct_axisRestitution;
        snprintf(axis->label, sizeof axis->label, "restitution e");
        *min = 0.0;
        *max = 1.0;
    } else if (strcmp(axis->name, "law") == 0) {
        axis->kind = ct_axisLaw;
        snprintf(axis->label, sizeof axis->label, "law of impact");
        *min = 0.0;
        *max = ct_lawComposite;
    } else {
        return failUnknown(scene, axis->name, error);
    }
    return true;
}

static bool checkRange(const ctSweepAxis *axis, double x, double min, double max, ctError *error)
{
    return (x >= min && x <= max) ||
           ctFail(error, ct_badArgument, "--vary %s: %g is outside %g to %g", axis->name, x, min, max);
}

// Cuts text at the separators, into words of at most MAX_WORD - 1 characters. Returns their number, -1: too long or
// too many.
static int split(const char *text, char separator, char words[][MAX_WORD], int most)
{
    int count = 0;
    for (;;) {
        const char *end = strchr(text, separator);
        size_t length = end != NULL ? (size_t)(end - text) : strlen(text);
        if (count == most || length >= MAX_WORD) {
            return -1;
        }
        memcpy(words[count], text, length);
        words[count++][length] = '\0';
        if (end == NULL) {
            return count;
        }
        text = end + 1;
    }
}

static bool failForm(const ctSweepAxis *axis, bool random, ctError *error)
{
    return ctFail(error, ct_badArgument, "--vary takes %s, or NAME=VALUE,VALUE,...; not '%.80s'",
                  random ? "NAME=FROM:TO or NAME=FROM:TO:log with --random" : "NAME=FROM:TO:COUNT, with :log or not",
                  axis->text);
}

static double between(const ctSweepAxis *a, double share)
{
    if (share <= 0.0 || share >= 1.0) { // the ends are exact
        return share <= 0.0 ? a->from : a->to;
    }
    return a->logarithmic ? a->from * ctPow(a->to / a->from, share) : a->from + (a->to - a->from) * share;
}

// Reads FROM:TO:COUNT or FROM:TO:COUNT:log. Random points have no COUNT.
static bool readRange(ctSweepAxis *axis, const char *text, bool random, ctError *error)
{
    char words[4][MAX_WORD];
    int count = split(text, ':', words, 4);
    if (count > 0 && strcmp(words[count - 1], "log") == 0) {
        axis->logarithmic = true;
        count--;
    }
    if (count != (random ? 2 : 3) || !ctParseNumber(words[0], &axis->from) || !ctParseNumber(words[1], &axis->to) ||
        (!random && !ctParseInteger(words[2], &axis->count))) {
        return failForm(axis, random, error);
    }
    if (!random && (axis->count < 1 || axis->count > CT_SWEEP_MAX_RUNS)) {
        return ctFail(error, ct_badArgument, "--vary %s: the count must be from 1 to %d, not %d", axis->name,
                      CT_SWEEP_MAX_RUNS, axis->count);
    }
    if (axis->logarithmic && !(axis->from > 0.0 && axis->to > 0.0)) {
        return ctFail(error, ct_badArgument, "--vary %s: both ends of a logarithmic range must be positive",
                      axis->name);
    }
    if (random) {
        return true;
    }
    axis->values = malloc((size_t)axis->count * sizeof *axis->values);
    if (axis->values == NULL) {
        return ctFailMemory(error, "the values of --vary");
    }
    for (int i = 0; i < axis->count; i++) {
        axis->values[i] = between(axis, axis->count > 1 ? (double)i / (axis->count - 1) : 0.0);
    }
    return true;
}

static bool readListed(const ctSweepAxis *axis, const char *word, double *value, ctError *error)
{
    if (axis->kind == ct_axisLaw) {
        ctLaw law;
        if (!ctLaw_Parse(word, &law, error)) {
            return false;
        }
        *value = law;
        return true;
    }
    return ctParseNumber(word, value) ||
           ctFail(error, ct_badArgument, "--vary %s: '%.60s' is no number", axis->name, word);
}

static bool readList(ctSweepAxis *axis, const char *text, ctError *error)
{
    int commas = 0;
    for (const char *p = text; *p != '\0'; p++) {
        commas += *p == ',';
    }
    char(*words)[MAX_WORD] = malloc((size_t)(commas + 1) * sizeof *words);
    axis->values = malloc((size_t)(commas + 1) * sizeof *axis->values);
    bool good = words != NULL && axis->values != NULL;
    if (!good) {
        ctFailMemory(error, "the values of --vary");
    } else if (commas >= MAX_LIST || split(text, ',', words, commas + 1) < 0) {
        good = failForm(axis, false, error);
    }
    axis->count = commas + 1;
    for (int i = 0; good && i < axis->count; i++) {
        good = readListed(axis, words[i], &axis->values[i], error);
    }
    if (good) {
        axis->from = axis->values[0];
        axis->to = axis->values[axis->count - 1];
    }
    free(words);
    return good;
}

static bool readAxis(ctSweepAxis *axis, const ctScene *scene, bool random, ctError *error)
{
    double min = 0.0, max = 0.0;
    const char *equals = strchr(axis->text, '=');
    if (equals == NULL || equals == axis->text || (size_t)(equals - axis->text) >= sizeof axis->name) {
        return failForm(axis, random, error);
    }
    memcpy(axis->name, axis->text, (size_t)(equals - axis->text));
    axis->name[equals - axis->text] = '\0';
    if (!findQuantity(axis, scene, &min, &max, error)) {
        return false;
    }
    if (strchr(equals, ':') == NULL || axis->kind == ct_axisLaw) {
        if (!readList(axis, equals + 1, error)) {
            return false;
        }
        for (int i = 0; i < axis->count; i++) {
            if (!checkRange(axis, axis->values[i], min, max, error)) {
                return false;
            }
        }
        return true;
    }
    return readRange(axis, equals + 1, random, error) && checkRange(axis, axis->from, min, max, error) &&
           checkRange(axis, axis->to, min, max, error);
}

// Varies each parameter of the scene over its whole range, except those that --set fixes.
static bool takeAllParams(ctSweep *sweep, const ctScene *scene, ctError *error)
{
    for (int i = 0; i < scene->paramCount; i++) {
        const ctSceneParam *p = &scene->params[i];
        bool fixed = false;
        for (int k = 0; k < sweep->scene.scene.settingCount; k++) {
            fixed = fixed || strcmp(sweep->scene.settings[k].name, p->name) == 0;
        }
        if (fixed) {
            continue;
        }
        if (sweep->axisCount == CT_SWEEP_AXES) {
            return ctFail(error, ct_limit, "%s has more than %d parameters; choose some with --vary", scene->name,
                          CT_SWEEP_AXES);
        }
        ctSweepAxis *axis = &sweep->axes[sweep->axisCount++];
        *axis = (ctSweepAxis){.kind = ct_axisParam, .from = p->min, .to = p->max};
        snprintf(axis->name, sizeof axis->name, "%.63s", p->name);
        snprintf(axis->label, sizeof axis->label, "%.190s", p->label);
    }
    return sweep->axisCount > 0 ||
           ctFail(error, ct_badArgument, "%s has no parameters left to draw; --vary mu=0:1 would be something",
                  scene->name);
}

// Refuses --mu, --e and --law when the scene has a parameter of that name: the column of the table would be ambiguous.
static bool checkNames(const ctSweep *sweep, const ctScene *scene, ctError *error)
{
    const ctSceneOptions *o = &sweep->scene.scene;
    const char *name = o->hasFriction && findParam(scene, "mu") != NULL     ? "mu"
                       : o->hasRestitution && findParam(scene, "e") != NULL ? "e"
                       : o->hasLaw && findParam(scene, "law") != NULL       ? "law"
                                                                            : NULL;
    return name == NULL ||
           ctFail(error, ct_badArgument, "%s has a parameter '%s' of its own: --set %s=... instead of --%s",
                  scene->name, name, name, name);
}

// Refuses quantities that are both fixed and varied, or varied twice.
static bool checkTwice(const ctSweep *sweep, ctError *error)
{
    const ctSceneOptions *fixed = &sweep->scene.scene;
    for (int i = 0; i < sweep->axisCount; i++) {
        const ctSweepAxis *axis = &sweep->axes[i];
        bool twice = (axis->kind == ct_axisFriction && fixed->hasFriction) ||
                     (axis->kind == ct_axisRestitution && fixed->hasRestitution) ||
                     (axis->kind == ct_axisLaw && fixed->hasLaw);
        for (int k = 0; k < fixed->settingCount && axis->kind == ct_axisParam; k++) {
            twice = twice || strcmp(fixed->settings[k].name, axis->name) == 0;
        }
        if (twice) {
            return ctFail(error, ct_badArgument, "'%s' is both fixed and varied", axis->name);
        }
        for (int k = 0; k < i; k++) {
            if (strcmp(sweep->axes[k].name, axis->name) == 0) {
                return ctFail(error, ct_badArgument, "'%s' is varied twice", axis->name);
            }
        }
    }
    return true;
}

// Scrambles a number (the finaliser of splitmix64), so that the results of neighbours are uncorrelated.
static uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A seed from the seed of the sweep, a kind and an index, scrambled one after the other.
static uint64_t seedOf(const ctSweep *sweep, uint64_t kind, uint64_t index)
{
    return scramble(scramble(scramble((uint64_t)sweep->seed + 1) + kind) + index);
}

enum { DRAW = 1000, STRATA = 2000, START = 3000 }; // kinds

// A random permutation of the strata of each axis (McKay, Beckman & Conover 1979).
static bool drawStrata(ctSweep *sweep, ctError *error)
{
    for (int a = 0; a < sweep->axisCount; a++) {
        uint64_t state[4];
        ctRandom_Seed(state, seedOf(sweep, STRATA + (uint64_t)a, 0));
        int *strata = malloc((size_t)sweep->random * sizeof *strata);
        if (strata == NULL) {
            return ctFailMemory(error, "a Latin hypercube");
        }
        for (int i = 0; i < sweep->random; i++) {
            int k = (int)(ctRandom_Uniform(state) * (i + 1));
            strata[i] = strata[k];
            strata[k] = i;
        }
        sweep->axes[a].strata = strata;
    }
    return true;
}

bool ctSweep_Plan(ctSweep *sweep, const ctScene *scene, ctError *error)
{
    bool random = sweep->random > 0;
    for (int i = 0; i < sweep->axisCount; i++) {
        if (!readAxis(&sweep->axes[i], scene, random, error)) {
            return false;
        }
    }
    if (sweep->axisCount == 0) {
        if (!random) {
            return ctFail(error, ct_badArgument, "nothing is varied: --vary NAME=FROM:TO:COUNT, or --random COUNT");
        }
        if (!takeAllParams(sweep, scene, error)) {
            return false;
        }
    }
    if (!checkTwice(sweep, error) || !checkNames(sweep, scene, error)) {
        return false;
    }
    int64_t points = random ? sweep->random : 1;
    for (int i = 0; i < sweep->axisCount && !random; i++) {
        points *= sweep->axes[i].count;
        points = points < INT32_MAX ? points : INT32_MAX;
    }
    if (points * sweep->repeats > CT_SWEEP_MAX_RUNS) {
        return ctFail(error, ct_limit, "that would be more than %d runs", CT_SWEEP_MAX_RUNS);
    }
    sweep->points = (int)points;
    sweep->runs = (int)(points * sweep->repeats);
    snprintf(sweep->title, sizeof sweep->title, "%.190s", scene->title);
    return !sweep->latin || drawStrata(sweep, error);
}

void ctSweep_Free(ctSweep *sweep)
{
    for (int i = 0; i < sweep->axisCount; i++) {
        free(sweep->axes[i].values);
        free(sweep->axes[i].strata);
        sweep->axes[i].values = NULL;
        sweep->axes[i].strata = NULL;
    }
}

// A number in [0, 1) that depends on the seed, the point and the axis alone.
static double draw(const ctSweep *sweep, int point, int axis)
{
    uint64_t state[4];
    ctRandom_Seed(state, seedOf(sweep, DRAW + (uint64_t)axis, (uint64_t)point));
    return ctRandom_Uniform(state);
}

double ctSweep_Value(const ctSweep *sweep, int axis, int run)
{
    const ctSweepAxis *a = &sweep->axes[axis];
    int point = run / sweep->repeats;
    if (sweep->random > 0) {
        double u = draw(sweep, point, axis);
        if (a->strata != NULL) {
            u = (a->strata[point] + u) / sweep->random;
        }
        return a->count > 0 ? a->values[(int)(u * a->count)] : between(a, u);
    }
    for (int i = sweep->axisCount - 1; i > axis; i--) {
        point /= sweep->axes[i].count;
    }
    return a->values[point % a->count];
}

uint64_t ctSweep_StartSeed(const ctSweep *sweep, int run)
{
    return seedOf(sweep, START, (uint64_t)run);
}
