// The flat face of a body at rest on which something rolls.
#ifndef CT_CONTACT_GROUND_H
#define CT_CONTACT_GROUND_H

#include "collision/patch.h"
#include "engine/contact/contact_internal.h"

typedef struct ctGround {
    ctVec3 n;
    double offset; // n.x = offset on its surface
    ctPatch patch; // world; a plane has none
    bool endless;
} ctGround;

// The face of the body's convex part that faces along n. False when it has none.
bool ctGround_Find(const ctWorld *world, int body, int leaf, ctVec3 n, ctGround *ground);
// Whether the face reaches farther than room (m) around the point.
bool ctGround_Holds(const ctGround *ground, ctVec3 p, double room);
// Whether the other body of a point is fixed and flat, and reaches farther than room (m) around the point and around
// the end of its way. For round bodies also: whether the point is on an edge that reaches as far.
bool ctContact_StaysOnGround(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                             ctVec3 way, double room);

#endif
