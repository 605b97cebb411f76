// The program's turns inside steps, and the bytes that it keeps with the world.
#include "collision/memory.h"
#include "engine/api/api_internal.h"

#include <string.h>

enum {
    MAX_ROUNDS = 1000, // turns at one moment, each caused by sensor events of the one before
    MAX_NOTES = 16 << 20,
};

bool ctSteer_MayStep(const ctWorld *world, ctError *error)
{
    return !world->steering ||
           ctFail(error, ct_badArgument, "the world is in the middle of a step: steering may not step or restore it");
}

bool ctWorld_SetSteering(ctWorld *world, ctSteerFn *fn, void *context, bool atImpacts, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !ctSteer_MayStep(world, error)) {
        return false;
    }
    world->steer = fn;
    world->steerContext = context;
    world->steerAtImpacts = fn != NULL && atImpacts;
    return true;
}

// One turn. On return *next is later than now.
static bool call(ctWorld *world, double *next, ctError *error)
{
    int impacts = world->impactCount - world->impactsTold, visits = world->sensorEventCount - world->visitsTold;
    ctTurn turn = {impacts > 0 ? &world->impacts[world->impactsTold] : NULL, impacts,
                   visits > 0 ? &world->sensorEvents[world->visitsTold] : NULL, visits};
    world->impactsTold = world->impactCount;
    world->visitsTold = world->sensorEventCount;
    *next = INFINITY;
    ctError why = {ct_ok, ""};
    world->steering = true;
    bool good = world->steer(world->steerContext, world, &turn, next, &why);
    world->steering = false;
    if (!good) {
        return ctFail(error, why.status != ct_ok ? why.status : ct_badArgument, "%s",
                      why.status != ct_ok ? why.message : "the program's steering has failed");
    }
    return *next > world->now || ctFail(error, ct_badArgument, "steering: the next turn must be later than now");
}

bool ctSteer_Turn(ctWorld *world, double *until, ctError *error)
{
    double next = INFINITY;
    for (int rounds = 0; world->steer != NULL; rounds++) {
        if (!call(world, &next, error)) {
            return false;
        }
        if (world->sensorEventCount == world->visitsTold) {
            break;
        }
        if (rounds >= MAX_ROUNDS) {
            return ctFail(error, ct_badArgument, "steering brings about events of sensors without end");
        }
    }
    *until = next < *until ? next : *until;
    return true;
}

bool ctWorld_SetNotes(ctWorld *world, const void *bytes, size_t size, ctError *error)
{
    if (!ctWorld_MayChange(world, error)) {
        return false;
    }
    if (size > MAX_NOTES || (bytes == NULL && size > 0)) {
        return ctFail(error, ct_badArgument, "notes must have at most %d bytes, and an address", (int)MAX_NOTES);
    }
    if (size > 0) {
        if (!ctReserve((void **)&world->notes, &world->noteCapacity, (int)size, 1)) {
            return ctFailMemory(error, "notes");
        }
        memmove(world->notes, bytes, size);
    }
    world->noteSize = (int)size;
    return true;
}

const void *ctWorld_GetNotes(const ctWorld *world, size_t *size)
{
    if (size != NULL) {
        *size = (size_t)world->noteSize;
    }
    return world->noteSize > 0 ? world->notes : NULL;
}
