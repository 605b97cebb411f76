// Sums over the life of the world for pairs of bodies.
//
// A gas of ten thousand balls has millions of pairs that meet once. The sums are stored in order of first impact. A
// hash table finds them. Its entries are small because it is read at random: the number of the sum, from 1, and above
// it some bits of the hash, so that few sums are read in vain.
#include "collision/memory.h"
#include "engine/state/state.h"

#include <string.h>

enum { TAG_SHIFT = 21, FIRST_PLACES = 128 };
#define NUMBER ((1u << TAG_SHIFT) - 1u)

_Static_assert(CT_MAX_TALLIES <= (int)NUMBER, "entries of the table hold the number of a sum");

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

static uint32_t tagOf(uint64_t hash)
{
    return (uint32_t)(hash >> 32) & ~NUMBER;
}

static uint32_t *placeOf(const ctWorld *world, uint64_t hash)
{
    return &world->tallyTable[hash & (uint64_t)(world->tallyPlaces - 1)];
}

// The place of a pair of ids (sorted), or the empty place where it belongs. The table is never full.
static uint32_t *findPlace(const ctWorld *world, ctBodyId a, ctBodyId b)
{
    uint64_t hash = hashOfIds(a, b);
    for (uint64_t i = hash;; i++) {
        uint32_t *place = placeOf(world, i);
        if (*place == 0 || ((*place & ~NUMBER) == tagOf(hash) && isOf(&world->tallies[(*place & NUMBER) - 1], a, b))) {
            return place;
        }
    }
}

// Makes the table four times as large: at most half full.
static bool growTable(ctWorld *world)
{
    if (2 * world->tallyCount < world->tallyPlaces) {
        return true;
    }
    int places = world->tallyPlaces > 0 ? 4 * world->tallyPlaces : FIRST_PLACES;
    uint32_t *wider = NULL;
    int capacity = 0;
    if (!ctReserveAligned((void **)&wider, &capacity, places, sizeof *wider)) {
        return false;
    }
    memset(wider, 0, (size_t)places * sizeof *wider);
    ctFreeAligned(world->tallyTable);
    world->tallyTable = wider;
    world->tallyPlaces = places;
    for (int i = 0; i < world->tallyCount; i++) {
        uint64_t hash = hashOfIds(world->tallies[i].a, world->tallies[i].b), at = hash;
        while (*placeOf(world, at) != 0) {
            at++;
        }
        *placeOf(world, at) = tagOf(hash) | ((uint32_t)i + 1u);
    }
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
    if (!growTable(world) ||
        !ctReserve((void **)&world->tallies, &world->tallyCapacity, world->tallyCount + 1, sizeof *world->tallies)) {
        return false;
    }
    uint32_t *place = findPlace(world, tally->a, tally->b);
    if (*place == 0) {
        world->tallies[world->tallyCount++] = (ctPairTally){tally->a, tally->b, {0}};
        *place = tagOf(hashOfIds(tally->a, tally->b)) | (uint32_t)world->tallyCount;
    }
    addTally(&world->tallies[(*place & NUMBER) - 1].tally, &tally->tally);
    return true;
}

void ctTally_Keep(ctWorld *world, int pair)
{
    const ctTally *sums = &world->extras[pair].tally;
    if (sums->impacts > 0) {
        ctBodyId a = ctBody_IdOf(world, world->pairs[pair].a), b = ctBody_IdOf(world, world->pairs[pair].b);
        ctTally_Put(world, a, b, sums->impacts, sums->impulse, sums->energyLost);
    }
}

void ctTally_Put(ctWorld *world, ctBodyId a, ctBodyId b, int64_t impacts, double impulse, double energyLost)
{
    sortIds(&a, &b);
    if (world->keptCount == CT_KEPT_TALLIES && !ctTally_Merge(world)) {
        world->outOfMemory = true;
        return;
    }
    if (world->tallyPlaces > 0) {
        ctPrefetch(placeOf(world, hashOfIds(a, b)));
    }
    ctPairTally *kept = &world->kept[world->keptCount++];
    kept->a = a;
    kept->b = b;
    kept->tally = (ctTally){.impacts = impacts, .impulse = impulse, .energyLost = energyLost};
}

bool ctTally_Merge(ctWorld *world)
{
    for (int i = 0; i < world->keptCount && world->tallyPlaces > 0; i++) {
        uint32_t place = *placeOf(world, hashOfIds(world->kept[i].a, world->kept[i].b));
        if (place != 0) {
            ctPrefetch(&world->tallies[(place & NUMBER) - 1]);
        }
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

void ctTally_Collect(const ctWorld *world, ctBodyId a, ctBodyId b, ctTally *sum)
{
    sortIds(&a, &b);
    uint32_t place = world->tallyPlaces > 0 ? *findPlace(world, a, b) : 0;
    if (place != 0) {
        addTally(sum, &world->tallies[(place & NUMBER) - 1].tally);
    }
    for (int i = 0; i < world->keptCount; i++) {
        if (isOf(&world->kept[i], a, b)) {
            addTally(sum, &world->kept[i].tally);
        }
    }
}
