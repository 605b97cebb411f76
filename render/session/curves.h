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

// Which ones to sample.
typedef struct ctCurveWish {
    ctBodyId body;
    ctCurveOf of;
    int measure; // its number in the scene
} ctCurveWish;

typedef struct ctCurveSample {
    double time;
    double values[CT_CURVES]; // NAN where the body is gone
} ctCurveSample;

// What the thread of the simulation leaves for the reader, who sets count to 0.
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

// A sample of the scene's world, which nobody else may use meanwhile. A measure that fails has no value.
bool ctCurveLog_Add(ctCurveLog *log, ctScene *scene, const ctSimState *state);
void ctCurveLog_Free(ctCurveLog *log);

// False when there is no room for one more. What was sampled before it came has no value of it.
bool ctCurves_Add(ctCurves *curves, ctBodyId body, const char *name, ctCurveOf of);
void ctCurves_Remove(ctCurves *curves, int index);
bool ctCurves_AddMeasure(ctCurves *curves, const ctScene *scene, int measure);
// Gives the curve of a body its values of the past, from what the timeline has kept, as densely as seconds of computing
// allow. Of a measure nothing is known but while it is watched. False when memory is short.
bool ctCurves_Backfill(ctCurves *curves, int index, const ctTimeline *timeline, double seconds);
// Takes the samples of a log. Those of the curves at or after the first of them did not happen.
bool ctCurves_Take(ctCurves *curves, ctCurveLog *log);
// A new scene: bodies and measures are found again by their names, samples go.
void ctCurves_Restart(ctCurves *curves, const ctScene *scene);
void ctCurves_Free(ctCurves *curves);

// A table with a column for the time and one for each curve; a picture of them over time, or of the second over the
// first.
bool ctCurves_WriteCsv(const ctCurves *curves, const char *path, ctError *error);
bool ctCurves_WriteSvg(const ctCurves *curves, bool phase, const char *path, ctError *error);

#endif
