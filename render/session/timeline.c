#include "render/session/timeline.h"

#include "collision/error.h"
#include "collision/memory.h"

#include <math.h>

static void dropFrom(ctTimeline *t, int first)
{
    for (int i = first; i < t->count; i++) {
        t->bytes -= t->moments[i].size;
        ctFreeSnapshot(t->moments[i].snapshot);
    }
    t->count = first < t->count ? first : t->count;
}

void ctTimeline_Clear(ctTimeline *t)
{
    dropFrom(t, 0);
}

void ctTimeline_Free(ctTimeline *t)
{
    dropFrom(t, 0);
    ctFree(t->moments);
    *t = (ctTimeline){0};
}

// Drops every second moment of the older half, but never the first.
static void thin(ctTimeline *t)
{
    int kept = 0;
    for (int i = 0; i < t->count; i++) {
        if (i < t->count / 2 && i % 2 == 1) {
            t->bytes -= t->moments[i].size;
            ctFreeSnapshot(t->moments[i].snapshot);
        } else {
            t->moments[kept++] = t->moments[i];
        }
    }
    t->count = kept;
}

bool ctTimeline_Add(ctTimeline *t, double time, void *snapshot, size_t size, ctError *error)
{
    int keep = t->count;
    while (keep > 0 && t->moments[keep - 1].time >= time - 1e-12) {
        keep--;
    }
    dropFrom(t, keep);
    if (!ctReserve((void **)&t->moments, &t->capacity, t->count + 1, sizeof(ctMoment))) {
        ctFreeSnapshot(snapshot);
        return ctFailMemory(error, "timeline");
    }
    t->moments[t->count++] = (ctMoment){time, snapshot, size};
    t->bytes += size;
    size_t budget = t->budget != 0 ? t->budget : CT_TIMELINE_BYTES;
    while (t->bytes > budget && t->count > 3) {
        thin(t);
    }
    return true;
}

int ctTimeline_Find(const ctTimeline *t, double time)
{
    int lo = 0, hi = t->count - 1;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (t->moments[mid].time < time) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo > 0 && t->count > 0 && fabs(t->moments[lo - 1].time - time) < fabs(t->moments[lo].time - time)) {
        lo--;
    }
    return t->count > 0 ? lo : -1;
}
