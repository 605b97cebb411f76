// Bodies that lie still in a pile are frozen: they are not stepped.
//
// The last box that topples keeps a whole pile awake, while most bodies lie still among others that lie still. A frozen
// body does not move, and contacts between frozen bodies keep their forces. For its neighbours that are stepped, a
// frozen body is immovable. This is right as long as the neighbours lie still, too, and as long as their forces on the
// frozen body change by no more than its weight and the friction of its load can hold. Therefore a body is not frozen
// while a neighbour that presses on it has not lain still as long, or while one of its contacts overlaps by more than
// CT_SHALLOW. A frozen body is stepped again when such a neighbour moves, when a force on it changes by more, or when a
// load-bearing contact has lost its force. It is then stepped for half a second at least. So a disturbance spreads as
// far as it makes a difference. docs/contact.md says what freezing saves.
#include "engine/contact/contact_internal.h"

#include <assert.h>
#include <math.h>

// The force of the contacts of a watch on its body a, N.
static ctVec3 forceOf(const ctPile *pile, const ctPileWatch *watch)
{
    ctVec3 sum = ctZero3();
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        const ctPileManifold *m = &pile->manifolds[i];
        for (int k = 0; k < m->count; k++) {
            const ctPilePoint *p = &m->points[k];
            sum = ctAdd(sum, ctMulAdd(ctMulAdd(ctScale(p->pn, m->n), p->p1, m->t1), p->p2, m->t2));
        }
    }
    return watch->frozen ? sum : ctScale(1.0 / pile->step, sum);
}

static void scaleWatch(ctPile *pile, const ctPileWatch *watch, double factor)
{
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        ctPile_Scale(&pile->manifolds[i], factor);
    }
}

static void prepareWatch(ctPile *pile, const ctPileWatch *watch)
{
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        ctPile_Prepare(pile->bodies, &pile->manifolds[i]);
    }
}

static bool isLoaded(const ctPile *pile, const ctPileWatch *watch)
{
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        if (pile->manifolds[i].count > 0 && pile->manifolds[i].loaded) {
            return true;
        }
    }
    return false;
}

static bool isDeep(const ctPile *pile, const ctPileWatch *watch)
{
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        for (int k = 0; k < pile->manifolds[i].count; k++) {
            if (pile->anchors[CT_PILE_POINTS * i + k].gap < -CT_SHALLOW * watch->size) {
                return true;
            }
        }
    }
    return false;
}

// ---- freezing ---------------------------------------------------------------------------------

// Whether a body has not lain still for long enough, was thawed a short time ago, or begins to fall: it is faster than
// gravity makes it in one step. A body that is no member is restless while it moves.
static bool isRestless(const ctWorld *world, const ctPile *pile, const ctPileSlot *slot)
{
    const ctBody *body = &world->bodies[slot->body];
    double fall = pile->step * ctLength(world->def.gravity), enough = ctBody_SleepTime(world, body);
    if (!slot->member) {
        return ctLengthSquared(slot->v) + ctLengthSquared(slot->w) > 0.0;
    }
    return !slot->frozen && (world->infos[slot->body].still < enough || ctLengthSquared(slot->v) > fall * fall ||
                             !ctBody_IsInContact(body) || ctBody_IsStruck(body) ||
                             world->now - world->contacts->bodies[slot->body].thawed < enough);
}

static void freezeSlot(ctWorld *world, ctPile *pile, int index)
{
    ctPileSlot *slot = &pile->slots[index];
    ctBody *body = &world->bodies[slot->body];
    ctContactBody *b = &world->contacts->bodies[slot->body];
    ctBody_Advance(world, slot->body);
    ctEnergy_Settle(world, slot->body);
    body->v = body->w = body->a = body->alpha = ctZero3();
    double before = b->energy;
    b->energy = ctBody_Energy(world, slot->body);
    world->stats.contactLoss += before - b->energy;
    assert(ctBody_IsInContact(body));
    ctContactBody_SetRole(b, ct_roleFrozen);
    slot->frozen = true;
    ctPile_LoadSlot(world, pile, index);
    ctWorld_CourseChanged(world, slot->body);
}

bool ctPile_RestWatch(ctPile *pile, ctPileWatch *watch)
{
    const ctPileSlot *a = &pile->slots[watch->a], *b = &pile->slots[watch->b];
    if ((watch->a > 0 && !a->frozen) || (watch->b > 0 && !b->frozen)) {
        return false;
    }
    if (ctPile_HasPoints(pile, watch)) {
        scaleWatch(pile, watch, 1.0 / pile->step);
        watch->frozen = true;
        pile->guards[watch - pile->watches].until = CT_PILE_NEVER;
    }
    return true;
}

// Freezes contacts between bodies that do not move. Contacts of newly frozen bodies store their force.
static void freezeWatches(ctPile *pile)
{
    for (int i = 0; i < pile->watchCount; i++) {
        ctPileWatch *watch = &pile->watches[i];
        const ctPileSlot *a = &pile->slots[watch->a], *b = &pile->slots[watch->b];
        if (pile->guards[i].until >= 0.0 || watch->record < 0 || !ctPile_HasPoints(pile, watch) ||
            !(a->frozen || b->frozen)) {
            continue;
        }
        if (a->fresh || b->fresh) {
            watch->load = forceOf(pile, watch);
        }
        if (!ctPile_RestWatch(pile, watch) && (a->fresh || b->fresh)) {
            prepareWatch(pile, watch);
        }
    }
}

void ctPile_Freeze(ctWorld *world, ctPile *pile)
{
    for (int i = 1; i < pile->slotCount; i++) {
        ctPileSlot *slot = &pile->slots[i];
        slot->restless = isRestless(world, pile, slot);
        slot->fresh = slot->member && !slot->frozen && !slot->restless;
    }
    for (int i = 0; i < pile->watchCount; i++) {
        const ctPileWatch *watch = &pile->watches[i];
        ctPileSlot *a = &pile->slots[watch->a], *b = &pile->slots[watch->b];
        if (pile->guards[i].until < 0.0 && watch->record >= 0 && (a->fresh || b->fresh) &&
            (((a->restless || b->restless) && isLoaded(pile, watch)) || isDeep(pile, watch))) {
            a->fresh = b->fresh = false;
        }
    }
    int count = 0;
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].fresh) {
            freezeSlot(world, pile, i);
            count++;
        }
    }
    if (count > 0) {
        freezeWatches(pile);
    }
}

// ---- thawing ----------------------------------------------------------------------------------

static bool isDisturbed(const ctWorld *world, const ctPileSlot *slot)
{
    const ctBody *body = &world->bodies[slot->body];
    return world->contacts->bodies[slot->body].role != ct_roleFrozen || ctBody_IsStruck(body) ||
           !ctBody_IsInContact(body) || ctLengthSquared(body->v) + ctLengthSquared(body->w) > 0.0;
}

void ctPile_Thaw(ctWorld *world, ctPile *pile)
{
    for (int i = 1; i < pile->slotCount; i++) {
        ctPileSlot *slot = &pile->slots[i];
        slot->fresh = slot->frozen && isDisturbed(world, slot);
        if (slot->fresh) {
            slot->frozen = false;
            ctContactBody_Thaw(&world->contacts->bodies[slot->body]);
            world->contacts->bodies[slot->body].thawed = world->now;
            ctBody_Advance(world, slot->body);
            ctPile_LoadSlot(world, pile, i);
            pile->thawed = true;
        }
    }
    for (int i = 0; i < pile->watchCount && pile->thawed; i++) {
        ctPileWatch *watch = &pile->watches[i];
        const ctPileSlot *a = &pile->slots[watch->a], *b = &pile->slots[watch->b];
        if (watch->record < 0 || watch->first < 0) {
            continue;
        }
        if (watch->frozen && ((watch->a > 0 && !a->frozen) || (watch->b > 0 && !b->frozen))) {
            scaleWatch(pile, watch, pile->step);
            watch->frozen = false;
            pile->guards[i].until = -1.0;
        }
        if (a->fresh || b->fresh) {
            prepareWatch(pile, watch);
        }
    }
    pile->thawed = false;
}

static void checkLoads(ctWorld *world, const ctPile *pile, const ctPileLink *list, int count)
{
    double g = ctLength(world->def.gravity);
    for (int i = 0; i < count; i++) {
        bool frozenA = pile->slots[list[i].a].frozen, frozenB = pile->slots[list[i].b].frozen;
        if (!frozenA && !frozenB) {
            continue;
        }
        const ctPileWatch *watch = &pile->watches[list[i].watch];
        const ctPileSlot *still = &pile->slots[frozenA ? watch->a : watch->b];
        const ctPileSlot *other = &pile->slots[frozenA ? watch->b : watch->a];
        // The weight, and the friction of the load, hold the body against smaller changes of force.
        double hold = ctFmin(pile->manifolds[list[i].manifold].friction, 1.0);
        double weight = g * world->infos[still->body].mass, load = ctLength(watch->load), room = weight + hold * load;
        bool moves = other->member && !other->frozen && world->infos[other->body].still == 0.0;
        ctVec3 force = forceOf(pile, watch), change = ctSub(force, watch->load);
        bool gone = load > 0.0 && ctLengthSquared(force) == 0.0; // its support or its load has left
        bool pushes = pile->manifolds[list[i].manifold].loaded || load > 0.0;
        if ((moves && pushes) || gone || ctLengthSquared(change) > room * room) {
            ctContactBody_Thaw(&world->contacts->bodies[still->body]);
            // The pile may be built again before its next step.
            world->contacts->bodies[still->body].thawed = world->now;
        }
    }
}

void ctPile_CheckLoads(ctWorld *world, ctPile *pile)
{
    checkLoads(world, pile, pile->active, pile->activeCount);
    checkLoads(world, pile, pile->walls, pile->wallCount);
}
