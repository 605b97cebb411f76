// Piles in a snapshot: a large island keeps its own form from step to step, and a snapshot in the middle of a frame
// must hold all of it.
#include "engine/contact/contact_internal.h"
#include "engine/core/archive.h"

#include "collision/memory.h"

#include <string.h>

enum { SLOT_BYTES = 5, WATCH_BYTES = 48, MANIFOLD_BYTES = 100 };

// Makes room for count elements, zeroed, of an array that is about to be read.
static bool reserve(ctArchive *ar, void **data, int *capacity, int count, size_t size)
{
    if (ar->writing || ar->failed) {
        return !ar->failed;
    }
    if (!ctReserveAligned(data, capacity, count, size)) {
        return ctArchive_CheckMemory(ar, false);
    }
    if (count > 0) {
        memset(*data, 0, (size_t)count * size);
    }
    return true;
}

static void archiveSlots(ctWorld *world, ctArchive *ar, ctPile *pile)
{
    ctArchive_Count(ar, &pile->slotCount, SLOT_BYTES);
    if (!reserve(ar, (void **)&pile->slots, &pile->slotCapacity, pile->slotCount, sizeof(ctPileSlot)) ||
        !reserve(ar, (void **)&pile->bodies, &pile->bodyCapacity, pile->slotCount, sizeof(ctSolverBody)) ||
        !reserve(ar, (void **)&pile->pushes, &pile->pushCapacity, pile->slotCount, sizeof(ctPilePush)) ||
        !reserve(ar, (void **)&pile->marks, &pile->markCapacity, pile->slotCount, sizeof(ctPileMark)) ||
        !reserve(ar, (void **)&pile->gains, &pile->gainCapacity, pile->slotCount, sizeof(ctPileWork)) ||
        !reserve(ar, (void **)&pile->ways, &pile->wayCapacity, pile->slotCount, sizeof(double))) {
        return;
    }
    ctArchive_Check(ar, pile->slotCount > 0, "a pile");
    for (int i = 0; i < pile->slotCount && !ar->failed; i++) {
        ctPileSlot *slot = &pile->slots[i];
        ctArchive_Index(ar, &slot->body, i == 0 ? -1 : 0, i == 0 ? 0 : world->bodySlots);
        ctArchive_Bool(ar, &slot->member);
        ctArchive_Bool(ar, &slot->frozen);
        if (!ar->writing && i > 0 && !ar->failed) {
            const ctBody *body = &world->bodies[slot->body];
            bool known = slot->body < world->contacts->bodyCapacity;
            ctArchive_Check(ar, slot->member ? known && ctBody_IsMovable(body) : body->mode == ct_modeKinematic,
                            "a pile");
            if (!ar->failed) {
                ctPile_LoadSlot(world, pile, i);
            }
        }
        ctArchive_Vec3(ar, &slot->x);
        ctArchive_Vec3(ar, &slot->v);
        ctArchive_Vec3(ar, &slot->w);
        ctArchive_Mat3(ar, &slot->r);
        ctArchive_Finite(ar, &slot->turned);
        if (!ar->writing && slot->member && !ar->failed) {
            world->contacts->bodies[slot->body].slot = i;
        }
    }
}

static void archiveWatch(ctWorld *world, ctArchive *ar, ctPile *pile, int index)
{
    ctContacts *c = world->contacts;
    ctPileWatch *watch = &pile->watches[index];
    ctArchive_Index(ar, &watch->record, -1, c->recordSlots);
    ctArchive_Index(ar, &watch->a, 0, pile->slotCount);
    ctArchive_Index(ar, &watch->b, 0, pile->slotCount);
    ctArchive_Index(ar, &watch->first, -1, pile->manifoldCount);
    ctArchive_Finite(ar, &watch->reach);
    ctArchive_Finite(ar, &watch->size);
    ctArchive_Finite(ar, &watch->moved);
    ctArchive_Finite(ar, &watch->limit);
    ctArchive_Vec3(ar, &watch->from);
    ctArchive_Finite(ar, &watch->armA);
    ctArchive_Finite(ar, &watch->armB);
    ctArchive_Finite(ar, &watch->turn);
    ctArchive_Bool(ar, &watch->frozen);
    ctArchive_Vec3(ar, &watch->load);
    ctArchive_Finite(ar, &pile->guards[index].until);
    pile->guards[index].a = watch->a;
    pile->guards[index].b = watch->b;
    if (!ar->writing && !ar->failed && watch->record >= 0) {
        ctContactRecord *record = &c->records[watch->record];
        int a = pile->slots[watch->a].body, b = pile->slots[watch->b].body;
        if (ctArchive_Check(ar,
                            record->pair >= 0 && record->pile == NULL && (a < 0 || a == record->a) &&
                                (b < 0 || b == record->b) && (a >= 0 || b >= 0),
                            "a pile")) {
            record->pile = pile;
            record->watch = index;
        }
    }
}

static void archivePoint(ctArchive *ar, ctPilePoint *p, ctPileAnchor *anchor)
{
    ctVec3 *vectors[] = {&p->ra, &p->rb, &anchor->localA, &anchor->localB, &anchor->sum};
    double *numbers[] = {&p->target, &p->room, &p->invKnn, &p->k1n, &p->k2n, &p->m11,     &p->m12,
                         &p->m22,    &p->hold, &p->p1,     &p->p2,  &p->pn,  &anchor->gap};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctArchive_Vec3(ar, vectors[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ctArchive_Finite(ar, numbers[i]);
    }
}

static void archiveManifold(ctArchive *ar, ctPile *pile, int index)
{
    ctPileManifold *m = &pile->manifolds[index];
    ctPileNormal *normal = &pile->normals[index];
    ctArchive_Index(ar, &m->a, 0, pile->slotCount);
    ctArchive_Index(ar, &m->b, 0, pile->slotCount);
    ctArchive_Index(ar, &m->count, 0, CT_PILE_POINTS + 1);
    ctArchive_Index(ar, &pile->next[index], -1, pile->manifoldCount);
    ctArchive_Check(ar, pile->next[index] < 0 || pile->next[index] > index, "a pile"); // lists end
    ctArchive_Bool(ar, &m->wall);
    ctArchive_Bool(ar, &m->plane);
    ctArchive_Bool(ar, &m->twisted);
    ctArchive_Bool(ar, &m->loaded);
    ctVec3 *vectors[] = {&m->n, &m->t1, &m->t2, &m->twist, &normal->localA, &normal->localB};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctArchive_Vec3(ar, vectors[i]);
    }
    ctArchive_Finite(ar, &m->size);
    ctArchive_Finite(ar, &m->friction);
    ctArchive_Finite(ar, &m->rolling);
    ctArchive_Finite(ar, &m->spinning);
    ctArchive_Finite(ar, &m->patch);
    for (int k = 0; k < m->count && !ar->failed; k++) {
        archivePoint(ar, &m->points[k], &pile->anchors[CT_PILE_POINTS * index + k]);
    }
}

static void archivePile(ctWorld *world, ctArchive *ar, ctPile *pile)
{
    ctArchive_Finite(ar, &pile->time);
    ctArchive_Finite(ar, &pile->fastest);
    ctArchive_Finite(ar, &pile->step);
    ctArchive_I64(ar, &pile->beat);
    ctArchive_Bool(ar, &pile->atRest);
    ctArchive_Bool(ar, &pile->thawed);
    ctArchive_Bool(ar, &pile->booked);
    ctArchive_Check(ar, pile->time <= world->now && pile->step > 0.0, "a pile");
    archiveSlots(world, ar, pile);
    ctArchive_Count(ar, &pile->manifoldCount, MANIFOLD_BYTES);
    int n = pile->manifoldCount;
    if (!reserve(ar, (void **)&pile->manifolds, &pile->manifoldCapacity, n, sizeof(ctPileManifold)) ||
        !reserve(ar, (void **)&pile->normals, &pile->normalCapacity, n, sizeof(ctPileNormal)) ||
        !reserve(ar, (void **)&pile->next, &pile->nextCapacity, n, sizeof(int)) ||
        !reserve(ar, (void **)&pile->anchors, &pile->anchorCapacity, CT_PILE_POINTS * n, sizeof(ctPileAnchor))) {
        return;
    }
    for (int i = 0; i < n && !ar->failed; i++) {
        archiveManifold(ar, pile, i);
    }
    ctArchive_Count(ar, &pile->watchCount, WATCH_BYTES);
    if (!reserve(ar, (void **)&pile->watches, &pile->watchCapacity, pile->watchCount, sizeof(ctPileWatch)) ||
        !reserve(ar, (void **)&pile->guards, &pile->guardCapacity, pile->watchCount, sizeof(ctPileGuard))) {
        return;
    }
    for (int i = 0; i < pile->watchCount && !ar->failed; i++) {
        archiveWatch(world, ar, pile, i);
    }
}

void ctPile_Archive(ctWorld *world, ctArchive *ar, ctIsland *island)
{
    bool present = island->pile != NULL;
    ctArchive_Bool(ar, &island->large);
    ctArchive_Bool(ar, &present);
    ctArchive_Check(ar, island->large || !present, "a pile");
    if (!present || ar->failed) {
        return;
    }
    if (!ar->writing) {
        island->pile = ctAllocate(1, sizeof *island->pile);
        if (!ctArchive_CheckMemory(ar, island->pile != NULL)) {
            return;
        }
        world->contacts->pileCount++;
    }
    archivePile(world, ar, island->pile);
}
