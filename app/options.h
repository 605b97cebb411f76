// The options of a sub-command as a table. A row has the name, the kind of value, the target of the value, and the line
// that --help prints. Numbers are strict: the whole word must be a finite number.
#ifndef CT_OPTIONS_H
#define CT_OPTIONS_H

#include "collision/types.h"

#include <stdio.h>

typedef enum ctOptionKind {
    ct_optionFlag,    // bool: true when the option is given
    ct_optionText,    // const char *: points into argv
    ct_optionNumber,  // double, in [min, max]
    ct_optionInteger, // int, in [min, max]
    ct_optionNumbers, // double[count], separated by commas
    ct_optionCustom,  // parse(word, target, error); may come several times
} ctOptionKind;

typedef struct ctOption {
    const char *name; // without the dashes; NULL ends the table
    ctOptionKind kind;
    void *target;
    const char *argument; // what --help calls the value: "FILE", "X", "WxH"; NULL for a flag
    const char *help;
    bool *given;     // set to true when the option is given; may be NULL
    double min, max; // for numbers; both zero means any finite number
    int count;       // for ct_optionNumbers
    // For ct_optionCustom. On failure the error says what is wrong with the word.
    bool (*parse)(const char *word, void *target, ctError *error);
} ctOption;

// Rows of a table. `given` may be NULL. Limits of 0 and 0 allow any finite number.
#define CT_FLAG(name_, target_, help_)                                                                                 \
    ((ctOption){.name = name_, .kind = ct_optionFlag, .target = target_, .help = help_})
#define CT_TEXT(name_, target_, argument_, help_)                                                                      \
    ((ctOption){.name = name_, .kind = ct_optionText, .target = target_, .argument = argument_, .help = help_})
#define CT_RANGE(kind_, name_, target_, given_, argument_, min_, max_, help_)                                          \
    ((ctOption){.name = name_,                                                                                         \
                .kind = kind_,                                                                                         \
                .target = target_,                                                                                     \
                .given = given_,                                                                                       \
                .argument = argument_,                                                                                 \
                .min = min_,                                                                                           \
                .max = max_,                                                                                           \
                .help = help_})
#define CT_NUMBER(...) CT_RANGE(ct_optionNumber, __VA_ARGS__)
#define CT_INTEGER(...) CT_RANGE(ct_optionInteger, __VA_ARGS__)
#define CT_NUMBERS(name_, target_, given_, argument_, count_, help_)                                                   \
    ((ctOption){.name = name_,                                                                                         \
                .kind = ct_optionNumbers,                                                                              \
                .target = target_,                                                                                     \
                .given = given_,                                                                                       \
                .argument = argument_,                                                                                 \
                .count = count_,                                                                                       \
                .help = help_})
#define CT_CUSTOM(name_, target_, given_, argument_, parse_, help_)                                                    \
    ((ctOption){.name = name_,                                                                                         \
                .kind = ct_optionCustom,                                                                               \
                .target = target_,                                                                                     \
                .given = given_,                                                                                       \
                .argument = argument_,                                                                                 \
                .parse = parse_,                                                                                       \
                .help = help_})

typedef struct ctOptionSet {
    const char *command; // "impact"
    const char *usage;   // the lines after "usage: ", each ended by a newline
    const char *notes;   // printed by --help below the table; may be NULL
    const ctOption *options;
    // Words that are not options (a scene's name, say) go here, in order. More of them are an error.
    const char **words;
    int maxWords;
} ctOptionSet;

// Reads argv[1..]. An option is --name value or --name=value; -h is --help; -- ends the options.
// *wordCount (may be NULL when maxWords is 0 or 1) counts the words found. False: exit with *status, since --help or
// --version was asked for and printed, or a message is on standard error.
bool ctParseOptions(const ctOptionSet *set, int argc, char **argv, int *wordCount, int *status);

void ctPrintVersion(void);

// The whole of text as a finite decimal number. False for anything else: trailing characters, nan,
// inf, hexadecimal, or beyond the range of double.
bool ctParseNumber(const char *text, double *value);
bool ctParseInteger(const char *text, int *value);
// WIDTHxHEIGHT in pixels, for ct_optionCustom.
bool ctParseSize(const char *word, int least, int *width, int *height, ctError *error);

// A file that an option names; NULL: the option is not given.
typedef struct ctNamedFile {
    const char *option, *path;
} ctNamedFile;

// False with an error when two options name the same file, so that one output would overwrite the other. Standard
// output and devices may be shared.
bool ctCheckFilesDiffer(const ctNamedFile *files, int count, ctError *error);

#endif
