// An independent solution of one impact, slow and accurate: a Taylor series of order 26 in extended precision,
// in Cartesian components, with events found by sampling and bisection. Also Baber's closed form of planar impacts,
// and random impacts of many kinds.
#ifndef CT_TEST_IMPACT_ORACLE_H
#define CT_TEST_IMPACT_ORACLE_H

#include "engine/impact/impact.h"
#include "tests/support/random.h"

// Stronge and Poisson. Good to 1e-15 of |p| where the problem itself is well conditioned. False when it gave up.
bool ctOracleImpact(const ctImpactInput *in, ctVec3 *p);

// How much p changes, relative to |p|, when the last bits of the input do: the largest of a few tries.
double ctOracleSensitivity(const ctImpactInput *in, ctVec3 p, ctRandom *r);

// Baber's section 5: K has a plane that decouples (K12 = K23 = 0) and u_y = 0. Stronge's law.
ctVec3 ctPlanarImpact(double k11, double k13, double k33, double ux, double uz, double mu, double e);

typedef enum ctImpactKind {
    ct_kindCentralIso,
    ct_kindCentralDiagonal,
    ct_kindBodies,        // two random bodies
    ct_kindBodyOnGround,  // one body against an immovable one
    ct_kindMatrix,        // a random positive definite K
    ct_kindThin,          // condition numbers of K up to 1e6
    ct_kindGrazing,       // |u_z| << |u_t|
    ct_kindSlowSliding,   // |u_t| << |u_z|
    ct_kindNoSliding,     // u_t = 0
    ct_kindUnstable,      // |B^-1 d| > mu
    ct_kindJam,           // du_z/dp_z < 0 to begin with
    ct_kindTwoPhases,     // around Baber's example
    ct_kindOnRay,         // u_t on an invariant ray
    ct_kindNearRay,       // 1e-3 to 1e-13 off one
    ct_kindSmallFriction, // mu down to 1e-9
    ct_kindScales,        // K and u times 1e-6 to 1e6
    ct_kindCount
} ctImpactKind;

// A valid, approaching impact under stronge or poisson; e is 0 or 1 now and then.
ctImpactInput ctRandomImpact(ctRandom *r, ctImpactKind kind);
const char *ctImpactKindName(ctImpactKind kind);

#endif
