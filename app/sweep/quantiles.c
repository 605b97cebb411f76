#include "app/sweep/plot.h"

#include "collision/error.h"
#include "render/files/atomic_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int byValue(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int ctSortValues(double *values, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (!isnan(values[i])) {
            values[n++] = values[i];
        }
    }
    qsort(values, (size_t)n, sizeof *values, byValue);
    return n;
}

double ctQuantile(const double *sorted, int count, double share)
{
    if (count == 0) {
        return NAN;
    }
    double place = share * (count - 1);
    int below = (int)place;
    int above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

static void writeSummary(FILE *out, double *values, int count)
{
    static const double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    int n = ctSortValues(values, count);
    double mean = 0.0;
    for (int i = 0; i < n; i++) {
        mean += values[i] / n;
    }
    fprintf(out, ",%d,", n);
    if (n > 0) {
        ctWriteNumber(out, mean);
    }
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        fputc(',', out);
        if (n > 0) {
            ctWriteNumber(out, ctQuantile(values, n, shares[i]));
        }
    }
}

bool ctSweep_WriteQuantiles(const ctSweep *s, const double *measured, const char *path, ctError *error)
{
    ctAtomicFile file = {0};
    double *values = malloc(sizeof(double) * (size_t)s->repeats);
    if (values == NULL) {
        return ctFailMemory(error, "quantiles");
    }
    if (!ctAtomicFile_Open(&file, path, error)) {
        free(values);
        return false;
    }
    FILE *out = file.stream;
    fputs("point", out);
    for (int i = 0; i < s->axisCount; i++) {
        fprintf(out, ",%s", s->axes[i].name);
    }
    for (int m = 0; m < s->measureCount; m++) {
        static const char *const columns[] = {"runs", "mean", "q05", "q25", "q50", "q75", "q95"};
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            fprintf(out, strchr(s->measures[m], ',') != NULL ? ",\"%s %s\"" : ",%s %s", s->measures[m], columns[i]);
        }
    }
    fputc('\n', out);
    for (int point = 0; point < s->points; point++) {
        fprintf(out, "%d", point + 1);
        for (int i = 0; i < s->axisCount; i++) {
            fputc(',', out);
            ctWriteAxisValue(out, &s->axes[i], ctSweep_Value(s, i, point * s->repeats));
        }
        for (int m = 0; m < s->measureCount; m++) {
            for (int k = 0; k < s->repeats; k++) {
                values[k] = measured[(size_t)(point * s->repeats + k) * (size_t)s->measureCount + (size_t)m];
            }
            writeSummary(out, values, s->repeats);
        }
        fputc('\n', out);
    }
    free(values);
    return ctAtomicFile_Commit(&file, error);
}
