#include "engine/core/agenda.h"

#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// Entries that a drawer should have when it is opened: FULL, and a share of all items. Larger: drawers cost sorting;
// smaller: more drawers are opened. A drawer with less than a quarter of that is too narrow.
enum { FULL = 24, FULL_SHARE = 512 };
// [storage] s: the first width of a drawer, until the agenda has seen which times it holds.
#define FIRST_WIDTH 1e-4
// An agenda of up to this many times has one drawer, which is always sorted.
enum { FEW = 64 };
// Length of the runs that are sorted by insertion before they are merged.
enum { RUN = 12 };
// Entries that are shifted for a new one at most; beyond, the new entry is laid aside.
enum { SHIFT_MOST = 256 };

void ctAgenda_Free(ctAgenda *agenda)
{
    void *arrays[] = {agenda->entries, agenda->times, agenda->ranks, agenda->blocks, agenda->sheets, agenda->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFreeAligned(arrays[i]);
    }
    *agenda = (ctAgenda){0};
}

// Void entries take room as well: as much as the items that there are, and one sheet in every second drawer. When no
// sheet is left, all entries are made anew (startYear).
static int sheetsFor(int itemCount)
{
    int sheets = itemCount / (CT_AGENDA_SHEET - 1) + CT_AGENDA_DRAWERS + 1;
    return itemCount <= FEW ? 0 : sheets + itemCount / (CT_AGENDA_SHEET - 1) + CT_AGENDA_DRAWERS / 2;
}

static void startYear(ctAgenda *agenda);
static void openNext(ctAgenda *agenda);

bool ctAgenda_Reserve(ctAgenda *agenda, int itemCount)
{
    if (itemCount <= agenda->itemCapacity) {
        return true;
    }
    if (agenda->itemCapacity == 0) {
        agenda->width = FIRST_WIDTH;
        agenda->perWidth = 1.0 / FIRST_WIDTH;
        agenda->aside.time = INFINITY;
    }
    int old = agenda->timeCapacity;
    if (!ctReserveAligned((void **)&agenda->times, &agenda->timeCapacity, itemCount, sizeof *agenda->times)) {
        return false;
    }
    for (int i = old; i < agenda->timeCapacity; i++) {
        agenda->times[i] = INFINITY;
    }
    int oldRanks = agenda->rankCapacity;
    if (!ctReserveAligned((void **)&agenda->ranks, &agenda->rankCapacity, agenda->timeCapacity,
                          sizeof *agenda->ranks)) {
        return false;
    }
    for (int i = oldRanks; i < agenda->rankCapacity; i++) {
        agenda->ranks[i] = (uint64_t)i;
    }
    int oldBlocks = agenda->blockCapacity, blocks = agenda->timeCapacity / CT_AGENDA_BLOCK + 1;
    if (!ctReserveAligned((void **)&agenda->blocks, &agenda->blockCapacity, blocks, sizeof *agenda->blocks)) {
        return false;
    }
    for (int i = oldBlocks; i < agenda->blockCapacity; i++) {
        agenda->blocks[i] = false;
    }
    // Each item has at most one valid entry, and the open drawer may hold void entries besides.
    int room = agenda->timeCapacity, sheets = sheetsFor(room);
    if (!ctReserveAligned((void **)&agenda->sheets, &agenda->sheetCapacity, (sheets + 1) * CT_AGENDA_SHEET,
                          sizeof *agenda->sheets) ||
        !ctReserveAligned((void **)&agenda->scratch, &agenda->scratchCapacity, 2 * room, sizeof *agenda->scratch) ||
        !ctReserveAligned((void **)&agenda->entries, &agenda->capacity, 2 * room, sizeof *agenda->entries)) {
        return false;
    }
    bool few = agenda->itemCapacity > 0 && agenda->itemCapacity <= FEW;
    agenda->itemCapacity = room;
    if (few && room > FEW) {
        startYear(agenda);
        openNext(agenda);
    }
    return true;
}

// ---- order ------------------------------------------------------------------------------------

// Without a branch for the times: the processor cannot predict which of two entries is earlier.
static inline bool before(const ctAgenda *agenda, ctAgendaEntry a, ctAgendaEntry b)
{
    return (a.time < b.time) | (a.time == b.time && agenda->ranks[a.item] < agenda->ranks[b.item]);
}

static void sortRun(const ctAgenda *agenda, ctAgendaEntry *e, int count)
{
    for (int i = 1; i < count; i++) {
        ctAgendaEntry entry = e[i];
        int at = i;
        for (; at > 0 && before(agenda, e[at - 1], entry); at--) {
            e[at] = e[at - 1];
        }
        e[at] = entry;
    }
}

static void merge(const ctAgenda *agenda, const ctAgendaEntry *a, const ctAgendaEntry *endA, const ctAgendaEntry *b,
                  const ctAgendaEntry *endB, ctAgendaEntry *out)
{
    while (a < endA && b < endB) {
        bool second = before(agenda, *a, *b);
        *out++ = second ? *b : *a;
        a += !second;
        b += second;
    }
    memcpy(out, a, (size_t)(endA - a) * sizeof *out);
    memcpy(out + (endA - a), b, (size_t)(endB - b) * sizeof *out);
}

// Merge sort of the open drawer; the earliest entry comes last.
static void sortOpen(ctAgenda *agenda)
{
    int count = agenda->count;
    for (int i = 0; i < count; i += RUN) {
        sortRun(agenda, agenda->entries + i, i + RUN < count ? RUN : count - i);
    }
    for (int run = RUN; run < count; run *= 2) {
        const ctAgendaEntry *from = agenda->entries;
        for (int i = 0; i < count; i += 2 * run) {
            int middle = i + run < count ? i + run : count, end = i + 2 * run < count ? i + 2 * run : count;
            merge(agenda, from + i, from + middle, from + middle, from + end, agenda->scratch + i);
        }
        ctAgendaEntry *swap = agenda->entries;
        int capacity = agenda->capacity;
        agenda->entries = agenda->scratch;
        agenda->capacity = agenda->scratchCapacity;
        agenda->scratch = swap;
        agenda->scratchCapacity = capacity;
    }
}

// The number of entries of the open drawer that are later than this one.
static int rankOf(const ctAgenda *agenda, ctAgendaEntry entry)
{
    int lo = 0, count = agenda->count;
    while (count > 0) {
        int half = count / 2;
        bool later = before(agenda, entry, agenda->entries[lo + half]);
        lo = later ? lo + half + 1 : lo;
        count = later ? count - half - 1 : half;
    }
    return lo;
}

static inline bool isVoid(const ctAgenda *agenda, ctAgendaEntry entry)
{
    return agenda->times[entry.item] != entry.time;
}

static inline uint32_t bitsOf(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return (uint32_t)bits;
}

// Makes room for more entries in the open drawer, by removing void entries if necessary. False when that is not enough:
// an item that was moved often between two times may have several entries that look valid.
static bool makeRoom(ctAgenda *agenda, int more)
{
    if (agenda->count + more <= agenda->capacity) {
        return true;
    }
    int kept = 0;
    for (int i = 0; i < agenda->count; i++) {
        agenda->entries[kept] = agenda->entries[i];
        kept += !isVoid(agenda, agenda->entries[i]);
    }
    agenda->count = kept;
    return kept + more <= agenda->capacity;
}

// ---- drawers ----------------------------------------------------------------------------------

// Monotonic in time: an earlier time never has a later drawer.
static inline int drawerOf(const ctAgenda *agenda, double time)
{
    double share = (time - agenda->base) * agenda->perWidth;
    return share < CT_AGENDA_DRAWERS ? (share > 0.0 ? (int)share : 0) : CT_AGENDA_DRAWERS;
}

// Gives a new sheet to a drawer that is empty or whose last sheet is full. False when there is none left.
static bool addSheet(ctAgenda *agenda, int drawer)
{
    int sheet = agenda->freeSheet;
    if (sheet > 0) {
        agenda->freeSheet = agenda->sheets[sheet * CT_AGENDA_SHEET].item;
    } else if (agenda->usedSheets < agenda->mostSheets) {
        sheet = ++agenda->usedSheets;
    } else {
        return false;
    }
    // After the last entry of a full sheet the index points at the start of the next sheet in memory.
    agenda->sheets[sheet * CT_AGENDA_SHEET].item =
        agenda->drawers[drawer] / CT_AGENDA_SHEET - (agenda->drawers[drawer] > 0);
    agenda->drawers[drawer] = sheet * CT_AGENDA_SHEET + 1;
    return true;
}

// False when there is no sheet left.
static inline bool drop(ctAgenda *agenda, int drawer, ctAgendaEntry entry)
{
    if (agenda->drawers[drawer] % CT_AGENDA_SHEET == 0 && !addSheet(agenda, drawer)) {
        return false;
    }
    agenda->sheets[agenda->drawers[drawer]++] = (ctAgendaSlip){entry.item, bitsOf(entry.time)};
    return true;
}

// Moves the slips of today's drawer, without the void ones, into the open drawer, unsorted. No item has an earlier
// time. False when there is no room.
static bool empty(ctAgenda *agenda)
{
    int drawer = agenda->today, end = agenda->drawers[drawer];
    while (end > 0) {
        int sheet = (end - 1) / CT_AGENDA_SHEET, first = sheet * CT_AGENDA_SHEET, older = agenda->sheets[first].item;
        ctPrefetch(&agenda->sheets[older * CT_AGENDA_SHEET]);
        if (!makeRoom(agenda, CT_AGENDA_SHEET)) {
            return false;
        }
        for (int i = first + 1; i < end; i++) {
            ctAgendaSlip slip = agenda->sheets[i];
            double time = agenda->times[slip.item];
            agenda->entries[agenda->count] = (ctAgendaEntry){time, slip.item};
            agenda->count += (bitsOf(time) == slip.bits) & (drawerOf(agenda, time) <= drawer);
        }
        agenda->sheets[first].item = agenda->freeSheet;
        agenda->freeSheet = sheet;
        end = older > 0 ? (older + 1) * CT_AGENDA_SHEET : 0;
        agenda->drawers[drawer] = end;
    }
    return true;
}

// ---- the open drawer --------------------------------------------------------------------------

// Inserts in order. An entry that would shift many others is laid aside: sorting the drawer again later costs less.
// False when there is no room.
static bool insertOpen(ctAgenda *agenda, ctAgendaEntry entry)
{
    if (!makeRoom(agenda, 1)) {
        return false;
    }
    int at = rankOf(agenda, entry);
    if (agenda->count - at > SHIFT_MOST) {
        agenda->aside = before(agenda, entry, agenda->aside) ? entry : agenda->aside;
        return drop(agenda, agenda->today, entry);
    }
    memmove(&agenda->entries[at + 1], &agenda->entries[at], (size_t)(agenda->count - at) * sizeof entry);
    agenda->entries[at] = entry;
    agenda->count++;
    return true;
}

// Removes void entries from the top, and sorts in the entries laid aside when one of them is the next. False when there
// is no room.
static bool uncover(ctAgenda *agenda)
{
    for (;;) {
        while (agenda->count > 0 && isVoid(agenda, agenda->entries[agenda->count - 1])) {
            agenda->count--;
        }
        bool none = !(agenda->aside.time < (double)INFINITY);
        if (none || (agenda->count > 0 && before(agenda, agenda->entries[agenda->count - 1], agenda->aside))) {
            return true;
        }
        agenda->aside.time = INFINITY;
        if (!empty(agenda)) {
            return false;
        }
        sortOpen(agenda);
    }
}

// ---- years ------------------------------------------------------------------------------------

// One past the last item of a block.
static inline int endOf(const ctAgenda *agenda, int block)
{
    int end = CT_AGENDA_BLOCK * (block + 1);
    return end < agenda->itemCapacity ? end : agenda->itemCapacity;
}

// Starts a year of one drawer, which is open and sorted. False when there are too many items for that.
static bool startOpen(ctAgenda *agenda)
{
    agenda->count = agenda->loaded = 0;
    agenda->aside.time = INFINITY;
    for (int b = 0; CT_AGENDA_BLOCK * b < agenda->itemCapacity; b++) {
        int end = agenda->blocks[b] ? endOf(agenda, b) : 0, former = agenda->count;
        for (int i = CT_AGENDA_BLOCK * b; i < end; i++) {
            agenda->entries[agenda->count] = (ctAgendaEntry){agenda->times[i], i};
            agenda->count += agenda->times[i] < (double)INFINITY;
        }
        agenda->blocks[b] = agenda->count > former;
        if (agenda->count > FEW) {
            agenda->count = 0;
            return false;
        }
    }
    agenda->live = agenda->count;
    agenda->today = CT_AGENDA_DRAWERS;
    sortOpen(agenda);
    return true;
}

// The earliest item of a block; infinity when there is none.
static double earliestOf(const ctAgenda *agenda, int block)
{
    double first = INFINITY;
    int end = endOf(agenda, block);
    for (int i = CT_AGENDA_BLOCK * block; i < end; i++) {
        first = agenda->times[i] < first ? agenda->times[i] : first;
    }
    return first;
}

static void dropBlock(ctAgenda *agenda, int block)
{
    int end = endOf(agenda, block);
    for (int i = CT_AGENDA_BLOCK * block; i < end; i++) {
        if (agenda->times[i] < (double)INFINITY) {
            bool dropped = drop(agenda, drawerOf(agenda, agenda->times[i]), (ctAgendaEntry){agenda->times[i], i});
            assert(dropped);
            (void)dropped;
            agenda->live++;
        }
    }
}

// Starts a year: all items are put into drawers, from the earliest on. There is room, because no entry is void yet.
// Most blocks are empty where a pile watches over most pairs.
static void startYear(ctAgenda *agenda)
{
    if (startOpen(agenda)) {
        return;
    }
    double first = INFINITY;
    for (int i = 0; CT_AGENDA_BLOCK * i < agenda->itemCapacity; i++) {
        if (agenda->blocks[i]) {
            double earliest = earliestOf(agenda, i);
            agenda->blocks[i] = earliest < (double)INFINITY;
            first = earliest < first ? earliest : first;
        }
    }
    memset(agenda->drawers, 0, sizeof agenda->drawers);
    agenda->freeSheet = agenda->usedSheets = agenda->count = agenda->loaded = 0;
    agenda->aside.time = INFINITY;
    agenda->base = first;
    agenda->today = -1;
    agenda->live = 0;
    agenda->mostSheets = sheetsFor(agenda->itemCapacity);
    for (int i = 0; CT_AGENDA_BLOCK * i < agenda->itemCapacity; i++) {
        if (agenda->blocks[i]) {
            dropBlock(agenda, i);
        }
    }
    agenda->mostSheets = sheetsFor(agenda->live);
}

// Adapts the width of the drawers to how full they were in the year before.
static void adapt(ctAgenda *agenda)
{
    int full = FULL + agenda->live / FULL_SHARE;
    if (agenda->loaded > full * CT_AGENDA_DRAWERS) {
        agenda->width *= 0.5;
    } else if (4 * agenda->loaded < full * CT_AGENDA_DRAWERS && agenda->width < 1e3) {
        agenda->width *= 2.0;
    }
    agenda->perWidth = 1.0 / agenda->width;
}

// Opens the next drawer that is not empty.
static void openNext(ctAgenda *agenda)
{
    while (agenda->count == 0) {
        while (++agenda->today < CT_AGENDA_DRAWERS && agenda->drawers[agenda->today] == 0) {
        }
        if (agenda->today < CT_AGENDA_DRAWERS && empty(agenda)) {
            agenda->loaded += agenda->count;
            sortOpen(agenda);
            continue;
        }
        if (agenda->today == CT_AGENDA_DRAWERS) {
            adapt(agenda);
        }
        startYear(agenda);
        if (agenda->live == 0) {
            return;
        }
    }
}

// ---- changes ----------------------------------------------------------------------------------

void ctAgenda_Set(ctAgenda *agenda, int item, double time)
{
    assert(item >= 0 && item < agenda->itemCapacity && !isnan(time));
    double old = agenda->times[item];
    if (time == old) {
        return;
    }
    agenda->times[item] = time;
    if (time < (double)INFINITY) {
        agenda->blocks[item / CT_AGENDA_BLOCK] = true;
        ctAgendaEntry entry = {time, item};
        int drawer = drawerOf(agenda, time);
        bool crowded = agenda->today == CT_AGENDA_DRAWERS && agenda->count > 2 * FEW && agenda->itemCapacity > FEW;
        bool put = agenda->count > 0 && !crowded &&
                   (drawer <= agenda->today ? insertOpen(agenda, entry) : drop(agenda, drawer, entry));
        if (!put) {
            startYear(agenda);
        }
    }
    // The top entry is valid.
    if (!uncover(agenda)) {
        startYear(agenda);
    }
    if (agenda->count == 0 && (old < (double)INFINITY || time < (double)INFINITY)) {
        openNext(agenda);
    }
}

void ctAgenda_Delay(ctAgenda *agenda, double seconds)
{
    for (int i = 0; i < agenda->itemCapacity; i++) {
        agenda->times[i] += seconds;
    }
    startYear(agenda);
    openNext(agenda);
}
