// Random moving shapes for the time-of-impact tests and benchmark.
#ifndef CT_TEST_TRAJECTORIES_H
#define CT_TEST_TRAJECTORIES_H

#include "collision/toi.h"
#include "engine/flight.h"
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
    double rho; // no point is farther from the centre
} ctMover;

#define CT_MOVER_SHAPES 14
// Shapes of about unit size: balls, boxes, plates and rods, coins down to 1:1000, cones, ellipsoids, hulls.
// The last one is a plane. Names for tables.
void ctMoverShapes_Create(ctShape *shapes[CT_MOVER_SHAPES]);
void ctMoverShapes_Release(ctShape *shapes[CT_MOVER_SHAPES]);
extern const char *const ctMoverShapeNames[CT_MOVER_SHAPES];

// A mover of this shape at rest at the origin; sometimes its leaf is off the centre of mass.
ctMover ctMover_Random(ctRandom *r, const ctShape *shape);
// The state after t seconds.
ctMover ctMover_At(const ctMover *m, double t);
// What the library is told about it; tickEnd bounds how long a contact motion lasts.
ctMotion ctMover_Motion(const ctMover *m, double tickEnd);
ctPose ctMover_Pose(const ctMover *m); // of the leaf

// Two movers of these shapes with a gap between about 1e-6 and 1 and velocities from slow to 300 m/s, mostly
// towards each other, spinning up to wild. Sets the horizon within which things happen.
void ctMoverPair_Random(ctRandom *r, const ctShape *a, const ctShape *b, ctMover *ma, ctMover *mb, double *horizon);
void ctMoverPair_Closest(const ctMover *a, const ctMover *b, ctGjkCache *cache, ctClosest *closest);
double ctMoverPair_Bound(const ctMover *a, const ctMover *b, const ctClosest *closest, double horizon, bool *exact);

#endif
