// clatter-mpi on this machine: whatever the number of ranks, the table is the same; a rank that dies costs no row.
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// As root, on fewer cores than ranks, and on a machine without ssh.
#define MPI                                                                                                            \
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated OMPI_MCA_btl=self,vader "         \
    "OMPI_MCA_mpi_yield_when_idle=1 mpirun --oversubscribe -n "

static void expect(ctCommandOutput out, int status, const char *words)
{
    ck_assert_msg(out.status == status, "status %d, not %d:\n%s", out.status, status, out.text);
    ck_assert_msg(strstr(out.text, words) != NULL, "no '%s' in:\n%s", words, out.text);
}

// The MPI library's own leaks and tricks are not for sanitizers: there is one build of clatter-mpi, the optimised one.
static bool isSanitized(void)
{
    const char *config = getenv("CT_TEST_CONFIG");
    return config != NULL && strcmp(config, "asan") == 0;
}

START_TEST(ranks_do_not_matter)
{
    const char *sweep = "bowling --vary aim=-3.4:-3:3 --vary spin=20:40:3 --seconds 3";
    expect(ctRunCommand("build/clatter sweep %s --threads 2 --out $T/all.csv; wc -l < $T/all.csv", sweep), 0, "10");
    for (int ranks = 1; ranks <= 3; ranks++) {
        expect(ctRunCommand(MPI
                            "%d build/clatter-mpi sweep %s --out $T/%d.csv && cmp $T/all.csv $T/%d.csv && echo same",
                            ranks, sweep, ranks, ranks),
               0, "same");
    }
}
END_TEST

START_TEST(a_rank_that_dies)
{
    const char *sweep = "coins --vary toss=0.1:0.5:60 --seconds 4";
    expect(ctRunCommand(
               MPI "3 build/clatter-mpi sweep %s --out $T/a.csv & pid=$!; "
                   "while kill -0 $pid && [ $(cat $T/a.csv.part 2>/dev/null | wc -l) -lt 4 ]; do sleep 0.02; done; "
                   "kill -9 $(pgrep -P $pid | tail -n 1); wait $pid",
               sweep),
           137, "exited on signal 9");
    expect(ctRunCommand("cat $T/a.csv $T/a.csv.part 2>/dev/null | wc -l | awk '{ print ($1 >= 4 && $1 < 61) }'"), 0,
           "1");
    expect(ctRunCommand(MPI "2 build/clatter-mpi sweep %s --out $T/a.csv --resume", sweep), 0,
           "of 60 runs are there; missing: ");
    expect(ctRunCommand("build/clatter sweep %s --out $T/b.csv && cmp $T/a.csv $T/b.csv && echo same", sweep), 0,
           "same");
}
END_TEST

START_TEST(mistakes_are_named_once)
{
    expect(ctRunCommand(MPI "3 build/clatter-mpi sweep coins --vary tos=1:2:3 2>&1 | grep -c 'did you mean'"), 0,
           "1\n");
    expect(ctRunCommand(MPI "3 build/clatter-mpi sweep coins --vary toss=0.1:0.5:3 --out /no/such/folder/a.csv"), 1,
           "/no/such/folder/a.csv: cannot write");
    expect(ctRunCommand(MPI "2 build/clatter-mpi sweep coins --vary toss=0.1:0.5:3 --threads 2"), 2,
           "--threads is for one machine");
    expect(ctRunCommand("build/clatter-mpi sim coins"), 2, "clatter-mpi runs sweeps only");
}
END_TEST

static void setUp(void)
{
    ctTestFolder();
}

int main(void)
{
    Suite *suite = suite_create("mpi");
    TCase *tests = tcase_create("mpi");
    tcase_add_checked_fixture(tests, setUp, ctRemoveTestFolder);
    tcase_set_timeout(tests, 60);
    if (!isSanitized()) {
        tcase_add_test(tests, ranks_do_not_matter);
        tcase_add_test(tests, a_rank_that_dies);
        tcase_add_test(tests, mistakes_are_named_once);
    }
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
