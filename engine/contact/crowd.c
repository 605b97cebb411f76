// Crowds: bodies that strike each other so often within 1/60 s that single impacts cost too much.
//
// A crowd is a group of bodies that have been struck in the present beat of 1/60 s and are near each other: the swept
// boxes of neighbours overlap. The search begins when one of the bodies has been struck a few more times. It goes from
// neighbour to neighbour, until the crowd is large enough. So events elsewhere in the world have no influence.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

void ctCrowd_Note(ctWorld *world, int a, int b)
{
    int ends[2] = {a, b};
    if (!ctContact_ReserveBodies(world)) {
        world->outOfMemory = true;
        return;
    }
    for (int k = 0; k < 2; k++) {
        ctContactBody *body = &world->contacts->bodies[ends[k]];
        if (!ctBody_IsMovable(&world->bodies[ends[k]])) {
            continue;
        }
        if (body->hitBeat != ctWorld_Beat(world)) {
            body->hitBeat = ctWorld_Beat(world);
            body->hits = body->crowd = body->tried = 0;
        }
        body->hits++;
    }
}

// Adds a struck body to the list, if it is not there yet.
static void join(const ctWorld *world, ctContacts *c, int index, int *count)
{
    ctContactBody *b = &c->bodies[index];
    if (index < c->bodyCapacity && b->hitBeat == ctWorld_Beat(world) && b->sought != c->search) {
        b->sought = c->search;
        c->queue[(*count)++] = index;
    }
}

// The number of struck bodies around one, in the list; the search ends when there are enough.
static int gather(ctWorld *world, int index, int size)
{
    ctContacts *c = world->contacts;
    int count = 0, impacts = 0;
    c->search++;
    join(world, c, index, &count);
    for (int head = 0; head < count; head++) {
        impacts += c->bodies[c->queue[head]].hits;
        if (impacts >= 2 * CT_CROWD_HITS * size && count >= size) {
            return count;
        }
        int links;
        const ctLink *link = ctBody_Links(world, c->queue[head], &links);
        for (int i = 0; i < links; i++) {
            join(world, c, link[i].other, &count);
        }
    }
    return 0;
}

bool ctCrowd_Has(ctWorld *world, int index, int size)
{
    ctContacts *c = world->contacts;
    ctContactBody *b = &c->bodies[index];
    if (b->hitBeat != ctWorld_Beat(world) || b->hits < b->tried + CT_CROWD_HITS) {
        return b->hitBeat == ctWorld_Beat(world) && b->crowd >= size;
    }
    if (!ctReserve((void **)&c->queue, &c->queueCapacity, world->bodySlots, sizeof(int))) {
        world->outOfMemory = true;
        return false;
    }
    b->tried = b->hits;
    int count = b->crowd >= size ? 0 : gather(world, index, size);
    for (int i = 0; i < count; i++) {
        ctContactBody *member = &c->bodies[c->queue[i]];
        member->crowd = member->crowd > count ? member->crowd : count;
    }
    return b->crowd >= size;
}
