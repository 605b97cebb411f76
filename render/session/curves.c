#include "render/session/curves.h"

#include "collision/memory.h"
#include "collision/vec3.h"
#include "render/session/curves_internal.h"
#include "scenes/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAMPLES_MAX 72000 // twenty minutes at 60 per second; then every second sample is dropped

static const struct {
    const char *name, *unit;
} kinds[ct_curveKinds + 1] = {
    [ct_curveX] = {"x", "m"},
    [ct_curveY] = {"y", "m"},
    [ct_curveZ] = {"height", "m"},
    [ct_curveSpeed] = {"speed", "m/s"},
    [ct_curveSpin] = {"spin", "rad/s"},
    [ct_curveEnergy] = {"kinetic energy", "J"},
    [ct_curveForce] = {"contact force", "N"},
    [ct_curveMeasure] = {"measure", ""},
};

const char *ctCurve_Name(ctCurveOf of)
{
    return kinds[of].name;
}

const char *ctCurve_Unit(ctCurveOf of)
{
    return kinds[of].unit;
}

double ctCurve_ValueOf(const ctWorld *world, const ctBodyState *body, ctCurveOf of)
{
    switch (of) {
    case ct_curveX:
        return body->center.x;
    case ct_curveY:
        return body->center.y;
    case ct_curveZ:
        return body->center.z;
    case ct_curveSpeed:
        return ctLength(body->velocity);
    case ct_curveSpin:
        return ctLength(body->spin);
    case ct_curveEnergy:
        return ctBody_GetKineticEnergy(world, body->id);
    default:
        return ctBody_GetTally(world, body->id).contactForce;
    }
}

static double sampleOf(const ctCurveWish *wish, ctScene *scene, const ctSimState *state)
{
    double value = NAN;
    if (wish->of == ct_curveMeasure) {
        return wish->measure < scene->measureCount && ctScene_Measure(scene, wish->measure, &value, NULL) ? value : NAN;
    }
    int ordinal = ctBody_GetOrdinal(scene->world, wish->body);
    return ordinal >= 0 && ordinal < state->count ? ctCurve_ValueOf(scene->world, &state->bodies[ordinal], wish->of)
                                                  : NAN;
}

bool ctCurveLog_Add(ctCurveLog *log, ctScene *scene, const ctSimState *state)
{
    if (log->wishCount == 0) {
        return true;
    }
    if (!ctReserve((void **)&log->samples, &log->capacity, log->count + 1, sizeof(ctCurveSample))) {
        return false;
    }
    ctCurveSample *sample = &log->samples[log->count++];
    sample->time = state->time;
    for (int k = 0; k < CT_CURVES; k++) {
        sample->values[k] = k < log->wishCount ? sampleOf(&log->wishes[k], scene, state) : NAN;
    }
    return true;
}

void ctCurveLog_Free(ctCurveLog *log)
{
    ctFree(log->samples);
    *log = (ctCurveLog){0};
}

bool ctCurves_Add(ctCurves *c, ctBodyId body, const char *name, ctCurveOf of)
{
    int k = c->wishCount;
    if (k == CT_CURVES) {
        return false;
    }
    c->wishes[k] = (ctCurveWish){body, of, 0};
    snprintf(c->bodies[k], sizeof c->bodies[k], "%s", name);
    snprintf(c->names[k], sizeof c->names[k], "%s of %.50s (%s)", kinds[of].name, name, kinds[of].unit);
    c->wishCount = k + 1;
    return true;
}

bool ctCurves_AddMeasure(ctCurves *c, const ctScene *scene, int measure)
{
    int k = c->wishCount;
    if (k == CT_CURVES) {
        return false;
    }
    c->wishes[k] = (ctCurveWish){{0}, ct_curveMeasure, measure};
    snprintf(c->bodies[k], sizeof c->bodies[k], "%s", scene->measures[measure].name);
    snprintf(c->names[k], sizeof c->names[k], "%s", scene->measures[measure].label);
    c->wishCount = k + 1;
    return true;
}

void ctCurves_Remove(ctCurves *c, int index)
{
    for (int k = index; k + 1 < c->wishCount; k++) {
        c->wishes[k] = c->wishes[k + 1];
        memcpy(c->bodies[k], c->bodies[k + 1], sizeof c->bodies[k]);
        memcpy(c->names[k], c->names[k + 1], sizeof c->names[k]);
    }
    for (int i = 0; i < c->count; i++) {
        double *v = c->samples[i].values;
        memmove(v + index, v + index + 1, (size_t)(CT_CURVES - 1 - index) * sizeof *v);
        v[CT_CURVES - 1] = NAN;
    }
    c->wishCount--;
    c->count = c->wishCount > 0 ? c->count : 0;
}

bool ctCurves_Take(ctCurves *c, ctCurveLog *log)
{
    if (log->count == 0) {
        return true;
    }
    while (c->count > 0 && c->samples[c->count - 1].time >= log->samples[0].time - 1e-12) {
        c->count--;
    }
    if (c->count + log->count > SAMPLES_MAX) {
        int kept = 0;
        for (int i = 0; i < c->count; i += 2) {
            c->samples[kept++] = c->samples[i];
        }
        c->count = kept;
    }
    bool room = ctReserve((void **)&c->samples, &c->capacity, c->count + log->count, sizeof(ctCurveSample));
    if (room) {
        memcpy(c->samples + c->count, log->samples, (size_t)log->count * sizeof(ctCurveSample));
        c->count += log->count;
    }
    log->count = 0;
    return room;
}

static int findMeasure(const ctScene *scene, const char *name)
{
    for (int i = 0; i < scene->measureCount; i++) {
        if (strncmp(scene->measures[i].name, name, sizeof((ctCurves *)0)->bodies[0] - 1) == 0) {
            return i;
        }
    }
    return -1;
}

void ctCurves_Restart(ctCurves *c, const ctScene *scene)
{
    c->count = 0;
    for (int k = c->wishCount - 1; k >= 0; k--) {
        ctCurveWish *wish = &c->wishes[k];
        if (wish->of == ct_curveMeasure) {
            wish->measure = findMeasure(scene, c->bodies[k]);
        } else {
            wish->body = ctWorld_FindBody(scene->world, c->bodies[k]);
        }
        if (wish->of == ct_curveMeasure ? wish->measure < 0 : wish->body.index1 == 0) {
            ctCurves_Remove(c, k);
        }
    }
}

void ctCurves_Free(ctCurves *c)
{
    ctFree(c->samples);
    *c = (ctCurves){0};
}
