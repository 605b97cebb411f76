// A scene's labels and histograms, and the legend of the overlays, drawn over the picture.
#ifndef CT_GUI_ANNOTATIONS_H
#define CT_GUI_ANNOTATIONS_H

#include "render/draw/camera.h"
#include "render/gui/imgui_c.h"
#include "render/session/sim_state.h"
#include "scenes/scene.h"

// The part of the picture to draw into.
typedef struct ctCanvasPart {
    const ctView *view;
    float width, height; // of the picture, pixels
    ctRect free;         // the free part of the picture, for drawings without a place in the world
    float unit;          // pixels per unit of the interface
} ctCanvasPart;

// Text centred at a point of the world, with a shadow that keeps it legible. False when the point is out of sight.
bool ctLabel_At(const ctCanvasPart *part, ctVec3 point, ctRgba color, const char *text);
// poses: of the bodies by ordinal.
void ctAnnotations_Labels(const ctCanvasPart *part, const ctAnnotations *annotations, const ctTransform *poses,
                          int count);
// Drawn in the lower right corner of the free part.
void ctAnnotations_Histograms(const ctCanvasPart *part, const ctScene *scene, const ctSimState *state);

typedef struct ctLegendRow {
    ctRgba color;
    const char *text;
    bool arrow; // otherwise a line
} ctLegendRow;
// Drawn in the upper right corner of the free part.
void ctLegend_Draw(const ctCanvasPart *part, const ctLegendRow *rows, int count);

// Counts the bodies in each of the histogram->bins bins; values outside are left out. Returns the number of all bodies.
int ctHistogram_Count(const ctSceneHistogram *histogram, const ctScene *scene, const ctSimState *state, int *counts);

#endif
