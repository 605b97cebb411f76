// The pairs of bodies in a snapshot.
#include "collision/memory.h"
#include "engine/api/api_internal.h"
#include "engine/api/snapshot.h"

#include <string.h>

static bool isCode(const ctShape *shape, int code)
{
    switch (shape->type) {
    case ct_shapeLathe:
        return code >= 0 && code < shape->u.lathe.count;
    case ct_shapeHull:
        return code >= 0 && code < shape->u.hull.vertexCount;
    case ct_shapeSphere:
    case ct_shapeCapsule:
    case ct_shapeBox:
    case ct_shapeEllipsoid:
    case ct_shapePlane:
    case ct_shapeCompound:
    case ct_shapeTerrain:
        break;
    }
    return true;
}

static void archiveLeaf(ctArchive *ar, ctLeafPair *leaf, const ctShape *a, const ctShape *b)
{
    ctArchive_Index(ar, &leaf->cache.count, 0, 4);
    for (int i = 0; i < leaf->cache.count; i++) {
        ctArchive_I32(ar, &leaf->cache.a[i]);
        ctArchive_I32(ar, &leaf->cache.b[i]);
        ctArchive_Check(ar, isCode(a, leaf->cache.a[i]) && isCode(b, leaf->cache.b[i]), "a cache");
    }
    ctArchive_Vec3(ar, &leaf->cache.axis);
    ctArchive_Vec3(ar, &leaf->normal);
}

static void archiveExtra(ctWorld *world, ctArchive *ar, int index)
{
    ctPairExtra *extra = &world->extras[index];
    const ctBodyPair *pair = &world->pairs[index];
    ctArchive_Index(ar, &extra->closest, 0, extra->leafCount > 0 ? extra->leafCount : 1);
    ctArchive_I32(ar, &extra->idle);
    ctArchive_Finite(ar, &extra->pressing);
    ctArchive_Check(ar, extra->idle >= 0 && extra->pressing >= 0.0, "a pair");
    ctSnapshot_Tally(ar, &extra->tally);
    const ctShape *a = ctBody_Shape(world, pair->a), *b = ctBody_Shape(world, pair->b);
    for (int i = 0; i < extra->leafCount && !ar->failed; i++) {
        archiveLeaf(ar, &extra->leaves[i], a->leaves[i / b->leafCount].shape, b->leaves[i % b->leafCount].shape);
    }
}

static void archivePairBody(ctWorld *world, ctArchive *ar, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    double time = ar->writing ? ctAgenda_Time(&world->pairAgenda, index) : 0.0;
    ctArchive_I32(ar, &pair->rattle);
    ctArchive_Finite(ar, &pair->rattleTime);
    ctArchive_Finite(ar, &pair->microTime);
    ctArchive_F64(ar, &pair->distance);
    ctArchive_Finite(ar, &pair->pathA);
    ctArchive_Finite(ar, &pair->pathB);
    ctArchive_I32(ar, &pair->contact);
    ctArchive_F64(ar, &time);
    if (!ar->writing) {
        bool contact = pair->state == ct_pairContact;
        ctArchive_Check(ar, contact == (pair->contact >= 0) && (!contact || !isfinite(time)), "a pair");
        ctAgenda_Set(&world->pairAgenda, index, time);
        if (pair->state == ct_pairInside && ar->version < 13) { // older versions looked at the end of the frame
            ctAgenda_Set(&world->pairAgenda, index, world->now);
        }
        world->bodies[pair->a].contactPairs += contact;
        world->bodies[pair->b].contactPairs += contact;
    }
    archiveExtra(world, ar, index);
}

static void archiveBodyPair(ctWorld *world, ctArchive *ar, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    ctArchive_U8(ar, &pair->state);
    ctArchive_Check(ar, pair->state <= ct_pairInside, "a pair");
    ctArchive_Index(ar, &pair->nextFree, -1, world->pairSlots);
    if (pair->state == ct_pairFree || ar->failed) {
        return;
    }
    ctArchive_Index(ar, &pair->a, 0, world->bodySlots);
    ctArchive_Index(ar, &pair->b, 0, world->bodySlots);
    if (!ar->writing) {
        bool live = pair->a != pair->b && ctBody_IsMovable(&world->bodies[pair->a]) &&
                    world->bodies[pair->b].mode != ct_modeFree &&
                    ctPair_IsSensor(pair) == world->bodies[pair->b].sensor;
        if (!ctArchive_Check(ar, live, "a pair") || !ctArchive_CheckMemory(ar, ctPair_Prepare(world, index))) {
            return;
        }
    }
    archivePairBody(world, ar, index);
}

static bool reservePairs(ctWorld *world, int slots)
{
    if (slots == 0) {
        return true;
    }
    if (!ctReserveAligned((void **)&world->pairs, &world->pairCapacity, slots, sizeof(ctBodyPair)) ||
        !ctReserveAligned((void **)&world->extras, &world->extraCapacity, slots, sizeof(ctPairExtra)) ||
        !ctAgenda_Reserve(&world->pairAgenda, slots)) {
        return false;
    }
    memset(world->pairs, 0, (size_t)slots * sizeof(ctBodyPair));
    memset(world->extras, 0, (size_t)world->extraCapacity * sizeof(ctPairExtra));
    world->pairSlots = slots;
    return true;
}

// Whether the free list holds every free slot once.
static bool checkPairs(ctWorld *world)
{
    int free = 0;
    for (int i = 0; i < world->pairSlots; i++) {
        free += world->pairs[i].state == ct_pairFree;
    }
    world->pairCount = world->pairSlots - free;
    int at = world->freePair;
    for (; at >= 0 && free > 0; at = world->pairs[at].nextFree, free--) {
        if (world->pairs[at].state != ct_pairFree) {
            return false;
        }
    }
    return free == 0 && at < 0;
}

void ctSnapshot_Pairs(ctWorld *world, ctArchive *ar)
{
    int slots = world->pairSlots;
    ctArchive_Count(ar, &slots, 5);
    ctArchive_Index(ar, &world->freePair, -1, slots);
    if (!ar->writing && !ctArchive_CheckMemory(ar, reservePairs(world, slots))) {
        return;
    }
    for (int i = 0; i < slots && !ar->failed; i++) {
        archiveBodyPair(world, ar, i);
    }
    if (!ar->writing && !ar->failed) {
        ctArchive_Check(ar, checkPairs(world), "the list of free pairs");
    }
}
