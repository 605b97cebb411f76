// clatter sim: a scene without graphics. Trace, events and statistics go to files; a summary goes to the terminal.
#include "app/app.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/scene_options.h"
#include "app/trace.h"
#include "collision/clock.h"
#include "collision/error.h"
#include "render/files/atomic_file.h"
#include "scenes/measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The options of the command line.
typedef struct Arguments {
    ctSceneArguments scene;
    const char *name; // of the scene
    bool hasSeconds;
    double seconds;
    const char *trace, *events, *stats;
} Arguments;

// The files that a run writes.
typedef struct Outputs {
    ctAtomicFile trace, events, stats;
} Outputs;

// The results of the run.
typedef struct Run {
    double cpu;         // s
    double energyStart; // J
    double energyEnd;
    double given;     // J: energy that the scene's script has added during the run
    double *measures; // one value per measure of the scene; NAN: no value
} Run;

static bool isStandard(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static int complain(const ctError *error)
{
    fprintf(stderr, "clatter: %s\n", error->message);
    return error->status == ct_badArgument ? CT_EXIT_USAGE : CT_EXIT_FAILED; // a script that fails is bad input
}

// ---- options ----------------------------------------------------------------------------------

// False: exit with *status.
static bool readArguments(Arguments *arguments, int argc, char **argv, int *status)
{
    ctSceneArguments *scene = &arguments->scene;
    ctSceneArguments_UseAllCores(scene);
    const ctOption options[] = {
        CT_NUMBER("seconds", &arguments->seconds, &arguments->hasSeconds, "S", 0.0, 1e6,
                  "simulated time (the scene's own)"),
        CT_TEXT("trace", &arguments->trace, "FILE.csv", "every body at the start and after each frame"),
        CT_TEXT("events", &arguments->events, "FILE.csv", "every impact: where, how fast, what impulse"),
        CT_TEXT("stats", &arguments->stats, "FILE.json", "sums of the run"),
        CT_FLAG("audit", &scene->scene.audit, "check every impulse against what physics permits, and every overlap"),
        CT_SCENE_OPTIONS(scene),
        CT_THREADS_OPTION(scene),
        CT_ROW_OPTION(scene),
        {.name = NULL},
    };
    const ctOptionSet set = {
        .command = "sim",
        .usage = "clatter sim SCENE [options]\n",
        .notes = "SCENE is a demo's name (clatter list) or a path to a .lua file. - as a FILE is standard output.\n",
        .options = options,
        .words = &arguments->name,
        .maxWords = 1};
    int words = 0;
    if (!ctParseOptions(&set, argc, argv, &words, status)) {
        return false;
    }
    if (words < 1) {
        fputs("clatter: sim needs a scene; clatter list names the demos\n", stderr);
        *status = CT_EXIT_USAGE;
        return false;
    }
    if (isStandard(arguments->trace) + isStandard(arguments->events) + isStandard(arguments->stats) > 1) {
        fputs("clatter: sim: only one of --trace, --events and --stats can go to standard output\n", stderr);
        *status = CT_EXIT_USAGE;
        return false;
    }
    const ctNamedFile files[] = {
        {"trace", arguments->trace}, {"events", arguments->events}, {"stats", arguments->stats}};
    ctError error = {ct_ok, ""};
    if (!ctCheckFilesDiffer(files, 3, &error)) {
        fprintf(stderr, "clatter: sim: %s\n", error.message);
        *status = CT_EXIT_USAGE;
        return false;
    }
    return true;
}

// ---- files ------------------------------------------------------------------------------------

static bool openOutputs(Outputs *out, const Arguments *arguments, ctError *error)
{
    if ((arguments->trace != NULL && !ctAtomicFile_Open(&out->trace, arguments->trace, error)) ||
        (arguments->events != NULL && !ctAtomicFile_Open(&out->events, arguments->events, error)) ||
        (arguments->stats != NULL && !ctAtomicFile_Open(&out->stats, arguments->stats, error))) {
        return false;
    }
    if (out->trace.stream != NULL) {
        fputs(CT_TRACE_HEADER "\n", out->trace.stream);
    }
    if (out->events.stream != NULL) {
        fputs("time,kind,body1,body2,x,y,z,nx,ny,nz,ux,uy,uz,px,py,pz,energy\n", out->events.stream);
    }
    return true;
}

static bool commitOutputs(Outputs *out, ctError *error)
{
    ctAtomicFile *files[] = {&out->trace, &out->events, &out->stats};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i]->stream != NULL && !ctAtomicFile_Commit(files[i], error)) {
            return false;
        }
    }
    return true;
}

// Whether a write has failed, as to a pipe that is closed. ctAtomicFile_Commit then says why.
static bool cannotWrite(const Outputs *out)
{
    return (out->trace.stream != NULL && ferror(out->trace.stream) != 0) ||
           (out->events.stream != NULL && ferror(out->events.stream) != 0);
}

static void abortOutputs(Outputs *out)
{
    ctAtomicFile_Abort(&out->trace);
    ctAtomicFile_Abort(&out->events);
    ctAtomicFile_Abort(&out->stats);
}

// The events of the last frame.
static void writeEvents(FILE *out, const ctWorld *world)
{
    const ctImpact *impacts;
    int count = ctWorld_GetImpacts(world, &impacts);
    for (int i = 0; i < count; i++) {
        const ctImpact *m = &impacts[i];
        fprintf(out, "%.17g,%s,%s,%s", m->time, m->kind == ct_eventMicro ? "micro" : "impact",
                ctBody_GetName(world, m->body1), ctBody_GetName(world, m->body2));
        ctTrace_WriteVec3(out, m->point);
        ctTrace_WriteVec3(out, m->normal);
        ctTrace_WriteVec3(out, m->velocity);
        ctTrace_WriteVec3(out, m->impulse);
        fprintf(out, ",%.17g\n", m->energyLost);
    }
}

static double totalEnergy(const ctWorld *world)
{
    ctStats s = ctWorld_GetStats(world);
    return s.kineticEnergy + s.potentialEnergy;
}

// The change of energy minus all work and losses that the statistics account for: rounding errors remain.
static double unaccounted(const Run *run, const ctStats *s)
{
    double gained = s->kinematicWork + s->pushWork + s->stepError + s->driveWork + run->given;
    double lost = s->frictionLoss + s->restitutionLoss + s->contactLoss;
    return run->energyEnd - run->energyStart - gained + lost;
}

static double factor(double simulated, double cpu)
{
    return simulated / (cpu > 1e-9 ? cpu : 1e-9);
}

// The scene's measures by name; null where one has no value.
static void writeMeasures(FILE *out, const ctScene *scene, const double *values)
{
    fputs("  \"measures\": {", out);
    for (int i = 0; i < scene->measureCount; i++) {
        fprintf(out, isnan(values[i]) ? "%s\n    \"%s\": null" : "%s\n    \"%s\": %.17g", i > 0 ? "," : "",
                scene->measures[i].name, values[i]);
    }
    fputs(scene->measureCount > 0 ? "\n  },\n" : "},\n", out);
}

static void writeStats(FILE *out, const ctScene *scene, const Run *run)
{
    const ctWorld *world = scene->world;
    ctStats s = ctWorld_GetStats(world);
    double simulated = ctWorld_GetTime(world);
    fprintf(out, "{\n  \"simulated_s\": %.17g,\n  \"cpu_s\": %.6f,\n  \"realtime_factor\": %.6g,\n", simulated,
            run->cpu, factor(simulated, run->cpu));
    fprintf(out, "  \"impacts\": %" PRId64 ",\n  \"microcollisions\": %" PRId64 ",\n", s.impacts, s.microcollisions);
    fprintf(out, "  \"contact_steps\": %" PRId64 ",\n  \"distance_checks\": %" PRId64 ",\n", s.contactSteps,
            s.distanceChecks);
    fprintf(out, "  \"max_penetration_m\": %.17g,\n", s.maxPenetration);
    fprintf(out, "  \"energy_start_j\": %.17g,\n  \"energy_end_j\": %.17g,\n", run->energyStart, run->energyEnd);
    fprintf(out, "  \"friction_loss_j\": %.17g,\n  \"restitution_loss_j\": %.17g,\n  \"contact_loss_j\": %.17g,\n",
            s.frictionLoss, s.restitutionLoss, s.contactLoss);
    fprintf(out, "  \"kinematic_work_j\": %.17g,\n  \"push_work_j\": %.17g,\n  \"step_error_j\": %.17g,\n",
            s.kinematicWork, s.pushWork, s.stepError);
    fprintf(out, "  \"drive_work_j\": %.17g,\n  \"given_j\": %.17g,\n", s.driveWork, run->given);
    fprintf(out, "  \"audit_violations\": %" PRId64 ",\n  \"asleep\": %d,\n", s.auditViolations, s.asleep);
    fprintf(out, "  \"event_limit_hits\": %" PRId64 ",\n", s.eventLimitHits);
    writeMeasures(out, scene, run->measures);
    fprintf(out, "  \"state_hash\": \"%016" PRIx64 "\"\n}\n", ctWorld_Hash(world));
}

// ---- the run ----------------------------------------------------------------------------------

static bool simulate(ctScene *scene, double seconds, Outputs *out, Run *run, ctError *error)
{
    ctWorld *world = scene->world;
    double frameTime = ctWorld_GetSettings(world).frameTime;
    int64_t frames = (int64_t)ceil(seconds / frameTime * (1.0 - 1e-12));
    ctProgress progress = ctProgress_Begin("frames", (double)frames);
    bool ok = true;
    run->energyStart = totalEnergy(world);
    double given = ctWorld_GetStats(world).givenEnergy;
    if (out->trace.stream != NULL) {
        ctTrace_Write(out->trace.stream, world);
    }
    for (int64_t i = 0; i < frames && ok && !cannotWrite(out); i++) {
        double start = ctClock_Process();
        ok = ctScene_Step(scene, error);
        run->cpu += ctClock_Process() - start;
        if (ok && out->trace.stream != NULL) {
            ctTrace_Write(out->trace.stream, world);
        }
        if (ok && out->events.stream != NULL) {
            writeEvents(out->events.stream, world);
        }
        ctProgress_Update(&progress, (double)(i + 1));
        ok = ok && ctInterrupt_Check(error);
    }
    ctProgress_End(&progress);
    run->energyEnd = totalEnergy(world);
    run->given = ctWorld_GetStats(world).givenEnergy - given;
    return ok;
}

static bool takeMeasures(ctScene *scene, Run *run, ctError *error)
{
    run->measures = calloc((size_t)scene->measureCount + 1, sizeof *run->measures);
    if (run->measures == NULL) {
        return ctFailMemory(error, "measures");
    }
    for (int i = 0; i < scene->measureCount; i++) {
        if (!ctScene_Measure(scene, i, &run->measures[i], error)) {
            return false;
        }
    }
    return true;
}

// Violations by kind, and the first of them.
static void printAudit(FILE *out, const ctWorld *world, int64_t violations)
{
    ctAudit audit = ctWorld_GetAudit(world);
    fprintf(out, "  audit       %" PRId64 " violations", violations);
    const char *separator = ": ";
    for (int k = 0; k < ct_auditKinds; k++) {
        if (audit.counts[k] > 0) {
            fprintf(out, "%s%" PRId64 " %s", separator, audit.counts[k], ctAuditKind_Name((ctAuditKind)k));
            separator = ", ";
        }
    }
    if (separator[0] == ',') {
        fprintf(out, "\n              the first at %.6g s: %s", audit.firstTime, ctAuditKind_Name(audit.firstKind));
        if (audit.firstBodies[0].index1 != 0) {
            fprintf(out, ", %s with %s", ctBody_GetName(world, audit.firstBodies[0]),
                    ctBody_GetName(world, audit.firstBodies[1]));
        }
    }
    fputc('\n', out);
}

// `out` is standard error when another output uses standard output.
static void printSummary(FILE *out, const ctScene *scene, const Run *run)
{
    const ctWorld *world = scene->world;
    ctStats s = ctWorld_GetStats(world);
    double simulated = ctWorld_GetTime(world);
    fprintf(out, "%s: %.4g s simulated in %.3g s of CPU (%.3g times real time)\n", scene->title, simulated, run->cpu,
            factor(simulated, run->cpu));
    fprintf(out, "  bodies      %d, of which %d move and %d sleep\n", s.bodies, s.dynamicBodies, s.asleep);
    fprintf(out,
            "  impacts     %" PRId64 "   microcollisions %" PRId64 "   contact steps %" PRId64
            "   distance checks %" PRId64 "\n",
            s.impacts, s.microcollisions, s.contactSteps, s.distanceChecks);
    fprintf(out, "  energy      %.6g J -> %.6g J; lost to friction %.4g J, restitution %.4g J, contact %.4g J\n",
            run->energyStart, run->energyEnd, s.frictionLoss, s.restitutionLoss, s.contactLoss);
    fprintf(out,
            "              work of kinematic bodies %.4g J, of torques and drag %.4g J, of the script %.4g J, of "
            "pushing overlaps apart and lifting %.4g J; error of "
            "contact steps %.3g J; "
            "unaccounted %.2g J\n",
            s.kinematicWork, s.driveWork, run->given, s.pushWork, s.stepError, unaccounted(run, &s));
    fprintf(out, "  overlap     %.3g m at most\n", s.maxPenetration);
    if (s.eventLimitHits > 0) {
        fprintf(out, "  cut short   %" PRId64 " frames had too many events\n", s.eventLimitHits);
    }
    if (ctWorld_GetSettings(world).audit) {
        printAudit(out, world, s.auditViolations);
    }
    for (int i = 0; i < scene->measureCount; i++) {
        fprintf(out, isnan(run->measures[i]) ? "  measure     %s: none\n" : "  measure     %s: %.9g\n",
                scene->measures[i].label, run->measures[i]);
    }
    fprintf(out, "  state       %016" PRIx64 "\n", ctWorld_Hash(world));
}

// --audit ends with status 1 when there is a violation.
static int auditStatus(const ctWorld *world)
{
    bool bad = ctWorld_GetSettings(world).audit && ctWorld_GetStats(world).auditViolations > 0;
    return bad ? CT_EXIT_FAILED : CT_EXIT_OK;
}

static int runScene(ctScene *scene, const Arguments *arguments)
{
    ctError error = {ct_ok, ""};
    Outputs out;
    memset(&out, 0, sizeof out);
    Run run = {0};
    double seconds = arguments->hasSeconds               ? arguments->seconds
                     : arguments->scene.rowSeconds > 0.0 ? arguments->scene.rowSeconds
                                                         : scene->seconds;
    ctInterrupt_Watch();
    bool ok = openOutputs(&out, arguments, &error) && simulate(scene, seconds, &out, &run, &error) &&
              takeMeasures(scene, &run, &error);
    if (ok && out.stats.stream != NULL) {
        writeStats(out.stats.stream, scene, &run);
    }
    ok = ok && commitOutputs(&out, &error);
    if (ok) {
        bool taken = isStandard(arguments->trace) || isStandard(arguments->events) || isStandard(arguments->stats);
        printSummary(taken ? stderr : stdout, scene, &run);
    } else {
        abortOutputs(&out);
    }
    free(run.measures);
    return ok ? auditStatus(scene->world) : complain(&error);
}

int ctCommandSim(int argc, char **argv)
{
    Arguments arguments;
    memset(&arguments, 0, sizeof arguments);
    int status;
    if (!readArguments(&arguments, argc, argv, &status)) {
        return status;
    }
    ctError error = {ct_ok, ""};
    if (!ctApplyRow(&arguments.scene, arguments.name, &error)) {
        complain(&error);
        return CT_EXIT_USAGE;
    }
    ctScene *scene = ctLoadSceneOrComplain(arguments.name, &arguments.scene);
    if (scene == NULL) {
        return CT_EXIT_USAGE;
    }
    status = runScene(scene, &arguments);
    ctScene_Destroy(scene);
    return status;
}
