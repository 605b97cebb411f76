// The sandbox of scenes: the same answers on every run, and limits that hold.
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

typedef struct Printed {
    char text[4000];
    int lines;
} Printed;

static void collect(void *context, const char *line)
{
    Printed *p = context;
    size_t used = strlen(p->text);
    snprintf(p->text + used, sizeof p->text - used, "%s|", line);
    p->lines++;
}

static Printed printed(const char *script)
{
    Printed p = {"", 0};
    ctSceneOptions options = {.print = collect, .printContext = &p};
    ctScene_Destroy(ctMustLoadText(script, &options));
    return p;
}

START_TEST(sorting_is_stable)
{
    ctScene_Destroy(ctMustLoadText(
        "local t = {}\n"
        "for i = 1, 5000 do t[i] = { key = i * 7919 % 10, i = i } end\n"
        "table.sort(t, function(a, b) return a.key < b.key end)\n"
        "for i = 2, #t do\n"
        "  assert(t[i - 1].key < t[i].key or t[i - 1].key == t[i].key and t[i - 1].i < t[i].i)\n"
        "end\n"
        "local words = { 'pear', 'apple', 'fig', 'apple' } table.sort(words)\n"
        "assert(table.concat(words, ' ') == 'apple apple fig pear')\n"
        "local n = { 3, 1, 2 } table.sort(n, function(a, b) return a > b end) assert(n[1] == 3 and n[3] == 1)\n"
        "local e = {} table.sort(e) local o = { 5 } table.sort(o) assert(o[1] == 5)\n"
        "local bad = { 1, 'x', 2 } assert(not pcall(table.sort, bad))\n"
        "assert(bad[1] == 1 and bad[2] == 'x' and bad[3] == 2)\n"
        "assert(not pcall(table.sort, 3) and not pcall(table.sort, {}, 3))\n"
        "table.sort({ 3, 1, 2 }, function() return true end)\n", // no order at all: it ends all the same
        NULL));
}
END_TEST

START_TEST(values_are_shown_without_addresses)
{
    ctScene_Destroy(ctMustLoadText(
        "assert(tostring({}) == 'table' and tostring(print) == 'function' and tostring(sphere { radius = 1 }) == "
        "'shape')\n"
        "assert(tostring(nil) == 'nil' and tostring(true) == 'true' and tostring(1.5) == '1.5' and tostring(2) == "
        "'2')\n"
        "assert(tostring(0 / 0) == 'nan' and tostring(-(0 / 0)) == 'nan' and string.format('%g', -(0 / 0)) == 'nan')\n"
        "assert(tostring(1 / 0) == 'inf' and tostring('x') == 'x')\n"
        "assert(tostring(setmetatable({}, { __tostring = function() return 'mine' end })) == 'mine')\n"
        "assert(not pcall(tostring, setmetatable({}, { __tostring = function() return {} end })))\n"
        "assert(string.format('%s %d %5.2f %%', {}, 3, 1.25) == 'table 3  1.25 %')\n"
        "assert(not pcall(string.format, '%p', {}) and not pcall(string.format, '%-10p', {}))\n"
        "assert(string.format('%%p') == '%p')\n",
        NULL));
}
END_TEST

START_TEST(powers_and_functions_have_the_same_bits_everywhere)
{
    ctScene_Destroy(ctMustLoadText(
        "local function bits(x) return string.format('%a', x) end\n"
        "assert(bits(3.7 ^ 2.9) == '0x1.63876a27e42dp+5', bits(3.7 ^ 2.9))\n"
        "local x, y = 0.3, 1.7 assert(bits(x ^ y) == '0x1.08819f76d9f8dp-3', bits(x ^ y))\n"
        "assert(bits(math.sin(10)) == '-0x1.1689ef5f34f52p-1', bits(math.sin(10)))\n"
        "assert(bits(math.exp(1)) == '0x1.5bf0a8b145769p+1', bits(math.exp(1)))\n"
        "assert(bits(math.log(10, 3)) == '0x1.0c468ef9537c2p+1', bits(math.log(10, 3)))\n"
        "assert(math.log(8, 2) == 3 and math.log(1000, 10) == 3 and math.cosh == nil and math.pow == nil)\n",
        NULL));
}
END_TEST

START_TEST(printed_lines_are_counted_and_escaped)
{
    Printed p = printed("print('one\\ntwo', 3, {})\nprint('red \\27[31m', 'bell\\7', 'bad \\xff', 'h\\xc3\\xa9')");
    ck_assert_str_eq(p.text, "one|two\t3\ttable|red \\x1b[31m\tbell\\x07\tbad \\xff\th\xc3\xa9|");
    p = printed("print(('line\\n'):rep(5000))");
    ck_assert_int_eq(p.lines, 1000);
    p = printed("for i = 1, 5000 do print(i) end");
    ck_assert_int_eq(p.lines, 1000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sandbox");
    TCase *same = tcase_create("the same on every run");
    tcase_add_test(same, sorting_is_stable);
    tcase_add_test(same, values_are_shown_without_addresses);
    tcase_add_test(same, powers_and_functions_have_the_same_bits_everywhere);
    suite_add_tcase(suite, same);
    TCase *limits = tcase_create("limits");
    tcase_add_test(limits, printed_lines_are_counted_and_escaped);
    suite_add_tcase(suite, limits);
    return ctRunSuite(suite);
}
