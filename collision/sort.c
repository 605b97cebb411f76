#include "collision/sort.h"

#include <string.h>

// Up to this length insertion is fastest.
#define SHORT_RUN 24

static void siftDown(int *values, int root, int count)
{
    int value = values[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && values[child + 1] > values[child]) {
            child++;
        }
        if (values[child] <= value) {
            break;
        }
        values[root] = values[child];
    }
    values[root] = value;
}

void ctSortInts(int *values, int count)
{
    if (count <= SHORT_RUN) {
        for (int i = 1; i < count; i++) {
            int v = values[i], k = i;
            for (; k > 0 && values[k - 1] > v; k--) {
                values[k] = values[k - 1];
            }
            values[k] = v;
        }
        return;
    }
    for (int i = count / 2 - 1; i >= 0; i--) {
        siftDown(values, i, count);
    }
    for (int i = count - 1; i > 0; i--) {
        int top = values[0];
        values[0] = values[i];
        values[i] = top;
        siftDown(values, 0, i);
    }
}

// Short runs by insertion, then merging from one array to the other and back.
void ctSortKeys(uint64_t *keys, uint64_t *scratch, int count)
{
    for (int start = 0; start < count; start += SHORT_RUN) {
        int end = count - start > SHORT_RUN ? start + SHORT_RUN : count;
        for (int i = start + 1; i < end; i++) {
            uint64_t v = keys[i];
            int k = i;
            for (; k > start && keys[k - 1] > v; k--) {
                keys[k] = keys[k - 1];
            }
            keys[k] = v;
        }
    }
    uint64_t *from = keys, *to = scratch;
    for (int64_t width = SHORT_RUN; width < count; width *= 2) {
        for (int64_t start = 0; start < count; start += 2 * width) {
            int64_t middle = start + width < count ? start + width : count;
            int64_t end = middle + width < count ? middle + width : count;
            int64_t i = start, k = middle;
            for (int64_t at = start; at < end; at++) {
                bool left = i < middle && (k >= end || from[i] <= from[k]);
                to[at] = left ? from[i++] : from[k++];
            }
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys && count > 0) {
        memcpy(keys, from, (size_t)count * sizeof *keys);
    }
}
