// Impacts at several places at once, and the single impact that they are made of.
#ifndef CT_COLLIDE_INTERNAL_H
#define CT_COLLIDE_INTERNAL_H

#include "engine/collide/collide.h"
#include "engine/impact/impact.h"

// Solves the impact of a touch with the bodies' present velocities and applies it. The restitution of
// the pair is taken times restitutionShare. False when the numbers admit no solution: nothing changed.
bool ctTouch_Resolve(ctWorld *world, const ctTouch *touch, double restitutionShare);

// Applies an impulse on the first body that was found elsewhere, with the velocities of the first relative to the
// second at the point before and after everything that happens at this moment.
void ctTouch_Apply(ctWorld *world, const ctTouch *touch, ctVec3 impulse, ctVec3 before, ctVec3 after, ctEventKind kind);

// All points of the pair of a touch strike together: where, and along which normal (collide/face.c).
ctTouch ctSequence_Face(ctWorld *world, const ctSequence *sequence, int touch);

// ---- collide/at_once.c ----------------------------------------------------------------------------------

// The impulses with which no touch approaches any more, found for all touches at once and without rebound.
typedef struct ctJointAccount {
    double energy, accounted; // J: of a body, and what contact takes it to have
} ctJointAccount;
typedef struct ctJoint {
    struct ctSolverPoint *points; // parallel to the touches of the sequence
    struct ctSolverBody *bodies;
    ctVec3 *before; // velocities at the touches
    int *slots;     // the world's index of each body
    ctJointAccount *accounts;
    double sum; // J: what the sums of energy had gained
    int bodyCount;
} ctJoint;
// False when memory is short.
bool ctJoint_Solve(ctWorld *world, const ctSequence *s, ctJoint *joint);
// Adds what bodies that bounce would give back if all their impacts were done one by one. False, with nothing changed,
// when that is next to nothing.
bool ctJoint_Rebound(const ctWorld *world, const ctSequence *s, ctJoint *joint);
// Around the impulses, which are applied one after the other: a light body between heavy ones has ten million times its
// energy in between, and the rounding of that. In the end it is booked what energy there is.
void ctJoint_OpenAccounts(const ctWorld *world, ctJoint *joint);
void ctJoint_CloseAccounts(ctWorld *world, const ctJoint *joint);
void ctJoint_Free(ctJoint *joint);

// ---- collide/microcollision.c ------------------------------------------------------------------------

// Whether an impact at this speed of approach (m/s) is a microcollision.
bool ctMicro_IsSlow(const ctWorld *world, const ctBodyPair *pair, double speed);
// The speed, m/s, with which a point at this gap (m) has to leave; zero where nothing presses the two together.
double ctMicro_Rebound(const ctWorld *world, const ctBodyPair *pair, double gap);
// The impulse that reverses the velocity. False when it is not in the friction cone.
bool ctMicro_Reverse(const ctImpactInput *in, double rebound, ctImpactResult *out);
// A microcollision has changed the normal velocity of a pair (m/s).
void ctMicro_Note(ctWorld *world, int pair, double change);

#endif
