// The step of a small island: contact/step/calm.c says which bodies take part, contact/step/gather.c collects their
// points, contact/step/close.c finds the forces over the step, contact/step/stride.c says when the next one is due,
// contact/step/step.c does the rest.
#ifndef CT_STEP_H
#define CT_STEP_H

#include "engine/contact/contact_internal.h"

typedef struct ctIslandStep {
    double regular;   // s: the regular step of its smallest body
    double fall;      // m/s: the speed of a fall by the size of that
    double length;    // s: of a regular step
    double next;      // s: when the island is due again
    bool changed;     // forces must be found by a look-ahead
    bool full;        // no more extra steps: a point that hits hard is stopped in time without an impact
    double dt;        // s: longest time since the start of a body's motion
    double speed;     // m/s: the fastest slip or approach at a point
    double tolerance; // m/s, of the solution of a regular step
    double precision; // m/s: the same of this step, which may be shorter
    double rest;      // m/s: the tolerance where nothing moves
    bool smooth;      // nothing had changed before its end: velocities have changed steadily
    bool hits;        // a point hits hard: an impact follows, and another step at the same time
    bool rests;       // nothing moves, no force changes
    bool curved;      // a point is on curved terrain, or was (contact/step/glide.c) ...
    bool lands;       // ... and one approaches faster than its angles explain
    int spread;       // layers of bodies that have come to take part after the last solution
    int free;         // number of points whose forces are found; those of the others stay as they are
} ctIslandStep;

// Fills the solver's arrays, and the list of pairs that hit. False when memory is short.
bool ctIslandStep_Gather(ctWorld *world, const ctIsland *island, ctIslandStep *step);
// The same for one record.
bool ctIslandStep_GatherRecord(ctWorld *world, int record, ctIslandStep *step);

// ---- contact/step/calm.c --------------------------------------------------------------------------

// The share of a record in a step: none, where its bodies lie still; held forces between a body that does and one that
// takes part; full.
typedef enum ctStepShare { ct_shareNone, ct_shareHeld, ct_shareFull } ctStepShare;
ctStepShare ctIslandStep_ShareOf(const ctWorld *world, const ctContactRecord *record);
// Chooses the bodies that take part in a step; all have slots.
void ctIslandStep_Choose(ctWorld *world, const ctIsland *island);
// The number of points that take no part.
int ctIslandStep_RestingPoints(const ctWorld *world, const ctIsland *island);
// After a solution: bodies join that lie still beside one that has been moved, with their points; step->spread: in how
// many layers. False when memory is short.
bool ctIslandStep_Spread(ctWorld *world, const ctIsland *island, ctIslandStep *step);
// After a step: which bodies have moved, and which have come to lie still.
void ctIslandStep_Calm(ctWorld *world, const ctIsland *island, const ctIslandStep *step);

// ---- contact/step/close.c -----------------------------------------------------------------------------

// Finds the forces over the step, and the velocities at its end, from the gathered points. False when memory is short.
bool ctIslandStep_Close(ctWorld *world, const ctIsland *island, ctIslandStep *step);
// Solves the gathered problem. Its effort counts as events, which bounds it. A failed solution adds no energy; pseudo
// has the velocities at the start. False then.
bool ctIslandStep_Solve(ctWorld *world, const ctIslandStep *step, double tolerance);

// ---- contact/step/stride.c ----------------------------------------------------------------------------

// The error of the prediction of a smooth step for the bodies of an island, as a share of their size.
double ctIslandStep_Miss(const ctWorld *world, const ctIsland *island);
// The same for one of the bodies, with the solver's result.
double ctIslandStep_MissOf(const ctWorld *world, int body, const ctSolverBody *s);
// The length of the next regular steps, after a smooth step with this error of its prediction.
void ctIslandStep_Stride(const ctWorld *world, ctIsland *island, ctIslandStep *step, double miss);
// Whether ends of sliding, rolling and spinning are foreseen: where there are few points, and where steps are long.
bool ctIslandStep_Foresees(const ctWorld *world, const ctIsland *island);
// When the island is due again.
void ctIslandStep_Plan(ctWorld *world, ctIsland *island, ctIslandStep *step);

// ---- contact/step/rest.c ----------------------------------------------------------------------------

// Whether nothing moves, as ctIsland_IsAtRest, except for balls that spin in place: nothing changes.
bool ctIsland_IsSteady(const ctWorld *world, const ctIsland *island, double length);
// Whether its points were where they belong at the last step; if not, overlaps are still being pushed out.
bool ctIsland_IsInPlace(const ctWorld *world, const ctIsland *island);
// Stops the rest of its motion, unless points are still being moved to where they belong.
void ctIsland_ComeToRest(ctWorld *world, const ctIsland *island);
// The step of an island in which nothing moves and nothing has happened, dt after the last. False when it is not such.
bool ctIsland_Rest(ctWorld *world, ctIsland *island, double dt);
// The same for an island whose bodies fly, and will touch nothing before the next step.
bool ctIsland_FlyOn(ctWorld *world, ctIsland *island);

// ---- contact/step/arrival.c -------------------------------------------------------------------------

// A point of contact: its normal, its arms, and the velocities of both bodies.
typedef struct ctPointMotion {
    ctVec3 n, ra, rb, va, wa, vb, wb;
} ctPointMotion;
// The acceleration of the normal velocity at a point while both bodies keep their velocities, m/s^2: corners and edges
// turn, and smooth surfaces roll on. ahead: over how long, s; 0: corners and edges only. leaves: the face ends here.
// Zero where edges of hulls meet, and for smooth surfaces at several points.
double ctContact_Bend(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                      const ctPointMotion *motion, double ahead, bool leaves);
// When another point of the record arrives, or the two overlap, on the present courses of their bodies: before the step
// at until, or infinite. few: the island has few points, and affords a close look. moved: the bodies have moved since
// the points were found.
double ctContact_TimeOfArrival(const ctWorld *world, const ctContactRecord *record, double until, bool few, bool moved);
// The pose of a convex part of a body at a time on its course.
ctPose ctIsland_PartAt(const ctWorld *world, int body, int leaf, double time);
// A quantity that falls through a level: it is above at the start and below at the end (s). The time is found to the
// slack by false position, where an end that has stayed twice counts half (the Illinois rule).
typedef struct ctLevel {
    double level, slack;
    double begin, over;
    double end, under;
} ctLevel;
typedef double ctIslandMeasure(const void *context, double time);
double ctIsland_TimeOfLevel(ctIslandMeasure *measure, const void *context, ctLevel find);

// ---- contact/step/glide.c ---------------------------------------------------------------------------

// The kind of approach at a point on terrain, where the body moves by u (m/s).
ctGraze ctContact_Graze(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctVec3 u);
// Bodies that slide or roll over curved terrain keep their energy, except for the work of friction.
void ctIslandStep_Glide(ctWorld *world, const ctIsland *island, const ctIslandStep *step);

// ---- contact/step/edge.c ----------------------------------------------------------------------------

// When the last bearing point of the record comes to the end of its face: before until, or infinite; now, when all of
// them are there.
double ctContact_TimeOfLeaving(const ctWorld *world, const ctContactRecord *record, double until);

#endif
