// Steps of small islands on several threads, with the same bits for any number of threads.
//
// At a tick the independent islands that are due are stepped at once, each by one worker and in place. What their steps
// leave besides (sums, lists of bodies to announce and of impacts) is merged later, in the order in which one thread
// would have made the steps.
#include "engine/contact/crew/crew.h"

#include "collision/memory.h"

// Least number of points of all islands together; with fewer, one thread is done before others have woken up.
#define LEAST_POINTS (CT_LARGE_POINTS / 4)

// ---- memory -------------------------------------------------------------------------------------

void ctContact_EndThreads(ctWorld *world)
{
    ctCrew *crew = world->contacts->crew;
    if (crew == NULL) {
        return;
    }
    ctTasks_Destroy(crew->tasks);
    for (int i = 0; i < crew->viewCount; i++) {
        ctView_Free(&crew->views[i]);
    }
    for (int i = 0; i < crew->traceCapacity; i++) {
        ctStepTrace_Free(&crew->traces[i]);
    }
    for (int i = 0; i < crew->partCapacity; i++) {
        ctStepTrace_Free(&crew->parts[i]);
    }
    ctFree(crew->views);
    ctFree(crew->lot);
    ctFree(crew->traces);
    ctFree(crew->parts);
    ctFree(crew->places);
    ctFree(crew);
    world->contacts->crew = NULL;
}

void ctContact_MoveThreads(ctWorld *to, ctWorld *from)
{
    ctContact_EndThreads(to);
    to->contacts->crew = from->contacts->crew;
    from->contacts->crew = NULL;
}

static ctCrew *create(const ctWorld *world)
{
    ctCrew *crew = ctAllocate(1, sizeof *crew);
    if (crew != NULL) {
        crew->tasks = ctTasks_Create(world->def.threads, &world->def.tasks);
        int threads = crew->tasks != NULL ? ctTasks_Threads(crew->tasks) : 1;
        crew->views = threads > 1 ? ctAllocate((size_t)threads, sizeof(ctView)) : NULL;
        crew->viewCount = crew->views != NULL ? threads : 0;
    }
    return crew;
}

ctCrew *ctCrew_Of(ctWorld *world)
{
    ctContacts *c = world->contacts;
    if (world->def.threads == 1 || c->lent || (c->crew == NULL && (c->crew = create(world)) == NULL)) {
        return NULL;
    }
    return c->crew->viewCount > 0 ? c->crew : NULL;
}

bool ctStepTraces_Reserve(ctStepTrace **traces, int *capacity, int count)
{
    int old = *capacity;
    if (!ctReserve((void **)traces, capacity, count, sizeof(ctStepTrace))) {
        return false;
    }
    for (int i = old; i < *capacity; i++) {
        (*traces)[i] = (ctStepTrace){0};
    }
    return true;
}

static bool makeRoom(ctCrew *crew, int due, int slots)
{
    if (!ctReserve((void **)&crew->lot, &crew->lotCapacity, due, sizeof(int)) ||
        !ctReserve((void **)&crew->places, &crew->slotCapacity, slots, sizeof(int)) ||
        !ctStepTraces_Reserve(&crew->traces, &crew->traceCapacity, due)) {
        return false;
    }
    while (crew->slots < slots) {
        crew->places[crew->slots++] = 0;
    }
    return true;
}

// ---- which islands ------------------------------------------------------------------------------

// A step may depend on bodies that its own bodies may meet and do not touch: the length of a plan does, and a pile
// looks at pairs with its neighbours. So of two neighbouring islands the second has no worker. Whether nothing that a
// body may meet is stepped in this tick before the body's own island.
static bool isFirst(const ctWorld *world, int island, int index)
{
    const ctContacts *c = world->contacts;
    int lowest = c->members[c->islands[island].firstBody], count;
    const ctLink *links = ctBody_Links(world, index, &count);
    for (int i = 0; i < count; i++) {
        int beside = ctBody_IsAwake(world, links[i].other) ? world->bodies[links[i].other].island : -1;
        if (links[i].tag != CT_LATENT && beside >= 0 && c->islands[beside].queued &&
            c->members[c->islands[beside].firstBody] < lowest) {
            return false;
        }
    }
    return true;
}

// Whether a contact of the island is with another of its bodies, or with one that is in no island.
static bool isPlain(const ctWorld *world, int island, const ctContactRecord *record)
{
    if (record->pair < 0 || record->pile != NULL) {
        return false;
    }
    const int ends[2] = {record->a, record->b};
    for (int k = 0; k < 2; k++) {
        if (world->bodies[ends[k]].island != island && ctBody_IsAwake(world, ends[k])) {
            return false;
        }
    }
    return true;
}

// Whether the course that a body follows, or has followed last, is that of a body outside its island: a step asks for
// it, and at the same time that other body's step may begin it anew.
static bool isOnLoan(const ctWorld *world, int index)
{
    const ctCourse *course = world->contacts->bodies[index].course;
    return course != NULL && world->bodies[course->bodies[0]].island != world->bodies[index].island;
}

// Whether a worker may step the island: it is not at rest, and no step before it or at the same time changes what its
// own step depends on.
static bool isForWorkers(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    const ctIsland *island = &c->islands[index];
    if (island->large || island->stale) {
        return false;
    }
    bool moves = false;
    for (int i = 0; i < island->bodyCount; i++) {
        int member = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[member];
        moves = moves || !(world->infos[member].still > 0.0) || ctBody_IsPlanned(body) ||
                ctLengthSquared(body->v) + ctLengthSquared(body->w) > 0.0;
        bool joined = island->bodyCount > CT_COURSE_BODIES && ctCourse_Has(world, member); // others may be on it
        if (!ctBody_IsAwake(world, member) || body->driven || body->island != index || joined ||
            isOnLoan(world, member) || !isFirst(world, index, member)) {
            return false;
        }
    }
    for (int i = 0; i < island->recordCount && moves; i++) {
        if (!isPlain(world, index, &c->records[c->sorted[island->firstRecord + i]])) {
            return false;
        }
    }
    return moves;
}

// ---- a lot --------------------------------------------------------------------------------------

// How many points a step has, about: before the first one they have not been found, and two faces have four.
static int pointsOf(const ctIsland *island)
{
    return island->pointCount > 0 ? island->pointCount : 4 * island->recordCount;
}

// Advances the bodies that an island touches, which no worker may do.
static void advanceOthers(ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    const ctIsland *island = &c->islands[index];
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        int ends[2] = {record->a, record->b};
        for (int k = 0; k < 2; k++) {
            if (world->bodies[ends[k]].island != index) {
                ctBody_Advance(world, ends[k]);
            }
        }
    }
}

static bool step(ctWorld *world, void *context, int item)
{
    const ctCrew *crew = context;
    return ctIsland_Step(world, &world->contacts->islands[crew->lot[item]]);
}

static void work(void *context, int item, int worker)
{
    ctCrew *crew = context;
    ctView_Do(&crew->views[worker], step, crew, item, &crew->traces[item]);
}

void ctCrew_StepMany(ctWorld *world)
{
    ctContacts *c = world->contacts;
    ctCrew *crew = c->dueCount < 2 || world->terrainCount > 0 ? NULL : ctCrew_Of(world);
    if (crew == NULL || !makeRoom(crew, c->dueCount, c->islandSlots)) {
        return;
    }
    int points = 0;
    for (int i = 0; i < crew->lotCount; i++) {
        crew->places[crew->lot[i]] = 0; // of a tick that has failed
    }
    crew->lotCount = 0;
    for (int i = 0; i < c->dueCount; i++) {
        int island = (int)(c->dueKeys[i] & UINT32_MAX);
        if (isForWorkers(world, island)) {
            crew->lot[crew->lotCount++] = island;
            points += pointsOf(&c->islands[island]);
        }
    }
    if (crew->lotCount < 2 || points < LEAST_POINTS) {
        return;
    }
    for (int i = 0; i < crew->lotCount; i++) {
        crew->places[crew->lot[i]] = i + 1;
        advanceOthers(world, crew->lot[i]);
    }
    for (int i = 0; i < crew->viewCount; i++) {
        ctView_Open(&crew->views[i], world, crew->lotCount);
    }
    ctTasks_Run(crew->tasks, work, crew, crew->lotCount);
}

bool ctCrew_HasStepped(ctWorld *world, int island, bool *ok)
{
    ctCrew *crew = world->contacts->crew;
    int place = crew != NULL && island < crew->slots ? crew->places[island] : 0;
    if (place == 0) {
        return false;
    }
    crew->places[island] = 0;
    *ok = ctStepTrace_Add(&crew->traces[place - 1], world, island);
    return true;
}
