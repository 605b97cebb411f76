// Simulated time and the clock.
//
// The world advances in fixed frames, on its own thread. The picture shows a time between the world's last two states.
// When the world is too slow, simulated time runs slower than the clock, and the bar shows the rate.
#include "render/viewer/viewer_internal.h"

#include "collision/memory.h"
#include "collision/quat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Below this speed a state is captured at every impact, so that bounces are shown exactly.
#define KNOT_SPEED 0.75
// How long a picture may wait for the world before the last state is drawn again, s.
#define PATIENCE 0.012

// Requests to go back v->stepsBack frames.
static void seekBack(ctViewer *v)
{
    int at = ctTimeline_Find(&v->timeline, v->shown.time);
    if (at >= 0) {
        bool between = v->timeline.moments[at].time < v->shown.time - 1e-9;
        at -= v->stepsBack - (between ? 1 : 0);
        v->seek = v->timeline.moments[at > 0 ? at : 0].time;
    }
    v->stepsBack = 0;
}

// ---- results of an advance --------------------------------------------------------------------

static void takeRecords(ctViewer *v)
{
    ctSim *sim = &v->sim;
    if ((sim->recordCount > 0 || sim->impactCount > 0) && v->rewound) {
        // The world was rewound to an earlier time: everything after that time is dropped.
        double from = sim->impactCount > 0 ? fmin(sim->impacts[0].time, sim->before.time) : sim->before.time;
        ctHistory_Rewind(&v->history, from - 1e-9);
        v->inspected = v->inspected < v->history.impactCount ? v->inspected : -1;
        v->rewound = false;
    }
    ctHistory_AddImpacts(&v->history, sim->impacts, sim->impactCount);
    for (int i = 0; i < sim->recordCount; i++) {
        const ctFrameRecord *r = &sim->records[i];
        v->need += 0.05 * (r->cost / v->frameTime - v->need);
        ctHistory_AddSample(&v->history, (ctSample){r->time, r->stats.kineticEnergy, r->stats.potentialEnergy, r->cost,
                                                    r->stats.impacts, r->stats.asleep, r->stats.contacts});
        if (r->snapshot != NULL) {
            ctTimeline_Add(&v->timeline, r->time, r->snapshot, r->snapshotSize, NULL);
        }
    }
    if (v->show.sound && v->scene != NULL) {
        double worked = fmax(sim->now.time - sim->before.time, v->frameTime);
        if (v->speaker != NULL) {
            ctSpeaker_Play(v->speaker, v->scene->world, sim->impacts, sim->impactCount, v->pictureTime, v->speed,
                           worked);
        }
        ctClip_Take(&v->clip, v->scene->world, sim->impacts, sim->impactCount, v->speed, worked);
    }
    sim->recordCount = sim->impactCount = 0;
    ctTrails_Take(&v->trails, &sim->paths);
    ctCurves_Take(&v->curves, &sim->curves);
}

// Stores which materials have met, for the order of their sliders.
static void noteMeetings(ctViewer *v)
{
    const ctWorld *world = v->scene->world;
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts);
    if (ctSettings_CountMet(&v->settings) == v->settings.pairCount) {
        return;
    }
    for (int i = 0; i < v->sim.impactCount; i++) {
        ctSettings_Meet(&v->settings, world, v->sim.impacts[i].body1, v->sim.impacts[i].body2);
    }
    for (int i = 0; i < count; i++) {
        ctSettings_Meet(&v->settings, world, contacts[i].body1, contacts[i].body2);
    }
}

static void finish(ctViewer *v)
{
    ctSim *sim = &v->sim;
    v->busy = false;
    v->shownTime = fmin(v->shownTime, sim->now.time);
    noteMeetings(v);
    takeRecords(v);
    if (sim->failed) {
        v->playing = false;
        snprintf(v->stopped, sizeof v->stopped, "%s", sim->error.message);
    }
    if (sim->stopAtImpact && sim->foundImpact) {
        v->playing = false;
        v->inspected = v->history.impactCount - 1;
        v->shownTime = sim->now.time;
        v->show.inspector = true;
    } else if (sim->kind == ct_advanceImpact) {
        v->inspected = sim->foundImpact ? v->history.impactCount - 1 : v->inspected;
        if (!sim->foundImpact && !sim->failed && !sim->cancel) {
            ctViewer_Say(v, "no impact within %g s", CT_SEARCH_SECONDS);
        }
    }
    if (sim->kind == ct_advanceImpact || sim->kind == ct_advanceFrame) {
        v->shownTime = sim->now.time;
    }
}

// ---- requests ---------------------------------------------------------------------------------

static void seekNow(ctViewer *v)
{
    int moment = ctTimeline_Find(&v->timeline, v->seek);
    v->seek = -1.0;
    if (moment < 0) {
        return;
    }
    ctError error = {0};
    const ctMoment *m = &v->timeline.moments[moment];
    if (!ctWorld_Restore(v->scene->world, m->snapshot, m->size, &error) || !ctSim_Capture(&v->sim) ||
        !ctViewer_SyncBodies(v, &error)) {
        ctViewer_Say(v, "cannot go back: %s", error.message);
        return;
    }
    v->stopped[0] = '\0';
    v->sim.knotsInFrame = 0;
    v->sim.nextSave = 0.0;
    v->shownTime = v->sim.now.time;
    v->rewound = true;
    ctClip_Jump(&v->clip, v->scene->world);
    ctTrails_Clear(&v->trails);
}

// Throws a ball from the camera along the centre of the view.
static void throwBall(ctViewer *v)
{
    v->throwBalls--;
    ctWorld *world = v->scene->world;
    ctView view = ctCamera_GetView(&v->camera);
    double reach = ctDistance(view.eye, view.target), radius = 0.035 * reach;
    ctVec3 forward = ctNormalize(ctSub(view.target, view.eye));
    ctError error = {0};
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(world, radius, &error);
    def.position = ctMulAdd(view.eye, 0.15 * reach, forward);
    def.velocity = ctScale(2.5 * reach, forward);
    def.userData = UINT64_MAX;
    char name[32];
    snprintf(name, sizeof name, "thrown %d", ctWorld_GetBodyCount(world));
    def.name = name;
    ctBodyId id = def.shape.index1 != 0 ? ctWorld_CreateBody(world, &def, &error) : (ctBodyId){0};
    if (id.index1 == 0 || !ctSim_Capture(&v->sim) || !ctViewer_SyncBodies(v, &error)) {
        ctViewer_Say(v, "no ball: %s", error.message);
    }
}

// Applies all changes of the world from outside. Not during an advance.
static void applyChanges(ctViewer *v)
{
    ctError error = {0};
    if (v->wantedDemo >= 0) {
        ctViewer_LoadDemo(v, v->wantedDemo);
        v->wantedDemo = -1;
    }
    if (v->wantedPath[0] != '\0') {
        ctViewer_LoadFile(v, v->wantedPath);
        v->wantedPath[0] = '\0';
    }
    if (v->restart) {
        v->restart = false;
        ctViewer_Restart(v);
    }
    if (v->stepsBack > 0) {
        seekBack(v);
    }
    if (v->seek >= 0.0) {
        seekNow(v);
    }
    if (v->settings.changed) {
        v->settings.changed = false;
        if (!ctSettings_Apply(&v->settings, v->scene->world, &error)) {
            ctViewer_Say(v, "%s", error.message);
        }
    }
    if (v->edit.body.index1 != 0 || v->deleteBody || v->saveWorld || v->copyScene) {
        ctViewer_UseHands(v);
    }
    if (v->throwBalls > 0) {
        throwBall(v);
    }
}

static void startNext(ctViewer *v, double elapsed)
{
    v->sim.what = (ctCaptureWhat){v->show.contacts, v->show.pending, v->show.boxes};
    v->sim.record = true;
    v->sim.pull = v->pull;
    bool many = v->sim.paths.markCount == 0 && v->sim.now.stats.dynamicBodies > CT_TRAIL_BODIES;
    v->sim.paths.on = v->show.trails && (!many || v->selected.index1 != 0);
    v->sim.paths.only = many ? v->selected : (ctBodyId){0};
    if (v->sim.paths.on && v->trails.count == 0) {
        ctPathLog_AddState(&v->sim.paths, &v->sim.now);
    }
    v->sim.stopAtImpact = false;
    v->sim.curves.wishCount = v->curves.wishCount;
    memcpy(v->sim.curves.wishes, v->curves.wishes, sizeof v->curves.wishes);
    if (v->wanted != ct_advanceNone) {
        ctSim_Advance(&v->sim, v->wanted, 0.0);
        v->wantedCount--;
        v->wanted = v->wantedCount > 0 ? v->wanted : ct_advanceNone;
        v->busy = true;
        return;
    }
    if (!v->playing) {
        return;
    }
    // Time lost by a stall of the window is not made up.
    double next = v->shownTime + v->speed * fmin(elapsed, CT_DESK_STALL);
    if (next > v->sim.now.time + 1e-12) {
        v->sim.stopAtImpact = v->pauseAtImpacts;
        v->sim.stopBody = v->inspectOne ? v->selected : (ctBodyId){0};
        bool knots = (v->speed < KNOT_SPEED || v->pauseAtImpacts) && v->sim.now.count < 2000;
        ctSim_Advance(&v->sim, knots ? ct_advanceKnots : ct_advanceFrames, next);
        v->busy = true;
    }
    v->shownTime = next;
}

// Computes the picture's poses, between the last two states of the world.
static void show(ctViewer *v)
{
    const ctSimState *a = &v->sim.before, *b = &v->sim.now;
    int count = b->count;
    if (!ctSimState_Copy(&v->shown, b) ||
        !ctReserve((void **)&v->poses, &v->poseCapacity, count, sizeof(ctTransform)) ||
        !ctReserve((void **)&v->states, &v->stateCapacity, count, 1)) {
        v->shown.count = 0;
        return;
    }
    v->shownTime = v->pictureTime = fmin(v->shownTime, b->time);
    for (int i = 0; i < count; i++) {
        bool between = i < a->count && v->shownTime < b->time;
        v->poses[i] =
            between ? ctInterpolate(&a->bodies[i], a->time, &b->bodies[i], b->time, v->shownTime) : b->bodies[i].pose;
        bool selected = b->bodies[i].id.index1 == v->selected.index1 && v->selected.index1 != 0;
        v->states[i] = (uint8_t)((b->bodies[i].asleep && v->show.sleeping ? ct_stateAsleep : 0) |
                                 (selected ? ct_stateSelected : 0));
    }
}

bool ctViewer_SyncBodies(ctViewer *v, ctError *error)
{
    if (!ctStage_Sync(&v->stage, error)) {
        return false;
    }
    show(v);
    return true;
}

void ctViewer_Advance(ctViewer *v, double elapsed)
{
    double before = v->pictureTime;
    if (v->busy && ctSim_Wait(&v->sim, 0.0)) {
        finish(v);
        show(v); // the state must be shown now: the next advance may take longer than one picture
        ctMeasures_Take(&v->measures, v->scene, v->playing, v->clock);
    }
    if (!v->busy) {
        applyChanges(v);
        startNext(v, elapsed);
        if (v->busy && ctSim_Wait(&v->sim, PATIENCE)) {
            finish(v);
        }
    }
    if (!v->busy) {
        show(v);
        ctMeasures_Take(&v->measures, v->scene, v->playing, v->clock);
    }
    if (elapsed > 0.0 && v->playing) {
        double rate = fmax(0.0, v->pictureTime - before) / elapsed, blend = 1.0 - exp(-elapsed / 0.4);
        v->factor += blend * (rate - v->factor);
    }
}
