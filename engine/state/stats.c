// The statistics of a world: counts, sums, and the hash of its state.
#include "engine/impact/impact.h"
#include "engine/state/state.h"

#include <string.h>

int ctWorld_GetImpacts(const ctWorld *world, const ctImpact **impacts)
{
    if (impacts != NULL) {
        *impacts = world->impacts;
    }
    return world->impactCount;
}

void ctWorld_OnImpact(ctWorld *world, ctImpactFn *fn, void *context)
{
    world->onImpact = fn;
    world->onImpactContext = context;
}

int ctWorld_GetContacts(const ctWorld *world, const ctContact **contacts)
{
    if (contacts != NULL) {
        *contacts = world->contactList;
    }
    return world->contactCount;
}

static void addBody(const ctWorld *world, int index, ctStats *stats)
{
    const ctBody *body = &world->bodies[index];
    const ctBodyInfo *info = &world->infos[index];
    if (!ctBody_IsMovable(body)) {
        return;
    }
    ctBodyState s = ctBody_SeenState(world, index);
    ctVec3 p = ctScale(info->mass, s.v);
    ctVec3 spin = ctInertia_Momentum(&info->inertia, s.q, s.w);
    stats->dynamicBodies++;
    stats->asleep += body->mode == ct_modeAsleep;
    stats->kineticEnergy += 0.5 * ctDot(p, s.v) + ctInertia_Energy(&info->inertia, s.q, s.w);
    stats->potentialEnergy -= info->mass * ctDot(ctBody_Pull(world, index), s.x);
    stats->driveWork += ctBody_DriveWork(world, index, &s); // since it was last flown
    stats->momentum = ctAdd(stats->momentum, p);
    stats->angularMomentum = ctAdd(stats->angularMomentum, ctAdd(ctCross(s.x, p), spin));
}

ctStats ctWorld_GetStats(const ctWorld *world)
{
    ctStats stats = world->stats;
    stats.bodies = world->bodyCount;
    stats.pairs = ctBroadphase_PairCount(world->broadphase);
    stats.contacts = world->contactCount;
    for (int i = 0; i < world->bodyCount; i++) {
        addBody(world, world->order[i], &stats);
    }
    world->hooks.addOpenWork(world, &stats);
    return stats;
}

void ctWorld_SeeGap(ctWorld *world, int a, int b, double gap)
{
    if (gap >= 0.0) {
        return;
    }
    world->stats.maxPenetration = ctFmax(world->stats.maxPenetration, -gap);
    const ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    double size = ctBodies_Size(bodyA, bodyB);
    if (world->def.audit) {
        ctWorld_Audit(world, -gap <= CT_AUDIT_OVERLAP * size, ct_auditOverlap, a, b);
    }
}

// ---- parts of the work ------------------------------------------------------------------------

void ctStats_Add(ctStats *sum, const ctStats *part)
{
    sum->frames += part->frames;
    sum->impacts += part->impacts;
    sum->microcollisions += part->microcollisions;
    sum->contactSteps += part->contactSteps;
    sum->distanceChecks += part->distanceChecks;
    sum->solverSweeps += part->solverSweeps;
    sum->auditViolations += part->auditViolations;
    sum->eventLimitHits += part->eventLimitHits;
    sum->maxPenetration = ctFmax(sum->maxPenetration, part->maxPenetration);
    sum->frictionLoss += part->frictionLoss;
    sum->restitutionLoss += part->restitutionLoss;
    sum->contactLoss += part->contactLoss;
    sum->kinematicWork += part->kinematicWork;
    sum->pushWork += part->pushWork;
    sum->stepError += part->stepError;
    sum->givenEnergy += part->givenEnergy;
    sum->driveWork += part->driveWork;
}

void ctWorld_AddSums(ctWorld *world, const ctStats *stats, const ctAudit *audit)
{
    bool first = true;
    int64_t found = 0;
    for (int k = 0; k < ct_auditKinds; k++) {
        first = first && world->audit.counts[k] == 0;
        found += audit->counts[k];
    }
    for (int k = 0; k < ct_auditKinds && !first; k++) {
        world->audit.counts[k] += audit->counts[k];
    }
    if (first && found > 0) {
        world->audit = *audit;
    }
    ctStats_Add(&world->stats, stats);
}

// ---- audit ------------------------------------------------------------------------------------

void ctWorld_Audit(ctWorld *world, bool ok, ctAuditKind kind, int a, int b)
{
    if (ok) {
        return;
    }
    ctAudit *audit = &world->audit;
    bool first = true;
    for (int k = 0; k < ct_auditKinds; k++) {
        first = first && audit->counts[k] == 0;
    }
    if (first) {
        audit->firstKind = kind;
        audit->firstTime = world->now;
        audit->firstBodies[0] = a >= 0 ? ctBody_IdOf(world, a) : (ctBodyId){0};
        audit->firstBodies[1] = b >= 0 ? ctBody_IdOf(world, b) : (ctBodyId){0};
    }
    audit->counts[kind]++;
    world->stats.auditViolations++;
}

void ctWorld_AuditImpulse(ctWorld *world, unsigned flags, int a, int b)
{
    // One violation for an impulse, of the gravest kind that applies.
    ctAuditKind kind = flags & ct_gainsEnergy      ? ct_auditEnergy
                       : flags & ct_leavesApproach ? ct_auditApproach
                       : flags & ct_leavesCone     ? ct_auditCone
                                                   : ct_auditPull;
    ctWorld_Audit(world, flags == ct_permissible, kind, a, b);
}

ctAudit ctWorld_GetAudit(const ctWorld *world)
{
    return world->audit;
}

const char *ctAuditKind_Name(ctAuditKind kind)
{
    static const char *const names[] = {
        "energy gained", "approach left",          "outside the friction cone",    "pull",
        "overlap",       "energy gained by steps", "energy gained by moving apart"};
    return kind >= 0 && kind < ct_auditKinds ? names[kind] : "";
}

// ---- hash -------------------------------------------------------------------------------------

static uint64_t mixBits(uint64_t h, uint64_t bits)
{
    h = (h ^ bits) * 0x9e3779b97f4a7c15ULL;
    return h ^ (h >> 29);
}

static uint64_t mixDouble(uint64_t h, double value)
{
    double plain = value + 0.0; // -0 and 0 hash alike
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return mixBits(h, bits);
}

static uint64_t mixVec3(uint64_t h, ctVec3 v)
{
    return mixDouble(mixDouble(mixDouble(h, v.x), v.y), v.z);
}

uint64_t ctWorld_Hash(const ctWorld *world)
{
    uint64_t h = mixDouble(0x636c6174746572ULL, world->now);
    h = mixBits(h, (uint64_t)world->bodyCount);
    for (int i = 0; i < world->bodyCount; i++) {
        ctBodyState s = ctBody_StateAt(world, &world->bodies[world->order[i]], world->now);
        h = mixVec3(h, s.x);
        h = mixDouble(mixVec3(h, ctV3(s.q.w, s.q.x, s.q.y)), s.q.z);
        h = mixVec3(mixVec3(h, s.v), s.w);
    }
    return h ^ (h >> 32);
}
