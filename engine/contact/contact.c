// Pairs come into contact and leave it; impacts ask for the points of contacts.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#include <assert.h>
#include <string.h>

bool ctContact_Absorbs(ctWorld *world, const ctBodyPair *pair, double speed)
{
    const ctContacts *c = world->contacts;
    int ends[2] = {pair->a, pair->b};
    bool ball = world->bodies[pair->a].ball || world->bodies[pair->b].ball;
    if (ball && ctPair_Coefficients(world, pair).restitution > CT_CROWD_RESTITUTION) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        if (ends[k] < c->bodyCapacity && ctBody_IsMovable(&world->bodies[ends[k]])) {
            const ctContactBody *b = &c->bodies[ends[k]];
            if ((b->records > 0 && ctContactBody_IsLarge(b)) ||
                (speed > ctPair_ImpactSpeed(world, pair) &&
                 ctCrowd_Has(world, ends[k], ball ? CT_CROWD_BALLS : CT_CROWD_BODIES))) {
                return true;
            }
        }
    }
    return false;
}

// The pile that a new record belongs to: both bodies, if movable, are in it already, or one is and the other, which
// flies alone, joins. NULL: islands must be built again.
static ctPile *pileOf(ctWorld *world, const int ends[2])
{
    ctContacts *c = world->contacts;
    int island = -1, loner = -1;
    for (int k = 0; k < 2; k++) {
        const ctBody *body = &world->bodies[ends[k]];
        if (!ctBody_IsMovable(body)) {
            continue;
        }
        if (c->bodies[ends[k]].loose) {
            return NULL;
        }
        if (c->bodies[ends[k]].records == 0) {
            loner = ends[k];
        } else if (!ctIslands_Knows(world, ends[k]) || (island >= 0 && island != body->island)) {
            return NULL;
        } else {
            island = body->island;
        }
    }
    if (island < 0 || c->islands[island].pile == NULL) {
        return NULL;
    }
    if (loner >= 0) {
        if (!ctPile_AddMember(world, c->islands[island].pile, loner)) {
            return NULL;
        }
        c->bodies[loner].records = 1;
        world->bodies[loner].courseEnd = c->islands[island].due;
        world->bodies[loner].island = island;
    }
    return c->islands[island].pile;
}

bool ctContact_Begin(ctWorld *world, int pair, const ctPairLook *look)
{
    ctContacts *c = world->contacts;
    int index = ctContact_ReserveBodies(world) ? ctContact_NewRecord(c) : -1;
    if (index < 0) {
        return false;
    }
    ctContactRecord *record = &c->records[index];
    record->pair = pair;
    record->a = world->pairs[pair].a;
    record->b = world->pairs[pair].b;
    record->normal = look->normal;
    record->count = 0;
    record->fresh = true;
    record->found = -INFINITY;
    record->bending = record->running = 0.0;
    record->ended = record->lifted = record->lost = false;
    record->pile = NULL;
    record->island = -1;
    world->pairs[pair].contact = index;
    c->recordCount++;
    int ends[2] = {record->a, record->b};
    bool prompt = ctContact_PointsAround(world, ends[0]) + ctContact_PointsAround(world, ends[1]) <= CT_PROMPT_POINTS;
    double due = prompt ? world->now : ctContact_BeginTime(world, ends[0]);
    bool absorbed = ctContact_Absorbs(world, &world->pairs[pair], look->speed);
    due = absorbed ? ctIsland_NextLarge(world, CT_COMMON_STEP) : due;
    for (int k = 0; k < 2; k++) {
        ctContactBody *b = &c->bodies[ends[k]];
        assert(!ctBody_IsInGas(&world->bodies[ends[k]]));
        if (!ctContactBody_IsPiled(b)) {
            double *end = &world->bodies[ends[k]].courseEnd;
            *end = b->records > 0 ? ctFmin(*end, due) : due;
        }
        if (!ctBody_IsMovable(&world->bodies[ends[k]])) {
            ctContactBody_SetRole(b, ct_roleNone); // it may have been movable
        } else if (absorbed) {
            ctContactBody_Enlist(b);
        }
        if (world->bodies[ends[k]].mode == ct_modeAsleep) {
            ctContact_Wake(world, ends[k]);
        }
    }
    ctPile *pile = pileOf(world, ends);
    if (pile == NULL || !ctPile_AddRecord(world, pile, index)) {
        ctIslands_MarkBody(world, ends[0]);
        ctIslands_MarkBody(world, ends[1]);
    }
    c->due = ctFmin(c->due, due);
    return true;
}

void ctPair_BecomeContact(ctWorld *world, int index, const ctPairLook *look)
{
    ctGas_Leave(world, world->pairs[index].a);
    ctGas_Leave(world, world->pairs[index].b);
    ctBodyPair *pair = &world->pairs[index];
    // The contact code may change courses, and with them the arrays.
    pair->state = ct_pairContact;
    world->bodies[pair->a].contactPairs++;
    world->bodies[pair->b].contactPairs++;
    ctAgenda_Remove(&world->pairAgenda, index);
    if (!ctContact_Begin(world, index, look)) {
        world->outOfMemory = true;
    }
}

// Whether the two bodies push on each other.
static bool isLoaded(ctWorld *world, ctContactRecord *record)
{
    if (record->pile != NULL) {
        ctPile_StoreForces(world, record->pile, &record->pile->watches[record->watch]);
    }
    for (int i = 0; i < record->count; i++) {
        if (ctLengthSquared(record->points[i].force) > 0.0) {
            return true;
        }
    }
    return false;
}

void ctContact_End(ctWorld *world, int pair)
{
    int index = world->pairs[pair].contact;
    if (index < 0) {
        return;
    }
    int ends[2] = {world->pairs[pair].a, world->pairs[pair].b};
    if (isLoaded(world, &world->contacts->records[index])) {
        ctContact_Wake(world, ends[0]);
        ctContact_Wake(world, ends[1]);
    }
    ctContact_FreeRecord(world, index);
    for (int k = 0; k < 2; k++) {
        if (world->bodies[ends[k]].contactPairs <= 1) { // its last contact
            ctIslands_MarkBody(world, ends[k]);
        }
    }
}

void ctContact_Forget(ctWorld *world, int index)
{
    if (index < world->contacts->bodyCapacity) {
        world->contacts->bodies[index].boxPath = -INFINITY; // another body will have the slot
        world->contacts->bodies[index].records = 0;
    }
    ctIslands_MarkBody(world, index);
}

// The greatest approach at the points of a contact; the bodies are at now.
static double approachOf(ctWorld *world, int pair)
{
    ctTouch touches[16];
    int count = ctContact_Points(world, pair, false, touches, 16);
    double speed = 0.0;
    for (int i = 0; i < count; i++) {
        speed = ctFmax(speed, ctTouch_Approach(world, &touches[i]));
    }
    return speed;
}

void ctContact_NoteStrike(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    if (body->mode == ct_modeContact) {
        ctBody_SetMode(body, ct_modeStruck);
    } else {
        world->contacts->islands[body->island].changed = true;
    }
}

void ctContact_Jolt(ctWorld *world, int index)
{
    int count;
    const ctLink *links = ctBody_Links(world, index, &count);
    for (int i = 0; i < count; i++) {
        int pair = links[i].tag;
        if (pair == CT_LATENT || world->pairs[pair].state != ct_pairContact) {
            continue;
        }
        int record = world->pairs[pair].contact, ends[2] = {world->pairs[pair].a, world->pairs[pair].b};
        ctBody_Advance(world, ends[0]);
        ctBody_Advance(world, ends[1]);
        if (world->contacts->records[record].pile != NULL ||
            approachOf(world, pair) < ctContact_ImpactSpeed(world, &world->pairs[pair])) {
            continue; // a pile absorbs such approaches
        }
        ctContact_FreeRecord(world, record);
        ctPair_Release(world, pair);
        ctContact_Leave(world, ends[0]);
        ctContact_Leave(world, ends[1]);
        links = ctBody_Links(world, index, &count); // leaving may have changed them
        i = -1;
    }
}

void ctContact_Leave(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctBody *body = &world->bodies[index];
    if (!ctBody_IsInContact(body) || body->contactPairs > 0) {
        return;
    }
    ctContactBody_LetFly(world, index);
    ctIslands_MarkBody(world, index);
    body->island = -1;
    if (index < c->bodyCapacity) {
        c->bodies[index].records = 0;
    }
    ctWorld_CourseChanged(world, index);
}

int ctContact_Points(ctWorld *world, int pair, bool wide, ctTouch *points, int max)
{
    ctContacts *c = world->contacts;
    ctContactRecord *record = &c->records[world->pairs[pair].contact];
    bool ok, exact = ctContact_IsExact(world, &world->pairs[pair]); // as its course has found them
    if (record->pile != NULL) {
        ctPileWatch *watch = &record->pile->watches[record->watch];
        int slots[2] = {watch->a, watch->b};
        for (int k = 0; k < 2; k++) {
            if (slots[k] > 0) {
                ctPile_LoadSlot(world, record->pile, slots[k]);
            }
        }
        ok = ctPile_FindPoints(world, record->pile, watch);
    } else {
        bool known = exact && record->found == world->now && !record->fresh;
        double ahead = exact ? ctBodies_Step(world, &world->bodies[record->a], &world->bodies[record->b]) : 0.0;
        ok = known || ctContact_UpdatePoints(world, record, ahead, 0.0, true);
    }
    world->outOfMemory = world->outOfMemory || !ok;
    double margin = wide ? CT_SHALLOW : exact ? CT_CLOSED : CT_CONTACT_MARGIN;
    double size = ctContact_PairSize(world, record->a, record->b);
    int count = 0;
    for (int i = 0; i < record->count && count < max; i++) {
        const ctContactPoint *p = &record->points[i];
        if (p->gap <= margin * size || (exact && ctContactPoint_Bears(p, size))) {
            points[count++] = (ctTouch){pair, p->n, ctLerp(p->pointA, p->pointB, 0.5), (uint32_t)i, 0.0};
        }
    }
    return ctTouches_KeepLowest(world, points, count);
}
