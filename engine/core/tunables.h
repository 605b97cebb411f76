// Numbers that all rooms share. The other rooms have a tunables.h of their own, or define a number in the one file that
// needs it; tools/count-numbers counts them, and tools/try-numbers says which scenes notice one.
#ifndef CT_CORE_TUNABLES_H
#define CT_CORE_TUNABLES_H

// Two that differ by less are equal: lengths as shares of the size, cosines of directions, forces and accelerations as
// shares of the greatest, times as shares of a step. Larger: a face that is tilted by 1e-4 rad counts as level, and
// bodies that overlap visibly are accepted; smaller: faces after a slide, whose tilt is rounding of some thousand
// steps, are taken for edges.
#define CT_EQUAL 1e-9

// What lasts for less than this share of a step is over at once: no forces are found for it, and nothing is looked at
// again before it has passed. Larger: bodies arrive late by a thousandth of a step's way; smaller: more looks at pairs
// that grind, and forces found over times in which gravity does nothing.
#define CT_SHORTEST_STEP 1e-3

// Speeds below this share of the speed of a fall by the size, or of a fall for a step, are slow: points that part so
// stay closed while they are pressed, and changes of velocity that are less need no better balance. Larger: rocking
// dies early; smaller: storms of events among dominoes.
#define CT_SLOW 1e-4

#endif
