// Contact in piles: many points, a little work at each, in a compact form.
//
// Points of one face are a manifold: they share the normal, its frame and the coefficients. This module
// knows nothing of worlds or shapes. The derivation is at the top of contact/pile/pile_solver.c.
#ifndef CT_PILE_SOLVER_H
#define CT_PILE_SOLVER_H

#include "collision/memory.h"
#include "engine/solver/solver.h"

// [method] Points of a manifold: more of one face are redundant.
#define CT_PILE_POINTS 4

// What a sweep reads and writes at a point.
typedef struct ctPilePoint {
    ctVec3 ra, rb;        // from each centre of mass to that body's own surface point, m
    double target;        // the normal velocity must not fall below this, m/s
    double room;          // m: the two may come nearer by so much; negative: they are to be moved apart
    double invKnn;        // kg
    double k1n, k2n;      // tangential velocity per normal impulse, and the reverse, 1/kg
    double m11, m12, m22; // inverse of K in the tangent plane, kg
    double hold;          // 1 / its largest eigenvalue, kg
    double p1, p2, pn;    // impulse on a in the manifold's frame, N s
} ctPilePoint;

typedef struct ctPileManifold {
    _Alignas(CT_CACHE_LINE) int a; // bodies; the normal points from b to a
    int b;
    int count;
    bool wall;     // b feels nothing
    bool plane;    // b is one; for the caller
    bool loaded;   // a point pushed at the last visit
    bool twisted;  // twist is not zero
    bool overlaps; // points want to be pushed apart; for the caller
    ctVec3 n, t1, t2;
    double size; // m: the smaller body's; for the caller
    double friction;
    double rolling, spinning; // m: |angular impulse| <= this * normal impulse
    double patch;             // m: the least of both for a single point (spinning: times friction)
    ctVec3 twist;             // angular impulse of both on a, N m s
    ctPilePoint points[CT_PILE_POINTS];
} ctPileManifold;

// The frame and what the points answer to impulses with, for the bodies as they are. Needs n, a, b, and the
// arms; impulses are left alone.
void ctPile_Prepare(const ctSolverBody *bodies, ctPileManifold *manifold);
// Adds the impulses that the manifold carries to the velocities of its bodies.
void ctPile_Apply(ctSolverBody *bodies, const ctPileManifold *manifold);
// Makes the impulses that it carries so many times as large.
void ctPile_Scale(ctPileManifold *manifold, double factor);
// One visit to all points of a manifold. Whether a velocity there has changed by more than the tolerance, m/s.
bool ctPile_Solve(ctSolverBody *bodies, ctPileManifold *manifold, double tolerance);

// A displacement that overlaps are pushed out by.
typedef struct ctPilePush {
    ctVec3 x, turn; // m, rad
    bool any;
} ctPilePush;
// One visit to all points of a manifold: moves the two apart where they have not the room. Of two that lie
// on each other the upper one gives way: up is a unit vector, or zero. True when something has moved.
bool ctPile_Push(const ctSolverBody *bodies, ctPilePush *pushes, const ctPileManifold *manifold, ctVec3 up);

#endif
