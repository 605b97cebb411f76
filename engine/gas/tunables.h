// The tuned numbers of the gas: unit, meaning, and what changes with them.
#ifndef CT_GAS_TUNABLES_H
#define CT_GAS_TUNABLES_H

// The side of the cells, as a multiple of the largest radius in the gas: 2, and room for rounding. Larger: more balls
// to look at; smaller (never): touching balls whose cells are not neighbours.
#define CT_GAS_CELL 2.05
// The smallest radius of a member as a share of the largest. Smaller: more balls in a cell.
#define CT_GAS_SMALLEST 0.125
// Least number of places in the table of cells for each member. Fewer: more balls of far cells are met.
#define CT_GAS_PLACES 5
// Slow hits of a ball in one micro-step; with more, it may be rattling between others (CT_RATTLE_LIMIT).
#define CT_GAS_SLOW (CT_RATTLE_LIMIT / 3)
// Cells that a member may cross in a frame. Larger: fast balls go from cell to cell; smaller: they have a long box and
// pairs instead.
#define CT_GAS_CROSSINGS 16.0
// [rounding] Farthest cell from the origin: the borders of cells are known to 1e-7 of the side.
#define CT_GAS_FARTHEST 1e9
// Cells on every side of a member's own cell in its broadphase box, while no more than a few bodies that are no members
// are near. More: more such bodies are looked at; fewer: boxes are renewed more often.
#define CT_GAS_ROOM 2
#define CT_GAS_FEW 4

#endif
