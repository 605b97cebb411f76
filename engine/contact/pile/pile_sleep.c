// A pile falls asleep as a whole.
#include "engine/contact/contact_internal.h"

typedef struct Watch {
    ctWorld *world;
    const ctPile *pile;
    double dt; // s: since the last one
} Watch;

static void watchPart(void *context, int part, int worker)
{
    (void)worker;
    const Watch *watch = context;
    const ctPile *pile = watch->pile;
    int end = ctPile_PartEnd(part, pile->slotCount);
    for (int i = part == 0 ? 1 : part * CT_PILE_PART; i < end; i++) {
        int index = pile->slots[i].body;
        if (pile->slots[i].member && watch->world->contacts->bodies[index].role != ct_roleFrozen) {
            ctContactBody_Watch(watch->world, index, watch->dt);
        }
    }
}

// Whether all members have been still for long enough; frozen ones are.
static bool isStill(const ctWorld *world, const ctPile *pile)
{
    for (int i = 1; i < pile->slotCount; i++) {
        int index = pile->slots[i].body;
        const ctSolverBody *s = &pile->bodies[i];
        bool frozen = world->contacts->bodies[index].role == ct_roleFrozen;
        if (pile->slots[i].member
                ? !frozen && world->infos[index].still < ctBody_SleepTime(world, &world->bodies[index])
                : ctLengthSquared(s->v) + ctLengthSquared(s->w) != 0.0) {
            return false;
        }
    }
    return true;
}

void ctIsland_TrySleepLarge(ctWorld *world, ctIsland *island, double dt)
{
    ctPile *pile = island->pile;
    Watch watch = {world, pile, dt};
    ctCrew_Run(world, watchPart, &watch, ctPile_PartCount(pile->slotCount));
    if (!isStill(world, pile)) {
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
