// Newton's method for the contact solver: see solver/newton.c.
#ifndef CT_SOLVER_NEWTON_H
#define CT_SOLVER_NEWTON_H

#include "engine/core/four.h"
#include "engine/solver/blocks.h"

// A step or a round has converged when it leaves no more than this share of the residual. Larger: more sweeps after it;
// smaller: more matrices.
#define CT_SOFT 0.3

// Four points, one in each lane: what is the same throughout a solution. Lanes without a point are open, with bodies of
// another.
typedef struct ctPointFour {
    int count;                // points
    int a[4], b[4];           // bodies
    int blockA[4], blockB[4]; // theirs in the matrix, or -1
    bool still;               // bodies b are ground that does not move
    bool resists;             // a point resists rolling or spinning
    ctFourAt ra[3], rb[3], n[3], t1[3], t2[3], mu, target, knn, invKnn, invS2;
    ctFourAt rolling, spinning, roll2, spinMobility; // where one resists
} ctPointFour;

// The same in a round of the proximal point method: solver/proximal.c.
typedef struct ctRoundFour {
    ctFourAt pn, p1, p2;           // impulses at the start
    ctFourAt gn, gt;               // kg: stiffness
    ctFourAt qn, q1, q2;           // impulses at the present velocities
    ctFourAt c1, c2, cross;        // sliding: direction of friction, and its stiffness across that, as a share
    long long bears[4], sticks[4]; // nonzero: what bears and does not stick slides
} ctRoundFour;

typedef struct ctKeptPoint {
    double p1, p2, pn;
    ctVec3 twist;
} ctKeptPoint;

// Saved states: before the last step, the best one, the result of the first search, without impulses; the impulses
// after a step, and others.
enum { ct_keptStep, ct_keptBest, ct_keptFirst, ct_keptFree, ct_keptNext, ct_keptOther, ct_keptCount };

// Workspace that is kept from solution to solution.
typedef struct ctNewton {
    ctBlocks matrix;
    ctPointFour *fours;
    struct ctLawFour *laws;
    ctRoundFour *round;
    ctKeptPoint *keptPoints[ct_keptCount];
    ctSolverBody *keptBodies[ct_keptCount];
    double *x, *slope, *base, *now; // by row: right-hand side, then the step; for rounds
    double burden;                  // kg: the least mass that a point must be able to hold
    bool even;                      // no body is lighter than that
    bool held;                      // the next step of a round takes every point as held, also those without an impulse
    double stuck;                   // stiffness of a round whose factored matrix has all points held; 0: none
    int fourCapacity, lawCapacity, roundCapacity;
    int keptPointCapacity[ct_keptCount], keptBodyCapacity[ct_keptCount];
    int xCapacity, slopeCapacity, baseCapacity, nowCapacity;
} ctNewton;

// The velocities, at their arms, of four bodies; each is followed in memory by two numbers or more.
static inline ctFourVec ctNewton_VelocityAt(const double *const from[4], ctFourVec arm)
{
    ctFour first[4], second[4];
    ctFour_Transpose(*(const ctFourAt *)from[0], *(const ctFourAt *)from[1], *(const ctFourAt *)from[2],
                     *(const ctFourAt *)from[3], first);
    ctFour_Transpose(*(const ctFourAt *)(from[0] + 4), *(const ctFourAt *)(from[1] + 4),
                     *(const ctFourAt *)(from[2] + 4), *(const ctFourAt *)(from[3] + 4), second);
    ctFourVec v = {first[0], first[1], first[2]}, w = {first[3], second[0], second[1]};
    return ctFourVec_Add(v, ctFourVec_Cross(w, arm));
}

// Prepares for prepared points. *newton is made when it is NULL. False when memory is short or the island is too large
// for it.
bool ctNewton_Begin(ctNewton **newton, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points,
                    int count);
// One step from the state in the slot ct_keptStep: changes impulses and velocities. corrections: how often the pieces
// of points may be corrected. *stiffness, in units of the inverse of each point's own mobility, grows where more than a
// share of settle (m/s) would be left of velocities that must vanish. False, with nothing changed, when a matrix is
// singular. *factored grows by the number of matrices.
bool ctNewton_Step(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, int corrections, double settle,
                   double *stiffness, int *factored);
// One round of the proximal point method, until momentum balances to settle (m/s). stiffness: in units of the inverse
// of each point's own mobility. False, with nothing changed, when it does not converge.
bool ctNewton_Round(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double stiffness,
                    double settle, int *factored);
// Rounds with soft springs, and with stiff ones about the impulses that those have found, for points without impulses.
// Where all points hold in the end another round has the same matrix, and leaves sweeps nothing to do. Bodies that all
// begin to fall press on each other only if those below are held: the first step takes all points as held.
void ctNewton_Share(ctNewton *nw, ctSolverBody *bodies, ctSolverPoint *points, int count, double soft, double stiff,
                    double settle, int *factored);
// Saves impulses and velocities, and restores them.
void ctNewton_Keep(ctNewton *nw, int slot, const ctSolverBody *bodies, const ctSolverPoint *points, int count);
void ctNewton_Restore(const ctNewton *nw, int slot, ctSolverBody *bodies, ctSolverPoint *points, int count);
void ctNewton_RestoreBodies(const ctNewton *nw, int slot, ctSolverBody *bodies);
// The rows of a matrix H, given by its own rows, for the bodies of four points with these arms.
void ctRows_Spread(const ctFourVec h[3], ctFourVec arm, ctRows rows[4]);
void ctNewton_Destroy(ctNewton *nw);

#endif
