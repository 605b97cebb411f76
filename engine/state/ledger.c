// The audit of the energy: steps of finite length and the correction of overlaps may add energy. Each second the gain
// is compared with the energy that the world turns over. Where next to nothing moves, that is next to nothing; then the
// scale is the weight times the radius of each body. Places in contact are correct to about 1e-4 of the size
// (CT_ASTRAY), so a body that lands may be lifted by that much.
#include "engine/state/state.h"

// The energy that was exchanged between two frames, J.
static double turnedBetween(const ctStats *a, const ctStats *b)
{
    return fabs(b->frictionLoss - a->frictionLoss) + fabs(b->restitutionLoss - a->restitutionLoss) +
           fabs(b->contactLoss - a->contactLoss) + fabs(b->kinematicWork - a->kinematicWork) +
           fabs(b->driveWork - a->driveWork) + fabs(b->kineticEnergy - a->kineticEnergy);
}

// Sum of weight times radius over the bodies that are awake, J.
static double weightOf(const ctWorld *world)
{
    double sum = 0.0;
    for (int i = 0; i < world->bodyCount; i++) {
        int index = world->order[i];
        const ctBody *body = &world->bodies[index];
        if (ctBody_IsMovable(body) && body->mode != ct_modeAsleep) {
            sum += world->infos[index].mass * ctLength(ctBody_Pull(world, index)) * body->radius;
        }
    }
    return sum;
}

void ctWorld_AuditLedger(ctWorld *world)
{
    ctLedgerWatch *watch = &world->ledger;
    ctStats now = ctWorld_GetStats(world);
    if (!watch->began) {
        *watch = (ctLedgerWatch){.began = true, .since = world->now, .start = now, .last = now};
        return;
    }
    watch->turned += turnedBetween(&watch->last, &now);
    watch->weight = ctFmax(watch->weight, weightOf(world));
    watch->last = now;
    if (world->now < watch->since + 1.0 - 1e-9) {
        return;
    }
    double turned = watch->turned + now.kineticEnergy + watch->weight;
    double error = now.stepError - watch->start.stepError, push = now.pushWork - watch->start.pushWork;
    double least = CT_LEDGER_ROUNDING * (fabs(now.potentialEnergy) + fabs(now.givenEnergy));
    double most = CT_LEDGER_GROWTH * turned + least;
    ctWorld_Audit(world, error <= most, ct_auditStepError, -1, -1);
    ctWorld_Audit(world, push <= most, ct_auditPushWork, -1, -1);
    *watch = (ctLedgerWatch){.began = true, .since = world->now, .start = now, .last = now};
}
