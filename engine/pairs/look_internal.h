// Inside pairs: what looks and the times at which they come have in common.
#ifndef CT_LOOK_INTERNAL_H
#define CT_LOOK_INTERNAL_H

#include "engine/pairs/pairs.h"

// A gap of this share of the smaller body's radius cannot close within a step.
#define CT_LOOK_ROOM (2.0 * CT_CONTACT_MARGIN)
// A look at a body in contact reaches to the end of its present course, and by this share beyond: the island's step
// comes first. Larger: looks at a time after the change; smaller: looks again just before a step.
#define CT_LOOK_BEYOND (10.0 * CT_SHORTEST_STEP)
// A separating plane that excludes a touch for less than this share of the horizon is not worth another look.
#define CT_LOOK_WORTHWHILE (2.0 * CT_LOOK_BEYOND)

// The horizon of a look at a pair, s: a body in contact changes its course at the next step of its island, or at its
// next microcollision, and all its pairs are looked at then. Zero: that is now.
double ctPair_Horizon(const ctWorld *world, const ctBodyPair *pair);

#endif
