#include "tests/support/impact_vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double ctRelativeError(ctVec3 a, ctVec3 b)
{
    // Scaled, so that impulses of 1e-200 have an error too.
    double size = ctMaxElement(ctAbs(b));
    ctVec3 x = ctV3(a.x / size, a.y / size, a.z / size), y = ctV3(b.x / size, b.y / size, b.z / size);
    double error = ctDistance(x, y) / ctLength(y);
    return error >= 0.0 ? error : INFINITY;
}

static void fail(const char *path, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", path, line, what);
    abort();
}

static bool readLine(char *line, ctImpactVector *v)
{
    double n[16];
    char law[24];
    int read = sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%23[^,],%lf,%lf,%lf,%lf,%23[^,\n]", &n[0],
                      &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &n[10], law, &n[11], &n[12],
                      &n[13], &n[14], v->category);
    v->in = (ctImpactInput){ctMat3Symmetric(n[0], n[1], n[2], n[3], n[4], n[5]),
                            ctV3(n[6], n[7], n[8]),
                            n[9],
                            n[10],
                            n[14],
                            0.0,
                            ct_lawStronge,
                            0.0};
    v->p = ctV3(n[11], n[12], n[13]);
    return read == 17 && ctLawFromName(law, &v->in.law);
}

ctImpactVector *ctReadImpactVectors(const char *name, int *count)
{
    char path[256], line[1024];
    snprintf(path, sizeof path, "tests/data/%s", name);
    FILE *in = fopen(path, "r");
    if (in == NULL || fgets(line, sizeof line, in) == NULL) {
        fail(path, 1, "cannot read");
    }
    int capacity = 0, n = 0;
    ctImpactVector *all = NULL;
    while (fgets(line, sizeof line, in) != NULL) {
        if (n == capacity) {
            capacity = 2 * capacity + 64;
            all = realloc(all, (size_t)capacity * sizeof *all);
            if (all == NULL) {
                fail(path, n + 2, "out of memory");
            }
        }
        if (!readLine(line, &all[n])) {
            fail(path, n + 2, "not a solved impact");
        }
        n++;
    }
    fclose(in);
    *count = n;
    return all;
}
