// Internal to the impact solver: what its files share.
#ifndef CT_IMPACT_INTERNAL_H
#define CT_IMPACT_INTERNAL_H

#include "engine/impact/flow.h"
#include "engine/impact/impact.h"

// The last term of a series, or a transient, that may be dropped, as a share of the impulse. Larger: digits are lost;
// smaller: more time.
#define CT_LAST_TERM 1e-12

static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double most(double a, double b)
{
    return a > b ? a : b;
}

// Collision matrix and what follows from it; see impact/exact.c. The unit is that of K, 1/kg.
typedef struct ctCollisionMatrix {
    double b11, b12, b22;  // B
    double d1, d2, k33;    // d, K33
    double ratio, pivot;   // B12 over the larger of B11 and B22, and what elimination leaves of the other, > 0
    double stick1, stick2; // B^-1 d: -dp_t/dp_z of a contact that sticks (Jia & Wang, equation 34)
    double kappa;          // du_z/dp_z of a contact that sticks: K33 - d . B^-1 d = 1/(K^-1)_33 > 0
    double mu, e;
} ctCollisionMatrix;

// False when K is not positive definite to working precision.
bool ctContactOf(const ctImpactInput *in, ctCollisionMatrix *contact);

// B^-1 (x, y) by elimination with the larger diagonal element first. This is as accurate as the last bits of K allow;
// Cramer's rule is not when B is ill-conditioned.
static inline void solveB(const ctCollisionMatrix *k, double x, double y, double *a, double *b)
{
    if (k->b11 >= k->b22) {
        *b = (y - k->ratio * x) / k->pivot;
        *a = (x - k->b12 * *b) / k->b11;
    } else {
        *a = (x - k->ratio * y) / k->pivot;
        *b = (y - k->b12 * *a) / k->b22;
    }
}

// The direction of the diverging ray; only when |B^-1 d| > mu. With mu = 0 it is d.
void ctDivergingRay(const ctCollisionMatrix *contact, double *c, double *s);

// The rest of a sliding contact's way to the origin, near a ray that attracts and leads there.
typedef struct ctOriginWay {
    double pz, ix, iy, uz; // changes of these members of ctFlowState
    double slip, work;     // the latter without u_z(end) p_z, which is to be added
} ctOriginWay;

// The way from `at`, or false when the ray is not near or the series not accurate to `tolerance` of the impulse, which
// is at least `floor`.
bool ctWayToOrigin(const ctFlow *flow, const ctFlowState *at, double tolerance, double floor, ctOriginWay *way);

// From next to a ray that repels (and, alone, would lead to the origin) to where the deviation from it is no longer
// small. False when the ray is not near, or the series are not accurate.
bool ctWayFromRay(const ctFlow *flow, const ctFlowState *at, double tolerance, double floor, ctFlowState *to);

// Turns a direction onto the attracting ray next to it. False when there is none.
bool ctTurnToRay(const ctFlow *flow, double *c, double *s);

// Stronge's or Poisson's law. in is valid and approaching; course may be NULL.
void ctSolveExact(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out,
                  ctImpactCourse *course);

// Adds a sample to a course. A full course keeps every other sample, and those that events point to.
void ctCourse_Add(ctImpactCourse *course, ctCourseSample sample);

// The compliant law. in is valid and approaching; central: K = diag(a, a, b); course may be NULL.
void ctSolveCompliant(const ctImpactInput *in, const ctCollisionMatrix *contact, bool central, ctImpactResult *out,
                      ctImpactCourse *course);

// The laws without a course. in is valid and approaching. Bilinear wants a diagonal K: see ctCheckImpact.
void ctSolveAlgebraic(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out);
void ctSolveWhittaker(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out);
void ctSolveSmith(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out);
void ctSolveBilinear(const ctImpactInput *in, ctImpactResult *out);

// Sets the mode and the losses, split along the straight path, from p and v.
void ctFinishStraight(const ctImpactInput *in, ctImpactResult *out);

#endif
