// Impacts at several places at once, and the impact at one point that they consist of.
#ifndef CT_COLLIDE_INTERNAL_H
#define CT_COLLIDE_INTERNAL_H

#include "engine/collide/collide.h"
#include "engine/impact/impact.h"

// Solves the impact of a touch with the bodies' present velocities, and applies it. The restitution of the pair is
// multiplied by restitutionShare. False when there is no solution; then nothing has changed.
bool ctTouch_Resolve(ctWorld *world, const ctTouch *touch, double restitutionShare);

// Applies an impulse on the first body that was found elsewhere. before, after: the velocity of the first body relative
// to the second at the point, before and after everything that happens at this moment.
void ctTouch_Apply(ctWorld *world, const ctTouch *touch, ctVec3 impulse, ctVec3 before, ctVec3 after, ctEventKind kind);

// ---- collide/face.c -------------------------------------------------------------------------------------

// At the start of a sequence: no face is known. False when memory is short.
bool ctSequence_OpenFaces(ctSequence *sequence);
// Forgets the face of a pair whose touches begin at this one, and have moved.
void ctSequence_DropFace(const ctSequence *sequence, int begin);
// The one impact that stands for all points of the pair of a touch: where, and along which normal.
ctTouch ctSequence_Face(ctWorld *world, const ctSequence *sequence, int touch);

// ---- collide/ring.c -------------------------------------------------------------------------------------

// Where touches of a pair are the rim of a flat disc, four of them stand for the rim; of a tilted one only its lowest
// place is left. At most 64. Returns their number.
int ctTouches_MakeRim(const ctWorld *world, ctTouch *touches, int count, int max);
// Moves the places of the rims of two bodies whose velocities have changed.
void ctSequence_MoveRims(const ctWorld *world, ctSequence *s, int a, int b);

// ---- collide/at_once.c ----------------------------------------------------------------------------------

// Impulses for all touches at once, without rebound, after which no touch approaches.
typedef struct ctJointAccount {
    double energy, accounted; // J: of a body, and as the contact code accounts for it
} ctJointAccount;
typedef struct ctJoint {
    struct ctSolverPoint *points; // parallel to the touches of the sequence
    struct ctSolverBody *bodies;
    ctVec3 *before; // velocities at the touches
    int *slots;     // the world's index of each body
    ctJointAccount *accounts;
    double sum; // J: the total of the energy sums before
    int bodyCount;
} ctJoint;
// False when memory is short.
bool ctJoint_Solve(ctWorld *world, const ctSequence *s, ctJoint *joint);
// Adds the rebound that the bodies would have if all their impacts happened one by one. False, with nothing changed,
// when it is negligible.
bool ctJoint_Rebound(const ctWorld *world, const ctSequence *s, ctJoint *joint);
// Called before and after the impulses, which are applied one after the other. In between, a light body between heavy
// ones may have ten million times its energy, and the rounding error of that. So the energy is accounted for as a
// whole, from before to after.
void ctJoint_OpenAccounts(const ctWorld *world, ctJoint *joint);
void ctJoint_CloseAccounts(ctWorld *world, const ctJoint *joint);
void ctJoint_Free(ctJoint *joint);

// ---- collide/microcollision.c ------------------------------------------------------------------------

// Whether an impact at this speed of approach (m/s) is a microcollision.
bool ctMicro_IsSlow(const ctWorld *world, const ctBodyPair *pair, double speed);
// The least speed, m/s, with which a point at this gap (m) leaves; zero where nothing presses the two together.
double ctMicro_Rebound(const ctWorld *world, const ctBodyPair *pair, double gap);
// The impulse that reverses the velocity. False when it is not in the friction cone.
bool ctMicro_Reverse(const ctImpactInput *in, double rebound, ctImpactResult *out);
// Records that a microcollision has changed the normal velocity of a pair (m/s).
void ctMicro_Note(ctWorld *world, int pair, double change);

#endif
