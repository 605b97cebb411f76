// The start of a pile's step: members are advanced to now, gravity acts, points are found again or carried along, and
// the impulses of the last step are the warm start of the solution.
//
// Slots and watches are handled in parts of equal numbers, on all threads: each part changes only its own data and
// reads only data that no other part changes. Room for new manifolds, which all share, is made in between.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#define PUSH_SHARE CT_PILE_PUSH        // share of an overlap that one step pushes out ...
#define CALM_SHARE (0.25 * PUSH_SHARE) // ... in a pile that hardly moves: with more, towers keep swaying
#define FAR_AHEAD (3 * CT_PILE_AHEAD)  // watches that are prefetched ahead

typedef struct Start {
    ctPile *pile;
    double step, dt; // s: of the step that begins; since the start of the last one
    double factor;   // scale of the last step's impulses for this one
    int count;       // watches that need a look
} Start;

// ---- slots --------------------------------------------------------------------------------------

static void moveSlot(ctWorld *world, const Start *start, int index)
{
    ctPile *pile = start->pile;
    ctPileSlot *slot = &pile->slots[index];
    if (slot->frozen) {
        pile->ways[index] = slot->path;
        return;
    }
    double spin = ctLength(slot->w);
    ctBody_Advance(world, slot->body);
    ctPile_LoadSlot(world, pile, index);
    slot->turned += start->dt * ctFmax(spin, ctLength(slot->w));
    double speed = ctFastest(slot->v, slot->w, world->bodies[slot->body].radius);
    pile->ways[index] = slot->path + start->step * speed;
    if (slot->member) {
        pile->bodies[index].v = ctMulAdd(slot->v, start->step, ctBody_Pull(world, slot->body));
        ctBody_ApplyDrive(world, slot->body, ctBody_InverseInertia(world, &world->bodies[slot->body]), start->step,
                          &pile->bodies[index].v, &pile->bodies[index].w);
    }
}

// Advances members to now, and applies gravity.
static bool moveSlots(ctWorld *world, void *context, int part)
{
    const Start *start = context;
    int end = ctPile_PartEnd(part, start->pile->slotCount);
    for (int i = part == 0 ? 1 : part * CT_PILE_PART; i < end; i++) {
        moveSlot(world, start, i);
    }
    return true;
}

// ---- watches ------------------------------------------------------------------------------------

// Lists the watches that have points, or whose bodies may have come near. Their number; -1 when memory is short.
static int listWatches(ctPile *pile)
{
    int count = 0;
    if (!ctReserveAligned((void **)&pile->looks, &pile->lookCapacity, pile->watchCount, sizeof(ctPileLook))) {
        return -1;
    }
    for (int i = 0; i < pile->watchCount; i++) {
        const ctPileGuard *guard = &pile->guards[i];
        pile->looks[count].watch = i;
        count += pile->ways[guard->a] + pile->ways[guard->b] >= guard->until;
    }
    return count;
}

static void prefetchWatch(const ctPile *pile, int i, int count)
{
    if (i + FAR_AHEAD < count) {
        int far = pile->looks[i + FAR_AHEAD].watch;
        ctPile_PrefetchLines(&pile->watches[far], 0, 2);
        ctPile_PrefetchLines(&pile->slots[pile->guards[far].a], 0, 3);
        ctPile_PrefetchLines(&pile->slots[pile->guards[far].b], 0, 3);
    }
    int next = i + CT_PILE_AHEAD < count ? pile->watches[pile->looks[i + CT_PILE_AHEAD].watch].first : -1;
    if (next >= 0) {
        ctPile_PrefetchLines(&pile->manifolds[next], 0, CT_PILE_LINES_OF_TWO);
        ctPile_PrefetchLines(&pile->normals[next], 0, 1);
        ctPile_PrefetchLines(&pile->anchors[CT_PILE_POINTS * next], 0, 3);
    }
}

// Decides whether the points of a watch are to be found again.
static void lookAt(ctWorld *world, const Start *start, ctPileLook *look)
{
    ctPile *pile = start->pile;
    ctPileWatch *watch = &pile->watches[look->watch];
    look->finds = false;
    look->rests = watch->record < 0;
    if (look->rests) {
        return;
    }
    if (!pile->booked) {
        ctPile_BookWatch(world, pile, watch);
    }
    look->speed = ctPile_RelativeSpeed(pile, watch);
    look->finds = watch->limit == 0.0; // the first time
    if (ctPile_HasPoints(pile, watch)) {
        watch->moved += start->dt * look->speed;
        look->finds = look->finds || watch->moved >= watch->limit;
    } else {
        look->finds = look->finds || ctPile_MayTouch(pile, watch, start->step, look->speed);
    }
    if (look->finds) {
        ctPile_PrefetchLines(&world->contacts->records[watch->record], 0, 3);
    }
}

// What points are found from is all over the memory: it is prefetched in the order in which it leads to more.
static void prefetchFinds(const ctWorld *world, const ctPile *pile, int first, int end)
{
    for (int i = first; i < end; i++) {
        if (pile->looks[i].finds) {
            const ctContactRecord *record = &world->contacts->records[pile->watches[pile->looks[i].watch].record];
            ctPile_PrefetchLines(&world->extras[record->pair], 0, 2);
            ctPile_PrefetchLines(&world->pairs[record->pair], 0, 1);
            ctPile_PrefetchLines(record->points, 0, 4 * record->count);
        }
    }
    for (int i = first; i < end; i++) {
        if (pile->looks[i].finds) {
            int pair = world->contacts->records[pile->watches[pile->looks[i].watch].record].pair;
            ctPile_PrefetchLines(world->extras[pair].leaves, 0, 2);
        }
    }
}

static bool lookAtPart(ctWorld *world, void *context, int part)
{
    const Start *start = context;
    ctPile *pile = start->pile;
    int first = part * CT_PILE_PART, end = ctPile_PartEnd(part, start->count);
    for (int i = first; i < end; i++) {
        prefetchWatch(pile, i, start->count);
        lookAt(world, start, &pile->looks[i]);
    }
    prefetchFinds(world, pile, first, end);
    for (int i = first; i < end; i++) {
        if (pile->looks[i].finds && !ctPile_SeekPoints(world, pile, &pile->watches[pile->looks[i].watch])) {
            return false;
        }
    }
    return true;
}

static bool makeRoom(const ctWorld *world, const Start *start)
{
    for (int i = 0; i < start->count; i++) {
        const ctPileLook *look = &start->pile->looks[i];
        if (look->finds && !ctPile_MakeRoom(world, start->pile, &start->pile->watches[look->watch])) {
            return false;
        }
    }
    return true;
}

// Moves the manifolds of a watch to now.
static void carry(ctWorld *world, const Start *start, ctPileLook *look)
{
    ctPile *pile = start->pile;
    const ctPileWatch *watch = &pile->watches[look->watch];
    double near = start->step * look->speed, deepest = near;
    double share = pile->calm ? CALM_SHARE : PUSH_SHARE;
    for (int i = watch->first; i >= 0; i = pile->next[i]) {
        ctPileManifold *m = &pile->manifolds[i];
        if (m->count > 0) {
            m->overlaps = false;
            deepest = ctFmin(deepest, ctPile_Carry(pile, i, share, start->step, &m->overlaps));
            if (start->factor != 1.0) {
                ctPile_Scale(m, start->factor);
            }
        }
    }
    look->near = deepest < near;
    if (-deepest > world->stats.maxPenetration || (world->def.audit && deepest < 0.0)) {
        const ctContactRecord *record = &world->contacts->records[watch->record];
        ctWorld_SeeGap(world, record->a, record->b, deepest);
    }
}

static bool carryPart(ctWorld *world, void *context, int part)
{
    const Start *start = context;
    ctPile *pile = start->pile;
    int end = ctPile_PartEnd(part, start->count);
    for (int i = part * CT_PILE_PART; i < end; i++) {
        ctPileLook *look = &pile->looks[i];
        ctPileWatch *watch = &pile->watches[look->watch];
        prefetchWatch(pile, i, start->count);
        if (look->finds) {
            ctPile_LoadPoints(world, pile, watch);
        }
        look->rests = look->rests || watch->first < 0 || ctPile_RestWatch(pile, watch);
        if (!look->rests) {
            carry(world, start, look);
        }
    }
    return true;
}

// Lists the manifolds of the step.
static bool listLinks(const Start *start)
{
    ctPile *pile = start->pile;
    pile->activeCount = pile->wallCount = 0;
    for (int i = 0; i < start->count; i++) {
        const ctPileLook *look = &pile->looks[i];
        const ctPileWatch *watch = &pile->watches[look->watch];
        for (int k = look->rests ? -1 : watch->first; k >= 0; k = pile->next[k]) {
            const ctPileManifold *m = &pile->manifolds[k];
            ctPileLink link = {k, m->a, m->b, look->watch, m->overlaps, (uint8_t)m->count};
            if (m->count > 0 && !ctPile_AddLink(pile, link, m->wall)) {
                return false;
            }
        }
        if (!look->rests && look->near) {
            pile->fastest = ctFmax(pile->fastest, look->speed / watch->size);
        }
    }
    return true;
}

static void applyList(ctPile *pile, const ctPileLink *list, int count)
{
    for (int i = 0; i < count; i++) {
        if (i + CT_PILE_AHEAD < count) {
            ctPile_PrefetchLink(pile, &list[i + CT_PILE_AHEAD]);
        }
        ctPile_Apply(pile->bodies, &pile->manifolds[list[i].manifold]);
    }
}

static void applyGroup(void *context, ctPile *pile, ctPileGroup *group)
{
    (void)context;
    applyList(pile, pile->active + group->first, group->count);
    applyList(pile, pile->walls + group->firstWall, group->wallCount);
}

bool ctPile_Start(ctWorld *world, ctPile *pile, double step)
{
    Start start = {pile, step, world->now - pile->time, ctFmin(step / pile->step, 2.0), 0};
    if (!ctCrew_DoParts(world, moveSlots, &start, ctPile_PartCount(pile->slotCount))) {
        return false;
    }
    pile->time = world->now;
    pile->calm = pile->fastest < CT_CALM;
    pile->fastest = 0.0;
    start.count = listWatches(pile);
    int parts = ctPile_PartCount(start.count);
    if (start.count < 0 || !ctCrew_DoParts(world, lookAtPart, &start, parts) || !makeRoom(world, &start) ||
        !ctCrew_DoParts(world, carryPart, &start, parts) || !listLinks(&start) || !ctPile_Divide(world, pile)) {
        return false;
    }
    ctPile_Round(world, pile, applyGroup, NULL);
    pile->step = step;
    pile->booked = false;
    return true;
}
