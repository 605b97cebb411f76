// Writes a world as the text of a scene that makes the same world in its present state.
#ifndef CT_SCENE_WRITE_H
#define CT_SCENE_WRITE_H

#include "scenes/scene.h"

// The text has the bodies with their shapes, masses, places, velocities, materials and looks, the settings and the
// cameras. It has no callbacks, measures, annotations or paths. The text is to be freed with free. NULL with an error
// when memory is short or the language cannot express a body's shape (a terrain).
char *ctScene_Write(const ctScene *scene, ctError *error);

#endif
