// The seam of impacts: decides what a touch is, and resolves impacts.
#ifndef CT_COLLIDE_H
#define CT_COLLIDE_H

#include "engine/collide/tunables.h"
#include "engine/contact/contact.h"

// ---- impacts (collide/sequence.c, collide/response.c) --------------------------------------------------

// What happens next to a pair that has been looked at (collide/verdict.c).
typedef enum ctVerdict {
    ct_verdictApart,   // the next look is at look.until
    ct_verdictWait,    // touches without approach, or nearly touches: look again a little later
    ct_verdictGrind,   // the same after many looks at which nothing happened
    ct_verdictContact, // sustained contact
    ct_verdictAbsorb,  // collides, and joins the pile or crowd that it has hit; look.speed is set
    ct_verdictHop,     // a microcollision of bodies that hover on each other
    ct_verdictImpact,  // an impact
} ctVerdict;
ctVerdict ctPair_Judge(ctWorld *world, int pair, ctPairLook *look);
// Whether the two lie still, and are in contact where the last look found them: they need no other look. Sets what is
// known of that one.
bool ctPair_LiesStill(const ctWorld *world, int pair, ctPairLook *look);
// Resolves the impact of a pair that touches at world->now and approaches, and every impact that it
// sets off at other touching places, greatest approach first. Announces the changed courses.
void ctWorld_Impact(ctWorld *world, int pair);
// The same without the impacts that it would cause at other places.
void ctWorld_ImpactAlone(ctWorld *world, int pair);
// Whether a touching pair that approaches at speed (m/s, positive) belongs to sustained contact rather than to impacts:
// it is slow, and pressed together.
bool ctWorld_IsContact(const ctWorld *world, const ctBodyPair *pair, ctVec3 normal, double speed);
// After the impact of a pair that is apart: whether it stays together by the rule of islands of few bodies. Then it is
// a contact from now on.
bool ctPair_StaysClosed(const ctWorld *world, int pair);
// Whether the pair has collided again and again within a micro-step.
bool ctPair_Rattles(const ctWorld *world, const ctBodyPair *pair);
// The same for two balls, or a ball and a plane, that collide alone. If true, the caller announces their courses.
bool ctWorld_ImpactOfBalls(ctWorld *world, int pair, const ctTouch *touch);
// The impact of two balls of the gas at world->now; the normal points from b to a.
bool ctBalls_Collide(ctWorld *world, int a, int b, ctVec3 normal, const ctCoefficients *coefficients);
void ctSequence_Free(ctSequence *sequence);

// ---- microcollisions (collide/microcollision.c) --------------------------------------------------------

// Whether an impact at this speed (m/s) is a microcollision of bodies that hover on each other.
bool ctMicro_IsHop(const ctWorld *world, const ctBodyPair *pair, double speed);
// The microcollision of a touching pair, at all its points within the envelope. Announces the changed courses.
void ctMicro_Collide(ctWorld *world, int pair, const ctPairLook *look);

#endif
