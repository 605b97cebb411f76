#include "tests/support/demos.h"
#include "collision/quat.h"
#include "tests/support/energy.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

static double lowest; // J: the least energy of the run so far, without the work of kinematic bodies

ctScene *ctDemo_Load(const char *name, const ctDemoSettings *settings)
{
    ctSceneOptions options = {.audit = true};
    if (settings != NULL) {
        options.settings = settings->list;
        options.settingCount = settings->count;
    }
    ctError error = {ct_ok, ""};
    ctScene *scene = ctScene_Load(name, &options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    lowest = INFINITY;
    return scene;
}

// Energy never rises: no frame ends above the lowest so far by more than 1e-5 of all energy there is and was lost, the
// work of pushing overlaps out included (a disk that falls flat is lifted by 20 micrometres).
void ctDemo_CheckEnergyFalls(const ctScene *scene)
{
    ctStats s = ctWorld_GetStats(scene->world);
    double energy = s.kineticEnergy + s.potentialEnergy - s.kinematicWork;
    double limit = 1e-5 * (ctTestTurnover(&s) + fabs(s.potentialEnergy));
    ck_assert_msg(energy <= lowest + limit, "%s gains %g J at %g s", scene->name, energy - lowest,
                  ctWorld_GetTime(scene->world));
    lowest = fmin(lowest, energy);
}

void ctDemo_StepTo(ctScene *scene, double time)
{
    double half = 0.5 * ctWorld_GetSettings(scene->world).frameTime;
    while (ctWorld_GetTime(scene->world) < time - half) {
        ctError error = {ct_ok, ""};
        ck_assert_msg(ctWorld_Step(scene->world, &error), "%s: %s", scene->name, error.message);
        ctDemo_CheckEnergyFalls(scene);
    }
}

// By how much of what friction, impacts and contact take and kinematic bodies give, the steps of contact are wrong.
static void checkStepError(const ctScene *scene)
{
    static const struct {
        const char *name;
        double limit;
    } demos[] = {{"superball", 0.0},  {"gas", 0.0},        {"tumble", 0.0},      {"marbles", 1e-11}, {"platter", 1e-11},
                 {"ramp", 1e-4},      {"bowling", 1e-4},   {"coins", 5e-4},      {"dominoes", 1e-3}, {"tower", 1e-3},
                 {"billiards", 1e-4}, {"galton", 2e-4},    {"rattleback", 1e-3}, {"disk", 1e-3},     {"sorter", 1e-4},
                 {"pinball", 1e-4},   {"marble_run", 3e-3}};
    ctStats s = ctWorld_GetStats(scene->world);
    double error = fabs(s.stepError) / ctTestTurnover(&s);
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        if (strcmp(demos[i].name, scene->name) == 0) {
            ck_assert_msg(error <= demos[i].limit, "%s: step error %g", scene->name, error);
            return;
        }
    }
    ck_abort_msg("%s has no limit", scene->name);
}

void ctDemo_CheckSound(const ctScene *scene, double overlap)
{
    const ctWorld *world = scene->world;
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_msg(stats.auditViolations == 0, "%s: %ld violations", scene->name, (long)stats.auditViolations);
    ck_assert_msg(stats.eventLimitHits == 0, "%s: events were skipped", scene->name);
    ck_assert_msg(stats.maxPenetration <= overlap, "%s: overlap %g m", scene->name, stats.maxPenetration);
    ctTestEnergy(world);
    checkStepError(scene);
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        ck_assert(ctIsFinite3(ctBody_GetCenter(world, id)) && ctIsFinite3(ctBody_GetSpin(world, id)));
    }
}

ctVec3 ctDemo_CenterOf(const ctScene *scene, const char *name)
{
    return ctBody_GetCenter(scene->world, ctMustFind(scene, name));
}

ctVec3 ctDemo_VelocityOf(const ctScene *scene, const char *name)
{
    return ctBody_GetVelocity(scene->world, ctMustFind(scene, name));
}
