// The part of a snapshot that belongs to sustained contact: records with their points, what bodies remember,
// and the islands as they stand.
#include "collision/memory.h"
#include "engine/contact/contact_internal.h"
#include "engine/core/archive.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST 1e24 // force, N

// parts: pairs of convex parts that the two bodies have.
static void archivePoint(ctArchive *ar, ctContactPoint *p, uint32_t parts)
{
    ctArchive_U32(ar, &p->leaf);
    ctArchive_U32(ar, &p->id);
    ctVec3 *vectors[] = {&p->n, &p->pointA, &p->pointB, &p->armA, &p->armB, &p->force, &p->torque, &p->impulse};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctArchive_Vec3(ar, vectors[i]);
    }
    ctArchive_Finite(ar, &p->gap);
    ctArchive_Bool(ar, &p->known);
    bool bounded = ctLength(p->force) < LARGEST && ctLength(p->torque) < LARGEST && ctLength(p->impulse) < LARGEST;
    bool unit = fabs(ctLengthSquared(p->n) - 1.0) < 1e-6;
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

// Every free record is on one of the two lists, once.
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
    ctArchive_Bool(ar, &c->ended);
    int live = 0;
    for (int i = 0; i < c->recordSlots; i++) {
        archiveRecord(world, ar, &c->records[i], i);
        live += c->records[i].pair >= 0;
    }
    c->recordCount = live;
    int inContact = 0;
    for (int i = 0; i < world->pairSlots; i++) {
        inContact += world->pairs[i].state == ct_pairContact;
    }
    ctArchive_Check(ar, live == inContact && checkFreeRecords(c), "the list of contacts");
}

// Plans follow from what they began with.
static void archivePlan(ctWorld *world, ctArchive *ar, int index)
{
    ctContacts *c = world->contacts;
    int *plan = &c->bodies[index].plan, kind = *plan > 0 ? 2 : *plan < 0 ? 1 : 0;
    ctArchive_Enum(ar, &kind, 3, "a plan");
    if (kind == 0 || ar->failed) {
        return;
    }
    if (!ar->writing) {
        if (!ctReserve((void **)&c->plans, &c->planCapacity, c->planCount + 1, sizeof(ctRollPlan))) {
            ctArchive_CheckMemory(ar, false);
            return;
        }
        c->plans[c->planCount++] = (ctRollPlan){0};
        *plan = kind == 2 ? c->planCount : -c->planCount;
    }
    ctRollPlan *p = &c->plans[abs(*plan) - 1];
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

// The track of a course: its steps as they were found.
static void archiveTrack(ctArchive *ar, ctCourse *course)
{
    ctSystemTrack *track = &course->track;
    ctArchive_Index(ar, &track->movable, course->bodyCount, course->bodyCount + 1);
    ctArchive_Index(ar, &track->pointCount, 0, CT_SYSTEM_POINTS + 1);
    ctArchive_Count(ar, &track->count, 8);
    if (!ar->writing && !ar->failed) {
        track->stride = ctSystemTrack_Stride(track->movable, track->pointCount);
        track->capacity = track->count;
        if (ctArchive_Check(ar, track->count > 0 && track->count <= CT_COURSE_STEPS, "a course")) {
            int numbers = track->count * track->stride;
            ctArchive_CheckMemory(ar,
                                  ctReserve((void **)&track->steps, &course->stepCapacity, numbers, sizeof(double)));
        }
    }
    for (int i = 0; !ar->failed && i < track->count * track->stride; i++) {
        ctArchive_Finite(ar, &track->steps[i]);
    }
    // Beyond the numbers of the bodies that move, the array is not filled.
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
    bool owns = b->ownCourse > 0;
    const ctCourse *on = b->course > 0 ? &c->courses[b->course - 1] : NULL;
    int owner = on != NULL && ctCourse_IsOfUse(world, on) ? on->bodies[0] + 1 : 0;
    ctArchive_Bool(ar, &owns);
    ctArchive_Index(ar, &owner, 0, index + 2);
    if (owns && !ar->writing && !ar->failed) {
        if (!ctReserve((void **)&c->courses, &c->courseCapacity, c->courseCount + 1, sizeof(ctCourse))) {
            ctArchive_CheckMemory(ar, false);
            return;
        }
        c->courses[c->courseCount] = (ctCourse){0};
        b->ownCourse = ++c->courseCount;
    }
    if (owner > 0 && !ar->writing && !ar->failed) {
        b->course = c->bodies[owner - 1].ownCourse;
        ctArchive_Check(ar, b->course > 0, "a course");
    }
    if (owns && !ar->failed) {
        ctCourse *course = &c->courses[b->ownCourse - 1];
        ctArchive_Finite(ar, &course->next);
        ctArchive_Finite(ar, &course->crowded);
        if (owner == index + 1) {
            archiveCourse(world, ar, course);
            ctArchive_Check(ar, course->bodies[0] == index, "a course");
        }
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
        ctArchive_I64(ar, &b->hitFrame);
        ctArchive_I32(ar, &b->crowd);
        ctArchive_I32(ar, &b->tried);
        ctArchive_Vec3(ar, &b->restX);
        ctArchive_Quat(ar, &b->restQ);
        ctArchive_Finite(ar, &b->restSpeed);
        ctArchive_Bool(ar, &b->large);
        ctArchive_Bool(ar, &b->piled);
        ctArchive_Bool(ar, &b->frozen);
        ctArchive_Finite(ar, &b->thawed);
        ctArchive_F64(ar, &b->boxPath);
        archivePlan(world, ar, i);
        archiveCourses(world, ar, i);
    }
}

// An array of indices in [0, limit).
static void archiveIndices(ctArchive *ar, int **array, int *count, int *capacity, int limit)
{
    ctArchive_Count(ar, count, 4);
    if (!ar->writing && *count > 0 && !ctReserve((void **)array, capacity, *count, sizeof(int))) {
        *count = 0;
        ctArchive_CheckMemory(ar, false);
    }
    for (int i = 0; i < *count; i++) {
        ctArchive_Index(ar, &(*array)[i], 0, limit);
    }
}

static void archiveIsland(ctWorld *world, ctArchive *ar, ctIsland *island)
{
    const ctContacts *c = world->contacts;
    ctArchive_Index(ar, &island->firstBody, 0, c->memberCount + 1);
    ctArchive_Index(ar, &island->bodyCount, 0, c->memberCount - island->firstBody + 1);
    ctArchive_Index(ar, &island->firstRecord, 0, c->sortedCount + 1);
    ctArchive_Index(ar, &island->recordCount, 0, c->sortedCount - island->firstRecord + 1);
    ctArchive_Index(ar, &island->pointCount, 0, 1 << 30);
    ctArchive_F64(ar, &island->due);
    ctArchive_I32(ar, &island->extra);
    ctArchive_Index(ar, &island->doublings, 0, CT_MOST_DOUBLINGS + 1);
    ctArchive_Bool(ar, &island->changed);
    ctArchive_I32(ar, &island->strays);
    ctArchive_I64(ar, &island->strayFrame);
    ctPile_Archive(world, ar, island);
}

static void archiveIslands(ctWorld *world, ctArchive *ar)
{
    ctContacts *c = world->contacts;
    ctArchive_Bool(ar, &c->stale);
    ctArchive_F64(ar, &c->due);
    archiveIndices(ar, &c->members, &c->memberCount, &c->memberCapacity, world->bodySlots > 0 ? world->bodySlots : 1);
    archiveIndices(ar, &c->sorted, &c->sortedCount, &c->sortedCapacity, c->recordSlots > 0 ? c->recordSlots : 1);
    ctArchive_Count(ar, &c->islandCount, ISLAND_BYTES);
    if (!ar->writing && c->islandCount > 0 &&
        !ctReserve((void **)&c->islands, &c->islandCapacity, c->islandCount, sizeof(ctIsland))) {
        c->islandCount = 0;
        ctArchive_CheckMemory(ar, false);
    }
    if (!ar->writing && c->islandCount > 0) {
        memset(c->islands, 0, (size_t)c->islandCount * sizeof(ctIsland));
    }
    for (int i = 0; i < c->islandCount && !ar->failed; i++) {
        archiveIsland(world, ar, &c->islands[i]);
    }
    if (ar->writing || ar->failed) {
        return;
    }
    // Members of current islands are bodies that are there; their records may have gone. A stale list is built
    // again before it is used.
    for (int i = 0; i < c->memberCount; i++) {
        const ctBody *body = &world->bodies[c->members[i]];
        ctArchive_Check(ar, c->stale || (c->members[i] < c->bodyCapacity && ctBody_IsMovable(body)), "an island");
    }
    for (int i = 0; i < world->bodySlots && i < c->bodyCapacity; i++) {
        const ctBody *body = &world->bodies[i];
        bool awake = ctBody_IsMovable(body) && body->mode != ct_modeAsleep && c->bodies[i].records > 0;
        ctArchive_Check(ar, c->stale || !awake || (body->island >= 0 && body->island < c->islandCount), "an island");
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
        bool has = i < world->contacts->bodyCapacity && (world->contacts->bodies[i].plan > 0 || ctCourse_Has(world, i));
        ctArchive_Check(ar, has || !ctBody_IsPlanned(&world->bodies[i]), "a plan");
    }
    for (int i = 0; i < world->contacts->bodyCapacity && !ar->writing && !ar->failed; i++) {
        const ctContactBody *b = &world->contacts->bodies[i];
        ctArchive_Check(ar, b->plan <= 0 || ctRoll_Restore(world, i), "a plan");
        bool own = b->course > 0 && b->course == b->ownCourse;
        ctArchive_Check(ar, !own || ctCourse_Restore(world, &world->contacts->courses[b->course - 1]), "a course");
    }
}
