// What contacts did in a frame: the list of points with their mean forces, and the tallies.
#include "engine/contact.h"

#include "collision/memory.h"

static bool isAsleep(const ctWorld *world, const ctContactRecord *record)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    return (a->mode == ct_modeAsleep || !ctBody_IsMovable(a)) && (b->mode == ct_modeAsleep || !ctBody_IsMovable(b));
}

static bool reportRecord(ctWorld *world, ctContactRecord *record)
{
    if (!ctReserve((void **)&world->contactList, &world->contactCapacity, world->contactCount + record->count,
                   sizeof(ctContact))) {
        return false;
    }
    bool asleep = isAsleep(world, record);
    double touching = CT_CONTACT_MARGIN * ctContact_PairSize(world, record->a, record->b);
    ctVec3 sum = ctZero3();
    for (int i = 0; i < record->count; i++) {
        ctContactPoint *p = &record->points[i];
        ctVec3 force = asleep ? p->force : ctScale(1.0 / world->def.frameTime, p->impulse);
        sum = ctAdd(sum, force);
        p->impulse = ctZero3();
        if (p->gap <= touching || ctLengthSquared(force) > 0.0) {
            world->contactList[world->contactCount++] = (ctContact){.body1 = ctBody_IdOf(world, record->a),
                                                                    .body2 = ctBody_IdOf(world, record->b),
                                                                    .point = ctLerp(p->pointA, p->pointB, 0.5),
                                                                    .normal = p->n,
                                                                    .gap = p->gap,
                                                                    .force = force};
        }
    }
    double size = ctLength(sum);
    world->extras[record->pair].tally.contactForce = size;
    const int ends[2] = {record->a, record->b};
    for (int i = 0; i < 2 && size > 0.0; i++) {
        ctContacts *c = world->contacts;
        if (!ctReserve((void **)&c->pressed, &c->pressedCapacity, c->pressedCount + 1, sizeof(int))) {
            return false;
        }
        c->pressed[c->pressedCount++] = ends[i];
        world->infos[ends[i]].tally.contactForce += size;
    }
    return true;
}

// Nothing presses on anybody; bodies that nothing pressed on are left alone.
static void clearForces(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < world->bodyCount && !c->pressedKnown; i++) {
        world->infos[world->order[i]].tally.contactForce = 0.0;
    }
    for (int i = 0; i < c->pressedCount; i++) {
        world->infos[c->pressed[i]].tally.contactForce = 0.0;
    }
    c->pressedCount = 0;
    c->pressedKnown = true;
}

bool ctContact_EndFrame(ctWorld *world, ctError *error)
{
    ctContacts *c = world->contacts;
    world->contactCount = 0;
    for (int i = 0; i < c->islandCount; i++) {
        if (c->islands[i].pile != NULL) {
            ctPile_EndFrame(world, c->islands[i].pile);
            ctEnergy_EndFrame(world, c->islands[i].pile);
            c->stale = c->stale || world->frame % CT_PILE_FRAMES == 0; // records have come and gone in it
        }
    }
    for (int i = 0; i < c->islandCount; i++) {
        c->due = fmin(c->due, c->stale ? world->now : c->islands[i].due);
    }
    clearForces(world);
    for (int i = 0; i < c->recordSlots; i++) {
        if (c->records[i].pair >= 0 && !reportRecord(world, &c->records[i])) {
            return ctFailMemory(error, "contacts");
        }
    }
    return true;
}
