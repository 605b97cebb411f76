// docs/restitution.md: every command of the page runs, and gives the numbers that the page shows.
#include "tests/support/command.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number behind "measure     LABEL: " in the output of a run; NAN when there is none.
static double valueOf(const char *output, const char *label, size_t length)
{
    for (const char *at = strstr(output, "  measure     "); at != NULL; at = strstr(at + 1, "  measure     ")) {
        const char *name = at + strlen("  measure     ");
        if (strncmp(name, label, length) == 0 && name[length] == ':') {
            return strtod(name + length + 1, NULL);
        }
    }
    return NAN;
}

static ctCommandOutput runLine(const char *line)
{
    char command[512];
    ck_assert_msg(strncmp(line, "$ clatter ", 10) == 0, "not a command: %s", line);
    snprintf(command, sizeof command, "$CLATTER %.*s", (int)strcspn(line + 10, "\n"), line + 10);
    ctCommandOutput out = ctRunCommand("%s", command);
    ck_assert_msg(out.status == 0, "%s: status %d\n%s", command, out.status, out.text);
    return out;
}

START_TEST(the_page_shows_what_its_scenes_give)
{
    FILE *page = fopen("docs/restitution.md", "r");
    ck_assert_ptr_nonnull(page);
    char line[512];
    static ctCommandOutput out;
    int commands = 0, values = 0;
    while (fgets(line, sizeof line, page) != NULL) {
        if (line[0] == '$') {
            out = runLine(line);
            commands++;
        } else if (strncmp(line, "  measure     ", 14) == 0) {
            const char *label = line + 14, *end = strrchr(label, ':');
            double shown = strtod(end + 1, NULL), is = valueOf(out.text, label, (size_t)(end - label));
            // When a cup comes to rest is not a closed form.
            double tolerance = strncmp(label, "comes to rest", 13) == 0 ? 0.2 : 1e-9;
            ck_assert_msg(fabs(is - shown) <= tolerance * fmax(1.0, fabs(shown)), "%s is %.12g", line, is);
            values++;
        }
    }
    fclose(page);
    ck_assert_int_ge(commands, 10);
    ck_assert_int_ge(values, 15);
}
END_TEST

// The final height falls by as much as the initial one rises, without a jump.
START_TEST(final_heights_do_not_jump)
{
    for (int i = 0; i <= 10; i++) {
        char line[128];
        double h = 2.9 + 0.01 * i;
        snprintf(line, sizeof line, "$ clatter sim docs/restitution/height.lua --set h=%.17g --fps %d", h, 47 + 31 * i);
        double last = valueOf(runLine(line).text, "final height (m)", 16);
        ctAssertClose(last, 6.0 - h, 1e-9);
    }
}
END_TEST

START_TEST(tumbling_keeps_its_energy)
{
    double change =
        valueOf(runLine("$ clatter sim docs/restitution/tumbling.lua").text, "change of energy, relative", 26);
    ctAssertClose(change, 0.0, 1e-12);
}
END_TEST

// The block stays as long as it is inside its friction cone, and goes when it is not.
START_TEST(a_block_stays_up_to_its_friction_angle)
{
    const char *way = "way in 10 s (micrometres)";
    double in = valueOf(runLine("$ clatter sim docs/restitution/creep.lua --set share=0.95").text, way, strlen(way));
    ctAssertClose(in, 0.0, 1e-6);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("restitution");
    TCase *page = tcase_create("restitution");
    tcase_set_timeout(page, 60);
    tcase_add_test(page, the_page_shows_what_its_scenes_give);
    tcase_add_test(page, final_heights_do_not_jump);
    tcase_add_test(page, tumbling_keeps_its_energy);
    tcase_add_test(page, a_block_stays_up_to_its_friction_angle);
    suite_add_tcase(suite, page);
    return ctRunSuite(suite);
}
