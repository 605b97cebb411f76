// The surfaces of half-spaces.
#ifndef CT_DRAW_GROUND_H
#define CT_DRAW_GROUND_H

#include "render/draw/renderer_internal.h"

// A plane as it is drawn: as far as the fog hides it.
typedef struct ctGroundPlace {
    ctVec3 center, x, y; // a point below the camera's target, two axes
    double radius;       // m; the plane is drawn at least that far from its centre
    ctVec3 corners[4];   // of what is drawn
    bool split;          // shadows can lie only between the inner corners; else anywhere, if there are any
    bool shadowed;
    double outer[4][2], inner[4][2]; // corners along the axes, m
} ctGroundPlace;

ctGroundPlace ctRenderer_PlaceGround(const ctRenderer *r, const ctGroundItem *item);
bool ctRenderer_DrawGround(ctRenderer *r, const ctGroundItem *item, ctError *error);

#endif
