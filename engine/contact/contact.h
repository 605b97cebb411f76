// The seam of sustained contact: what the loop, impacts and the public calls need of it.
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
// The energy of a body in contact as accounted for, J.
double ctEnergy_Accounted(const ctWorld *world, int body);
// A body at now leaves contact between two steps.
void ctEnergy_Settle(ctWorld *world, int body);

// ---- sustained contact (contact/contact.c ...) --------------------------------------------------------

bool ctContact_Create(ctWorld *world, ctError *error); // with the world
void ctContact_Destroy(ctWorld *world);
// Ends the threads that step the world's islands; moves them to another world.
void ctContact_EndThreads(ctWorld *world);
void ctContact_MoveThreads(ctWorld *to, ctWorld *from);
// The solver's memory, which impulses at many places at once may use between steps.
ctSolver *ctContact_Solver(const ctWorld *world);
// The pair touches slowly: makes it a contact. look: the geometry now. False: it stays apart, and the loop treats the
// touch as an impact.
bool ctContact_Begin(ctWorld *world, int pair, const ctPairLook *look);
// Makes a pair that is apart a contact.
void ctPair_BecomeContact(ctWorld *world, int pair, const ctPairLook *look);
// Whether the pair, which approaches at speed, becomes a contact at any speed: one of the bodies is in a large island
// or a crowd.
bool ctContact_Absorbs(ctWorld *world, const ctBodyPair *pair, double speed);
// After such an impact with a large island: which bodies it drives into which, until the island's next step
// (contact/pile/relay.c).
void ctPile_Relay(ctWorld *world, int pair);
// Whether the two make up an island that follows its equations of motion; then landings from a share of the speed of a
// fall by the size on are impacts. The speed, m/s, from which on a landing is an impact.
bool ctContact_IsExact(const ctWorld *world, const ctBodyPair *pair);
// The same for a landing: also balls on a terrain that is flat where they are.
bool ctContact_LandsExactly(const ctWorld *world, const ctBodyPair *pair);
double ctContact_ImpactSpeed(const ctWorld *world, const ctBodyPair *pair);
// The same for two that make up such an island.
double ctPair_LandingSpeed(const ctWorld *world, const ctBodyPair *pair);
// Whether the whole rim of a flat disc, of radius (m) about a place (world), is on the face of a body that looks along
// a direction.
bool ctContact_HoldsRim(const ctWorld *world, int body, ctVec3 direction, ctVec3 centre, double radius);
// Counts an impact of the two, for crowds (contact/crowd.c).
void ctCrowd_Note(ctWorld *world, int a, int b);
// The pair is being removed: its contact ends, and the other body wakes.
void ctContact_End(ctWorld *world, int pair);
// Something other than its contacts has changed the body's motion: the next step of its island begins from there.
void ctContact_NoteStrike(ctWorld *world, int body);
static inline void ctContact_Strike(ctWorld *world, int body)
{
    const ctBody *b = &world->bodies[body];
    if (b->mode == ct_modeContact || (b->mode == ct_modeFlying && b->island >= 0)) {
        ctContact_NoteStrike(world, body);
    }
}
// The program has changed the body's velocity. A contact that it now approaches as fast as in an impact ends, and the
// pair goes back to the loop.
void ctContact_Jolt(ctWorld *world, int body);
// A body that may be a member of an island is about to be destroyed.
void ctContact_Forget(ctWorld *world, int body);
// A body that may have lost its last contact because another was destroyed flies on.
void ctContact_Leave(ctWorld *world, int body);
// The points of a pair in contact at now (bodies advanced), at most max; normals from b to a. wide: near ones too.
int ctContact_Points(ctWorld *world, int pair, bool wide, ctTouch *points, int max);
// When the next island is due, s; infinite while none is awake.
double ctContact_NextTick(const ctWorld *world);
// The state of a body on a plan at a time before the plan's end. Ends the plan: the body is advanced to now, and is due
// for a step.
ctBodyState ctRoll_StateAt(const ctWorld *world, int body, double t);
void ctRoll_Settle(ctWorld *world, int body);
// Drops the plan of a body, whether it follows it or not.
void ctRoll_Drop(ctWorld *world, int body);
// Steps every island that is due now. Returns the pairs with points that have hit hard: the caller resolves these
// impacts if the pairs are still in contact. *impactCount is -1, with an error, when memory is short.
const int *ctContact_Tick(ctWorld *world, int *impactCount, ctError *error);
// Whether one of the two bodies is in the middle of a step of a small island. That island is then due now: after its
// step the bodies have the velocities that all forces up to now have given.
bool ctContact_IsInStep(ctWorld *world, int pair);
// Whether two bodies that have collided, if they stay together, are in an island of few points that takes a step at
// this moment; a general step.
bool ctContact_MeetsStep(const ctWorld *world, const ctBodyPair *pair);
bool ctContact_JoinsStep(const ctWorld *world, const ctBodyPair *pair);
// Ends the steps that are under way before the program changes something: those of the body's island, or of all islands
// that touch an immovable body; or all steps. False with an error when memory is short.
bool ctContact_EndStep(ctWorld *world, int body, ctError *error);
bool ctContact_EndSteps(ctWorld *world, ctError *error);
// Wakes a body and its island; an awake one is stepped at once. Called when something other than contact changes the
// body's motion or its effect on others.
void ctContact_Wake(ctWorld *world, int body);
void ctContact_WakeAll(ctWorld *world);
// Wakes what leans on an immovable body whose surface motion has changed.
void ctContact_WakeOn(ctWorld *world, int body);
// Time jumps from now to later without motion.
void ctContact_Skip(ctWorld *world, double seconds);
// Ends all contacts: the mode of contact changes, or a snapshot is about to be restored.
void ctContact_ReleaseAll(ctWorld *world);
// Writes or reads the whole state of the contact code (contact/contact_archive.c).
void ctContact_Archive(ctWorld *world, struct ctArchive *ar);
// The end of a step: fills world->contactList with mean forces over the frame.
bool ctContact_EndFrame(ctWorld *world, ctError *error);

// Whether a touch of a body in contact with the edge of a fixed box (point and normal: world) does not count, because a
// box beside that one, with which the body is in contact, covers the edge (contact/cover.c).
bool ctContact_IsEdgeCovered(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 normal);

// Whether a place on a fixed box is in the plane in which another box bears the body.
bool ctContact_IsFlush(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 normal);

#endif
