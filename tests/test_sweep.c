// clatter sweep from the outside: what is run, what is written, whoever computes it; interruptions and mistakes.
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_ROWS = 2000, MAX_FIELDS = 20 };

// A ball thrown upwards, in free fall: what it measures is known in closed form.
static const char throwScene[] =
    "scene { title = 'Throw', gravity = {0, 0, -10}, seconds = 0.5 }\n"
    "local v = param('v', 2, 0, 100, 'speed (m/s)')\n"
    "local n = param('n', 1, 0, 1000, 'a number')\n"
    "if n == 13 then error('thirteen, \"of all\", is unlucky') end\n"
    "material('m', { friction = 0.4, restitution = 0.5 })\n"
    "body { name = 'floor', shape = plane{ offset = -10 }, material = 'm' }\n"
    "body { name = 'ball', shape = sphere{ radius = 0.1 }, velocity = {1, 0, v}, material = 'm' }\n"
    "measure('height', function(w) return w:body('ball').position[3] end, 'height (m)')\n"
    "measure('sum', function(w) if n == 7 then return 'seven' end return n + v end)\n";

static void writeScene(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void setUp(void)
{
    ctTestFolder();
    writeScene("throw.lua", throwScene);
}

static void expect(ctCommandOutput out, int status, const char *words)
{
    ck_assert_msg(out.status == status, "status %d, not %d:\n%s", out.status, status, out.text);
    ck_assert_msg(strstr(out.text, words) != NULL, "no '%s' in:\n%s", words, out.text);
}

// A table of numbers; fields that are none are NAN.
static int rows;
static char names[MAX_FIELDS][64], texts[MAX_ROWS][MAX_FIELDS][40];

static void readTable(const char *name)
{
    char path[512], line[1000];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "no file %s", path);
    rows = -1;
    while (fgets(line, sizeof line, file) != NULL) {
        ck_assert_msg(strchr(line, '\n') != NULL && rows < MAX_ROWS, "a line of %s is cut off", name);
        line[strcspn(line, "\n")] = '\0';
        int field = 0;
        for (char *p = line; field < MAX_FIELDS; field++) {
            size_t length = strcspn(p, ",");
            snprintf(rows < 0 ? names[field] : texts[rows][field], rows < 0 ? 64 : 40, "%.*s", (int)length, p);
            p += length;
            if (*p++ == '\0') {
                break;
            }
        }
        rows++;
    }
    fclose(file);
}

static int column(const char *name)
{
    for (int i = 0; i < MAX_FIELDS; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    ck_abort_msg("no column %s", name);
    return -1;
}

static double number(int row, const char *name)
{
    const char *text = texts[row][column(name)];
    char *end;
    double x = strtod(text, &end);
    return end != text && *end == '\0' ? x : NAN;
}

// ---- what is run ------------------------------------------------------------------------------

START_TEST(a_grid_and_its_measures)
{
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=1:2:3 --vary n=100,5 --out $T/a.csv && cat $T/a.csv"), 0,
           "run,v,n,height,sum,simulated_s,impacts,state_hash,error\n1,1,100,");
    readTable("a.csv");
    ck_assert_int_eq(rows, 6);
    for (int i = 0; i < 6; i++) {
        double v = 1.0 + 0.5 * (i / 2), n = i % 2 == 0 ? 100.0 : 5.0;
        ck_assert_double_eq(number(i, "run"), i + 1);
        ck_assert_double_eq(number(i, "v"), v);
        ck_assert_double_eq(number(i, "n"), n);
        ctAssertClose(number(i, "height"), 0.5 * v - 5.0 * 0.25, 1e-12);
        ck_assert_double_eq(number(i, "sum"), n + v);
        ck_assert_double_eq(number(i, "simulated_s"), 0.5);
        ck_assert_double_eq(number(i, "impacts"), 0.0);
    }
    // A run is what clatter sim does with the same values.
    expect(ctRunCommand("$CLATTER sim $T/throw.lua --set v=1.5 --set n=5 --stats $T/s.json >/dev/null && "
                        "grep -c $(sed -n 5p $T/a.csv | cut -d, -f8) $T/s.json"),
           0, "1\n");
}
END_TEST

START_TEST(friction_and_law)
{
    expect(ctRunCommand("$CLATTER sweep superball --vary mu=0.01:1:3:log --vary law=poisson,stronge --seconds 1.5 "
                        "--measure 'x(marble)' --out $T/a.csv; cat $T/a.csv"),
           0, "run,mu,law,x(marble),simulated_s,impacts,state_hash,error\n1,0.01,poisson,");
    readTable("a.csv");
    ck_assert_int_eq(rows, 6);
    ctAssertClose(number(2, "mu"), 0.1, 1e-16);
    ck_assert_double_eq(number(5, "mu"), 1.0); // the ends are exact
    for (int i = 0; i < 6; i++) {
        ctCommandOutput out =
            ctRunCommand("$CLATTER sim superball --seconds 1.5 --mu %s --law %s", texts[i][1], texts[i][2]);
        expect(out, 0, texts[i][column("state_hash")]);
    }
}
END_TEST

START_TEST(random_points)
{
    expect(
        ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=1:3 --vary n=100:1000:log --random 500 --seed 3 --seconds "
                     "0.02 --out $T/a.csv"),
        0, "");
    readTable("a.csv");
    ck_assert_int_eq(rows, 500);
    double mean = 0.0, square = 0.0, logs = 0.0, product = 0.0;
    for (int i = 0; i < rows; i++) {
        double v = number(i, "v"), n = number(i, "n");
        ck_assert(v >= 1.0 && v <= 3.0 && n >= 100.0 && n <= 1000.0);
        mean += v / rows;
        square += (v - 2.0) * (v - 2.0) / rows;
        logs += log10(n) / rows;
        product += (v - 2.0) * (log10(n) - 2.5) / rows;
    }
    // Uniform: mean and variance of v to four standard errors; n uniform in its logarithm; not correlated.
    ctAssertClose(mean, 2.0, 4.0 * sqrt(1.0 / 3.0 / 500.0));
    ctAssertClose(square, 1.0 / 3.0, 4.0 * sqrt(4.0 / 45.0 / 500.0));
    ctAssertClose(logs, 2.5, 4.0 * sqrt(1.0 / 12.0 / 500.0));
    ctAssertClose(product, 0.0, 4.0 * sqrt(1.0 / 36.0 / 500.0));
    // Neither neighbours in a row nor in a column know of each other: chi square of 5 x 5 boxes, 24 degrees of freedom.
    int boxes[2][25] = {{0}};
    for (int i = 0; i + 1 < rows; i++) {
        int a = (int)(2.5 * (number(i, "v") - 1.0)), b = (int)(2.5 * (number(i + 1, "v") - 1.0));
        boxes[0][5 * a + b]++;
        boxes[1][5 * a + (int)(5.0 * (log10(number(i, "n")) - 2.0))]++;
    }
    for (int k = 0; k < 2; k++) {
        double expected = (rows - 1) / 25.0, chi = 0.0;
        for (int i = 0; i < 25; i++) {
            chi += (boxes[k][i] - expected) * (boxes[k][i] - expected) / expected;
        }
        ck_assert_msg(chi < 52.0, "chi square %g", chi); // one in a thousand
    }
    // Another seed, other points; without --vary all parameters over their ranges.
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --random 3 --seed 4 --seconds 0.02"), 0, "run,v,n,height");
}
END_TEST

START_TEST(a_latin_hypercube)
{
    expect(
        ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=0:100 --vary n=500:600 --random 100 --latin --seconds 0.02 "
                     "--out $T/a.csv"),
        0, "");
    readTable("a.csv");
    bool seen[2][100] = {{false}};
    for (int i = 0; i < rows; i++) {
        seen[0][(int)number(i, "v")] = seen[1][(int)(number(i, "n") - 500.0)] = true;
    }
    for (int i = 0; i < 100; i++) { // one in each hundredth of each range
        ck_assert(seen[0][i] && seen[1][i]);
    }
}
END_TEST

// A ball that rolls: with another speed and direction it still rolls.
START_TEST(jitter)
{
    writeScene("roll.lua",
               "scene { seconds = 1 }\nlocal v = param('v', 2, 0, 100)\n"
               "material('m', { friction = 0.5, restitution = 0.5 })\n"
               "body { name = 'floor', shape = plane{}, material = 'm' }\n"
               "body { name = 'ball', shape = sphere{ radius = 0.1 }, position = {0, 0, 0.1}, material = 'm',\n"
               "       velocity = {v, 0, 0}, spin = {0, 10 * v, 0} }\n"
               "body { name = 'rest', shape = box{ size = {1, 1, 1} }, position = {0, 5, 0.5}, material = 'm' }\n"
               "measure('x', function(w) return w:body('ball').position[1] end)\n"
               "measure('y', function(w) return w:body('ball').position[2] end)\n"
               "measure('up', function(w) return w:body('ball').position[3] end)\n"
               "measure('slip', function(w) local b = w:body('ball')\n"
               "  return b.velocity[1] - 0.1 * b.spin[2] + b.velocity[2] + 0.1 * b.spin[1] end)\n");
    expect(
        ctRunCommand("$CLATTER sweep $T/roll.lua --vary v=3 --jitter 0.02 --repeat 200 --seconds 0.5 --out $T/a.csv"),
        0, "");
    readTable("a.csv");
    ck_assert_int_eq(rows, 200);
    double x = 0.0, xx = 0.0, yy = 0.0;
    for (int i = 0; i < rows; i++) {
        ctAssertClose(number(i, "slip"), 0.0, 1e-9);
        ctAssertClose(number(i, "up"), 0.1, 1e-9);
        x += number(i, "x") / rows;
        xx += pow(number(i, "x") - 1.5, 2.0) / rows;
        yy += pow(number(i, "y"), 2.0) / rows;
        ck_assert_double_eq(number(i, "repeat"), i + 1);
    }
    ctAssertClose(x, 1.5, 0.01);
    ctAssertClose(sqrt(xx), 0.03, 0.006); // 2 % of 1.5 m, along and across
    ctAssertClose(sqrt(yy), 0.03, 0.006);
}
END_TEST

START_TEST(until_rest)
{
    writeScene("rest.lua",
               "scene { seconds = 20 }\nlocal v = param('v', 1, 0, 100)\n"
               "material('m', { friction = 0.5, restitution = 0 })\n"
               "body { name = 'floor', shape = plane{}, material = 'm' }\n"
               "body { name = 'block', shape = box{ size = {1, 1, 0.2} }, position = {0, 0, 0.1}, material = 'm',\n"
               "       velocity = {v, 0, 0} }\n");
    expect(ctRunCommand("$CLATTER sweep $T/rest.lua --vary v=1,10 --until rest --measure rest_time --out $T/a.csv"), 0,
           "");
    readTable("a.csv");
    for (int i = 0; i < 2; i++) { // it slides for v / (mu g)
        double slide = (i == 0 ? 1.0 : 10.0) / (0.5 * 9.81);
        ck_assert_double_eq(number(i, "rest_time"), number(i, "simulated_s"));
        ck_assert(number(i, "rest_time") > slide && number(i, "rest_time") < slide + 1.5);
    }
}
END_TEST

START_TEST(a_run_that_fails_is_a_row)
{
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary n=7,13,20 --out $T/a.csv; s=$?; cat $T/a.csv; exit $s"), 0,
           "2 of 3 runs failed; the column 'error' says why");
    expect(ctRunCommand("sed -n 2p $T/a.csv"), 0,
           "throw.lua:9: measure 'sum' returns a string; it must be a finite number, a boolean, or nil\"");
    expect(ctRunCommand("sed -n 3p $T/a.csv"), 0, "2,13,,,0,0,0000000000000000,\"");
    expect(ctRunCommand("sed -n 3p $T/a.csv"), 0, "throw.lua:4: thirteen, \"\"of all\"\", is unlucky\"\n");
    expect(ctRunCommand("sed -n 4p $T/a.csv"), 0, "3,20,");
}
END_TEST

// ---- who computes it --------------------------------------------------------------------------

START_TEST(threads_do_not_matter)
{
    const char *sweeps[] = {"bowling --vary aim=-3.4:-3:3 --vary spin=20:40:3 --seconds 3",
                            "coins --random 7 --seed 5 --jitter 0.01 --repeat 2 --seconds 1"};
    for (int i = 0; i < 2; i++) {
        expect(ctRunCommand(
                   "$CLATTER sweep %s --threads 1 --out $T/1.csv && $CLATTER sweep %s --threads 2 --out $T/2.csv && "
                   "$CLATTER sweep %s --threads 5 > $T/5.csv && cmp $T/1.csv $T/2.csv && cmp $T/1.csv $T/5.csv && "
                   "wc -l < $T/1.csv",
                   sweeps[i], sweeps[i], sweeps[i]),
               0, i == 0 ? "10" : "15");
    }
}
END_TEST

#define SMALL "$CLATTER sweep $T/throw.lua --vary v=1:2:5 --vary n=1:9:5"

START_TEST(parts_make_the_whole)
{
    expect(ctRunCommand(SMALL
                        " --out $T/all.csv && for i in 1 2 3; do " SMALL
                        " --array $i/3 --out $T/part$i.csv || exit 9; done; "
                        "wc -l < $T/part2.csv; $CLATTER sweep --merge $T/part3.csv $T/part1.csv $T/part2.csv --out "
                        "$T/merged.csv && cmp $T/all.csv $T/merged.csv && echo same"),
           0, "9\nsame");
    expect(ctRunCommand("$CLATTER sweep --merge $T/part1.csv $T/part1.csv $T/part3.csv --out $T/m2.csv"), 1,
           "clatter: sweep: 17 of 25 runs are there; missing: 2 5 8 11 14 17 20 23\n");
    expect(ctRunCommand("wc -l < $T/m2.csv"), 0, "18");
    // the last runs of the sweep are noticed, too; the whole sweep then goes on from the table
    expect(ctRunCommand("for i in 1 2 3; do head -7 $T/part$i.csv > $T/cut$i.csv; done; "
                        "$CLATTER sweep --merge $T/cut?.csv --out $T/m3.csv"),
           1, "clatter: sweep: 18 of 25 runs are there; missing: 19-25\n");
    expect(ctRunCommand(SMALL " --resume --out $T/m3.csv && cmp $T/all.csv $T/m3.csv && echo same"), 0, "same");
    expect(ctRunCommand("$CLATTER sweep --merge $T/all.csv"), 2,
           "all.csv:1: no part of a sweep: it was made without --array I/N");
    expect(ctRunCommand(SMALL " --array 1/1 --out $T/one.csv; $CLATTER sweep --merge $T/one.csv | cmp - $T/all.csv && "
                              "$CLATTER sim $T/throw.lua --row $T/one.csv:7 && echo good"),
           0, "good");
    expect(ctRunCommand("sed 's/,25,/,26,/' $T/part1.csv > $T/bad.csv; $CLATTER sweep --merge $T/part2.csv $T/bad.csv"),
           2, "bad.csv:2: a part of a sweep of 26 runs, not of 25 as the others");
    expect(ctRunCommand(
               "sed 's/,1.25,/,1.26,/' $T/part1.csv > $T/bad.csv; $CLATTER sweep --merge $T/part1.csv $T/bad.csv"),
           2, "is in two parts with different results");
    expect(ctRunCommand("sed 1s/sum/mus/ $T/part1.csv > $T/bad.csv; $CLATTER sweep --merge $T/part1.csv $T/bad.csv"), 2,
           "bad.csv:1: the columns are not those of the other parts");
    expect(ctRunCommand("$CLATTER sweep --merge $T/throw.lua --out $T/x.csv; s=$?; test ! -e $T/x.csv && exit $s"), 2,
           "throw.lua:1: no table of a sweep");
    expect(ctRunCommand("$CLATTER sweep --merge $T/none.csv"), 2, "none.csv: cannot read");
    expect(ctRunCommand("$CLATTER sweep --merge"), 2, "--merge needs the files");
}
END_TEST

START_TEST(resuming)
{
    // With some rows there, one of them cut off, and others in the file of an interrupted sweep.
    expect(ctRunCommand(SMALL
                        " --out $T/all.csv && head -n 8 $T/all.csv > $T/a.csv && tail -n 1 $T/all.csv >> $T/a.csv && "
                        "head -n 12 $T/all.csv | head -c -10 > $T/a.csv.part && " SMALL
                        " --out $T/a.csv --resume && cmp $T/all.csv $T/a.csv && test ! -e $T/a.csv.part && echo same"),
           0, "11 of 25 runs are there; missing: 11-24\n");
    // A complete table stays, and nothing there is nothing to keep.
    expect(ctRunCommand(SMALL " --out $T/a.csv --resume && cmp $T/all.csv $T/a.csv && echo same"), 0, "same");
    expect(ctRunCommand(SMALL " --out $T/b.csv --resume && cmp $T/all.csv $T/b.csv && echo same"), 0, "same");
    // Another sweep, another scene.
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=1:3:5 --vary n=1:9:5 --out $T/a.csv --resume"), 2,
           "a.csv:7: run 6 was made with other values");
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary n=1:9:5 --out $T/a.csv --resume"), 2,
           "a.csv:1: the columns are those of another sweep");
    expect(ctRunCommand("sed -i 's/-10}/-11}/' $T/throw.lua; " SMALL " --out $T/a.csv --resume"), 2,
           "run 1 comes out differently now: the scene or the program has changed");
    expect(ctRunCommand("cmp $T/all.csv $T/a.csv && echo same"), 0, "same"); // nothing is lost
    expect(ctRunCommand(SMALL " --resume"), 2, "--resume needs the file of --out");
    // A file of another kind is not written over, but for a table whose first line was cut off.
    expect(ctRunCommand("printf notes > $T/n.csv; " SMALL " --out $T/n.csv --resume; cat $T/n.csv"), 0, "notes");
    expect(ctRunCommand("printf notes > $T/n.csv; " SMALL " --out $T/n.csv --resume"), 2, "n.csv:1: the columns are");
    expect(ctRunCommand("head -c 5 $T/all.csv > $T/n.csv; " SMALL " --out $T/n.csv --resume"), 0, "0 of 25 runs");
}
END_TEST

// A row of a table says all that its run needs: the state comes out the same.
START_TEST(a_row_runs_again)
{
    expect(ctRunCommand(
               "$CLATTER sweep coins --vary toss=0.1:0.5:3 --vary mu=0.1:0.3:2 --vary law=stronge,poisson --jitter "
               "0.02 --repeat 2 --set flips=20 --e 0.4 --fps 100 --measure 'first_impact(2 euro a, table)' "
               "--measure heads --seconds 1 --out $T/a.csv"),
           0, "");
    expect(ctRunCommand("for i in 1 7 16 24; do $CLATTER sim coins --row $T/a.csv:$i --seconds 1 | tail -n 1 | "
                        "grep -c $(sed -n $((i + 1))p $T/a.csv | grep -oE '[0-9a-f]{16},$' | cut -c1-16); done"),
           0, "1\n1\n1\n1\n");
    expect(ctRunCommand("$CLATTER sim coins --row $T/a.csv:7 --set toss=0.3 --seconds 1 | tail -n 1 | "
                        "grep -c $(sed -n 8p $T/a.csv | grep -oE '[0-9a-f]{16},$' | cut -c1-16)"),
           1, "0\n");                                                        // the command line has the last word
    expect(ctRunCommand("$CLATTER sim coins --row $T/a.csv:7 | tail -n 1 | " // as long as the run of the table
                        "grep -c $(sed -n 8p $T/a.csv | grep -oE '[0-9a-f]{16},$' | cut -c1-16)"),
           0, "1\n");
    expect(ctRunCommand("$CLATTER sim dominoes --row $T/a.csv:7"), 2,
           "a.csv:1: 'toss' is no parameter or measure of dominoes: another scene's table?");
    expect(ctRunCommand("$CLATTER sim coins --row $T/a.csv:25"), 2, "a.csv: there is no run 25");
    expect(ctRunCommand("$CLATTER sim coins --row $T/a.csv"), 2, "--row takes FILE.csv:N, the number of a run, not");
    expect(ctRunCommand("$CLATTER sim coins --row $T/none.csv:1"), 2, "none.csv: cannot read");
    expect(ctRunCommand("$CLATTER sim coins --row scenes/coins.lua:1"), 2, "coins.lua:1: no table of a sweep");
    expect(ctRunCommand("sed -i 2s/,0.1,/,x,/ $T/a.csv; $CLATTER sim coins --row $T/a.csv:1"), 2,
           "a.csv:2: toss: 'x' is no number");
    expect(ctRunCommand("sed -i '4s/,[^,]*$//' $T/a.csv; $CLATTER sim coins --row $T/a.csv:3"), 2, "a.csv:4: ");
    expect(ctRunCommand("$CLATTER run --row $T/a.csv:3"), 2, "--row needs the scene of the sweep");
    expect(ctRunCommand("$CLATTER run coins --row $T/a.csv:99"), 2, "a.csv: there is no run 99");
}
END_TEST

START_TEST(an_interrupt_leaves_a_table)
{
    // The last runs would take for ever; the first ones are short. A shell lets its background jobs ignore Ctrl-C.
    writeScene("long.lua",
               "local n = param('n', 1, 0, 1000)\nscene { seconds = n < 4 and 0.1 or 1e6 }\n"
               "material('m', { friction = 0, restitution = 1 })\n"
               "body { name = 'floor', shape = plane{}, material = 'm' }\n"
               "body { name = 'ball', shape = sphere{ radius = 0.1 }, position = {0, 0, 1}, material = 'm' }\n");
    expect(ctRunCommand(
               "env --default-signal=INT $CLATTER sweep $T/long.lua --vary n=1:5:5 --measure 'z(ball)' --threads 1 "
               "--out $T/a.csv & pid=$!; "
               "while kill -0 $pid && [ $(cat $T/a.csv.part 2>/dev/null | wc -l) -lt 4 ]; do sleep 0.05; done; "
               "kill -INT $pid; wait $pid"),
           1, "interrupted by signal 2\nclatter: sweep: 3 of 5 runs are done, in ");
    expect(ctRunCommand("cat $T/a.csv"), 0, "run,n,z(ball),");
    readTable("a.csv");
    ck_assert_int_eq(rows, 3);
    expect(ctRunCommand(
               "$CLATTER sweep $T/long.lua --vary n=1:5:5 --measure 'z(ball)' --threads 1 --out $T/b.csv & pid=$!; "
               "while kill -0 $pid && [ $(cat $T/b.csv.part 2>/dev/null | wc -l) -lt 4 ]; do sleep 0.05; done; "
               "kill -TERM $pid; wait $pid; ls $T"),
           0, "--vary n=1:5:5 --measure 'z(ball)' --threads 1 --out ");
}
END_TEST

START_TEST(memory_stays_flat)
{
    const char *config = getenv("CT_TEST_CONFIG");
    if (config != NULL && strcmp(config, "asan") == 0) {
        return; // what is freed there is kept on purpose
    }
    struct rusage few, many;
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --random 500 --seconds 0.02 --threads 2 --out $T/a.csv"), 0, "");
    getrusage(RUSAGE_CHILDREN, &few);
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --random 10000 --seconds 0.02 --threads 2 --out $T/a.csv"), 0, "");
    getrusage(RUSAGE_CHILDREN, &many);
    ck_assert_msg(many.ru_maxrss < few.ru_maxrss + 1500, "%ld kB and %ld kB", few.ru_maxrss, many.ru_maxrss);
}
END_TEST

// ---- pictures ---------------------------------------------------------------------------------

static char *readText(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", getenv("T"), name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "no file %s", path);
    char *text = calloc(1, 1 << 20);
    ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, file), (1 << 20) - 1);
    fclose(file);
    return text;
}

// sum = n + v: the contours are the lines n + v = 102, 104, ... in the coordinates of the axes.
START_TEST(contours_of_a_plane)
{
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=0:10:11 --vary n=100:110:11 --measure sum --seconds 0.02 "
                        "--out $T/a.csv --plot $T/a.svg"),
           0, "");
    char *text = readText("a.svg");
    ck_assert(strstr(text, ">speed (m/s)</text>") != NULL && strstr(text, ">a number</text>") != NULL);
    ck_assert(strstr(text, ">Throw</text>") != NULL && strstr(text, ">121 runs</text>") != NULL);
    int segments = 0;
    bool seen[10] = {false};
    for (const char *p = text; (p = strstr(p, "<path d='M")) != NULL; p++) {
        double e[4];
        int used;
        for (const char *q = p + strlen("<path d='");
             sscanf(q, "M%lf %lfL%lf %lf%n", &e[0], &e[1], &e[2], &e[3], &used) == 4; q += used) {
            const char *style = strstr(q, "stroke='");
            const char wanted[] = "stroke='#222222' stroke-width='0.8'";
            if (style == NULL || strncmp(style, wanted, strlen(wanted)) != 0 || e[0] > 552.0) {
                break; // an axis, or the legend
            }
            for (int k = 0; k < 2; k++) { // the panel is 470 by 390 from (82, 82)
                double v = (e[2 * k] - 82.0) / (470.0 / 11.0) - 0.5,
                       n = 100.0 + (472.0 - e[2 * k + 1]) / (390.0 / 11.0) - 0.5;
                double level = 2.0 * round(0.5 * (n + v));
                ctAssertClose(n + v, level, 0.01); // a tenth of a pixel
                seen[(int)(level - 102.0) / 2] = true;
            }
            segments++;
        }
    }
    ck_assert_int_ge(segments, 60);
    for (int i = 0; i < 9; i++) {
        ck_assert_msg(seen[i], "no contour of %d", 102 + 2 * i);
    }
    free(text);
}
END_TEST

START_TEST(pictures)
{
    // Few whole numbers have a colour each; the others a bar; a measure without a value is grey.
    expect(
        ctRunCommand(
            "$CLATTER sweep $T/throw.lua --vary v=0:2:3 --vary n=1:3:3 --measure sum --measure 'first_impact(ball)' "
            "--seconds 0.02 --out $T/a.csv --plot $T/a.svg; grep -c '>5</text>' $T/a.svg; grep -c '>none<' $T/a.svg"),
        0, "1\n1\n");
    // PNG: twice the size.
    expect(ctRunCommand(
               "$CLATTER sweep $T/throw.lua --vary v=0:2:3 --vary n=1:3:3 --measure sum --seconds 0.02 --out $T/a.csv "
               "--plot $T/a.png && od -An -tx1 -N24 $T/a.png"),
           0, "89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52\n 00 00 05 10 00 00 04 48");
    // Small multiples for laws and third axes; curves with bands; dots for random points.
    expect(
        ctRunCommand(
            "$CLATTER sweep $T/throw.lua --vary v=1:2:3 --vary n=50,60 --vary mu=0.1,1:log --vary law=poisson,stronge "
            "--seconds 0.02 --out $T/b.csv --plot $T/b.svg"),
        2, "--vary takes");
    expect(ctRunCommand(
               "$CLATTER sweep $T/throw.lua --vary v=1:2:3 --vary n=50,60 --vary mu=0.1:1:2:log --vary "
               "law=poisson,stronge --measure sum --seconds 0.02 --out $T/b.csv --plot $T/b.svg; grep -c '>mu = 1, "
               "poisson<' $T/b.svg"),
           0, "1\n");
    expect(
        ctRunCommand(
            "$CLATTER sweep $T/throw.lua --vary v=1:2:5 --jitter 0.1 --repeat 9 --measure height --out $T/c.csv --plot "
            "$T/c.svg --quantiles $T/q.csv; grep -c '#d3e2f3' $T/c.svg; grep -c '<circle' $T/c.svg"),
        0, "1\n5\n");
    expect(ctRunCommand(
               "$CLATTER sweep $T/throw.lua --vary v=1:2 --random 50 --measure height --out $T/d.csv --plot $T/d.svg; "
               "grep -c '<circle' $T/d.svg"),
           0, "50\n");
    // The quantiles of the third point, out of its nine runs.
    double heights[9];
    readTable("c.csv");
    for (int i = 0; i < 9; i++) {
        heights[i] = number(18 + i, "height");
    }
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k + 1 < 9; k++) {
            double low = fmin(heights[k], heights[k + 1]), high = fmax(heights[k], heights[k + 1]);
            heights[k] = low;
            heights[k + 1] = high;
        }
    }
    readTable("q.csv");
    ck_assert_int_eq(rows, 5);
    ck_assert_double_eq(number(2, "height runs"), 9.0);
    ck_assert_double_eq(number(2, "height q50"), heights[4]);
    ck_assert_double_eq(number(2, "height q25"), heights[2]);
    ctAssertClose(number(2, "height q95"), heights[7] + 0.6 * (heights[8] - heights[7]), 1e-12);
}
END_TEST

// ---- mistakes ---------------------------------------------------------------------------------

static const struct Mistake {
    const char *arguments;
    int status;
    const char *message;
} mistakes[] = {
    {"", 2, "sweep needs a scene"},
    {"a b", 2, "sweep takes one scene"},
    {"$T/throw.lua", 2, "nothing is varied: --vary NAME=FROM:TO:COUNT, or --random COUNT"},
    {"$T/throw.lua --vary w=1:2:3", 2, "unknown parameter 'w'; throw has v, n, mu, e, law"},
    {"bowling --vary spni=1:2:3", 2, "unknown parameter 'spni'; did you mean 'spin'?"},
    {"bowling --vary spin=1:51:3", 2, "--vary spin: 51 is outside -50 to 50"},
    {"bowling --vary spin=10,-60", 2, "--vary spin: -60 is outside -50 to 50"},
    {"bowling --vary e=0:1.5:3", 2, "--vary e: 1.5 is outside 0 to 1"},
    {"bowling --vary mu=-1:1:3", 2, "--vary mu: -1 is outside 0 to 1e+06"},
    {"bowling --vary law=stronge,newton", 2, "unknown law 'newton'; it is one of stronge, "},
    {"bowling --vary spin", 2, "--vary takes NAME=FROM:TO:COUNT"},
    {"bowling --vary spin=1:2", 2, "--vary takes NAME=FROM:TO:COUNT"},
    {"bowling --vary spin=1:x:3", 2, "--vary takes NAME=FROM:TO:COUNT"},
    {"bowling --vary spin=1:2:0", 2, "--vary spin: the count must be from 1 to "},
    {"bowling --vary spin=0:2:3:log", 2, "--vary spin: both ends of a logarithmic range must be positive"},
    {"bowling --vary spin=1,two", 2, "--vary spin: 'two' is no number"},
    {"bowling --vary spin=1:2:3 --vary spin=1:2:3", 2, "'spin' is varied twice"},
    {"bowling --vary spin=1:2:3 --set spin=4", 2, "'spin' is both fixed and varied"},
    {"bowling --vary mu=0:1:3 --mu 1", 2, "'mu' is both fixed and varied"},
    {"bowling --vary spin=1:2:30000 --vary aim=1:2:30000", 2, "more than 10000000 runs"},
    {"bowling --vary spin=1:2:3 --random 3", 2, "NAME=FROM:TO or NAME=FROM:TO:log with --random"},
    {"bowling --vary spin=1:2:3 --measure 'pins up'", 2, "unknown measure 'pins up'"},
    {"bowling --vary spin=1:2:3 --measure 'pins dwn'", 2, "did you mean 'pins down'?"},
    {"bowling --vary spin=1:2:3 --measure 'speed(bal)'", 2, "there is no body 'bal'; did you mean 'ball'?"},
    {"bowling --vary spin=1:2:3 --measure impacts --measure impacts", 2, "--measure 'impacts' is given twice"},
    {"bowling --vary spin=1:2:3 --array 0/4", 2, "--array 0/4: the index must be from 1 to the number of parts"},
    {"bowling --vary spin=1:2:3 --array 5/4", 2, "--array 5/4: the index must be from 1"},
    {"bowling --vary spin=1:2:3 --array 5", 2, "--array takes I/N, such as 1/100, not '5'"},
    {"bowling --vary spin=1:2:3 --until dawn", 2, "--until takes 'rest', not 'dawn'"},
    {"bowling --vary spin=1:2:3 --threads 0", 2, "--threads must be from 1"},
    {"bowling --vary spin=1:2:3 --latin", 2, "--latin is for --random"},
    {"bowling --vary spin=1:2:3 --repeat 4", 2, "--repeat is for --jitter"},
    {"bowling --vary spin=1:2:3 --out /no/such/folder/a.csv", 1, "/no/such/folder/a.csv: cannot write: No such file"},
    {"superball --vary speed=3:4:2 --e 0.5", 2, "superball has a parameter 'e' of its own: --set e=... instead of --e"},
    {"bowling --vary spin=1:2:3 --plot a.gif", 2, "--plot takes FILE.svg or FILE.png, not 'a.gif'"},
    {"bowling --vary spin=1:2:3 --plot a.svg --array 1/2", 2, "--plot needs the whole sweep, not a part"},
    {"bowling --vary spin=1:2:3 --quantiles q.csv --array 1/2", 2, "--quantiles needs the whole sweep"},
    {"bowling --vary spin=1:2:3 --vary aim=1:2:3 --vary mu=0:1:65 --plot a.svg", 2, "--plot: more than 64 panels"},
    {"$T/throw.lua --vary v=1:2:3 --seconds 0.02 --plot /no/such/a.svg", 1, "/no/such/a.svg: cannot write"},
    {"$T/throw.lua --vary v=1:2:3 --seconds 0.02 --plot /no/such/a.png", 1, "/no/such/a.png"},
    {"bowlign --vary spin=1:2:3", 2, "there is no demo 'bowlign'; did you mean 'bowling'?"},
    {"$T/throw.lua --vary v=1:2:3 --set n=13", 2, "throw.lua:4: thirteen"},
    {"tests/data/snapshot_11.snap --vary law=stronge,poisson", 2,
     "snapshot_11.snap is a saved world, which has no start to vary"},
    {"bowling --vary spin=1:2:3 --plot $T/a.svg --out $T/./a.svg", 2, "--out and --plot name the same file"},
    {"bowling --vary spin=1:2:3 --quantiles $T/a.csv --out $T/a.csv", 2, "--out and --quantiles name the same file"},
    {"$T/throw.lua --vary v=1:2:3 --out $T", 1, ": cannot write: Is a directory"},
    {"$T/throw.lua --vary v=1:2:3 --out /dev/full", 1, "/dev/full: cannot write: No space left on device"},
    {"$T/throw.lua --vary v=1:2:300 --threads 1 --out /dev/full", 1, "/dev/full: cannot write: No space left"},
    {"--merge /dev/zero --out $T/x.csv", 2, "/dev/zero:1: cannot read: File too large"},
};
enum { MISTAKES = sizeof mistakes / sizeof mistakes[0] };

START_TEST(mistakes_are_named)
{
    expect(ctRunCommand("$CLATTER sweep %s", mistakes[_i].arguments), mistakes[_i].status, mistakes[_i].message);
}
END_TEST

START_TEST(timing_and_help)
{
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=1:2:3 --timing"), 0, "state_hash,cpu_s,error\n1,1,");
    expect(ctRunCommand("$CLATTER sweep --help"), 0, "--vary NAME=RANGE");
    expect(ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=1 --mu 0.2 --law poisson --fps 120"), 0,
           "run,v,mu,fps,law,height,sum,simulated_s,impacts,state_hash,error\n1,1,0.2,120,poisson,");
    expect(
        ctRunCommand("$CLATTER sweep $T/throw.lua --vary v=1 --measure 'first_impact(ball, floor)' --measure impacts"),
        0, "run,v,\"first_impact(ball, floor)\",impacts,simulated_s,state_hash,error\n1,1,,0,0.5,");
}
END_TEST

// The column of errors begins with the path of the scene.
START_TEST(errors_are_no_formulas)
{
    expect(ctRunCommand("program=$(realpath $CLATTER) && cd $T && "
                        "echo \"if param('v', 1, 0, 2) > 1 then error('no, no') end\" >=1+1.lua && "
                        "$program sweep =1+1.lua --vary v=2"),
           0, ",\"'=1+1.lua:1: no, no\"\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tests = tcase_create("sweep");
    tcase_add_checked_fixture(tests, setUp, ctRemoveTestFolder);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_grid_and_its_measures);
    tcase_add_test(tests, friction_and_law);
    tcase_add_test(tests, random_points);
    tcase_add_test(tests, a_latin_hypercube);
    tcase_add_test(tests, jitter);
    tcase_add_test(tests, until_rest);
    tcase_add_test(tests, a_run_that_fails_is_a_row);
    tcase_add_test(tests, threads_do_not_matter);
    tcase_add_test(tests, parts_make_the_whole);
    tcase_add_test(tests, resuming);
    tcase_add_test(tests, a_row_runs_again);
    tcase_add_test(tests, an_interrupt_leaves_a_table);
    tcase_add_test(tests, memory_stays_flat);
    tcase_add_test(tests, contours_of_a_plane);
    tcase_add_test(tests, pictures);
    tcase_add_loop_test(tests, mistakes_are_named, 0, MISTAKES);
    tcase_add_test(tests, timing_and_help);
    tcase_add_test(tests, errors_are_no_formulas);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
