#include "engine/heap.h"

#include "collision/memory.h"

#include <assert.h>

enum { ARITY = CT_HEAP_ARITY };

// How many entries should be near when the horizon moves: some, and a share of all.
enum { NEAR_LEAST = 128, NEAR_SHARE = 16 };
#define FIRST_WIDTH 1e-3

void ctHeap_Free(ctHeap *heap)
{
    ctFreeAligned(heap->entries);
    ctFreeAligned(heap->far);
    ctFreeAligned(heap->where);
    *heap = (ctHeap){0};
}

bool ctHeap_Reserve(ctHeap *heap, int itemCount)
{
    int old = heap->itemCapacity;
    if (!ctReserveAligned((void **)&heap->where, &heap->itemCapacity, itemCount, sizeof *heap->where)) {
        return false;
    }
    for (int i = old; i < heap->itemCapacity; i++) {
        heap->where[i] = CT_NOT_IN_HEAP;
    }
    if (heap->width == 0.0) {
        heap->width = FIRST_WIDTH;
        heap->farFirst = INFINITY;
    }
    return ctReserveAligned((void **)&heap->entries, &heap->capacity, itemCount, sizeof *heap->entries) &&
           ctReserveAligned((void **)&heap->far, &heap->farCapacity, itemCount, sizeof *heap->far);
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

static void addFar(ctHeap *heap, ctHeapEntry entry)
{
    heap->where[entry.item] = -1 - heap->farCount;
    heap->far[heap->farCount++] = entry;
    heap->farFirst = entry.time < heap->farFirst ? entry.time : heap->farFirst;
}

// Takes an item out of wherever it is.
static void take(ctHeap *heap, int item)
{
    int at = heap->where[item];
    heap->where[item] = CT_NOT_IN_HEAP;
    if (at >= 0) {
        ctHeapEntry last = heap->entries[--heap->count];
        if (at < heap->count) {
            sift(heap, at, last);
        }
    } else {
        ctHeapEntry last = heap->far[--heap->farCount];
        if (last.item != item) {
            heap->far[-1 - at] = last;
            heap->where[last.item] = at;
        }
    }
}

// Moves the horizon past what may be the earliest of the far entries, and brings those before it near.
static void bringNear(ctHeap *heap)
{
    double first = heap->farFirst, rest = INFINITY;
    heap->horizon = first + heap->width > first ? first + heap->width : nextafter(first, (double)INFINITY);
    int kept = 0, all = heap->farCount;
    for (int i = 0; i < all; i++) {
        ctHeapEntry entry = heap->far[i];
        bool isNear = entry.time < heap->horizon;
        heap->entries[heap->count] = heap->far[kept] = entry;
        heap->where[entry.item] = isNear ? heap->count : -1 - kept;
        heap->count += isNear;
        kept += !isNear;
        double time = isNear ? (double)INFINITY : entry.time;
        rest = time < rest ? time : rest;
    }
    heap->farCount = kept;
    heap->farFirst = rest;
    for (int i = (heap->count - 2) / ARITY; i >= 0 && heap->count > 1; i--) {
        siftDown(heap, i, heap->entries[i]);
    }
    int wanted = NEAR_LEAST + all / NEAR_SHARE;
    heap->width *= heap->count > 2 * wanted ? 0.5 : kept > 0 && 2 * heap->count < wanted ? 2.0 : 1.0;
}

// What was the earliest may have gone: then the horizon moves twice.
static void advance(ctHeap *heap)
{
    while (heap->count == 0 && heap->farCount > 0) {
        bringNear(heap);
    }
}

void ctHeap_Set(ctHeap *heap, int item, double time)
{
    assert(item >= 0 && item < heap->itemCapacity && !isnan(time));
    int at = heap->where[item];
    bool isNear = time < heap->horizon;
    ctHeapEntry entry = {time, item};
    if (at >= 0 && isNear) {
        sift(heap, at, entry);
        return;
    }
    if (at < 0 && at != CT_NOT_IN_HEAP && !isNear && time < (double)INFINITY) {
        heap->far[-1 - at].time = time;
        heap->farFirst = time < heap->farFirst ? time : heap->farFirst;
        return;
    }
    if (at != CT_NOT_IN_HEAP) {
        take(heap, item);
    }
    if (isNear) {
        siftUp(heap, heap->count++, entry);
    } else if (time < (double)INFINITY) {
        addFar(heap, entry);
    }
    advance(heap);
}

void ctHeap_Delay(ctHeap *heap, double seconds)
{
    for (int i = 0; i < heap->count; i++) {
        heap->entries[i].time += seconds;
    }
    for (int i = 0; i < heap->farCount; i++) {
        heap->far[i].time += seconds;
    }
    // Sums are rounded: what was before the horizon may be at it now, which does no harm, but not after it.
    heap->horizon += seconds;
    heap->farFirst += seconds;
}
