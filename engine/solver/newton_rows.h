// The laws of points in a step of Newton's method, and the rows that they add to its matrix.
#ifndef CT_SOLVER_NEWTON_ROWS_H
#define CT_SOLVER_NEWTON_ROWS_H

#include "engine/solver/newton.h"

// Two directions with a common bound share * p_n: sliding or rolling.
typedef struct ctDiscLaw {
    ctFourAt c1, c2; // unit direction of the impulse in the axes t1, t2
    ctFourAt share;  // dp_c grows with dp_n by this factor: 0 when it sticks
    ctFourAt qc, gc, qx, gx;
} ctDiscLaw;

// dp = q - G J dv at each of four points.
typedef struct ctLawFour {
    long long open[4]; // nonzero
    ctFourAt p1, p2, pn, qn, gn;
    ctDiscLaw slip;
    // Only where a point resists.
    ctDiscLaw roll;
    ctFourAt twist[3], spinShare, qs, gs;
} ctLawFour;

// The laws of four points at the present impulses and velocities, in nw->laws. stiffness: that of the step.
void ctNewton_SetLaws(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int four,
                      double stiffness);
// Adds four points to the matrix and the right-hand side.
void ctNewton_AddFour(ctNewton *nw, const ctSolverPoint *points, int four);

#endif
