// The compliant law by small steps, as an oracle for engine/impact/compliant.c.
#ifndef CT_TEST_COMPLIANT_ORACLE_H
#define CT_TEST_COMPLIANT_ORACLE_H

#include "engine/impact/impact.h"

// The impulse under the compliant law: the classical Runge-Kutta method in extended precision with `steps` steps in the
// time of compression, finer next to the first touch and the end, and changes of mode found by bisection.
ctVec3 ctCompliantOracle(const ctImpactInput *in, int steps);

#endif
