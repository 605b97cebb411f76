// Contacts and impacts as points and arrows in space.
#ifndef CT_DRAW_MARKS_H
#define CT_DRAW_MARKS_H

#include "render/draw/renderer.h"
#include "render/session/history.h"

// Typical values of a scene: an arrow of a typical force or impulse has the given length.
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
// The length of an arrow grows with the logarithm of size / unit, so that weak and strong are both visible. unit: the
// typical size.
double ctMarks_ArrowLength(ctMarkScale scale, double size, double unit);
void ctMarks_Contacts(ctRenderer *renderer, const ctContact *contacts, int count, ctMarkScale scale);
// The curves of a scene.
void ctMarks_Curves(ctRenderer *renderer, const ctAnnotations *annotations);
// Draws the impacts before `time`. They fade within `fade` simulated seconds.
void ctMarks_Impacts(ctRenderer *renderer, const ctHistory *history, double time, double fade, ctMarkScale scale);

#endif
