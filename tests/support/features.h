// The distance of two polyhedra by all pairs of their features: vertices, edges and faces.
#ifndef CT_TEST_FEATURES_H
#define CT_TEST_FEATURES_H

#include "collision/shape.h"

// Vertices of a core that ctTestFeatureDistance can take; edges and sides of faces are at most three and six times as
// many.
#define CT_TEST_VERTICES 256

// Between the surfaces of two boxes or hulls whose cores do not meet.
double ctTestFeatureDistance(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb);

#endif
