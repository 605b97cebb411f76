// Random moving shapes for the time-of-impact tests and benchmark.
#ifndef CT_TEST_TRAJECTORIES_H
#define CT_TEST_TRAJECTORIES_H

#include "collision/toi.h"
#include "engine/flight/flight.h"
#include "tests/support/random.h"

typedef enum ctMoverKind { ct_moverFlying, ct_moverFixed, ct_moverKinematic, ct_moverContact } ctMoverKind;

// A body with one convex leaf: its state at time 0 and how it goes on.
typedef struct ctMover {
    const ctShape *shape;
    ctTransform leaf; // of the shape in the body's frame
    ctVec3 center;    // of mass, body frame
    ctInertia inertia;
    ctMoverKind kind;
    ctVec3 x, v, a, w, alpha; // alpha: contact only
    ctQuat q;
    double rho; // no point of the shape is farther from the centre of mass
} ctMover;

#define CT_MOVER_SHAPES 15
// Shapes of about unit size: balls, boxes, plates and rods, coins down to 1:1000, cones, barrels, ellipsoids, hulls.
// The last one is a plane. Names for tables.
void ctMoverShapes_Create(ctShape *shapes[CT_MOVER_SHAPES]);
void ctMoverShapes_Release(ctShape *shapes[CT_MOVER_SHAPES]);
extern const char *const ctMoverShapeNames[CT_MOVER_SHAPES];

// A mover of this shape at rest at the origin, turned at random, its leaf at the origin of the body.
ctMover ctMover_Random(ctRandom *r, const ctShape *shape);
// The state after t seconds.
ctMover ctMover_At(const ctMover *m, double t);
// What the library is told about it; tickEnd bounds how long a contact motion lasts.
ctMotion ctMover_Motion(const ctMover *m, double tickEnd);
ctPose ctMover_Pose(const ctMover *m); // of the leaf

// What a pair of trajectories is like.
typedef enum ctScenario {
    ct_scenarioMixed,     // every kind of motion, slow to fast, any gap
    ct_scenarioFast,      // 30 to 3000 m/s
    ct_scenarioSpinning,  // surfaces several times to a hundred times faster than the centres
    ct_scenarioThin,      // at least one is a plate, a foil of a coin, a rod or a needle, faster than its thickness
    ct_scenarioGrazing,   // a tiny gap, the closest points sliding past each other
    ct_scenarioKinematic, // one moves and turns as it was told
    ct_scenarioResting,   // one fixed (often the plane), the other slow and almost there, or pushed by contacts
    ct_scenarioCompound,  // parts of larger bodies: off the centre of mass, with any inertia
    ct_scenarioFar,       // 10 km from the origin
    CT_SCENARIOS
} ctScenario;
extern const char *const ctScenarioNames[CT_SCENARIOS];

typedef struct ctMoverPair {
    ctScenario scenario;
    ctMover a, b;
    ctClosest closest; // now
    ctGjkCache cache;  // what its query left
    double horizon;    // s: within which things happen
} ctMoverPair;

// Indices of two shapes that suit the scenario; b may be the plane.
void ctScenario_Shapes(ctRandom *r, ctScenario scenario, int *a, int *b);
// Two movers of these shapes, apart and at rest.
void ctMoverPair_Place(ctRandom *r, ctScenario scenario, const ctShape *a, const ctShape *b, ctMoverPair *pair);
// The same two at some gap (1e-9 to 1 m) with velocities that suit the scenario, mostly towards each other.
void ctMoverPair_Launch(ctRandom *r, const ctMoverPair *placed, ctMoverPair *pair);
// All three at once.
void ctMoverPair_Random(ctRandom *r, ctScenario scenario, ctShape *const *shapes, ctMoverPair *pair);

void ctMoverPair_Closest(const ctMover *a, const ctMover *b, ctGjkCache *cache, ctClosest *closest);
double ctMoverPair_Bound(const ctMover *a, const ctMover *b, const ctClosest *closest, double horizon, bool *exact);
// Moves both by t and measures.
void ctMoverPair_Advance(ctMoverPair *pair, double t);

#endif
