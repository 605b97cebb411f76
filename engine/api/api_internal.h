// What the files behind the public calls share.
#ifndef CT_API_INTERNAL_H
#define CT_API_INTERNAL_H

#include "engine/contact/contact.h"

// ---- api/world.c --------------------------------------------------------------------------------

// A world without materials, shapes and bodies.
ctWorld *ctWorld_CreateEmpty(ctError *error);
// Computes what follows from gravity and the frame time.
void ctWorld_DeriveSettings(ctWorld *world);

// ---- api/admit.c --------------------------------------------------------------------------------

// Adds a body, unless it overlaps another; removes a body.
bool ctWorld_AdmitBody(ctWorld *world, int body, ctError *error);
void ctWorld_DismissBody(ctWorld *world, int body);
// Takes a body out of the world and puts it back as body and info say, at world->now. Refused, with nothing changed,
// where it would overlap another.
bool ctWorld_Readmit(ctWorld *world, int index, const ctBody *body, const ctBodyInfo *info, ctError *error);
// Between steps: announces that the motion of a body has changed, or of all bodies; an error when memory is short.
bool ctWorld_Announce(ctWorld *world, int body, ctError *error);
bool ctWorld_AllCoursesChanged(ctWorld *world, ctError *error);

// ---- api/body_create.c --------------------------------------------------------------------------

// The index of a body that may be changed now, or -1 and an error.
int ctBody_ToChange(const ctWorld *world, ctBodyId body, ctError *error);
bool ctBody_CheckPose(ctTransform pose, ctError *error);
// The body at world->now, without its contacts and in flight (or fixed or kinematic as it is), for ctWorld_Readmit.
ctBody ctBody_AsNow(const ctWorld *world, int index);
// Mass, centre and inertia as they are in the axes of a frame, which is given in theirs.
ctMassData ctMassData_Seen(const ctMassData *mass, ctTransform frame);
// Mass, centre and inertia of a dynamic body, checked.
bool ctBodyDef_Mass(const ctWorld *world, const ctBodyDef *def, const ctShape *shape, ctMassProperties *out,
                    ctError *error);
// Whether the filter is not the default one, which lets everything touch everything.
static inline bool ctFilter_IsChoosy(ctFilter filter)
{
    return filter.category != 1 || filter.mask != UINT64_MAX;
}

// ---- api/forces.c -------------------------------------------------------------------------------

// Computes pull, drive and whether the body is driven, from the forces, torques and drag in its record.
void ctForces_Derive(ctBody *body, ctBodyInfo *info, const ctShape *shape);
// At the end of a frame: forces for that frame end.
bool ctForces_EndFrame(ctWorld *world, ctError *error);

// ---- api/path.c ---------------------------------------------------------------------------------

void ctPath_Free(ctPath *path); // NULL is allowed

// ---- api/query.c --------------------------------------------------------------------------------

// Whether the ray meets the body at world->now; at which t, and the normal there in world axes.
bool ctBody_RayCast(const ctWorld *world, int index, ctVec3 origin, ctVec3 direction, double maxT, double *t,
                    ctVec3 *normal);

// ---- api/steer.c --------------------------------------------------------------------------------

// Gives the program its turn, if it steers. *until, the time to run to, becomes the time that the program asks for, if
// that is earlier.
bool ctSteer_Turn(ctWorld *world, double *until, ctError *error);
// False, with an error, during such a turn.
bool ctSteer_MayStep(const ctWorld *world, ctError *error);

// ---- api/touching.c -----------------------------------------------------------------------------

// After ctContact_EndFrame: finds the pairs that have come into contact in the step, and those that have left it.
bool ctTouching_EndFrame(ctWorld *world, ctError *error);
// After a snapshot is read: makes the marks of pairs from the list.
void ctTouching_Rebuild(ctWorld *world);

#endif
