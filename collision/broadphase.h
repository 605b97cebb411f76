// All pairs of boxes that overlap, kept up to date as boxes change.
#ifndef CT_BROADPHASE_H
#define CT_BROADPHASE_H

#include "collision/error.h"
#include "collision/motion.h"

typedef struct ctBox {
    ctVec3 lo, hi;
} ctBox;

typedef struct ctBroadphase ctBroadphase;

// Called once for each pair that begins to overlap, and once when it ends; a < b always.
typedef struct ctPairSink {
    void (*begin)(void *context, int a, int b);
    void (*end)(void *context, int a, int b);
    void *context;
} ctPairSink;

ctBroadphase *ctBroadphase_Create(ctError *error);
void ctBroadphase_Destroy(ctBroadphase *bp);

// Proxies are small non-negative integers chosen by the caller (body indices). group: two proxies of
// the same non-zero group never pair (fixed and sleeping bodies among themselves).
bool ctBroadphase_Add(ctBroadphase *bp, int proxy, ctBox box, int group, ctError *error);
void ctBroadphase_Remove(ctBroadphase *bp, int proxy); // its pairs end without a call to the sink
// A new box, at any time: pairs that begin or end by it are reported by the next Flush.
bool ctBroadphase_Move(ctBroadphase *bp, int proxy, ctBox box, int group, ctError *error);
// Reports every pair that has begun or ended since the last Flush, in order of (a, b).
bool ctBroadphase_Flush(ctBroadphase *bp, const ctPairSink *sink, ctError *error);

// The box that a motion with a bounding radius about the centre of mass sweeps in [0, duration]:
// start, end and apex of the parabola, grown by the radius.
ctBox ctSweptBox(const ctMotion *motion, double boundRadius, double duration);

#endif
