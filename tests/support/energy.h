// The energy of a world against its sums.
#ifndef CT_TEST_ENERGY_H
#define CT_TEST_ENERGY_H

#include "engine/clatter.h"

// All that energy has come from and gone to, added up without signs, J.
double ctTestTurnover(const ctStats *stats);
// What the sums do not explain of the kinetic and potential energy, J.
double ctTestMissingEnergy(const ctWorld *world);
// Fails unless kinetic and potential energy are what the sums say, to rounding. Between frames.
void ctTestEnergy(const ctWorld *world);

#endif
