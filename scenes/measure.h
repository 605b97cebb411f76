// Measures: numbers that describe the result of a run. A script defines its own with measure(); others are built in.
// Both read the world and the journal of the run: first impacts, samples per frame, the time of rest. docs/scenes.md
// describes them.
#ifndef CT_MEASURE_H
#define CT_MEASURE_H

#include "scenes/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A measure found by its name: one of the scene's, or a built-in one.
typedef struct ctMeasureRef {
    int own;         // index into ctScene.measures; -1: built in
    int kind;        // of a built-in measure
    ctBodyId a, b;   // the bodies that it measures; null: none
    char label[192]; // for people, with the unit
} ctMeasureRef;

// Advances the world by one frame and updates the journal.
bool ctScene_Step(ctScene *scene, ctError *error);
// Updates the journal. Callers that advance the world themselves call this after each step. frameEnd: a frame is
// complete.
bool ctScene_Observe(ctScene *scene, bool frameEnd, ctError *error);
// To be called after the world has been restored to an earlier state.
bool ctScene_WentBack(ctScene *scene, ctError *error);

// Updates the labels whose text is a function of the script. False as ctMeasure_Value.
bool ctScene_UpdateLabels(ctScene *scene, ctError *error);

// Finds a measure by its name, such as "pins down" or "first_impact(ball, pin 1)". The reference holds for this scene,
// and for the same script loaded with other parameters as long as it makes the same bodies and measures.
bool ctMeasure_Find(const ctScene *scene, const char *name, ctMeasureRef *measure, ctError *error);
// The present value; NAN when it does not exist, as the time of an impact that has not happened. False with
// "FILE:LINE: what is wrong" when the script's function fails or returns no number.
bool ctMeasure_Value(ctScene *scene, const ctMeasureRef *measure, double *value, ctError *error);
// The same for a measure of the scene; index into ctScene.measures.
bool ctScene_Measure(ctScene *scene, int index, double *value, ctError *error);

// Whether every body that can move was asleep at the end of the last frame.
bool ctScene_IsAtRest(const ctScene *scene);

// The built-in measures in words, a line each, for --help.
const char *ctMeasure_Help(void);

#ifdef __cplusplus
}
#endif

#endif
