// The energy of a world against its sums.
#ifndef CT_TEST_ENERGY_H
#define CT_TEST_ENERGY_H

#include "engine/clatter.h"

// All that energy has come from and gone to, added up without signs, J.
double ctTestTurnover(const ctStats *stats);
// Fails unless kinetic and potential energy are what the sums say, to rounding. Between frames.
void ctTestEnergy(const ctWorld *world);

#endif
