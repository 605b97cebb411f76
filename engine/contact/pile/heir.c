// A new pile takes the watches and manifolds of the old pile that it is built from.
//
// They are most of a pile's memory, and a pile is built anew every few frames. So the new pile, the heir, takes the
// arrays of the old pile as they are. While piles are built, the old pile still reads the data of its records in the
// heir's arrays, and other new piles copy from these arrays. The watches of the heir are at the front of their array,
// in their new order. A watch of the old pile that is in the way moves back. When all piles are built, each heir drops
// the watches that are left behind its own, and the manifolds that belong to none of its watches.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#include <assert.h>

#define LAST ((uint64_t)1 << 32) // a bit of the order: this manifold is the last one of its watch

void ctPile_Follow(ctPile *old)
{
    if (old->heir != NULL) {
        old->manifolds = old->heir->manifolds;
        old->anchors = old->heir->anchors;
        old->normals = old->heir->normals;
        old->next = old->heir->next;
        old->watches = old->heir->watches;
        old->watchCount = old->heir->estate;
    }
}

void ctPile_FollowRest(ctPile *old)
{
    ctPile_Follow(old);
    if (old->heir != NULL) {
        old->watches += old->heir->watchCount;
        old->watchCount -= old->heir->watchCount;
    }
}

bool ctPile_AddPlace(ctContacts *c, ctPile *pile, const ctContactRecord *record, ctPileWatch *former)
{
    int n = pile->watchCount, used = pile->estate > n ? pile->estate : n, to = -1;
    ctPile *old = record->pile;
    if (!ctReserveAligned((void **)&pile->watches, &pile->watchCapacity, used + 1, sizeof(ctPileWatch)) ||
        !ctReserveAligned((void **)&pile->guards, &pile->guardCapacity, n + 1, sizeof(ctPileGuard))) {
        return false;
    }
    if (old != NULL) {
        ctPile_Follow(old);
        *former = old->watches[record->watch];
        old->watches[record->watch].record = -1;
        to = old->heir == pile ? record->watch : -1;
    }
    if (n < pile->estate && pile->watches[n].record >= 0) {
        to = to >= 0 ? to : pile->estate++;
        pile->watches[to] = pile->watches[n];
        c->records[pile->watches[to].record].watch = to;
    }
    return true;
}

static void setManifolds(ctPile *pile, const ctPile *from)
{
    pile->manifoldCount = from->manifoldCount;
    pile->manifoldCapacity = from->manifoldCapacity;
    pile->anchorCapacity = from->anchorCapacity;
    pile->normalCapacity = from->normalCapacity;
    pile->nextCapacity = from->nextCapacity;
    pile->manifolds = from->manifolds;
    pile->anchors = from->anchors;
    pile->normals = from->normals;
    pile->next = from->next;
}

void ctPile_GiveUp(ctPile *old)
{
    if (old->heir != NULL) {
        setManifolds(old, &(ctPile){0});
        old->watches = NULL;
        old->watchCount = old->watchCapacity = 0;
        old->heir->estate = 0;
        old->heir = NULL;
    }
}

void ctPile_Inherit(const ctContacts *c, const ctIsland *island)
{
    ctPile *pile = island->pile, *old = NULL;
    for (int i = 0; i < island->recordCount; i++) {
        ctPile *other = c->records[c->sorted[island->firstRecord + i]].pile;
        bool free = other != NULL && other->heir == NULL;
        old = free && (old == NULL || other->manifoldCount > old->manifoldCount) ? other : old;
    }
    if (old != NULL) {
        assert(old != pile && pile->manifoldCount == 0 && pile->watchCount == 0);
        ctFreeAligned(pile->manifolds);
        ctFreeAligned(pile->anchors);
        ctFreeAligned(pile->normals);
        ctFreeAligned(pile->next);
        ctFreeAligned(pile->watches);
        setManifolds(pile, old);
        pile->watches = old->watches;
        pile->watchCapacity = old->watchCapacity;
        pile->estate = old->watchCount;
        old->heir = pile;
    }
}

int ctPile_TakeManifold(ctPile *pile, const ctPileWatch *watch, const ctPile *old, int from)
{
    int index = old->heir == pile ? from : ctPile_AddManifold(pile, watch);
    if (index >= 0 && old->heir != pile) {
        pile->manifolds[index] = old->manifolds[from];
        pile->normals[index] = old->normals[from];
        for (int k = 0; k < CT_PILE_POINTS; k++) {
            pile->anchors[CT_PILE_POINTS * index + k] = old->anchors[CT_PILE_POINTS * from + k];
        }
    }
    return index;
}

static void swapManifolds(ctPile *pile, int i, int k)
{
    ctPileManifold manifold = pile->manifolds[i];
    ctPileNormal normal = pile->normals[i];
    pile->manifolds[i] = pile->manifolds[k];
    pile->normals[i] = pile->normals[k];
    pile->manifolds[k] = manifold;
    pile->normals[k] = normal;
    for (int j = 0; j < CT_PILE_POINTS; j++) {
        ctPileAnchor *a = &pile->anchors[CT_PILE_POINTS * i + j], *b = &pile->anchors[CT_PILE_POINTS * k + j];
        ctPileAnchor anchor = *a;
        *a = *b;
        *b = anchor;
    }
}

// Lists which manifold belongs at each place, in the order of watches. Returns how many manifolds belong to a watch.
static int listManifolds(ctPile *pile, uint64_t *order)
{
    int count = 0;
    for (int i = 0; i < pile->watchCount; i++) {
        int first = pile->watches[i].first;
        pile->watches[i].first = first < 0 ? -1 : count;
        for (int k = first; k >= 0; k = pile->next[k]) {
            order[count++] = (uint64_t)k | (pile->next[k] < 0 ? LAST : 0);
        }
    }
    return count;
}

bool ctPile_Arrange(ctContacts *c, ctPile *pile)
{
    if (!ctReserve((void **)&c->keys, &c->keyCapacity, pile->manifoldCount, sizeof(uint64_t))) {
        return false;
    }
    uint64_t *order = c->keys;
    pile->manifoldCount = listManifolds(pile, order);
    for (int i = 0; i < pile->manifoldCount; i++) {
        // Places before i are filled: a manifold that was at one of them has been swapped to order[that place].
        int from = (int)(order[i] & UINT32_MAX);
        while (from < i) {
            from = (int)(order[from] & UINT32_MAX);
        }
        bool last = (order[i] & LAST) != 0;
        order[i] = (uint64_t)from;
        pile->next[i] = last ? -1 : i + 1;
        if (from != i) {
            swapManifolds(pile, i, from);
        }
    }
    return true;
}
