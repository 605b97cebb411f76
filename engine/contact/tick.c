// The tick of sustained contact: islands that are due take their steps. And the memory of all of it.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

// ---- memory -------------------------------------------------------------------------------------

bool ctContact_Create(ctWorld *world, ctError *error)
{
    ctContacts *contacts = ctAllocate(1, sizeof *contacts);
    if (contacts == NULL) {
        return ctFailMemory(error, "contacts");
    }
    contacts->freeRecord = contacts->limbo = -1;
    contacts->due = INFINITY;
    world->contacts = contacts;
    world->hooks = (ctHooks){ctRoll_StateAt, ctRoll_Settle, ctContact_End};
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
    for (int i = 0; i < c->islandCount; i++) {
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
    ctFreeAligned(c->records);
    ctFreeAligned(c->bodies);
    void *arrays[] = {c->islands,    c->members,  c->sorted, c->solverBodies, c->slotBody,    c->solverPoints, c->refs,
                      c->pseudo,     c->pushes,   c->found,  c->announce,     c->impactPairs, c->queue,        c->keys,
                      c->keyScratch, c->oldPiles, c->former, c->before,       c->pressed,     c->plans,        c};
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
    return world->contacts->due;
}

// Share of the room in its box that a body in contact may use up: steps end a little beside where they were expected.
#define ROOM 0.9

// A step has changed a body's course. As long as a body in contact has moved by less than the room in its box it is in
// there, and only its pairs want a look. Plans have more to tell.
static void announceCourse(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctContactBody *b = &world->contacts->bodies[index];
    if (!ctBody_IsInContact(body) || body->ball || b->plan > 0 || ctCourse_Has(world, index)) {
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

const int *ctContact_Tick(ctWorld *world, int *impactCount, ctError *error)
{
    ctContacts *c = world->contacts;
    if (c->stale && !ctIslands_Build(world)) {
        *impactCount = -1;
        ctFailMemory(error, "contact islands");
        return NULL;
    }
    c->announceCount = c->impactCount = 0;
    for (int i = 0; i < c->islandCount; i++) {
        ctIsland *island = &c->islands[i];
        // What a large island's step begins with belongs to the next frame: the gravity of its time.
        if (island->due <= world->now && !(island->large && world->now >= world->frameEnd) &&
            !(island->large ? ctIsland_StepLarge(world, island) : ctIsland_Step(world, island))) {
            *impactCount = -1;
            ctFailMemory(error, "contact islands");
            return NULL;
        }
    }
    // Pairs that have parted go back to the loop before their bodies are announced.
    bool ended = c->ended;
    c->ended = false;
    for (int i = 0; i < c->recordSlots && ended; i++) {
        if (c->records[i].pair >= 0 && c->records[i].ended) {
            int pair = c->records[i].pair;
            ctContact_FreeRecord(world, i);
            ctPair_Release(world, pair);
            ctContact_Leave(world, world->pairs[pair].a);
            ctContact_Leave(world, world->pairs[pair].b);
        }
    }
    c->due = INFINITY;
    for (int i = 0; i < c->islandCount; i++) {
        bool waits = c->islands[i].large && world->now >= world->frameEnd;
        c->due = ctFmin(c->due, waits ? (double)INFINITY : c->islands[i].due);
    }
    for (int i = 0; i < c->announceCount; i++) {
        announceCourse(world, c->announce[i]);
    }
    *impactCount = c->impactCount;
    return c->impactPairs;
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
    c->stale = true;
    c->due = INFINITY;
}
