// Each block begins with its size, so that freeing it returns that to the budget of the thread.
#include "collision/memory.h"

#include "collision/budget.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21)

static void *defaultRealloc(void *memory, size_t size, void *context)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

static ctReallocFn *allocator = defaultRealloc;
static void *allocatorContext;

void ctSetAllocator(ctReallocFn *fn, void *context)
{
    allocator = fn != NULL ? fn : defaultRealloc;
    allocatorContext = fn != NULL ? context : NULL;
}

typedef struct Header {
    _Alignas(max_align_t) size_t size; // of the block
} Header;

// As realloc, within the budget of the thread.
static void *resize(void *memory, size_t size)
{
    Header *old = memory != NULL ? (Header *)memory - 1 : NULL;
    size_t before = old != NULL ? old->size : 0;
    if (size > before && !ctBudget_Take(size - before)) {
        return NULL;
    }
    Header *block = allocator(old, size + sizeof *block, allocatorContext);
    if (block == NULL) {
        ctBudget_GiveBack(size > before ? size - before : 0);
        return NULL;
    }
    ctBudget_GiveBack(size < before ? before - size : 0);
    block->size = size;
    return block + 1;
}

void *ctAllocate(size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > (PTRDIFF_MAX - sizeof(Header)) / size) {
        return NULL;
    }
    void *memory = resize(NULL, count * size);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void ctFree(void *memory)
{
    if (memory != NULL) {
        Header *block = (Header *)memory - 1;
        ctBudget_GiveBack(block->size);
        (void)allocator(block, 0, allocatorContext);
    }
}

// The capacity that an array grows to, or 0 when that is too large.
static int grownCapacity(int capacity, int need, size_t size)
{
    int grown = capacity + capacity / 2 + 8;
    if (need > INT_MAX / 2 || capacity > INT_MAX / 2) {
        return 0;
    }
    grown = grown < need ? need : grown;
    return (size_t)grown > (PTRDIFF_MAX - 2 * HUGE_PAGE - CT_CACHE_LINE) / size ? 0 : grown;
}

static bool resizeTo(void **data, int *capacity, int count, size_t size)
{
    void *memory = count > 0 ? resize(*data, (size_t)count * size) : NULL;
    if (memory == NULL) {
        return false;
    }
    *data = memory;
    *capacity = count;
    return true;
}

bool ctGrow(void **data, int *capacity, int need, size_t size)
{
    return need <= *capacity || resizeTo(data, capacity, grownCapacity(*capacity, need, size), size);
}

bool ctFit(void **data, int *capacity, int need, size_t size)
{
    bool possible = grownCapacity(*capacity, need, size) > 0;
    return need <= *capacity || (possible && resizeTo(data, capacity, need, size));
}

void ctShrink(void **data, int *capacity, int count, size_t size)
{
    if (count < *capacity) {
        (void)resizeTo(data, capacity, count, size);
    }
}

// Arrays of two huge pages or more begin at one, and consist of them where the system has them: with a hundred thousand
// bodies a fifth of the time would be spent on looking up small pages. A rest of at least half a page becomes one more.
static void adviseHuge(void *memory, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    (void)madvise(memory, bytes, MADV_HUGEPAGE); // a hint, which the system may ignore
#else
    (void)memory, (void)bytes;
#endif
}

// The allocated address is stored just before the array.
static char *blockOf(void *array)
{
    char *block = NULL;
    if (array != NULL) {
        memcpy(&block, (char *)array - sizeof block, sizeof block);
    }
    return block;
}

static char *alignIn(char *block, size_t alignment)
{
    char *aligned = block + sizeof(void *);
    return aligned + (alignment - (uintptr_t)aligned % alignment) % alignment;
}

static void *setBlock(char *aligned, char *block)
{
    memcpy(aligned - sizeof block, &block, sizeof block);
    return aligned;
}

// Grows the block itself: a system that moves pages neither copies them nor leaves a hole in the heap.
static void *growInPlace(void *data, size_t used, size_t bytes)
{
    char *old = blockOf(data);
    ptrdiff_t offset = old != NULL ? (char *)data - old : 0;
    char *block = resize(old, bytes + CT_CACHE_LINE + sizeof(void *));
    if (block == NULL) {
        return NULL;
    }
    char *aligned = alignIn(block, CT_CACHE_LINE);
    if (used > 0 && aligned != block + offset) {
        memmove(aligned, block + offset, used);
    }
    return setBlock(aligned, block);
}

static void *growHuge(void *data, size_t used, size_t bytes)
{
    size_t huge = (bytes + HUGE_PAGE / 2) / HUGE_PAGE * HUGE_PAGE;
    char *block = resize(NULL, (bytes > huge ? bytes : huge) + HUGE_PAGE + sizeof(void *));
    if (block == NULL) {
        return NULL;
    }
    char *aligned = alignIn(block, HUGE_PAGE);
    setBlock(aligned, block);
    adviseHuge(aligned, huge);
    if (used > 0) {
        memcpy(aligned, data, used);
    }
    ctFreeAligned(data);
    return aligned;
}

bool ctGrowAligned(void **data, int *capacity, int need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    int grown = grownCapacity(*capacity, need, size);
    size_t bytes = (size_t)grown * size, used = (size_t)*capacity * size;
    void *memory = grown == 0               ? NULL
                   : bytes >= 2 * HUGE_PAGE ? growHuge(*data, used, bytes)
                                            : growInPlace(*data, used, bytes);
    if (memory == NULL) {
        return false;
    }
    *data = memory;
    *capacity = grown;
    return true;
}

void ctFreeAligned(void *memory)
{
    ctFree(blockOf(memory));
}
