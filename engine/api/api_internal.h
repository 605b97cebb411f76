// What the files behind the public calls share.
#ifndef CT_API_INTERNAL_H
#define CT_API_INTERNAL_H

#include "engine/contact/contact.h"
#include "engine/state/state.h"

// ---- api/world.c --------------------------------------------------------------------------------

// A world without anything, not even a material.
ctWorld *ctWorld_CreateEmpty(ctError *error);
// What follows from gravity and the frame time.
void ctWorld_DeriveSettings(ctWorld *world);

// ---- api/admit.c --------------------------------------------------------------------------------

// A new body: refused when it overlaps another. A body that goes.
bool ctWorld_AdmitBody(ctWorld *world, int body, ctError *error);
void ctWorld_DismissBody(ctWorld *world, int body);
// Between steps: the motion of a body has changed, that of all of them; an error when memory is short.
bool ctWorld_Announce(ctWorld *world, int body, ctError *error);
bool ctWorld_AllCoursesChanged(ctWorld *world, ctError *error);

#endif
