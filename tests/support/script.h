// Scenes from text, for tests.
#ifndef CT_TEST_SCRIPT_H
#define CT_TEST_SCRIPT_H

#include "scenes/scene.h"

// Loads a script given as text, through a temporary file. NULL on failure, with the error.
ctScene *ctLoadText(const char *text, const ctSceneOptions *options, ctError *error);

// The same; the test fails when the script does.
ctScene *ctMustLoadText(const char *text, const ctSceneOptions *options);

// The body of that name; the test fails when there is none.
ctBodyId ctMustFind(const ctScene *scene, const char *name);

// Steps a scene until a time, s; the test fails when a step does.
void ctRunScene(ctScene *scene, double seconds);

// What a measure says now; the test fails when it does not.
double ctMeasureNow(ctScene *scene, const char *name);

#endif
