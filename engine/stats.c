// What a world tells about itself: what happened, sums, and the hash of its state.
#include "collision/memory.h"
#include "engine/world_internal.h"

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
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    ctVec3 p = ctScale(info->mass, s.v);
    ctVec3 spin = ctInertia_Momentum(&info->inertia, s.q, s.w);
    stats->dynamicBodies++;
    stats->asleep += body->mode == ct_modeAsleep;
    stats->kineticEnergy += 0.5 * ctDot(p, s.v) + ctInertia_Energy(&info->inertia, s.q, s.w);
    stats->potentialEnergy -= info->mass * ctDot(world->def.gravity, s.x);
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
    return stats;
}

void ctWorld_SeeGap(ctWorld *world, int a, int b, double gap)
{
    if (gap >= 0.0) {
        return;
    }
    world->stats.maxPenetration = fmax(world->stats.maxPenetration, -gap);
    const ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    double size = bodyB->plane || bodyA->radius < bodyB->radius ? bodyA->radius : bodyB->radius;
    if (world->def.audit && -gap > CT_AUDIT_OVERLAP * size) {
        world->stats.auditViolations++;
    }
}

// ---- tallies ----------------------------------------------------------------------------------

static uint64_t mixBits(uint64_t h, uint64_t bits)
{
    h = (h ^ bits) * 0x9e3779b97f4a7c15ULL;
    return h ^ (h >> 29);
}

static void sortIds(ctBodyId *a, ctBodyId *b)
{
    if (a->index1 > b->index1) {
        ctBodyId swap = *a;
        *a = *b;
        *b = swap;
    }
}

static uint64_t hashOfIds(ctBodyId a, ctBodyId b)
{
    return mixBits(mixBits((uint64_t)a.index1, a.generation), (uint64_t)b.index1 << 32 | b.generation);
}

static bool isOf(const ctPairTally *tally, ctBodyId a, ctBodyId b)
{
    return tally->a.index1 == a.index1 && tally->b.index1 == b.index1 && tally->a.generation == a.generation &&
           tally->b.generation == b.generation;
}

// The place of a pair of ids (sorted), or the empty place where it belongs. The table is never full.
static ctPairTally *findTally(const ctWorld *world, ctBodyId a, ctBodyId b)
{
    for (uint64_t i = hashOfIds(a, b);; i++) {
        ctPairTally *at = &world->tallies[i & (uint64_t)(world->tallyCapacity - 1)];
        if (at->a.index1 == 0 || isOf(at, a, b)) {
            return at;
        }
    }
}

// Twice the room, at most three quarters full.
static bool growTallies(ctWorld *world)
{
    if (4 * (int64_t)world->tallyCount < 3 * (int64_t)world->tallyCapacity) {
        return true;
    }
    int old = world->tallyCapacity, capacity = old > 0 ? 2 * old : 64;
    ctPairTally *entries = world->tallies, *wider = ctAllocate((size_t)capacity, sizeof *wider);
    if (wider == NULL) {
        return false;
    }
    world->tallies = wider;
    world->tallyCapacity = capacity;
    for (int i = 0; i < old; i++) {
        if (entries[i].a.index1 != 0) {
            *findTally(world, entries[i].a, entries[i].b) = entries[i];
        }
    }
    ctFree(entries);
    return true;
}

static void addTally(ctTally *to, const ctTally *from)
{
    to->impacts += from->impacts;
    to->impulse += from->impulse;
    to->energyLost += from->energyLost;
}

bool ctTally_Add(ctWorld *world, const ctPairTally *tally)
{
    if (world->tallyCount >= CT_MAX_TALLIES) {
        return true;
    }
    if (!growTallies(world)) {
        return false;
    }
    ctPairTally *at = findTally(world, tally->a, tally->b);
    if (at->a.index1 == 0) {
        *at = (ctPairTally){tally->a, tally->b, {0}};
        world->tallyCount++;
    }
    addTally(&at->tally, &tally->tally);
    return true;
}

void ctTally_Keep(ctWorld *world, int pair)
{
    if (world->extras[pair].tally.impacts > 0) {
        ctTally_Put(world, world->pairs[pair].a, world->pairs[pair].b, &world->extras[pair].tally);
    }
}

void ctTally_Put(ctWorld *world, int a, int b, const ctTally *sums)
{
    ctPairTally tally = {ctBody_IdOf(world, a), ctBody_IdOf(world, b), *sums};
    sortIds(&tally.a, &tally.b);
    if (world->keptCount == CT_KEPT_TALLIES && !ctTally_Merge(world)) {
        world->outOfMemory = true;
        return;
    }
    world->kept[world->keptCount++] = tally;
}

bool ctTally_Merge(ctWorld *world)
{
    for (int i = 0; i < world->keptCount && world->tallyCapacity > 0; i++) {
        uint64_t at = hashOfIds(world->kept[i].a, world->kept[i].b) & (uint64_t)(world->tallyCapacity - 1);
        ctPrefetch(&world->tallies[at]);
    }
    for (int i = 0; i < world->keptCount; i++) {
        if (!ctTally_Add(world, &world->kept[i])) {
            memmove(world->kept, &world->kept[i], (size_t)(world->keptCount - i) * sizeof world->kept[0]);
            world->keptCount -= i;
            return false;
        }
    }
    world->keptCount = 0;
    return true;
}

ctTally ctWorld_GetPairTally(const ctWorld *world, ctBodyId a, ctBodyId b)
{
    ctTally sum = {0};
    int indexA = ctBody_Resolve(world, a), indexB = ctBody_Resolve(world, b);
    if (indexA < 0 || indexB < 0 || indexA == indexB) {
        return sum;
    }
    int pair = ctPair_Find(world, indexA, indexB);
    if (pair >= 0) {
        sum = world->extras[pair].tally;
    }
    sortIds(&a, &b);
    if (world->tallyCount > 0) {
        addTally(&sum, &findTally(world, a, b)->tally);
    }
    for (int i = 0; i < world->keptCount; i++) {
        if (isOf(&world->kept[i], a, b)) {
            addTally(&sum, &world->kept[i].tally);
        }
    }
    return sum;
}

// ---- hash -------------------------------------------------------------------------------------

static uint64_t mixDouble(uint64_t h, double value)
{
    double plain = value + 0.0; // -0 and 0 are the same place
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
