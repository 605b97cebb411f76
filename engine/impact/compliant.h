// Internal to the impact solver: the motion of a compliant contact between two changes of mode, shared by
// impact/compliant.c (modes, events, the whole) and impact/compliant_series.c (its power series in time).
#ifndef CT_IMPACT_COMPLIANT_H
#define CT_IMPACT_COMPLIANT_H

#include "engine/impact/impact_internal.h"
#include "engine/impact/taylor.h"

// Springs and friction of the contact. The unit of time is that in which the normal stiffness is 1/K33.
typedef struct ctSprings {
    const ctCollisionMatrix *contact;
    double normal;     // stiffness in this phase: 1/K33 in compression, 1/(e^2 K33) in restitution
    double tangential; // stiffness along the tangent
    double mu;
    bool straight; // the direction of sliding cannot change
} ctSprings;

typedef struct ctSpringState {
    ctVec3 u;     // relative velocity
    ctVec3 force; // on body 1; |force_t| <= mu force_z
    double c, s;  // direction of sliding: while the contact slides force_t = -mu force_z (c, s)
    ctVec3 p;     // impulse so far
    double work;  // of the normal force so far
} ctSpringState;

// The same as power series in the time since the state: tangential parts as pairs, normal parts as numbers.
typedef struct ctSpringSeries {
    ctTaylorPair slip, friction, shear; // of u, force and p
    ctTaylorPair direction;             // (c, s)
    ctTaylor approach, load, impulse;   // u_z, force_z, p_z
    // Below zero inside the mode: |force_t|^2 - mu^2 force_z^2 while the contact sticks; while it slides, the speed of
    // slip times minus the tangential stiffness.
    ctTaylor margin;
} ctSpringSeries;

void ctSpringSeries_Stuck(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x);
void ctSpringSeries_Sliding(const ctSprings *k, const ctSpringState *at, ctSpringSeries *x);

#endif
