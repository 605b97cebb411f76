// Quantities of bodies, and measures of the scene, over time: a sample per frame of the world.
#ifndef CT_SESSION_CURVES_H
#define CT_SESSION_CURVES_H

#include "render/session/sim_state.h"
#include "render/session/timeline.h"
#include "scenes/scene.h"

#define CT_CURVES 6

typedef enum ctCurveOf {
    ct_curveX,
    ct_curveY,
    ct_curveZ,
    ct_curveSpeed,
    ct_curveSpin,
    ct_curveEnergy, // kinetic
    ct_curveForce,  // of sustained contact
    ct_curveKinds,
    ct_curveMeasure = ct_curveKinds // of the scene, without a body
} ctCurveOf;

// A curve to sample.
typedef struct ctCurveWish {
    ctBodyId body;
    ctCurveOf of;
    int measure; // index into the scene's measures
} ctCurveWish;

typedef struct ctCurveSample {
    double time;
    double values[CT_CURVES]; // NAN: no value, for example of a removed body
} ctCurveSample;

// Samples that the thread of the simulation writes. The reader takes them and sets count to 0.
typedef struct ctCurveLog {
    ctCurveWish wishes[CT_CURVES];
    int wishCount;
    ctCurveSample *samples;
    int count, capacity;
} ctCurveLog;

typedef struct ctCurves {
    ctCurveWish wishes[CT_CURVES];
    char names[CT_CURVES][96];  // "speed of ball (m/s)"
    char bodies[CT_CURVES][64]; // or the names of measures
    int wishCount;
    ctCurveSample *samples; // in order of time
    int count, capacity;
} ctCurves;

const char *ctCurve_Name(ctCurveOf of); // "speed"
const char *ctCurve_Unit(ctCurveOf of); // "m/s"

// Adds a sample of the scene's world, which no other thread may use meanwhile. A measure that fails has no value.
bool ctCurveLog_Add(ctCurveLog *log, ctScene *scene, const ctSimState *state);
void ctCurveLog_Free(ctCurveLog *log);

// Adds a curve. False when there are CT_CURVES already. Earlier samples have no value of the new curve.
bool ctCurves_Add(ctCurves *curves, ctBodyId body, const char *name, ctCurveOf of);
void ctCurves_Remove(ctCurves *curves, int index);
bool ctCurves_AddMeasure(ctCurves *curves, const ctScene *scene, int measure);
// Computes past values of the curve of a body from the snapshots of the timeline, as densely as `seconds` of computing
// time allow. Measures have no past values. False when memory is short.
bool ctCurves_Backfill(ctCurves *curves, int index, const ctTimeline *timeline, double seconds);
// Takes the samples of a log. Samples of the curves at or after its first sample are dropped: the world was rewound.
bool ctCurves_Take(ctCurves *curves, ctCurveLog *log);
// For a new scene: finds bodies and measures again by their names, and drops all samples.
void ctCurves_Restart(ctCurves *curves, const ctScene *scene);
void ctCurves_Free(ctCurves *curves);

// Write a table with a column for the time and one for each curve; a picture of the curves over time, or of the second
// over the first.
bool ctCurves_WriteCsv(const ctCurves *curves, const char *path, ctError *error);
bool ctCurves_WriteSvg(const ctCurves *curves, bool phase, const char *path, ctError *error);

#endif
