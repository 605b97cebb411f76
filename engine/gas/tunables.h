// The numbers that the gas is tuned by: unit, meaning, and what changes with them.
#ifndef CT_GAS_TUNABLES_H
#define CT_GAS_TUNABLES_H

// The side of the cells of the gas, as a share of the largest radius in it: 2, and room for rounding. Larger: more
// balls to look at; smaller (never): touching balls that are not neighbours.
#define CT_GAS_CELL 2.05
// The smallest ball of the gas against the largest. Smaller: more in a cell.
#define CT_GAS_SMALLEST 0.125
// Places in the table of cells for each member, at least. Fewer: strangers are met there.
#define CT_GAS_PLACES 5
// Slow hits of a ball in one micro-step; beyond, it may be rattling between others (CT_RATTLE_LIMIT).
#define CT_GAS_SLOW (CT_RATTLE_LIMIT / 3)
// Cells that a ball may cross in a frame; faster ones have a long box instead.
// Larger: fast balls go from cell to cell; smaller: they have pairs instead.
#define CT_GAS_CROSSINGS 16.0
// [rounding] Cells from the origin at most: their borders are known to 1e-7 of the side.
#define CT_GAS_FARTHEST 1e9
// Cells on every side of its own that the broadphase box of a ball of the gas holds, while no more than a few others,
// which are not of the gas, are near.
// More: more of what is not of the gas is looked at; fewer: boxes are renewed more often.
#define CT_GAS_ROOM 2
#define CT_GAS_FEW 4

#endif
