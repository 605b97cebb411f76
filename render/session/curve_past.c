// Values of a curve before the curve was added, from the snapshots of the timeline.
#include "collision/clock.h"
#include "collision/memory.h"
#include "render/session/curves_internal.h"

#include <math.h>
#include <string.h>

// The value at a moment. The snapshot is loaded into a separate world, so that the scene's world is not disturbed.
static double valueAt(const ctCurveWish *wish, const ctMoment *moment, ctSimState *state)
{
    double value = NAN;
    ctWorld *world = ctWorld_Load(moment->snapshot, moment->size, NULL);
    if (world != NULL && ctSimState_Capture(state, world, (ctCaptureWhat){0})) {
        int ordinal = ctBody_GetOrdinal(world, wish->body);
        if (ordinal >= 0 && ordinal < state->count) {
            value = ctCurve_ValueOf(world, &state->bodies[ordinal], wish->of);
        }
    }
    ctWorld_Destroy(world);
    return value;
}

// Merges samples of one curve into the existing samples, in order of time.
static bool merge(ctCurves *c, int index, const ctCurveSample *past, int count)
{
    ctCurveSample *all = ctAllocate((size_t)(c->count + count) + 1, sizeof(ctCurveSample));
    if (all == NULL) {
        return false;
    }
    int n = 0, i = 0, k = 0;
    while (i < c->count || k < count) {
        double mine = i < c->count ? c->samples[i].time : INFINITY, other = k < count ? past[k].time : INFINITY;
        bool same = fabs(mine - other) < 1e-9;
        all[n] = mine < other || same ? c->samples[i] : past[k];
        all[n++].values[index] = mine < other && !same ? c->samples[i].values[index] : past[k].values[index];
        i += mine < other || same ? 1 : 0;
        k += other < mine || same ? 1 : 0;
    }
    bool room = ctReserve((void **)&c->samples, &c->capacity, n, sizeof(ctCurveSample));
    if (room) {
        memcpy(c->samples, all, (size_t)n * sizeof(ctCurveSample));
        c->count = n;
    }
    ctFree(all);
    return room;
}

bool ctCurves_Backfill(ctCurves *c, int index, const ctTimeline *t, double seconds)
{
    const ctCurveWish wish = c->wishes[index];
    if (wish.of == ct_curveMeasure || t->count == 0) {
        return true;
    }
    ctCurveSample *past = ctAllocate((size_t)t->count, sizeof(ctCurveSample));
    if (past == NULL) {
        return false;
    }
    ctSimState state = {0};
    int count = 0, stride = 1;
    for (int i = 0; i < t->count; i += stride) {
        double begin = ctClock_Thread();
        ctCurveSample *s = &past[count++];
        s->time = t->moments[i].time;
        for (int k = 0; k < CT_CURVES; k++) {
            s->values[k] = NAN;
        }
        s->values[index] = valueAt(&wish, &t->moments[i], &state);
        if (i == 0) {
            stride = 1 + (int)fmin(1e6, t->count * (ctClock_Thread() - begin) / seconds);
        }
    }
    bool room = merge(c, index, past, count);
    ctSimState_Free(&state);
    ctFree(past);
    return room;
}
