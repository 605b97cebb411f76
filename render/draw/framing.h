// The default view: the box around the bodies of interest, and a view that the box fills.
#ifndef CT_DRAW_FRAMING_H
#define CT_DRAW_FRAMING_H

#include "render/draw/stage.h"

// The box around the bodies of interest: bodies that move, fixed bodies that are not much larger, and the nearest
// points of near planes. False when there are only planes; the box is then a metre about the origin.
bool ctFraming_OfStage(const ctStage *stage, const ctTransform *poses, ctVec3 *lo, ctVec3 *hi);
// The same for the present state of the scene's world.
bool ctFraming_OfScene(const ctScene *scene, ctVec3 *lo, ctVec3 *hi);

// A view from the front and above that the scene's bodies fill.
ctView ctFraming_View(const ctScene *scene);

// The side of a floor's squares: 1, 2 or 5 times a power of ten metres, a few of them in the view of the first camera.
double ctFraming_FloorCell(const ctScene *scene);

#endif
