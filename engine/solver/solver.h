// The forces of sustained contact: unilateral points with Coulomb friction, solved for velocities.
//
// This room knows no worlds and no shapes: it gets arrays of bodies and points, and changes velocities and impulses.
// The derivation is at the head of solver/sweep.c.
#ifndef CT_SOLVER_H
#define CT_SOLVER_H

#include "collision/mat3.h"

// Problems with more points are solved less exactly, and an island with as many is not stopped in the middle of its
// step when one of its bodies is struck. More: stacks cost more; fewer: results depend more on the frame rate
// (tests/test_struck.c).
#define CT_MANY_POINTS 32
// Masses farther apart than this factor are brought together step by step. Ten times farther apart, forces of redundant
// points are known to rounding only. Larger: light bodies under heavy ones sink in; smaller: more time.
#define CT_UNEQUAL_MASSES 1e3
// The cost of a step of Newton's method, with its matrix, in sweeps. Larger: sweeps go on where a step would end the
// search; smaller: matrices where a few sweeps would do.
#define CT_NEWTON_SWEEPS 5
// The usual budget of a solution, in sweeps. Larger: landing stacks cost more; smaller: they sway, and become piles.
#define CT_SOLVER_BUDGET 160
// The search ends when a whole sweep changes no contact velocity by more than its tolerance; this is the usual one,
// m/s. Larger: stacks creep; smaller: rounding.
#define CT_SOLVER_TOLERANCE 1e-10
// In tolerances: a result farther from a solution than this has failed. With a warm start, a nearer one is accepted
// when the budget is spent. Larger: islands keep wrong solutions; smaller: towers become piles.
#define CT_SOLVER_ASTRAY 100.0

typedef struct ctSolverBody {
    ctVec3 v, w;       // m/s, rad/s; changed by the solver unless invMass is 0
    double invMass;    // 1/kg; 0: the body moves with v and w, whatever acts on it
    ctMat3 invInertia; // world axes, 1/(kg m^2); not read when invMass is 0
} ctSolverBody;

typedef struct ctSolverPoint {
    // Set by the caller. The normal points from b to a; a and b are not both immovable.
    int a, b;
    ctVec3 n;
    ctVec3 ra, rb;   // from each centre of mass to that body's own surface point
    double mu;       // friction
    double target;   // the least normal velocity, m/s
    ctVec3 impulse;  // on a, N s: warm start on entry, solution on return
    double rolling;  // resistance to rolling, m: |angular impulse| <= rolling * normal impulse
    double spinning; // resistance to spinning about n, m
    ctVec3 twist;    // angular impulse of both resistances on a, N m s: warm start and solution

    // Set by ctSolver_Prepare.
    ctVec3 t1, t2; // principal directions of sliding: they make a right-handed frame with n
    double s1, s2; // velocity per impulse along t1, t2 while the normal velocity is held
    double invS1, invS2;
    double g1, g2; // K n = knn (g1 t1 + g2 t2 + n)
    double knn, invKnn;
    double p1, p2, pn; // the impulse in that frame
    double slide;      // parameter of the last sliding solution, 0 < slide <= 1; 0: none yet
    double change;     // of its velocity by the last sweep, m/s

    // The same for the resistances, set only where there are any.
    double rollCos, rollSin; // principal direction of rolling in the axes t1, t2
    double roll1, roll2;     // spin per angular impulse along it and across it, roll1 <= roll2
    double spinMobility;     // spin about n per angular impulse
    double rollSlide;
} ctSolverPoint;

// Workspace that is kept from solution to solution. Zero-initialise.
typedef struct ctSolver {
    struct ctNewton *newton;
    struct ctPart *part;
    // For the next solutions: without a warm start, redundant points share the load as springs do.
    bool shares;
    // For the next solution: arms, normals and bodies are those of the last one.
    bool prepared;
} ctSolver;

typedef struct ctSolverReport {
    int sweeps;      // Gauss-Seidel sweeps
    int factored;    // Newton matrices factored
    double residual; // m/s, of the last sweep
    bool converged;
    bool astray; // it is far from a solution
} ctSolverReport;

void ctSolver_Destroy(ctSolver *solver); // frees what it holds

// Moves the ends of the arms of adjacent points with common bodies and normal into one plane: that of the point with
// the highest target. A sticking face whose corners close different gaps would otherwise need speeds that no rigid body
// has, an error of second order in the gaps.
void ctSolver_Align(ctSolverPoint *points, int count);
// Fills in the prepared fields of points for the present bodies.
void ctSolver_Prepare(const ctSolverBody *bodies, ctSolverPoint *points, int count);
// The same where only impulses have changed since the last time.
void ctSolver_PrepareAgain(ctSolverPoint *points, int count);
// Adds factor times the impulses of the points to the velocities of their bodies.
void ctSolver_Apply(ctSolverBody *bodies, const ctSolverPoint *points, int count, double factor);
// One sweep over prepared points, last to first when backwards. Returns the largest change of a contact velocity, m/s.
// Results stay in the frame of the point until ctSolver_Finish.
double ctSolver_Sweep(ctSolverBody *bodies, ctSolverPoint *points, int count, bool backwards);
// Writes the impulses back in world axes.
void ctSolver_Finish(ctSolverPoint *points, int count);

// The whole solution. On entry the velocities contain the effect of the points' impulses; on return they satisfy every
// point to the tolerance (m/s). The budget is the effort that this should take, in sweeps. With a warm start, the
// solution may be the less exact the more of it is spent; without, the search ends after six budgets. Uses sweeps only
// when memory is short. bodyCount bounds the indices of the points.
ctSolverReport ctSolver_Solve(ctSolver *solver, ctSolverBody *bodies, int bodyCount, ctSolverPoint *points, int count,
                              double tolerance, int budget);
// The cost of a solution, in sweeps.
int ctSolverReport_Effort(const ctSolverReport *report);

// Scales impulses that were found only roughly, and the velocities that they have led to from those in start, by one
// factor, such that they do no positive work at the mean of both velocities.
void ctSolver_LimitWork(ctSolverBody *bodies, const ctSolverBody *start, ctSolverPoint *points, int count);

// The target of a point for pseudo-velocities.
typedef struct ctPush {
    double target; // normal velocity, m/s: at least this, or exactly this where it pulls
    bool pulls;
    // Scratch: the impulse; for each body, the normal velocity per spin, and the spin per impulse.
    double impulse;
    ctVec3 armA, armB, turnA, turnB;
} ctPush;

// Moves overlapping bodies apart, and closes gaps, without changing their velocities: finds pseudo-velocities (all zero
// on entry) that satisfy the pushes, by sweeps. Only invMass and invInertia of pseudo are read. The points are
// prepared.
void ctSolver_PushOut(ctSolverBody *pseudo, const ctSolverPoint *points, ctPush *pushes, int count, double tolerance,
                      int maxSweeps);

// ---- shared by solver/sweep.c and solver/newton.c --------------------------------------------

static inline ctVec3 ctSolverPoint_Velocity(const ctSolverPoint *p, const ctSolverBody *bodies)
{
    const ctSolverBody *a = &bodies[p->a], *b = &bodies[p->b];
    return ctVelocityBetween(a->v, a->w, p->ra, b->v, b->w, p->rb);
}

static inline void ctSolverPoint_Push(const ctSolverPoint *p, ctSolverBody *bodies, ctVec3 impulse)
{
    ctSolverBody *a = &bodies[p->a], *b = &bodies[p->b];
    if (a->invMass > 0.0) {
        a->v = ctMulAdd(a->v, a->invMass, impulse);
        a->w = ctAdd(a->w, ctMulMV(a->invInertia, ctCross(p->ra, impulse)));
    }
    if (b->invMass > 0.0) {
        b->v = ctMulAdd(b->v, -b->invMass, impulse);
        b->w = ctSub(b->w, ctMulMV(b->invInertia, ctCross(p->rb, impulse)));
    }
}

static inline void ctSolverPoint_Twist(const ctSolverPoint *p, ctSolverBody *bodies, ctVec3 twist)
{
    ctSolverBody *a = &bodies[p->a], *b = &bodies[p->b];
    if (a->invMass > 0.0) {
        a->w = ctAdd(a->w, ctMulMV(a->invInertia, twist));
    }
    if (b->invMass > 0.0) {
        b->w = ctSub(b->w, ctMulMV(b->invInertia, twist));
    }
}

#endif
