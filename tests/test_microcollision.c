// Microcollisions (Mirtich & Canny 1995, section 4.5): the rule itself, and what single bodies do by it.
#include "collision/quat.h"
#include "engine/collide/collide.h"
#include "engine/impact/impact.h"
#include "scenes/scene.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <stdlib.h>

static const double G = 9.81;

static ctWorld *microWorld(ctVec3 gravity, double friction, double restitution)
{
    ctWorld *world = ctTestWorld(gravity, friction, restitution);
    ck_assert(ctWorld_SetContactMode(world, ct_contactMicrocollision, NULL));
    return world;
}

// ---- the rule ---------------------------------------------------------------------------------

static ctVec3 toFrame(ctMat3 f, ctVec3 v)
{
    return ctMulTMV(f, v);
}

// What the rule says about an impact: which kind, and which impulse.
static ctVec3 expected(const ctImpact *m, ctEventKind *kind, bool *reversed)
{
    ctVec3 x, y, p;
    ctFrameFromNormal(m->normal, &x, &y);
    ctMat3 f = ctMat3Columns(x, y, m->normal);
    ctImpactInput in = {.K = ctMulMM(ctMulMM(ctTranspose(f), m->k), f),
                        .u = toFrame(f, m->velocity),
                        .mu = m->pair.friction,
                        .e = m->pair.restitution,
                        .law = m->law};
    *kind = -in.u.z < CT_MICRO_SPEED ? ct_eventMicro : ct_eventImpact;
    ck_assert(ctSolve(in.K, ctScale(-2.0, in.u), &p));
    *reversed = *kind == ct_eventMicro && p.x * p.x + p.y * p.y <= in.mu * in.mu * p.z * p.z;
    if (!*reversed) {
        ctImpactResult full;
        ctSolveImpact(&in, &full);
        p = full.p;
    }
    return ctMulMV(f, p);
}

// Solids of every shape drift against each other at speeds around the threshold.
START_TEST(the_rule)
{
    ctRandom r = ctRandomSeed(3);
    int kinds[2] = {0, 0}, reversals = 0, full = 0;
    for (int i = 0; i < ctTestCases(1500); i++) {
        double mu = ctRandomUniform(&r, 0, 1.2);
        ctWorld *world = microWorld(ctZero3(), mu, ctRandomUniform(&r, 0.2, 1));
        ctVec3 x = ctScale(0.2, ctRandomUnit(&r));
        ctBodyDef def = ctDefaultBodyDef();
        for (int k = 0; k < 2; k++) {
            def.shape = ctTestSolid(world, ctRandomInt(&r, 0, 6));
            def.mass = ctRandomLog(&r, 0.1, 10.0);
            def.position = ctScale(k == 0 ? 1.0 : -1.0, x);
            def.orientation = ctRandomQuat(&r);
            def.velocity = ctAdd(ctScale(-0.1, def.position), ctRandomVec3(&r, -0.005, 0.005));
            def.spin = ctRandomVec3(&r, -0.05, 0.05);
            ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        }
        bool hit = false;
        for (int k = 0; k < 600 && !hit; k++) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        const ctImpact *m;
        ctStats stats = ctWorld_GetStats(world);
        if (hit && ctWorld_GetImpacts(world, &m) > 0 && -ctDot(m->velocity, m->normal) > 1e-3) {
            ctEventKind kind;
            bool reversed;
            ctVec3 p = expected(m, &kind, &reversed);
            ck_assert_int_eq(m->kind, kind);
            ctAssertClose(ctDistance(m->impulse, p), 0.0, 1e-8 * ctLength(p));
            kinds[kind]++;
            reversals += reversed;
            full += kind == ct_eventMicro && !reversed;
            if (reversed) { // no work
                ctAssertClose(m->energyLost, 0.0, 1e-14);
            }
            ck_assert_int_eq((int)stats.impacts + (int)stats.microcollisions, ctWorld_GetImpacts(world, &m));
            ck_assert((kind == ct_eventMicro ? stats.microcollisions : stats.impacts) > 0);
        }
        ctWorld_Destroy(world);
    }
    int least = ctTestCases(1500) / 30;
    ck_assert_msg(kinds[0] > least && reversals > least && full > least, "%d impacts, %d reversals, %d full", kinds[0],
                  reversals, full);
}
END_TEST

// ---- single bodies ----------------------------------------------------------------------------

// Heights of a dropped ball down to the threshold; from there on it neither loses nor gains.
START_TEST(a_ball_bounces)
{
    const double h = 0.5, radius = 0.05, e = 0.7;
    ctWorld *world = microWorld(ctV3(0, 0, -G), 0.5, e);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, radius, ctV3(0, 0, h + radius), ctZero3());
    double speed = sqrt(2.0 * G * h);
    int impacts = 0;
    for (int i = 0; i < 40; i++) {
        bool hit = false;
        while (!hit) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        impacts += speed >= CT_MICRO_SPEED;
        speed *= speed >= CT_MICRO_SPEED ? e : 1.0;
        ctAssertClose(ctBody_GetVelocity(world, ball).z, speed, 1e-10);
    }
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq((int)stats.impacts, impacts);
    ck_assert_int_eq((int)stats.microcollisions, 40 - impacts);
    ctWorld_Destroy(world);
}
END_TEST

// A ball at rest hovers in its envelope h; it touches every 2 sqrt(2 h / g), and has at most m g h.
START_TEST(a_ball_at_rest)
{
    const double radius = 0.05, h = CT_MICRO_ENVELOPE * radius, seconds = 20.0;
    ctWorld *world = microWorld(ctV3(0, 0, -G), 0.5, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, radius, ctV3(0, 0, radius), ctZero3());
    double start = ctWorld_GetStats(world).potentialEnergy, weight = ctBody_GetMass(world, ball) * G;
    for (int i = 0; i < (int)(60.0 * seconds); i++) {
        ctTestRun(world, 1.0 / 60.0);
        ctStats stats = ctWorld_GetStats(world);
        double height = ctBody_GetCenter(world, ball).z - radius;
        ck_assert(height > -1e-12 && height < h * (1.0 + 1e-9));
        ck_assert(stats.kineticEnergy + stats.potentialEnergy - start < weight * h * (1.0 + 1e-9));
    }
    double expectedCount = seconds / (2.0 * sqrt(2.0 * h / G));
    ctAssertClose((double)ctWorld_GetStats(world).microcollisions / expectedCount, 1.0, 1e-3);
    ctAssertClose(ctBody_GetCenter(world, ball).x, 0.0, 1e-15);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// A ball on a slope: with enough friction it rolls at 5/7 g sin a, else it slides at g (sin a - mu cos a) while its
// spin grows by 5/2 mu g cos a / r. Microcollisions are 0.6 ms apart here.
static void checkSlope(double mu)
{
    const double radius = 0.05, angle = 0.4, seconds = 1.0;
    ctVec3 down = ctV3(cos(angle), 0, -sin(angle)), up = ctV3(sin(angle), 0, cos(angle));
    ctWorld *world = microWorld(ctV3(0, 0, -G), mu, 0.3);
    ctTestPlane(world, up, 0.0);
    ctBodyId ball = ctTestBall(world, radius, ctScale(radius, up), ctZero3());
    ctTestRun(world, seconds);
    bool rolls = mu > 2.0 / 7.0 * tan(angle);
    double a = rolls ? 5.0 / 7.0 * G * sin(angle) : G * (sin(angle) - mu * cos(angle));
    double spin = rolls ? a / radius : 2.5 * mu * G * cos(angle) / radius;
    ctAssertClose(ctDot(ctBody_GetVelocity(world, ball), down) / (a * seconds), 1.0, 2e-3);
    ctAssertClose(ctDot(ctBody_GetCenter(world, ball), down) / (0.5 * a * seconds * seconds), 1.0, 2e-3);
    if (mu > 0.0) {
        ctAssertClose(ctBody_GetSpin(world, ball).y / (spin * seconds), 1.0, 2e-3);
    }
    ctAssertClose(ctDot(ctBody_GetCenter(world, ball), up) - radius, 0.0, 1.1 * CT_MICRO_ENVELOPE * radius);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}

START_TEST(balls_on_a_slope)
{
    checkSlope(0.0);
    checkSlope(0.05);
    checkSlope(0.5);
}
END_TEST

// The bowling hook: rolling begins with v0 - 2/7 of the slip, after 2/7 of it over mu g.
START_TEST(the_hook)
{
    const double radius = 0.108, mu = 0.12;
    ctWorld *world = microWorld(ctV3(0, 0, -G), mu, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctVec3 v0 = ctV3(8, 0, 0), w0 = ctV3(-30, 0, 0);
    ctBodyId ball = ctTestBall(world, radius, ctV3(0, 0, radius), v0);
    ck_assert(ctBody_SetVelocity(world, ball, v0, w0, NULL));
    ctVec3 slip = ctAdd(v0, ctCross(w0, ctV3(0, 0, -radius)));
    double onset = 2.0 * ctLength(slip) / (7.0 * mu * G);
    ctVec3 rolling = ctMulAdd(v0, -2.0 / 7.0, slip), a = ctScale(-mu * G / ctLength(slip), slip);
    ctTestRun(world, 3.5);
    ck_assert(onset < 3.0);
    ctVec3 v = ctBody_GetVelocity(world, ball), x = ctBody_GetCenter(world, ball);
    ctVec3 place = ctMulAdd(ctMulAdd(ctScale(onset, v0), 0.5 * onset * onset, a), 3.5 - onset, rolling);
    ctAssertClose(hypot(v.x - rolling.x, v.y - rolling.y), 0.0, 2e-3);
    ctAssertClose(hypot(x.x - place.x, x.y - place.y), 0.0, 5e-3);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// A ball on a platter goes round at 2/7 of its rate; where it is after a loop.
START_TEST(the_platter)
{
    const double turn = 3.0, radius = 0.05, rate = 2.0 / 7.0 * turn, circle = 0.2 / rate;
    ctWorld *world = microWorld(ctV3(0, 0, -G), 1.0, 0.5);
    ctBodyDef platter = ctDefaultBodyDef();
    platter.shape = ctWorld_CreateCylinder(world, 2.0, 0.05, NULL);
    platter.motion = ct_motionKinematic;
    platter.position = ctV3(0, 0, -0.025);
    platter.spin = ctV3(0, 0, turn);
    ck_assert(ctWorld_CreateBody(world, &platter, NULL).index1 != 0);
    ctBodyId ball = ctTestBall(world, radius, ctV3(0.3, 0, radius), ctZero3());
    ctVec3 slip = ctV3(0, turn * 0.3 - 0.2, 0);
    ck_assert(ctBody_SetVelocity(world, ball, ctV3(0, 0.2, 0), ctV3(slip.y / radius, -slip.x / radius, 0), NULL));
    double worst = 0.0;
    for (int i = 1; i <= (int)(60.0 * 2.0 * CT_PI / rate); i++) {
        ctTestRun(world, 1.0 / 60.0);
        double angle = rate * i / 60.0;
        ctVec3 x = ctBody_GetCenter(world, ball);
        worst = fmax(worst, hypot(x.x - (0.3 - circle + circle * cos(angle)), x.y - circle * sin(angle)));
    }
    ck_assert_msg(worst < 5e-3 * circle, "off by %g of the circle", worst / circle);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// ---- many bodies ------------------------------------------------------------------------------

// Eight coins are tossed and settle. No frame is cut short, and the same run gives the same state. No frame brings
// energy beyond what lifts bodies into their envelopes, which is less than m g h each time, and little in all.
static uint64_t tossCoins(double seconds)
{
    ctSetting toss = {"toss", 0.25}; // m
    ctSceneOptions options = {
        .hasContact = true, .contact = ct_contactMicrocollision, .settings = &toss, .settingCount = 1};
    ctError error = {0};
    ctScene *scene = ctScene_Load("coins", &options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ctWorld *world = scene->world;
    double lift = 0.0;
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        lift = fmax(lift, ctBody_GetMass(world, id) * G * CT_MICRO_ENVELOPE * 0.02);
    }
    ctStats stats = ctWorld_GetStats(world);
    double start = stats.kineticEnergy + stats.potentialEnergy, least = start;
    while (ctWorld_GetTime(world) < seconds) {
        ck_assert(ctWorld_Step(world, NULL));
        stats = ctWorld_GetStats(world);
        double energy = stats.kineticEnergy + stats.potentialEnergy - stats.pushWork;
        ck_assert_msg(energy < least + 1e-13 * start, "gained %g J at %g s", energy - least, ctWorld_GetTime(world));
        least = fmin(least, energy);
    }
    ck_assert_msg(stats.pushWork < (double)stats.microcollisions * lift, "lifted by %g J", stats.pushWork);
    ck_assert_msg(stats.pushWork < 2e-3 * start, "lifted by %g J of %g J", stats.pushWork, start);
    ctTestEnergy(world);
    ck_assert_int_eq((int)stats.eventLimitHits, 0);
    ck_assert_int_gt((int)stats.microcollisions, 1000);
    uint64_t hash = ctWorld_Hash(world);
    ctScene_Destroy(scene);
    return hash;
}

START_TEST(coins_settle)
{
    double seconds = ctTestCases(10) == 10 ? 5.0 : 1.0;
    ck_assert(tossCoins(seconds) == tossCoins(seconds));
}
END_TEST

// A small box before the middle of a face of a large one that turns, both in free fall: gravity does not press them
// together, the turning face does, with w^2 d (d: its distance from the axis). They touch a bounded number of times.
START_TEST(pressed_in_free_fall)
{
    ctWorld *world = microWorld(ctV3(0, 0, -G), 0.2, 0.0);
    ctBodyId large = ctTestBox(world, ct_motionDynamic, ctV3(0.4, 0.4, 0.4), ctZero3());
    ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0.25, 0, 0));
    ck_assert(ctBody_SetVelocity(world, large, ctZero3(), ctV3(0, 0, 3.0), NULL));
    double before = ctWorld_GetStats(world).kineticEnergy;
    for (int i = 0; i < 120; i++) {
        ctTestRun(world, 1.0 / 60.0);
        ctTestEnergy(world);
    }
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq((int)stats.eventLimitHits, 0);
    ck_assert_int_gt((int)(stats.impacts + stats.microcollisions), 10);
    ck_assert_int_lt((int)(stats.impacts + stats.microcollisions), 20000);
    ck_assert_msg(stats.maxPenetration < 1e-9, "overlap %g m", stats.maxPenetration);
    ck_assert(stats.pushWork < 1e-6 * before);
    ctWorld_Destroy(world);
}
END_TEST

// A block of 0.2 m on a slope of 20 degrees: with enough friction it stays, else it slides at g (sin a - mu cos a).
static double slideOfBlock(double mu, double seconds)
{
    const double angle = 20.0 * CT_PI / 180.0;
    ctVec3 down = ctV3(cos(angle), 0, -sin(angle)), up = ctV3(sin(angle), 0, cos(angle));
    ctWorld *world = microWorld(ctV3(0, 0, -G), mu, 0.2);
    ctTestPlane(world, up, 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
    def.position = ctScale(0.1, up);
    def.orientation = ctQuatExp(ctV3(0, angle, 0));
    ctBodyId block = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(block.index1 != 0);
    ctTestRun(world, seconds);
    ctVec3 way = ctSub(ctBody_GetCenter(world, block), def.position);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_msg(stats.maxPenetration < 1e-9, "overlap %g m", stats.maxPenetration);
    ck_assert_int_eq((int)stats.eventLimitHits, 0);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
    return ctDot(way, down);
}

START_TEST(blocks_on_a_slope)
{
    const double angle = 20.0 * CT_PI / 180.0;
    double creep = slideOfBlock(0.5, 4.0), way = slideOfBlock(0.3, 1.0);
    ck_assert_msg(fabs(creep) < 5e-3, "creeps by %g m", creep);
    ctAssertClose(way / (0.5 * G * (sin(angle) - 0.3 * cos(angle))), 1.0, 0.02);
}
END_TEST

// Without friction the cone is a line, and what rounding leaves beside it is no violation.
START_TEST(smooth_blocks_pass_the_audit)
{
    ctWorld *world = microWorld(ctV3(0, 0, -G), 0.0, 0.2);
    ctWorld_SetAudit(world, true);
    ctVec3 n = ctNormalize(ctV3(0.1, 0.2, 1.0));
    ctTestPlane(world, n, 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.1, 0.1), NULL);
    def.position = ctScale(0.051, n);
    ctVec3 turn = ctCross(ctV3(0, 0, 1), n);
    def.orientation = ctQuatExp(ctScale(asin(ctLength(turn)) / ctLength(turn), turn));
    ck_assert_uint_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    ctTestRun(world, 0.5);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert(stats.microcollisions > 100);
    ck_assert_int_eq(stats.auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// Demos in this mode: impulses are permissible, nothing overlaps, no frame is cut short, and energy never rises, but
// for what lifts bodies into their envelopes.
static const struct {
    const char *name;
    double seconds;
} demos[] = {{"bowling", 3.0},   {"coins", 2.5},  {"marbles", 2.0},   {"platter", 2.0},   {"ramp", 2.5},
             {"dominoes", 0.5},  {"tower", 0.4},  {"billiards", 2.0}, {"galton", 0.8},    {"gas", 1.0},
             {"superball", 3.0}, {"tumble", 1.0}, {"disk", 3.0},      {"rattleback", 3.0}};

START_TEST(demos_are_right)
{
    ctSceneOptions options = {.hasContact = true, .contact = ct_contactMicrocollision, .audit = true};
    ctError error = {0};
    ctScene *scene = ctScene_Load(demos[_i].name, &options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ctWorld *world = scene->world;
    double least = INFINITY, seconds = demos[_i].seconds * (ctTestCases(10) == 10 ? 1.0 : 0.2);
    ctStats s;
    do {
        ck_assert(ctWorld_Step(world, NULL));
        s = ctWorld_GetStats(world);
        double energy = s.kineticEnergy + s.potentialEnergy - s.pushWork - s.kinematicWork;
        double turned = fabs(s.potentialEnergy) + s.kineticEnergy + s.pushWork + fabs(s.kinematicWork);
        ck_assert_msg(energy < least + 1e-12 * turned, "%s gains %g J at %g s", demos[_i].name, energy - least,
                      ctWorld_GetTime(world));
        least = fmin(least, energy);
    } while (ctWorld_GetTime(world) < seconds);
    ck_assert_msg(s.auditViolations == 0, "%s: %d violations", demos[_i].name, (int)s.auditViolations);
    ck_assert_msg(s.maxPenetration < 5e-7, "%s overlaps by %g m", demos[_i].name, s.maxPenetration);
    ck_assert_int_eq((int)s.eventLimitHits, 0);
    ctTestEnergy(world);
    ctScene_Destroy(scene);
}
END_TEST

// Boxes without a gap between them, without loss, in a bin that just holds them, and all in motion: there is no end of
// impacts. A frame does no more than its share, and says so; nothing gets into anything.
static void checkJam(int side, int frames, int most)
{
    ctRandom r = ctRandomSeed(11);
    ctWorld *world = microWorld(ctV3(0, 0, -G), 0.3, 1.0);
    for (int k = 0; k < 3; k++) {
        ctVec3 n = ctV3(k == 0, k == 1, k == 2);
        ctTestPlane(world, n, 0.0);
        ctTestPlane(world, ctNeg(n), -0.1 * side);
    }
    for (int i = 0; i < side * side * side; i++) {
        ctVec3 place = ctV3(0.05 + 0.1 * (i % side), 0.05 + 0.1 * (i / side % side), 0.05 + 0.1 * (i / (side * side)));
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), place);
        ck_assert(ctBody_SetVelocity(world, box, ctRandomVec3(&r, -1, 1), ctRandomVec3(&r, -5, 5), NULL));
    }
    ctStats before = {0};
    for (int i = 1; i <= frames; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctStats s = ctWorld_GetStats(world);
        int impacts = (int)(s.impacts + s.microcollisions - before.impacts - before.microcollisions);
        ck_assert_int_eq((int)s.eventLimitHits, i);
        ck_assert_msg(impacts < most, "%d impacts", impacts);
        ck_assert_msg(s.distanceChecks - before.distanceChecks < 8 * most, "%d looks", (int)s.distanceChecks);
        ck_assert_msg(s.maxPenetration < 1e-9, "overlap %g m", s.maxPenetration);
        ck_assert(isfinite(s.kineticEnergy));
        before = s;
    }
    ctWorld_Destroy(world);
}

// An impact among thousands of touching places costs more than one of two bodies, and counts for more.
START_TEST(a_jam_ends_its_frames)
{
    checkJam(3, 2, CT_MICRO_EVENTS_MIN);
    checkJam(6, 1, 20000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("microcollision");
    TCase *tc = tcase_create("microcollision");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, the_rule);
    tcase_add_test(tc, a_ball_bounces);
    tcase_add_test(tc, a_ball_at_rest);
    tcase_add_test(tc, balls_on_a_slope);
    tcase_add_test(tc, the_hook);
    tcase_add_test(tc, the_platter);
    tcase_add_test(tc, coins_settle);
    tcase_add_test(tc, pressed_in_free_fall);
    tcase_add_test(tc, blocks_on_a_slope);
    tcase_add_test(tc, smooth_blocks_pass_the_audit);
    tcase_add_loop_test(tc, demos_are_right, 0, sizeof demos / sizeof demos[0]);
    tcase_add_test(tc, a_jam_ends_its_frames);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
