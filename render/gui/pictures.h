// Small pictures for panels: PNG files on the GPU, loaded when they are first needed.
#ifndef CT_GUI_PICTURES_H
#define CT_GUI_PICTURES_H

#include "collision/types.h"

// The texture of the demo's picture in assets/gallery; 0 when there is none. Needs a current OpenGL context.
unsigned ctPictures_OfDemo(const char *name);
// Frees all pictures.
void ctPictures_Clear(void);

#endif
