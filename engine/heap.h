// An agenda: items are small non-negative integers with a time each, earliest first, equal times by ascending item.
//
// Only the entries that are near in time are in order, few enough for the fastest memory; the far ones, at or after
// the horizon, are in none, and changing one is a single write. When the near ones are used up the horizon moves on and
// the far ones are gone through once. How they are divided changes the cost, never the order.
#ifndef CT_HEAP_H
#define CT_HEAP_H

#include "collision/types.h"

#include <math.h>

typedef struct ctHeapEntry {
    double time;
    int item;
} ctHeapEntry;

typedef struct ctHeap {
    int count; // of the near ones; zero only when there are none at all
    int farCount;
    ctHeapEntry *entries; // the near ones, the earliest last
    ctHeapEntry *far;
    ctHeapEntry *scratch;
    int capacity, farCapacity, scratchCapacity;
    double horizon, width; // s: width is how far the horizon moves
    double farFirst;       // s: no far entry is earlier
    int itemCapacity, timeCapacity;
    int *where;    // of each item: its place if far, CT_IS_NEAR, or CT_NOT_IN_HEAP
    double *times; // s, of the items that are near
} ctHeap;

enum { CT_IS_NEAR = -1, CT_NOT_IN_HEAP = -2 };

void ctHeap_Free(ctHeap *heap);
// Room for items 0 ... itemCount - 1. After this no other call can fail.
bool ctHeap_Reserve(ctHeap *heap, int itemCount);
// Puts the item in, moves it, or (time infinite) takes it out.
void ctHeap_Set(ctHeap *heap, int item, double time);
// Every time becomes later by so much.
void ctHeap_Delay(ctHeap *heap, double seconds);

static inline bool ctHeap_Has(const ctHeap *heap, int item)
{
    return heap->where[item] != CT_NOT_IN_HEAP;
}

// Infinity when the heap is empty.
static inline double ctHeap_TopTime(const ctHeap *heap)
{
    return heap->count > 0 ? heap->entries[heap->count - 1].time : (double)INFINITY;
}

// The earliest item of a heap that is not empty.
static inline int ctHeap_Top(const ctHeap *heap)
{
    return heap->entries[heap->count - 1].item;
}

// The k-th after the earliest, -1 when it is not near: what is likely to be next.
static inline int ctHeap_Next(const ctHeap *heap, int k)
{
    return k < heap->count ? heap->entries[heap->count - 1 - k].item : -1;
}

// Infinity for an item that is not in the heap.
static inline double ctHeap_Time(const ctHeap *heap, int item)
{
    int at = heap->where[item];
    return at >= 0 ? heap->far[at].time : at == CT_IS_NEAR ? heap->times[item] : (double)INFINITY;
}

static inline void ctHeap_Remove(ctHeap *heap, int item)
{
    if (ctHeap_Has(heap, item)) {
        ctHeap_Set(heap, item, (double)INFINITY);
    }
}

#endif
