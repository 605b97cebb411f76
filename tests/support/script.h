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

#endif
