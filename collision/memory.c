#include "collision/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

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

void *ctAllocate(size_t count, size_t size)
{
    if (count == 0 || size == 0 || count > PTRDIFF_MAX / size) {
        return NULL;
    }
    void *memory = allocator(NULL, count * size, allocatorContext);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void ctFree(void *memory)
{
    if (memory != NULL) {
        (void)allocator(memory, 0, allocatorContext);
    }
}

// The capacity that an array grows to, or 0 when that is too much.
static int grownCapacity(int capacity, int need, size_t size)
{
    int grown = capacity + capacity / 2 + 8;
    if (need > INT_MAX / 2 || capacity > INT_MAX / 2) {
        return 0;
    }
    grown = grown < need ? need : grown;
    return (size_t)grown > (PTRDIFF_MAX - 2 * CT_CACHE_LINE) / size ? 0 : grown;
}

bool ctGrow(void **data, int *capacity, int need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    int grown = grownCapacity(*capacity, need, size);
    void *memory = grown > 0 ? allocator(*data, (size_t)grown * size, allocatorContext) : NULL;
    if (memory == NULL) {
        return false;
    }
    *data = memory;
    *capacity = grown;
    return true;
}

// The address that was allocated stands just before the array.
bool ctGrowAligned(void **data, int *capacity, int need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    int grown = grownCapacity(*capacity, need, size);
    size_t room = CT_CACHE_LINE + sizeof(void *);
    char *memory = grown > 0 ? allocator(NULL, (size_t)grown * size + room, allocatorContext) : NULL;
    if (memory == NULL) {
        return false;
    }
    char *aligned = memory + sizeof(void *);
    aligned += (CT_CACHE_LINE - (uintptr_t)aligned % CT_CACHE_LINE) % CT_CACHE_LINE;
    memcpy(aligned - sizeof(void *), &memory, sizeof memory);
    if (*data != NULL) {
        memcpy(aligned, *data, (size_t)*capacity * size);
    }
    ctFreeAligned(*data);
    *data = aligned;
    *capacity = grown;
    return true;
}

void ctFreeAligned(void *memory)
{
    if (memory != NULL) {
        void *allocated;
        memcpy(&allocated, (char *)memory - sizeof allocated, sizeof allocated);
        ctFree(allocated);
    }
}
