// Random numbers that are the same on every run and every machine.
#ifndef CT_RANDOM_H
#define CT_RANDOM_H

#include "collision/types.h"

// `state` has four words.
void ctRandom_Seed(uint64_t *state, uint64_t seed);
double ctRandom_Uniform(uint64_t *state); // in [0, 1)
double ctRandom_Normal(uint64_t *state);  // mean 0, deviation 1, by Box and Muller

#endif
