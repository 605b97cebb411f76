#ifndef CT_SESSION_CURVES_INTERNAL_H
#define CT_SESSION_CURVES_INTERNAL_H

#include "render/session/curves.h"

// A quantity of a body, from its captured state and its world.
double ctCurve_ValueOf(const ctWorld *world, const ctBodyState *body, ctCurveOf of);

#endif
