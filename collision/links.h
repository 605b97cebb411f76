// The links between proxies: one list for each proxy, in ascending order of the other, both ways. The pairs of the
// broadphase are stored only here.
#ifndef CT_LINKS_H
#define CT_LINKS_H

#include "collision/broadphase.h"

typedef struct ctLinkList {
    ctLink *links;
    int count, capacity;
} ctLinkList;

typedef struct ctLinks {
    ctLinkList *lists; // by proxy
    int limit, capacity;
    int pairCount;
    // Of the change in progress:
    ctLink *merged; // the new links of a proxy
    int *fresh;     // places in merged of links that are new
    ctLink *gone;   // a stack of links that have ended and are not reported yet: sinks may make changes themselves
    int goneCount;
    int mergedCapacity, freshCapacity, goneCapacity;
} ctLinks;

// A change: the number of links after it, the number of new ones, and where in the stack the lost ones begin.
typedef struct ctLinkChange {
    int count, freshCount, goneBase;
} ctLinkChange;

void ctLinks_Free(ctLinks *links);
// Room for proxies below limit. False, with nothing lost, when memory is short.
bool ctLinks_Reserve(ctLinks *links, int limit);
// Computes the change that links a proxy with these others, in ascending order, and with no more; others has room for
// one more. Reserves the memory for it. False, with nothing changed, when memory is short.
bool ctLinks_Prepare(ctLinks *links, int proxy, int *others, int count, const ctPairSink *sink, ctLinkChange *change);
// Makes and reports the change.
void ctLinks_Apply(ctLinks *links, int proxy, const ctLinkChange *change, const ctPairSink *sink);
// Ends and reports all links of a proxy, the last one first.
void ctLinks_Drop(ctLinks *links, int proxy, const ctPairSink *sink);
// The tag of a pair, or -1.
int ctLinks_Find(const ctLinks *links, int a, int b);
void ctLinks_SetTag(ctLinks *links, int a, int b, int tag);

#endif
