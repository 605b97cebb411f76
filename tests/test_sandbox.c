// The sandbox of scenes: the same answers on every run, and limits that hold.
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

// Loads within 0.5 s and 50 MB; the message of the failure, and that it came in time.
static const char *refusal(const char *script)
{
    static ctError error;
    error = (ctError){ct_ok, ""};
    ctSceneOptions options = {.scriptSeconds = 0.5, .scriptMegabytes = 50.0};
    clock_t start = clock();
    ctScene *scene = ctLoadText(script, &options, &error);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(scene == NULL, "accepted");
    ck_assert_msg(seconds < 4.0, "%g s to refuse: %s", seconds, error.message);
    return error.message;
}

static void requireRefused(const char *script, const char *wanted)
{
    const char *message = refusal(script);
    ck_assert_msg(strstr(message, wanted) != NULL, "%s", message);
}

START_TEST(what_the_engine_does_counts)
{
    // Big hulls, many of them: time. Many shapes and bodies: memory.
    const char *hulls =
        "while true do local p = {} for i = 1, 3000 do p[i] = { math.sin(i), math.cos(i * i), math.sin(3 * i) } end\n"
        "for k = 1, 1000 do hull { points = p } end end";
    requireRefused(hulls, "takes too long; it may use 0.5 s of computing");
    requireRefused(
        "local ok\nlocal p = {} for i = 1, 3000 do p[i] = { math.sin(i), math.cos(i * i), math.sin(3 * i) } end\n"
        "while true do ok = pcall(hull, { points = p }) end",
        "takes too long");
    ctSceneOptions options = {.scriptSeconds = 20.0, .scriptMegabytes = 20.0};
    ctError error = {ct_ok, ""};
    ck_assert(ctLoadText("local s = sphere { radius = 1 }\n"
                         "for i = 1, 20000 do body { shape = s, position = { 3 * i, 0, 0 } } end",
                         &options, &error) == NULL);
    ck_assert_msg(strstr(error.message, "too much memory; a scene may use 20 MB") != NULL, "%s", error.message);
    ctScene_Destroy(ctMustLoadText("local s = sphere { radius = 1 }\n"
                                   "for i = 1, 1000 do body { shape = s, position = { 3 * i, 0, 0 } } end",
                                   &options));
}
END_TEST

START_TEST(tables_are_read_raw)
{
    // A metamethod of the script never runs inside body{} and the like.
    requireRefused("body(setmetatable({}, { __index = function() while true do end end }))", "shape is missing");
    requireRefused("scene(setmetatable({ title = 'x' }, { __index = function() error('ran') end }))\nerror('end')",
                   "end");
    requireRefused("compound { setmetatable({}, { __index = function() error('ran') end }) }", "shape is missing");
}
END_TEST

START_TEST(nothing_works_on_after_a_limit)
{
    // Pending __close handlers, each with a call of C that would take a while.
    requireRefused("local s = ('x'):rep(1000000)\n"
                   "local function deep(n)\n"
                   "  local c <close> = setmetatable({}, { __close = function() for i = 1, 50 do s:rep(20) end end })\n"
                   "  if n > 0 then return (deep(n - 1)) end\n"
                   "  while true do end\n"
                   "end\n"
                   "deep(150)",
                   "runs too long");
    requireRefused("while true do pcall(function() while true do end end) end", "runs too long");
    requireRefused("local t = setmetatable({}, { __len = function() return 1 << 60 end }) table.insert(t, 1, 1)",
                   "__len");
    requireRefused("local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end", "too much memory");
}
END_TEST

START_TEST(texts_are_plain)
{
    requireRefused("scene { title = 'a\\27[2J' }", "title must be UTF-8 without control characters");
    requireRefused("scene { title = 'a\\xff' }", "title must be UTF-8");
    requireRefused("scene { title = 'a\\nb' }", "title must be UTF-8");
    requireRefused("body { name = 'a\\7', shape = sphere { radius = 1 } }", "name must be UTF-8");
    requireRefused("body { name = '=1+1', shape = sphere { radius = 1 } }", "must not begin with = + - or @");
    requireRefused("body { name = '\xef\xbc\x9d"
                   "1+1', shape = sphere { radius = 1 } }",
                   "must not begin with = + - or @");
    requireRefused("body { name = '\xef\xbb\xbf=1', shape = sphere { radius = 1 } }", "name must be UTF-8");
    requireRefused("body { name = 'a,b', shape = sphere { radius = 1 } }", "commas");
    requireRefused("param('@x', 1, 0, 2)", "must not begin with");
    requireRefused("camera('x\\27', { eye = {1, 1, 1}, target = {0, 0, 0} })", "without control characters");
    requireRefused("error('bell \\7 and \\27[31m')", "bell \\x07 and \\x1b[31m");
    requireRefused("mesh { file = 'secret' }", "end in '.obj'");
    ctScene *scene = ctMustLoadText(
        "-- A comment \x1b[31m red.\nscene { title = 'Kegel \xc3\xa4', description = 'one\\ntwo' }", NULL);
    ck_assert_str_eq(scene->title, "Kegel \xc3\xa4");
    ck_assert_str_eq(scene->description, "one\ntwo");
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(meshes_stay_in_the_folder)
{
    char folder[] = "/tmp/clatter-mesh-XXXXXX", path[100], command[400];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(command, sizeof command,
             "cd %s && mkdir scene && printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf "
             "2 3 4\\n' >out.obj && "
             "cp out.obj scene/in.obj && ln -s in.obj scene/near.obj && ln -s ../out.obj scene/far.obj && "
             "echo secret >scene/text.obj",
             folder);
    ck_assert_int_eq(system(command), 0);
    const struct {
        const char *file, *message;
    } cases[] = {{"in.obj", NULL},
                 {"near.obj", NULL},
                 {"far.obj", "is a link that leaves the scene's folder"},
                 {"text.obj", "text.obj:1: this is not a statement of an OBJ file"},
                 {"none.obj", "No such file"}};
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/scene/s.lua", folder);
        FILE *file = fopen(path, "w");
        fprintf(file, "body { shape = mesh { file = '%s' } }\n", cases[i].file);
        fclose(file);
        ctError error = {ct_ok, ""};
        ctScene *scene = ctScene_Load(path, NULL, &error);
        ck_assert_msg((scene != NULL) == (cases[i].message == NULL), "%s: %s", cases[i].file, error.message);
        ck_assert_msg(scene != NULL || strstr(error.message, cases[i].message) != NULL, "%s", error.message);
        ck_assert(strstr(error.message, "secret") == NULL);
        ctScene_Destroy(scene);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
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
    tcase_set_timeout(limits, 30);
    tcase_add_test(limits, printed_lines_are_counted_and_escaped);
    tcase_add_test(limits, what_the_engine_does_counts);
    tcase_add_test(limits, tables_are_read_raw);
    tcase_add_test(limits, nothing_works_on_after_a_limit);
    tcase_add_test(limits, texts_are_plain);
    tcase_add_test(limits, meshes_stay_in_the_folder);
    suite_add_tcase(suite, limits);
    return ctRunSuite(suite);
}
