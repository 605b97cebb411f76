// A step of a small island while it is made: island_gather.c collects its points, island_plan.c tells
// when the next one is due, island_step.c does the rest.
#ifndef CT_ISLAND_STEP_H
#define CT_ISLAND_STEP_H

#include "engine/contact.h"

#define CT_SHORTEST_STEP 1e-3 // steps shorter than this share of a regular one say nothing about forces

typedef struct ctIslandStep {
    double length;    // s: of a regular step
    double next;      // s: when the island is due again
    bool changed;     // forces must be found by looking ahead
    bool full;        // no more extra steps: what hits hard is stopped in time without an impact
    double dt;        // s: longest time since a body's motion began
    double speed;     // m/s: the fastest slip or approach at a point
    double tolerance; // m/s, of the solution
} ctIslandStep;

// Fills the solver's arrays, and the list of pairs that hit. False when memory is short.
bool ctIslandStep_Gather(ctWorld *world, const ctIsland *island, ctIslandStep *step);

// ---- island_plan.c ----------------------------------------------------------------------------

// How far from where it was expected a smooth step ends for a body, as a share of its size.
double ctIslandStep_Miss(const ctWorld *world, int body, const ctSolverBody *s);
// How long the next regular steps are, after a smooth step and its miss.
void ctIslandStep_Stride(const ctWorld *world, ctIsland *island, ctIslandStep *step, double miss);
// When the island is due again.
void ctIslandStep_Plan(ctWorld *world, ctIsland *island, ctIslandStep *step);

#endif
