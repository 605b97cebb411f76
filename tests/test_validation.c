// docs/validation.md claims no more than `make validate` gives: Clatter's part is run again, and the page has the
// numbers of its table of results.
#include "tests/support/suite.h"
#include "tests/validate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char words[256][3][32];

// docs/validation.csv, as it was written.
static ctResults readClaims(void)
{
    ctResults claims = {NULL, 0, 0};
    FILE *in = fopen("docs/validation.csv", "r");
    char line[256];
    ck_assert_ptr_nonnull(in);
    claims.rows = calloc(256, sizeof *claims.rows);
    while (fgets(line, sizeof line, in) != NULL && claims.count < 256) {
        char(*w)[32] = words[claims.count];
        ctResult *r = &claims.rows[claims.count];
        *r = (ctResult){w[0], w[1], w[2], 0, 0, NAN, NAN};
        claims.count += sscanf(line, "%31[^,],%31[^,],%31[^,],%lf,%lf,%lf,%lf", w[0], w[1], w[2], &r->rate, &r->value,
                               &r->lo, &r->hi) >= 5;
    }
    fclose(in);
    return claims;
}

static char *readPage(void)
{
    FILE *in = fopen("docs/validation.md", "r");
    ck_assert_ptr_nonnull(in);
    char *text = calloc(1, 1 << 17);
    ck_assert_uint_gt(fread(text, 1, (1 << 17) - 1, in), 1000);
    fclose(in);
    return text;
}

// The line that begins so, without its end.
static void lineOf(const char *page, const char *start, char *line, size_t size)
{
    const char *at = strstr(page, start);
    ck_assert_msg(at != NULL, "the page has no line '%s'", start);
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
}

START_TEST(the_page_has_the_numbers_of_its_results)
{
    ctResults claims = readClaims();
    char *page = readPage(), start[256], line[1024], cell[64];
    for (int i = 0; i < ctCaseCount; i++) {
        snprintf(start, sizeof start, "| %s |", ctCases[i].what);
        lineOf(page, start, line, sizeof line);
        static const struct {
            const char *engine;
            double rate;
        } columns[] = {{"Clatter", 60}, {"Bullet", 60}, {"Bullet", 1000}, {"ODE", 60}, {"ODE", 1000}};
        const char *at = line + strlen(start);
        for (int j = 0; j < 5; j++) {
            const ctResult *r = ctResults_Find(&claims, "closed", ctCases[i].key, columns[j].engine, columns[j].rate);
            ck_assert_msg(r != NULL, "%s: no result of %s", ctCases[i].key, columns[j].engine);
            ctPage_Number(r->value, cell, sizeof cell);
            at = strstr(at, cell);
            ck_assert_msg(at != NULL, "%s: the page does not say %s of %s", ctCases[i].key, cell, columns[j].engine);
        }
    }
    for (int i = 0; i < claims.count; i++) {
        const ctResult *r = &claims.rows[i];
        if (strcmp(r->section, "toss") == 0) {
            snprintf(start, sizeof start, "| %s | %.0f |", r->engine, r->rate);
            lineOf(page, start, line, sizeof line);
            snprintf(cell, sizeof cell, "%.1f", r->value);
            ck_assert_msg(strstr(line, cell) != NULL, "%s %s: not %s in '%s'", r->engine, r->key, cell, line);
        }
    }
    free(page);
    free(claims.rows);
}
END_TEST

// Errors at rounding count as equal.
START_TEST(closed_forms_are_as_good_as_claimed)
{
    ctResults claims = readClaims();
    for (int i = 0; i < ctCaseCount; i++) {
        const ctResult *claim = ctResults_Find(&claims, "closed", ctCases[i].key, "Clatter", 60);
        ck_assert_ptr_nonnull(claim);
        double now = ctCases[i].run(&ctPeerClatter, 60);
        ck_assert_msg(now <= fmax(1.5 * claim->value, 1e-11), "%s: %g, and the page claims %g: run make validate",
                      ctCases[i].key, now, claim->value);
    }
    free(claims.rows);
}
END_TEST

// What lands again and again, at other frame rates: a block that rocks, a rimless wheel, rows of dominoes.
START_TEST(landings_are_right_at_every_frame_rate)
{
    static const struct {
        const char *key;
        double bound;
    } systems[] = {{"rocking", 2e-5}, {"rimless", 1e-4}, {"dominoes_close", 5e-5}, {"dominoes_apart", 5e-5}};
    static const double rates[] = {30, 144, 1000};
    for (int i = 0; i < ctCaseCount; i++) {
        for (size_t k = 0; k < 4 * 3; k++) {
            if (strcmp(ctCases[i].key, systems[k / 3].key) == 0) {
                double error = ctCases[i].run(&ctPeerClatter, rates[k % 3]);
                ck_assert_msg(error < systems[k / 3].bound, "%s at %g: %g", ctCases[i].key, rates[k % 3], error);
            }
        }
    }
}
END_TEST

START_TEST(tosses_are_as_good_as_claimed)
{
    ctResults claims = readClaims();
    ctTosses all;
    ctError error = {ct_ok, ""};
    ck_assert_msg(ctTosses_Read(CT_TOSS_FILE, &all, &error), "%s", error.message);
    ck_assert_int_eq(all.count, 285);
    double place = 0.0, rotation = 0.0, pose = 0.0;
    for (int i = 0; i < all.count; i++) {
        ctTossError e = ctToss_Simulate(&all.tosses[i], &ctPeerClatter, 1, CT_TOSS_MU, CT_TOSS_E, NULL);
        place += 100.0 * e.place / all.count;
        rotation += e.rotation / all.count;
        pose += 100.0 * e.pose / all.count;
    }
    const ctResult *p = ctResults_Find(&claims, "toss", "place", "Clatter", CT_TOSS_RATE);
    const ctResult *r = ctResults_Find(&claims, "toss", "rotation", "Clatter", CT_TOSS_RATE);
    const ctResult *f = ctResults_Find(&claims, "toss", "pose", "Clatter", CT_TOSS_RATE);
    ck_assert(p != NULL && r != NULL && f != NULL);
    ck_assert_msg(place <= p->value + 0.5 && rotation <= r->value + 1.0 && pose >= f->value - 3.0,
                  "now %.2f %%, %.2f degrees, %.1f %%; the page claims %.2f, %.2f, %.1f: run make validate", place,
                  rotation, pose, p->value, r->value, f->value);
    double noise, degrees;
    ctTosses_Noise(&all, &noise, &degrees);
    ck_assert(noise > 1e-5 && noise < 1e-3 && degrees > 0.005 && degrees < 1.0);
    ctTosses_Free(&all);
    free(claims.rows);
}
END_TEST

// The engine of a toss: without noise and with the same coefficients it finds its own trajectory again.
START_TEST(a_simulated_toss_is_reproduced)
{
    ctTosses all;
    ctError error = {ct_ok, ""};
    ck_assert(ctTosses_Read(CT_TOSS_FILE, &all, &error));
    ctToss *toss = &all.tosses[3];
    ctTossSample *own = malloc((size_t)toss->count * sizeof *own);
    ctToss_Simulate(toss, &ctPeerClatter, 1, 0.2, 0.2, own);
    ctToss again = {own, toss->count, toss->velocity, toss->spin};
    ctTossError same = ctToss_Simulate(&again, &ctPeerClatter, 1, 0.2, 0.2, NULL);
    ctTossError other = ctToss_Simulate(&again, &ctPeerClatter, 1, 0.3, 0.2, NULL);
    ck_assert(same.place < 1e-9 && same.rotation < 1e-6 && same.pose == 1.0 && other.place > 1e-3);
    free(own);
    ctTosses_Free(&all);
}
END_TEST

START_TEST(intervals_cover_the_mean)
{
    // Of the numbers 0 and 1 in equal parts: mean a half, standard error 0.5 / sqrt(n).
    double values[400];
    for (int i = 0; i < 400; i++) {
        values[i] = i % 2;
    }
    ctMean m = ctBootstrap(values, 400, 2000);
    ctAssertClose(m.value, 0.5, 1e-12);
    ctAssertClose(m.hi - m.lo, 2.0 * 1.96 * 0.025, 0.01);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("validation");
    TCase *page = tcase_create("validation");
    tcase_set_timeout(page, 60);
    tcase_add_test(page, the_page_has_the_numbers_of_its_results);
    tcase_add_test(page, closed_forms_are_as_good_as_claimed);
    tcase_add_test(page, landings_are_right_at_every_frame_rate);
    tcase_add_test(page, tosses_are_as_good_as_claimed);
    tcase_add_test(page, a_simulated_toss_is_reproduced);
    tcase_add_test(page, intervals_cover_the_mean);
    suite_add_tcase(suite, page);
    return ctRunSuite(suite);
}
