// Annotations of a scene: labels, curves, histograms, and the overlays that are on at the start.
#ifndef CT_ANNOTATIONS_H
#define CT_ANNOTATIONS_H

#include "collision/types.h"

// Overlays by name: scene { show = {"trails", "contacts"} }.
enum {
    ct_showTrails = 1,
    ct_showContacts = 2,
    ct_showBoxes = 4,
    ct_showPending = 8,
    ct_showSleeping = 16,
    ct_showEnergy = 32,
    ct_showTime = 64,
};

#define CT_LABEL_TEXT 200 // bytes of a label, at most

typedef struct ctSceneLabel {
    char *text;
    int function, line; // function of the script that returns the text (ctScene_UpdateLabels); 0: the text is constant
    int body;           // ordinal of the body that the label moves with; -1: none
    ctVec3 at;          // m: place in the world, or offset from the body's place
    ctVec3 color;
} ctSceneLabel;

typedef struct ctSceneCurve {
    ctVec3 *points; // joined by straight lines, m
    int count;
    double width; // pixels
    ctVec3 color;
} ctSceneCurve;

typedef enum ctQuantity { ct_quantitySpeed, ct_quantitySpin, ct_quantityHeight, ct_quantityEnergy } ctQuantity;

#define CT_EXPECTED_POINTS 65

// The present distribution of a quantity over bodies, and the density that the scene expects.
typedef struct ctSceneHistogram {
    char *title;
    char *bodies; // a prefix of the bodies' names; "": all bodies that move
    ctQuantity of;
    double from, to;
    int bins;
    bool hasExpected;
    double expected[CT_EXPECTED_POINTS]; // density at equal steps from `from` to `to`
} ctSceneHistogram;

typedef struct ctAnnotations {
    unsigned show; // of ct_show...
    ctSceneLabel *labels;
    ctSceneCurve *curves;
    ctSceneHistogram *histograms;
    int labelCount, labelCapacity, curveCount, curveCapacity, histogramCount, histogramCapacity;
} ctAnnotations;

void ctAnnotations_Free(ctAnnotations *annotations);

// The bit of the overlay with this name; 0 for an unknown name.
unsigned ctShow_Parse(const char *name, size_t length);

#endif
