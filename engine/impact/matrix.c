// The collision matrix: its parts, and whether it is positive definite.
#include "engine/impact/impact_internal.h"

#include <float.h>

bool ctContactOf(const ctImpactInput *in, ctCollisionMatrix *k)
{
    k->b11 = in->K.cx.x;
    k->b12 = in->K.cy.x;
    k->b22 = in->K.cy.y;
    k->d1 = in->K.cz.x;
    k->d2 = in->K.cz.y;
    k->k33 = in->K.cz.z;
    k->mu = in->mu;
    k->e = in->e;
    // Sylvester's criterion by Schur complements. A value that is positive only by rounding counts as not positive.
    const double rounding = 4.0 * DBL_EPSILON;
    if (!(k->b11 > 0.0 && k->b22 > 0.0 && k->k33 > 0.0)) {
        return false;
    }
    bool firstLarger = k->b11 >= k->b22;
    double larger = firstLarger ? k->b11 : k->b22, smaller = firstLarger ? k->b22 : k->b11;
    double dLarger = firstLarger ? k->d1 : k->d2, dSmaller = firstLarger ? k->d2 : k->d1;
    k->ratio = k->b12 / larger;
    k->pivot = smaller - k->ratio * k->b12;
    if (!(k->pivot > rounding * smaller)) {
        return false;
    }
    solveB(k, k->d1, k->d2, &k->stick1, &k->stick2);
    // K33 - d . B^-1 d, one elimination after the other
    double rest = dSmaller - k->ratio * dLarger;
    k->kappa = (k->k33 - dLarger * dLarger / larger) - rest * rest / k->pivot;
    return k->kappa > rounding * k->k33;
}
