// Steering: the program's turns inside steps, at exact times and at impacts; notes that travel with the world.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "scenes/scene.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <string.h>

typedef struct Log {
    double interval; // s between turns; 0: none asked for
    int64_t due;     // number of the next of them
    int turns, impacts, visits;
    double lastTime;
    bool atTimes; // every turn that was asked for came at its time
    ctBodyId body;
    double kick; // m/s upwards, at each of the times
    ctSteerFn *then;
} Log;

static bool steer(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    Log *log = context;
    double now = ctWorld_GetTime(world);
    log->turns++;
    log->impacts += turn->impactCount;
    log->visits += turn->sensorEventCount;
    for (int i = 0; i < turn->impactCount; i++) {
        ck_assert(turn->impacts[i].time >= log->lastTime && turn->impacts[i].time <= now);
        log->lastTime = turn->impacts[i].time;
    }
    while (log->interval > 0.0 && (double)log->due * log->interval <= now) {
        log->atTimes = log->atTimes && now == (double)log->due * log->interval;
        log->due++;
        if (log->kick != 0.0 && !ctBody_SetVelocity(world, log->body, ctV3(0, 0, log->kick), ctZero3(), error)) {
            return false;
        }
    }
    *next = log->interval > 0.0 ? (double)log->due * log->interval : *next;
    return log->then == NULL || log->then(context, world, turn, next, error);
}

// Turns that change nothing change nothing: the same state, bit for bit, and every impact is told once.
START_TEST(turns_alone_change_nothing)
{
    static const char *const demos[] = {"coins", "dominoes", "sorter", "gas", "tower", "rattleback"};
    for (size_t d = 0; d < sizeof demos / sizeof demos[0]; d++) {
        ctError error = {ct_ok, ""};
        ctScene *plain = ctScene_Load(demos[d], NULL, &error), *steered = ctScene_Load(demos[d], NULL, &error);
        ck_assert_msg(plain != NULL && steered != NULL, "%s", error.message);
        Log log = {.interval = 0.0071, .due = 1, .atTimes = true};
        ck_assert(ctWorld_SetSteering(steered->world, steer, &log, true, NULL));
        int impacts = 0;
        for (int i = 0; i < 90; i++) {
            const ctImpact *list;
            ck_assert(ctWorld_Step(plain->world, &error) && ctWorld_Step(steered->world, &error));
            ck_assert_msg(ctWorld_Hash(plain->world) == ctWorld_Hash(steered->world), "%s, frame %d", demos[d], i);
            impacts += ctWorld_GetImpacts(steered->world, &list);
        }
        ck_assert(log.atTimes);
        ck_assert_int_eq(log.due, (int)(1.5 / 0.0071) + 1);
        ck_assert_msg(log.impacts == impacts, "%s: %d impacts told, %d there", demos[d], log.impacts, impacts);
        ctScene_Destroy(plain);
        ctScene_Destroy(steered);
    }
}
END_TEST

// Two balls strike the floor at one moment, which is the end of a frame: both impacts belong to that frame, though the
// program has a turn after the first.
START_TEST(all_that_happens_at_the_end_of_a_frame_belongs_to_it)
{
    double end = 0.2;
    for (int way = 0; way < 3; way++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -10), 0.0, 0.5);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctTestBall(world, 0.1, ctV3(0, 0, 0.2), ctZero3());
        ctTestBall(world, 0.1, ctV3(3, 0, 0.2), ctZero3());
        ck_assert(ctWorld_SetFrameTime(world, end, NULL));
        Log log = {.interval = 0.0};
        ck_assert(way < 2 || ctWorld_SetSteering(world, steer, &log, true, NULL));
        ck_assert(ctWorld_Step(world, NULL));
        const ctImpact *list;
        ck_assert_int_eq(ctWorld_GetImpacts(world, &list), 2);
        ck_assert(way == 0 || (list[0].time == end && list[1].time == end));
        end = list[0].time; // of the next worlds
        ctWorld_Destroy(world);
    }
}
END_TEST

// A ball that is given 3 m/s upwards every 0.37 s: its height by closed form, at any frame rate.
START_TEST(changes_come_at_their_times)
{
    static const double rates[] = {30.0, 60.0, 77.0, 1000.0};
    for (int r = 0; r < 4; r++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -10), 0.0, 0.5);
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / rates[r], NULL));
        Log log = {.interval = 0.37, .due = 1, .atTimes = true, .kick = 3.0};
        log.body = ctTestBall(world, 0.1, ctV3(0, 0, 100), ctZero3());
        ck_assert(ctWorld_SetSteering(world, steer, &log, false, NULL));
        while (ctWorld_GetTime(world) < 2.0 - 1e-9) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        double t = ctWorld_GetTime(world), k = floor(t / 0.37), s = t - 0.37 * k;
        double z = 100.0 - 5.0 * 0.37 * 0.37 + (k - 1.0) * (3.0 * 0.37 - 5.0 * 0.37 * 0.37) + 3.0 * s - 5.0 * s * s;
        ctAssertClose(ctBody_GetCenter(world, log.body).z, z, 1e-12);
        ck_assert(log.atTimes);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Catches the ball: at its first impact with the floor it stops, which nothing but a turn at the impact can do.
static bool catch (void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    (void)next;
    Log *log = context;
    return turn->impactCount == 0 || ctBody_SetVelocity(world, log->body, ctV3(1, 0, 0), ctZero3(), error);
}

START_TEST(turns_come_at_impacts)
{
    for (int toImpact = 0; toImpact < 2; toImpact++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -10), 0.0, 0.5);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        Log log = {.then = catch};
        log.body = ctTestBall(world, 0.1, ctV3(0, 0, 0.55), ctZero3());
        ck_assert(ctWorld_SetSteering(world, steer, &log, true, NULL));
        for (int i = 0; i < 60; i++) {
            bool hit;
            ck_assert(toImpact ? ctWorld_StepToImpact(world, &hit, NULL) : ctWorld_Step(world, NULL));
        }
        ck_assert_int_eq(log.impacts, 1);
        ctAssertClose(ctBody_GetCenter(world, log.body).x, ctWorld_GetTime(world) - 0.3, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, log.body).z, 0.1, 1e-9);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A visit that a turn itself brings about is told in the next, also at the end of a step.
static bool teleport(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    (void)turn, (void)next;
    Log *log = context;
    ctTransform pose = {ctV3(5, 0, 0), {1, 0, 0, 0}};
    return log->due != 2 || log->visits > 0 || ctBody_SetTransform(world, log->body, pose, error);
}

START_TEST(visits_are_told)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 0.5);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(1, 1, 1), NULL);
    def.motion = ct_motionFixed;
    def.sensor = true;
    def.position = ctV3(5, 0, 0);
    ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    Log log = {.interval = 0.5, .due = 1, .then = teleport};
    log.body = ctTestBall(world, 0.1, ctZero3(), ctZero3());
    ck_assert(ctWorld_SetSteering(world, steer, &log, true, NULL));
    ctTestRun(world, 1.0);
    ck_assert_int_eq(log.visits, 1);
    ctWorld_Destroy(world);
}
END_TEST

static bool misuse(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    (void)turn, (void)error;
    bool hit;
    void *data;
    size_t size;
    ck_assert(!ctWorld_Step(world, NULL) && !ctWorld_StepToImpact(world, &hit, NULL));
    ck_assert(!ctWorld_SetSteering(world, NULL, NULL, false, NULL));
    ck_assert(ctWorld_Save(world, &data, &size, NULL) && !ctWorld_Restore(world, data, size, NULL));
    ctFreeSnapshot(data);
    *next = *(double *)context;
    return true;
}

static bool failing(void *context, ctWorld *world, const ctTurn *turn, double *next, ctError *error)
{
    (void)context, (void)world, (void)turn, (void)next, (void)error;
    return false;
}

// A turn may not step; its next time is ahead of it; its failure is the step's, and the world can go on without it.
START_TEST(misuse_is_refused)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -10), 0.0, 0.5);
    ctTestBall(world, 0.1, ctZero3(), ctZero3());
    double next = INFINITY;
    ctError error = {ct_ok, ""};
    ck_assert(ctWorld_SetSteering(world, misuse, &next, true, NULL));
    ck_assert(ctWorld_Step(world, NULL));
    static const double wrong[] = {0.0, -1.0, NAN};
    for (int i = 0; i < 3; i++) {
        next = wrong[i];
        ck_assert(!ctWorld_Step(world, &error) && strstr(error.message, "later") != NULL);
    }
    ck_assert(ctWorld_SetSteering(world, failing, NULL, true, NULL));
    ck_assert(!ctWorld_Step(world, &error) && error.status == ct_badArgument && error.message[0] != '\0');
    ck_assert(ctWorld_SetSteering(world, NULL, NULL, true, NULL));
    ck_assert(ctWorld_Step(world, NULL));
    ctWorld_Destroy(world);
}
END_TEST

// Notes go into snapshots and come back, and steering stays over a restore.
START_TEST(notes_travel_with_the_world)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -10), 0.0, 0.5);
    size_t size, length;
    void *data;
    ck_assert(ctWorld_GetNotes(world, &size) == NULL && size == 0);
    ck_assert(ctWorld_SetNotes(world, "three\0four", 10, NULL));
    ck_assert(ctWorld_Save(world, &data, &length, NULL));
    ck_assert(!ctWorld_SetNotes(world, NULL, 3, NULL) && !ctWorld_SetNotes(world, data, (size_t)1 << 30, NULL));
    ck_assert(memcmp(ctWorld_GetNotes(world, &size), "three\0four", 10) == 0 && size == 10);
    Log log = {.interval = 0.0};
    ck_assert(ctWorld_SetSteering(world, steer, &log, true, NULL));
    ck_assert(ctWorld_SetNotes(world, NULL, 0, NULL) && ctWorld_GetNotes(world, NULL) == NULL);
    ck_assert(ctWorld_Restore(world, data, length, NULL));
    ck_assert(memcmp(ctWorld_GetNotes(world, &size), "three\0four", 10) == 0 && size == 10);
    ck_assert(ctWorld_Step(world, NULL) && log.turns > 0);
    ctWorld *loaded = ctWorld_Load(data, length, NULL);
    ck_assert(loaded != NULL && memcmp(ctWorld_GetNotes(loaded, &size), "three\0four", 10) == 0 && size == 10);
    ctFreeSnapshot(data);
    ctWorld_Destroy(loaded);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("steering");
    TCase *tc = tcase_create("steering");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, turns_alone_change_nothing);
    tcase_add_test(tc, all_that_happens_at_the_end_of_a_frame_belongs_to_it);
    tcase_add_test(tc, changes_come_at_their_times);
    tcase_add_test(tc, turns_come_at_impacts);
    tcase_add_test(tc, visits_are_told);
    tcase_add_test(tc, misuse_is_refused);
    tcase_add_test(tc, notes_travel_with_the_world);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
