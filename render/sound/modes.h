// The sound of a body that is struck: the lowest free vibrations of a solid of its size and material.
//
// A bar of length L and thickness h bends at f1 = 1.03 (h / L^2) c, c = sqrt(E / density) the speed of sound in it, and
// at 2.76, 5.40 and 8.93 times that; a disk or a plate of radius R at about 0.47 (h / R^2) c; a compact solid of radius
// R vibrates at about 0.4 c / R, and at 1.5, 1.9 and 2.4 times that. The frequencies of small solids are ultrasonic.
// All frequencies are divided by CT_SOUND_LOWERED, which keeps the intervals between bodies of different size.
#ifndef CT_SOUND_MODES_H
#define CT_SOUND_MODES_H

#include "engine/clatter.h"

#define CT_SOUND_MODES 4
#define CT_SOUND_LOWERED 6.0

typedef enum ctSubstance { ct_substanceWood, ct_substanceSteel, ct_substanceGlass, ct_substancePlastic } ctSubstance;

typedef struct ctVoicing {
    ctSubstance substance;
    double frequency[CT_SOUND_MODES]; // Hz
    double decay[CT_SOUND_MODES];     // 1/s: the amplitude is proportional to exp(-decay t)
    double radius;                    // approximate radius of curvature at a contact, m
    double modulus;                   // of elasticity, Pa
} ctVoicing;

// The substance from a material's name ("steel", "glass", "oak"), or else from its density (kg/m^3).
ctSubstance ctSubstance_Of(const char *material, double density);
// The voicing of a solid with those edges (m, any order).
ctVoicing ctVoicing_Make(ctSubstance substance, ctVec3 size, bool round);
ctVoicing ctVoicing_OfBody(const ctWorld *world, ctBodyId body);

// The duration of an impact, s (Hertz): 2.87 (m^2 / (R E^2 v))^(1/5). mass: effective, kg; speed: of approach, m/s.
double ctContactTime(const ctVoicing *a, const ctVoicing *b, double mass, double speed);

#endif
