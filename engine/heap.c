#include "engine/heap.h"

#include "collision/memory.h"

#include <assert.h>

enum { ARITY = 4 };

void ctHeap_Free(ctHeap *heap)
{
    ctFree(heap->entries);
    ctFree(heap->where);
    *heap = (ctHeap){0};
}

bool ctHeap_Reserve(ctHeap *heap, int itemCount)
{
    int old = heap->itemCapacity;
    if (!ctReserve((void **)&heap->where, &heap->itemCapacity, itemCount, sizeof *heap->where)) {
        return false;
    }
    for (int i = old; i < heap->itemCapacity; i++) {
        heap->where[i] = -1;
    }
    return ctReserve((void **)&heap->entries, &heap->capacity, itemCount, sizeof *heap->entries);
}

void ctHeap_Clear(ctHeap *heap)
{
    for (int i = 0; i < heap->count; i++) {
        heap->where[heap->entries[i].item] = -1;
    }
    heap->count = 0;
}

// Without branches: which of two comes first is a matter of luck.
static inline bool before(ctHeapEntry a, ctHeapEntry b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.item < b.item));
}

static inline void place(ctHeap *heap, int at, ctHeapEntry entry)
{
    heap->entries[at] = entry;
    heap->where[entry.item] = at;
}

// Moves the entry that belongs at position at towards the root, or towards the leaves.
static void siftUp(ctHeap *heap, int at, ctHeapEntry entry)
{
    while (at > 0) {
        int parent = (at - 1) / ARITY;
        if (!before(entry, heap->entries[parent])) {
            break;
        }
        place(heap, at, heap->entries[parent]);
        at = parent;
    }
    place(heap, at, entry);
}

static inline int leastChild(const ctHeap *heap, int first)
{
    const ctHeapEntry *e = heap->entries;
    if (first + ARITY <= heap->count) {
        int left = first + before(e[first + 1], e[first]), right = first + 2 + before(e[first + 3], e[first + 2]);
        return left + (right - left) * before(e[right], e[left]);
    }
    int least = first;
    for (int i = first + 1; i < heap->count; i++) {
        least = before(e[i], e[least]) ? i : least;
    }
    return least;
}

static void siftDown(ctHeap *heap, int at, ctHeapEntry entry)
{
    for (;;) {
        int first = ARITY * at + 1;
        if (first >= heap->count) {
            break;
        }
        int least = leastChild(heap, first);
        if (!before(heap->entries[least], entry)) {
            break;
        }
        place(heap, at, heap->entries[least]);
        at = least;
    }
    place(heap, at, entry);
}

static void sift(ctHeap *heap, int at, ctHeapEntry entry)
{
    if (at > 0 && before(entry, heap->entries[(at - 1) / ARITY])) {
        siftUp(heap, at, entry);
    } else {
        siftDown(heap, at, entry);
    }
}

void ctHeap_Set(ctHeap *heap, int item, double time)
{
    assert(item >= 0 && item < heap->itemCapacity && !isnan(time));
    int at = heap->where[item];
    if (time < (double)INFINITY) {
        ctHeapEntry entry = {time, item};
        if (at >= 0) {
            sift(heap, at, entry);
        } else {
            siftUp(heap, heap->count++, entry);
        }
    } else if (at >= 0) {
        heap->where[item] = -1;
        ctHeapEntry last = heap->entries[--heap->count];
        if (at < heap->count) {
            sift(heap, at, last);
        }
    }
}
