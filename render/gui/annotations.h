// A scene's labels and histograms, and the legend of the overlays, drawn over the picture.
#ifndef CT_GUI_ANNOTATIONS_H
#define CT_GUI_ANNOTATIONS_H

#include "render/draw/camera.h"
#include "render/gui/imgui_c.h"
#include "render/session/sim_state.h"
#include "scenes/scene.h"

// The part of the picture to draw into, and how.
typedef struct ctCanvasPart {
    const ctView *view;
    float width, height; // of the picture, pixels
    ctRect free;         // of it, for what has no place in the world
    float unit;          // pixels per unit of the interface
} ctCanvasPart;

// Text at a point of the world, in the middle of it, with a shadow that keeps it legible. False when out of sight.
bool ctLabel_At(const ctCanvasPart *part, ctVec3 point, ctRgba color, const char *text);
// poses: of the bodies by ordinal.
void ctAnnotations_Labels(const ctCanvasPart *part, const ctAnnotations *annotations, const ctTransform *poses,
                          int count);
// In the lower right corner of the free part.
void ctAnnotations_Histograms(const ctCanvasPart *part, const ctScene *scene, const ctSimState *state);

typedef struct ctLegendRow {
    ctRgba color;
    const char *text;
    bool arrow; // otherwise a line
} ctLegendRow;
// In the upper right corner of the free part.
void ctLegend_Draw(const ctCanvasPart *part, const ctLegendRow *rows, int count);

// How many bodies are in which bin: counts of histogram->bins, those outside left out. Returns how many bodies there
// are in all.
int ctHistogram_Count(const ctSceneHistogram *histogram, const ctScene *scene, const ctSimState *state, int *counts);

#endif
