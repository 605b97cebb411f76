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
    ctTaskHost host; // with functions: these stand for threads of the pool's own
    ctTaskFn *fn;
    void *context;
    int count;
    atomic_int next; // item
    Worker workers[CT_MAX_THREADS];
#if !defined(NO_THREADS)
    pthread_mutex_t mutex; // of what follows
    pthread_cond_t wake, idle;
    unsigned lot; // number of the present lot of work
    bool open;    // it is not known to be done yet
    int inside;   // workers that are at it
    bool quit;
#endif
};

// Takes items as long as there are any.
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

static void *work(void *context)
{
    Worker *worker = context;
    ctTasks *tasks = worker->tasks;
    unsigned seen = 0;
    pthread_mutex_lock(&tasks->mutex);
    while (!tasks->quit) {
        if (tasks->lot == seen || !tasks->open) {
            pthread_cond_wait(&tasks->wake, &tasks->mutex);
            continue;
        }
        seen = tasks->lot;
        tasks->inside++;
        pthread_mutex_unlock(&tasks->mutex);
        drain(tasks, worker->number);
        pthread_mutex_lock(&tasks->mutex);
        if (--tasks->inside == 0) {
            pthread_cond_signal(&tasks->idle);
        }
    }
    pthread_mutex_unlock(&tasks->mutex);
    return NULL;
}

static void runOnThreads(ctTasks *tasks)
{
    pthread_mutex_lock(&tasks->mutex);
    tasks->lot++;
    tasks->open = true;
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    drain(tasks, 0);
    pthread_mutex_lock(&tasks->mutex);
    tasks->open = false; // who wakes up later finds nothing to do
    while (tasks->inside > 0) {
        pthread_cond_wait(&tasks->idle, &tasks->mutex);
    }
    pthread_mutex_unlock(&tasks->mutex);
}

static int startThreads(ctTasks *tasks, int threads)
{
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    pthread_cond_init(&tasks->idle, NULL);
    int started = 1;
    while (started < threads &&
           pthread_create(&tasks->workers[started].thread, NULL, work, &tasks->workers[started]) == 0) {
        started++;
    }
    return started;
}

static void stopThreads(ctTasks *tasks)
{
    pthread_mutex_lock(&tasks->mutex);
    tasks->quit = true;
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    for (int i = 1; i < tasks->threads; i++) {
        pthread_join(tasks->workers[i].thread, NULL);
    }
    pthread_cond_destroy(&tasks->wake);
    pthread_cond_destroy(&tasks->idle);
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

static void runOnThreads(ctTasks *tasks)
{
    drain(tasks, 0);
}

static int startThreads(ctTasks *tasks, int threads)
{
    (void)tasks;
    (void)threads;
    return 1;
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
    threads = ctTasks_Resolve(threads);
    atomic_init(&tasks->next, 0);
    for (int i = 0; i < CT_MAX_THREADS; i++) {
        tasks->workers[i].tasks = tasks;
        tasks->workers[i].number = i;
    }
    if (host != NULL && host->enqueue != NULL) {
        tasks->host = *host;
        tasks->threads = threads;
    } else {
        tasks->threads = startThreads(tasks, threads);
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
        runOnThreads(tasks);
    }
}
