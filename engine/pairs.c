// Pairs of bodies whose boxes overlap: storage, the bodies' lists of them, and the broadphase's reports.
#include "collision/memory.h"
#include "engine/world_internal.h"

#include <assert.h>
#include <string.h>

// ---- storage ----------------------------------------------------------------------------------

// Room for one more pair everywhere. The index, or -1.
static int reservePair(ctWorld *world, int a, int b)
{
    int index = world->freePair >= 0 ? world->freePair : world->pairSlots;
    int need = index + 1 > world->pairSlots ? index + 1 : world->pairSlots;
    ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    int oldExtras = world->extraCapacity;
    bool ok = ctReserve((void **)&world->pairs, &world->pairCapacity, need, sizeof(ctBodyPair)) &&
              ctReserve((void **)&world->extras, &world->extraCapacity, need, sizeof(ctPairExtra));
    if (world->extraCapacity > oldExtras) {
        memset(&world->extras[oldExtras], 0, (size_t)(world->extraCapacity - oldExtras) * sizeof(ctPairExtra));
    }
    ok = ok && ctHeap_Reserve(&world->pairHeap, need) &&
         ctReserve((void **)&world->fresh, &world->freshCapacity, world->freshCount + 1, sizeof(int)) &&
         ctReserve((void **)&bodyA->pairs, &bodyA->pairCapacity, bodyA->pairCount + 1, sizeof(int)) &&
         ctReserve((void **)&bodyB->pairs, &bodyB->pairCapacity, bodyB->pairCount + 1, sizeof(int));
    return ok ? index : -1;
}

static ctPairKind kindOf(const ctBody *a, const ctBody *b)
{
    if (a->ball && b->ball) {
        return ct_pairBalls;
    }
    return a->ball && b->plane ? ct_pairBallPlane : ct_pairGeneral;
}

// The leaf pairs of a general pair start cold.
static bool prepareExtra(ctWorld *world, int index, const ctBodyPair *pair)
{
    ctPairExtra *extra = &world->extras[index];
    extra->tally = (ctTally){0};
    extra->closest = 0;
    extra->idle = 0;
    if (pair->kind != ct_pairGeneral) {
        extra->leafCount = 0;
        return true;
    }
    int count = ctBody_Shape(world, pair->a)->leafCount * ctBody_Shape(world, pair->b)->leafCount;
    if (!ctReserve((void **)&extra->leaves, &extra->leafCapacity, count, sizeof(ctLeafPair))) {
        return false;
    }
    memset(extra->leaves, 0, (size_t)count * sizeof(ctLeafPair));
    extra->leafCount = count;
    return true;
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
    int index = reservePair(world, a, b);
    if (index < 0) {
        return -1;
    }
    ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    ctBodyPair pair = {
        .a = a, .b = b, .slotA = bodyA->pairCount, .slotB = bodyB->pairCount, .contact = -1, .microTime = -1.0};
    pair.kind = (uint8_t)kindOf(bodyA, bodyB);
    pair.state = ct_pairApart;
    if (!prepareExtra(world, index, &pair)) {
        return -1;
    }
    if (index == world->freePair) {
        world->freePair = world->pairs[index].nextFree;
    } else {
        world->pairSlots = index + 1;
    }
    world->pairs[index] = pair;
    bodyA->pairs[bodyA->pairCount++] = index;
    bodyB->pairs[bodyB->pairCount++] = index;
    world->pairCount++;
    return index;
}

// Takes the pair out of one body's list.
static void unlist(ctWorld *world, int body, int slot)
{
    ctBody *b = &world->bodies[body];
    int last = b->pairs[--b->pairCount];
    b->pairs[slot] = last;
    ctBodyPair *moved = &world->pairs[last];
    if (moved->a == body) {
        moved->slotA = slot;
    } else {
        moved->slotB = slot;
    }
}

void ctPair_Remove(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    if (pair->state == ct_pairContact) {
        ctContact_End(world, index);
        pair = &world->pairs[index]; // waking may have made new pairs
        world->bodies[pair->a].contactPairs--;
        world->bodies[pair->b].contactPairs--;
    }
    ctTally_Keep(world, index);
    ctHeap_Remove(&world->pairHeap, index);
    unlist(world, pair->a, pair->slotA);
    unlist(world, pair->b, pair->slotB);
    pair->state = ct_pairFree;
    pair->nextFree = world->freePair;
    world->freePair = index;
    world->pairCount--;
}

void ctPair_RemoveAll(ctWorld *world, int body)
{
    while (world->bodies[body].pairCount > 0) {
        int index = world->bodies[body].pairs[world->bodies[body].pairCount - 1];
        const ctBodyPair *pair = &world->pairs[index];
        int other = pair->a == body ? pair->b : pair->a;
        ctPair_Remove(world, index);
        ctContact_Leave(world, other);
    }
}

void ctPair_PrefetchAll(const ctWorld *world, const ctBody *body)
{
    for (int i = 0; i < body->pairCount; i++) {
        ctPrefetch(&world->pairs[body->pairs[i]]);
        ctPrefetch(&world->pairHeap.where[body->pairs[i]]);
    }
    for (int i = 0; i < body->pairCount; i++) {
        const ctBodyPair *pair = &world->pairs[body->pairs[i]];
        const ctBody *other = &world->bodies[&world->bodies[pair->a] == body ? pair->b : pair->a];
        ctPrefetch(other);
        ctPrefetch(&other->a);
    }
}

int ctPair_Find(const ctWorld *world, int a, int b)
{
    const ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    const ctBody *few = bodyA->pairCount <= bodyB->pairCount ? bodyA : bodyB;
    for (int i = 0; i < few->pairCount; i++) {
        ctPrefetch(&world->pairs[few->pairs[i]]);
    }
    for (int i = 0; i < few->pairCount; i++) {
        const ctBodyPair *pair = &world->pairs[few->pairs[i]];
        if ((pair->a == a && pair->b == b) || (pair->a == b && pair->b == a)) {
            return few->pairs[i];
        }
    }
    return -1;
}

ctPair ctPair_Coefficients(const ctWorld *world, const ctBodyPair *pair)
{
    int a = world->infos[pair->a].material, b = world->infos[pair->b].material;
    int hi = a > b ? a : b, lo = a > b ? b : a;
    return world->materialPairs[(size_t)hi * (size_t)(hi + 1) / 2 + (size_t)lo].pair;
}

double ctPair_TouchGap(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double size = b->plane || a->radius < b->radius ? a->radius : b->radius;
    double reach = ctMaxElement(ctAbs(a->x)) + a->radius + size;
    return CT_TOUCH_SIZE * size + CT_TOUCH_ROUNDING * reach;
}

// ---- the broadphase ---------------------------------------------------------------------------

static void onBegin(void *context, int a, int b)
{
    ctWorld *world = context;
    int index = ctPair_Add(world, a, b);
    if (index < 0) {
        world->outOfMemory = true;
        return;
    }
    world->fresh[world->freshCount++] = index;
}

static void onEnd(void *context, int a, int b)
{
    ctWorld *world = context;
    int index = ctPair_Find(world, a, b);
    if (index >= 0) {
        ctPair_Remove(world, index);
    }
}

bool ctWorld_FlushPairs(ctWorld *world, ctError *error)
{
    ctPairSink sink = {onBegin, onEnd, world};
    if (!ctBroadphase_Flush(world->broadphase, &sink, error)) {
        world->outOfMemory = true;
    }
    for (int i = 0; i < world->freshCount; i++) {
        if (world->pairs[world->fresh[i]].state == ct_pairApart) {
            ctPair_Schedule(world, world->fresh[i], true);
        }
    }
    world->freshCount = 0;
    return !world->outOfMemory;
}
