// The option table and the files that appear whole or not at all.
#include "app/app.h"
#include "app/options.h"
#include "collision/error.h"
#include "render/files/atomic_file.h"
#include "scenes/nearest.h"
#include "tests/support/suite.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Values {
    bool flag, given;
    const char *text;
    double number, three[3];
    int integer, calls;
} Values;

static bool countCalls(const char *word, void *target, ctError *error)
{
    if (strchr(word, '=') == NULL) {
        return ctFail(error, ct_badArgument, "takes NAME=VALUE, not '%s'", word);
    }
    (*(int *)target)++;
    return true;
}

// The exit status that the line leads to; -1 when it is taken.
static int parse(Values *v, int *count, const char **words, char *line)
{
    const ctOption table[] = {
        CT_RANGE(ct_optionFlag, "flag", &v->flag, &v->given, NULL, 0, 0, "a flag"),
        CT_TEXT("text", &v->text, "TEXT", "a text"),
        CT_NUMBER("number", &v->number, NULL, "X", -1, 10, "a number"),
        CT_INTEGER("count", &v->integer, NULL, "N", 0, 0, "an integer"),
        CT_NUMBERS("three", v->three, NULL, "A,B,C", 3, "three numbers"),
        CT_CUSTOM("set", &v->calls, NULL, "N=V", countCalls, "repeatable"),
        {.name = NULL},
    };
    const ctOptionSet set = {"test", "clatter test [options]\n", NULL, table, words, 2};
    char *argv[32];
    int argc = 0;
    for (char *w = strtok(line, " "); w != NULL; w = strtok(NULL, " ")) {
        argv[argc++] = w;
    }
    int status;
    return ctParseOptions(&set, argc, argv, count, &status) ? -1 : status;
}

START_TEST(options_fill_their_targets)
{
    Values v = {0};
    const char *words[2] = {NULL, NULL};
    int count = 0;
    char line[] = "test one --flag --text=a=b --number -0.5 --count 12 --three 1,-2,3e-1 --set a=1 --set b=2 -- --two";
    ck_assert_int_eq(parse(&v, &count, words, line), -1);
    ck_assert(v.flag && v.given && v.number == -0.5 && v.integer == 12 && v.calls == 2);
    ck_assert_str_eq(v.text, "a=b");
    ck_assert(v.three[0] == 1 && v.three[1] == -2 && v.three[2] == 0.3);
    ck_assert_int_eq(count, 2);
    ck_assert_str_eq(words[0], "one");
    ck_assert_str_eq(words[1], "--two");
}
END_TEST

START_TEST(bad_options_are_refused)
{
    const char *lines[] = {
        "test --flga",
        "test --flag=1",
        "test --number 1x",
        "test --number nan",
        "test --number inf",
        "test --number 0x10",
        "test --number 1e999",
        "test --number 11",
        "test --number",
        "test --count 1.5",
        "test --count 9999999999",
        "test --three 1,2",
        "test --three 1,2,3,4",
        "test --three 1,,3",
        "test --set a",
        "test a b c",
        "test -f",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Values v = {0};
        const char *words[2];
        int count;
        char line[128];
        snprintf(line, sizeof line, "%s", lines[i]);
        ck_assert_msg(parse(&v, &count, words, line) == CT_EXIT_USAGE, "accepted: %s", lines[i]);
    }
}
END_TEST

START_TEST(near_names_are_suggested)
{
    const char *const names[] = {"batch", "bench", "method", NULL};
    ck_assert_str_eq(ctNearestName("bathc", names), "batch");
    ck_assert_str_eq(ctNearestName("benc", names), "bench");
    ck_assert_str_eq(ctNearestName("methdo", names), "method");
    ck_assert_ptr_null(ctNearestName("velocity", names));
    ck_assert_ptr_null(ctNearestName("x", names));
}
END_TEST

static int entries(const char *directory)
{
    int n = 0;
    DIR *d = opendir(directory);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e = readdir(d); e != NULL; e = readdir(d)) {
        n += e->d_name[0] != '.';
    }
    closedir(d);
    return n;
}

START_TEST(files_appear_whole_or_not_at_all)
{
    char directory[] = "/tmp/clatter-test-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(directory));
    char path[64], line[16] = "";
    snprintf(path, sizeof path, "%s/out.txt", directory);
    ctAtomicFile file;
    ctError error = {ct_ok, ""};
    ck_assert(ctAtomicFile_Open(&file, path, &error));
    fputs("first\n", file.stream);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert(ctAtomicFile_Commit(&file, &error));
    ck_assert_int_eq(entries(directory), 1);
    // An aborted second version leaves the first one alone.
    ck_assert(ctAtomicFile_Open(&file, path, &error));
    fputs("second\n", file.stream);
    ctAtomicFile_Abort(&file);
    ctAtomicFile_Abort(&file);
    ck_assert_int_eq(entries(directory), 1);
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, in));
    fclose(in);
    ck_assert_str_eq(line, "first\n");
    // Readable as the umask says, as any other file.
    struct stat s;
    mode_t mask = umask(022);
    umask(mask);
    ck_assert_int_eq(stat(path, &s), 0);
    ck_assert_int_eq((int)(s.st_mode & 0777), (int)(0666 & ~mask));
    unlink(path);
    // What cannot be written says so: no directory, no name, a directory in the way.
    snprintf(path, sizeof path, "%s/none/out.txt", directory);
    ck_assert(!ctAtomicFile_Open(&file, path, &error) && error.status == ct_io);
    ck_assert(!ctAtomicFile_Open(&file, "", &error));
    snprintf(path, sizeof path, "%s/sub", directory);
    ck_assert(ctAtomicFile_Open(&file, path, &error)); // which comes into the way only now
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert(!ctAtomicFile_Commit(&file, &error));
    ck_assert(!ctAtomicFile_Open(&file, path, &error) && error.status == ct_io);
    ck_assert_int_eq(entries(directory), 1);
    rmdir(path);
    rmdir(directory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *all = tcase_create("all");
    tcase_add_test(all, options_fill_their_targets);
    tcase_add_test(all, bad_options_are_refused);
    tcase_add_test(all, near_names_are_suggested);
    tcase_add_test(all, files_appear_whole_or_not_at_all);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
