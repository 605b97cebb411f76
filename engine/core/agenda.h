// An agenda is a priority queue of times: items are small non-negative integers with one time each, earliest first.
// Items with equal times come by ascending rank: of the item itself, unless it is given another one.
//
// The agenda is a calendar queue (Brown 1988). A year of time is divided into drawers of equal width. An entry goes
// into the drawer of its time and is never moved. When an item gets another time, it gets a new entry; the old entry is
// void, and is recognised as such when it comes up. Only the open drawer, the earliest one that is not empty, is
// sorted. A new entry of the open drawer that would be far behind the earliest one is laid aside, and is sorted in when
// its time comes near. Entries later than the year wait in a last drawer for the next year. An agenda of few items has
// one drawer, which is always sorted. The width of the drawers changes the cost, never the order.
#ifndef CT_CORE_AGENDA_H
#define CT_CORE_AGENDA_H

#include "collision/types.h"

#include <math.h>

typedef struct ctAgendaEntry {
    double time;
    int item;
} ctAgendaEntry;

// An entry of a drawer that is not open: the item, and the low bits of its time. An entry whose item has the same bits
// and a time in the drawer counts as valid.
typedef struct ctAgendaSlip {
    int item;
    uint32_t bits;
} ctAgendaSlip;

// A drawer is a list of sheets of CT_AGENDA_SHEET slips each. The first slip of a sheet stores in its item the number
// of the sheet before it, or 0.
enum { CT_AGENDA_DRAWERS = 1024, CT_AGENDA_SHEET = 16, CT_AGENDA_BLOCK = 64 };

typedef struct ctAgenda {
    int count;              // of the open drawer; zero only when the agenda is empty
    int today;              // the open drawer
    ctAgendaEntry *entries; // of the open drawer, the earliest last; that entry is valid
    ctAgendaEntry aside;    // the earliest of the entries laid aside, which are in drawers[today]; infinite time: none
    double *times;          // s, by item; infinite: the item is not in the agenda
    uint64_t *ranks;        // by item
    bool *blocks;           // by block of CT_AGENDA_BLOCK items: whether one of them may be in the agenda
    double base;            // s: start of the year
    double width;           // s: of a drawer
    double perWidth;
    // By drawer: where its next slip goes among the slips of all sheets. A multiple of CT_AGENDA_SHEET: the drawer
    // needs a new sheet; zero: it is empty. So an insertion reads nothing else. The last drawer holds later years.
    int drawers[CT_AGENDA_DRAWERS + 1];
    ctAgendaSlip *sheets;
    int freeSheet, usedSheets; // sheet numbers from 1; 0: none
    int mostSheets;            // that are used this year
    int live;                  // items at the start of the year
    int loaded;                // entries that have been taken out of drawers this year
    ctAgendaEntry *scratch;    // for sorting
    int capacity, timeCapacity, rankCapacity, blockCapacity, sheetCapacity, scratchCapacity;
    int itemCapacity;
} ctAgenda;

void ctAgenda_Free(ctAgenda *agenda);
// Room for items 0 ... itemCount - 1. After this no other call can fail.
bool ctAgenda_Reserve(ctAgenda *agenda, int itemCount);
// Inserts the item, moves it, or (time infinite) removes it.
void ctAgenda_Set(ctAgenda *agenda, int item, double time);
// Gives an item that is not in the agenda another rank.
static inline void ctAgenda_Rank(ctAgenda *agenda, int item, uint64_t rank)
{
    agenda->ranks[item] = rank;
}
// Adds so many seconds to every time.
void ctAgenda_Delay(ctAgenda *agenda, double seconds);

// Infinity for an item that is not in the agenda.
static inline double ctAgenda_Time(const ctAgenda *agenda, int item)
{
    return agenda->times[item];
}

static inline bool ctAgenda_Has(const ctAgenda *agenda, int item)
{
    return agenda->times[item] < (double)INFINITY;
}

// Infinity when the agenda is empty.
static inline double ctAgenda_TopTime(const ctAgenda *agenda)
{
    return agenda->count > 0 ? agenda->entries[agenda->count - 1].time : (double)INFINITY;
}

// The earliest item of an agenda that is not empty.
static inline int ctAgenda_Top(const ctAgenda *agenda)
{
    return agenda->entries[agenda->count - 1].item;
}

// The k-th entry after the earliest, within the open drawer: likely to be the next ones. The entry may be void, and
// then its time is not that of its item. NULL when there is none.
static inline const ctAgendaEntry *ctAgenda_Next(const ctAgenda *agenda, int k)
{
    return k < agenda->count ? &agenda->entries[agenda->count - 1 - k] : NULL;
}

// The item of that entry, for prefetching; the earliest item when there is no such entry. The agenda is not empty.
static inline int ctAgenda_NextItem(const ctAgenda *agenda, int k)
{
    int at = agenda->count - 1 - k;
    return agenda->entries[at > 0 ? at : 0].item;
}

static inline void ctAgenda_Remove(ctAgenda *agenda, int item)
{
    ctAgenda_Set(agenda, item, (double)INFINITY);
}

#endif
