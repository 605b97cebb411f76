// A square matrix of 6 x 6 blocks, one row of blocks for each movable body of an island, factored inside its envelope.
#ifndef CT_SOLVER_BLOCKS_H
#define CT_SOLVER_BLOCKS_H

#include "engine/core/four.h"
#include "engine/solver/solver.h"

// A block has a row for each component of a body's velocity and spin. Rows are padded in memory for vector
// instructions; the padding is zero.
enum { CT_BLOCK = 6, CT_STRIDE = 8 };

// Zero-initialise.
typedef struct ctBlocks {
    int count;                              // blocks in a row
    int *block;                             // by body: its block, or -1
    int *order;                             // by block: its body
    int *low, *start;                       // by block: the first block of its row, and where that row's blocks begin
    double *lower, *upper;                  // (i, j) at start[i] + j - low[i], and (j, i) likewise, for low[i] <= j < i
    double *diagonal;                       // (i, i); its inverse once factored
    double *masses;                         // the mass matrix, by block
    int *link, *linkStart, *queue, *degree; // the graph of bodies, used while they are numbered
    int blockCapacity, orderCapacity, lowCapacity, startCapacity, lowerCapacity, upperCapacity, diagonalCapacity;
    int massCapacity, linkCapacity, linkStartCapacity, queueCapacity, degreeCapacity;
} ctBlocks;

// Numbers the movable bodies that have points, and lays the matrix out. False when memory is short, or the factor would
// be too large to be worth its cost.
bool ctBlocks_Begin(ctBlocks *m, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points, int count);
// Sets the matrix to the masses.
void ctBlocks_SetMasses(ctBlocks *m);
// Three rows of six numbers for a body with an arm r: (h, r x h) for each row h of a matrix; padded.
typedef struct ctRows {
    ctFour at[6];
} ctRows;

// Adds J^T H J for a point; J: its velocity as a function of the bodies' velocities. a, b: the rows of H for its
// bodies.
void ctBlocks_AddPoint(ctBlocks *m, const ctSolverPoint *p, const ctRows *a, const ctRows *b);
// Adds the torque of a point on its bodies, given by its rows: what the bodies' velocities add to the left side.
void ctBlocks_AddTorque(ctBlocks *m, const ctSolverPoint *p, const ctRows *a, const ctRows *b);
// L U in place. False when a pivot block is singular.
bool ctBlocks_Factor(ctBlocks *m);
// Replaces the right-hand side x by the solution, CT_STRIDE numbers for each block.
void ctBlocks_Solve(const ctBlocks *m, double *x);
void ctBlocks_Destroy(ctBlocks *m);

#endif
