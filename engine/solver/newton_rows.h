// The laws of points in a step of Newton's method, and the rows that they add to its matrix.
#ifndef CT_SOLVER_NEWTON_ROWS_H
#define CT_SOLVER_NEWTON_ROWS_H

#include "engine/solver/newton.h"

// Two directions with a common bound share * p_n: sliding or rolling.
typedef struct ctDiscLaw {
    double c1, c2; // unit direction of the impulse in the axes t1, t2
    double share;  // dp_c grows with dp_n by this factor: 0 when it sticks
    double qc, gc, qx, gx;
} ctDiscLaw;

// dp = q - G J dv at one point.
typedef struct ctPointLaw {
    bool open;
    double qn, gn;
    ctDiscLaw slip, roll;
    double spinShare, qs, gs;
} ctPointLaw;

// The law of a point at the present impulses and velocities. burden: nw->burden; stiffness: that of the step.
void ctPointLaw_Set(const ctSolverPoint *p, const ctSolverBody *bodies, double burden, double stiffness,
                    ctPointLaw *law);
// Adds a point to the matrix and the right-hand side.
void ctNewton_AddPoint(ctNewton *nw, const ctSolverPoint *p, const ctPointLaw *law);

#endif
