#include "engine/core/tasks.h"

#include "collision/memory.h"

#include <stdatomic.h>

#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define NO_THREADS // in a browser
#else
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

typedef struct Worker {
    ctTasks *tasks;
    int number;
#if !defined(NO_THREADS)
    pthread_t thread;
#endif
} Worker;

struct ctTasks {
    int threads;
    ctTaskHost host; // with functions: the program's threads are used instead of the pool's
    ctTaskFn *fn;
    void *context;
    int count;
    atomic_int next; // index of the next item
    Worker workers[CT_MAX_THREADS];
#if !defined(NO_THREADS)
    int started;       // threads that run, with the caller
    atomic_uint batch; // number of the last batch
    atomic_uint gate;  // OPEN: workers may join the batch; plus ONE for each worker that is in it
    atomic_int asleep;
    atomic_bool quit;
    pthread_mutex_t mutex; // guards the falling asleep of workers
    pthread_cond_t wake;
#endif
};

// Computes items until none is left.
static void drain(ctTasks *tasks, int worker)
{
    for (;;) {
        int item = atomic_fetch_add_explicit(&tasks->next, 1, memory_order_relaxed);
        if (item >= tasks->count) {
            return;
        }
        tasks->fn(tasks->context, item, worker);
    }
}

static void hostTask(void *context)
{
    Worker *worker = context;
    drain(worker->tasks, worker->number);
}

static void runOnHost(ctTasks *tasks, int helpers)
{
    void *handles[CT_MAX_THREADS];
    for (int i = 1; i <= helpers; i++) {
        handles[i] = tasks->host.enqueue(tasks->host.context, hostTask, &tasks->workers[i]);
    }
    drain(tasks, 0);
    for (int i = 1; i <= helpers; i++) {
        tasks->host.finish(tasks->host.context, handles[i]);
    }
}

#if !defined(NO_THREADS)

enum { OPEN = 1, ONE = 2 };
// A pile hands out a hundred small batches in a row. Sleeping and waking would take longer than most of them, so a
// worker without work polls for the next batch for about fifty microseconds before it sleeps.
enum { LOOKS = 2000 };

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static bool isNew(ctTasks *tasks, unsigned seen)
{
    return atomic_load(&tasks->batch) != seen || atomic_load(&tasks->quit);
}

static void waitForLot(ctTasks *tasks, unsigned seen)
{
    for (int i = 0; i < LOOKS; i++) {
        if (isNew(tasks, seen)) {
            return;
        }
        relax();
    }
    // The caller publishes the batch before it reads who sleeps, and a worker says that it sleeps before it reads the
    // batch: at least one of the two sees the other.
    pthread_mutex_lock(&tasks->mutex);
    atomic_fetch_add(&tasks->asleep, 1);
    while (!isNew(tasks, seen)) {
        pthread_cond_wait(&tasks->wake, &tasks->mutex);
    }
    atomic_fetch_sub(&tasks->asleep, 1);
    pthread_mutex_unlock(&tasks->mutex);
}

// Joins the batch, unless it is known to be done. True: the worker is counted in the gate.
static bool enter(ctTasks *tasks)
{
    unsigned gate = atomic_load(&tasks->gate);
    while ((gate & OPEN) != 0) {
        if (atomic_compare_exchange_weak(&tasks->gate, &gate, gate + ONE)) {
            return true;
        }
    }
    return false;
}

static void *work(void *context)
{
    Worker *worker = context;
    ctTasks *tasks = worker->tasks;
    unsigned seen = 0;
    while (!atomic_load(&tasks->quit)) {
        waitForLot(tasks, seen);
        seen = atomic_load(&tasks->batch);
        if (enter(tasks)) {
            drain(tasks, worker->number);
            atomic_fetch_sub(&tasks->gate, ONE);
        }
    }
    return NULL;
}

// Wakes workers so that `wanted` of them come, with those that poll already.
static void wakeSome(ctTasks *tasks, int wanted)
{
    int asleep = atomic_load(&tasks->asleep), polling = tasks->started - 1 - asleep;
    if (asleep == 0 || polling >= wanted) {
        return;
    }
    pthread_mutex_lock(&tasks->mutex);
    for (int i = polling; i < wanted; i++) {
        pthread_cond_signal(&tasks->wake);
    }
    pthread_mutex_unlock(&tasks->mutex);
}

static void startWorkers(ctTasks *tasks, int wanted)
{
    while (tasks->started <= wanted) {
        Worker *next = &tasks->workers[tasks->started];
        if (pthread_create(&next->thread, NULL, work, next) != 0) {
            tasks->threads = tasks->started;
            return;
        }
        tasks->started++;
    }
}

static void runOnThreads(ctTasks *tasks, int helpers)
{
    startWorkers(tasks, helpers);
    atomic_store(&tasks->gate, OPEN);
    atomic_fetch_add(&tasks->batch, 1);
    wakeSome(tasks, helpers);
    drain(tasks, 0);
    // workers that come later find the gate closed
    unsigned gate = atomic_fetch_and(&tasks->gate, ~(unsigned)OPEN) & ~(unsigned)OPEN;
    for (int i = 0; gate != 0; i++) {
        if (i < LOOKS) {
            relax();
        } else {
            sched_yield(); // a worker has lost its core
        }
        gate = atomic_load(&tasks->gate);
    }
}

static void beginThreads(ctTasks *tasks)
{
    tasks->started = 1;
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    atomic_init(&tasks->batch, 0);
    atomic_init(&tasks->gate, 0);
    atomic_init(&tasks->asleep, 0);
    atomic_init(&tasks->quit, false);
}

static void stopThreads(ctTasks *tasks)
{
    atomic_store(&tasks->quit, true);
    pthread_mutex_lock(&tasks->mutex);
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    for (int i = 1; i < tasks->started; i++) {
        pthread_join(tasks->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
}

static int coreCount(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > CT_MAX_THREADS ? CT_MAX_THREADS : (int)cores;
}

#else

static void runOnThreads(ctTasks *tasks, int helpers)
{
    (void)helpers;
    drain(tasks, 0);
}

static void beginThreads(ctTasks *tasks)
{
    tasks->threads = 1;
}

static void stopThreads(ctTasks *tasks)
{
    (void)tasks;
}

static int coreCount(void)
{
    return 1;
}

#endif

int ctTasks_Resolve(int threads)
{
    threads = threads > 0 ? threads : coreCount();
    return threads > CT_MAX_THREADS ? CT_MAX_THREADS : threads;
}

ctTasks *ctTasks_Create(int threads, const ctTaskHost *host)
{
    ctTasks *tasks = ctAllocate(1, sizeof *tasks);
    if (tasks == NULL) {
        return NULL;
    }
    tasks->threads = ctTasks_Resolve(threads);
    atomic_init(&tasks->next, 0);
    for (int i = 0; i < CT_MAX_THREADS; i++) {
        tasks->workers[i].tasks = tasks;
        tasks->workers[i].number = i;
    }
    if (host != NULL && host->enqueue != NULL) {
        tasks->host = *host;
    } else {
        beginThreads(tasks);
    }
    return tasks;
}

void ctTasks_Destroy(ctTasks *tasks)
{
    if (tasks == NULL) {
        return;
    }
    if (tasks->host.enqueue == NULL) {
        stopThreads(tasks);
    }
    ctFree(tasks);
}

int ctTasks_Threads(const ctTasks *tasks)
{
    return tasks->threads;
}

void ctTasks_Run(ctTasks *tasks, ctTaskFn *fn, void *context, int count)
{
    tasks->fn = fn;
    tasks->context = context;
    tasks->count = count;
    atomic_store_explicit(&tasks->next, 0, memory_order_relaxed);
    int helpers = (count < tasks->threads ? count : tasks->threads) - 1;
    if (helpers <= 0) {
        drain(tasks, 0);
    } else if (tasks->host.enqueue != NULL) {
        runOnHost(tasks, helpers);
    } else {
        runOnThreads(tasks, helpers);
    }
}
