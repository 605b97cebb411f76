// clatter sim from the outside: files, columns, exit statuses, determinism.
#include "collision/error.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/clatter_sim_XXXXXX";

static const char *program(void)
{
    const char *path = getenv("CLATTER");
    return path != NULL ? path : "build/release/clatter";
}

// Runs a shell command; its exit status.
static int run(const char *format, ...) CT_PRINTF(1, 2);

static int run(const char *format, ...)
{
    char command[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(command, sizeof command, format, list);
    va_end(list);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *readFile(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no file %s", path);
    char *text = calloc(1, 1 << 24);
    ck_assert_uint_lt(fread(text, 1, (1 << 24) - 1, file), (1 << 24) - 1);
    fclose(file);
    return text;
}

static double number(const char *json, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(json, quoted);
    ck_assert_msg(at != NULL, "no key %s", key);
    return strtod(at + strlen(quoted), NULL);
}

static int occurrences(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        count++;
    }
    return count;
}

static const char scene[] =
    "scene { title = 'Two balls', seconds = 1 }\n"
    "local h = param('height', 1, 0.5, 5, 'height (m)')\n"
    "material('m', { friction = 0, restitution = 0.8 })\n"
    "body { name = 'floor', motion = 'fixed', shape = plane{}, material = 'm' }\n"
    "body { name = 'ball', shape = sphere{radius=0.1}, mass = 2, position = {0,0,h+0.1}, material = 'm' }\n"
    "body { shape = box{size={0.2,0.2,0.2}}, position = {1,0,0.1}, material = 'm' }\n";

static void setUp(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char path[512];
    snprintf(path, sizeof path, "%s/s.lua", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(scene, file);
    fclose(file);
}

static void tearDown(void)
{
    run("rm -rf %s", folder);
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
}

START_TEST(files_have_the_columns_of_the_contract)
{
    ck_assert_int_eq(run("%s sim %s/s.lua --trace %s/t.csv --events %s/e.csv --stats %s/s.json --audit >%s/out",
                         program(), folder, folder, folder, folder, folder),
                     0);
    char *trace = readFile("t.csv"), *events = readFile("e.csv"), *stats = readFile("s.json"), *out = readFile("out");
    ck_assert(strncmp(trace, "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", 46) == 0);
    ck_assert(strncmp(events, "time,kind,body1,body2,x,y,z,nx,ny,nz,ux,uy,uz,px,py,pz,energy\n", 62) == 0);
    int lines = 0;
    for (const char *c = trace; *c != '\0'; c++) {
        lines += *c == '\n';
    }
    ck_assert_int_eq(lines, 1 + 3 * 61);
    ck_assert_ptr_nonnull(strstr(trace, "\n0,ball,0,0,1.1000000000000001,1,0,0,0,0,0,0,0,0,0\n"));
    // The first impact: at sqrt(2 h / g), with m v (1 + e), losing m v^2 (1 - e^2) / 2.
    double time = sqrt(2.0 / 9.81), v = sqrt(2.0 * 9.81), at, x[13];
    const char *first = strchr(events, '\n') + 1;
    ck_assert_int_eq(sscanf(first, "%lf,impact,ball,floor,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &at,
                            &x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &x[6], &x[7], &x[8], &x[9], &x[10], &x[11],
                            &x[12]),
                     14);
    ctAssertClose(at, time, 1e-12);
    ctAssertClose(x[8], -v, 1e-12);
    ctAssertClose(x[11], 2.0 * 1.8 * v, 1e-11);
    ctAssertClose(x[12], 0.36 * v * v, 1e-11);
    const char *const keys[] = {"simulated_s",     "cpu_s",         "realtime_factor",  "impacts",
                                "microcollisions", "contact_steps", "distance_checks",  "max_penetration_m",
                                "energy_start_j",  "energy_end_j",  "audit_violations", "asleep"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        ck_assert(isfinite(number(stats, keys[i])));
    }
    ctAssertClose(number(stats, "simulated_s"), 1.0, 1e-12);
    ck_assert(number(stats, "audit_violations") == 0.0);
    ck_assert_ptr_nonnull(strstr(stats, "\"state_hash\": \""));
    double change = number(stats, "energy_end_j") - number(stats, "energy_start_j");
    double lost =
        number(stats, "friction_loss_j") + number(stats, "restitution_loss_j") + number(stats, "contact_loss_j");
    double gained = number(stats, "kinematic_work_j") + number(stats, "push_work_j") + number(stats, "step_error_j");
    ctAssertClose(change, gained - lost, 1e-12 * lost);
    ck_assert_ptr_nonnull(strstr(out, "unaccounted"));
    ck_assert(strncmp(out, "Two balls: 1 s simulated", 24) == 0);
    free(trace), free(events), free(stats), free(out);
}
END_TEST

// The largest number of threads of a run of the program.
static int mostThreads(const char *words)
{
    char command[1024], path[64];
    snprintf(command, sizeof command, "exec %s %s >/dev/null 2>&1", program(), words);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    snprintf(path, sizeof path, "/proc/%d/status", (int)child);
    int most = 0, status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        FILE *file = fopen(path, "r");
        int threads = 0;
        for (char line[200]; file != NULL && fgets(line, sizeof line, file) != NULL;) {
            sscanf(line, "Threads: %d", &threads);
        }
        if (file != NULL) {
            fclose(file);
        }
        most = threads > most ? threads : most;
        usleep(1000);
    }
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return most;
}

START_TEST(a_world_is_stepped_on_all_cores_unless_told_otherwise)
{
    char pile[512], words[700];
    snprintf(pile, sizeof pile, "%s/pile.lua", folder);
    FILE *file = fopen(pile, "w");
    fputs("body { motion = 'fixed', shape = plane{} }\n"
          "for i, p in ipairs(grid({3, 3, 10}, {1, 1, 0.11}, {0, 0, 0.6})) do\n"
          "  body { shape = box{size = {0.1, 0.1, 0.1}}, position = p }\n"
          "end\n",
          file);
    fclose(file);
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN),
        some = cores < 3 ? cores : 3; // of nine stacks, three are due at once
    const struct {
        const char *options;
        int least, most;
    } cases[] = {{"", some, cores}, {"--threads 0", some, cores}, {"--threads 1", 1, 1}, {"--threads 3", 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(words, sizeof words, "sim %s --seconds 0.5 %s", pile, cases[i].options);
        int threads = mostThreads(words);
        ctRequire(threads >= cases[i].least && threads <= cases[i].most, "%d threads with '%s'", threads,
                  cases[i].options);
    }
    // a sweep has many worlds instead: each is stepped by one thread
    snprintf(words, sizeof words, "sweep %s --vary mu=0.1:0.5:2 --seconds 0.3 --threads 1", pile);
    ck_assert_int_eq(mostThreads(words), 2);
    ck_assert_int_eq(mostThreads("sim marbles --seconds 1"), 1);
}
END_TEST

START_TEST(bad_usage_is_answered)
{
    ck_assert_int_eq(run("%s sim >/dev/null 2>%s/err", program(), folder), 2);
    ck_assert_int_eq(run("%s sim %s/none.lua >/dev/null 2>%s/err", program(), folder, folder), 2);
    ck_assert_int_eq(run("%s sim %s/s.lua --seconds -1 >/dev/null 2>%s/err", program(), folder, folder), 2);
    ck_assert_int_eq(run("%s sim %s/s.lua --set nothing=1 >/dev/null 2>%s/err", program(), folder, folder), 2);
    ck_assert_int_eq(run("%s sim %s/s.lua --law magic >/dev/null 2>%s/err", program(), folder, folder), 2);
    ck_assert_int_eq(run("%s sim %s/s.lua --threads 65 >/dev/null 2>%s/err", program(), folder, folder), 2);
    ck_assert_int_eq(run("%s sim %s/s.lua --trace '' >/dev/null 2>%s/err", program(), folder, folder), 2);
    ck_assert_int_eq(run("%s sim --help >%s/out", program(), folder), 0);
    // What cannot be written fails, and leaves nothing behind.
    ck_assert_int_eq(run("%s sim %s/s.lua --trace %s/no/t.csv >/dev/null 2>%s/err", program(), folder, folder, folder),
                     1);
    ck_assert_int_eq(
        run("%s sim %s/s.lua --trace /dev/full/t --events %s/e.csv 2>/dev/null", program(), folder, folder), 1);
    ck_assert_int_eq(run("%s sim %s/s.lua >/dev/full 2>%s/err", program(), folder, folder), 1);
    ck_assert_int_eq(run("grep -q 'standard output: cannot write: No space' %s/err", folder), 0);
    ck_assert_int_eq(run("test $(ls %s | wc -l) = 3", folder), 0); // s.lua, err, out
}
END_TEST

// Devices and pipes are written to, not replaced by files. (The pipe has a name of its own in the folder: a test that
// fails must not harm the machine.)
START_TEST(pipes_are_written_to)
{
    ck_assert_int_eq(run("mkfifo %s/pipe && (timeout 20 cat %s/pipe >%s/got & "
                         "%s sim %s/s.lua --seconds 0.1 --trace %s/pipe >/dev/null; status=$?; wait; exit $status)",
                         folder, folder, folder, program(), folder, folder),
                     0);
    ck_assert_int_eq(run("test -p %s/pipe && grep -q '^time,body,x' %s/got", folder, folder), 0);
    ck_assert_int_eq(run("rm %s/pipe %s/got; ls %s | grep -q tmp", folder, folder, folder), 1);
}
END_TEST

// A reader that goes away and a file that may not grow end a run with a message, and no temporary file stays.
START_TEST(a_write_that_fails_ends_the_run)
{
    ck_assert_int_eq(run("{ %s sim %s/s.lua --seconds 99999 --trace - --events %s/e.csv 2>%s/err; echo $? >%s/status; }"
                         " | head -n 1 | grep -q '^time,body,x' && grep -qx 1 %s/status",
                         program(), folder, folder, folder, folder, folder),
                     0);
    ck_assert_int_eq(run("grep -qx 'clatter: -: cannot write: Broken pipe' %s/err", folder), 0);
    ck_assert_int_eq(run("(ulimit -f 16; %s sim %s/s.lua --seconds 99999 --trace %s/t.csv 2>%s/err)", program(), folder,
                         folder, folder),
                     1);
    ck_assert_int_eq(run("grep -q 't.csv: cannot write: File too large' %s/err", folder), 0);
    ck_assert_int_eq(run("%s sim %s/s.lua --seconds 99999 --trace %s 2>%s/err", program(), folder, folder, folder), 1);
    ck_assert_int_eq(run("grep -q 'cannot write: Is a directory' %s/err", folder), 0); // before the run, not after it
    ck_assert_int_eq(run("%s info %s/s.lua --json >/dev/full 2>%s/err", program(), folder, folder), 1);
    ck_assert_int_eq(run("grep -q '^clatter: ' %s/err", folder), 0);
    ck_assert_int_eq(run("ls -d %s/e.csv* %s/t.csv* %s.tmp* 2>/dev/null | grep -q .", folder, folder, folder), 1);
}
END_TEST

START_TEST(options_reach_the_world)
{
    ck_assert_int_eq(run("%s sim %s/s.lua --set height=2 --e 0.5 --fps 100 --seconds 0.8 --contact microcollision "
                         "--law poisson --events %s/e.csv --stats %s/s.json >/dev/null",
                         program(), folder, folder, folder),
                     0);
    char *events = readFile("e.csv"), *stats = readFile("s.json");
    const char *row = strstr(events, ",impact,ball");
    ck_assert_ptr_nonnull(row);
    while (row[-1] != '\n') {
        row--;
    }
    ctAssertClose(strtod(row, NULL), sqrt(4.0 / 9.81), 1e-12);
    ck_assert(number(stats, "microcollisions") > 0.0);
    ck_assert_int_eq(occurrences(events, ",micro,"), (int)number(stats, "microcollisions"));
    ck_assert_int_eq(occurrences(events, ",impact,"), (int)number(stats, "impacts"));
    ctAssertClose(number(stats, "simulated_s"), 0.8, 1e-12);
    free(events), free(stats);
}
END_TEST

// A saved world takes what can be changed about it; what it has of its own is not asked for in vain.
START_TEST(options_of_saved_worlds)
{
    const char *saved = "tests/data/snapshot_11.snap";
    ck_assert_int_eq(run("%s sim %s --seconds 0.1 --fps 100 --contact microcollision --audit --stats %s/s.json "
                         ">/dev/null",
                         program(), saved, folder),
                     0);
    char *stats = readFile("s.json");
    ctAssertClose(number(stats, "simulated_s"), 0.5, 1e-12);
    ck_assert(number(stats, "microcollisions") > 0.0);
    free(stats);
    ck_assert_int_eq(run("%s sim %s --set height=1 2>%s/err", program(), saved, folder), 2);
    ck_assert_int_eq(run("grep -q \"snapshot_11.snap: parameters of a saved world .* 'height'\" %s/err", folder), 0);
    ck_assert_int_eq(run("%s sim %s --mu 0.5 2>%s/err", program(), saved, folder), 2);
    ck_assert_int_eq(run("grep -q 'has its own friction' %s/err", folder), 0);
}
END_TEST

// A signal in mid-run: neither the file nor a temporary one stays. (A shell's background job ignores SIGINT.)
START_TEST(an_interrupted_run_leaves_nothing)
{
    const char *const commands[] = {"sim", "export"}, *const outputs[] = {"--trace", "--out"};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(run("%s %s %s/s.lua %s %s/out.csv --seconds 99999 2>%s/message & p=$!; "
                             "for i in $(seq 200); do ls %s/out.csv.* >/dev/null 2>&1 && break; sleep 0.05; done; "
                             "ls %s/out.csv.tmp-* >/dev/null || exit 3; kill -TERM $p; wait $p",
                             program(), commands[i], folder, outputs[i], folder, folder, folder, folder),
                         1);
        char *message = readFile("message");
        ck_assert_str_eq(message, "clatter: interrupted by signal 15; no file was written\n");
        free(message);
        ck_assert_int_ne(run("ls %s | grep -q out.csv", folder), 0);
    }
}
END_TEST

// The hash of a demo after some seconds, by one executable.
static void hashOf(const char *executable, const char *demo, const char *name)
{
    ck_assert_int_eq(run("%s sim %s --stats %s/%s.json >/dev/null", executable, demo, folder, name), 0);
    ck_assert_int_eq(run("grep -o '\"state_hash.*' %s/%s.json > %s/%s.hash", folder, name, folder, name), 0);
}

START_TEST(the_same_run_gives_the_same_state)
{
    const char *const demos[] = {"superball --seconds 2",
                                 "marbles --seconds 1",
                                 "coins --seconds 1",
                                 "bowling --seconds 2.4",
                                 "ramp --seconds 1",
                                 "platter --seconds 1",
                                 "rattleback --seconds 1",
                                 "disk --seconds 1",
                                 "billiards --seconds 0.5",
                                 "dominoes --seconds 0.5",
                                 "gas --seconds 0.2",
                                 "tower --seconds 2.05",
                                 "galton --seconds 1",
                                 "tumble --seconds 2",
                                 "pinball --seconds 8",
                                 "marble_run --seconds 1",
                                 "coins --contact microcollision --seconds 0.5"};
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        hashOf(program(), demos[i], "one");
        char threaded[80]; // by another number of threads each
        snprintf(threaded, sizeof threaded, "%s --threads %d", demos[i], (int)(i % 3) + 1);
        hashOf(program(), threaded, "two");
        ck_assert_int_eq(run("cmp -s %s/one.hash %s/two.hash", folder, folder), 0);
        // The optimised and the sanitised program, where both have been built.
        if (access("build/release/clatter", X_OK) == 0 && access("build/asan/clatter", X_OK) == 0 &&
            strcmp(program(), "build/asan/clatter") == 0) {
            hashOf("build/release/clatter", demos[i], "two");
            ck_assert_msg(run("cmp %s/one.hash %s/two.hash", folder, folder) == 0, "%s differs between builds",
                          demos[i]);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sim");
    TCase *tc = tcase_create("sim");
    tcase_add_checked_fixture(tc, setUp, tearDown);
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, files_have_the_columns_of_the_contract);
    tcase_add_test(tc, a_world_is_stepped_on_all_cores_unless_told_otherwise);
    tcase_add_test(tc, bad_usage_is_answered);
    tcase_add_test(tc, pipes_are_written_to);
    tcase_add_test(tc, a_write_that_fails_ends_the_run);
    tcase_add_test(tc, options_reach_the_world);
    tcase_add_test(tc, options_of_saved_worlds);
    tcase_add_test(tc, an_interrupted_run_leaves_nothing);
    tcase_add_test(tc, the_same_run_gives_the_same_state);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
