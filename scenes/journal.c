#include "scenes/journal.h"

#include "collision/memory.h"

#include <math.h>
#include <string.h>

enum { FIRST_PLACES = 64 };

void ctJournal_Begin(ctJournal *journal)
{
    *journal = (ctJournal){.restTime = INFINITY};
}

void ctJournal_Free(ctJournal *journal)
{
    for (int i = 0; i < journal->seriesCount; i++) {
        ctFree(journal->series[i].times);
        ctFree(journal->series[i].values);
    }
    ctFree(journal->series);
    ctFree(journal->firsts);
    *journal = (ctJournal){.restTime = INFINITY};
}

// ---- first impacts ----------------------------------------------------------------------------

// The slot of a pair (a < b), or the empty slot where the pair belongs. The table is never full.
static ctFirstImpact *placeOf(const ctJournal *j, int32_t a, int32_t b)
{
    uint64_t hash = ((uint64_t)a << 32 | (uint32_t)b) * 0x9e3779b97f4a7c15ULL;
    uint64_t mask = (uint64_t)j->firstPlaces - 1;
    for (uint64_t i = hash >> 32;; i++) {
        ctFirstImpact *place = &j->firsts[i & mask];
        if (place->a == 0 || (place->a == a && place->b == b)) {
            return place;
        }
    }
}

// Replaces the table by one with `places` slots. Entries later than `until` are dropped.
static bool rebuild(ctJournal *j, int places, double until)
{
    ctFirstImpact *old = j->firsts;
    int oldPlaces = j->firstPlaces;
    ctFirstImpact *wider = ctAllocate((size_t)places, sizeof *wider);
    if (wider == NULL) {
        return false;
    }
    j->firsts = wider;
    j->firstPlaces = places;
    j->firstCount = 0;
    for (int i = 0; i < oldPlaces; i++) {
        if (old[i].a != 0 && old[i].time <= until) {
            *placeOf(j, old[i].a, old[i].b) = old[i];
            j->firstCount++;
        }
    }
    ctFree(old);
    return true;
}

static bool addImpact(ctJournal *j, const ctImpact *impact)
{
    if (2 * j->firstCount >= j->firstPlaces &&
        !rebuild(j, j->firstPlaces > 0 ? 2 * j->firstPlaces : FIRST_PLACES, INFINITY)) {
        return false;
    }
    int32_t a = impact->body1.index1, b = impact->body2.index1;
    ctFirstImpact *place = placeOf(j, a < b ? a : b, a < b ? b : a);
    if (place->a == 0) {
        *place = (ctFirstImpact){a < b ? a : b, a < b ? b : a, impact->time, impact->point};
        j->firstCount++;
    }
    return true;
}

const ctFirstImpact *ctJournal_First(const ctJournal *j, int32_t a, int32_t b)
{
    if (j->firstPlaces == 0) {
        return NULL;
    }
    if (b != 0) {
        const ctFirstImpact *place = placeOf(j, a < b ? a : b, a < b ? b : a);
        return place->a != 0 ? place : NULL;
    }
    const ctFirstImpact *first = NULL;
    for (int i = 0; i < j->firstPlaces; i++) {
        const ctFirstImpact *place = &j->firsts[i];
        if (place->a == 0 || (a != 0 && place->a != a && place->b != a)) {
            continue;
        }
        // Ids break ties: the order of the table depends on the hash and on its size.
        bool sooner =
            first == NULL || place->time < first->time ||
            (place->time == first->time && (place->a < first->a || (place->a == first->a && place->b < first->b)));
        first = sooner ? place : first;
    }
    return first;
}

// ---- rest and samples -------------------------------------------------------------------------

// The search begins with the body that was awake last time. It mostly ends there while any body is awake.
static bool isAtRest(ctJournal *j, const ctWorld *world)
{
    int count = ctWorld_GetBodyCount(world);
    for (int k = 0; k < count; k++) {
        int i = (j->awake + k) % count;
        ctBodyId body = ctWorld_GetBody(world, i);
        if (ctBody_GetMotionType(world, body) == ct_motionDynamic && !ctBody_IsAsleep(world, body)) {
            j->awake = i;
            return false;
        }
    }
    return true;
}

bool ctSeries_Add(ctSeries *s, double time, double value)
{
    if (!ctReserve((void **)&s->times, &s->timeCapacity, s->count + 1, sizeof *s->times) ||
        !ctReserve((void **)&s->values, &s->valueCapacity, s->count + 1, sizeof *s->values)) {
        return false;
    }
    s->times[s->count] = time;
    s->values[s->count++] = value;
    return true;
}

bool ctJournal_GoBack(ctJournal *j, double start)
{
    if (start >= j->time) {
        return true;
    }
    j->time = start;
    for (int i = 0; i < j->seriesCount; i++) {
        ctSeries *s = &j->series[i];
        while (s->count > 0 && s->times[s->count - 1] > start) {
            s->count--;
        }
    }
    j->restTime = j->restTime <= start ? j->restTime : INFINITY;
    return j->firstPlaces == 0 || rebuild(j, j->firstPlaces, start);
}

bool ctJournal_Observe(ctJournal *j, const ctWorld *world, bool frameEnd)
{
    double now = ctWorld_GetTime(world);
    const ctImpact *impacts;
    int count = ctWorld_GetImpacts(world, &impacts);
    if (now < j->time && !ctJournal_GoBack(j, now - (1.0 - 1e-9) * ctWorld_GetSettings(world).frameTime)) {
        return false;
    }
    j->time = now;
    for (int i = 0; i < count; i++) {
        if (impacts[i].kind == ct_eventImpact && !addImpact(j, &impacts[i])) {
            return false;
        }
    }
    if (frameEnd) {
        bool rest = isAtRest(j, world);
        j->restTime = !rest ? INFINITY : j->restTime <= now ? j->restTime : now;
    }
    return true;
}
