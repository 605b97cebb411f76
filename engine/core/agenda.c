#include "engine/core/agenda.h"

#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// Entries in a drawer when it is opened, at most, about: some, and a share of all. To open many drawers costs time, and
// so does sorting full ones. Fewer than a quarter are too few.
enum { FULL = 24, FULL_SHARE = 512 };
// [storage] s: the first width of a bucket, until the heap has seen what times it holds.
#define FIRST_WIDTH 1e-4
// Up to this many items are kept in order as they come, as if the year were one drawer.
enum { FEW = 64 };
// Runs that are sorted by insertion.
enum { RUN = 12 };
// Entries that are shifted for a new one, at most.
enum { SHIFT_MOST = 256 };

void ctAgenda_Free(ctAgenda *heap)
{
    void *arrays[] = {heap->entries, heap->times, heap->blocks, heap->sheets, heap->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFreeAligned(arrays[i]);
    }
    *heap = (ctAgenda){0};
}

// Entries that are void take room as well. When there is none left, all are sorted out (startYear).
static int sheetsFor(int itemCount)
{
    return itemCount <= FEW ? 0 : 3 * (itemCount / (CT_HEAP_SHEET - 1)) + 2 * CT_HEAP_DRAWERS;
}

static void startYear(ctAgenda *heap);
static void openNext(ctAgenda *heap);

bool ctAgenda_Reserve(ctAgenda *heap, int itemCount)
{
    if (itemCount <= heap->itemCapacity) {
        return true;
    }
    if (heap->itemCapacity == 0) {
        heap->width = FIRST_WIDTH;
        heap->perWidth = 1.0 / FIRST_WIDTH;
        heap->aside.time = INFINITY;
    }
    int old = heap->timeCapacity;
    if (!ctReserveAligned((void **)&heap->times, &heap->timeCapacity, itemCount, sizeof *heap->times)) {
        return false;
    }
    for (int i = old; i < heap->timeCapacity; i++) {
        heap->times[i] = INFINITY;
    }
    int oldBlocks = heap->blockCapacity, blocks = heap->timeCapacity / CT_HEAP_BLOCK + 1;
    if (!ctReserveAligned((void **)&heap->blocks, &heap->blockCapacity, blocks, sizeof *heap->blocks)) {
        return false;
    }
    for (int i = oldBlocks; i < heap->blockCapacity; i++) {
        heap->blocks[i] = false;
    }
    // Each item has one valid entry at most, and the open drawer may hold one that is void besides.
    int room = heap->timeCapacity, sheets = sheetsFor(room);
    if (!ctReserveAligned((void **)&heap->sheets, &heap->sheetCapacity, (sheets + 1) * CT_HEAP_SHEET,
                          sizeof *heap->sheets) ||
        !ctReserveAligned((void **)&heap->scratch, &heap->scratchCapacity, 2 * room, sizeof *heap->scratch) ||
        !ctReserveAligned((void **)&heap->entries, &heap->capacity, 2 * room, sizeof *heap->entries)) {
        return false;
    }
    bool few = heap->itemCapacity > 0 && heap->itemCapacity <= FEW;
    heap->itemCapacity = room;
    if (few && room > FEW) {
        startYear(heap);
        openNext(heap);
    }
    return true;
}

// ---- order ------------------------------------------------------------------------------------

// Without branches: which of two comes first is a matter of luck.
static inline bool before(ctAgendaEntry a, ctAgendaEntry b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.item < b.item));
}

static void sortRun(ctAgendaEntry *e, int count)
{
    for (int i = 1; i < count; i++) {
        ctAgendaEntry entry = e[i];
        int at = i;
        for (; at > 0 && before(e[at - 1], entry); at--) {
            e[at] = e[at - 1];
        }
        e[at] = entry;
    }
}

static void merge(const ctAgendaEntry *a, const ctAgendaEntry *endA, const ctAgendaEntry *b, const ctAgendaEntry *endB,
                  ctAgendaEntry *out)
{
    while (a < endA && b < endB) {
        bool second = before(*a, *b);
        *out++ = second ? *b : *a;
        a += !second;
        b += second;
    }
    memcpy(out, a, (size_t)(endA - a) * sizeof *out);
    memcpy(out + (endA - a), b, (size_t)(endB - b) * sizeof *out);
}

// The open drawer, the earliest last.
static void sortOpen(ctAgenda *heap)
{
    int count = heap->count;
    for (int i = 0; i < count; i += RUN) {
        sortRun(heap->entries + i, i + RUN < count ? RUN : count - i);
    }
    for (int run = RUN; run < count; run *= 2) {
        const ctAgendaEntry *from = heap->entries;
        for (int i = 0; i < count; i += 2 * run) {
            int middle = i + run < count ? i + run : count, end = i + 2 * run < count ? i + 2 * run : count;
            merge(from + i, from + middle, from + middle, from + end, heap->scratch + i);
        }
        ctAgendaEntry *swap = heap->entries;
        int capacity = heap->capacity;
        heap->entries = heap->scratch;
        heap->capacity = heap->scratchCapacity;
        heap->scratch = swap;
        heap->scratchCapacity = capacity;
    }
}

// How many entries of the open drawer come after this one.
static int rankOf(const ctAgenda *heap, ctAgendaEntry entry)
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

static inline bool isVoid(const ctAgenda *heap, ctAgendaEntry entry)
{
    return heap->times[entry.item] != entry.time;
}

// Room for some more entries, if need be by throwing out what is void. False when that does not help: an item that has
// been sent to and fro between two times may be there often.
static bool makeRoom(ctAgenda *heap, int more)
{
    if (heap->count + more <= heap->capacity) {
        return true;
    }
    int kept = 0;
    for (int i = 0; i < heap->count; i++) {
        heap->entries[kept] = heap->entries[i];
        kept += !isVoid(heap, heap->entries[i]);
    }
    heap->count = kept;
    return kept + more <= heap->capacity;
}

// ---- drawers ----------------------------------------------------------------------------------

// Times in order have drawers in order.
static inline int drawerOf(const ctAgenda *heap, double time)
{
    double share = (time - heap->base) * heap->perWidth;
    return share < CT_HEAP_DRAWERS ? (share > 0.0 ? (int)share : 0) : CT_HEAP_DRAWERS;
}

// A sheet for a drawer that is empty, or whose last one is full. False when there is none left.
static bool addSheet(ctAgenda *heap, int drawer)
{
    int sheet = heap->freeSheet;
    if (sheet > 0) {
        heap->freeSheet = heap->sheets[sheet * CT_HEAP_SHEET].item;
    } else if ((heap->usedSheets + 2) * CT_HEAP_SHEET <= heap->sheetCapacity) {
        sheet = ++heap->usedSheets;
    } else {
        return false;
    }
    // The place after the last entry of a full sheet is the beginning of the sheet after it in memory.
    heap->sheets[sheet * CT_HEAP_SHEET].item = heap->drawers[drawer] / CT_HEAP_SHEET - (heap->drawers[drawer] > 0);
    heap->drawers[drawer] = sheet * CT_HEAP_SHEET + 1;
    return true;
}

// False when there is no sheet left.
static inline bool drop(ctAgenda *heap, int drawer, ctAgendaEntry entry)
{
    if (heap->drawers[drawer] % CT_HEAP_SHEET == 0 && !addSheet(heap, drawer)) {
        return false;
    }
    heap->sheets[heap->drawers[drawer]++] = entry;
    return true;
}

// Empties a drawer into the open one, without order, and without what is void.
static bool empty(ctAgenda *heap, int drawer)
{
    int end = heap->drawers[drawer];
    while (end > 0) {
        int sheet = (end - 1) / CT_HEAP_SHEET, first = sheet * CT_HEAP_SHEET, older = heap->sheets[first].item;
        ctPrefetch(&heap->sheets[older * CT_HEAP_SHEET]);
        if (!makeRoom(heap, CT_HEAP_SHEET)) {
            return false;
        }
        for (int i = first + 1; i < end; i++) {
            heap->entries[heap->count] = heap->sheets[i];
            heap->count += !isVoid(heap, heap->sheets[i]);
        }
        heap->sheets[first].item = heap->freeSheet;
        heap->freeSheet = sheet;
        end = older > 0 ? (older + 1) * CT_HEAP_SHEET : 0;
        heap->drawers[drawer] = end;
    }
    return true;
}

// ---- the open drawer --------------------------------------------------------------------------

// To shift many entries costs more than to sort the drawer again when the new one is needed.
static bool insertOpen(ctAgenda *heap, ctAgendaEntry entry)
{
    if (!makeRoom(heap, 1)) {
        return false;
    }
    int at = rankOf(heap, entry);
    if (heap->count - at > SHIFT_MOST) {
        heap->aside = before(entry, heap->aside) ? entry : heap->aside;
        return drop(heap, heap->today, entry);
    }
    memmove(&heap->entries[at + 1], &heap->entries[at], (size_t)(heap->count - at) * sizeof entry);
    heap->entries[at] = entry;
    heap->count++;
    return true;
}

// Takes what is void off the top, and takes in what was laid aside when that would be next. False when there is no
// room.
static bool uncover(ctAgenda *heap)
{
    for (;;) {
        while (heap->count > 0 && isVoid(heap, heap->entries[heap->count - 1])) {
            heap->count--;
        }
        bool none = !(heap->aside.time < (double)INFINITY);
        if (none || (heap->count > 0 && before(heap->entries[heap->count - 1], heap->aside))) {
            return true;
        }
        heap->aside.time = INFINITY;
        if (!empty(heap, heap->today)) {
            return false;
        }
        sortOpen(heap);
    }
}

// ---- years ------------------------------------------------------------------------------------

// The items of a block end before this one.
static inline int endOf(const ctAgenda *heap, int block)
{
    int end = CT_HEAP_BLOCK * (block + 1);
    return end < heap->itemCapacity ? end : heap->itemCapacity;
}

// A year of one drawer, which is open.
static void startOpen(ctAgenda *heap)
{
    heap->count = heap->live = 0;
    heap->today = CT_HEAP_DRAWERS;
    for (int i = 0; i < heap->itemCapacity; i++) {
        heap->entries[heap->count] = (ctAgendaEntry){heap->times[i], i};
        heap->count += heap->times[i] < (double)INFINITY;
    }
    heap->live = heap->count;
    sortOpen(heap);
}

// The earliest item of a block; infinity when there is none.
static double earliestOf(const ctAgenda *heap, int block)
{
    double first = INFINITY;
    int end = endOf(heap, block);
    for (int i = CT_HEAP_BLOCK * block; i < end; i++) {
        first = heap->times[i] < first ? heap->times[i] : first;
    }
    return first;
}

static void dropBlock(ctAgenda *heap, int block)
{
    int end = endOf(heap, block);
    for (int i = CT_HEAP_BLOCK * block; i < end; i++) {
        if (heap->times[i] < (double)INFINITY) {
            bool dropped = drop(heap, drawerOf(heap, heap->times[i]), (ctAgendaEntry){heap->times[i], i});
            assert(dropped);
            (void)dropped;
            heap->live++;
        }
    }
}

// All items are put in drawers anew, from the earliest on. There is room: nothing is void yet. Where a pile watches
// over most pairs, most blocks are empty.
static void startYear(ctAgenda *heap)
{
    if (heap->itemCapacity <= FEW) {
        startOpen(heap);
        return;
    }
    double first = INFINITY;
    for (int i = 0; CT_HEAP_BLOCK * i < heap->itemCapacity; i++) {
        if (heap->blocks[i]) {
            double earliest = earliestOf(heap, i);
            heap->blocks[i] = earliest < (double)INFINITY;
            first = earliest < first ? earliest : first;
        }
    }
    memset(heap->drawers, 0, sizeof heap->drawers);
    heap->freeSheet = heap->usedSheets = heap->count = heap->loaded = 0;
    heap->aside.time = INFINITY;
    heap->base = first;
    heap->today = -1;
    heap->live = 0;
    for (int i = 0; CT_HEAP_BLOCK * i < heap->itemCapacity; i++) {
        if (heap->blocks[i]) {
            dropBlock(heap, i);
        }
    }
}

// Drawers of this year that were too full, or too empty, are narrower or wider in the next.
static void adapt(ctAgenda *heap)
{
    int full = FULL + heap->live / FULL_SHARE;
    if (heap->loaded > full * CT_HEAP_DRAWERS) {
        heap->width *= 0.5;
    } else if (4 * heap->loaded < full * CT_HEAP_DRAWERS && heap->width < 1e3) {
        heap->width *= 2.0;
    }
    heap->perWidth = 1.0 / heap->width;
}

// Opens the next drawer that is not empty.
static void openNext(ctAgenda *heap)
{
    while (heap->count == 0) {
        while (++heap->today < CT_HEAP_DRAWERS && heap->drawers[heap->today] == 0) {
        }
        if (heap->today < CT_HEAP_DRAWERS && empty(heap, heap->today)) {
            heap->loaded += heap->count;
            sortOpen(heap);
            continue;
        }
        if (heap->today == CT_HEAP_DRAWERS) {
            adapt(heap);
        }
        startYear(heap);
        if (heap->live == 0) {
            return;
        }
    }
}

// ---- changes ----------------------------------------------------------------------------------

void ctAgenda_Set(ctAgenda *heap, int item, double time)
{
    assert(item >= 0 && item < heap->itemCapacity && !isnan(time));
    double old = heap->times[item];
    if (time == old) {
        return;
    }
    heap->times[item] = time;
    if (time < (double)INFINITY) {
        heap->blocks[item / CT_HEAP_BLOCK] = true;
        ctAgendaEntry entry = {time, item};
        int drawer = drawerOf(heap, time);
        bool put = heap->count > 0 && (drawer <= heap->today ? insertOpen(heap, entry) : drop(heap, drawer, entry));
        if (!put) {
            startYear(heap);
        }
    }
    // What is at the top is valid.
    if (!uncover(heap)) {
        startYear(heap);
    }
    if (heap->count == 0 && (old < (double)INFINITY || time < (double)INFINITY)) {
        openNext(heap);
    }
}

void ctAgenda_Delay(ctAgenda *heap, double seconds)
{
    for (int i = 0; i < heap->itemCapacity; i++) {
        heap->times[i] += seconds;
    }
    startYear(heap);
    openNext(heap);
}
