// Newton's method for the contact solver: see contact_newton.c.
#ifndef CT_CONTACT_NEWTON_H
#define CT_CONTACT_NEWTON_H

#include "engine/contact_blocks.h"

// A point in a round of the convex problem: contact_cone.c.
typedef struct ctConePoint {
    double pn, p1, p2;  // its impulse at the beginning
    double target, rho; // m/s with what makes the problem convex; kg
} ctConePoint;

typedef struct ctKeptPoint {
    double p1, p2, pn;
    ctVec3 twist;
} ctKeptPoint;

// States that are kept: before the last step, and the best one; the impulses that a step comes to, and others.
enum { ct_keptStep, ct_keptBest, ct_keptNext, ct_keptOther, ct_keptCount };

// Workspace that lives from solve to solve.
typedef struct ctNewton {
    ctBlocks matrix;
    struct ctPointLaw *laws;
    ctConePoint *cones;
    ctKeptPoint *keptPoints[ct_keptCount];
    ctSolverBody *keptBodies[ct_keptCount];
    ctMat3 *inertia;
    double *x, *slope, *base, *now; // by row: right-hand side, then the step; cone
    int lawCapacity, coneCapacity, inertiaCapacity;
    int keptPointCapacity[ct_keptCount], keptBodyCapacity[ct_keptCount];
    int xCapacity, slopeCapacity, baseCapacity, nowCapacity;
} ctNewton;

// Makes ready for prepared points. *newton is made when it is NULL. False when memory is short or the island is
// too large for it.
bool ctNewton_Begin(ctNewton **newton, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points,
                    int count);
// One step: changes impulses, and velocities with them. *stiffness, in units of the inverse of each point's own
// mobility, may grow. False, with nothing changed, when the matrix is singular. *factored grows by the number of
// matrices.
bool ctNewton_Step(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double *stiffness,
                   int *factored);
// One round of the convex problem, solved until momentum balances to a small part of settle (m/s). False, with
// nothing changed, when that takes too long.
bool ctNewton_ConeRound(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double stiffness,
                        double settle, int *factored);
// Impulses and velocities aside and back.
void ctNewton_Keep(ctNewton *nw, int slot, const ctSolverBody *bodies, const ctSolverPoint *points, int count);
void ctNewton_Restore(const ctNewton *nw, int slot, ctSolverBody *bodies, ctSolverPoint *points, int count);
void ctNewton_Destroy(ctNewton *nw);

// The row of a direction of sliding over the velocities of both bodies of a point.
void ctNewton_SlideRow(const ctSolverPoint *p, ctVec3 d, double row[2 * CT_STRIDE]);

#endif
