// Sustained contact in a snapshot: records with their points, the data of bodies, and the islands.
#include "collision/memory.h"
#include "engine/contact/contact_internal.h"
#include "engine/core/archive.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST 1e24 // [limit] force, N

// parts: the number of pairs of convex parts of the two bodies.
static void archivePoint(ctArchive *ar, ctContactPoint *p, uint32_t parts)
{
    ctArchive_U32(ar, &p->leaf);
    ctArchive_U32(ar, &p->id);
    ctVec3 *vectors[] = {&p->n, &p->pointA, &p->pointB, &p->armA, &p->armB, &p->force, &p->torque, &p->impulse};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctArchive_Vec3(ar, vectors[i]);
    }
    ctArchive_Finite(ar, &p->gap);
    if (ar->version >= 15) {
        ctArchive_Finite(ar, &p->span);
        ctArchive_Finite(ar, &p->growth);
    }
    ctArchive_Bool(ar, &p->known);
    bool bounded = ctLength(p->force) < LARGEST && ctLength(p->torque) < LARGEST && ctLength(p->impulse) < LARGEST;
    bool unit = fabs(ctLengthSquared(p->n) - 1.0) < 1e-6;
    bounded = bounded && p->span >= 0.0 && p->span < LARGEST && fabs(p->growth) < LARGEST;
    ctArchive_Check(ar, p->leaf < parts && unit && bounded, "a point of contact");
}

enum { POINT_BYTES = 4 + 4 + 8 * 24 + 8 + 1, RECORD_BYTES = 8, ISLAND_BYTES = 47 };

static void archiveRecord(ctWorld *world, ctArchive *ar, ctContactRecord *r, int index)
{
    ctArchive_Index(ar, &r->pair, -1, world->pairSlots);
    ctArchive_Index(ar, &r->nextFree, -1, world->contacts->recordSlots);
    if (r->pair < 0) {
        return;
    }
    const ctBodyPair *pair = &world->pairs[r->pair];
    ctArchive_Check(ar, pair->state == ct_pairContact && pair->contact == index, "a contact");
    ctArchive_Index(ar, &r->a, 0, world->bodySlots);
    ctArchive_Index(ar, &r->b, 0, world->bodySlots);
    ctArchive_Check(ar, r->a == pair->a && r->b == pair->b, "a contact");
    ctArchive_Vec3(ar, &r->normal);
    ctArchive_Finite(ar, &r->bending);
    ctArchive_Finite(ar, &r->running);
    ctArchive_Bool(ar, &r->fresh);
    r->found = ar->writing ? r->found : -INFINITY;
    if (ar->version >= 14) {
        ctArchive_F64(ar, &r->found);
        ctArchive_Bool(ar, &r->covered);
    }
    ctArchive_Bool(ar, &r->ended);
    ctArchive_Bool(ar, &r->lost);
    ctArchive_Bool(ar, &r->piled);
    ctArchive_Count(ar, &r->count, POINT_BYTES);
    if (!ar->writing && !ctReserve((void **)&r->points, &r->capacity, r->count, sizeof(ctContactPoint))) {
        r->count = 0;
        ctArchive_CheckMemory(ar, false);
    }
    if (!ar->writing && r->count > 0) {
        memset(r->points, 0, (size_t)r->count * sizeof(ctContactPoint));
    }
    uint32_t parts =
        (uint32_t)ctBody_Shape(world, pair->a)->leafCount * (uint32_t)ctBody_Shape(world, pair->b)->leafCount;
    for (int i = 0; i < r->count; i++) {
        archivePoint(ar, &r->points[i], parts);
    }
}

// Whether every free record is on one of the two lists, once.
static bool checkFreeRecords(const ctContacts *c)
{
    int free = 0;
    for (int i = 0; i < c->recordSlots; i++) {
        free += c->records[i].pair < 0;
    }
    const int heads[2] = {c->freeRecord, c->limbo};
    for (int k = 0; k < 2; k++) {
        for (int at = heads[k]; at >= 0; at = c->records[at].nextFree) {
            if (c->records[at].pair >= 0 || free == 0) {
                return false;
            }
            free--;
        }
    }
    return free == 0;
}

static void archiveRecords(ctWorld *world, ctArchive *ar)
{
    ctContacts *c = world->contacts;
    int slots = c->recordSlots;
    ctArchive_Count(ar, &slots, RECORD_BYTES);
    if (!ar->writing && slots > 0) {
        if (!ctReserveAligned((void **)&c->records, &c->recordCapacity, slots, sizeof(ctContactRecord))) {
            ctArchive_CheckMemory(ar, false);
            return;
        }
        memset(c->records, 0, (size_t)c->recordCapacity * sizeof(ctContactRecord));
        c->recordSlots = slots;
    }
    ctArchive_Index(ar, &c->freeRecord, -1, slots);
    ctArchive_Index(ar, &c->limbo, -1, slots);
    bool ended = false; // between ticks there is none
    ctArchive_Bool(ar, &ended);
    int live = 0;
    for (int i = 0; i < c->recordSlots; i++) {
        archiveRecord(world, ar, &c->records[i], i);
        live += c->records[i].pair >= 0;
        c->records[i].island = ar->writing ? c->records[i].island : -1;
    }
    c->recordCount = live;
    int inContact = 0;
    for (int i = 0; i < world->pairSlots; i++) {
        inContact += world->pairs[i].state == ct_pairContact;
    }
    ctArchive_Check(ar, live == inContact && checkFreeRecords(c), "the list of contacts");
}

// Plans follow from their start.
static void archivePlan(ctWorld *world, ctArchive *ar, int index)
{
    ctContacts *c = world->contacts;
    ctContactBody *b = &c->bodies[index];
    int kind = b->planIsOn ? 2 : b->plan != NULL ? 1 : 0;
    ctArchive_Enum(ar, &kind, 3, "a plan");
    if (kind == 0 || ar->failed) {
        return;
    }
    ctRollPlan *p = ctRoll_TakePlan(b);
    if (!ctArchive_CheckMemory(ar, p != NULL)) {
        return;
    }
    b->planIsOn = kind == 2;
    ctArchive_Finite(ar, &p->part);
    if (ar->version >= 11) {
        ctArchive_Finite(ar, &p->crowded);
    }
    if (kind == 2) {
        ctArchive_Index(ar, &p->record, 0, c->recordSlots > 0 ? c->recordSlots : 1);
        ctArchive_Finite(ar, &p->asked);
        ctArchive_F64(ar, &p->room);
    }
}

// A step of a track: its numbers, and the forces of all points at its start and at its end.
static void archiveStep(ctArchive *ar, ctSystemTrack *track, int index)
{
    double *step = track->steps + (size_t)index * (size_t)track->stride, none[3] = {0.0};
    int numbers = track->stride - 9 * track->forceCount;
    for (int i = 0; !ar->failed && i < numbers; i++) {
        ctArchive_Finite(ar, &step[i]);
    }
    for (int end = 0; end < 2; end++) {
        for (int i = 0; !ar->failed && i < track->pointCount; i++) {
            double *force = ctSystemTrack_Force(track, index, i, end);
            for (int k = 0; k < 3; k++) {
                ctArchive_Finite(ar, force != NULL ? &force[k] : &none[k]);
            }
        }
    }
    if (!ar->writing && !ar->failed) {
        ctSystemTrack_AddImpulses(track, index);
    }
}

// The track of a course: its steps as they were found.
static void archiveTrack(ctArchive *ar, ctCourse *course)
{
    ctSystemTrack *track = &course->track;
    int movable = track->movable, pointCount = track->pointCount, count = track->count;
    ctArchive_Index(ar, &movable, course->bodyCount, course->bodyCount + 1);
    ctArchive_Index(ar, &pointCount, 0, CT_SYSTEM_POINTS + 1);
    ctArchive_Count(ar, &count, 8);
    if (!ar->writing && !ar->failed) {
        double *steps = track->steps;
        *track = ctSystemTrack_Empty(movable, pointCount);
        track->steps = steps;
        if (ctArchive_Check(ar, count > 0 && count <= CT_COURSE_STEPS, "a course")) {
            track->count = track->capacity = count;
            int numbers = track->count * track->stride;
            ctArchive_CheckMemory(ar,
                                  ctReserve((void **)&track->steps, &course->stepCapacity, numbers, sizeof(double)));
        }
    }
    for (int i = 0; !ar->failed && i < track->count; i++) {
        archiveStep(ar, track, i);
    }
    if (!ar->writing && !ar->failed) {
        ctSystemTrack_Pack(track);
    }
    // The array is filled only for the bodies that move.
    int states = ctSystem_States(track->movable);
    for (int i = 0; !ar->failed && i < states; i++) {
        ctArchive_Finite(ar, &track->end[i]);
    }
    ctArchive_Finite(ar, &track->length);
    for (int i = 0; !ar->failed && i < track->pointCount; i++) {
        ctCoursePoint *p = &course->points[i];
        ctArchive_Index(ar, &p->record, -1, 1 << 30);
        ctArchive_U32(ar, &p->leaf);
        ctArchive_U32(ar, &p->id);
        ctArchive_Bool(ar, &p->flipped);
    }
}

static void archiveCourse(ctWorld *world, ctArchive *ar, ctCourse *course)
{
    const ctContacts *c = world->contacts;
    ctArchive_Index(ar, &course->bodyCount, 1, CT_SYSTEM_MOVABLE + 1);
    ctArchive_Index(ar, &course->recordCount, 1, CT_SYSTEM_POINTS + 1);
    for (int i = 0; i < course->bodyCount && !ar->failed; i++) {
        ctArchive_Index(ar, &course->bodies[i], 0, world->bodySlots);
        ctArchive_Finite(ar, &course->path[i]);
    }
    for (int i = 0; i < course->recordCount && !ar->failed; i++) {
        ctArchive_Index(ar, &course->records[i], 0, c->recordSlots > 0 ? c->recordSlots : 1);
    }
    bool *flags[] = {&course->active, &course->goesOn, &course->broken, &course->cramped};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        ctArchive_Bool(ar, flags[i]);
    }
    double *numbers[] = {&course->base, &course->since, &course->until,    &course->strongest, &course->fastest,
                         &course->push, &course->stop,  &course->friction, &course->kinematic};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ctArchive_Finite(ar, numbers[i]);
    }
    if (!ar->failed) {
        archiveTrack(ar, course);
    }
    for (int i = 0; !ar->failed && i < course->track.pointCount; i++) {
        ctArchive_Check(ar, course->points[i].record < c->recordSlots, "a course");
    }
}

// Every course belongs to the first body of its island, which comes before the others.
static void archiveCourses(ctWorld *world, ctArchive *ar, int index)
{
    ctContacts *c = world->contacts;
    ctContactBody *b = &c->bodies[index];
    bool owns = b->ownCourse != NULL;
    int owner = b->course != NULL && ctCourse_IsOfUse(world, b->course) ? b->course->bodies[0] + 1 : 0;
    ctArchive_Bool(ar, &owns);
    ctArchive_Index(ar, &owner, 0, index + 2);
    if (owns && !ar->failed) {
        ctArchive_CheckMemory(ar, ctCourse_Take(b) != NULL);
    }
    if (owner > 0 && !ar->writing && !ar->failed) {
        b->course = c->bodies[owner - 1].ownCourse;
        ctArchive_Check(ar, b->course != NULL, "a course");
    }
    if (owns && !ar->failed) {
        ctCourse *course = b->ownCourse;
        ctArchive_Finite(ar, &course->next);
        ctArchive_Finite(ar, &course->crowded);
        if (ar->version >= 14) {
            ctArchive_Finite(ar, &course->begun);
            ctArchive_Index(ar, &course->beginnings, 0, 1 << 30);
            ctArchive_Index(ar, &course->again, 0, 1 << 30);
            ctArchive_Bool(ar, &course->eventless);
        }
        if (owner == index + 1) {
            archiveCourse(world, ar, course);
            ctArchive_Check(ar, course->bodies[0] == index, "a course");
        }
    }
}

// The role as three booleans: its island is large; it is in a pile; it is frozen there.
static void archiveRole(ctArchive *ar, ctContactBody *body)
{
    bool large = ctContactBody_IsLarge(body), piled = ctContactBody_IsPiled(body), frozen = body->role == ct_roleFrozen;
    ctArchive_Bool(ar, &large);
    ctArchive_Bool(ar, &piled);
    ctArchive_Bool(ar, &frozen);
    if (!ar->writing && !large) {
        body->role = piled ? ct_roleParting : ct_roleNone;
    } else if (!ar->writing) {
        body->role = !piled ? ct_roleWanted : frozen ? ct_roleFrozen : ct_roleMember;
    }
}

static void archiveBodies(ctWorld *world, ctArchive *ar)
{
    ctContacts *c = world->contacts;
    int count = c->bodyCapacity < world->bodySlots ? c->bodyCapacity : world->bodySlots;
    ctArchive_Count(ar, &count, 8);
    ctArchive_Check(ar, count <= world->bodySlots, "contacts");
    for (int i = 0; i < c->recordSlots; i++) { // bodies made since the last contact began may be missing
        const ctContactRecord *r = &c->records[i];
        ctArchive_Check(ar, r->pair < 0 || (r->a < count && r->b < count), "contacts");
    }
    if (!ar->writing && count > 0 && !ar->failed) {
        if (!ctReserveAligned((void **)&c->bodies, &c->bodyCapacity, count, sizeof(ctContactBody))) {
            ctArchive_CheckMemory(ar, false);
            return;
        }
        memset(c->bodies, 0, (size_t)c->bodyCapacity * sizeof(ctContactBody));
    }
    for (int i = 0; i < count && !ar->failed; i++) {
        ctContactBody *b = &c->bodies[i];
        ctArchive_Finite(ar, &b->base);
        ctArchive_Vec3(ar, &b->x);
        ctArchive_Quat(ar, &b->q);
        ctArchive_Vec3(ar, &b->v);
        ctArchive_Vec3(ar, &b->w);
        ctArchive_Vec3(ar, &b->momentum);
        ctArchive_Check(ar, fabs(b->base) <= world->now + 1.0 && ctLength(b->v) < 1e12 && ctLength(b->w) < 1e12,
                        "a body in contact");
        ctArchive_Finite(ar, &b->energy);
        ctArchive_F64(ar, &world->bodies[i].courseEnd);
        ctArchive_Index(ar, &b->parent, 0, world->bodySlots);
        ctArchive_I32(ar, &b->records);
        ctArchive_I32(ar, &b->hits);
        ctArchive_I64(ar, &b->hitBeat);
        ctArchive_I32(ar, &b->crowd);
        ctArchive_I32(ar, &b->tried);
        ctArchive_Vec3(ar, &b->restX);
        ctArchive_Quat(ar, &b->restQ);
        ctArchive_Finite(ar, &b->restSpeed);
        archiveRole(ar, b);
        ctArchive_Finite(ar, &b->thawed);
        ctArchive_F64(ar, &b->boxPath);
        archivePlan(world, ar, i);
        archiveCourses(world, ar, i);
    }
}

// Makes room for a list that is read.
static void reserveList(ctArchive *ar, int **array, int *count, int *capacity)
{
    if (!ar->writing && *count > 0 && !ctReserve((void **)array, capacity, *count, sizeof(int))) {
        *count = 0;
        ctArchive_CheckMemory(ar, false);
    }
}

// Members or records of all islands, one island after the other, without gaps.
static void archiveLists(ctWorld *world, ctArchive *ar, bool records)
{
    ctContacts *c = world->contacts;
    int **list = records ? &c->sorted : &c->members, *count = records ? &c->sortedCount : &c->memberCount;
    int live = records ? c->sortedLive : c->memberLive, limit = records ? c->recordSlots : world->bodySlots;
    limit = limit > 0 ? limit : 1;
    if (!ar->writing) {
        ctArchive_Count(ar, count, 4);
        reserveList(ar, list, count, records ? &c->sortedCapacity : &c->memberCapacity);
        for (int i = 0; i < *count; i++) {
            ctArchive_Index(ar, &(*list)[i], 0, limit);
        }
        return;
    }
    ctArchive_Count(ar, &live, 4);
    for (int i = 0; i < c->islandSlots; i++) {
        const ctIsland *island = &c->islands[i];
        int first = records ? island->firstRecord : island->firstBody;
        for (int k = 0; k < (records ? island->recordCount : island->bodyCount); k++) {
            ctArchive_Index(ar, &(*list)[first + k], 0, limit);
        }
    }
}

// first: where its members and records begin in the lists without gaps; advanced.
static void archiveIsland(ctWorld *world, ctArchive *ar, ctIsland *island, int first[2])
{
    ctContacts *c = world->contacts;
    int members = ar->writing ? c->memberLive : c->memberCount, records = ar->writing ? c->sortedLive : c->sortedCount;
    int firstBody = first[0], firstRecord = first[1];
    ctArchive_Index(ar, &firstBody, 0, members + 1);
    ctArchive_Index(ar, &island->bodyCount, 0, members - firstBody + 1);
    ctArchive_Index(ar, &firstRecord, 0, records + 1);
    ctArchive_Index(ar, &island->recordCount, 0, records - firstRecord + 1);
    ctArchive_Index(ar, &island->pointCount, 0, 1 << 30);
    ctArchive_F64(ar, &island->due);
    ctArchive_I32(ar, &island->extra);
    ctArchive_Index(ar, &island->doublings, 0, CT_MOST_DOUBLINGS + 1);
    ctArchive_Bool(ar, &island->changed);
    ctArchive_I32(ar, &island->strays);
    ctArchive_I64(ar, &island->strayBeat);
    if (ar->version >= 12) {
        ctArchive_Bool(ar, &island->stale);
        ctArchive_Index(ar, &island->nextFree, -1, c->islandSlots);
    }
    ctPile_Archive(world, ar, island);
    first[0] = firstBody + island->bodyCount;
    first[1] = firstRecord + island->recordCount;
    if (!ar->writing) {
        island->firstBody = firstBody;
        island->firstRecord = firstRecord;
        ctArchive_Check(ar, island->bodyCount > 0 || (island->recordCount == 0 && island->pile == NULL), "an island");
    }
}

// Free slots are on the list, each once. Computes what follows from the islands that were read.
static void restoreIslands(ctWorld *world, ctArchive *ar)
{
    ctContacts *c = world->contacts;
    int free = 0;
    for (int i = 0; i < c->islandSlots; i++) {
        ctIsland *island = &c->islands[i];
        free += island->bodyCount == 0;
        c->islandCount += island->bodyCount > 0;
        ctArchive_Check(ar, island->bodyCount > 0 || !island->stale, "an island");
        if (island->bodyCount > 0 && island->stale) {
            c->stale[c->staleCount++] = i;
        }
        ctAgenda_Set(&c->agenda, i, island->bodyCount > 0 ? island->due : (double)INFINITY);
        for (int k = 0; k < island->recordCount && c->recordSlots > 0; k++) {
            c->records[c->sorted[island->firstRecord + k]].island = i;
        }
        c->memberLive += island->bodyCount;
        c->sortedLive += island->recordCount;
    }
    for (int at = c->freeIsland; at >= 0 && !ar->failed; at = c->islands[at].nextFree) {
        ctArchive_Check(ar, c->islands[at].bodyCount == 0 && free-- > 0, "an island");
    }
    ctArchive_Check(ar, free == 0, "an island");
}

// The lists of islands without gaps are as long as the islands say. Members of islands that are not stale are bodies
// that refer to it. Their records may have been removed.
static void checkIslands(ctWorld *world, ctArchive *ar)
{
    const ctContacts *c = world->contacts;
    int members = 0, records = 0;
    for (int i = 0; i < c->islandSlots; i++) {
        const ctIsland *island = &c->islands[i];
        ctArchive_Check(ar, island->firstBody == members && island->firstRecord == records, "an island");
        members += island->bodyCount;
        records += island->recordCount;
        for (int k = 0; k < island->bodyCount && !ar->failed && !island->stale; k++) {
            int index = c->members[island->firstBody + k];
            const ctBody *body = &world->bodies[index];
            ctArchive_Check(ar, index < c->bodyCapacity && ctBody_IsMovable(body) && body->island == i, "an island");
        }
    }
    bool whole = members == c->memberCount && records == c->sortedCount;
    ctArchive_Check(ar, whole || ar->version < 12, "an island"); // there, bodies that a pile had taken in followed
    for (int i = 0; i < world->bodySlots; i++) {
        const ctBody *body = &world->bodies[i];
        if (body->mode == ct_modeFree) {
            continue;
        }
        bool has = body->island >= 0 && body->island < c->islandSlots && c->islands[body->island].bodyCount > 0;
        bool awake = i < c->bodyCapacity && ctBody_IsMovable(body) && body->mode != ct_modeAsleep;
        ctArchive_Check(ar, has || body->island == -1, "an island");
        ctArchive_Check(ar, !awake || has || c->bodies[i].loose || c->bodies[i].records == 0, "an island");
    }
}

static void archiveLoose(ctWorld *world, ctArchive *ar)
{
    ctContacts *c = world->contacts;
    int limit = c->bodyCapacity < world->bodySlots ? c->bodyCapacity : world->bodySlots, count = c->looseCount;
    ctArchive_Count(ar, &count, 4);
    ctArchive_Check(ar, count <= limit, "an island");
    if (!ar->writing && !ar->failed &&
        !ctReserve((void **)&c->loose, &c->looseCapacity, c->bodyCapacity, sizeof(int))) {
        ctArchive_CheckMemory(ar, false);
    }
    for (int i = 0; i < count && !ar->failed; i++) {
        int body = ar->writing ? c->loose[i] : 0;
        ctArchive_Index(ar, &body, 0, limit > 0 ? limit : 1);
        if (!ar->writing && ctArchive_Check(ar, !c->bodies[body].loose, "an island")) {
            c->bodies[body].loose = true;
            c->loose[c->looseCount++] = body;
        }
    }
}

// Before version 12 all islands were stale, or none, and bodies that had left an island still referred to it.
static void markOld(ctWorld *world, bool stale)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < world->bodySlots; i++) {
        ctBody *body = &world->bodies[i];
        body->island = body->mode != ct_modeFree ? -1 : body->island;
    }
    for (int i = 0; i < c->islandSlots; i++) {
        c->islands[i].stale = stale;
        for (int k = 0; k < c->islands[i].bodyCount; k++) {
            int index = c->members[c->islands[i].firstBody + k];
            if (index < world->bodySlots && world->bodies[index].contactPairs > 0 &&
                world->bodies[index].mode != ct_modeAsleep && ctBody_IsMovable(&world->bodies[index])) {
                world->bodies[index].island = i;
            }
        }
    }
    for (int i = 0; i < world->bodySlots && stale; i++) {
        if (world->bodies[i].island == -1 && world->bodies[i].contactPairs > 0) {
            ctIslands_MarkBody(world, i);
        }
    }
}

static void archiveIslands(ctWorld *world, ctArchive *ar)
{
    ctContacts *c = world->contacts;
    bool stale = ctIslands_AreStale(c);
    ctArchive_Bool(ar, &stale);
    ctArchive_F64(ar, &c->due);
    archiveLists(world, ar, false);
    archiveLists(world, ar, true);
    int slots = c->islandSlots, first[2] = {0, 0};
    ctArchive_Count(ar, &slots, ISLAND_BYTES);
    if (!ar->writing && slots > 0 && !ctIslands_Reserve(c, slots)) {
        slots = 0;
        ctArchive_CheckMemory(ar, false);
    }
    if (!ar->writing && slots > 0) {
        memset(c->islands, 0, (size_t)slots * sizeof(ctIsland));
    }
    c->islandSlots = slots;
    for (int i = 0; i < slots && !ar->failed; i++) {
        archiveIsland(world, ar, &c->islands[i], first);
    }
    if (ar->version >= 12 && !ar->failed) {
        ctArchive_Index(ar, &c->freeIsland, -1, slots);
        archiveLoose(world, ar);
    }
    if (ar->writing || ar->failed) {
        return;
    }
    if (ar->version < 12) {
        ctArchive_CheckMemory(ar, ctContact_ReserveBodies(world));
        markOld(world, stale);
    }
    if (!ar->failed) {
        restoreIslands(world, ar);
        checkIslands(world, ar);
    }
}

void ctContact_Archive(ctWorld *world, ctArchive *ar)
{
    archiveRecords(world, ar);
    if (!ar->failed) {
        archiveBodies(world, ar);
    }
    if (!ar->failed) {
        archiveIslands(world, ar);
    }
    for (int i = 0; i < world->bodySlots && !ar->writing; i++) {
        bool has = i < world->contacts->bodyCapacity && (world->contacts->bodies[i].planIsOn || ctCourse_Has(world, i));
        ctArchive_Check(ar, has || !ctBody_IsPlanned(&world->bodies[i]), "a plan");
    }
    for (int i = 0; i < world->contacts->bodyCapacity && !ar->writing && !ar->failed; i++) {
        const ctContactBody *b = &world->contacts->bodies[i];
        ctArchive_Check(ar, !b->planIsOn || ctRoll_Restore(world, i), "a plan");
        bool own = b->course != NULL && b->course == b->ownCourse;
        ctArchive_Check(ar, !own || ctCourse_Restore(world, b->course), "a course");
    }
}
