#include "render/session/sim.h"

#include "collision/clock.h"
#include "collision/error.h"
#include "collision/memory.h"
#include "collision/quat.h"
#include "scenes/measure.h"

#include <errno.h>
#include <string.h>
#include <time.h>

// Natural frequency of the pointer's spring, rad/s, and its damping ratio.
#define PULL_FREQUENCY 14.0
#define PULL_DAMPING 0.8
// In frames with more impacts than this, no state is captured at the further impacts.
#define KNOTS_MAX 400
// The simulated time between two snapshots is at least this many times the time that the last one took.
#define SAVE_RATIO 10.0
// How long an advance may take, s: on a thread of its own, and where there are no threads (a browser).
#define THREAD_BUDGET 0.25
#define SINGLE_BUDGET 0.02

// Applies the impulse of a damped spring between anchor and target over one frame.
static void pullBody(ctSim *sim)
{
    ctWorld *world = sim->scene->world;
    if (!sim->pull.on || !ctBody_IsValid(world, sim->pull.body)) {
        return;
    }
    ctBodyId id = sim->pull.body;
    double dt = ctWorld_GetSettings(world).frameTime, mass = ctBody_GetMass(world, id);
    ctVec3 point = ctTransformPoint(ctBody_GetTransform(world, id), sim->pull.anchor);
    ctVec3 arm = ctSub(point, ctBody_GetCenter(world, id));
    ctVec3 velocity = ctAdd(ctBody_GetVelocity(world, id), ctCross(ctBody_GetSpin(world, id), arm));
    ctVec3 accel = ctScale(PULL_FREQUENCY * PULL_FREQUENCY, ctSub(sim->pull.target, point));
    accel = ctMulAdd(accel, -2.0 * PULL_DAMPING * PULL_FREQUENCY, velocity);
    accel = ctSub(accel, ctWorld_GetSettings(world).gravity);
    ctBody_ApplyImpulse(world, id, ctScale(mass * dt, accel), point, NULL);
    // The spin is damped: the spring alone would leave the body swinging about the anchor.
    ctBody_SetVelocity(world, id, ctBody_GetVelocity(world, id), ctScale(exp(-3.0 * dt), ctBody_GetSpin(world, id)),
                       NULL);
}

// Impacts of the step just made.
static bool takeImpacts(ctSim *sim)
{
    const ctImpact *list;
    int n = ctWorld_GetImpacts(sim->scene->world, &list);
    if (n > 0) {
        if (!ctReserve((void **)&sim->impacts, &sim->impactCapacity, sim->impactCount + n, sizeof(ctImpact))) {
            return ctFailMemory(&sim->error, "list of impacts");
        }
        memcpy(sim->impacts + sim->impactCount, list, (size_t)n * sizeof(ctImpact));
        sim->impactCount += n;
    }
    return true;
}

static bool captureNow(ctSim *sim)
{
    ctSimState spare = sim->before;
    sim->before = sim->now;
    sim->now = spare;
    return ctSimState_Capture(&sim->now, sim->scene->world, sim->what) ? true : ctFailMemory(&sim->error, "state");
}

static bool recordFrame(ctSim *sim)
{
    if (!ctReserve((void **)&sim->records, &sim->recordCapacity, sim->recordCount + 1, sizeof(ctFrameRecord))) {
        return ctFailMemory(&sim->error, "timeline");
    }
    ctFrameRecord *record = &sim->records[sim->recordCount];
    *record = (ctFrameRecord){.time = sim->now.time, .cost = sim->frameCost, .stats = sim->now.stats};
    sim->frameCost = 0.0;
    if (sim->record && sim->now.time >= sim->nextSave) {
        // When memory for a snapshot is short, the timeline has a gap, and the simulation continues.
        double start = ctClock_Thread();
        ctWorld_Save(sim->scene->world, &record->snapshot, &record->snapshotSize, NULL);
        sim->nextSave = sim->now.time + SAVE_RATIO * (ctClock_Thread() - start);
    }
    sim->recordCount++;
    if (!ctCurveLog_Add(&sim->curves, sim->scene, &sim->now)) {
        return ctFailMemory(&sim->error, "curves");
    }
    return true;
}

// Steps the world to the end of the frame, or to the next impact in it. *impact: the step ended at an impact.
static bool step(ctSim *sim, bool toImpact, bool *impact)
{
    ctWorld *world = sim->scene->world;
    int64_t frames = ctWorld_GetStats(world).frames;
    if (sim->knotsInFrame == 0) {
        pullBody(sim);
    }
    double start = ctClock_Thread();
    *impact = false;
    bool done = toImpact ? ctWorld_StepToImpact(world, impact, &sim->error) : ctWorld_Step(world, &sim->error);
    sim->frameCost += ctClock_Thread() - start;
    if (!done || !takeImpacts(sim) || !captureNow(sim)) {
        return false;
    }
    ctPathLog_AddState(&sim->paths, &sim->now);
    sim->knotsInFrame = *impact ? sim->knotsInFrame + 1 : 0;
    bool frameEnd = !*impact || ctWorld_GetStats(world).frames != frames;
    if (!ctScene_Observe(sim->scene, frameEnd, &sim->error)) {
        return false;
    }
    return !frameEnd || recordFrame(sim);
}

// The impact that the last step ended at; NULL when it was a microcollision.
static const ctImpact *lastImpact(const ctSim *sim)
{
    const ctImpact *m = sim->impactCount > 0 ? &sim->impacts[sim->impactCount - 1] : NULL;
    return m != NULL && m->kind == ct_eventImpact ? m : NULL;
}

// Whether the last step ended at an impact that the viewer waits for.
static bool isAwaited(const ctSim *sim)
{
    const ctImpact *m = lastImpact(sim);
    if (!sim->stopAtImpact || m == NULL) {
        return false;
    }
    return sim->stopBody.index1 == 0 || m->body1.index1 == sim->stopBody.index1 ||
           m->body2.index1 == sim->stopBody.index1;
}

static void advance(ctSim *sim)
{
    double start = ctClock_Wall(), from = ctWorld_GetTime(sim->scene->world);
    bool impact = false;
    sim->failed = sim->foundImpact = false;
    sim->error = (ctError){0};
    switch (sim->kind) {
    case ct_advanceNone:
        break;
    case ct_advanceFrame:
        sim->failed = !step(sim, false, &impact);
        break;
    case ct_advanceImpact:
        while (!sim->failed && !impact && !sim->cancel &&
               ctWorld_GetTime(sim->scene->world) < from + CT_SEARCH_SECONDS) {
            sim->failed = !step(sim, true, &impact);
            impact = impact && lastImpact(sim) != NULL;
        }
        sim->foundImpact = impact;
        break;
    case ct_advanceFrames:
    case ct_advanceKnots:
        while (!sim->failed && !sim->cancel && ctWorld_GetTime(sim->scene->world) < sim->until - 1e-12 &&
               ctClock_Wall() < start + sim->budget) {
            bool knots = sim->kind == ct_advanceKnots && sim->knotsInFrame < KNOTS_MAX;
            sim->failed = !step(sim, knots, &impact);
            if (impact && isAwaited(sim)) {
                sim->foundImpact = true;
                break;
            }
        }
        break;
    }
}

static void *run(void *context)
{
    ctSim *sim = context;
    pthread_mutex_lock(&sim->mutex);
    for (;;) {
        while (!sim->busy && !sim->quit) {
            pthread_cond_wait(&sim->wake, &sim->mutex);
        }
        if (sim->quit) {
            break;
        }
        pthread_mutex_unlock(&sim->mutex);
        advance(sim);
        pthread_mutex_lock(&sim->mutex);
        sim->busy = false;
        pthread_cond_broadcast(&sim->finished);
    }
    pthread_mutex_unlock(&sim->mutex);
    return NULL;
}

void ctSim_Start(ctSim *sim, bool threaded)
{
    memset(sim, 0, sizeof *sim);
    sim->budget = THREAD_BUDGET;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&sim->mutex, NULL);
    pthread_cond_init(&sim->wake, NULL);
    pthread_cond_init(&sim->finished, &attributes);
    pthread_condattr_destroy(&attributes);
    sim->started = threaded && pthread_create(&sim->thread, NULL, run, sim) == 0;
    if (!sim->started) {
        sim->budget = SINGLE_BUDGET;
    }
}

static void dropResults(ctSim *sim)
{
    for (int i = 0; i < sim->recordCount; i++) {
        if (sim->records[i].snapshot != NULL) {
            ctFreeSnapshot(sim->records[i].snapshot);
        }
    }
    sim->recordCount = sim->impactCount = sim->knotsInFrame = sim->paths.count = sim->curves.count = 0;
    sim->nextSave = 0.0;
}

void ctSim_Stop(ctSim *sim)
{
    if (sim->started) {
        ctSim_Cancel(sim);
        pthread_mutex_lock(&sim->mutex);
        while (sim->busy) {
            pthread_cond_wait(&sim->finished, &sim->mutex);
        }
        sim->quit = true;
        pthread_cond_broadcast(&sim->wake);
        pthread_mutex_unlock(&sim->mutex);
        pthread_join(sim->thread, NULL);
        pthread_mutex_destroy(&sim->mutex);
        pthread_cond_destroy(&sim->wake);
        pthread_cond_destroy(&sim->finished);
    }
    dropResults(sim);
    ctSimState_Free(&sim->before);
    ctSimState_Free(&sim->now);
    ctPathLog_Free(&sim->paths);
    ctCurveLog_Free(&sim->curves);
    ctFree(sim->records);
    ctFree(sim->impacts);
    memset(sim, 0, sizeof *sim);
}

bool ctSim_Capture(ctSim *sim)
{
    return ctScene_WentBack(sim->scene, NULL) && ctSimState_Capture(&sim->now, sim->scene->world, sim->what) &&
           ctSimState_Copy(&sim->before, &sim->now);
}

bool ctSim_SetScene(ctSim *sim, ctScene *scene, ctError *error)
{
    dropResults(sim);
    sim->scene = scene;
    sim->pull.on = false;
    if (scene == NULL) {
        return true;
    }
    ctPathLog_Watch(&sim->paths, scene->world);
    return ctSim_Capture(sim) ? true : ctFailMemory(error, "state");
}

void ctSim_Advance(ctSim *sim, ctAdvanceKind kind, double until)
{
    pthread_mutex_lock(&sim->mutex);
    sim->kind = kind;
    sim->until = until;
    sim->cancel = false;
    sim->busy = sim->started;
    if (!sim->started) {
        advance(sim);
    }
    pthread_cond_signal(&sim->wake);
    pthread_mutex_unlock(&sim->mutex);
}

void ctSim_Cancel(ctSim *sim)
{
    sim->cancel = true;
}

bool ctSim_Wait(ctSim *sim, double seconds)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    end.tv_nsec += (long)((seconds - floor(seconds)) * 1e9);
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&sim->mutex);
    int waited = 0;
    while (sim->busy && waited != ETIMEDOUT) {
        waited = pthread_cond_timedwait(&sim->finished, &sim->mutex, &end);
    }
    bool idle = !sim->busy;
    pthread_mutex_unlock(&sim->mutex);
    return idle;
}
