// The events of the last step in a snapshot: its impacts, and the contacts at its end.
#include "collision/memory.h"
#include "engine/api/snapshot.h"

#include <string.h>

enum { IMPACT_BYTES = 8 + 4 + 16 + 4 * 24 + 3 * 8 + 72 + 48 + 4, CONTACT_BYTES = 16 + 3 * 24 + 8, PAIR_BYTES = 16 };

// The body may be gone since: any id that was ever given is valid.
static void archiveId(ctArchive *ar, ctBodyId *id)
{
    ctArchive_I32(ar, &id->index1);
    ctArchive_U32(ar, &id->generation);
    ctArchive_Check(ar, id->index1 > 0, "the id of a body");
}

static void archiveImpact(ctArchive *ar, ctImpact *m)
{
    int kind = (int)m->kind, law = (int)m->law;
    ctArchive_Finite(ar, &m->time);
    ctArchive_Enum(ar, &kind, ct_eventMicro + 1, "an impact");
    archiveId(ar, &m->body1);
    archiveId(ar, &m->body2);
    ctVec3 *vectors[] = {&m->point, &m->normal, &m->velocity, &m->impulse};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctArchive_Vec3(ar, vectors[i]);
    }
    ctArchive_Finite(ar, &m->energyLost);
    ctArchive_Finite(ar, &m->frictionLoss);
    ctArchive_Finite(ar, &m->restitutionLoss);
    ctArchive_Mat3(ar, &m->k);
    ctSnapshot_Pair(ar, &m->pair);
    ctArchive_Enum(ar, &law, ct_lawCompliant + 1, "the law of an impact");
    m->kind = (ctEventKind)kind;
    m->law = (ctLaw)law;
}

static void archiveContact(ctArchive *ar, ctContact *contact)
{
    archiveId(ar, &contact->body1);
    archiveId(ar, &contact->body2);
    ctArchive_Vec3(ar, &contact->point);
    ctArchive_Vec3(ar, &contact->normal);
    ctArchive_Vec3(ar, &contact->force);
    ctArchive_Finite(ar, &contact->gap);
}

// Room for the announced number; none when memory is short.
static bool makeRoom(ctArchive *ar, void **array, int *count, int *capacity, size_t size)
{
    if (ar->writing) {
        return true;
    }
    if (*count > 0 && !ctReserve(array, capacity, *count, size)) {
        *count = 0;
        return ctArchive_CheckMemory(ar, false);
    }
    if (*count > 0) {
        memset(*array, 0, (size_t)*count * size);
    }
    return true;
}

static void archiveSensorEvent(ctArchive *ar, ctSensorEvent *event)
{
    ctArchive_Finite(ar, &event->time);
    archiveId(ar, &event->sensor);
    archiveId(ar, &event->visitor);
    ctArchive_Bool(ar, &event->begin);
}

static void archiveTouchPairs(ctArchive *ar, ctTouchPair **pairs, int *count, int *capacity)
{
    ctArchive_Count(ar, count, PAIR_BYTES);
    makeRoom(ar, (void **)pairs, count, capacity, sizeof(ctTouchPair));
    for (int i = 0; i < *count; i++) {
        archiveId(ar, &(*pairs)[i].body1);
        archiveId(ar, &(*pairs)[i].body2);
    }
}

void ctSnapshot_Events(ctWorld *world, ctArchive *ar)
{
    ctArchive_Count(ar, &world->impactCount, IMPACT_BYTES);
    makeRoom(ar, (void **)&world->impacts, &world->impactCount, &world->impactCapacity, sizeof(ctImpact));
    for (int i = 0; i < world->impactCount; i++) {
        archiveImpact(ar, &world->impacts[i]);
    }
    ctArchive_Count(ar, &world->contactCount, CONTACT_BYTES);
    makeRoom(ar, (void **)&world->contactList, &world->contactCount, &world->contactCapacity, sizeof(ctContact));
    for (int i = 0; i < world->contactCount; i++) {
        archiveContact(ar, &world->contactList[i]);
    }
    archiveTouchPairs(ar, &world->begins, &world->beginCount, &world->beginCapacity);
    archiveTouchPairs(ar, &world->ends, &world->endCount, &world->endCapacity);
    archiveTouchPairs(ar, &world->touching, &world->touchingCount, &world->touchingCapacity);
    ctArchive_Count(ar, &world->sensorEventCount, 8 + PAIR_BYTES + 1);
    makeRoom(ar, (void **)&world->sensorEvents, &world->sensorEventCount, &world->sensorEventCapacity,
             sizeof(ctSensorEvent));
    for (int i = 0; i < world->sensorEventCount; i++) {
        archiveSensorEvent(ar, &world->sensorEvents[i]);
    }
    ctArchive_Index(ar, &world->sensorEventsTold, 0, world->sensorEventCount + 1);
    ctArchive_Bool(ar, &world->filtered);
    ctArchive_Bool(ar, &world->contactsListed);
}
