// Finds the body under the pointer, in the poses that are shown.
#ifndef CT_DRAW_PICKING_H
#define CT_DRAW_PICKING_H

#include "render/draw/camera.h"
#include "render/draw/stage.h"

typedef struct ctPick {
    int ordinal; // -1: none
    double t;    // along the ray, m
    ctVec3 point;
} ctPick;

// The nearest body along a ray. Only shapes are read, so that another thread may step the world meanwhile.
ctPick ctPick_Body(const ctStage *stage, const ctTransform *poses, ctRay ray);

#endif
