// Filters and sensors: who may meet whom, and who is inside what.
//
// A sensor is a body with a shape that nothing touches. Its pairs wait in the heap like those of solid bodies, so that
// no visitor is missed however fast it is; the first touch is an event with its exact time. When a visitor is gone is
// asked at the end of each step.
#include "collision/memory.h"
#include "engine/pairs/pairs.h"

#include <string.h>

// [rounding] A visitor whose way in grazes the sensor is looked at again after it may have moved by this part of its
// size.
#define GRAZE 1e-8

bool ctBodies_MayMeet(const ctWorld *world, int a, int b)
{
    const ctFilter *fa = &world->infos[a].filter, *fb = &world->infos[b].filter;
    if ((fa->category & fb->mask) == 0 || (fb->category & fa->mask) == 0) {
        return false;
    }
    if (world->bodies[a].sensor && world->bodies[b].sensor) {
        return false;
    }
    if (world->filter == NULL) {
        return true;
    }
    // What the function tries to change is refused.
    ctWorld *guarded = (ctWorld *)world;
    bool stepping = world->stepping;
    guarded->stepping = true;
    bool may = world->filter(world->filterContext, world, ctBody_IdOf(world, a), ctBody_IdOf(world, b));
    guarded->stepping = stepping;
    return may;
}

static void tell(ctWorld *world, const ctBodyPair *pair, bool begin)
{
    if (!ctReserve((void **)&world->sensorEvents, &world->sensorEventCapacity, world->sensorEventCount + 1,
                   sizeof(ctSensorEvent))) {
        world->outOfMemory = true;
        return;
    }
    world->sensorEvents[world->sensorEventCount++] =
        (ctSensorEvent){world->now, ctBody_IdOf(world, pair->b), ctBody_IdOf(world, pair->a), begin};
    world->insideCount += begin ? 1 : -1;
    if (begin) { // the sums of a sensor count visits
        world->infos[pair->b].tally.impacts++;
        world->extras[(int)(pair - world->pairs)].tally.impacts++;
    }
}

void ctSensor_Event(ctWorld *world, int index)
{
    ctPairLook look;
    ctPair_Look(world, index, &look);
    ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double speed = ctBodies_SpeedBound(a, b);
    double gap = ctPair_TouchGap(world, pair), least = GRAZE * a->radius / (speed + GRAZE);
    if (look.distance <= gap || (look.distance <= 100.0 * gap && (look.until - world->now) * speed < gap)) {
        ctAgenda_Remove(&world->pairAgenda, index);
        pair->state = ct_pairInside;
        tell(world, pair, true);
    } else {
        ctAgenda_Set(&world->pairAgenda, index, ctFmax(look.until, world->now + least));
    }
}

void ctSensor_Part(ctWorld *world, int index)
{
    if (world->pairs[index].state == ct_pairInside) {
        tell(world, &world->pairs[index], false);
    }
}

static void checkVisitors(ctWorld *world, int sensor)
{
    for (int i = 0, index; (index = ctBody_Pair(world, sensor, i)) >= 0; i++) {
        ctBodyPair *pair = &world->pairs[index];
        if (pair->state == ct_pairInside && ctPair_Distance(world, index) > ctPair_TouchGap(world, pair)) {
            pair->state = ct_pairOutside;
            tell(world, pair, false);
            ctPair_Schedule(world, index, true);
        }
    }
}

void ctSensors_EndFrame(ctWorld *world)
{
    for (int i = 0; i < world->bodyCount && world->insideCount > 0; i++) {
        if (world->bodies[world->order[i]].sensor) {
            checkVisitors(world, world->order[i]);
        }
    }
}
