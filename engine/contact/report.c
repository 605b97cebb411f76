// Reports of contact in a frame: the list of points with their mean forces, and the tallies.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

static bool isAsleep(const ctWorld *world, const ctContactRecord *record)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    return (a->mode == ct_modeAsleep || !ctBody_IsMovable(a)) && (b->mode == ct_modeAsleep || !ctBody_IsMovable(b));
}

// Adds a point to the list if it touches or pushes. There is room.
static void reportPoint(ctWorld *world, const ctContactRecord *record, ctVec3 point, ctVec3 normal, double gap,
                        ctVec3 force)
{
    double touching = CT_CONTACT_MARGIN * ctContact_PairSize(world, record->a, record->b);
    if (gap <= touching || ctLengthSquared(force) > 0.0) {
        world->contactList[world->contactCount++] = (ctContact){.body1 = ctBody_IdOf(world, record->a),
                                                                .body2 = ctBody_IdOf(world, record->b),
                                                                .point = point,
                                                                .normal = normal,
                                                                .gap = gap,
                                                                .force = force};
    }
}

static bool reserveList(ctWorld *world, int more)
{
    return ctReserve((void **)&world->contactList, &world->contactCapacity, world->contactCount + more,
                     sizeof(ctContact));
}

// Adds the force between two bodies, N, to the tallies.
static bool tallyForce(ctWorld *world, const ctContactRecord *record, double size)
{
    world->extras[record->pair].tally.contactForce = size;
    const int ends[2] = {record->a, ctBody_Owner(world, record->b)};
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

static bool reportRecord(ctWorld *world, ctContactRecord *record)
{
    if (!reserveList(world, record->count)) {
        return false;
    }
    bool asleep = isAsleep(world, record);
    ctVec3 sum = ctZero3();
    for (int i = 0; i < record->count; i++) {
        ctContactPoint *p = &record->points[i];
        ctVec3 force = asleep ? p->force : ctScale(1.0 / world->def.frameTime, p->impulse);
        sum = ctAdd(sum, force);
        p->impulse = ctZero3();
        reportPoint(world, record, ctLerp(p->pointA, p->pointB, 0.5), p->n, p->gap, force);
    }
    return tallyForce(world, record, ctLength(sum));
}

// The same for a record of a pile, whose own data is newer.
static bool reportWatch(ctWorld *world, ctPile *pile, const ctPileWatch *watch, double share)
{
    const ctContactRecord *record = &world->contacts->records[watch->record];
    ctVec3 xa = pile->slots[watch->a].x, xb = pile->slots[watch->b].x, all = ctZero3();
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        const ctPileManifold *m = &pile->manifolds[i];
        if (!reserveList(world, m->count)) {
            return false;
        }
        for (int k = 0; k < m->count; k++) {
            ctPileAnchor *anchor = &pile->anchors[CT_PILE_POINTS * i + k];
            const ctPilePoint *p = &m->points[k];
            ctVec3 step = ctV3(p->p1, p->p2, p->pn), part = ctScale(share, step);
            ctVec3 sum = watch->frozen ? step : ctScale(1.0 / world->def.frameTime, ctAdd(anchor->sum, part));
            ctVec3 force = ctMulAdd(ctMulAdd(ctScale(sum.z, m->n), sum.x, m->t1), sum.y, m->t2);
            ctVec3 point = ctLerp(ctAdd(xa, p->ra), ctAdd(xb, p->rb), 0.5);
            all = ctAdd(all, force);
            anchor->sum = watch->frozen ? ctZero3() : ctNeg(part); // the rest belongs to the next frame
            reportPoint(world, record, point, m->n, anchor->gap, force);
        }
    }
    return tallyForce(world, record, ctLength(all));
}

static bool reportPile(ctWorld *world, ctPile *pile)
{
    double share = ctPile_Share(world, pile);
    for (int i = 0; i < pile->watchCount; i++) {
        // Most have no points.
        const ctPileWatch *watch = &pile->watches[i];
        bool points = pile->guards[i].until < 0.0 || pile->guards[i].until >= CT_PILE_NEVER;
        if (points && watch->record >= 0 && ctPile_HasPoints(pile, watch) && !reportWatch(world, pile, watch, share)) {
            return false;
        }
    }
    return true;
}

// Makes room for all points at once: a list that grows point by point is copied.
static bool reserveAll(ctWorld *world)
{
    const ctContacts *c = world->contacts;
    int count = 0;
    for (int i = 0; i < c->recordSlots; i++) {
        count += c->records[i].pair >= 0 ? c->records[i].count : 0;
    }
    return reserveList(world, count);
}

// Clears the contact forces of all bodies that had one.
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

// Whether a record has joined a pile that has not examined it yet.
static bool isNew(const ctContactRecord *record)
{
    return record->count > 0 && record->pile->watches[record->watch].first < 0;
}

void ctContact_AddOpen(const ctWorld *world, ctStats *stats)
{
    const ctContacts *c = world->contacts;
    ctEnergy_AddOpen(world, stats);
    for (int i = 0; i < c->islandSlots; i++) {
        if (c->islands[i].pile != NULL) {
            ctPile_AddOpen(world, c->islands[i].pile, stats);
        }
    }
    for (int i = 0; i < world->bodyCount; i++) {
        int index = world->order[i];
        if (ctContactBody_IsInPlan(world, index)) {
            ctRoll_AddOpen(world, index, stats);
        } else if (ctContactBody_IsInPile(world, index)) {
            ctPile_AddGain(world, index, stats);
        }
    }
}

// Impulses of steps and plans that go on after the frame: the part so far belongs to it (sign 1), and what comes out in
// the end is more by that part (sign -1).
static void lendImpulses(ctWorld *world, double sign)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->recordSlots; i++) {
        ctContactRecord *record = &c->records[i];
        bool there = record->pair >= 0 && record->pile == NULL && record->count > 0;
        double open = there ? ctContact_OpenTime(world, record) : 0.0;
        for (int k = 0; k < record->count && open > 0.0; k++) {
            ctContactPoint *p = &record->points[k];
            p->impulse = ctMulAdd(p->impulse, p->known ? sign * open : 0.0, p->force);
        }
    }
    for (int i = 0; i < c->islandSlots; i++) {
        const ctIsland *island = &c->islands[i];
        for (int k = 0; k < island->bodyCount && !island->large; k++) {
            int index = c->members[island->firstBody + k];
            if (ctContactBody_IsInPlan(world, index)) {
                ctRoll_LendImpulses(world, index, sign);
            }
        }
    }
}

bool ctContact_EndFrame(ctWorld *world, ctError *error)
{
    ctContacts *c = world->contacts;
    bool ok, asleep = c->islandCount == 0;
    if (asleep && c->reported && !ctIslands_AreStale(c)) {
        return true; // sleeping bodies cost nothing
    }
    world->contactCount = 0;
    world->contactsListed = true;
    ok = reserveAll(world);
    clearForces(world);
    for (int i = 0; i < c->islandSlots; i++) {
        if (c->islands[i].pile != NULL) {
            ok = ok && reportPile(world, c->islands[i].pile);
        }
    }
    // Other islands are found anew when one of them is due; where all sleep, none is.
    bool idle = ctIslands_AreStale(c) && !(ctContact_NextTick(world) < (double)INFINITY);
    c->due = idle ? ctFmin(c->due, world->now) : c->due;
    lendImpulses(world, 1.0);
    for (int i = 0; i < c->recordSlots && ok; i++) {
        ctContactRecord *record = &c->records[i];
        if (record->pair >= 0 && (record->pile == NULL || isNew(record))) {
            asleep = asleep && isAsleep(world, record);
            ok = reportRecord(world, record);
        }
    }
    lendImpulses(world, -1.0);
    c->reported = ok && asleep;
    return ok || ctFailMemory(error, "contacts");
}
