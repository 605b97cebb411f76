// The life of a world: creation, settings, destruction, and the frame as a list of phases.
#include "collision/memory.h"
#include "engine/api/api_internal.h"
#include "engine/collide/collide.h"
#include "engine/core/tasks.h"
#include "engine/loop/loop.h"

#include <string.h>

static const uint32_t worldDefCookie = 0x574f524cU;

ctWorldDef ctDefaultWorldDef(void)
{
    ctWorldDef def;
    memset(&def, 0, sizeof def);
    def.gravity = ctV3(0.0, 0.0, -9.81);
    def.frameTime = 1.0 / 60.0;
    def.law = ct_lawStronge;
    def.contact = ct_contactIsland;
    def.threads = 1;
    def.internal = worldDefCookie;
    return def;
}

static bool checkGravity(ctVec3 gravity, ctError *error)
{
    if (!ctIsFinite3(gravity) || ctLength(gravity) > 1e6) {
        return ctFail(error, ct_badArgument, "gravity must be finite and at most 1e6 m/s^2");
    }
    return true;
}

static bool checkFrameTime(double seconds, ctError *error)
{
    if (!(seconds >= 1e-6 && seconds <= 1.0)) {
        return ctFail(error, ct_badArgument, "frameTime must be from 1e-6 s to 1 s, not %g", seconds);
    }
    return true;
}

static bool checkLaw(ctLaw law, ctError *error)
{
    if (law < ct_lawStronge || law > ct_lawCompliant) {
        return ctFail(error, ct_badArgument, "law must be stronge, poisson, algebraic or composite");
    }
    return true;
}

static bool checkContactMode(ctContactMode mode, ctError *error)
{
    if (mode != ct_contactIsland && mode != ct_contactMicrocollision) {
        return ctFail(error, ct_badArgument, "contact must be island or microcollision");
    }
    return true;
}

static bool checkThreads(int threads, const ctTaskHost *tasks, ctError *error)
{
    if (threads < 0 || threads > CT_MAX_THREADS) {
        return ctFail(error, ct_badArgument, "threads must be from 0 (all cores) to %d, not %d", CT_MAX_THREADS,
                      threads);
    }
    if (tasks != NULL && (tasks->enqueue == NULL) != (tasks->finish == NULL)) {
        return ctFail(error, ct_badArgument, "tasks must have both functions, enqueue and finish, or none");
    }
    return true;
}

// Computes what follows from gravity.
void ctWorld_DeriveSettings(ctWorld *world)
{
    double gravity = ctLength(world->def.gravity);
    world->gravity = gravity < CT_LEAST_GRAVITY ? CT_EARTH_GRAVITY : gravity;
}

ctWorld *ctWorld_CreateEmpty(ctError *error)
{
    ctWorld *world = ctAllocate(1, sizeof *world);
    if (world == NULL) {
        ctFailMemory(error, "a world");
        return NULL;
    }
    world->def = ctDefaultWorldDef();
    world->freeBody = world->freePair = world->freeTile = -1;
    world->broadphase = ctBroadphase_Create(error);
    if (world->broadphase == NULL || !ctContact_Create(world, error)) {
        ctWorld_Destroy(world);
        return NULL;
    }
    return world;
}

ctWorld *ctWorld_Create(const ctWorldDef *def, ctError *error)
{
    if (def == NULL || def->internal != worldDefCookie) {
        ctFail(error, ct_badArgument, "a ctWorldDef must come from ctDefaultWorldDef");
        return NULL;
    }
    if (!checkGravity(def->gravity, error) || !checkFrameTime(def->frameTime, error) || !checkLaw(def->law, error) ||
        !checkContactMode(def->contact, error) || !checkThreads(def->threads, &def->tasks, error)) {
        return NULL;
    }
    ctWorld *world = ctWorld_CreateEmpty(error);
    if (world == NULL) {
        return NULL;
    }
    world->def = *def;
    ctWorld_DeriveSettings(world);
    ctMaterialDef material = ctDefaultMaterialDef();
    material.name = "default";
    if (!ctWorld_CreateMaterial(world, &material, NULL, error)) {
        ctWorld_Destroy(world);
        return NULL;
    }
    return world;
}

void ctWorld_Destroy(ctWorld *world)
{
    if (world == NULL) {
        return;
    }
    ctContact_Destroy(world);
    for (int i = 0; i < world->bodySlots; i++) {
        ctFree(world->infos[i].name);
        ctPath_Free(world->infos[i].route);
        ctTile_Free(world->infos[i].tile);
    }
    ctPairs_FreeLeaves(world);
    for (int i = 0; i < world->materialCount; i++) {
        ctFree(world->materials[i].name);
    }
    for (int i = 0; i < world->shapeCount; i++) {
        ctShape_Release(world->shapes[i]);
        ctRecipe_Free(&world->recipes[i]);
    }
    ctBroadphase_Destroy(world->broadphase);
    ctSequence_Free(&world->sequence);
    ctAgenda_Free(&world->pairAgenda);
    ctAgenda_Free(&world->boxAgenda);
    ctGas_Free(&world->gas);
    void *lines[] = {world->bodies, world->infos, world->pairs, world->extras, world->tallyTable};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ctFreeAligned(lines[i]);
    }
    void *arrays[] = {world->shapes,  world->materials,    world->materialPairs, world->order,
                      world->fresh,   world->impacts,      world->pending,       world->contactList,
                      world->recipes, world->tallies,      world->touching,      world->begins,
                      world->ends,    world->sensorEvents, world->notes,         world};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
}

// ---- stepping ---------------------------------------------------------------------------------

static void beginFrame(ctWorld *world)
{
    if (world->now < world->frameEnd) {
        return; // the frame has begun already (ctWorld_StepToImpact)
    }
    world->frame++;
    world->frameEnd = ctWorld_EndOfFrame(world, world->frame);
    world->frameEvents = 0;
    world->sequence.repeats = 0;
}

// [storage] Impacts that a list has room for at least, and at most: so many times those of the last step.
enum { FEW_IMPACTS = 64, MORE_IMPACTS = 8 };

// Removes the events of the last step. Those that the program has caused since then belong to the next. The list of
// impacts is cut where it has become much too long: bodies that fall into a pile strike each other in a few steps.
static void forgetEvents(ctWorld *world)
{
    if (world->impactCapacity > FEW_IMPACTS + MORE_IMPACTS * world->impactCount) {
        ctShrink((void **)&world->impacts, &world->impactCapacity, FEW_IMPACTS, sizeof(ctImpact));
    }
    world->impactCount = world->beginCount = world->endCount = 0;
    int kept = world->sensorEventCount - world->sensorEventsTold;
    if (world->sensorEventsTold > 0 && kept > 0) {
        memmove(world->sensorEvents, &world->sensorEvents[world->sensorEventsTold],
                (size_t)kept * sizeof(ctSensorEvent));
    }
    world->sensorEventCount = kept;
    world->sensorEventsTold = 0;
    world->impactsTold = world->visitsTold = 0;
}

// Handles events up to the end of the frame, or (impact not NULL) to the first impact, with the program's turns.
static bool run(ctWorld *world, bool *impact, ctError *error)
{
    bool hit = false, done = world->now >= world->frameEnd;
    for (;;) {
        ctRunLimits limits = {world->frameEnd, impact != NULL, world->steerAtImpacts};
        if (!ctSteer_Turn(world, &limits.until, error)) {
            return false;
        }
        if (hit || done) {
            break;
        }
        world->stepping = true;
        bool ok = ctWorld_RunEvents(world, &limits, error);
        world->stepping = false;
        if (!ok) {
            return false;
        }
        hit = impact != NULL && world->impactCount > 0;
        // After news at the very end of the frame, more may happen at the same moment.
        bool news = world->impactCount > world->impactsTold || world->sensorEventCount > world->visitsTold;
        bool goesOn = world->steerAtImpacts && news && world->frameEvents <= ctWorld_EventLimit(world);
        done = world->now >= world->frameEnd && !goesOn;
    }
    if (impact != NULL) {
        *impact = hit;
    }
    return true;
}

static bool step(ctWorld *world, bool *impact, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !ctSteer_MayStep(world, error)) {
        return false;
    }
    forgetEvents(world);
    beginFrame(world);
    bool ok = run(world, impact, error);
    if (!ok) {
        return false;
    }
    bool done = world->now >= world->frameEnd;
    if (done) {
        ok = ctForces_EndFrame(world, error);
    }
    world->sensorEventsTold = world->sensorEventCount;
    if (!ok) {
        return false;
    }
    if (done) {
        world->stats.frames++;
        ok = ctContact_EndFrame(world, error) && ctTouching_EndFrame(world, error);
        // Microcollisions bear bodies by lifting what sinks; docs/engine.md says what that does to the energy.
        if (world->def.audit && world->def.contact == ct_contactIsland) {
            ctWorld_AuditLedger(world);
        }
    }
    return ok;
}

bool ctWorld_Step(ctWorld *world, ctError *error)
{
    return step(world, NULL, error);
}

bool ctWorld_StepToImpact(ctWorld *world, bool *impact, ctError *error)
{
    bool ignored = false;
    impact = impact != NULL ? impact : &ignored;
    *impact = false;
    return step(world, impact, error);
}

double ctWorld_GetTime(const ctWorld *world)
{
    return world->now;
}

// ---- settings ---------------------------------------------------------------------------------

ctWorldDef ctWorld_GetSettings(const ctWorld *world)
{
    return world->def;
}

bool ctWorld_SetGravity(ctWorld *world, ctVec3 gravity, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !checkGravity(gravity, error) || !ctContact_EndSteps(world, error)) {
        return false;
    }
    // All bodies are first advanced under the old gravity.
    for (int i = 0; i < world->bodyCount; i++) {
        ctBody_Advance(world, world->order[i]);
    }
    ctVec3 change = ctSub(gravity, world->def.gravity);
    for (int i = 0; i < world->bodyCount; i++) {
        int index = world->order[i];
        ctEnergy_Give(world, index, -world->infos[index].mass * ctDot(change, world->bodies[index].x));
    }
    world->def.gravity = gravity;
    ctWorld_DeriveSettings(world);
    ctContact_WakeAll(world);
    for (int i = 0; i < world->bodyCount; i++) {
        ctBody *body = &world->bodies[world->order[i]];
        if (ctBody_IsFlying(body)) {
            body->a = ctBody_FreeAcceleration(world, world->order[i]);
        }
    }
    return ctWorld_AllCoursesChanged(world, error);
}

bool ctWorld_SetLaw(ctWorld *world, ctLaw law, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !checkLaw(law, error)) {
        return false;
    }
    world->def.law = law;
    return true;
}

bool ctWorld_SetContactMode(ctWorld *world, ctContactMode mode, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !checkContactMode(mode, error)) {
        return false;
    }
    if (mode == world->def.contact) {
        return true;
    }
    if (!ctContact_EndSteps(world, error)) {
        return false;
    }
    for (int i = 0; i < world->bodyCount; i++) {
        ctBody_Advance(world, world->order[i]);
    }
    ctContact_WakeAll(world);
    ctContact_ReleaseAll(world);
    world->def.contact = mode;
    return ctWorld_AllCoursesChanged(world, error);
}

bool ctWorld_SetFrameTime(ctWorld *world, double seconds, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !checkFrameTime(seconds, error)) {
        return false;
    }
    world->def.frameTime = seconds;
    world->frameBase = world->frameEnd = world->now;
    world->frame = 0;
    ctWorld_DeriveSettings(world);
    return true;
}

void ctWorld_SetAudit(ctWorld *world, bool on)
{
    world->def.audit = on;
    world->ledger.began = false;
}

bool ctWorld_SetThreads(ctWorld *world, int threads, const ctTaskHost *tasks, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !checkThreads(threads, tasks, error)) {
        return false;
    }
    ctContact_EndThreads(world); // new ones are started when they are needed
    world->def.threads = threads;
    world->def.tasks = tasks != NULL ? *tasks : (ctTaskHost){0};
    return true;
}

void ctWorld_SetProfiling(ctWorld *world, bool on)
{
    world->profiling = on;
}
