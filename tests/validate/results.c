// The list of results.
#include "tests/validate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ctResults_Add(ctResults *r, ctResult row)
{
    if (r->count == r->capacity) {
        r->capacity = 2 * r->capacity + 64;
        r->rows = realloc(r->rows, (size_t)r->capacity * sizeof *r->rows);
    }
    r->rows[r->count++] = row;
    printf("%-8s %-18s %-10s %8.0f Hz  %.4g", row.section, row.key, row.engine, row.rate, row.value);
    if (isfinite(row.lo)) {
        printf("  (%.4g to %.4g)", row.lo, row.hi);
    }
    putchar('\n');
    fflush(stdout);
}

const ctResult *ctResults_Find(const ctResults *r, const char *section, const char *key, const char *engine,
                               double rate)
{
    for (int i = 0; i < r->count; i++) {
        const ctResult *row = &r->rows[i];
        if (strcmp(row->section, section) == 0 && strcmp(row->key, key) == 0 && strcmp(row->engine, engine) == 0 &&
            row->rate == rate) {
            return row;
        }
    }
    return NULL;
}

void ctPage_Number(double value, char *text, size_t size)
{
    if (!isfinite(value)) {
        snprintf(text, size, "-");
    } else if (value == 0.0 || (fabs(value) >= 0.01 && fabs(value) < 1000.0)) {
        snprintf(text, size, "%.3g", value);
    } else {
        // 3e-7 as 3·10⁻⁷
        static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        int power = (int)floor(log10(fabs(value)));
        double head = value / pow(10.0, power);
        if (fabs(head) >= 9.95) {
            head /= 10.0;
            power++;
        }
        int size10 = abs(power);
        snprintf(text, size, "%.2g·10%s%s%s", head, power < 0 ? "⁻" : "", size10 > 9 ? digits[size10 / 10 % 10] : "",
                 digits[size10 % 10]);
    }
}
