// The runs of a sweep on the cores of one machine. Workers take runs from the dealer and give their rows to the calling
// thread. Only the calling thread writes.
#include "app/sweep/sweep.h"

#include "collision/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_THREADS = 1024 };

typedef struct Result {
    struct Result *next;
    int run;
    char *row;
    bool failed;
} Result;

typedef struct Pool {
    const ctSweep *sweep;
    ctSweepDealer *dealer;
    atomic_bool stop;
    pthread_mutex_t mutex;
    pthread_cond_t arrived;
    Result *first, **last; // rows that the calling thread has not taken yet
    int working;           // number of threads that still work
    ctError error;         // of a worker
} Pool;

int ctSweepDealer_Take(ctSweepDealer *dealer)
{
    int i = atomic_fetch_add(&dealer->next, 1);
    return i < dealer->count ? dealer->todo[i] : -1;
}

static void fail(Pool *pool, const ctError *error)
{
    pthread_mutex_lock(&pool->mutex);
    if (pool->error.status == ct_ok) {
        pool->error = *error;
    }
    pthread_mutex_unlock(&pool->mutex);
    atomic_store(&pool->stop, true);
}

// False: no memory for the result.
static bool deliver(Pool *pool, int run, char *row, bool failed)
{
    Result *result = malloc(sizeof *result);
    if (result == NULL) {
        free(row);
        return false;
    }
    *result = (Result){NULL, run, row, failed};
    pthread_mutex_lock(&pool->mutex);
    *pool->last = result;
    pool->last = &result->next;
    pthread_cond_signal(&pool->arrived);
    pthread_mutex_unlock(&pool->mutex);
    return true;
}

static void *work(void *context)
{
    Pool *pool = context;
    ctError error = {ct_ok, ""};
    ctSweepWorker worker;
    if (!ctSweepWorker_Begin(&worker, pool->sweep, &pool->stop, &error)) {
        fail(pool, &error);
    }
    int run;
    while (!atomic_load(&pool->stop) && (run = ctSweepDealer_Take(pool->dealer)) >= 0) {
        bool failed;
        char *row = ctSweepWorker_Run(&worker, run, &failed);
        if (atomic_load(&pool->stop) && row == NULL) {
            break;
        }
        if (row == NULL || !deliver(pool, run, row, failed)) {
            ctFailMemory(&error, "a row");
            fail(pool, &error);
        }
    }
    ctSweepWorker_End(&worker);
    pthread_mutex_lock(&pool->mutex);
    pool->working--;
    pthread_cond_signal(&pool->arrived);
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

// Waits a tenth of a second at most. Returns the rows that have arrived; *over: all workers have ended.
static Result *await(Pool *pool, bool *over)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += 100000000L;
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&pool->mutex);
    int waited = 0;
    while (pool->first == NULL && pool->working > 0 && waited != ETIMEDOUT) {
        waited = pthread_cond_timedwait(&pool->arrived, &pool->mutex, &end);
    }
    Result *list = pool->first;
    pool->first = NULL;
    pool->last = &pool->first;
    *over = pool->working == 0;
    pthread_mutex_unlock(&pool->mutex);
    return list;
}

static bool gather(Pool *pool, const ctSweepSink *sink, ctError *error)
{
    bool good = true, over = false;
    while (!over) {
        Result *list = await(pool, &over);
        while (list != NULL) {
            Result *next = list->next;
            // Finished rows are kept even after an error.
            ctError late;
            good = sink->take(sink->context, list->run, list->row, list->failed, good ? error : &late) && good;
            free(list);
            list = next;
        }
        good = good && sink->poll(sink->context, error);
        if (!good) {
            atomic_store(&pool->stop, true);
        }
    }
    return good;
}

bool ctSweepPool_Run(const ctSweep *sweep, ctSweepDealer *dealer, int threads, const ctSweepSink *sink, ctError *error)
{
    Pool pool = {
        .sweep = sweep, .dealer = dealer, .mutex = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER};
    pool.last = &pool.first;
    pthread_t ids[MAX_THREADS];
    threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    int started = 0;
    pool.working = threads;
    while (started < threads && pthread_create(&ids[started], NULL, work, &pool) == 0) {
        started++;
    }
    pthread_mutex_lock(&pool.mutex);
    pool.working -= threads - started;
    pthread_mutex_unlock(&pool.mutex);
    bool good = started > 0 || ctFail(error, ct_io, "no thread could be started");
    good = good && gather(&pool, sink, error);
    for (int i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    if (good && pool.error.status != ct_ok) {
        *error = pool.error;
        good = false;
    }
    pthread_mutex_destroy(&pool.mutex);
    pthread_cond_destroy(&pool.arrived);
    return good;
}
