// Filters and sensors: which bodies may meet, and which are inside a sensor.
//
// A sensor is a body whose shape nothing touches. Its pairs have times in the agenda like those of solid bodies, so
// that no visitor is missed, however fast it is. The first touch is an event at its exact time. A visitor inside cannot
// be out before it has moved by the depth of its overlap. It is looked at again then, and so on until it has left,
// which is an event at its exact time too.
#include "collision/memory.h"
#include "engine/pairs/pairs.h"

#include <string.h>

// [rounding] A visitor that grazes the sensor on its way in or out is looked at again after it may have moved by this
// share of its size, and later each time that it still grazes, up to the second share.
#define GRAZE 1e-8
#define GRAZE_LONGEST 1e-4
// [rounding] Depths of overlaps are known to this share.
#define DEPTH 0.9

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
    // Changes that the function tries are refused.
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
    if (begin) { // the sums of a sensor count visits
        world->infos[pair->b].tally.impacts++;
        world->extras[(int)(pair - world->pairs)].tally.impacts++;
    }
}

// The distance that a body may move at once, and bounds of its speed and acceleration: m/s, m/s^2. A body on a plan is
// scheduled again at the end of the plan, and moves no farther than its reach before that.
static void paceOf(const ctWorld *world, int index, const ctBodyState *s, double *speed, double *pull)
{
    const ctBody *body = &world->bodies[index];
    *speed += ctLength(s->v) + ctFmax(ctLength(s->w), body->wMax) * body->radius;
    *pull += ctBody_IsPlanned(body) ? ctLength(world->def.gravity) + ctLengthSquared(s->w) * body->radius
                                    : ctLength(body->a) + ctBody_Stray(world, body);
}

// Looks at a visitor again when it may be out. gap: its distance from the sensor, negative; states: of the two, now.
static void awaitLeaving(ctWorld *world, int index, double gap, const ctBodyState states[2])
{
    const ctBodyPair *pair = &world->pairs[index];
    int *idle = &world->extras[index].idle;
    double speed = 0.0, pull = 0.0, radius = world->bodies[pair->a].radius;
    paceOf(world, pair->a, &states[0], &speed, &pull);
    paceOf(world, pair->b, &states[1], &speed, &pull);
    double least = ctFmin(ldexp(GRAZE, *idle < 20 ? *idle : 20), GRAZE_LONGEST) * radius, way = -DEPTH * gap;
    *idle = way < least ? *idle + 1 : 0;
    ctAgenda_Set(&world->pairAgenda, index, world->now + ctFirstRoot(ctFmax(way, least), -speed, -pull));
}

void ctSensor_Watch(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    ctBodyState states[2];
    double gap = ctPair_Distance(world, index, states);
    if (gap <= ctPair_TouchGap(world, pair)) {
        awaitLeaving(world, index, gap, states);
        return;
    }
    pair->state = ct_pairOutside;
    world->extras[index].idle = 0;
    tell(world, pair, false);
    ctPair_Schedule(world, index, true);
}

void ctSensor_Event(ctWorld *world, int index)
{
    if (world->pairs[index].state == ct_pairInside) {
        ctSensor_Watch(world, index);
        return;
    }
    ctPairLook look;
    ctPair_Look(world, index, &look);
    ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double speed = ctBodies_SpeedBound(a, b);
    double gap = ctPair_TouchGap(world, pair), least = GRAZE * a->radius / (speed + GRAZE);
    if (look.distance <= gap || (look.distance <= 100.0 * gap && (look.until - world->now) * speed < gap)) {
        pair->state = ct_pairInside;
        world->extras[index].idle = 0;
        tell(world, pair, true);
        ctBodyState states[2] = {ctBody_StateAt(world, a, world->now), ctBody_StateAt(world, b, world->now)};
        awaitLeaving(world, index, look.distance, states);
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
