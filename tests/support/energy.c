#include "tests/support/energy.h"

#include "tests/support/suite.h"

double ctTestTurnover(const ctStats *s)
{
    return fabs(s->frictionLoss) + fabs(s->restitutionLoss) + fabs(s->contactLoss) + fabs(s->kinematicWork) +
           fabs(s->pushWork) + fabs(s->stepError) + s->kineticEnergy;
}

double ctTestMissingEnergy(const ctWorld *world)
{
    ctStats s = ctWorld_GetStats(world);
    double gained = s.givenEnergy + s.driveWork + s.kinematicWork + s.pushWork + s.stepError;
    double lost = s.frictionLoss + s.restitutionLoss + s.contactLoss;
    return s.kineticEnergy + s.potentialEnergy - gained + lost;
}

void ctTestEnergy(const ctWorld *world)
{
    ctStats s = ctWorld_GetStats(world);
    double missing = ctTestMissingEnergy(world);
    double scale = ctTestTurnover(&s) + fabs(s.givenEnergy) + fabs(s.driveWork) + fabs(s.potentialEnergy);
    ck_assert_msg(fabs(missing) <= 1e-12 * scale, "%g J of %g J are not accounted for", missing, scale);
}
