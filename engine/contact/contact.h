// The seam of sustained contact: what the loop, impacts and the public calls ask of it.
#ifndef CT_CONTACT_H
#define CT_CONTACT_H

#include "engine/contact/tunables.h"
#include "engine/pairs/pairs.h"
#include "engine/solver/solver.h"

// ---- energy (contact/energy.c) ------------------------------------------------------------------------

// Kinetic and potential energy of a movable body at body->t, J.
double ctBody_Energy(const ctWorld *world, int body);
// The body's energy has changed at once, for a reason that is accounted for; by the program.
void ctEnergy_Account(ctWorld *world, int body, double change);
void ctEnergy_Give(ctWorld *world, int body, double change);
// The energy of a body in contact by what is accounted for, J.
double ctEnergy_Accounted(const ctWorld *world, int body);
// A body at now leaves contact between two steps.
void ctEnergy_Settle(ctWorld *world, int body);

// ---- sustained contact (contact/contact.c ...) --------------------------------------------------------

bool ctContact_Create(ctWorld *world, ctError *error); // with the world
void ctContact_Destroy(ctWorld *world);
// The threads that step the world's islands end; or step those of another world from now on.
void ctContact_EndThreads(ctWorld *world);
void ctContact_MoveThreads(ctWorld *to, ctWorld *from);
// The solver's memory, which impulses at many places at once may use between steps.
ctSolver *ctContact_Solver(const ctWorld *world);
// The pair touches, slow: take it over. look is the geometry now. False: not taken (the pair stays apart
// and the loop treats the touch as an impact).
bool ctContact_Begin(ctWorld *world, int pair, const ctPairLook *look);
// Hands a pair that is apart over to the contact code.
void ctPair_BecomeContact(ctWorld *world, int pair, const ctPairLook *look);
// True when the pair, which approaches at speed, belongs to contact however fast: one of the bodies is part
// of a large island or of a crowd.
bool ctContact_Absorbs(ctWorld *world, const ctBodyPair *pair, double speed);
// After that, where the pair has joined a large island: what the impact drives into what, until the island's next step
// (contact/pile/relay.c).
void ctPile_Relay(ctWorld *world, int pair);
// Approach, m/s, from which on a landing is an impact: of the speed of a fall by the size, where the two make up an
// island that follows its equations of motion.
bool ctContact_IsExact(const ctWorld *world, const ctBodyPair *pair);
double ctContact_ImpactSpeed(const ctWorld *world, const ctBodyPair *pair);
// The two have struck each other: crowds are counted (contact/crowd.c).
void ctCrowd_Note(ctWorld *world, int a, int b);
// The pair leaves contact because it is being removed. Wakes the other body.
void ctContact_End(ctWorld *world, int pair);
// Something other than its contacts has changed the body's motion: the next step of its island, if it is in one, begins
// from there.
void ctContact_NoteStrike(ctWorld *world, int body);
static inline void ctContact_Strike(ctWorld *world, int body)
{
    const ctBody *b = &world->bodies[body];
    if (b->mode == ct_modeContact || (b->mode == ct_modeFlying && b->island >= 0)) {
        ctContact_NoteStrike(world, body);
    }
}
// The program has changed the body's velocity. Where it now comes down on what it touches as fast as in an impact, it
// is one: the contact ends, and the pair goes back to the loop.
void ctContact_Jolt(ctWorld *world, int body);
// A body is about to be destroyed: it may be a member of an island.
void ctContact_Forget(ctWorld *world, int body);
// A body that may have lost its last contact to the destruction of another flies on.
void ctContact_Leave(ctWorld *world, int body);
// Points of a pair in contact at now (bodies flown there), at most max; the normal from b to a. wide: near ones too.
int ctContact_Points(ctWorld *world, int pair, bool wide, ctTouch *points, int max);
// When the next island is due, s; infinite while none is awake.
double ctContact_NextTick(const ctWorld *world);
// A body that follows a plan: its state at a time before the plan ends. And the plan ends: the body is brought to now,
// and is due for a step.
ctBodyState ctRoll_StateAt(const ctWorld *world, int body, double t);
void ctRoll_Settle(ctWorld *world, int body);
// The body has no plan any more, whether it followed one or not.
void ctRoll_Drop(ctWorld *world, int body);
// Steps every island that is due at now. Returns the pairs with points that have hit hard meanwhile: the caller
// resolves these impacts, as far as the pairs are still in contact. *impactCount is -1, with an error, when memory is
// short.
const int *ctContact_Tick(ctWorld *world, int *impactCount, ctError *error);
// Whether one of the two bodies is in the middle of a step of a small island. The island is due now then: when it has
// closed its step, the bodies have the velocities that all forces up to now have given them.
bool ctContact_IsInStep(ctWorld *world, int pair);
// Wakes a body and its island; one that is awake is stepped at once. To be called when something other
// than contact changes the body's motion or what it does to others.
void ctContact_Wake(ctWorld *world, int body);
void ctContact_WakeAll(ctWorld *world);
// The surface of an immovable body moves in another way: what leans on it wakes.
void ctContact_WakeOn(ctWorld *world, int body);
// Time jumps from now to later without motion.
void ctContact_Skip(ctWorld *world, double seconds);
// Frames have another length from now on: no step reaches beyond the end of the next one, where sums of energy close.
void ctContact_NewFrames(ctWorld *world);
// Every pair leaves contact: the mode of contact changes, or a snapshot is about to be restored.
void ctContact_ReleaseAll(ctWorld *world);
// The whole of the contact code's state, written or read (contact/contact_archive.c).
void ctContact_Archive(ctWorld *world, struct ctArchive *ar);
// The end of a step: fills world->contactList with mean forces over the frame.
bool ctContact_EndFrame(ctWorld *world, ctError *error);

// Whether a touch of a body in contact with the edge of a fixed box (point and normal: world) is none, because a box
// beside that, which it is in contact with, covers the edge (contact/cover.c).
bool ctContact_IsEdgeCovered(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 normal);

// Whether a place on a fixed box is in the plane in which another one bears the body.
bool ctContact_IsFlush(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 normal);

#endif
