// Contact as the program sees it: contacts that began and ended in a step, bodies in sensors, forces of pairs and
// bodies.
#include "collision/memory.h"
#include "engine/api/api_internal.h"

// ---- begin and end ----------------------------------------------------------------------------

static int pairOf(const ctWorld *world, ctBodyId a, ctBodyId b)
{
    int ia = ctBody_Resolve(world, a), ib = ctBody_Resolve(world, b);
    return ia >= 0 && ib >= 0 ? ctPair_Find(world, ia, ib) : -1;
}

static bool isSame(ctBodyId a, ctBodyId b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

// A pair that was made anew while the two touched has no mark yet, but the list has it.
static bool isListed(const ctTouchPair *list, int count, ctTouchPair pair)
{
    for (int i = 0; i < count; i++) {
        if ((isSame(list[i].body1, pair.body1) && isSame(list[i].body2, pair.body2)) ||
            (isSame(list[i].body1, pair.body2) && isSame(list[i].body2, pair.body1))) {
            return true;
        }
    }
    return false;
}

static bool append(ctTouchPair **list, int *count, int *capacity, ctTouchPair pair)
{
    if (!ctReserve((void **)list, capacity, *count + 1, sizeof pair)) {
        return false;
    }
    (*list)[(*count)++] = pair;
    return true;
}

// Marks the pairs of the list of contacts, and appends each once to touching; new ones to begins as well.
static bool listPairs(ctWorld *world, const ctTouchPair *old, int oldCount)
{
    int64_t last = world->reports++;
    for (int i = 0; i < world->contactCount; i++) {
        ctTouchPair pair = {world->contactList[i].body1, world->contactList[i].body2};
        const ctContact *previous = i > 0 ? &world->contactList[i - 1] : NULL;
        if (previous != NULL && isSame(previous->body1, pair.body1) && isSame(previous->body2, pair.body2)) {
            continue; // another point of the same pair
        }
        int index = pairOf(world, pair.body1, pair.body2);
        int64_t *mark = index >= 0 ? &world->extras[index].touched : NULL;
        if (mark == NULL || *mark == world->reports) {
            continue;
        }
        bool before = last > 0 && (*mark == last || (*mark == 0 && isListed(old, oldCount, pair)));
        *mark = world->reports;
        if (!append(&world->touching, &world->touchingCount, &world->touchingCapacity, pair) ||
            (!before && !append(&world->begins, &world->beginCount, &world->beginCapacity, pair))) {
            return false;
        }
    }
    return true;
}

bool ctTouching_EndFrame(ctWorld *world, ctError *error)
{
    if (!world->contactsListed) {
        return true; // nothing has moved
    }
    world->contactsListed = false;
    ctTouchPair *old = world->touching;
    int oldCount = world->touchingCount;
    world->touching = NULL;
    world->touchingCount = world->touchingCapacity = 0;
    bool ok = listPairs(world, old, oldCount);
    for (int i = 0; i < oldCount && ok; i++) {
        int index = pairOf(world, old[i].body1, old[i].body2);
        if (index < 0 || world->extras[index].touched != world->reports) {
            ok = append(&world->ends, &world->endCount, &world->endCapacity, old[i]);
        }
    }
    ctFree(old);
    return ok || ctFailMemory(error, "the list of contacts");
}

void ctTouching_Rebuild(ctWorld *world)
{
    world->reports = 1;
    for (int i = 0; i < world->touchingCount; i++) {
        int index = pairOf(world, world->touching[i].body1, world->touching[i].body2);
        if (index >= 0) {
            world->extras[index].touched = world->reports;
        }
    }
}

int ctWorld_GetContactBegins(const ctWorld *world, const ctTouchPair **pairs)
{
    if (pairs != NULL) {
        *pairs = world->begins;
    }
    return world->beginCount;
}

int ctWorld_GetContactEnds(const ctWorld *world, const ctTouchPair **pairs)
{
    if (pairs != NULL) {
        *pairs = world->ends;
    }
    return world->endCount;
}

// ---- sensors ----------------------------------------------------------------------------------

int ctWorld_GetSensorEvents(const ctWorld *world, const ctSensorEvent **events)
{
    if (events != NULL) {
        *events = world->sensorEvents;
    }
    return world->sensorEventCount;
}

int ctBody_GetVisitors(const ctWorld *world, ctBodyId sensor, ctBodyId *visitors, int capacity)
{
    int index = ctBody_Resolve(world, sensor), links = 0, count = 0;
    if (index < 0 || !world->bodies[index].sensor) {
        return 0;
    }
    const ctLink *link = ctBody_Links(world, index, &links);
    for (int i = 0; i < links; i++) {
        if (link[i].tag != CT_LATENT && world->pairs[link[i].tag].state == ct_pairInside) {
            if (visitors != NULL && count < capacity) {
                visitors[count] = ctBody_IdOf(world, link[i].other);
            }
            count++;
        }
    }
    return count;
}

// ---- forces -----------------------------------------------------------------------------------

// Adds a force on body 1 of two, along and across the normal, with its sign for body a.
static void addForce(ctBodyId a, ctBodyId b, ctBodyId body1, ctBodyId body2, ctVec3 n, ctVec3 force, ctVec3 sums[2])
{
    bool first = isSame(a, body1);
    if ((!first && !isSame(a, body2)) || (b.index1 != 0 && !isSame(b, first ? body2 : body1))) {
        return;
    }
    ctVec3 along = ctScale(ctDot(n, force), n);
    double sign = first ? 1.0 : -1.0;
    sums[0] = ctMulAdd(sums[0], sign, along);
    sums[1] = ctMulAdd(sums[1], sign, ctSub(force, along));
}

void ctWorld_GetContactForce(const ctWorld *world, ctBodyId a, ctBodyId b, ctVec3 *normal, ctVec3 *friction)
{
    ctVec3 sums[2] = {ctZero3(), ctZero3()};
    for (int i = 0; i < world->contactCount; i++) {
        const ctContact *c = &world->contactList[i];
        addForce(a, b, c->body1, c->body2, c->normal, c->force, sums);
    }
    for (int i = 0; i < world->impactCount; i++) {
        const ctImpact *m = &world->impacts[i];
        ctVec3 mean = ctScale(1.0 / world->def.frameTime, m->impulse);
        addForce(a, b, m->body1, m->body2, m->normal, mean, sums);
    }
    if (normal != NULL) {
        *normal = sums[0];
    }
    if (friction != NULL) {
        *friction = sums[1];
    }
}

// ---- many at once -----------------------------------------------------------------------------

static void addBulkForce(const ctWorld *world, ctVec3 *forces, int first, int count, ctBodyId body, ctVec3 force)
{
    int index = ctBody_Resolve(world, body), place = index >= 0 ? world->infos[index].ordinal - first : -1;
    if (place >= 0 && place < count) {
        forces[place] = ctAdd(forces[place], force);
    }
}

static void bulkForces(const ctWorld *world, int first, int count, ctVec3 *forces)
{
    for (int i = 0; i < count; i++) {
        forces[i] = ctZero3();
    }
    for (int i = 0; i < world->contactCount; i++) {
        const ctContact *c = &world->contactList[i];
        addBulkForce(world, forces, first, count, c->body1, c->force);
        addBulkForce(world, forces, first, count, c->body2, ctNeg(c->force));
    }
    for (int i = 0; i < world->impactCount; i++) {
        ctVec3 mean = ctScale(1.0 / world->def.frameTime, world->impacts[i].impulse);
        addBulkForce(world, forces, first, count, world->impacts[i].body1, mean);
        addBulkForce(world, forces, first, count, world->impacts[i].body2, ctNeg(mean));
    }
}

static void fillBulk(const ctWorld *world, int index, int at, const ctBulk *bulk)
{
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now);
    if (bulk->positions != NULL) {
        bulk->positions[at] = ctSub(s.x, ctRotate(s.q, world->infos[index].center));
    }
    if (bulk->orientations != NULL) {
        bulk->orientations[at] = s.q;
    }
    if (bulk->centers != NULL) {
        bulk->centers[at] = s.x;
    }
    if (bulk->velocities != NULL) {
        bulk->velocities[at] = s.v;
    }
    if (bulk->spins != NULL) {
        bulk->spins[at] = s.w;
    }
    if (bulk->asleep != NULL) {
        bulk->asleep[at] = world->bodies[index].mode == ct_modeAsleep;
    }
}

int ctWorld_GetBulk(const ctWorld *world, int first, int count, const ctBulk *bulk)
{
    if (first < 0 || first >= world->bodyCount || count <= 0 || bulk == NULL) {
        return 0;
    }
    count = count < world->bodyCount - first ? count : world->bodyCount - first;
    for (int i = 0; i < count; i++) {
        fillBulk(world, world->order[first + i], i, bulk);
    }
    if (bulk->forces != NULL) {
        bulkForces(world, first, count, bulk->forces);
    }
    return count;
}
