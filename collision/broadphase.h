// All pairs of boxes that overlap, kept up to date as boxes change.
//
// Boxes that touch count as overlapping. Results are a function of the boxes alone, and every report is in a fixed
// order: they do not depend on the history of the index.
#ifndef CT_BROADPHASE_H
#define CT_BROADPHASE_H

#include "collision/error.h"
#include "collision/motion.h"

typedef struct ctBox {
    ctVec3 lo, hi;
} ctBox;

typedef struct ctBroadphase ctBroadphase;

// begin is called once for each pair that begins to overlap, end once when it ends; a < b always. begin returns the
// caller's own number for the pair, not negative, which end is given. With -1 the caller refuses the pair, and is asked
// again when one of the two moves. begin must not call the broadphase; end may, for anything but Destroy.
typedef struct ctPairSink {
    int (*begin)(void *context, int a, int b);
    void (*end)(void *context, int a, int b, int tag);
    void *context;
    // Announces that begin will soon be called for this other proxy (tag -1), or end with this tag; may be NULL.
    void (*expect)(void *context, int proxy, int tag);
} ctPairSink;

// One end of a pair.
typedef struct ctLink {
    int other; // the proxy
    int tag;   // the caller's number
} ctLink;

ctBroadphase *ctBroadphase_Create(ctError *error);
void ctBroadphase_Destroy(ctBroadphase *bp); // NULL is allowed

// Proxies are small non-negative integers chosen by the caller (body indices). group: two proxies of the same non-zero
// group never pair (fixed and sleeping bodies among themselves). Boxes may be infinite in any direction; those are in a
// list of their own, so there should be few. Every change reports to the sink at once: pairs that begin in ascending
// order of the other proxy, then pairs that end in ascending order. A change that fails for lack of memory changes and
// reports nothing.
bool ctBroadphase_Add(ctBroadphase *bp, int proxy, ctBox box, int group, const ctPairSink *sink, ctError *error);
// A half-space n.x <= offset instead of a box: it pairs with the boxes that reach into it (touching ones
// included, and those within 1e-14 of the coordinates), never with another half-space.
bool ctBroadphase_AddPlane(ctBroadphase *bp, int proxy, ctVec3 normal, double offset, int group, const ctPairSink *sink,
                           ctError *error);
// A new box, at any time. Not for planes.
bool ctBroadphase_Move(ctBroadphase *bp, int proxy, ctBox box, int group, const ctPairSink *sink, ctError *error);
// Ends the pairs of the proxy, the last one first.
void ctBroadphase_Remove(ctBroadphase *bp, int proxy, const ctPairSink *sink);
bool ctBroadphase_Has(const ctBroadphase *bp, int proxy);
// Prefetches a proxy that will soon be moved, and, when that has arrived, its links.
void ctBroadphase_Prefetch(const ctBroadphase *bp, int proxy);
void ctBroadphase_PrefetchList(const ctBroadphase *bp, int proxy); // prefetches where the links are, only
void ctBroadphase_PrefetchLinks(const ctBroadphase *bp, int proxy);

// The pairs of a proxy, in ascending order of the other. The array is valid until the next change. Empty for a proxy
// that does not exist.
const ctLink *ctBroadphase_Links(const ctBroadphase *bp, int proxy, int *count);
// The tag of a pair, negative when there is none.
int ctBroadphase_Find(const ctBroadphase *bp, int a, int b);
void ctBroadphase_SetTag(ctBroadphase *bp, int a, int b, int tag); // the pair exists
int ctBroadphase_PairCount(const ctBroadphase *bp);                // of all pairs

// Every proxy whose present box (or half-space) touches the box, in ascending order, until visit returns
// false. visit must not change bp.
void ctBroadphase_QueryBox(ctBroadphase *bp, ctBox box, bool (*visit)(void *context, int proxy), void *context);
// Every proxy whose present box the segment origin + t direction, 0 <= t <= maxT, may touch, in ascending
// order; all half-spaces. visit returns the new maxT (what it was given, or less), or a negative number to
// stop; proxies beyond it may still be visited.
void ctBroadphase_QueryRay(ctBroadphase *bp, ctVec3 origin, ctVec3 direction, double maxT,
                           double (*visit)(void *context, int proxy, double maxT), void *context);

// The box that a motion with a bounding radius about the centre of mass sweeps in [0, duration]:
// start, end and apex of the parabola, grown by the radius.
ctBox ctSweptBox(const ctMotion *motion, double boundRadius, double duration);
ctBox ctSweptBall(ctVec3 x, ctVec3 v, ctVec3 a, double boundRadius, double duration);
// The same, made tighter by the body's box at the start (ctShape_Bounds): points of the body turn by no more
// than wMax duration about the centre. Worth it for thin, slow or resting bodies.
ctBox ctSweptBoxTight(const ctMotion *motion, ctBox start, double boundRadius, double duration);

#endif
