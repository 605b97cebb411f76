// A libFuzzer target: any bytes as a snapshot, under a header that is right, so that they reach the reader.
#include "engine/clatter.h"
#include "engine/core/archive.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 28 };

static void put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

// What every snapshot of this version begins with, from one of an empty world.
static bool putStart(uint8_t *bytes)
{
    void *data = NULL;
    size_t size;
    ctWorldDef def = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&def, NULL);
    bool ok = world != NULL && ctWorld_Save(world, &data, &size, NULL);
    if (ok) {
        memcpy(bytes, data, 12);
    }
    ctFreeSnapshot(data);
    ctWorld_Destroy(world);
    return ok;
}

// A world comes out that can be stepped and destroyed, or an error with a message.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *bytes = malloc(HEADER + size);
    if (bytes == NULL || !putStart(bytes)) {
        free(bytes);
        return 0;
    }
    if (size > 0) {
        memcpy(bytes + HEADER, data, size);
    }
    put(bytes + 12, size, 8);
    put(bytes + 20, ctChecksum(bytes + HEADER, size), 8);
    ctError error = {ct_ok, ""};
    ctWorld *world = ctWorld_Load(bytes, HEADER + size, &error);
    if (world == NULL && (error.status == ct_ok || error.message[0] == '\0')) {
        abort();
    }
    if (world != NULL) {
        ctWorld_Step(world, NULL);
        ctWorld_Destroy(world);
    }
    free(bytes);
    return 0;
}
