// The features of two bodies that touch at a point of contact, in the form of motion/system.h.
#ifndef CT_PLAN_GUIDES_H
#define CT_PLAN_GUIDES_H

#include "engine/contact/plan/seat.h"

// A point of contact as a pair of guides. In a system body a has the point, the rim or the ellipsoid, and b the face;
// flipped: in the record it is the other way round.
typedef struct ctGuidePair {
    ctGuide a, b;
    double side;
    bool flipped;
    bool bounded; // b is a bounded face: patch, in b's principal axes
    bool rolls;   // a is round there, and b a face: it rolls on over the edge
    bool single;  // the two touch nowhere else while they touch there
    bool chord;   // a is a rim, nearly flat, that the line b crosses twice
    ctPatch patch;
    ctFan fans[2]; // of a and b
} ctGuidePair;

// Which body of a record has the rim of a disc that tips over an edge of the other: none does, b, or a.
typedef enum ctGuideSide { ct_guidesEither, ct_guidesOnB, ct_guidesOnA } ctGuideSide;
// [storage] Pairs at one point: edges that meet at a corner may cross another.
#define CT_GUIDE_PAIRS 4
// Returns how many; none when the two touch in a way that is not supported.
int ctGuides_Find(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctGuideSide side,
                  ctGuidePair pairs[CT_GUIDE_PAIRS]);
// Whether a point is under a disc that is flat on a polygon, and not at its rim: loads are at the rim alone.
bool ctGuides_IsUnderDisc(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point);
// Whether a body touches a face of a fixed or kinematic one, at one point.
bool ctGuides_IsOnFace(const ctWorld *world, const ctContactRecord *record);
// Whether an edge or a corner of one body, where no such pair is known, is about to leave one of the other: the two
// slide off each other.
bool ctGuides_Pass(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point);
// All corners and rims of body a of a record on a plane, at most max; -1 when there are more, or it has other features.
// The caller finds out which of them are points already.
int ctGuides_OverPlane(const ctWorld *world, const ctContactRecord *record, ctGuide *guides, int max);

#endif
