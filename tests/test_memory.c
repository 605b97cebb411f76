// Errors as values, and memory that can be made to fail.
#include "collision/error.h"
#include "collision/memory.h"
#include "tests/support/suite.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

START_TEST(errors_carry_status_and_message)
{
    ctError error = {ct_ok, ""};
    ck_assert(!ctFail(&error, ct_badArgument, "radius must be positive, not %g", -2.0));
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert_str_eq(error.message, "radius must be positive, not -2");
    ck_assert(!ctFailMemory(&error, "a hull"));
    ck_assert_int_eq(error.status, ct_outOfMemory);
    ck_assert_str_eq(error.message, "out of memory for a hull");
    ck_assert(!ctFail(NULL, ct_limit, "nobody listens"));
}
END_TEST

START_TEST(long_messages_are_cut_not_overrun)
{
    char text[2 * CT_MESSAGE_SIZE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    ctError error;
    ctFail(&error, ct_io, "%s", text);
    ck_assert_int_eq((int)strlen(error.message), CT_MESSAGE_SIZE - 1);
}
END_TEST

START_TEST(allocations_are_zeroed_and_checked)
{
    unsigned char *bytes = ctAllocate(1000, 3);
    ck_assert_ptr_nonnull(bytes);
    for (int i = 0; i < 3000; i++) {
        ck_assert_int_eq(bytes[i], 0);
    }
    ctFree(bytes);
    ctFree(NULL);
    ck_assert_ptr_null(ctAllocate(0, 8));
    ck_assert_ptr_null(ctAllocate(SIZE_MAX / 4, 8));
}
END_TEST

// Grants a number of allocations, then refuses.
static void *limited(void *memory, size_t size, void *context)
{
    int *left = context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(memory, size) : NULL;
}

START_TEST(growing_arrays_survive_a_refusal)
{
    int left = 1, capacity = 0;
    int *data = NULL;
    ctSetAllocator(limited, &left);
    ck_assert(ctReserve((void **)&data, &capacity, 10, sizeof *data));
    ck_assert_int_ge(capacity, 10);
    data[9] = 77;
    int before = capacity;
    int *address = data;
    ck_assert(!ctReserve((void **)&data, &capacity, before + 1, sizeof *data));
    ck_assert(data == address && capacity == before && data[9] == 77);
    ck_assert(!ctReserve((void **)&data, &capacity, INT_MAX, sizeof *data));
    ctFree(data);
    ctSetAllocator(NULL, NULL);
    void *memory = ctAllocate(1, 1);
    ck_assert_ptr_nonnull(memory);
    ctFree(memory);
}
END_TEST

START_TEST(growth_is_geometric)
{
    int capacity = 0, grown = 0;
    char *data = NULL;
    for (int need = 1; need <= 100000; need++) {
        int before = capacity;
        ck_assert(ctReserve((void **)&data, &capacity, need, 1));
        grown += capacity != before;
    }
    ck_assert_int_lt(grown, 40);
    ctFree(data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_add_test(tests, errors_carry_status_and_message);
    tcase_add_test(tests, long_messages_are_cut_not_overrun);
    tcase_add_test(tests, allocations_are_zeroed_and_checked);
    tcase_add_test(tests, growing_arrays_survive_a_refusal);
    tcase_add_test(tests, growth_is_geometric);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
