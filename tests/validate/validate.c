// `make validate`: runs every comparison, prints the tables, and writes docs/validation.md with its plots anew.
#include "tests/validate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static void closedForms(ctResults *results)
{
    static const struct {
        const ctPeer *peer;
        double rate;
    } runs[] = {{&ctPeerClatter, 60}, {&ctPeerBullet, 60}, {&ctPeerBullet, 1000}, {&ctPeerOde, 60}, {&ctPeerOde, 1000}};
    for (int i = 0; i < ctCaseCount; i++) {
        for (size_t j = 0; j < sizeof runs / sizeof runs[0]; j++) {
            double value = ctCases[i].run(runs[j].peer, runs[j].rate);
            ctResults_Add(results,
                          (ctResult){"closed", ctCases[i].key, runs[j].peer->name, runs[j].rate, value, NAN, NAN});
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fputs("usage: validate FOLDER COMMIT DATE (where validation.md and its plots go, and what it says)\n", stderr);
        return 2;
    }
    ctResults results = {NULL, 0, 0};
    ctError error = {ct_ok, ""};
    clock_t start = clock();
    closedForms(&results);
    ctTosses_Validate(&results);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!ctPage_Write(&results, argv[1], argv[2], argv[3], &error)) {
        fprintf(stderr, "validate: %s\n", error.message);
        return 1;
    }
    printf("%.0f s of CPU; %s/validation.md is new\n", seconds, argv[1]);
    free(results.rows);
    return 0;
}
