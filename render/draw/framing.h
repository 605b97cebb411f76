// Where to look from when nobody has said: what there is to see, and a view that it fills.
#ifndef CT_DRAW_FRAMING_H
#define CT_DRAW_FRAMING_H

#include "render/draw/stage.h"

// The box around what a person wants to see: bodies that move, fixed ones that are not much larger, and the nearest
// points of planes that are not far. False when there is nothing but planes; the box is then a metre about the origin.
bool ctFraming_OfStage(const ctStage *stage, const ctTransform *poses, ctVec3 *lo, ctVec3 *hi);
// The same for a world as it is now.
bool ctFraming_OfScene(const ctScene *scene, ctVec3 *lo, ctVec3 *hi);

// A view from in front and above that the scene's bodies fill.
ctView ctFraming_View(const ctScene *scene);

// The side of a floor's squares: 1, 2 or 5 times a power of ten metres, a few of them in the view of the first camera.
double ctFraming_FloorCell(const ctScene *scene);

#endif
