// Many balls: the order of events, no touch that is missed, energy that is kept, and a gas that goes on after a
// snapshot as if it had not stopped.
#include "collision/toi.h"
#include "collision/vec3.h"
#include "engine/pairs/balls.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <stdlib.h>

// ---- the agenda -----------------------------------------------------------------------------------

#define ITEMS 3000

// The earliest item, the lower number of two that are equal.
static int earliest(const double *times)
{
    int best = 0;
    for (int i = 1; i < ITEMS; i++) {
        best = times[i] < times[best] ? i : best;
    }
    return best;
}

// Times as in a simulation: the earliest goes, others come later, sooner, at the same moment, or never.
START_TEST(the_agenda_gives_the_earliest)
{
    static double times[ITEMS];
    ctAgenda agenda = {0};
    ctRandom r = ctRandomSeed(3);
    double now = 0.0;
    ck_assert(ctAgenda_Reserve(&agenda, ITEMS));
    ck_assert(ctAgenda_TopTime(&agenda) == (double)INFINITY);
    for (int i = 0; i < ITEMS; i++) {
        times[i] = INFINITY;
    }
    for (int k = 0; k < ctTestCases(60000); k++) {
        int item = ctRandomInt(&r, 0, ITEMS - 1), what = ctRandomInt(&r, 0, 9);
        double scale = ctRandomLog(&r, 1e-9, 10.0);
        times[item] = what == 0   ? (double)INFINITY
                      : what == 1 ? now
                      : what == 2 ? now + 0.25
                                  : now + ctRandomUniform(&r, 0.0, scale);
        ctAgenda_Set(&agenda, item, times[item]);
        if (k % 1000 == 999) {
            for (int i = 0; i < ITEMS; i++) {
                times[i] += 0.125;
            }
            ctAgenda_Delay(&agenda, 0.125);
        }
        int best = earliest(times);
        ctRequire(ctAgenda_TopTime(&agenda) == times[best], "%d: %g, not %g", k, ctAgenda_TopTime(&agenda),
                  times[best]);
        ctRequire(times[best] == (double)INFINITY || ctAgenda_Top(&agenda) == best, "%d: not %d", k, best);
        if (k % 3 == 0 && times[best] < (double)INFINITY) {
            now = times[best];
            times[best] = INFINITY;
            ctAgenda_Remove(&agenda, best);
        }
        ctRequire(ctAgenda_Time(&agenda, item) == times[item], "%d: item %d", k, item);
        ctRequire(ctAgenda_Has(&agenda, item) == (times[item] < (double)INFINITY), "%d: item %d", k, item);
    }
    ctAgenda_Free(&agenda);
}
END_TEST

// Items with equal times come by their ranks.
START_TEST(the_agenda_gives_equals_by_rank)
{
    ctAgenda agenda = {0};
    ctRandom r = ctRandomSeed(5);
    ck_assert(ctAgenda_Reserve(&agenda, ITEMS));
    for (int i = 0; i < ITEMS; i++) {
        int item = 7 * i % ITEMS; // 7 and their number have no common factor
        ctAgenda_Rank(&agenda, item, (uint64_t)i << 32);
        ctAgenda_Set(&agenda, item, 0.25 * ctRandomInt(&r, 0, 3));
    }
    double last = -1.0;
    for (int i = 0, before = -1; i < ITEMS; i++) {
        double time = ctAgenda_TopTime(&agenda);
        int item = ctAgenda_Top(&agenda), rank = 0;
        while (7 * rank % ITEMS != item) {
            rank++;
        }
        ctRequire(time > last || (time == last && rank > before), "%d: item %d", i, item);
        last = time;
        before = rank;
        ctAgenda_Remove(&agenda, item);
    }
    ctAgenda_Free(&agenda);
}
END_TEST

// The order does not depend on how many items there is room for: an agenda that grows while it is in use.
START_TEST(the_agenda_grows)
{
    static double times[ITEMS];
    ctAgenda agenda = {0};
    ctRandom r = ctRandomSeed(4);
    for (int i = 0; i < ITEMS; i++) {
        times[i] = INFINITY;
    }
    for (int k = 0, room = 1; k < ctTestCases(20000); k++) {
        if (k % 64 == 0 && room < ITEMS) {
            room = room + 1 + room / 8 < ITEMS ? room + 1 + room / 8 : ITEMS;
            ck_assert(ctAgenda_Reserve(&agenda, room));
        }
        int item = ctRandomInt(&r, 0, room - 1);
        times[item] = k % 7 == 0 ? (double)INFINITY : ctRandomUniform(&r, 0.0, k % 2 == 0 ? 1.0 : 1e3);
        ctAgenda_Set(&agenda, item, times[item]);
        int best = earliest(times);
        ctRequire(ctAgenda_TopTime(&agenda) == times[best], "%d: %g, not %g", k, ctAgenda_TopTime(&agenda),
                  times[best]);
        ctRequire(times[best] == (double)INFINITY || ctAgenda_Top(&agenda) == best, "%d: not %d", k, best);
    }
    ctAgenda_Free(&agenda);
}
END_TEST

// Thousands of items at a few moments that are close together: they come out by time, equal ones by item, also while
// they are put back a little later.
START_TEST(the_agenda_takes_many_at_one_moment)
{
    enum { MANY = 20000 };
    static int seen[MANY];
    ctAgenda agenda = {0};
    ck_assert(ctAgenda_Reserve(&agenda, MANY));
    for (int i = 0; i < MANY; i++) {
        ctAgenda_Set(&agenda, i, 1.0 + 1e-9 * (i % 3));
    }
    double time = 0.0;
    int item = -1;
    for (int k = 0; k < 3 * MANY; k++) {
        double next = ctAgenda_TopTime(&agenda);
        int top = ctAgenda_Top(&agenda);
        ctRequire(next > time || (next == time && top > item), "%d: item %d at %.17g comes after %d", k, top, next,
                  item);
        seen[top]++;
        time = next;
        item = top;
        ctAgenda_Set(&agenda, top, next + 1e-8);
    }
    for (int i = 0; i < MANY; i++) {
        ctRequire(seen[i] == 3, "item %d came %d times", i, seen[i]);
        ctAgenda_Remove(&agenda, i);
    }
    ck_assert(ctAgenda_TopTime(&agenda) == (double)INFINITY);
    ctAgenda_Free(&agenda);
}
END_TEST

// ---- the gas ------------------------------------------------------------------------------------

#define SIDE 1.0
#define BALLS 200

static ctBodyId balls[BALLS];
static double radii[BALLS];

// Elastic balls with radii over a factor of thirty, in a cube of planes.
static ctWorld *makeGas(ctVec3 gravity, double friction)
{
    ctRandom r = ctRandomSeed(17);
    ctWorld *world = ctTestWorld(gravity, friction, 1.0);
    for (int k = 0; k < 3; k++) {
        ctVec3 n = ctV3(k == 0, k == 1, k == 2);
        ctTestPlane(world, n, 0.0);
        ctTestPlane(world, ctNeg(n), -SIDE);
    }
    for (int i = 0; i < BALLS; i++) {
        int cell = i * 5; // of a lattice of ten to a side
        ctVec3 corner = ctV3(cell % 10 + 0.5, cell / 10 % 10 + 0.5, cell / 100 + 0.5);
        radii[i] = i == 0 ? 0.0499 : ctRandomLog(&r, 0.0015, 0.045);
        ctVec3 velocity = ctRandomVec3(&r, -2, 2), spin = ctRandomVec3(&r, -10, 10);
        balls[i] = ctTestBall(world, radii[i], ctScale(0.1 * SIDE, corner), velocity);
        ck_assert(ctBody_SetVelocity(world, balls[i], velocity, spin, NULL));
    }
    return world;
}

// No two overlap, and none has left, by more than rounding.
static void checkApart(const ctWorld *world)
{
    ctVec3 x[BALLS];
    for (int i = 0; i < BALLS; i++) {
        x[i] = ctBody_GetCenter(world, balls[i]);
        ctRequire(ctMinElement(x[i]) >= radii[i] - 1e-12 && ctMaxElement(x[i]) <= SIDE - radii[i] + 1e-12,
                  "ball %d is out", i);
        for (int k = 0; k < i; k++) {
            double gap = ctDistance(x[i], x[k]) - radii[i] - radii[k];
            ctRequire(gap > -1e-12, "balls %d and %d overlap by %g m", i, k, -gap);
        }
    }
}

static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

START_TEST(a_gas_misses_nothing_and_keeps_its_energy)
{
    for (int kind = 0; kind < 2; kind++) {
        ctWorld *world = makeGas(kind == 0 ? ctZero3() : ctV3(0, 0, -9.81), 0.0);
        double before = energyOf(world);
        for (int frame = 0; frame < ctTestCases(240); frame++) {
            ctTestRun(world, 1.0 / 60.0);
            checkApart(world);
        }
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_gt((int)stats.impacts, ctTestCases(3000));
        ck_assert_int_eq((int)stats.eventLimitHits, 0);
        ck_assert_msg(stats.maxPenetration < 1e-12, "overlap %g m", stats.maxPenetration);
        ctAssertClose(energyOf(world) / before, 1.0, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Balls that are not about to meet have no record in a snapshot, and times are kept in two places: neither shows.
START_TEST(a_loaded_gas_goes_on_exactly)
{
    ctWorld *world = makeGas(ctV3(0, 0, -1.0), 0.3);
    for (int round = 0; round < 3; round++) {
        ctTestRun(world, 0.35);
        ctWorld *copy = ctTestCopy(world);
        for (int frame = 0; frame < 30; frame++) {
            ctTestRun(copy, 1.0 / 60.0);
            ctTestRun(world, 1.0 / 60.0);
            ck_assert_msg(ctWorld_Hash(copy) == ctWorld_Hash(world), "round %d frame %d", round, frame);
        }
        ctStats a = ctWorld_GetStats(world), b = ctWorld_GetStats(copy);
        ck_assert(a.impacts == b.impacts && a.pairs == b.pairs && a.frictionLoss == b.frictionLoss);
        for (int i = 1; i < BALLS; i++) {
            ctTally x = ctWorld_GetPairTally(world, balls[0], balls[i]);
            ctTally y = ctWorld_GetPairTally(copy, balls[0], balls[i]);
            ck_assert(x.impacts == y.impacts && x.impulse == y.impulse);
        }
        ctWorld_Destroy(copy);
    }
    ctWorld_Destroy(world);
}
END_TEST

// ---- cells --------------------------------------------------------------------------------------

// A member's cell holds its centre, and its box holds it.
static void checkMember(const ctWorld *world, int index)
{
    const ctGas *gas = &world->gas;
    const ctBody *body = &world->bodies[index];
    const int *cell = gas->balls[index].cell;
    ctVec3 x = ctBody_StateAt(world, body, world->now).x;
    ctVec3 off = ctSub(ctScale(gas->inverse, x), ctV3(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5));
    ctRequire(ctMaxElement(ctAbs(off)) < 0.5 + 1e-9, "ball %d is not in its cell", index);
    ctVec3 room = ctMin(ctSub(x, body->box.lo), ctSub(body->box.hi, x));
    ctRequire(ctMinElement(room) >= body->radius, "ball %d is not in its box", index);
    ctRequire(ctBody_IsInGas(body) && body->contactPairs == 0, "ball %d does not fly", index);
    ctRequire(fmin(gas->balls[index].hit, gas->balls[index].cross) == ctAgenda_Time(&world->boxAgenda, index),
              "ball %d waits for something else", index);
}

// Of two members in neighbouring cells, one waits for a hit no later than their meeting; two others cannot meet before
// one of them leaves its cell.
static void checkMeeting(const ctWorld *world, int a, int b)
{
    const ctGasBall *ga = &world->gas.balls[a], *gb = &world->gas.balls[b];
    ctCentre ca = ctBody_CentreAt(&world->bodies[a], world->now), cb = ctBody_CentreAt(&world->bodies[b], world->now);
    double reach = world->bodies[a].radius + world->bodies[b].radius;
    double meeting = world->now + ctBallsTime(ctSub(ca.x, cb.x), ctSub(ca.v, cb.v), ctZero3(), reach, 1e3);
    bool neighbours = true;
    for (int i = 0; i < 3; i++) {
        neighbours = neighbours && abs(ga->cell[i] - gb->cell[i]) <= 1;
    }
    double first = neighbours ? fmin(ga->hit, gb->hit) : fmin(ga->cross, gb->cross);
    ctRequire(first <= meeting + 1e-9, "balls %d and %d meet at %.9f, and wait for %.9f", a, b, meeting, first);
}

static int checkCells(const ctWorld *world)
{
    int members = 0;
    for (int i = 0; i < world->bodySlots; i++) {
        if (!ctBody_IsInGas(&world->bodies[i])) {
            continue;
        }
        members++;
        checkMember(world, i);
        for (int k = 0; k < i; k++) {
            if (ctBody_IsInGas(&world->bodies[k])) {
                checkMeeting(world, i, k);
            }
        }
    }
    ck_assert_int_eq(members, world->gas.count);
    return members;
}

// Balls of several sizes among pegs, boxes and a paddle, while the program interferes.
START_TEST(every_meeting_of_balls_is_foreseen)
{
    enum { COUNT = 120 };
    ctRandom r = ctRandomSeed(23);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -2.0), 0.1, 0.98);
    ctWorld_SetAudit(world, true);
    ctBodyId ids[COUNT];
    for (int k = 0; k < 3; k++) {
        ctVec3 n = ctV3(k == 0, k == 1, k == 2);
        ctTestPlane(world, n, 0.0);
        ctTestPlane(world, ctNeg(n), -SIDE);
    }
    (void)ctTestBox(world, ct_motionFixed, ctV3(0.2, 0.1, 0.01), ctV3(0.5, 0.5, 0.5));
    (void)ctTestBox(world, ct_motionDynamic, ctV3(0.08, 0.06, 0.07), ctV3(0.75, 0.55, 0.95));
    ctBodyId paddle = ctTestBox(world, ct_motionKinematic, ctV3(0.15, 0.02, 0.02), ctV3(0.25, 0.55, 0.15));
    ck_assert(ctBody_SetVelocity(world, paddle, ctZero3(), ctV3(0, 0, 3.0), NULL));
    for (int i = 0; i < COUNT; i++) {
        ctVec3 corner = ctV3(i % 10 + 0.5, 2.0 * (i / 10 % 2) + 0.5, i / 20 + 0.5);
        double radius = i % 10 == 9 ? 0.04 : i % 3 == 0 ? 0.012 : 0.03;
        ids[i] = ctTestBall(world, radius, ctScale(0.1, corner), ctRandomVec3(&r, -2, 2));
    }
    int most = 0;
    for (int frame = 0; frame < ctTestCases(150); frame++) {
        ctTestRun(world, 1.0 / 60.0);
        int members = checkCells(world);
        most = members > most ? members : most;
        ctBodyId ball = ids[ctRandomInt(&r, 0, COUNT - 1)];
        if (frame % 20 == 5) {
            ck_assert(ctBody_SetVelocity(world, ball, ctRandomVec3(&r, -3, 3), ctZero3(), NULL));
        } else if (frame % 20 == 10 && ctBody_IsValid(world, ball)) {
            ctVec3 x = ctBody_GetCenter(world, ball);
            ck_assert(ctWorld_DestroyBody(world, ball, NULL));
            ids[0] = frame % 40 == 10 ? ctTestBall(world, 0.01, x, ctRandomVec3(&r, -2, 2)) : ids[0];
        } else if (frame % 100 == 55) {
            ck_assert(ctWorld_SetGravity(world, frame % 200 == 55 ? ctZero3() : ctV3(0, 0, -2.0), NULL));
        }
        for (int i = 0; i < COUNT && !ctBody_IsValid(world, ids[i]); i++) {
            ids[i] = ids[COUNT - 1 - i];
        }
        (void)checkCells(world);
    }
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_gt(most, COUNT / 2);
    ck_assert_int_gt((int)stats.impacts, ctTestCases(1000));
    ck_assert_int_eq((int)stats.auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// The slowest that there are, beside one that moves.
START_TEST(balls_that_hardly_move_stay_in_their_cells)
{
    const double speeds[] = {0.0, -0.0, 5e-324, -5e-324, 1e-300, -1e-300, 1e-200, -1e-200};
    enum { COUNT = sizeof speeds / sizeof speeds[0] };
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    for (int i = 0; i < COUNT; i++) {
        (void)ctTestBall(world, 0.04, ctV3(0.13 * i, 0.05, 0.0), ctV3(speeds[i], speeds[i], speeds[i]));
    }
    (void)ctTestBall(world, 0.04, ctV3(0.5, 0.5, 0.5), ctV3(0, 0, 1));
    for (int frame = 0; frame < 10; frame++) {
        ctTestRun(world, 1.0 / 60.0);
        ck_assert_int_eq(checkCells(world), COUNT + 1);
    }
    ck_assert_int_eq((int)ctWorld_GetStats(world).eventLimitHits, 0);
    ctWorld_Destroy(world);
}
END_TEST

// Small balls by the hundred in the cells of a few large ones, more than are looked at in one go.
START_TEST(crowds_in_a_cell_are_seen)
{
    ctRandom r = ctRandomSeed(29);
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    for (int k = 0; k < 3; k++) {
        ctVec3 n = ctV3(k == 0, k == 1, k == 2);
        ctTestPlane(world, n, 0.0);
        ctTestPlane(world, ctNeg(n), -0.5);
    }
    for (int i = 0; i < 2; i++) {
        (void)ctTestBall(world, 0.06, ctV3(0.1 + 0.3 * i, 0.4, 0.4), ctV3(0, -1, -1));
    }
    for (int i = 0; i < 343; i++) {
        ctVec3 x = ctV3(0.02 * (i % 7 + 1), 0.02 * (i / 7 % 7 + 1), 0.02 * (i / 49 + 1));
        (void)ctTestBall(world, 0.0078, x, ctScale(0.2, ctRandomVec3(&r, -1, 1)));
    }
    int most = 0;
    for (int i = 0; i < world->gas.places; i++) {
        int count = 0;
        for (int ball = world->gas.first[i]; ball >= 0; ball = world->gas.next[ball]) {
            count++;
        }
        most = count > most ? count : most;
    }
    ck_assert_int_gt(most, 128);
    double energy = ctWorld_GetStats(world).kineticEnergy;
    for (int frame = 0; frame < ctTestCases(30); frame++) {
        ctTestRun(world, 1.0 / 60.0);
        ck_assert_int_gt(checkCells(world), 300);
    }
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_gt((int)stats.impacts, ctTestCases(100));
    ck_assert_double_lt(stats.maxPenetration, 1e-12);
    ctAssertClose(stats.kineticEnergy, energy, 1e-12 * energy);
    ctWorld_Destroy(world);
}
END_TEST

// The sums of a ball's pairs, present and past, are its own.
START_TEST(sums_of_pairs_add_up)
{
    ctWorld *world = makeGas(ctZero3(), 0.0);
    ctTestRun(world, 2.0);
    for (int i = 0; i < 20; i++) {
        int64_t impacts = 0;
        for (int k = 0; k < ctWorld_GetStats(world).bodies; k++) {
            ctBodyId other = ctWorld_GetBody(world, k);
            impacts += ctWorld_GetPairTally(world, balls[i], other).impacts;
        }
        ck_assert_int_eq((int)impacts, (int)ctBody_GetTally(world, balls[i]).impacts);
    }
    ctWorld_Destroy(world);
}
END_TEST

static ctVec3 velocityAt(const ctWorld *world, ctBodyId id, ctVec3 point)
{
    ctVec3 arm = ctSub(point, ctBody_GetCenter(world, id));
    return ctAdd(ctBody_GetVelocity(world, id), ctCross(ctBody_GetSpin(world, id), arm));
}

// What an impact has done, against what is written down of it, and Newton's law.
static void checkImpact(void *context, const ctWorld *world, const ctImpact *i)
{
    int *seen = context;
    double e = 0.8;
    ctVec3 after = ctSub(velocityAt(world, i->body1, i->point), velocityAt(world, i->body2, i->point));
    ctVec3 change = ctSub(after, i->velocity);
    ctRequire(ctDistance(change, ctMulMV(i->k, i->impulse)) < 1e-12, "k");
    ctRequire(fabs(ctDot(after, i->normal) + e * ctDot(i->velocity, i->normal)) < 1e-12, "restitution");
    ctRequire(ctLength(ctCross(change, i->normal)) < 1e-12, "friction");
    double lost = -0.5 * ctDot(i->impulse, ctAdd(after, i->velocity));
    ctRequire(fabs(i->energyLost - lost) < 1e-12 && i->restitutionLoss == i->energyLost && i->frictionLoss == 0.0,
              "loss %g, not %g", i->energyLost, lost);
    ++*seen;
}

START_TEST(impacts_are_written_down)
{
    ctRandom r = ctRandomSeed(8);
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 0.8);
    ctBodyId ids[27];
    int seen = 0;
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 == 0 ? 1.0 : -1.0;
        ctTestPlane(world, ctV3(k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0, k / 2 == 2 ? sign : 0.0), -1);
    }
    for (int i = 0; i < 27; i++) {
        ctVec3 x = ctScale(0.6, ctV3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        ctVec3 v = ctRandomVec3(&r, -5, 5);
        ids[i] = ctTestBall(world, i % 2 == 0 ? 0.2 : 0.1, x, v);
        ck_assert(ctBody_SetVelocity(world, ids[i], v, ctRandomVec3(&r, -20, 20), NULL));
    }
    ctVec3 spin = ctBody_GetSpin(world, ids[4]);
    ctWorld_OnImpact(world, checkImpact, &seen);
    ctTestRun(world, 1.0);
    ck_assert_int_gt(seen, 100);
    ck_assert_int_eq(seen, (int)ctWorld_GetStats(world).impacts);
    ctAssertClose(ctDistance(ctBody_GetSpin(world, ids[4]), spin), 0.0, 0.0);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gas");
    TCase *gas = tcase_create("gas");
    tcase_add_test(gas, the_agenda_gives_the_earliest);
    tcase_add_test(gas, the_agenda_takes_many_at_one_moment);
    tcase_add_test(gas, the_agenda_gives_equals_by_rank);
    tcase_add_test(gas, the_agenda_grows);
    tcase_add_test(gas, a_gas_misses_nothing_and_keeps_its_energy);
    tcase_add_test(gas, a_loaded_gas_goes_on_exactly);
    tcase_add_test(gas, every_meeting_of_balls_is_foreseen);
    tcase_add_test(gas, balls_that_hardly_move_stay_in_their_cells);
    tcase_add_test(gas, crowds_in_a_cell_are_seen);
    tcase_add_test(gas, sums_of_pairs_add_up);
    tcase_add_test(gas, impacts_are_written_down);
    suite_add_tcase(suite, gas);
    return ctRunSuite(suite);
}
