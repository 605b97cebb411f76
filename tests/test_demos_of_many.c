// Demos of many bodies run to their ends without violations and show their phenomena as numbers; all demos run with any
// coefficients.
#include "collision/quat.h"
#include "scenes/measure.h"
#include "tests/support/demos.h"
#include "tests/support/random.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <string.h>

// ---- many bodies ------------------------------------------------------------------------------

START_TEST(dominoes)
{
    ctDemoSettings short_row = {1, {{"count", 16.0}}};
    ctScene *s = ctDemo_Load("dominoes", &short_row);
    double passed[17] = {0.0};
    while (ctWorld_GetTime(s->world) < 3.0) {
        ck_assert(ctWorld_Step(s->world, NULL));
        ctDemo_CheckEnergyFalls(s);
        for (int i = 1; i <= 16; i++) {
            char name[20];
            snprintf(name, sizeof name, "domino %d", i);
            double up = ctRotate(ctBody_GetTransform(s->world, ctMustFind(s, name)).q, ctV3(0, 0, 1)).z;
            if (passed[i] == 0.0 && up < 0.95) {
                passed[i] = ctWorld_GetTime(s->world);
            }
        }
    }
    for (int i = 2; i <= 16; i++) {
        ck_assert_msg(passed[i] > 0.0, "domino %d stands", i);
        ck_assert_msg(passed[i] >= passed[i - 1], "domino %d fell before its neighbour", i);
    }
    // A wave speed of the order of sqrt(g h), 0.7 m/s, once it is under way.
    double speed = 8.0 * 0.020 / (passed[16] - passed[8]);
    ck_assert_msg(speed > 0.4 && speed < 1.6, "the wave runs at %g m/s", speed);
    ctDemo_CheckSound(s, 1e-4);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(tower)
{
    ctScene *s = ctDemo_Load("tower", NULL);
    ctVec3 start[64];
    int count = ctWorld_GetBodyCount(s->world);
    ck_assert_int_le(count, 64);
    for (int i = 0; i < count; i++) {
        start[i] = ctBody_GetCenter(s->world, ctWorld_GetBody(s->world, i));
    }
    ctDemo_StepTo(s, 1.9); // the ball arrives at 2 s
    for (int i = 0; i < count - 1; i++) {
        ctBodyId id = ctWorld_GetBody(s->world, i);
        ctAssertClose(ctDistance(ctBody_GetCenter(s->world, id), start[i]), 0.0, 1e-6);
    }
    ctScene_Destroy(s);
    ctDemoSettings small = {2, {{"levels", 5.0}, {"base", 3.0}}};
    s = ctDemo_Load("tower", &small);
    double top = ctDemo_CenterOf(s, "stack 5").z;
    ctDemo_StepTo(s, 5.0);
    ck_assert(ctDemo_CenterOf(s, "stack 5").z < top - 0.3);
    ck_assert(ctDistance(ctDemo_CenterOf(s, "brick 2"), ctV3(1.5, 0.0, 0.1)) > 0.1);
    ctDemo_CheckSound(s, 5e-4);
    ctScene_Destroy(s);
}
END_TEST

START_TEST(billiards)
{
    ctScene *s = ctDemo_Load("billiards", NULL);
    int count = ctWorld_GetBodyCount(s->world), spread = 0, balls = 0;
    ctVec3 start[64];
    ck_assert_int_le(count, 64);
    for (int i = 0; i < count; i++) {
        start[i] = ctBody_GetCenter(s->world, ctWorld_GetBody(s->world, i));
    }
    // The cue ball slides: it slows down at mu g, and gets to the head ball with that speed.
    double v0 = ctDemo_VelocityOf(s, "cue ball").x;
    ctDemo_StepTo(s, 0.1);
    ctAssertClose(ctDemo_VelocityOf(s, "cue ball").x, v0 - 0.2 * 9.81 * 0.1, 1e-9);
    ctDemo_StepTo(s, s->seconds);
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(s->world, i);
        if (ctBody_GetMotionType(s->world, id) == ct_motionDynamic) {
            ctVec3 x = ctBody_GetCenter(s->world, id);
            balls++;
            spread += ctDistance(x, start[i]) > 0.3;
            // On the table or in a pocket, not on the floor.
            ck_assert(fabs(x.x) < 1.46 && fabs(x.y) < 0.83 && x.z > -0.13);
        }
    }
    ck_assert_int_eq(balls, 16);
    ck_assert_msg(spread >= 11, "only %d balls have left their place", spread);
    ctDemo_CheckSound(s, 1e-4);
    ctScene_Destroy(s);
}
END_TEST

// Bins of the marbles of one run: sums of the first and second powers.
static void runGalton(double seed, double first, double *sum, double *sum2)
{
    ctDemoSettings few = {3, {{"marbles", 40.0}, {"seed", seed}, {"first", first}}};
    ctScene *s = ctDemo_Load("galton", &few);
    ctDemo_StepTo(s, 7.0);
    const double pitch = 0.017;
    for (int i = 1; i <= 40; i++) {
        char name[20];
        snprintf(name, sizeof name, "marble %d", i);
        ctVec3 x = ctDemo_CenterOf(s, name);
        ck_assert_msg(x.z > 0.0 && x.z < 0.20, "%s is not in a bin: %g", name, x.z);
        double bin = round(x.x / pitch);
        *sum += bin;
        *sum2 += bin * bin;
    }
    ctDemo_CheckSound(s, 5e-5);
    ctScene_Destroy(s);
}

// Mean and spread of the bins: sqrt(rows) / 2 pitches for coin tosses; marbles keep some of their drift. The side that
// the first marble comes from is always ahead, and pushes the marbles of the other one over: both are tried.
START_TEST(galton)
{
    double sum = 0.0, sum2 = 0.0, count = 0.0;
    for (int seed = 1; seed <= ctTestCases(2); seed++) {
        runGalton((double)seed, 1.0, &sum, &sum2);
        runGalton((double)seed, -1.0, &sum, &sum2);
        count += 80.0;
    }
    double mean = sum / count, spread = sqrt(sum2 / count - mean * mean), binomial = sqrt(10.0) / 2.0;
    // Three standard errors of the mean; the spread within a third of the coin tosses'.
    ck_assert_msg(count > 0.0 && fabs(mean) < 3.0 * binomial / sqrt(count), "mean %g bins", mean);
    ck_assert_msg(spread > binomial / 1.5 && spread < binomial * 1.5, "spread %g bins, not %g", spread, binomial);
}
END_TEST

// Each parcel passes the gate at d/v + v/(2 mu g), whatever its size; the arm sends every second one aside.
START_TEST(sorter)
{
    ctScene *s = ctDemo_Load("sorter", NULL);
    double v = 0.8, slip = v / (2.0 * 0.5 * 9.81);
    int passed = 0;
    for (int frame = 0; frame < 12 * 60; frame++) {
        ck_assert(ctWorld_Step(s->world, NULL));
        const ctSensorEvent *events;
        int count = ctWorld_GetSensorEvents(s->world, &events);
        for (int i = 0; i < count; i++) {
            if (events[i].begin && events[i].sensor.index1 == ctWorld_FindBody(s->world, "gate").index1) {
                double due = slip + (0.6 + 0.7 * passed++) / v;
                ck_assert_msg(fabs(events[i].time - due) < 1e-3, "parcel %d after %g s, not %g", passed, events[i].time,
                              due);
            }
        }
    }
    ck_assert_int_eq(passed, 6);
    for (int i = 1; i <= 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "parcel %d", i);
        ctBodyId parcel = ctWorld_FindBody(s->world, name), end = ctWorld_FindBody(s->world, "end");
        ctBodyId bin = ctWorld_FindBody(s->world, "bin");
        ck_assert_int_eq((int)ctWorld_GetPairTally(s->world, end, parcel).impacts, i % 2);
        ck_assert_int_eq(ctWorld_GetPairTally(s->world, bin, parcel).impacts > 0, i % 2 == 0);
    }
    ctDemo_CheckSound(s, 2e-4);
    ctScene_Destroy(s);
}
END_TEST

static int64_t talliesOf(const ctScene *s, const char *const *names, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++) {
        sum += ctWorld_GetPairTally(s->world, ctMustFind(s, "ball"), ctMustFind(s, names[i])).impacts;
    }
    return sum;
}

static double measured(ctScene *s, const char *name)
{
    ctMeasureRef m;
    double x = NAN;
    ck_assert(ctMeasure_Find(s, name, &m, NULL) && ctMeasure_Value(s, &m, &x, NULL));
    return x;
}

// A bumper gives the ball its own speed along the normal at the moment of the impact; what the script has counted is
// what the engine has. The shot, up to the top of the arch, is the same at another frame rate.
START_TEST(pinball)
{
    static const char *const bumpers[] = {"bumper 1", "bumper 2", "bumper 3"};
    static const char *const slings[] = {"left sling", "right sling"}, *const lanes[] = {"lane 1", "lane 2", "lane 3"};
    ctScene *s = ctDemo_Load("pinball", NULL), *fine = ctDemo_Load("pinball", NULL);
    ctBodyId ball = ctMustFind(s, "ball");
    int kicks = 0;
    ck_assert(ctWorld_SetFrameTime(fine->world, 1.0 / 660.0, NULL));
    for (int i = 0; i < 1056; i++) {
        ck_assert(ctWorld_Step(fine->world, NULL) && (i % 11 != 0 || ctWorld_Step(s->world, NULL)));
    }
    ctAssertClose(ctDistance(ctDemo_CenterOf(s, "ball"), ctDemo_CenterOf(fine, "ball")), 0.0, 5e-5);
    while (ctWorld_GetTime(s->world) < 2.0 * s->seconds - 1e-9) {
        bool hit;
        const ctImpact *m;
        ck_assert(ctWorld_StepToImpact(s->world, &hit, NULL));
        int count = ctWorld_GetImpacts(s->world, &m);
        ctVec3 x = ctBody_GetCenter(s->world, ball), v = ctBody_GetVelocity(s->world, ball);
        ck_assert_msg(fabs(x.x) < 0.25 && x.y > 0.0 && x.y < 1.0 && x.z > 0.0 && x.z < 0.045, "the ball is lost");
        for (int i = 0; i < count; i++) {
            bool first = m[i].body1.index1 == ball.index1;
            if (strncmp(ctBody_GetName(s->world, first ? m[i].body2 : m[i].body1), "bumper", 6) == 0) {
                double away = (first ? 1.0 : -1.0) * (v.x * m[i].normal.x + v.y * m[i].normal.y);
                ck_assert_msg(away > 1.2 - 1e-6, "thrown off at %g m/s", away);
                kicks += fabs(away - 1.2) < 1e-6;
            }
        }
    }
    ck_assert_int_ge(kicks, 5);
    ck_assert(measured(s, "flips") >= 5.0);
    ctAssertClose(measured(s, "score"),
                  100.0 * (double)talliesOf(s, bumpers, 3) + 10.0 * (double)talliesOf(s, slings, 2) +
                      50.0 * (double)talliesOf(s, lanes, 3),
                  0.0);
    ctDemo_CheckSound(s, 5e-5);
    ctScene_Destroy(fine);
    ctScene_Destroy(s);
}
END_TEST

// On a straight a marble gains speed as on a plane with rolling resistance; on the belt it rides at the belt's speed.
// None is lost, and all go round.
START_TEST(marble_run)
{
    ctScene *s = ctDemo_Load("marble_run", NULL);
    double alpha = atan(0.03), gain = 5.0 / 7.0 * 9.81 * (sin(alpha) - cos(alpha) * 4e-4 / 0.018), v = 0.0;
    int riding = 0;
    for (int frame = 1; frame <= 25 * 60; frame++) {
        ctError error = {ct_ok, ""};
        ck_assert_msg(ctWorld_Step(s->world, &error), "%s", error.message);
        if (frame == 30) {
            v = ctLength(ctDemo_VelocityOf(s, "marble 10"));
        } else if (frame == 75) {
            ctAssertClose((ctLength(ctDemo_VelocityOf(s, "marble 10")) - v) / 0.75, gain, 0.01 * gain);
        }
        for (int i = 1; i <= 10 && frame % 30 == 0; i++) {
            char name[32];
            snprintf(name, sizeof name, "marble %d", i);
            ctVec3 x = ctDemo_CenterOf(s, name);
            ck_assert_msg(x.z > 0.03 && x.z < 0.35, "%s is lost at %g s", name, ctWorld_GetTime(s->world));
            if (x.x > 0.67 && x.y > 0.0 && x.y < 0.2 && i == 1) {
                ctAssertClose(ctLength(ctDemo_VelocityOf(s, name)), 0.3, 1e-9);
                riding++;
            }
        }
    }
    ck_assert_int_ge(riding, 1);
    ck_assert_msg(measured(s, "lifted") >= 8.0, "%g lifted", measured(s, "lifted"));
    ctDemo_CheckSound(s, 2e-4);
    ctScene_Destroy(s);
}
END_TEST

// Whatever the friction and restitution: no impulse outside its region, and no overlap above one per cent of the
// smaller body's radius.
START_TEST(any_coefficients)
{
    static const ctSetting row = {"count", 60.0};
    static const struct {
        const char *name;
        ctSceneOptions options;
        double time;
    } runs[] = {
        {"coins", {.audit = true, .hasFriction = true, .friction = 0.0}, 3.0},
        {"bowling", {.audit = true, .hasRestitution = true, .restitution = 0.9}, 4.0},
        {"dominoes", {.audit = true, .hasFriction = true, .friction = 0.1}, 3.0},
        {"tower", {.audit = true, .hasFriction = true, .friction = 0.1}, 4.0},
        {"galton", {.audit = true, .hasFriction = true, .friction = 0.0}, 8.0},
        {"dominoes",
         {.audit = true, .hasRestitution = true, .restitution = 0.9, .settings = &row, .settingCount = 1},
         3.0},
    };
    int count = ctTestCases(20) < 20 ? 3 : (int)(sizeof runs / sizeof runs[0]); // sanitised: three
    for (int i = 0; i < count; i++) {
        ctError error = {ct_ok, ""};
        ctScene *s = ctScene_Load(runs[i].name, &runs[i].options, &error);
        ctRequire(s != NULL, "%s", error.message);
        while (ctWorld_GetTime(s->world) < runs[i].time) {
            ctRequire(ctWorld_Step(s->world, &error), "%s", error.message);
        }
        ctStats stats = ctWorld_GetStats(s->world);
        ck_assert_msg(stats.impacts > 0 && stats.auditViolations == 0, "run %d, %s: %ld violations, overlap %g m", i,
                      s->name, (long)stats.auditViolations, stats.maxPenetration);
        ck_assert_msg(stats.eventLimitHits == 0, "run %d, %s: events were skipped", i, s->name);
        ctScene_Destroy(s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("demos_of_many");
    TCase *many = tcase_create("many bodies");
    tcase_set_timeout(many, 30);
    tcase_add_test(many, dominoes);
    tcase_add_test(many, tower);
    tcase_add_test(many, billiards);
    tcase_add_test(many, galton);
    tcase_add_test(many, sorter);
    tcase_add_test(many, pinball);
    tcase_add_test(many, marble_run);
    tcase_add_test(many, any_coefficients);
    suite_add_tcase(suite, many);
    return ctRunSuite(suite);
}
