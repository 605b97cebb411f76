#ifndef CT_SESSION_CURVES_INTERNAL_H
#define CT_SESSION_CURVES_INTERNAL_H

#include "render/session/curves.h"

// A quantity of a body in a world of which its state was captured.
double ctCurve_ValueOf(const ctWorld *world, const ctBodyState *body, ctCurveOf of);

#endif
