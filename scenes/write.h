// A world as the text of a scene that makes it again as it is now.
#ifndef CT_SCENE_WRITE_H
#define CT_SCENE_WRITE_H

#include "scenes/scene.h"

// Bodies with their shapes, masses, places, velocities, materials and looks, the settings and the cameras. Not: what
// the script does while it runs, measures, annotations, paths. The text is to be freed with free. NULL with an error
// when memory is short or a body's shape cannot be said (a terrain).
char *ctScene_Write(const ctScene *scene, ctError *error);

#endif
