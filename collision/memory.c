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

bool ctGrow(void **data, int *capacity, int need, size_t size)
{
    if (need <= *capacity) {
        return true;
    }
    if (need > INT_MAX / 2) {
        return false;
    }
    int grown = *capacity + *capacity / 2 + 8;
    if (grown < need) {
        grown = need;
    }
    if ((size_t)grown > PTRDIFF_MAX / size) {
        return false;
    }
    void *memory = allocator(*data, (size_t)grown * size, allocatorContext);
    if (memory == NULL) {
        return false;
    }
    *data = memory;
    *capacity = grown;
    return true;
}
