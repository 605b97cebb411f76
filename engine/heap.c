#include "engine/heap.h"

#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// How many entries should be near when the horizon moves: to go through the far ones costs time in proportion to n over
// this number, and to squeeze new ones in between the near ones in proportion to its square over n.
enum { NEAR_LEAST = 32, NEAR_ROOT = 4 };
#define FIRST_WIDTH 1e-3

void ctHeap_Free(ctHeap *heap)
{
    void *arrays[] = {heap->entries, heap->far, heap->scratch, heap->where, heap->times};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFreeAligned(arrays[i]);
    }
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
    return ctReserveAligned((void **)&heap->times, &heap->timeCapacity, itemCount, sizeof *heap->times) &&
           ctReserveAligned((void **)&heap->scratch, &heap->scratchCapacity, itemCount, sizeof *heap->scratch) &&
           ctReserveAligned((void **)&heap->entries, &heap->capacity, itemCount, sizeof *heap->entries) &&
           ctReserveAligned((void **)&heap->far, &heap->farCapacity, itemCount, sizeof *heap->far);
}

// Without branches: which of two comes first is a matter of luck.
static inline bool before(ctHeapEntry a, ctHeapEntry b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.item < b.item));
}

// ---- near -------------------------------------------------------------------------------------

// How many of the near entries come after this one.
static int rankOf(const ctHeap *heap, ctHeapEntry entry)
{
    int lo = 0, count = heap->count;
    while (count > 0) {
        int half = count / 2;
        bool later = before(entry, heap->entries[lo + half]);
        lo = later ? lo + half + 1 : lo;
        count = later ? count - half - 1 : half;
    }
    return lo;
}

static void addNear(ctHeap *heap, ctHeapEntry entry)
{
    int at = rankOf(heap, entry);
    memmove(&heap->entries[at + 1], &heap->entries[at], (size_t)(heap->count - at) * sizeof entry);
    heap->entries[at] = entry;
    heap->count++;
    heap->where[entry.item] = CT_IS_NEAR;
    heap->times[entry.item] = entry.time;
}

static void takeNear(ctHeap *heap, int item)
{
    int at = heap->count - 1;
    if (heap->entries[at].item != item) {
        at = rankOf(heap, (ctHeapEntry){heap->times[item], item});
    }
    assert(heap->entries[at].item == item);
    heap->count--;
    memmove(&heap->entries[at], &heap->entries[at + 1], (size_t)(heap->count - at) * sizeof heap->entries[0]);
}

// Sorts the near entries, the earliest last: into as many drawers as there are entries by their share of the time up to
// the horizon, and then each drawer, which has about one.
static void sortNear(ctHeap *heap, double first)
{
    enum { DRAWERS = 256 };
    int start[DRAWERS + 1] = {0}, count = heap->count;
    ctHeapEntry *from = heap->entries, *to = heap->scratch;
    double scale = DRAWERS / (heap->horizon - first);
    for (int i = 0; i < count; i++) {
        double share = (heap->horizon - from[i].time) * scale;
        int drawer = share < DRAWERS - 1 ? (int)share : DRAWERS - 1;
        start[drawer + 1]++;
    }
    for (int i = 0; i < DRAWERS; i++) {
        start[i + 1] += start[i];
    }
    for (int i = 0; i < count; i++) {
        double share = (heap->horizon - from[i].time) * scale;
        int drawer = share < DRAWERS - 1 ? (int)share : DRAWERS - 1;
        to[start[drawer]++] = from[i];
    }
    for (int i = 0; i < count; i++) {
        ctHeapEntry entry = to[i];
        int at = i;
        for (; at > 0 && before(from[at - 1], entry); at--) {
            from[at] = from[at - 1];
        }
        from[at] = entry;
    }
}

// ---- far --------------------------------------------------------------------------------------

static void addFar(ctHeap *heap, ctHeapEntry entry)
{
    heap->where[entry.item] = heap->farCount;
    heap->far[heap->farCount++] = entry;
    heap->farFirst = entry.time < heap->farFirst ? entry.time : heap->farFirst;
}

static void takeFar(ctHeap *heap, int at)
{
    ctHeapEntry last = heap->far[--heap->farCount];
    heap->far[at] = last;
    heap->where[last.item] = at;
}

// Moves the horizon past what may be the earliest of the far entries, and brings those before it near.
static void bringNear(ctHeap *heap)
{
    double first = heap->farFirst, rest = INFINITY;
    heap->horizon = first + heap->width > first ? first + heap->width : nextafter(first, (double)INFINITY);
    int all = heap->farCount;
    for (int i = 0; i < heap->farCount;) {
        ctHeapEntry entry = heap->far[i];
        if (entry.time < heap->horizon) {
            takeFar(heap, i);
            heap->where[entry.item] = CT_IS_NEAR;
            heap->times[entry.item] = entry.time;
            heap->entries[heap->count++] = entry;
        } else {
            rest = entry.time < rest ? entry.time : rest;
            i++;
        }
    }
    heap->farFirst = rest;
    sortNear(heap, first);
    int wanted = NEAR_LEAST + (int)(NEAR_ROOT * sqrt((double)all));
    heap->width *= heap->count > 2 * wanted ? 0.5 : heap->farCount > 0 && 2 * heap->count < wanted ? 2.0 : 1.0;
}

// What was the earliest may have gone: then the horizon moves twice.
static void advance(ctHeap *heap)
{
    while (heap->count == 0 && heap->farCount > 0) {
        bringNear(heap);
    }
}

// ---- changes ----------------------------------------------------------------------------------

void ctHeap_Set(ctHeap *heap, int item, double time)
{
    assert(item >= 0 && item < heap->itemCapacity && !isnan(time));
    int at = heap->where[item];
    bool isNear = time < heap->horizon;
    ctHeapEntry entry = {time, item};
    if (at >= 0 && !isNear && time < (double)INFINITY) {
        heap->far[at].time = time;
        heap->farFirst = time < heap->farFirst ? time : heap->farFirst;
        return;
    }
    if (at >= 0) {
        takeFar(heap, at);
    } else if (at == CT_IS_NEAR) {
        takeNear(heap, item);
    }
    heap->where[item] = CT_NOT_IN_HEAP;
    if (isNear) {
        addNear(heap, entry);
    } else if (time < (double)INFINITY) {
        addFar(heap, entry);
    }
    advance(heap);
}

void ctHeap_Delay(ctHeap *heap, double seconds)
{
    // Sums are rounded, and what was different may be equal: all are put in order again.
    for (int i = 0; i < heap->count; i++) {
        addFar(heap, heap->entries[i]);
    }
    heap->count = 0;
    heap->farFirst = INFINITY;
    for (int i = 0; i < heap->farCount; i++) {
        heap->far[i].time += seconds;
        heap->farFirst = heap->far[i].time < heap->farFirst ? heap->far[i].time : heap->farFirst;
    }
    advance(heap);
}
