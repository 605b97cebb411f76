// An indexed priority queue: items are small non-negative integers with a time each, earliest first,
// equal times by ascending item. Most items of a gas are never in it.
//
// Only the entries that are near in time are a heap, small enough for the fastest memory; the far ones, at or after
// the horizon, are in no order, and changing one is a single write. When the heap is used up the horizon moves on
// and the far ones are gone through once. How they are divided changes the cost, never the order.
#ifndef CT_HEAP_H
#define CT_HEAP_H

#include "collision/types.h"

#include <math.h>

// The entries below the one at i are at CT_HEAP_ARITY i + 1 and so on.
enum { CT_HEAP_ARITY = 4 };

typedef struct ctHeapEntry {
    double time;
    int item;
} ctHeapEntry;

typedef struct ctHeap {
    int count; // of the near ones; zero only when there are none at all
    int farCount;
    ctHeapEntry *entries, *far;
    int capacity, farCapacity;
    double horizon, width; // s: width is how far the horizon moves
    double farFirst;       // s: no far entry is earlier
    int itemCapacity;
    int *where; // of each item: its place if near, -1 - its place if far, or CT_NOT_IN_HEAP
} ctHeap;

#define CT_NOT_IN_HEAP INT32_MIN

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
    return heap->count > 0 ? heap->entries[0].time : (double)INFINITY;
}

// The earliest item of a heap that is not empty.
static inline int ctHeap_Top(const ctHeap *heap)
{
    return heap->entries[0].item;
}

// Infinity for an item that is not in the heap.
static inline double ctHeap_Time(const ctHeap *heap, int item)
{
    int at = heap->where[item];
    return at >= 0 ? heap->entries[at].time : at != CT_NOT_IN_HEAP ? heap->far[-1 - at].time : (double)INFINITY;
}

static inline void ctHeap_Remove(ctHeap *heap, int item)
{
    if (ctHeap_Has(heap, item)) {
        ctHeap_Set(heap, item, (double)INFINITY);
    }
}

#endif
