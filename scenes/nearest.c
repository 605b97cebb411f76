#include "scenes/nearest.h"

#include <limits.h>
#include <string.h>

enum { MAX_NAME = 48 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

// Restricted Damerau-Levenshtein distance by rows: `before` is two rows up, `above` one.
int ctTypingDistance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > MAX_NAME || m > MAX_NAME) {
        return INT_MAX;
    }
    int rows[3][MAX_NAME + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    for (int j = 0; j <= m; j++) {
        before[j] = above[j] = j;
    }
    for (int i = 1; i <= n; i++) {
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        int *free = before;
        before = above;
        above = row;
        row = free;
    }
    return above[m];
}

int ctTypingTolerance(const char *word)
{
    return 1 + (int)strlen(word) / 4;
}

const char *ctNearestName(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    int best = ctTypingTolerance(word) + 1;
    for (; *names != NULL; names++) {
        int distance = ctTypingDistance(word, *names);
        // At least one letter of the name must be in the word.
        if (distance < best && distance < (int)strlen(*names)) {
            best = distance;
            nearest = *names;
        }
    }
    return nearest;
}

const char *ctNearestBody(const char *word, const ctWorld *world)
{
    const char *nearest = NULL;
    int best = ctTypingTolerance(word) + 1;
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        const char *name = ctBody_GetName(world, ctWorld_GetBody(world, i));
        int distance = ctTypingDistance(word, name);
        nearest = distance < best ? name : nearest;
        best = distance < best ? distance : best;
    }
    return nearest;
}
