// The bytes of a fuzz input, taken one after the other; zeros when they have run out.
#ifndef CT_FUZZ_BYTES_H
#define CT_FUZZ_BYTES_H

#include "collision/elementary.h"
#include "collision/error.h"
#include "collision/vec3.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

static inline unsigned takeByte(Bytes *b)
{
    return b->at < b->end ? *b->at++ : 0;
}

// One of 0 ... count - 1.
static inline int takeChoice(Bytes *b, int count)
{
    return (int)(takeByte(b) % (unsigned)count);
}

// In [0, 1]: 16 bits, so that mutations find both ends.
static inline double takeUnit(Bytes *b)
{
    unsigned high = takeByte(b), low = takeByte(b);
    return (double)(high << 8 | low) / 65535.0;
}

static inline double takeRange(Bytes *b, double lo, double hi)
{
    return lo + (hi - lo) * takeUnit(b);
}

// Uniform in the logarithm.
static inline double takeLog(Bytes *b, double lo, double hi)
{
    return lo * ctPow(hi / lo, takeUnit(b));
}

static inline ctVec3 takeVec3(Bytes *b, double size)
{
    double x = takeRange(b, -size, size), y = takeRange(b, -size, size), z = takeRange(b, -size, size);
    return ctV3(x, y, z);
}

// Ends the run with a report by the sanitizer's abort handler.
#define require(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
