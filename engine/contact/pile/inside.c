// What is seen of a pile inside its step: at the end of a frame, by a query, in a snapshot.
//
// A step has found the velocities v1 at its end, and its members move with them: x = x0 + t v1. In between they are
// seen with the velocity that constant forces would have given them until then, v = v0 + (v1 - v0) t / h. Impulses and
// the work of contacts count as far as the step has gone. None of this changes the pile, so frames may end anywhere.
#include "engine/contact/contact_internal.h"

double ctPile_Share(const ctWorld *world, const ctPile *pile)
{
    double left = pile->time + pile->step - world->now;
    if (pile->booked) {
        return 0.0;
    }
    return left > CT_EQUAL * CT_COMMON_STEP ? ctFmax(0.0, 1.0 - left / pile->step) : 1.0;
}

// The slot of a body that moves as its pile's last step has found; NULL: other things move it, or nothing does.
static const ctPileSlot *slotOf(const ctWorld *world, int index, const ctPile **pile)
{
    const ctContacts *c = world->contacts;
    const ctBody *body = &world->bodies[index];
    if (index >= c->bodyCapacity || c->bodies[index].role != ct_roleMember || !ctBody_IsInContact(body) ||
        body->island < 0 || c->islands[body->island].pile == NULL) {
        return NULL;
    }
    *pile = c->islands[body->island].pile;
    const ctPileSlot *slot = &(*pile)->slots[c->bodies[index].slot];
    return slot->body == index && !slot->frozen && c->bodies[index].base == (*pile)->time ? slot : NULL;
}

void ctPile_SeeMember(const ctWorld *world, int index, ctBodyState *state)
{
    const ctPile *pile = NULL;
    const ctPileSlot *slot = slotOf(world, index, &pile);
    if (slot != NULL) {
        const ctContactBody *b = &world->contacts->bodies[index];
        double left = 1.0 - ctPile_Share(world, pile);
        state->v = ctMulAdd(state->v, -left, ctSub(slot->v, b->v));
        state->w = ctMulAdd(state->w, -left, ctSub(slot->w, b->w));
    }
}

void ctPile_AddGain(const ctWorld *world, int index, ctStats *stats)
{
    const ctPile *pile = NULL;
    const ctPileSlot *slot = slotOf(world, index, &pile);
    const ctContactBody *b = &world->contacts->bodies[index];
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now), start = s;
    double loss = 0.0;
    if (slot != NULL && !ctBody_IsStruck(&world->bodies[index])) {
        // The whole change by the step is accounted for when it is found.
        double share = ctPile_Share(world, pile);
        start.x = ctMulAdd(s.x, -share * pile->step, slot->v);
        start.v = b->v;
        start.w = b->w;
        loss = (1.0 - share) * (b->energy - ctEnergy_Of(world, index, &start));
    }
    ctPile_SeeMember(world, index, &s);
    stats->contactLoss += loss;
    stats->stepError += ctEnergy_Of(world, index, &s) - b->energy + loss;
}

void ctPile_AddOpen(const ctWorld *world, const ctPile *pile, ctStats *stats)
{
    double share = ctPile_Share(world, pile);
    for (int i = 0; i < pile->watchCount && share > 0.0; i++) {
        // Only those with points that are stepped: frozen ones have forces, which do no work.
        bool stepped = pile->guards[i].until < 0.0 && pile->watches[i].record >= 0;
        for (int k = stepped ? pile->watches[i].first : -1; k >= 0; k = pile->next[k]) {
            ctEnergy_AddPile(pile, &pile->manifolds[k], share, stats);
        }
    }
}
