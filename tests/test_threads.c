// Worlds that several threads step: the same bits as with one, whoever's threads they are.
#include "collision/memory.h"
#include "collision/vec3.h"
#include "engine/core/tasks.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- lots of work -----------------------------------------------------------------------------

enum { ITEMS = 1000 };

typedef struct Lot {
    atomic_int done[ITEMS];
    atomic_bool busy[CT_MAX_THREADS]; // by worker
    atomic_bool twice;                // two threads were the same worker at the same time
    int threads;
} Lot;

static void countItem(void *context, int item, int worker)
{
    Lot *lot = context;
    if (worker < 0 || worker >= lot->threads || atomic_exchange(&lot->busy[worker], true)) {
        atomic_store(&lot->twice, true);
    }
    atomic_fetch_add(&lot->done[item], 1);
    atomic_store(&lot->busy[worker], false);
}

START_TEST(every_item_is_done_once)
{
    for (int threads = 1; threads <= 8; threads++) {
        ctTasks *tasks = ctTasks_Create(threads, NULL);
        ck_assert_ptr_nonnull(tasks);
        ck_assert_int_eq(ctTasks_Threads(tasks), threads);
        Lot *lot = calloc(1, sizeof *lot);
        lot->threads = threads;
        int sum = 0;
        for (int round = 0; round < 50; round++) {
            int count = round * 20;
            ctTasks_Run(tasks, countItem, lot, count);
            sum += count;
            for (int i = 0; i < ITEMS; i++) {
                int lots = i < count ? 1 : 0;
                ctRequire(atomic_exchange(&lot->done[i], 0) == lots, "%d threads, item %d of %d", threads, i, count);
            }
        }
        ck_assert_int_gt(sum, 0);
        ck_assert(!atomic_load(&lot->twice));
        free(lot);
        ctTasks_Destroy(tasks);
    }
}
END_TEST

// How often the threads of the process, without the calling one, have gone to sleep.
static long sleepsOfOthers(void)
{
    DIR *tasks = opendir("/proc/self/task");
    ck_assert_ptr_nonnull(tasks);
    long sum = 0;
    for (const struct dirent *e; (e = readdir(tasks)) != NULL;) {
        char path[300], line[200];
        snprintf(path, sizeof path, "/proc/self/task/%s/status", e->d_name);
        FILE *status = e->d_name[0] != '.' && atoi(e->d_name) != getpid() ? fopen(path, "r") : NULL;
        long count;
        while (status != NULL && fgets(line, sizeof line, status) != NULL) {
            sum += sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1 ? count : 0;
        }
        if (status != NULL) {
            fclose(status);
        }
    }
    closedir(tasks);
    return sum;
}

static int threadsOfProcess(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    int threads = 0;
    for (char line[200]; fgets(line, sizeof line, status) != NULL;) {
        sscanf(line, "Threads: %d", &threads);
    }
    fclose(status);
    return threads;
}

START_TEST(no_more_threads_wake_than_there_are_items)
{
    enum { LOTS = 40 };
    const struct timespec pause = {0, 5000000}; // longer than a worker polls
    int none = threadsOfProcess();
    ctTasks *tasks = ctTasks_Create(8, NULL);
    Lot *lot = calloc(1, sizeof *lot);
    lot->threads = 8;
    ctTasks_Run(tasks, countItem, lot, 1);
    ck_assert_int_eq(threadsOfProcess(), none);
    ctTasks_Run(tasks, countItem, lot, 2);
    int two = threadsOfProcess();
    ck_assert_int_gt(two, none);
    ck_assert_int_le(two, none + 2); // the thread sanitizer has one of its own since the first was started
    ctTasks_Run(tasks, countItem, lot, ITEMS);
    ck_assert_int_eq(threadsOfProcess(), two + 6);
    nanosleep(&(struct timespec){0, 200000000}, NULL);
    long before = sleepsOfOthers();
    for (int i = 0; i < LOTS; i++) {
        ctTasks_Run(tasks, countItem, lot, 2);
        nanosleep(&pause, NULL);
    }
    // one worker of seven each time; a worker that is woken may wait for the mutex
    ck_assert_int_le(sleepsOfOthers() - before, 3 * LOTS);
    ctTasks_Destroy(tasks);
    free(lot);
}
END_TEST

START_TEST(zero_stands_for_all_cores)
{
    int all = ctTasks_Resolve(0);
    ck_assert_int_ge(all, 1);
    ck_assert_int_le(all, CT_MAX_THREADS);
    ck_assert_int_eq(ctTasks_Resolve(3), 3);
    ctTasks_Destroy(NULL);
}
END_TEST

// ---- worlds -----------------------------------------------------------------------------------

// Rows of dominoes that fall, stacks that land and sway, and solids of all kinds that fall, roll and slide; some on a
// table that moves, some over the seams between boxes. Rows and stacks are of different lengths, so that islands take
// different times.
static ctWorld *makeWorld(uint64_t seed)
{
    ctWorld *world = ctTestWorld(ctV3(0.0, 0.0, -9.81), 0.4, 0.2);
    ctTestPlane(world, ctV3(0.0, 0.0, 1.0), 0.0);
    ctRandom r = ctRandomSeed(seed);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.008, 0.024, 0.048), NULL);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 5 + i; k++) {
            def.position = ctV3(0.024 * k, 0.08 * i, 0.024);
            def.velocity = ctV3(k == 0 ? 0.1 : 0.0, 0.0, 0.0);
            def.spin = ctV3(0.0, k == 0 ? 4.0 : 0.0, 0.0);
            ctWorld_CreateBody(world, &def, NULL);
        }
    }
    def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 4 + i % 2; k++) {
            def.position = ctV3(-0.3 * i - 0.5, ctRandomUniform(&r, -0.01, 0.01), 0.05 + 0.101 * k);
            ctWorld_CreateBody(world, &def, NULL);
        }
    }
    // A floor of boxes: what rolls and slides over its seams asks for the next box.
    for (int i = 0; i < 6; i++) {
        ctTestBox(world, ct_motionFixed, ctV3(0.3, 1.0, 0.1), ctV3(0.3 * i, -4.0, -0.04));
    }
    for (int i = 0; i < 6; i++) {
        ctTestBall(world, 0.04, ctV3(0.04 * i, -4.4 + 0.12 * i, 0.05), ctV3(0.8, 0.0, 0.0));
        ctBodyId box =
            ctTestBox(world, ct_motionDynamic, ctV3(0.06, 0.06, 0.04), ctV3(0.05 * i, -3.6 + 0.08 * i, 0.03));
        ck_assert(ctBody_SetVelocity(world, box, ctV3(1.0, 0.0, 0.0), ctZero3(), NULL));
    }
    ctBodyId table = ctTestBox(world, ct_motionKinematic, ctV3(1.0, 1.0, 0.1), ctV3(0.0, -2.0, 0.05));
    ck_assert(ctBody_SetVelocity(world, table, ctV3(0.2, 0.0, 0.0), ctZero3(), NULL));
    def = ctDefaultBodyDef();
    for (int i = 0; i < 21; i++) {
        def.shape = ctTestSolid(world, i % 7);
        def.position = i < 7 ? ctV3(-0.4 + 0.4 * (i % 3), -2.3 + 0.3 * (i / 3), 0.35)
                             : ctV3(0.35 * (i % 5), 1.5 + 0.35 * (i / 5), 0.3);
        def.orientation = ctRandomQuat(&r);
        def.velocity = ctRandomVec3(&r, -0.3, 0.3);
        def.spin = ctRandomVec3(&r, -2.0, 2.0);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

enum { COUPLES = 16 };

// Slabs and blocks that slide on a plane, and beside every other block three more in a row. The plane is the first
// body.
static ctWorld *makeCouples(void)
{
    ctWorld *world = ctTestWorld(ctV3(0.0, 0.0, -9.81), 0.1, 0.0);
    ctTestPlane(world, ctV3(0.0, 0.0, 1.0), 0.0);
    for (int i = 0; i < COUPLES; i++) {
        ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.02), ctV3(0.0, 2.0 * i, 0.01));
        ctTestBox(world, ct_motionDynamic, ctV3(0.06, 0.06, 0.04), ctV3(0.0, 2.0 * i + 1.0, 0.02));
    }
    for (int i = 0; i < 3 * COUPLES / 2; i++) {
        ctTestBox(world, ct_motionDynamic, ctV3(0.06, 0.06, 0.04), ctV3(0.06 * (1 + i % 3), 4.0 * (i / 3) + 1.0, 0.02));
    }
    return world;
}

// Puts each block on its slab, or beside it and out of its reach; the rows move on with the slabs. Rows of four slide
// in steps, which leave them 1e-8 m from where a single body is: a block is put down that near to its row.
static void putBlocks(ctWorld *world, bool on)
{
    for (int i = 0; i < COUPLES; i++) {
        ctBodyId slab = ctWorld_GetBody(world, 1 + 2 * i), block = ctWorld_GetBody(world, 2 + 2 * i);
        ctTransform there = ctBody_GetTransform(world, slab);
        there.p = ctAdd(there.p, on ? ctV3(0.0, 0.0, 0.03) : ctV3(-1e-7, 1.0, 0.01));
        ck_assert(ctBody_SetTransform(world, block, there, NULL));
        ck_assert(ctBody_SetVelocity(world, slab, ctV3(1.0, 0.0, 0.0), ctZero3(), NULL));
        ck_assert(ctBody_SetVelocity(world, block, ctV3(on ? 1.2 : 1.0, 0.0, 0.0), ctZero3(), NULL));
    }
    for (int i = 1 + 2 * COUPLES; i < ctWorld_GetBodyCount(world); i++) {
        ck_assert(ctBody_SetVelocity(world, ctWorld_GetBody(world, i), ctV3(1.0, 0.0, 0.0), ctZero3(), NULL));
    }
}

// Three layers of boxes that burst apart, wide enough for several slabs, on a floor and a table that moves; solids of
// all kinds fall on them.
static ctWorld *makePile(uint64_t seed)
{
    ctWorld *world = ctTestWorld(ctV3(0.0, 0.0, -9.81), 0.5, 0.1);
    ctTestPlane(world, ctV3(0.0, 0.0, 1.0), 0.0);
    ctBodyId table = ctTestBox(world, ct_motionKinematic, ctV3(0.6, 0.6, 0.1), ctV3(0.3, 0.0, 0.0));
    ck_assert(ctBody_SetVelocity(world, table, ctV3(0.1, 0.0, 0.0), ctZero3(), NULL));
    ctRandom r = ctRandomSeed(seed);
    ctBodyDef def = ctDefaultBodyDef();
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL), solids[7];
    for (int i = 0; i < 7; i++) {
        solids[i] = ctTestSolid(world, i);
    }
    for (int i = 0; i < 162; i++) {
        bool top = i >= 144;
        double shift = 0.05 * (i / 48);
        def.shape = top ? solids[i % 7] : box;
        def.position = top ? ctV3(0.25 * (i % 9) - 1.1, 0.2 * (i / 9 % 2), 0.55)
                           : ctV3(0.103 * (i % 16) - 0.8 + shift, 0.103 * (i / 16 % 3), 0.11 + 0.101 * (i / 48));
        def.orientation = top ? ctRandomQuat(&r) : ctQuatIdentity();
        def.velocity = ctV3(ctRandomUniform(&r, -0.5, 0.5), ctRandomUniform(&r, -0.5, 0.5), top ? -2.0 : -1.0);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

typedef struct Result {
    uint64_t hash;
    ctStats stats;
    size_t size;
    void *snapshot;
} Result;

static Result resultOf(ctWorld *world)
{
    Result result = {.hash = ctWorld_Hash(world), .stats = ctWorld_GetStats(world)};
    ck_assert(ctWorld_Save(world, &result.snapshot, &result.size, NULL));
    return result;
}

static bool isSame(const Result *a, const Result *b)
{
    return a->hash == b->hash && memcmp(&a->stats, &b->stats, sizeof a->stats) == 0 && a->size == b->size &&
           memcmp(a->snapshot, b->snapshot, a->size) == 0;
}

// Everything takes fifteen times as long under ThreadSanitizer.
static int frames(int usual)
{
    const char *config = getenv("CT_TEST_CONFIG");
    return config != NULL && strcmp(config, "tsan") == 0 ? (usual + 2) / 3 : usual;
}

static void runFrames(ctWorld *world, int usual)
{
    for (int i = frames(usual); i > 0; i--) {
        ck_assert(ctWorld_Step(world, NULL));
    }
}

static Result runWorld(ctWorld *world, int threads, const ctTaskHost *host, int count)
{
    ck_assert(ctWorld_SetThreads(world, threads, host, NULL));
    ctWorld_SetAudit(world, true);
    runFrames(world, count);
    Result result = resultOf(world);
    ctWorld_Destroy(world);
    return result;
}

static Result run(uint64_t seed, int threads, const ctTaskHost *host, int count)
{
    return runWorld(makeWorld(seed), threads, host, count);
}

START_TEST(any_number_of_threads_gives_the_same_bits)
{
    uint64_t seed = (uint64_t)_i + 1;
    Result one = run(seed, 1, NULL, 42);
    const int counts[] = {2, 3, 8};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        Result more = run(seed, counts[i], NULL, 42);
        ctRequire(isSame(&one, &more), "seed %d, %d threads", _i + 1, counts[i]);
        ctFreeSnapshot(more.snapshot);
    }
    ctFreeSnapshot(one.snapshot);
}
END_TEST

// Two bodies follow one course, which is in the memory of the first. Then the program parts them, and both begin a
// course of their own at the same time, on different threads.
START_TEST(bodies_that_have_parted_share_nothing)
{
    Result results[2];
    for (int more = 0; more < 2; more++) {
        ctWorld *world = makeCouples();
        ck_assert(ctWorld_SetThreads(world, more ? 3 : 1, NULL, NULL));
        for (int i = 0; i < 20; i++) {
            putBlocks(world, i % 2 == 1);
            ck_assert(ctWorld_Step(world, NULL) && ctWorld_Step(world, NULL));
        }
        results[more] = resultOf(world);
        ctWorld_Destroy(world);
    }
    ck_assert(isSame(&results[0], &results[1]));
    ctFreeSnapshot(results[0].snapshot);
    ctFreeSnapshot(results[1].snapshot);
}
END_TEST

// Numbers of an impact; there may be gaps between its other fields.
static bool isSameImpact(const ctImpact *a, const ctImpact *b)
{
    size_t from = offsetof(ctImpact, point), size = offsetof(ctImpact, pair) - from;
    return a->time == b->time && a->body1.index1 == b->body1.index1 && a->body2.index1 == b->body2.index1 &&
           memcmp((const char *)a + from, (const char *)b + from, size) == 0;
}

static bool haveSameLists(const ctWorld *a, const ctWorld *b)
{
    const ctImpact *hits[2];
    const ctContact *points[2];
    const ctTouchPair *pairs[2];
    int hitCount = ctWorld_GetImpacts(a, &hits[0]), pointCount = ctWorld_GetContacts(a, &points[0]);
    int pairCount = ctWorld_GetContactBegins(a, &pairs[0]);
    bool same = ctWorld_GetImpacts(b, &hits[1]) == hitCount && ctWorld_GetContacts(b, &points[1]) == pointCount &&
                ctWorld_GetContactBegins(b, &pairs[1]) == pairCount;
    for (int i = 0; i < hitCount && same; i++) {
        same = isSameImpact(&hits[0][i], &hits[1][i]);
    }
    same = same && (pointCount == 0 || memcmp(points[0], points[1], (size_t)pointCount * sizeof(ctContact)) == 0);
    return same && (pairCount == 0 || memcmp(pairs[0], pairs[1], (size_t)pairCount * sizeof(ctTouchPair)) == 0);
}

// Not only the end is the same: so are the impacts, contacts and snapshots of every frame, and their order.
START_TEST(every_frame_has_the_same_lists)
{
    ctWorld *one = makeWorld(4), *more = makeWorld(4);
    ck_assert(ctWorld_SetThreads(more, 3, NULL, NULL));
    int64_t impacts = 0;
    for (int i = 0; i < frames(36); i++) {
        ck_assert(ctWorld_Step(one, NULL) && ctWorld_Step(more, NULL));
        ctRequire(haveSameLists(one, more), "frame %d", i);
        impacts += ctWorld_GetImpacts(one, NULL);
        Result a = resultOf(one), b = resultOf(more);
        ctRequire(isSame(&a, &b), "frame %d", i);
        ctFreeSnapshot(a.snapshot);
        ctFreeSnapshot(b.snapshot);
    }
    ck_assert_int_gt(impacts, 10);
    ctWorld_Destroy(one);
    ctWorld_Destroy(more);
}
END_TEST

START_TEST(threads_may_change_between_frames)
{
    Result one = run(7, 1, NULL, 42);
    ctWorld *world = makeWorld(7);
    ctWorld_SetAudit(world, true);
    for (int i = 0; i < frames(42); i++) {
        ck_assert(ctWorld_SetThreads(world, 1 + i / 5 % 4, NULL, NULL));
        ck_assert(ctWorld_Step(world, NULL));
    }
    Result other = resultOf(world);
    ck_assert(isSame(&one, &other));
    ctWorld_Destroy(world);
    ctFreeSnapshot(other.snapshot);
    ctFreeSnapshot(one.snapshot);
}
END_TEST

START_TEST(a_restored_world_keeps_its_threads)
{
    ctWorld *world = makeWorld(3);
    ck_assert(ctWorld_SetThreads(world, 3, NULL, NULL));
    runFrames(world, 24);
    Result half = resultOf(world);
    runFrames(world, 24);
    uint64_t hash = ctWorld_Hash(world);
    ck_assert(ctWorld_Restore(world, half.snapshot, half.size, NULL));
    ck_assert_int_eq(ctWorld_GetSettings(world).threads, 3);
    runFrames(world, 24);
    ck_assert(ctWorld_Hash(world) == hash);
    ctWorld *loaded = ctWorld_Load(half.snapshot, half.size, NULL);
    ck_assert_int_eq(ctWorld_GetSettings(loaded).threads, 1);
    runFrames(loaded, 24);
    ck_assert(ctWorld_Hash(loaded) == hash);
    ctWorld_Destroy(loaded);
    ctWorld_Destroy(world);
    ctFreeSnapshot(half.snapshot);
}
END_TEST

// ---- a program's own scheduler ----------------------------------------------------------------

typedef enum When { atOnce, atTheEnd, onAThread } When;

typedef struct Host {
    When when;
    int enqueued, finished;
} Host;

typedef struct Handle {
    Host *host;
    ctTask *task;
    void *taskContext;
    pthread_t thread;
} Handle;

static void *runTask(void *context)
{
    Handle *handle = context;
    handle->task(handle->taskContext);
    return NULL;
}

static void *enqueue(void *context, ctTask *task, void *taskContext)
{
    Host *host = context;
    Handle *handle = malloc(sizeof *handle);
    *handle = (Handle){.host = host, .task = task, .taskContext = taskContext};
    host->enqueued++;
    if (host->when == atOnce) {
        runTask(handle);
    } else if (host->when == onAThread) {
        ck_assert_int_eq(pthread_create(&handle->thread, NULL, runTask, handle), 0);
    }
    return handle;
}

static void finish(void *context, void *word)
{
    Handle *handle = word;
    Host *host = context;
    ck_assert_ptr_eq(handle->host, host);
    host->finished++;
    if (host->when == atTheEnd) {
        runTask(handle);
    } else if (host->when == onAThread) {
        pthread_join(handle->thread, NULL);
    }
    free(handle);
}

START_TEST(a_scheduler_of_the_program_gives_the_same_bits)
{
    Host host = {.when = (When)_i};
    const ctTaskHost tasks = {enqueue, finish, &host};
    Result one = run(5, 1, NULL, 24), more = run(5, 4, &tasks, 24);
    ck_assert(isSame(&one, &more));
    ck_assert_int_gt(host.enqueued, 20); // several islands have been stepped at once
    ck_assert_int_eq(host.finished, host.enqueued);
    ctFreeSnapshot(one.snapshot);
    ctFreeSnapshot(more.snapshot);
}
END_TEST

// Boxes that lie apart, and one layer of boxes on others: their islands have never taken a step.
static ctWorld *makeLying(void)
{
    ctWorld *world = ctTestWorld(ctV3(0.0, 0.0, -9.81), 0.5, 0.1);
    ctTestPlane(world, ctV3(0.0, 0.0, 1.0), 0.0);
    for (int i = 0; i < 40; i++) {
        ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0.5 * (i % 8), 0.5 * (i / 8), 0.05));
        if (i % 3 == 0) {
            ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0.5 * (i % 8), 0.5 * (i / 8), 0.15));
        }
    }
    return world;
}

START_TEST(the_first_frame_has_the_same_bits_and_is_shared)
{
    Host host = {.when = atOnce};
    const ctTaskHost tasks = {enqueue, finish, &host};
    Result one = runWorld(makeLying(), 1, NULL, 1), more = runWorld(makeLying(), 3, &tasks, 1);
    ck_assert(isSame(&one, &more));
    ck_assert_int_gt(host.enqueued, 0);
    ctFreeSnapshot(one.snapshot);
    ctFreeSnapshot(more.snapshot);
}
END_TEST

// In a pile, colours, slabs and parts are handed out many times in a step.
START_TEST(a_pile_has_the_same_bits_for_any_number_of_threads)
{
    uint64_t seed = (uint64_t)_i + 1;
    Host host = {.when = atOnce};
    const ctTaskHost tasks = {enqueue, finish, &host};
    Result one = runWorld(makePile(seed), 1, NULL, 15), hosted = runWorld(makePile(seed), 4, &tasks, 15);
    ck_assert(isSame(&one, &hosted));
    ck_assert_int_gt(host.enqueued, 300);
    ctFreeSnapshot(hosted.snapshot);
    for (int threads = 2; threads <= 3; threads++) {
        Result more = runWorld(makePile(seed), threads, NULL, 15);
        ctRequire(isSame(&one, &more), "seed %d, %d threads", _i + 1, threads);
        ctFreeSnapshot(more.snapshot);
    }
    ctFreeSnapshot(one.snapshot);
}
END_TEST

// Allocations that are left before memory is short; less than 0: any number.
static int left = -1;

static void *scarce(void *memory, size_t size, void *context)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    if (left == 0) {
        return NULL;
    }
    left -= left > 0;
    return realloc(memory, size);
}

// The tasks run on the thread of the test: the allocator is for one.
static int failWith(ctWorld *world, const ctTaskHost *tasks, int n, int before)
{
    int failed = 0;
    ck_assert(ctWorld_SetThreads(world, 3, tasks, NULL));
    for (int i = 0; i < before; i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    left = n;
    ctError error = {0};
    for (int i = 0; i < 8 && error.status == ct_ok; i++) {
        failed += !ctWorld_Step(world, &error);
    }
    ck_assert(error.status == ct_ok || error.status == ct_outOfMemory);
    ctWorld_Destroy(world);
    return failed;
}

START_TEST(memory_that_runs_short_is_an_error)
{
    Host host = {.when = atOnce};
    const ctTaskHost tasks = {enqueue, finish, &host};
    int failed = 0, piles = 0;
    for (int n = 0; n < 60; n += 3) {
        left = -1;
        ctSetAllocator(scarce, NULL);
        failed += failWith(makeWorld(2), &tasks, n, 4);
        left = -1;
        piles += n < 15 && failWith(makePile(2), &tasks, 4 * n, 5) > 0;
        ctSetAllocator(NULL, NULL);
    }
    ck_assert_int_gt(failed, 5);
    ck_assert_int_gt(piles, 1);
}
END_TEST

static void expectError(const ctWorldDef *def, const char *message)
{
    ctError error = {0};
    ck_assert_ptr_null(ctWorld_Create(def, &error));
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert_str_eq(error.message, message);
    ctWorld *world = ctTestWorld(ctV3(0.0, 0.0, -9.81), 0.4, 0.2);
    error = (ctError){0};
    ck_assert(!ctWorld_SetThreads(world, def->threads, &def->tasks, &error));
    ck_assert_str_eq(error.message, message);
    ck_assert_int_eq(ctWorld_GetSettings(world).threads, 1);
    ctWorld_Destroy(world);
}

START_TEST(bad_numbers_and_half_schedulers_are_refused)
{
    ctWorldDef def = ctDefaultWorldDef();
    def.threads = -1;
    expectError(&def, "threads must be from 0 (all cores) to 64, not -1");
    def.threads = 65;
    expectError(&def, "threads must be from 0 (all cores) to 64, not 65");
    def.threads = 2;
    def.tasks.enqueue = enqueue;
    expectError(&def, "tasks must have both functions, enqueue and finish, or none");
    def.tasks = (ctTaskHost){.finish = finish};
    expectError(&def, "tasks must have both functions, enqueue and finish, or none");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, every_item_is_done_once);
    tcase_add_test(tc, no_more_threads_wake_than_there_are_items);
    tcase_add_test(tc, zero_stands_for_all_cores);
    tcase_add_loop_test(tc, any_number_of_threads_gives_the_same_bits, 0, 2);
    tcase_add_test(tc, bodies_that_have_parted_share_nothing);
    tcase_add_test(tc, every_frame_has_the_same_lists);
    tcase_add_test(tc, threads_may_change_between_frames);
    tcase_add_test(tc, a_restored_world_keeps_its_threads);
    tcase_add_loop_test(tc, a_scheduler_of_the_program_gives_the_same_bits, atOnce, onAThread + 1);
    tcase_add_test(tc, the_first_frame_has_the_same_bits_and_is_shared);
    tcase_add_loop_test(tc, a_pile_has_the_same_bits_for_any_number_of_threads, 0, 2);
    tcase_add_test(tc, memory_that_runs_short_is_an_error);
    tcase_add_test(tc, bad_numbers_and_half_schedulers_are_refused);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
