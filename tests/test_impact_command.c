// `clatter impact` as a user sees it: tables in, tables, words and pictures out, exit statuses.
#include "tests/support/command.h"
#include "tests/support/impact_vectors.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ICOSAHEDRON                                                                                                    \
    "--k 11.5984,-0.910367,2.44236,9.90134,1.95747,2.59042 --u=-0.261976336,0.386328727,-0.077174105 --mu 0.8 --e "    \
    "0.95"
#define BABER "--k 20,-23,4,31,-7,4 --u 630,-780,-0.22 --mu 0.5 --e 0.9"

static void setup(void)
{
    ctTestFolder();
}

static void teardown(void)
{
    ctRemoveTestFolder();
}

static FILE *openResult(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *in = fopen(path, "r");
    ck_assert_msg(in != NULL, "%s is missing", path);
    return in;
}

START_TEST(a_table_is_solved)
{
    const char *names[] = {"impact_public.csv", "impact_seeds.csv"};
    for (int file = 0; file < 2; file++) {
        int count;
        ctImpactVector *all = ctReadImpactVectors(names[file], &count);
        ctCommandOutput out = ctRunCommand("$CLATTER impact --batch tests/data/%s > $T/out.csv", names[file]);
        ck_assert_int_eq(out.status, 0);
        ck_assert_str_eq(out.text, "");
        FILE *in = openResult("out.csv");
        char line[1024], mode[32];
        ck_assert(fgets(line, sizeof line, in) != NULL);
        ck_assert_str_eq(line, "px,py,pz,vx,vy,vz,mode\n");
        for (int i = 0; i < count; i++) {
            ctVec3 p, v;
            ck_assert(fgets(line, sizeof line, in) != NULL);
            ck_assert_int_eq(
                sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%31[a-z-]", &p.x, &p.y, &p.z, &v.x, &v.y, &v.z, mode), 7);
            ctAssertClose(ctRelativeError(p, all[i].p), 0.0, 1e-9);
            // 17 digits: the very numbers of the library.
            ctImpactResult r;
            ctSolveImpact(&all[i].in, &r);
            ck_assert(p.x == r.p.x && p.y == r.p.y && p.z == r.p.z && v.x == r.v.x && v.y == r.v.y && v.z == r.v.z);
            ck_assert_str_eq(mode, ctImpactModeName(r.mode));
        }
        ck_assert(fgets(line, sizeof line, in) == NULL);
        fclose(in);
        free(all);
    }
}
END_TEST

START_TEST(columns_come_in_any_order)
{
    ctCommandOutput a = ctRunCommand("printf 'k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e,et,law\\n"
                                     "4,1,0.5,3,0.2,2,1,2,-3,0.5,0.5,0.25,algebraic\\n' | $CLATTER impact --batch -");
    ctCommandOutput b = ctRunCommand(
        "printf '\\xef\\xbb\\xbf\"note\", \"law\" ,e,uz,uy,ux,k33,k23,k22,k13,k12,k11,et,mu\\r\\n\\r\\n"
        "\"hello\", \"algebraic\" ,0.5,-3,2,1,2,0.2,3,0.5,1,4,0.25,0.5\\r\\n' | $CLATTER impact --batch -");
    ck_assert_int_eq(a.status, 0);
    ck_assert_str_eq(a.text, b.text);
    // et, sigma and law have defaults.
    ctCommandOutput c =
        ctRunCommand("printf 'k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e\\n"
                     "2,0,0,2,0,1,0,0,-1,0.5,0.5\\n2,0,0,2,0,1,0,0,1,0.5,0.5\\n' | $CLATTER impact --batch -");
    ck_assert_str_eq(c.text, "px,py,pz,vx,vy,vz,mode\n0,0,1.5,0,0,0.5,stick\n0,0,0,0,0,1,none\n");
    ctCommandOutput endless = ctRunCommand("$CLATTER impact --batch /dev/zero 2>&1");
    ck_assert_int_eq(endless.status, 2);
    ck_assert_ptr_nonnull(strstr(endless.text, "/dev/zero:1: cannot read: File too large"));
}
END_TEST

START_TEST(invalid_cases_answer_nan)
{
    ctCommandOutput out =
        ctRunCommand("printf 'k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e,et,law\\n"
                     "2,0,0,2,0,1,0,0,-1,0.5,0.5,0,stronge\\n2,0,0,2,0,-1,0,0,-1,0.5,0.5,0,stronge\\n"
                     "2,0,0,2,0,1,0,0,-1,-0.5,0.5,0,stronge\\n2,0,0,2,0,1,0,0,-1,0.5,1.5,0,stronge\\n"
                     "2,0,0,2,0,1,nan,0,-1,0.5,0.5,0,stronge\\n2,0,0,2,0,1,0,0,-inf,0.5,0.5,0,poisson\\n'"
                     "| $CLATTER impact --batch -");
    ck_assert_int_eq(out.status, 1);
    const char *line = strchr(out.text, '\n') + 1;
    ck_assert(strncmp(line, "0,0,1.5", 7) == 0);
    for (int i = 0; i < 5; i++) {
        line = strchr(line, '\n') + 1;
        ck_assert(strncmp(line, "nan,nan,nan,nan,nan,nan,invalid\n", 32) == 0);
    }
}
END_TEST

START_TEST(malformed_tables_are_refused)
{
    const char *header = "k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e,law\\n", *row = "2,0,0,2,0,1,0,0,-1,0.5,0.5,stronge\\n";
    const struct {
        const char *header, *rows, *message;
    } cases[] = {
        {"", "", "bad.csv:1: there is no header line"},
        {"k11,k12\\n", row, "bad.csv:1: the header has no column 'k13'"},
        {"k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e,mu\\n", row, "bad.csv:1: two columns are called 'mu'"},
        {header, "2,0,0,2\\n", "bad.csv:3: 4 fields where the header has 12 columns"},
        {header, "2,0,0,2,0,1,0,0,-1,0.5x,0.5,stronge\\n", "bad.csv:3: mu: not a number: '0.5x'"},
        {header, "2,0,0,2,0,1,0,0,-1,,0.5,stronge\\n", "bad.csv:3: mu: not a number: ''"},
        {header, "2,0,0,2,0,1,0,0,-1,0.5,0.5,strong\\n", "bad.csv:3: law: not a law (did you mean stronge?) 'strong'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ctCommandOutput out = ctRunCommand("printf '%s%s%s' > $T/bad.csv; $CLATTER impact --batch $T/bad.csv",
                                           cases[i].header, cases[i].header == header ? row : "", cases[i].rows);
        ck_assert_msg(out.status == 2, "status %d: %s", out.status, out.text);
        // One line, from clatter, naming file and line; nothing solved before.
        ck_assert_msg(strncmp(out.text, "clatter: /", 10) == 0 && strstr(out.text, cases[i].message) != NULL,
                      "%s instead of %s", out.text, cases[i].message);
        ck_assert(strchr(out.text, '\n') == out.text + strlen(out.text) - 1);
    }
    ctCommandOutput out = ctRunCommand("$CLATTER impact --batch $T/nowhere.csv");
    ck_assert(out.status == 2 && strstr(out.text, "cannot read") != NULL);
    out = ctRunCommand("head -c 3000 /dev/urandom > $T/noise; $CLATTER impact --batch $T/noise");
    ck_assert_int_eq(out.status, 2);
}
END_TEST

START_TEST(methods_and_benchmarks)
{
    ctCommandOutput out = ctRunCommand("head -4 tests/data/impact_public.csv > $T/a.csv;"
                                       "$CLATTER impact --batch $T/a.csv --bench > /dev/null");
    double median, mean, p99;
    ck_assert_int_eq(sscanf(out.text, "median_ns=%lf mean_ns=%lf p99_ns=%lf", &median, &mean, &p99), 3);
    ck_assert(out.status == 0 && median > 0 && mean > 0 && p99 >= median);
    // The papers' methods are near the exact one, and not the same.
    const char *methods[] = {"jia-wang", "baber", "baber --step 1e-4"};
    for (int i = 0; i < 3; i++) {
        out = ctRunCommand(
            "printf 'k11,k12,k13,k22,k23,k33,ux,uy,uz,mu,e\\n1.55465,0.00238675,-0.360808,5.15191,-0.00313296,1.105,"
            "-0.20691338,0.1176551,-1.50690298,0.7,0.7\\n' | $CLATTER impact --batch - --method %s",
            methods[i]);
        ctVec3 p, exact = ctV3(0.73306539667374658, -0.021604800132322747, 2.5850179976112623);
        ck_assert_int_eq(sscanf(strchr(out.text, '\n') + 1, "%lf,%lf,%lf", &p.x, &p.y, &p.z), 3);
        double error = ctRelativeError(p, exact);
        ck_assert_msg(error > 1e-9 && error < 1e-2, "%s: error %g", methods[i], error);
    }
    // They know Stronge's law only.
    out = ctRunCommand("$CLATTER impact --batch tests/data/impact_seeds.csv --method baber | grep -c invalid");
    ck_assert_str_eq(out.text, "11\n");
}
END_TEST

START_TEST(one_impact_in_words)
{
    ctCommandOutput out = ctRunCommand("$CLATTER impact " BABER);
    ck_assert_int_eq(out.status, 0);
    const char *expected[] = {"Stronge's law",   "14.596",           "another compression begins",
                              "55.9807",         "-123.06 degrees",  "diverging",
                              "p = (-15.097024", "lost to friction", "permissible          yes"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        ck_assert_msg(strstr(out.text, expected[i]) != NULL, "no '%s' in:\n%s", expected[i], out.text);
    }
    out = ctRunCommand("$CLATTER impact " ICOSAHEDRON);
    ck_assert(strstr(out.text, "the contact sticks") != NULL && strstr(out.text, "stick: no sliding is left") != NULL);
    out = ctRunCommand("$CLATTER impact --k 1,0,0,1,0,1 --u 1,0,1 --mu 0.5 --e 0.5");
    ck_assert(out.status == 0 && strstr(out.text, "not approaching") != NULL);
    // Whittaker's law creates energy, and the report says so (Kane's paradox).
    out = ctRunCommand("$CLATTER impact --k 1,0,0.8,1,0,1 --u=-1,0,-1 --mu 0.5 --e 0.7 --law whittaker");
    ck_assert_msg(out.status == 0 && strstr(out.text, "this law creates") != NULL, "%s", out.text);
}
END_TEST

START_TEST(pictures_are_well_formed)
{
    const char *cases[] = {ICOSAHEDRON,
                           BABER,
                           BABER " --law poisson",
                           "--k 3,0,0,2,0,1 --u 1,0.4,-1 --mu 0.4 --e 0.7 --law bilinear --et 0.4",
                           "--k 3,0,0,3,0,1 --u 0,0,-1 --mu 0 --e 0",
                           "--k 3,0,0,3,0,1 --u 1e9,0,-1e-9 --mu 1e6 --e 1",
                           "--k 1e-9,0,0,2e-9,0,3e-9 --u 1e-5,2e-7,-3e-6 --mu 0.3 --e 0.5 --law composite --sigma 0.3",
                           "--k 3,0,0,3,0,1 --u 0,0,1 --mu 0.3 --e 0.5"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ctCommandOutput out = ctRunCommand("$CLATTER impact %s --plot $T/a.svg > /dev/null", cases[i]);
        ck_assert_msg(out.status == 0 && out.text[0] == '\0', "%s: %s", cases[i], out.text);
        // Every element is closed, and no number got lost.
        out = ctRunCommand("grep -ciE '[^a-z](nan|inf)[^a-z]' $T/a.svg");
        ck_assert_str_eq(out.text, "0\n");
        FILE *in = openResult("a.svg");
        int depth = 0, c, last = 0, elements = 0;
        bool closing = false;
        while ((c = fgetc(in)) != EOF) {
            if (last == '<') {
                closing = c == '/';
                elements++;
            }
            if (c == '>') {
                depth += closing ? -1 : last == '/' ? 0 : 1;
                closing = false;
            }
            ck_assert(depth >= 0);
            last = c;
        }
        fclose(in);
        ck_assert(depth == 0 && elements > 50);
    }
    // Nothing half-written.
    ctCommandOutput out = ctRunCommand("$CLATTER impact " BABER " --plot $T/none/a.svg > /dev/null; echo $?; ls $T");
    ck_assert_msg(strstr(out.text, "cannot write") != NULL && strstr(out.text, "\n1\n") != NULL, "%s", out.text);
}
END_TEST

// The console blocks of docs/impact.md: each command must print what the page shows.
START_TEST(the_documentation_is_true)
{
    FILE *page = fopen("docs/impact.md", "r");
    ck_assert(page != NULL);
    char line[1024], command[1024] = "", expected[8192] = "";
    bool console = false;
    int commands = 0;
    ctRunCommand("d=$(dirname $CLATTER); ln -s \"$(cd $d && pwd)/$(basename $CLATTER)\" $T/clatter");
    while (fgets(line, sizeof line, page) != NULL) {
        bool fence = strncmp(line, "```", 3) == 0, starts = console && strncmp(line, "$ ", 2) == 0;
        if ((starts || (fence && console)) && command[0] != '\0') {
            ctCommandOutput out = ctRunCommand("cd $T && PATH=$T:$PATH && %s", command);
            ck_assert_msg(strcmp(out.text, expected) == 0, "%s printed\n%s\ninstead of\n%s", command, out.text,
                          expected);
            commands++;
            command[0] = expected[0] = '\0';
        }
        if (starts) {
            snprintf(command, sizeof command, "%s", line + 2);
        } else if (console && !fence) {
            strncat(expected, line, sizeof expected - strlen(expected) - 1);
        }
        console = fence ? !console && strncmp(line, "```console", 10) == 0 : console;
    }
    fclose(page);
    ck_assert_int_eq(commands, 3);
}
END_TEST

START_TEST(wrong_use_is_explained)
{
    const struct {
        const char *arguments, *message;
        int status;
    } cases[] = {
        {"", "needs --k, --u, --mu and --e", 2},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu 1", "needs --k, --u, --mu and --e", 2},
        {"--k 1,0,0,1,0 --u 0,0,-1 --mu 1 --e 1", "--k takes 6 numbers", 2},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu x --e 1", "--mu takes a number, not 'x'", 2},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu 1 --e 1 --law newton", "not 'newton'", 2},
        {"--bacth x", "did you mean '--batch'?", 2},
        {"--batch a.csv --mu 1", "from the file", 2},
        {"--batch a.csv --method euler", "--method is exact, jia-wang or baber, not 'euler'", 2},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu 1 --e 1 --plot a.png", "--plot takes FILE.svg", 2},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu 1 --e 1 --plot ''", "--plot needs a value (FILE.svg)", 2},
        {"--k 1,0,0,1,0,-1 --u 0,0,-1 --mu 1 --e 1", "K is not positive definite", 1},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu -1 --e 1", "mu must be from 0 to 1e100", 1},
        {"--k 1,0,0,1,0,1 --u 0,0,-1 --mu 1 --e 2", "e must be from 0 to 1", 1},
        {"--k 1,0,0.1,1,0,1 --u 0,0,-1 --mu 1 --e 1 --law bilinear", "diagonal", 1},
        {"--k 1,0,0.1,1,0,1 --u 0,0,-1 --mu 1 --e 1 --law poisson --method baber", "Stronge's law only", 1},
        {"--help", "usage: clatter impact", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ctCommandOutput out = ctRunCommand("$CLATTER impact %s", cases[i].arguments);
        ck_assert_msg(out.status == cases[i].status && strstr(out.text, cases[i].message) != NULL, "%s: status %d: %s",
                      cases[i].arguments, out.status, out.text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("impact_command");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_test(all, a_table_is_solved);
    tcase_add_test(all, columns_come_in_any_order);
    tcase_add_test(all, invalid_cases_answer_nan);
    tcase_add_test(all, malformed_tables_are_refused);
    tcase_add_test(all, methods_and_benchmarks);
    tcase_add_test(all, one_impact_in_words);
    tcase_add_test(all, pictures_are_well_formed);
    tcase_add_test(all, the_documentation_is_true);
    tcase_add_test(all, wrong_use_is_explained);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
