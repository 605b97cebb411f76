// The archive: what is written is read back, byte for byte on every machine; what is damaged is noticed, named and
// yields zeros.
#include "collision/memory.h"
#include "engine/core/archive.h"
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

typedef struct Everything {
    uint8_t byte;
    bool flag;
    uint32_t u32;
    int32_t i32;
    uint64_t u64;
    int64_t i64;
    double number, infinite;
    ctVec3 v;
    ctQuat q;
    ctMat3 m;
    int index, kind;
    char *text, *none;
} Everything;

static void archive(ctArchive *ar, Everything *e)
{
    ctArchive_U8(ar, &e->byte);
    ctArchive_Bool(ar, &e->flag);
    ctArchive_U32(ar, &e->u32);
    ctArchive_I32(ar, &e->i32);
    ctArchive_U64(ar, &e->u64);
    ctArchive_I64(ar, &e->i64);
    ctArchive_Finite(ar, &e->number);
    ctArchive_F64(ar, &e->infinite);
    ctArchive_Vec3(ar, &e->v);
    ctArchive_Quat(ar, &e->q);
    ctArchive_Mat3(ar, &e->m);
    ctArchive_Index(ar, &e->index, 3, 9);
    ctArchive_Enum(ar, &e->kind, 4, "a kind");
    ctArchive_Text(ar, &e->text);
    ctArchive_Text(ar, &e->none);
}

static Everything sample(void)
{
    static char text[] = "spin";
    return (Everything){.byte = 200,
                        .flag = true,
                        .u32 = 0x12345678u,
                        .i32 = -2,
                        .u64 = 0x0123456789abcdefULL,
                        .i64 = -3,
                        .number = -0.1,
                        .infinite = INFINITY,
                        .v = {1.0, -0.0, 1e-300},
                        .q = {0.5, 0.5, -0.5, 0.5},
                        .m = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
                        .index = 8,
                        .kind = 3,
                        .text = text};
}

static ctArchive written(void)
{
    Everything e = sample();
    ctArchive ar = ctArchive_Writer();
    archive(&ar, &e);
    ck_assert(!ar.failed);
    return ar;
}

START_TEST(everything_is_read_back)
{
    ctArchive out = written();
    ctArchive in = ctArchive_Reader(out.data, (size_t)out.length);
    Everything e = {0}, want = sample();
    archive(&in, &e);
    ck_assert_msg(!in.failed, "%s", in.what);
    ck_assert_uint_eq(in.at, (size_t)out.length);
    ck_assert(e.byte == want.byte && e.flag && e.u32 == want.u32 && e.i32 == want.i32 && e.u64 == want.u64);
    ck_assert(e.i64 == want.i64 && e.number == want.number && e.infinite == want.infinite);
    ck_assert_int_eq(memcmp(&e.v, &want.v, sizeof e.v), 0); // the sign of zero too
    ck_assert_int_eq(memcmp(&e.q, &want.q, sizeof e.q), 0);
    ck_assert_int_eq(memcmp(&e.m, &want.m, sizeof e.m), 0);
    ck_assert(e.index == 8 && e.kind == 3 && e.none == NULL);
    ck_assert_str_eq(e.text, "spin");
    ctFree(e.text);
    ctArchive_Free(&out);
}
END_TEST

START_TEST(bytes_are_little_endian)
{
    ctArchive ar = ctArchive_Writer();
    uint32_t u = 0x12345678u;
    double one = 1.0;
    ctArchive_U32(&ar, &u);
    ctArchive_F64(&ar, &one);
    static const uint8_t want[] = {0x78, 0x56, 0x34, 0x12, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f};
    ck_assert_int_eq(ar.length, (int)sizeof want);
    ck_assert_int_eq(memcmp(ar.data, want, sizeof want), 0);
    ctArchive_Free(&ar);
}
END_TEST

// However early the bytes end: the archive says so, nothing beyond is read, and what was not there is zero.
START_TEST(whatever_ends_too_early_is_damage)
{
    ctArchive out = written();
    for (int length = 0; length < out.length; length++) {
        uint8_t *cut = ctAllocate((size_t)length + 1, 1); // of its own: a sanitizer sees any read beyond
        memcpy(cut, out.data, (size_t)length);
        ctArchive in = ctArchive_Reader(cut, (size_t)length);
        Everything e = sample();
        e.text = NULL;
        archive(&in, &e);
        ck_assert_msg(in.failed && in.what != NULL, "%d of %d bytes pass", length, out.length);
        ck_assert(in.at <= (size_t)length);
        ck_assert(e.none == NULL);
        if (length < 100) { // the matrix is not there
            ck_assert(e.m.cz.z == 0.0 && e.index == 3 && e.kind == 0 && e.text == NULL);
        }
        ctFree(e.text);
        ctFree(cut);
    }
    ctArchive_Free(&out);
}
END_TEST

// Reads one value from bytes that hold something that it cannot be.
START_TEST(what_cannot_be_is_damage)
{
    double nan = NAN, large = 2.0 * CT_ARCHIVE_LARGEST, number = 1.0;
    uint8_t two = 2;
    int32_t many = 1000, negative = -1, index = 9;
    struct {
        const void *bytes;
        size_t size;
    } cases[] = {{&two, 1}, {&nan, 8}, {&large, 8}, {&many, 4}, {&negative, 4}, {&index, 4}, {&index, 4}};
    for (int i = 0; i < 7; i++) {
        ctArchive in = ctArchive_Reader(cases[i].bytes, cases[i].size);
        bool flag = true;
        int value = 5;
        switch (i) {
        case 0:
            ctArchive_Bool(&in, &flag);
            ck_assert(!flag);
            break;
        case 1:
            ctArchive_F64(&in, &number);
            ck_assert(number == 0.0);
            break;
        case 2:
            ctArchive_Finite(&in, &number);
            ck_assert(number == 0.0);
            break;
        case 3:
        case 4:
            ctArchive_Count(&in, &value, 1);
            ck_assert_int_eq(value, 0);
            break;
        case 5:
            ctArchive_Index(&in, &value, 3, 9);
            ck_assert_int_eq(value, 3);
            break;
        default:
            ctArchive_Enum(&in, &value, 9, "a kind");
            ck_assert_int_eq(value, 0);
            ck_assert_str_eq(in.what, "a kind");
        }
        ck_assert_msg(in.failed && in.what != NULL, "case %d passes", i);
    }
}
END_TEST

// The first damage is the one that is named.
START_TEST(the_first_damage_is_named)
{
    uint8_t bytes[2] = {7, 7};
    ctArchive in = ctArchive_Reader(bytes, 2);
    bool flag;
    double number = 1.0;
    ctArchive_Bool(&in, &flag);
    ctArchive_F64(&in, &number);
    ck_assert(in.failed && number == 0.0);
    ck_assert_str_eq(in.what, "a flag");
}
END_TEST

START_TEST(the_checksum_sees_every_bit)
{
    ctArchive out = written();
    size_t size = (size_t)out.length;
    uint64_t whole = ctChecksum(out.data, size);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        out.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert(ctChecksum(out.data, size) != whole);
        out.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    ck_assert(ctChecksum(out.data, size - 1) != whole);
    ctArchive_Free(&out);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("archive");
    TCase *tc = tcase_create("archive");
    tcase_add_test(tc, everything_is_read_back);
    tcase_add_test(tc, bytes_are_little_endian);
    tcase_add_test(tc, whatever_ends_too_early_is_damage);
    tcase_add_test(tc, what_cannot_be_is_damage);
    tcase_add_test(tc, the_first_damage_is_named);
    tcase_add_test(tc, the_checksum_sees_every_bit);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
