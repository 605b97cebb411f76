// The tick of sustained contact: islands that are due take their steps. Also the memory of all of it.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"
#include "collision/sort.h"

// ---- memory -------------------------------------------------------------------------------------

bool ctContact_Create(ctWorld *world, ctError *error)
{
    ctContacts *contacts = ctAllocate(1, sizeof *contacts);
    if (contacts == NULL) {
        return ctFailMemory(error, "contacts");
    }
    contacts->freeRecord = contacts->limbo = contacts->freeIsland = -1;
    contacts->due = INFINITY;
    world->contacts = contacts;
    world->hooks = (ctHooks){ctRoll_StateAt,       ctRoll_Settle,     ctContact_End,
                             ctContact_FollowTile, ctContact_AddOpen, ctPile_SeeMember};
    return true;
}

void ctContact_Destroy(ctWorld *world)
{
    ctContacts *c = world->contacts;
    if (c == NULL) {
        return;
    }
    for (int i = 0; i < c->recordSlots; i++) {
        ctFree(c->records[i].points);
    }
    for (int i = 0; i < c->islandSlots; i++) {
        ctPile_Free(c->islands[i].pile);
    }
    for (int i = 0; i < c->oldPileCount; i++) {
        ctPile_Free(c->oldPiles[i]);
    }
    for (int i = 0; i < c->spareCount; i++) {
        ctPile_Free(c->spares[i]);
    }
    ctSolver_Destroy(&c->solver);
    ctCourse_FreeAll(c);
    ctContact_EndThreads(world);
    ctFreeAligned(c->records);
    ctFreeAligned(c->bodies);
    ctAgenda_Free(&c->agenda);
    void *arrays[] = {c->islands,      c->members,     c->sorted,
                      c->solverBodies, c->slotBody,    c->solverPoints,
                      c->refs,         c->pseudo,      c->pushes,
                      c->found,        c->announce,    c->impactPairs,
                      c->queue,        c->keys,        c->oldPiles,
                      c->keyScratch,   c->memberSpare, c->sortedSpare,
                      c->stale,        c->loose,       c->built,
                      c->dueKeys,      c->later,       c->ended,
                      c->before,       c->pressed,     c};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
    world->contacts = NULL;
}

ctSolver *ctContact_Solver(const ctWorld *world)
{
    return &world->contacts->solver;
}

// ---- the tick -----------------------------------------------------------------------------------

double ctContact_NextTick(const ctWorld *world)
{
    const ctContacts *c = world->contacts;
    return ctFmin(c->due, ctAgenda_TopTime(&c->agenda));
}

// Share of the room in its box that a body in contact may use: steps end a little off their prediction. Larger: a step
// may end outside the box; smaller: boxes are renewed more often.
#define ROOM 0.9

// Announces a changed course. A body in contact that has moved by less than the room in its box is still inside, and
// only its pairs need a look. Bodies on plans need more.
static void announceCourse(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctContactBody *b = &world->contacts->bodies[index];
    if (!ctBody_IsInContact(body) || body->ball || b->planIsOn || ctCourse_Has(world, index)) {
        ctWorld_CourseChanged(world, index);
        return;
    }
    ctBody_UpdateBounds(world, index);
    double left = ctBody_TimeLeft(world, body), speed = ctBody_SpeedBound(body);
    double ahead = left * (speed + 0.5 * left * ctLength(body->a));
    if (body->path + ahead - b->boxPath > ROOM * CT_BOX_MARGIN * body->radius) {
        b->boxPath = body->path;
        if (!ctWorld_UpdateBox(world, index, true, NULL) || !ctWorld_ScheduleFresh(world)) {
            world->outOfMemory = true;
        }
    }
    ctPair_ScheduleAll(world, index);
}

// Adds islands that are due to the list of those to step, by their lowest bodies. Islands that come before the last
// stepped one wait for the next tick.
static void collectDue(ctWorld *world, int at)
{
    ctContacts *c = world->contacts;
    int before = c->dueCount;
    while (ctAgenda_TopTime(&c->agenda) <= world->now) {
        int index = ctAgenda_Top(&c->agenda);
        ctIsland *island = &c->islands[index];
        ctAgenda_Remove(&c->agenda, index);
        uint64_t key = (uint64_t)c->members[island->firstBody] << 32 | (uint64_t)index;
        if (island->queued) {
            continue;
        }
        if (at > 0 && key < c->dueKeys[at - 1]) {
            c->later[c->laterCount++] = index;
        } else {
            c->dueKeys[c->dueCount++] = key;
            island->queued = true;
        }
    }
    if (c->dueCount > before) {
        ctSortKeys(&c->dueKeys[at], c->keyScratch, c->dueCount - at);
    }
}

// The sums are those of the step, added as a whole: the same bits, whichever thread makes it.
static bool stepSmall(ctWorld *world, ctIsland *island)
{
    ctStats before = world->stats;
    world->stats = (ctStats){0};
    bool ok = ctIsland_Step(world, island);
    ctStats_Add(&before, &world->stats);
    world->stats = before;
    return ok;
}

static bool stepDue(ctWorld *world)
{
    ctContacts *c = world->contacts;
    c->dueCount = c->laterCount = 0;
    bool ok = true;
    collectDue(world, 0);
    ctCrew_StepMany(world);
    for (int i = 0; i < c->dueCount && ok; i++) {
        int index = (int)(c->dueKeys[i] & UINT32_MAX);
        ctIsland *island = &c->islands[index];
        if (island->large) {
            ok = ctIsland_StepLarge(world, island);
        } else if (!ctCrew_HasStepped(world, index, &ok)) {
            ok = stepSmall(world, island);
        }
        collectDue(world, i + 1);
    }
    for (int i = 0; i < c->dueCount; i++) {
        ctIsland *island = &c->islands[c->dueKeys[i] & UINT32_MAX];
        island->queued = false;
        ctAgenda_Set(&c->agenda, (int)(c->dueKeys[i] & UINT32_MAX), island->due);
    }
    for (int i = 0; i < c->laterCount; i++) {
        ctAgenda_Set(&c->agenda, c->later[i], c->islands[c->later[i]].due);
    }
    return ok;
}

// Gives separated pairs back to the loop. Returns the number of those that the motion has just separated: they are
// listed.
static int releaseEnded(ctWorld *world)
{
    ctContacts *c = world->contacts;
    int lifted = 0;
    ctSortInts(c->ended, c->endedCount);
    for (int i = 0; i < c->endedCount; i++) {
        int index = c->ended[i];
        if (c->records[index].pair >= 0 && c->records[index].ended) {
            int pair = c->records[index].pair;
            if (c->records[index].lifted) {
                c->ended[lifted++] = pair;
            }
            ctContact_FreeRecord(world, index);
            ctPair_Release(world, pair);
            ctContact_Leave(world, world->pairs[pair].a);
            ctContact_Leave(world, world->pairs[pair].b);
        }
    }
    c->endedCount = 0;
    return lifted;
}

// Pairs that the motion has just separated are not looked at until that is visible.
static void putOffLifted(ctWorld *world, int count)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < count; i++) {
        const ctBodyPair *pair = &world->pairs[c->ended[i]];
        double later = ctFmax(world->now + ctPair_LiftTime(world, pair), world->extras[c->ended[i]].apart);
        if (pair->state == ct_pairApart && ctAgenda_Time(&world->pairAgenda, c->ended[i]) < later) {
            ctAgenda_Set(&world->pairAgenda, c->ended[i], later);
        }
    }
}

// What steps have left to be done.
static void finish(ctWorld *world)
{
    ctContacts *c = world->contacts;
    int lifted = releaseEnded(world); // before bodies are announced
    for (int i = 0; i < c->announceCount; i++) {
        world->bodies[c->announce[i]].pending = true;
    }
    for (int i = 0; i < c->announceCount; i++) {
        world->bodies[c->announce[i]].pending = false;
        announceCourse(world, c->announce[i]);
    }
    putOffLifted(world, lifted);
}

const int *ctContact_Tick(ctWorld *world, int *impactCount, ctError *error)
{
    ctContacts *c = world->contacts;
    c->announceCount = c->impactCount = 0;
    if (!ctIslands_Build(world) || !stepDue(world)) {
        *impactCount = -1;
        ctFailMemory(error, "contact islands");
        return NULL;
    }
    c->due = INFINITY;
    finish(world);
    *impactCount = c->impactCount;
    return c->impactPairs;
}

// What hits hard in that moment does so in the next tick, at which the island is due again.
static bool endStep(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    if (!ctContactBody_IsInStep(world, index)) {
        return true;
    }
    c->announceCount = c->impactCount = 0;
    if (!ctIslands_Build(world)) {
        return false;
    }
    int at = world->bodies[index].island;
    if (at < 0 || c->islands[at].large) {
        return true;
    }
    bool ok = stepSmall(world, &c->islands[at]);
    ctAgenda_Set(&c->agenda, at, c->islands[at].due);
    finish(world);
    return ok;
}

bool ctContact_EndStep(ctWorld *world, int index, ctError *error)
{
    bool ok = endStep(world, index);
    int pair;
    for (int i = 0; !ctBody_IsMovable(&world->bodies[index]) && (pair = ctBody_Pair(world, index, i)) >= 0; i++) {
        if (world->pairs[pair].state == ct_pairContact && ctContactBody_IsInStep(world, world->pairs[pair].a)) {
            ok = ok && endStep(world, world->pairs[pair].a);
            i = ok ? -1 : i; // pairs may have come and gone
        }
    }
    return (ok && !world->outOfMemory) || ctFailMemory(error, "contact islands");
}

bool ctContact_EndSteps(ctWorld *world, ctError *error)
{
    bool ok = true;
    for (int i = 0; i < world->bodyCount && ok; i++) {
        ok = endStep(world, world->order[i]);
    }
    return (ok && !world->outOfMemory) || ctFailMemory(error, "contact islands");
}

void ctContact_ReleaseAll(ctWorld *world)
{
    ctContacts *c = world->contacts;
    ctContact_WakeAll(world);
    ctPiles_Dissolve(world);
    for (int i = 0; i < c->recordSlots; i++) {
        if (c->records[i].pair >= 0) {
            int pair = c->records[i].pair;
            ctContact_FreeRecord(world, i);
            ctPair_Release(world, pair);
        }
    }
    for (int i = 0; i < world->bodyCount; i++) {
        if (ctBody_IsInContact(&world->bodies[world->order[i]])) {
            ctContactBody_LetFly(world, world->order[i]);
        }
    }
    ctIslands_MarkAll(world);
    c->due = INFINITY;
}
