// The simulated past as snapshots that can be restored. When the snapshots exceed a budget of memory, every second of
// the older ones is dropped, so that the whole past stays accessible.
#ifndef CT_SESSION_TIMELINE_H
#define CT_SESSION_TIMELINE_H

#include "engine/clatter.h"

#define CT_TIMELINE_BYTES ((size_t)256 << 20)

typedef struct ctMoment {
    double time;
    void *snapshot;
    size_t size;
} ctMoment;

typedef struct ctTimeline {
    ctMoment *moments; // in order of time
    int count, capacity;
    size_t bytes, budget; // budget 0: CT_TIMELINE_BYTES
} ctTimeline;

void ctTimeline_Clear(ctTimeline *timeline);
void ctTimeline_Free(ctTimeline *timeline);
// Takes ownership of the snapshot. Moments at or after its time are dropped: the world was rewound.
bool ctTimeline_Add(ctTimeline *timeline, double time, void *snapshot, size_t size, ctError *error);
// The moment nearest to a time, or -1 when there is none.
int ctTimeline_Find(const ctTimeline *timeline, double time);

#endif
