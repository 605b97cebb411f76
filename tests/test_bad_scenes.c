// Every script in tests/data/bad_scenes must fail with the message that its first line says: "-- expect: LINE: text",
// or without a line where none is at fault. A second line may give options: "-- options: --set NAME=VALUE".
#include "app/app.h"
#include "app/scene_options.h"
#include "scenes/scene.h"
#include "tests/support/suite.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define FOLDER "tests/data/bad_scenes"

enum { MAX_FILES = 400, LEAST_FILES = 40 };

typedef struct BadScene {
    char path[300], expected[1000], setting[100];
} BadScene;

static BadScene scenes[MAX_FILES];
static int sceneCount;

static void readHeader(BadScene *scene)
{
    FILE *file = fopen(scene->path, "r");
    char line[600];
    ck_assert_msg(file != NULL && fgets(line, sizeof line, file) != NULL, "%s cannot be read", scene->path);
    line[strcspn(line, "\n")] = '\0';
    const char *mark = "-- expect: ";
    ck_assert_msg(strncmp(line, mark, strlen(mark)) == 0, "%s has no expectation", scene->path);
    const char *text = line + strlen(mark);
    bool hasLine = text[strspn(text, "0123456789")] == ':';
    snprintf(scene->expected, sizeof scene->expected, "%s:%s%s", scene->path, hasLine ? "" : " ", text);
    const char *options = "-- options: --set ";
    if (fgets(line, sizeof line, file) != NULL && strncmp(line, options, strlen(options)) == 0) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(scene->setting, sizeof scene->setting, "%.90s", line + strlen(options));
    }
    fclose(file);
}

static int byPath(const void *a, const void *b)
{
    return strcmp(((const BadScene *)a)->path, ((const BadScene *)b)->path);
}

static void readFolder(void)
{
    DIR *dir = opendir(FOLDER);
    ck_assert(dir != NULL);
    sceneCount = 0;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".lua") == 0) {
            ck_assert_int_lt(sceneCount, MAX_FILES);
            memset(&scenes[sceneCount], 0, sizeof scenes[0]);
            snprintf(scenes[sceneCount].path, sizeof scenes[0].path, FOLDER "/%.200s", e->d_name);
            readHeader(&scenes[sceneCount++]);
        }
    }
    closedir(dir);
    qsort(scenes, (size_t)sceneCount, sizeof scenes[0], byPath);
}

START_TEST(each_bad_scene_says_what_is_wrong)
{
    ck_assert_int_ge(sceneCount, LEAST_FILES);
    for (int i = 0; i < sceneCount; i++) {
        const BadScene *s = &scenes[i];
        static ctSceneArguments arguments;
        memset(&arguments, 0, sizeof arguments);
        ctError error = {ct_ok, ""};
        if (s->setting[0] != '\0') {
            ck_assert(ctParseSetting(s->setting, &arguments, &error));
        }
        arguments.scene.scriptMegabytes = 200.0;
        clock_t start = clock();
        ctScene *scene = ctScene_Load(s->path, &arguments.scene, &error);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        ck_assert_msg(scene == NULL, "%s was accepted", s->path);
        ck_assert_str_eq(error.message, s->expected);
        ck_assert_msg(error.status != ct_ok, "%s: the status says success", s->path);
        ck_assert_msg(seconds < 2.0, "%s took %g s to refuse", s->path, seconds);
    }
}
END_TEST

// Bytes that are no text: nothing to put a comment into.
START_TEST(bytecode_and_rubbish_are_refused)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *expected;
    } cases[] = {
        {"\x1bLua\x54\x00\x19\x93", 8, "attempt to load a binary chunk (mode is 't')"},
        {"\xff\xfe\x00\x00", 4, "unexpected symbol near '<\\255>'"},
        {"body{\0}", 7, ":1: unexpected symbol"},
        {"\xef\xbb\xbf-- Written with a byte-order mark.\r\nbody{}\r\n", 47, ".lua:2: body: shape is missing"},
    };
    for (int i = 0; i < 4; i++) {
        char path[] = "/tmp/clatter-test-XXXXXX.lua";
        int fd = mkstemps(path, 4);
        ck_assert_int_ge(fd, 0);
        FILE *file = fdopen(fd, "wb");
        fwrite(cases[i].bytes, 1, cases[i].length, file);
        fclose(file);
        ctError error = {ct_ok, ""};
        ck_assert(ctScene_Load(path, NULL, &error) == NULL);
        ck_assert_msg(strstr(error.message, cases[i].expected) != NULL, "%s", error.message);
        remove(path);
    }
}
END_TEST

START_TEST(paths_that_are_no_scripts_are_refused)
{
    static const char *const cases[][2] = {
        {"no/such/file.lua", "no/such/file.lua: No such file or directory"},
        {"tests/data/bad_scenes/", "tests/data/bad_scenes/: is not a file"},
        {"/dev/zero", "/dev/zero: is not a file"},
        {"bowlin", "there is no demo 'bowlin'; did you mean 'bowling'?"},
        {"", "there is no demo ''; clatter list names them, and a path to a script ends in .lua"},
        {"xyzzy", "there is no demo 'xyzzy'; clatter list names them, and a path to a script ends in .lua"},
    };
    for (int i = 0; i < 6; i++) {
        ctError error = {ct_ok, ""};
        ck_assert(ctScene_Load(cases[i][0], NULL, &error) == NULL);
        ck_assert_str_eq(error.message, cases[i][1]);
    }
    ctError error = {ct_ok, ""};
    ck_assert(ctScene_Load(NULL, NULL, &error) == NULL);
}
END_TEST

// What the program itself says of the first dozen: exit status 2, "clatter: " and the message.
START_TEST(the_program_refuses_them_with_status_2)
{
    const char *program = getenv("CLATTER");
    if (program == NULL) {
        return;
    }
    for (int i = 0; i < sceneCount; i += 8) {
        char command[1200], wanted[1100], line[1100] = "";
        snprintf(command, sizeof command, "%s sim %s %s%s --script-memory 200 --seconds 0 2>&1", program,
                 scenes[i].path, scenes[i].setting[0] != '\0' ? "--set " : "", scenes[i].setting);
        snprintf(wanted, sizeof wanted, "clatter: %s\n", scenes[i].expected);
        FILE *output = popen(command, "r");
        ck_assert(output != NULL);
        ck_assert_msg(fgets(line, sizeof line, output) != NULL, "%s says nothing", command);
        ck_assert_str_eq(line, wanted);
        int status = pclose(output);
        ck_assert(WIFEXITED(status));
        ck_assert_int_eq(WEXITSTATUS(status), CT_EXIT_USAGE);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bad_scenes");
    TCase *files = tcase_create("files");
    tcase_add_unchecked_fixture(files, readFolder, NULL);
    tcase_set_timeout(files, 60);
    tcase_add_test(files, each_bad_scene_says_what_is_wrong);
    tcase_add_test(files, the_program_refuses_them_with_status_2);
    suite_add_tcase(suite, files);
    TCase *rest = tcase_create("rest");
    tcase_add_test(rest, bytecode_and_rubbish_are_refused);
    tcase_add_test(rest, paths_that_are_no_scripts_are_refused);
    suite_add_tcase(suite, rest);
    return ctRunSuite(suite);
}
