// Pairs of bodies whose boxes overlap: their storage, and the reports of the broadphase.
#include "collision/memory.h"
#include "engine/pairs/balls.h"

#include <string.h>

// ---- storage ----------------------------------------------------------------------------------

// Makes room for one more pair in all arrays. The index, or -1.
static int reservePair(ctWorld *world)
{
    int index = world->freePair >= 0 ? world->freePair : world->pairSlots;
    int need = index + 1 > world->pairSlots ? index + 1 : world->pairSlots;
    bool ok = ctReserveAligned((void **)&world->pairs, &world->pairCapacity, need, sizeof(ctBodyPair)) &&
              ctReserveAligned((void **)&world->extras, &world->extraCapacity, need, sizeof(ctPairExtra));
    if (ok && index == world->pairSlots) {
        world->extras[index] = (ctPairExtra){0};
    }
    ok = ok && ctAgenda_Reserve(&world->pairAgenda, need) &&
         ctReserve((void **)&world->fresh, &world->freshCapacity, world->freshCount + 1, sizeof(int));
    return ok ? index : -1;
}

// Most pairs have one leaf pair. These are taken from common blocks, which saves the allocator's data about each.
enum { BLOCK = 64 };
typedef struct ctLeafBlock {
    struct ctLeafBlock *next;
    ctLeafPair leaves[BLOCK];
} ctLeafBlock;

static void giveBack(ctWorld *world, ctLeafPair *leaf)
{
    void *next = world->freeLeaf;
    memcpy(leaf, &next, sizeof next);
    world->freeLeaf = leaf;
}

static ctLeafPair *takeOne(ctWorld *world)
{
    if (world->freeLeaf == NULL) {
        ctLeafBlock *block = ctAllocate(1, sizeof *block);
        if (block == NULL) {
            return NULL;
        }
        block->next = world->leafBlocks;
        world->leafBlocks = block;
        for (int i = BLOCK - 1; i >= 0; i--) {
            giveBack(world, &block->leaves[i]);
        }
    }
    ctLeafPair *leaf = world->freeLeaf;
    void *next;
    memcpy(&next, leaf, sizeof next);
    world->freeLeaf = next;
    return leaf;
}

static void freeLeaves(ctWorld *world, ctPairExtra *extra)
{
    if (extra->leafCount == 1) {
        giveBack(world, extra->leaves);
    } else {
        ctFree(extra->leaves);
    }
    extra->leaves = NULL;
    extra->leafCount = 0;
}

void ctPairs_FreeLeaves(ctWorld *world)
{
    for (int i = 0; i < world->pairSlots; i++) {
        freeLeaves(world, &world->extras[i]);
    }
    while (world->leafBlocks != NULL) {
        ctLeafBlock *next = world->leafBlocks->next;
        ctFree(world->leafBlocks);
        world->leafBlocks = next;
    }
    world->freeLeaf = NULL;
}

static bool takeLeaves(ctWorld *world, ctPairExtra *extra, int count)
{
    if (count != extra->leafCount) {
        ctLeafPair *leaves = count == 1 ? takeOne(world) : ctAllocate((size_t)count, sizeof *leaves);
        if (leaves == NULL) {
            return false;
        }
        freeLeaves(world, extra);
        extra->leaves = leaves;
        extra->leafCount = count;
    }
    memset(extra->leaves, 0, (size_t)count * sizeof(ctLeafPair));
    return true;
}

static ctPairKind kindOf(const ctBody *a, const ctBody *b)
{
    if (a->ball && b->ball) {
        return ct_pairBalls;
    }
    return a->ball && b->plane ? ct_pairBallPlane : ct_pairGeneral;
}

// The leaf pairs of a new general pair have no cached data. Of pairs that are due at the same moment the one of the
// lowest bodies comes first: the indices of pairs depend on which bodies have met anywhere in the world.
static bool prepareExtra(ctWorld *world, int index, const ctBodyPair *pair)
{
    ctPairExtra *extra = &world->extras[index];
    ctAgenda_Rank(&world->pairAgenda, index, (uint64_t)pair->a << 32 | (uint64_t)pair->b);
    extra->tally = (ctTally){0};
    extra->closest = 0;
    extra->idle = 0;
    extra->pressing = 0.0;
    extra->touched = 0;
    if (pair->kind != ct_pairGeneral) {
        freeLeaves(world, extra);
        return true;
    }
    return takeLeaves(world, extra, ctBody_Shape(world, pair->a)->leafCount * ctBody_Shape(world, pair->b)->leafCount);
}

bool ctPair_Prepare(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    pair->kind = (uint8_t)kindOf(&world->bodies[pair->a], &world->bodies[pair->b]);
    return prepareExtra(world, index, pair);
}

int ctPair_Add(ctWorld *world, int a, int b)
{
    if (!ctBody_IsMovable(&world->bodies[a])) {
        int swap = a;
        a = b;
        b = swap;
    }
    int index = reservePair(world);
    if (index < 0) {
        return -1;
    }
    if (world->bodies[b].terrain && (b = ctTile_Open(world, a, b)) < 0) {
        return -1;
    }
    ctBodyPair pair = {.a = a, .b = b, .state = ct_pairApart, .contact = -1, .microTime = -1.0};
    pair.kind = (uint8_t)kindOf(&world->bodies[a], &world->bodies[b]);
    if (world->bodies[b].sensor) {
        pair.state = ct_pairOutside;
    }
    if (!prepareExtra(world, index, &pair)) {
        if (world->infos[b].tile != NULL) {
            ctTile_Close(world, b);
        }
        return -1;
    }
    if (index == world->freePair) {
        world->freePair = world->pairs[index].nextFree;
    } else {
        world->pairSlots = index + 1;
    }
    world->pairs[index] = pair;
    world->pairCount++;
    return index;
}

void ctPair_Remove(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    if (pair->state == ct_pairContact) {
        world->hooks.endContact(world, index);
        pair = &world->pairs[index]; // waking may have made new pairs
        world->bodies[pair->a].contactPairs--;
        world->bodies[pair->b].contactPairs--;
    }
    if (ctPair_IsSensor(pair)) {
        ctSensor_Part(world, index);
    }
    ctTally_Keep(world, index);
    ctAgenda_Remove(&world->pairAgenda, index);
    if (world->infos[pair->b].tile != NULL) {
        ctTile_Close(world, pair->b);
    }
    freeLeaves(world, &world->extras[index]);
    pair->state = ct_pairFree;
    pair->nextFree = world->freePair;
    world->freePair = index;
    world->pairCount--;
}

int ctPair_Make(ctWorld *world, int a, int b)
{
    int index = ctPair_Add(world, a, b);
    if (index >= 0) {
        ctBroadphase_SetTag(world->broadphase, a, b, index);
    } else {
        world->outOfMemory = true;
    }
    return index;
}

int ctBody_Pair(ctWorld *world, int body, int k)
{
    int count;
    const ctLink *links = ctBody_Links(world, body, &count);
    if (k >= count) {
        return -1;
    }
    return links[k].tag != CT_LATENT ? links[k].tag : ctPair_Make(world, body, links[k].other);
}

int ctPair_Find(const ctWorld *world, int a, int b)
{
    int tag = ctBroadphase_Find(world->broadphase, ctBody_Owner(world, a), ctBody_Owner(world, b));
    return tag != CT_LATENT ? tag : -1;
}

ctCoefficients ctPair_Coefficients(const ctWorld *world, const ctBodyPair *pair)
{
    return ctBodies_Coefficients(world, pair->a, pair->b);
}

ctCoefficients ctBodies_Coefficients(const ctWorld *world, int bodyA, int bodyB)
{
    int a = world->infos[bodyA].material, b = world->infos[bodyB].material;
    int hi = a > b ? a : b, lo = a > b ? b : a;
    return world->materialPairs[(size_t)hi * (size_t)(hi + 1) / 2 + (size_t)lo].pair;
}

double ctPair_TouchGap(const ctWorld *world, const ctBodyPair *pair)
{
    return ctBodies_TouchGap(&world->bodies[pair->a], &world->bodies[pair->b]);
}

double ctPair_SpeedRounding(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double speed = ctMaxElement(ctAbs(a->v)) + ctMaxElement(ctAbs(b->v)) + ctMaxElement(ctAbs(a->w)) * a->radius +
                   ctMaxElement(ctAbs(b->w)) * b->radius;
    return CT_SPEED_ROUNDING * (speed + ctPair_ImpactSpeed(world, pair));
}

double ctPair_ImpactSpeed(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    return CT_IMPACT_SPEED * ctWorld_FallSpeed(world, ctBodies_Size(a, b));
}

// ---- the broadphase ---------------------------------------------------------------------------

static int onBegin(void *context, int a, int b)
{
    ctWorld *world = context;
    if (!ctBodies_MayMeet(world, a, b)) {
        return -1;
    }
    bool balls = world->bodies[a].ball && world->bodies[b].ball;
    double time = balls ? ctBalls_Time(world, a, b) : 0.0;
    if (time == (double)INFINITY) {
        return CT_LATENT;
    }
    int index = ctPair_Add(world, a, b);
    if (index < 0) {
        world->outOfMemory = true;
    } else if (balls) {
        ctAgenda_Set(&world->pairAgenda, index, time);
    } else {
        world->fresh[world->freshCount++] = index;
    }
    return index;
}

static void onEnd(void *context, int a, int b, int index)
{
    (void)a, (void)b;
    if (index != CT_LATENT) {
        ctPair_Remove(context, index);
    }
}

static void onExpect(void *context, int proxy, int index)
{
    const ctWorld *world = context;
    if (index < 0) {
        ctPrefetch(&world->bodies[proxy]);
        ctPrefetch(&world->bodies[proxy].a);
    } else if (index != CT_LATENT) {
        ctPrefetch(&world->pairs[index]);
        ctPrefetch(&world->extras[index]);
        ctPrefetch(&world->pairAgenda.times[index]);
    }
}

ctPairSink ctWorld_PairSink(ctWorld *world)
{
    return (ctPairSink){onBegin, onEnd, world, onExpect};
}

bool ctWorld_ScheduleFresh(ctWorld *world)
{
    for (int i = 0; i < world->freshCount; i++) {
        if (world->pairs[world->fresh[i]].state == ct_pairApart) {
            ctPair_Schedule(world, world->fresh[i], true);
        } else if (world->pairs[world->fresh[i]].state == ct_pairOutside) {
            world->pairs[world->fresh[i]].rattleTime = world->now; // the two may overlap already
            ctAgenda_Set(&world->pairAgenda, world->fresh[i], world->now);
        }
    }
    world->freshCount = 0;
    return !world->outOfMemory;
}

// A body that is removed, and the function to call for each body that it had a pair with.
typedef struct Leaving {
    ctWorld *world;
    void (*parted)(ctWorld *world, int other);
} Leaving;

static void onLeave(void *context, int a, int b, int index)
{
    const Leaving *leaving = context;
    onEnd(leaving->world, a, b, index);
    leaving->parted(leaving->world, ctBroadphase_Has(leaving->world->broadphase, a) ? a : b);
}

void ctWorld_LeaveBroadphase(ctWorld *world, int index, void (*parted)(ctWorld *world, int other))
{
    Leaving leaving = {world, parted};
    ctPairSink sink = {NULL, onLeave, &leaving, NULL};
    ctBroadphase_Remove(world->broadphase, index, &sink);
}
