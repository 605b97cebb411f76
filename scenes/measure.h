// Measures: numbers that say what came of a run. A script writes its own with measure(); some are built in. Both see
// the run through a journal of what is gone when the run ends: first impacts, samples per frame, the time of rest.
// docs/scenes.md describes them.
#ifndef CT_MEASURE_H
#define CT_MEASURE_H

#include "scenes/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A measure that is asked for by name: one of the scene's, or one that is built in.
typedef struct ctMeasureRef {
    int own;         // index into ctScene.measures; -1: built in
    int kind;        // of the built-in ones
    ctBodyId a, b;   // the bodies that it is about; null where there are none
    char label[192]; // for a person, with its unit
} ctMeasureRef;

// Advances the world by one frame and keeps the journal.
bool ctScene_Step(ctScene *scene, ctError *error);
// For callers that advance the world themselves: to be called after each step. frameEnd: a frame is complete.
bool ctScene_Observe(ctScene *scene, bool frameEnd, ctError *error);
// To be called when the world was put back to an earlier state.
bool ctScene_WentBack(ctScene *scene, ctError *error);

// Brings the labels up to date whose text a function of the script gives. False as ctMeasure_Value.
bool ctScene_UpdateLabels(ctScene *scene, ctError *error);

// Finds a measure by its name, such as "pins down" or "first_impact(ball, pin 1)". The reference holds for this scene,
// and for the same script loaded with other parameters as long as it makes the same bodies and measures.
bool ctMeasure_Find(const ctScene *scene, const char *name, ctMeasureRef *measure, ctError *error);
// The value now; NAN when there is none, as for the time of an impact that has not happened. False with
// "FILE:LINE: what is wrong" when the script's function fails or gives no number.
bool ctMeasure_Value(ctScene *scene, const ctMeasureRef *measure, double *value, ctError *error);
// The same for a measure of the scene's own.
bool ctScene_Measure(ctScene *scene, int index, double *value, ctError *error);

// Whether every body that can move sleeps, as of the last frame.
bool ctScene_IsAtRest(const ctScene *scene);

// The built-in measures in words, a line each, for --help.
const char *ctMeasure_Help(void);

#ifdef __cplusplus
}
#endif

#endif
