// An agenda: items are small non-negative integers with a time each, earliest first, equal times by ascending item.
//
// A year of time is divided into drawers. An entry is thrown into the drawer of its time, and never moved: when the
// item gets another time, a new entry is made, and the old one is recognised as void when it comes up. Only the drawer
// that is open is in order; what falls into it far behind the earliest is laid aside until that comes near. What is
// later than the year waits in a last drawer, for the next year. A few items are in order all the time. How the time is
// divided changes the cost, never the order.
#ifndef CT_CORE_AGENDA_H
#define CT_CORE_AGENDA_H

#include "collision/types.h"

#include <math.h>

typedef struct ctAgendaEntry {
    double time;
    int item;
} ctAgendaEntry;

// Drawers are lists of sheets, of so many entries each: the item of the first is the number of the sheet before, or 0.
enum { CT_HEAP_DRAWERS = 1024, CT_HEAP_SHEET = 16, CT_HEAP_BLOCK = 64 };

typedef struct ctAgenda {
    int count;              // of the open drawer; zero only when there are no items at all
    int today;              // the open drawer
    ctAgendaEntry *entries; // in it, the earliest last; that one is valid
    ctAgendaEntry aside;    // the earliest of those laid aside, which are in drawers[today]; its time may be infinite
    double *times;          // s, by item; infinite: it is not there
    bool *blocks;           // of CT_HEAP_BLOCK items each: one of them may be there
    double base;            // s: the year begins
    double width;           // s: of a drawer
    double perWidth;
    // Where the next entry of each drawer goes, among the entries of all sheets, or a multiple of CT_HEAP_SHEET where a
    // new sheet is needed: nothing else is read to throw one in. Zero: it is empty; the last drawer is for later years.
    int drawers[CT_HEAP_DRAWERS + 1];
    ctAgendaEntry *sheets;
    int freeSheet, usedSheets; // numbers, from 1; 0: there is none
    int live;                  // items at the beginning of the year
    int loaded;                // entries that have been taken out of drawers this year
    ctAgendaEntry *scratch;    // for sorting
    int capacity, timeCapacity, blockCapacity, sheetCapacity, scratchCapacity;
    int itemCapacity;
} ctAgenda;

void ctAgenda_Free(ctAgenda *heap);
// Room for items 0 ... itemCount - 1. After this no other call can fail.
bool ctAgenda_Reserve(ctAgenda *heap, int itemCount);
// Puts the item in, moves it, or (time infinite) takes it out.
void ctAgenda_Set(ctAgenda *heap, int item, double time);
// Every time becomes later by so much.
void ctAgenda_Delay(ctAgenda *heap, double seconds);

// Infinity for an item that is not in the heap.
static inline double ctAgenda_Time(const ctAgenda *heap, int item)
{
    return heap->times[item];
}

static inline bool ctAgenda_Has(const ctAgenda *heap, int item)
{
    return heap->times[item] < (double)INFINITY;
}

// Infinity when the heap is empty.
static inline double ctAgenda_TopTime(const ctAgenda *heap)
{
    return heap->count > 0 ? heap->entries[heap->count - 1].time : (double)INFINITY;
}

// The earliest item of a heap that is not empty.
static inline int ctAgenda_Top(const ctAgenda *heap)
{
    return heap->entries[heap->count - 1].item;
}

// The k-th entry after the earliest, as far as the drawer goes: what is likely to be next. It may be void, and then its
// time is not that of its item. NULL when there is none.
static inline const ctAgendaEntry *ctAgenda_Next(const ctAgenda *heap, int k)
{
    return k < heap->count ? &heap->entries[heap->count - 1 - k] : NULL;
}

// The same for what is likely enough to be asked for ahead: an item of a heap that is not empty.
static inline int ctAgenda_NextItem(const ctAgenda *heap, int k)
{
    int at = heap->count - 1 - k;
    return heap->entries[at > 0 ? at : 0].item;
}

static inline void ctAgenda_Remove(ctAgenda *heap, int item)
{
    ctAgenda_Set(heap, item, (double)INFINITY);
}

#endif
