// clatter-mpi: sweeps on many machines. Every rank reads the same command line and so has the same plan. Rank 0 gives
// runs to the ranks that ask, and computes some itself. Only rank 0 writes.
//
// A rank asks twice before its first run and once with each row, so that its next run has arrived when one is done.
// When a rank dies, mpirun ends the others. Rank 0 then writes the rows that it has and reports the missing runs.
#include "app/app.h"
#include "app/interrupt.h"
#include "app/sweep/sweep.h"
#include "collision/error.h"

#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_ROW, TAG_WORK, NONE = -1, AHEAD = 2 };

static int ranks;

// ---- rank 0 -----------------------------------------------------------------------------------

typedef struct Local {
    const ctSweep *sweep;
    ctSweepDealer *dealer;
    pthread_mutex_t mutex;
    struct LocalRow {
        struct LocalRow *next;
        int run;
        char *row;
        bool failed;
    } * first, **last;
    bool over; // no more rows will come
    atomic_bool stop;
    ctError error;
} Local;

static bool takeLocal(void *context, int run, char *row, bool failed, ctError *error)
{
    Local *local = context;
    struct LocalRow *item = malloc(sizeof *item);
    if (item == NULL) {
        free(row);
        return ctFailMemory(error, "a row");
    }
    *item = (struct LocalRow){NULL, run, row, failed};
    pthread_mutex_lock(&local->mutex);
    *local->last = item;
    local->last = &item->next;
    pthread_mutex_unlock(&local->mutex);
    return true;
}

static bool pollLocal(void *context, ctError *error)
{
    (void)error;
    return !atomic_load(&((Local *)context)->stop);
}

// The runs of rank 0, on a thread of its own: only the main thread calls MPI.
static void *workHere(void *context)
{
    Local *local = context;
    const ctSweepSink sink = {takeLocal, pollLocal, local};
    ctError error = {ct_ok, ""};
    ctSweepPool_Run(local->sweep, local->dealer, 1, &sink, &error);
    pthread_mutex_lock(&local->mutex);
    local->error = error;
    local->over = true;
    pthread_mutex_unlock(&local->mutex);
    return NULL;
}

// Passes the rows of rank 0 to the sink. *over: no more rows will come.
static bool gatherHere(Local *local, const ctSweepSink *sink, bool *over, ctError *error)
{
    pthread_mutex_lock(&local->mutex);
    struct LocalRow *list = local->first;
    local->first = NULL;
    local->last = &local->first;
    *over = local->over;
    bool good = true;
    if (local->over && local->error.status != ct_ok) {
        *error = local->error;
        good = false;
    }
    pthread_mutex_unlock(&local->mutex);
    while (list != NULL) {
        struct LocalRow *next = list->next;
        good = sink->take(sink->context, list->run, list->row, list->failed, error) && good;
        free(list);
        list = next;
    }
    return good;
}

typedef struct Deal {
    ctSweepDealer *dealer;
    const ctSweepSink *sink;
    int *held;     // the runs that each rank has, AHEAD entries per rank; NONE: an empty entry
    int dismissed; // number of requests answered with NONE
} Deal;

static void giveWork(Deal *deal, int rank)
{
    int run = deal->dealer != NULL ? ctSweepDealer_Take(deal->dealer) : NONE;
    MPI_Send(&run, 1, MPI_INT, rank, TAG_WORK, MPI_COMM_WORLD);
    if (run == NONE) {
        deal->dismissed++;
        return;
    }
    int *held = &deal->held[AHEAD * rank];
    for (int i = 0; i < AHEAD; i++) {
        if (held[i] == NONE) {
            held[i] = run;
            break;
        }
    }
}

// One message of another rank: a request, or a row, which is also a request. A row begins with two numbers, the run and
// whether it failed; the text follows.
static bool receive(Deal *deal, const MPI_Status *probe, ctError *error)
{
    int size = 0, rank = probe->MPI_SOURCE;
    MPI_Get_count(probe, MPI_BYTE, &size);
    char *message = malloc((size_t)size + 1);
    if (message == NULL) {
        return ctFailMemory(error, "a message");
    }
    MPI_Recv(message, size, MPI_BYTE, rank, probe->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    message[size] = '\0';
    bool good = true;
    if (probe->MPI_TAG == TAG_ROW) {
        int head[2];
        memcpy(head, message, sizeof head);
        for (int i = 0; i < AHEAD; i++) {
            deal->held[AHEAD * rank + i] =
                deal->held[AHEAD * rank + i] == head[0] ? NONE : deal->held[AHEAD * rank + i];
        }
        char *row = strdup(message + sizeof head);
        good = row != NULL ? deal->sink->take(deal->sink->context, head[0], row, head[1] != 0, error)
                           : ctFailMemory(error, "a row");
    }
    free(message);
    giveWork(deal, rank);
    return good;
}

static void reportHeld(const Deal *deal)
{
    fputs("clatter: sweep: under way were", stderr);
    for (int rank = 1; rank < ranks; rank++) {
        fprintf(stderr, "%s on rank %d:", rank > 1 ? ";" : "", rank);
        for (int i = 0; i < AHEAD; i++) {
            if (deal->held[AHEAD * rank + i] != NONE) {
                fprintf(stderr, " run %d", deal->held[AHEAD * rank + i] + 1);
            }
        }
    }
    fputc('\n', stderr);
}

// Returns when all runs are done and every rank has been told so.
static bool dealAll(Deal *deal, Local *local, ctError *error)
{
    bool good = true, hereOver = false;
    while (good && !(hereOver && deal->dismissed == AHEAD * (ranks - 1))) {
        int there = 0;
        MPI_Status probe;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &probe);
        if (there) {
            good = receive(deal, &probe, error);
        }
        bool over = false;
        good = gatherHere(local, deal->sink, &over, error) && good;
        hereOver = over;
        good = good && deal->sink->poll(deal->sink->context, error);
        if (!there) {
            nanosleep(&(struct timespec){0, 200000}, NULL);
        }
    }
    return good;
}

static bool runAll(const ctSweep *sweep, ctSweepDealer *dealer, int threads, const ctSweepSink *sink, ctError *error)
{
    (void)threads;
    static Local local = {.mutex = PTHREAD_MUTEX_INITIALIZER}; // after an error, the detached thread still uses it
    local.sweep = sweep;
    local.dealer = dealer;
    local.last = &local.first;
    Deal deal = {.dealer = dealer, .sink = sink, .held = malloc(sizeof(int) * AHEAD * (size_t)ranks)};
    pthread_t thread;
    if (deal.held == NULL) {
        return ctFailMemory(error, "the list of ranks");
    }
    for (int i = 0; i < AHEAD * ranks; i++) {
        deal.held[i] = NONE;
    }
    if (pthread_create(&thread, NULL, workHere, &local) != 0) {
        free(deal.held);
        return ctFail(error, ct_io, "no thread could be started");
    }
    bool good = dealAll(&deal, &local, error);
    if (good) {
        pthread_join(thread, NULL);
    } else {
        // mpirun soon ends this process: the finished rows must be written now, without waiting for the thread.
        atomic_store(&local.stop, true);
        pthread_detach(thread);
        reportHeld(&deal);
    }
    free(deal.held);
    return good;
}

static void dismissAll(void)
{
    Deal deal = {0};
    while (deal.dismissed < AHEAD * (ranks - 1)) {
        MPI_Status probe;
        ctError error;
        MPI_Probe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &probe);
        receive(&deal, &probe, &error);
    }
}

// ---- the other ranks --------------------------------------------------------------------------

static bool sendRow(int run, bool failed, const char *row)
{
    size_t length = strlen(row);
    int head[2] = {run, failed};
    char *message = malloc(sizeof head + length);
    if (message == NULL) {
        return false;
    }
    memcpy(message, head, sizeof head);
    memcpy(message + sizeof head, row, length);
    MPI_Send(message, (int)(sizeof head + length), MPI_BYTE, 0, TAG_ROW, MPI_COMM_WORLD);
    free(message);
    return true;
}

// Ends all ranks without waiting for them: some may have died already.
static void abandon(int status)
{
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, status);
}

static int serve(const ctSweep *sweep)
{
    static const atomic_bool never;
    ctError error = {ct_ok, ""};
    ctSweepWorker worker;
    bool good = ctSweepWorker_Begin(&worker, sweep, &never, &error);
    for (int i = 0; i < AHEAD && good; i++) {
        MPI_Send("", 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
    }
    for (int answers = 0; good && answers < AHEAD;) {
        int run;
        MPI_Recv(&run, 1, MPI_INT, 0, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (run == NONE) {
            answers++;
            continue;
        }
        bool failed;
        char *row = ctSweepWorker_Run(&worker, run, &failed);
        good = row != NULL ? sendRow(run, failed, row) : ctFailMemory(&error, "a row");
        free(row);
    }
    ctSweepWorker_End(&worker);
    if (!good) {
        fprintf(stderr, "clatter: sweep: %s\n", error.message);
        abandon(CT_EXIT_FAILED);
    }
    return CT_EXIT_OK;
}

static bool agree(bool ready)
{
    int mine = ready, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "sweep") != 0) {
        fputs("clatter-mpi runs sweeps only: mpirun -n RANKS clatter-mpi sweep ... (clatter sweep --help)\n", stderr);
        return CT_EXIT_USAGE;
    }
    int level, rank;
    ctInterrupt_FailWrites();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const ctSweepTransport transport = {rank, agree, runAll, serve, dismissAll, abandon};
    int status = ctSweep_Command(argc - 1, argv + 1, ranks > 1 ? &transport : NULL);
    MPI_Finalize();
    return status;
}
