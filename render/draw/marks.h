// Contacts and impacts made visible in space, by points and arrows.
#ifndef CT_DRAW_MARKS_H
#define CT_DRAW_MARKS_H

#include "render/draw/renderer.h"
#include "render/session/history.h"

// What is ordinary in a scene: an ordinary force or impulse is drawn as an arrow of the length given.
typedef struct ctMarkScale {
    double length;  // m
    double force;   // N
    double impulse; // N s
} ctMarkScale;

// typicalMass: of a body (ctTypicalMass); cameraDistance: from the eye to its target, m.
ctMarkScale ctMarks_Scale(const ctStats *stats, ctVec3 gravity, double typicalMass, double cameraDistance);
// The median mass of the bodies that move, kg.
double ctTypicalMass(const ctWorld *world);

void ctMarks_Arrow(ctRenderer *renderer, ctVec3 from, ctVec3 to, float width, ctColor color);
// Arrows grow with the logarithm, so that weak and strong both show. unit: what is ordinary.
double ctMarks_ArrowLength(ctMarkScale scale, double size, double unit);
void ctMarks_Contacts(ctRenderer *renderer, const ctContact *contacts, int count, ctMarkScale scale);
// The curves of a scene.
void ctMarks_Curves(ctRenderer *renderer, const ctAnnotations *annotations);
// Impacts fade within so many simulated seconds before `time`.
void ctMarks_Impacts(ctRenderer *renderer, const ctHistory *history, double time, double fade, ctMarkScale scale);

#endif
