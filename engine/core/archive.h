// A buffer that is written or read field by field by the same code: ctArchive_F64(ar, &x) stores x, or fills
// it in. Little-endian on every machine. Reading never leaves the buffer: the first thing that does not fit
// marks the archive as failed, and every read after that gives zeros.
#ifndef CT_CORE_ARCHIVE_H
#define CT_CORE_ARCHIVE_H

#include "collision/types.h"

// [limit] No number of a snapshot is larger, in SI units: products of three stay finite.
#define CT_ARCHIVE_LARGEST 1e60

typedef struct ctArchive {
    bool writing;
    int version;      // of the format; set by whoever writes or reads the header
    bool failed;      // reading: damaged; writing: memory was short
    bool isShort;     // reading: memory was short, and nothing is damaged
    const char *what; // reading: the first thing that was wrong
    uint8_t *data;    // writing: owned by the archive until taken
    const uint8_t *source;
    size_t size, at; // reading
    int length, capacity;
} ctArchive;

ctArchive ctArchive_Writer(void);
ctArchive ctArchive_Reader(const void *data, size_t size);
void ctArchive_Free(ctArchive *ar);

// Marks a reading archive as damaged unless ok; what names the part. Returns ok.
bool ctArchive_Check(ctArchive *ar, bool ok, const char *what);
// The same for an allocation that reading needs.
bool ctArchive_CheckMemory(ctArchive *ar, bool ok);

void ctArchive_Bytes(ctArchive *ar, void *bytes, size_t count);
void ctArchive_U8(ctArchive *ar, uint8_t *value);
void ctArchive_Bool(ctArchive *ar, bool *value); // a byte other than 0 and 1 is damage
void ctArchive_U32(ctArchive *ar, uint32_t *value);
void ctArchive_I32(ctArchive *ar, int32_t *value);
void ctArchive_U64(ctArchive *ar, uint64_t *value);
void ctArchive_I64(ctArchive *ar, int64_t *value);
void ctArchive_F64(ctArchive *ar, double *value);    // NaN is damage
void ctArchive_Finite(ctArchive *ar, double *value); // finite, and so small that products of five are finite too
void ctArchive_Vec3(ctArchive *ar, ctVec3 *value);   // finite
void ctArchive_Quat(ctArchive *ar, ctQuat *value);   // finite
void ctArchive_Mat3(ctArchive *ar, ctMat3 *value);   // finite

// A number of items, each at least `each` bytes long in the archive. A count that the rest of the buffer cannot hold is
// damage.
void ctArchive_Count(ctArchive *ar, int *count, size_t each);
// An index in [lo, hi).
void ctArchive_Index(ctArchive *ar, int *value, int lo, int hi);
// A value from 0 to count - 1.
void ctArchive_Enum(ctArchive *ar, int *value, int count, const char *what);
// A string, or NULL. Reading: newly allocated.
void ctArchive_Text(ctArchive *ar, char **text);

uint64_t ctChecksum(const void *data, size_t size);

#endif
