// What two bodies touch with at a point of contact, as motion/system.h wants to know it.
#ifndef CT_PLAN_GUIDES_H
#define CT_PLAN_GUIDES_H

#include "collision/patch.h"
#include "engine/contact/contact_internal.h"

// A point of contact as a pair of guides. In a system body a has the point, the rim or the ellipsoid, and b the face;
// flipped: that is the other way round in the record.
typedef struct ctGuidePair {
    ctGuide a, b;
    double side;
    bool flipped;
    bool bounded; // b is a face that ends: patch, in b's principal axes
    ctPatch patch;
} ctGuidePair;

// False when the two touch in a way that is not known.
bool ctGuides_Find(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctGuidePair *pair);
// All corners and rims of body a of a record on a plane, at most max; -1 when there are more, or it has others. Which
// of them are points already is for the caller to find out.
int ctGuides_OverPlane(const ctWorld *world, const ctContactRecord *record, ctGuide *guides, int max);
// How far inside a face a point is (m, in the face's body's principal axes).
double ctPatch_Inside(const ctPatch *patch, ctVec3 p);

#endif
