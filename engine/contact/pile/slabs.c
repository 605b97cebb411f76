// A pile in slabs, so that several threads can solve it at once.
//
// A visit to a manifold changes its two bodies, and no other. The members of a pile are cut across the longer
// one of its two horizontal extents into slabs of as many bodies each, one to two diameters wide. Links within a slab
// are a group, with the walls of its bodies; links between two slabs are another one. Groups that have no slab in
// common change nothing of each other. So the groups between slabs get colours, like the edges of a graph whose nodes
// are the slabs: in one colour no two share a slab. A round is the colours one after another, then all slabs.
//
// Inside a group links are visited by height, as in a pile that is not divided: loads find their way down in one sweep.
// Colours of single links would have scattered that order. Slabs, colours and orders follow from the bodies' places;
// the number of threads changes nothing.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#include <string.h>

enum { LEAST_BODIES = 32 }; // [storage] of a slab: with fewer, one thread is done before others have begun

// ---- slabs --------------------------------------------------------------------------------------

// The distance between the outermost members along an axis.
static double extentOf(const ctPile *pile, ctVec3 axis)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].member) {
            double at = ctDot(axis, pile->slots[i].x);
            least = ctFmin(least, at);
            most = ctFmax(most, at);
        }
    }
    return most - least;
}

// The longer horizontal extent.
static ctVec3 chooseAxis(const ctWorld *world, const ctPile *pile, double *extent)
{
    double g = ctLength(world->def.gravity);
    ctVec3 up = g > 0.0 ? ctScale(-1.0 / g, world->def.gravity) : ctV3(0.0, 0.0, 1.0), t1, t2;
    ctFrameFromNormal(up, &t1, &t2);
    double along1 = extentOf(pile, t1), along2 = extentOf(pile, t2);
    *extent = ctFmax(along1, along2);
    return along1 >= along2 ? t1 : t2;
}

// Lists members with their places along the axis as keys; equal places by slot. Returns their number.
static int listMembers(ctWorld *world, const ctPile *pile, ctVec3 axis, double extent)
{
    uint64_t *keys = world->contacts->keys;
    double least = INFINITY;
    int count = 0;
    for (int i = 1; i < pile->slotCount; i++) {
        least = pile->slots[i].member ? ctFmin(least, ctDot(axis, pile->slots[i].x)) : least;
    }
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].member) {
            double share = ctFmin((ctDot(axis, pile->slots[i].x) - least) / extent, 1.0);
            keys[count++] = (uint64_t)(share * (1 << 20)) << 32 | (uint64_t)i;
        }
    }
    return count;
}

// Partly sorts different keys: the first `rank` are less than the others. Without branches in the loop, which the
// processor could not predict.
static void separate(uint64_t *keys, int count, int rank)
{
    while (count > 1 && rank > 0 && rank < count) {
        uint64_t pivot = keys[count / 2];
        keys[count / 2] = keys[count - 1];
        int less = 0;
        for (int i = 0; i < count - 1; i++) {
            uint64_t key = keys[i];
            keys[i] = keys[less];
            keys[less] = key;
            less += key < pivot;
        }
        keys[count - 1] = keys[less];
        keys[less] = pivot;
        if (less >= rank) {
            count = less;
        } else {
            keys += less + 1;
            count -= less + 1;
            rank -= less + 1;
        }
    }
}

// The first of so many members that is in a slab, by its rank along the axis.
static int startOf(const ctPile *pile, int slab, int members)
{
    return (int)(((int64_t)slab * members + pile->slabCount - 1) / pile->slabCount);
}

// Cuts the members of the slabs from `slab` on, a power of two, into slabs.
static void cut(ctPile *pile, uint64_t *keys, int members, int slab, int slabs)
{
    int first = startOf(pile, slab, members), end = startOf(pile, slab + slabs, members);
    if (slabs > 1) {
        separate(keys + first, end - first, startOf(pile, slab + slabs / 2, members) - first);
        cut(pile, keys, members, slab, slabs / 2);
        cut(pile, keys, members, slab + slabs / 2, slabs / 2);
        return;
    }
    for (int i = first; i < end; i++) {
        pile->slots[keys[i] & UINT32_MAX].slab = slab;
    }
}

// Sets the slab of each member.
static bool findSlabs(ctWorld *world, ctPile *pile)
{
    ctContacts *c = world->contacts;
    double extent, radii = 0.0;
    int members = 0;
    pile->slabCount = 1;
    for (int i = 0; i < pile->slotCount; i++) {
        pile->slots[i].slab = 0;
        if (pile->slots[i].member) {
            radii += world->bodies[pile->slots[i].body].radius;
            members++;
        }
    }
    if (members < 2 * LEAST_BODIES) {
        return true;
    }
    ctVec3 axis = chooseAxis(world, pile, &extent);
    double diameters = extent * members / (2.0 * radii), most = ctFmin(diameters, (double)CT_PILE_SLABS);
    int slabs = 1;
    while (2 * slabs <= most && 2 * slabs * LEAST_BODIES <= members) { // numbers of cores are 2, 4 or 8
        slabs *= 2;
    }
    if (slabs == 1) {
        return true;
    }
    if (!ctReserve((void **)&c->keys, &c->keyCapacity, members, sizeof(uint64_t))) {
        return false;
    }
    pile->slabCount = slabs;
    cut(pile, c->keys, listMembers(world, pile, axis, extent), 0, slabs);
    return true;
}

// ---- groups -------------------------------------------------------------------------------------

// The number of links between each two slabs, and then their group.
typedef int Table[CT_PILE_SLABS][CT_PILE_SLABS];

static int *entryOf(const ctPile *pile, Table table, const ctPileLink *link)
{
    int a = pile->slots[link->a].slab, b = pile->slots[link->b].slab;
    return a < b ? &table[a][b] : &table[b][a];
}

// The colours of groups between slabs: each gets the first one that is free at both its slabs.
static void colour(ctPile *pile, Table counts, unsigned char colours[][CT_PILE_SLABS])
{
    uint64_t used[CT_PILE_SLABS] = {0};
    pile->colourCount = 0;
    for (int i = 0; i < pile->slabCount; i++) {
        for (int k = i + 1; k < pile->slabCount; k++) {
            int number = 0;
            while (counts[i][k] > 0 && ((used[i] | used[k]) >> number & 1) != 0) {
                number++;
            }
            colours[i][k] = (unsigned char)number;
            if (counts[i][k] > 0) {
                used[i] |= (uint64_t)1 << number;
                used[k] |= (uint64_t)1 << number;
                pile->colourCount = pile->colourCount > number ? pile->colourCount : number + 1;
            }
        }
    }
}

// Sorts groups by colour; those of slabs come last. The table then has their numbers.
static bool makeGroups(ctPile *pile, Table table)
{
    unsigned char colours[CT_PILE_SLABS][CT_PILE_SLABS];
    int slabs = pile->slabCount, count = 0, first = 0;
    colour(pile, table, colours);
    if (!ctReserveAligned((void **)&pile->groups, &pile->groupCapacity, slabs * (slabs + 1) / 2, sizeof(ctPileGroup))) {
        return false;
    }
    for (int number = 0; number < pile->colourCount; number++) {
        pile->colours[number] = count;
        for (int i = 0; i < slabs; i++) {
            for (int k = i + 1; k < slabs; k++) {
                if (table[i][k] > 0 && colours[i][k] == number) {
                    pile->groups[count] = (ctPileGroup){.first = first};
                    first += table[i][k];
                    table[i][k] = count++;
                }
            }
        }
    }
    pile->colours[pile->colourCount] = count;
    for (int i = 0; i < slabs; i++) {
        pile->groups[count] = (ctPileGroup){.first = first};
        first += table[i][i];
        table[i][i] = count++;
    }
    pile->colours[pile->colourCount + 1] = count;
    return true;
}

// Sorts the walls by the slabs of their bodies.
static void sortWalls(ctPile *pile)
{
    ctPileGroup *slabs = &pile->groups[pile->colours[pile->colourCount]];
    for (int i = 0; i < pile->wallCount; i++) {
        slabs[pile->slots[pile->walls[i].a].slab].wallCount++;
    }
    for (int i = 0, first = 0; i < pile->slabCount; i++) {
        slabs[i].firstWall = first;
        first += slabs[i].wallCount;
        slabs[i].wallCount = 0;
    }
    for (int i = 0; i < pile->wallCount; i++) {
        ctPileGroup *slab = &slabs[pile->slots[pile->walls[i].a].slab];
        pile->work[slab->firstWall + slab->wallCount++] = pile->walls[i];
    }
    memcpy(pile->walls, pile->work, (size_t)pile->wallCount * sizeof *pile->walls);
}

// ---- rounds -------------------------------------------------------------------------------------

typedef struct Round {
    ctPile *pile;
    ctPileGroupFn *fn;
    void *context;
    int first; // group
} Round;

static void visitGroup(void *context, int item, int worker)
{
    (void)worker;
    const Round *round = context;
    round->fn(round->context, round->pile, &round->pile->groups[round->first + item]);
}

void ctPile_Round(ctWorld *world, ctPile *pile, ctPileGroupFn *fn, void *context)
{
    for (int number = 0; number <= pile->colourCount; number++) {
        Round round = {pile, fn, context, pile->colours[number]};
        ctCrew_Run(world, visitGroup, &round, pile->colours[number + 1] - pile->colours[number]);
    }
}

// ---- waves --------------------------------------------------------------------------------------

// Links that have no body in common are visited at once (contact/pile/pile_visit.c). So the links of a group are sorted
// in waves: a link is in the wave after the last one that has one of its bodies. Links with a common body keep their
// order, so visits do the same as without waves. In a wave, links with as many points come together.
enum { WAVES = 128, BINS = WAVES * CT_PILE_POINTS }; // [storage] links of later waves keep their order

// The place of a link: by wave and points. Its bodies are in that wave from now on.
static int binOf(ctPile *pile, const ctPileLink *link)
{
    ctPileMark *a = &pile->marks[link->a], *b = &pile->marks[link->b];
    int wave = a->changed > b->changed ? a->changed : b->changed;
    a->changed = b->changed = wave + 1;
    return wave < WAVES - 1 ? wave * CT_PILE_POINTS + link->points - 1 : BINS - 1;
}

static void forgetWaves(ctPile *pile, const ctPileLink *list, int count)
{
    for (int i = 0; i < count; i++) {
        pile->marks[list[i].a].changed = pile->marks[list[i].b].changed = 0;
    }
}

static void sortWaves(void *context, ctPile *pile, ctPileGroup *group)
{
    (void)context;
    ctPileLink *list = pile->active + group->first, *sorted = pile->work + group->first;
    int starts[BINS + 1] = {0};
    forgetWaves(pile, list, group->count);
    for (int i = 0; i < group->count; i++) {
        starts[binOf(pile, &list[i]) + 1]++;
    }
    for (int i = 0; i < BINS; i++) {
        starts[i + 1] += starts[i];
    }
    forgetWaves(pile, list, group->count);
    for (int i = 0; i < group->count; i++) {
        sorted[starts[binOf(pile, &list[i])]++] = list[i];
    }
    if (group->count > 0) {
        memcpy(list, sorted, (size_t)group->count * sizeof *list);
    }
}

bool ctPile_Divide(ctWorld *world, ctPile *pile)
{
    int all = pile->activeCount + pile->wallCount;
    Table table = {{0}};
    if (!findSlabs(world, pile) ||
        !ctReserveAligned((void **)&pile->work, &pile->workCapacity, all + 1, sizeof(ctPileLink))) {
        return false;
    }
    for (int i = 0; i < pile->activeCount; i++) {
        ++*entryOf(pile, table, &pile->active[i]);
    }
    if (!makeGroups(pile, table)) {
        return false;
    }
    if (pile->slabCount == 1) {
        pile->groups[0].count = pile->activeCount;
        pile->groups[0].wallCount = pile->wallCount;
        ctPile_Round(world, pile, sortWaves, NULL);
        return true;
    }
    for (int i = 0; i < pile->activeCount; i++) {
        ctPileGroup *group = &pile->groups[*entryOf(pile, table, &pile->active[i])];
        pile->work[group->first + group->count++] = pile->active[i];
    }
    if (pile->activeCount > 0) {
        memcpy(pile->active, pile->work, (size_t)pile->activeCount * sizeof *pile->active);
    }
    if (pile->wallCount > 0) {
        sortWalls(pile);
    }
    ctPile_Round(world, pile, sortWaves, NULL);
    return true;
}
