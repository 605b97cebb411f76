// Finds the flat surfaces of a scene, and the bodies that shade them.
#ifndef CT_DRAW_STAGE_SHADES_H
#define CT_DRAW_STAGE_SHADES_H

#include "render/draw/stage.h"

void ctStage_AddShades(const ctStage *stage, const ctTransform *poses);

#endif
