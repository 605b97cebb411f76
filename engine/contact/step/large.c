// One step of a large island: a pile, where many small errors matter less than time.
//
// Sub-stepping: short steps with little work in each do more for a pile than long ones with much
// (Macklin et al. 2019, "Small steps in physics simulation"). A step of length h is
//     v += h g, and the impulses of the last step as the start
//     sweeps, at most forty, with two visits to each manifold on the mean (four where the pile hardly moves); a gap
//     closes no further than to touch
//     overlaps are pushed out by displacements, which never enter the velocities: a tower that is pushed
//     by velocities sways for ever
//     x += h v, left to the flight between steps
// Contacts with immovable bodies come last in each sweep, so that nothing is pushed through a wall.
#include "engine/contact/contact_internal.h"

// Sizes: the largest relative motion in one step. Larger: fast bodies sink in; smaller: more time.
#define MOVE_PER_STEP 0.08

// ---- neighbours -------------------------------------------------------------------------------

// Takes pairs of members with each other and with walls out of the agenda: the pile watches over them.
static void absorbNeighbours(ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    int which = (int)(island - c->islands);
    for (int i = 1; i < island->pile->slotCount; i++) {
        int index = island->pile->slots[i].body, count;
        (void)ctBody_Links(world, index, &count);
        if (!island->pile->slots[i].member || island->pile->slots[i].frozen ||
            world->bodies[index].contactPairs >= count) {
            continue;
        }
        for (int k = 0, pairIndex; (pairIndex = ctBody_Pair(world, index, k)) >= 0; k++) {
            if (world->pairs[pairIndex].state != ct_pairApart) {
                continue;
            }
            const ctBodyPair *pair = &world->pairs[pairIndex];
            const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
            bool member = c->bodies[pair->a].records > 0 && a->island == which &&
                          (!ctBody_IsMovable(b) || (c->bodies[pair->b].records > 0 && b->island == which));
            if (member) {
                ctPairLook look = {.normal = ctNormalize(ctSub(a->x, b->x))};
                ctPair_BecomeContact(world, pairIndex, &look);
            }
        }
    }
}

// ---- after the solution -----------------------------------------------------------------------

// Bodies that nothing pushes fly; the others move straight on.
static void setMotion(ctWorld *world, ctPile *pile, int index)
{
    ctPileSlot *slot = &pile->slots[index];
    ctBody *body = &world->bodies[slot->body];
    ctContactBody *b = &world->contacts->bodies[slot->body];
    const ctPileWork *gain = &pile->gains[index];
    bool pushed = pile->marks[index].pushed;
    ctVec3 v = pile->bodies[index].v;
    slot->steady = body->mode == ct_modeFlying && !pushed && !pile->pushes[index].any;
    if (slot->steady) {
        return;
    }
    ctEnergy_StepMember(world, slot->body, pile->pushes[index].x,
                        pushed ? gain->linear + gain->square - gain->fall : 0.0);
    if (!pushed) {
        ctEnergy_Settle(world, slot->body);
    }
    ctBody_SetMode(body, pushed ? ct_modeContact : ct_modeFlying);
    body->v = pushed ? v : ctMulAdd(v, -pile->step, ctBody_Pull(world, slot->body));
    b->v = slot->v;
    b->w = slot->w;
    b->base = world->now;
    body->w = pile->bodies[index].w;
    body->a = pushed ? ctZero3() : ctBody_FreeAcceleration(world, slot->body);
    body->alpha = ctZero3();
    slot->v = body->v;
    slot->w = body->w;
}

static bool setMotions(ctWorld *world, void *context, int part)
{
    ctPile *pile = context;
    int end = ctPile_PartEnd(part, pile->slotCount);
    for (int i = part * CT_PILE_PART; i < end; i++) {
        if (pile->slots[i].member && !pile->slots[i].frozen) {
            setMotion(world, pile, i);
        }
    }
    return true;
}

// When the next step is due: at a regular time, and not too soon.
static double nextStep(const ctWorld *world, double fastest)
{
    double step = CT_COMMON_STEP;
    for (int i = 0; i < CT_DOUBLINGS && fastest * step > MOVE_PER_STEP; i++) {
        step *= 0.5;
    }
    double due = ctIsland_NextLarge(world, step);
    if (due - world->now < CT_PART_STEP * step) {
        due = ctFmin(due + step, ctIsland_NextLarge(world, CT_BEAT));
    }
    return due;
}

// ---- around the step --------------------------------------------------------------------------

// Announces the changed course of every member, unless it flies on. A body in contact that has moved by less than the
// room in its box is still inside, and only its pairs that are apart need a look.
static void announce(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    ctPile *pile = island->pile;
    for (int i = 1; i < pile->slotCount; i++) {
        int index = pile->slots[i].body;
        if (!pile->slots[i].member) {
            continue;
        }
        ctBody *body = &world->bodies[index];
        ctContactBody *b = &c->bodies[index];
        body->courseEnd = island->due;
        if (pile->slots[i].frozen) {
            b->base = world->now; // as if it had been stepped
        }
        if (pile->slots[i].steady || pile->slots[i].frozen) {
            continue;
        }
        ctBody_UpdateBounds(world, index);
        bool flies = body->mode == ct_modeFlying;
        double ahead = 2.0 * CT_COMMON_STEP * ctFastest(body->v, body->w, body->radius);
        bool roomy = body->path + ahead - b->boxPath <= CT_BOX_MARGIN * body->radius;
        if (flies || !roomy) {
            b->boxPath = flies ? b->boxPath : body->path;
            if (!ctWorld_UpdateBox(world, index, !flies, NULL)) {
                world->outOfMemory = true;
            }
        }
    }
    if (!ctWorld_ScheduleFresh(world)) {
        world->outOfMemory = true;
    }
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].member && !pile->slots[i].steady && !pile->slots[i].frozen) {
            ctPair_ScheduleAll(world, pile->slots[i].body);
        }
    }
}

static void becomeSmall(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    for (int i = 1; i < island->pile->slotCount; i++) {
        if (island->pile->slots[i].member) {
            int index = island->pile->slots[i].body;
            ctContactBody_SetRole(&c->bodies[index], ct_roleParting);
            ctContact_Strike(world, index);
        }
    }
    ctIsland_MarkStale(c, (int)(island - c->islands));
}

static int countPoints(const ctPile *pile)
{
    int points = 0;
    for (int i = 0; i < pile->watchCount; i++) {
        bool has = pile->guards[i].until < 0.0 || pile->guards[i].until >= CT_PILE_NEVER;
        for (int k = has ? pile->watches[i].first : -1; k >= 0; k = pile->next[k]) {
            points += pile->manifolds[k].count;
        }
    }
    return points;
}

// Records have come and gone. Loads reach the ground in few sweeps if the records are in order of height.
static bool isOutOfOrder(const ctWorld *world, const ctPile *pile)
{
    return ctWorld_Beat(world) % (pile->fastest > CT_CALM ? CT_LIVELY_BEATS : CT_PILE_BEATS) == 0;
}

bool ctIsland_StepLarge(ctWorld *world, ctIsland *island)
{
    ctPile *pile = island->pile;
    bool beat = pile->beat != ctWorld_Beat(world);
    if (beat && pile->beat >= 0 && isOutOfOrder(world, pile)) {
        ctIsland_MarkStale(world->contacts, (int)(island - world->contacts->islands));
        return true; // it is due again as soon as it is built
    }
    world->stats.contactSteps++;
    if (beat) {
        pile->beat = ctWorld_Beat(world);
        ctPile_Tidy(world, pile);
        island->pointCount = countPoints(pile);
        ctPile_Freeze(world, pile);
    }
    ctPile_Thaw(world, pile);
    absorbNeighbours(world, island);
    island->due = nextStep(world, pile->fastest);
    if (!ctPile_Start(world, pile, island->due - world->now)) {
        return false;
    }
    if (beat) {
        ctEnergy_SettlePile(world, pile);
    }
    ctPile_Sweep(world, pile);
    ctPile_LimitWork(world, pile);
    ctPile_CheckLoads(world, pile);
    if (!ctPile_PushOut(world, pile) || !ctCrew_DoParts(world, setMotions, pile, ctPile_PartCount(pile->slotCount))) {
        return false;
    }
    bool few = island->pointCount < CT_SMALL_POINTS && countPoints(pile) < CT_SMALL_POINTS;
    if (few && (pile->fastest < CT_CALM || island->bodyCount == 1)) {
        becomeSmall(world, island);
    }
    announce(world, island);
    ctIsland_TrySleepLarge(world, island, pile->step);
    return true;
}
