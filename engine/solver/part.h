// The part of an island that is not solved yet: see solver/part.c.
#ifndef CT_SOLVER_PART_H
#define CT_SOLVER_PART_H

#include "engine/solver/solver.h"

// Workspace that is kept from solution to solution.
typedef struct ctPart {
    ctSolverPoint *points; // copies
    int *from;             // the index of each in the island
    bool *near;            // by body: its points belong to the part
    int count;
    int pointCapacity, fromCapacity, nearCapacity;
} ctPart;

// Copies the points that a sweep has changed by more than the tolerance (m/s), and those around them, in their order.
// *part is made when it is NULL. False when that is the whole island, or memory is short.
bool ctPart_Take(ctPart **part, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points, int count,
                 double tolerance);
// Copies the points back.
void ctPart_Return(const ctPart *part, ctSolverPoint *points);
void ctPart_Destroy(ctPart *part);

#endif
