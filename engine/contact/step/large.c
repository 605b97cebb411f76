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

#include "collision/memory.h"

#include <string.h>

#define PUSH_SHARE CT_PILE_PUSH        // share of an overlap that one step pushes out ...
#define CALM_SHARE (0.25 * PUSH_SHARE) // ... in a pile that hardly moves: by more, and towers are kept swaying
// Sizes: the fastest relative motion in one step. Larger: fast bodies sink in; smaller: time.
#define MOVE_PER_STEP 0.08
#define MOST_SWEEPS 40                   // [cap] in one step
#define MOST_VISITS (CT_PILE_SWEEPS / 2) // the same on the mean over all manifolds
#define CALM_VISITS (2 * MOST_VISITS)    // the same in a pile that hardly moves
#define LOOK_UP CT_PILE_SWEEPS           // sweeps between two looks at what has changed
// Of the speed that gravity gives in a step: changes that are passed on. Larger: piles creep; smaller: time.
#define TOLERANCE 0.02
// Manifolds that memory is asked for in advance. Results do not depend on it. Larger or smaller: memory comes too
// early or too late.
#define AHEAD 4
#define FAR_AHEAD (3 * AHEAD) // watches, the same

// ---- neighbours -------------------------------------------------------------------------------

// Pairs of members with each other and with walls leave the heap: the pile watches over them.
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

// ---- before the solution ----------------------------------------------------------------------

// A thousand bodies and their contacts are more than a processor keeps at hand: most of the time would be waiting for
// memory. So it is asked for in advance: all of a manifold with one or two points, or with more.
enum { LINES_OF_TWO = 7, LINES = sizeof(ctPileManifold) / CT_CACHE_LINE };

static inline void prefetchLines(const void *start, int first, int end)
{
    for (int i = first; i < end; i++) {
        ctPrefetch((const char *)start + CT_CACHE_LINE * i);
    }
}

static inline void prefetchLink(const ctPile *pile, const ctPileLink *link)
{
    prefetchLines(&pile->manifolds[link->manifold], 0, LINES_OF_TWO);
    if (link->many) {
        prefetchLines(&pile->manifolds[link->manifold], LINES_OF_TWO, LINES);
    }
    prefetchLines(&pile->bodies[link->a], 0, 2);
    prefetchLines(&pile->bodies[link->b], 0, 2);
}

// The manifolds of a watch are brought to now, and what they carry acts.
static bool startWatch(ctWorld *world, ctPile *pile, const ctPileWatch *watch, double step, double factor, double speed)
{
    double deepest = step * speed;
    double share = pile->calm ? CALM_SHARE : PUSH_SHARE;
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        ctPileManifold *m = &pile->manifolds[i];
        if (m->count == 0) {
            continue;
        }
        ctPileLink link = {i, m->a, m->b, (int)(watch - pile->watches), false, m->count > 2};
        deepest = ctFmin(deepest, ctPile_Carry(pile, i, share, step, &link.overlaps));
        if (factor != 1.0) {
            ctPile_Scale(m, factor);
        }
        ctPile_Apply(pile->bodies, m);
        if (!ctPile_AddLink(pile, link, m->wall)) {
            return false;
        }
    }
    if (deepest < step * speed) {
        pile->fastest = ctFmax(pile->fastest, speed / watch->size);
    }
    if (-deepest > world->stats.maxPenetration || (world->def.audit && deepest < 0.0)) {
        const ctContactRecord *record = &world->contacts->records[watch->record];
        ctWorld_SeeGap(world, record->a, record->b, deepest);
    }
    return true;
}

// Members fly to now, and gravity acts.
static void moveSlots(ctWorld *world, ctPile *pile, double step, double dt)
{
    for (int i = 1; i < pile->slotCount; i++) {
        ctPileSlot *slot = &pile->slots[i];
        if (slot->frozen) {
            pile->ways[i] = slot->path;
            continue;
        }
        double spin = ctLength(slot->w);
        ctBody_Advance(world, slot->body);
        ctPile_LoadSlot(world, pile, i);
        slot->turned += dt * ctFmax(spin, ctLength(slot->w));
        pile->ways[i] = slot->path + step * (ctLength(slot->v) + ctLength(slot->w) * world->bodies[slot->body].radius);
        if (slot->member) {
            pile->bodies[i].v = ctMulAdd(slot->v, step, ctBody_Pull(world, slot->body));
            ctBody_ApplyDrive(world, slot->body, ctBody_InverseInertia(world, &world->bodies[slot->body]), step,
                              &pile->bodies[i].v, &pile->bodies[i].w);
        }
    }
}

// The watches that have points, or whose bodies may have come near. How many; -1 when memory is short.
static int listWatches(ctPile *pile)
{
    int count = 0;
    if (!ctReserveAligned((void **)&pile->list, &pile->listCapacity, pile->watchCount, sizeof(int))) {
        return -1;
    }
    for (int i = 0; i < pile->watchCount; i++) {
        const ctPileGuard *guard = &pile->guards[i];
        pile->list[count] = i;
        count += pile->ways[guard->a] + pile->ways[guard->b] >= guard->until;
    }
    return count;
}

static void prefetchWatch(const ctPile *pile, int i, int count)
{
    if (i + FAR_AHEAD < count) {
        int far = pile->list[i + FAR_AHEAD];
        prefetchLines(&pile->watches[far], 0, 2);
        prefetchLines(&pile->slots[pile->guards[far].a], 0, 3);
        prefetchLines(&pile->slots[pile->guards[far].b], 0, 3);
    }
    int next = i + AHEAD < count ? pile->watches[pile->list[i + AHEAD]].first : -1;
    if (next >= 0) {
        prefetchLines(&pile->manifolds[next], 0, LINES_OF_TWO);
        prefetchLines(&pile->normals[next], 0, 1);
        prefetchLines(&pile->anchors[CT_PILE_POINTS * next], 0, 3);
    }
}

// A watch is brought to now. False when memory is short.
static bool lookAt(ctWorld *world, ctPile *pile, ctPileWatch *watch, double step, double dt, double factor)
{
    if (watch->record < 0) {
        return true;
    }
    if (!pile->booked) {
        ctPile_BookWatch(world, pile, watch);
    }
    double speed = ctPile_RelativeSpeed(pile, watch);
    bool find = watch->limit == 0.0; // the first time
    if (ctPile_HasPoints(pile, watch)) {
        watch->moved += dt * speed;
        find = find || watch->moved >= watch->limit;
    } else {
        find = find || ctPile_MayTouch(pile, watch, step, speed);
    }
    if (find && !ctPile_FindPoints(world, pile, watch)) {
        return false;
    }
    if (watch->first < 0 || ctPile_RestWatch(pile, watch)) {
        return true;
    }
    return startWatch(world, pile, watch, step, factor, speed);
}

// Everything to now: members fly, gravity acts, points are found again or carried along, and the impulses of
// the last step are the start.
static bool start(ctWorld *world, ctPile *pile, double step)
{
    double dt = world->now - pile->time, factor = ctFmin(step / pile->step, 2.0);
    moveSlots(world, pile, step, dt);
    pile->time = world->now;
    pile->activeCount = pile->wallCount = 0;
    pile->calm = pile->fastest < CT_CALM;
    pile->fastest = 0.0;
    int count = listWatches(pile);
    if (count < 0) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        prefetchWatch(pile, i, count);
        if (!lookAt(world, pile, &pile->watches[pile->list[i]], step, dt, factor)) {
            return false;
        }
    }
    pile->step = step;
    pile->booked = false;
    return true;
}

// ---- the solution -----------------------------------------------------------------------------

// Visits the manifolds of a list where a body has changed since the last visit. How many.
static int visit(ctPile *pile, const ctPileLink *list, int count, bool backwards, int number, double tolerance)
{
    int visits = 0;
    for (int i = 0; i < count; i++) {
        const ctPileLink *link = &list[backwards ? count - 1 - i : i];
        if (i + AHEAD < count) {
            prefetchLink(pile, &list[backwards ? count - 1 - i - AHEAD : i + AHEAD]);
        }
        ctPileMark *a = &pile->marks[link->a], *b = &pile->marks[link->b];
        if (a->changed >= number - 1 || b->changed >= number - 1) {
            ctPileManifold *m = &pile->manifolds[link->manifold];
            visits++;
            if (ctPile_Solve(pile->bodies, m, tolerance)) {
                a->changed = a->frozen ? 0 : number;
                b->changed = b->frozen ? 0 : number;
            }
            a->pushed = a->pushed || (m->loaded && !a->frozen);
            b->pushed = b->pushed || (m->loaded && !b->frozen);
        }
    }
    return visits;
}

// The links of a list where a body has changed since a sweep.
static int selectLinks(const ctPile *pile, const ctPileLink *list, int count, int since, ctPileLink *chosen)
{
    int chosenCount = 0;
    for (int i = 0; i < count; i++) {
        if (pile->marks[list[i].a].changed >= since || pile->marks[list[i].b].changed >= since) {
            chosen[chosenCount++] = list[i];
        }
    }
    return chosenCount;
}

// Everywhere at first, then where it is needed; where that is, is looked up every few sweeps.
static bool sweep(ctWorld *world, ctPile *pile)
{
    double tolerance = TOLERANCE * pile->step * ctLength(world->def.gravity);
    bool backwards = world->stats.contactSteps & 1;
    int all = pile->activeCount + pile->wallCount;
    int budget = (pile->calm ? CALM_VISITS : MOST_VISITS) * all;
    if (!ctReserveAligned((void **)&pile->work, &pile->workCapacity, all, sizeof(ctPileLink))) {
        return false;
    }
    for (int i = 0; i < pile->slotCount; i++) {
        pile->marks[i] = (ctPileMark){0, false, pile->slots[i].frozen};
    }
    int active = 0, walls = 0, since = 0;
    for (int number = 1; number <= MOST_SWEEPS && budget > 0; number++) {
        pile->marks[0].changed = number == 1 ? 0 : -1;
        if (number <= 2 || number - since == LOOK_UP) {
            active = selectLinks(pile, pile->active, pile->activeCount, since, pile->work);
            walls = selectLinks(pile, pile->walls, pile->wallCount, since, pile->work + active);
            since = number;
        }
        int visits = visit(pile, pile->work, active, backwards, number, tolerance) +
                     visit(pile, pile->work + active, walls, false, number, tolerance);
        if (visits == 0 && active + walls == 0) {
            break;
        }
        number = visits == 0 && number - since < LOOK_UP - 1 ? since + LOOK_UP - 1 : number;
        budget -= visits;
        backwards = !backwards;
        world->stats.solverSweeps++;
    }
    return true;
}

// Bodies that nothing pushes fly; the others move straight on.
static void setMotions(ctWorld *world, ctPile *pile)
{
    for (int i = 1; i < pile->slotCount; i++) {
        ctPileSlot *slot = &pile->slots[i];
        if (!slot->member || slot->frozen) {
            continue;
        }
        ctBody *body = &world->bodies[slot->body];
        const ctPileWork *gain = &pile->gains[i];
        bool pushed = pile->marks[i].pushed;
        slot->steady = body->mode == ct_modeFlying && !pushed && !pile->pushes[i].any && !body->struck;
        if (slot->steady) {
            continue;
        }
        ctEnergy_StepMember(world, slot->body, pile->pushes[i].x,
                            pushed ? gain->linear + gain->square - gain->fall : 0.0);
        if (!pushed) {
            ctEnergy_Settle(world, slot->body);
        }
        ctBody_SetMode(body, pushed ? ct_modeContact : ct_modeFlying);
        body->v = pushed ? pile->bodies[i].v : ctMulAdd(pile->bodies[i].v, -pile->step, ctBody_Pull(world, slot->body));
        body->w = pile->bodies[i].w;
        body->a = pushed ? ctZero3() : ctBody_FreeAcceleration(world, slot->body);
        body->alpha = ctZero3();
        body->struck = false;
        slot->v = body->v;
        slot->w = body->w;
        world->contacts->bodies[slot->body].base = world->now;
    }
}

// When the next step is due: a regular time, and not too soon.
static double nextStep(const ctWorld *world, double fastest)
{
    double step = world->tickStep;
    for (int i = 0; i < CT_DOUBLINGS && fastest * step > MOVE_PER_STEP; i++) {
        step *= 0.5;
    }
    double due = ctIsland_NextRegular(world, step);
    if (due - world->now < CT_PART_STEP * step && due < world->frameEnd) {
        due = ctFmin(due + step, world->frameEnd);
    }
    return due;
}

// ---- around the step --------------------------------------------------------------------------

// The course of every member has changed, unless it flies on. As long as a body in contact has moved by less than
// the room in its box it is in there, and only pairs that are apart want a look.
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
        double ahead = 2.0 * world->tickStep * ctFastest(body->v, body->w, body->radius);
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
            world->bodies[index].struck = true;
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

bool ctIsland_StepLarge(ctWorld *world, ctIsland *island)
{
    ctPile *pile = island->pile;
    world->stats.contactSteps++;
    if (pile->frame != world->frame) {
        pile->frame = world->frame;
        ctPile_Tidy(world, pile);
        island->pointCount = countPoints(pile);
        ctPile_Freeze(world, pile);
    }
    ctPile_Thaw(world, pile);
    absorbNeighbours(world, island);
    island->due = nextStep(world, pile->fastest);
    if (!start(world, pile, island->due - world->now)) {
        return false;
    }
    if (!sweep(world, pile)) {
        return false;
    }
    ctPile_LimitWork(world, pile);
    ctPile_CheckLoads(world, pile);
    ctPile_PushOut(world, pile);
    setMotions(world, pile);
    bool few = island->pointCount < CT_SMALL_POINTS && countPoints(pile) < CT_SMALL_POINTS;
    if (few && (pile->fastest < CT_CALM || island->bodyCount == 1)) {
        becomeSmall(world, island);
    }
    announce(world, island);
    ctIsland_TrySleepLarge(world, island, pile->step);
    return true;
}
