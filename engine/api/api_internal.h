// What the files behind the public calls share.
#ifndef CT_API_INTERNAL_H
#define CT_API_INTERNAL_H

#include "engine/contact/contact.h"

// ---- api/world.c --------------------------------------------------------------------------------

// A world without anything, not even a material.
ctWorld *ctWorld_CreateEmpty(ctError *error);
// What follows from gravity and the frame time.
void ctWorld_DeriveSettings(ctWorld *world);

// ---- api/admit.c --------------------------------------------------------------------------------

// A new body: refused when it overlaps another. A body that goes.
bool ctWorld_AdmitBody(ctWorld *world, int body, ctError *error);
void ctWorld_DismissBody(ctWorld *world, int body);
// Takes a body out of the world and puts it back as body and info say, at world->now. Where it would overlap another it
// is refused, and nothing is changed.
bool ctWorld_Readmit(ctWorld *world, int index, const ctBody *body, const ctBodyInfo *info, ctError *error);
// Between steps: the motion of a body has changed, that of all of them; an error when memory is short.
bool ctWorld_Announce(ctWorld *world, int body, ctError *error);
bool ctWorld_AllCoursesChanged(ctWorld *world, ctError *error);

// ---- api/body_create.c --------------------------------------------------------------------------

// The index of a body that may be changed now, or -1 and an error.
int ctBody_ToChange(const ctWorld *world, ctBodyId body, ctError *error);
bool ctBody_CheckPose(ctTransform pose, ctError *error);
// The body as it is now, flying free of all contact (or fixed, or kinematic as it is), for ctWorld_Readmit.
ctBody ctBody_AsNow(const ctWorld *world, int index);
// Mass, centre and inertia of a dynamic body, checked.
bool ctBodyDef_Mass(const ctWorld *world, const ctBodyDef *def, const ctShape *shape, ctMassProperties *out,
                    ctError *error);
// Whether it is not the default filter, which lets everything touch everything.
static inline bool ctFilter_IsChoosy(ctFilter filter)
{
    return filter.category != 1 || filter.mask != UINT64_MAX;
}

// ---- api/forces.c -------------------------------------------------------------------------------

// What follows for a body from the forces, torques and drag in its record: pull and drive; whether it is driven.
void ctForces_Derive(ctBody *body, ctBodyInfo *info, const ctShape *shape);
// The end of a frame: forces for the frame alone end.
bool ctForces_EndFrame(ctWorld *world, ctError *error);

// ---- api/path.c ---------------------------------------------------------------------------------

void ctPath_Free(ctPath *path); // NULL is allowed

// ---- api/query.c --------------------------------------------------------------------------------

// Whether the ray meets the body as it is now; when, and the normal there in world axes.
bool ctBody_RayCast(const ctWorld *world, int index, ctVec3 origin, ctVec3 direction, double maxT, double *t,
                    ctVec3 *normal);

// ---- api/steer.c --------------------------------------------------------------------------------

// The turn of the program's steering, if there is one. *until, the time to run to, becomes the time that it asks for
// where that is earlier.
bool ctSteer_Turn(ctWorld *world, double *until, ctError *error);
// False with an error inside of such a turn.
bool ctSteer_MayStep(const ctWorld *world, ctError *error);

// ---- api/touching.c -----------------------------------------------------------------------------

// After ctContact_EndFrame: which pairs have come into contact in the step, and which have left it.
bool ctTouching_EndFrame(ctWorld *world, ctError *error);
// After a snapshot: the marks of pairs that follow from the list.
void ctTouching_Rebuild(ctWorld *world);

#endif
