// What the program says about itself: help, info, the manual page, completion; and text on standard output.
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(ctCommandOutput got, int status, const char *text)
{
    ck_assert_msg(got.status == status && strstr(got.text, text) != NULL, "status %d: %s", got.status, got.text);
}

START_TEST(help_lists_commands_and_explains_each)
{
    expect(ctRunCommand("$CLATTER help"), 0, "clatter record");
    expect(ctRunCommand("$CLATTER help record"), 0, "--follow BODY");
    expect(ctRunCommand("test \"$($CLATTER help sim)\" = \"$($CLATTER sim --help)\" && echo same"), 0, "same");
    expect(ctRunCommand("$CLATTER help recrod 2>&1"), 2, "did you mean 'record'?");
    expect(ctRunCommand("$CLATTER qwerty 2>&1"), 2, "clatter help lists them");
    expect(ctRunCommand("for c in run list info record export impact sim sweep; do"
                        "  test \"$($CLATTER $c --version)\" = \"$($CLATTER --version)\" || echo $c; done; echo all"),
           0, "all\n");
}
END_TEST

START_TEST(info_tells_what_a_scene_is_made_of)
{
    expect(ctRunCommand("$CLATTER info bowling"), 0, "where it starts, from the middle (m)");
    expect(ctRunCommand("$CLATTER info bowling --names cameras"), 0, "bowler\n");
    expect(ctRunCommand("$CLATTER info bowling --names bodies"), 0, "pin 10\n");
    expect(ctRunCommand("$CLATTER info bowling --names pets 2>&1"), 2, "params, cameras, bodies or measures");
    expect(ctRunCommand("$CLATTER info 2>&1"), 2, "which scene?");
    expect(ctRunCommand("$CLATTER info bowlin 2>&1"), 2, "did you mean 'bowling'?");
    ck_assert_int_eq(ctRunCommand("$CLATTER info bowling --json --set speed=7 > $T/info.json").status, 0);
    char path[256];
    snprintf(path, sizeof path, "%s/info.json", getenv("T"));
    json_t *all = json_load_file(path, 0, NULL);
    ck_assert_ptr_nonnull(all);
    ck_assert_str_eq(json_string_value(json_object_get(all, "title")), "Bowling");
    const json_t *speed = json_array_get(json_object_get(all, "params"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(speed, "name")), "speed");
    ck_assert(json_number_value(json_object_get(speed, "value")) == 7.0);
    ck_assert(json_number_value(json_object_get(speed, "default")) == 8.0);
    ck_assert_uint_eq(json_array_size(json_object_get(all, "bodies")), 19);
    json_decref(all);
}
END_TEST

START_TEST(standard_output_is_a_dash)
{
    // Nothing but the table; the summary stands on standard error.
    expect(ctRunCommand("$CLATTER sim marbles --seconds 0.1 --trace - 2>/dev/null | awk -F, 'NF != 15' | wc -l"), 0,
           "0");
    expect(ctRunCommand("$CLATTER sim marbles --seconds 0.1 --stats - 2>/dev/null | grep state_hash"), 0, "state_hash");
    expect(ctRunCommand("$CLATTER export marbles --seconds 0.1 --out - 2>/dev/null | tail -n 1"), 0, "marble 5");
    expect(ctRunCommand("$CLATTER sim marbles --trace - --stats - 2>&1"), 2, "only one of");
    expect(ctRunCommand("$CLATTER record marbles --follow 'marbel 1' --out $T/x 2>&1"), 2, "did you mean 'marble 1'?");
}
END_TEST

START_TEST(the_manual_page_has_every_command)
{
    expect(ctRunCommand("tools/manpage $CLATTER > $T/clatter.1 && grep -c '^.SS' $T/clatter.1"), 0, "");
    ck_assert_ptr_null(strstr(ctRunCommand("for c in run list info record export impact sim sweep help; do "
                                           "grep -q \"^.SS \\\"clatter $c\\\"\" $T/clatter.1 || echo missing $c; done")
                                  .text,
                              "missing"));
}
END_TEST

// What bash would offer for a command line, its last word being completed.
static ctCommandOutput complete(const char *words)
{
    return ctRunCommand(
        "ln -sf $(realpath $CLATTER) $T/clatter; export CLATTER_DATA=$PWD PATH=$T:$PATH; "
        "bash -c '. tools/completion/clatter.bash; COMP_WORDS=(%s); "
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _clatter 2>/dev/null; printf \"%%s|\" \"${COMPREPLY[@]}\"'",
        words);
}

START_TEST(bash_completes_commands_scenes_and_names)
{
    expect(complete("clatter re"), 0, "record|");
    expect(complete("clatter run bow"), 0, "bowling|");
    expect(complete("clatter run bowling --set s"), 0, "speed=|spin=|start=|");
    expect(complete("clatter record bowling --camera ab"), 0, "above|");
    expect(complete("clatter record bowling --follow \"pin 1\""), 0, "pin\\ 1|pin\\ 10|");
    expect(complete("clatter sim tower --ev"), 0, "--events|");
}
END_TEST

static void setUp(void)
{
    ctTestFolder();
}

int main(void)
{
    Suite *suite = suite_create("help");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_checked_fixture(all, setUp, ctRemoveTestFolder);
    tcase_add_test(all, help_lists_commands_and_explains_each);
    tcase_add_test(all, info_tells_what_a_scene_is_made_of);
    tcase_add_test(all, standard_output_is_a_dash);
    tcase_add_test(all, the_manual_page_has_every_command);
    tcase_add_test(all, bash_completes_commands_scenes_and_names);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
