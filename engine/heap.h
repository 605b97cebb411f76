// An indexed priority queue: items are small non-negative integers with a time each, earliest first,
// equal times by ascending item. Changing an item's time is O(log n); most items of a gas are never in it.
#ifndef CT_HEAP_H
#define CT_HEAP_H

#include "collision/types.h"

#include <math.h>

typedef struct ctHeapEntry {
    double time;
    int item;
} ctHeapEntry;

typedef struct ctHeap {
    int count, capacity;
    ctHeapEntry *entries;
    int itemCapacity;
    int *where; // position of each item, or -1
} ctHeap;

void ctHeap_Free(ctHeap *heap);
// Room for items 0 ... itemCount - 1. After this no other call can fail.
bool ctHeap_Reserve(ctHeap *heap, int itemCount);
void ctHeap_Clear(ctHeap *heap);
// Puts the item in, moves it, or (time infinite) takes it out.
void ctHeap_Set(ctHeap *heap, int item, double time);

static inline bool ctHeap_Has(const ctHeap *heap, int item)
{
    return heap->where[item] >= 0;
}

// Infinity when the heap is empty.
static inline double ctHeap_TopTime(const ctHeap *heap)
{
    return heap->count > 0 ? heap->entries[0].time : (double)INFINITY;
}

// Infinity for an item that is not in the heap.
static inline double ctHeap_Time(const ctHeap *heap, int item)
{
    int at = heap->where[item];
    return at >= 0 ? heap->entries[at].time : (double)INFINITY;
}

static inline void ctHeap_Remove(ctHeap *heap, int item)
{
    ctHeap_Set(heap, item, (double)INFINITY);
}

#endif
