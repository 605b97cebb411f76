// The seam of impacts: what a touch is, and what follows.
#ifndef CT_COLLIDE_H
#define CT_COLLIDE_H

#include "engine/collide/tunables.h"
#include "engine/contact/contact.h"

// ---- impacts (collide/sequence.c, collide/response.c) --------------------------------------------------

// What a pair that has been looked at does next (collide/verdict.c).
typedef enum ctVerdict {
    ct_verdictApart,   // waits until look.until
    ct_verdictWait,    // touches without approach, or nearly: another look a little later
    ct_verdictGrind,   // the same where looks have come to nothing again and again
    ct_verdictContact, // sustained contact
    ct_verdictAbsorb,  // collides, and becomes part of the pile or crowd that it has hit; look.speed is set
    ct_verdictHop,     // a microcollision of bodies that hover on each other
    ct_verdictImpact,  // an impact
} ctVerdict;
ctVerdict ctPair_Judge(ctWorld *world, int pair, ctPairLook *look);
// Resolves the impact of a pair that touches at world->now and approaches, and every impact that it
// sets off at other touching places, greatest approach first. Announces the changed courses.
void ctWorld_Impact(ctWorld *world, int pair);
// The same without the impacts that it would set off at other places.
void ctWorld_ImpactAlone(ctWorld *world, int pair);
// True when a touching pair that approaches at speed (m/s, positive) belongs to sustained contact
// rather than to impacts: slow, and pressed together.
bool ctWorld_IsContact(const ctWorld *world, const ctBodyPair *pair, ctVec3 normal, double speed);
// Whether it has collided again and again within a micro-step.
bool ctPair_Rattles(const ctWorld *world, const ctBodyPair *pair);
// The same for two balls, or a ball and a plane, that collide alone. The caller announces their courses where it is
// true.
bool ctWorld_ImpactOfBalls(ctWorld *world, int pair, const ctTouch *touch);
// The impact of two balls of the gas, at now; the normal is from b to a.
bool ctBalls_Collide(ctWorld *world, int a, int b, ctVec3 normal, const ctCoefficients *coefficients);
void ctSequence_Free(ctSequence *sequence);

// ---- microcollisions (collide/microcollision.c) --------------------------------------------------------

// Whether an impact at this speed (m/s) is a microcollision of bodies that hover on each other.
bool ctMicro_IsHop(const ctWorld *world, const ctBodyPair *pair, double speed);
// The microcollision of a pair that touches, at all its points within the envelope. Announces the changed courses.
void ctMicro_Collide(ctWorld *world, int pair, const ctPairLook *look);

#endif
