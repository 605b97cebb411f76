// Internal to the impact solver: what its files share.
#ifndef CT_IMPACT_INTERNAL_H
#define CT_IMPACT_INTERNAL_H

#include "engine/impact.h"
#include "engine/impact_flow.h"

// Collision matrix and what follows from it; see impact_exact.c. The unit is that of K, 1/kg.
typedef struct Contact {
    double b11, b12, b22;  // B
    double d1, d2, k33;    // d, K33
    double detB;           // > 0
    double stick1, stick2; // B^-1 d: -dp_t/dp_z of a contact that sticks (Jia & Wang, equation 34)
    double kappa;          // du_z/dp_z of a contact that sticks: K33 - d . B^-1 d = 1/(K^-1)_33 > 0
    double mu, e;
} Contact;

// False when K is not positive definite to working precision.
bool ctContactOf(const ctImpactInput *in, Contact *contact);

// B^-1 (x, y)
static inline void solveB(const Contact *k, double x, double y, double *a, double *b)
{
    *a = (k->b22 * x - k->b12 * y) / k->detB;
    *b = (k->b11 * y - k->b12 * x) / k->detB;
}

// The direction of the diverging ray; only when |B^-1 d| > mu. With mu = 0 it is d.
void ctDivergingRay(const Contact *contact, double *c, double *s);

// Stronge's or Poisson's law. in is valid and approaching; course may be NULL.
void ctSolveExact(const ctImpactInput *in, const Contact *contact, ctImpactResult *out, ctImpactCourse *course);

// The laws without a course. in is valid and approaching. Bilinear wants a diagonal K: see ctCheckImpact.
void ctSolveAlgebraic(const ctImpactInput *in, const Contact *contact, ctImpactResult *out);
void ctSolveWhittaker(const ctImpactInput *in, const Contact *contact, ctImpactResult *out);
void ctSolveSmith(const ctImpactInput *in, const Contact *contact, ctImpactResult *out);
void ctSolveBilinear(const ctImpactInput *in, ctImpactResult *out);

// Fills in v, losses split along the straight path, and returns out.
void ctFinishStraight(const ctImpactInput *in, ctImpactResult *out);

#endif
