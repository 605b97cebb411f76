// Which proxies are linked with which: a list for each, in ascending order of the other, both ways. The pairs of the
// broadphase are stored here and nowhere else.
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
    // Of the change that is being made:
    ctLink *merged; // the links that a proxy is to have
    int *fresh;     // places in merged of links that are new
    ctLink *gone;   // a stack of links that have ended and are not reported yet: sinks may make changes of their own
    int goneCount;
    int mergedCapacity, freshCapacity, goneCapacity;
} ctLinks;

// What a change brings: how many links there will be, how many of them are new, and where in the stack those begin
// that are lost.
typedef struct ctLinkChange {
    int count, freshCount, goneBase;
} ctLinkChange;

void ctLinks_Free(ctLinks *links);
// Room for proxies below limit. False, with nothing lost, when memory is short.
bool ctLinks_Reserve(ctLinks *links, int limit);
// The proxy is to be linked with these others, in ascending order, and with nobody else; others has room for one
// more. Makes what follows from that and reserves what it needs. False, with nothing changed, when memory is short.
bool ctLinks_Prepare(ctLinks *links, int proxy, int *others, int count, const ctPairSink *sink, ctLinkChange *change);
// Makes and reports the change.
void ctLinks_Apply(ctLinks *links, int proxy, const ctLinkChange *change, const ctPairSink *sink);
// Ends and reports all links of a proxy, the last one first.
void ctLinks_Drop(ctLinks *links, int proxy, const ctPairSink *sink);
// The tag of a pair, or -1.
int ctLinks_Find(const ctLinks *links, int a, int b);
void ctLinks_SetTag(ctLinks *links, int a, int b, int tag);

#endif
