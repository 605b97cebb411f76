// All allocations of the library are made here, so that a program (or a test that makes allocations fail) can supply
// its own allocator.
#ifndef CT_MEMORY_H
#define CT_MEMORY_H

#include "collision/types.h"

// Behaves as realloc: memory NULL allocates, size 0 frees and returns NULL.
typedef void *ctReallocFn(void *memory, size_t size, void *context);

// NULL restores the C library's. Not safe while another thread allocates.
void ctSetAllocator(ctReallocFn *fn, void *context);

// count elements of size bytes, zeroed. NULL when it does not fit or memory is short.
void *ctAllocate(size_t count, size_t size);

void ctFree(void *memory);

// Makes room for at least need elements in a growing array: *data holds *capacity elements of size
// bytes, and grows by half at least. False, with everything unchanged, when memory is short.
// The new elements are not initialised.
bool ctGrow(void **data, int *capacity, int need, size_t size);
static inline bool ctReserve(void **data, int *capacity, int need, size_t size)
{
    return need <= *capacity || ctGrow(data, capacity, need, size);
}

// The same for an array that has its final size at once: not one element more than needed.
bool ctFit(void **data, int *capacity, int need, size_t size);

// Gives back the room of an array beyond so many elements, if there is any and the allocator can.
void ctShrink(void **data, int *capacity, int count, size_t size);

// As ctReserve, for arrays that begin at a cache line, so that an element of 64 bytes is in one line, and large arrays
// at a page. Free them with ctFreeAligned.
enum { CT_CACHE_LINE = 64 };
bool ctGrowAligned(void **data, int *capacity, int need, size_t size);
static inline bool ctReserveAligned(void **data, int *capacity, int need, size_t size)
{
    return need <= *capacity || ctGrowAligned(data, capacity, need, size);
}
void ctFreeAligned(void *memory);

// Prefetches memory that will soon be read. With ten thousand bodies most of the time is waiting for memory, and
// prefetching a whole list waits only once.
static inline void ctPrefetch(const void *memory)
{
#if defined(__GNUC__)
    __builtin_prefetch(memory);
#else
    (void)memory;
#endif
}

#endif
