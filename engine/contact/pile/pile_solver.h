// Contact in piles: many points, little work at each, in a compact form.
//
// Points of one face are a manifold: they share the normal, its frame and the coefficients. This module knows no worlds
// and no shapes. The derivation is at the head of contact/pile/pile_solver.c.
#ifndef CT_PILE_SOLVER_H
#define CT_PILE_SOLVER_H

#include "collision/memory.h"
#include "engine/solver/solver.h"

// [method] Points of a manifold: more points of one face are redundant.
#define CT_PILE_POINTS 4

// [storage] Manifolds that one call pushes out, and solves.
#define CT_PILE_QUAD 4
#define CT_PILE_LANES (2 * CT_PILE_QUAD)

// The data of a point that a sweep reads and writes, in rows of four numbers that are read together
// (contact/pile/pile_visit.c). Push-out reads the first two rows.
typedef struct ctPilePoint {
    ctVec3 ra, rb;        // from each centre of mass to that body's own surface point, m
    double target;        // the least normal velocity, m/s
    double room;          // m: how much nearer the two may come; negative: they are to be moved apart
    double k1n, k2n;      // tangential velocity per normal impulse, and the reverse, 1/kg
    double m11, m12, m22; // inverse of K in the tangent plane, kg
    double hold;          // 1 / its largest eigenvalue, kg
    double p1, p2, pn;    // impulse on a in the manifold's frame, N s
    double invKnn;        // kg
} ctPilePoint;

typedef struct ctPileManifold {
    _Alignas(CT_CACHE_LINE) int a; // bodies; the normal points from b to a
    int b;
    int count;
    bool wall;     // b does not respond
    bool plane;    // b is one; for the caller
    bool loaded;   // a point pushed at the last visit
    bool twisted;  // twist is not zero
    bool overlaps; // points must be pushed apart; for the caller
    ctVec3 n;      // in rows of four numbers, too
    double friction;
    ctVec3 t1;
    double patch; // m: the least of rolling and spinning for a single point (spinning: times friction)
    ctVec3 t2;
    double size;              // m: the smaller body's
    double rolling, spinning; // m: |angular impulse| <= this * normal impulse
    ctVec3 twist;             // angular impulse of both on a, N m s
    ctPilePoint points[CT_PILE_POINTS];
} ctPileManifold;

// Computes the frame and the mobilities of the points for the present bodies. Needs n, a, b, and the arms; impulses do
// not change.
void ctPile_Prepare(const ctSolverBody *bodies, ctPileManifold *manifold);
// Adds the impulses of the manifold to the velocities of its bodies.
void ctPile_Apply(ctSolverBody *bodies, const ctPileManifold *manifold);
// Multiplies the impulses of the manifold by a factor.
void ctPile_Scale(ctPileManifold *manifold, double factor);
// Visits all points of up to CT_PILE_LANES manifolds once. No two of them may have a body in common, except walls. A
// body that does not move has no inverse inertia. Bit i of the result: a velocity at manifold i has changed by more
// than the tolerance, m/s.
unsigned ctPile_Solve(ctSolverBody *bodies, ctPileManifold *const *manifolds, int count, double tolerance);

// A displacement by which overlaps are pushed out.
typedef struct ctPilePush {
    ctVec3 x, turn; // m, rad
    bool any;
} ctPilePush;
// Visits all points of up to CT_PILE_QUAD such manifolds once: moves two bodies apart where they lack room. Of two that
// lie on each other the upper one moves: up is a unit vector, or zero. Bit i of the result: a body of manifold i has
// moved.
unsigned ctPile_Push(const ctSolverBody *bodies, ctPilePush *pushes, ctPileManifold *const *manifolds, int count,
                     ctVec3 up);

#endif
