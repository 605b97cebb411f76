// Stands in until the engine saves worlds: the timeline stays empty.
#include "collision/error.h"
#include "engine/clatter.h"

__attribute__((weak)) bool ctWorld_Save(const ctWorld *world, void **data, size_t *size, ctError *error)
{
    (void)world;
    *data = NULL;
    *size = 0;
    return ctFail(error, ct_limit, "worlds cannot be saved yet");
}

__attribute__((weak)) void ctFreeSnapshot(void *data)
{
    (void)data;
}

__attribute__((weak)) bool ctWorld_Restore(ctWorld *world, const void *data, size_t size, ctError *error)
{
    (void)world;
    (void)data;
    (void)size;
    return ctFail(error, ct_limit, "worlds cannot be saved yet");
}
