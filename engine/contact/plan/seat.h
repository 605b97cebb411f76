// The features of a convex part of a body, at a point where another body touches it, in the form of motion/system.h.
#ifndef CT_PLAN_SEAT_H
#define CT_PLAN_SEAT_H

#include "collision/patch.h"
#include "engine/contact/contact_internal.h"

// [rounding] How far the normal gets beyond what is beside a feature, rad, so that the next feature is found without
// doubt. What it changes is of second order.
#define CT_BEYOND 1e-7
// A rim that is flatter than this (sine) is a ring, unless it rises.
#define CT_FLAT_RING (1.5 * CT_FALLEN_RIM)
// [method] Tilt of a rim at which both ends of a chord are points from the start.
#define CT_STEEP_RIM 0.1

// A convex part of a body at a point: the part's shape, its pose in the body's frame; the point of the core and the
// direction out of the part, in the part's frame. A shape is a core and a ball swept over it.
typedef struct ctSeat {
    const ctShape *shape;
    ctTransform pose;
    ctPose base;               // of its body at its base
    ctVec3 core, out, outRate; // outRate: how fast the direction turns there, 1/s
    double near;               // m: places nearer than this to a corner, an edge or a rim are on it
    bool exact;                // one of the two is round and sees the other without rounding: its points are exact
    int body;
} ctSeat;

// The parts of both ends of a record at a point.
void ctSeat_MakeBoth(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctSeat *a,
                     ctSeat *b);
// Their shapes, as each sees the other.
void ctSeat_Shapes(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, const ctShape **a,
                   const ctShape **b);
// The corner, edge, rim or smooth surface of the point, in the part's frame. False on a face.
bool ctSeat_Guide(const ctSeat *part, ctGuide *g);
// The face perpendicular to the normal, in the part's frame.
bool ctSeat_Face(const ctSeat *part, ctGuide *g, ctPatch *patch);
// Whether a part is a ball, however it is described.
bool ctSeat_IsBall(const ctShape *s);
ctGuide ctGuide_Of(ctGuideKind kind, ctVec3 p, ctVec3 d, double round);
// The rim, or the tip, at a corner of a lathe's profile.
ctGuide ctGuide_Rim(const ctShape *shape, int at);
// The side of a lathe between two corners of its profile, from one on.
ctGuide ctGuide_Slope(const ctShape *lathe, int at);
// The side of a capsule, and its end on a side: that of the sign, along the axis.
ctGuide ctGuide_Side(const ctShape *capsule);
ctGuide ctGuide_End(const ctShape *capsule, double side);

// [storage] Faces and edges that meet at a corner.
#define CT_FAN_SIDES 8
// The edges that meet at a corner of a polyhedron, away from it, in the part's frame. Returns how many; more than there
// is room for are counted only.
int ctSeat_Edges(const ctSeat *part, const ctGuide *corner, ctGuide edges[CT_FAN_SIDES]);

// The pose of a body at its base.
ctPose ctSeat_BasePose(const ctWorld *world, int index);
// From a part's frame to the principal axes of its body; the same for a guide.
void ctSeat_Frame(const ctWorld *world, const ctSeat *part, ctMat3 *r, ctVec3 *t);
void ctSeat_MoveGuide(const ctWorld *world, const ctSeat *part, ctGuide *g);
void ctGuide_Move(ctGuide *g, const ctMat3 *r, ctVec3 t);

// ---- contact/plan/fan.c -----------------------------------------------------------------------

// What is beside a corner, an edge or a rim, and bears where the normal gets beyond it: unit vectors along the surface
// away from it, in the principal axes of the body. Those of a rim, or of a tip on the axis, are (away from the axis, 0,
// along the axis).
typedef struct ctFan {
    int count; // 0: nothing is, or it is not known
    bool rim, tip;
    ctVec3 sides[CT_FAN_SIDES];
} ctFan;

// The guide is still in the part's frame; other: the kind of that of the other body. A line that gets beyond a rim lies
// on the end of the disc, and crosses the rim again: that is a point of its own.
void ctFan_Find(const ctWorld *world, const ctSeat *part, const ctGuide *g, ctGuideKind other, ctFan *fan);

#endif
