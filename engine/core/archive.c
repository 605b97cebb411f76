#include "engine/core/archive.h"

#include "collision/memory.h"
#include "collision/vec3.h"

#include <limits.h>
#include <string.h>

ctArchive ctArchive_Writer(void)
{
    return (ctArchive){.writing = true};
}

ctArchive ctArchive_Reader(const void *data, size_t size)
{
    return (ctArchive){.source = data, .size = size};
}

void ctArchive_Free(ctArchive *ar)
{
    ctFree(ar->data);
    ar->data = NULL;
}

bool ctArchive_Check(ctArchive *ar, bool ok, const char *what)
{
    if (!ok && !ar->failed) {
        ar->failed = true;
        ar->what = what;
    }
    return ok;
}

bool ctArchive_CheckMemory(ctArchive *ar, bool ok)
{
    ar->isShort = ar->isShort || (!ok && !ar->failed);
    return ctArchive_Check(ar, ok, "");
}

void ctArchive_Bytes(ctArchive *ar, void *bytes, size_t count)
{
    if (ar->writing) {
        if (ar->failed || count > (size_t)(INT_MAX - ar->length) ||
            !ctReserve((void **)&ar->data, &ar->capacity, ar->length + (int)count, 1)) {
            ar->failed = true;
            return;
        }
        if (count > 0) {
            memcpy(ar->data + ar->length, bytes, count);
        }
        ar->length += (int)count;
        return;
    }
    if (ar->failed || !ctArchive_Check(ar, count <= ar->size - ar->at, "it ends too early")) {
        if (count > 0) {
            memset(bytes, 0, count);
        }
        return;
    }
    if (count > 0) {
        memcpy(bytes, ar->source + ar->at, count);
    }
    ar->at += count;
}

void ctArchive_U8(ctArchive *ar, uint8_t *value)
{
    ctArchive_Bytes(ar, value, 1);
}

void ctArchive_Bool(ctArchive *ar, bool *value)
{
    uint8_t byte = ar->writing && *value ? 1 : 0;
    ctArchive_U8(ar, &byte);
    ctArchive_Check(ar, byte <= 1, "a flag");
    *value = byte == 1;
}

void ctArchive_U64(ctArchive *ar, uint64_t *value)
{
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(*value >> (8 * i));
    }
    ctArchive_Bytes(ar, bytes, 8);
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) {
        v |= (uint64_t)bytes[i] << (8 * i);
    }
    *value = v;
}

void ctArchive_U32(ctArchive *ar, uint32_t *value)
{
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(*value >> (8 * i));
    }
    ctArchive_Bytes(ar, bytes, 4);
    *value = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void ctArchive_I32(ctArchive *ar, int32_t *value)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    ctArchive_U32(ar, &bits);
    memcpy(value, &bits, sizeof bits);
}

void ctArchive_I64(ctArchive *ar, int64_t *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    ctArchive_U64(ar, &bits);
    memcpy(value, &bits, sizeof bits);
}

void ctArchive_F64(ctArchive *ar, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    ctArchive_U64(ar, &bits);
    memcpy(value, &bits, sizeof bits);
    if (!ar->writing && !ctArchive_Check(ar, !isnan(*value), "a number")) {
        *value = 0.0;
    }
}

void ctArchive_Finite(ctArchive *ar, double *value)
{
    ctArchive_F64(ar, value);
    if (!ar->writing && !ctArchive_Check(ar, fabs(*value) < CT_ARCHIVE_LARGEST, "a number")) {
        *value = 0.0;
    }
}

void ctArchive_Vec3(ctArchive *ar, ctVec3 *value)
{
    ctArchive_Finite(ar, &value->x);
    ctArchive_Finite(ar, &value->y);
    ctArchive_Finite(ar, &value->z);
}

void ctArchive_Quat(ctArchive *ar, ctQuat *value)
{
    ctArchive_Finite(ar, &value->w);
    ctArchive_Finite(ar, &value->x);
    ctArchive_Finite(ar, &value->y);
    ctArchive_Finite(ar, &value->z);
}

void ctArchive_Mat3(ctArchive *ar, ctMat3 *value)
{
    ctArchive_Vec3(ar, &value->cx);
    ctArchive_Vec3(ar, &value->cy);
    ctArchive_Vec3(ar, &value->cz);
}

void ctArchive_Count(ctArchive *ar, int *count, size_t each)
{
    ctArchive_I32(ar, count);
    if (!ar->writing && !ctArchive_Check(ar, *count >= 0 && (size_t)*count <= (ar->size - ar->at) / each, "a count")) {
        *count = 0;
    }
}

void ctArchive_Index(ctArchive *ar, int *value, int lo, int hi)
{
    ctArchive_I32(ar, value);
    if (!ar->writing && !ctArchive_Check(ar, *value >= lo && *value < hi, "an index")) {
        *value = lo;
    }
}

void ctArchive_Enum(ctArchive *ar, int *value, int count, const char *what)
{
    ctArchive_I32(ar, value);
    if (!ar->writing && !ctArchive_Check(ar, *value >= 0 && *value < count, what)) {
        *value = 0;
    }
}

void ctArchive_Text(ctArchive *ar, char **text)
{
    int length = ar->writing ? (*text != NULL ? (int)strlen(*text) : -1) : 0;
    ctArchive_I32(ar, &length);
    if (ar->writing) {
        ctArchive_Bytes(ar, *text, length > 0 ? (size_t)length : 0);
        return;
    }
    *text = NULL;
    if (ar->failed || length < 0 || !ctArchive_Check(ar, (size_t)length <= ar->size - ar->at, "a text")) {
        return;
    }
    *text = ctAllocate((size_t)length + 1, 1);
    if (ctArchive_CheckMemory(ar, *text != NULL)) {
        ctArchive_Bytes(ar, *text, (size_t)length);
        ctArchive_Check(ar, strlen(*text) == (size_t)length, "a text");
    }
}

uint64_t ctChecksum(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint64_t h = 0xcbf29ce484222325ULL ^ size;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ bytes[i]) * 0x100000001b3ULL;
    }
    return h ^ (h >> 32);
}
