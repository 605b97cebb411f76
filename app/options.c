#include "app/options.h"

#include "app/app.h"

#include "collision/error.h"
#include "render/files/atomic_file.h"
#include "scenes/nearest.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_NAME = 32, MAX_OPTIONS = 64 };

bool ctParseNumber(const char *text, double *value)
{
    // strtod also reads "nan", "inf", hexadecimal and leading blanks.
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0') {
        return false;
    }
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x)) {
        return false;
    }
    *value = x;
    return true;
}

bool ctParseInteger(const char *text, int *value)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789+-")] != '\0') {
        return false;
    }
    char *end;
    errno = 0;
    long x = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || x < INT_MIN || x > INT_MAX) {
        return false;
    }
    *value = (int)x;
    return true;
}

static void printOptions(const ctOptionSet *set, FILE *out)
{
    fprintf(out, "usage: %s\n", set->usage);
    int width = (int)strlen("help");
    for (const ctOption *o = set->options; o->name != NULL; o++) {
        int w = (int)strlen(o->name) + (o->argument != NULL ? 1 + (int)strlen(o->argument) : 0);
        width = w > width ? w : width;
    }
    for (const ctOption *o = set->options; o->name != NULL; o++) {
        char left[128];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->argument != NULL ? " " : "",
                 o->argument != NULL ? o->argument : "");
        fprintf(out, "  --%-*s  %s\n", width, left, o->help);
    }
    fprintf(out, "  --%-*s  %s\n", width, "help", "this text");
    if (set->notes != NULL) {
        fprintf(out, "\n%s", set->notes);
    }
}

static bool wrong(const ctOptionSet *set, const char *what)
{
    fprintf(stderr, "clatter: %s: %s\n", set->command, what);
    return false;
}

static bool unknownOption(const ctOptionSet *set, const char *name)
{
    const char *names[MAX_OPTIONS];
    int n = 0;
    for (const ctOption *o = set->options; o->name != NULL && n < MAX_OPTIONS - 2; o++) {
        names[n++] = o->name;
    }
    names[n++] = "help";
    names[n] = NULL;
    const char *closest = ctNearestName(name, names);
    if (closest != NULL) {
        fprintf(stderr, "clatter: %s: unknown option '--%s'; did you mean '--%s'?\n", set->command, name, closest);
    } else {
        fprintf(stderr, "clatter: %s: unknown option '--%s'; clatter %s --help lists them\n", set->command, name,
                set->command);
    }
    return false;
}

bool ctParseSize(const char *word, int least, int *width, int *height, ctError *error)
{
    enum { MOST = 16384 };
    int w, h;
    char rest;
    if (sscanf(word, "%5dx%5d%c", &w, &h, &rest) != 2 || w < least || h < least || w > MOST || h > MOST) {
        return ctFail(error, ct_badArgument, "takes WIDTHxHEIGHT, each from %d to %d, not '%.40s'", least, MOST, word);
    }
    *width = w;
    *height = h;
    return true;
}

static bool inRange(const ctOption *o, double x, ctError *error)
{
    if ((o->min != 0.0 || o->max != 0.0) && !(x >= o->min && x <= o->max)) {
        return ctFail(error, ct_badArgument, "must be from %g to %g, not %g", o->min, o->max, x);
    }
    return true;
}

static bool parseNumbers(const ctOption *o, const char *word, ctError *error)
{
    double *target = o->target;
    const char *p = word;
    for (int i = 0; i < o->count; i++) {
        char part[64];
        size_t length = strcspn(p, ",");
        bool last = i == o->count - 1;
        if (length >= sizeof part || (p[length] == ',') == last) {
            return ctFail(error, ct_badArgument, "takes %d numbers separated by commas, not '%.60s'", o->count, word);
        }
        memcpy(part, p, length);
        part[length] = '\0';
        if (!ctParseNumber(part, &target[i])) {
            return ctFail(error, ct_badArgument, "takes %d numbers; '%s' is not one", o->count, part);
        }
        p += length + (last ? 0 : 1);
    }
    return true;
}

static bool parseValue(const ctOption *o, const char *word, ctError *error)
{
    double number;
    int integer;
    switch (o->kind) {
    case ct_optionFlag:
        *(bool *)o->target = true;
        return true;
    case ct_optionText:
        *(const char **)o->target = word;
        return word[0] != '\0' || ctFail(error, ct_badArgument, "needs a value (%s)", o->argument);
    case ct_optionNumber:
        if (!ctParseNumber(word, &number)) {
            return ctFail(error, ct_badArgument, "takes a number, not '%.60s'", word);
        }
        *(double *)o->target = number;
        return inRange(o, number, error);
    case ct_optionInteger:
        if (!ctParseInteger(word, &integer)) {
            return ctFail(error, ct_badArgument, "takes a whole number, not '%.60s'", word);
        }
        *(int *)o->target = integer;
        return inRange(o, integer, error);
    case ct_optionNumbers:
        return parseNumbers(o, word, error);
    case ct_optionCustom:
        return o->parse(word, o->target, error);
    }
    return false;
}

// Reads the option at argv[*i]. Advances *i when the value is the next word.
static bool takeOption(const ctOptionSet *set, int argc, char **argv, int *i)
{
    const char *text = argv[*i] + 2;
    char name[MAX_NAME] = "";
    size_t length = strcspn(text, "=");
    if (length >= sizeof name) {
        return unknownOption(set, text);
    }
    memcpy(name, text, length);
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    for (const ctOption *o = set->options; o->name != NULL; o++) {
        if (strcmp(o->name, name) != 0) {
            continue;
        }
        char what[64 + CT_MESSAGE_SIZE];
        if (o->kind == ct_optionFlag && value != NULL) {
            snprintf(what, sizeof what, "--%s takes no value", name);
            return wrong(set, what);
        }
        if (o->kind != ct_optionFlag && value == NULL) {
            if (*i + 1 >= argc) {
                snprintf(what, sizeof what, "--%s needs a value (%s)", name, o->argument);
                return wrong(set, what);
            }
            value = argv[++*i];
        }
        ctError error = {ct_ok, ""};
        if (!parseValue(o, value, &error)) {
            snprintf(what, sizeof what, "--%s %s", name, error.message);
            return wrong(set, what);
        }
        if (o->given != NULL) {
            *o->given = true;
        }
        return true;
    }
    return unknownOption(set, name);
}

void ctPrintVersion(void)
{
    puts("clatter " CT_VERSION);
}

bool ctParseOptions(const ctOptionSet *set, int argc, char **argv, int *wordCount, int *status)
{
    int words = 0;
    *status = CT_EXIT_USAGE;
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!ended && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            printOptions(set, stdout);
            *status = CT_EXIT_OK;
            return false;
        }
        if (!ended && strcmp(word, "--version") == 0) {
            ctPrintVersion();
            *status = CT_EXIT_OK;
            return false;
        }
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
        } else if (!ended && word[0] == '-' && word[1] == '-') {
            if (!takeOption(set, argc, argv, &i)) {
                return false;
            }
        } else if (!ended && word[0] == '-' && word[1] != '\0') {
            fprintf(stderr, "clatter: %s: unknown option '%s'; options begin with two dashes\n", set->command, word);
            return false;
        } else if (words < set->maxWords) {
            set->words[words++] = word;
        } else {
            fprintf(stderr, "clatter: %s: unexpected '%s'; clatter %s --help says what it takes\n", set->command, word,
                    set->command);
            return false;
        }
    }
    if (wordCount != NULL) {
        *wordCount = words;
    }
    *status = CT_EXIT_OK;
    return true;
}

static bool isRegular(const char *path)
{
    struct stat info;
    return strcmp(path, "-") != 0 && (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

bool ctCheckFilesDiffer(const ctNamedFile *files, int count, ctError *error)
{
    for (int j = 1; j < count; j++) {
        for (int i = 0; i < j; i++) {
            const char *one = files[i].path, *two = files[j].path;
            if (one != NULL && two != NULL && isRegular(one) && ctIsSameFile(one, two)) {
                return ctFail(error, ct_badArgument, "--%s and --%s name the same file, %s", files[i].option,
                              files[j].option, one);
            }
        }
    }
    return true;
}
