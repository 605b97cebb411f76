// Numbers that all rooms share. The other rooms have a tunables.h of their own, or define a number in the one file that
// needs it; tools/count-numbers counts them, and tools/try-numbers says which scenes notice one.
#ifndef CT_CORE_TUNABLES_H
#define CT_CORE_TUNABLES_H

// Two values whose difference is less than this are equal. It is a share: of the size for lengths, of the greatest for
// forces and accelerations, of a step for times; cosines of directions have no unit. Larger: a face tilted by 1e-4 rad
// counts as level, and visible overlaps are accepted; smaller: a face after a slide, whose tilt is the rounding of some
// thousand steps, is taken for an edge.
#define CT_EQUAL 1e-9

// Shortest time that counts, as a share of a step: no forces are found for less, and no pair is looked at again before
// it has passed. Larger: bodies arrive late by a thousandth of a step's way; smaller: more looks at pairs that grind,
// and forces found over times in which gravity does nothing.
#define CT_SHORTEST_STEP 1e-3

// Slow speeds, as a share of the speed of a fall by the size, or of a fall for a step. Points that separate slower than
// this stay closed while they are pressed, and changes of velocity below it need no better balance. Larger: rocking
// dies early; smaller: storms of events among dominoes.
#define CT_SLOW 1e-4

#endif
