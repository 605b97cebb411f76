// A pile falls asleep as a whole.
#include "engine/contact/contact_internal.h"

void ctIsland_TrySleepLarge(ctWorld *world, ctIsland *island, double dt)
{
    ctPile *pile = island->pile;
    bool still = true;
    for (int i = 1; i < pile->slotCount; i++) {
        int index = pile->slots[i].body;
        if (pile->slots[i].member && world->contacts->bodies[index].role == ct_roleFrozen) {
            continue;
        }
        if (pile->slots[i].member) {
            ctContactBody_Watch(world, index, dt);
            still = still && world->infos[index].still >= CT_SLEEP_TIME;
        } else {
            const ctSolverBody *s = &pile->bodies[i];
            still = still && ctLengthSquared(s->v) + ctLengthSquared(s->w) == 0.0;
        }
    }
    if (!still) {
        return;
    }
    ctContacts *c = world->contacts;
    int count = pile->slotCount;
    for (int i = 1; i < count; i++) {
        ctContactBody_Thaw(&c->bodies[pile->slots[i].body]);
    }
    ctPile_Thaw(world, pile);
    ctPile_Relax(world, pile);
    for (int i = 1; i < count; i++) {
        if (pile->slots[i].member) {
            int index = pile->slots[i].body;
            double *energy = &c->bodies[index].energy;
            double before = ctBody_IsInContact(&world->bodies[index]) ? *energy : ctBody_Energy(world, index);
            ctContactBody_FallAsleep(world, index);
            *energy = ctBody_Energy(world, index);
            world->stats.contactLoss += before - *energy;
        }
    }
    island->due = INFINITY;
    ctIsland_MarkStale(c, (int)(island - c->islands));
    ctPile_StoreAll(world, pile);
    for (int i = 1; i < count; i++) {
        if (pile->slots[i].member) {
            ctWorld_CourseChanged(world, pile->slots[i].body);
        }
    }
    ctPile_Dissolve(world, island);
}
